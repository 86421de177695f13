"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

PATTERN_DTYPE: np.dtype[Any]
def look_ups() -> dict[str, Any]: ...
