"""What matches ask of a game: deals, whole turns, players. A game joins by `WHOLE_GAME` in its module `whole_game`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from backtrick.errors import ArgumentError
from backtrick.game import Game
from backtrick.play import PlayerSpecs, Worlds
from backtrick.state import GAME_OVER, Player, State
from backtrick.work import Budget

S = TypeVar("S", bound=State[Any, Any, Any])
V = TypeVar("V")
T = TypeVar("T")


class Result(NamedTuple):
    """How a game ended: the seat that won, None for a draw; the points of both seats; and why."""

    winner: int | None
    points: tuple[int, int]
    reason: str


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Where a game ends by what exact play leads to: where no card is hidden from the player to move, and, with `piles`, at deals
    whose larger draw pile has at most so many cards, if they are solved within `nodes`. A node limit decides alike everywhere.

    >>> print(Adjudication(), Adjudication(8, 20_000), sep="; ")
    where no card is hidden; where no card is hidden, and at deals of R 8 that are solved within 20,000 nodes
    """

    piles: int = 0
    nodes: int = 0

    def __post_init__(self) -> None:
        if self.piles < 0 or self.nodes < 0 or bool(self.piles) != bool(self.nodes):
            raise ArgumentError(f"piles and nodes are whole numbers above 0, or both 0, not {self.piles} and {self.nodes}")

    def __str__(self) -> str:
        deals = f", and at deals of R {self.piles} that are solved within {self.nodes:,} nodes" if self.piles else ""
        return f"where no card is hidden{deals}"


class WholeGame(ABC, Generic[S, V, T]):
    """Whole games of two players, a turn at a time. All parts are REQUIRED unless they say something else.

    game:      whose notation and values it uses
    players:   the kinds of players, by name
    by_points: True if the players play for points, and a game may be a draw
    deal_budget: for a deal of a recorded game, a second or so. OPTIONAL: without, there is no limit.
    """

    game: ClassVar[Game[Any, Any, Any]]
    players: PlayerSpecs[V, T]
    by_points: ClassVar[bool] = False
    deal_budget: ClassVar[Budget] = Budget()

    @abstractmethod
    def deal(self, seed: int, number: int, rules: Any) -> S:
        """The state after the deal of game `number` of a seed: the two say it alone. Seat 0 begins."""

    @abstractmethod
    def begin(self, position: Any, rules: Any) -> S:
        """The state of a deal or an endgame, its mover in seat 0."""

    @abstractmethod
    def play(self, state: S, turn: T) -> S:
        """The state after a whole turn of the player to move. Raises `BacktrickError` that names the rule."""

    @abstractmethod
    def view_record(self, view: V) -> dict[str, object]:
        """A view as plain values for JSON, by name: everything that the player may know."""

    @abstractmethod
    def cards_to_come(self, state: S) -> int:
        """How many cards the larger draw pile has."""

    def parse_view(self, text: str, rules: Any) -> V:
        """The view that `text` names, of the player to move. Raises `BacktrickError`. OPTIONAL: without, there are no odds."""
        raise ArgumentError(f"{self.game.title} has no views in notation")

    def worlds(self, view: V, budget: Budget | None = None) -> Worlds[S, T]:
        """The worlds that a view leaves. budget: for all turns of a world together, None for the default of the game.

        Raises `ArgumentError` unless the view is of the player to move. OPTIONAL: without, there are no odds.
        """
        raise ArgumentError(f"{self.game.title} has no odds")

    @abstractmethod
    def reason(self, state: S) -> str:
        """Why a game that is over has ended, in a few words."""

    @abstractmethod
    def result_worth(self, state: S, value: int, reason: str) -> Result:
        """The result if the rest of the game is worth `value`, as the game measures it, to the player to move."""

    def adjudicated(self, state: S, where: Adjudication, rules: Any) -> Result | None:
        """What exact play leads to, if `where` says that the game ends here; else None. The reason is `ADJUDICATED`, or
        `SOLVED` where cards were still to come."""
        if (open_cards := state.view(state.to_move).position) is not None:
            return self.result_worth(state, self.game.bounds(open_cards, rules).lowest, ADJUDICATED)
        if where.piles and self.cards_to_come(state) <= where.piles and (deal := state.position()) is not None:
            bounds = self.game.bounds(deal, rules, Budget(nodes=where.nodes, table_mib=ADJUDICATION_MIB))
            return self.result_worth(state, bounds.lowest, SOLVED) if bounds.solved else None
        return None

    def ask(self, player: Player[V, T], state: S) -> T:
        """The whole turn of a player, which sees its view and nothing else. OPTIONAL: without, it is asked once.

        Raises `BacktrickError` for an answer that is no turn. A turn need not be legal: `play` checks that.
        """
        answer: T = self.game.read_turn(player(state.view(state.to_move)))
        return answer

    def result(self, state: S) -> Result | None:
        """How a game ended; None if it goes on."""
        if state.to_move != GAME_OVER:
            return None
        return Result(state.winner, state.points, self.reason(state))


ADJUDICATED, SOLVED = "adjudicated", "solved deal"
"""The reasons of games that were ended by their exact value: no card was hidden; cards were still to come, and we knew them."""

ADJUDICATION_MIB = 64
"""The memory for a deal. With the node limit it decides whether the deal is solved, so it is always the same."""
