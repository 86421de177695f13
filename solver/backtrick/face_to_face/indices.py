"""Which `TableIndex` numbers the slots of a table: one for the whole table, or one for each stretch of a large table.

An index takes 140 bytes for each hand pattern, and 6v6 has 416,852,190 patterns. So tables of 10 cards or more are numbered in
*stretches*, runs of 65,536 patterns. How many slots each stretch has was counted once (`scripts/stretches.py`), and is in
`stretches.npz`. The index of a stretch is made when it is needed: about 40 ms, 9 MB.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backtrick.errors import TableNameError
from backtrick.face_to_face._classes import TableIndex, count_patterns
from backtrick.face_to_face.tables.names import TableName

FILE = Path(__file__).with_name("stretches.npz")
STRETCH = 1 << 16  # patterns
KEPT = 8  # stretches in memory
MOST_WHOLE = 9  # cards of the largest table that is always numbered whole
MOST_PATTERNS = 10_000_000  # the most that a `TableIndex` takes


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
    if name.cards <= MOST_WHOLE:
        return index_of(name)
    return _stretch(name, int(np.searchsorted(_stretches(name)[0], np.uint64(slot), "right")) - 1)


def index_with(name: TableName, pattern: int) -> TableIndex:
    """The index that holds a pattern."""
    return index_of(name) if name.cards <= MOST_WHOLE else _stretch(name, pattern // STRETCH)


def indices_over(name: TableName, start: int, stop: int) -> Iterator[tuple[TableIndex, int, int]]:
    """The indices that hold the slots start..stop-1, in their order, each with the first and the last but one of its slots.

    >>> [(index.first, first, last) for index, first, last in indices_over(TableName(1, 1), 3, 700)]
    [(0, 3, 700)]
    """
    while start < stop:
        index = index_at(name, start)
        yield index, start, min(stop, index.stop)
        start = min(stop, index.stop)
