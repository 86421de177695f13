"""No assert does work or guards what a user gives, since `python -O` drops every one of them (tests/package/test_optimized.py)."""

from __future__ import annotations

import ast
import re

import pytest

from command import ROOT

SOURCES = sorted(path for folder in ("solver", "scripts", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
KERNELS = sorted((ROOT / "ext").rglob("*.p[yx][xdi]"))
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
