"""Progress for people: a bar on a terminal, or a line every few seconds in a log. Work that is soon done shows nothing."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from types import TracebackType
from typing import Any, Union

from tqdm import tqdm

EVERY = 5.0
"""Seconds between two lines of a log, and before the first one. Most work takes less and writes no line."""

THREAD = "progress"


def bar(total: int | None, what: str, unit: str, shown: bool | None = None, *, inner: bool = False) -> Shown:
    """Shows how far some work is: a context manager with `update(count)`.

    total: how many `unit`s there are, None if it is not known. shown: None for a bar on a terminal and lines elsewhere, True
    for a bar anywhere, False for nothing. inner: a bar within another one; it disappears at the end, and a log omits it.
    """
    watched = sys.stderr is not None and sys.stderr.isatty()
    if shown is None and not watched and not inner:
        return Lines(total, what, unit)
    hidden = not (watched if shown is None else shown)
    return tqdm(total=total, desc=what, unit=f" {unit}", unit_scale=True, disable=hidden, leave=not inner)


class Lines:
    """A line on standard error every few seconds, and a last one at the end if there was any.

    If the total is known, lines appear also while nothing is finished.
    """

    def __init__(self, total: int | None, what: str, unit: str):
        self.total, self.what, self.unit = total, what, unit
        self.done, self.postfix = 0, ""
        self.began = time.monotonic()
        self._said: int | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._speak, name=THREAD, daemon=True)

    def __enter__(self) -> Lines:
        self._thread.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()
        if self._said is not None:
            self._say(self.line(over=True))

    def update(self, count: int = 1) -> None:
        """Says that `count` more are done."""
        self.done += count

    def set_postfix_str(self, text: str) -> None:
        """Sets the text at the end of each line from now on."""
        self.postfix = text

    def line(self, over: bool = False) -> str:
        """The line that describes the work now."""
        seconds = time.monotonic() - self.began
        parts = [f"{self.what}: {self.done:,}" + (f" {self.unit}" if self.total is None else f" of {self.total:,} {self.unit}")]
        if self.total is not None:
            parts.append(f"{self.done / self.total if self.total else 1:.0%}".replace("%", " %"))
        parts.append(f"{seconds:.0f} s" + " so far" * (not over))
        if self.total and 0 < self.done < self.total and seconds >= 1 and not over:
            parts.append(f"{seconds * (self.total - self.done) / self.done:.0f} s left")
        return ", ".join([*parts, *([self.postfix] if self.postfix else [])])

    @property
    def said(self) -> bool:
        """True if there was a line."""
        return self._said is not None

    def _speak(self) -> None:
        while not self._over.wait(EVERY):
            if self.total is not None or self.done != (self._said or 0):
                self._said = self.done
                self._say(self.line())

    def _say(self, line: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # the work goes on if the log is full or closed
            if sys.stderr is not None:
                sys.stderr.write(line + "\n")
                sys.stderr.flush()


Shown = Union["tqdm[Any]", Lines]  # noqa: UP007, it is made when the module is read
"""What `bar` returns."""


def was_seen(shown: Shown) -> bool:
    """True if people have seen it so far, asked before it ends: work that is soon done says nothing in a log."""
    return shown.said if isinstance(shown, Lines) else not shown.disable
