"""Progress for people: a bar on a terminal, or a line every few seconds in a log. Work that is soon done shows nothing."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from tqdm import tqdm  # it takes a quarter of the time of `import numpy`, so it is imported when something is shown

EVERY = 5.0
"""Seconds between two lines of a log, and before the first one. Most work takes less and writes no line."""

THREAD = "progress"


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
    """Shows how far some work is: a context manager with `update(count)`.

    total: the number of `unit`s, a plural; None if it is not known. shown: None for a bar on a terminal and lines elsewhere, True
    for a bar anywhere, False for nothing. inner: a bar within another one; it disappears at the end, and a log omits it. leave:
    False for a bar that disappears at the end.
    estimate_after: units after which a log estimates the time left.
    """
    terminal = sys.stderr is not None and sys.stderr.isatty()
    if shown or (shown is None and terminal):
        from tqdm import tqdm

        return tqdm(total=total, desc=what, unit=f" {unit}", unit_scale=is_large(total), leave=leave and not inner)
    return LogLines(total, what, unit, estimate_after, hidden=shown is False or inner)


class LogLines:
    """A line on standard error every few seconds, and a last one at the end if there was any. hidden: none at all.

    If the total is known, lines appear also while nothing is finished.
    """

    def __init__(self, total: int | None, what: str, unit: str, estimate_after: int = 0, hidden: bool = False):
        self.total, self.what, self.unit, self.estimate_after, self.hidden = total, what, unit, estimate_after, hidden
        self.done, self.postfix = 0, ""
        self.began = time.monotonic()
        self._shown: int | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._write_often, name=THREAD, daemon=True)

    def __enter__(self) -> LogLines:
        if not self.hidden:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self.hidden:
            self._over.set()
            self._thread.join()
            if self._shown is not None:
                self._write()

    def update(self, count: int = 1) -> None:
        """Adds `count` to what is done."""
        self.done += count

    def set_postfix_str(self, text: str) -> None:
        """Sets the text at the end of each line from now on."""
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
        """True if there was a line."""
        return self._shown is not None

    def _write_often(self) -> None:
        while not self._over.wait(EVERY):
            if self.total is not None or self.done != (self._shown or 0):
                self._write()

    def _write(self) -> None:
        self._shown = self.done
        with contextlib.suppress(OSError, ValueError):  # the work goes on if the log is full or closed
            if sys.stderr is not None:
                sys.stderr.write(self.line() + "\n")
                sys.stderr.flush()


def is_large(total: int | None) -> bool:
    """True if counts are shortened, such as 2.36M."""
    return total is None or total >= 10_000


Shown = Union["tqdm[Any]", LogLines]  # noqa: UP007, it is made when the module is read
"""What `bar` returns."""


def was_seen(shown: Shown) -> bool:
    """True if people have seen it so far, asked before it ends: work that is soon done writes no line in a log."""
    return shown.seen if isinstance(shown, LogLines) else True
