"""Notes which lines of the package each test executes, and for how long (`mutants.py`). It is a plugin of pytest; and as Python
begins with a module of this name, processes that a test starts are noted too. PYTEST_DONT_REWRITE"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess

    import pytest

OWN = Path(__file__).parent
NOTED = tuple(str(OWN.parents[1] / name) for name in ("solver/backtrick/", "scripts/check_proof.py"))
SECONDS: dict[str, float] = {}
FAILED: set[str] = set()
file: int  # of what is noted
usual: Any  # what begins a process


def note_lines(notes: str, test: str) -> None:
    """Writes each line when a test executes it first: at once, since a process may be killed. A process that is forked goes on
    in the same file."""
    global file
    file = os.open(f"{notes}.{os.getpid()}", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    monitoring, tool = sys.monitoring, sys.monitoring.COVERAGE_ID  # type: ignore[attr-defined]  # as long as mypy checks for 3.10

    def begins(code: CodeType, offset: int) -> object:
        if code.co_filename.startswith(NOTED) and code.co_name != "<module>":
            monitoring.set_local_events(tool, code, monitoring.events.LINE)
        return monitoring.DISABLE

    def executes(code: CodeType, line: int) -> object:
        with contextlib.suppress(OSError):  # a test may have limited what is written
            os.write(file, f"{line} {code.co_filename}\n".encode())
        return monitoring.DISABLE

    monitoring.use_tool_id(tool, "notes")
    monitoring.register_callback(tool, monitoring.events.PY_START, begins)
    monitoring.register_callback(tool, monitoring.events.LINE, executes)
    monitoring.set_events(tool, monitoring.events.PY_START)
    os.write(file, f"={test}\n".encode())


def start(process: subprocess.Popen[bytes], *given: Any, env: dict[str, str] | None = None, **named: Any) -> None:
    """As `subprocess.Popen`, with what a process needs to be noted."""
    if env is not None:
        path = os.pathsep.join(filter(None, [str(OWN), env.get("PYTHONPATH")]))
        env = {**env, "NOTES": NOTES, "PYTHONPATH": path, "PYTEST_CURRENT_TEST": os.environ.get("PYTEST_CURRENT_TEST", "")}
    usual(process, *given, env=env, **named)


def pytest_configure() -> None:
    global usual
    import subprocess

    if NOTES:
        usual, subprocess.Popen.__init__ = subprocess.Popen.__init__, start  # type: ignore[assignment, method-assign]


def pytest_runtest_logstart(nodeid: str) -> None:
    SECONDS[nodeid] = -sum(os.times()[:4])
    if NOTES:
        os.write(file, f"={nodeid}\n".encode())
        sys.monitoring.restart_events()  # type: ignore[attr-defined]


def pytest_runtest_logfinish(nodeid: str) -> None:
    SECONDS[nodeid] += sum(os.times()[:4])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        FAILED.add(report.nodeid)


def pytest_sessionfinish() -> None:
    passed = {name: seconds for name, seconds in SECONDS.items() if name not in FAILED}
    Path(os.environ["SECONDS"]).write_text(json.dumps([passed, sorted(FAILED)]), encoding="utf-8")


if NOTES := os.environ.get("NOTES", ""):
    note_lines(NOTES, os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0])
