"""Answers for deals in the common form, with a value or bounds."""

from __future__ import annotations

from collections.abc import Collection

from backtrick.answer import SEARCH, Answer, Bounds, Outcome
from backtrick.game import LINE, OUTCOMES, Game
from backtrick.take_that._deal import DealSolver
from backtrick.take_that.action import Action
from backtrick.take_that.deal_solving import answer_by, line_by, new_solver, outcomes_by
from backtrick.take_that.options import Rules
from backtrick.take_that.position import Position
from backtrick.take_that.rules import legal_actions, play
from backtrick.work import Budget


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


def deal_outcomes(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> tuple[Outcome[Position, Action], ...]:
    """Every turn, best first; where the budget did not suffice, by the lowest that it can be worth."""
    return _outcomes(new_solver(rules, budget, stop), position, rules, budget.nodes or 0)


def _outcomes(solver: DealSolver, position: Position, rules: Rules, nodes: int) -> tuple[Outcome[Position, Action], ...]:
    return tuple(
        Outcome(one.turn, Bounds(one.lowest, one.highest, one.nodes), one.position, play(position, one.turn, rules)[0])
        for one in outcomes_by(solver, position, rules, nodes)
    )
