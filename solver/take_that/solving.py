"""Solving: the value of one position and of all its actions, and of arrays of positions on several threads.

All values are points, the mover's minus the opponent's from here on (T12). The search has a memory of states of at most
`table_mib` MiB, of which an easy position uses little. A thread keeps its solver for the next easy position; a hard one gives
its memory back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import numpy as np

from solver.core.arrays import as_positions
from solver.core.batches import over_ranges
from solver.core.budget import TABLE_MIB, UNLIMITED, Bounds, Budget
from solver.core.errors import NotSolvedError
from solver.core.searches import room_for
from solver.take_that._solver import Solver
from solver.take_that.options import OPENS, PUBLISHED, Rules
from solver.take_that.position import POSITION_DTYPE, Position, bytes_of, objection

Found = TypeVar("Found", bound=tuple[Any, ...])

_RANGES, _LONGEST_RANGE = 64, 512  # short, because a hard position can take as long as ten thousand easy ones


@contextmanager
def solver_within(budget: Budget, rules: Rules) -> Iterator[Solver]:
    """Yields a solver that stops when the seconds of the budget are over, or when its work is cancelled."""
    stop = bytearray(1)
    solver = _new_solver(rules, budget.mib(TABLE_MIB), stop)
    with budget.cancel.watched(stop) if budget.cancel else nullcontext():
        if budget.seconds is None:
            yield solver
            return
        timer = threading.Timer(budget.seconds, stop.__setitem__, (0, 1))
        timer.daemon = True
        timer.start()
        try:
            yield solver
        finally:
            timer.cancel()


class _Kept(threading.local):
    """A solver for each kind of question that this thread asked: making one takes longer than most answers."""

    def __init__(self) -> None:
        self.solvers: dict[tuple[bool, str, int], Solver] = {}


_kept = _Kept()
_VALUE, _ACTION_VALUES = Solver.value, Solver.action_values
_MOST_KEPT = 10_000  # nodes; a solver that has searched more has touched much of its table, and gives it back


def _ask(question: Callable[[Solver, bytes, int], Found], position: Position, rules: Rules, budget: Budget) -> Found:
    """What a solver finds about a position within a limit of nodes, 0 for none; the last of it is the nodes that it took."""
    packed, nodes = position.packed, budget.nodes or 0
    if budget.seconds is not None or budget.cancel is not None:
        with solver_within(budget, rules) as solver:
            return question(solver, packed, nodes)
    table_mib = budget.mib(TABLE_MIB)
    kind, kept = (rules.forced_only, rules.empty_line, table_mib), _kept.solvers
    solver = kept.pop(kind) if kind in kept else _new_solver(rules, table_mib)
    found = question(solver, packed, nodes)
    if found[-1] <= _MOST_KEPT:
        kept[kind] = solver
    return found


def _new_solver(rules: Rules, table_mib: int, stop: bytearray | None = None) -> Solver:
    with room_for(table_mib):
        return Solver(rules.forced_only, rules.empty_line == OPENS, table_mib << 20, stop)


def bounds(position: Position, rules: Rules = PUBLISHED, budget: Budget = UNLIMITED) -> Bounds:
    """The bounds of the value of `position` that can be proved within `budget`.

    >>> bounds(Position.parse("15,43,44 21,53 51-62-35")).lowest
    6
    >>> bounds(Position.parse("13,43,47,49,62,63,67,69,75 16,17,38,53,54,74,76,77,83 52"), budget=Budget(nodes=1))
    Bounds(lowest=-1, highest=2, nodes=1)
    """
    return Bounds(*_ask(_VALUE, position, rules, budget))


def value(position: Position, rules: Rules = PUBLISHED, budget: Budget = UNLIMITED) -> int:
    """The mover's points minus the opponent's from here on, if both play for the difference (T12).

    0 if the round is over. Raises `NotSolvedError`, which carries the bounds, if the budget runs out.

    >>> value(Position.parse("15,43,44 21,53 51-62-35"))
    6
    """
    lowest, highest, nodes = _ask(_VALUE, position, rules, budget)
    if lowest != highest:
        raise NotSolvedError(position, lowest, highest, nodes)
    return lowest


def action_bounds(
    position: Position, rules: Rules = PUBLISHED, budget: Budget = UNLIMITED
) -> tuple[list[tuple[int, int, int]], int]:
    """Every legal action in the order of `legal_actions`, packed, with bounds of its value, and the nodes searched for them all.

    >>> action_bounds(Position.parse("15,43,44 21,53 51-62-35"))[0]
    [(43, 4, 4), (44, 6, 6), (143, -1, -1), (1, -3, -3)]
    """
    return _ask(_ACTION_VALUES, position, rules, budget)


def solve_many(
    positions: np.ndarray,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> np.ndarray:
    """The value of each position: int8, shape (n,). positions: an array of `POSITION_DTYPE`, shape (n,).

    threads: None for one a core; each has a memory of at most `table_mib` MiB. progress: None for a bar on a terminal and lines
    in a log. Raises `PositionError`, which names the place in the array, if a position is not well-formed, and `ArrayError` for
    another dtype or shape.

    >>> from solver.take_that import pack
    >>> solve_many(pack([Position.parse("15,43,44 21,53 51-62-35")]))
    array([6], dtype=int8)
    """
    return _solve_ranges(positions, threads, rules, progress, table_mib, None)


def best_many(
    positions: np.ndarray,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> np.ndarray:
    """The best action of each position, the same as `best_turn`: uint8, shape (n,), for `unpack_action`; 0 if there is none.

    >>> from solver.take_that import pack, unpack_action
    >>> best = best_many(pack([Position.parse("15,43,44 21,53 51-62-35")]))
    >>> str(unpack_action(best[0]))
    '44'
    """
    return values_and_best_many(positions, threads, rules, progress, table_mib)[1]


def values_and_best_many(
    positions: np.ndarray,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> tuple[np.ndarray, np.ndarray]:
    """The arrays that `solve_many` and `best_many` return, from one search of each position."""
    best = np.zeros(len(as_positions(positions, POSITION_DTYPE)), np.uint8)
    return _solve_ranges(positions, threads, rules, progress, table_mib, best), best


def _solve_ranges(
    positions: np.ndarray,
    threads: int | None,
    rules: Rules,
    progress: bool | None,
    table_mib: int,
    best: np.ndarray | None,
) -> np.ndarray:
    positions = as_positions(positions, POSITION_DTYPE)
    packed = bytes_of(positions)
    values = np.zeros(len(positions), np.int8)
    table_mib = Budget(table_mib=table_mib).mib(TABLE_MIB)
    size = min(_LONGEST_RANGE, -(-len(positions) // _RANGES))
    idle: SimpleQueue[Solver] = SimpleQueue()  # as many solvers as threads work at once

    def work(start: int, stop: int) -> int:
        try:
            solver = idle.get_nowait()
        except Empty:
            solver = _new_solver(rules, table_mib)
        try:
            return solver.solve_range(packed, values, best, None, start, stop)
        finally:
            idle.put(solver)

    place = over_ranges(work, len(positions), threads=threads, progress=progress, what="solve", size=size)
    if place >= 0:
        raise objection(positions, place)
    return values
