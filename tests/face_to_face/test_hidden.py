"""The equilibrium of Face to Face with both hands hidden: against the whole game tree, by laws, and by examples done by hand."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest

from audit.face_to_face.hidden import mirrored
from backtrick.errors import ArgumentError, ContradictionError, UsageError
from backtrick.face_to_face import (
    Budget,
    Position,
    PublicState,
    Rules,
    State,
    View,
    equilibrium,
    hidden,
    hidden_long,
    odds,
    value,
)
from backtrick.face_to_face._equilibrium import LastTurns
from backtrick.face_to_face.public_state import Known
from certificates import check
from command import ask
from oracles.judges import cases

pytest.importorskip("scipy", reason="needs the extra equilibrium: pip install 'backtrick[equilibrium]'")

BLUFF = "56^10v:?6:3,6,7,14,22,44,45,49,58,59 47^38v:?6:2,7,8,20,35,39,44"
BETTER, WORSE = (3, 14, 44, 45, 49, 59), (3, 6, 14, 22, 49, 59)
ONE_LEFT = "36^3v:21,25,47,50,53,56+?8,29,31 57^10v:?6:2,13,18,26,29,39,40,59"
KINDS = {"one turn": (0, 2, 0, 2), "two turns": (3, 4, 0, 2), "three turns": (0, 4, 3, 4)}  # cards in both piles


FEW = {"one turn": 8, "two turns": 60, "three turns": 4}
"""How many of them the quick suite asks."""
solved = cache(equilibrium)


@cache
def judged_states(kind: str) -> list[tuple[PublicState, Fraction]]:
    """The states of a kind, with the value by Gambit, or by OpenSpiel to nine digits; those between 0 and 1 first."""
    least, most, other_least, other_most = KINDS[kind]
    asked = [(case.game_and_state()[1], case) for case in cases() if case.game == "face_to_face"]
    found = [(state, Fraction(case.gambit) if case.gambit != "-" else round(Fraction(case.openspiel), 9)) for state, case in asked
             if least <= state.mover.pile_size <= most and other_least <= state.opponent.pile_size <= other_most]  # fmt: skip
    return sorted(found, key=lambda one: one[1] in (0, 1))


def small_states(kind: str, count: int) -> list[PublicState]:
    """A few of them, which all tests share."""
    return [state for state, _ in judged_states(kind)[:count]]


def side_of(mover: Known, hand: tuple[int, ...]) -> str:
    """The mover's side with this hand, as a view writes it."""
    pile = ",".join(str(card) for card in mover.unlaid if card not in hand)
    return f"{mover.ascending}^{mover.descending}v:{','.join(map(str, hand))}{pile and '+?'}{pile}"


def plan_of(found):
    """The plan as a strategy."""
    return lambda view: {turn: share for turn, share, _ in found.hands[view.own.hand].turns}


NEEDED = {
    "the best turn, also where it is better by a little": [
        ("24^3v:?3:2,4,14,23 14^2v:?2:3,5,12,23,24", Rules(True), "19/20"),
        ("8^7v:?2:3,4,6,9 4^12v:?2:3,5,12,13,15", Rules(), "14/15"),
        ("23^3v:?2:2,3,33 1^13v:?2:2,4,14,23,24,33", Rules(True), "1/9"),
    ],
    "four turns and more, with five cards in a pile": [
        ("44^3v:?2:2,4,13,14,32,33,42 33^2v:?2:3,34,44", Rules(), "8/21"),
        ("16^2v:?2:2,3,4,6,7,13,15 4^5v:?2:3,7,12,15", Rules(True), "1/7"),
        ("50^5v:?2:2,42,43 55^5v:?2:2,12,15,22,32,43,45", Rules(True), "2/3"),
        ("13^22v:?2:5,12,15 14^2v:?2:3,5,12,13,15,22,23", Rules(), "2/9"),
    ],
    "turns that nobody has looked at": [("4^2v:?2:3,5,7,9,13,16 14^2v:?2:3,8,9,12,17", Rules(), "277/300")],
    "a first turn that is made anew, with another range": [
        ("2^17v:?3:2,5,7,10,12,14,16 6^15v:?3:3,4,5,7,9,13,16", Rules(), "967/1050")],
    "turns after which the other player surely wins with some hands only": [
        ("13^25v:?2:15,23,24 34^3v:?2:2,4,25,32,33", Rules(), "7/10")],
    "a choice between two replies": [("7^14v:?2:2,6,12,13,14,15 2^15v:?2:5,6,13", Rules(), "61/90")],
}  # fmt: skip
"""Public states with their values: without this their bounds come out wrong, or there are none."""


@pytest.mark.parametrize("what", NEEDED)
def test_what_an_equilibrium_needs(what):
    for text, rules, expected in NEEDED[what]:
        assert equilibrium(PublicState.parse(text, rules=rules)).value == Fraction(expected), text


@pytest.mark.slow
@pytest.mark.parametrize("what", NEEDED)
def test_plans_of_the_long_game_keep_what_they_say_against_every_reply(what):
    for text, rules, expected in NEEDED[what]:
        said = check(equilibrium(PublicState.parse(text, rules=rules)).certificate().splitlines())
        assert said.endswith(f"{text}: at least {expected}, at most {expected}")


def some_range(numbers: Random, count: int) -> list[Fraction]:
    weights = [numbers.choice((0, 0, 1, 3)) for _ in range(count)]
    weights[numbers.randrange(count)] = 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def test_a_game_that_is_solved_again_is_as_a_new_one(times):
    """What was found with one range is no bound with another: neither the cuts nor the turns that never win."""
    for text, rules, _ in [states[0] for states in NEEDED.values()]:
        numbers = Random(1)
        state = PublicState.parse(text, rules=rules)
        sides = state.mover, state.opponent
        every = [(1 << len(side.hands)) - 1 for side in sides]
        game = hidden_long.game_of(*sides, *every, rules, bytearray(1))
        for _ in range(6 * times):
            own, other = (some_range(numbers, len(side.hands)) for side in sides)
            found, anew = (hidden_long.solve_any(one, own, other, Fraction())
                           for one in (game, hidden_long.game_of(*sides, *every, rules, bytearray(1))))  # fmt: skip
            assert found.lower == found.upper == anew.lower, (text, own, other)


def solved_long(text, rules):
    state = PublicState.parse(text, rules=rules)
    sides = state.mover, state.opponent
    every = [(1 << len(side.hands)) - 1 for side in sides]
    own, other = ([Fraction(1, len(side.hands))] * len(side.hands) for side in sides)
    game = hidden_long.game_of(*sides, *every, rules, bytearray(1))
    return game, hidden_long.solve_any(game, own, other, Fraction())


CUT = [state[:2] for what, states in NEEDED.items() if what != "a choice between two replies" for state in states]
"""Those that take more than one look at the first turns."""


@pytest.mark.parametrize(("text", "rules"), CUT)
def test_what_a_hand_is_worth_is_what_the_plans_after_its_turns_leave_it(text, rules):
    long, found = solved_long(text, rules)
    assert found.other.mixes
    best = [Fraction()] * len(long.types)
    for number, mix in found.other.mixes.items():
        first = long.after(number, long.rows[number].tolist()[:-1], long.able(number))
        for place, shares in zip(first.able, first.shares.tolist(), strict=True):
            kept = sum(part * share * given for part, plan in mix for share, given in zip(shares, plan.given, strict=False))
            best[place] = max(best[place], 1 - kept / first.splits)
    assert best == list(found.other.worth)


@pytest.mark.parametrize(("text", "rules"), [state[:2] for state in NEEDED["the best turn, also where it is better by a little"]])
def test_how_far_a_turn_is_looked_at_changes_no_value(text, rules, monkeypatch):
    """To the end at once, and only until one type more is known."""
    _, found = solved_long(text, rules)
    look = hidden.Game.look

    def one_more(game, weights=None, enough=1.0):
        return look(game) if weights is None else look(game, weights, 1e-9 + weights[game.found >= 0].sum())

    for shorter in (lambda game, *_: look(game), one_more):
        monkeypatch.setattr(hidden.Game, "look", shorter)
        _, plain = solved_long(text, rules)
        assert found.lower == found.upper == plain.lower == plain.upper


def test_the_kernel_knows_no_replies_while_the_mover_hides_too_much():
    kernel = LastTurns((27, 40, 2, (2, 3, 4, 5, 6, 7, 8)), (13, 50, 2, (4, 5)), Rules().code)
    for ask_kernel in (lambda: kernel.splits(0), lambda: kernel.sure(1, np.full(21, -1, np.int32), np.zeros(21), 1.0, 0)):
        with pytest.raises(ValueError, match="more than four cards in its pile"):
            ask_kernel()


@pytest.mark.parametrize("text", ["20^40v:?3:25,30,35 5^55v:?2:7,18,29,42,50", "20^40v:?4:25,30,35,38 5^55v:?2:7,18,29,42,50"])
def test_who_can_lay_all_cards_at_once_wins_always(text):
    found = equilibrium(text)
    assert (found.low, found.high) == (1, 1)


def test_bounds_that_cross_are_a_contradiction(monkeypatch):
    crossed = "backtrick.face_to_face.hidden_long.worth_against_cuts"
    monkeypatch.setattr(crossed, lambda long, *rest: ([Fraction()] * len(long.types), {}))
    [(text, rules, _)] = NEEDED["turns that nobody has looked at"]
    with pytest.raises(ContradictionError, match="at least .* and at most"):
        equilibrium(text, rules=rules)


def test_bounds_that_come_no_closer_are_told(monkeypatch):
    """A plan for ranges of large numbers has no fractions of small ones: then no cut is better, and it ends before round 99."""
    rounds, usual, numbers = iter(range(99)), hidden_long.master_program, Random(1)
    monkeypatch.setattr(hidden_long, "master_program", lambda *given: [next(rounds), usual(*given)][1])
    state = PublicState.parse("13^22v:?2:5,12,15 14^2v:?2:3,5,12,13,15,22,23")
    ranges = [{hand: numbers.randint(10**6, 10**7) for hand in side.hands} for side in (state.mover, state.opponent)]
    found = equilibrium(state, tuple(ranges))
    assert 0 <= found.high - found.low < 1e-9 and next(rounds) < 99


@pytest.mark.parametrize("kind", KINDS)
def test_the_value_is_what_others_find_in_the_whole_tree(kind, times):
    for state, expected in judged_states(kind)[: FEW[kind] * times]:
        found = solved(state)
        assert found.exact and expected in (found.value, round(found.value, 9)), (str(state), state.rules)
        assert sum(one.weight * one.value for one in found.hands.values()) == found.value
        assert all(sum(share for _, share, _ in one.turns) == 1 for one in found.hands.values() if one.turns)
        assert found.sure_of(plan_of(found)) == found.value, (str(state), state.rules)


def test_a_bluff_that_is_followed_by_hand():
    """The worse hand has one turn, `59^ 49^`. The better one must make it too, two times in three, or Y would know what X holds."""
    found = equilibrium(BLUFF, ({BETTER: 1, WORSE: 1}, {(2, 7, 8, 20, 39, 44): 1}))
    assert found.value == Fraction(17, 24)
    assert {hand: one.value for hand, one in found.hands.items()} == {BETTER: Fraction(3, 4), WORSE: Fraction(2, 3)}
    assert [str(each.turn) for each in found.hands[WORSE].turns] == ["59^ 49^"]
    assert {each.probability for each in found.hands[BETTER].turns if str(each.turn) == "59^ 49^"} == {Fraction(2, 3)}
    assert found.hands[BETTER].mixes and not found.hands[WORSE].mixes


def test_what_one_hidden_card_is_worth():
    """Odds let Y see what X draws, and say 11/21."""
    found = equilibrium(ONE_LEFT)
    assert (found.value, found.hands[found.own].value) == (Fraction(4427, 7056), Fraction(41, 42))
    best = max(Fraction(turn.text) for turn in odds(View.parse(ONE_LEFT)).turns)
    assert best == Fraction(11, 21)


def test_no_odds_are_above_the_value_if_only_the_opponent_guesses(times):
    for state in small_states("two turns", FEW["two turns"] * times):
        found = solved(state)
        for hand, one in found.hands.items():
            turns = odds(View.parse(f"{side_of(state.mover, hand)} {state.opponent}", state.rules)).turns
            assert max((Fraction(turn.text) for turn in turns), default=0) <= one.value


def test_the_mirror_keeps_the_value(times):
    for kind in KINDS:
        for state in small_states(kind, FEW[kind] * times):
            assert equilibrium(mirrored(state)).value == solved(state).value


def test_the_plan_itself_is_sure_of_the_value():
    for text in (BLUFF, ONE_LEFT, "45^17v:?3:9,18,33,44,47,50 43^20v:?2:4,5,9,12"):
        found = equilibrium(text)
        assert found.sure_of(plan_of(found)) == found.value


def test_exact_play_at_the_end_is_sure_of_no_less():
    found = equilibrium("45^17v:?3:9,18,33,44,47,50 43^20v:?2:4,5,9,12")
    assert found.sure_of("exact:frugal") >= found.sure_of("frugal")


@pytest.mark.parametrize("kind", ["two turns", pytest.param("three turns", marks=pytest.mark.slow)])
def test_sight_helps_the_player_who_sees(kind, times):
    """The mover does at least as well when it is shown the other's hand, and at most as well when its own hand is shown."""
    for state in small_states(kind, 2 * times):
        found = solved(state)
        shown, seen = ([equilibrium(state, ranges).value for ranges in pairs] for pairs in (
            [({hand: 1}, None) for hand in state.mover.hands], [(None, {hand: 1}) for hand in state.opponent.hands]))  # fmt: skip
        assert sum(shown) / len(shown) <= found.value <= sum(seen) / len(seen), (str(state), state.rules)


def test_with_nothing_hidden_it_is_the_endgame():
    for text in ("52^6v:16,18,19,57 53^15v:4,7,29,44", "27^40v:17,18,45 13^50v:5,12"):
        position = Position.parse(text)
        found = equilibrium(State.begin(position))
        assert found.value == value(position) % 2 and found.own == position.mover.hand


def test_a_range_of_more_good_hands_is_worth_more():
    found = equilibrium(ONE_LEFT)
    good = {hand: 1 for hand, one in found.hands.items() if one.value > found.value}
    assert equilibrium(ONE_LEFT, (good, None)).value > found.value
    assert equilibrium(ONE_LEFT, ({hand: 7 for hand in found.hands}, None)).value == found.value


def test_a_limit_gives_bounds_and_no_value():
    found = equilibrium("53^28v:?6:10,19,32,34,40,42,56,58 59^25v:?6:4,6,9,17,18,23,30,41,42", budget=Budget(seconds=1e-6))
    assert found.value is None and found.bounds == (0, 1) and "from 0 to 1" in found.text
    assert all(one.value == 1 and one.turns for one in found.hands.values())


def test_public_states_in_notation():
    state = PublicState.parse(BLUFF)
    assert str(state) == BLUFF and state.mover.pile_size == 4 and len(state.mover.hands) == 210
    assert PublicState.of(View.parse(ONE_LEFT)) == PublicState.parse(ONE_LEFT.replace(
        "21,25,47,50,53,56+?8,29,31", "?6:8,21,25,29,31,47,50,53,56"))
    game = State.begin(Position.parse("45^17v:18,33,50+9,44,47 43^20v:5,12+4,9"))
    assert str(PublicState.of(game.view(0))) == "45^17v:?3:9,18,33,44,47,50 43^20v:?2:4,5,9,12"


def test_without_scipy_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    sentence = r"equilibrium needs scipy, which is not installed; pip install 'backtrick\[equilibrium\]'"
    with pytest.raises(UsageError, match=sentence):
        equilibrium(BLUFF)
    assert equilibrium("45^17v:?3:9,18,33,44,47 43^20v:?2:4,5,9").exact  # nobody has to mix


def test_a_turn_that_has_begun_is_refused():
    game = State.begin(Position.parse("27^40v:17,18,45+9,33,50 13^50v:5,12"))
    with pytest.raises(ArgumentError, match="at the beginning of a turn"):
        equilibrium(game.apply(game.legal()[0]).view(0))


def test_a_notebook_shows_a_grid_of_hands_by_turns():
    found = equilibrium(BLUFF, ({BETTER: 1, WORSE: 1}, {(2, 7, 8, 20, 39, 44): 1}))
    shown = found._repr_html_()
    assert shown.count("<tr>") == 3 and "17/24 = 0.7083" in shown and ">2/3</td>" in shown and ">1/3</td>" in shown
    assert shown.index("59^ 49^") < shown.index("3,14,44,45,49,59") and "more hands" not in shown
    own, *_ = equilibrium(ONE_LEFT)._repr_html_().split("<tr><td>")[1:]
    assert own.startswith("21,25,47,50,53,56</td>") and "41/42" in own


def test_a_hand_without_a_turn_has_a_dash():
    found = equilibrium(PublicState.parse("50^5v:?2:20,30,51,52 14^45v:?2:13,15,16"))
    assert found.words(hands=True).splitlines()[-2:] == ["  30,52   0   -", "  51,52   0   51^ 52v'"]


def test_what_a_hand_of_a_plan_that_was_cut_is_worth_is_said_to_be_the_most():
    """In every picture of the plan, and of the shares of hands: who may win always need not, and who never wins is known to."""
    found = equilibrium(BLUFF, ({BETTER: 1, WORSE: 1}, {(2, 7, 8, 20, 39, 44): 1}))
    cut = replace(found, plans=replace(found.plans, low=Fraction(1, 3)))
    for plan, most, least in ((found, "", ""), (cut, "at most ", "at least ")):
        shown = plan.words(hands=True)
        assert re.search(rf"hands   2: won {most}\d+\.\d %, lost {least}0\.0 %;", shown)
        for one in plan.hands.values():
            worth = f"{most}{one.value}"
            assert f"{worth} = " in shown or f"{worth}   " in shown
            assert f"<td>{worth}" in plan._repr_html_() and f">{worth}" in plan.svg()


def test_a_picture_has_a_cell_for_every_hand_and_turn(tmp_path):
    found = equilibrium(BLUFF, ({BETTER: 1, WORSE: 1}, {(2, 7, 8, 20, 39, 44): 1}))
    root = ElementTree.fromstring(found.svg())
    words = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    dark = [float(one.get("fill-opacity")) for one in root.iter("{http://www.w3.org/2000/svg}rect") if one.get("fill-opacity")]
    assert words[0].endswith(": 17/24 = 0.7083") and {"3,14,44,45,49,59", "59^ 49^", "2/3", "1/3", "1"} <= set(words)
    assert sorted(dark) == [0, 0.25, 0.5, 0.75]
    path = tmp_path / "plan.svg"
    assert ask("equilibrium", ONE_LEFT, "--svg", str(path)).stdout == "" and "24 of 84 hands" in path.read_text()


def test_the_command():
    shown = ask("equilibrium", ONE_LEFT).stdout
    assert "value   4427/7056 = 0.6274" in shown and "21,25,47,50,53,56   41/42 = 0.9762" in shown
    record = json.loads(ask("equilibrium", "--json", "--hands", "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12").stdout)
    assert record["game"] == "face_to_face" and record["value"] == "19/40" and len(record["hands"]) == 20
    lines = ask("equilibrium", "--hands", "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["value", "hands", "turns"] and len(lines) == 4 + 20
    done = ask("equilibrium", "--game", "take_that", "12,13 43")
    assert done.returncode == 2
