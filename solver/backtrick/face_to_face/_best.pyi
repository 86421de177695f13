"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def answer(position: tuple[int, ...], step: int, lone_card: bool) -> tuple[int, int, list[int]]: ...
def answer_range(positions: Buffer, values: Buffer | None, best: Buffer | None, optimal: Buffer | None, lines: Buffer | None, start: int, stop: int, highest: int, step: int, lone_card: bool) -> int: ...
