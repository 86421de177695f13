"""What is known of a value: exactly, or between bounds; and of a turn, what it leads to and is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeVar, Union, overload

from backtrick.errors import NotSolvedError
from backtrick.names.other_names import Advising

P = TypeVar("P")
T = TypeVar("T")
R = TypeVar("R")

Value = Union[int, str]  # noqa: UP007, it is made when the module is read
"""What a position is worth to its mover: a whole number, or 'win' or 'loss' where only who wins is known."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known about a value: it is within [lowest, highest], and solved if the two are equal.

    lowest, highest: whole numbers; of a deal of Face to Face 'win' or 'loss'
    nodes:    nodes searched

    >>> Bounds(3, 3).solved, Bounds(-1, 2, nodes=1000).solved, Bounds("loss", "win").solved
    (True, False, False)
    """

    lowest: Value
    highest: Value
    nodes: int = field(default=0, compare=False)

    @property
    def solved(self) -> bool:
        """True if the value is known."""
        return self.lowest == self.highest

    @property
    def number(self) -> int | None:
        """The value as a number; None if it has none."""
        return self.lowest if isinstance(self.lowest, int) else None

    def __str__(self) -> str:
        if self.solved:
            return str(self.lowest)
        return "unsolved" if self.number is None else f"{self.lowest}..{self.highest}"


class Made(Sequence[T]):
    """Items that are made of the rows of an array when they are asked for: as a tuple, but listing hundreds costs little.

    rows: an array, or anything that can be cut. make: the items of some rows, in order

    >>> items = Made([1, 2, 3], lambda rows: [row * row for row in rows])
    >>> len(items), items[-1], items[1:], items == (1, 4, 9), list(items)
    (3, 9, (4, 9), True, [1, 4, 9])
    """

    __slots__ = ("_make", "_rows")

    def __init__(self, rows: Any, make: Callable[[Any], Sequence[T]]):
        self._rows, self._make = rows, make

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Made[T]: ...
    def __getitem__(self, place: int | slice) -> T | Made[T]:
        if isinstance(place, slice):
            return Made(self._rows[place], self._make)
        at = range(len(self))[place]
        return self._make(self._rows[at : at + 1])[0]

    def __iter__(self) -> Iterator[T]:
        return iter(self._make(self._rows))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, (Made, tuple, list)) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[type, tuple[tuple[T, ...]]]:
        return tuple, (tuple(self),)

    def __repr__(self) -> str:
        return repr(tuple(self))


@cache
def exactly(value: Value) -> Bounds:
    """The bounds of a value that is known, always the same object for a value.

    >>> exactly(3)
    Bounds(lowest=3, highest=3, nodes=0)
    """
    return Bounds(value, value)


@dataclass(frozen=True, slots=True, repr=False)
class Outcome(Generic[P, T], metaclass=Advising):
    """What a turn leads to, and what it is worth.

    turn:     the first of the turns that lead there, in the order of the game's `legal_turns`
    bounds:   of the mover's value if this turn is played; the ends are equal if it is known
    position: the position after it, the next mover first; None if the game is over and no position is left
    points:   what the turn gives its mover, in a game of points
    ways:     how many ordered turns lead there

    >>> from backtrick.take_that import Position, outcomes
    >>> best = outcomes(Position.parse("15,43,44 21,53 51-62-35"))[0]
    >>> best, best.value, best.points, str(best.position)
    (<Outcome 44: 6>, 6, 0, '21,53 15,43 51-62-35-44')
    """

    turn: T
    bounds: Bounds
    position: P | None
    points: int = 0
    ways: int = 1

    def __repr__(self) -> str:
        return f"<Outcome {self.turn}: {self.bounds}>"

    @property
    def solved(self) -> bool:
        """True if the value is known."""
        return self.bounds.solved

    @property
    def value(self) -> int | None:
        """The mover's value if this turn is played; None where `Answer.value` is. Raises `NotSolvedError` if it has only bounds."""
        if not self.bounds.solved:
            known = self.bounds
            raise NotSolvedError(self.turn, known.lowest, known.highest, known.nodes, "what it is worth is not known")
        return self.bounds.number
