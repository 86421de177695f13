"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

ENTRY_DTYPE: np.dtype[Any]
class TableIndex:
    def __init__(self, mover_count: int, opponent_count: int, first: int = 0, count: int = -1, first_slot: int = 0) -> None: ...
    def describe(self, slot: int) -> tuple[Any, ...]: ...
    first: int
    kept_count: int
    def look_ups(self) -> dict[str, Any]: ...
    mover_count: int
    opponent_count: int
    patterns: int
    def rank_range(self, positions: Buffer, slots: Buffer, start: int, stop: int, highest: int, step: int) -> int: ...
    size: int
    start: int
    stop: int
    def unfold_range(self, marks: Buffer, start: int) -> None: ...
    unfolded: int
    whole: int
def slots_of_range(mover_count: int, opponent_count: int, start: int, stop: int) -> tuple[int, int]: ...
