"""Endgames of whole games that are in the repository, so that scripts need not play the games first."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from backtrick.face_to_face import Position, pack

ENDGAMES = Path(__file__).parent.parent / "benchmarks" / "positions" / "selfplay.txt"


def endgames() -> np.ndarray:
    """The committed endgames of The Game: Face to Face, played by two frugal players: an array of `POSITION_DTYPE`."""
    lines = ENDGAMES.read_text().splitlines()
    return pack(Position.parse(line) for line in lines if not line.startswith("#"))
