"""Work on the ranges of a long array, with threads, a progress bar and a clean stop. Blind to the game."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from backtrick.errors import ArgumentError
from backtrick.progress import bar
from backtrick.values import whole

Item = TypeVar("Item")
Made = TypeVar("Made")

RANGE = 1 << 14
"""Positions in a range: some milliseconds of work, so that a progress bar moves and Ctrl-C is noticed."""


def over_ranges(
    work: Callable[[int, int], int],
    count: int,
    *,
    threads: int | None = None,
    progress: bool | None = None,
    what: str = "",
    size: int = RANGE,
    unit: str = "pos",
) -> int:
    """Calls work(start, stop) for the ranges of 0..count. Returns -1, or the first place that `work` refused.

    `work` releases the GIL, touches only its range, and returns -1 or the place of the first item that it refuses.
    threads: None for one a core. progress: None for a bar on a terminal and lines in a log, False for nothing.
    size: of a range; choose it smaller where one item can take long. unit: what the bar counts.

    >>> over_ranges(lambda start, stop: -1, 100)
    -1
    """
    threads = how_many("threads", threads)
    if count <= size:
        return work(0, count) if count else -1
    if threads == 1 and progress is False:
        places = (work(start, min(start + size, count)) for start in range(0, count, size))
        return next((place for place in places if place >= 0), -1)
    size = -(-count // -(-count // size))  # ranges of one size, lest one thread wait for another
    starts = range(0, count, size)
    with bar(count, what, unit, progress) as shown, ThreadPoolExecutor(threads) as pool:
        results = [pool.submit(work, start, min(start + size, count)) for start in starts]
        try:
            for start, result in zip(starts, results, strict=True):
                objected = result.result()
                if objected >= 0:
                    return objected
                shown.update(min(size, count - start))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return -1


def in_threads(work: Callable[[Item], Made], items: Sequence[Item], threads: int | None = None) -> Iterator[Made]:
    """The result of `work` for each item, in order. threads: None for one a core; a single item starts no thread.

    >>> list(in_threads(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    if len(items) < 2:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(how_many("threads", threads)) as pool:
        yield from pool.map(work, items)


def in_order(executor: Executor, work: Callable[[Item], Made], items: Iterable[Item], ahead: int) -> Iterator[Made]:
    """The result of `work` for each item, in order. The executor has at most `ahead` calls waiting: `items` may have no end.

    >>> with ThreadPoolExecutor(1) as pool:
    ...     list(in_order(pool, abs, [-1, 2, -3], 2))
    [1, 2, 3]
    """
    calls = (executor.submit(work, item) for item in items)
    waiting = deque(islice(calls, ahead))
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(islice(calls, 1))


def how_many(what: str, asked: object) -> int:
    """The number of threads or processes to use: the number that was asked for, or one a core. Raises `ArgumentError`.

    >>> how_many("threads", 2)
    2
    """
    count = available_cores() if asked is None else whole(asked)
    if count is None or count < 1:
        raise ArgumentError(f"{what} is a whole number of at least 1, or None for one a core, not {asked!r}")
    return count


def available_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
