"""Errors: fields, the sentence made of them, exit codes, and that they travel between processes."""

import copy
import pickle

import numpy as np
import pytest

from backtrick import errors, face_to_face, take_that
from backtrick.errors import (
    BacktrickError,
    ContradictionError,
    CorruptTableError,
    ForeignFileError,
    IllegalTurnError,
    MismatchError,
    MissingTableError,
    NotationError,
    PositionError,
    RulesError,
    SkippedFileWarning,
    StorageError,
)
from backtrick.face_to_face.rule_options import PUBLISHED, Rules
from backtrick.face_to_face.turn import Play, Turn
from backtrick.matches.players import ForfeitError

TURN = Turn.parse("18^ 17^")
EXAMPLES = [
    (NotationError("turn", "18x", 3, "expected '^'"), "turn '18x', column 3: expected '^'"),
    (PositionError(60, "the mover's hand", "no such card", "F1"), "60 in the mover's hand: no such card (F1)"),
    (PositionError(None, "the mover's hand", "it is empty", "F12"), "the mover's hand: it is empty (F12)"),
    (PositionError(0, "the mover's hand", "too low", "F1"), "0 in the mover's hand: too low (F1)"),
    (IllegalTurnError(TURN, Play(18, "^"), "too low", "F5"), "illegal turn '18^ 17^', play 18^: too low (F5)"),
    (IllegalTurnError(TURN, None, "too short", "F3"), "illegal turn '18^ 17^': too short (F3)"),
    (ForfeitError("late", "no answer within 10 s"), "forfeit (late): no answer within 10 s"),
    (StorageError("x", "there is no such file"), "x: there is no such file"),
    (ForeignFileError("x", "of another game"), "x: of another game"),
    (CorruptTableError("x", "it is cut short"), "x: it is cut short"),
    (MismatchError("x", "a position", 3, 4), "x: a position is stored as 3, but its turns lead to 4"),
    (MissingTableError("2v1.h5", "here", "backtrick generate 2v1", ("a.set.h5: it is cut short",)),
     "no table 2v1.h5 in here (skipped a.set.h5: it is cut short); build it with: backtrick generate 2v1"),
    (ContradictionError("a position", "some rules", "it is worth 3, but 4"),
     "a position under some rules: it is worth 3, but 4. This is a fault of Backtrick; please report it"),
    (SkippedFileWarning("a.set.h5", "it is cut short"), "a.set.h5: it is cut short; it is skipped"),
    (errors.NotSolvedError("a position", 2, 5, 9), "a position: not solved within 9 nodes, the value is within [2, 5]"),
    (errors.PackedError("packed turn", 2, "it is no turn", 7), "packed turn 2 at place 7 of the array: it is no turn"),
    (errors.TableNameError("2w1", "it has no v"), "no table '2w1': it has no v"),
    (errors.UnknownGameError("x", ("a", "b")), "'x' is not a position; one looks like a, or b"),
    (errors.FileError("x", "it is empty"), "x: it is empty"),
    (RulesError("highest must be 4..60, not 3 (F1)"), "highest must be 4..60, not 3 (F1)"),
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


def test_each_error_with_fields_has_an_example():
    """But `LineError`, which holds another one."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert {kind for kind in kinds if "__init__" in vars(kind)} - {type(error) for error, _ in EXAMPLES} == {errors.LineError}


def test_every_error_is_ours_and_says_how_to_exit():
    """A floor, so that a module without errors cannot pass: five exist."""
    found = [thing for thing in vars(errors).values() if isinstance(thing, type) and issubclass(thing, Exception)]
    assert len(found) >= 5
    for kind in [kind for kind in found if not issubclass(kind, (Warning, ContradictionError))]:
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
    assert PUBLISHED == Rules() == Rules(lone_card=False)
    assert hash(Rules()) == hash(PUBLISHED) and pickle.loads(pickle.dumps(Rules(True))) == Rules(True)


def test_options_from_numpy_are_kept_as_plain_values():
    """So that what is shown, and written into the header of a file, is the same."""
    rules = face_to_face.Rules(np.bool_(True))
    assert rules == face_to_face.Rules(True) and repr(rules) == "Rules(lone_card=True)" and type(rules.lone_card) is bool
    other = take_that.Rules(np.bool_(True), np.str_("ends"))
    assert other == take_that.Rules(True, "ends")
    assert repr(other) == "Rules(forced_only=True, empty_line='ends', professional=False)"
    assert list(map(type, (other.forced_only, other.empty_line))) == [bool, str]
