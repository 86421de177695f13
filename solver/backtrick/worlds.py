"""The worlds that a view leaves, and what its turns are worth in each: what every game's `Worlds` answers.

A *world* is a whole game that shows the view to its player, who is seat 0 and to move: the hidden cards have places. Worlds that
differ only in what can never matter are one, if a game says so. All worlds are equally likely unless a belief says otherwise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

import numpy as np

from backtrick.random import Stream
from backtrick.state import State

S = TypeVar("S", bound=State[Any, Any, Any])
T = TypeVar("T")


class Worlds(ABC, Generic[S, T]):
    """The worlds of one view of the player to move, at the beginning of a turn.

    view: what the player sees. count: how many worlds there are. turns: the turns of the player, one for each distinct
    outcome. A turn is legal in one world if it is legal in all, because a player knows which turns it has.
    """

    view: Any
    count: int
    turns: tuple[T, ...]

    @abstractmethod
    def every(self) -> Iterator[S]:
        """Every world once, `count` in all."""

    @abstractmethod
    def draw(self, numbers: Stream) -> S:
        """A world, all equally likely."""

    @abstractmethod
    def place(self, turn: T) -> int:
        """The place in `turns` of the one with the same outcome as a legal turn. Raises `BacktrickError` that names the rule."""

    @abstractmethod
    def values(self, world: S) -> np.ndarray:
        """What each turn is worth to its player in a world, with open cards from then on: int64, shape (turns, 2).

        The two numbers are bounds, and equal if the value is known: 1 for a win and 0 for a loss, or the difference of the points
        from here on. Threads call this at the same time.
        """

    @abstractmethod
    def stop(self) -> None:
        """Ends the calls of `values` soon, now and later. Their bounds hold, but say less."""
