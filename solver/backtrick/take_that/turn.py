"""An action: its notation and packed form.

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

from backtrick.arguments import checked_fields
from backtrick.errors import PackedError
from backtrick.notation import as_turns
from backtrick.take_that import _text
from backtrick.take_that.options import DECK, is_toad, mirror_card, twisted
from backtrick.text import Cursor, format_items

TAKE_WORD, TWIST_SIGN, OPENING_SIGN = "take", "x", ","
_TAKE_CODE, _TWIST_BIT = 1, 128
_CARDS = frozenset(DECK)

TURN_DTYPE = np.dtype("u1")
"""A packed action (`pack_action`)."""


@dataclass(frozen=True, slots=True, repr=False)
@checked_fields
class Action:
    """What a player does in a turn (T3).

    card:      the hand card that is used; None for taking
    line_card: the line card of a twist; None for a lay and for taking
    opening:   the card that a taker lays as the first of a new line (T6); None in an endgame

    In a whole game a turn has both the taking and the lay. Played action by action, they are two actions. Whether an action is
    legal depends on the position. Here it is only checked that a twist names a card and its twisted card.

    >>> Action.parse("94x49")
    <Action 94x49>
    >>> str(Action(41)), str(Action()), str(Action(opening=41))
    ('41', 'take', 'take,41')
    """

    card: int | None = None
    line_card: int | None = None
    opening: int | None = None

    def __post_init__(self) -> None:
        if self.opening is not None:
            object.__setattr__(self, "opening", index(self.opening))
            if self.card is not None:
                raise ValueError(f"{self.opening} opens a new line, which only a taker does (T6)")
        if self.card is not None:
            object.__setattr__(self, "card", index(self.card))
        if self.line_card is not None:
            object.__setattr__(self, "line_card", index(self.line_card))
            if self.card is None or self.card == self.line_card or twisted(self.card) != self.line_card:
                raise ValueError(f"{self.line_card} is not the twisted card of {self.card} (T5)")

    def __repr__(self) -> str:
        return f"<Action {self}>"

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
    def parse(cls, text: str) -> Action:
        """The action that `text` names. Raises `NotationError`."""
        cursor = Cursor("action", text)
        cursor.skip_blanks()
        action = _parse_opening(cursor) if cursor.take(TAKE_WORD) else _parse_card_action(cursor)
        cursor.end()
        return action


def _parse_opening(cursor: Cursor) -> Action:
    cursor.skip_blanks()
    return Action(opening=cursor.number()) if cursor.take(OPENING_SIGN) else TAKE


def _parse_card_action(cursor: Cursor) -> Action:
    if not cursor.sees_number():
        raise cursor.fail(f"expected a card or 'take', found {cursor.found()}")
    card = cursor.number()
    if not cursor.take(TWIST_SIGN):
        return Action(card)
    cursor.skip_blanks()
    before = cursor.place
    line_card = cursor.number()
    try:
        return Action(card, line_card)
    except ValueError as error:
        cursor.place = before
        raise cursor.fail(str(error)) from None


TAKE = Action()
"""The action of taking the line (T6)."""


def mirror_action(action: Action) -> Action:
    """The same action in the mirrored position (`position.mirror`).

    >>> str(mirror_action(Action(94, 49))), mirror_action(TAKE) is TAKE
    ('16x61', True)
    """
    if action.card is None:
        return TAKE if action.opening is None else Action(opening=mirror_card(action.opening))
    return Action(mirror_card(action.card), None if action.line_card is None else mirror_card(action.line_card))


def pack_action(action: Action) -> int:
    """An action in 8 bits: the card of a lay; 128 + the hand card of a twist; 1 for taking. 0 means "no action".

    Raises `PackedError` if the card is not in the deck (T1), and for taking with a lay, which no endgame has (T7).

    >>> pack_action(Action(41)), pack_action(Action(94, 49)), pack_action(TAKE)
    (41, 222, 1)
    """
    if action.opening is not None:
        raise PackedError("action", repr(str(action)), "packed actions are of endgames, in which a taker does not lay again (T7)")
    if action.card is None:
        return _TAKE_CODE
    if action.card not in _CARDS:
        raise PackedError("action", repr(str(action)), f"{action.card} is not a card (T1)")
    return action.card | _TWIST_BIT if action.is_twist else action.card


def unpack_action(packed: int) -> Action | None:
    """The action that a number from `pack_action` stands for; None for 0, "no action". Raises `PackedError` for any other number.

    >>> str(unpack_action(222))
    '94x49'
    >>> unpack_action(20)
    Traceback (most recent call last):
    backtrick.errors.PackedError: packed action 20: 20 is not a card (T1)
    """
    packed = index(packed)
    if 0 <= packed < len(_ACTIONS) and (action := _ACTIONS[packed]) is not None:
        return action
    if not 0 <= packed <= 255:
        raise PackedError("packed action", packed, "it is 0..255")
    if packed == 0:
        return None
    card = packed & ~_TWIST_BIT
    if card not in _CARDS:
        raise PackedError("packed action", packed, f"{card} is not a card (T1)")
    raise PackedError("packed action", packed, f"{card} is a toad, and twists nothing (T5)")


def actions_of_kernel(packed: Iterable[int]) -> list[Action | None]:
    """The actions of packed actions from a kernel, which are known to be actions; None for 0."""
    return list(map(_ACTIONS.__getitem__, packed))


_ACTIONS: list[Action | None] = [None] * 256
_ACTIONS[_TAKE_CODE] = TAKE
for _card in DECK:
    _ACTIONS[_card] = Action(_card)
    if not is_toad(_card):
        _ACTIONS[_card | _TWIST_BIT] = Action(_card, twisted(_card))


def turn_column(turns: np.ndarray) -> np.ndarray:
    """The notation of each packed action, empty for 0: dtype S, shape (n,). Raises `PackedError` and `ArrayError`."""
    turns = as_turns(turns, TURN_DTYPE)
    texts, place = format_items(_text.write_turns, np.ascontiguousarray(turns), _text.TURN_BYTES)
    if place >= 0:
        unpack_action(turns[place])
        raise AssertionError(f"the kernel refused action {place}, which can be unpacked")
    return texts
