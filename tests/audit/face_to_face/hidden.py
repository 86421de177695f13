"""Small public states, and how the audit has their equilibria checked: by a program that knows only the rules."""

from __future__ import annotations

from random import Random

import numpy as np

from audit import Batch, Found, Mismatch
from backtrick.face_to_face import PublicState, equilibrium
from backtrick.face_to_face.public_state import Known
from backtrick.face_to_face.rule_options import HIGHEST, PUBLISHED
from certificates import CHECKED
from oracles.published_deck import random_public

Ranges = tuple[dict[tuple[int, ...], int], dict[tuple[int, ...], int]]


def draw_seeds(rng: np.random.Generator, count: int) -> Batch:
    """`count` seeds, from each of which a public state and its rules are drawn."""
    return Batch("hidden", PUBLISHED, rng.integers(2**63, size=count, dtype=np.uint64))


def draw_state(seed: int) -> tuple[PublicState, Ranges]:
    """A public state of a small deck, hands of two cards and at most seven in the piles, and ranges of three hands at most: with
    more of them a certificate is long."""
    numbers = Random(seed)
    pile = numbers.randint(0, 5)
    state = random_public(numbers, (2, 2), (pile, numbers.randint(0, min(5, 7 - pile))))
    first, second = ({hand: numbers.choice((1, 3)) for hand in numbers.sample(hands, min(3, len(hands)))}
                     for hands in (state.hands(0), state.hands(1)))  # fmt: skip
    return state, (first, second)


def mirrored_hand(hand: tuple[int, ...]) -> tuple[int, ...]:
    """The mirror image of cards."""
    return tuple(sorted(HIGHEST + 1 - card for card in hand))


def mirrored(state: PublicState) -> PublicState:
    """The mirror image of a public state."""
    total = HIGHEST + 1
    return PublicState(*(
        Known(total - side.descending, total - side.ascending, side.hand_size, mirrored_hand(side.unlaid))
        for side in (state.mover, state.opponent)
    ), state.rules)  # fmt: skip


def compare(batch: Batch) -> Found:
    """Each state and its mirror image are worth the same number, and the certificate of the first is believed."""
    mismatches = []
    for place, seed in enumerate(batch.cases.tolist()):
        state, ranges = draw_state(seed)
        turned = tuple({mirrored_hand(hand): weight for hand, weight in one.items()} for one in ranges)
        found, image = equilibrium(state, ranges), equilibrium(mirrored(state), turned)
        try:
            CHECKED.check(found.certificate().splitlines())
            said = "believed"
        except ValueError as refused:
            said = str(refused)
        if said != "believed" or found.bounds != image.bounds or not found.exact:
            says = f"equilibrium: {found.bounds}", f"its certificate: {said}; the mirror image: {image.bounds}"
            mismatches.append(Mismatch(place, f"{state} {state.rules} {ranges}", says))
    return Found(len(batch.cases), mismatches)
