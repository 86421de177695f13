"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def play_range(decks: Buffer, players: Buffer, weights: Buffer, packed: Buffer, points: Buffer, moves: Buffer, hand_size: int, forced_only: bool, opens: bool, to_end: bool, first: int, last: int) -> int: ...
