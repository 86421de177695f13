"""A position, endgame or deal: notation, the check that it is well-formed, its mirror image, and its packed form.

    12,33,49 21,94 34-41-98               the mover's hand, the opponent's hand, the line from left to right; - for empty
    12,33,49 21,94 34-41-98 55,63,71      a deal: besides, the draw pile, the next card first; left out when empty
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

import backtrick.take_that._text as _text
from backtrick.arguments import checked_fields, read_items, read_position
from backtrick.errors import PositionError
from backtrick.names.other_names import Advising
from backtrick.notation import BLANKS, Cursor, Positions, TextWriter, as_positions, pack_column
from backtrick.take_that.rule_options import DECK, TITLE, mirror_card
from backtrick.take_that.rule_options import HAND_SIZE as HAND_SIZE

if TYPE_CHECKING:
    from backtrick.take_that.drawing import Seen

LONGEST_LINE = len(DECK)
_CARDS = frozenset(DECK)

POSITION_DTYPE = np.dtype(
    [
        ("mover", "u1", (HAND_SIZE,)),
        ("opponent", "u1", (HAND_SIZE,)),
        ("line", "u1", (LONGEST_LINE,)),
    ]
)
"""One endgame in 97 bytes without padding: the numbers of the cards, hands ascending, the line from left to right,
each filled up with zeros. Equal positions have equal bytes."""


@dataclass(frozen=True, order=True, slots=True, repr=False)
@checked_fields
class Position(metaclass=Advising):
    """All cards in play, every one known, with `mover` to move. It is always well-formed: else the constructor raises.

    With an empty pile it is an endgame (T7). With cards in the pile, in the order in which they will be drawn, it is a `Deal`, and
    both hands hold cards. Hands are sorted; the line keeps its order, which matters (T5).

    >>> position = Position.parse("12,33,49 21,94 34-41-49")
    Traceback (most recent call last):
    backtrick.errors.PositionError: 49 in the mover's hand and the line: there is one card of each number (T1)
    >>> position = Position.parse("12,33 21,94 34-41-49 63,55")
    >>> position.mover, position.opponent, position.line, position.pile
    ((12, 33), (21, 94), (34, 41, 49), (63, 55))
    >>> str(Position([33, 12], [], []))
    '12,33 - -'
    """

    mover: tuple[int, ...]
    opponent: tuple[int, ...] = ()
    line: tuple[int, ...] = ()
    pile: tuple[int, ...] = ()

    def __reduce__(self) -> tuple[type[Position], tuple[tuple[int, ...], ...]]:
        return Position, (self.mover, self.opponent, self.line, self.pile)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mover", tuple(sorted(map(index, self.mover))))
        object.__setattr__(self, "opponent", tuple(sorted(map(index, self.opponent))))
        object.__setattr__(self, "line", tuple(map(index, self.line)))
        if type(self.pile) is not tuple or self.pile:
            object.__setattr__(self, "pile", tuple(map(index, self.pile)))
        if type(self) is (Position if self.pile else Deal):  # whichever of the two was called
            object.__setattr__(self, "__class__", Deal if self.pile else Position)
        _check_well_formed(self)

    def __hash__(self) -> int:
        parts = (self.mover, self.opponent, self.line)
        return hash((*parts, self.pile) if self.pile else parts)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __str__(self) -> str:
        hands = (",".join(map(str, hand)) or "-" for hand in (self.mover, self.opponent))
        pile = f" {','.join(map(str, self.pile))}" if self.pile else ""
        return " ".join((*hands, "-".join(map(str, self.line)) or "-")) + pile

    def _seen(self) -> Seen:
        from backtrick.take_that.drawing import Seen

        return Seen(self.mover, self.opponent, self.line, self.pile)

    def _drawn(self, palette: Mapping[str, str] | None = None) -> str:
        from backtrick.take_that.drawing import drawing

        return drawing(self._seen(), palette)

    _repr_html_ = _drawn

    def board(self) -> str:
        """The table as text, the opponent above, for a terminal."""
        from backtrick.take_that.drawing import board

        return board(self._seen())

    @property
    def packed(self) -> bytes:
        """The bytes of this endgame as one element of `POSITION_DTYPE`."""
        hands = bytes(self.mover).ljust(HAND_SIZE, b"\0") + bytes(self.opponent).ljust(HAND_SIZE, b"\0")
        return hands + bytes(self.line).ljust(LONGEST_LINE, b"\0")

    @classmethod
    def parse(cls, text: str) -> Position:
        """The position that `text` names, a `Deal` if the draw pile has cards.

        Raises `NotationError`, or `PositionError` if it is not well-formed.
        """
        made = Position if cls is Deal else cls  # a class of a user's own parses as itself
        if made is Position:
            try:
                return _plain(text)  # nearly all texts are spelled as `str` spells them
            except (TypeError, ValueError):
                pass
        cursor = Cursor("position", text)
        mover = parse_cards(cursor, ",", ascending=True)
        expect_blank(cursor, "','", "the opponent's hand")
        opponent = parse_cards(cursor, ",", ascending=True)
        expect_blank(cursor, "','", "the line")
        line = parse_cards(cursor, "-", ascending=False)
        if cursor.at_end():
            return made(mover, opponent, line)
        expect_blank(cursor, "'-'", "the draw pile")
        if not cursor.sees_number():
            raise cursor.fail(f"expected a card of the draw pile, or the end, found {cursor.found()}")
        pile = parse_cards(cursor, ",", ascending=False)
        if not cursor.at_end():
            raise cursor.fail(f"expected ',' or the end, found {cursor.found()}; hands have commas between cards, the line has '-'")
        return made(mover, opponent, line, pile)


class Deal(Position):
    """A position with cards in the draw pile, in the order in which they will be drawn (T7). It has no packed form.

    >>> Position.parse("12 21 34 55,63").packed
    Traceback (most recent call last):
    backtrick.errors.PositionError: the draw pile: 2 cards are still to be drawn, and this is for endgames (T7)
    """

    __slots__ = ()

    @property
    def packed(self) -> bytes:
        """Raises `PositionError`: only an endgame has a packed form."""
        left = f"{len(self.pile)} card{'s are' if len(self.pile) > 1 else ' is'} still to be drawn"
        raise PositionError(None, "the draw pile", f"{left}, and this is for endgames", "T7")


_set_mover, _set_opponent, _set_line, _set_pile = (
    vars(Position)[name].__set__ for name in ("mover", "opponent", "line", "pile")
)


def _unchecked(
    mover: tuple[int, ...], opponent: tuple[int, ...], line: tuple[int, ...], made: type[Position] = Position,
    pile: tuple[int, ...] = (),
) -> Position:  # fmt: skip
    """A position from parts that are known to be well-formed: checking takes longer than all the rest."""
    position = object.__new__(made)
    _set_mover(position, mover)
    _set_opponent(position, opponent)
    _set_line(position, line)
    _set_pile(position, pile)
    return position


_DEAL = re.compile(r"(\S+ \S+ \S+) ([1-9][0-9](?:,[1-9][0-9])*)")


def _plain(text: str) -> Position:
    """The position of a text that is spelled as `str` spells it. Raises `TypeError` or `ValueError` for any other."""
    try:
        return _unchecked(*_text.parse(text))
    except ValueError:
        deal = _DEAL.fullmatch(text)
        if deal is None:
            raise
    mover, opponent, line = _text.parse(deal[1])
    position = _unchecked(mover, opponent, line, Deal, tuple(map(int, deal[2].split(","))))
    _check_well_formed(position)
    return position


packed_cards: Callable[[Position], bytes] = vars(Position)["packed"].fget
"""Of a position, endgame or deal, all but the draw pile as one element of `POSITION_DTYPE`."""


def positions_of_kernel(rows: np.ndarray) -> list[Position]:
    """The endgames of rows of `POSITION_DTYPE` from a kernel: they are well-formed, so nothing is checked."""
    parts = zip(*(map(_without_fill, rows[name].tolist()) for name in ("mover", "opponent", "line")), strict=True)
    return [_unchecked(*cards) for cards in parts]


def parse_cards(cursor: Cursor, separator: str, ascending: bool) -> tuple[int, ...]:
    """Cards with a separator between them; none if there is a `-`. ascending: a hand, in any order, given back ascending."""
    cursor.skip_blanks()
    if cursor.take("-"):
        return ()
    cards = [cursor.number()]
    while cursor.take(separator):
        cursor.skip_blanks()
        cards.append(cursor.number())
    return tuple(sorted(cards) if ascending else cards)


def expect_blank(cursor: Cursor, separator: str, following: str) -> None:
    """Raises `NotationError` unless a blank has been passed. separator: what could have stood there instead."""
    if cursor.at_end():
        raise cursor.fail(f"expected {following}, found the end")
    if cursor.text[cursor.place - 1] not in BLANKS:
        raise cursor.fail(f"expected {separator} or a blank before {following}, found {cursor.found()}")


def _check_well_formed(position: Position) -> None:
    mover, opponent, line, pile = position.mover, position.opponent, position.line, position.pile
    cards = mover + opponent + line + pile
    different = set(cards)
    if len(different) != len(cards) or not different <= _CARDS or len(mover) > HAND_SIZE or len(opponent) > HAND_SIZE:
        raise _mistake(position)
    if pile and not (mover and opponent):
        hand = "the opponent's hand" if mover else "the mover's hand"
        raise PositionError(None, hand, "no card, but a player draws one after each card while the draw pile lasts", "T3")


def _mistake(position: Position) -> PositionError:
    """The error for cards that are not in the deck, that are there twice, or that are too many."""
    hands = {"the mover's hand": position.mover, "the opponent's hand": position.opponent}
    seen: dict[int, str] = {}
    for place, cards in (hands | {"the line": position.line, "the draw pile": position.pile}).items():
        for card in cards:
            if card not in _CARDS:
                return PositionError(card, place, "the cards are 12..98 without 20, 30, ..., 90", "T1")
            if card in seen:
                both = (place,) if seen[card] == place else (seen[card], place)
                return PositionError(card, both, "there is one card of each number", "T1")
            seen[card] = place
    place, cards = next((place, cards) for place, cards in hands.items() if len(cards) > HAND_SIZE)
    return PositionError(None, place, f"{len(cards)} cards, at most {HAND_SIZE} are held", "T2")


def as_position(given: Position | str) -> Position:
    """The position that a user gives: the object, or its notation. Raises `NotationError`, `PositionError`, and `ArgumentError` for
    anything else."""
    return given if isinstance(given, Position) else read_position(Position, TITLE, given)


def mirror(position: Position | str) -> Position:
    """The position with every card v replaced by 110 - v. Distances, twisted cards and toads stay, and so does the value.

    Its turns are the mirrored ones (`turn.mirror_turn`), worth the same. The mirror of the mirror is the position itself.

    >>> str(mirror(Position.parse("12,33 21,94 34-41-49")))
    '77,98 16,89 76-69-61'
    """
    position = as_position(position)
    everything = (position.mover, position.opponent, position.line, position.pile)
    return Position(*(tuple(map(mirror_card, cards)) for cards in everything))


def canonical(position: Position | str) -> Position:
    """The smaller of the position and its mirror image; for endgames, the one whose packed form is smaller.

    No other relabelling of the whole deck keeps the game; see docs/take_that.md.

    >>> str(canonical(Position.parse("77,98 16,89 76-69-61")))
    '12,33 21,94 34-41-49'
    """
    position = as_position(position)
    return min(position, mirror(position))


def pack(positions: Iterable[Position | str]) -> Positions:
    """The endgames as an array of `POSITION_DTYPE`, shape (n,): positions or texts, also as a column of pandas, polars or pyarrow.

    Raises `PositionError` for a deal (T7), and `LineError`, which names the item, for a text in a column.

    >>> pack([Position.parse("12,33 21,94 34-41-49")])["opponent"]
    array([[21, 94,  0,  0,  0,  0,  0,  0,  0]], dtype=uint8)
    """
    array = pack_column(positions, POSITION_DTYPE, _read_plain, _row_of)
    if array is not None:
        return array
    packed = [one.packed if isinstance(one, Position) else as_position(one).packed for one in read_items("positions", positions)]
    return np.frombuffer(bytearray().join(packed), dtype=POSITION_DTYPE)


def _row_of(item: Any) -> np.void:
    row: np.void = np.frombuffer(as_position(item).packed, POSITION_DTYPE)[0]
    return row


def as_array(given: Any) -> Positions:
    """The array of endgames that a user gives, or that `pack` makes of a list or a column. Raises `ArrayError`."""
    return as_positions(given, POSITION_DTYPE, pack)


def _read_plain(text: bytes, start: int, positions: Positions, turns: None, first: int, rest: bool) -> tuple[int, int]:
    return _text.read_range(text, start, bytes_of(positions), turns, first, rest)


def unpack(array: Positions) -> list[Position]:
    """The positions of an array of `POSITION_DTYPE`, shape (n,).

    Raises `PositionError` if one is not well-formed, which names the first of several, and `ArrayError` for another dtype or shape.

    >>> position = Position.parse("12,33 21,94 34-41-49")
    >>> unpack(pack([position])) == [position]
    True
    """
    array = as_positions(array, POSITION_DTYPE)
    parts = (array["mover"].tolist(), array["opponent"].tolist(), array["line"].tolist())
    found: list[Position] = []
    try:
        for cards in zip(*parts, strict=True):
            found.append(Position(*map(_without_fill, cards)))
    except PositionError as error:
        raise error if len(array) == 1 else error.in_array(len(found)) from None
    return found


def _without_fill(cards: list[int]) -> tuple[int, ...]:
    end = len(cards)
    while end and not cards[end - 1]:
        end -= 1
    return tuple(cards[:end])  # an earlier zero stays, and is refused as no card of the deck


def error_at(positions: Positions, place: int) -> PositionError:
    """The error for a position of an array that a kernel has refused."""
    fault = fault_of(positions, place)
    if fault is None:
        raise AssertionError(f"the kernel refused position {place}, which is well-formed")
    return fault


def bytes_of(rows: np.ndarray) -> np.ndarray:
    """Rows of a structured array as bytes, shape (n, bytes of a row). It is the same memory if the array has no gaps."""
    return np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), rows.dtype.itemsize)


def check_array(positions: Positions) -> None:
    """Raise `PositionError`, which names the place in the array, unless all positions are well-formed and packed as by `pack`."""
    place = _text.check_range(bytes_of(positions))
    if place >= 0:
        raise error_at(positions, place)


def fault_of(positions: Positions, place: int) -> PositionError | None:
    """The error for the position at a place of an array; None if it is well-formed and packed as by `pack`."""
    one = positions[place : place + 1]
    try:
        sound = bool((pack(unpack(one)) == one).all())
    except PositionError as error:
        return error.in_array(place)
    problem = "a hand is not ascending, or a card stands after the fill"
    return None if sound else PositionError(None, f"position {place} of the array", problem, "POSITION_DTYPE")


POSITION_WRITER = TextWriter(lambda array, texts: _text.write_range(bytes_of(array), texts), _text.POSITION_BYTES, error_at)
