"""Ending work from another thread, as when nobody waits for its answer any more. Blind to the game."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Cancel:
    """Ends the work of every search that watches it: a search then says what it has proved by then.

    >>> cancel, flag = Cancel(), bytearray(1)
    >>> with cancel.watched(flag):
    ...     cancel()
    >>> flag[0], cancel.called
    (1, True)
    """

    def __init__(self) -> None:
        self.called = False
        self._lock = threading.Lock()
        self._flags: list[bytearray] = []

    def __call__(self) -> None:
        """Ends the work, and all that begins later."""
        with self._lock:
            self.called = True
            for flag in self._flags:
                flag[0] = 1

    @contextmanager
    def watched(self, flag: bytearray) -> Iterator[None]:
        """A context in which a call sets flag[0] to 1, at once if there was a call before."""
        with self._lock:
            self._flags.append(flag)
            flag[0] |= self.called
        try:
            yield
        finally:
            with self._lock:
                self._flags = [one for one in self._flags if one is not flag]
