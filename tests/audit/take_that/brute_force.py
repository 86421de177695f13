"""Checks of the audit that hold the search of deals, and each claim of it alone, against brute force."""

from __future__ import annotations

import numpy as np
from backtrick_development.take_that._deal_claims import claims_of

from audit import Batch, Check, Found, Mismatch
from audit.take_that.deals import EVERY_IDEA, smaller, text_of
from audit.take_that.small_deals import MOST_LINE, PARTS, ROUND_RULES, SOURCES, deals_of
from backtrick.take_that._deal import DealSolver
from backtrick.take_that.position import HAND_SIZE, LONGEST_LINE
from backtrick.take_that.rule_options import OPENS, PUBLISHED, Rules
from backtrick_development.take_that import _brute

NOT_SOLVED = -128
TABLE_BYTES = 1 << 16
IDEAS_OFF = [EVERY_IDEA ^ (1 << place) for place in range(EVERY_IDEA.bit_length())] + [0]
"""Each idea of the search off alone, and all of them. Each is asked about one deal in ten."""


def brute_values(deals: np.ndarray, rules: Rules) -> np.ndarray:
    """The value of each deal by trying everything, -128 for one that takes too many states."""
    found = np.empty(len(deals), np.int8)
    rows = deals.view(np.uint8).reshape(len(deals), -1)
    _brute.values(rows, found, rules.forced_only, rules.empty_line == OPENS, rules.professional)
    return found


def packed_of(deal: np.ndarray) -> tuple[bytes, bytes]:
    """A deal as the kernels take it: the endgame and the cards of the pile."""
    cards = deal.tobytes()
    begin, end = 2 * HAND_SIZE, 2 * HAND_SIZE + MOST_LINE
    return cards[:end].ljust(begin + LONGEST_LINE, b"\0"), cards[end:].rstrip(b"\0")


def draw(rng: np.random.Generator, count: int) -> Batch:
    """Deals of one family, under the published rules in half of the batches."""
    name = list(SOURCES)[rng.integers(len(SOURCES))]
    rules = PUBLISHED if rng.random() < 0.5 else ROUND_RULES[rng.integers(len(ROUND_RULES))]
    return Batch(name, rules, SOURCES[name](rng, count))


def draw_part(number: int) -> Batch:
    """All deals of one part of a small deck."""
    return Batch(PARTS[number].deck, PARTS[number].rules, deals_of(PARTS[number]))


def compare(batch: Batch) -> Found:
    """Compares the value by the search, the value with one idea off or all, and each claim, with the value by brute force."""
    rules = batch.rules
    solver, *others = (DealSolver(rules.code, TABLE_BYTES, ideas) for ideas in (EVERY_IDEA, *IDEAS_OFF))
    expected = brute_values(batch.cases, rules)
    mismatches, compared = [], 0
    for place, value in enumerate(expected.tolist()):
        if value == NOT_SOLVED:
            continue
        compared += 1
        packed, pile = packed_of(batch.cases[place])
        off = place % len(IDEAS_OFF)
        says = {
            "the search": solver.value(packed, pile)[:2],
            f"with ideas {IDEAS_OFF[off]:b}": others[off].value(packed, pile)[:2],
        }
        if not (rules.forced_only or rules.professional):  # T10, T11
            claims = claims_of(packed, pile, rules.code)
            says |= {f"the claim {name!r}": claims[name] for name in ("taking", "counting") if name in claims}
        for name, (least, most) in says.items():
            exact = not name.startswith("the claim")
            if not least <= value <= most or (exact and least != most):
                text = text_of(batch.cases[place], rules)
                mismatches.append(Mismatch(place, text, (f"{name}: {least}..{most}", f"brute force: {value}")))
                break
    return Found(compared, mismatches, len(batch.cases) - compared)


BRUTE_FORCE = Check(
    "take-that/brute-force",
    "The value of a small deal, and each claim of the search alone, against brute force, with one idea off or all of them too.",
    draw, compare, 2_000, 2, smaller,
)  # fmt: skip

SMALL_WORLDS = Check(
    "take-that/small-worlds",
    "The same for every deal of a few small decks, under every rule option.",
    draw_part, compare, 0, 2, smaller, whole=len(PARTS),
)  # fmt: skip
