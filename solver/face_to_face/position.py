"""A position and its two sides: notation, the check that it is well-formed, and its packed form.

    27^40v:17,18,45 13^50v:5,12      the mover's side, then the opponent's: ascending top ^ descending top v : hand
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from operator import index

import numpy as np

from solver.errors import PositionError
from solver.face_to_face.options import PUBLISHED, Rules
from solver.notation import Cursor

HAND_SIZE = 6  # F2

POSITION_DTYPE = np.dtype(
    [
        ("mover_hand", "<u8"),
        ("opponent_hand", "<u8"),
        ("mover_ascending", "u1"),
        ("mover_descending", "u1"),
        ("opponent_ascending", "u1"),
        ("opponent_descending", "u1"),
    ]
)
"""One position in 20 bytes without padding: bit v of a hand is the card v, a top is its number."""


@dataclass(frozen=True, order=True, slots=True)
class Side:
    """One player's side of the table: the tops of both piles and the hand, ascending.

    >>> Side(27, 40, [45, 17, 18])
    Side(ascending=27, descending=40, hand=(17, 18, 45))
    >>> str(Side(27, 40, (17, 18, 45)))
    '27^40v:17,18,45'
    """

    ascending: int
    descending: int
    hand: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "ascending", index(self.ascending))
        object.__setattr__(self, "descending", index(self.descending))
        object.__setattr__(self, "hand", tuple(sorted(index(card) for card in self.hand)))

    def __str__(self) -> str:
        return f"{self.ascending}^{self.descending}v:{','.join(map(str, self.hand))}"


@dataclass(frozen=True, order=True, slots=True)
class Position:
    """An endgame position: both draw piles are empty and `mover` is to move. Well-formed, or it does not exist.

    `packed` holds the same as six integers, in the order of `POSITION_DTYPE`.

    >>> position = Position.parse("27^40v:17,18,45 13^50v:5,12")
    >>> position.mover.hand, position.opponent.descending
    ((17, 18, 45), 50)
    >>> str(position)
    '27^40v:17,18,45 13^50v:5,12'
    >>> Position(Side(27, 40, (17, 60)), Side(1, 60, (5,)))
    Traceback (most recent call last):
    solver.errors.PositionError: 60 in the mover's hand: the number cards are 2..59 (F1)
    """

    mover: Side
    opponent: Side
    packed: tuple[int, int, int, int, int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_well_formed(self.mover, self.opponent, PUBLISHED)
        mover, opponent = self.mover, self.opponent
        masks = (sum(1 << card for card in mover.hand), sum(1 << card for card in opponent.hand))
        tops = (mover.ascending, mover.descending, opponent.ascending, opponent.descending)
    numbers = mover.hand + opponent.hand + tops
    for number in tops:
        if 2 <= number < top and numbers.count(number) > 2:
            places = [f"{name} {place}" for name, side in (("the mover's", mover), ("the opponent's", opponent))
                      for place, shown in (("hand", side.hand), ("ascending pile", (side.ascending,)),
                                           ("descending pile", (side.descending,))) if number in shown]  # fmt: skip
            raise PositionError(number, " and ".join(places), f"{len(places)} places for a number that exists twice", "F1")


def pack(positions: Iterable[Position]) -> np.ndarray:
    """The positions as an array of `POSITION_DTYPE`, shape (n,).

    >>> pack([Position.parse("27^40v:17,18,45 13^50v:5,12")])["mover_ascending"]
    array([27], dtype=uint8)
    """
    return np.array([position.packed for position in positions], dtype=POSITION_DTYPE)


def unpack(array: np.ndarray) -> list[Position]:
    """The positions of an array of `POSITION_DTYPE`, shape (n,). Raises `PositionError` if one is not well-formed.

    >>> position = Position.parse("27^40v:17,18,45 13^50v:5,12")
    >>> unpack(pack([position])) == [position]
    True
    """
    return [
        Position(Side(ascending, descending, cards_of(hand)), Side(other_ascending, other_descending, cards_of(other)))
        for hand, other, ascending, descending, other_ascending, other_descending in array.tolist()
    ]


def cards_of(mask: int) -> tuple[int, ...]:
    """The cards of a 64-bit hand mask, ascending.

    >>> cards_of(0b10100)
    (2, 4)
    """
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(cards)
