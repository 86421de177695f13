"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def first_illegal(positions: Buffer, turns: Buffer, start: int, stop: int, highest: int, step: int, lone_card: bool) -> int: ...
def grade(position: tuple[int, ...], turn: int, step: int, lone_card: bool) -> tuple[int, int] | None: ...
def grade_range(positions: Buffer, turns: Buffer, before: Buffer, after: Buffer, start: int, stop: int, highest: int, step: int, lone_card: bool) -> int: ...
