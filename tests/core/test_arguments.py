"""Arguments are read once, where they come in: texts, what can be read only once, and what fails."""

from __future__ import annotations

import inspect
import pickle
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import numpy as np
import pytest

from backtrick import arguments, face_to_face, matches, proofs, take_that
from backtrick.arguments import checked
from backtrick.errors import ArgumentError, BacktrickError, NotSolvedError
from backtrick.face_to_face import Budget
from toy import GAME as TOY
from toy import Stones
from web import LONG

TEXTS = {
    face_to_face: ["27^40v:17,18,45 13^50v:5,12", "52^6v:16,18,19,57 53^15v:4,7,29,44", "27^40v:17,18 13^50v:5,12"],
    take_that: ["15,43,44 21,53 51-62-35", "12,43,94 21 34-41-49", "12,33 21,94 34-41-49"],
}
TURNS = {face_to_face: "17^ 18^", take_that: "44"}
GAMES = pytest.mark.parametrize("game", [face_to_face, take_that], ids=lambda game: game.GAME.name)


@GAMES
def test_signatures_have_the_types_of_the_game(game):
    found = inspect.signature(game.solve)
    assert found.parameters["position"].annotation == "Position | str"
    assert found.return_annotation == "Answer[Position, Turn, Rules]"


def test_a_search_for_a_text_is_begun_once(monkeypatch):
    begun, answer_deal = [], face_to_face.GAME.answer_deal

    def counted(*given):
        begun.append(given)
        return answer_deal(*given)

    monkeypatch.setattr(type(face_to_face.GAME), "answer_deal", lambda self, *given: counted(*given))
    before = time.process_time()
    with pytest.raises(NotSolvedError):
        face_to_face.solve(LONG, budget=Budget(seconds=0.3))
    assert len(begun) == 1 and time.process_time() - before < 0.9


class Refuses(Executor):
    """Workers that all fail."""

    def __init__(self):
        self.submitted = 0

    def submit(self, *_, **__):
        self.submitted += 1
        failed: Future = Future()
        failed.set_exception(RuntimeError("no worker"))
        return failed


def test_a_build_that_fails_is_submitted_once(tmp_path):
    counts = []
    for names in (["1v1"], iter(["1v1"])):
        workers = Refuses()
        with pytest.raises((BacktrickError, RuntimeError)):
            face_to_face.build_tables(str(tmp_path / "tables"), names, executor=(workers, 1), progress=False)
        counts.append(workers.submitted)
    assert counts == [1, 1]


@GAMES
def test_positions_that_can_be_read_only_once_are_all_packed(game):
    texts = TEXTS[game]
    expected = game.pack([game.Position.parse(text) for text in texts])
    assert np.array_equal(game.pack(map(str.strip, (f"{text}\n" for text in texts))), expected)
    assert np.array_equal(game.pack(iter([game.Position.parse(texts[0]), *texts[1:]])), expected)
    assert np.array_equal(game.pack(texts), expected)


@GAMES
def test_an_error_of_the_caller_comes_out(game, tmp_path):
    def broken(first):
        yield first
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        game.pack(broken(TEXTS[game][0]))
    with pytest.raises(KeyError, match="mine"):
        face_to_face.build_tables(str(tmp_path), broken("1v1"), processes=0)


@GAMES
def test_a_text_is_as_good_as_the_object(game):
    for text in TEXTS[game]:
        position = game.Position.parse(text)
        for name in ("solve", "best_turn", "bounds", "outcomes", "value", "legal_turns", "count_turns", "canonical", "mirror"):
            function = getattr(game, name)
            assert function(text) == function(position), name
        assert np.array_equal(game.outcome_rows(text), game.outcome_rows(position))
        assert game.State.begin(text) == game.State.begin(position)
    text, turn = TEXTS[game][0], game.GAME.parse_turn(TURNS[game])
    for given in (TURNS[game], turn, game.pack_turn(turn)):
        assert game.play(text, given) == game.play(game.Position.parse(text), turn)
        assert game.grade(text, given) == game.grade(game.Position.parse(text), turn)
        assert game.after(text, given) == game.after(text, turn) and game.pack_turn(given) == game.pack_turn(turn)
        assert game.mirror_turn(given) == game.mirror_turn(turn)
        assert game.State.begin(text).play(given) == game.State.begin(text).play(turn)


@GAMES
def test_none_is_the_published_rules(game):
    text = TEXTS[game][0]
    for name in ("solve", "best_turn", "bounds", "outcomes", "value", "legal_turns", "count_turns"):
        assert getattr(game, name)(text, None) == getattr(game, name)(text), name
    array = game.pack([text])
    for name in ("solve_many", "best_many", "optimal_many", "lines_many", "count_outcomes_many"):
        assert np.array_equal(getattr(game, name)(array, rules=None), getattr(game, name)(array)), name


def test_a_third_game_reads_texts_too():
    assert TOY.solve("stones 5") == TOY.solve(Stones(5)) and TOY.best_turn("stones 5") == 1
    assert TOY.grade("stones 5", "2").verdict == TOY.grade(Stones(5), 2).verdict
    assert TOY.bounds("stones 5") == TOY.bounds(Stones(5)) and TOY.outcomes("stones 5") == TOY.outcomes(Stones(5))
    with pytest.raises(BacktrickError, match=r"solve\(\) has no argument most; give rules=Rules\(most=...\)"):
        checked(TOY.solve)("stones 5", most=2)
    with pytest.raises(ArgumentError, match="rules must be the Rules of Stones"):
        TOY.solve("stones 5", rules=face_to_face.PUBLISHED)


def test_a_view_in_notation_is_read_under_the_rules_that_are_given():
    asked = {"27^40v:17 13^50v:?2:5,12": face_to_face.Rules(lone_card=True), "43,33,49 ?9 34-41-98 ?64": take_that.Rules(True)}
    for game, (text, rules) in zip(TEXTS, asked.items(), strict=True):
        turns = list(game.legal_turns(text, rules))
        assert turns == list(game.legal_turns(game.View.parse(text, rules=rules))) != list(game.legal_turns(text))


def test_a_function_is_found_where_it_says():
    for function in (face_to_face.samples.uniform, proofs.prove, matches.match, take_that.solve, take_that.legal_turns):
        assert pickle.loads(pickle.dumps(function)) is function


def test_readers_take_what_just_fits():
    with ThreadPoolExecutor(1) as pool:
        given = [(pool, 2), (pool, 2, 3), (2, 2), (pool, "2"), [pool, 2]]
        assert [bool(arguments._is_executor(one)) for one in given] == [True, False, False, False, False]
    assert arguments.READERS["count"]("count", 2**64 - 1) == 2**64 - 1
    assert [*map(arguments.is_path, ("a", "\udcff", "", "a\0b", "\ud800"))] == [True, True, False, False, False]
