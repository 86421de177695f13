"""The tests run the build that they were asked to run: the fast one, or that of `make test-checked` or `make test-threads`."""

import os
import runpy
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import solver

ROOT = Path(__file__).parent.parent
CHECKED = os.environ.get("BACKTRICK_CHECKED", "")
SANITIZERS = {b"__asan_init": "1", b"__tsan_init": "threads"}


@pytest.mark.threads
def test_every_extension_module_is_of_the_build_asked_for():
    built = [path for path in Path(solver.__file__).parent.rglob("*") if path.name.endswith(EXTENSION_SUFFIXES[0])]
    wanted = {path.relative_to(ROOT / "ext" / "solver").with_suffix("") for path in (ROOT / "ext").rglob("*.pyx")}
    assert len(wanted) >= 9
    assert {path.relative_to(Path(solver.__file__).parent).parent / path.name.split(".")[0] for path in built} == wanted
    assert {"".join(name for mark, name in SANITIZERS.items() if mark in path.read_bytes()) for path in built} == {CHECKED}


PLAIN = ["-O3", "-fno-strict-aliasing", "-ffp-contract=off"]
COUNTING = [*PLAIN, "-mpopcnt"]


@pytest.mark.parametrize(
    ("system", "machine", "flags", "expected"),
    [
        ("linux", "x86_64", "-O2 -Wall", COUNTING),
        ("linux", "aarch64", "-O2 -Wall", PLAIN),
        ("linux", "i686", "", PLAIN),
        ("freebsd14", "amd64", "", COUNTING),
        ("darwin", "x86_64", "", COUNTING),
        ("darwin", "arm64", "", PLAIN),
        ("darwin", "x86_64", "-arch x86_64 -arch arm64 -g", PLAIN),
        ("darwin", "arm64", "-arch arm64 -arch x86_64 -g", PLAIN),
        ("darwin", "x86_64", "-arch arm64", PLAIN),
        ("darwin", "arm64", "-arch  x86_64", COUNTING),
        ("win32", "AMD64", "", ["/O2"]),
    ],
)
def test_bits_are_counted_in_one_instruction_only_where_every_target_has_it(system, machine, flags, expected):
    assert runpy.run_path(str(ROOT / "setup.py"))["compile_flags"](system, machine, flags) == expected
