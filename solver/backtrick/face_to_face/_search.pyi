"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def remoteness(mover_hand: int, opponent_hand: int, mover_ascending: int, mover_descending: int, opponent_ascending: int, opponent_descending: int, step: int, lone_card: bool) -> int: ...
def solve_range(positions: Buffer, values: Buffer, start: int, stop: int, highest: int, step: int, lone_card: bool) -> int: ...
