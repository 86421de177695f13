"""The checks of the audit for The Game: Face to Face: the solver against a second solver, and laws that answers keep.

Every check takes batches of one family (`families.py`) under rules that are drawn at random, about half of them the published
ones. Each compares a batch in its own way (`comparing.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from audit import Batch, Check, Found, texts
from audit.face_to_face import claims, comparing, deals, hidden, small_worlds
from audit.face_to_face.families import FAMILIES, LARGE_SIZES, WHOLE, draw
from audit.face_to_face.patterns import draw_pattern
from backtrick.face_to_face.game import GAME
from backtrick.face_to_face.position import FIELDS, Position
from backtrick.face_to_face.rule_options import HIGHEST, PUBLISHED, Rules
from backtrick.face_to_face.solving import solve_many
from backtrick.face_to_face.tablebase import bit_counts
from oracles.published_deck import SmallDeck

PATTERN = np.dtype([("movers", "u1"), ("opponents", "u1"), ("rank", "<u4")])
FAMILY_SHARES = {"tight": 8, "chained": 3, "equal hands": 3, "crossed": 3, "clustered": 2, "uniform": 1}
DECIDED_KEPT = np.array([1 / 64, 1 / 64, 1 / 16, 1, 1, 1])
"""For slow checks: the share of positions that is kept, by remoteness. Few are long, and there the search has most to do."""


def draw_rules(rng: np.random.Generator) -> Rules:
    """The published rules in most cases; otherwise the other reading of F13."""
    return Rules(bool(rng.random() < 0.35))


def draw_deck(rng: np.random.Generator) -> SmallDeck:
    """A deck with few numbers, many of them a back trick apart."""
    step = int(rng.integers(2, 9))
    return SmallDeck(int(rng.integers(12, 2 + 6 * step + 1)), step)


def draw_batch(rng: np.random.Generator, count: int, deep: bool = False, rules: Rules | None = None) -> Batch:
    """About `count` positions of one family under one set of rules, one time in five of a small deck.

    deep: leave out most positions that are decided early.
    """
    rules = rules or draw_rules(rng)
    deck = WHOLE if rng.random() < 0.8 else draw_deck(rng)
    shares = np.array([FAMILY_SHARES[name] for name in FAMILIES])
    family = list(FAMILIES)[rng.choice(len(shares), p=shares / shares.sum())]
    if not deep:
        return Batch(label(family, rules, deck), rules, draw(FAMILIES[family], rng, count, deck))
    parts: list[np.ndarray] = []
    found = 0
    while found < count and len(parts) < 64:
        part = draw(FAMILIES[family], rng, 1 << 15, deck)
        part = part[rng.random(len(part)) < DECIDED_KEPT[solve_many(part, 1, rules, progress=False)]]
        parts.append(part)
        found += len(part)
    return Batch(label(family, rules, deck), rules, np.concatenate(parts)[:count])


def label(family: str, rules: Rules, deck: SmallDeck = WHOLE) -> str:
    """The name of a family in reports, with what differs from the published game."""
    return ", ".join([family, *["lone card"] * rules.lone_card, *["small deck"] * (deck != WHOLE)])


def draw_patterns(rng: np.random.Generator, count: int) -> Batch:
    """`count` random hand patterns of one pair of hand sizes, nine cards or more, under one reading of F13."""
    rules, sizes = Rules(bool(rng.random() < 0.35)), rng.choice(LARGE_SIZES).tolist()
    patterns = [(*sizes, draw_pattern(rng, *sizes)) for _ in range(count)]
    return Batch(label("{}v{}".format(*sizes), rules), rules, np.array(patterns, PATTERN))


def draw_seeds(rng: np.random.Generator, count: int) -> Batch:
    """`count` seeds from which moments in lines are drawn, under one set of rules."""
    rules = draw_rules(rng)
    return Batch(label("moments", rules), rules, rng.integers(2**63, size=count, dtype=np.uint64))


def draw_small_hands(rng: np.random.Generator, count: int) -> Batch:
    """Positions whose mover holds at most four cards, so that the readable twin can list the turns."""
    batch = draw_batch(rng, 10 * count)
    return batch._replace(cases=batch.cases[bit_counts(batch.cases["mover_hand"]) <= 4][:count])


def draw_large_hands(rng: np.random.Generator, count: int, deep: bool = False) -> Batch:
    """Positions of 9 to 12 cards, under the other reading of F13."""
    batch = draw_batch(rng, count, deep, Rules(lone_card=True))
    cards = bit_counts(batch.cases["mover_hand"]) + bit_counts(batch.cases["opponent_hand"])
    return batch._replace(cases=batch.cases[cards >= 9])


def smaller(batch: Batch) -> Iterator[Batch]:
    """Simpler batches: the published rules instead of others, one card less, or a top as at the beginning of the game."""
    rules, position = batch.rules, batch.cases
    if rules != PUBLISHED:
        yield Batch(batch.family, PUBLISHED, position)
    found = []
    for name in ("mover_hand", "opponent_hand"):
        hand = int(position[name][0])
        for card in range(64):
            if hand >> card & 1 and hand != 1 << card:
                found.append(position.copy())
                found[-1][name] ^= np.uint64(1) << np.uint64(card)
    for pile, name in enumerate(FIELDS[2:]):
        if position[name][0] != (HIGHEST if pile % 2 else 1):
            found.append(position.copy())
            found[-1][name] = HIGHEST if pile % 2 else 1
    if found:
        yield Batch(batch.family, rules, np.concatenate(found))


def side_by_side(position: Position) -> str:
    """A position in notation, from its sides, which no kernel writes."""
    return f"{position.mover} {position.opponent}"


def _check(
    word: str, says: str, compare: Callable[[Batch], Found], count: int, share: float, deep: bool = False
) -> Check:
    return Check(f"face-to-face/{word}", says, partial(draw_batch, deep=deep), compare, count, share, smaller)


CHECKS = (
    _check("second", "The remoteness is that of a second solver, which shares no code with the first.",
           comparing.compare_second, 250_000, 6),
    _check("outcomes", "The remoteness follows from those of all outcomes, each solved as a position of its own.",
           comparing.compare_outcomes, 12_000, 3, deep=True),
    _check("mirror", "The mirror image has the same remoteness.",
           comparing.compare_mirror, 400_000, 2),
    _check("tops", "No player does worse with a better top of an own pile.", comparing.compare_tops, 250_000, 2),
    _check("line", "Every turn of the principal line is legal and lowers the remoteness by one, down to 0.",
           comparing.compare_lines, 50_000, 2),
    _check("turns", "Every listed turn is legal, leads to the position that is named, and has its value; batches agree.",
           comparing.compare_turns, 2_000, 1, deep=True),
    _check("arrays", "Best turns, counts, lines, grades and rows of many positions agree with the values of all outcomes.",
           comparing.compare_arrays, 4_000, 2),
    _check("texts", texts.SAYS, partial(texts.compare_texts, GAME, side_by_side), 10_000, 1),
    Check("face-to-face/twin", "The readable twin lists the same ordered turns and the same outcomes; hands of up to four cards.",
          draw_small_hands, comparing.compare_twin, 50, 1, smaller),
    _check("relabel", "Another position of the same class has the same remoteness and as many outcomes.",
           comparing.compare_relabelled, 80_000, 1),
    Check("face-to-face/large", "The remoteness is that of the second solver: 9 to 12 cards, with lone cards.",
          draw_large_hands, comparing.compare_second, 250_000, 3, smaller),
    Check("face-to-face/large-outcomes", "The remoteness follows from those of all outcomes: 9 to 12 cards, with lone cards.",
          partial(draw_large_hands, deep=True), comparing.compare_outcomes, 12_000, 2, smaller),
    Check("face-to-face/rows", "Whole classes of hands of 9 to 12 cards: each value follows from its turns, by the code that "
          "verifies tables.", draw_patterns, comparing.compare_rows, 5, 3),
    Check("face-to-face/questions", "The predicates of the search, for parts of hands in the middle of a line, agree with their "
          "plain definitions.", draw_seeds, comparing.compare_questions, 2, 2),
    Check("face-to-face/deals", "The outcome of a small deal is that of brute force and of the search without any idea or one of "
          "them, and follows from its turns; half of the deals are made for the claims of the search.",
          deals.draw_seeds, deals.compare, 300, 1),
    Check("face-to-face/hidden", "Plans of the equilibrium of a small public state keep what they say in a tree by the rules, "
          "and the mirror image is worth the same.", hidden.draw_seeds, hidden.compare, 4, 1),
    Check("face-to-face/claims", "No claim of the search of deals about a player, asked alone, is stronger than the truth, which "
          "brute force finds.", claims.draw, claims.compare, 24, 1),
    Check("face-to-face/small-worlds", "The outcome of every deal of a few cards is that of brute force.",
          small_worlds.draw_slice, small_worlds.compare, 0, 1, whole=small_worlds.SLICES),
    Check("face-to-face/groups", "Turns of a deal that one bound refutes together lose, each by itself; moments in games and small "
          "deals.", deals.draw_seeds, deals.compare_groups, 2_000, 1),
    Check("face-to-face/proofs", "The proof of a small deal is accepted by a checker that knows only the rules.",
          deals.draw_seeds, deals.compare_proofs, 100, 1),
)  # fmt: skip
