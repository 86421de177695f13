"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def count_range(packed: Buffer, counts: Buffer, start: int, stop: int, forced_only: bool, opens: bool) -> int: ...
def list_range(packed: Buffer, offsets: Buffer, rows: Buffer, start: int, stop: int, forced_only: bool, opens: bool) -> int: ...
def play_range(packed: Buffer, turns: Buffer, points: Buffer, following: Buffer, start: int, stop: int, forced_only: bool, opens: bool) -> int: ...
