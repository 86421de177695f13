"""Answers of both games: which are equal, and how they are shown. That they are values is a law of all doors."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import toy
from backtrick import face_to_face, take_that
from backtrick.answer import Answer, Answers, Grade, Grades
from backtrick.bounds import Bounds, exactly
from backtrick.errors import ArgumentError, NotSolvedError
from backtrick.writing.columns import GradeColumns, SolveColumns
from backtrick.writing.formats import RECORDS
from command import ask

ASKED = {
    face_to_face: (face_to_face.Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44"), face_to_face.Rules(lone_card=True)),
    take_that: (take_that.Position.parse("15,43,44 21,53 51-62-35"), take_that.Rules(forced_only=True)),
}


@pytest.fixture(params=ASKED, ids=["face_to_face", "take_that"])
def game(request):
    return request.param


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Tables that reach some of what follows the position of the first game, and not it."""
    place = tmp_path_factory.mktemp("tables")
    face_to_face.build_tables(place, ["4v2", "4v1"], processes=0, progress=False)
    with face_to_face.open_tablebase(place) as opened:
        yield opened


def test_columns_say_what_each_answer_says(game):
    """Of answers of which less and less is known."""
    position, rules = ASKED[game]
    whole, worst = game.solve(position), game.legal_turns(position)[-1]
    unsolved = Answer(game.GAME, position, rules, Bounds(*{face_to_face: ("loss", "win"), take_that: (-9, 9)}[game], 5))
    some = [whole, replace(whole, line=None), replace(whole, best=None, line=None, optimal=None), unsolved]
    grades = [Grade(one, worst, worth) for one in some for worth in (whole.value, None)]
    for columns, each in ((SolveColumns(Answers.of(game.GAME, rules, some)), some),
                          (GradeColumns(Grades.of(game.GAME, rules, grades)), grades)):  # fmt: skip
        assert [json.loads(line) for line in columns.lines(RECORDS).splitlines()] == [one.record() for one in each]


def test_answers_of_other_rules_or_positions_are_others(game):
    position, rules = ASKED[game]
    one, following = game.solve(position), game.outcomes(position)[0].position
    assert one == game.solve(position, want={"outcomes"}), "what was asked makes no difference"
    assert one not in (game.solve(position, rules), game.solve(following), position, None)


def test_a_turn_that_settles_its_position_is_the_best():
    answers = [Answer(toy.GAME, toy.Stones(count), toy.Rules(), bounds) for count, bounds in ((1, Bounds(0, 1)), (0, exactly(0)))]
    settled = toy.GAME.graded(answers[0], 1, 0, answers[1]).answer
    assert (settled.bounds, settled.best) == (exactly(1), 1)
    lost, then = (replace(answers[0], bounds=bounds) for bounds in (Bounds(0, 4), Bounds(2, 3)))
    assert toy.GAME.graded(lost, 1, 0, then).worth == 4, "a loss in 4: a win in 3 would be more than the position is worth"


def test_outcomes_are_told_only_if_each_is_known():
    unsure = type("Unsure", (toy.Toy,), {"bounds": lambda *_: Bounds(0, 1, nodes=7)})()
    with pytest.raises(NotSolvedError, match=r"^stones 4: not solved within 7 nodes, the value is within \[0, 1\]$"):
        unsure.outcomes("stones 5")


def test_where_a_value_is_from_is_part_of_it(tables):
    position = ASKED[face_to_face][0]
    ahead = tables.look_ahead(position)
    assert ahead == tables.look_ahead(position) and hash(ahead) == hash(tables.look_ahead(position))
    assert ahead.source == "one turn ahead" and ahead != face_to_face.solve(position) == tables.solve(position)
    assert ahead.outcomes == face_to_face.outcomes(position)


def test_a_prompt_shows_one_short_line():
    duel, line = (position for position, _ in ASKED.values())
    assert repr(duel) == f"<Position {duel}>" and repr(line) == f"<Position {line}>"
    assert repr(face_to_face.best_turn(duel)) == "<Turn 16v 18v'>" and repr(take_that.best_turn(line)) == "<Turn 44>"
    assert repr(take_that.Position.parse("12 21 34 55,63")) == "<Deal 12 21 34 55,63>"
    for one in (*face_to_face.outcomes(duel), *take_that.outcomes(line)):
        assert repr(one) == f"<Outcome {one.turn}: {one.value}>"


def test_it_prints_as_the_command_shows_it(game):
    text = str(ASKED[game][0])
    answer = game.solve(text)
    assert f"{answer}\n" == ask("solve", text).stdout != f"{answer!r}\n"
    grade = game.grade(text, answer.best)
    assert f"{grade}\n" == ask("grade", text, str(answer.best)).stdout
    assert ask("draw", text).stdout == answer.position.board() + "\n" and answer.position.board().count("\n") == 4
    for one in (answer.position, answer.best):
        assert f"{one:>60}" == f"{one!s:>60}" and f"{one}" == str(one)


def test_what_is_nearly_right_is_answered_with_the_way(game):
    array = game.pack([ASKED[game][0]])
    with pytest.raises(ArgumentError, match=r"; unpack\(array\) makes positions of the rows of an array$"):
        game.solve(array[0])
    turns = game.best_many(array)
    for given in (turns, turns.tolist()):
        assert game.grade_many(array, given)[0] == game.solve_many(array)
    assert game.solve(ASKED[game][0], want=["outcomes"]).outcomes == game.outcomes(ASKED[game][0])
