"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

class DealProver:
    def __init__(self, step: int, lone_card: bool, table_bytes: int, planned: int, stop: Buffer) -> None: ...
    def line(self, number: int) -> tuple[int, tuple[tuple[int, int, int, int, int], ...], list[list[int]]] | None: ...
    def prove(self, mover: Any, opponent: Any, nodes: int = ...) -> tuple[int, int, bool]: ...
