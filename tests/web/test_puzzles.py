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
def test_each_has_one_right_outcome(name):
    game = game_of(name)
    for one in PUZZLES[name]:
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
    assert [record for _, record in made] == [{key: one[key] for key in ("position", "turn", "value")} for one in some]
    assert [hard for hard, _ in made] == sorted(hard for hard, _ in made)
