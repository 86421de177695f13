"""What matches ask of a game: deals, whole turns, players. A game joins by `CONTEST` in its module `contest`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from solver.core.budget import Budget
from solver.core.errors import ArgumentError
from solver.core.game import Game
from solver.core.player import Kinds
from solver.core.state import GAME_OVER, Player, State
from solver.core.worlds import Worlds

S = TypeVar("S", bound=State[Any, Any, Any])
V = TypeVar("V")
T = TypeVar("T")


class Result(NamedTuple):
    """How a game ended: the seat that won, None for a draw; the points of both seats; and why."""

    winner: int | None
    points: tuple[int, int]
    reason: str


class Contest(ABC, Generic[S, V, T]):
    """Whole games of two players, a turn at a time. All parts are REQUIRED unless they say something else.

    game:      whose notation and values it uses
    players:   the kinds of players, by name
    by_points: True if the players play for points, and a game may be a draw
    deal_budget: for a deal of a recorded game, a second or so. OPTIONAL: without, there is no limit.
    """

    game: ClassVar[Game[Any, Any, Any]]
    players: Kinds[V, T]
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
    def exact_result(self, state: S) -> Result | None:
        """What exact play leads to, if no card is hidden from the player to move; else None. The reason is `ADJUDICATED`."""

    def ask(self, player: Player[V, T], state: S) -> T:
        """The whole turn of a player, which sees its view and nothing else. OPTIONAL: without, it is asked once."""
        return player(state.view(state.to_move))

    def result(self, state: S) -> Result | None:
        """How a game ended; None if it goes on."""
        if state.to_move != GAME_OVER:
            return None
        return Result(state.winner, state.points, self.reason(state))


ADJUDICATED = "adjudicated"
"""The reason of a game that was ended where its exact value was known."""
