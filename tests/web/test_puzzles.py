"""The lists of puzzles: every one has exactly one right outcome, and there are enough of each difficulty."""

from __future__ import annotations

import json
import runpy
from collections import Counter
from pathlib import Path

import pytest

import backtrick
from backtrick.games import all_games, game_of
from command import ROOT

PUZZLES = {
    path.stem: [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for path in sorted((Path(backtrick.__file__).parent / "web" / "puzzles").glob("*.jsonl"))
}


def test_every_game_has_puzzles_of_each_difficulty():
    assert set(PUZZLES) == {game.name for game in all_games()}
    for puzzles in PUZZLES.values():
        assert Counter(one["difficulty"] for one in puzzles) == dict.fromkeys(range(1, 6), 200)
        assert len({one["position"] for one in puzzles}) == len(puzzles)
        assert [one["difficulty"] for one in puzzles] == sorted(one["difficulty"] for one in puzzles)


@pytest.mark.parametrize("name", PUZZLES)
def test_each_has_one_right_outcome(name, times):
    game = game_of(name)
    for one in PUZZLES[name][:: max(1, 4 // times)]:
        position = game.parse(one["position"])
        assert str(position) == one["position"]
        answer = game.solve(position, want={"outcomes"})
        turn = game.parse_turn(one["turn"])
        assert (answer.value, str(answer.best)) == (one["value"], one["turn"])
        right = [outcome for outcome in answer.outcomes if game.name == "take_that" or outcome.value % 2]
        right = [outcome for outcome in right if game.name == "face_to_face" or outcome.value == answer.value]
        assert len(right) == 1 < len(answer.outcomes) and game.play(position, turn, game.published)[1] == right[0].position
        if name == "face_to_face":
            assert answer.value % 2 == 1 and answer.value >= 3
        assert len(answer.line) >= 3, "it is not over with its solution"


@pytest.mark.parametrize("name", PUZZLES)
def test_the_script_makes_them_in_the_order_of_difficulty(name):
    make = runpy.run_path(str(ROOT / "scripts" / "page" / "make_puzzles.py"))["puzzle"]
    game = game_of(name)
    some = PUZZLES[name][::3]
    made = [make(game, game.parse(one["position"])) for one in some]
    assert [record for _, record in made] == [{key: one[key] for key in ("position", "turn", "value", "themes")} for one in some]
    assert [hard for hard, _ in made] == sorted(hard for hard, _ in made)


THEMES = {
    "face_to_face": {"keep-two": 50, "block": 50, "long": 100, "help": 100, "trick": 100, "quiet": 1},
    "take_that": {"toad": 100, "shut": 100, "least": 100, "end": 100, "twist": 100, "leave": 100, "quiet": 10},
}
"""At least so many puzzles."""


@pytest.mark.parametrize("name", PUZZLES)
def test_each_has_themes_and_each_theme_enough_for_sets_of_ten(name):
    counts = Counter(theme for one in PUZZLES[name] for theme in one["themes"])
    assert set(counts) == set(THEMES[name]) and all(counts[theme] >= least for theme, least in THEMES[name].items())
    for one in PUZZLES[name]:
        assert one["themes"] and ("quiet" not in one["themes"] or one["themes"] == ["quiet"])
        assert ("help" in one["themes"]) >= ("block" in one["themes"]) and ("twist" in one["themes"]) >= ("end" in one["themes"])


EXAMPLES = [
    ("face_to_face", "27^40v:17,45,50,55 1^35v:30,45", "45v' 17^", {"trick", "help", "block"}),
    ("face_to_face", "27^40v:17,36,50,55 1^35v:30,45", "17^ 36v'", {"trick", "help", "block"}),
    ("face_to_face", "27^40v:17,45,50,55 1^35v:30,31", "45v' 50^", {"help"}),
    ("take_that", "22,43,94 21,35 51-49-24", "22", {"toad", "leave", "least"}),
    ("take_that", "22,43,94 21,35 51-49-24", "94x49", {"twist", "least"}),
    ("take_that", "42,43,94 35,41 51-49-24", "42x24", {"end", "twist", "least"}),
    ("take_that", "22,43,94 61,76 51-49-24", "22", {"toad", "leave", "shut", "least"}),
]


@pytest.mark.parametrize(("name", "text", "turn", "wanted"), EXAMPLES)
def test_themes_by_hand(name, text, turn, wanted):
    """A trick is 10 back on an own pile. To block, the helpful card must take the opponent's trick away: 45 is 10 above 35."""
    made = runpy.run_path(str(ROOT / "scripts" / "page" / "make_puzzles.py"))["themes"]
    game = game_of(name)
    found = made(game, game.parse(text), game.parse_turn(turn), -1 if name == "take_that" else 1)
    assert set(found) == wanted
