"""Searches that end when they must: their time is over, or nobody waits for them any more. Blind to the game.

A kernel looks at a *stop*, one byte of shared memory, and ends its search early once the byte is not zero.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from itertools import islice
from typing import TypeVar

from solver.core.batches import how_many
from solver.core.budget import UNLIMITED, Budget

Item = TypeVar("Item")
Made = TypeVar("Made")

TICK = 0.002
"""Seconds between two looks at the clock."""


class Watch:
    """Sets the stops of many searches, each when its seconds are over: one thread for all, since a timer for each would cost more
    than most searches. A context manager; after it no time is watched.

    >>> with Watch() as watch, watch.within(Budget(seconds=0.01)) as stop:
    ...     while not stop[0]:
    ...         pass
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[int, tuple[float, bytearray]] = {}
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()

    @contextmanager
    def within(self, budget: Budget) -> Iterator[bytearray]:
        """A stop that is set when the seconds of a budget are over, when its work is cancelled, or when all are stopped."""
        stop, seconds = bytearray(1), budget.seconds
        end = float("inf") if seconds is None else time.monotonic() + seconds
        with self._lock:
            self._running[id(stop)] = end, stop
            if self._thread is None and seconds is not None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
        if self._over.is_set():
            stop[0] = 1
        try:
            with budget.cancel.watched(stop) if budget.cancel else nullcontext():
                yield stop
        finally:
            with self._lock:
                del self._running[id(stop)]

    def stop_all(self) -> None:
        """Sets every stop, now and later."""
        self._over.set()
        with self._lock:
            for _, stop in self._running.values():
                stop[0] = 1

    def _run(self) -> None:
        while not self._over.wait(TICK):
            now = time.monotonic()
            with self._lock:
                for end, stop in self._running.values():
                    if now >= end:
                        stop[0] = 1


def searched(
    search: Callable[[Item, bytearray], Made], items: Sequence[Item], budget: Budget = UNLIMITED, threads: int | None = None
) -> Iterator[Made]:
    """What `search` makes of each item and a stop, in order. budget: its seconds are for each item. threads: None for one a core.

    The searches run in threads of their own, even a single one: so Ctrl-C ends them at once, and so does closing the iterator.

    >>> list(searched(lambda number, stop: -number, [1, 2, 3]))
    [-1, -2, -3]
    """
    threads = how_many("threads", threads)
    return _searched(search, items, budget, min(threads, max(len(items), 1)))


def _searched(
    search: Callable[[Item, bytearray], Made], items: Sequence[Item], budget: Budget, threads: int
) -> Iterator[Made]:
    watch = Watch()

    def work(item: Item) -> Made:
        with watch.within(budget) as stop:
            return search(item, stop)

    pool = ThreadPoolExecutor(threads)
    try:
        with watch:
            calls = (pool.submit(work, item) for item in items)
            waiting = deque(islice(calls, 2 * threads))
            while waiting:
                yield waiting.popleft().result()
                waiting.extend(islice(calls, 1))
    finally:
        watch.stop_all()
        pool.shutdown(cancel_futures=True)  # a search that is stopped ends within milliseconds
