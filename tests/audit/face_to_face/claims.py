"""The claims of the search of deals, each asked alone and held against brute force: none may be stronger than the truth."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np
from backtrick_development.face_to_face._brute import DEAL_DTYPE
from backtrick_development.face_to_face._deal_claims import Claims

from audit import Batch, Found, Mismatch
from audit.face_to_face.brute import NO, NOT_KNOWN, YES, Question, answers, packed, text
from audit.face_to_face.tight_deals import KINDS
from backtrick.face_to_face.deal import kernel_side
from backtrick.face_to_face.position import HAND_SIZE, Position, Side
from backtrick.face_to_face.rule_options import PUBLISHED, Rules

QUESTIONS, MOST = 6, 20_000
"""In the audit: of each deal; and the moments that brute force may remember"""


class Claim(NamedTuple):
    """A claim of the kernel about the player to move, or about one who moves after `passed` turns of the other.

    speaks: what the kernel must say for the claim to be made. truth: the answer of brute force that goes with it. stronger: what to
    add to the turns for the next stronger claim. question: from the keywords of the kernel's question.
    """

    speaks: bool
    truth: int
    stronger: int
    question: Callable[..., Question]


CLAIMS = {
    "may_be_through": Claim(False, NO, 1, lambda k, **_: Question("through", k, "kindly")),
    "may_go_on": Claim(False, NO, -1, lambda k, **_: Question("on", k, "kindly")),
    "surely_goes_on": Claim(True, YES, 1, lambda k, fresh, **_: Question("on", k, "against", False, 0 if fresh else 1)),
    "surely_through": Claim(True, YES, -1, lambda k, passed, gifts, **_: Question("through", k, "against", gifts, passed)),
}


TURNS = range(1, 7)


class Asked(NamedTuple):
    """A claim that the kernel made of a deal, with its strongest number of turns."""

    claim: str
    keywords: dict[str, Any]
    record: np.void


class Tally(NamedTuple):
    """Of one claim: how often it was made and is right, and how often the next stronger one would be wrong."""

    made: int
    exact: int


class Held(NamedTuple):
    """Claims against brute force: a tally for each, the wrong ones by place and in words, and how many took too much memory."""

    tallies: dict[str, Tally]
    wrong: list[tuple[int, str]]
    not_known: int


def kernel_of(rules: Rules, kernels: dict[Rules, Claims]) -> Claims:
    if rules not in kernels:
        kernels[rules] = Claims(rules.code)
    return kernels[rules]


def ask(deal: Position, rules: Rules, rng: Random, kernels: dict[Rules, Claims], count: int) -> list[Asked]:
    """The strongest claims about a deal, for `count` times a claim and a player: as it is, and with another top or other cards
    drawn. All is asked in one memory, so that answers follow from earlier ones."""
    kernel = kernel_of(rules, kernels)
    kernel.begin(kernel_side(deal.mover), kernel_side(deal.opponent))
    sides = deal.mover, deal.opponent
    record = packed([(deal, rules)])[0]
    found = []
    for _ in range(count):
        claim, who, keywords = rng.choice(list(CLAIMS)), rng.randrange(2), {}
        if claim == "surely_goes_on":
            keywords["fresh"] = rng.random() < 0.5
        if claim == "surely_through":
            keywords |= {"gifts": rng.random() < 0.5, "passed": rng.choice((0, 0, 1, 1, 2))}
        for changed in (False, True):
            if changed:
                record = record.copy()
                change(record, sides, rng)
                for seat, side in enumerate(sides):
                    up, down, held = (int(record[name][seat]) for name in ("up", "down", "held"))
                    kernel.change(seat, up, down, held - len(side.hand))
            turns = [k for k in rng.sample(TURNS, len(TURNS)) if kernel.ask(claim, k, who, **keywords) == CLAIMS[claim].speaks]
            if turns:
                strongest = max(turns) if CLAIMS[claim].stronger > 0 else min(turns)
                found.append(Asked(claim, {**keywords, "k": strongest}, turned(record) if who else record))
    return found


def turned(record: np.void) -> np.void:
    """The deal with the other player in the first place."""
    found = record.copy()
    for name in ("up", "down", "held", "count", "cards"):
        found[name] = record[name][::-1]
    return found


def change(record: np.void, sides: tuple[Side, Side], rng: Random) -> None:
    """Another top for one player, near a top or a card of its own, or another number of cards drawn."""
    seat = rng.randrange(2)
    side = sides[seat]
    if rng.random() < 0.5:
        near = rng.choice((side.ascending, side.descending, *side.hand)) + rng.choice((0, 1, -1, 2, -2))
        name, least, most = rng.choice((("up", 1, 59), ("down", 2, 60)))
        record[name][seat] = min(max(near, least), most)
    else:
        record["held"][seat] = len(side.hand) + rng.randint(0, min(HAND_SIZE - len(side.hand), len(side.pile)))


def hold(asked: list[Asked], most: int) -> Held:
    """Holds claims against brute force, with room for so many moments."""
    records = np.array([one.record for one in asked], DEAL_DTYPE)
    said = answers(records, [CLAIMS[one.claim].question(**one.keywords) for one in asked], most)
    stronger = answers(records, [_stronger(one) for one in asked], most)
    tallies = dict.fromkeys(CLAIMS, Tally(0, 0))
    wrong = []
    for place, (one, answer, beyond) in enumerate(zip(asked, said.tolist(), stronger.tolist(), strict=True)):
        truth = CLAIMS[one.claim].truth
        tally = tallies[one.claim]
        tallies[one.claim] = Tally(tally.made + (answer == truth), tally.exact + (beyond == YES + NO - truth))
        if answer == YES + NO - truth:
            wrong.append((place, f"{one.claim} {one.keywords} of {text(one.record)}"))
    return Held(tallies, wrong, int((said == NOT_KNOWN).sum()))


def _stronger(one: Asked) -> Question:
    """The question of the next stronger claim: one turn less or more, at least one."""
    claim = CLAIMS[one.claim]
    question = claim.question(**one.keywords)
    return question._replace(turns=max(1, question.turns + claim.stronger))


def draw(rng: np.random.Generator, count: int) -> Batch:
    """`count` seeds, from each of which a deal of one kind and its questions are drawn."""
    kind = str(rng.choice(list(KINDS)))
    return Batch(kind, PUBLISHED, rng.integers(2**63, size=count, dtype=np.uint64))


def compare(batch: Batch) -> Found:
    """Counts claims."""
    kernels: dict[Rules, Claims] = {}
    asked, places = [], []
    for place, seed in enumerate(batch.cases.tolist()):
        rng = Random(seed)
        deal, rules = KINDS[batch.family](rng)
        found = ask(deal, rules, rng, kernels, QUESTIONS)
        asked += found
        places += [place] * len(found)
    held = hold(asked, MOST)
    says = "the search: it is certain", "brute force: it is wrong"
    mismatches = [Mismatch(places[place], said, says) for place, said in held.wrong]
    return Found(len(asked) - held.not_known, mismatches, held.not_known)
