"""How signals are heard: every handler of one is here. Only `__main__` blocks them earlier, before anything is imported."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FrameType

INTERRUPTED, TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM
"""The exit codes after Ctrl-C and after SIGTERM."""


@contextmanager
def tidy_on_sigterm() -> Iterator[None]:
    """A context in which SIGTERM, which schedulers send, raises `SystemExit(TERMINATED)` in the main thread, once: so everything is
    cleaned up, as after Ctrl-C. Neither signal is lost where Python drops exceptions. The end of a terminal, SIGHUP, is as SIGTERM.

    In another thread it does nothing. A handler that somebody else has set stays.
    """
    ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not ours:
        yield
        return
    report = sys.unraisablehook
    signal.signal(signal.SIGTERM, _leave)
    hangup: int = getattr(signal, "SIGHUP", 0)
    hears = hangup and signal.getsignal(hangup) is signal.SIG_DFL  # not after nohup
    if hears:
        signal.signal(hangup, lambda number, frame: os.kill(os.getpid(), signal.SIGTERM))
    sys.unraisablehook = partial(_leave_again, report)
    try:
        yield
    finally:
        sys.unraisablehook = report
        if hears:
            signal.signal(hangup, signal.SIG_DFL)
        if signal.getsignal(signal.SIGTERM) is _leave:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _leave(number: int, frame: FrameType | None) -> None:
    if _is_in_hook(frame):
        _thread.start_new_thread(_send_again, (number,))
        return
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it may come twice, to the process and to its group
    raise SystemExit(TERMINATED)


def _leave_again(report: Callable[[sys.UnraisableHookArgs], object], lost: sys.UnraisableHookArgs) -> None:
    """Python drops what is raised in `__del__` or in the callback of a weak reference. So the signal is sent once more."""
    number = signal.SIGINT if lost.exc_type is KeyboardInterrupt else signal.SIGTERM
    if number == signal.SIGINT or (lost.exc_type is SystemExit and signal.getsignal(number) is signal.SIG_IGN):
        _thread.start_new_thread(_send_again, (number,))
        if number == signal.SIGTERM:
            signal.signal(number, _leave)
    else:
        report(lost)


def _send_again(number: int) -> None:
    """Sends a signal to this process once its main thread has left the hook, where it would be lost too."""
    main = threading.main_thread().ident or 0
    in_hook = True
    while in_hook:
        time.sleep(0.002)
        in_hook = _is_in_hook(sys._current_frames().get(main))
    os.kill(os.getpid(), number)


def _is_in_hook(frame: FrameType | None) -> bool:
    """True if the hook has not returned yet: Python drops what is raised in it."""
    while frame is not None:
        if frame.f_code is _leave_again.__code__:
            return True
        frame = frame.f_back
    return False


@contextmanager
def noted(came: list[int]) -> Iterator[None]:
    """A block in which signals do what they did before, and their numbers are noted."""
    before: dict[int, Callable[[int, FrameType | None], object]] = {}

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        before[number](number, frame)

    if threading.current_thread() is threading.main_thread():
        for number in map(int, (signal.SIGINT, signal.SIGTERM)):
            if callable(usual := signal.getsignal(number)):
                before[number] = usual
                signal.signal(number, note)
    try:
        yield
    finally:
        for one, usual in before.items():
            if signal.getsignal(one) is note:
                signal.signal(one, usual)


def let_through(held: Sequence[int]) -> None:
    """Signals that were blocked come through."""
    if held:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, held)


def end_at_once_by_ctrl_c() -> None:
    """From now on Ctrl-C ends this process without tidying up."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def ignore_ctrl_c() -> None:
    """For a process that another one started: Ctrl-C reaches both, and the parent ends its children. It hears SIGTERM from now on.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _mask("SIG_UNBLOCK")


@contextmanager
def kept_from_children() -> Iterator[None]:
    """Processes started in this block hear neither Ctrl-C nor SIGTERM until `ignore_ctrl_c`, as they begin with imports. To this
    process both come at the end of the block."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    usual = {number: before for number in (signal.SIGTERM, signal.SIGINT) if callable(before := signal.getsignal(number))}
    _mask("SIG_BLOCK")
    for number in usual:  # another thread of this process may hear what this one has blocked
        signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        _mask("SIG_UNBLOCK")
        for number, before in usual.items():
            signal.signal(number, before)
        for one in came:
            os.kill(os.getpid(), one)


def leave_late(seconds: float) -> None:
    """For a worker: it ignores Ctrl-C, and SIGTERM ends it only after some time. If the whole group is ended, the parent can say so
    first."""

    def leave(number: int, frame: FrameType | None) -> None:
        ending = threading.Timer(seconds, os._exit, (128 + number,))
        ending.daemon = True
        ending.start()

    signal.signal(signal.SIGTERM, leave)
    ignore_ctrl_c()


def _mask(how: str) -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(getattr(signal, how), [signal.SIGINT, signal.SIGTERM])
