"""The command as a user runs it, a process; and the examples that help and README show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import solver

HERE = Path(__file__).parent  # a folder without `solver` in it: the installed one is found, if one is installed
ROOT = HERE.parent
BACKTRICK = [sys.executable, "-m", "solver"]
ENVIRONMENT = {**os.environ, "LC_ALL": "C", "PYTHONPATH": str(Path(solver.__file__).parent.parent)}
"""What the tests import is what they run."""
ENVIRONMENT.pop("PYTHONUNBUFFERED", None)  # it would hide what a buffer does when its stream is closed


def run(*arguments: str, text: str | bytes | None = None, variables=(), **more) -> subprocess.CompletedProcess:
    """Run the command to its end, with more environment variables; output as text."""
    given = text.encode() if isinstance(text, str) else text
    if given is None:
        more.setdefault("stdin", subprocess.DEVNULL)
    more.setdefault("stdout", subprocess.PIPE)
    line = [*BACKTRICK, *arguments]
    environment = {**ENVIRONMENT, **dict(variables)}
    done = subprocess.run(line, input=given, stderr=subprocess.PIPE, cwd=HERE, env=environment, timeout=60, **more)
    done.stdout, done.stderr = (done.stdout or b"").decode(), done.stderr.decode()
    return done


def start(*arguments: str, **more) -> subprocess.Popen:
    """Begin a run, with pipes on all sides unless told otherwise."""
    for stream in ("stdin", "stdout", "stderr"):
        more.setdefault(stream, subprocess.PIPE)
    return subprocess.Popen([*BACKTRICK, *arguments], cwd=HERE, env=ENVIRONMENT, **more)


def shell(command: str) -> subprocess.CompletedProcess:
    """Run a line of bash that calls `backtrick`; output as text."""
    function = f'backtrick() {{ {" ".join(map(repr, BACKTRICK))} "$@"; }}\n'
    line = ["bash", "-c", function + command]
    return subprocess.run(
        line, capture_output=True, text=True, cwd=HERE, timeout=60, env=ENVIRONMENT, stdin=subprocess.DEVNULL
    )


def examples(text: str) -> list[tuple[str, str]]:
    """The indented lines `$ command` of a text, each with the lines under it up to the next command or the end of the block."""
    found = []
    for block in re.findall(r"(?:^ +\S.*\n|^\s*\n)+", text, re.MULTILINE):
        first, *rest = re.split(r"^\$ ", dedent(block), flags=re.MULTILINE)
        for example in rest:
            command, _, shown = example.partition("\n")
            found.append((command, shown.strip("\n")))
    return found
