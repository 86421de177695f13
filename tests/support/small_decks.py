"""Small decks, whole: every well-formed position as an array.

The deck with highest 7 has hands of up to five cards and 310,912 positions; see `count_by_hand` for where such counts come from.
"""

from __future__ import annotations

from functools import cache
from math import comb, perm

import numpy as np

FIELDS = ("mover_hand", "opponent_hand", "mover_ascending", "mover_descending", "opponent_ascending", "opponent_descending")


@cache
def every_position(highest: int) -> np.ndarray:
    """Every well-formed position of the deck with number cards 2..highest-1, in the package's array form."""
    from backtrick.face_to_face.position import POSITION_DTYPE  # the words, the one thing that is shared

    hands = np.arange(1 << (highest - 2), dtype=np.int64) << 2
    ascending, descending = np.arange(1, highest), np.arange(2, highest + 1)
    grid = np.meshgrid(hands[1:], hands, ascending, descending, ascending, descending, indexing="ij")
    columns = [axis.ravel() for axis in grid]
    fine = np.ones(len(columns[0]), dtype=bool)
    for number in range(2, highest):
        holders = (columns[0] >> number & 1) + (columns[1] >> number & 1)
        holders += sum((column == number).astype(np.int64) for column in columns[2:])
        fine &= holders <= 2
    found = np.zeros(int(fine.sum()), dtype=POSITION_DTYPE)
    for name, column in zip(FIELDS, columns, strict=True):
        found[name] = column[fine]
    found.flags.writeable = False
    return found


def count_by_hand(highest: int) -> int:
    """How many well-formed positions there are, by counting.

    Of the four tops (all told apart) `inside` show a number card, the others their row card. Of those inside, `pairs` pairs show
    the same number; three on one number is one too many. So `inside - pairs` numbers show on piles. A number on two piles is in
    no hand (1 way); on one pile it is in at most one hand (3 ways: mover, opponent, neither); on none it is free (4 ways).
    Then the positions whose mover holds nothing are taken off: there a number is with the opponent or not, 1, 2 and 2 ways.
    """
    numbers = highest - 2

    def ways(free: int, single: int) -> int:
        total = 0
        for inside in range(5):
            for pairs in range(inside // 2 + 1):
                matchings = comb(inside, 2 * pairs) * (1, 1, 3)[pairs]
                shown = perm(numbers, inside - pairs)
                rest = free ** (numbers - inside + pairs) if shown else 0
                total += comb(4, inside) * matchings * shown * rest * single ** (inside - 2 * pairs)
        return total

    return ways(4, 3) - ways(2, 2)
