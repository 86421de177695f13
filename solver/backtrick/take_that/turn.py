"""A turn: its notation and packed form.

    41            lay 41 at the right end of the line (T4)
    94x49         twist: the hand card 94 takes its twisted card 49 out of the line (T5)
    take          take the line (T6)
    take,41       take the line and lay 41 as the first card of a new one, while the draw pile lasts (T6)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import index

import numpy as np

import backtrick.take_that._text as _text
from backtrick.arguments import checked_fields, read_items, read_turn
from backtrick.errors import ArgumentError, PackedError
from backtrick.names.other_names import Advising
from backtrick.notation import Cursor, TextWriter, U8s, pack_column
from backtrick.take_that.rule_options import DECK, is_toad, mirror_card, twisted

TAKE_WORD, TWIST_SIGN, OPENING_SIGN = "take", "x", ","
_TAKE_CODE, _TWIST_BIT = 1, 128
_CARDS = frozenset(DECK)

TURN_DTYPE = np.dtype("u1")
"""A packed turn (`pack_turn`)."""


@dataclass(frozen=True, slots=True, repr=False)
@checked_fields
class Turn(metaclass=Advising):
    """What a player does in a turn (T3).

    card:      the hand card that is used; None for taking
    line_card: the line card of a twist; None for a lay and for taking
    opening:   the card that a taker lays as the first of a new line (T6); None in an endgame

    In a whole game a turn has both the taking and the lay. Played step by step (`State`), they are two. Whether a turn is
    legal depends on the position. Here it is only checked that a twist names a card and its twisted card.

    >>> Turn.parse("94x49")
    <Turn 94x49>
    >>> str(Turn(41)), str(Turn()), str(Turn(opening=41))
    ('41', 'take', 'take,41')
    """

    card: int | None = None
    line_card: int | None = None
    opening: int | None = None

    def __post_init__(self) -> None:
        if self.opening is not None:
            object.__setattr__(self, "opening", index(self.opening))
            if self.card is not None:
                raise ArgumentError(f"{self.opening} opens a new line, which only a taker does (T6)")
        if self.card is not None:
            object.__setattr__(self, "card", index(self.card))
        if self.line_card is not None:
            object.__setattr__(self, "line_card", index(self.line_card))
            if self.card is None or self.card == self.line_card or twisted(self.card) != self.line_card:
                raise ArgumentError(f"{self.line_card} is not the twisted card of {self.card} (T5)")

    def __repr__(self) -> str:
        return f"<Turn {self}>"

    @property
    def is_take(self) -> bool:
        """True for taking the line (T6)."""
        return self.card is None

    @property
    def is_twist(self) -> bool:
        """True for a twist (T5)."""
        return self.line_card is not None

    def __str__(self) -> str:
        if self.card is None:
            return TAKE_WORD if self.opening is None else f"{TAKE_WORD}{OPENING_SIGN}{self.opening}"
        return str(self.card) if self.line_card is None else f"{self.card}{TWIST_SIGN}{self.line_card}"

    @classmethod
    def parse(cls, text: str) -> Turn:
        """The turn that `text` names. Raises `NotationError`."""
        cursor = Cursor("turn", text)
        cursor.skip_blanks()
        turn = _parse_opening(cursor) if cursor.take(TAKE_WORD) else _parse_card_turn(cursor)
        cursor.end()
        return turn


def _parse_opening(cursor: Cursor) -> Turn:
    cursor.skip_blanks()
    return Turn(opening=cursor.number()) if cursor.take(OPENING_SIGN) else TAKE


def _parse_card_turn(cursor: Cursor) -> Turn:
    if not cursor.sees_number():
        raise cursor.fail(f"expected a card or 'take', found {cursor.found()}")
    card = cursor.number()
    if not cursor.take(TWIST_SIGN):
        return Turn(card)
    cursor.skip_blanks()
    before = cursor.place
    line_card = cursor.number()
    try:
        return Turn(card, line_card)
    except ArgumentError as error:
        cursor.place = before
        raise cursor.fail(str(error)) from None


TAKE = Turn()
"""The turn of taking the line (T6)."""


def as_turn(given: Turn | str | int) -> Turn:
    """The turn that a user gives: the object, its notation, or packed. Raises `NotationError`, `PackedError`, and `ArgumentError`
    for anything else."""
    return given if isinstance(given, Turn) else read_turn(Turn, Turn.parse, unpack_turn, given)


def mirror_turn(turn: Turn | str | int) -> Turn:
    """The same turn in the mirrored position (`position.mirror`).

    >>> str(mirror_turn(Turn(94, 49))), mirror_turn(TAKE) is TAKE
    ('16x61', True)
    """
    turn = as_turn(turn)
    if turn.card is None:
        return TAKE if turn.opening is None else Turn(opening=mirror_card(turn.opening))
    return Turn(mirror_card(turn.card), None if turn.line_card is None else mirror_card(turn.line_card))


def pack_turn(turn: Turn | str | int) -> int:
    """A turn in 8 bits: the card of a lay; 128 + the hand card of a twist; 1 for taking. 0 means "no turn".

    Raises `PackedError` if the card is not in the deck (T1), and for taking with a lay, which no endgame has (T7).

    >>> pack_turn(Turn(41)), pack_turn(Turn(94, 49)), pack_turn(TAKE)
    (41, 222, 1)
    """
    turn = as_turn(turn)
    if turn.opening is not None:
        raise PackedError("turn", repr(str(turn)), "packed turns are of endgames, in which a taker does not lay again (T7)")
    if turn.card is None:
        return _TAKE_CODE
    if turn.card not in _CARDS:
        raise PackedError("turn", repr(str(turn)), f"{turn.card} is not a card (T1)")
    return turn.card | _TWIST_BIT if turn.is_twist else turn.card


def pack_turns(turns: Iterable[Turn | str]) -> U8s:
    """Turns as an array of `TURN_DTYPE`, shape (n,): objects or texts, also as a column of pandas, polars or pyarrow. An empty text
    and None are 0, "no turn". It undoes `turns_text`.

    Raises `LineError`, which names the item, for a text that is not a turn, and `PackedError`.

    >>> pack_turns(["41", "94x49", "take", ""]).tolist()
    [41, 222, 1, 0]
    """
    array: U8s | None = pack_column(turns, TURN_DTYPE, _read_plain, _pack_or_none)
    return np.array(list(map(_pack_or_none, read_items("turns", turns))), TURN_DTYPE) if array is None else array


def _read_plain(text: bytes, start: int, turns: U8s, _: None, first: int, rest: bool) -> tuple[int, int]:
    found: tuple[int, int] = _text.read_turns(text, start, turns, first)
    return found


def _pack_or_none(turn: Turn | str | None) -> int:
    return 0 if turn is None or turn == "" else pack_turn(turn)


def unpack_turn(packed: int) -> Turn | None:
    """The turn that a number from `pack_turn` stands for; None for 0, "no turn". Raises `PackedError` for any other number.

    >>> str(unpack_turn(222))
    '94x49'
    >>> unpack_turn(20)
    Traceback (most recent call last):
    backtrick.errors.PackedError: packed turn 20: 20 is not a card (T1)
    """
    packed = index(packed)
    if 0 <= packed < len(_TURNS) and (turn := _TURNS[packed]) is not None:
        return turn
    if not 0 <= packed <= 255:
        raise PackedError("packed turn", packed, "it is 0..255")
    if packed == 0:
        return None
    card = packed & ~_TWIST_BIT
    if card not in _CARDS:
        raise PackedError("packed turn", packed, f"{card} is not a card (T1)")
    raise PackedError("packed turn", packed, f"{card} is a toad, and twists nothing (T5)")


def turns_of_kernel(packed: Iterable[int]) -> list[Turn | None]:
    """The turns of packed turns from a kernel, which are known to be turns; None for 0."""
    return list(map(_TURNS.__getitem__, packed))


_TURNS: list[Turn | None] = [None] * 256
_TURNS[_TAKE_CODE] = TAKE
for _card in DECK:
    _TURNS[_card] = Turn(_card)
    if not is_toad(_card):
        _TURNS[_card | _TWIST_BIT] = Turn(_card, twisted(_card))


TURN_WRITER = TextWriter(_text.write_turns, _text.TURN_BYTES, lambda turns, place: unpack_turn(turns[place]))
