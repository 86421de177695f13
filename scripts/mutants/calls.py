"""A plugin of pytest: it tells coverage which test runs, and the file that `SECONDS` names how long each takes (`mutants.py`)."""

from __future__ import annotations

import _thread
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage

SECONDS: dict[str, float] = {}
FAILED: set[str] = set()


def begin(function: Callable[..., object], given: tuple[object, ...], named: dict[str, object] | None = None) -> int:
    """As `_thread.start_new_thread`, with which this package begins its threads: `threading` knows nothing of these."""

    def noted(*given: object, **named: object) -> None:
        sys.settrace(threading.gettrace())
        function(*given, **named)

    return usual(noted, given, named or {})


def start(process: subprocess.Popen[bytes], *given: Any, env: dict[str, str] | None = None, **named: Any) -> None:
    """As `subprocess.Popen`, with the test that starts the process, which coverage takes from the environment."""
    test = {"PYTEST_CURRENT_TEST": os.environ.get("PYTEST_CURRENT_TEST", "")}
    usual_start(process, *given, env=env and {**env, **test}, **named)


usual, _thread.start_new_thread = _thread.start_new_thread, begin  # type: ignore[assignment]
usual_start, subprocess.Popen.__init__ = subprocess.Popen.__init__, start  # type: ignore[assignment, method-assign]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    noting = Coverage.current()
    if noting:
        noting.switch_context(item.nodeid)
    begun = sum(os.times()[:4])
    yield
    SECONDS[item.nodeid] = sum(os.times()[:4]) - begun
    if noting:
        noting.switch_context("")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if not report.passed:
        FAILED.add(report.nodeid)


def pytest_sessionfinish() -> None:
    passed = {name: seconds for name, seconds in SECONDS.items() if name not in FAILED}
    Path(os.environ["SECONDS"]).write_text(json.dumps([passed, sorted(FAILED)]), encoding="utf-8")
