"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

class Tree:
    def __init__(self, hand: Buffer, line: Buffer, unseen: Buffer, hand_size: int, own_points: int, other_points: int, forced_only: bool, opens: bool, exploration: float, iterations: int) -> None: ...
    def replies(self, path: Buffer) -> list[tuple[int, int, int, float]]: ...
    def search(self, key: int, first: int, last: int) -> None: ...
