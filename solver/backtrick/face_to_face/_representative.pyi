"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

from backtrick.face_to_face._index import TableIndex

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def mark_range(index: TableIndex, marks: Buffer, start: int, highest: int, step: int) -> None: ...
def of_class(row: tuple[int, ...], highest: int, step: int) -> tuple[int, ...]: ...
def of_slot(index: TableIndex, slot: int, highest: int, step: int) -> tuple[int, ...] | None: ...
