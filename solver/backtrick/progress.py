"""How the progress of work is shown: a bar on a terminal, lines in a log. Work that is soon done shows nothing."""

from __future__ import annotations

import _thread
import contextlib
import os
import sys
import time
import weakref
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Union

from backtrick.errors import ArgumentError
from backtrick.given import escaped, refused, truth

if TYPE_CHECKING:
    from tqdm import tqdm  # it takes a quarter of the time of `import numpy`, so it is imported when something is shown

LOG_SECONDS = 5.0
"""Seconds between two lines of a log, and before the first one. Most work takes less and writes no line."""


def check_progress(progress: object) -> None:
    """Raises `WrongTypeError` unless it is True, False or None."""
    if progress is not None and truth(progress) is None:
        raise refused("progress", "True or False, or None for a bar on a terminal", progress)


def bar(
    total: int | None,
    what: str,
    unit: str,
    shown: bool | None = None,
    *,
    inner: bool = False,
    leave: bool = True,
    estimate_after: int = 0,
) -> Shown:
    """Shows the progress of some work: a context manager with `update(count)`.

    total: the number of `unit`s, a plural; None if it is not known. shown: None for a bar on a terminal and lines elsewhere, True
    for a bar anywhere, False for nothing. inner: a bar within another one; it disappears at the end, and a log omits it. leave:
    False for a bar that disappears at the end.
    estimate_after: units after which a log estimates the time left.
    """
    check_progress(shown)
    terminal = is_terminal(sys.stderr)
    notebook = "ipykernel" in sys.modules and is_installed("ipywidgets")  # where tqdm has a bar of its own
    if shown or (shown is None and (terminal or notebook)):
        odd = [f"{name}={value}" for name, value in os.environ.items() if name.startswith("TQDM_")]
        try:
            make: Any = import_module("tqdm.auto" if notebook else "tqdm").tqdm
            made: Shown = make(total=total, desc=what, unit=f" {unit}", unit_scale=is_large(total), leave=leave and not inner)
            if odd:
                made.update(0)  # looks at all of them
        except Exception as error:
            if not odd:
                raise
            raise ArgumentError(f"no bar can be drawn with {escaped(', '.join(odd))}: {error}") from None
        return made
    return LogLines(total, what, unit, estimate_after, hidden=shown is False or inner)


def is_installed(module: str) -> bool:
    """True if a module can be imported, which is not tried."""
    from importlib.util import find_spec  # seldom used

    return find_spec(module) is not None


def is_terminal(stream: Any) -> bool:
    """True for a stream that is a terminal. What stands for a stream may lack `isatty`, or be closed, or None."""
    try:
        return bool(stream.isatty())
    except Exception:
        return False


class LogLines:
    """A line on standard error every few seconds, and a last one at the end if there was any. hidden: none at all.

    If the total is known, lines appear also while nothing is finished.
    """

    def __init__(self, total: int | None, what: str, unit: str, estimate_after: int = 0, hidden: bool = False):
        self.total, self.what, self.unit, self.estimate_after, self.hidden = total, what, unit, estimate_after, hidden
        self.done, self.postfix = 0, ""
        self.began = time.monotonic()
        self._shown: int | None = None
        self._told: SimpleQueue[None] = SimpleQueue()
        self._ended: SimpleQueue[None] = SimpleQueue()

    def __enter__(self) -> LogLines:
        if not self.hidden:
            try:
                _thread.start_new_thread(_write_often, (weakref.ref(self), self._told, self._ended))
            except RuntimeError:  # the system has no thread left, and the work needs none for this
                self.hidden = True
        return self

    def __exit__(self, *_: object) -> None:
        if not self.hidden:
            self._told.put(None)
            self._ended.get()
            if self._shown is not None:
                self._write()

    def update(self, count: int = 1) -> None:
        self.done += count

    def set_postfix_str(self, text: str) -> None:
        self.postfix = text

    def line(self) -> str:
        """The line that describes the work now."""
        from tqdm import tqdm

        seconds = time.monotonic() - self.began
        return tqdm.format_meter(
            self.done,
            self.total or 0,
            seconds,
            ncols=0,  # no bar, and no limit
            prefix=self.what,
            unit=f" {self.unit}",
            unit_scale=is_large(self.total),
            rate=None if seconds >= 1 and self.done >= self.estimate_after else 0,
            postfix=self.postfix,
        )

    @property
    def seen(self) -> bool:
        return self._shown is not None

    def write_again(self) -> None:
        """Writes a line if there is something to say."""
        if self.total is not None or self.done != (self._shown or 0):
            self._write()

    def _write(self) -> None:
        self._shown = self.done
        with contextlib.suppress(Exception):  # the work goes on if the log is full or closed, or no log at all
            sys.stderr.write(self.line() + "\n")
            sys.stderr.flush()


def _write_often(lines: weakref.ref[LogLines], told: SimpleQueue[None], ended: SimpleQueue[None]) -> None:
    """What the thread of a log does until it is told to end, or until an interrupt has lost what would tell it."""
    try:
        while True:
            with contextlib.suppress(Empty):
                told.get(timeout=LOG_SECONDS)
                return
            if (log := lines()) is None:
                return
            log.write_again()
            del log
    finally:
        ended.put(None)


def is_large(total: int | None) -> bool:
    """True if counts are shortened, such as 2.36M."""
    return total is None or total >= 10_000


Shown = Union["tqdm[Any]", LogLines]  # noqa: UP007, it is made when the module is read
"""What `bar` returns."""


def was_seen(shown: Shown) -> bool:
    """True if it has shown anything so far; ask before it ends. Short work writes no line to a log."""
    return shown.seen if isinstance(shown, LogLines) else True
