"""The audit sees what it is there to see: built with the old slip put back, its shares end with exit code 3."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from audit.test_audit import LONG, SHORT
from command import ROOT

SOURCE = "ext/backtrick/face_to_face/_layout.pyx"
RIGHT, SLIP = "if ((subset & cards) >> card) & 1:", "if subset & cards >> card & 1:"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of a copy of the tree with the slip, and the folder that it is installed in."""
    tree, site = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("site")
    for name in ("ext", "solver", "scripts", "tests"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    text = (tree / SOURCE).read_text()
    assert text.count(RIGHT) == 1
    (tree / SOURCE).write_text(text.replace(RIGHT, SLIP))
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(site), str(tree)]
    subprocess.run(install, check=True, timeout=3600)
    return tree, site


def exit_code(built, units: int, seed: int) -> int:
    tree, site = built
    command = [sys.executable, str(tree / "scripts" / "audit.py"), "--units", str(units), "--seed", str(seed)]
    done = subprocess.run(command, cwd=site, env={**os.environ, "PYTHONPATH": str(site)}, capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr
    assert (done.returncode == 3) == ("smallest: " in done.stdout)
    return done.returncode


@pytest.mark.slow
def test_the_short_share_finds_the_old_slip_in_most_runs(built):
    assert sum(exit_code(built, SHORT, seed) == 3 for seed in range(10)) >= 8


@pytest.mark.slow
def test_the_long_share_finds_the_old_slip_always(built):
    assert all(exit_code(built, LONG, seed) == 3 for seed in range(100, 103))
