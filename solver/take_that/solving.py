"""Solving: the value of one position, of all its actions, the principal line, and arrays of positions on several threads.

All values are points, the mover's minus the opponent's from here on (T12). One position takes a search with a table of
remembered states of at most `table_mib` MiB, which is used as far as the position is hard, and given back.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from queue import SimpleQueue

import numpy as np

from solver.errors import IllegalActionError, NotSolvedError, PositionError
from solver.take_that._solver import Solver
from solver.take_that.action import Action, unpack_action
from solver.take_that.options import OPENS, PUBLISHED, Rules
from solver.take_that.position import POSITION_DTYPE, Position, unpack
from solver.take_that.rules import objection, play

TABLE_MIB = 64
_CHUNK = 2048


@dataclass(frozen=True, slots=True)
class Budget:
    """How much work one answer may take: nodes searched, seconds by the clock (None: no limit), and MiB of remembered states.

    A node limit gives the same answer everywhere; a time limit does not.

    >>> Budget(nodes=1000)
    Budget(nodes=1000, seconds=None, table_mib=64)
    """

    nodes: int | None = None
    seconds: float | None = None
    table_mib: int = TABLE_MIB

    def __post_init__(self) -> None:
        for name, limit in (("nodes", self.nodes), ("seconds", self.seconds)):
            if limit is not None and not limit > 0:
                raise ValueError(f"{name} is above 0, or None for no limit, not {limit}")
        if self.table_mib < 0:
            raise ValueError(f"table_mib is 0 or more, not {self.table_mib}")

    @contextmanager
    def solver(self, rules: Rules) -> Iterator[Solver]:
        """A solver that stops when the seconds are over."""
        stop = bytearray(1)
        solver = Solver(rules.forced_only, rules.empty_line == OPENS, self.table_mib << 20, stop)
        if self.seconds is None:
            yield solver
            return
        timer = threading.Timer(self.seconds, stop.__setitem__, (0, 1))
        timer.daemon = True
        timer.start()
        try:
            yield solver
        finally:
            timer.cancel()


UNLIMITED = Budget()


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known of a value: it is within [lowest, highest]; solved if the two are equal. `nodes`: what it took."""

    lowest: int
    highest: int
    nodes: int

    @property
    def solved(self) -> bool:
        """True if the value is known."""
        return self.lowest == self.highest


def bounds(position: Position, rules: Rules = PUBLISHED, budget: Budget = UNLIMITED) -> Bounds:
    """What can be said of the value of `position` within `budget`. Both ends are proved.

    >>> bounds(Position.parse("15,43,44 21,53 51-62-35")).lowest
    6
    >>> bounds(Position.parse("13,43,47,49,62,63,67,69,75 16,17,38,53,54,74,76,77,83 52"), budget=Budget(nodes=1))
    Bounds(lowest=-1, highest=2, nodes=1)
    """
    with budget.solver(rules) as solver:
        return Bounds(*solver.value(position.packed, budget.nodes or 0))


def value(position: Position, rules: Rules = PUBLISHED, budget: Budget = UNLIMITED) -> int:
    """The mover's points minus the opponent's from here on, both playing for the difference (T12).

    0 if the round is over. Raises `NotSolvedError`, which carries the bounds, if the budget runs out.

    >>> value(Position.parse("15,43,44 21,53 51-62-35"))
    6
    """
    known = bounds(position, rules, budget)
    if not known.solved:
        raise NotSolvedError(position, known.lowest, known.highest, known.nodes)
    return known.lowest


@dataclass(frozen=True, slots=True)
class Ranked:
    """A legal action: the points it gives the mover, the value of playing it, and the position after it (None: round over)."""

    action: Action
    points: int
    value: int
    position: Position | None


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a line: the points it gives who acts, and the first mover's points minus the other's after it."""

    action: Action
    points: int
    balance: int


@dataclass(frozen=True)
class Solution:
    """A solved position. What takes more work than `value` is worked out when it is asked for, within the same budget.

    >>> solution = solve(Position.parse("15,43,44 21,53 51-62-35"))
    >>> solution.value, str(solution.best), solution.optimal
    (6, '44', 1)
    >>> [(str(step.action), step.points, step.balance) for step in solution.line]
    [('44', 0, 0), ('53x35', 2, -2), ('43', 0, -2), ('take', -8, 6)]
    """

    position: Position
    rules: Rules
    value: int
    nodes: int
    budget: Budget = field(default=UNLIMITED, repr=False)

    @cached_property
    def actions(self) -> tuple[Ranked, ...]:
        """Every legal action, best first; equal ones in the order of `legal_actions`: lays, twists, taking."""
        return _ranked(self.position, self.rules, self.budget)

    @property
    def best(self) -> Action | None:
        """The first of the best actions; None if the round is over."""
        return self.actions[0].action if self.actions else None

    @property
    def optimal(self) -> int:
        """How many actions are worth the value."""
        return sum(ranked.value == self.value for ranked in self.actions)

    @cached_property
    def line(self) -> tuple[Step, ...]:
        """The principal line: both sides play their first best action until the round is over. The last balance is the value."""
        steps: list[Step] = []
        balance, sign, ranked = 0, 1, self.actions
        while ranked:
            best = ranked[0]
            balance += sign * best.points
            steps.append(Step(best.action, best.points, balance))
            ranked = _ranked(best.position, self.rules, self.budget) if best.position else ()
            sign = -sign
        return tuple(steps)


def _ranked(position: Position, rules: Rules, budget: Budget) -> tuple[Ranked, ...]:
    with budget.solver(rules) as solver:
        found, nodes = solver.action_values(position.packed, budget.nodes or 0)
    lowest = max((low for _, low, _ in found), default=0)
    highest = max((high for _, _, high in found), default=0)
    ranked = []
    for code, low, high in found:
        if low != high:
            raise NotSolvedError(position, lowest, highest, nodes)
        action = unpack_action(code)
        assert action is not None
        points, following = play(position, action, rules)
        ranked.append(Ranked(action, points, low, following))
    ranked.sort(key=lambda entry: -entry.value)  # stable: equal ones stay in the order of `legal_actions`
    return tuple(ranked)


def solve(position: Position, rules: Rules = PUBLISHED, budget: Budget = UNLIMITED) -> Solution:
    """The exact value of `position`, and on demand every action, the best ones and the principal line.

    Raises `NotSolvedError` if the budget runs out.

    >>> for ranked in solve(Position.parse("15,43,44 21,53 51-62-35")).actions:
    ...     print(ranked.action, ranked.points, ranked.value, ranked.position)
    44 0 6 21,53 15,43 51-62-35-44
    43 0 4 21,53 15,44 51-62-35-43
    15x51 2 -1 21,53 43,44 62-35
    take -3 -3 None
    """
    known = bounds(position, rules, budget)
    if not known.solved:
        raise NotSolvedError(position, known.lowest, known.highest, known.nodes)
    return Solution(position, rules, known.lowest, known.nodes, budget)


def best_action(position: Position, rules: Rules = PUBLISHED, budget: Budget = UNLIMITED) -> Action | None:
    """The first of the best actions in the order of `legal_actions`; None if the round is over.

    >>> str(best_action(Position.parse("15,43,44 21,53 51-62-35")))
    '44'
    """
    return solve(position, rules, budget).best


@dataclass(frozen=True, slots=True)
class Grade:
    """How good an action was: its value, the best action and its value, and the points given away."""

    action: Action
    value: int
    best: Action
    best_value: int

    @property
    def loss(self) -> int:
        """The points given away; 0 for an action as good as the best."""
        return self.best_value - self.value


def grade(position: Position, action: Action, rules: Rules = PUBLISHED, budget: Budget = UNLIMITED) -> Grade:
    """The grade of `action` in `position`. Raises `IllegalActionError` that names the rule.

    >>> graded = grade(Position.parse("15,43,44 21,53 51-62-35"), Action.parse("15x51"))
    >>> graded.value, str(graded.best), graded.loss
    (-1, '44', 7)
    """
    wrong = objection(position, action, rules)
    if wrong:
        raise IllegalActionError(action, *wrong)
    actions = _ranked(position, rules, budget)
    played = next(ranked for ranked in actions if ranked.action == action)
    return Grade(action, played.value, actions[0].action, actions[0].value)


Progress = Callable[[int, int], None]
"""Called from time to time with the positions done and the positions in all."""


def solve_many(
    array: np.ndarray,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: Progress | None = None,
    table_mib: int = TABLE_MIB,
) -> np.ndarray:
    """The values of an array of `POSITION_DTYPE`, shape (n,), as int8, shape (n,). Each thread has a table of `table_mib` MiB.

    Raises `PositionError` if one is not well-formed. The answer does not depend on `threads` (None: one a core).

    >>> from solver.take_that.position import pack
    >>> solve_many(pack([Position.parse("15,43,44 21,53 51-62-35")]))
    array([6], dtype=int8)
    """
    values = np.zeros(len(array), np.int8)
    _solve_ranges(array, threads, rules, progress, table_mib, values, None)
    return values


def best_many(
    array: np.ndarray,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: Progress | None = None,
    table_mib: int = TABLE_MIB,
) -> tuple[np.ndarray, np.ndarray]:
    """The values as `solve_many` gives them, and the best actions as `pack_action` codes them, uint8; 0 for none.

    >>> from solver.take_that.position import pack
    >>> values, best = best_many(pack([Position.parse("15,43,44 21,53 51-62-35")]))
    >>> values, str(unpack_action(best[0]))
    (array([6], dtype=int8), '44')
    """
    values, best = np.zeros(len(array), np.int8), np.zeros(len(array), np.uint8)
    _solve_ranges(array, threads, rules, progress, table_mib, values, best)
    return values, best


def _solve_ranges(
    array: np.ndarray,
    threads: int | None,
    rules: Rules,
    progress: Progress | None,
    table_mib: int,
    values: np.ndarray,
    best: np.ndarray | None,
) -> None:
    if array.dtype != POSITION_DTYPE or array.ndim != 1:
        raise TypeError(f"expected a one-dimensional array of POSITION_DTYPE, not of {array.dtype} with shape {array.shape}")
    packed = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), POSITION_DTYPE.itemsize)
    if threads is not None and threads < 1:
        raise ValueError(f"threads is 1 or more, or None for one a core, not {threads}")
    threads = threads or os.cpu_count() or 1
    stop = bytearray(1)
    solvers: SimpleQueue[Solver] = SimpleQueue()
    for _ in range(threads):
        solvers.put(Solver(rules.forced_only, rules.empty_line == OPENS, table_mib << 20, stop))

    def work(first: int) -> int:
        solver = solvers.get()
        try:
            return solver.solve_range(packed, values, best, None, first, min(first + _CHUNK, len(packed)))
        finally:
            solvers.put(solver)

    with ThreadPoolExecutor(threads) as pool:
        try:
            for done, wrong in enumerate(pool.map(work, range(0, len(packed), _CHUNK)), 1):
                if wrong >= 0:
                    raise _ill_formed(array, wrong)
                if progress:
                    progress(min(done * _CHUNK, len(packed)), len(packed))
        except BaseException:
            stop[0] = 1  # so that an interrupt does not wait for what is under way
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _ill_formed(array: np.ndarray, row: int) -> PositionError:
    try:
        unpack(array[row : row + 1])
    except PositionError as error:
        return PositionError(error.number, f"{error.place} of row {row}", error.problem, error.rule)
    return PositionError(None, f"row {row}", "a hand is not ascending, or a card stands after the fill", "POSITION_DTYPE")
