"""Single hand patterns of any table: every slot by search, compared with its value by rows (docs/tablebases.md).

Verifying does this for tables on disk. Here the patterns that the turns lead to are solved on the fly, so the check reaches
classes of 9 to 12 cards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from backtrick.face_to_face import _by_rows
from backtrick.face_to_face._by_rows import slots_of_pattern
from backtrick.face_to_face._classes import count_patterns
from backtrick.face_to_face.position import POSITION_DTYPE, Position, unpack

MOST_MISMATCHES = 100


class Mismatch(NamedTuple):
    """A slot with two values: `searched` is its remoteness by search, `derived` the one that follows from its turns.

    slot: counted from the first slot of the pattern. position: one of the slot's class, None if the deck has none.
    description: of the class, as `TableIndex.describe` gives it.
    """

    slot: int
    position: Position | None
    description: tuple[Any, ...]
    searched: int
    derived: int

    def __str__(self) -> str:
        where = self.position or f"slot {self.slot}, {self.description}, of no position of the deck"
        return f"{where}: {self.searched} by search, {self.derived} by its turns"


def draw_pattern(rng: np.random.Generator, mover_count: int, opponent_count: int) -> int:
    """The rank of a random pattern of hands of these sizes. All are equally likely.

    >>> 0 <= draw_pattern(np.random.default_rng(1), 6, 6) < count_patterns(6, 6)
    True
    """
    return int(rng.integers(count_patterns(mover_count, opponent_count)))


def check_pattern(mover_count: int, opponent_count: int, rank: int, lone_card: bool = False) -> tuple[int, list[Mismatch]]:
    """Compares all slots of a pattern. Returns the number of slots and the first 100 mismatches.

    Several threads may call it at once. Raises `ValueError` if hands are not of 1..6 cards, and `IndexError` if there is no such
    pattern.

    >>> check_pattern(5, 4, 1_000_000)
    (401760, [])
    """
    slots, _ = slots_of_pattern(mover_count, opponent_count, rank)
    searched, derived = np.empty(slots, np.uint8), np.empty(slots, np.uint8)
    _by_rows.search_pattern(mover_count, opponent_count, rank, lone_card, searched)
    _by_rows.derive_pattern(mover_count, opponent_count, rank, lone_card, derived)
    mismatches = []
    for slot in np.flatnonzero(searched != derived)[:MOST_MISMATCHES].tolist():
        row, description = _by_rows.describe(mover_count, opponent_count, rank, slot)
        position = None if row is None else unpack(np.array([row], POSITION_DTYPE))[0]
        mismatches.append(Mismatch(slot, position, description, int(searched[slot]), int(derived[slot])))
    return slots, mismatches


__all__ = ["Mismatch", "check_pattern", "count_patterns", "draw_pattern", "slots_of_pattern"]
