"""What is known of deals, said as the house says it: answers and outcomes with a value or bounds."""

from __future__ import annotations

from backtrick.answer import Bounds, Outcome, Step
from backtrick.dealt import Deals, Examined, PartNotFoundError
from backtrick.take_that._deal import DealSolver
from backtrick.take_that.action import Action
from backtrick.take_that.deal_solving import answer_by, line_by, new_solver, outcomes_by
from backtrick.take_that.options import Rules
from backtrick.take_that.position import Position
from backtrick.take_that.rules import legal_actions, play
from backtrick.work import Budget


class RoundDeals(Deals[Position, Action, Rules]):
    """A deal is worth the mover's points minus the opponent's from here on, as an endgame is (T12)."""

    def solver(self, rules: Rules, budget: Budget, stop: bytearray) -> DealSolver:
        """A new solver."""
        return new_solver(rules, budget, stop)

    def examine(self, solver: DealSolver, position: Position, rules: Rules, budget: Budget) -> Examined[Action]:
        """The value and the first of the best turns."""
        answer = answer_by(solver, position, budget.nodes or 0)
        return Examined(Bounds(answer.lowest, answer.highest, answer.nodes), answer.turn)

    def outcomes(
        self, one: Examined[Action], solver: DealSolver, position: Position, rules: Rules, budget: Budget
    ) -> tuple[Outcome[Position, Action], ...]:
        """Every turn, best first; where the budget did not suffice, by the lowest that it can be worth."""
        return tuple(
            Outcome(
                found.turn,
                Bounds(found.lowest, found.highest, found.nodes),
                found.position,
                play(position, found.turn, rules)[0],
            )
            for found in outcomes_by(solver, position, rules, budget.nodes or 0)
        )

    def best(
        self, one: Examined[Action], solver: DealSolver, position: Position, rules: Rules, budget: Budget
    ) -> Action | None:
        """The first of the best turns."""
        if one.turn is None and legal_actions(position, rules):
            raise PartNotFoundError("its value is known, but no turn was found within the limits that is worth it")
        return one.turn

    def line(
        self, one: Examined[Action], solver: DealSolver, position: Position, rules: Rules, budget: Budget
    ) -> tuple[Step[Action], ...]:
        """First best turns to the end of the round."""
        steps: list[Step[Action]] = []
        last: Position | None = position
        balance, sign = 0, 1
        for turn, following in line_by(solver, position, rules, budget.nodes or 0):
            assert last is not None
            points, _ = play(last, turn, rules)
            balance, sign, last = balance + sign * points, -sign, following
            steps.append(Step(turn, points, balance))
        if last is not None and legal_actions(last, rules):
            raise PartNotFoundError("no line to the end was found within the limits")
        return tuple(steps)


DEALS = RoundDeals()
