"""Lines of text, blind to the game: lines that are read, one by one or many at once; lines that are made of columns; tables for
people."""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

import backtrick._lines as _lines
from backtrick.errors import ArgumentError, FileError

SPAN = 1 << 11
"""Rows that are joined at once: few enough that they stay in the processor's cache."""

Item = TypeVar("Item")


class Line(NamedTuple):
    """A line, and its place for an error message: 'line 3'. Lines count from 1."""

    place: str
    text: str


@dataclass(slots=True)
class Lines(Generic[Item]):
    """The lines of some bytes, from the first to the last. Empty lines and lines that begin with # are skipped. Raises
    `ArgumentError` if they are UTF-16, which older PowerShells write.

    text: whole lines; before: how many lines came before them; made: what a line is given as, made of its place and its text
    at: the byte where the next line begins
    heading, rows: of records with fields of a user, the names of all fields and the values of each line (`backtrick.cli.headings`)

    >>> lines = Lines(b"\\n# a set\\n12 - -\\n\\n34 - -")
    >>> len(lines), lines.next(), lines.next(), lines.next(), len(lines), len(Lines(b"12 - -\\n"))
    (5, Line(place='line 3', text='12 - -'), Line(place='line 5', text='34 - -'), None, 0, 1)
    """

    text: bytes
    before: int = 0
    made: Callable[[str, str], Item] = Line  # type: ignore[assignment]
    at: int = 0
    heading: Any = None
    rows: Sequence[Sequence[Any]] = ()

    def __post_init__(self) -> None:
        if not self.before and self.text.startswith(BOM_UTF8):  # some editors begin a file with it
            self.at = len(BOM_UTF8)
        if not self.before and self.text.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raise ArgumentError("the text is UTF-16; write it as UTF-8, in PowerShell by Set-Content -Encoding utf8")

    def __len__(self) -> int:
        """The number of lines that are left, also of those that will be skipped."""
        return self.text.count(b"\n", self.at) + (self.at < len(self.text) and not self.text.endswith(b"\n"))

    def next(self) -> Item | None:
        """The next line; None if there is none."""
        while self.at < len(self.text):
            end = self.text.find(b"\n", self.at)
            end = len(self.text) if end < 0 else end
            line = self.text[self.at : end].rstrip(b"\r").decode(errors="replace")
            self.at, self.before = min(end + 1, len(self.text)), self.before + 1
            if line and not line.isspace() and not line.startswith("#"):
                return self.made(f"line {self.before}", line)
        return None

    def plain(self, game: Any, positions: np.ndarray, turns: np.ndarray | None, first: int, alone: bool = False) -> int:
        """Reads the lines from here on that are written plainly into the arrays, from row `first`; returns the rows filled. game:
        its `read_plain` reads. alone: nothing may stand behind a position."""
        count: int
        count, self.at = game.read_plain(self.text, self.at, positions, turns, first, turns is None and not alone)
        self.before += count - first
        return count


def lines_in(path: object, text: bytes) -> Lines[Line]:
    """The lines of what a file holds. Raises `FileError`."""
    try:
        return Lines(text)
    except ArgumentError as error:
        raise FileError(str(path), str(error)) from None


def join_columns(*columns: np.ndarray | bytes, count: int) -> bytes:
    """Rows of text from columns, as bytes: in each row the texts of all columns, one after another.

    columns: arrays of dtype S, shape (count,), or the same text for all rows. No text holds a zero byte.

    >>> join_columns(np.array([b"one", b"two"]), b"\\t", np.array([b"1", b"22"]), b"\\n", count=2)
    b'one\\t1\\ntwo\\t22\\n'
    """
    parts = [np.asarray(column) for column in columns if len(column)]
    rows = np.empty(min(count, SPAN), [(f"f{place}", part.dtype) for place, part in enumerate(parts)])
    text, texts = np.empty(rows.nbytes, np.uint8), []
    for start in range(0, count, SPAN):
        some = rows[: count - start]
        for place, part in enumerate(parts):
            some[f"f{place}"] = part[start : start + len(some)] if part.ndim else part
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


def size_text(size: float) -> str:
    """Bytes for people.

    >>> size_text(300), size_text(5_000_000), size_text(1 << 30), size_text(26_115_816_714_240)
    ('0.0 MiB', '4.8 MiB', '1.0 GiB', '23.8 TiB')
    """
    for unit, places in (("TiB", 40), ("GiB", 30)):
        if size >= 1 << places:
            return f"{size / (1 << places):,.1f} {unit}"
    return f"{size / (1 << 20):,.1f} MiB"


def time_text(seconds: float) -> str:
    """A time for people.

    >>> time_text(0.04), time_text(120), time_text(455.1), time_text(17_000), time_text(857_702)
    ('0.0 s', '2.0 min', '7.6 min', '4.7 h', '9.9 days')
    """
    for unit, each in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * each:
            return f"{seconds / each:,.1f} {unit}"
    return f"{seconds:,.1f} s"
