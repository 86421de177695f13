"""Solving deals: the exact difference if all cards are known, and the draw pile in its order; or bounds within a budget.

docs/take_that_deals.md says how. An endgame is a deal too, with an empty pile.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from backtrick.answer import SEARCH, Answer, Bounds, Outcome
from backtrick.game import LINE, OUTCOMES, Game
from backtrick.take_that._deal import DealSolver
from backtrick.take_that.options import OPENS, PUBLISHED, Rules, cost
from backtrick.take_that.position import Position
from backtrick.take_that.rules import after, legal_actions, play, successors
from backtrick.take_that.turn import Action, pack_action, unpack_action
from backtrick.work import DEAL_MIB, Budget, allocating, deadline, search_all

DEAL_BUDGET = Budget(table_mib=DEAL_MIB)
"""No limit but 256 MiB of memory a solver."""

_MOST_LIVE = 63  # cards in hands and pile that the kernel takes; no search would get anywhere with more
_OPENING = 256  # in the codes of the kernel, taking and laying a card as the first of a new line


@dataclass(frozen=True, slots=True)
class DealAnswer:
    """What is known of a deal: the mover's points minus the opponent's from here on are within [lowest, highest] (T12).

    lowest, highest: equal if the deal is solved
    nodes:           states searched; equal on every machine unless the seconds ran out
    turn:            the first turn that is worth the value; None if the deal is not solved, if the budget ran out before one was
                     found, and if there is no turn
    """

    lowest: int
    highest: int
    nodes: int
    turn: Action | None = None

    @property
    def solved(self) -> bool:
        """True if the value is known."""
        return self.lowest == self.highest

    @property
    def value(self) -> int | None:
        """The value, or None if it is not known."""
        return self.lowest if self.solved else None


@dataclass(frozen=True, slots=True)
class DealOutcome:
    """A turn of a deal: bounds of what it is worth for the player who makes it, the position after it (None: the round is over),
    and the nodes that it took."""

    turn: Action
    lowest: int
    highest: int
    position: Position | None
    nodes: int

    @property
    def solved(self) -> bool:
        """True if the value is known."""
        return self.lowest == self.highest


def solve_deal(position: Position, rules: Rules = PUBLISHED, budget: Budget = DEAL_BUDGET) -> DealAnswer:
    """The value of `position`, or the bounds that can be proved within `budget`; with a best turn if it is solved.

    Raises `BudgetError` if there is no room for the memory.

    >>> answer = solve_deal(Position.parse("12,43,94 21 34-41-49 22,33"))
    >>> answer.value, str(answer.turn)
    (10, '43')
    """
    with deadline(budget) as stop:
        return answer_by(new_solver(rules, budget, stop), position, budget.nodes or 0)


def answer_by(solver: DealSolver, position: Position, nodes: int) -> DealAnswer:
    """As `solve_deal`, by a given solver. nodes: the limit, 0 for none."""
    if _is_too_large(position):
        most = _most(position)
        return DealAnswer(-most, most, 0)
    lowest, highest, spent, code = solver.value(*_packed(position), nodes, True)
    return DealAnswer(lowest, highest, spent, None if code is None else _turn(code))


def deal_outcomes(position: Position, rules: Rules = PUBLISHED, budget: Budget = DEAL_BUDGET) -> tuple[DealOutcome, ...]:
    """Every turn of `position`: the best first, by lowest value and then by highest; else in the order of `legal_actions`. The
    budget is for all together.

    >>> for found in deal_outcomes(Position.parse("12,43,94 21 34-41-49 22,33")):
    ...     print(found.turn, found.lowest, found.position, sep=" | ")
    43 | 10 | 21 12,22,94 34-41-49-43 33
    43x34 | 10 | 21 12,22,94 41-49 33
    94x49 | 10 | 21 12,22,43 34-41 33
    take,43 | 4 | 21 12,22,94 43 33
    take,94 | 4 | 21 12,22,43 94 33
    take,12 | 0 | 21 22,43,94 12 33
    """
    with deadline(budget) as stop:
        return outcomes_by(new_solver(rules, budget, stop), position, rules, budget.nodes or 0)


def outcomes_by(solver: DealSolver, position: Position, rules: Rules, nodes: int) -> tuple[DealOutcome, ...]:
    """As `deal_outcomes`, by a given solver. nodes: the limit, 0 for none."""
    if _is_too_large(position):
        return tuple(
            DealOutcome(turn, points - _most(following), points + _most(following), following, 0)
            for turn, points, following in successors(position, rules)
            if following is not None
        )
    found = []
    for code, lowest, highest, spent in solver.turn_values(*_packed(position), nodes):
        turn = _turn(code)
        found.append(DealOutcome(turn, lowest, highest, after(position, turn, rules), spent))
    return tuple(sorted(found, key=lambda one: (-one.lowest, -one.highest)))


def deal_line(
    position: Position, rules: Rules = PUBLISHED, budget: Budget = DEAL_BUDGET
) -> tuple[tuple[Action, Position | None], ...]:
    """A line of best turns on both sides, from a solved deal to the end of the round: each turn, and the position after it.

    The points of the line add up to the value. The line ends early where the budget, which is for all together, ran out; it is
    empty if the deal itself is not solved.

    >>> for turn, position in deal_line(Position.parse("12,43,94 21 34-41-49 22,33")):
    ...     print(turn, position, sep=" | ")
    43 | 21 12,22,94 34-41-49-43 33
    take,21 | 12,22,94 33 21
    22 | 33 12,94 21-22
    take | None
    """
    with deadline(budget) as stop:
        return tuple(line_by(new_solver(rules, budget, stop), position, rules, budget.nodes or 0))


def line_by(solver: DealSolver, position: Position, rules: Rules, nodes: int) -> Iterator[tuple[Action, Position | None]]:
    """As `deal_line`, by a given solver. nodes: the limit, 0 for none."""
    spent = 0
    following: Position | None = position
    while following is not None and (not nodes or spent < nodes):
        answer = answer_by(solver, following, max(nodes - spent, 0))
        spent += answer.nodes
        if answer.turn is None:
            return
        following = after(following, answer.turn, rules)
        yield answer.turn, following


def solve_deals_many(
    positions: Sequence[Position],
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    budget: Budget = DEAL_BUDGET,
    progress: bool | None = None,
) -> list[DealAnswer]:
    """What `solve_deal` finds for each position. The budget is for each of them.

    threads: None for one a core; each has a memory of its own. progress: None for a bar on a terminal and lines in a log.
    Raises as `solve_deal` does.

    >>> deals = ["12,43,94 21 34-41-49 22,33", "12,43 21,76 - 55,63"]
    >>> [answer.value for answer in solve_deals_many([Position.parse(deal) for deal in deals])]
    [10, 0]
    """

    def search(position: Position, stop: bytearray) -> DealAnswer:
        return answer_by(new_solver(rules, budget, stop), position, budget.nodes or 0)

    return search_all(search, positions, budget, threads, progress)


def new_solver(rules: Rules, budget: Budget, stop: bytearray) -> DealSolver:
    """A solver with the memory that the budget allows. Raises `BudgetError` if there is no room for it."""
    table_mib = budget.mib(DEAL_MIB)
    with allocating(table_mib):
        return DealSolver(rules.forced_only, rules.empty_line == OPENS, table_mib << 20, stop=stop)


def _is_too_large(position: Position) -> bool:
    return len(position.mover) + len(position.opponent) + len(position.pile) > _MOST_LIVE


def _most(position: Position) -> int:
    """No value of a position is further from 0: each card gives at most its cost to one of the two."""
    return cost(position.mover + position.opponent + position.line + position.pile)


def _packed(position: Position) -> tuple[bytes, bytes]:
    """The endgame without the pile, and the pile."""
    return Position(position.mover, position.opponent, position.line).packed, bytes(position.pile)


def code_of(turn: Action) -> int:
    """The number of a turn in the kernel."""
    return pack_action(turn) if turn.opening is None else _OPENING + turn.opening


def _turn(code: int) -> Action:
    if code >= _OPENING:
        return Action(opening=code - _OPENING)
    turn = unpack_action(code)
    assert turn is not None
    return turn


# Answers in the common form.


def answer_deal(
    game: Game[Position, Action, Rules], position: Position, rules: Rules, budget: Budget, want: Collection[str], stop: bytearray
) -> Answer[Position, Action, Rules]:
    """The value or its bounds, the first of the best turns, and the wanted parts."""
    solver, nodes = new_solver(rules, budget, stop), budget.nodes or 0
    found = answer_by(solver, position, nodes)
    line, outcomes, optimal = None, None, None
    if OUTCOMES in want:
        outcomes = _outcomes(solver, position, rules, nodes)
        if found.solved and all(one.solved for one in outcomes):
            optimal = sum(one.value == found.lowest for one in outcomes)
    if LINE in want and found.solved:
        played = list(line_by(solver, position, rules, nodes))
        last = played[-1][1] if played else position
        if last is None or not legal_actions(last, rules):
            line = tuple(turn for turn, _ in played)
    if found.turn is None and found.solved and not legal_actions(position, rules):
        line = ()
    bounds = Bounds(found.lowest, found.highest, found.nodes)
    return Answer(game, position, rules, bounds, SEARCH, found.turn, optimal, line, outcomes)


def bounds_of_deal(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> Bounds:
    """The bounds of the value."""
    found = answer_by(new_solver(rules, budget, stop), position, budget.nodes or 0)
    return Bounds(found.lowest, found.highest, found.nodes)


def outcomes_of_deal(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> tuple[Outcome[Position, Action], ...]:
    """Every turn, best first; where the budget did not suffice, by the lowest that it can be worth."""
    return _outcomes(new_solver(rules, budget, stop), position, rules, budget.nodes or 0)


def _outcomes(solver: DealSolver, position: Position, rules: Rules, nodes: int) -> tuple[Outcome[Position, Action], ...]:
    return tuple(
        Outcome(one.turn, Bounds(one.lowest, one.highest, one.nodes), one.position, play(position, one.turn, rules)[0])
        for one in outcomes_by(solver, position, rules, nodes)
    )
