"""A start imports what it uses, and nothing else: modules are counted, because times depend on the machine."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import backtrick
from backtrick import face_to_face, learn, matches, take_that
from command import ENVIRONMENT, HERE

DUEL, LINES = "27^40v:17,18,45 13^50v:5,12", "15,43,44 21,53 51-62-35"
LIST = "import atexit, json, sys; atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr)); "


def modules_of(source: str) -> list[str]:
    """The modules that a process has imported when it ends."""
    done = subprocess.run([sys.executable, "-c", LIST + source], cwd=HERE, env=ENVIRONMENT, capture_output=True, text=True)
    return json.loads(done.stderr.splitlines()[-1])


def modules_of_command(*arguments: str) -> list[str]:
    return modules_of(f"from backtrick.cli import main; main({list(arguments)})")


def ours(modules: list[str], *below: str) -> list[str]:
    return [name for name in modules if name.startswith(tuple(f"backtrick.{part}" for part in below or ("",)))]


def test_the_package_imports_no_game_and_no_numpy():
    modules = modules_of("import backtrick")
    assert ours(modules) == ["backtrick.names", "backtrick.names.lazy_imports"] and "numpy" not in modules


@pytest.mark.parametrize("game", ["face_to_face", "take_that"])
def test_a_game_imports_its_parts_when_they_are_read(game):
    few = [f"backtrick.{game}", "backtrick.names", "backtrick.names.lazy_imports"]
    assert ours(modules_of(f"import backtrick.{game}")) == sorted(few)
    modules = modules_of(f"from backtrick.{game} import solve, Position")
    assert not ours(modules, "storage", "cli", "web", "matches", "games", f"{game}.tablebase", f"{game}.deals", f"{game}.look")


@pytest.mark.parametrize("game", [face_to_face, take_that], ids=lambda game: game.__name__)
def test_every_public_name_is_there_and_nothing_else_is_shown(game):
    assert all(getattr(game, name) is not None for name in game.__all__)
    assert dir(game) == sorted([*game.__all__, "policies", "samples"]) and len(set(game.__all__)) > 40
    with pytest.raises(AttributeError, match="has no attribute 'slove'"):
        _ = game.slove


ONLY_IN = {
    face_to_face: {"Play", "Side", "build_tables"},  # several plays a turn; piles of each player; complete tables
    take_that: {"TAKE"},  # a line to take
}
MORE = {"budget", "table_mib", "progress"}
"""Parameters that only Take That has: its endgames take a search, which may run out."""


@pytest.mark.parametrize(("game", "other"), [(face_to_face, take_that), (take_that, face_to_face)])
def test_both_games_have_one_name_for_one_thing(game, other):
    assert set(game.__all__) - set(other.__all__) == ONLY_IN[game]


def test_both_games_have_the_same_parameters():
    for name in set(face_to_face.__all__) & set(take_that.__all__):
        one, other = getattr(face_to_face, name), getattr(take_that, name)
        if inspect.isfunction(one):
            duel, line = (list(inspect.signature(function).parameters) for function in (one, other))
            without = {"rules"} if name in ("mirror", "mirror_turn", "canonical") else set()  # Take That has one deck
            assert [each for each in duel if each not in without] == [each for each in line if each not in MORE - {*duel}], name


@pytest.mark.parametrize("game", [face_to_face, take_that])
def test_help_names_the_types_of_the_game(game):
    assert str(inspect.signature(game.best_turn)).endswith("-> 'Turn | None'")
    for name in game.__all__:
        if inspect.isfunction(function := getattr(game, name)):
            assert not re.search(r"\b[PTRM]\b", str(inspect.signature(function))), name


@pytest.mark.parametrize("module", [backtrick, face_to_face, take_that, learn, matches], ids=lambda module: module.__name__)
def test_types_see_the_same_names(module):
    stub = Path(module.__file__).with_suffix(".pyi").read_text()
    assert {*re.findall(r"^(?:from .* as )?(\w+)(?:$|: )", stub, re.MULTILINE)} == {*dir(module), *module.__all__}


@pytest.mark.parametrize(("position", "other"), [(DUEL, "take_that"), (LINES, "face_to_face")])
def test_a_question_imports_its_game_and_no_files(position, other):
    modules = modules_of_command("solve", position)
    described = [f"backtrick.{other}{part}" for part in ("", ".display", ".rule_options")]
    assert ours(modules, other) == described
    assert not ours(modules, "storage", "web", "matches", "learn", "adapters", "state", "steps", "odds")
    assert len(ours(modules)) <= 75


@pytest.mark.share(2)
@pytest.mark.parametrize("command", [(), ("solve",), ("grade",), ("sample",), ("generate",), ("export",), ("serve",), ("draw",)])
def test_help_imports_no_kernels(command):
    modules = modules_of_command(*command, "--help")
    assert not [name for name in ours(modules) if name.rpartition(".")[2].startswith("_")] and "numpy" not in modules


def test_the_version_is_not_looked_up_until_it_is_read():
    assert "importlib.metadata" not in modules_of("import backtrick")
    assert backtrick.__version__
    modules = modules_of_command("--version")
    assert not {"numpy", "h5py", "tqdm", "multiprocessing"} & {*modules}


def test_h5py_is_imported_only_when_a_file_is_opened():
    modules = modules_of("import backtrick.cli.files, backtrick.face_to_face.tablebase, backtrick.take_that.tablebase")
    assert "h5py" not in modules and ours(modules, "storage")
