"""Written by scripts/stubs.py."""

from typing import Any

import numpy as np

ENTRY_DTYPE: np.dtype[Any]
