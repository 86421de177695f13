"""Each claim of the search of deals asked alone, on deals made for it: it is never stronger than the truth, and often as strong."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest
from backtrick_development.face_to_face._deal_claims import Claims

from audit.face_to_face import tight_deals
from audit.face_to_face.brute import NO, NOT_KNOWN, YES, Question, answers, packed, text
from audit.face_to_face.claims import QUESTIONS, ask, hold, turned
from backtrick.face_to_face import PUBLISHED, Position, Rules
from backtrick.face_to_face._deal import DealSolver
from backtrick.face_to_face.deal import kernel_side
from backtrick.face_to_face.rule_options import BACK

MOST = 20_000
"""Moments that brute force may remember in the quick suite; a deal that needs more is passed over."""
SILENT, LOSS, WIN = range(3)


@cache
def deals(kind, count, seed):
    rng = Random(seed)
    return [tight_deals.KINDS[kind](rng) for _ in range(count)]


def kernels_of(drawn, prune=True):
    """Each deal and its rules with the kernel, which has just been given the deal."""
    kernels = {rules: Claims(rules.code, prune) for rules in {rules for _, rules in drawn}}
    for deal, rules in drawn:
        kernels[rules].begin(kernel_side(deal.mover), kernel_side(deal.opponent))
        yield deal, rules, kernels[rules]


# What a player can do, alone or whatever the other does: the strongest claim that the kernel makes.


@pytest.mark.parametrize(
    ("kind", "count", "made", "exact"),
    [
        ("few cards", 160, (240, 120, 240, 200), (40, 16, 6, 32)),
        ("short chains", 40, (65, 4, 80, 65), (45, 1, 10, 35)),
        ("ladders", 80, (90, 12, 120, 75), (70, 8, 25, 35)),
        ("one deep", 50, (60, 8, 80, 60), (15, 1, 5, 10)),
        ("slow races", 50, (80, 27, 75, 55), (45, 2, 15, 22)),
        ("breakable", 100, (160, 18, 160, 128), (120, 10, 36, 72)),
        ("giftable", 150, (260, 70, 240, 170), (130, 25, 50, 60)),
    ],
)
def test_no_claim_is_stronger_than_the_truth(kind, count, made, exact, times):
    """B6, B7, B11, B12. made, exact: the least of each claim, in the order of CLAIMS."""
    rng, kernels, asked = Random(31), {}, []
    for deal, rules in deals(kind, count * times, 30):
        asked += ask(deal, rules, rng, kernels, QUESTIONS)
    tallies, wrong, _ = hold(asked, MOST)
    assert not wrong, wrong[:3]
    for tally, least_made, least_exact in zip(tallies.values(), made, exact, strict=True):
        assert tally.made >= least_made * times and tally.exact >= least_exact * times, tallies


# The other draws the card that breaks the plan, the third or a later one. With two a turn in `held_by` each plan counts as sure.
STILL_TO_BE_DRAWN = (
    ("13^9v:5,28+26,18 13^40v:3,9,39,40,53,57+34,33,25,49,8,48", Rules(), 2, 1, False),
    ("13^9v:5,28+26,18 13^40v:3,9,39,40,53,57+34,33,25,49,8,48", Rules(), 2, 1, True),
    ("29^23v:22,51,52+50,41,42,17 32^36v:5,22,32,40+10,12,30,20,41,11,42", Rules(), 3, 1, False),
    ("56^26v:24,37,45,58 3^36v:8,9,29,36,51,56+25,5,46,41", Rules(), 2, 1, True),
)


@pytest.mark.parametrize(("deal", "rules", "k", "passed", "gifts"), STILL_TO_BE_DRAWN)
def test_a_card_that_is_still_to_be_drawn_counts(deal, rules, k, passed, gifts):
    ((deal, _, kernel),) = kernels_of([(Position.parse(deal), rules)])
    assert answers(packed([(deal, rules)]), Question("through", k, "against", gifts, passed)) == NO
    assert not kernel.ask("surely_through", k, passed=passed, gifts=gifts)


def test_a_plan_that_was_asked_for_is_remembered():
    """Asked again, it is not looked for again, and what is said stays."""
    sought = 0
    for kind in ("ladders", "slow races", "giftable"):
        for _, _, kernel in kernels_of(deals(kind, 60, 35)):
            questions = [(k, who, gifts) for k in (2, 3) for who in (0, 1) for gifts in (False, True)]
            for k, who, gifts in questions:
                said = kernel.ask("surely_through", k, who, passed=who, gifts=gifts)
                before = kernel.plans_sought()
                assert kernel.ask("surely_through", k, who, passed=who, gifts=gifts) == said
                assert kernel.plans_sought() == before
                sought += before
    assert sought > 1_000


def test_a_plan_that_is_remembered_answers_its_own_question_alone():
    """Asked one after another, all is answered as if it were the first question: with helpful cards of the other, or without."""
    differ = 0
    questions = [(k, who, gifts) for k in (2, 3) for who in (0, 1) for gifts in (True, False)]
    for kind in ("short chains", "breakable", "slow races"):
        for deal, _, kernel in kernels_of(deals(kind, 60, 36)):
            said = [kernel.ask("surely_through", k, who, passed=who, gifts=gifts) for k, who, gifts in questions]
            alone = []
            for k, who, gifts in questions:
                kernel.begin(kernel_side(deal.mover), kernel_side(deal.opponent))
                alone.append(kernel.ask("surely_through", k, who, passed=who, gifts=gifts))
            assert said == alone, deal
            differ += alone[::2] != alone[1::2]
    assert differ > 60


def test_a_ladder_with_a_deep_pile_is_won():
    """With two cards a turn in `held_by` the search calls it lost. Brute force takes a second."""
    deal = Position.parse("35^34v:15,24,38,44,46+34,55,35,45,54,21,25,14 59^44v:15,25,54,55+5,4,14")
    assert answers(packed([(deal, Rules())]), Question()) == YES
    assert DealSolver(PUBLISHED.code, 1 << 22).solve(kernel_side(deal.mover), kernel_side(deal.opponent))[0] == WIN


def test_a_player_needs_the_turns_that_are_counted(times):
    """B4. Not through in one turn less, even if the other helps; often through in just as many."""
    drawn = [deal for kind in ("few cards", "short chains", "one deep") for deal in deals(kind, 60 * times, 32)]
    counted = [kernel.ask("least_turns") for _, _, kernel in kernels_of(drawn)]
    records = packed(drawn)
    less, same = (answers(records, [Question("through", max(1, turns - i), "helping") for turns in counted], MOST) for i in (1, 0))
    spoken = np.array(counted) > 1
    assert not (less[spoken] == YES).any()
    assert spoken.sum() > 60 * times and (same[spoken] == YES).sum() > 30 * times and set(counted) >= {1, 2, 3}


# Who wins.


def said_of(drawn):
    """What each bound says of each deal: a list for each."""
    return {
        name: [kernel.ask(name, k) for _, _, kernel in kernels_of(drawn)]
        for name, k in (("race", 1), ("long_race", 1), ("solitaire", 2), ("solitaire", 6))
    }


@pytest.mark.parametrize(
    ("kind", "count", "least"),
    [
        ("few cards", 400, 200),
        ("short chains", 60, 7),
        ("ladders", 60, 4),
        ("one deep", 30, 4),
        ("breakable", 100, 12),
        ("slow races", 75, 30),
        ("giftable", 200, 75),
    ],
)
def test_a_bound_names_the_winner(kind, count, least, times):
    drawn = deals(kind, count * times, 33)
    winners = answers(packed(drawn), Question(), MOST)
    for name, found in said_of(drawn).items():
        spoken = (np.array(found) != SILENT) & (winners != NOT_KNOWN)
        for place in np.flatnonzero(spoken & (winners != np.array(found))):
            raise AssertionError(f"{name}: {drawn[place]}")
        assert name == "long_race" or spoken.sum() >= least * times, (name, spoken.sum())


def test_a_bound_says_all_that_its_parts_give(times):
    """B8, B13, B14, B15. The race and the solitaire are what follows from the claims about each player, for every number of turns
    that docs/face_to_face.md names: neither more nor less."""
    spoken = dict.fromkeys(((name, said) for name in ("race", "solitaire") for said in (LOSS, WIN)), 0)
    long_races = late = 0
    for _, _, kernel in kernels_of([deal for kind in tight_deals.KINDS for deal in deals(kind, 300 * times, 34)]):
        x, y = kernel.ask("least_turns"), kernel.ask("least_turns", who=1)

        def through(k, who, gifts, kernel=kernel):
            return kernel.ask("surely_through", k, who, passed=who, gifts=gifts)

        def may(claim, k, who, kernel=kernel):
            return k > 0 and kernel.ask(claim, k, who)

        wins = any(through(k, 0, True) and y >= k for k in (1, 2, 3)) or any(
            through(k, 0, False) and not may("may_be_through", k - 1, 1) for k in (1, 2, 3)
        )
        loses = any(through(k, 1, True) and x > k for k in (1, 2, 3)) or any(
            through(k, 1, False) and not may("may_be_through", k, 0) for k in (1, 2)
        )
        late += wins and not any(through(min(k, y), 0, True) or k < 3 and through(k, 0, False) for k in (1, 2, 3))
        assert not (wins and loses)
        assert kernel.ask("race") == (WIN if wins else LOSS if loses else SILENT)
        assert kernel.ask("long_race") == (WIN if y > 3 and through(min(y, 5), 0, True) else SILENT)
        long_races += kernel.ask("long_race") == WIN
        spoken["race", LOSS] += loses
        spoken["race", WIN] += wins
        for most in (2, 6):
            ends = [next((k for k in range(1, most + 1) if not kernel.ask("may_go_on", k, who)), most + 1) for who in (0, 1)]
            assert [kernel.ask("ends_within", most, who) for who in (0, 1)] == ends
            wins = ends[1] < ends[0] and kernel.ask("surely_goes_on", ends[1], 0)
            loses = ends[0] <= min(most, ends[1]) and (ends[0] == 1 or kernel.ask("surely_goes_on", ends[0] - 1, 1, fresh=False))
            assert kernel.ask("solitaire", most) == (WIN if wins else LOSS if loses else SILENT)
            spoken["solitaire", LOSS] += loses
            spoken["solitaire", WIN] += wins
    assert min(spoken.values()) > 200 * times and min(long_races, late) > 10 * times, (spoken, long_races, late)


# This turn.


def test_who_can_finish_and_who_is_stuck(times):
    """B1, B2: no more and no less than brute force finds."""
    drawn = [deal for kind in ("few cards", "short chains", "giftable") for deal in deals(kind, 400 * times, 35)]
    records = packed(drawn)
    for claim, goal, says in (("can_finish", "through", (NO, YES)), ("is_stuck", "on", (YES, NO))):
        found = [says[kernel.ask(claim)] for _, _, kernel in kernels_of(drawn)]
        assert found == answers(records, Question(goal, 1, "against"), MOST).tolist()
        assert min(found.count(NO), found.count(YES)) > 80 * times


def test_the_window_is_that_of_the_tops_with_which_the_other_cannot_finish(times):
    """B3. Every pair of tops at, above or below a card; no further and no less far."""
    rows, said = [], []
    for (_, _, kernel), record in zip(kernels_of(drawn := deals("few cards", 150 * times, 36)), packed(drawn), strict=True):
        most_up, least_down = kernel.safe_window(1)
        for card in record["cards"][1][: record["count"][1]].tolist():
            for move in (-1, 0, 1):
                row = turned(record)
                row["up"][1], row["down"][1] = min(card + move, 59), 60
                rows.append(row.copy())
                said.append(int(row["up"][1]) > most_up or least_down > 60)
                row["up"][1], row["down"][1] = 1, max(card + move, 2)
                rows.append(row)
                said.append(int(row["down"][1]) < least_down or most_up < 1)
    found = answers(np.array(rows), Question("through", 1, "against"), MOST)
    wrong = [text(row) for row, answer, finishes in zip(rows, found, said, strict=True) if answer != (YES if finishes else NO)]
    assert not wrong, wrong[:3]
    assert 0.1 < np.mean(said) < 0.9


# Turns that are left out.


def after_turn(record, turn):
    """The deal after a turn of the first player, the other in the first place."""
    left, drawn, *tops = turn
    found = turned(record)
    count, held = int(record["count"][0]), int(record["held"][0]) + drawn
    cards = [(card, place < held) for place, card in enumerate(record["cards"][0][:count].tolist()) if left >> card & 1]
    found["count"][1], found["held"][1] = len(cards), sum(held for _, held in cards)
    found["cards"][1] = [card for card, _ in cards] + [0] * (found["cards"].shape[1] - len(cards))
    found["up"], found["down"] = tops[2::-2], tops[3::-2]
    return found


@cache
def outcomes(kind, count, seed):
    """For each deal: its turns, none left out, and whether the other wins after each, as brute force says."""
    drawn, rows, turns = deals(kind, count, seed), [], []
    for (_, _, kernel), record in zip(kernels_of(drawn, prune=False), packed(drawn), strict=True):
        turns.append(kernel.turns())
        rows += [after_turn(record, turn) for turn in turns[-1]]
    found = iter(answers(np.array(rows), Question(), MOST).tolist())
    return [{turn: next(found) for turn in one} for one in turns]


LEFT_OUT = [("few cards", 250, 250, 90), ("short chains", 25, 120, 80), ("breakable", 120, 30, 30), ("giftable", 90, 40, 40)]


@pytest.mark.parametrize(("kind", "count", "least", "exact"), LEFT_OUT)
def test_turns_that_are_refuted_together_lose(kind, count, least, exact, times):
    """B16. All that leave the other the same tops and the player at least k turns by counting; often one with fewer turns wins."""
    said = tight = 0
    drawn = deals(kind, count * times, 37)
    for (deal, rules, kernel), turns in zip(kernels_of(drawn), outcomes(kind, count * times, 37), strict=True):
        ends = kernel.ask("ends_within", 6) % 7
        for tops in {turn[4:] for turn in turns}:
            group = {turn: won for turn, won in turns.items() if turn[4:] == tops}
            needed = {turn: 1 + -(-(len(deal.mover.pile) - turn[1]) // 6) for turn in group}
            for k, with_ends in ((1, 0), (2, 0), (3, 0), (1, ends)):
                if kernel.refutes_all(k, with_ends, *tops):
                    said += 1
                    for turn, won in group.items():
                        assert needed[turn] < k or won != NO, (str(deal), rules, turn, k, with_ends)
                    tight += k > 1 and any(won == NO for won in group.values())
    assert said >= least * times and tight >= min(exact, 40) * times, (said, tight)


@pytest.mark.parametrize(("kind", "count", "least", "exact"), LEFT_OUT)
def test_turns_that_are_left_out_do_not_matter(kind, count, least, exact, times):
    """A bound leaves out only turns that lose. Dominance leaves out turns, but never the last one that wins."""
    drawn = deals(kind, count * times, 37)
    refuted = dominated = 0
    found = zip(kernels_of(drawn, prune=False), outcomes(kind, count * times, 37), strict=True)
    for (deal, rules, kernel), turns in found:
        kept = kernel.turns(safe=True)
        assert set(kept) <= set(turns)
        for turn in set(turns) - set(kept):
            refuted += 1
            assert turns[turn] != NO, (str(deal), rules, turn)
    for (deal, rules, kernel), turns in zip(kernels_of(drawn), outcomes(kind, count * times, 37), strict=True):
        for kept in (kernel.turns(), kernel.turns(safe=True)):
            dominated += len(turns) - len(set(kept))
            if NO in turns.values() and NOT_KNOWN not in turns.values():
                assert NO in {turns[turn] for turn in kept}, (str(deal), rules)
    assert refuted >= least * times and dominated >= exact * times, (refuted, dominated)


# What is said of cards and tops, against plain definitions.


def fits_ever(cards, up, down, card, fresh):
    """Can this card be laid on an own pile, after any of the others in any order? fresh: the back tricks of the tops fit too."""
    seen, todo = set(), [(frozenset(cards), up, down, not fresh, not fresh)]
    while todo:
        left, up, down, stale_up, stale_down = moment = todo.pop()
        if moment in seen:
            continue
        seen.add(moment)
        for one in left:
            ups = one > up or (one == up - BACK and not stale_up)
            downs = one < down or (one == down + BACK and not stale_down)
            if one == card and (ups or downs):
                return True
            if ups:
                todo.append((left - {one}, one, down, False, stale_down))
            if downs:
                todo.append((left - {one}, up, one, stale_up, False))
    return False


def test_dead_cards_never_fit(times):
    """B5, with the back tricks of the tops and without."""
    dead = alive = 0
    drawn = [deal for kind in ("few cards", "short chains") for deal in deals(kind, 150 * times, 38)]
    for deal, rules, kernel in kernels_of(drawn):
        side = deal.mover
        for fresh in (True, False):
            said = kernel.ask("dead", fresh=fresh)
            for card in (*side.hand, *side.pile):
                fits = fits_ever((*side.hand, *side.pile), side.ascending, side.descending, card, fresh)
                dead += said >> card & 1
                alive += not fits and not said >> card & 1
                assert not (fits and said >> card & 1), (str(deal), rules, card, fresh)
    assert dead > 200 * times and alive < 0.2 * dead, (dead, alive)


def turns_alone(side, turns, rules):
    """The hands and tops that a player can have before each of its next `turns` turns, and after the last, while the other does
    nothing and every helpful card fits: (hand, pile, ascending, descending)."""
    found, now = set(), {(frozenset(side.hand), side.pile, side.ascending, side.descending)}
    for _ in range(turns):
        found |= now
        now = {after for one in now for after in ends_of_turn(*one, rules)}
    return found, now


def ends_of_turn(hand, pile, up, down, rules):
    """Where one turn can lead (F3 to F6, F11)."""
    seen, todo, ends = set(), [(hand, up, down, False)], set()
    while todo:
        left, up, down, helped = moment = todo.pop()
        if moment in seen:
            continue
        seen.add(moment)
        if len(hand) - len(left) >= 2:
            draws = 6 - len(left) if helped else 2
            ends.add((left | set(pile[:draws]), pile[draws:], up, down))
        for card in left:
            if not helped:
                todo.append((left - {card}, up, down, True))
            if card > up or card == up - BACK:
                todo.append((left - {card}, card, down, helped))
            if card < down or card == down + BACK:
                todo.append((left - {card}, up, card, helped))
    return ends


def test_what_the_other_may_hold_and_show(times):
    """B9, B10. No card in hand before one of its turns is left out; often each of the cards can be there. A card that surely fits
    improves every pair of tops that the other can show; a card that does not often fails on one."""
    held, gifts = [0, 0], [0, 0]
    for deal, rules, kernel in kernels_of([*deals("few cards", 50 * times, 39), *deals("giftable", 50 * times, 39)]):
        for turns in (1, 2):
            before, after = turns_alone(deal.opponent, turns, rules)
            cards = sum(1 << card for card in frozenset().union(*(hand for hand, *_ in before)))
            said = kernel.ask("held_by", turns)
            assert not cards & ~said, (str(deal), rules, turns)
            held[said == cards] += 1
            fit = kernel.ask("sure_gifts", turns)
            for card in (*deal.mover.hand, *deal.mover.pile):
                improves = all(card < up or card > down for *_, up, down in after)
                if after:
                    gifts[0] += not improves
                    gifts[1] += fit >> card & 1
                assert improves or not fit >> card & 1, (str(deal), rules, turns, card)
    assert held[True] > held[False] > 0 and min(gifts) > 50 * times, (held, gifts)


def meaning(up, down, own, other):
    """Which own cards fit on the piles, and which of the other improve them."""
    return (
        [(card > up, card == up - BACK, card < down, card == down + BACK) for card in sorted(own)],
        [(card < up, card > down) for card in sorted(other)],
    )


def test_the_simplest_tops_mean_the_same(times):
    """To every card, and no simpler ones do; the winner stays."""
    drawn, changed, rows, simple = deals("few cards", 200 * times, 40), 0, [], []
    for (deal, rules, kernel), record in zip(kernels_of(drawn), packed(drawn), strict=True):
        tops = kernel.simplest()
        row = record.copy()
        row["up"], row["down"] = tops[0::2], tops[1::2]
        rows.append(record)
        simple.append(row)
        for seat, (side, other) in enumerate(((deal.mover, deal.opponent), (deal.opponent, deal.mover))):
            (up, down), own, theirs = tops[2 * seat : 2 * seat + 2], (*side.hand, *side.pile), (*other.hand, *other.pile)
            real = meaning(side.ascending, side.descending, own, theirs)
            assert meaning(up, down, own, theirs) == real, (str(deal), rules)
            changed += (up, down) != (side.ascending, side.descending)
            ups = [top for top in range(1, up) if meaning(top, side.descending, own, theirs) == real]
            downs = [top for top in range(down + 1, 61) if meaning(side.ascending, top, own, theirs) == real]
            # With its back trick still there a top stays as it is.
            assert not ups or side.ascending - BACK in own, (str(deal), rules)
            assert not downs or side.descending + BACK in own, (str(deal), rules)
    assert answers(np.array(rows), Question(), MOST).tolist() == answers(np.array(simple), Question(), MOST).tolist()
    assert changed > 200 * times


def test_refusals():
    kernel = Claims(PUBLISHED.code)
    kernel.begin((1, 60, (2, 3), (4,)), (1, 60, (2, 3), ()))
    with pytest.raises(ValueError, match="no claim"):
        kernel.ask("nothing")
    for wrong in ((0, 60, 0), (1, 61, 0), (1, 60, 2)):
        with pytest.raises(ValueError, match="cannot be"):
            kernel.change(0, *wrong)
