"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

from backtrick.face_to_face._index import TableIndex

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def generate_range(index: TableIndex, values: Buffer, start: int, lone_card: bool) -> None: ...
