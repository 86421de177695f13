"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

from backtrick.face_to_face._index import TableIndex

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

LABEL_COUNT: int
def count_positions(index: TableIndex, labels: Buffer, movers: Buffer, opponents: Buffer, highest: int, step: int) -> list[int]: ...
