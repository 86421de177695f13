"""What a terminal, a shell and a notebook get more than a file does: colours, completion, a bar of their own."""

from __future__ import annotations

import os
import pty
import shlex
import shutil
import subprocess
import sys
from argparse import Namespace
from contextlib import redirect_stdout
from importlib.metadata import version
from io import StringIO
from types import ModuleType
from unittest.mock import patch

import pytest

from backtrick.cli import main, output
from backtrick.cli.arguments import completion
from backtrick.cli.main import _told
from backtrick.cli.streams import printable
from backtrick.errors import BacktrickError, UsageError
from backtrick.progress import bar
from command import ENVIRONMENT, ask
from waiting import PATIENCE

WON = "27^40v:17,18,45 13^50v:5,12"


def on_a_terminal(*line: str, **more: str) -> str:
    """The standard output of a command that writes to a terminal, no more than this has room for."""
    here, there = pty.openpty()
    environment = {name: one for name, one in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"} | more
    with open(there, "w") as stream, patch.dict(os.environ, environment, clear=True), redirect_stdout(stream):  # noqa: PTH123
        assert main(line) == 0
        stream.flush()
        said = os.read(here, 1 << 16)
    os.close(here)
    return said.decode().replace("\r\n", "\n")


def test_wins_and_losses_are_coloured_on_a_terminal_alone(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    plain = ask("solve", WON).stdout
    assert "\033" not in plain and "win in 1" in plain
    shown = on_a_terminal("solve", WON)
    assert "\033[32mwin in 1\033[0m" in shown and shown.replace("\033[32m", "").replace("\033[0m", "") == plain
    assert "\033[31mloss in 2\033[0m" in on_a_terminal("grade", WON, "17^ 45^")
    assert on_a_terminal("solve", WON, NO_COLOR="1") == on_a_terminal("solve", WON, TERM="dumb") == plain
    assert "\033" not in on_a_terminal("solve", WON, "--json")


ASKING = {
    "bash": """COMP_LINE='{line}' COMP_POINT=${{#COMP_LINE}}; _python_argcomplete backtrick; printf '%s\\n' "${{COMPREPLY[@]}}" """,
    "zsh": """_describe() {{ printf '%s\\n' "${{completions[@]}}"; }}; is-at-least() {{ return 1; }}
        words=({line}); BUFFER='{line}'; CURSOR=${{#BUFFER}}; _python_argcomplete backtrick""",
    "fish": "complete --do-complete '{line}'",
}
"""How a line is completed in each shell, once it has read the script."""


@pytest.mark.parametrize("shell", ASKING)
def test_shells_complete_commands_options_and_choices(shell, tmp_path):
    pytest.importorskip("argcomplete")
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    script = ask("--completion", shell).stdout
    program = tmp_path / "backtrick"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m backtrick "$@"\n')
    program.chmod(0o755)
    environment = {**ENVIRONMENT, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    began = "compdef() { :; }\n" if shell == "zsh" else ""
    for typed, expected in [
        ("so", {"solve"}),
        ("solve --sec", {"--seconds"}),
        ("solve --game ", {"face_to_face", "take_that"}),
        ("solve --threa", set()),
    ]:
        line = f"backtrick {typed}"
        asked = f"{began}{script}\n{ASKING[shell].format(line=line)}"
        done = subprocess.run([shell, "-c", asked], capture_output=True, text=True, env=environment, timeout=PATIENCE)
        found = {said.partition("\t")[0].partition(":")[0].strip() for said in done.stdout.splitlines()} - {""}
        assert (found, done.stderr) == (expected, ""), line


def test_fish_gets_another_script_than_bash():
    pytest.importorskip("argcomplete")
    assert completion("fish") != completion("bash")


def test_completion_of_another_shell_and_without_its_library_is_a_sentence(monkeypatch):
    assert "invalid choice: 'tcsh'" in ask("--completion", "tcsh").stderr
    monkeypatch.setitem(sys.modules, "argcomplete.shell_integration", None)
    with pytest.raises(UsageError) as refused:
        completion("zsh")
    assert str(refused.value) == "completion needs argcomplete, which is not installed; pip install 'backtrick[completion]'"


def test_a_notebook_gets_a_bar_of_its_own(monkeypatch, capsys):
    tqdm = pytest.importorskip("tqdm.auto")
    made: list[dict[str, object]] = []
    monkeypatch.setattr(tqdm, "tqdm", lambda **given: made.append(given))
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    monkeypatch.setattr("backtrick.progress.is_installed", lambda name: name != "ipywidgets")
    bar(7, "work", "things")
    assert not made
    monkeypatch.setattr("backtrick.progress.is_installed", lambda name: name == "ipywidgets")
    bar(7, "work", "things")
    bar(7, "work", "things", False)
    bar(10_000, "more", "things", inner=True)
    bar(None, "all", "things", leave=False)
    assert made == [
        {"desc": "work", "total": 7, "unit": " things", "unit_scale": False, "leave": True},
        {"desc": "more", "total": 10_000, "unit": " things", "unit_scale": True, "leave": False},
        {"desc": "all", "total": None, "unit": " things", "unit_scale": True, "leave": False},
    ]


def test_what_ends_a_bar_is_raised_where_no_variable_asks_for_it(monkeypatch):
    monkeypatch.setattr("tqdm.tqdm", lambda **given: 1 // 0)
    for name in [one for one in os.environ if one.startswith("TQDM_")]:
        monkeypatch.delenv(name)
    with pytest.raises(ZeroDivisionError):
        bar(7, "work", "things", True)


@pytest.mark.parametrize("variable", ["TQDM_NCOLS", "TQDM_MININTERVAL", "TQDM_MINITERS", "TQDM_DELAY", "TQDM_POSITION"])
def test_a_variable_of_the_bar_that_cannot_be_is_one_sentence(variable, monkeypatch):
    if tuple(map(int, version("tqdm").split(".")[:2])) < (4, 66):
        pytest.skip("this tqdm reads no variables")
    for name in [one for one in sys.modules if one.partition(".")[0] == "tqdm"]:
        monkeypatch.delitem(sys.modules, name)  # it reads them when it is imported
    monkeypatch.setenv(variable, "abc")
    with pytest.raises(BacktrickError, match=f"^no bar can be drawn with {variable}=abc: [^\n]+$"):
        bar(7, "work", "things", True)


def test_progress_leaves_a_terminal_to_answers_and_questions(monkeypatch, tmp_path):
    """It is hidden, False, or as usual, None."""
    monkeypatch.setattr(output, "bar", lambda *given: given[-1])
    monkeypatch.setattr(output, "is_terminal", lambda stream: stream == "terminal")

    def shown(out, err, given="pipe", unit="lines", path=None, typed=True, quiet=False):
        with monkeypatch.context() as changed:
            for name, stream in (("stdout", out), ("stderr", err), ("stdin", given)):
                changed.setattr(sys, name, stream)
            return output.progress_of(Namespace(output=path, quiet=quiet), unit, 3, typed)

    with (tmp_path / "one").open("w") as one, (tmp_path / "other").open("w") as other:
        usual = [
            {"out": "pipe", "err": "terminal"},
            {"out": "terminal", "err": "terminal", "path": "x"},
            {"out": one, "err": one, "path": "x"},
            {"out": one, "err": other},
            {"out": "pipe", "err": "terminal", "given": "terminal", "path": "x", "typed": False},
            {"out": one, "err": None},
            {"out": None, "err": one},
        ]
        hidden = [
            {"out": "terminal", "err": "terminal"},
            {"out": "pipe", "err": "terminal", "given": "terminal"},
            {"out": one, "err": one},
            {"out": one, "err": other, "unit": ""},
            {"out": one, "err": other, "quiet": True},
        ]
        found = [[shown(**asked) for asked in both] for both in (usual, hidden)]
    assert found == [[None] * len(usual), [False] * len(hidden)]


def test_errors_without_words_of_the_system_are_told(monkeypatch, capsys):
    assert _told(OSError("no such luck")) == 2 and capsys.readouterr().err == "backtrick: the system refuses: no such luck\n"
    with pytest.raises(RuntimeError):
        _told(RuntimeError("a fault of ours"))
    monkeypatch.setattr(sys, "stdout", StringIO())  # which has no encoding
    assert printable("\u00eb\t") == "\u00eb\\t"
