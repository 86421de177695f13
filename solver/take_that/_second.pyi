"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def solve_range(packed: Buffer, values: Buffer, first: int, last: int, forced_only: bool, opens: bool, nodes: int, slots: int = ...) -> int: ...
def value(packed: Buffer, forced_only: bool = False, opens: bool = True, nodes: int = ...) -> int: ...
