"""What is known of deals, said as the house says it: answers and outcomes whose values are `WON`, `LOST`, or not known."""

from __future__ import annotations

from backtrick.answer import Bounds, Outcome, Step
from backtrick.dealt import Deals, Examined, PartNotFoundError
from backtrick.face_to_face._deal import DealSolver
from backtrick.face_to_face.deal_solving import answer_by, line_by, longest_defence, new_solver, outcomes_by
from backtrick.face_to_face.options import Rules
from backtrick.face_to_face.position import Position, check_well_formed
from backtrick.face_to_face.solving import LOSS, LOST, WIN, WON
from backtrick.face_to_face.turn import Turn
from backtrick.face_to_face.turns import count_turns
from backtrick.game import BEST
from backtrick.work import Budget

VALUES = {WIN: WON, LOSS: LOST}


class DuelDeals(Deals[Position, Turn, Rules]):
    """Deals are won or lost. Of a lost deal the best turn is the one with the longest line to its refutation."""

    def solver(self, rules: Rules, budget: Budget, stop: bytearray) -> DealSolver:
        """A new solver."""
        return new_solver(rules, budget, stop)

    def examine(self, solver: DealSolver, position: Position, rules: Rules, budget: Budget) -> Examined[Turn]:
        """Who wins, and by which turn."""
        check_well_formed(position.mover, position.opponent, rules)
        answer = answer_by(solver, position, rules, budget.nodes or 0)
        return Examined(_bounds(answer.outcome, answer.nodes), answer.turn)

    def outcomes(
        self, one: Examined[Turn], solver: DealSolver, position: Position, rules: Rules, budget: Budget
    ) -> tuple[Outcome[Position, Turn], ...]:
        """Every distinct outcome: won ones, unsolved ones, lost ones. In a lost deal all are lost, whatever the limits."""
        lost = one.bounds.solved and one.bounds.lowest == LOST
        every = outcomes_by(solver, position, rules, budget.nodes or 0)
        if lost and BEST not in one.parts:
            one.parts[BEST] = longest_defence(every)
        return tuple(
            Outcome(found.turn, _bounds(LOSS if lost else found.outcome, found.nodes), found.position, 0, found.ways)
            for found in every
        )

    def best(self, one: Examined[Turn], solver: DealSolver, position: Position, rules: Rules, budget: Budget) -> Turn | None:
        """A turn that wins; in a lost deal the one with the longest line to its refutation."""
        if one.bounds.lowest == WON:
            if one.turn is None:
                raise PartNotFoundError("it is won, but no winning turn was found within the limits")
            return one.turn
        self.outcomes(one, solver, position, rules, budget)
        found: Turn | None = one.parts[BEST]
        return found

    def line(
        self, one: Examined[Turn], solver: DealSolver, position: Position, rules: Rules, budget: Budget
    ) -> tuple[Step[Turn], ...]:
        """A line that proves itself."""
        steps = list(line_by(solver, position, rules, budget.nodes or 0))
        if count_turns(steps[-1][1] if steps else position, rules):
            raise PartNotFoundError("no line to the end was found within the limits")
        return tuple(Step(turn) for turn, _ in steps)


def _bounds(outcome: str, nodes: int) -> Bounds:
    """The bounds of the value, from the worst to the best, of an outcome in words."""
    return Bounds(VALUES.get(outcome, LOST), VALUES.get(outcome, WON), nodes)


DEALS = DuelDeals()
