"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def ask_range(positions: Buffer, moments: Buffer, answered: Buffer, question: str, depth: int, highest: int, step: int, lone_card: bool) -> None: ...
def refutes_range(positions: Buffer, moments: Buffer, replies: Buffer, answered: Buffer, depth: int, highest: int, step: int, lone_card: bool) -> None: ...
def reply_range(positions: Buffer, moments: Buffer, answered: Buffer, replies: Buffer, depth: int, highest: int, step: int, lone_card: bool) -> None: ...
