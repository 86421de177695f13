"""Principal lines of many positions at once: the best turns of both players up to the end."""

from __future__ import annotations

import numpy as np

from backtrick.arrays import as_positions
from backtrick.face_to_face import _best
from backtrick.face_to_face.options import PUBLISHED, Rules
from backtrick.face_to_face.position import FIELDS, POSITION_DTYPE
from backtrick.face_to_face.solving import fill

LONGEST_LINE = 5
"""Turns: the remoteness is at most 5."""

_PILES = ("mover_ascending", "mover_descending", "opponent_ascending", "opponent_descending")  # as `turn.PLAY_PILES`
_SWAPPED = {"mover": "opponent", "opponent": "mover"}


def lines_many(
    positions: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> np.ndarray:
    """The principal line of each position, the same as `Answer.line`: packed turns for `unpack_turn`, uint64, shape (n, 5).

    A line has as many turns as the remoteness says; zeros follow. The first column is what `best_many` gives.

    >>> from backtrick.face_to_face import Position, pack, unpack_turn
    >>> [line] = lines_many(pack([Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44")]))
    >>> [str(unpack_turn(turn)) for turn in line if turn]
    ["16v 18v'", "4v 7^'", '19^ 57^']
    """
    return fill(_best.line_range, np.uint64, positions, threads, rules, progress, "lines", (LONGEST_LINE,))


def play_many(positions: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """The positions after one packed legal turn each, with the next mover first.

    >>> from backtrick.face_to_face import Position, Turn, pack, pack_turn, unpack
    >>> array = pack([Position.parse("27^40v:17,18,45 13^50v:5,12")])
    >>> print(*unpack(play_many(array, np.array([pack_turn(Turn.parse("17^ 18^"))], np.uint64))))
    13^50v:5,12 18^40v:45
    """
    after = as_positions(positions, POSITION_DTYPE).copy()
    for shift in range(0, 64, 8):
        play = turns >> np.uint64(shift) & np.uint64(255)
        card, pile, laid = play & np.uint64(63), play >> np.uint64(6), play != 0
        after["mover_hand"] ^= np.where(laid, np.uint64(1) << card, np.uint64(0))
        for number, name in enumerate(_PILES):
            after[name] = np.where(laid & (pile == number), card, after[name])
    swapped = np.empty_like(after)
    for name in FIELDS:
        owner, what = name.split("_")
        swapped[name] = after[f"{_SWAPPED[owner]}_{what}"]
    return swapped
