"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def turn_from(view: tuple[int, ...], policy: int, prices: Buffer, highest: int, step: int, lone_card: bool) -> int: ...
