"""What users of other libraries type first works, or is answered with a sentence that names the right way."""

from __future__ import annotations

import inspect
import pydoc
import re
from importlib.util import find_spec

import pytest

import backtrick
from backtrick import face_to_face, matches, proofs, take_that
from backtrick.face_to_face import samples
from backtrick.names.other_names import ADVICE
from test_from_memory import programs_of

TEXT = "52^6v:16,18,19,57 53^15v:4,7,29,44"
HERE = {
    "backtrick": backtrick, "game": face_to_face, "other": take_that, "samples": samples, "matches": matches, "TEXT": TEXT,
    "position": face_to_face.Position.parse(TEXT), "answer": face_to_face.solve(TEXT), "turn": face_to_face.best_turn(TEXT),
    "state": face_to_face.State.begin(TEXT), "outcome": face_to_face.outcomes(TEXT)[0], "array": face_to_face.pack([TEXT]),
}  # fmt: skip

NAMES = [line for _, lines in programs_of("other_names.txt") for line in lines.splitlines() if line]
ADVISED = re.compile("; (" + "|".join(re.escape(line) for line in ADVICE.splitlines() if line and line[0] != " ") + ")$")


def works(typed: str) -> bool:
    """True if it works, or its error names the right way."""
    try:
        eval(typed, dict(HERE))
    except AttributeError as error:
        return bool(ADVISED.search(str(error)))
    except Exception as error:
        return "reads a text" in str(error)
    return True


def test_most_names_work_or_are_answered():
    missing = [typed for typed in NAMES if not works(typed)]
    assert len(NAMES) >= 90 and len(NAMES) - len(missing) >= 75, missing
    assert len(missing) <= 4, missing


def test_advice_costs_no_name_of_our_own():
    shown = dir(HERE["position"])
    assert "board" in shown and "fen" not in shown and not hasattr(HERE["position"], "fen")
    with pytest.raises(AttributeError, match=r"^'Position' object has no attribute 'fen'; str\(position\) is the notation"):
        _ = HERE["position"].fen
    with pytest.raises(AttributeError, match="^type object 'Position' has no attribute 'fen'"):
        _ = face_to_face.Position.fen


ADVISED_NAMES = {*" ".join(line for line in ADVICE.splitlines() if line.startswith(" ")).split()}
CLASSES = [face_to_face.Position, face_to_face.Deal, face_to_face.Turn, face_to_face.State, face_to_face.View,
           take_that.Position, take_that.Turn, take_that.State, take_that.View, face_to_face.Answer, face_to_face.Grade,
           face_to_face.Outcome]  # fmt: skip


@pytest.mark.parametrize("one", CLASSES, ids=lambda one: f"{one.__module__}.{one.__name__}")
def test_help_of_a_class_lists_what_it_has_each_with_a_sentence(one):
    told = pydoc.render_doc(one, renderer=pydoc.plaintext)
    listed = {*re.findall(r"^ \|  (\w+)$", told, re.MULTILINE), *dir(one)}
    assert not [name for name in ADVISED_NAMES & listed if not hasattr(one, name) and name not in one.__annotations__]
    shown = [name for name in dir(one) if not name.startswith("_") and not inspect.ismemberdescriptor(getattr(one, name))]
    asked = [name for name in shown if callable(getattr(one, name)) or isinstance(getattr(one, name), property)]
    assert asked and not [name for name in asked if not inspect.getdoc(getattr(one, name))]


def test_dir_of_an_answer_has_its_fields():
    assert {"position", "rules", "bounds", "value", "line"} <= {*dir(HERE["answer"])} and "fen" not in dir(HERE["answer"])


def test_what_is_advised_exists():
    """Each name of ours in the advice, as far as it is one word with brackets or a dot."""
    for name in re.findall(r"\b([a-z_]+)\(", ADVICE):
        owners = (HERE[one] for one in ("position", "answer", "state"))
        homes = (face_to_face, samples, matches, backtrick, proofs, *owners, face_to_face.Tablebase, face_to_face.Turn, str)
        assert name == "str" or any(hasattr(one, name) for one in homes) or hasattr(take_that.samples, name), name
    for module in re.findall(r"backtrick(?:\.[a-z_]+)+", ADVICE):
        assert find_spec(module) or find_spec(module.rpartition(".")[0]), module
