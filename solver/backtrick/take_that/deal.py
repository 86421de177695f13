"""Solving deals: the exact difference if all cards are known, and the draw pile in its order; or bounds within a budget.

docs/take_that_deals.md says how. An endgame is a deal too, with an empty pile.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor

from backtrick.answer import SEARCH, Answer, Bounds, Outcome
from backtrick.game import LINE, OUTCOMES, Game
from backtrick.take_that._deal import DealSolver, SharedTable
from backtrick.take_that.position import Position
from backtrick.take_that.rule_options import OPENS, Rules, cost
from backtrick.take_that.rules import after, legal_turns, play, successors
from backtrick.take_that.turn import Turn, pack_turn, unpack_turn
from backtrick.work import DEAL_MIB, TEAM_MIB, Budget, allocating

EASY = 200_000
"""The nodes that a deal gets in one thread before others join: easy deals are solved by then."""

_MOST_LIVE = 63  # cards in hands and pile that the kernel takes; no search would get anywhere with more
_OPENING = 256  # in the codes of the kernel, taking and laying a card as the first of a new line


def answer_by(solver: Solver, position: Position, nodes: int) -> tuple[Bounds, Turn | None]:
    """The bounds of the value, and the first turn that is worth it: None if the deal is not solved, if no limit left room to find
    one, and if there is no turn. nodes: the limit, 0 for none. An endgame is a deal too.

    >>> from backtrick.work import UNLIMITED
    >>> solver, deal = new_solver(Rules(), UNLIMITED, bytearray(1)), Position.parse("12,43,94 21 34-41-49 22,33")
    >>> answer_by(solver, deal, 0)
    (Bounds(lowest=10, highest=10, nodes=16), <Turn 43>)
    """
    if _is_too_large(position):
        most = _most(position)
        return Bounds(-most, most), None
    lowest, highest, spent, code = solver.value(*_packed(position), nodes, True)
    return Bounds(lowest, highest, spent), None if code is None else _turn(code)


def outcomes_by(solver: Solver, position: Position, rules: Rules, nodes: int) -> tuple[Outcome[Position, Turn], ...]:
    """Every turn: the best first, by lowest value and then by highest; else in the order of `legal_turns`. nodes: the limit for
    all together, 0 for none."""
    found = []
    if _is_too_large(position):
        for turn, points, following in successors(position, rules):
            most = 0 if following is None else _most(following)
            found.append(Outcome(turn, Bounds(points - most, points + most), following, points))
        return tuple(found)
    for code, lowest, highest, spent in solver.turn_values(*_packed(position), nodes):
        points, following = play(position, _turn(code), rules)
        found.append(Outcome(_turn(code), Bounds(lowest, highest, spent), following, points))
    return tuple(sorted(found, key=lambda one: (-int(one.bounds.lowest), -int(one.bounds.highest))))


def line_by(solver: Solver, position: Position, rules: Rules, nodes: int) -> Iterator[tuple[Turn, Position | None]]:
    """A line of best turns on both sides, from a solved deal to the end of the round: each turn, and the position after it.

    The points of the line add up to the value. nodes: the limit for all together, 0 for none. The line ends early where it is met;
    it is empty if the deal itself is not solved.
    """
    spent = 0
    following: Position | None = position
    while following is not None and (not nodes or spent < nodes):
        bounds, turn = answer_by(solver, following, max(nodes - spent, 0))
        spent += bounds.nodes
        if turn is None:
            return
        following = after(following, turn, rules)
        yield turn, following


class DealTeam:
    """Solvers that search a deal together, each in a thread of its own, once it has turned out not to be easy. It does what a
    `DealSolver` does.

    >>> team, deal = DealTeam(Rules(), 1 << 20, 2, bytearray(1)), Position.parse("12,43,94 21 34-41-49 22,33")
    >>> answer_by(team, deal, 0)
    (Bounds(lowest=10, highest=10, nodes=16), <Turn 43>)
    """

    def __init__(self, rules: Rules, table_bytes: int, threads: int, stop: bytearray):
        self._rules, self._bytes, self._threads, self._stop = rules, table_bytes, threads, stop
        self._alone = _solver(rules, table_bytes, stop)

    def value(self, packed: bytes, pile: bytes, nodes: int = 0, want_turn: bool = False) -> tuple[int, int, int, int | None]:
        """As `DealSolver.value`. The nodes are those of all threads together."""
        alone = self._alone.value(packed, pile, min(nodes or EASY, EASY), want_turn)
        if alone[2] < EASY or 0 < nodes <= EASY:
            return alone
        with allocating(self._bytes >> 20):
            shared = SharedTable(self._bytes)
        each = -(-(nodes - EASY) // self._threads) if nodes else 0

        def work(number: int) -> tuple[int, int, int, int | None]:
            return _solver(self._rules, 1, self._stop, shared).value(packed, pile, each, want_turn)

        with ThreadPoolExecutor(self._threads) as pool:
            found = [alone, *pool.map(work, range(self._threads))]
        turn = next((turn for *_, turn in found if turn is not None), None)
        return max(one[0] for one in found), min(one[1] for one in found), sum(one[2] for one in found), turn

    def turn_values(self, packed: bytes, pile: bytes, nodes: int = 0) -> list[tuple[int, int, int, int]]:
        """As `DealSolver.turn_values`, in one thread: the turns share their results."""
        return self._alone.turn_values(packed, pile, nodes)


Solver = DealSolver | DealTeam


def _solver(rules: Rules, table_bytes: int, stop: bytearray, shared: SharedTable | None = None) -> DealSolver:
    return DealSolver(rules.forced_only, rules.empty_line == OPENS, table_bytes, stop=stop, shared=shared)


def new_solver(rules: Rules, budget: Budget, stop: bytearray) -> Solver:
    """A solver with the memory that the budget allows. Raises `BudgetError` if there is no room for it."""
    if budget.search_threads == 1:
        return one_solver(rules, budget, stop)
    table_mib = budget.mib(TEAM_MIB)
    with allocating(table_mib):
        return DealTeam(rules, table_mib << 20, budget.search_threads, stop)


def one_solver(rules: Rules, budget: Budget, stop: bytearray) -> DealSolver:
    """As `new_solver`, in one thread."""
    table_mib = budget.mib(DEAL_MIB)
    with allocating(table_mib):
        return _solver(rules, table_mib << 20, stop)


def _is_too_large(position: Position) -> bool:
    return len(position.mover) + len(position.opponent) + len(position.pile) > _MOST_LIVE


def _most(position: Position) -> int:
    """No value of a position is further from 0: each card gives at most its cost to one of the two."""
    return cost(position.mover + position.opponent + position.line + position.pile)


def _packed(position: Position) -> tuple[bytes, bytes]:
    """The endgame without the pile, and the pile."""
    return Position(position.mover, position.opponent, position.line).packed, bytes(position.pile)


def code_of(turn: Turn) -> int:
    """The number of a turn in the kernel."""
    return pack_turn(turn) if turn.opening is None else _OPENING + turn.opening


def _turn(code: int) -> Turn:
    if code >= _OPENING:
        return Turn(opening=code - _OPENING)
    turn = unpack_turn(code)
    assert turn is not None
    return turn


# Answers in the common form.


def answer_deal(
    game: Game[Position, Turn, Rules], position: Position, rules: Rules, budget: Budget, want: Collection[str], stop: bytearray
) -> Answer[Position, Turn, Rules]:
    """The value or its bounds, the first of the best turns, and the wanted parts."""
    solver, nodes = new_solver(rules, budget, stop), budget.nodes or 0
    bounds, best = answer_by(solver, position, nodes)
    line, outcomes, optimal = None, None, None
    if OUTCOMES in want:
        outcomes = outcomes_by(solver, position, rules, nodes)
        if bounds.solved and all(one.solved for one in outcomes):
            optimal = sum(one.bounds == bounds for one in outcomes)
    if LINE in want and bounds.solved:
        played = list(line_by(solver, position, rules, nodes))
        last = played[-1][1] if played else position
        if last is None or not legal_turns(last, rules):
            line = tuple(turn for turn, _ in played)
    if best is None and bounds.solved and not legal_turns(position, rules):
        line = ()
    return Answer(game, position, rules, bounds, SEARCH, best, optimal, line, outcomes)


def outcomes_of_deal(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> tuple[Outcome[Position, Turn], ...]:
    """Every turn, best first; where the budget did not suffice, by the lowest that it can be worth."""
    return outcomes_by(new_solver(rules, budget, stop), position, rules, budget.nodes or 0)
