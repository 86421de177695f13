"""Gambit and OpenSpiel solve the same games: what they said is compared with the program of all sequences, and with the kernels.

`tests/oracles/judges.py` asks them, and the data is what they said.
"""

from fractions import Fraction

import pytest

from oracles.judges import JUDGES, Judge, cases, judged, plans_of

pytest.importorskip("scipy", reason="needs the extra equilibrium: pip install 'backtrick[equilibrium]'")

ASKED = cases()
OURS = [case for case in ASKED if case.game in ("face_to_face", "take_that")]
LONE = {"face_to_face": ['{"lone_card": true}'], "take_that": ['{"professional": true}', '{"empty_line": "ends"}']}
OTHERS = [case for case in ASKED if case not in OURS]


def agrees(case, low, high):
    """Both judges say what lies within the bounds."""
    assert case.gambit == "-" or low <= Fraction(case.gambit) <= high, case
    assert case.openspiel == "-" or low - Fraction(1, 10**7) <= Fraction(case.openspiel) <= high + Fraction(1, 10**7), case
    assert case.exploitable == "-" or abs(float(case.exploitable)) < 1e-9, "by OpenSpiel's reckoning our plans are exploitable"


def test_enough_was_judged():
    for name, count in (("face_to_face", 40), ("take_that", 190)):
        asked = [case for case in OURS if case.game == name]
        assert len(asked) >= count and sum(case.gambit != "-" for case in asked) > count // 2
        assert {case.options for case in asked} >= {"-", *LONE[name]}
    assert len(OTHERS) > 15


@pytest.mark.share(3)
@pytest.mark.parametrize("case", OTHERS, ids=lambda case: f"{case.game} {case.state}")
def test_games_of_others_are_worth_what_the_judges_say(case):
    plans = plans_of(*case.game_and_state())
    assert plans.low == plans.high
    agrees(case, plans.low, plans.high)


@pytest.mark.parametrize("name", ["face_to_face", "take_that"])
def test_states_of_our_games_are_worth_what_the_judges_say(name, times):
    asked = [case for case in OURS if case.game == name]
    for case in asked[:: max(1, 8 // times)]:
        plans = plans_of(*case.game_and_state())
        assert plans.low == plans.high, case
        agrees(case, plans.low, plans.high)


@pytest.mark.parametrize("name", ["face_to_face", "take_that"])
def test_kernels_find_what_the_judges_say(name, times):
    asked = [case for case in OURS if case.game == name and "professional" not in case.options]
    for case in asked[:: max(1, 4 // times)]:
        game, public = case.game_and_state()
        found = game.equilibrium(public)
        agrees(case, found.low, found.high)
        assert found.exact or name == "take_that"


@pytest.mark.slow
@pytest.mark.parametrize("case", [*OTHERS[:4], *OURS[:3], *OURS[-3:]], ids=lambda case: f"{case.game} {case.state[:30]}")
def test_the_judges_say_it_again(case, tmp_path):
    """Asks them: pip install pygambit open_spiel cvxpy ecos."""
    for module in ("pygambit", "pyspiel", "cvxpy", "ecos"):
        pytest.importorskip(module)
    judges = {name: Judge(name) for name in JUDGES}
    again, _ = judged(case, judges, tmp_path)
    assert again.gambit == case.gambit
    agrees(again, *[Fraction(case.gambit)] * 2)
