"""Small worlds of deals, whole (`tests/audit/face_to_face/small_worlds.py`), and the ideas of the search: against brute force."""

from random import Random

import numpy as np
import pytest

from audit import Batch
from audit.face_to_face import small_worlds, tight_deals
from audit.face_to_face.brute import NO, NOT_KNOWN, YES, Question, answers, packed
from backtrick.face_to_face._deal import DealSolver
from backtrick.face_to_face.deal import kernel_side

IDEAS = [511, 0, *(511 ^ 1 << place for place in range(9))]
"""All of them, none, and all but one"""


@pytest.mark.parametrize(
    ("slices", "deals"),
    [(range(0, small_worlds.SLICES, 800), 13_000), pytest.param(range(small_worlds.SLICES), 10_618_994, marks=pytest.mark.slow)],
)
def test_small_worlds(slices, deals):
    """deals: the least number that is compared; of the whole it is in docs/correctness.md."""
    compared = 0
    for place in slices:
        found = small_worlds.compare(Batch("small worlds", None, small_worlds.slice_of(place)))
        assert not found.mismatches, found.mismatches[:3]
        compared += found.compared
    assert compared == deals if len(slices) == small_worlds.SLICES else compared >= deals


def test_a_world_is_whole():
    """Its deals differ, and so do the meanings of their tops; every top has the meaning of one of them."""
    deals = small_worlds.deals_at(np.arange(small_worlds.counts()[0]))
    assert len(np.unique(deals)) == len(deals) > small_worlds.counts()[0] // 2
    own, other = small_worlds.WORLDS[0]    # the same cards
    for ascending, tops, sign in ((True, range(1, 60), 1), (False, range(2, 61), -1)):
        def meaning(top, sign=sign):
            fits = [sign * card > sign * top or card == top - sign * 10 for card in own]
            return tuple(fits), tuple(sign * card < sign * top for card in other)

        chosen = small_worlds.tops_of(own, other, ascending)
        assert {meaning(top) for top in tops if top not in own} == {meaning(top) for top in chosen}
        assert set(chosen) <= set(tops) - set(own)


@pytest.mark.parametrize(
    ("kind", "count"),
    [("few cards", 300), ("short chains", 40), ("ladders", 40), ("one deep", 25), ("slow races", 50), ("breakable", 60),
     ("giftable", 80)],
)  # fmt: skip
def test_every_idea_alone_and_all_together(kind, count, times):
    """Switched off: the outcome is that of brute force, whichever are on."""
    rng = Random(41)
    drawn = [tight_deals.KINDS[kind](rng) for _ in range(count * times)]
    winners = answers(packed(drawn), Question(), 20_000)
    for ideas in IDEAS:
        solvers = {rules: DealSolver(rules.code, 1 << 16, ideas) for _, rules in drawn}
        for (deal, rules), winner in zip(drawn, winners, strict=True):
            if winner != NOT_KNOWN:
                said = solvers[rules].solve(kernel_side(deal.mover), kernel_side(deal.opponent), 2_000)[0]
                assert said in (0, winner), (str(deal), rules, ideas)
    assert min((winners == NO).sum(), (winners == YES).sum()) >= 0.2 * count * times
