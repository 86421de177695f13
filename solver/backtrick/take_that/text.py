"""Positions and actions as text, many at once: the kernel `_text` behind `parse_many`, `format_many`, `turns_text` (`Notation`).

>>> from backtrick import take_that as game
>>> array = game.parse_many("15,43,44 21,53 51-62-35\\n- 12 34")
>>> game.turns_text(game.best_many(array))
['44', 'take']
>>> game.format_many(array[1:])
b'- 12 34\\n'
"""

from __future__ import annotations

import numpy as np

from backtrick.arrays import as_positions, as_turns
from backtrick.lines import format_items
from backtrick.take_that import _text
from backtrick.take_that.action import unpack_action
from backtrick.take_that.position import POSITION_DTYPE, bytes_of, error_at

TURN_DTYPE = np.dtype("u1")
"""A packed action (`action.pack_action`)."""


def position_column(array: np.ndarray) -> np.ndarray:
    """The notation of each position: dtype S, shape (n,). Raises `PositionError`, which names the place, and `ArrayError`."""
    array = as_positions(array, POSITION_DTYPE)
    texts, place = format_items(_text.write_range, bytes_of(array), _text.POSITION_BYTES)
    if place >= 0:
        raise error_at(array, place)
    return texts


def turn_column(turns: np.ndarray) -> np.ndarray:
    """The notation of each packed action, empty for 0: dtype S, shape (n,). Raises `PackedError` and `ArrayError`."""
    turns = as_turns(turns, TURN_DTYPE)
    texts, place = format_items(_text.write_turns, np.ascontiguousarray(turns), _text.TURN_BYTES)
    if place >= 0:
        unpack_action(turns[place])
        raise AssertionError(f"the kernel refused action {place}, which can be unpacked")
    return texts
