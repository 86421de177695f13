"""What a type checker says of the public names as a user meets them: the examples of pages, and `get`, whose default
may be anything. `make lint` checks the package itself.
"""

from __future__ import annotations

import doctest
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import backtrick
from backtrick import face_to_face, learn, take_that
from command import ROOT

pytest.importorskip("mypy")

GET = """
from backtrick import face_to_face, take_that
duel, line = face_to_face.open_tablebase("."), take_that.open_tablebase(".")
one, other = face_to_face.Position.parse(""), take_that.Position.parse("")
reveal_type(duel.get(one))
reveal_type(duel.get(one, 7))
reveal_type(duel.get(one, "none"))
reveal_type(duel.get(one, default=None))
reveal_type(line.get(other))
reveal_type(line.get(other, -1))
reveal_type(line.get(other, default="none"))
"""
REVEALED = ["int | None", "int", "int | str", "int | None", "int | None", "int", "int | str"]


def said(source: str, place: Path) -> list[str]:
    """What mypy says of a script."""
    script = place / "script.py"
    script.write_text(source)
    line = [sys.executable, "-m", "mypy", "--strict", "--allow-redefinition", "--follow-imports=silent", "--no-error-summary"]
    environment = {**os.environ, "MYPYPATH": str(Path(backtrick.__file__).parent.parent), "MYPY_CACHE_DIR": str(place / "cache")}
    done = subprocess.run([*line, script.name], cwd=place, env=environment, capture_output=True, text=True, timeout=600)
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()


OF_SEVERAL = {"Answers": "its arrays are of objects if a deal is among the positions"}


@pytest.mark.parametrize("module", [face_to_face, take_that, learn], ids=lambda module: module.__name__)
def test_arrays_have_their_dtypes_in_the_types(module):
    typed = 0
    for name in module.__all__:
        given = getattr(module, name)
        annotations = inspect.unwrap(given).__annotations__ if inspect.isroutine(given) else getattr(given, "__annotations__", {})
        if name not in OF_SEVERAL:
            assert not [one for one in annotations.items() if "np.ndarray" in str(one)], name
        typed += any(word in str(annotations) for word in ("Positions", "Rows", "Turns", "U8s", "U64s"))
    assert typed > 2, "annotations are read"


EXAMPLES = {"README.md": "solve(", "docs/grading.md": "grade_game(", "docs/answer.md": "play_games",
            "docs/matches.md": "matches.match("}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("page", EXAMPLES)
def test_the_examples_of_a_page_have_sound_types(page, tmp_path):
    source = doctest.script_from_examples((ROOT / page).read_text())
    assert EXAMPLES[page] in source
    assert [one for one in said(source, tmp_path) if "[no-untyped-def]" not in one and "[no-untyped-call]" not in one] == []


@pytest.mark.slow
def test_texts_are_taken_for_positions_and_turns(tmp_path):
    ways = "solve(p) best_turn(p) grade(p,t) outcomes(p) bounds(p) value(p) legal_turns(p) after(p,t) play(p,t) mirror(p)"
    lines = [f"{game}.{way}" for game in ("face_to_face", "take_that") for way in ways.split()]
    given = "from backtrick import face_to_face, take_that\np, t = '', ''\n"
    assert said(given + "\n".join(lines), tmp_path) == []


@pytest.mark.slow
def test_a_value_is_a_number_to_a_checker(tmp_path):
    """Of an endgame it always is, and who asks about one need not rule out None."""
    source = "from backtrick import face_to_face, solve, take_that\n"
    source += 'share: float = sum(face_to_face.solve(one).value % 2 for one in face_to_face.samples.selfplay(9)) / 9\n'
    source += 'points: int = take_that.solve("15,43,44 21,53 51-62-35").value + solve("12 34 56").value\n'
    assert said(source, tmp_path) == []
    assert said(source + 'wrong: str = take_that.solve("12 34 56").value + 1\n', tmp_path) != []


@pytest.mark.slow
def test_a_checker_would_see_a_wrong_type(tmp_path):
    assert len(said("from backtrick import take_that\ntake_that.Position.parse(3)\n", tmp_path)) == 1


@pytest.mark.slow
def test_get_gives_the_value_or_the_default(tmp_path):
    told = [line.split('"')[1] for line in said(GET, tmp_path)]
    assert [text.replace("builtins.", "").replace("Union[int, str]", "int | str") for text in told] == REVEALED
