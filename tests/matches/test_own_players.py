"""A function as a player, and what it needs: the legal turns of a view."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from backtrick import face_to_face, matches, take_that
from backtrick.errors import ArgumentError
from backtrick.games import whole_game_of
from backtrick.matches import playing
from backtrick.matches.players import recorded_name
from backtrick.matches.playing import Match, play_match
from backtrick.matches.report import Report
from backtrick.play.state import GAME_OVER
from backtrick.storage.workers import executor_of
from command import HERE, ask, shell

VIEW = face_to_face.View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12")
GAMES = pytest.mark.parametrize("game", [face_to_face, take_that], ids=lambda game: game.GAME.name)


def first(view):
    return face_to_face.legal_turns(view)[0]


def last_as_text(view):
    return str(face_to_face.legal_turns(view)[-1])


def test_a_function_plays_a_match():
    report = matches.match("frugal", first, games=10, seed=3, progress=False)
    assert report.games == 10 and report.deals == 5 and report.pairings[0].first == "frugal"
    assert report.pairings[0].second.startswith("first@") and "first@" in str(report) == report.text()
    again = matches.match("frugal", first, games=10, seed=3, progress=False)
    assert again == report
    others = first, last_as_text, lambda view: face_to_face.legal_turns(view)[0]
    assert matches.match(*others, game="face_to_face", games=2).games == 6


def test_a_match_of_a_function_is_recorded_and_resumed(tmp_path):
    asked = []

    def counting(view):
        asked.append(view)
        return take_that.legal_turns(view)[0]

    for games in (4, 4, 6):
        report = matches.match("careful", counting, games=games, output=tmp_path / "games.jsonl", progress=False)
        asked.append(None)
        assert report.games == games
    first_run = asked.index(None)
    assert asked[first_run + 1] is None and len(asked) > first_run + 3  # the second time nothing was played
    for record in matches.read_records(tmp_path / "games.jsonl"):
        matches.check_replay(record)


def test_a_function_that_workers_cannot_import_is_refused(monkeypatch):
    assert matches.match("frugal", first, games=2, seed=3, processes=1, progress=False).games == 2
    monkeypatch.setattr(sys.modules["__main__"], "first", first, raising=False)
    monkeypatch.setattr(first, "__module__", "__main__")
    for player in (first, lambda view: None):
        with pytest.raises(ArgumentError, match="is a function that worker processes cannot import: give processes=0"):
            matches.match("frugal", player, games=2, processes=1)
        with pytest.raises(ArgumentError, match="is a function that worker processes cannot import"):
            play_match(Match(face_to_face.GAME, ("frugal", player), 2), cluster=(executor_of(0), 1))


def test_names_are_played_by_all_cores_and_functions_by_this_process(monkeypatch):
    asked = []
    monkeypatch.setattr(playing, "executor_of", lambda processes, again: asked.append(processes) or executor_of(0))
    for player in ("hasty", first):
        matches.match("frugal", player, game="face_to_face", games=2, progress=False)
    assert asked == [None, 0]


def test_what_a_function_does_wrong_is_told():
    with pytest.raises(ZeroDivisionError):
        matches.match("frugal", lambda view: 1 // 0, games=2)
    report = matches.match("frugal", lambda view: "2^ 3^", games=2, seed=1)
    assert [forfeit[1:3] for forfeit in report.forfeits] == [("illegal", 2)]


def test_who_forfeits_most_is_told_first(tmp_path):
    def once(view):
        return "2^ 3^"

    def twice(view):
        return "2^ 3^"

    for player, games in ((once, 2), (twice, 4)):
        matches.match("frugal", player, games=games, output=tmp_path / "games.jsonl", progress=False)
    report = Report.of([*matches.read_records(tmp_path / "games.jsonl")])
    assert [(name.partition("@")[0], count) for name, _, count, _ in report.forfeits] == [("twice", 4), ("once", 2)]


@pytest.mark.parametrize("named", ["take_that", take_that, take_that.GAME])
def test_a_game_is_named_in_three_ways(named):
    assert matches.match("tuned", "careful", game=named, games=2, processes=0, progress=False).by_points


@GAMES
def test_the_legal_turns_of_a_view_are_those_of_the_state(game, times):
    """In whole games, at each moment of a turn: what `play` takes, and nothing else. The readable rules list few turns a second."""
    whole_game = whole_game_of(game.GAME)
    seen = 0
    for number in range(1 if times == 1 else 2):
        state = whole_game.deal(5, number, game.PUBLISHED)
        while state.to_move != GAME_OVER:
            view = state.view(state.to_move)
            turns = list(game.legal_turns(view))
            if game is face_to_face:
                if len(turns) < 2_000 or times > 1:
                    assert tuple(turns) == state.turns()
                assert not game.legal_turns(state.view(1 - state.to_move))
            else:
                assert turns == list(game.legal_turns(state.position()))
            assert list(game.legal_turns(str(view))) == turns
            seen += len(turns)
            state = state.play(turns[number % len(turns)])
    assert seen > 500


def test_the_legal_turns_within_a_turn_are_the_ways_to_end_it():
    state = face_to_face.State.begin("27^40v:17,18,45+9,33,50 13^50v:5,12")
    state = state.apply("17^")
    assert tuple(face_to_face.legal_turns(state.view(0))) == state.turns() != ()


LEVEL = 1


def deep(view, level=1, *, wide=2):
    return face_to_face.legal_turns(view)[level % wide]


def leveled(view):
    return face_to_face.legal_turns(view)[LEVEL]


def with_another(view):
    return shell(view)


def factory(level):
    return lambda view: face_to_face.legal_turns(view)[level]


class Bot:
    def __init__(self, level, weights=()):
        self.level, self.weights, self.asked = level, weights, []

    def __call__(self, view):
        self.asked.append(view)
        return face_to_face.legal_turns(view)[self.level]

    def turn(self, view):
        return self(view)


def different():
    """Players of which no two are alike."""
    return [
        first, deep, leveled, factory(1), factory(2), partial(deep, level=1), partial(deep, level=2), partial(deep, wide=3),
        partial(partial(deep, level=1), wide=3), Bot(1), Bot(2), Bot(1, [1, 2]), Bot(1, [1, 3]), Bot(1, (1, 3)),
        Bot(1, np.array([0.5, 1])), Bot(1, np.array([0.5, 2])), Bot(1).turn, Bot(2).turn, Bot(1, {"a": 1}.get), factory(factory(1)),
        Bot(1, {(), 1}), Bot(1, {(), 2}),
        lambda view, level=1: level, lambda view, level=2: level, lambda view: (lambda: 1)(), lambda view: (lambda: 2)(),
    ]  # fmt: skip


def test_different_players_have_different_names_and_one_has_one(monkeypatch):
    names = [recorded_name(player) for player in different()]
    assert len(set(names)) == len(names) and names == [recorded_name(player) for player in different()]
    line = f'import sys; sys.path[:0] = ["{HERE}"]; from test_own_players import *; print([*map(recorded_name, different())])'
    assert shell(f"python -c '{line}'", place=Path(__file__).parent).stdout.strip() == str(names)  # in another process too
    monkeypatch.setattr(sys.modules[__name__], "LEVEL", 2)
    assert recorded_name(leveled) != names[2]
    named = recorded_name(with_another)
    monkeypatch.setattr(sys.modules[__name__], "shell", ask)
    assert recorded_name(with_another) == named, "what comes from other modules is no part of it"
    bot = Bot(1)
    named = recorded_name(bot)
    bot(VIEW)
    assert recorded_name(bot) == named, "what it remembers is no part of its name"
    bot.level = 2
    assert recorded_name(bot) != named


def test_a_player_is_called_as_its_maker_says():
    bot = Bot(1)
    bot.name = ""
    assert recorded_name(bot).startswith("Bot@")
    bot.name = "my bot"
    assert recorded_name(bot) == "my bot"
    report = matches.match(bot, "frugal", games=2, progress=False, processes=0)
    assert report.pairings[0].first == "my bot"
