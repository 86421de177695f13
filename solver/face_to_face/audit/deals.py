"""Small deals drawn at random, and how the audit compares what is said of them."""

from __future__ import annotations

import numpy as np

from solver.audit import Batch, Found, Mismatch
from solver.core.budget import Budget
from solver.core.errors import PositionError
from solver.face_to_face._deal_search import DealSolver
from solver.face_to_face.deal_solving import OUTCOMES, UNSOLVED, deal_outcomes, solve_deal
from solver.face_to_face.options import PUBLISHED, Rules
from solver.face_to_face.position import HAND_SIZE, Position, Side
from solver.face_to_face.solving import LOSS, WIN

MOST_CARDS = 8
NODES = 3_000
"""For each answer; a deal that needs more is passed over."""
STEPS = (10, 10, 5, 3, 2, 1)


def draw_seeds(rng: np.random.Generator, count: int) -> Batch:
    """`count` seeds, from each of which a deal and its rules are drawn."""
    return Batch("deals", PUBLISHED, rng.integers(2**63, size=count, dtype=np.uint64))


def draw_deal(rng: np.random.Generator) -> tuple[Position, Rules]:
    """A deal of up to MOST_CARDS cards a side, its numbers near each other, so that few fit and many are back tricks."""
    rules = Rules(bool(rng.random() < 0.35), step=int(rng.choice(STEPS)))
    while True:
        low, size = int(rng.integers(2, 30)), int(rng.choice([9, 13, 18, 25]))
        numbers = range(low, low + size)
        sides = []
        for _ in range(2):
            cards = rng.choice(numbers, int(rng.integers(2, MOST_CARDS + 1)), replace=False).tolist()
            held = int(rng.integers(1, min(HAND_SIZE, len(cards)) + 1))
            near = bool(rng.random() < 0.7)
            tops = rng.choice(numbers, 2).tolist() if near else [int(rng.integers(1, 60)), int(rng.integers(2, 61))]
            sides.append(Side(tops[0], tops[1], tuple(sorted(cards[:held])), tuple(cards[held:])))
        try:
            return Position(*sides), rules
        except PositionError:
            pass


def compare(batch: Batch) -> Found:
    """Compares what the solver says of each deal with what it says without any of its ideas, and with its own outcomes."""
    passed_over = 0
    mismatches = []
    for place, seed in enumerate(batch.cases.tolist()):
        deal, rules = draw_deal(np.random.default_rng(seed))
        sides = [(side.ascending, side.descending, side.hand, tuple(side.pile)) for side in (deal.mover, deal.opponent)]
        said = solve_deal(deal, rules, Budget(nodes=NODES, table_mib=1)).outcome
        plain = OUTCOMES[DealSolver(rules.step, rules.lone_card, 0, 0).solve(*sides, NODES)[0]]
        outcomes = {found.outcome for found in deal_outcomes(deal, rules, Budget(nodes=NODES, table_mib=1))}
        followed = WIN if WIN in outcomes else UNSOLVED if UNSOLVED in outcomes else LOSS
        passed_over += UNSOLVED in (said, plain)
        if len({said, plain, followed} - {UNSOLVED}) > 1:
            text = str(deal) + ("" if rules == PUBLISHED else f" {rules}")
            says = f"the solver: {said}", f"without its ideas: {plain}; from its outcomes: {followed}"
            mismatches.append(Mismatch(place, text, says))
    return Found(len(batch.cases) - passed_over, mismatches, passed_over)
