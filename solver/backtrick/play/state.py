"""Whole games, card by card: states, views, and players, which see views.

A *state* is a whole game at one moment. It knows everything: hands, piles, who is to move, what was laid in this turn. It never
changes: `apply` gives a new one. A pile of known order is a tuple of cards, the next one first. A pile of unknown order is a
frozenset, and drawing from it is chance. With empty piles nothing is drawn, and a state between two turns is an endgame position.

A *view* is what one player may see of a state. A *player* is a function from a view to a turn, and knows nothing else.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import Any, Generic, NamedTuple, TypeVar

from backtrick.arguments import checked
from backtrick.errors import ArgumentError
from backtrick.given import refused, shown
from backtrick.names.other_names import AbstractAdvising, Advising
from backtrick.random import Stream

A = TypeVar("A")
V = TypeVar("V", bound="View")
P = TypeVar("P")
S = TypeVar("S", bound="State[Any, Any, Any]")  # typing.Self comes with Python 3.11

CHANCE, GAME_OVER = -1, -2
"""What `to_move` is if no player is to move: a card is to be drawn, or the game is over."""

Player = Callable[[V], A]
"""A function from what a player may see to a legal turn. It gets nothing else."""


class Result(NamedTuple):
    """How a game ended: the seat that won, None for a draw; the points of both seats; and why."""

    winner: int | None
    points: tuple[int, int]
    reason: str


class View(metaclass=Advising):
    """What one player may see of a state, and nothing else. `str` writes it in notation. All parts are OPTIONAL."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    @classmethod
    def parse(cls: type[V], text: str, *, rules: Any = None) -> V:
        """The view that `text` names, of the player to move. Raises `BacktrickError`. Without: there are no odds."""
        raise ArgumentError("this game has no views in notation")

    def record(self) -> dict[str, object]:
        """All that the player may know as plain values for JSON, by name. Without: the text says it."""
        return {}

    def world(self, numbers: Stream) -> State[Any, Any, Any]:
        """A state that shows this view to seat 0, which is to move: the hidden cards in random order, all orders equally likely.

        So `view.world(numbers).view(0) == view`. A view does not say which seat it is of, so its player gets seat 0. Without: no
        player can look ahead.
        """
        raise ArgumentError("this game has no worlds")


class State(Generic[A, V, P], metaclass=AbstractAdvising):
    """A whole game of two players at one moment. A, V, P: its actions, views and endgame positions.

    REQUIRED are `to_move`, `legal`, `apply` and `view`; all else has a default, for a game without chance and points.

    An action is the smallest thing that a player decides: one card laid, or the end of a turn. Seat 0 begins the game.
    """

    __slots__ = ()

    def __copy__(self: S) -> S:
        return self  # it never changes

    def __deepcopy__(self: S, memo: object) -> S:
        return self

    def __repr__(self) -> str:
        moves = {CHANCE: "chance draws", GAME_OVER: "over"}.get(self.to_move, f"seat {self.to_move} to move")
        return f"<{type(self).__name__}, {moves}: {self._seen()!r}>"

    def _repr_html_(self) -> str | None:
        return getattr(self._seen(), "_repr_html_", lambda: None)()

    def _seen(self) -> P | V:
        return self.position() or self.view(max(self.to_move, 0))

    @property
    @abstractmethod
    def to_move(self) -> int:
        """The seat that is to move, 0 or 1; `CHANCE` if a card is to be drawn; `GAME_OVER`."""

    @abstractmethod
    def legal(self) -> tuple[A, ...]:
        """The actions of the player to move, in a fixed order: at least one, or none if no player is to move."""

    @abstractmethod
    def apply(self: S, action: A) -> S:
        """The state after an action. Raises `BacktrickError` that names the rule if it is not legal."""

    @abstractmethod
    def view(self, seat: int) -> V:
        """What the player in a seat may see."""

    # OPTIONAL: chance. Without: there is none.

    def chance(self) -> Mapping[int, float]:
        """The cards that may be drawn now, each with its probability; empty unless `to_move` is `CHANCE`."""
        return {}

    def draw(self: S, card: int) -> S:
        """The state after chance drew a card. Raises `BacktrickError` if it cannot be drawn."""
        raise ArgumentError(f"{card} cannot be drawn: this game has no chance")

    def cards_to_come(self) -> int:
        """How many cards the larger draw pile has."""
        return 0

    # OPTIONAL: where a game begins. Without: no matches.

    @classmethod
    def start(cls: type[S], rules: Any) -> S:
        """A whole game before the deal: chance has still to draw every card."""
        raise ArgumentError("this game has no whole games")

    @classmethod
    def deal(cls: type[S], deck: Any, rules: Any) -> S:
        """The state after the deal of a deck, as `WholeGame.decks_of` makes it. Seat 0 begins."""
        raise ArgumentError("this game has no whole games")

    @classmethod
    def begin(cls: type[S], position: Any, rules: Any) -> S:
        """The state of a deal or an endgame, its mover in seat 0."""
        raise ArgumentError("this game has no whole games")

    def position(self) -> P | None:
        """The position of the player to move, between two turns and if the order of every pile is known; else None."""
        return None

    # OPTIONAL: whole turns. Without: a turn is one action.

    def distinct_turns(self) -> Sequence[Any]:
        """The whole turns of the player to move in a fixed order, of those with the same outcome the first. The other player sees
        the state after a turn, and nothing between. Without: the legal actions."""
        return self.legal()

    def play(self: S, turn: Any) -> S:
        """The state after a whole turn of the player to move. Raises `BacktrickError` that names the rule."""
        return self.apply(turn)

    @checked
    def ask(self, player: Player[Any, Any], read: Callable[[Any], Any]) -> Any:
        """The whole turn of a player, which sees its view and nothing else. read: a turn of what it answers.

        Raises `ArgumentError` if no player is to move, and `BacktrickError` for an answer that is not a turn. A turn need not be
        legal: `play` checks that.
        """
        if self.to_move < 0:
            raise ArgumentError("no player is to move: the cards are not dealt, or the game is over")
        return read(player(self.view(self.to_move)))

    # OPTIONAL: how it ends. Without: values are points to come.

    @property
    def points(self) -> tuple[int, int]:
        """The points of seat 0 and seat 1 so far; 0 in a game without points."""
        return 0, 0

    @property
    def winner(self) -> int | None:
        """The seat that has won, by points; None if the game is still going on or ended without a winner."""
        first, second = self.points
        return None if self.to_move != GAME_OVER or first == second else int(second > first)

    def reason(self) -> str:
        """Why a game that is over has ended, in a few words."""
        return "points"

    @checked
    def result_worth(self, value: Any, reason: str) -> Result:
        """The result if the rest of the game is worth `value`, as the game measures it, to the player to move."""
        first, second = self.points
        value = index(value)
        points = (first + value, second) if self.to_move == 0 else (first, second + value)
        return Result(None if points[0] == points[1] else int(points[1] > points[0]), points, reason)


def read_view(kind: type[V], given: object) -> V:
    """A view of a game, given as one or in notation. Raises `ArgumentError` for anything else, or `NotationError`."""
    if isinstance(given, str):
        return kind.parse(given)
    if not isinstance(given, kind):
        raise ArgumentError(f"view must be a View of this game, or its notation, not {shown(given)}")
    return given


def check_seat(seat: int) -> None:
    """Raises `WrongTypeError` unless a player sits there."""
    if seat not in (0, 1):
        raise refused("seat", "0 or 1", seat)
