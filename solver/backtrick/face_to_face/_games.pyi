"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def deals_range(decks: Buffer, policies: Buffer, positions: Buffer, piles: Buffer, start: int, stop: int, most: int, prices: Buffer, highest: int, step: int, lone_card: bool) -> int: ...
def play_range(decks: Buffer, policies: Buffer, endgames: Buffer, winners: Buffer, turns: Buffer, start: int, stop: int, prices: Buffer, highest: int, step: int, lone_card: bool) -> int: ...
def turns_of(decks: Buffer, policies: Buffer, game: int, prices: Buffer, highest: int, step: int, lone_card: bool) -> np.ndarray[Any, Any]: ...
