"""Runs units of checks on all cores until the time is over. Their order depends only on the checks."""

from __future__ import annotations

import contextlib
import functools
import itertools
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from audit.check import Check, Unit, run_unit
from audit.report import Report
from backtrick.errors import UsageError, WorkerError
from backtrick.progress import Shown, bar
from backtrick.storage.workers import executor_of
from backtrick.threads import map_ordered

AHEAD = 2  # units handed out for each worker: it never waits, and at the end little is left to finish
SAVE_EVERY = 1.0  # seconds


def schedule(checks: Sequence[Check]) -> Iterator[tuple[Check, int]]:
    """All units of all checks, without end unless all are of small worlds. From the first units on each check has its share.

    >>> from audit import Check
    >>> often, seldom = Check("often", "", None, None, 1, share=3), Check("seldom", "", None, None, 1)
    >>> [(check.name, number) for check, number in itertools.islice(schedule([often, seldom]), 5)]
    [('often', 0), ('often', 1), ('often', 2), ('seldom', 0), ('often', 3)]
    """
    following = [0] * len(checks)
    while True:
        open_ones = [i for i, check in enumerate(checks) if not check.whole or following[i] < check.whole]
        if not open_ones:
            return
        place = min(open_ones, key=lambda i: (following[i] + 1) / checks[i].share)
        yield checks[place], following[place]
        following[place] += 1


def audit(
    checks: Sequence[Check],
    *,
    seconds: float,
    seed: int | None = None,
    path: Path | None = None,
    processes: int | None = None,
    units: int | None = None,
    progress: bool | None = None,
) -> Report:
    """Works through units of the checks for `seconds`. Returns the report of this run and the runs before it.

    It ends early after a unit with a mismatch; such units are the report's `differing`.
    seed: None for the seed of the report, or 1. path: of the report; the run continues from it if it exists, and keeps it up to
    date. processes: None for one per core, 0 for this process only. units: the most units to run, None for no limit.
    progress: True for a bar, None for a bar on a terminal and lines elsewhere, False for nothing.
    Raises `UsageError` if the report is of another seed or of other code, `WorkerError` if a worker dies, and everything that a
    check raises.
    """
    report = _opened(path, seed)
    under_way: deque[tuple[Check, int]] = deque()

    def handed_out(clock: _Clock) -> Iterator[tuple[Check, int]]:
        missing = ((check, number) for check, number in schedule(checks) if number not in report.tally(check).units)
        for one in itertools.islice(missing, units):
            if clock.is_over() or report.differing:
                return
            under_way.append(one)
            yield one

    try:
        with _stopwatch(report, path, seconds, progress) as clock, executor_of(processes) as (executor, workers):
            run = functools.partial(_run, report.seed)
            for unit in map_ordered(executor, run, handed_out(clock), AHEAD * workers):
                report.add(under_way.popleft()[0], unit)
                clock.tick()
            return report
    except WorkerError:
        under_way = ", ".join(f"{number} of {check.name}" for check, number in under_way)
        raise WorkerError(f"a worker process was killed, or crashed, with these units under way: {under_way}") from None


def _run(seed: int, asked: tuple[Check, int]) -> Unit:
    check, number = asked
    return run_unit(check, seed, number)


def repeat(check: Check, number: int, seed: int = 1) -> Report:
    """Repeats one unit, alone and in this process. Returns a report of this unit only."""
    report = Report.new(seed)
    report.add(check, run_unit(check, seed, number))
    return report


def _opened(path: Path | None, seed: int | None) -> Report:
    fresh = Report.new(1 if seed is None else seed)
    if path is None or not path.exists():
        return fresh
    found = Report.load(path)
    if seed is not None and found.seed != seed:
        raise UsageError(f"{path}: a report of seed {found.seed}, not {seed}; name another file, or no seed")
    for what in ("code", "numpy"):
        if found.made_by.get(what) != fresh.made_by[what]:
            raise UsageError(f"{path}: a report of other code ({what} has changed since); name another file, or remove it")
    return found


class _Clock:
    """The clock of a run: it knows when the run ends, counts the report's seconds, and saves the report now and then."""

    def __init__(self, report: Report, path: Path | None, seconds: float, shown: Shown):
        self.report, self.path, self.shown = report, path, shown
        self.start = self.saved = time.monotonic()
        self.end = self.start + seconds
        self.seconds_before, self.compared = report.seconds, report.compared

    def is_over(self) -> bool:
        return time.monotonic() >= self.end

    def tick(self) -> None:
        now = time.monotonic()
        self.report.seconds = self.seconds_before + now - self.start
        self.shown.update(self.report.compared - self.compared)
        self.compared = self.report.compared
        if now - self.saved >= SAVE_EVERY:
            self.save()

    def save(self) -> None:
        self.saved = time.monotonic()
        if self.path is not None:
            self.report.save(self.path)


@contextlib.contextmanager
def _stopwatch(report: Report, path: Path | None, seconds: float, progress: bool | None) -> Iterator[_Clock]:
    """A clock that saves the report at the end, whatever ends the run."""
    with bar(None, "audit", "compared", progress) as shown:
        clock = _Clock(report, path, seconds, shown)
        clock.save()  # so that a file that cannot be written is found before the work
        try:
            yield clock
        finally:
            clock.tick()  # an interrupt comes between two looks at the clock
            clock.save()
