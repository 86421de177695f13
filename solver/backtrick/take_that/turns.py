"""What the actions of positions lead to and what they are worth, as rows and as arrays: of one position, or of many."""

from __future__ import annotations

from typing import cast

import numpy as np

from backtrick.answer import Outcome, exactly
from backtrick.arrays import Bools, I8s, I64s, U32s, as_positions, as_turns, check_pairs
from backtrick.errors import BacktrickError, IllegalActionError, NotSolvedError, PackedError
from backtrick.take_that import _solve
from backtrick.take_that.action import TURN_DTYPE, Action, actions_of_kernel, unpack_action
from backtrick.take_that.options import OPENS, PUBLISHED, Rules
from backtrick.take_that.position import POSITION_DTYPE, Position, bytes_of, error_at, fault_of, positions_of_kernel, unpack
from backtrick.take_that.rules import play
from backtrick.take_that.solving import action_bounds, solve_many
from backtrick.work import TABLE_MIB, UNLIMITED, Budget, fill_ranges

OUTCOME_DTYPE = np.dtype([("turn", "u1"), ("points", "i1"), ("value", "i1"), ("position", POSITION_DTYPE)])
"""A row of an outcome, in 100 bytes without padding: the packed action, the points that it gives, the mover's value if it is
played, and the position after it, all zeros if the round is over."""


def outcome_rows(position: Position, rules: Rules = PUBLISHED, budget: Budget = UNLIMITED) -> np.ndarray:
    """Every legal action as a row of `OUTCOME_DTYPE`, in the order of `legal_actions`: shape (n,).

    Raises `NotSolvedError` if the budget does not suffice for all of them.

    >>> for row in outcome_rows(Position.parse("15,43,44 21,53 51-62-35")):
    ...     print(unpack_action(row["turn"]), row["points"], row["value"], sep=" | ")
    43 | 0 | 4
    44 | 0 | 6
    15x51 | 2 | -1
    take | -3 | -3
    """
    found, nodes = action_bounds(position, rules, budget)
    if any(low != high for _, low, high in found):
        raise NotSolvedError(position, max(low for _, low, _ in found), max(high for _, _, high in found), nodes)
    rows = np.empty(len(found), OUTCOME_DTYPE)
    packed = np.frombuffer(position.packed, np.uint8).reshape(1, POSITION_DTYPE.itemsize)
    _solve.list_range(
        packed, np.array([0, len(rows)]), bytes_of(rows), 0, 1, rules.forced_only, rules.empty_line == OPENS
    )
    rows["value"] = [low for _, low, _ in found]
    return rows


def best_first(rows: np.ndarray) -> np.ndarray:
    """The rows of `outcome_rows`, best first; equal ones keep their order."""
    return rows[np.argsort(-rows["value"].astype(int), kind="stable")]


def outcomes_of(rows: np.ndarray) -> tuple[Outcome[Position, Action], ...]:
    """The outcomes of rows of `OUTCOME_DTYPE`."""
    actions = actions_of_kernel(rows["turn"].tolist())
    after = iter(positions_of_kernel(rows["position"][on := goes_on(rows["position"])]))
    places = [next(after) if there else None for there in on.tolist()]
    bounds = map(exactly, rows["value"].tolist())
    parts = zip(actions, bounds, places, rows["points"].tolist(), strict=True)
    return tuple(Outcome(cast(Action, action), *others) for action, *others in parts)


def outcomes_many(
    positions: np.ndarray,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> tuple[np.ndarray, I64s]:
    """The legal actions of each position with their values: rows of `OUTCOME_DTYPE`, and offsets, int64, shape (n + 1,).

    rows[offsets[i]:offsets[i + 1]] are the `outcome_rows` of position i, in the order of `legal_actions`. A row takes 100 bytes.
    Each position that an action leads to is solved for itself. Raises as `solve_many` does.

    >>> from backtrick.take_that import pack
    >>> rows, offsets = outcomes_many(pack([Position.parse("15,43,44 21,53 51-62-35"), Position.parse("12 - 34")]))
    >>> offsets
    array([0, 4, 5])
    >>> rows["value"]
    array([ 4,  6, -1, -3, -1], dtype=int8)
    """
    rows, offsets = _list_many(positions, threads, rules)
    rows["value"], _ = values_after(rows["points"], rows["position"], threads, rules, progress, table_mib)
    return rows, offsets


def grade_many(
    positions: np.ndarray,
    turns: np.ndarray,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> tuple[I8s, I8s]:
    """The value of each position, and of it once an action is played: int8, shape (n,), both. Equal if no action is better.

    positions: an array of `POSITION_DTYPE`; turns: packed as by `pack_action`, uint8; shape (n,), both. Raises
    `IllegalActionError`, which names the place in the arrays and the rule, for an action that is not legal, `PackedError` for a
    number that is no action, `PositionError` if a position is not well-formed, and `ArrayError` for another dtype or shape.

    >>> import numpy as np
    >>> from backtrick.take_that import Position, pack
    >>> array = pack([Position.parse("15,43,44 21,53 51-62-35")] * 2)
    >>> grade_many(array, np.array([44, 128 + 15], np.uint8))
    (array([6, 6], dtype=int8), array([ 6, -1], dtype=int8))
    >>> grade_many(array, np.array([44, 33], np.uint8))
    Traceback (most recent call last):
    backtrick.errors.IllegalActionError: illegal action '33' at place 1 of the array: 33 is not in the mover's hand (T3)
    """
    points, following = play_many(positions, turns, threads, rules)
    before = solve_many(positions, threads, rules, progress, table_mib)
    after, _ = values_after(points, following, threads, rules, progress, table_mib)
    return before, after


def goes_on(following: np.ndarray) -> np.ndarray:
    """True where a position is left after an action; False where the round is over."""
    there: np.ndarray = following["line"][:, 0] != 0
    return there


def values_after(
    points: np.ndarray,
    following: np.ndarray,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> tuple[I8s, Bools]:
    """The mover's value once an action is played, int8, and `goes_on`. points, following: as `play_many` returns them."""
    values, on = points.copy(), goes_on(following)
    values[on] -= solve_many(following[on], threads, rules, progress, table_mib)
    return values, on


def play_many(
    positions: np.ndarray, turns: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED
) -> tuple[I8s, np.ndarray]:
    """The points that a packed action gives in each position, int8, and the positions after it, all zeros if the round is over.

    Raises as `grade_many` does.
    """
    positions, turns = as_positions(positions, POSITION_DTYPE), np.ascontiguousarray(as_turns(turns, TURN_DTYPE))
    check_pairs(positions, turns)
    packed, points = bytes_of(positions), np.empty(len(positions), np.int8)
    following = np.empty(len(positions), POSITION_DTYPE)
    options = rules.forced_only, rules.empty_line == OPENS

    def work(start: int, stop: int) -> int:
        return _solve.play_range(packed, turns, points, bytes_of(following), start, stop, *options)

    place = fill_ranges(work, len(positions), threads=threads, progress=False)
    if place >= 0:
        raise error_of_pair(positions, turns, place, rules)
    return points, following


def first_illegal(positions: np.ndarray, turns: np.ndarray, rules: Rules = PUBLISHED) -> int:
    """The first place whose position is not well-formed, or whose packed action is not legal there; -1 if there is none."""
    points, following = np.empty(len(positions), np.int8), np.empty((len(positions), POSITION_DTYPE.itemsize), np.uint8)
    turns = np.ascontiguousarray(turns)
    options = rules.forced_only, rules.empty_line == OPENS
    return _solve.play_range(bytes_of(positions), turns, points, following, 0, len(positions), *options)


def error_of_pair(positions: np.ndarray, turns: np.ndarray, place: int, rules: Rules) -> BacktrickError:
    """The error for a place of the arrays that was refused."""
    if (fault := fault_of(positions, place)) is not None:
        return fault
    try:
        action = unpack_action(turns[place])
        if action is None:
            return PackedError("packed action", 0, "it stands for no action", place)
        play(unpack(positions[place : place + 1])[0], action, rules)
    except (IllegalActionError, PackedError) as error:
        return error.in_array(place)
    raise AssertionError(f"the kernel refused action {place}, which is legal")


def _count_actions(positions: np.ndarray, threads: int | None, rules: Rules) -> U32s:
    """How many actions each position has. Raises `PositionError`, which names the place, if one is not well-formed."""
    packed, counts = bytes_of(positions), np.empty(len(positions), np.uint32)

    def count(start: int, stop: int) -> int:
        return _solve.count_range(packed, counts, start, stop, rules.forced_only, rules.empty_line == OPENS)

    place = fill_ranges(count, len(positions), threads=threads, progress=False)
    if place >= 0:
        raise error_at(positions, place)
    return counts


def _list_many(positions: np.ndarray, threads: int | None, rules: Rules) -> tuple[np.ndarray, I64s]:
    """The rows and offsets of `outcomes_many`, all but the values."""
    positions = as_positions(positions, POSITION_DTYPE)
    packed, counts = bytes_of(positions), _count_actions(positions, threads, rules)
    offsets = np.zeros(len(positions) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    rows = np.empty(offsets[-1], OUTCOME_DTYPE)

    def fill(start: int, stop: int) -> int:
        return _solve.list_range(packed, offsets, bytes_of(rows), start, stop, rules.forced_only, rules.empty_line == OPENS)

    fill_ranges(fill, len(positions), threads=threads, progress=False)
    return rows, offsets
