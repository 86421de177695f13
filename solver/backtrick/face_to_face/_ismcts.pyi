"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

class Tree:
    def __init__(self, view: tuple[int, ...], prices: Buffer, weights: Buffer, highest: int, step: int, lone_card: bool, exploration: float, iterations: int) -> None: ...
    def replies(self, path: Buffer) -> list[tuple[int, int, int, float]]: ...
    def search(self, key: int, first: int, last: int) -> None: ...
