"""The check of the audit for deals of Take That: three ways to the same value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from audit import Batch, Check, Found, held, proofs
from audit.take_that.small_deals import ROUND_RULES
from backtrick.take_that._deal import DealSolver
from backtrick.take_that.game import GAME
from backtrick.take_that.position import HAND_SIZE, Position, mirror
from backtrick.take_that.rule_options import DECK, PUBLISHED, Rules, is_toad, twisted
from backtrick.take_that.rules import successors

MOST_PILE, MOST_LINE, NODES = 8, 10, 100_000
DEAL_DTYPE = np.dtype([("mover", "u1", (HAND_SIZE,)), ("opponent", "u1", (HAND_SIZE,)), ("line", "u1", (MOST_LINE,)),
                       ("pile", "u1", (MOST_PILE,))])  # fmt: skip
NOT_SOLVED = -128
EVERY_IDEA, BOUNDS = 511, 1 | 2 | 32  # without bounds and twins a value rests on the rules, the table and the order alone
_PARTS = "mover", "opponent", "line", "pile"


def deal_of(case: np.ndarray) -> Position:
    """The position of one element of `DEAL_DTYPE`."""
    mover, opponent, line, pile = (case[name][case[name] > 0].tolist() for name in _PARTS)
    return Position(mover, opponent, line, pile)


def text_of(case: np.ndarray, rules: Rules) -> str:
    return str(deal_of(case)) + ("" if rules == PUBLISHED else f" {rules}")


def draw(rng: np.random.Generator, count: int) -> Batch:
    """Deals with up to `MOST_PILE` cards in the pile; half of the batches from cards near each other, partners and toads."""
    rules = PUBLISHED if rng.random() < 0.4 else ROUND_RULES[rng.integers(len(ROUND_RULES))]
    close, cases = bool(rng.random() < 0.5), np.zeros(count, DEAL_DTYPE)
    for case in cases:
        cards = rng.permutation(DECK).tolist()
        if close:
            least = int(rng.integers(12, 70))
            first = {v for v in DECK if least <= v < least + 25} | {v for v in DECK if least <= twisted(v) < least + 25}
            first |= {v for v in DECK if is_toad(v) and rng.random() < 0.5}
            cards.sort(key=lambda card, first=first: card not in first)
            head = min(len(first), 36)
            cards[:head] = rng.permutation(cards[:head]).tolist()
        begun = 0
        for name, most in zip(_PARTS, (HAND_SIZE, HAND_SIZE, MOST_LINE, MOST_PILE), strict=True):
            size = int(rng.integers(name != "line", most + 1))
            part = cards[begun : begun + size]
            case[name][:size] = sorted(part) if name in ("mover", "opponent") else part
            begun += size
    return Batch("close cards" if close else "any cards", rules, cases)


def compare_proofs(batch: Batch) -> Found:
    """Has the proof of each deal checked."""
    rules = replace(batch.rules, professional=False)  # which proofs do not know
    return proofs.compare_proofs(GAME, ((deal_of(case), rules) for case in batch.cases))


def compare(batch: Batch) -> Found:
    """Compares the value with that of a search without bounds, that of the mirror image, and that of the best turn."""
    full, plain = (DealSolver(batch.rules.code, 1 << 20, ideas) for ideas in (EVERY_IDEA, EVERY_IDEA ^ BOUNDS))

    def value(solver: DealSolver, deal: Position) -> int:
        lowest, highest = solver.value(Position(deal.mover, deal.opponent, deal.line).packed, bytes(deal.pile), NODES)[:2]
        return int(lowest) if lowest == highest else NOT_SOLVED

    ours: list[int] = []
    others: dict[str, list[int]] = {"without bounds": [], "of the mirror image": [], "of its best turn": []}
    for case in batch.cases:
        deal = deal_of(case)
        ours.append(value(full, deal))
        others["without bounds"].append(value(plain, deal))
        others["of the mirror image"].append(value(full, mirror(deal)))
        worth = [(points, value(full, after) if after else 0) for _, points, after in successors(deal, batch.rules)]
        unsolved = any(found == NOT_SOLVED for _, found in worth)
        others["of its best turn"].append(
            NOT_SOLVED if unsolved else max((points - found for points, found in worth), default=0)
        )
    left = np.array(ours)
    found = []
    for name, values in others.items():
        right = np.array(values)
        asked = (left != NOT_SOLVED) & (right != NOT_SOLVED)
        found.append(held(batch, text_of, "the search of deals", left, name, right, asked=asked))
    return Found(
        sum(one.compared for one in found),
        sorted(mismatch for one in found for mismatch in one.mismatches),
        sum(one.passed_over for one in found),
    )


def smaller(batch: Batch) -> Iterator[Batch]:
    """Simpler batches: the published rules instead of others, or one card less in a hand, in the line or in the pile."""
    if batch.rules != PUBLISHED:
        yield Batch(batch.family, PUBLISHED, batch.cases)
    found = []
    for name in _PARTS:
        held_cards = batch.cases[name][0][batch.cases[name][0] > 0]
        for place in range(len(held_cards)):
            if name in ("mover", "opponent") and len(held_cards) == 1:
                continue
            less = batch.cases.copy()
            less[name][0] = 0
            less[name][0][: len(held_cards) - 1] = np.delete(held_cards, place)
            found.append(less)
    if found:
        yield Batch(batch.family, batch.rules, np.concatenate(found))


DEALS = Check(
    "take-that/deals",
    "The value of a deal is that of a search without bounds, of the mirror image, and of the best turn.",
    draw, compare, 200, 1, smaller,
)  # fmt: skip

PROOFS = Check(
    "take-that/proofs",
    "The proof of a deal is accepted by a checker that knows only the rules.",
    draw, compare_proofs, 6, 1, smaller,
)  # fmt: skip
