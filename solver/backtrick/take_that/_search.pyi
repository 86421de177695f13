"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def claims_after(packed: Buffer, codes: Buffer) -> dict[str, Any]: ...
def shifted(low: int, high: int, more: int, taken: int, given: int) -> tuple[int, int]: ...
