"""A position and its two sides: notation, the check that it is well-formed, and its packed form.

    27^40v:17,18,45 13^50v:5,12              an endgame: both draw piles are empty
    27^40v:17,18,45+2,33 13^50v:5,12+4,9     a deal: cards are still to be drawn, in a known order

The mover's side, then the opponent's: ascending top ^ descending top v : hand, ascending + draw pile, the next card first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

import backtrick.face_to_face._text as _text
from backtrick.arguments import checked_fields, read_items, read_position
from backtrick.errors import PositionError
from backtrick.face_to_face.rule_options import HAND_SIZE as HAND_SIZE
from backtrick.face_to_face.rule_options import HIGHEST, TITLE
from backtrick.names.other_names import Advising
from backtrick.notation import Cursor, Positions, TextWriter, as_positions, pack_column

if TYPE_CHECKING:
    from backtrick.face_to_face.drawing import Seen

_BIT = (1).__lshift__

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

FIELDS: tuple[str, ...] = POSITION_DTYPE.names or ()
"""Two hands, then four tops."""


@dataclass(frozen=True, order=True, slots=True)
@checked_fields
class Side:
    """One player's side of the table: the tops of both piles, the hand, ascending, and the cards still to be drawn.

    pile: a tuple, the next card first, where the order is known, and a frozenset where it is not. An empty pile is `()`.

    >>> Side(27, 40, [45, 17, 18])
    Side(ascending=27, descending=40, hand=(17, 18, 45), pile=())
    >>> str(Side(27, 40, (17, 18, 45))), str(Side(27, 40, (17,), (33, 2))), str(Side(27, 40, (17,), frozenset({33, 2})))
    ('27^40v:17,18,45', '27^40v:17+33,2', '27^40v:17+?2,33')
    """

    ascending: int
    descending: int
    hand: tuple[int, ...] = ()
    pile: tuple[int, ...] | frozenset[int] = ()

    def __post_init__(self) -> None:
        if not type(self.ascending) is type(self.descending) is int:
            object.__setattr__(self, "ascending", index(self.ascending))
            object.__setattr__(self, "descending", index(self.descending))
        object.__setattr__(self, "hand", tuple(sorted(map(index, self.hand))))
        if self.pile != ():
            made = frozenset if isinstance(self.pile, (set, frozenset)) and self.pile else tuple
            object.__setattr__(self, "pile", made(map(index, self.pile)))

    def __str__(self) -> str:
        text = f"{self.ascending}^{self.descending}v:{','.join(map(str, self.hand))}"
        if not self.pile:
            return text
        known = isinstance(self.pile, tuple)
        return f"{text}+{'' if known else '?'}{','.join(map(str, self.pile if known else sorted(self.pile)))}"


@dataclass(frozen=True, order=True, slots=True, repr=False)
@checked_fields
class Position(metaclass=Advising):
    """A position between two turns, `mover` to move: an endgame, or a deal, with cards to be drawn in a known order.

    A position is always well-formed: else the constructor raises `PositionError`. Sides with cards to be drawn make a `Deal`.
    `packed` is an endgame as six integers in the order of `POSITION_DTYPE`; a deal has no packed form.

    >>> position = Position.parse("27^40v:17,18,45 13^50v:5,12")
    >>> position.mover.hand, position.opponent.descending
    ((17, 18, 45), 50)
    >>> str(position)
    '27^40v:17,18,45 13^50v:5,12'
    >>> deal = Position.parse("27^40v:17,18,45+2,33 13^50v:5,12")
    >>> isinstance(deal, Deal), deal.mover.pile
    (True, (2, 33))
    >>> Position(Side(27, 40, (17, 60)), Side(1, 60, (5,)))
    Traceback (most recent call last):
    backtrick.errors.PositionError: 60 in the mover's hand: the number cards are 2..59 (F1)
    """

    mover: Side
    opponent: Side
    packed: tuple[int, int, int, int, int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_well_formed(self.mover, self.opponent)
        mover, opponent = self.mover, self.opponent
        is_deal = bool(mover.pile or opponent.pile)
        if type(self) is (Position if is_deal else Deal):  # whichever of the two was called
            object.__setattr__(self, "__class__", Deal if is_deal else Position)
        if is_deal:
            return
        object.__setattr__(self, "packed", packed_sides(mover, opponent))

    def __reduce__(self) -> tuple[type[Position], tuple[Side, Side]]:
        return Position, (self.mover, self.opponent)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __str__(self) -> str:
        text: str = _text.text(self.packed)
        return text

    def _seen(self) -> Seen:
        from backtrick.face_to_face.drawing import Seen, SeenSide

        mover, other = (SeenSide(one.ascending, one.descending, one.hand, tuple(one.pile)) for one in (self.mover, self.opponent))
        return Seen(mover, other)

    def _drawn(self, palette: Mapping[str, str] | None = None) -> str:
        from backtrick.face_to_face.drawing import drawing

        return drawing(self._seen(), palette)

    _repr_html_ = _drawn

    def board(self) -> str:
        """The table as text, the opponent above, for a terminal."""
        from backtrick.face_to_face.drawing import board

        return board(self._seen())

    @classmethod
    def of_row(cls, row: Sequence[int]) -> Position:
        """The position of six integers in the order of `POSITION_DTYPE`. Raises `PositionError` if it is not well-formed."""
        hand, other, ascending, descending, other_ascending, other_descending = row
        return cls(Side(ascending, descending, cards_of(hand)), Side(other_ascending, other_descending, cards_of(other)))

    @classmethod
    def parse(cls, text: str) -> Position:
        """The position that `text` names, a `Deal` if cards are to be drawn.

        Raises `NotationError`, or `PositionError` if it is not well-formed.
        """
        made = Position if cls is Deal else cls  # a class of a user's own parses as itself
        if made is Position:
            try:
                return _plain(text)  # nearly all texts are spelled as `str` spells them
            except (TypeError, ValueError):
                pass
        cursor = Cursor("position", text)
        mover = parse_side(cursor)
        if not cursor.at_end() and cursor.text[cursor.place - 1] not in " \t:":
            signs = "','" if mover.pile else "',', '+'"
            raise cursor.fail(f"expected {signs} or a blank before the opponent's side, found {cursor.found()}")
        if cursor.at_end():
            raise cursor.fail("the opponent's side is missing: after a blank, as in 13^50v:5,12")
        if not re.match(r"[0-9]+\s*\^|[^0-9]", cursor.text[cursor.place :]):
            raise cursor.fail("expected the opponent's side, as in 13^50v:5,12; the cards of a hand have commas between them")
        opponent = parse_side(cursor)
        cursor.end()
        return made(mover, opponent)


class Deal(Position):
    """A position with cards still to be drawn, in a known order (F11). Its value takes a search, and it has no packed form.

    >>> Position.parse("27^40v:17,18,45+20,33,50 43^20v:5,12+4,9").mover.pile
    (20, 33, 50)
    """

    __slots__ = ()

    def __str__(self) -> str:
        return f"{self.mover} {self.opponent}"

    @property
    def packed(self) -> NoReturn:
        """Raises `PositionError`: only an endgame has a packed form."""
        owner, side = ("the mover's", self.mover) if self.mover.pile else ("the opponent's", self.opponent)
        cards = "1 card" if len(side.pile) == 1 else f"{len(side.pile)} cards"
        raise PositionError(None, f"{owner} draw pile", f"{cards} to be drawn, and an endgame has none", "F11")


_set_ascending, _set_descending, _set_hand, _set_pile = (
    vars(Side)[name].__set__ for name in ("ascending", "descending", "hand", "pile")
)
_set_mover, _set_opponent, _set_packed = (vars(Position)[name].__set__ for name in ("mover", "opponent", "packed"))


def _unchecked(
    packed: tuple[int, ...], hand: tuple[int, ...], other: tuple[int, ...], made: type[Position] = Position,
    pile: tuple[int, ...] = (), other_pile: tuple[int, ...] = (),
) -> Position:  # fmt: skip
    """A position from parts that are known to be well-formed: a tenth of the time that checking takes."""
    mover, opponent, position = object.__new__(Side), object.__new__(Side), object.__new__(made)
    _set_ascending(mover, packed[2])
    _set_descending(mover, packed[3])
    _set_hand(mover, hand)
    _set_pile(mover, pile)
    _set_ascending(opponent, packed[4])
    _set_descending(opponent, packed[5])
    _set_hand(opponent, other)
    _set_pile(opponent, other_pile)
    _set_mover(position, mover)
    _set_opponent(position, opponent)
    _set_packed(position, packed)  # which a `Deal` hides
    return position


_PILE = r"(?:\+((?:[1-9][0-9]?,)*[1-9][0-9]?))?"
_DEAL = re.compile(rf"([0-9^v:,]+){_PILE} ([0-9^v:,]+){_PILE}")


def _plain(text: str) -> Position:
    """The position of a text that is spelled as `str` spells it. Raises `TypeError` or `ValueError` for any other."""
    deal = _DEAL.fullmatch(text) if "+" in text else None
    if deal is None:
        return _unchecked(*_text.parse(text))
    packed, hand, other = _text.parse(f"{deal[1]} {deal[3]}")
    pile, other_pile = (tuple(map(int, cards.split(","))) if cards else () for cards in (deal[2], deal[4]))
    position = _unchecked(packed, hand, other, Deal, pile, other_pile)
    check_well_formed(position.mover, position.opponent)
    return position


def packed_sides(mover: Side, opponent: Side) -> tuple[int, int, int, int, int, int]:
    """Hands and tops of two sides as six integers in the order of `POSITION_DTYPE`, without the draw piles."""
    masks = (sum(map(_BIT, mover.hand)), sum(map(_BIT, opponent.hand)))
    return *masks, mover.ascending, mover.descending, opponent.ascending, opponent.descending


def parse_side(cursor: Cursor, hidden: bool = False) -> Side:
    """One side at the cursor. hidden: the order of its draw pile is not known, so a `?` stands before the cards, ascending."""
    ascending, descending = parse_tops(cursor)
    hand: list[int] = []
    if cursor.sees_number():
        start = cursor.place
        hand.append(cursor.number())
        if cursor.text.startswith("^", cursor.place):  # no card: this hand is empty, and the other side begins
            cursor.place = start
            return Side(ascending, descending)
        cursor.place = start
        hand = parse_set(cursor)
    pile: list[int] = []
    if cursor.take("+"):
        if hidden:
            cursor.skip_blanks()
            cursor.expect("?")
            cards = frozenset(parse_set(cursor))
            return Side(ascending, descending, tuple(hand), cards)
        pile.append(cursor.number())
        while cursor.take(","):
            pile.append(cursor.number())
    return Side(ascending, descending, tuple(hand), tuple(pile))


def parse_tops(cursor: Cursor) -> tuple[int, int]:
    """The tops of one side at the cursor, ascending and descending, and the colon after them."""
    ascending = cursor.number()
    cursor.expect("^")
    descending = cursor.number()
    cursor.expect("v")
    cursor.skip_blanks()
    cursor.expect(":")
    cursor.skip_blanks()
    return ascending, descending


def parse_set(cursor: Cursor) -> list[int]:
    """One card or more in any order, with commas between; ascending."""
    cards = [cursor.number()]
    while cursor.take(","):
        cursor.skip_blanks()
        before = cursor.place
        cards.append(cursor.number())
        if cards[-1] in cards[:-1]:
            cursor.place = before
            raise cursor.fail(f"{cards[-1]} is there twice")
    return sorted(cards)


PLACES = ("hand", "ascending pile", "descending pile", "draw pile")


def check_well_formed(mover: Side, opponent: Side) -> None:
    """Raise `PositionError` unless the two sides make a well-formed position."""
    for name, side in (("the mover's", mover), ("the opponent's", opponent)):
        if not 1 <= side.ascending < HIGHEST:
            raise PositionError(side.ascending, f"{name} ascending pile", f"its top is 1..{HIGHEST - 1}", "F1")
        if not 2 <= side.descending <= HIGHEST:
            raise PositionError(side.descending, f"{name} descending pile", f"its top is 2..{HIGHEST}", "F1")
        if len(side.hand) > HAND_SIZE:
            raise PositionError(None, f"{name} hand", f"{len(side.hand)} cards, at most {HAND_SIZE} are held", "F2")
        if side.hand and not 2 <= side.hand[0] <= side.hand[-1] < HIGHEST:  # a hand is ascending
            card = next(card for card in side.hand if not 2 <= card < HIGHEST)
            raise PositionError(card, f"{name} hand", f"the number cards are 2..{HIGHEST - 1}", "F1")
        if len(set(side.hand)) < len(side.hand):
            card = next(card for card, following in pairwise(side.hand) if card == following)
            raise PositionError(card, f"{name} hand", "a colour has each number once", "F1")
        if side.pile:
            _check_pile(name, side)
    if not mover.hand:
        raise PositionError(None, "the mover's hand", "it is empty, so the game was over before this turn", "F12")
    tops = (mover.ascending, mover.descending, opponent.ascending, opponent.descending)
    numbers = (*mover.hand, *mover.pile, *opponent.hand, *opponent.pile, *tops)
    for number in tops:
        if 2 <= number < HIGHEST and numbers.count(number) > 2:
            places = [
                f"{name} {place}"
                for name, side in (("the mover's", mover), ("the opponent's", opponent))
                for place, shown in zip(PLACES, (side.hand, (side.ascending,), (side.descending,), side.pile), strict=True)
                if number in shown
            ]
            raise PositionError(number, tuple(places), f"{len(places)} places for a number that exists twice", "F1")


def _check_pile(name: str, side: Side) -> None:
    place = f"{name} draw pile"
    if isinstance(side.pile, frozenset):
        raise PositionError(None, place, "the order of its cards is not known, and a position names it", "F11")
    for number, card in enumerate(side.pile):
        if not 2 <= card < HIGHEST:
            raise PositionError(card, place, f"the number cards are 2..{HIGHEST - 1}", "F1")
        if card in side.hand or card in side.pile[:number]:
            raise PositionError(card, place, "a colour has each number once", "F1")
    if not side.hand:
        raise PositionError(None, f"{name} hand", "it is empty, though there are cards to draw after a turn", "F11")


def as_position(given: Position | str) -> Position:
    """The position that a user gives: the object, or its notation. Raises `NotationError`, `PositionError`, and `ArgumentError` for
    anything else."""
    return given if isinstance(given, Position) else read_position(Position, TITLE, given)


def mirror(position: Position | str) -> Position:
    """The position with every card v replaced by 61 - v, ascending and descending piles exchanged. Its value is the same.

    Its turns are the mirrored ones (`turn.mirror_turn`), worth the same. The mirror of the mirror is the position itself.

    >>> str(mirror(Position.parse("27^40v:17,18,45 13^50v:5,12")))
    '21^34v:16,43,44 11^48v:49,56'
    """

    total = HIGHEST + 1

    def turned(side: Side) -> Side:
        hand, pile = (tuple(total - card for card in cards) for cards in (side.hand, side.pile))
        return Side(total - side.descending, total - side.ascending, hand, pile)

    position = as_position(position)
    return Position(turned(position.mover), turned(position.opponent))


def pack(positions: Iterable[Position | str]) -> Positions:
    """The endgames as an array of `POSITION_DTYPE`, shape (n,): positions or texts, also as a column of pandas, polars or pyarrow.

    Raises `PositionError` if there is a deal among them (F11), and `LineError`, which names the item, for a text in a column.

    >>> pack([Position.parse("27^40v:17,18,45 13^50v:5,12")])["mover_ascending"]
    array([27], dtype=uint8)
    """
    array = pack_column(positions, POSITION_DTYPE, _text.read_range, lambda one: as_position(one).packed)
    if array is not None:
        return array
    packed = [one.packed if isinstance(one, Position) else as_position(one).packed for one in read_items("positions", positions)]
    return np.array(packed, dtype=POSITION_DTYPE)


def as_array(given: Any) -> Positions:
    """The array of endgames that a user gives, or that `pack` makes of a list or a column. Raises `ArrayError`."""
    return as_positions(given, POSITION_DTYPE, pack)


def unpack(array: Positions) -> list[Position]:
    """The positions of an array of `POSITION_DTYPE`, shape (n,).

    Raises `PositionError` if one is not well-formed, which names the first of several, and `ArrayError` for another dtype or shape.

    >>> position = Position.parse("27^40v:17,18,45 13^50v:5,12")
    >>> unpack(pack([position])) == [position]
    True
    """
    found: list[Position] = []
    try:
        for row in as_positions(array, POSITION_DTYPE).tolist():
            found.append(Position.of_row(row))
    except PositionError as error:
        raise error if len(array) == 1 else error.in_array(len(found)) from None
    return found


def cards_of(mask: int) -> tuple[int, ...]:
    """The cards of a 64-bit hand mask, ascending: (2, 4) of 0b10100."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(cards)


"""Outcomes of one position have few different hands."""


def error_at(positions: Positions, place: int) -> PositionError:
    """The error for a position of an array that a kernel has refused."""
    hand, other, ascending, descending, other_ascending, other_descending = positions[place].item()
    try:
        check_well_formed(Side(ascending, descending, cards_of(hand)), Side(other_ascending, other_descending, cards_of(other)))
    except PositionError as error:
        return error.in_array(place)
    raise AssertionError(f"the kernel refused position {place}, which is well-formed")


POSITION_WRITER = TextWriter(_text.write_range, _text.POSITION_BYTES, error_at)
