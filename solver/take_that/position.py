"""A position: notation, the check that it is well-formed, its mirror image, and its packed form.

    12,33,49 21,94 34-41-49          the mover's hand, the opponent's hand, the line from left to right; - for empty
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import index

import numpy as np

from solver.core.arrays import as_positions
from solver.core.errors import PositionError
from solver.core.notation import BLANKS, Cursor
from solver.take_that.cards import DECK, mirror_card

HAND_SIZE = 9  # T2
LONGEST_LINE = len(DECK)
_CARDS = frozenset(DECK)

POSITION_DTYPE = np.dtype(
    [
        ("mover", "u1", (HAND_SIZE,)),
        ("opponent", "u1", (HAND_SIZE,)),
        ("line", "u1", (LONGEST_LINE,)),
    ]
)
"""One position in 97 bytes without padding: the numbers of the cards, hands ascending, the line from left to right,
each filled up with zeros. Equal positions have equal bytes."""


@dataclass(frozen=True, order=True, slots=True)
class Position:
    """An endgame position: the draw pile is empty and `mover` is to move. Well-formed, or it does not exist.

    Hands are kept ascending; the line keeps its order, which matters (T5).

    >>> position = Position.parse("12,33,49 21,94 34-41-49")
    Traceback (most recent call last):
    solver.core.errors.PositionError: 49 in the mover's hand and the line: there is one card of each number (T1)
    >>> position = Position.parse("12,33 21,94 34-41-49")
    >>> position.mover, position.opponent, position.line
    ((12, 33), (21, 94), (34, 41, 49))
    >>> str(Position([33, 12], [], []))
    '12,33 - -'
    """

    mover: tuple[int, ...]
    opponent: tuple[int, ...] = ()
    line: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "mover", tuple(sorted(index(card) for card in self.mover)))
        object.__setattr__(self, "opponent", tuple(sorted(index(card) for card in self.opponent)))
        object.__setattr__(self, "line", tuple(index(card) for card in self.line))
        _check_well_formed(self)

    def __str__(self) -> str:
        hands = (",".join(map(str, hand)) or "-" for hand in (self.mover, self.opponent))
        return " ".join((*hands, "-".join(map(str, self.line)) or "-"))

    @property
    def packed(self) -> bytes:
        """The bytes of this position as one element of `POSITION_DTYPE`."""
        widths = ((self.mover, HAND_SIZE), (self.opponent, HAND_SIZE), (self.line, LONGEST_LINE))
        return b"".join(bytes(cards).ljust(width, b"\0") for cards, width in widths)

    @classmethod
    def parse(cls, text: str) -> Position:
        """The position that `text` names. Raises `NotationError`, or `PositionError` if it is not well-formed."""
        cursor = Cursor("position", text)
        mover = _parse_cards(cursor, ",", ascending=True)
        _expect_blank(cursor, "','", "the opponent's hand")
        opponent = _parse_cards(cursor, ",", ascending=True)
        _expect_blank(cursor, "','", "the line")
        line = _parse_cards(cursor, "-", ascending=False)
        if not cursor.at_end():
            raise cursor.fail(f"expected '-' or the end, found {cursor.found()}")
        return cls(mover, opponent, line)


def _parse_cards(cursor: Cursor, separator: str, ascending: bool) -> tuple[int, ...]:
    cursor.skip_blanks()
    if cursor.take("-"):
        return ()
    cards = [cursor.number()]
    while cursor.take(separator):
        cursor.skip_blanks()
        before = cursor.place
        cards.append(cursor.number())
        if ascending and cards[-1] <= cards[-2]:
            cursor.place = before
            raise cursor.fail(f"a hand is written ascending, and {cards[-1]} is not above {cards[-2]}")
    return tuple(cards)


def _expect_blank(cursor: Cursor, separator: str, following: str) -> None:
    if cursor.at_end():
        raise cursor.fail(f"expected {following}, found the end")
    if cursor.text[cursor.place - 1] not in BLANKS:
        raise cursor.fail(f"expected {separator} or a blank before {following}, found {cursor.found()}")


def _check_well_formed(position: Position) -> None:
    places = {"the mover's hand": position.mover, "the opponent's hand": position.opponent, "the line": position.line}
    seen: dict[int, str] = {}
    for place, cards in places.items():
        for card in cards:
            if card not in _CARDS:
                raise PositionError(card, place, "the cards are 12..98 without 20, 30, ..., 90", "T1")
            if card in seen:
                both = place if seen[card] == place else f"{seen[card]} and {place}"
                raise PositionError(card, both, "there is one card of each number", "T1")
            seen[card] = place
    for place in ("the mover's hand", "the opponent's hand"):
        if len(places[place]) > HAND_SIZE:
            raise PositionError(None, place, f"{len(places[place])} cards, at most {HAND_SIZE} are held", "T2")


def mirror(position: Position) -> Position:
    """The position with every card v replaced by 110 - v: distances, twisted cards and toads stay, so does the value.

    Its actions are the mirrored ones (`action.mirror_action`), worth the same. Twice the mirror is the position itself.

    >>> str(mirror(Position.parse("12,33 21,94 34-41-49")))
    '77,98 16,89 76-69-61'
    """
    hands_and_line = (position.mover, position.opponent, position.line)
    return Position(*(tuple(map(mirror_card, cards)) for cards in hands_and_line))


def canonical(position: Position) -> Position:
    """The position or its mirror image, whichever packs smaller (`Position.packed`, compared as bytes): one of the two for
    both. No other relabelling of the whole deck keeps the game; see docs/take_that.md.

    >>> str(canonical(Position.parse("77,98 16,89 76-69-61")))
    '12,33 21,94 34-41-49'
    """
    return min(position, mirror(position), key=lambda one: one.packed)


def pack(positions: Iterable[Position]) -> np.ndarray:
    """The positions as an array of `POSITION_DTYPE`, shape (n,).

    >>> pack([Position.parse("12,33 21,94 34-41-49")])["opponent"]
    array([[21, 94,  0,  0,  0,  0,  0,  0,  0]], dtype=uint8)
    """
    return np.frombuffer(bytearray().join(position.packed for position in positions), dtype=POSITION_DTYPE)


def unpack(array: np.ndarray) -> list[Position]:
    """The positions of an array of `POSITION_DTYPE`, shape (n,).

    Raises `PositionError` if one is not well-formed, and `ArrayError` for another dtype or shape.

    >>> position = Position.parse("12,33 21,94 34-41-49")
    >>> unpack(pack([position])) == [position]
    True
    """
    array = as_positions(array, POSITION_DTYPE)
    parts = (array["mover"].tolist(), array["opponent"].tolist(), array["line"].tolist())
    return [Position(*map(_without_fill, cards)) for cards in zip(*parts, strict=True)]


def _without_fill(cards: list[int]) -> list[int]:
    end = len(cards)
    while end and not cards[end - 1]:
        end -= 1
    return cards[:end]  # a zero before the end is left in, to be refused as no card of the deck
