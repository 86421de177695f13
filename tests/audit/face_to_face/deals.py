"""Small deals drawn at random, and how the audit compares what is said of them."""

from __future__ import annotations

from random import Random

import numpy as np

from audit import Batch, Found, Mismatch, proofs
from audit.face_to_face.brute import Question, answers, packed
from audit.face_to_face.tight_deals import KINDS
from backtrick.budget import Budget
from backtrick.errors import PositionError
from backtrick.face_to_face._deal import DealSolver
from backtrick.face_to_face.deal import described_turns, kernel_side
from backtrick.face_to_face.display import LOSS, UNSOLVED, WIN
from backtrick.face_to_face.game import GAME
from backtrick.face_to_face.policies import POLICIES
from backtrick.face_to_face.position import HAND_SIZE, Position, Side, mirror
from backtrick.face_to_face.rule_options import BACK, PUBLISHED, Rules
from backtrick.face_to_face.samples import decks_of, play_to_deals
from backtrick.game import SolveOptions
from backtrick_development.face_to_face import _deal_claims

MOST_CARDS = 8
NODES = 3_000
"""For each answer; a deal that needs more is passed over."""
OUTCOMES_OF = 16
"""Of one deal in this many all outcomes are solved: that takes as long as the other questions of all of them."""
TABLE_BYTES = 1 << 16
BRUTE_MOMENTS = 1 << 15
"""That brute force may remember; a deal that needs more is compared without it."""
WORDS, IDEAS = (UNSOLVED, LOSS, WIN), 9
MOST_PILE, GROUP_NODES = 16, 50
"""In the check of groups: the cards in a pile, and the nodes of the search for each turn that is left out."""


def draw_seeds(rng: np.random.Generator, count: int) -> Batch:
    """`count` seeds, from each of which a deal and its rules are drawn."""
    return Batch("deals", PUBLISHED, rng.integers(2**63, size=count, dtype=np.uint64))


def draw_deal(rng: np.random.Generator) -> tuple[Position, Rules]:
    """A deal of up to MOST_CARDS cards a side, of few numbers: few cards fit, many are back tricks, and both have the same."""
    rules = Rules(bool(rng.random() < 0.35))
    while True:
        numbers = ladder(rng) if rng.random() < 0.5 else neighbours(rng)
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


def draw_from_play(rng: np.random.Generator, count: int) -> list[tuple[Position, Rules]]:
    """Moments in at most `count` whole games under one set of rules, often with many turns that lose at once."""
    rules = Rules(bool(rng.random() < 0.35))
    seats = POLICIES.seats(tuple(rng.choice(["frugal", "hasty", "tuned"], 2).tolist()), 0, count)
    decks = decks_of(int(rng.integers(2**31)), 0, count)
    return [(deal, rules) for deal in play_to_deals(decks, seats, int(rng.integers(1, MOST_PILE)), 1, rules)]


def neighbours(rng: np.random.Generator) -> list[int]:
    """Numbers near each other."""
    low, size = int(rng.integers(2, 30)), int(rng.choice([9, 13, 18, 25]))
    return list(range(low, low + size))


def ladder(rng: np.random.Generator) -> list[int]:
    """Numbers that are a back trick apart, one after the other, and up to three others."""
    rungs = int(rng.integers(3, 7))
    low = int(rng.integers(2, 60 - (rungs - 1) * BACK))
    others = rng.integers(2, 60, int(rng.integers(4))).tolist()
    return sorted({*range(low, low + rungs * BACK, BACK), *others})


def compare_groups(batch: Batch) -> Found:
    """Turns that a bound refutes together lose, each by itself: by a search without bounds, or by the bounds of this turn alone.
    Half of the deals are moments in games, and half are mirrored. What is counted are groups."""
    compared = passed_over = 0
    mismatches = []
    rng = np.random.default_rng(batch.cases)
    count = len(batch.cases) // 2
    for place, (deal, rules) in enumerate([draw_deal(rng) for _ in range(count)] + draw_from_play(rng, count)):
        if place % 2:
            deal = mirror(deal)
        solver = _deal_claims.DealSolver(rules.code, TABLE_BYTES)
        groups, _, unknown, wrong = _deal_claims.left_out(solver, kernel_side(deal.mover), kernel_side(deal.opponent), GROUP_NODES)
        compared, passed_over = compared + groups, passed_over + unknown
        if wrong:
            says = f"its group loses: {described_turns(deal, rules).get(wrong, wrong)}", "the turn alone: it wins"
            mismatches.append(Mismatch(place, f"{deal} {rules}", says))
    return Found(compared, mismatches, passed_over)


def compare_proofs(batch: Batch) -> Found:
    """Has the proof of each deal checked, under the rules that a proof can name."""
    drawn = (draw_deal(np.random.default_rng(seed)) for seed in batch.cases.tolist())
    return proofs.compare_proofs(GAME, ((deal, Rules(rules.lone_card)) for deal, rules in drawn))


def draw_tight_deal(seed: int) -> tuple[Position, Rules]:
    """A deal made for the claims of the search, of a random kind."""
    rng = Random(seed)
    return KINDS[rng.choice(list(KINDS))](rng)


def compare(batch: Batch) -> Found:
    """Compares what the search says of each deal with brute force, and with what it says without any of its ideas and without one
    of them; of some deals also with what `GAME` says, and what follows from their outcomes. Half of the deals are made for the
    claims.
    """
    passed_over = 0
    mismatches = []
    drawn = [
        draw_tight_deal(seed) if place % 2 else draw_deal(np.random.default_rng(seed))
        for place, seed in enumerate(batch.cases.tolist())
    ]
    winners = answers(packed(drawn), Question(), BRUTE_MOMENTS).tolist()
    for place, ((deal, rules), winner) in enumerate(zip(drawn, winners, strict=True)):
        mover, opponent = kernel_side(deal.mover), kernel_side(deal.opponent)
        idea = place % IDEAS
        said = {
            name: WORDS[DealSolver(rules.code, *how).solve(mover, opponent, NODES)[0]]
            for name, how in (("the search", (TABLE_BYTES,)), ("without its ideas", (0, 0)),
                              (f"without idea {idea}", (TABLE_BYTES, (1 << IDEAS) - 1 - (1 << idea))))
        }  # fmt: skip
        said["brute force"] = WORDS[winner]
        if place % OUTCOMES_OF == 0:
            budget = Budget(nodes=NODES, table_mib=1)
            said["the library"] = next(GAME.answers([deal], SolveOptions(rules, budget, threads=1))).outcome
            outcomes = {GAME.display.outcome_word(found.bounds) for found in GAME.outcomes(deal, rules, budget)}
            said["from its outcomes"] = WIN if WIN in outcomes else UNSOLVED if UNSOLVED in outcomes else LOSS
        passed_over += said["the search"] == UNSOLVED or said["without its ideas"] == said["brute force"] == UNSOLVED
        if len(set(said.values()) - {UNSOLVED}) > 1:
            text = str(deal) + ("" if rules == PUBLISHED else f" {rules}")
            first, *others = (f"{name}: {outcome}" for name, outcome in said.items())
            mismatches.append(Mismatch(place, text, (first, "; ".join(others))))
    return Found(len(batch.cases) - passed_over, mismatches, passed_over)
