"""Errors: fields, the sentence made of them, exit codes, and that they travel between processes."""

import copy
import pickle

import pytest

from solver import errors
from solver.errors import BacktrickError, IllegalTurnError, NotationError, PositionError, RulesError
from solver.face_to_face.options import PUBLISHED, Rules
from solver.face_to_face.turn import Play, Turn

TURN = Turn.parse("18^ 17^")
EXAMPLES = [
    (NotationError("turn", "18x", 3, "expected '^'"), "turn '18x', column 3: expected '^'"),
    (PositionError(60, "the mover's hand", "no such card", "F1"), "60 in the mover's hand: no such card (F1)"),
    (PositionError(None, "the mover's hand", "it is empty", "F12"), "the mover's hand: it is empty (F12)"),
    (PositionError(0, "the mover's hand", "too low", "F1"), "0 in the mover's hand: too low (F1)"),
    (IllegalTurnError(TURN, Play(18, "^"), "too low", "F5"), "illegal turn '18^ 17^', play 18^: too low (F5)"),
    (IllegalTurnError(TURN, None, "too short", "F3"), "illegal turn '18^ 17^': too short (F3)"),
    (RulesError("highest is 4..60, not 3 (F1)"), "highest is 4..60, not 3 (F1)"),
]


@pytest.mark.parametrize(("error", "sentence"), EXAMPLES, ids=lambda part: type(part).__name__)
def test_the_sentence_is_made_of_the_fields(error, sentence):
    assert str(error) == sentence


@pytest.mark.parametrize("error", [error for error, _ in EXAMPLES], ids=lambda error: type(error).__name__)
def test_errors_travel(error):
    """A pool of workers sends errors by pickle; one that cannot be rebuilt hangs or hides the cause."""
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(error, protocol))
        assert type(again) is type(error) and str(again) == str(error) and vars(again) == vars(error)
    assert str(copy.copy(error)) == str(error)


def test_every_error_is_ours_and_says_how_to_exit():
    """A floor, so that a module without errors cannot pass: five exist."""
    found = [thing for thing in vars(errors).values() if isinstance(thing, type) and issubclass(thing, Exception)]
    assert len(found) >= 5
    for kind in [kind for kind in found if not issubclass(kind, Warning)]:
        assert issubclass(kind, BacktrickError) and kind.exit_code in (2, 3), kind


def test_bad_values_are_value_errors_too():
    """So that code which knows nothing of this package can still catch them."""
    for kind in (NotationError, PositionError, RulesError, IllegalTurnError):
        assert issubclass(kind, ValueError), kind


def test_a_long_text_is_cut_in_the_sentence_but_kept_in_the_field():
    text = "1" * 5000
    error = NotationError("position", text, 1, "too long")
    assert error.text == text and len(str(error)) < 150 and "..." in str(error)


def test_line_ends_in_a_text_do_not_break_the_sentence():
    assert "\n" not in str(NotationError("turn", "18^\n\r17^", 4, "no"))


# the rule options


def test_the_defaults_are_the_published_game():
    assert PUBLISHED == Rules() == Rules(lone_card=False, highest=60, step=10)
    assert hash(Rules()) == hash(PUBLISHED) and pickle.loads(pickle.dumps(Rules(True, 7, 2))) == Rules(True, 7, 2)


@pytest.mark.parametrize("highest", [-1, 0, 3, 61, 64, 255])
def test_highest_that_makes_no_game(highest):
    with pytest.raises(RulesError, match=f"not {highest}"):
        Rules(highest=highest, step=1)


@pytest.mark.parametrize(("highest", "step"), [(60, 0), (60, -10), (60, 61), (7, 8)])
def test_step_that_makes_no_game(highest, step):
    with pytest.raises(RulesError, match=f"not {step}"):
        Rules(highest=highest, step=step)


@pytest.mark.parametrize(("highest", "step"), [(4, 1), (4, 4), (60, 1), (60, 60), (7, 2)])
def test_extreme_rules_that_make_a_game(highest, step):
    assert Rules(highest=highest, step=step).step == step
