"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

from backtrick.face_to_face._index import TableIndex
from backtrick.face_to_face._probe import Shelf

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def derive_range(index: TableIndex, values: Buffer, start: int, shelf: Shelf, lone_card: bool, *, helpful: bool = True) -> int: ...
def look_ups() -> dict[str, Any]: ...
