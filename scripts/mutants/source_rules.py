"""Faults to plant in Python and JavaScript: what gets lost between what a user gives and the kernels (`mutants.py`)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mutant_rules import Mutant, squeezed

Change = tuple[int, int, str, str]
"""Where in the text it begins and ends, what stands there instead, and the rule."""

LOOSER = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")}
OTHER = {"all": "any", "any": "all", "min": "max", "max": "min"}


class Places:
    """Where nodes of Python stand in their text."""

    def __init__(self, text: str) -> None:
        self.text, self.starts = text, [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """The first place of a node, and the one behind it. Columns of the parser count bytes."""
        ends = [(node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)]  # type: ignore[attr-defined]
        found = []
        for line, column in ends:
            start = self.starts[line - 1]
            found.append(start + len(self.text[start : self.starts[line]].encode()[:column].decode()))
        return found[0], found[1]

    def without(self, start: int, stop: int) -> tuple[int, int]:
        """An item of a list with the comma behind it, or else with the one before it."""
        if behind := re.match(r"\s*,\s*", self.text[stop:]):
            return start, stop + behind.end()
        before = re.search(r",\s*$", self.text[:start])
        return (before.start() if before else start), stop


def changes(tree: ast.Module, places: Places) -> Iterator[tuple[str, Change]]:
    """Every fault of a file, each with its function."""
    for function, node in nodes(tree, ""):
        if isinstance(node, ast.Call):
            yield from ((function, one) for one in of_call(node, places))
        elif isinstance(node, ast.Raise):
            yield function, (*places.span(node), "pass", "refusal left out")
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in LOOSER:
            (_, start), (stop, _) = places.span(node.left), places.span(node.comparators[0])
            old, new = LOOSER[type(node.ops[0])]
            if (at := places.text.find(old, start, stop)) >= 0:
                yield function, (at, at + len(old), new, f"{old} to {new}")
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple) and "key" in ast.unparse(node.targets[0]):
            yield from ((function, one) for one in of_key(node.value, places))
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and not in_type(node):
            yield from ((function, one) for one in of_key(node.slice, places))
        elif isinstance(node, ast.BoolOp):
            word = "and" if isinstance(node.op, ast.And) else "or"
            for one, other in zip(node.values, node.values[1:], strict=False):
                (_, stop), (start, end) = places.span(one), places.span(other)
                if re.fullmatch(rf"\s*{word}\s*", places.text[stop:start]):
                    yield function, (stop, end, "", f"term after {word} left out")


def in_type(node: ast.Subscript) -> bool:
    """True for what looks like a type with parameters."""
    return isinstance(node.value, ast.Name) and (node.value.id[:1].isupper() or node.value.id in ("tuple", "dict"))


def of_key(made: ast.Tuple, places: Places) -> Iterator[Change]:
    for part in made.elts if len(made.elts) > 2 else ():
        yield (*places.without(*places.span(part)), "", "part of a key left out")


def of_call(node: ast.Call, places: Places) -> Iterator[Change]:
    for keyword in node.keywords:
        if keyword.arg not in (None, "strict", "help", "metavar"):  # words, and what is true of a program without a fault
            yield (*places.without(*places.span(keyword)), "", f"argument {keyword.arg} left out")
    if isinstance(node.func, ast.Name) and node.func.id in OTHER:
        yield (*places.span(node.func), OTHER[node.func.id], f"{node.func.id} to {OTHER[node.func.id]}")
    for one, other in zip(node.args, node.args[1:], strict=False):
        if (
            isinstance(one, ast.Name)
            and isinstance(other, ast.Name)
            and one.id != other.id
            and kind_of(one.id) == kind_of(other.id)
        ):
            (start, _), (_, stop) = places.span(one), places.span(other)
            yield start, stop, f"{other.id}, {one.id}", "names exchanged"


KINDS = [{"mover", "opponent", "other", "own", "winner", "lost"}, {"up", "down"}, {"low", "high"}, {"lowest", "highest"},
         {"start", "stop", "first", "last", "begin", "end"}, {"before", "after"}, {"seat", "number", "seed", "count", "deal"},
         {"position", "following", "view"}, {"old", "new"}, {"left", "right"}, {"source", "target"}]  # fmt: skip
"""Names of things of one type."""


def kind_of(name: str) -> object:
    return next((number for number, kind in enumerate(KINDS) if name in kind), name)


def nodes(node: ast.AST, function: str) -> Iterator[tuple[str, ast.AST]]:
    """All nodes that compute something, each with the function that it stands in."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        name = child.name if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) else function
        if name in ("__repr__",) or (isinstance(node, ast.Raise)):  # the words of an error
            continue
        if function or name:
            yield name, child
        yield from nodes(child, name)


def around(text: str, line: int) -> list[range]:
    """The lines of the statement that a line is in, of a compound one those before its body; those of the body of its function;
    and all.

    >>> around("def f(a):\\n    if a:\\n        return [1,\\n                2]\\n    return a", 4)
    [range(3, 5), range(2, 6), range(1, 6)]
    """
    statement = body = every = range(1, text.count("\n") + 2)
    for node in ast.walk(ast.parse(text)):  # outer ones first
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            inner = getattr(node, "body", None)
            own = range(node.lineno, max(inner[0].lineno, node.lineno + 1) if inner else (node.end_lineno or 0) + 1)
            statement = own if line in own else statement
            if inner and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                body = range(inner[0].lineno, (node.end_lineno or 0) + 1)
    return [statement, body, every]


SCRIPT = re.compile(r"""//[^\n]*|/\* data: .*?/\* end \*/|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"""
                    r"""(?P<found>===|!==|&&|\|\||<=|>=|=>|<|>|\.some\b|\.every\b|\?\?|!(?=[\w(])|\b\d+\b| [+-] )""",
                    re.DOTALL)  # fmt: skip
IN_SCRIPT = {"===": "!==", "!==": "===", "&&": "||", "||": "&&", "<=": "<", ">=": ">", "<": "<=", ">": ">=", ".some": ".every",
             ".every": ".some", "!": "", " + ": " - ", " - ": " + "}  # fmt: skip


def of_script(text: str) -> Iterator[Change]:
    """Every fault of a file of JavaScript."""
    for one in SCRIPT.finditer(text):
        old = one["found"]
        if old is None or old in ("=>", "??"):
            continue
        new = str(int(old) + 1) if old.isdecimal() else IN_SCRIPT[old]
        yield one.start(), one.end(), new, f"{old.strip()} to {new.strip() or 'nothing'}"


def is_source(file: str, text: str) -> bool:
    """False if a fault has left no Python."""
    try:
        return file.endswith(".js") or bool(ast.parse(text))
    except SyntaxError:
        return False


def mutants_of(file: str, text: str) -> list[Mutant]:
    """Every fault that the rules plant in the text of a file."""
    named = [("", one) for one in of_script(text)] if file.endswith(".js") else changes(ast.parse(text), Places(text))
    found = []
    for function, (start, stop, new, rule) in named:
        left, right = text.rfind("\n", 0, start) + 1, text.find("\n", stop)
        line = text.count("\n", 0, start) + 1
        before, after = squeezed(text[left:right]), squeezed(text[left:start] + new + text[stop:right])
        found.append(Mutant(file, function, line, start - left + 1, rule, start, stop, new, before, after))
    return found
