"""Solving: the value of one position, of all its actions, the principal line, and arrays of positions on several threads.

All values are points, the mover's minus the opponent's from here on (T12). One position takes a search with a table of
remembered states of at most `table_mib` MiB, which is used as far as the position is hard, and given back.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from queue import Empty, SimpleQueue

import numpy as np

from solver.core.arrays import as_positions
from solver.core.batches import over_ranges
from solver.core.errors import BudgetError, IllegalActionError, NotSolvedError, PositionError
from solver.core.values import whole
from solver.take_that._solver import Solver
from solver.take_that.action import Action, unpack_action
from solver.take_that.options import OPENS, PUBLISHED, Rules
from solver.take_that.position import POSITION_DTYPE, Position, unpack
from solver.take_that.rules import objection, play

TABLE_MIB = 64
_MOST_NODES = 1 << 62  # as good as no limit
MOST_MIB = 1 << 24
_RANGES, _LONGEST_RANGE = 64, 512  # a hard position takes as long as ten thousand easy ones


@dataclass(frozen=True, slots=True)
class Budget:
    """How much work one answer may take: nodes searched, seconds by the clock (None: no limit), and MiB of remembered states.

    A node limit gives the same answer everywhere; a time limit does not. Raises `BudgetError` if a limit makes no sense.

    >>> Budget(nodes=1000)
    Budget(nodes=1000, seconds=None, table_mib=64)
    >>> Budget(seconds=0)
    Traceback (most recent call last):
    solver.core.errors.BudgetError: seconds is a number above 0, or None for no limit, not 0
    """

    nodes: int | None = None
    seconds: float | None = None
    table_mib: int = TABLE_MIB

    def __post_init__(self) -> None:
        nodes, seconds, table_mib = whole(self.nodes), self.seconds, whole(self.table_mib)
        if self.nodes is not None and (nodes is None or nodes < 1):
            raise BudgetError(f"nodes is a whole number above 0, or None for no limit, not {self.nodes!r}")
        if seconds is not None and not (isinstance(seconds, Real) and seconds > 0):
            raise BudgetError(f"seconds is a number above 0, or None for no limit, not {seconds!r}")
        if table_mib is None or not 0 <= table_mib <= MOST_MIB:
            raise BudgetError(f"table_mib is a whole number, 0..{MOST_MIB}, not {self.table_mib!r}")
        object.__setattr__(self, "nodes", None if nodes is None else min(nodes, _MOST_NODES))
        object.__setattr__(self, "seconds", None if seconds is None else float(min(seconds, threading.TIMEOUT_MAX)))
        object.__setattr__(self, "table_mib", table_mib)

    @contextmanager
    def solver(self, rules: Rules) -> Iterator[Solver]:
        """A solver that stops when the seconds are over."""
        stop = bytearray(1)
        solver = _new_solver(rules, self.table_mib, stop)
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


def _new_solver(rules: Rules, table_mib: int, stop: bytearray | None = None) -> Solver:
    try:
        return Solver(rules.forced_only, rules.empty_line == OPENS, table_mib << 20, stop)
    except MemoryError:
        raise BudgetError(f"no room for a table of {table_mib} MiB") from None


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
class RankedAction:
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

    source: where the value is from, 'search' or 'set NAME'.

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
    source: str = "search"

    @cached_property
    def actions(self) -> tuple[RankedAction, ...]:
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


def _ranked(position: Position, rules: Rules, budget: Budget) -> tuple[RankedAction, ...]:
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
        ranked.append(RankedAction(action, points, low, following))
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
    """What an action was worth: the mover's value before it, and the mover's value once it is played, its points included.

    source: where the two are from, 'search' or the names of solved sets.
    """

    before: int
    after: int
    source: str = "search"

    @property
    def loss(self) -> int:
        """The points given away."""
        return self.before - self.after

    @property
    def optimal(self) -> bool:
        """True if no action was better."""
        return self.before == self.after

    @property
    def verdict(self) -> str:
        """'optimal', or 'gives n points away'."""
        return "optimal" if self.optimal else f"gives {self.loss} point{'s' * (self.loss != 1)} away"


def grade(position: Position, action: Action, rules: Rules = PUBLISHED, budget: Budget = UNLIMITED) -> Grade:
    """What an action was worth. Raises `IllegalActionError` that names the rule.

    >>> grade(Position.parse("15,43,44 21,53 51-62-35"), Action.parse("15x51")).verdict
    'gives 7 points away'
    """
    wrong = objection(position, action, rules)
    if wrong:
        raise IllegalActionError(action, *wrong)
    actions = _ranked(position, rules, budget)
    return Grade(actions[0].value, next(ranked.value for ranked in actions if ranked.action == action))


def solve_many(
    positions: np.ndarray,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    table_mib: int = TABLE_MIB,
) -> np.ndarray:
    """The value of each position: an array of `POSITION_DTYPE`, shape (n,), gives int8, shape (n,).

    threads: None for as many as there are cores; each has a table of `table_mib` MiB. progress: None for a bar on a
    terminal and lines in a log. Raises `PositionError` that names the place in the array if a position is not well-formed, and
    `ArrayError` for another dtype or shape.

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
) -> tuple[np.ndarray, np.ndarray]:
    """The values as `solve_many` finds them, and the best actions as `best_action` does: uint8, shape (n,), to be read by
    `unpack_action`; 0 is none.

    >>> from solver.take_that import pack, unpack_action
    >>> values, best = best_many(pack([Position.parse("15,43,44 21,53 51-62-35")]))
    >>> values, str(unpack_action(best[0]))
    (array([6], dtype=int8), '44')
    """
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
    packed = np.ascontiguousarray(positions).view(np.uint8).reshape(len(positions), POSITION_DTYPE.itemsize)
    values = np.zeros(len(positions), np.int8)
    Budget(table_mib=table_mib)
    size = min(_LONGEST_RANGE, -(-len(positions) // _RANGES))
    idle: SimpleQueue[Solver] = SimpleQueue()  # as many solvers as threads ever work at once

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
        raise _ill_formed(positions, place)
    return values


def _ill_formed(positions: np.ndarray, place: int) -> PositionError:
    try:
        unpack(positions[place : place + 1])
    except PositionError as error:
        return PositionError(error.number, f"position {place} of the array, {error.place}", error.problem, error.rule)
    problem = "a hand is not ascending, or a card stands after the fill"
    return PositionError(None, f"position {place} of the array", problem, "POSITION_DTYPE")
