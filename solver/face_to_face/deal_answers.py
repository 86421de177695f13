"""What is known of deals, said as the house says it: answers and outcomes whose values are `WON`, `LOST`, or not known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from solver.core.answer import Outcome
from solver.core.budget import Bounds, Budget, exactly
from solver.core.errors import NotSolvedError
from solver.core.game import BEST, LINE, OUTCOMES, Terms
from solver.core.searches import searched
from solver.face_to_face._deal_search import DealSolver
from solver.face_to_face.deal_solving import answer_by, line_by, new_solver, outcomes_by
from solver.face_to_face.options import Rules
from solver.face_to_face.position import Position, check_well_formed
from solver.face_to_face.solving import LOSS, LOST, WIN, WON
from solver.face_to_face.turn import Turn
from solver.face_to_face.turns import count_turns

VALUES = {WIN: WON, LOSS: LOST}


@dataclass(slots=True)
class Examined:
    """What a search has found of a deal.

    bounds: of the value
    turn:   one that wins; None if there is none, or none was found
    parts:  of the answer that were worked out, by name; an exception where the budget did not suffice
    """

    bounds: Bounds
    turn: Turn | None = None
    parts: dict[str, Any] = field(default_factory=dict)

    def part(self, name: str, position: Position, rules: Rules, budget: Budget) -> Any:
        """A part of the answer, searched for if it is not there yet. Raises `NotSolvedError`."""
        if name not in self.parts:
            [_] = searched(lambda _, stop: self.find({name}, position, rules, budget, stop), [None], budget, 1)
        found = self.parts[name]
        if isinstance(found, NotSolvedError):
            raise found
        return found

    def find(self, want: frozenset[str] | set[str], position: Position, rules: Rules, budget: Budget, stop: bytearray) -> None:
        """Works parts of the answer out. Each has the nodes of the budget for itself."""
        solver = new_solver(rules, budget, stop)
        for name, find in FINDERS.items():
            if name in want and name not in self.parts:
                self.parts[name] = find(self, solver, position, rules, budget)


def bounds_of(outcome: str, nodes: int) -> Bounds:
    """The bounds of the value, from the worst to the best, of an outcome in words."""
    return Bounds(VALUES.get(outcome, LOST), VALUES.get(outcome, WON), nodes)


def examined(positions: Sequence[Position], terms: Terms[Position, Rules]) -> Iterator[Examined]:
    """What is found of each deal, in order, each within the budget for deals. A deal has all its seconds for what is wanted."""
    budget = terms.budget_for(True)
    for position in positions:
        check_well_formed(position.mover, position.opponent, terms.rules)

    def search(position: Position, stop: bytearray) -> Examined:
        answer = answer_by(new_solver(terms.rules, budget, stop), position, terms.rules, budget)
        found = Examined(bounds_of(answer.outcome, answer.nodes), answer.turn)
        found.find(terms.want, position, terms.rules, budget, stop)
        return found

    return searched(search, positions, budget, terms.threads)


# The parts, in the order in which they are worked out: the best turn of a lost deal comes out of its outcomes

Found = Any


def _outcomes(one: Examined, solver: DealSolver, position: Position, rules: Rules, budget: Budget) -> Found:
    """Every distinct outcome, best first. Nothing wins in a lost deal."""
    lost = exactly(LOST) if one.bounds.solved and one.bounds.lowest == LOST else None
    made, hardest = [], 0
    for found in outcomes_by(solver, position, rules, budget.nodes or 0):
        bounds = lost or bounds_of(found.outcome, found.nodes)
        made.append(Outcome(found.turn, bounds, found.position, 0, found.ways))
        if lost and (found.nodes > hardest or BEST not in one.parts):
            one.parts[BEST], hardest = found.turn, found.nodes
    return tuple(made)


def _best(one: Examined, solver: DealSolver, position: Position, rules: Rules, budget: Budget) -> Found:
    """A turn that wins; in a lost deal the one that took the most nodes to refute."""
    if not one.bounds.solved:
        return _unknown(position, one, "it is not solved within the limits, so no turn is the best")
    if one.bounds.lowest == WON:
        return one.turn or _unknown(position, one, "it is won, but no winning turn was found within the limits")
    _outcomes(one, solver, position, rules, budget)
    return one.parts.get(BEST)


def _line(one: Examined, solver: DealSolver, position: Position, rules: Rules, budget: Budget) -> Found:
    """The turns of a line that proves itself."""
    steps = list(line_by(solver, position, rules, budget)) if one.bounds.solved else []
    if not one.bounds.solved or count_turns(steps[-1][1] if steps else position, rules):
        return _unknown(position, one, "no line to the end was found within the limits")
    return tuple(turn for turn, _ in steps)


def _unknown(position: Position, one: Examined, words: str) -> NotSolvedError:
    return NotSolvedError(position, one.bounds.lowest, one.bounds.highest, one.bounds.nodes, words)


FINDERS: dict[str, Callable[[Examined, DealSolver, Position, Rules, Budget], Found]] = {
    OUTCOMES: _outcomes,
    BEST: _best,
    LINE: _line,
}
