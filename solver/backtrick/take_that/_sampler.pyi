"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

class Sampler:
    def __init__(self, forced_only: bool, opens: bool, weights: Buffer, promises: Buffer, turns: int, late: int, nodes: int, level: float, slope: float, other: int) -> None: ...
    def value_moves(self, hand: Buffer, line: Buffer, unseen: Buffer, hand_size: int, own_points: int, other_points: int, codes: Buffer, values: Buffer, seed: int, first: int, last: int) -> None: ...
