"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def best_range(positions: Buffer, turns: Buffer, start: int, stop: int, highest: int, step: int, lone_card: bool) -> int: ...
def line_range(positions: Buffer, lines: Buffer, start: int, stop: int, highest: int, step: int, lone_card: bool) -> int: ...
def optimal_range(positions: Buffer, counts: Buffer, start: int, stop: int, highest: int, step: int, lone_card: bool) -> int: ...
