"""Fifteen programs of a researcher, as one types them after five minutes with the README. Each runs as it stands: in this process,
and in the slow suite in one of its own, which has imported nothing."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

from command import ENVIRONMENT
from test_from_memory import programs_of

PROGRAMS = dict(programs_of("first_programs.txt"))


def needs(name):
    _, _, library = name.partition(": ")
    if library and not find_spec(library):
        pytest.skip(f"needs {library}")


@pytest.mark.parametrize("name", [one for one in PROGRAMS if "pytest" not in one])
def test_a_program_runs(name, tmp_path, monkeypatch):
    needs(name)
    monkeypatch.chdir(tmp_path)
    exec(compile(PROGRAMS[name], name, "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("name", [one if one == "one position" else pytest.param(one, marks=pytest.mark.slow) for one in PROGRAMS])
def test_a_program_runs_as_first_typed(name, tmp_path):
    needs(name)
    done = subprocess.run([sys.executable, "-c", PROGRAMS[name]], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_there_are_fifteen():
    assert len(PROGRAMS) == 15
