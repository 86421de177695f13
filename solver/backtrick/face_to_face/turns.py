"""Every legal turn of a position, as ordered turns or as distinct outcomes. This is the fast twin of `rules`."""

from __future__ import annotations

from itertools import repeat

import numpy as np

from backtrick.answer import Outcome, exactly
from backtrick.arrays import as_positions
from backtrick.face_to_face import _answers
from backtrick.face_to_face.options import PUBLISHED, Rules
from backtrick.face_to_face.position import (
    FIELDS,
    POSITION_DTYPE,
    Deal,
    Position,
    check_well_formed,
    packed_sides,
    positions_of_kernel,
)
from backtrick.face_to_face.turn import PLAY_PILES, Play, Turn, turns_of_kernel

OUTCOME_DTYPE = _answers.OUTCOME_DTYPE
"""A row of `outcome_rows`, in 41 bytes without padding."""


def legal_turns(position: Position, rules: Rules = PUBLISHED) -> list[Turn]:
    """Every legal ordered turn of an endgame or a deal: a turn before the turns that continue it, cards ascending, piles in the
    order ^ v ^' v'.

    >>> [str(turn) for turn in legal_turns(Position.parse("27^40v:17,18 13^50v:5,12"))]
    ['17^ 18^', '17^ 18v', '18v 17^', '18v 17v']
    """
    return turns_of_kernel(legal_turns_array(position, rules).tolist())


def legal_turns_array(position: Position, rules: Rules = PUBLISHED) -> np.ndarray:
    """The turns of `legal_turns`, packed (see `unpack_turn`): an array of uint64, shape (count_turns(position),).

    >>> legal_turns_array(Position.parse("27^40v:17,18 13^50v:5,12")).shape
    (4,)
    """
    return _answers.legal_turns(*_listing(position, rules))


def count_turns(position: Position, rules: Rules = PUBLISHED) -> int:
    """The number of legal ordered turns of an endgame or a deal. No turn is built.

    >>> count_turns(Position.parse("27^40v:17,18,45 13^50v:5,12"))
    16
    """
    return _answers.count_turns(*_listing(position, rules))


def outcome_rows(position: Position, rules: Rules = PUBLISHED) -> np.ndarray:
    """Every distinct outcome as a row of `OUTCOME_DTYPE`, in the order of the first turn that leads there: shape (n,).

    The fields are those of `POSITION_DTYPE` for the position after the turn, with the next mover first; `turn`, packed as by
    `pack_turn`; `count`, how many ordered turns lead there; `remoteness`, of the position before, if this turn is played.

    >>> from backtrick.face_to_face import unpack_turn
    >>> for row in outcome_rows(Position.parse("27^40v:17,18 13^50v:5,12")):
    ...     print(unpack_turn(row["turn"]), row["count"], row["remoteness"], sep=" | ")
    17^ 18^ | 1 | 1
    17^ 18v | 2 | 1
    18v 17v | 1 | 1
    """
    return _answers.outcomes(*question(position, rules))


def outcomes_of(rows: np.ndarray) -> tuple[Outcome[Position, Turn], ...]:
    """The outcomes of rows of `outcome_rows`.

    >>> for outcome in outcomes_of(outcome_rows(Position.parse("27^40v:17,18 13^50v:5,12"))):
    ...     print(outcome.turn, outcome.ways, outcome.position, sep=" | ")
    17^ 18^ | 1 | 13^50v:5,12 18^40v:
    17^ 18v | 2 | 13^50v:5,12 17^18v:
    18v 17v | 1 | 13^50v:5,12 27^17v:
    """
    turns = turns_of_kernel(rows["turn"].tolist())
    after = positions_of_kernel(zip(*(rows[name].tolist() for name in FIELDS), strict=True))
    bounds = map(exactly, rows["remoteness"].tolist())
    return tuple(map(Outcome, turns, bounds, after, repeat(0), rows["count"].tolist()))


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


_PILES = ("mover_ascending", "mover_descending", "opponent_ascending", "opponent_descending")  # as `turn.PLAY_PILES`
_SWAPPED = {"mover": "opponent", "opponent": "mover"}


def turn_text(packed: int) -> str:
    """A packed turn in notation, without making a `Turn`; an empty text for 0, "no turn".

    >>> turn_text(0x8c12), turn_text(0)
    ("18^ 12^'", '')
    """
    return " ".join([_PLAYS[byte] for byte in packed.to_bytes(8, "little") if byte])


_PLAYS = [str(Play(byte & 63, *PLAY_PILES[byte >> 6])) for byte in range(256)]


def _listing(position: Position, rules: Rules) -> tuple[tuple[int, int, int, int, int, int], int, bool]:
    """The arguments of a kernel function that lists turns. What is still to be drawn makes no difference to them, but for this:
    only a last card, with nothing to be drawn, is a lone card (F13)."""
    if not isinstance(position, Deal):
        return question(position, rules)
    check_well_formed(position.mover, position.opponent, rules)
    return packed_sides(position.mover, position.opponent), rules.step, rules.lone_card and not position.mover.pile


def question(position: Position, rules: Rules) -> tuple[tuple[int, int, int, int, int, int], int, bool]:
    """The arguments of a kernel function: the packed position, the step of the back trick, and the reading of F13."""
    if rules.highest != PUBLISHED.highest:
        check_well_formed(position.mover, position.opponent, rules)
    return position.packed, rules.step, rules.lone_card
