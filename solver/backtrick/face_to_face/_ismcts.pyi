"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

class Tree:
    def __init__(self, own_up: int, own_down: int, hand: int, own_pile: int, other_up: int, other_down: int, hand_size: int, unlaid: int, highest: int, step: int, lone_card: bool, exploration: float, iterations: int) -> None: ...
    def replies(self, path: Buffer) -> list[tuple[int, int, int, float]]: ...
    def search(self, key: int, first: int, last: int) -> None: ...
