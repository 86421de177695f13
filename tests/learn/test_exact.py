"""`backtrick.learn`: what turns are worth as arrays, and regret, against slow twins written from the rules."""

from __future__ import annotations

import math
import shlex
import sys
from functools import cache, partial
from itertools import permutations
from random import Random

import numpy as np
import pytest

from backtrick import face_to_face, learn, take_that
from backtrick.errors import ArgumentError, LineError
from backtrick.face_to_face import rules as duel
from backtrick.face_to_face import samples as duels
from backtrick.face_to_face.players import PLAYERS
from backtrick.learn import TurnValues, action_values, judge, regret, turn_values
from backtrick.matches.score import Z
from backtrick.play.players import numbers_for
from backtrick.take_that import rules as line
from backtrick.take_that import samples as rounds
from oracles.published_deck import SmallDeck
from small_decks import every_position

EVERY = SmallDeck(6, 2).positions(every_position(6))
"""Every position of a small deck."""
TOGETHER = "52^6v:16,18,19,57 53^15v:4,7,29,44"
"""Its only winning turn is 16v 18v'."""


@cache
def wins(position: face_to_face.Position, rules: face_to_face.Rules) -> bool:
    """True if the mover wins: some turn leads to a position in which the next mover does not."""
    return any(not (after.mover.hand and wins(after, rules)) for after, _ in followers(position, rules))


def followers(position, rules):
    """What every turn leads to, by the readable rules. The next mover may hold nothing only if the game is over."""
    return [(duel.after(position, turn, rules), turn) for turn in duel.legal_turns(position, rules)]


def paid_by_duel(position, turn, rules) -> float:
    """1 if the turn wins by exact play, else -1."""
    return -1.0 if wins(duel.after(position, turn, rules), rules) else 1.0


def paid_by_line(position, turn, rules) -> float:
    """The points of the turn, less what the opponent then makes."""
    points, following = line.play(position, turn, rules)
    return float(points - (line.value(following, rules) if following else 0))


def small_duels(count: int, seed: int = 1) -> np.ndarray:
    """Positions of a small deck, any of them."""
    return EVERY[np.random.default_rng(seed).choice(len(EVERY), count, replace=False)]


def small_rounds(count: int, seed: int = 1) -> list[take_that.Position]:
    """Positions of few cards near each other, so that cards fit and twist."""
    random, cards = Random(seed), [card for card in range(12, 56) if card % 10]
    made = []
    for _ in range(count):
        chosen = random.sample(cards, random.randint(3, 9))
        own, other = sorted((random.randint(0, len(chosen) // 2), random.randint(0, len(chosen))))
        made.append(take_that.Position(chosen[:own], chosen[own:other], chosen[other:]))
    return made


CASES = {
    "small deck": (face_to_face.GAME, face_to_face.PUBLISHED, face_to_face.unpack(small_duels(60)), paid_by_duel),
    "lone card": (face_to_face.GAME, face_to_face.Rules(True), face_to_face.unpack(small_duels(30, 2)), paid_by_duel),
    "line": (take_that.GAME, take_that.Rules(), small_rounds(80), paid_by_line),
    "forced only": (take_that.GAME, take_that.Rules(True, "ends"), small_rounds(80, 2), paid_by_line),
}


def twin(case: str) -> list[dict[str, float]]:
    """What every legal turn of every position pays, from the rules alone."""
    game, rules, positions, paid = CASES[case]
    listed = duel.legal_turns if game is face_to_face.GAME else line.legal_turns
    return [{str(turn): paid(position, turn, rules) for turn in listed(position, rules)} for position in positions]


@pytest.mark.parametrize("case", CASES)
def test_turns_pay_what_the_rules_say(case):
    _, rules, positions, _ = CASES[case]
    found, expected = turn_values(positions, rules, threads=1), twin(case)
    assert found.counts.sum() == len(found.turns) == len(found.values) and len(found.places) == len(found.turns)
    for place, every in enumerate(expected):
        told = {str(turn): float(found.game.payoffs(np.array([value]))[0]) for turn, value in found.of(place)}
        assert told.items() <= every.items() and set(told.values()) == set(every.values()), positions[place]
        part = found.places == place
        assert np.array_equal(found.regrets[part], max(every.values(), default=0.0) - found.payoffs[part])
    assert 0 < found.optimal.sum() < len(found.turns) and (found.regrets[found.optimal] == 0).all()


@pytest.mark.parametrize("case", CASES)
def test_the_regret_of_a_policy_is_what_the_rules_say(case):
    """A policy that plays the first legal turn."""
    game, rules, positions, _ = CASES[case]
    played, expected = [], [every for every in twin(case) if every]

    def first(position):
        played.append(str(next(iter(game.legal_turns(position, rules)))))
        return played[-1]

    found = regret(first, positions, rules)
    lost = [max(every.values()) - every[turn] for turn, every in zip(played, expected, strict=True)]
    assert found.regrets.tolist() == lost and sum(lost) > 0 and len(found) < len(positions)
    assert found.mean.value == pytest.approx(sum(lost) / len(lost))
    assert found.kept_share.value == pytest.approx(lost.count(0) / len(lost))


def test_values_are_those_of_solved_positions():
    for array in (duels.selfplay_array(40, seed=5), rounds.selfplay_array(40, seed=5)):
        found = turn_values(array)
        for place, answer in enumerate(found.game.answers(found.game.unpack(array), exact_terms(found))):
            told = {str(turn): value for turn, value in found.of(place)}
            assert told == {str(one.turn): one.value for one in answer.outcomes}
            part = found.places == place
            assert found.optimal[part].sum() == answer.optimal


def exact_terms(found: TurnValues):
    from backtrick.game import SolveOptions

    return SolveOptions(found.rules, want=frozenset({"outcomes"}))


def test_positions_without_a_turn_have_none_and_are_not_asked():
    stuck = face_to_face.Position.parse("59^2v:3,13 27^40v:5,12")
    won = face_to_face.Position.parse("27^40v:17,18,45 13^50v:5,12")
    found = turn_values([stuck, won, stuck])
    assert found.counts[[0, 2]].tolist() == [0, 0] and found.counts[1] > 0 and found.optimal.any()
    assert found.of(0) == found.of(2) == [] and set(found.places.tolist()) == {1}
    assert turn_values([stuck]).regrets.shape == turn_values([stuck]).optimal.shape == (0,)
    assert len(regret("frugal", [stuck, won, stuck])) == 1
    with pytest.raises(ArgumentError, match="no position has a legal turn"):
        regret("frugal", [stuck])
    with pytest.raises(ArgumentError, match="2 of the positions have no legal turn"):
        judge([stuck, won, stuck], np.zeros(3, np.uint64))


def test_exact_play_has_no_regret_and_random_play_has():
    for array in (duels.selfplay_array(400, seed=3), rounds.selfplay_array(200, seed=3)):
        best = regret("exact:random", array)
        assert not best.regrets.any() and best.optimal.all() and best.worst() == []
        assert best.bootstrap() == best.mean == (0, 0, math.inf) and best.optimal_share.value == 1 and best.optimal_share.low > 0.97
        poor = regret("random", array)
        assert poor.mean.low > 0.1 and best.less(poor).low > 0.1 and poor.less(best).high < -0.1


def test_ways_to_say_a_policy_agree():
    array, game, frugal = duels.selfplay_array(200, seed=4), face_to_face.GAME, PLAYERS.player("frugal")
    by_name = regret("frugal", array)
    by_view = regret(frugal, array, sees="view")
    made = [frugal(face_to_face.State.begin(position).view(0)) for position in game.unpack(by_name.positions)]
    turns = dict(zip(game.unpack(by_name.positions), made, strict=True))
    by_object = regret(turns.__getitem__, game.unpack(array))
    by_text = regret(lambda position: str(turns[position]), array)
    by_number = regret(lambda position: game.pack_turn(turns[position]), array)
    judged = judge(by_name.positions, by_name.turns)
    for other in (by_view, by_object, by_text, by_number, judged):
        assert np.array_equal(other.turns, by_name.turns) and np.array_equal(other.regrets, by_name.regrets)


def test_the_worst_turns_come_first():
    found = regret("eager", rounds.selfplay_array(300, seed=2))
    worst, all_wrong = found.worst(20), found.worst(300)
    assert [one.regret for one in worst] == sorted(found.regrets, reverse=True)[:20] and len(found.worst()) == 5
    in_order = sorted((-regret, place) for place, regret in enumerate(found.regrets) if not found.optimal[place])
    assert [one.position for one in all_wrong] == take_that.unpack(found.positions[[place for _, place in in_order]])
    assert len({one.regret for one in all_wrong}) < len(all_wrong), "some are alike"
    for one in worst:
        grade = take_that.grade(one.position, one.turn)
        assert (grade.before, grade.after) == (one.before, one.after) and one.regret == one.before - one.after > 0
        assert take_that.grade(one.position, one.best).optimal


def test_slower_wins_are_not_best_but_cost_nothing():
    slow = next(
        (position, turn)
        for position in duels.tight(200, seed=1)
        for turn, value in turn_values([position]).of(0)
        if value == 5 and face_to_face.value(position) == 3
    )
    found = regret(lambda position: slow[1], [slow[0]])
    assert not found.optimal[0] and found.regrets[0] == 0 and found.kept_share.value == 1 and found.optimal_share.value == 0
    assert [one.regret for one in found.worst()] == [0]


def test_intervals_are_those_of_the_formulas():
    """By hand: 100 turns, of which 20 throw a win away, so regrets are 0 or 2 with mean 0.4."""
    position = face_to_face.Position.parse(TOGETHER)
    turns = np.array([face_to_face.pack_turn(face_to_face.Turn.parse(turn)) for turn in ["16v 18v'"] * 80 + ["16v 18^'"] * 20])
    found = judge(face_to_face.pack([position] * 100), turns.astype(np.uint64))
    half = Z * math.sqrt(4 * 0.2 * 0.8 / 99)
    assert found.mean == pytest.approx((0.4, 0.4 - half, 0.4 + half))
    assert found.optimal_share == pytest.approx((0.8, 0.7112, 0.8666), abs=1e-4)  # Wilson's interval for 80 of 100
    low, high = found.bootstrap().low, found.bootstrap().high
    assert found.bootstrap().value == found.mean.value and abs(low - found.mean.low) < 0.03 and abs(high - found.mean.high) < 0.03
    assert found.bootstrap() == found.bootstrap(0) != found.bootstrap(1)
    draws = np.random.default_rng(1).choice(found.regrets, (4000, 100)).mean(axis=1)
    assert np.quantile(draws, (0.025, 0.975)) == pytest.approx((low, high), abs=0.03)


def test_positions_are_taken_as_solve_many_takes_them():
    texts = [TOGETHER, "27^40v:17,18 13^50v:5,12"]
    expected = turn_values(list(map(face_to_face.Position.parse, texts)))
    for given in (texts, iter(texts), np.array(texts), face_to_face.pack(texts)):
        assert np.array_equal(turn_values(given).values, expected.values)


def test_what_is_refused():
    array, position = duels.selfplay_array(3, seed=1), face_to_face.Position.parse(TOGETHER)
    for other in (position, take_that.Position.parse("15,43,44 21,53 51-62-35")):
        with pytest.raises(LineError, match=r"forfeit \(crashed\): it ended with exit code 0"):
            regret(f"cmd:{shlex.quote(sys.executable)} -c pass", [other])
    policies = {"position": lambda one: one.mover.hand, "view": lambda one: one.hand_size, "moment": lambda one: one.legal()[0],
                "arrays": lambda observations, masks: masks.argmax(axis=1)}  # fmt: skip
    for sees, other in permutations(policies, 2):
        with pytest.raises((ArgumentError, LineError), match=f"raised .*Error: .*; by sees='{sees}' it is called with") as told:
            regret(policies[other], [position], sees=sees)
        assert isinstance(told.value.__cause__, (TypeError, AttributeError))
    with pytest.raises(ArgumentError, match="the same positions"):
        regret("frugal", array[:1]).less(regret("frugal", array[1:]))


@pytest.mark.slow
def test_a_policy_of_chance_is_asked_once_a_position():
    array = duels.selfplay_array(10, seed=6)

    def chance(position):
        turns = face_to_face.legal_turns(position)
        return turns[numbers_for(1, position).below(len(turns))]

    assert np.array_equal(regret(chance, array).turns, regret(chance, array).turns)


def test_a_prompt_shows_a_line(capsys):
    positions = duels.selfplay_array(300, seed=1)
    found = learn.regret("hasty", positions)
    assert repr(found) == f"<Regret {found}>" and len(repr(found)) < 200 and found._repr_html_().count("<tr>") == 6
    assert len(repr(learn.turn_values(positions))) < 100 and len(repr(learn.action_values(positions[:5]))) < 100


def test_what_was_found_is_compared_and_hashed_as_an_object():
    """Of arrays numpy cannot say whether they are equal."""
    places = face_to_face.parse_many(TOGETHER)
    for find in (turn_values, action_values, partial(regret, "frugal")):
        one, other = find(places), find(places)
        assert one == one and one != other and one in [other, one] and len({one, other}) == 2  # noqa: PLR0124
