"""What all tests share: one profile for hypothesis, the same examples in every run; a limit of time for each test; no waiting
for the disk; no lines about slow work; signals as in a terminal; a command line that speaks English."""

import argparse
import gc
import os
import signal
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import disk_usage
from unittest.mock import patch
from zlib import crc32

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

from backtrick import progress
from backtrick.storage.kinds import Trial

gc.disable()  # until all tests are collected, of which nothing is garbage

HAS_DEVELOPMENT = find_spec("backtrick_development") is not None
NEEDS_DEVELOPMENT = ("backtrick_development", "from audit", "from oracles.second_solver", "from shares import",
                     "scripts/census/shares.py")  # fmt: skip
"""What is in the tests that need kernels of development; a wheel has none."""

SLOW_SECONDS = 3600  # a quick test has `timeout` of pyproject.toml

# Derandomised, so that a check that passes here passes everywhere; random examples are for `--hypothesis-profile=search`. A busy
# machine may draw slowly.
PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("repeatable", max_examples=20, derandomize=True, database=None, **PATIENT)
settings.register_profile("slow", max_examples=300, derandomize=True, database=None, **PATIENT)
settings.register_profile("search", max_examples=2000, **PATIENT)
settings.load_profile("repeatable")

# What a shell starts in the background may ignore Ctrl-C, and so would every process that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

MEMORY = Path("/dev/shm")
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and disk_usage(MEMORY).free > 4 << 30:  # a container has 64 MiB
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # nothing waits for the disk, also no process that a test starts

if "COLUMNS" in os.environ:
    os.environ["COLUMNS"] = "80"  # help breaks its lines as without it: what is printed here goes to no terminal

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # starting threads is a fifth of what `import numpy` costs each process of a test

LONG = {"test_a_signal_at_any_moment_is_no_traceback", "test_no_claim_is_stronger_than_the_truth", "test_the_blocks_of_a_page_run",
        "test_the_kernel_plays_as_the_policies_do"}  # fmt: skip
"""The quick tests that take seconds, and share nothing that takes long to make."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests come first, so that no process is left with one at the end. Of a test with `share(N)` one case in N, drawn by its
    name, is quick, and the others are slow. A slow test that names no limit of its own has the longer one."""
    items.sort(key=lambda item: item.name.partition("[")[0] not in LONG)
    for item in items:
        if (share := item.get_closest_marker("share")) and crc32(item.name.encode()) % share.args[0]:
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_SECONDS))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """That a test was set up and torn down is said only if it failed: what a worker says costs a third of a millisecond."""
    hooks = item.ihook
    hooks.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            hooks.pytest_runtest_logreport(report=report)
    hooks.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: each waits an eighth of its time, for other processes or for a clock."""
    return (os.cpu_count() or 1) + 1


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Tests that need kernels of development are passed over where these are not built: beside a wheel."""
    if HAS_DEVELOPMENT or collection_path.suffix != ".py" or collection_path == Path(__file__):
        return None
    text = collection_path.read_text("utf-8")
    return True if "audit" in collection_path.parts or any(one in text for one in NEEDS_DEVELOPMENT) else None


def pytest_collection_finish() -> None:
    """The garbage collector passes over what is there, and comes less often: it took a sixth of the time of tests in Python."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(params=[1, pytest.param(8, marks=pytest.mark.slow)], ids=["a share", "all"])
def times(request: pytest.FixtureRequest) -> int:
    """By how much a sample is larger than that of the quick suite: the slow suite takes eight times as many."""
    return int(request.param)


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """Runs the command in this process, in an empty directory; returns its exit code, standard output and standard error."""
    from command import ask

    monkeypatch.chdir(tmp_path)

    def run(*arguments: object, text: str = "") -> tuple[int, str, str]:
        done = ask(*map(str, arguments), text=text, place=tmp_path)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture(scope="session", autouse=True)
def _this_process_does_not_wait() -> Iterator[None]:
    """Files of tests may be lost with the power: nothing is written to the disk at once. `check` and `verify` start no process that
    opens each file first; `test_tables_hostile.py` sees to that process. Nothing is said about slow work, however slow the machine
    is. No parser looks in many folders, again and again, for a catalogue of the language that the environment names."""
    with (
        patch.object(os, "fsync", lambda handle: None),
        patch.object(Trial, "open", lambda self, path: None),
        patch.object(progress, "LOG_SECONDS", 3600.0),
        patch.object(argparse, "_", str),
    ):
        yield
