"""`python -O` drops every assert: the answers must be the same, so no assert may do work or guard what a user gives."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys

import pytest

from backtrick.take_that.samples import hard
from command import ENVIRONMENT, ROOT

SOURCES = sorted(path for folder in ("solver", "scripts", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
KERNELS = sorted((ROOT / "ext").rglob("*.p[yx][xd]"))
HARMLESS = (ast.Name, ast.Constant, ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop, ast.UnaryOp, ast.unaryop, ast.expr_context)
CALLED = {"isinstance", "len"}


def at_work(source: str) -> list[int]:
    """The lines of asserts with more in them than names, constants, comparisons, `isinstance` and `len`.

    An attribute is more: it may be a property that works something out.
    """
    return [
        found.lineno
        for found in ast.walk(ast.parse(source))
        if isinstance(found, ast.Assert)
        and not all(_harmless(part) for part in ast.walk(found) if part is not found)
    ]  # fmt: skip


def _harmless(part: ast.AST) -> bool:
    if isinstance(part, ast.Call):
        return isinstance(part.func, ast.Name) and part.func.id in CALLED and not part.keywords
    return isinstance(part, HARMLESS)


@pytest.mark.parametrize(
    "line",
    [
        "assert solve()",
        "assert (found := 1)",
        "assert solution.line is not None",
        "assert items[0]",
        "assert [item for item in items]",
        "assert (solution.line if line else solution.outcomes) is not None",
        "assert len(items, key=work())",
        "assert known, f'{position}'",
        "def work():\n    assert next(items) == 1",
    ],
)
def test_an_assert_that_works_is_found(line):
    assert at_work(line) == [line.count("\n") + 1]


@pytest.mark.parametrize(
    "line", ["assert found", "assert a is not None and not b, position", "assert 0 <= len(a) < 3", "assert isinstance(a, int)"]
)
def test_an_assert_that_only_looks_is_left_alone(line):
    assert at_work(line) == []


@pytest.mark.tree
def test_sources_are_found():
    assert len(SOURCES) >= 50 and len(KERNELS) >= 15


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_assert_works(path):
    source = path.read_text()
    assert [source.splitlines()[line - 1].strip() for line in at_work(source)] == []


def test_no_assert_of_a_kernel_works():
    """Python's parser does not read them: no bracket and no dot in what is asserted."""
    asserts = re.compile(r"^\s*assert\b.*[(\[.{].*$", re.MULTILINE)
    assert asserts.findall("    assert found(row)\n    assert found, row\n") == ["    assert found(row)"]
    assert {path.name: asserts.findall(path.read_text()) for path in KERNELS if asserts.search(path.read_text())} == {}


# The same commands with and without asserts

SHORT, LONE, ROUND = "52^6v:16,18,19,57 53^15v:4,7,29,44", "27^40v:28 13^50v:5,12", "15,43,44 21,53 51-62-35"
HARD = str(next(hard(1, seed=1)))
VALUE_ONLY = "13,43,47,49,62,63,67,69,75 16,17,38,53,54,74,76,77,83 52"  # 20 nodes give the value, and not the best action
COMMANDS = [
    *(["solve", *switches, SHORT] for switches in ([], ["--json"], ["--all"])),
    ["best", "--lone-card", LONE],
    ["turns", "--count", SHORT],
    ["grade", SHORT, "16v 18^'"],
    *(["solve", *switches, ROUND] for switches in ([], ["--json"], ["--all", "--forced-only"])),
    ["grade", "--json", ROUND, "43"],
    *([*command, "--nodes", "500", HARD] for command in (["solve"], ["solve", "--json"], ["best"])),
    *(["solve", *switches, "--nodes", "20000", HARD] for switches in ([], ["--json", "--all"])),
    *(["solve", *switches, "--nodes", "20", VALUE_ONLY] for switches in ([], ["--json", "--all"])),
    ["grade", "--nodes", "500", HARD, "take"],
    ["sample", "3", "--seed", "1"],
    ["sample", "3", "--game", "take_that"],
    ["sample", "2", "--source", "tight"],
    ["generate", "2v2", "2v1", "--tables", "tables", "--processes", "1"],
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
from backtrick.cli import main
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
        (place / "notes.h5").write_text("not a file of ours")
        line = [sys.executable, *[switch] * bool(switch), "-c", PROGRAM, json.dumps(COMMANDS)]
        done = subprocess.run(line, cwd=place, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
        slow = [line for line in done.stderr.splitlines() if "/s]" not in line]  # a busy machine tells how far it is
        assert (done.returncode, slow) == (0, [])
        said[switch] = done.stdout
    assert said["-O"] == said[""]
    assert said[""].count("\nexit 0\n") == len(COMMANDS) - 6 and said[""].count("$ ") == len(COMMANDS)
    assert "not solved within the limits" in said[""] and "not found within the limits" in said[""], "limits are met both ways"
