"""Searches that end when they must: their seconds are over, their work is cancelled, or all are stopped. Blind to the game.

A kernel looks at a *stop*, one byte of shared memory, and ends its search early once the byte is not zero.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from backtrick.budget import Budget

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
