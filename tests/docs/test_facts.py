"""Facts of many positions, of both games, against slow twins that list every turn by the readable rules."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from backtrick import take_that
from backtrick.errors import ArrayError, PositionError
from backtrick.face_to_face import PUBLISHED, Position, Rules, pack, unpack
from backtrick.face_to_face import rules as referee
from backtrick.face_to_face import value as value_of
from backtrick.face_to_face.classes import TableName, index_of, representative, representatives
from backtrick.face_to_face.samples import selfplay_array
from backtrick.face_to_face.tablebase import bit_counts
from backtrick.take_that import rules as line_referee
from backtrick.take_that.policies import eager
from backtrick.take_that.samples import selfplay_array as line_selfplay_array
from backtrick.take_that.solving import best_many, value
from backtrick.take_that.state import State
from backtrick.take_that.turn import pack_turn, unpack_turn
from command import ROOT
from oracles.published_deck import SmallDeck
from samples import sample
from shares import draw
from small_decks import every_position
from take_that_samples import ALL_RULES, SMALL_DECKS
from take_that_samples import every_position as every_line_position

sys.path.append(str(ROOT / "scripts" / "census"))

import findings  # noqa: E402
from facts_face_to_face import FACTS_DTYPE, facts_many  # noqa: E402
from facts_take_that import KINDS, eager_many, kinds_many, play_out_many  # noqa: E402

# Face to Face


def facts_by_turns(position, rules=PUBLISHED):
    """The slow twin: all turns by the readable rules, the values of what they lead to one by one."""
    worth = value_of(position, rules)
    outcomes = []  # of each: cards laid, whether it wins, is best, helps, harms
    for following, (turn, _) in referee.outcomes(position, rules).items():
        left = value_of(following, rules)
        helps = [play for play in turn if play.helpful]
        harms = False
        if helps and left % 2 == 0 and following.opponent.hand:
            piles = {"ascending": position.opponent.ascending, "descending": position.opponent.descending}
            harms = value_of(replace(following, mover=replace(following.mover, **piles)), rules) % 2 == 1
        outcomes.append((len(turn), left % 2 == 0, left + 1 == worth, bool(helps), harms))
    most = max((laid for laid, *_ in outcomes), default=0)
    winning = [one for one in outcomes if one[1]]
    return (
        worth,
        len(outcomes),
        len(winning),
        sum(helps for *_, helps, _ in outcomes),
        sum(harms for *_, harms in outcomes),
        most == len(position.mover.hand) and most > 0,
        any(best for laid, _, best, *_ in outcomes if laid == most),
        any(wins for laid, wins, *_ in outcomes if laid == most),
        bool(winning) and all(helps for *_, helps, _ in winning),
        bool(winning) and all(harms for *_, harms in winning),
    )


@pytest.mark.parametrize(("highest", "step"), [(5, 1), (5, 2), (6, 2), (7, 3)])
def test_facts_of_small_decks(highest, step, times):
    """Some positions; in the slow suite every one of the smallest deck."""
    array = SmallDeck(highest, step).positions(every_position(highest))
    if highest > 5 or times == 1:
        array = array[np.random.default_rng(highest).integers(0, len(array), 20 * times)]
    found = facts_many(array, progress=False)
    for position, facts in zip(unpack(array), found.tolist(), strict=True):
        assert facts == facts_by_turns(position), position


@pytest.mark.parametrize("lone_card", [False, True])
def test_facts_of_the_real_deck(lone_card, times):
    positions = [one for kind in ("uniform", "tight", "clustered", "hard") for one in sample(kind, 8 * times, seed=5, most=5)]
    rules = Rules(lone_card)
    found = facts_many(pack(positions), rules=rules, progress=False)
    assert found.dtype == FACTS_DTYPE
    for position, facts in zip(positions, found.tolist(), strict=True):
        assert facts == facts_by_turns(position, rules), position
    for name in ("whole_hand", "most_is_best", "most_wins", "needs_help"):
        assert 0 < np.count_nonzero(found[name]) < len(found), name
    assert (found["outcomes"] == 0).any()


def test_facts_of_positions_where_help_harms(times):
    drawn = draw(TableName(4, 3), 4000, seed=1)
    found = facts_many(drawn, progress=False)
    chosen = np.union1d(np.flatnonzero(found["harmful"])[:: 8 // times], np.arange(13 * times))
    for position, facts in zip(unpack(drawn[chosen]), found[chosen].tolist(), strict=True):
        assert facts == facts_by_turns(position), position
    assert np.count_nonzero(found["harmful"]) > 20 and found["needs_harm"].any()


def test_facts_in_parts_are_facts_of_the_whole():
    positions = pack(sample("clustered", 50, seed=6, most=4))
    whole = facts_many(np.tile(positions, 100), progress=False)  # longer than what is in memory at once
    assert np.array_equal(whole.reshape(100, -1), np.tile(facts_many(positions, progress=False), (100, 1)))
    assert len(facts_many(positions[:0])) == 0


def test_facts_name_what_is_wrong():
    array = pack(sample("uniform", 3, seed=1))
    array["mover_ascending"][2] = 60
    with pytest.raises(PositionError, match="position 2 of the array"):
        facts_many(array)
    with pytest.raises(ArrayError):
        facts_many(np.zeros(2))


def test_help_that_harms_is_the_example_of_the_statistics():
    [facts] = facts_many(pack([Position.parse("50^10v:30,45,57 50^10v:40,41")]))
    assert (facts["harmful"], facts["needs_harm"]) == (1, True)


def test_representatives_are_those_of_each_slot():
    name = TableName(2, 1)
    slots = np.random.default_rng(3).integers(0, index_of(name).size, 300)
    found, there = representatives(name, slots)
    for slot, row, known in zip(slots.tolist(), found, there.tolist(), strict=True):
        assert representative(name, slot) == (Position.of_row(row.item()) if known else None)
    assert 0 < there.sum() < len(there) and not found[~there]["mover_hand"].any()
    with pytest.raises(IndexError):
        representatives(name, np.array([index_of(name).size]))


# Take That


def line_positions(count, seed):
    """Random positions of the real deck, lines and hands of all sizes, some of them over."""
    random, deck = Random(seed), list(take_that.rule_options.DECK)
    for _ in range(count):
        random.shuffle(deck)
        first, second, line = random.randrange(6), random.randrange(6), random.randrange(9)
        yield take_that.Position(deck[:first], deck[first : first + second], deck[first + second :][:line])


def small_line_positions():
    return [position for deck in SMALL_DECKS.values() for position in every_line_position(deck)]


def kind_of(turn):
    return "take" if turn.is_take else "twist" if turn.is_twist else "lay"


def kinds_by_turns(position, rules):
    """The slow twin: for each kind the value and the first of its best turns, packed; 0 and 0 if there is none."""
    best = {kind: (0, 0) for kind in KINDS}
    for turn, points, following in line_referee.successors(position, rules):
        worth = points - (0 if following is None else value(following, rules))
        kind = kind_of(turn)
        if best[kind][1] == 0 or worth > best[kind][0]:
            best[kind] = (worth, pack_turn(turn))
    return (value(position, rules), *(best[kind][0] for kind in KINDS), *(best[kind][1] for kind in KINDS))


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_kinds_of_turns(rules):
    positions = [*Random(4).sample(small_line_positions(), 400), *line_positions(150, 5)]
    found = kinds_many(take_that.pack(positions), rules=rules, progress=False)
    seen = Counter()
    for position, kinds in zip(positions, found.tolist(), strict=True):
        assert kinds == kinds_by_turns(position, rules), position
        seen.update(kind for kind, turn in zip(KINDS, kinds[4:], strict=True) if turn)
    assert min(seen[kind] for kind in KINDS) > 50


def going_on(positions):
    return [position for position in positions if line_referee.legal_turns(position)]


def test_eager_is_the_policy():
    positions = going_on([*small_line_positions(), *line_positions(500, 6)])
    found = eager_many(take_that.pack(positions))
    seen = Counter()
    for position, packed in zip(positions, found.tolist(), strict=True):
        turn = unpack_turn(packed)
        assert turn == eager(State.begin(position).view(0)), position
        seen[kind_of(turn)] += 1
    assert min(seen[kind] for kind in KINDS) > 100


def test_endgames_are_played_out():
    positions = going_on(line_positions(200, 7))
    array = take_that.pack(positions)
    exact = play_out_many(array, best_many, progress=False)
    found = play_out_many(array, eager_many, progress=False)
    assert exact.tolist() == [value(position) for position in positions]
    assert (found <= exact).all() and (found < exact).any()
    for position, points in zip(positions, found.tolist(), strict=True):
        total, sign, state = 0, 1, position
        while state is not None:
            turn = eager(State.begin(state).view(0)) if sign > 0 else unpack_turn(int(best_many(take_that.pack([state]))[0]))
            gained, state = line_referee.play(state, turn)
            total, sign = total + sign * gained, -sign
        assert points == total, position


# What README begins with


def test_findings_of_face_to_face_are_those_of_plain_counting():
    array = selfplay_array(1500, seed=4)
    array = array[bit_counts(array["mover_hand"]) <= 5][:24]  # few cards have few turns
    facts = [dict(zip(FACTS_DTYPE.names, facts_by_turns(one), strict=True)) for one in unpack(array)]
    won = [one for one in facts if one["winning"]]
    small = [one for one, position in zip(facts, unpack(array), strict=True) if one["winning"] and len(position.mover.hand) <= 4]
    shares = [
        (won, facts),
        ([one for one in facts if one["whole_hand"]], facts),
        ([one for one in won if one["needs_help"]], won),
        ([one for one in small if one["needs_help"]], small),
        ([one for one in won if not one["most_wins"]], won),
    ]
    expected = [f"{len(some) / len(whole):.1%}".replace("%", " %") for some, whole in shares]
    expected.insert(2, str(max(one["remoteness"] for one in facts)))
    assert list(findings.race_findings(array).values()) == expected
    assert all(0 < len(some) < len(whole) for some, whole in shares)


def test_findings_of_take_that_are_those_of_plain_counting():
    array = line_selfplay_array(400, seed=4)
    positions = take_that.unpack(array)
    worths = [value(position) for position in positions]
    turns = [
        {turn: points - (value(after) if after else 0) for turn, points, after in line_referee.successors(one)} for one in positions
    ]
    takes = [found.get(take_that.Turn(), -999) == worth for found, worth in zip(turns, worths, strict=True)]
    twists = [
        max(of_twists) < worth
        for found, worth in zip(turns, worths, strict=True)
        if (of_twists := [points for turn, points in found.items() if turn.is_twist])
    ]
    means = (f"{sum(takes) / len(takes):.1%}", f"{sum(worths) / len(worths):+.2f}", f"{sum(twists) / len(twists):.1%}")
    kinds = kinds_many(array)
    assert list(findings.line_findings(kinds).values()) == [one.replace("%", " %") for one in means]
    head, first, *_ = findings.values_by_length(array)
    singles = [worth for worth, position in zip(worths, positions, strict=True) if len(position.line) == 1]
    assert (head[0], first[0], first[1].split(" ± ")[0]) == ("cards in the line", "1", f"{sum(singles) / len(singles):+.2f}")
    for before, after in zip(positions, take_that.unpack(findings.with_shuffled_hands(array)), strict=True):
        assert before.line == after.line and before.mover != after.mover
        assert {*before.mover, *before.opponent} == {*after.mover, *after.opponent}
