"""Arrows point downwards: what each part of the package may import, and that nothing goes round in a circle."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

import backtrick
from command import ROOT as REPOSITORY

ROOT = Path(backtrick.__file__).parent
MAY_USE = {
    "core": {"core"},
    "drawing": {"drawing"},
    "storage": {"core", "storage"},
    "face_to_face": {"core", "drawing", "storage", "face_to_face"},
    "take_that": {"core", "drawing", "storage", "take_that"},
    "games": {"core", "storage"},
    "matches": {"core", "storage", "games", "matches"},
    "testing": {"core", "games", "testing"},
    "pytest_plugin": {"core", "games", "testing"},
    "learn": {"core", "drawing", "storage", "games", "matches", "learn"},
    "web": {"core", "drawing", "storage", "games", "web"},
    "cli": {"core", "storage", "games", "matches", "learn", "web", "cli"},
    "__main__": {"cli"},
}
"""For each part of `backtrick` the parts that it may import. `games` names the games' modules and imports them when asked;
it says what `game`, `tablebase`, `players` and `steps` are there."""


def module_of(path: Path) -> str:
    parts = ("backtrick", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(ROOT.rglob("*.py"))}


def imports(source: str, at_once: bool = False) -> set[str]:
    """The modules of Backtrick that a source imports; `at_once`: when it is itself imported, not in a function or for types."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree)) if not at_once else _of_the_module(tree)
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in names}
    return {name for name in found if name == "backtrick" or name.startswith("backtrick.")}


def _of_the_module(tree: ast.Module) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.Try):
            found += node.body
        elif not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.If)):
            found.append(node)
    return found


def part_of(module: str) -> str:
    """A package or module below `backtrick`; "core" for the modules that every part may use."""
    part = (module.split(".") + ["backtrick"])[1]
    return part if part in MAY_USE or part == "backtrick" or module not in MODULES or is_package(module) else "core"


def is_package(module: str) -> bool:
    return MODULES[module].name == "__init__.py"


@pytest.mark.parametrize("module", [name for name in MODULES if name != "backtrick"])
def test_a_module_imports_only_what_lies_below_it(module):
    used = {part_of(name) for name in imports(MODULES[module].read_text()) if name not in ("backtrick", module)}
    assert used - {"backtrick", "_arguments"} <= MAY_USE[part_of(module)]


@pytest.mark.parametrize("module", [name for name in MODULES if name != "backtrick.__main__"])
def test_a_module_can_be_imported(module):
    """Examples in docstrings are passed over where a library is missing. So it must be a library, and no part of Backtrick."""
    try:
        import_module(module)
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("backtrick")
        assert missing or "pip install 'backtrick[" in str(error)


def test_nothing_goes_round_in_a_circle():
    packages = {name for name, path in MODULES.items() if path.name == "__init__.py"}
    graph = {name: imports(path.read_text(), at_once=True) - packages for name, path in MODULES.items() if name not in packages}
    TopologicalSorter(graph).prepare()


def test_a_circle_would_be_found():
    with pytest.raises(CycleError):
        TopologicalSorter({"a": {"b"}, "b": {"a"}}).prepare()


def test_an_arrow_upwards_would_be_found():
    assert imports("def work():\n    from backtrick.face_to_face import solve\n") == {"backtrick.face_to_face"}
    assert imports("from backtrick.storage import file\nfrom backtrick.errors import BacktrickError\n") == {
        "backtrick.storage.file", "backtrick.errors",
    }  # fmt: skip
    assert "face_to_face" not in MAY_USE["storage"] and "storage" not in MAY_USE["core"]


def test_bars_are_made_in_one_place():
    for folder in ("solver", "scripts"):
        for path in (REPOSITORY / folder).rglob("*.py"):
            assert ("tqdm" in path.read_text()) == (path.name == "execution.py"), path
