"""Faults to plant in Cython source: rules that are applied mechanically, and lists of faults by hand (`mutants.py`)."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from tokenize import TokenInfo
from typing import NamedTuple

# One token for another. What stands for an operator stands between two operands: `&x`, `-x` and `<int> x` are no operators.
OTHER_OPERATOR = {
    "<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!="], "!=": ["=="], "+": ["-"], "-": ["+"],
    "+=": ["-="], "-=": ["+="], "|=": ["=", "&="], "&=": ["=", "|="], "^=": ["="],
}  # fmt: skip
OTHER_NAME = {"and": "or", "or": "and", "True": "False", "False": "True", "min": "max", "max": "min"}
# One side, end or direction for the other: in a name that is such a word or has it between underscores.
OTHER_SIDE = [("mover", "opponent"), ("mover", "other"), ("x", "y"), ("up", "down"), ("ups", "downs"),
              ("ascending", "descending"), ("above", "below"), ("under", "upto"), ("low", "high"), ("lower", "higher"),
              ("lowest", "highest"), ("mine", "others"), ("my", "other"), ("lays", "twists"), ("taken", "given"),
              ("alpha", "beta"), ("first", "last")]  # fmt: skip
# How tightly these bind. A term of each is left out in turn; an operand ends at a token that binds less tightly, or at no operator.
BINDS = {"or": 1, "and": 2, "|": 4, "^": 5, "&": 6, "+": 8, "-": 8}
LOOSER = {"not": 2.5, "in": 3, "is": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "==": 3, "!=": 3, "<<": 7, ">>": 7}
ENDS = {"if", "elif", "else", "for", "while", "return", "assert", ",", ":", "=", "+=", "-=", "*=", "|=", "&=", "^=", "<<=", ">>="}

HEAD = re.compile(r"(cdef|cpdef|def|class|ctypedef|@|async)\b.*:$", re.DOTALL)
IDLE = re.compile(r"(from|import|cimport|include|raise|del|global|@|with|pass|ctypedef)\b")
WORDS = {"and", "or", "not", "in", "is", "if", "elif", "else", "for", "while", "return", "assert"}


class Mutant(NamedTuple):
    """One fault: `text[start:stop]` of a file below ext/backtrick becomes `new`."""

    file: str
    function: str
    line: int
    column: int
    rule: str
    start: int
    stop: int
    new: str
    before: str
    after: str
    says: str = ""

    @property
    def id(self) -> str:
        return f"{self.file}:{self.line}:{self.column}:{self.rule.replace(' ', '-')}"

    def plant(self, text: str) -> str:
        """The text with the fault. No line moves."""
        lost = text[self.start : self.stop].count("\n") - self.new.count("\n")
        return text[: self.start] + self.new + "\n" * lost + text[self.stop :]


class Line(NamedTuple):
    """A logical line without comments: its tokens, the function that it stands in, and all names in that function."""

    tokens: list[TokenInfo]
    function: str
    names: set[str]


def logical_lines(text: str) -> Iterator[Line]:
    """The lines that compute something: no docstrings, declarations of structs and enums, signatures, imports or messages."""
    function, left, skipped, tokens = "", -1, -1, []
    names: set[str] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
            continue
        if token.type != tokenize.NEWLINE:
            tokens.append(token)
            continue
        line, tokens = tokens, []
        if not line:
            continue
        indent, words = line[0].start[1], " ".join(t.string for t in line)
        if skipped >= 0 and indent > skipped:  # inside a declaration
            continue
        skipped = -1
        if indent <= left:
            function, left, names = "", -1, set()
        if HEAD.match(words):
            declares = re.match(r"(cdef|ctypedef)\s+(packed\s+)?(enum|struct|union|extern)", words)
            called = re.search(r"(\w+) \(", words)
            if declares:
                skipped = indent
            elif called and not words.startswith("class"):
                function, left, names = called[1], indent, names_of(line)
        elif not IDLE.match(words) and not (len(line) == 1 and line[0].type == tokenize.STRING):
            names |= names_of(line)
            yield Line(line, function, names)


def is_operand(token: TokenInfo | None) -> bool:
    """Can an operand end with this token?"""
    if token is None or token.string in WORDS:
        return False
    return token.type in (tokenize.NUMBER, tokenize.NAME) or token.string in (")", "]")


def depths_and_casts(tokens: list[TokenInfo]) -> tuple[list[int], list[bool]]:
    """How deep in brackets each token is, and whether it belongs to a cast, `<type>`."""
    depths, casts, depth, cast = [], [], 0, False
    for i, token in enumerate(tokens):
        opens_cast = token.string == "<" and not is_operand(tokens[i - 1] if i else None)
        depth -= token.string in (")", "]", "}")
        depths.append(depth)
        depth += token.string in ("(", "[", "{")
        cast = cast or opens_cast
        casts.append(cast)
        cast = cast and token.string != ">"
    return depths, casts


def operand_end(tokens: list[TokenInfo], depths: list[int], casts: list[bool], at: int, step: int) -> int:
    """The last token, to the right (step 1) or to the left (-1), of the operand beside the operator at `at`."""
    binds, i = BINDS[tokens[at].string], at + step
    while 0 <= i < len(tokens) and depths[i] >= depths[at]:
        text = tokens[i].string
        if depths[i] == depths[at] and not casts[i] and i != at + step:
            operator = text not in BINDS or is_operand(tokens[i - 1])  # else a sign, or an address
            if text in ENDS or operator and {**LOOSER, **BINDS}.get(text, 9) <= binds:
                break
        i += step
    return i - step


def side_names(name: str) -> Iterator[str]:
    """The names of the other side, end or direction."""
    parts = name.split("_")
    for pair in OTHER_SIDE:
        for one, other in (pair, pair[::-1]):
            for i, part in enumerate(parts):
                if part == one:
                    yield "_".join([*parts[:i], other, *parts[i + 1 :]])


def changes(tokens: list[TokenInfo], known: set[str]) -> Iterator[tuple[int, int, str, str]]:
    """Every fault of a logical line: its first and last token, what stands there instead, and the rule."""
    depths, casts = depths_and_casts(tokens)
    first = 0
    if tokens[0].string in ("cdef", "cpdef"):  # the type and the size of a variable are no faults to plant
        first = next((i for i, token in enumerate(tokens) if token.string == "=" and depths[i] == 0), len(tokens))
    for i in range(first, len(tokens)):
        token, text = tokens[i], tokens[i].string
        before, after = tokens[i - 1] if i else None, tokens[i + 1].string if i + 1 < len(tokens) else ""
        if casts[i] or token.type == tokenize.STRING:
            continue
        if text in OTHER_OPERATOR and is_operand(before):
            for new in OTHER_OPERATOR[text]:
                yield i, i, new, f"{text} to {new}"
        if token.type == tokenize.NUMBER and re.fullmatch(r"\d+|0[xX][0-9a-fA-F]+", text):
            yield i, i, str(int(text, 0) + 1), "plus one"
            yield i, i, str(int(text, 0) - 1) if int(text, 0) else "(-1)", "minus one"
        if text in OTHER_NAME and (text not in ("min", "max") or after == "("):
            yield i, i, OTHER_NAME[text], f"{text} to {OTHER_NAME[text]}"
        if text == "not" and after != "in" and (before is None or before.string != "is"):
            yield i, i, "", "not left out"
        if text in BINDS and (is_operand(before) or text in ("and", "or")) and not casts[i]:
            yield i, operand_end(tokens, depths, casts, i, 1), "", f"term after {text} left out"
            start = operand_end(tokens, depths, casts, i, -1)
            if start == 0 or tokens[start - 1].string not in BINDS or depths[start - 1] < depths[i]:
                yield start, i, "", f"term before {text} left out"
        if token.type == tokenize.NAME:
            for name in side_names(text):
                if ("." + name if before is not None and before.string == "." else name) in known:
                    yield i, i, name, f"{text} to {name}"


def names_of(tokens: list[TokenInfo]) -> set[str]:
    """The names among the tokens; those of fields begin with a dot."""
    return {("." if i and tokens[i - 1].string == "." else "") + token.string
            for i, token in enumerate(tokens) if token.type == tokenize.NAME}  # fmt: skip


def mutants_of(file: str, text: str) -> list[Mutant]:
    """Every fault that the rules plant in the text of a file."""
    starts = [0]
    for physical in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(physical))
    lines = list(logical_lines(text))
    fields = {name for line in lines for name in names_of(line.tokens) if name[0] == "."}
    called = {t.string for line in lines for t, u in zip(line.tokens, line.tokens[1:], strict=False) if u.string == "("}
    found = []
    for line in lines:
        for first, last, new, rule in changes(line.tokens, fields | called | line.names):
            (row, column), (end_row, end_column) = line.tokens[first].start, line.tokens[last].end
            start, stop = starts[row - 1] + column, starts[end_row - 1] + end_column
            left, right = starts[row - 1], starts[end_row]
            before, after = squeezed(text[left:right]), squeezed(text[left:start] + new + text[stop:right])
            found.append(Mutant(file, line.function, row, column + 1, rule, start, stop, new, before, after))
    return found


def squeezed(text: str) -> str:
    """The text without comments, on one line."""
    return " ".join(re.sub(r"\s+#.*", "", text, flags=re.MULTILINE).split())


class Written(NamedTuple):
    """An entry of a list by hand: where, the line before and after, and what is said about it."""

    file: str
    function: str
    before: str
    after: str
    says: str


def read_list(path: Path) -> list[Written]:
    """The entries of a list: `FILE FUNCTION`, `- LINE`, `+ LINE`, and sentences, with an empty line between entries."""
    text = "\n".join(line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    entries = []
    for block in filter(str.strip, re.split(r"\n\s*\n", text)):
        where, before, after, *says = block.strip().splitlines()
        if before[:2] != "- " or after[:2] != "+ " or len(where.split()) > 2 or not says or any(line[:2] == "- " for line in says):
            raise ValueError(f"not an entry of {path}:\n{block}")
        file, _, function = where.partition(" ")
        entries.append(Written(file, function, before[2:].strip(), after[2:].strip(), " ".join(" ".join(says).split())))
    return entries


def planted(entry: Written, text: str) -> Mutant:
    """An entry as a fault of the text of its file, where its line must stand exactly once."""
    if text.count(entry.before) != 1:
        raise ValueError(f"{entry.before!r} stands {text.count(entry.before)} times in {entry.file}")
    start = text.index(entry.before)
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    stop = start + len(entry.before)
    rule, new = "planted by hand", entry.after
    return Mutant(entry.file, entry.function, line, column, rule, start, stop, new, entry.before, new, entry.says)
