"""A whole game at one moment, card by card: what every game's `State` answers, and what a player is.

A state knows everything: hands, piles, who is to move, what was laid in this turn. It never changes: `apply` gives a new one.
A pile of known order is a tuple of cards, the next one first. A pile of unknown order is a frozenset, and drawing from it is
chance. With empty piles nothing is drawn, and a state between two turns is an endgame position.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from backtrick.random import Stream

A = TypeVar("A")
V = TypeVar("V")
P = TypeVar("P")
S = TypeVar("S", bound="State[Any, Any, Any]")  # typing.Self comes with Python 3.11

CHANCE, GAME_OVER = -1, -2
"""What `to_move` is if no player is to move: a card is to be drawn, or the game is over."""

Player = Callable[[V], A]
"""A function from what a player may see to a legal turn. It gets nothing else."""


class View(ABC):
    """What one player may see of a state, and nothing else."""

    __slots__ = ()

    @abstractmethod
    def world(self, numbers: Stream) -> State[Any, Any, Any]:
        """A state that shows this view to seat 0, which is to move: the hidden cards in random order, all orders equally likely.

        So `view.world(numbers).view(0) == view`. A view does not say which seat it is of, so its player gets seat 0.
        """


class State(ABC, Generic[A, V, P]):
    """A whole game of two players at one moment. A, V, P: its actions, views and endgame positions.

    An action is the smallest thing that a player decides: one card laid, or the end of a turn. Seat 0 begins the game.
    """

    __slots__ = ()

    def __copy__(self: S) -> S:
        return self  # it never changes

    def __deepcopy__(self: S, memo: object) -> S:
        return self

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
    def chance(self) -> Mapping[int, float]:
        """The cards that may be drawn now, each with its probability; empty unless `to_move` is `CHANCE`."""

    @abstractmethod
    def draw(self: S, card: int) -> S:
        """The state after chance drew a card. Raises `BacktrickError` if it cannot be drawn."""

    @abstractmethod
    def view(self, seat: int) -> V:
        """What the player in a seat may see."""

    @property
    @abstractmethod
    def points(self) -> tuple[int, int]:
        """The points of seat 0 and seat 1 so far; 0 in a game without points."""

    @property
    @abstractmethod
    def winner(self) -> int | None:
        """The seat that has won; None if the game is still going on or ended without a winner."""

    @abstractmethod
    def position(self) -> P | None:
        """The position of the player to move, between two turns and if the order of every pile is known; else None."""
