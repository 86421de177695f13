"""A position and its two sides: notation, the check that it is well-formed, and its packed form.

    27^40v:17,18,45 13^50v:5,12      the mover's side, then the opponent's: ascending top ^ descending top v : hand
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import index, lt

import numpy as np

from solver.core.arrays import as_positions
from solver.core.errors import PositionError
from solver.core.notation import Cursor
from solver.face_to_face.options import PUBLISHED, Rules

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
    solver.core.errors.PositionError: 60 in the mover's hand: the number cards are 2..59 (F1)
    """

    mover: Side
    opponent: Side
    packed: tuple[int, int, int, int, int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_well_formed(self.mover, self.opponent, PUBLISHED)
        mover, opponent = self.mover, self.opponent
        masks = (sum(1 << card for card in mover.hand), sum(1 << card for card in opponent.hand))
        tops = (mover.ascending, mover.descending, opponent.ascending, opponent.descending)
        object.__setattr__(self, "packed", masks + tops)

    def __str__(self) -> str:
        return f"{self.mover} {self.opponent}"

    @classmethod
    def of_row(cls, row: Sequence[int]) -> Position:
        """The position of a row of `POSITION_DTYPE`, as plain integers. Raises `PositionError` if it is not well-formed."""
        hand, other, ascending, descending, other_ascending, other_descending = row
        return cls(Side(ascending, descending, cards_of(hand)), Side(other_ascending, other_descending, cards_of(other)))

    @classmethod
    def parse(cls, text: str) -> Position:
        """The position that `text` names. Raises `NotationError`, or `PositionError` if it is not well-formed."""
        if isinstance(text, str) and (written := _CANONICAL.fullmatch(text)):  # nearly all texts: a third of the time
            ascending, descending, hand, other_ascending, other_descending, other_hand = written.groups()
            cards, other_cards = (tuple(map(int, cards.split(","))) if cards else () for cards in (hand, other_hand))
            if all(map(lt, cards, cards[1:])) and all(map(lt, other_cards, other_cards[1:])):
                return cls(
                    Side(int(ascending), int(descending), cards), Side(int(other_ascending), int(other_descending), other_cards)
                )
        cursor = Cursor("position", text)
        mover = _parse_side(cursor)
        if not cursor.at_end() and cursor.text[cursor.place - 1] not in " \t:":
            raise cursor.fail("expected ',' or a blank before the opponent's side, found " + cursor.found())
        opponent = _parse_side(cursor)
        if not cursor.at_end():
            raise cursor.fail(f"expected the end, found {cursor.found()}")
        return cls(mover, opponent)


_NUMBER = "([1-9][0-9]?)"
_HAND = "((?:[1-9][0-9]?(?:,[1-9][0-9]?)*)?)"
_CANONICAL = re.compile(rf"{_NUMBER}\^{_NUMBER}v:{_HAND} {_NUMBER}\^{_NUMBER}v:{_HAND}")


def _parse_side(cursor: Cursor) -> Side:
    ascending = cursor.number()
    cursor.expect("^")
    descending = cursor.number()
    cursor.expect("v")
    cursor.skip_blanks()
    cursor.expect(":")
    cursor.skip_blanks()
    hand: list[int] = []
    if cursor.sees_number():
        start = cursor.place
        hand.append(cursor.number())
        if cursor.text.startswith("^", cursor.place):  # not a card: the other side begins, this hand is empty
            cursor.place = start
            return Side(ascending, descending)
        while cursor.take(","):
            cursor.skip_blanks()
            before = cursor.place
            hand.append(cursor.number())
            if hand[-1] <= hand[-2]:
                cursor.place = before
                raise cursor.fail(f"a hand is written ascending, and {hand[-1]} is not above {hand[-2]}")
    return Side(ascending, descending, tuple(hand))


PLACES = ("hand", "ascending pile", "descending pile")


def check_well_formed(mover: Side, opponent: Side, rules: Rules) -> None:
    """Raise `PositionError` unless the two sides make a well-formed position under `rules`."""
    top = rules.highest
    for name, side in (("the mover's", mover), ("the opponent's", opponent)):
        if not 1 <= side.ascending < top:
            raise PositionError(side.ascending, f"{name} ascending pile", f"its top is 1..{top - 1}", "F1")
        if not 2 <= side.descending <= top:
            raise PositionError(side.descending, f"{name} descending pile", f"its top is 2..{top}", "F1")
        if len(side.hand) > HAND_SIZE:
            raise PositionError(None, f"{name} hand", f"{len(side.hand)} cards, at most {HAND_SIZE} are held", "F2")
        for card in side.hand:
            if not 2 <= card < top:
                raise PositionError(card, f"{name} hand", f"the number cards are 2..{top - 1}", "F1")
        for card, following in pairwise(side.hand):
            if card == following:
                raise PositionError(card, f"{name} hand", "a colour has each number once", "F1")
    if not mover.hand:
        raise PositionError(None, "the mover's hand", "it is empty, so the game was over before this turn", "F12")
    tops = (mover.ascending, mover.descending, opponent.ascending, opponent.descending)
    numbers = mover.hand + opponent.hand + tops
    for number in tops:
        if 2 <= number < top and numbers.count(number) > 2:
            places = [
                f"{name} {place}"
                for name, side in (("the mover's", mover), ("the opponent's", opponent))
                for place, shown in zip(PLACES, (side.hand, (side.ascending,), (side.descending,)), strict=True)
                if number in shown
            ]
            raise PositionError(number, " and ".join(places), f"{len(places)} places for a number that exists twice", "F1")


def pack(positions: Iterable[Position]) -> np.ndarray:
    """The positions as an array of `POSITION_DTYPE`, shape (n,).

    >>> pack([Position.parse("27^40v:17,18,45 13^50v:5,12")])["mover_ascending"]
    array([27], dtype=uint8)
    """
    return np.array([position.packed for position in positions], dtype=POSITION_DTYPE)


def unpack(array: np.ndarray) -> list[Position]:
    """The positions of an array of `POSITION_DTYPE`, shape (n,).

    Raises `PositionError` if one is not well-formed, and `ArrayError` for another dtype or shape.

    >>> position = Position.parse("27^40v:17,18,45 13^50v:5,12")
    >>> unpack(pack([position])) == [position]
    True
    """
    return [Position.of_row(row) for row in as_positions(array, POSITION_DTYPE).tolist()]


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
