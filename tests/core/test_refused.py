"""Arguments that were once accepted in silence, and those that belong into another argument."""

from __future__ import annotations

import pytest

import toy
from backtrick import face_to_face, take_that
from backtrick.arguments import checked
from backtrick.errors import BacktrickError

TEXTS = {face_to_face: "27^40v:17,18,45 13^50v:5,12", take_that: "15,43,44 21,53 51-62-35"}


@pytest.mark.parametrize("game", TEXTS, ids=lambda game: game.GAME.name)
def test_what_cannot_be_meant_is_refused_also_where_it_is_not_needed(game):
    text = TEXTS[game]
    with pytest.raises(BacktrickError, match=r"budget must be a Budget, as in Budget\(seconds=1\), not 5"):
        game.solve(text, budget=5)
    for want in ({"outcome"}, "outcomes", ["best", "lines"]):
        with pytest.raises(BacktrickError, match="want must be a set of outcomes, best, line, optimal, not "):
            game.solve(text, want=want)
    assert game.solve(text, want=["outcomes"]).outcomes == game.outcomes(text)
    with pytest.raises(BacktrickError, match="progress must be True or False"):
        game.solve_many([text], progress="yes")


def test_a_turn_is_of_plays():
    with pytest.raises(BacktrickError, match=r"a turn is of plays; Turn.parse\(text\) reads a text"):
        face_to_face.Turn("16v 18v'")
    with pytest.raises(BacktrickError, match="a turn is of plays"):
        face_to_face.Turn([3])


@pytest.mark.parametrize("game", TEXTS, ids=lambda game: game.GAME.name)
def test_an_option_names_the_argument_that_takes_it(game):
    text = TEXTS[game]
    for option in game.Rules.__dataclass_fields__:
        with pytest.raises(BacktrickError, match=rf"solve\(\) has no argument {option}; give rules=Rules\({option}=...\)"):
            game.solve(text, **{option: True})
    with pytest.raises(BacktrickError, match=r"solve\(\) has no argument seconds; give budget=Budget\(seconds=...\)"):
        game.solve(text, seconds=1)


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
    with pytest.raises(BacktrickError, match=rf'np.array\(turns, "{turns.dtype}"\) makes one of numbers that pack_turn gave$'):
        game.grade_many(array, turns.astype("i8"))
    for given in (turns, turns.tolist()):
        assert game.grade_many(array, given)[0] == game.solve_many(array)
    with pytest.raises(BacktrickError, match="the text is UTF-16; write it as UTF-8"):
        game.parse_many(TEXTS[game].encode("utf-16"))


@pytest.mark.parametrize("game", TEXTS, ids=lambda game: game.GAME.name)
def test_positions_and_turns_are_aligned_as_their_texts(game):
    position = game.Position.parse(TEXTS[game])
    for one in (position, game.best_turn(position)):
        assert f"{one:>60}" == f"{one!s:>60}" and f"{one}" == str(one)
