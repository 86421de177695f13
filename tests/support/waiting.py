"""Waiting for what happens soon on an idle machine and at last on a busy one: what is over is never said by a clock."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PATIENCE = 600
"""Seconds after which something hangs, and is not just slow. A test has twice as many."""


def wait_for(happened: Callable[[], object]) -> None:
    """Returns once it has happened."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def end_by(number: int, process: subprocess.Popen, group: bool = False) -> tuple:
    """Sends the signal to the process, or to its whole group; returns what it wrote to its end. Sends it again after a minute:
    one that comes just before Python begins to wait for something is heard only when that happens.
    """
    for _ in range(PATIENCE // 60):
        (os.killpg if group else os.kill)(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=60)
    raise AssertionError(f"it goes on after signal {number}")


def children_of(process: subprocess.Popen) -> list[int]:
    """The processes in its session but itself."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[3]) == process.pid and fields[0] != "Z" and int(status.parent.name) != process.pid:
            found.append(int(status.parent.name))
    return found
