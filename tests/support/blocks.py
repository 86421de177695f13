"""The blocks of code in a page of Markdown, fenced or indented, and what a comment before a block says of it.

    <!-- not run: REASON -->     it cannot run in a test
    <!-- slow: REASON -->        it runs in the slow suite
    <!-- needs: MODULE, ... -->  it runs where these modules are installed
    <!-- file: NAME -->          it is a file of this name, for the commands of the page
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import NamedTuple

WORDS = ("not run", "slow", "needs", "file")
COMMANDS = ("backtrick", "bash", "python", "python3", "pytest", "pip", "make", "curl", "sbatch", "git", "gcc", "cd")
"""A line of a block that begins with one of these is a command."""

_COMMENT = r"(?:^<!-- (?P<mark>[^\n]*) -->\n\s*)?"
_BLOCK = re.compile(
    _COMMENT + r"(?:^```(?P<language>[\w-]*)\n(?P<fenced>.*?)^```$|(?:(?<=\n\n)|\A)(?P<indented>(?:^ {4}[^\n]*\n|^ *\n)+))",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """language: 'python', 'shell', or 'text' for what no machine runs."""

    line: int
    language: str
    text: str
    word: str = ""
    reason: str = ""


def blocks(text: str) -> list[Block]:
    """The blocks of a page in order."""
    found = []
    for match in _BLOCK.finditer(text):
        code = match["fenced"] if match["fenced"] is not None else dedent(match["indented"]).strip("\n") + "\n"
        if code.strip():
            word, _, reason = (match["mark"] or "").partition(": ")
            line = text.count("\n", 0, match.start()) + 1
            found.append(Block(line, language_of(match["language"], code), code, *((word, reason) if word in WORDS else ())))
    return found


def language_of(named: str | None, code: str) -> str:
    if named in ("python", "pycon") or re.search(r"^(>>> |from \w[\w.]* import |import \w)", code, re.MULTILINE):
        return "python"
    if named in ("bash", "sh", "shell", "console") or re.search(rf"^(\$ |#!|({'|'.join(COMMANDS)}) (?!\d))", code, re.MULTILINE):
        return "shell"
    return "text"


def commands(code: str) -> list[tuple[str, str | None]]:
    """The commands of a block, each with the output that is shown; None if the block shows none, and has commands alone."""
    if not re.search(r"^\$ ", code, re.MULTILINE):
        return [(line, None) for line in map(_bare, code.splitlines()) if line]
    _, *examples = re.split(r"^\$ ", code, flags=re.MULTILINE)
    return [(command, shown.strip("\n")) for command, _, shown in (one.partition("\n") for one in examples)]


def _bare(line: str) -> str:
    """A line without its comment."""
    return re.sub(r"(^|\s)#\s.*", "", line).strip()
