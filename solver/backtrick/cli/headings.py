"""Tables that are read: lines with a heading, as CSV, with tabs or with semicolons, Parquet, and records with fields of a user. A
user's own columns stay with the answers."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from backtrick.errors import StorageError, StreamError, shortened
from backtrick.lines import Line, Lines
from backtrick.writing.formats import SPAN

POSITION, TURNS = "position", ("turn", "best")
"""The columns that are read; the first of the two that is there names the turn."""

Chunk = tuple[bytes, int]
"""Whole lines, and how many lines came before them."""


class Heading(NamedTuple):
    """The names of the columns of a table, and the places of those that are read. types: of pyarrow; None for texts.

    >>> Heading.of(["id", "Position", "best"])
    Heading(names=('id', 'Position', 'best'), position=1, turn=2, types=None)
    """

    names: tuple[str, ...]
    position: int
    turn: int | None
    types: tuple[Any, ...] | None = None

    @classmethod
    def of(cls, names: Sequence[str], types: Sequence[Any] | None = None) -> Heading:
        """Raises `ValueError`, with a sentence, if a column that is read is missing, or is there more than once."""
        plain = [name.strip().lower() for name in names]
        for name in (POSITION, *TURNS):
            if plain.count(name) > 1:
                raise ValueError(f"has more than one column {name!r}")
        if POSITION not in plain:
            raise ValueError(f"has no column {POSITION!r}")
        turn = next((plain.index(name) for name in TURNS if name in plain), None)
        return cls(tuple(names), plain.index(POSITION), turn, None if types is None else tuple(types))


class TableSpan:
    """Rows of a table, as a span of queries (`backtrick.cli.input.QuerySpan`).

    rows: all cells. made: makes a query of a place, a text and the cells that are read. place: names a row by its number here
    game: the name of the game, if the file has it
    """

    def __init__(
        self, heading: Heading, rows: Sequence[Sequence[Any]], made: Callable[..., Any], place: Callable[[int], str],
        game: str | None = None,
    ):  # fmt: skip
        self.heading, self.rows, self._made, self._place, self._game = heading, rows, made, place, game
        self._at, self._byte = 0, 0
        self._text: bytes | None = None

    def __len__(self) -> int:
        return len(self.rows) - self._at

    def next(self) -> Any:
        if not len(self):
            return None
        row, turn = self.rows[self._at], self.heading.turn
        position = row[self.heading.position]
        cells = position, None if turn is None else row[turn], self._game
        query = self._made(self._place(self._at), position or "", cells)
        self._at += 1
        if self._text is not None:
            self._byte = self._text.find(b"\n", self._byte) + 1 or len(self._text)
        return query

    def plain(self, game: Any, positions: np.ndarray, turns: np.ndarray | None, first: int) -> int:
        if (turns is not None and self.heading.turn is None) or self._game not in (None, game.name):
            return first
        if self._text is None:
            self._text = self._lines(turns is not None)
        count: int
        count, self._byte = game.read_plain(self._text, self._byte, positions, turns, first, False)
        self._at += count - first
        return count

    def _lines(self, with_turns: bool) -> bytes:
        """Lines of the rows that are left; where a cell is not one line of text, the kernel stops."""
        places = [self.heading.position, *([self.heading.turn] if with_turns else [])]
        lines = ("\t".join(_one_line(row[place]) for place in places if place is not None) for row in self.rows[self._at :])
        return "\n".join(lines).encode()


def _one_line(cell: Any) -> str:
    return cell if isinstance(cell, str) and "\n" not in cell else "?"


def heading_of(text: bytes, signs: str = "\t;,") -> tuple[str, Heading, int] | None:
    """The sign between cells, the heading, and the number of lines up to it, if the first line of a text is a heading. signs:
    those that may be, the most likely first. Raises `ValueError` as `Heading.of`.

    >>> heading_of(b"# mine\\nid;position\\n")
    (';', Heading(names=('id', 'position'), position=1, turn=None, types=None), 2)
    >>> heading_of(b"27^40v:17,18 13^50v:5,12\\n") is None
    True
    """
    lines: Lines[Line] = Lines(text)
    line = lines.next()
    if line is None:
        return None
    for sign in signs:
        try:
            [names] = csv.reader([line.text], delimiter=sign)
        except csv.Error:  # a return in the middle of a line, or a hundred thousand characters without the sign
            continue
        if POSITION in [name.strip().lower() for name in names]:
            return sign, Heading.of(names), lines.before
    return None


def fields_of(text: bytes, known: Container[str]) -> Heading | None:
    """The fields of the records of a text, if the first line is a record with a position, and any has a field that is not known.

    >>> fields_of(b'{"position": "12 34 56"}\\n{"position": "12 34 56", "id": 7}', ["position"])
    Heading(names=('position', 'id'), position=0, turn=None, types=None)
    """
    records = [record for _, record in _records(Lines(text))]
    names = dict.fromkeys(name for record in records for name in record)
    if not records or POSITION not in records[0] or all(name in known for name in names):
        return None
    return Heading.of([*names])


def cells_of(text: bytes, before: int, heading: Heading, name: str) -> list[list[Any]]:
    """The values of each record, in the order of the heading. Raises `StorageError` for a field that it does not have."""
    rows = []
    for line, record in _records(Lines(text, before)):
        if more := [field for field in record if field not in heading.names]:
            problem = f"the field {shortened(more[0])!r} is new here: the first records name the columns"
            raise StorageError(name or "standard input", f"{line.place}: {problem}")
        rows.append([record.get(field) for field in heading.names])
    return rows


def _records(lines: Lines[Line]) -> Iterator[tuple[Line, dict[str, Any]]]:
    """Each line, as a record; an empty one if it is none."""
    while (line := lines.next()) is not None:
        try:
            record = json.loads(line.text)
        except (ValueError, RecursionError):
            record = None
        yield line, record if isinstance(record, dict) else {}


def table_spans(
    chunks: Iterator[Chunk], sign: str, heading: Heading, skipped: int, made: Callable[..., Any], name: str
) -> Iterator[TableSpan]:
    """The rows after the heading, as they come. skipped: the lines up to the heading. name: of the file, for errors."""
    left, number, ended = 0, skipped + 1, 0

    def lines() -> Iterator[str]:
        nonlocal left
        for text, before in chunks:
            whole = text.decode(errors="replace").split("\n")
            whole = whole[:-1] if not whole[-1] else whole
            whole = whole[max(skipped - before, 0) :]
            for place, line in enumerate(whole, 1):
                left = len(whole) - place
                yield line.removesuffix("\r") + "\n"

    reader = csv.reader(lines(), delimiter=sign, quoting=csv.QUOTE_NONE if sign == "\t" else csv.QUOTE_MINIMAL)
    rows: list[list[str]] = []
    places: list[int] = []
    try:
        for row in reader:
            number, ended = skipped + ended + 1, reader.line_num
            if row and not row[0].startswith("#") and any(row):
                if len(row) > len(heading.names):
                    raise ValueError(f"{len(row)} cells, and the heading has {len(heading.names)}")
                rows.append(row + [""] * (len(heading.names) - len(row)))
                places.append(number)
            if left == 0 or len(rows) == SPAN:
                yield TableSpan(heading, rows, made, _names_lines(places))
                rows, places = [], []
    except (csv.Error, ValueError) as error:
        number = skipped + ended + 1 if isinstance(error, csv.Error) else number
        sentence = f"line {number}: {shortened(str(error))}"
        raise (StorageError(name, sentence) if name else StreamError(sentence)) from None
    yield TableSpan(heading, rows, made, _names_lines(places))


def _names_lines(places: list[int]) -> Callable[[int], str]:
    return lambda place: f"line {places[place]}"
