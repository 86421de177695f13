"""The solver of deals by brute force (`_brute.pyx`) against the recursion in Python, which was written from the rules as well."""

import random
from itertools import product

import numpy as np
import pytest

from audit.face_to_face.brute import NO, NOT_KNOWN, YES, Question, answers, packed, text
from backtrick.face_to_face import Position, Rules
from oracles.face_to_face_deals import after_the_other, can_be_through, can_go_on, fewest_turns, is_won, random_deal, random_rules

ASK = {"through": can_be_through, "on": can_go_on}


def drawn(count, seed, cards):
    rng = random.Random(seed)
    return [(random_deal(rng, cards), random_rules(rng)) for _ in range(count)]


def test_winners(times):
    """Seen to fail with one reading of F13 for both, and with two helpful cards a turn."""
    deals = drawn(60 * times, 21, 4)
    found = answers(packed(deals), Question())
    assert found.tolist() == [YES if is_won(deal, rules, {}) else NO for deal, rules in deals]
    assert 0.2 < (found == YES).mean() < 0.8


def test_a_draw_is_up_to_six_cards():
    """Six cards and a helpful one among them, then the six drawn. Seen to fail with draws up to five cards in hand."""
    deal = packed([(Position.parse("1^60v:2,3,4,5,6,7+8,9,10,11,12,13 59^60v:2,3,4,5"), Rules())])
    assert [int(answers(deal, Question("through", 2, gifts=gifts))[0]) for gifts in (True, False)] == [YES, NO]


@pytest.mark.parametrize(("goal", "other", "gifts"), [*product(ASK, ("kindly", "against"), (False, True))])
def test_what_a_player_can_do(goal, other, gifts, times):
    deals = drawn(30 * times, 22, 3)
    said = set()
    for turns in (1, 2, 3):
        found = answers(packed(deals), Question(goal, turns, other, gifts))
        for (deal, rules), answer in zip(deals, found.tolist(), strict=True):
            expected = ASK[goal](deal, turns, rules, other == "kindly", gifts)
            assert answer == (YES if expected else NO), (str(deal), rules, turns)
            said.add((turns, answer))
    assert len(said) == 6


@pytest.mark.parametrize("goal", ASK)
def test_what_a_player_can_do_after_turns_of_the_other(goal, times):
    deals = drawn(12 * times, 23, 4)
    said = set()
    for passed in (1, 2):
        found = answers(packed(deals), Question(goal, 2, "against", True, passed))
        for (deal, rules), answer in zip(deals, found.tolist(), strict=True):
            def at_last(position, rules=rules):
                return ASK[goal](position, 2, rules, False)

            def after_one_more(position, rules=rules, at_last=at_last):
                return after_the_other(Position(position.opponent, position.mover), rules, False, at_last)

            can = at_last if passed == 1 else after_one_more
            assert answer == (YES if after_the_other(Position(deal.opponent, deal.mover), rules, False, can) else NO), str(deal)
            said.add((passed, answer))
    assert len(said) > 2  # few are long enough for the other to stop a player in two turns at once


def test_fewest_turns_with_all_help():
    deals = drawn(60, 24, 3)
    found = [answers(packed(deals), Question("through", turns, "helping")) for turns in range(1, 5)]
    for (deal, rules), *can in zip(deals, *found, strict=True):
        assert fewest_turns(deal, rules, {}) == (can.index(YES) + 1 if YES in can else 99), str(deal)


def test_arrays():
    deals = [(Position.parse("27^40v:17,18,45+20,33,50 43^20v:5,12+4,9"), Rules(True)), *drawn(20, 25, 7)]
    assert [text(record) for record in packed(deals)] == [f"{deal} {rules}" for deal, rules in deals]
    ladder = Position.parse("35^34v:15,24,38,44,46+34,55,35,45,54,21,25,14 59^44v:15,25,54,55+5,4,14")
    assert answers(packed([(ladder, Rules())]), Question(), 1_000) == NOT_KNOWN
    assert set(answers(packed(deals), [Question()] * len(deals)).tolist()) == {NO, YES}
    for wrong in ("held", "count"):
        record = packed(deals[:1])
        record[wrong] = 61
        with pytest.raises(ValueError):
            answers(record, Question())
    with pytest.raises(ValueError, match="do not match"):
        answers(packed(deals), [Question()] * 2)
    assert not len(answers(np.zeros(0, packed(deals).dtype), Question()))
