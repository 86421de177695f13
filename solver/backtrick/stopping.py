"""SIGTERM, which schedulers send, ends a process as Ctrl-C does: by an exception, so that everything is cleaned up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

TERMINATED = 128 + signal.SIGTERM


@contextmanager
def tidy_on_sigterm() -> Iterator[None]:
    """A context in which SIGTERM raises `SystemExit(TERMINATED)` in the main thread, once.

    In another thread it does nothing. A handler that somebody else has set stays.
    """
    ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if ours:
        signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        if ours and signal.getsignal(signal.SIGTERM) is _leave:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _leave(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it may come twice, to the process and to its group
    raise SystemExit(TERMINATED)
