"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

class DealSolver:
    def __init__(self, step: int, lone_card: bool, table_bytes: int, ideas: int = 511, stop: Buffer | None = None) -> None: ...
    def turn_values(self, packed: Buffer, pile: Buffer, nodes: int = ...) -> None: ...
    def value(self, packed: Buffer, pile: Buffer, nodes: int = ..., want_turn: bool = False) -> int: ...
