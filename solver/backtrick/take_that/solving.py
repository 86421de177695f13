"""What positions and their turns are worth, of one position or of arrays of them on several threads.

All values are points, the mover's minus the opponent's from here on (T12). The search has a memory of states of at most
`table_mib` MiB, of which an easy position uses little. A thread keeps its solver for the next easy position; a hard one gives
its memory back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar, cast

import numpy as np

import backtrick.take_that._solve as _solve
from backtrick.answer import Answer, Answers, check_bounds, searched
from backtrick.arguments import read_view
from backtrick.bounds import Bounds, Outcome, exactly
from backtrick.budget import TABLE_MIB, UNLIMITED, Budget, allocating, deadline
from backtrick.errors import BacktrickError, ContradictionError, IllegalTurnError, NotSolvedError, PackedError
from backtrick.game import BEST, LINE, OPTIMAL, QUICK, Game, SolveOptions
from backtrick.notation import Bools, I8s, I64s, Many, ManyTurns, Positions, Rows, U8s, U32s, as_turns, check_pairs
from backtrick.take_that import rules as referee
from backtrick.take_that._solve import Solver
from backtrick.take_that.position import (
    HAND_SIZE,
    POSITION_DTYPE,
    Position,
    as_array,
    as_position,
    bytes_of,
    error_at,
    fault_of,
    positions_of_kernel,
    unpack,
)
from backtrick.take_that.rule_options import PUBLISHED, Rules, as_rules
from backtrick.take_that.turn import TURN_DTYPE, Turn, pack_turns, turns_of_kernel, unpack_turn
from backtrick.threads import fill_ranges

Found = TypeVar("Found", bound=tuple[Any, ...])

LONGEST_PLAY = 2 * HAND_SIZE + 1
"""Turns to the end: each but the last uses a card of a hand."""

_SPANS, _SHORTEST_SPAN, _LONGEST_SPAN = 64, 16, 512
# Long enough for what a thread and its solver take; short, because a hard position can take as long as ten thousand easy ones.


@contextmanager
def solver_within(budget: Budget, rules: Rules) -> Iterator[Solver]:
    """Yields a solver that stops when the seconds of the budget are over, or when its work is cancelled."""
    with deadline(budget) as stop:
        yield _new_solver(rules, budget.mib(TABLE_MIB), stop)


class _Kept(threading.local):
    """A solver for each kind of question that this thread asked: making one takes longer than most answers."""

    def __init__(self) -> None:
        self.solvers: dict[tuple[int, int], Solver] = {}


_kept = _Kept()
_VALUE, _TURN_VALUES, _ANSWER = Solver.value, Solver.turn_values, Solver.answer
_ASTRAY = -2  # as the kernel marks a principal line that does not reach the value, which is a fault of the search
_MOST_KEPT = 10_000  # nodes; a solver that has searched more has touched much of its table, and gives it back


def _ask(question: Callable[[Solver, bytes, int], Found], position: Position, rules: Rules, budget: Budget) -> Found:
    """What a solver finds about a position within a limit of nodes, 0 for none; the last of it is the nodes that it took."""
    packed, nodes = position.packed, budget.nodes or 0
    if budget.seconds is not None or budget.cancel is not None:
        with solver_within(budget, rules) as solver:
            return question(solver, packed, nodes)
    table_mib = budget.mib(TABLE_MIB)
    kind, kept = (rules.code, table_mib), _kept.solvers
    solver = kept.pop(kind) if kind in kept else _new_solver(rules, table_mib)
    found = question(solver, packed, nodes)
    if found[-1] <= _MOST_KEPT:
        kept[kind] = solver
    return found


def _new_solver(rules: Rules, table_mib: int, stop: bytearray | None = None) -> Solver:
    with allocating(table_mib):
        return Solver(rules.code, table_mib << 20, stop)


def endgame_bounds(position: Position, rules: Rules = PUBLISHED, budget: Budget = UNLIMITED) -> Bounds:
    """The bounds of the value of an endgame that can be proved within `budget`.

    >>> endgame_bounds(Position.parse("13,43,47,49,62,63,67,69,75 16,17,38,53,54,74,76,77,83 52"), budget=Budget(nodes=1))
    Bounds(lowest=-1, highest=2, nodes=1)
    """
    bounds = Bounds(*_ask(_VALUE, position, rules, budget))
    check_bounds(int, position, rules, bounds)
    return bounds


def value(position: Position | str, rules: Rules = PUBLISHED, budget: Budget = UNLIMITED) -> int:
    """The mover's points minus the opponent's from here on, if both play for the difference (T12).

    0 if the round is over. Raises `NotSolvedError`, which carries the bounds, if the budget runs out.

    >>> value(Position.parse("15,43,44 21,53 51-62-35"))
    6
    """
    position = as_position(position)
    lowest, highest, nodes = _ask(_VALUE, position, as_rules(rules), budget)
    if lowest != highest:
        check_bounds(int, position, rules, Bounds(lowest, highest))
        raise NotSolvedError(position, lowest, highest, nodes)
    return lowest


def answer(
    game: Game[Position, Turn, Rules],
    position: Position,
    rules: Rules,
    budget: Budget = UNLIMITED,
    want: Collection[str] = QUICK,
) -> Answer[Position, Turn, Rules]:
    """As `Game.answer`. The nodes of the budget are for the value, for the line, and for the number of best turns."""
    if not want:
        return Answer(game, position, rules, endgame_bounds(position, rules, budget))
    low, high, nodes, count, codes, _ = _ask(_ANSWER, position, rules, budget)
    line = None
    if not codes or codes[-1] > 0:
        line = tuple(filter(None, turns_of_kernel(codes)))
    else:
        check_bounds(int, position, rules, Bounds(low, high))
        if codes[-1] == _ASTRAY:
            raise _astray(position, rules, low, codes[:-1])
    best = unpack_turn(codes[0]) if codes and codes[0] > 0 else None
    return searched(game, position, rules, Bounds(low, high, nodes), best, None if count < 0 else count, line)


def _astray(position: Position, rules: Rules, value: int, codes: Iterable[int]) -> ContradictionError:
    """codes: of a principal line that does not reach the value."""
    line = " | ".join(str(turn) for turn in turns_of_kernel(codes) if turn) or "no turn"
    return ContradictionError(position, rules, f"it is worth {value}, but the principal line is not: {line}")


def solve_many(
    positions: Many,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> I8s:
    """The value of each position: int8, shape (n,). positions: an array of `POSITION_DTYPE`, shape (n,).

    threads: None for one per core; each has a memory of at most `table_mib` MiB. progress: None for a bar on a terminal and lines
    in a log. Raises `PositionError`, which names the place in the array, if a position is not well-formed, and `ArrayError` for
    another dtype or shape.

    >>> from backtrick.take_that import pack
    >>> solve_many(pack([Position.parse("15,43,44 21,53 51-62-35")]))
    array([6], dtype=int8)
    """
    return answer_arrays(positions, (), rules, threads, progress, table_mib)[0]


def best_many(
    positions: Many,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> U8s:
    """The best turn of each position, the same as `best_turn`: uint8, shape (n,), for `unpack_turn`; 0 if there is none.

    >>> from backtrick.take_that import pack, unpack_turn
    >>> best = best_many(pack([Position.parse("15,43,44 21,53 51-62-35")]))
    >>> str(unpack_turn(best[0]))
    '44'
    """
    best = answer_arrays(positions, {BEST}, rules, threads, progress, table_mib)[1]
    assert best is not None
    return best


def optimal_many(
    positions: Many,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> U32s:
    """The number of best turns of each position, as `Answer.optimal`: uint32, shape (n,); 0 if the round is over.

    >>> from backtrick.take_that import pack
    >>> optimal_many(pack([Position.parse("15,43,44 21,53 51-62-35")]))
    array([1], dtype=uint32)
    """
    optimal = answer_arrays(positions, {OPTIMAL}, rules, threads, progress, table_mib)[2]
    assert optimal is not None
    return optimal


def lines_many(
    positions: Many,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> U8s:
    """The principal line of each position, the same as `Answer.line`: packed turns for `unpack_turn`, uint8, shape (n, 19).

    Zeros follow the last turn. The first column is what `best_many` gives.

    >>> from backtrick.take_that import pack, unpack_turn
    >>> [line] = lines_many(pack([Position.parse("15,43,44 21,53 51-62-35")]))
    >>> [str(unpack_turn(turn)) for turn in line if turn]
    ['44', '53x35', '43', 'take']
    """
    lines = answer_arrays(positions, {LINE}, rules, threads, progress, table_mib)[3]
    assert lines is not None
    return lines


def answer_array(
    game: Game[Position, Turn, Rules], positions: Positions, options: SolveOptions[Position, Rules]
) -> Answers[Position, Turn, Rules]:
    """As `Game.answer_array`."""
    if not game.solves_arrays(options):
        return Game.answer_array(game, positions, options)
    mib, highest = options.budget.mib(TABLE_MIB), np.empty(len(positions), np.int8)
    with deadline(options.budget) as stop:
        asked = positions, options.want, options.rules, options.threads, False, mib, stop, highest
        values, best, optimal, lines, left = answer_arrays(*asked)
    found = Answers.searched(game, options.rules, positions, values, best, optimal, lines)
    if not left.any():
        return found
    counts = None if optimal is None else np.where(left, -1, optimal.astype(np.int64))
    lengths = None if found.lengths is None else np.where(left, -1, found.lengths)
    return replace(found, highest=highest, nodes=np.zeros(len(left), np.int64), optimal=counts, lengths=lengths)


def answer_arrays(
    positions: Positions,
    want: Collection[str],
    rules: Rules,
    threads: int | None = None,
    progress: bool | None = False,
    table_mib: int = TABLE_MIB,
    stop: bytearray | None = None,
    highest: I8s | None = None,
) -> tuple[I8s, U8s | None, U32s | None, U8s | None, Bools]:
    """The values; the best turns, numbers of best turns, and principal lines, each None if it is not in `want`, from one search
    of each position; and True where it was stopped: there the value is the least that is possible, and zeros stand for the rest.
    Raises as `solve_many` does.

    stop: ends the work early when its byte is set. highest: is filled with the greatest possible values.
    """
    positions, rules = as_array(positions), as_rules(rules)
    packed, count = bytes_of(positions), len(positions)
    values = np.zeros(count, np.int8)
    lines = np.zeros((count, LONGEST_PLAY), np.uint8) if LINE in want else None
    best = np.zeros(count, np.uint8) if BEST in want and lines is None else None
    optimal = np.zeros(count, np.uint32) if OPTIMAL in want else None
    table_mib = Budget(table_mib=table_mib).mib(TABLE_MIB)
    size = min(_LONGEST_SPAN, max(-(-count // _SPANS), _SHORTEST_SPAN))
    idle: SimpleQueue[Solver] = SimpleQueue()  # one solver for each thread at work
    left = np.zeros(count, bool)

    def work(first: int, last: int) -> int:
        try:
            solver = idle.get_nowait()
        except Empty:
            solver = _new_solver(rules, table_mib, stop)
        try:
            place = solver.solve_range(packed, values, best, lines, optimal, None, first, last)
            if highest is not None:
                highest[first:last] = values[first:last]
                for at in range(solver.left, last):
                    values[at], highest[at], _ = solver.value(packed[at])
                    left[at] = True
                    for part in (best, lines, optimal):
                        if part is not None:
                            part[at] = 0
        finally:
            idle.put(solver)
        if place <= _ASTRAY:
            at = _ASTRAY - place
            found = () if best is None else best[at : at + 1]
            if lines is not None:
                found = lines[at]
            raise _astray(unpack(positions[at : at + 1])[0], rules, int(values[at]), map(int, found))
        return place

    error = partial(error_at, positions)
    fill_ranges(work, count, threads=threads, progress=progress, what="solve", size=size, error=error)
    if BEST in want and lines is not None:
        best = lines[:, 0]
    return values, best, optimal, lines, left


# Turns, outcomes and grades


def legal_turns(position: Any, rules: Rules = PUBLISHED) -> list[Turn]:
    """Every legal turn of an endgame, a deal or a view: lays by card ascending, then twists by hand card ascending, then taking, by
    the card laid after it. A view has rules of its own.

    There are none if the round is over.

    >>> [str(turn) for turn in legal_turns(Position.parse("12,43,94 21 34-41-49"))]
    ['43', '43x34', '94x49', 'take']
    >>> print(*legal_turns("12,33,49 ?9 34-41-98 ?64"))
    take,12 take,33 take,49
    """
    if type(position) is not Position and (view := read_view("backtrick.take_that.state", position, as_rules(rules))):
        return referee.turns_of(view, view.rules)
    return referee.legal_turns(position, rules)


OUTCOME_DTYPE = np.dtype([("turn", "u1"), ("points", "i1"), ("value", "i1"), ("position", POSITION_DTYPE)])
"""A row of an outcome, in 100 bytes without padding: the packed turn, the points that it gives, the mover's value if it is
played, and the position after it, all zeros if the round is over."""


def outcome_rows(position: Position | str, rules: Rules = PUBLISHED, budget: Budget = UNLIMITED) -> Rows:
    """Every legal turn as a row of `OUTCOME_DTYPE`, in the order of `legal_turns`: shape (n,).

    Raises `NotSolvedError` if the budget does not suffice for all of them.

    >>> for row in outcome_rows(Position.parse("15,43,44 21,53 51-62-35")):
    ...     print(unpack_turn(row["turn"]), row["points"], row["value"], sep=" | ")
    43 | 0 | 4
    44 | 0 | 6
    15x51 | 2 | -1
    take | -3 | -3
    """
    position, rules = as_position(position), as_rules(rules)
    found, nodes = _ask(_TURN_VALUES, position, rules, budget)
    if any(low != high for _, low, high in found):
        for code, low, high in found:
            check_bounds(int, position, rules, Bounds(low, high), str(unpack_turn(code)))
        raise NotSolvedError(position, max(low for _, low, _ in found), max(high for _, _, high in found), nodes)
    rows = np.empty(len(found), OUTCOME_DTYPE)
    packed = np.frombuffer(position.packed, np.uint8).reshape(1, POSITION_DTYPE.itemsize)
    _solve.list_range(
        packed, np.array([0, len(rows)]), bytes_of(rows), 0, 1, rules.code
    )
    rows["value"] = [low for _, low, _ in found]
    return rows


def best_first(rows: Rows) -> Rows:
    """The rows of `outcome_rows`, best first; equal ones keep their order."""
    return rows[np.argsort(-rows["value"].astype(int), kind="stable")]


def outcomes_of(rows: Rows) -> tuple[Outcome[Position, Turn], ...]:
    """The outcomes of rows of `OUTCOME_DTYPE`."""
    turns = turns_of_kernel(rows["turn"].tolist())
    after = iter(positions_of_kernel(rows["position"][on := goes_on(rows["position"])]))
    places = [next(after) if there else None for there in on.tolist()]
    bounds = map(exactly, rows["value"].tolist())
    parts = zip(turns, bounds, places, rows["points"].tolist(), strict=True)
    return tuple(Outcome(cast(Turn, turn), *others) for turn, *others in parts)


def outcomes_many(
    positions: Many,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> tuple[Rows, I64s]:
    """The legal turns of each position with their values: rows of `OUTCOME_DTYPE`, and offsets, int64, shape (n + 1,).

    rows[offsets[i]:offsets[i + 1]] are the `outcome_rows` of position i, in the order of `legal_turns`. A row takes 100 bytes.
    Each position that a turn leads to is solved for itself. Raises as `solve_many` does.

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
    positions: Many,
    turns: ManyTurns,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> tuple[I8s, I8s]:
    """The value of each position before and after a turn: int8, shape (n,), both. Equal if no turn is better.

    positions: an array of `POSITION_DTYPE`; turns: packed as by `pack_turn`, uint8; shape (n,), both. Or columns or lists of
    texts, as `pack` and `pack_turns` take them. Raises `IllegalTurnError`, which names the place in the arrays and the rule, for
    a turn that is not legal, `PackedError` for a number that is not a turn, `PositionError` if a position is not well-formed,
    `LineError` for a text that is not one, and `ArrayError` for another dtype or shape.

    >>> positions = ["15,43,44 21,53 51-62-35"] * 2
    >>> grade_many(positions, ["44", "15x51"])
    (array([6, 6], dtype=int8), array([ 6, -1], dtype=int8))
    >>> grade_many(positions, ["44", "33"])
    Traceback (most recent call last):
    backtrick.errors.IllegalTurnError: illegal turn '33' at place 1 of the array: 33 is not in the mover's hand (T3)
    """
    positions = as_array(positions)
    points, following = play_many(positions, turns, threads, rules)
    before = solve_many(positions, threads, rules, progress, table_mib)
    after, _ = values_after(points, following, threads, rules, progress, table_mib)
    return before, after


def goes_on(following: Positions) -> np.ndarray:
    """True where a position is left after a turn; False where the round is over."""
    there: Bools = following["line"][:, 0] != 0
    return there


def values_after(
    points: np.ndarray,
    following: Positions,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> tuple[I8s, Bools]:
    """The mover's value once a turn is played, int8, and `goes_on`. points, following: as `play_many` returns them."""
    values, on = points.copy(), goes_on(following)
    values[on] -= solve_many(following[on], threads, rules, progress, table_mib)
    return values, on


def play_many(
    positions: Positions, turns: U8s, threads: int | None = None, rules: Rules = PUBLISHED
) -> tuple[I8s, Positions]:
    """The points that a packed turn gives in each position, int8, and the positions after it, all zeros if the round is over.

    Raises as `grade_many` does.
    """
    positions, turns = as_array(positions), np.ascontiguousarray(as_turns(turns, TURN_DTYPE, pack_turns))
    check_pairs(positions, turns)
    rules = as_rules(rules)
    packed, points = bytes_of(positions), np.empty(len(positions), np.int8)
    following = np.empty(len(positions), POSITION_DTYPE)

    def work(start: int, stop: int) -> int:
        return _solve.play_range(packed, turns, points, bytes_of(following), start, stop, rules.code)

    fill_ranges(work, len(positions), threads=threads, progress=False, error=partial(error_of_pair, positions, turns, rules))
    return points, following


def first_illegal(positions: Positions, turns: U8s, rules: Rules = PUBLISHED) -> int:
    """The first place whose position is not well-formed, or whose packed turn is not legal there; -1 if there is none."""
    points, following = np.empty(len(positions), np.int8), np.empty((len(positions), POSITION_DTYPE.itemsize), np.uint8)
    turns = np.ascontiguousarray(turns)
    return _solve.play_range(bytes_of(positions), turns, points, following, 0, len(positions), rules.code)


def error_of_pair(positions: Positions, turns: U8s, rules: Rules, place: int) -> BacktrickError:
    """The error for a place of the arrays that was refused."""
    if (fault := fault_of(positions, place)) is not None:
        return fault
    try:
        turn = unpack_turn(turns[place])
        if turn is None:
            return PackedError("packed turn", 0, "it stands for no turn", place)
        referee.play(unpack(positions[place : place + 1])[0], turn, rules)
    except (IllegalTurnError, PackedError) as error:
        return error.in_array(place)
    raise AssertionError(f"the kernel refused turn {place}, which is legal")


def count_outcomes_many(
    positions: Many, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> U32s:
    """The number of legal turns of each position, no two of which lead to the same: uint32, shape (n,). Raises as `solve_many`.

    >>> from backtrick.take_that import pack
    >>> count_outcomes_many(pack([Position.parse("15,43,44 21,53 51-62-35")]))
    array([4], dtype=uint32)
    """
    positions, rules = as_array(positions), as_rules(rules)
    packed, counts = bytes_of(positions), np.empty(len(positions), np.uint32)

    def count(start: int, stop: int) -> int:
        return _solve.count_range(packed, counts, start, stop, rules.code)

    error = partial(error_at, positions)
    fill_ranges(count, len(positions), threads=threads, progress=progress, what="outcomes", error=error)
    return counts


def _list_many(positions: Positions, threads: int | None, rules: Rules) -> tuple[Rows, I64s]:
    """The rows and offsets of `outcomes_many`, all but the values."""
    positions, rules = as_array(positions), as_rules(rules)
    packed, counts = bytes_of(positions), count_outcomes_many(positions, threads, rules, progress=False)
    offsets = np.zeros(len(positions) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    rows = np.empty(offsets[-1], OUTCOME_DTYPE)

    def fill(start: int, stop: int) -> int:
        return _solve.list_range(packed, offsets, bytes_of(rows), start, stop, rules.code)

    fill_ranges(fill, len(positions), threads=threads, progress=False)
    return rows, offsets
