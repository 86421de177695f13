"""Values by the second solver of Face to Face (`_second.pyx`), which shares nothing with the kernels."""

from __future__ import annotations

import numpy as np

from backtrick_development.face_to_face import _second


def remoteness(positions: np.ndarray, lone_card: bool = False) -> np.ndarray:
    """The remoteness of each position of an array."""
    values = np.full(len(positions), 99, np.uint8)
    assert _second.solve_range(positions, values, 0, len(positions), lone_card) == -1
    return values
