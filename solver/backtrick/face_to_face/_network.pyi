"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def turn_by_network(view: tuple[int, ...], weights: Buffer, highest: int, step: int, lone_card: bool) -> int: ...
def value_turns(view: tuple[int, ...], weights: Buffer, highest: int, step: int, lone_card: bool) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]: ...
