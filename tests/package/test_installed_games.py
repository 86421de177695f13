"""A third game lives outside of the tree: the toy as a distribution of its own, which names itself by an entry point."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from command import ENVIRONMENT, HERE
from waiting import PATIENCE

DUEL = "52^6v:16,18,19,57 53^15v:4,7,29,44"
BROKEN = (
    "the game toy of the distribution stones cannot be imported (ModuleNotFoundError: No module named 'no_such_module')"
)
METADATA = "Metadata-Version: 2.1\nName: stones\nVersion: 1.0\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def packed(folder: Path, module: str) -> Path:
    """A wheel of the toy: pure Python, so nothing is compiled."""
    wheel, info = folder / "stones-1.0-py3-none-any.whl", "stones-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as file:
        file.write(HERE / "toy.py", "stones/game.py")
        file.writestr("stones/__init__.py", "")
        file.writestr(f"{info}/METADATA", METADATA)
        file.writestr(f"{info}/WHEEL", WHEEL)
        file.writestr(f"{info}/entry_points.txt", f"[backtrick.games]\ntoy = {module}\n")
        file.writestr(f"{info}/RECORD", "")
    return wheel


def place_of(folder: Path, module: str = "stones.game") -> Path:
    """A folder into which the toy is installed: a wheel of pure Python is unpacked, as pip would do it."""
    with zipfile.ZipFile(packed(folder, module)) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    return place_of(tmp_path_factory.mktemp("installed"))


def answered(place: Path, *lines: tuple[str, ...]) -> subprocess.CompletedProcess:
    """A process of which each line is a run of the command."""
    environment = ENVIRONMENT | {"PYTHONPATH": f"{ENVIRONMENT['PYTHONPATH']}:{place}"}
    program = [sys.executable, "-c", f"import sys; from backtrick.cli import main; sys.exit(max(map(main, {lines!r})))"]
    return subprocess.run(program, cwd=place, env=environment, capture_output=True, text=True, timeout=PATIENCE)


def test_its_positions_are_answered_and_a_game_of_ours_is_the_first_one(place):
    lines = {
        ("best", "stones 5"): "1",
        ("best", "stones 5", "--most", "2"): "2",
        ("sample", "2", "--game", "toy"): "stones 1\nstones 2",
        ("sample", "1", "--seed", "1"): "40^4v:15,33,54,56 3^41v:8,16,19,27",
    }
    done = answered(place, *lines)
    assert (done.stdout.splitlines(), done.stderr) == ("\n".join(lines.values()).splitlines(), "")


def test_a_module_without_a_game_is_a_sentence(tmp_path):
    done = answered(place_of(tmp_path, "stones"), ("best", "stones 5", "--game", "toy"))
    problem = "stones, the module of the game toy, defines no Game called GAME"
    assert done.stderr == f"backtrick: the distribution stones: {problem}; it is skipped\nbacktrick: {problem}\n"
    assert done.returncode == 2


LINES = [("best", DUEL), ("best", DUEL, "--game", "face_to_face"), ("best", "--help"), ("match", "--help")]


@pytest.mark.share(2)
@pytest.mark.parametrize("line", LINES)
def test_a_game_that_cannot_be_imported_is_one_warning(tmp_path, line):
    done = answered(place_of(tmp_path, "no_such_module.game"), line)
    assert done.returncode == 0 and ("16v 18v'" in done.stdout or "usage: " in done.stdout)
    assert done.stderr in ("", f"backtrick: the distribution stones: {BROKEN}; it is skipped\n")
    assert done.stderr or line[-1] == "face_to_face"


def test_a_game_that_cannot_be_imported_is_an_error_if_it_is_asked_for(tmp_path):
    done = answered(place_of(tmp_path, "no_such_module.game"), ("best", "stones 5", "--game", "toy"))
    assert done.returncode == 2 and done.stderr.endswith(f"backtrick: {BROKEN}\n") and "Traceback" not in done.stderr


DOORS = """
import backtrick
from backtrick import learn
from backtrick.errors import BacktrickError
from backtrick.games import game_of, steps_of, stored_of, whole_game_of
from backtrick.learn import openspiel

game = game_of("toy")
print(*openspiel.register())
for said in (
    lambda: backtrick.solve("stones 5").value, lambda: backtrick.best_turn("stones 5"), lambda: backtrick.legal_turns("stones 5"),
    lambda: backtrick.grade("stones 5", "2").verdict, lambda: len(backtrick.outcomes("stones 5")),
    lambda: backtrick.pack(["stones 5"]), lambda: backtrick.solve_many(["stones 5"]), lambda: backtrick.odds("stones 5"),
    lambda: backtrick.equilibrium("stones 5"), lambda: learn.turn_values(["stones 5"]), lambda: steps_of("toy"),
    lambda: whole_game_of(game), lambda: stored_of(game),
):
    try:
        print(said())
    except BacktrickError as error:
        print(error)
"""
SAID = """\
backtrick_face_to_face backtrick_take_that
3
1
(1, 2, 3)
worth 2 instead of 3
3
Stones has no arrays: `pack` of its Game is missing
Stones has no solve_many: a function of that name beside its Game is missing
Stones has no odds: a function of that name beside its Game is missing
Stones has no equilibria: `public_state` of its Game is missing
Stones has no arrays: `pack` of its Game is missing
Stones has no steps for adapters: a module `steps` beside its own is missing
Stones has no whole games: a module `players` beside its own is missing
Stones keeps no tables or sets on disk: a module `tablebase` beside its own is missing
"""


def test_every_door_takes_an_installed_game_or_says_what_part_is_missing(place):
    pytest.importorskip("pyspiel", reason="needs the extra openspiel")
    environment = ENVIRONMENT | {"PYTHONPATH": f"{ENVIRONMENT['PYTHONPATH']}:{place}"}
    command = [sys.executable, "-c", DOORS]
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.stdout, done.stderr) == (SAID, "")
