"""`backtrick.solve` and its neighbours tell the game from what they are asked about."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import backtrick
from backtrick import face_to_face, games, take_that
from backtrick.errors import SkippedFileWarning, UsageError
from command import ENVIRONMENT, HERE

TEXTS = {face_to_face: "27^40v:17,18,45 13^50v:5,12", take_that: "15,43,44 21,53 51-62-35"}
VIEWS = {face_to_face: "27^40v:17,18+?9,33,50 13^50v:?2:5,12", take_that: f"12,33,49 ?9 34-41-98 ?{79 - 3 - 9 - 3}"}
GAMES = pytest.mark.parametrize("game", [face_to_face, take_that], ids=lambda game: game.GAME.name)


@GAMES
def test_a_question_goes_to_its_game(game):
    text = TEXTS[game]
    position, array = game.Position.parse(text), game.pack([text, text])
    assert backtrick.parse(text) == position and backtrick.parse(VIEWS[game]) == game.View.parse(VIEWS[game])
    for given in (text, position):
        assert backtrick.solve(given) == game.solve(given)
        assert backtrick.best_turn(given) == game.best_turn(given)
        assert backtrick.outcomes(given) == game.outcomes(given)
        assert backtrick.legal_turns(given) == game.legal_turns(given)
        assert backtrick.grade(given, str(game.best_turn(text))).verdict == "optimal"
    for given in (array, [text, position], (text, text), np.array([text, text]), iter([text, text])):
        assert np.array_equal(backtrick.pack(given) if given is not array else given, array)
    for given in (array, [text, text]):
        assert np.array_equal(backtrick.solve_many(given), game.solve_many(array))
        assert np.array_equal(backtrick.best_many(given, threads=1), game.best_many(array))


def test_a_game_that_is_left_out_is_told_at_the_line_that_asks(monkeypatch):
    monkeypatch.setitem(games.GAMES, "broken", "no_such_module.game")
    monkeypatch.setitem(games._ORIGINS, "broken", "stones")
    monkeypatch.setattr(games, "_TOLD", set())
    with pytest.warns(SkippedFileWarning, match="the distribution stones: .*; it is skipped") as told:
        assert [game.name for game in games.all_games()] == ["face_to_face", "take_that"]
    assert [one.filename for one in told] == [__file__]


def test_an_error_in_a_game_of_ours_is_not_taken_for_anothers(monkeypatch):
    monkeypatch.setitem(games.GAMES, "face_to_face", "no_such_module.game")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        games.game_of("face_to_face")


def test_a_game_that_says_itself_what_is_missing_is_not_spoken_for(monkeypatch):
    def missing(module):
        raise UsageError(f"{module} needs stones")

    monkeypatch.setattr(games, "import_module", missing)
    with pytest.raises(UsageError, match="^backtrick.face_to_face.game needs stones$"):
        games.game_of("face_to_face")


def test_a_module_is_there_without_an_import_of_its_own():
    asked = "len(list(backtrick.face_to_face.samples.selfplay(2))), backtrick.matches.__name__, *dir(backtrick)"
    source = f"import backtrick; print({asked})"
    done = subprocess.run([sys.executable, "-c", source], cwd=HERE, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.stdout.startswith("2 backtrick.matches BacktrickError ") and done.stderr == ""
    assert {"face_to_face", "take_that", "solve", "learn"} <= {*done.stdout.split()}


def test_a_name_that_is_not_there_is_answered_with_another():
    with pytest.raises(AttributeError, match=r"no attribute 'slove_many'; did you mean 'solve_many'\?"):
        _ = backtrick.slove_many
    with pytest.raises(AttributeError, match="no attribute 'legal_moves'; legal_turns"):
        _ = face_to_face.legal_moves
    for name in ("quux", "_solve_many"):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'$"):
            getattr(backtrick, name)
