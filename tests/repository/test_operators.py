"""Kernel sources bracket every mix of shifts, masks, comparisons and arithmetic, and every mix of `and` with `or`. They name
the modules that they are built from in the way that Cython follows.

`subset & cards >> card & 1` shifts before it masks. Written that way once, six answers in a million were wrong.
"""

import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "ext").rglob("*.p[yx][xdi]"))
KINDS = {
    "<<": "shift", ">>": "shift", "&": "&", "^": "^", "|": "|", "<": "compare", ">": "compare", "<=": "compare",
    ">=": "compare", "==": "compare", "!=": "compare", "+": "sum", "-": "sum", "*": "product", "/": "product",
    "//": "product", "%": "product",
}  # fmt: skip
BITWISE = {"shift", "&", "^", "|"}
WORDS = {"and", "or"}
CLOSING = {"(": ")", "[": "]", "{": "}"}
# What ends an expression without being a part of it.
ENDS = {",", ":", "=", ";", "->", "not", "if", "else", "elif", "in", "is", "for", "return", "while", "def", "cdef", "cpdef"}


def mixed(source: str) -> list[int]:
    """The lines on which operators of several kinds stand side by side without brackets, one of them bitwise."""
    found = []
    tokens = [
        token
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT)
    ]

    def level(place: int, closing: str | None) -> int:
        """Reads up to a closing bracket, or to the end; returns its place."""
        kinds: set[str] = set()
        words: set[str] = set()
        operand = cast = False

        def conclude() -> None:
            if len(kinds) > 1 and kinds & BITWISE or len(words) > 1:
                found.append(tokens[place].start[0])

        while place < len(tokens) and tokens[place].string != closing:
            token = tokens[place]
            text = token.string
            if text in CLOSING and token.type == tokenize.OP:
                place = level(place + 1, CLOSING[text])
                operand = True
            elif token.type in (tokenize.NEWLINE, tokenize.ENDMARKER) or text in ENDS or _assigns(text):
                conclude()
                kinds, operand = set(), False
                words = words if text in ("not", "in", "is") else set()
            elif text in WORDS:
                if len(kinds) > 1 and kinds & BITWISE:
                    found.append(token.start[0])
                kinds, operand = set(), False
                words.add(text)
            elif text == "<" and not operand:
                cast = True
            elif text == ">" and cast:
                cast = operand = False
            elif text in KINDS and operand and not cast:
                kinds.add(KINDS[text])
                operand = False
            else:
                operand = token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.STRING)
            place += 1
        if place < len(tokens):
            conclude()
        return place

    level(0, None)
    return found


def _assigns(text: str) -> bool:
    return len(text) > 1 and text.endswith("=") and text not in KINDS


def test_sources_are_found():
    assert len(SOURCES) >= 20


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_operators_of_several_kinds_have_brackets(path):
    source = path.read_text()
    assert [(line, source.splitlines()[line - 1].strip()) for line in mixed(source)] == []


@pytest.mark.parametrize(
    "line",
    [
        "if subset & cards >> card & 1: pass",
        "x = one | two & three",
        "x = a & b != 0",
        "x = 1 << card + 1",
        "x = <uint64_t> 1 << card | two",
        "x = f(1, (a ^ 1 << b))",
        "x = a or b and c",
        "x = a or not b and c",
    ],
)
def test_an_expression_without_brackets_is_found(line):
    assert mixed(line + "\n") == [1]


@pytest.mark.parametrize(
    "line",
    [
        "if ((subset & cards) >> card) & 1: pass",
        "x = one | (two & three)",
        "x = (a & b) != 0",
        "x = <uint64_t> 1 << card",
        "x = a + b * c < d",
        "x = a | b if a > b else c",
        "x = a & b and c < d",
        "x = a[i] & ~b",
        "cdef const Entry *entry = &entries[i]",
    ],
)
def test_an_expression_with_brackets_is_left_alone(line):
    assert mixed(line + "\n") == []


@pytest.mark.parametrize(
    "path", [*SOURCES, ROOT / "scripts" / "page" / "kernels.pyx"], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_cython_follows_every_module_that_a_source_uses(path):
    """It does not follow `from package cimport module`: the C of one module kept the old layout of another one's struct."""
    assert re.findall(r"^from [\w.]+ cimport _[a-z]+(?: as .*)?$", path.read_text(), re.MULTILINE) == []
