"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

OUTCOME_DTYPE: np.dtype[Any]
def outcomes(position: tuple[int, ...], step: int, lone_card: bool) -> np.ndarray[Any, Any]: ...
def outcomes_range(positions: Buffer, offsets: Buffer, rows: Buffer, start: int, stop: int, highest: int, step: int, lone_card: bool) -> int: ...
