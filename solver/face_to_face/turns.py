"""Every legal turn of a position, as ordered turns or as distinct outcomes; the fast twin of `rules`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from solver.face_to_face import _turns
from solver.face_to_face.options import PUBLISHED, Rules
from solver.face_to_face.position import Position, Side, cards_of, check_well_formed
from solver.face_to_face.turn import Turn, unpack_turn


class Outcome(NamedTuple):
    """What a turn leads to: the first turn that leads there, how many ordered turns do, the position (next mover first)."""

    turn: Turn
    count: int
    position: Position


def legal_turns(position: Position, rules: Rules = PUBLISHED) -> Iterator[Turn]:
    """Every legal ordered turn: a turn before those that go on from it, cards ascending, piles in the order ^ v ^' v'.

    >>> [str(turn) for turn in legal_turns(Position.parse("27^40v:17,18 13^50v:5,12"))]
    ['17^ 18^', '17^ 18v', '18v 17^', '18v 17v']
    """
    return map(unpack_turn, legal_turns_array(position, rules).tolist())


def legal_turns_array(position: Position, rules: Rules = PUBLISHED) -> np.ndarray:
    """The turns of `legal_turns`, packed (see `unpack_turn`): an array of uint64, shape (count_turns(position),).

    >>> legal_turns_array(Position.parse("27^40v:17,18 13^50v:5,12")).shape
    (4,)
    """
    return _turns.legal_turns(*question(position, rules))


def count_turns(position: Position, rules: Rules = PUBLISHED) -> int:
    """The number of legal ordered turns, without building them.

    >>> count_turns(Position.parse("27^40v:17,18,45 13^50v:5,12"))
    16
    """
    return _turns.count_turns(*question(position, rules))


def outcomes(position: Position, rules: Rules = PUBLISHED) -> list[Outcome]:
    """The distinct outcomes of all legal turns, in the order of the first turn that leads there.

    >>> for outcome in outcomes(Position.parse("27^40v:17,18 13^50v:5,12")):
    ...     print(outcome.turn, outcome.count, outcome.position, sep=" | ")
    17^ 18^ | 1 | 13^50v:5,12 18^40v:
    17^ 18v | 2 | 13^50v:5,12 17^18v:
    18v 17v | 1 | 13^50v:5,12 27^17v:
    """
    return [outcome_of(row) for row in outcome_rows(position, rules).tolist()]


def outcome_rows(position: Position, rules: Rules) -> np.ndarray:
    """The outcomes as an array of `_turns.OUTCOME_DTYPE`, in the order of `outcomes`, the remoteness of each with it."""
    return _turns.outcomes(*question(position, rules))


def outcome_of(row: tuple[int, ...]) -> Outcome:
    """One row of `outcome_rows`, as a tuple, in words."""
    _, turn, hand, other, ascending, descending, other_ascending, other_descending, count, _ = row
    following = Position(
        Side(ascending, descending, cards_of(hand)), Side(other_ascending, other_descending, cards_of(other))
    )
    return Outcome(unpack_turn(turn), count, following)


def question(position: Position, rules: Rules) -> tuple[tuple[int, ...], int, bool]:
    """What the kernel is asked: the packed position, the back trick's step and the reading of F13."""
    if rules.highest != PUBLISHED.highest:
        check_well_formed(position.mover, position.opponent, rules)
    return position.packed, rules.step, rules.lone_card
