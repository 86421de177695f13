"""How the benchmarks measure time: interleaved and as medians, and within a limit for programs that would take hours."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median


def medians(tasks: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median of each task's results. Every round runs all tasks once, so that a slow minute hits all of them."""
    results: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            results[name].append(task())
    return {name: median(values) for name, values in results.items()}


def clock(call: Callable[[], object]) -> float:
    """The seconds that one call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def processor(call: Callable[[], object]) -> float:
    """The seconds of the processor that one call takes in this process, in all threads together.

    Other work on the machine does not count, but it still takes caches and clock rate.
    """
    start = time.process_time()
    call()
    return time.process_time() - start


@dataclass
class Limited:
    """The results of a slow peer: a value for each position tried, None where it was stopped, and the seconds in all."""

    values: list[int | None]
    seconds: float

    @property
    def stopped(self) -> int:
        """The number of positions in which it was stopped. If there are any, `each` is a lower bound."""
        return self.values.count(None)

    @property
    def each(self) -> float:
        """Seconds a position; one that was stopped counts with the time until then."""
        return self.seconds / len(self.values)


class _TimeUp(BaseException):
    """Not an `Exception`, so that no solver catches it."""


def solve_within(
    solve: Callable[[object], int], positions: Sequence[object], seconds: float, seconds_each: float
) -> Limited:
    """Lets `solve` work through the positions in order, at most `seconds_each` on each. After `seconds` it begins no new one."""

    def stop(signum, frame):
        raise _TimeUp

    before = signal.signal(signal.SIGALRM, stop)
    done = Limited([], 0.0)
    try:
        for position in positions:
            start = time.perf_counter()
            value = None
            try:
                signal.setitimer(signal.ITIMER_REAL, seconds_each)
                value = solve(position)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except _TimeUp:
                pass
            done.values.append(value)
            done.seconds += time.perf_counter() - start
            if done.seconds >= seconds:
                break
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return done
