"""The types of the compiled module; its sources are in ext/solver/take_that/_games.pyx."""

from typing import Any

import numpy as np
import numpy.typing as npt

def play_range(
    decks: npt.NDArray[np.uint8],
    players: npt.NDArray[np.uint8],
    packed: npt.NDArray[Any],
    points: npt.NDArray[np.int16],
    actions: npt.NDArray[np.uint8] | None,
    hand_size: int,
    forced_only: bool,
    opens: bool,
    to_end: bool,
    first: int,
    last: int,
) -> int: ...
