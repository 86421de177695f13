"""How the benchmarks take times: interleaved and as medians, and within a limit for those who would take hours."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median


def medians(tasks: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median of what each task returns, all tasks being run once a round, so that a slow minute hits all of them."""
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
    """The seconds of the processor that one call takes in this process, all its threads together: what others run does not
    count, though it still takes caches and clock rate away."""
    start = time.process_time()
    call()
    return time.process_time() - start


@dataclass
class Limited:
    """What a slow peer managed: a value for each position tried, None where it was stopped, and the seconds in all."""

    values: list[int | None]
    seconds: float

    @property
    def stopped(self) -> int:
        """How many positions it was stopped in; if any, the time each is a lower bound."""
        return self.values.count(None)

    @property
    def each(self) -> float:
        """Seconds a position tried, those in which it was stopped with the time they were given."""
        return self.seconds / len(self.values)


class _TimeUp(BaseException):
    """Not an `Exception`, so that no solver swallows it."""


def solve_within(
    solve: Callable[[object], int], positions: Sequence[object], seconds: float, seconds_each: float
) -> Limited:
    """Let `solve` work through the positions in order, each at most `seconds_each`, no new one begun after `seconds`."""

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
