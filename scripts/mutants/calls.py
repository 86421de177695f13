"""A plugin of pytest: what each test calls and how long it takes, into the file that `CALLS` names (`mutants.py`)."""

from __future__ import annotations

import _thread
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

ROOT = str(Path(__file__).resolve().parents[2])
CALLED: set[CodeType] = set()
"""By the test that runs now. Threads of a server outlive the test that began them."""
FOUND: dict[str, tuple[float, list[str]]] = {}
PASSED: set[str] = set()


def note(frame: FrameType, event: str, arg: object) -> None:
    CALLED.add(frame.f_code)


def begin(function: Callable[..., object], given: tuple[object, ...], named: dict[str, object] | None = None) -> int:
    """As `_thread.start_new_thread`, with which this package begins its threads: `threading` knows nothing of these."""

    def noted(*given: object, **named: object) -> None:
        sys.settrace(note)  # type: ignore[arg-type]
        function(*given, **named)

    return usual(noted, given, named or {})


usual, _thread.start_new_thread = _thread.start_new_thread, begin  # type: ignore[assignment]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    CALLED.clear()
    begun = time.process_time()
    threading.settrace(note)  # type: ignore[arg-type]
    sys.settrace(note)  # type: ignore[arg-type]
    yield
    sys.settrace(None)
    ours = {code for code in CALLED.copy() if code.co_filename.startswith((f"{ROOT}/solver", f"{ROOT}/scripts"))}
    names = sorted(f"{os.path.relpath(code.co_filename, ROOT)}:{code.co_name}:{code.co_firstlineno}" for code in ours)
    FOUND[item.nodeid] = time.process_time() - begun, names


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" and report.passed:
        PASSED.add(report.nodeid)


def pytest_sessionfinish() -> None:
    Path(os.environ["CALLS"]).write_text(json.dumps({name: one for name, one in FOUND.items() if name in PASSED}), encoding="utf-8")
