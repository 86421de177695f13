"""Small deals drawn at random, and how the audit compares what is said of them."""

from __future__ import annotations

import numpy as np

from audit import Batch, Found, Mismatch, proofs
from backtrick.errors import PositionError
from backtrick.face_to_face._deal import DealSolver
from backtrick.face_to_face.game import GAME
from backtrick.face_to_face.position import HAND_SIZE, Position, Side
from backtrick.face_to_face.rule_options import PUBLISHED, Rules
from backtrick.face_to_face.show import LOSS, UNSOLVED, WIN
from backtrick.game import SolveOptions
from backtrick.work import Budget

MOST_CARDS = 8
NODES = 3_000
"""For each answer; a deal that needs more is passed over."""
OUTCOMES_OF = 16
"""Of one deal in this many all outcomes are solved: that takes as long as the other questions of all of them."""
TABLE_BYTES = 1 << 16
STEPS = (10, 10, 5, 3, 2, 1)


def draw_seeds(rng: np.random.Generator, count: int) -> Batch:
    """`count` seeds, from each of which a deal and its rules are drawn."""
    return Batch("deals", PUBLISHED, rng.integers(2**63, size=count, dtype=np.uint64))


def draw_deal(rng: np.random.Generator) -> tuple[Position, Rules]:
    """A deal of up to MOST_CARDS cards a side, of few numbers: few cards fit, many are back tricks, and both have the same."""
    rules = Rules(bool(rng.random() < 0.35), step=int(rng.choice(STEPS)))
    while True:
        numbers = ladder(rng, rules.step) if rng.random() < 0.5 else neighbours(rng)
        sides = []
        for _ in range(2):
            most = min(MOST_CARDS, len(numbers))
            cards = rng.choice(numbers, int(rng.integers(2, most + 1)), replace=False).tolist()
            held = int(rng.integers(1, min(HAND_SIZE, len(cards)) + 1))
            near = bool(rng.random() < 0.7)
            tops = rng.choice(numbers, 2).tolist() if near else [int(rng.integers(1, 60)), int(rng.integers(2, 61))]
            sides.append(Side(tops[0], tops[1], tuple(sorted(cards[:held])), tuple(cards[held:])))
        try:
            return Position(*sides), rules
        except PositionError:
            pass


def neighbours(rng: np.random.Generator) -> list[int]:
    """Numbers near each other."""
    low, size = int(rng.integers(2, 30)), int(rng.choice([9, 13, 18, 25]))
    return list(range(low, low + size))


def ladder(rng: np.random.Generator, step: int) -> list[int]:
    """Numbers that are a back trick apart, one after the other, and up to three others."""
    rungs = int(rng.integers(3, 7))
    low = int(rng.integers(2, 60 - (rungs - 1) * step)) if (rungs - 1) * step < 57 else 2
    others = rng.integers(2, 60, int(rng.integers(4))).tolist()
    return sorted({number for number in range(low, low + rungs * step, step) if number < 60} | set(others))


def compare_proofs(batch: Batch) -> Found:
    """Has the proof of each deal checked, under the rules that a proof can name."""
    drawn = (draw_deal(np.random.default_rng(seed)) for seed in batch.cases.tolist())
    return proofs.compare_proofs(GAME, ((deal, Rules(rules.lone_card)) for deal, rules in drawn))


def compare(batch: Batch) -> Found:
    """Compares what the search says of each deal with what it says without any of its ideas; of some deals also what `GAME`
    says, and what follows from their outcomes.
    """
    passed_over = 0
    mismatches = []
    for place, seed in enumerate(batch.cases.tolist()):
        deal, rules = draw_deal(np.random.default_rng(seed))
        mover, opponent = ((side.ascending, side.descending, side.hand, tuple(side.pile)) for side in (deal.mover, deal.opponent))
        said = {
            name: (UNSOLVED, LOSS, WIN)[DealSolver(rules.step, rules.lone_card, *how).solve(mover, opponent, NODES)[0]]
            for name, how in (("the search", (TABLE_BYTES,)), ("without its ideas", (0, 0)))
        }
        if place % OUTCOMES_OF == 0:
            budget = Budget(nodes=NODES, table_mib=1)
            said["the library"] = next(GAME.answers([deal], SolveOptions(rules, budget, threads=1))).outcome
            outcomes = {GAME.show.outcome_word(found.bounds) for found in GAME.outcomes(deal, rules, budget)}
            said["from its outcomes"] = WIN if WIN in outcomes else UNSOLVED if UNSOLVED in outcomes else LOSS
        passed_over += UNSOLVED in (said["the search"], said["without its ideas"])
        if len(set(said.values()) - {UNSOLVED}) > 1:
            text = str(deal) + ("" if rules == PUBLISHED else f" {rules}")
            first, *others = (f"{name}: {outcome}" for name, outcome in said.items())
            mismatches.append(Mismatch(place, text, (first, "; ".join(others))))
    return Found(len(batch.cases) - passed_over, mismatches, passed_over)
