"""Stops kernels whose seconds are over. A kernel looks at a byte from time to time, and ends its work early once it is 1."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Watch:
    """One thread that sets stop bytes when their seconds are over: a timer for each would cost more than most answers.

    >>> with Watch() as watch, watch.within(None) as stop:
    ...     watch.stop_all()
    ...     stop[0]
    1
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
    def within(self, seconds: float | None) -> Iterator[bytearray]:
        """Yields a stop byte that becomes 1 when the seconds are over (None: never), or all are stopped."""
        stop = bytearray(1)
        end = float("inf") if seconds is None else time.monotonic() + seconds
        with self._lock:
            self._running[id(stop)] = end, stop
            if self._thread is None and seconds is not None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
        if self._over.is_set():
            stop[0] = 1
        try:
            yield stop
        finally:
            with self._lock:
                del self._running[id(stop)]

    def stop_all(self) -> None:
        """Stops all, now and later."""
        self._over.set()
        with self._lock:
            for _, stop in self._running.values():
                stop[0] = 1

    def _run(self) -> None:
        while not self._over.wait(0.002):
            now = time.monotonic()
            with self._lock:
                for end, stop in self._running.values():
                    if now >= end:
                        stop[0] = 1
