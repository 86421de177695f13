"""What a game offers of whole games: its states, views and players, the worlds that a view leaves, and how a game ends.

A *world* is a whole game that shows a view to its player, who is seat 0 and to move: the hidden cards have places. Worlds that
differ only in what can never matter are one, if a game says so. All worlds are equally likely unless a belief says otherwise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from backtrick.budget import Budget
from backtrick.errors import ArgumentError
from backtrick.given import refused, shown
from backtrick.play.players import PlayerSpecs
from backtrick.play.state import GAME_OVER, Player, Result, State, View
from backtrick.random import Stream

if TYPE_CHECKING:
    from backtrick.game import Game

S = TypeVar("S", bound=State[Any, Any, Any])
V = TypeVar("V", bound=View)
T = TypeVar("T")


class Worlds(ABC, Generic[S, T]):
    """The worlds of one view of the player to move, at the beginning of a turn.

    view: what the player sees. count: how many worlds there are. turns: the turns of the player, one for each distinct
    outcome. A turn is legal in one world if it is legal in all, because a player knows which turns it has. budget: for all turns
    of a world together.
    """

    view: Any
    budget: Budget
    count: int
    turns: tuple[T, ...]

    @abstractmethod
    def every(self) -> Iterator[S]:
        """Every world once, `count` in all."""

    def draw(self, numbers: Stream) -> S:
        """A world, all equally likely. OPTIONAL: without, the view's."""
        world: S = self.view.world(numbers)
        return world

    def place(self, turn: T) -> int:
        """The place in `turns` of the one with the same outcome as a legal turn. Raises `BacktrickError` that names the rule.
        OPTIONAL: without, each turn has an outcome of its own."""
        if turn not in self.turns:
            raise ArgumentError(f"the player does not have the turn {turn}")
        return self.turns.index(turn)

    @abstractmethod
    def values(self, world: S) -> np.ndarray:
        """What each turn is worth to its player in a world, with open cards from then on: int64, shape (turns, 2).

        The two numbers are bounds, and equal if the value is known: 1 for a win and 0 for a loss, or the difference of the points
        from here on. Threads call this at the same time.
        """

    def stop(self) -> None:
        """Ends the calls of `values` soon, now and later; their bounds hold, but say less. OPTIONAL: without, they end by
        themselves."""


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Where a game ends by what exact play leads to: where no card is hidden from the player to move, and, with `piles`, at deals
    whose larger draw pile has at most this many cards, if they are solved within `nodes`. A node limit decides alike everywhere.

    >>> print(Adjudication(), Adjudication(8, 20_000), sep="; ")
    where no card is hidden; where no card is hidden, and at deals of R 8 that are solved within 20,000 nodes
    """

    piles: int = 0
    nodes: int = 0

    def __post_init__(self) -> None:
        if self.piles < 0 or self.nodes < 0 or bool(self.piles) != bool(self.nodes):
            raise ArgumentError(f"piles and nodes must be whole numbers above 0, or both 0, not {self.piles} and {self.nodes}")

    def __str__(self) -> str:
        deals = f", and at deals of R {self.piles} that are solved within {self.nodes:,} nodes" if self.piles else ""
        return f"where no card is hidden{deals}"


@dataclass(frozen=True)
class WholeGame(Generic[S, V, T]):
    """Whole games of two players, a turn at a time: what matches and odds ask. A game joins by `WHOLE_GAME` in its module
    `players`.

    game:      whose notation and values it uses
    state, view: its classes
    players:   the kinds of players, by name
    decks_of:  the decks of games start..stop-1 of a seed
    worlds:    the worlds that a view of the player to move leaves; takes a budget for all turns of a world together, None for the
               default of the game. Raises `ArgumentError` for another view
    by_points: True if the players play for points, and a game may be a draw
    deal_budget: for a deal of a recorded game, a second or so
    """

    game: Game[Any, Any, Any]
    state: type[S]
    view: type[V]
    players: PlayerSpecs[V, T]
    decks_of: Callable[[int, int, int], np.ndarray]
    worlds: Callable[[V, Budget | None], Worlds[S, T]]
    by_points: bool = False
    deal_budget: Budget = Budget()

    def deal(self, seed: int, number: int, rules: Any) -> S:
        """The state after the deal of game `number` of a seed, which depends on nothing else. Seat 0 begins."""
        return self.state.deal(self.decks_of(seed, number, number + 1)[0].tolist(), rules)

    def ask(self, player: Player[V, T], state: S) -> T:
        """The whole turn of a player, as `State.ask`."""
        turn: T = state.ask(player, self.game.read_turn)
        return turn

    def strategy(self, player: Player[V, Any] | str) -> Player[V, Any]:
        """What `Equilibrium.sure_of` asks: a function from a view to a turn as it is, or a player by name, also `exact:NAME`.

        Raises `ArgumentError`, also for a player that draws lots: one throw of its dice is not how it plays.
        """
        if callable(player):
            return player
        if not isinstance(player, str):
            raise refused("player", "a function from a view to a turn, or the name of a player", player)
        if player.startswith(f"{EXACT}:"):
            return ExactAtTheEnd(self, self.strategy(player.partition(":")[2]))
        if player.partition(":")[0] in DRAW_LOTS:
            words = "it draws lots; give a function from a view to a mapping from turns to probabilities"
            raise ArgumentError(f"player {shown(player)}: {words}")
        return self.players.player(player)

    def adjudicated(self, state: S, where: Adjudication, rules: Any) -> Result | None:
        """What exact play leads to, if `where` says that the game ends here; else None. The reason is `ADJUDICATED`, or
        `SOLVED` where cards were still to come."""
        if (open_cards := state.view(state.to_move).position) is not None:
            return state.result_worth(self.game.bounds(open_cards, rules).lowest, ADJUDICATED)
        if where.piles and state.cards_to_come() <= where.piles and (deal := state.position()) is not None:
            bounds = self.game.bounds(deal, rules, Budget(nodes=where.nodes, table_mib=ADJUDICATION_MIB))
            return state.result_worth(bounds.lowest, SOLVED) if bounds.solved else None
        return None

    def result(self, state: S) -> Result | None:
        """How a game ended; None if it goes on."""
        if state.to_move != GAME_OVER:
            return None
        return Result(state.winner, state.points, state.reason())


class ExactAtTheEnd:
    """The player that plays like another one, and exactly as soon as it can deduce every card."""

    def __init__(self, whole_game: AnyWholeGame, other: Player[Any, Any]):
        self._whole_game, self.other = whole_game, other

    def __call__(self, view: Any) -> Any:
        position = view.position
        if position is not None:
            return self._whole_game.game.best_turn(position, view.rules)
        worlds = self._whole_game.worlds(view, None)
        if worlds.count == 1:
            lowest = worlds.values(next(worlds.every()))[:, 0]
            if lowest.max() > lowest.min():
                return worlds.turns[int(lowest.argmax())]
        return self.other(view)

    def begin(self, turns: Sequence[str]) -> None:
        """A game of a match begins. turns: those played so far, a list that grows; a program gets them."""
        if hasattr(self.other, "begin"):
            self.other.begin(turns)


EXACT, EQUILIBRIUM = "exact", "equilibrium"

DRAW_LOTS = "random", EQUILIBRIUM
"""How the names of players begin that leave a turn to chance."""

AnyWholeGame = WholeGame[Any, Any, Any]
"""Of any game: only the contract is known."""

ADJUDICATED, SOLVED = "adjudicated", "solved deal"
"""The reasons of games that were ended by their exact value: no card was hidden; cards were still to come, and all were known."""

ADJUDICATION_MIB = 64
"""The memory for a deal. With the node limit it decides whether the deal is solved, so it is always the same."""
