"""Small public states, and how the audit compares the bounds of their equilibria with the whole game, card by card."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from audit import Batch, Check, Found, Mismatch
from audit.take_that.small_deals import ALL_RULES
from backtrick.take_that import GAME, PUBLISHED, PublicState, equilibrium
from laws import by_sequences

GAP = Fraction(1, 100)


def random_state(number: int, piles: tuple[int, ...] = (0, 1, 2, 2, 2, 3)) -> PublicState:
    """A small public state from forty neighbouring numbers, so that many cards fit and twist; any rules."""
    random = Random(number)
    pile, sizes = random.choice(piles), (random.randint(1, 3), random.randint(1, 3))
    if pile == 3 or sum(sizes) == 6:
        sizes = min(2, sizes[0]), min(2, sizes[1])
    length, lowest = random.randint(0, 4), random.choice([12, 31, 51])
    cards = random.sample([card for card in range(lowest, lowest + 40) if card % 10], sum(sizes) + pile + length)
    return PublicState(tuple(cards[:length]), tuple(cards[length:]), *sizes, random.choice(ALL_RULES))


def draw_seeds(rng: np.random.Generator, count: int) -> Batch:
    """`count` seeds, from each of which a public state is drawn."""
    return Batch("hidden", PUBLISHED, rng.integers(2**63, size=count, dtype=np.uint64))


def compare(batch: Batch) -> Found:
    """The value of the whole game is within the bounds of each state, which are close."""
    mismatches = []
    for place, seed in enumerate(batch.cases.tolist()):
        state = random_state(seed)
        found, expected = equilibrium(state, gap=GAP), by_sequences(GAME, state).low
        if found.gap > GAP or not found.low <= expected <= found.high:
            says = f"equilibrium: {found.low} to {found.high}", f"the whole game: {expected}"
            mismatches.append(Mismatch(place, f"{state} {state.rules}", says))
    return Found(len(batch.cases), mismatches)


HIDDEN = Check(
    "take-that/hidden",
    "The value of a small public state, found card by card over the whole game, is within the bounds of its equilibrium.",
    draw_seeds, compare, 2, 1,
)  # fmt: skip
