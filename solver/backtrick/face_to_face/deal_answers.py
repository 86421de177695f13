"""Answers for deals in the common form. The value of a deal is who wins."""

from __future__ import annotations

from collections.abc import Collection

from backtrick.answer import SEARCH, Answer, Bounds, Outcome
from backtrick.face_to_face.deal_solving import DealOutcome, answer_by, line_by, longest_defence, new_solver, outcomes_by
from backtrick.face_to_face.options import Rules
from backtrick.face_to_face.position import Position, check_well_formed
from backtrick.face_to_face.show import LOSS, UNSOLVED, WIN
from backtrick.face_to_face.turn import Turn
from backtrick.face_to_face.turns import count_turns
from backtrick.game import BEST, LINE, OUTCOMES, Game
from backtrick.work import Budget


def answer_deal(
    game: Game[Position, Turn, Rules], position: Position, rules: Rules, budget: Budget, want: Collection[str], stop: bytearray
) -> Answer[Position, Turn, Rules]:
    """Who wins, a turn that wins, and the wanted parts. In a lost deal the best turn is the one with the longest line to its
    refutation, and all outcomes are lost, whatever the limits."""
    check_well_formed(position.mover, position.opponent, rules)
    solver, nodes = new_solver(rules, budget, stop), budget.nodes or 0
    found = answer_by(solver, position, rules, nodes)
    best, line, outcomes, optimal = found.turn, None, None, None
    lost = found.outcome == LOSS
    if OUTCOMES in want or (lost and BEST in want):
        every = outcomes_by(solver, position, rules, nodes)
        best = longest_defence(every) if lost else best
        if OUTCOMES in want:
            outcomes = _outcomes(every, lost)
            keeping = [one for one in outcomes if one.bounds.solved and one.bounds.lowest == found.outcome]
            optimal = len(keeping) if all(one.solved for one in outcomes) and found.outcome != UNSOLVED else None
    if LINE in want and found.outcome != UNSOLVED:
        steps = list(line_by(solver, position, rules, nodes))
        if not count_turns(steps[-1][1] if steps else position, rules):
            line = tuple(turn for turn, _ in steps)
    if best is None and line is None and lost and not count_turns(position, rules):
        line = ()
    return Answer(game, position, rules, _bounds(found.outcome, found.nodes), SEARCH, best, optimal, line, outcomes)


def bounds_of_deal(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> Bounds:
    """Who wins."""
    check_well_formed(position.mover, position.opponent, rules)
    found = answer_by(new_solver(rules, budget, stop), position, rules, budget.nodes or 0)
    return _bounds(found.outcome, found.nodes)


def deal_outcomes(position: Position, rules: Rules, budget: Budget, stop: bytearray) -> tuple[Outcome[Position, Turn], ...]:
    """Every distinct outcome: won ones, unsolved ones, lost ones."""
    check_well_formed(position.mover, position.opponent, rules)
    return _outcomes(outcomes_by(new_solver(rules, budget, stop), position, rules, budget.nodes or 0), False)


def _outcomes(every: Collection[DealOutcome], lost: bool) -> tuple[Outcome[Position, Turn], ...]:
    return tuple(
        Outcome(one.turn, _bounds(LOSS if lost else one.outcome, one.nodes), one.position, 0, one.ways) for one in every
    )


def _bounds(outcome: str, nodes: int) -> Bounds:
    """The bounds, from the worst to the best, of an outcome in words."""
    return Bounds(LOSS, WIN, nodes) if outcome == UNSOLVED else Bounds(outcome, outcome, nodes)
