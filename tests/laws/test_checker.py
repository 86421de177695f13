"""The checker of proofs has no condition that nothing needs: without any one of them some stored proof gets another verdict."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

from command import DATA, ROOT

SCRIPT = ROOT / "scripts" / "check_proof.py"
SOURCE = SCRIPT.read_text()
TREE = ast.parse(SOURCE)
STORED = [block.splitlines(keepends=True) for block in (DATA / "proofs_judged.txt").read_text().split("\n\n") if block[0] != "#"]
"""Proofs, false ones above all: lines as the checker reads them, each under a line with its verdict."""


def conditions() -> Iterator[tuple[str, int, int]]:
    """Each term of an `and`, each `&=` and each `demand`: what it says, and the place for `without`."""
    for place, node in enumerate(ast.walk(TREE)):
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            for term in range(len(node.values)):
                yield said(node.lineno, ast.unparse(node.values[term])), place, term
        elif isinstance(node, (ast.AugAssign, ast.Expr)) and (" &= " in (text := ast.unparse(node)) or text[:7] == "demand("):
            yield said(node.lineno, text), place, 0


def said(line: int, text: str) -> str:
    return f"{line}: {text[:90]}"


@contextmanager
def without(place: int, term: int) -> Iterator[None]:
    """A block in which the program lacks a condition."""
    node: Any = list(ast.walk(TREE))[place]
    before = dict(vars(node))
    if isinstance(node, ast.BoolOp):
        node.values = [*node.values[:term], ast.Constant(True), *node.values[term + 1 :]]
    elif isinstance(node, ast.AugAssign):
        node.value = ast.Constant(True)
    else:
        node.value = node.value.args[0] if ":=" in ast.unparse(node) else ast.Constant(None)
    yield
    vars(node).update(before)


def verdict(checker: ModuleType, lines: list[str]) -> str:
    """Proved or refused; a traceback is a verdict of its own."""
    try:
        return "proved" if checker.check(lines) else "nothing"
    except ValueError:
        return "refused"
    except Exception as error:
        return type(error).__name__


def loaded() -> ModuleType:
    """The program as it is in `TREE` now."""
    checker = ModuleType("check_proof")
    exec(compile(ast.fix_missing_locations(TREE), str(SCRIPT), "exec"), vars(checker))  # by whose name its lines are noted
    return checker


WHOLE = loaded()


@pytest.mark.parametrize("stored", STORED, ids=lambda stored: f"{stored[0].strip()} {stored[2].strip()[:60]}")
def test_stored_proofs_have_their_verdicts(stored):
    assert verdict(WHOLE, stored[1:]) == stored[0].strip()


@pytest.mark.parametrize(("condition", "place", "term"), [pytest.param(*one, id=one[0]) for one in conditions()])
def test_without_a_condition_some_stored_proof_is_judged_otherwise(condition, place, term):
    if (text := condition.partition(": ")[2]) in UNNEEDED:
        pytest.skip(UNNEEDED[text])
    with without(place, term):
        checker = loaded()
    assert any(verdict(checker, stored[1:]) != stored[0].strip() for stored in STORED)


SENTENCE = "it is refused all the same, with a worse sentence"
TIME = "it saves time: "
UNNEEDED = {
    "demand(text.count(' ') in (2, 3), f'{text!r} is not a position')": SENTENCE, "len(found) == 2": SENTENCE,
    "(*map(cards_of, position[:2]), *position[2:])": SENTENCE, "after[3]": SENTENCE,
    "other.fitting() < 2": f"{TIME}all turns are asked",
    "a.pile[::-1][:len(b.pile)] == b.pile[::-1]": "test_the_order_of_the_pile_counts asks it alone",
}  # fmt: skip
"""Conditions without which no stored proof gets another verdict, each with the reason; the line of the source may change."""
