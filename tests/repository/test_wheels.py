"""What a wheel must hold, by `scripts/release/try_wheels.py`; that cibuildwheel is told of every file that tests read; and that a
free-threaded Python stays so. The script itself is what tries wheels.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from command import ROOT
from waiting import PATIENCE

tomllib = pytest.importorskip("tomllib", reason="scripts/release/try_wheels.py needs Python 3.11")


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("try_wheels", ROOT / "scripts" / "release" / "try_wheels.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look for it
    spec.loader.exec_module(module)
    return module


PACKAGE = {"solver/backtrick/__init__.py", "solver/backtrick/py.typed"}
SOURCES = {"README.md", "ext/backtrick/_one.pyx", "ext/backtrick/game/_two.pyx", *PACKAGE}
HELD = {
    "backtrick/__init__.py",
    "backtrick/py.typed",
    "backtrick/_cyutility.abi3.so",
    "backtrick/_one.abi3.so",
    "backtrick/game/_two.cpython-310-x86_64-linux-gnu.so",
    "backtrick-0.1.0.dist-info/METADATA",
}


@pytest.mark.parametrize(
    ("more", "less", "expected"),
    [
        ("", "", []),
        ("", "backtrick/py.typed", ["backtrick/py.typed is missing"]),
        ("backtrick/_one.c", "", ["backtrick/_one.c does not belong there"]),
        ("tests/test_one.py", "", ["tests/test_one.py does not belong there"]),
        ("", "backtrick/_one.abi3.so", ["backtrick/_one was not compiled"]),
        ("backtrick/_three.pyd", "", ["backtrick/_three has no source"]),
    ],
)
def test_a_wheel_holds_the_package_and_nothing_else(script, tmp_path, more, less, expected):
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        for name in (HELD | ({more} - {""})) - {less}:
            packed.writestr(name, b"")
    assert script.faults(wheel, SOURCES) == expected


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("gcc"), reason="compiles an ELF file with gcc")
@pytest.mark.parametrize("flag", ["-Wl,-s", "-g0", "-g"])
def test_a_module_with_symbols_is_named(script, tmp_path, flag):
    (tmp_path / "one.c").write_text("static int one(void) { return 1; } int two(void) { return one(); }")
    line = ["gcc", "-shared", "-fPIC", flag, str(tmp_path / "one.c"), "-o", str(tmp_path / "one.so")]
    subprocess.run(line, check=True, timeout=PATIENCE)
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("backtrick/_one.so", (tmp_path / "one.so").read_bytes())
    expected = [] if flag == "-Wl,-s" else ["backtrick/_one.so is not stripped"]
    assert [one for one in script.faults(wheel, {"ext/backtrick/_one.pyx"}) if "_one" in one] == expected
    assert script.sections(b"\xcf\xfa\xed\xfe" + bytes(100)) == set(), "not ELF"


def test_an_interpreter_takes_one_kind_of_wheel(script):
    names = ["cp310-cp310", "cp311-abi3", "cp313-cp313t", "cp314-cp314t"]
    wheels = [Path(f"backtrick-0.1.0-{name}-manylinux_2_28_x86_64.whl") for name in names]
    for python, expected in zip(script.PYTHONS, [0, 1, 1, 1, 1, 2, 3], strict=True):
        interpreter = script.Interpreter(python, python, Path())
        assert [interpreter.takes(wheel) for wheel in wheels] == [number == expected for number in range(4)], python


def test_cibuildwheel_copies_all_but_the_package():
    """The tests read many files of the tree; `solver` beside them would hide what was installed."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]
    line = ["git", "-C", str(ROOT), "ls-tree", "--name-only", "HEAD"]
    listed = subprocess.run(line, capture_output=True, text=True) if (ROOT / ".git").exists() else None
    if listed is None or listed.returncode:
        pytest.skip("no repository here, only its files")
    assert {*settings["test-sources"]} == {*listed.stdout.split()} - {"solver", ".gitignore"}


def test_the_pythons_that_are_tried_are_those_that_are_named(script):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [line.rpartition(":: ")[2] for line in project["classifiers"] if ":: Python :: 3." in line]
    assert [name for name in script.PYTHONS if not name.endswith("t")] == named
