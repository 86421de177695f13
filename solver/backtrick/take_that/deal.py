"""Solving deals: the exact difference if all cards are known, and the draw pile in its order; or bounds within a budget.

docs/take_that.md says how. An endgame is a deal too, with an empty pile.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

from backtrick.answer import SEARCH, Answer, check_bounds
from backtrick.bounds import Bounds, Outcome
from backtrick.budget import Budget
from backtrick.errors import ContradictionError
from backtrick.game import LINE, OUTCOMES, Game
from backtrick.take_that._deal import DealSolver, SharedTable
from backtrick.take_that.position import Position, packed_cards
from backtrick.take_that.rule_options import Rules, cost
from backtrick.take_that.rules import legal_turns, play, successors
from backtrick.take_that.turn import Turn, pack_turn, unpack_turn
from backtrick.threads import Team

EASY = 200_000
"""The nodes that a deal gets in one thread before others join: easy deals are solved by then."""

Solvers = Team[DealSolver]

_MOST_LIVE = 63  # cards in hands and pile that the kernel takes; no search would get anywhere with more
_MOST_PROFESSIONAL = 32  # the same under the professional rule (T11)
_OPENING = 256  # in the codes of the kernel, taking and laying a card as the first of a new line


def answer_by(team: Solvers, position: Position, rules: Rules, nodes: int) -> tuple[Bounds, Turn | None]:
    """The bounds of the value, and the first turn that is worth it: None if the deal is not solved, if no limit left room to find
    one, and if there is no turn. nodes: the limit, 0 for none. An endgame is a deal too. Raises `ContradictionError`.

    >>> from backtrick.budget import UNLIMITED
    >>> team, deal = new_team(Rules(), UNLIMITED, bytearray(1)), Position.parse("12,43,94 21 34-41-49 22,33")
    >>> answer_by(team, deal, Rules(), 0)
    (Bounds(lowest=10, highest=10, nodes=18), <Turn 43>)
    """
    if _is_too_large(position, rules):
        most = _most(position)
        return Bounds(-most, most), None
    packed = _packed(position)
    found = team.search(lambda solver, most: solver.value(*packed, most, True), nodes, lambda one: one[2])
    code = next((code for *_, code in found if code is not None), None)
    bounds = Bounds(max(one[0] for one in found), min(one[1] for one in found), sum(one[2] for one in found))
    check_bounds(int, position, rules, bounds)
    return bounds, None if code is None else _turn(code)


def outcomes_by(team: Solvers, position: Position, rules: Rules, nodes: int) -> tuple[Outcome[Position, Turn], ...]:
    """Every turn: the best first, by lowest value and then by highest; else in the order of `legal_turns`. nodes: the limit for
    all together, 0 for none."""
    found = []
    if _is_too_large(position, rules):
        for turn, points, following in successors(position, rules):
            most = 0 if following is None else _most(following)
            found.append(Outcome(turn, Bounds(points - most, points + most), following, points))
        return tuple(found)
    for code, lowest, highest, spent in team.alone.turn_values(*_packed(position), nodes):
        points, following = play(position, _turn(code), rules)
        bounds = Bounds(lowest, highest, spent)
        check_bounds(int, position, rules, bounds, str(_turn(code)))
        found.append(Outcome(_turn(code), bounds, following, points))
    return tuple(sorted(found, key=lambda one: (-int(one.bounds.lowest), -int(one.bounds.highest))))


def line_by(
    team: Solvers, position: Position, rules: Rules, nodes: int, value: int | None = None
) -> Iterator[tuple[Turn, Position | None]]:
    """A line of best turns on both sides, from a solved deal to the end of the round: each turn, and the position after it.

    The points of the line add up to the value, or `ContradictionError` is raised. nodes: the limit for all together, 0 for none.
    The line ends early where it is met; it is empty if the deal itself is not solved. value: of the deal, if it is known.
    """
    spent = 0
    following: Position | None = position
    while following is not None and (not nodes or spent < nodes):
        here = following
        bounds, turn = answer_by(team, here, rules, max(nodes - spent, 0))
        spent += bounds.nodes
        if value is not None and not int(bounds.lowest) <= value <= int(bounds.highest):
            raise ContradictionError(position, rules, f"its principal line comes to {here}, worth {bounds} instead of {value}")
        if turn is None:
            return
        points, following = play(here, turn, rules)
        value = points - int(bounds.lowest)
        if following is None and value != 0:
            raise ContradictionError(position, rules, f"its principal line ends with {turn} in {here}, which is worth {bounds}")
        yield turn, following


def new_team(rules: Rules, budget: Budget, stop: bytearray) -> Solvers:
    """Solvers with the memory that the budget allows. Raises `BudgetError` if there is no room for it."""
    return Team(partial(DealSolver, rules.code, stop=stop), SharedTable, budget, EASY, 1)


def _is_too_large(position: Position, rules: Rules) -> bool:
    most = _MOST_PROFESSIONAL if rules.professional else _MOST_LIVE
    return len(position.mover) + len(position.opponent) + len(position.pile) > most


def _most(position: Position) -> int:
    """No value of a position is further from 0: each card gives at most its cost to one of the two."""
    return cost(position.mover + position.opponent + position.line + position.pile)


def _packed(position: Position) -> tuple[bytes, bytes]:
    return packed_cards(position), bytes(position.pile)


def code_of(turn: Turn) -> int:
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
    if stop[0]:
        return Answer(game, position, rules, Bounds(-_most(position), _most(position)))
    team, nodes = new_team(rules, budget, stop), budget.nodes or 0
    bounds, best = answer_by(team, position, rules, nodes)
    line, outcomes, optimal = None, None, None
    if OUTCOMES in want:
        outcomes = outcomes_by(team, position, rules, nodes)
        if bounds.solved and all(one.solved for one in outcomes):
            optimal = sum(one.bounds == bounds for one in outcomes)
    if LINE in want and bounds.solved:
        played = list(line_by(team, position, rules, nodes, int(bounds.lowest)))
        last = played[-1][1] if played else position
        if last is None or not legal_turns(last, rules):
            line = tuple(turn for turn, _ in played)
        elif not nodes and not stop[0]:
            raise ContradictionError(position, rules, f"it is worth {bounds}, but its principal line stops at {last}")
    if best is None and bounds.solved:
        if not legal_turns(position, rules):
            line = ()
        elif not nodes and not stop[0]:
            raise ContradictionError(position, rules, f"it is worth {bounds}, but none of its turns is")
    return Answer(game, position, rules, bounds, SEARCH, best, optimal, line, outcomes)


def outcomes_of_deal(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> tuple[Outcome[Position, Turn], ...]:
    """Every turn, best first; where the budget did not suffice, by the lowest that it can be worth."""
    return outcomes_by(new_team(rules, budget, stop), position, rules, budget.nodes or 0)
