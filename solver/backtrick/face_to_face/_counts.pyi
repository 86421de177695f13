"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

from backtrick.face_to_face._classes import TableIndex

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

LABEL_COUNT: int
MOST_NUMBERS: int
class Realised:
    def __init__(self, mover_count: int, opponent_count: int, highest: int, step: int, shapes_of: Any = None) -> None: ...
    def count_range(self, start: int, stop: int, apart: bool) -> tuple[int, int, int]: ...
    def count_values(self, index: TableIndex, values: Buffer, start: int) -> list[int]: ...
    def fill_range(self, index: TableIndex, marks: Buffer, start: int, apart: bool) -> None: ...
    mover_count: int
    opponent_count: int
class Shapes:
    def __init__(self, count: int, highest: int, step: int) -> None: ...
    count: int
    highest: int
    largest: int
    pairings: int
    step: int
    total: int
def count_positions(index: TableIndex, labels: Buffer, movers: Buffer, opponents: Buffer, highest: int, step: int) -> list[int]: ...
