"""Text, blind to the game: one line of notation that is read, many lines at once, columns that become text, tables for people."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from backtrick import _lines
from backtrick.errors import NotationError, WrongTypeError

BLANKS = " \t"
DIGITS = "0123456789"
LONGEST_NUMBER = 3


class Cursor:
    """A place in a text that is being read. Every error names its column.

    >>> cursor = Cursor("position", " 27 ^")
    >>> cursor.number(), cursor.take("^"), cursor.at_end()
    (27, True, True)
    """

    def __init__(self, what: str, text: str):
        if not isinstance(text, str):
            raise WrongTypeError(f"a {what} is parsed from a str, not from {type(text).__name__}")
        self.what, self.text, self.place = what, text, 0

    def fail(self, problem: str) -> NotationError:
        """The error that says what is wrong here. The caller raises it."""
        return NotationError(self.what, self.text, self.place + 1, problem)

    def skip_blanks(self) -> bool:
        """Steps over blanks. True if there was at least one."""
        start = self.place
        while self.place < len(self.text) and self.text[self.place] in BLANKS:
            self.place += 1
        return self.place > start

    def at_end(self) -> bool:
        """True if only blanks are left."""
        self.skip_blanks()
        return self.place == len(self.text)

    def end(self, expected: str = "the end") -> None:
        """Raises `NotationError` unless only blanks are left."""
        if not self.at_end():
            raise self.fail(f"expected {expected}, found {self.found()}")

    def sees_number(self) -> bool:
        """True if the next character is a digit."""
        return self.place < len(self.text) and self.text[self.place] in DIGITS

    def take(self, symbol: str) -> bool:
        """Steps over `symbol` if it comes next. True if it did."""
        if self.text.startswith(symbol, self.place):
            self.place += len(symbol)
            return True
        return False

    def expect(self, symbol: str) -> None:
        """Steps over `symbol`, which must come next. Raises `NotationError`."""
        if not self.take(symbol):
            raise self.fail(f"expected {symbol!r}, found {self.found()}")

    def found(self) -> str:
        """What comes next, in words for a sentence."""
        return repr(self.text[self.place]) if self.place < len(self.text) else "the end"

    def number(self) -> int:
        """Reads a whole number; blanks on both sides are allowed. Raises `NotationError`."""
        self.skip_blanks()
        start = self.place
        while self.sees_number():
            self.place += 1
        digits = self.text[start : self.place]
        if not digits:
            raise self.fail(f"expected a number, found {self.found()}")
        if len(digits) > LONGEST_NUMBER or (digits[0] == "0" and len(digits) > 1):
            self.place = start
            raise self.fail("a number is written with at most three digits and no leading zero")
        self.skip_blanks()
        return int(digits)

    def last_number(self) -> int:
        """Reads a whole number with which the text ends. Raises `NotationError`."""
        number = self.number()
        self.end()
        return number


STRETCH = 1 << 11
"""Rows that are joined at once: few enough that they stay near the processor."""

Item = TypeVar("Item")


class Line(NamedTuple):
    """A line, and its place for an error message: 'line 3'. Lines count from 1."""

    place: str
    text: str


@dataclass(slots=True)
class Lines(Generic[Item]):
    """The lines of some bytes, from the first to the last. Empty lines and lines that begin with # are passed over.

    text: whole lines; before: how many lines came before them; made: what a line is given as, made of its place and its text
    at: the byte where the next line begins

    >>> lines = Lines(b"# a set\\n12 - -\\n\\n34 - -")
    >>> lines.next(), lines.next(), lines.next()
    (Line(place='line 2', text='12 - -'), Line(place='line 4', text='34 - -'), None)
    """

    text: bytes
    before: int = 0
    made: Callable[[str, str], Item] = Line  # type: ignore[assignment]
    at: int = 0

    def __post_init__(self) -> None:
        if not self.before and self.text.startswith(BOM_UTF8):  # some editors begin a file with it
            self.at = len(BOM_UTF8)

    def __len__(self) -> int:
        """The number of lines that are left, also of those that will be passed over."""
        return self.text.count(b"\n", self.at) + (self.at < len(self.text) and not self.text.endswith(b"\n"))

    def peek(self) -> Item | None:
        """The next line; None if there is none. It stays the next one."""
        while self.at < len(self.text):
            line = self.text[self.at : self._end()].rstrip(b"\r").decode(errors="replace")
            if line and not line.isspace() and not line.startswith("#"):
                return self.made(f"line {self.before + 1}", line)
            self._step()
        return None

    def next(self) -> Item | None:
        """The next line; None if there is none."""
        line = self.peek()
        if line is not None:
            self._step()
        return line

    def plain(self, game: Any, positions: np.ndarray, turns: np.ndarray | None, first: int, alone: bool = False) -> int:
        """Reads the lines from here on that are written plainly into the arrays, from row `first`; returns the rows filled. game:
        its `read_plain` reads. alone: nothing may stand behind a position."""
        count: int
        count, self.at = game.read_plain(self.text, self.at, positions, turns, first, turns is None and not alone)
        self.before += count - first
        return count

    def _end(self) -> int:
        end = self.text.find(b"\n", self.at)
        return len(self.text) if end < 0 else end

    def _step(self) -> None:
        self.at = min(self._end() + 1, len(self.text))
        self.before += 1


def join_columns(*columns: np.ndarray | bytes, count: int) -> bytes:
    """Rows of text from columns, as bytes: in each row the texts of all columns, one after another.

    columns: arrays of dtype S, shape (count,), or the same text for all rows. No text holds a zero byte.

    >>> join_columns(np.array([b"one", b"two"]), b"\\t", np.array([b"1", b"22"]), b"\\n", count=2)
    b'one\\t1\\ntwo\\t22\\n'
    """
    parts = [np.asarray(column) for column in columns if len(column)]
    rows = np.empty(min(count, STRETCH), [(f"f{place}", part.dtype) for place, part in enumerate(parts)])
    text, texts = np.empty(rows.nbytes, np.uint8), []
    for start in range(0, count, STRETCH):
        some = rows[: count - start]
        for name, part in zip(rows.dtype.names or (), parts, strict=True):
            some[name] = part[start : start + len(some)] if part.ndim else part
        texts.append(text[: _lines.squeeze(some.view(np.uint8).reshape(-1), text)].tobytes())
    return b"".join(texts)


def table_text(rows: Sequence[Sequence[object]], indent: str = "  ") -> str:
    """Rows in aligned columns, with numbers to the right.

    >>> print(table_text([("turn", "ways"), ("18^ 17^", 2)]))
      turn     ways
      18^ 17^     2
    """
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows, strict=True)]
    right = [isinstance(cell, int) for cell in rows[-1]]
    lines = (
        "  ".join(
            f"{cell:>{width}}" if aside else f"{cell:<{width}}"
            for cell, width, aside in zip(map(str, row), widths, right, strict=True)
        )
        for row in rows
    )
    return "\n".join((indent + line).rstrip() for line in lines)
