"""The tests run the build that they were asked to run: the fast one, or the checked one of `make test-checked`."""

import os
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import solver

CHECKED = os.environ.get("BACKTRICK_CHECKED") == "1"


def test_every_extension_module_is_of_the_build_asked_for():
    root = Path(__file__).parent.parent
    built = [path for path in Path(solver.__file__).parent.rglob("*") if path.name.endswith(EXTENSION_SUFFIXES[0])]
    wanted = {path.relative_to(root / "ext" / "solver").with_suffix("") for path in (root / "ext").rglob("*.pyx")}
    assert len(wanted) >= 9
    assert {path.relative_to(Path(solver.__file__).parent).parent / path.name.split(".")[0] for path in built} == wanted
    assert {b"__asan_init" in path.read_bytes() for path in built} == {CHECKED}
