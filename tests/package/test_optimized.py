"""`python -O` drops every assert: the answers must be the same. tests/repository/test_asserts.py reads the asserts."""

from __future__ import annotations

import json
import subprocess
import sys

from backtrick.take_that.samples import hard
from command import ENVIRONMENT
from waiting import PATIENCE

SHORT, LONE, ROUND = "52^6v:16,18,19,57 53^15v:4,7,29,44", "27^40v:28 13^50v:5,12", "15,43,44 21,53 51-62-35"
HARD = str(next(hard(1, seed=1)))
# 400 nodes give the value, and not the line
VALUE_ONLY = "26,27,36,45,48,58,59,67,94 15,24,37,42,62,64,79,89,98 63-76-84-39-92-49-34-73-85-95-72-93-51-97-46"
COMMANDS = [
    *(["solve", *switches, SHORT] for switches in ([], ["--json"], ["--all"])),
    ["best", "--lone-card", LONE],
    ["turns", "--count", SHORT],
    ["grade", SHORT, "16v 18^'"],
    *(["solve", *switches, ROUND] for switches in ([], ["--json"], ["--all", "--forced-only"])),
    ["grade", "--json", ROUND, "43"],
    *([*command, "--nodes", "500", HARD] for command in (["solve"], ["solve", "--json"], ["best"])),
    *(["solve", *switches, "--nodes", "20000", HARD] for switches in ([], ["--json", "--all"])),
    *(["solve", *switches, "--nodes", "400", VALUE_ONLY] for switches in ([], ["--json", "--all"])),
    ["grade", "--nodes", "500", HARD, "take"],
    ["sample", "3", "--seed", "1"],
    ["sample", "3", "--game", "take_that"],
    ["sample", "2", "--source", "tight"],
    ["generate", "2v2", "2v1", "--tables", "tables", "--workers", "1"],
    *([command, "tables"] for command in ("check", "verify")),
    ["info", "--json", "tables"],
    ["solve", "--tables", "tables", "27^40v:17,18 13^50v:5,12"],
    # refused:
    ["solve", "27^40v:17,60 1^60v:5"],
    ["solve", "12,33,49 21,94 34-41-49"],
    ["grade", SHORT, "18^ 57^"],
    ["generate", "7v1"],
    ["check", "nowhere"],
    ["info", "notes.h5"],
]  # fmt: skip
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
