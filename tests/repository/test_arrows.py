"""Arrows point downwards: every module uses only what lies below it, and nothing goes round in a circle.

All ties count: what is imported at once, in a function or for types, and a module that is named in a text, to be imported when
it is needed.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import backtrick
from backtrick.notation import Notation
from command import ROOT as REPOSITORY

ROOT = Path(backtrick.__file__).parent

FLOORS = [
    "errors",
    "given",
    "lines",
    "random",
    "budget",
    "signals",
    "progress",
    "threads",
    "arguments",
    "names",
    "bounds",
    "turn_in_progress",
    "display",
    "notation",
    "answer",
    "game",
    "proofs",
    "writing",
    "play",
    "storage",
    "face_to_face take_that",
    "games",
    "any_game",
    "testing",
    "pytest_plugin",
    "matches web",
    "learn",
    "backtrick",
    "cli",
    "__main__",
]
"""The modules and folders of `backtrick` from the ground upwards, a floor a line. Each uses only those of the floors below it."""

FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names.split()}


def module_of(path: Path) -> str:
    parts = ("backtrick", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(ROOT.rglob("*.py"))}


@cache
def imports(source: str) -> set[str]:
    """The modules of Backtrick that the statements of a source import: at once, in a function, or for types."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in names}
    return {name for name in found if name == "backtrick" or name.startswith("backtrick.")}


@cache
def named(source: str) -> set[str]:
    """The modules of Backtrick that are named in texts, docstrings apart; of a name that is put together, how it begins."""
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in told}
    put_together = {node.values[0].value for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
                    and isinstance(node.values[0], ast.Constant)}  # fmt: skip
    return {text for text in texts if text in MODULES and text != "backtrick"} | {
        text for text in put_together if text.startswith("backtrick.")
    }


def part_of(module: str) -> str:
    """The module or folder of `backtrick` that a module belongs to."""
    return (module.split(".") + ["backtrick"])[1]


def parts_used(source: str) -> set[str]:
    """The modules and folders of `backtrick` that a source is tied to; all of them if any can be meant."""
    parts = {part_of(name) for name in imports(source) | named(source)} - {"backtrick"}
    kernels = {part for part in parts if part.startswith("_")}
    return set(FLOOR) if "" in parts else parts - kernels


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The modules that lead back to themselves, those of one circle together."""
    reached = {name: set(used) for name, used in graph.items()}
    for middle in graph:
        for name in graph:
            if middle in reached[name]:
                reached[name] |= reached[middle]
    found = {frozenset(other for other in graph if other in reached[name] and name in reached[other]) for name in graph}
    return sorted(sorted(names) for names in found if names)


def test_every_part_has_a_floor():
    assert {part_of(module) for module in MODULES} == set(FLOOR)


@pytest.mark.parametrize("part", FLOOR)
def test_a_part_uses_only_what_lies_below_it(part):
    for module, path in MODULES.items():
        if part_of(module) == part:
            above = {other for other in parts_used(path.read_text()) - {part} if FLOOR[other] >= FLOOR[part]}
            assert not above, f"{module} uses {', '.join(sorted(above))}"


def asked_of_games(source: str) -> set[str]:
    """The attributes that a source reads of what it calls a game."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)]
    return {node.attr for node in nodes if getattr(node.value, "id", getattr(node.value, "attr", "")) == "game"}


@pytest.mark.parametrize("module", [name for name in MODULES if FLOOR[part_of(name)] < FLOOR["game"]])
def test_below_games_only_their_notation_is_asked(module):
    """No checker of types sees what is asked of an `Any`, so this reads the names."""
    assert asked_of_games(MODULES[module].read_text()) <= {*dir(Notation), *Notation.__annotations__}


def test_a_question_to_a_game_would_be_found():
    assert asked_of_games("game: Any = answer.game\ngame.steps(answer)\nself.game.display") == {"steps", "display"}


def test_nothing_but_the_command_line_uses_the_server():
    assert {part_of(name) for name, path in MODULES.items() if "web" in parts_used(path.read_text())} == {"cli", "web"}


def test_nothing_goes_round_in_a_circle():
    """A folder is a door to all that is in it, and a game, `GAME`, to its optional parts, which it imports when they are asked for.
    So folders are left out, and what a game names in texts."""
    doors = {name for name, path in MODULES.items() if path.name == "__init__.py"} | {"backtrick.games"}
    sources = {name: path.read_text() for name, path in MODULES.items() if name not in doors}
    ties = {name: imports(source) | (set() if name.endswith(".game") else named(source)) for name, source in sources.items()}
    graph = {name: used - doors for name, used in ties.items()}
    found = circles(graph)
    assert not found, "; ".join(", ".join(names) for names in found)


@pytest.mark.parametrize("module", [name for name in MODULES if name != "backtrick.__main__"])
def test_a_module_can_be_imported(module):
    """Examples in docstrings are passed over where a library is missing. So it must be a library, and no part of Backtrick."""
    try:
        import_module(module)
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("backtrick")
        assert missing or "pip install 'backtrick[" in str(error)


def test_a_circle_would_be_found():
    assert circles({"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": set()}) == [["a", "b"]]
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []


def test_an_arrow_upwards_would_be_found():
    inside = "if TYPE_CHECKING:\n    from backtrick.game import Game\ndef work():\n    from backtrick.face_to_face import solve\n"
    assert imports(inside) == {"backtrick.game", "backtrick.face_to_face"}
    assert imports("from backtrick.storage import file\nfrom backtrick.errors import BacktrickError\n") == {
        "backtrick.storage.file", "backtrick.errors",
    }  # fmt: skip
    lazy = 'work = imported("backtrick.play", "deal")\nimport_module(f"backtrick.learn.{name}")\n"""backtrick.cli"""\n'
    assert named(lazy) == {"backtrick.play", "backtrick.learn."} and parts_used(lazy) == {"play", "learn"}
    assert parts_used('import_module(f"backtrick.{name}")') == set(FLOOR)


def test_bars_are_made_in_one_place():
    for folder in ("solver", "scripts"):
        for path in (REPOSITORY / folder).rglob("*.py"):
            assert ("tqdm" in path.read_text()) == (path.name == "progress.py"), path
