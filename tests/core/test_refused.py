"""Arguments that were once accepted in silence, and those that belong into another argument."""

from __future__ import annotations

import pytest

import toy
from backtrick import face_to_face, take_that
from backtrick.arguments import checked
from backtrick.errors import BacktrickError

TEXTS = {face_to_face: "27^40v:17,18,45 13^50v:5,12", take_that: "15,43,44 21,53 51-62-35"}


def test_an_option_of_a_third_game_names_it_too():
    with pytest.raises(BacktrickError, match=r"solve\(\) has no argument most; give rules=Rules\(most=...\)"):
        checked(toy.GAME.solve)("stones 5", most=2)


@pytest.mark.parametrize("game", TEXTS, ids=lambda game: game.GAME.name)
def test_an_answer_prints_as_the_command_shows_it(game):
    from command import ask

    answer = game.solve(TEXTS[game])
    assert f"{answer}\n" == ask("solve", TEXTS[game]).stdout != f"{answer!r}\n"
    grade = game.grade(TEXTS[game], answer.best)
    assert f"{grade}\n" == ask("grade", TEXTS[game], str(answer.best)).stdout
    assert ask("draw", TEXTS[game]).stdout == answer.position.board() + "\n" and answer.position.board().count("\n") == 4


@pytest.mark.parametrize("game", TEXTS, ids=lambda game: game.GAME.name)
def test_what_is_nearly_right_is_answered_with_the_way(game):
    array = game.pack([TEXTS[game]])
    with pytest.raises(BacktrickError, match=r"; unpack\(array\) makes positions of the rows of an array$"):
        game.solve(array[0])
    turns = game.best_many(array)
    for given in (turns, turns.tolist()):
        assert game.grade_many(array, given)[0] == game.solve_many(array)
    assert game.solve(TEXTS[game], want=["outcomes"]).outcomes == game.outcomes(TEXTS[game])


@pytest.mark.parametrize("game", TEXTS, ids=lambda game: game.GAME.name)
def test_positions_and_turns_are_aligned_as_their_texts(game):
    position = game.Position.parse(TEXTS[game])
    for one in (position, game.best_turn(position)):
        assert f"{one:>60}" == f"{one!s:>60}" and f"{one}" == str(one)
