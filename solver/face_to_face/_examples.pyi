"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def examples_range(features: Buffer, labels: Buffer, start: int, stop: int, seed: int, prices: Buffer, weights: Buffer | None, playouts: int, depth: int) -> None: ...
def match_range(decks: Buffer, winners: Buffer, start: int, stop: int, seat: int, policy: int, prices: Buffer, weights: Buffer) -> int: ...
