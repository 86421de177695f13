"""The command as a user runs it, and quicker in this process; and the examples that help shows.

    run    shell         a process each: for signals, closed pipes, streams that arrive bit by bit
    ask    ask_shell     `main` in this process, its three streams replaced: for what is printed, and the exit code
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO, TextIOWrapper
from pathlib import Path
from textwrap import dedent
from unittest.mock import patch

import backtrick
from backtrick.cli import main
from backtrick.storage import workers
from waiting import PATIENCE

HERE = Path(__file__).parent  # a folder without `solver` in it: the installed one is found, if one is installed
ROOT = HERE.parents[1]
DATA = ROOT / "tests" / "data"
BACKTRICK = [sys.executable, "-m", "backtrick"]
PYTEST = ["env", "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1", sys.executable, "-m", "pytest", "-p", "backtrick.pytest_plugin"]
"""With this plugin alone, however Backtrick was installed."""
ENVIRONMENT = {**os.environ, "LC_ALL": "C", "PYTHONPATH": str(Path(backtrick.__file__).parent.parent)}
"""What the tests import is what they run."""
ENVIRONMENT.pop("PYTHONUNBUFFERED", None)  # it would hide what a buffer does when its stream is closed
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)  # with it each process would compile the whole package again


def run(*arguments: str, text: str | bytes | None = None, variables=(), **more) -> subprocess.CompletedProcess:
    """Run the command to its end, with more environment variables; output as text."""
    given = text.encode() if isinstance(text, str) else text
    if given is None:
        more.setdefault("stdin", subprocess.DEVNULL)
    more.setdefault("stdout", subprocess.PIPE)
    line = [*BACKTRICK, *arguments]
    environment = {**ENVIRONMENT, **dict(variables)}
    done = subprocess.run(line, input=given, stderr=subprocess.PIPE, cwd=HERE, env=environment, timeout=PATIENCE, **more)
    done.stdout, done.stderr = (done.stdout or b"").decode(), done.stderr.decode()
    return done


def start(*arguments: str, **more) -> subprocess.Popen:
    """Begin a run, with pipes on all sides unless told otherwise."""
    for stream in ("stdin", "stdout", "stderr"):
        more.setdefault(stream, subprocess.PIPE)
    return subprocess.Popen([*BACKTRICK, *arguments], **{"cwd": HERE, "env": ENVIRONMENT, **more})


def shell(command: str, text: str | None = None, place: Path = HERE) -> subprocess.CompletedProcess:
    """Run a line of bash that calls `backtrick`, `python` or `pytest`; output as text."""
    names = {"backtrick": BACKTRICK, "python": [sys.executable], "pytest": PYTEST}
    functions = "".join(f'{name}() {{ {" ".join(map(repr, words))} "$@"; }}; export -f {name}\n' for name, words in names.items())
    line = ["bash", "-c", functions + command]
    given = {"stdin": subprocess.DEVNULL} if text is None else {"input": text}
    return subprocess.run(line, capture_output=True, text=True, cwd=place, timeout=PATIENCE, env=ENVIRONMENT, **given)


def ask(
    *arguments: str, text: str | bytes | None = None, place: Path = HERE, together: bool = False
) -> subprocess.CompletedProcess:
    """As `run`, without a process of its own: worker processes are a thread. place: where it runs; together: standard error goes
    where the output goes.
    """
    given = TextIOWrapper(BytesIO(text.encode() if isinstance(text, str) else text or b""), "utf-8")
    written, said = (TextIOWrapper(BytesIO(), "utf-8", newline="") for _ in range(2))
    with _streams(given, written, written if together else said, place), no_processes():
        code = main(arguments)
    outputs = []
    for stream in (written, said):
        stream.flush()
        outputs.append(stream.buffer.getvalue().decode())
    return subprocess.CompletedProcess(arguments, code, *outputs)


def refused(done: subprocess.CompletedProcess | tuple[int, str, str], *words: str, code: int = 2) -> None:
    """It ended with that exit code and one sentence that holds the words. done: a run, or its code, output and what it said."""
    ended, _, said = done if isinstance(done, tuple) else (done.returncode, done.stdout, done.stderr)
    assert ended == code, said
    assert said.startswith("backtrick: ") and said.count("\n") == 1 and said.endswith("\n"), said
    for word in words:
        assert word in said


def no_processes():
    """A block in which workers on this machine are a thread: processes take half a second of a core each to begin."""
    return patch.object(workers, "local_processes", lambda *_: workers.executor_of(0))


@contextmanager
def _streams(given: TextIOWrapper, written: TextIOWrapper, said: TextIOWrapper, place: Path) -> Iterator[None]:
    before = sys.stdin, sys.stdout, sys.stderr, Path.cwd()
    sys.stdin, sys.stdout, sys.stderr = given, written, said
    os.chdir(place)
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr, place = before
        os.chdir(place)


def ask_shell(command: str, scratch: Path, place: Path = HERE) -> subprocess.CompletedProcess:
    """As `shell`, with `backtrick` in this process, as `ask` runs it. The rest of a line goes to bash, each
    part of a pipe when the one before it is done; directories of `mktemp -d` are made under `scratch`. Understands `;`, `&&`,
    `|`, `cd` and `2>&1`; what else a shell can do with `backtrick` is bash's work, also what `$` and `*` stand for.
    """
    if re.search(r"\|\||[{}`]", command):
        return shell(command, place=place)
    shown, said, code = "", "", 0
    for only_then, statement in re.findall(_STATEMENT, command):
        if only_then and code:
            continue
        passed = None
        for part in map(str.strip, re.findall(_PART, statement)):
            if "$(mktemp -d)" in part:
                part = part.replace("$(mktemp -d)", tempfile.mkdtemp(dir=scratch))
            words = shlex.split(part)
            if words[0] == "cd":
                place, passed = Path(words[1]), ""
                continue
            together = words[-1] == "2>&1"
            line = part.removesuffix("2>&1")
            bare = re.sub(_QUOTED, "", line)
            if words[0] == "backtrick" and not re.search(r"[<>&]", bare):
                if re.search(r"[$*]", bare):
                    words = shell(f"printf '%s\\0' {line}", place=place).stdout.split("\0")[:-1]
                else:
                    words = words[: len(words) - together]
                done = ask(*words[1:], text=passed, place=place, together=together)
            else:
                done = shell(part, passed, place)
            passed, said, code = done.stdout, said + done.stderr, done.returncode
        shown += passed
    return subprocess.CompletedProcess(command, code, shown, said)


_STATEMENT = r"""(&&)?((?:[^'";&]|&(?!&)|'[^']*'|"[^"]*")+)"""
_PART = r"""(?:[^'"|]|'[^']*'|"[^"]*")+"""
"""What stands between signs that are not quoted."""
_QUOTED = r"""'[^']*'|["][^"$]*["]"""
"""What a shell leaves as it is."""


def examples(text: str) -> list[tuple[str, str]]:
    """The indented lines `$ command` of a text, each with the lines under it up to the next command or the end of the block."""
    found = []
    for block in re.findall(r"(?:^ +\S.*\n|^\s*\n)+", text, re.MULTILINE):
        first, *rest = re.split(r"^\$ ", dedent(block), flags=re.MULTILINE)
        for example in rest:
            command, _, shown = example.partition("\n")
            found.append((command, shown.strip("\n")))
    return found
