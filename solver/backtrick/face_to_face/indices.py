"""Which tables there are, which a table is built from, and which `TableIndex` numbers the slots of one.

    4v3      the table in which the mover holds four cards and the opponent three

An index takes 140 bytes for each hand pattern, and 6v6 has 416,852,190 patterns. So tables of 10 cards or more are numbered in
*stretches*, runs of 65,536 patterns. How many slots each stretch has was counted once (`scripts/stretches.py`), and is in
`stretches.npz`. The index of a stretch is made when it is needed: about 40 ms, 9 MB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backtrick.errors import ArgumentError, TableNameError
from backtrick.face_to_face._classes import TableIndex, count_patterns
from backtrick.face_to_face.position import HAND_SIZE
from backtrick.values import whole

FILE = Path(__file__).with_name("stretches.npz")
STRETCH = 1 << 16  # patterns
KEPT = 8  # stretches in memory
MOST_WHOLE = 9  # cards of the largest table that is always numbered whole
MOST_PATTERNS = 10_000_000  # the most that a `TableIndex` takes


# Tables

_NAME = re.compile(r"([0-9]+)v([0-9]+)", re.ASCII | re.IGNORECASE)


class TableName(NamedTuple):
    """The table of all positions with `mover` cards in the mover's hand and `opponent` in the opponent's, 1..6 each (F2).

    >>> name = TableName.parse("4v3")
    >>> name, str(name), name.cards
    (TableName(mover=4, opponent=3), '4v3', 7)
    """

    mover: int
    opponent: int

    def __str__(self) -> str:
        return f"{self.mover}v{self.opponent}"

    @property
    def cards(self) -> int:
        """The cards of both hands together."""
        return self.mover + self.opponent

    @classmethod
    def parse(cls, text: str) -> TableName:
        """The table that `text` names. Blanks around it and a capital V are allowed. Raises `TableNameError`.

        >>> TableName.parse("7v1")
        Traceback (most recent call last):
        backtrick.errors.TableNameError: no table '7v1': a hand holds 1..6 cards, as in 4v3
        """
        written = _NAME.fullmatch(text.strip(" \t"))
        if written is None:
            raise TableNameError(text, "a name is the mover's cards, v, and the opponent's cards, as in 4v3")
        mover, opponent = (digits if len(digits) == 1 else "" for digits in written.groups())
        if not ("1" <= mover <= str(HAND_SIZE) and "1" <= opponent <= str(HAND_SIZE)):
            raise TableNameError(text, f"a hand holds 1..{HAND_SIZE} cards, as in 4v3")
        return cls(int(mover), int(opponent))


def dependencies(name: TableName) -> list[TableName]:
    """The tables that one turn leads to: the mover lays two cards or more, then the other is to move (F3).

    A turn that lays the whole hand wins and needs no table (F12); the lone card of the second reading of F13 is such a turn,
    so both readings have the same dependencies.

    >>> [str(child) for child in dependencies(TableName(4, 3))]
    ['3v1', '3v2']
    >>> dependencies(TableName(2, 6))
    []
    """
    return [TableName(name.opponent, kept) for kept in range(1, name.mover - 1)]


def all_dependencies(*names: TableName) -> list[TableName]:
    """These tables and all that they depend on, by cards, then by the mover's cards: each comes after those it depends on.

    >>> [str(name) for name in all_dependencies(TableName(4, 3))]
    ['1v1', '2v1', '3v1', '3v2', '4v3']
    """
    needed, waiting = set(names), list(names)
    while waiting:
        new = set(dependencies(waiting.pop())) - needed
        needed |= new
        waiting += new
    return sorted(needed, key=lambda name: (name.cards, name))


def tables_up_to(cards: int) -> list[TableName]:
    """All tables of at most `cards` cards in both hands, 2..12, each after those it depends on. Raises `ArgumentError`.

    >>> [str(name) for name in tables_up_to(4)]
    ['1v1', '1v2', '2v1', '1v3', '2v2', '3v1']
    """
    most = whole(cards)
    if most is None or not 2 <= most <= 2 * HAND_SIZE:
        raise ArgumentError(f"two hands hold 2..{2 * HAND_SIZE} cards together, not {cards!r}")
    sizes = range(1, HAND_SIZE + 1)
    return all_dependencies(*(TableName(k, m) for k in sizes for m in sizes if k + m <= most))


# Their indices


class TableSize(NamedTuple):
    """The patterns of a table, its slots, and the slots if mirror images had some too."""

    patterns: int
    slots: int
    unfolded: int


@cache
def index_of(name: TableName) -> TableIndex:
    """The index of a whole table, as looking up any position needs it. It is made once and kept. Raises `TableNameError` for
    6v5, 5v6 and 6v6.

    >>> index_of(TableName(3, 2)).size
    2344190
    """
    patterns = count_patterns(*name)
    if patterns > MOST_PATTERNS:
        raise TableNameError(str(name), f"its {patterns:,} hand patterns are more than an index holds in memory")
    return TableIndex(*name)


@cache
def size_of(name: TableName) -> TableSize:
    """The size of any table. It needs no index of a large one.

    >>> size_of(TableName(5, 5))
    TableSize(patterns=8190544, slots=421141334643, unfolded=842189257236)
    """
    if name.cards <= MOST_WHOLE:
        index = index_of(name)
        return TableSize(index.patterns, index.size, index.unfolded)
    starts, unfolded = _stretches(name)
    return TableSize(count_patterns(*name), int(starts[-1]), unfolded)


@cache
def _stretches(name: TableName) -> tuple[np.ndarray, int]:
    """The first slot of every stretch and the slot behind the last, uint64; and the slots if mirror images had some too."""
    with np.load(FILE) as file:
        sizes = file[str(name)]
    return np.concatenate([np.zeros(1, np.uint64), np.cumsum(sizes[:, 0], dtype=np.uint64)]), int(sizes[:, 1].sum())


@lru_cache(maxsize=KEPT)
def _stretch(name: TableName, number: int) -> TableIndex:
    starts, _ = _stretches(name)
    first, start, stop = number * STRETCH, int(starts[number]), int(starts[number + 1])
    index = TableIndex(*name, first, min(STRETCH, count_patterns(*name) - first), start)
    if index.stop != stop:
        raise AssertionError(f"stretch {number} of {name} ends at slot {index.stop}, and {FILE.name} says {stop}")
    return index


def index_at(name: TableName, slot: int) -> TableIndex:
    """The index that holds a slot: of the whole table, or of a stretch. Raises `IndexError` if the table has no such slot.

    >>> index = index_at(TableName(6, 6), 10**12)
    >>> index.first, index.start <= 10**12 < index.stop
    (12058624, True)
    """
    if not 0 <= slot < size_of(name).slots:
        raise IndexError(f"slot {slot} of {name}, which has {size_of(name).slots:,}")
    if sum(name) <= MOST_WHOLE:
        return index_of(name)
    return _stretch(name, int(np.searchsorted(_stretches(name)[0], np.uint64(slot), "right")) - 1)


def index_with(name: TableName, pattern: int) -> TableIndex:
    """The index that holds a pattern."""
    return index_of(name) if name.cards <= MOST_WHOLE else _stretch(name, pattern // STRETCH)


def indices_with(name: TableName, patterns: np.ndarray) -> Iterator[tuple[TableIndex, np.ndarray]]:
    """The indices that hold some patterns, each with the places in the array of the patterns that it holds.

    >>> [(index.first, places.tolist()) for index, places in indices_with(TableName(6, 6), np.array([70_000, 5, 80_000]))]
    [(0, [1]), (65536, [0, 2])]
    """
    stretches = patterns // (STRETCH if sum(name) > MOST_WHOLE else MOST_PATTERNS)
    for stretch in np.unique(stretches).tolist():
        places = np.flatnonzero(stretches == stretch)
        yield index_with(name, int(patterns[places[0]])), places


def indices_over(name: TableName, start: int, stop: int) -> list[tuple[TableIndex, int, int]]:
    """The indices that hold the slots start..stop-1, in their order, each with the first and the last but one of its slots.

    >>> [(index.first, first, last) for index, first, last in indices_over(TableName(1, 1), 3, 700)]
    [(0, 3, 700)]
    """
    found = []
    while start < stop:
        index = index_at(name, start)
        found.append((index, start, min(stop, index.stop)))
        start = min(stop, index.stop)
    return found
