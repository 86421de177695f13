"""Small public states, and how the audit compares their equilibria with the whole game, card by card."""

from __future__ import annotations

from random import Random

import numpy as np

from audit import Batch, Found, Mismatch
from backtrick.face_to_face import PublicState, equilibrium
from backtrick.face_to_face.public_state import Known
from backtrick.face_to_face.rule_options import HIGHEST, PUBLISHED, Rules
from oracles import face_to_face_hidden as oracle

NODES = 3_000
"""Of the whole game; a state with more is passed over."""
MOST_PILE = 5
NEAR = 1e-8
"""The linear program of the whole game is in floating point."""


def draw_seeds(rng: np.random.Generator, count: int) -> Batch:
    """`count` seeds, from each of which a public state and its rules are drawn."""
    return Batch("hidden", PUBLISHED, rng.integers(2**63, size=count, dtype=np.uint64))


def draw_state(seed: int) -> tuple[oracle.Known, oracle.Known, Rules]:
    """A public state of a small deck: hands of two or three cards, and piles of up to five."""
    numbers = Random(seed)
    rules, deck = oracle.random_rules(numbers)
    held, piles = ([numbers.randint(least, most) for _ in range(2)] for least, most in ((2, 3), (0, MOST_PILE)))
    held = [min(cards, deck.highest - 2 - pile) for cards, pile in zip(held, piles, strict=True)]
    return *oracle.random_state(numbers, deck, (held[0], held[1]), (piles[0], piles[1])), rules


def compare(batch: Batch) -> Found:
    """Compares the value of each state, and of its mirror image, with that of the whole game."""
    passed_over, mismatches = 0, []
    for place, seed in enumerate(batch.cases.tolist()):
        mover, other, rules = draw_state(seed)
        try:
            expected = oracle.solve(mover, other, rules, leaf=oracle.by_kernel(rules), most=NODES).value
        except oracle.TooLargeError:
            passed_over += 1
            continue
        total = HIGHEST + 1
        state = PublicState(*(Known(side.up, side.down, side.held, side.unlaid) for side in (mover, other)), rules)
        image = PublicState(*(
            Known(total - side.down, total - side.up, side.held, tuple(sorted(total - card for card in side.unlaid)))
            for side in (mover, other)
        ), rules)  # fmt: skip
        found, mirrored = equilibrium(state), equilibrium(image)
        if found.bounds != mirrored.bounds or not found.exact or abs(float(found.bounds[0]) - expected) > NEAR:
            says = f"equilibrium: {found.bounds}", f"the whole game: {expected}; the mirror image: {mirrored.bounds}"
            mismatches.append(Mismatch(place, f"{state} {rules}", says))
    return Found(len(batch.cases) - passed_over, mismatches, passed_over)
