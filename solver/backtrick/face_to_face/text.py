"""Positions and turns as text, many at once: the kernel `_text` behind `parse_many`, `format_many`, `turns_text` (`Notation`).

>>> from backtrick import face_to_face as game
>>> array = game.parse_many("27^40v:17,18,45 13^50v:5,12\\n52^6v:16,18,19,57 53^15v:4,7,29,44")
>>> game.turns_text(game.best_many(array))
['17^ 18^ 45^', "16v 18v'"]
>>> game.format_many(array[:1])
b'27^40v:17,18,45 13^50v:5,12\\n'
"""

from __future__ import annotations

import numpy as np

from backtrick.arrays import as_positions, as_turns
from backtrick.face_to_face import _text
from backtrick.face_to_face.options import PUBLISHED
from backtrick.face_to_face.position import POSITION_DTYPE, error_at
from backtrick.face_to_face.turn import unpack_turn
from backtrick.lines import format_items

TURN_DTYPE = np.dtype("<u8")
"""A packed turn (`turn.pack_turn`)."""


def position_column(array: np.ndarray) -> np.ndarray:
    """The notation of each position: dtype S, shape (n,). Raises `PositionError`, which names the place, and `ArrayError`."""
    array = as_positions(array, POSITION_DTYPE)
    texts, place = format_items(_text.write_range, array, _text.POSITION_BYTES)
    if place >= 0:
        raise error_at(array, place, PUBLISHED)
    return texts


def turn_column(turns: np.ndarray) -> np.ndarray:
    """The notation of each packed turn, empty for 0: dtype S, shape (n,). Raises `PackedError` and `ArrayError`."""
    turns = as_turns(turns, TURN_DTYPE)
    texts, place = format_items(_text.write_turns, turns, _text.TURN_BYTES)
    if place >= 0:
        unpack_turn(turns[place])
        raise AssertionError(f"the kernel refused turn {place}, which can be unpacked")
    return texts
