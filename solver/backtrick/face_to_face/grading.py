"""What given turns are worth, many at once."""

from __future__ import annotations

import numpy as np

from backtrick.arrays import as_positions, as_turns, check_pairs
from backtrick.errors import BacktrickError, IllegalTurnError, PackedError, PositionError
from backtrick.face_to_face import _answers
from backtrick.face_to_face import rules as referee
from backtrick.face_to_face.options import PUBLISHED, Rules
from backtrick.face_to_face.position import POSITION_DTYPE, Position, Side, cards_of, check_well_formed
from backtrick.face_to_face.text import TURN_DTYPE
from backtrick.face_to_face.turn import unpack_turn
from backtrick.work import fill_ranges


def grade_many(
    positions: np.ndarray,
    turns: np.ndarray,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The remoteness of each position, and of it once a turn is played: int8, shape (n,), both. Equal if no turn is better.

    positions: an array of `POSITION_DTYPE`; turns: packed as by `pack_turn`, uint64; shape (n,), both. Raises `IllegalTurnError`,
    which names the place in the arrays and the rule, for a turn that is not legal, `PackedError` for a number that is no turn,
    `PositionError` if a position is not well-formed, and `ArrayError` for another dtype or shape.

    >>> import numpy as np
    >>> from backtrick.face_to_face import Turn, pack, pack_turn
    >>> array = pack([Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44")] * 2)
    >>> grade_many(array, np.array([pack_turn(Turn.parse(turn)) for turn in ("16v 18v'", "16v 18^'")], np.uint64))
    (array([3, 3], dtype=int8), array([3, 2], dtype=int8))
    >>> grade_many(array, np.array([pack_turn(Turn.parse(turn)) for turn in ("16v 18v'", "20v")], np.uint64))
    Traceback (most recent call last):
    backtrick.errors.IllegalTurnError: illegal turn '20v' at place 1 of the array, play 20v: 20 is not in the mover's hand (F3)
    """
    positions, turns = as_positions(positions, POSITION_DTYPE), as_turns(turns, TURN_DTYPE)
    check_pairs(positions, turns)
    before, after = np.empty(len(positions), np.int8), np.empty(len(positions), np.int8)

    def work(start: int, stop: int) -> int:
        return _answers.grade_range(
            positions, turns, before, after, start, stop, rules.highest, rules.step, rules.lone_card
        )

    place = fill_ranges(work, len(positions), threads=threads, progress=progress, what="grade")
    if place >= 0:
        raise error_of_pair(positions, turns, place, rules)
    return before, after


def first_illegal(positions: np.ndarray, turns: np.ndarray, rules: Rules = PUBLISHED) -> int:
    """The first place whose position is not well-formed, or whose packed turn is not legal there; -1 if there is none."""
    return _answers.first_illegal(positions, turns, 0, len(positions), rules.highest, rules.step, rules.lone_card)


def error_of_pair(positions: np.ndarray, turns: np.ndarray, place: int, rules: Rules) -> BacktrickError:
    """The error for a place of the arrays that was refused."""
    hand, other, ascending, descending, other_ascending, other_descending = positions[place].item()
    mover, opponent = Side(ascending, descending, cards_of(hand)), Side(other_ascending, other_descending, cards_of(other))
    try:
        check_well_formed(mover, opponent, rules)
        turn = unpack_turn(turns[place])
        if turn is None:
            return PackedError("packed turn", 0, "it stands for no turn", place)
        referee.after(Position(mover, opponent), turn, rules)
    except (PositionError, IllegalTurnError, PackedError) as error:
        return error.in_array(place)
    raise AssertionError(f"the kernel refused turn {place}, which is legal")
