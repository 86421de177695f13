"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def remoteness(mover_hand: Any, opponent_hand: Any, mover_ascending: Any, mover_descending: Any, opponent_ascending: Any, opponent_descending: Any, highest: Any = ..., step: Any = ..., lone_card: Any = False) -> int: ...
def solve_range(positions: Buffer, values: Buffer, start: int, stop: int, highest: int, step: int, lone_card: bool) -> int: ...
