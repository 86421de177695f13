"""`python -O` drops every assert: the answers must be the same. tests/repository/test_asserts.py reads the asserts."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

from command import DATA, ENVIRONMENT
from waiting import PATIENCE

LINES = (DATA / "optimized.txt").read_text().splitlines()
COMMANDS = [shlex.split(line) for line in LINES if line and line[0] != "#"]
PROGRAM = """
import json, sys
from backtrick.storage import kinds, workers
from backtrick import progress
from backtrick.cli import main
progress.LOG_SECONDS = 600.0  # nothing is said about slow work, however slow the machine is
workers.local_processes = lambda *_: workers.executor_of(0)  # no process more
kinds.Trial.open = lambda self, path: None
for command in json.loads(sys.argv[1]):
    sys.stderr = sys.stdout
    print("$", *command)
    print("exit", main(command))
"""


def test_every_command_answers_the_same_without_asserts(tmp_path):
    said = {}
    for switch in ("", "-O"):
        place = tmp_path / f"run{switch}"
        place.mkdir()
        (place / "notes.h5").write_text("not a file of Backtrick")
        line = [sys.executable, *[switch] * bool(switch), "-c", PROGRAM, json.dumps(COMMANDS)]
        done = subprocess.run(line, cwd=place, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)
        assert (done.returncode, done.stderr) == (0, "")
        said[switch] = done.stdout
    assert said["-O"] == said[""]
    assert said[""].count("\nexit 0\n") == len(COMMANDS) - 6 and said[""].count("$ ") == len(COMMANDS)
    assert "not solved within the limits" in said[""] and "not found within the limits" in said[""], "limits are met both ways"
