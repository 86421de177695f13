"""Programs and expressions that users of other libraries write from memory: most run, or are told the right line."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

import pytest

import backtrick
from backtrick import face_to_face
from backtrick.errors import BacktrickError
from backtrick.names.other_names import ADVICE
from command import DATA

TEXT = "52^6v:16,18,19,57 53^15v:4,7,29,44"
NAMES = {
    "backtrick": backtrick, "game": face_to_face, "text": TEXT, "position": face_to_face.Position.parse(TEXT),
    "answer": face_to_face.solve(TEXT), "turn": face_to_face.best_turn(TEXT), "grade": face_to_face.grade(TEXT, "16v 18^'"),
    "state": face_to_face.State.begin(TEXT),
}  # fmt: skip
SENTENCES = [re.escape(line) for line in ADVICE.splitlines() if line and line[0] != " "]
TOLD = re.compile(rf"; ({'|'.join(SENTENCES)}|did you mean '\w+'\?)$")


def programs_of(file: str) -> list[tuple[str, str]]:
    """The programs in a file of tests/data: the name in brackets above each, and its text."""
    return re.findall(r"^\[(.*)\]\n((?:(?!\[).*\n?)*)", (DATA / file).read_text(), re.MULTILINE)


def typed() -> Iterator[tuple[str, str]]:
    """What is typed, each with a name. A block is a program; of the last one each line is an expression."""
    blocks = programs_of("from_memory.txt")
    yield from blocks[:-1]
    for line in blocks[-1][1].split("\n"):
        if line:
            yield line, f"({line})"


def fate(program: str) -> str:
    """'runs', 'told' if the error names the right line, or the error."""
    try:
        exec(compile(program, "typed", "exec"), dict(NAMES))  # noqa: S102
    except BacktrickError:
        return "told"
    except Exception as error:
        return "told" if TOLD.search(str(error)) else f"{type(error).__name__}: {error}"
    return "runs"


def test_most_of_what_is_typed_runs_or_is_told(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {name: fate(program) for name, program in typed()}
    wrong = {name: what for name, what in found.items() if what not in ("runs", "told")}
    assert len(found) == 87
    assert len(wrong) <= 8, "\n".join(f"{name}: {what}" for name, what in wrong.items())


@pytest.mark.parametrize(("package", "name", "words"), [
    ("backtrick", "legal_moves", "legal_turns(position) of the game lists the turns"),
    ("backtrick.face_to_face", "calc_dd_table", "solve(position) of the game gives value"),
    ("backtrick", "sovle", "did you mean 'solve'?"),
    ("backtrick.matches", "reprots", "did you mean 'reports'?"),
])  # fmt: skip
def test_an_import_is_told_the_right_line(package, name, words):
    with pytest.raises(ImportError, match=re.escape(words)):
        exec(f"from {package} import {name}")
    module = __import__(package, fromlist=["*"])
    assert not hasattr(module, name) and getattr(module, name, 5) == 5, "to ask is no error"
    with pytest.raises(AttributeError, match=re.escape(words)):
        getattr(module, name)
