"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any] | bytes | bytearray | memoryview

def squeeze(padded: Buffer, squeezed: Buffer) -> int: ...
