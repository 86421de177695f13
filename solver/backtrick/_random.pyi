"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def block(counter: Buffer, key: Buffer) -> np.ndarray[Any, Any]: ...
def deal(cards: Buffer, decks: Buffer, seed: int, first: int) -> None: ...
def numbers_below(seed: int, number: int, bounds: Buffer) -> np.ndarray[Any, Any]: ...
