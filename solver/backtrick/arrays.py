"""Arrays of positions and of turns that a caller hands over. Blind to the game."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from backtrick.errors import ArrayError

# arrays by the type of their items
Bools = npt.NDArray[np.bool_]
U8s = npt.NDArray[np.uint8]
U32s = npt.NDArray[np.uint32]
U64s = npt.NDArray[np.uint64]
I8s = npt.NDArray[np.int8]
I64s = npt.NDArray[np.int64]

RULE = "positions are an array of POSITION_DTYPE with one axis"


def as_positions(given: Any, dtype: np.dtype) -> np.ndarray:
    """The array of positions that was given, or that numpy reads from it: of `dtype`, a game's POSITION_DTYPE, with one axis.

    Nothing is converted. Raises `ArrayError`, which is a `TypeError`, for anything else. An array with the same fields under
    other names or in another byte order is refused too; the error then says what converts it.

    >>> as_positions(np.zeros(3), np.dtype("u1"))
    Traceback (most recent call last):
    backtrick.errors.ArrayError: positions are an array of POSITION_DTYPE with one axis, not float64 of shape (3,)
    """
    if not hasattr(given, "__array__"):
        kind = type(given).__name__
        article = "an" if kind[0] in "aeiouAEIOU" else "a"
        raise ArrayError(f"{RULE}, not {article} {kind}; pack() makes one of positions")
    if isinstance(given, np.ma.MaskedArray):
        raise ArrayError(f"{RULE}, not a masked array: its mask would be ignored; .compressed() has what is not masked")
    array = np.asarray(given)
    if array.dtype == dtype and array.ndim == 1:
        return array
    alike = array.dtype != dtype and array.ndim == 1 and len(array.dtype.names or ()) == len(dtype.names or ()) > 0
    hint = "; .astype(POSITION_DTYPE) converts it" if alike else ""
    raise ArrayError(f"{RULE}, not {array.dtype} of shape {array.shape}{hint}")


def as_turns(given: Any, dtype: np.dtype | None) -> np.ndarray:
    """The array of packed turns that was given: of `dtype`, a game's, with one axis. Raises `ArrayError` for anything else.

    >>> as_turns([1, 2], np.dtype("u1"))
    Traceback (most recent call last):
    backtrick.errors.ArrayError: turns are an array of uint8 with one axis, not a list
    """
    if isinstance(given, np.ndarray) and not isinstance(given, np.ma.MaskedArray) and given.dtype == dtype and given.ndim == 1:
        return given
    shown = f"{given.dtype} of shape {given.shape}" if isinstance(given, np.ndarray) else f"a {type(given).__name__}"
    raise ArrayError(f"turns are an array of {dtype} with one axis, not {shown}")


def check_pairs(positions: np.ndarray, turns: np.ndarray) -> None:
    """Raises `ArrayError` unless there is a turn for each position."""
    if len(positions) != len(turns):
        raise ArrayError(f"{len(positions)} positions and {len(turns)} turns: there is one turn for each position")
