"""How a command makes its answers, writes them, in which formats and with which text for people, and where they go. Blind to the
game."""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import sys
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from itertools import islice
from typing import Any, BinaryIO, ClassVar, Generic, TextIO, TypeVar

import numpy as np

from backtrick.answer import SCHEMA, Answers, AnyAnswer, Grades
from backtrick.budget import DEAL_SECONDS, UNLIMITED, Budget
from backtrick.cli import streams
from backtrick.cli.arguments import given_of, rules_of
from backtrick.cli.headings import Heading
from backtrick.cli.input import Question, QuestionBatch
from backtrick.errors import UsageError
from backtrick.game import OUTCOMES, AnyGame, SolveOptions
from backtrick.games import opener_of
from backtrick.given import escaped
from backtrick.progress import Shown, bar, is_terminal
from backtrick.writing.columns import (
    IN_RECORDS,
    NO_TURN,
    UNKNOWN,
    AnswerColumns,
    AnyGrade,
    BestColumns,
    Columns,
    GradeColumns,
    SolveColumns,
    Turns,
    outcome_names,
    outcome_rows,
    record_line,
    value_word,
)
from backtrick.writing.formats import ARRAY, CSV, METADATA, RECORDS, ROWS, SPAN, TABLE, TEXT, GrowingArray, arrow, format_of

Item = TypeVar("Item")

# Questions answered


class Answering(ABC, Generic[Item]):
    """One run of a command that answers questions: it makes an item for each question, and columns or a text of items. Many are
    answered at once where nothing is limited or known, else they are written as they come.

    kind:    the columns that the answers can be written in; None if they have none
    blank:   what separates two texts for people
    columns: the columns that they are written in; None if each answer is written by itself
    every:   every outcome is shown, not only the best
    count:   how many turns there are is shown, not which
    sources: where the values are from is shown
    out:     where the answers go
    """

    kind: ClassVar[type[Columns] | None] = None
    blank: ClassVar[str] = ""
    asked: ClassVar[tuple[str, ...]] = ("position",)
    out: Output

    _own: Iterator[Sequence[Any]] | None = None

    def __init__(self, options: argparse.Namespace, form: str):
        given = vars(options)
        self.every, self.count, self.sources = given.get("all", False), given.get("count") is True, given.get("tables") is not None
        self.columns = None if form == TEXT or self.every else self.kind
        self.form, self._options = form, options
        self._game: AnyGame
        self._how: SolveOptions[Any, Any]

    @abstractmethod
    def items(self, asked: Sequence[Question]) -> Iterator[Item]:
        """The answer of each question, in order."""

    def of_arrays(self, positions: np.ndarray, turns: np.ndarray | None) -> Columns:
        """The answers of many questions in columns, if all values are searched for without limits."""
        raise NotImplementedError

    def of_items(self, items: Sequence[Item]) -> Columns:
        """Items in columns."""
        raise NotImplementedError

    @abstractmethod
    def text(self, item: Item) -> str:
        """An item by itself: for people, or as one or more rows, or a record."""

    def word(self, item: Item) -> str | None:
        """How the summary calls an item by itself, if it counts such items by their values."""
        return None

    def names(self, game: AnyGame) -> list[str]:
        """The names of the fields of an item by itself, as rows."""
        return outcome_names(game)

    def begin(self, game: AnyGame, heading: Heading | None = None) -> tuple[Any, bool]:
        """Called when the game is known. Returns its rules, and True if questions are read as arrays. Raises an error if the
        options do not fit the game. heading: of the table that is read."""
        self.out.heading, self.out.asked = heading or self.out.heading, self.asked
        wanted: Mapping[str, set[str]] = {} if self.kind is None else self.kind.wanted
        want = frozenset(wanted.get(CSV if self.out.is_table else self.form, set()) | ({OUTCOMES} if self.every else set()))
        self._game, self._how = game, (how := _solve_options(self._options, game, want))
        self.out.begin(game, how.rules)
        self.out.names = self.names(game) if self.columns is None else list(self.columns.types(game))
        unlimited = how.tablebase is None and how.budget == UNLIMITED
        return how.rules, unlimited and game.position_dtype is not None and self.columns is not None

    def answer(self, batch: QuestionBatch, shown: Shown) -> None:
        """Answers the good questions of a span. shown: the progress."""
        if batch.heading is not None:
            self.out.heading = batch.heading
        self._own = None if batch.rows is None else iter(batch.rows)
        if batch.positions is not None and len(batch.positions):
            self.out.write(self.of_arrays(batch.positions, batch.turns), batch.rows)
        elif batch.questions:
            self._answer_each(batch.questions, shown)
        self.out.flush()
        self.out.tally.bad += len(batch.failures)
        shown.update(len(batch.failures) + batch.count)

    def _answer_each(self, questions: Sequence[Question], shown: Shown) -> None:
        waiting, flushed = list[Any](), time.monotonic()
        try:
            for item in self.items(questions):
                waiting.append(item)
                shown.update(1)
                late = time.monotonic() - flushed > OFTEN  # a deal may take seconds
                if late or self.columns is None:
                    self._write(waiting)
                if late:
                    self.out.flush()
                    flushed = time.monotonic()
        finally:
            self._write(waiting)

    def _write(self, waiting: list[Any]) -> None:
        items, waiting[:] = waiting[:], []
        own = None if self._own is None else list(islice(self._own, len(items)))
        if items and self.columns is not None:
            self.out.write(self.of_items(items), own)
            return
        tally = self.out.tally
        for place, item in enumerate(items):
            if self.out.is_table:
                rows = [line.split("\t") for line in self.text(item).splitlines()]
                self.out.put_rows(rows, None if own is None else own[place])
            else:
                blank = self.blank if self.form == TEXT and tally.answered else ""
                text = f"{blank}{self.text(item)}".encode()
                self.out.put(self.out.with_own(text, None if own is None else [own[place]]))
            tally.count(self.word(item))


OFTEN = 0.2
"""Seconds after which answers that come one by one are flushed."""


class _Answers(Answering[AnyAnswer]):
    """What solve and best have in common."""

    kind: ClassVar[type[AnswerColumns]]

    def items(self, asked: Sequence[Question]) -> Iterator[AnyAnswer]:
        return self._game.answers([one.position for one in asked], self._how)

    def of_arrays(self, positions: np.ndarray, turns: np.ndarray | None) -> Columns:
        return self.kind(self._game.answer_array(positions, self._how), self.sources)

    def of_items(self, items: Sequence[AnyAnswer]) -> Columns:
        return self.kind(Answers.of(self._game, self._how.rules, items), self.sources)


GREEN, RED = 32, 31


def coloured(text: str) -> str:
    """An answer for people, wins in green and losses in red on a terminal that shows colours, unless NO_COLOR is set."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb" or not is_terminal(sys.stdout):
        return text
    colours = {"win": GREEN, "loss": RED}
    return re.sub(r"\b(win|loss)\b(?: in \d+)?", lambda found: f"\033[{colours[found[1]]}m{found[0]}\033[0m", text)


class Solve(_Answers):
    """Positions, their values, the best turn; a record has the principal line too."""

    kind = SolveColumns
    blank = "\n"

    def text(self, item: AnyAnswer) -> str:
        if self.form == TEXT:
            return coloured(item.words(self.every, self.sources)) + "\n"
        return record_line(item, True).decode() if self.form == RECORDS else "".join(outcome_rows(item))

    def word(self, item: AnyAnswer) -> str | None:
        return None if self.form == TEXT else value_word(self._game, item.bounds)


class Best(_Answers):
    """Positions and their best turns."""

    kind = BestColumns

    def text(self, item: AnyAnswer) -> str:
        best = item.best_text(NO_TURN)
        return f"{UNKNOWN}   {item.game.display.value_text(item.bounds)}\n" if best is None else best + "\n"


class GradeTurns(Answering[AnyGrade]):
    """Positions, turns, and what they were worth."""

    kind = GradeColumns
    asked = ("position", "turn")

    def items(self, asked: Sequence[Question]) -> Iterator[AnyGrade]:
        return self._game.grades([(one.position, one.turn) for one in asked], self._how, [one.played for one in asked])

    def of_arrays(self, positions: np.ndarray, turns: np.ndarray | None) -> Columns:
        assert turns is not None
        return GradeColumns(self._game.grade_array(positions, turns, self._how), self.sources)

    def of_items(self, items: Sequence[AnyGrade]) -> Columns:
        return GradeColumns(Grades.of(self._game, self._how.rules, items), self.sources)

    def text(self, item: AnyGrade) -> str:
        return coloured(f"{item}\n")


class ListTurns(Answering[Turns]):
    """Positions and every legal turn."""

    blank = "\n"

    def items(self, asked: Sequence[Question]) -> Iterator[Turns]:
        return (Turns(self._game, one.position, self._how.rules) for one in asked)

    def text(self, item: Turns) -> str:
        if self.form == RECORDS:
            return json.dumps(item.record(self.count)) + "\n"
        texts = [str(item.count())] if self.count else list(item.texts())
        if self.form == TEXT:
            return ("\n".join(texts) or NO_TURN) + "\n"
        return "".join(f"{item.position}\t{what}\n" for what in texts)

    def names(self, game: AnyGame) -> list[str]:
        return ["position", "count" if self.count else "turn"]


ANSWERING: Mapping[str, type[Answering[Any]]] = {"solve": Solve, "best": Best, "turns": ListTurns, "grade": GradeTurns}

# Where answers go


class Output:
    """Takes answers as they come, counts them, and writes them as lines: rows or records, or a table: rows with a heading.

    heading: of the table that was read; its columns stay with the answers
    names:   of the columns of the answers, once the game is known
    asked:   the columns of the user that were asked about
    """

    def __init__(self, form: str, put: Callable[[bytes], object], flush: Callable[[], None] = lambda: None):
        self._form, self.put, self.flush, self.tally = form, put, flush, Tally()
        self.heading: Heading | None = None
        self.names: list[str] = []
        self.asked: tuple[str, ...] = ()
        self._has_heading = False

    def begin(self, game: AnyGame, rules: Any) -> None:
        """Called once, as soon as the game is known. Raises `UsageError` if its answers cannot be written here."""

    @property
    def is_table(self) -> bool:
        """True if answers are rows below a heading."""
        return self._form == CSV or (self._form == ROWS and self.heading is not None and self.heading.types is None)

    def _columns(self) -> tuple[list[int], list[str]]:
        """The places of the user's columns that stay, and the names of those of the answers that come after them. An answer's
        column takes the place of one of the same name, except for what was asked about."""
        names = self.heading.names if self.heading else ()
        plain = [name.strip().lower() for name in names]
        new = [name for name in self.names if name not in self.asked or name not in plain]
        return [place for place, name in enumerate(plain) if name not in new], new

    def _put_heading(self) -> tuple[list[int], list[str]]:
        kept, new = self._columns()
        if not self._has_heading:
            self._has_heading = True
            if names := [*(self.heading.names[place] for place in kept), *new] if self.heading else new:
                self._put_lines(self._own_texts([names], range(len(names))))
        return kept, new

    def _own_texts(self, rows: Sequence[Sequence[Any]], kept: Sequence[int]) -> list[str]:
        """Some cells of each row, as a line of a table without its end."""
        cells = [["" if row[place] is None else self._cell(row[place]) for place in kept] for row in rows]
        if self._form != CSV:
            return ["\t".join(map(escaped, row)) for row in cells]
        lines = _Lines()
        csv.writer(lines).writerows(cells)  # each ends with \r\n, by which it knows what to put in quotes
        return [line[:-2] for line in lines]

    def _cell(self, value: Any) -> Any:
        """A value of a table of texts as a text: those of records are JSON. A lone surrogate, which has no bytes, is escaped."""
        typed = self.heading is not None and self.heading.types is not None
        if typed or value is None:
            return value
        text = value if isinstance(value, str) else json.dumps(value)
        return text if text.isascii() else text.encode(errors="backslashreplace").decode()

    def _put_lines(self, lines: Sequence[str]) -> None:
        self.put("".join(f"{line}\n" for line in lines).encode())

    def write(self, columns: Columns, own: Sequence[Sequence[Any]] | None = None) -> None:
        """Counts answers, and writes them in order. own: the rows of the table that they answer."""
        self.tally.add(columns)
        self.names = self.names or list(columns.types(columns.game))
        if not self.is_table:
            lines = columns.lines(self._form)
            self.put(self.with_own(lines, own))
            return
        kept, new = self._put_heading()
        sign = "," if self._form == CSV else "\t"
        lines_of = columns.table(new, sign)
        if own is not None:
            joint = sign if new else ""
            lines_of = [f"{mine}{joint}{line}" for mine, line in zip(self._own_texts(own, kept), lines_of, strict=True)]
        self._put_lines(lines_of)

    def put_rows(self, rows: Sequence[Sequence[str]], own: Sequence[Any] | None) -> None:
        """Writes the rows of one answer below a heading."""
        kept, new = self._put_heading()
        places = [self.names.index(name) for name in new]
        mine = [] if own is None else [own[place] for place in kept]
        every = [[*mine, *(row[place] for place in places)] for row in rows]
        self._put_lines(self._own_texts(every, range(len(kept) * (own is not None) + len(new))))

    def with_own(self, lines: bytes, own: Sequence[Sequence[Any]] | None) -> bytes:
        """Records with the user's columns behind the fields of the answer; other lines as they are."""
        if self._form != RECORDS or own is None or self.heading is None:
            return lines
        kept = [place for place, name in enumerate(self.heading.names) if name.strip().lower() not in {*self.names, *IN_RECORDS}]
        if not kept:
            return lines
        more = [json.dumps({self.heading.names[place]: row[place] for place in kept}, default=str)[1:].encode() for row in own]
        return b"".join(b"%s, %s\n" % (line[:-1], mine) for line, mine in zip(lines.splitlines(), more, strict=True))

    def end(self) -> None:
        """Called after the last answer."""
        if self.is_table:
            self._put_heading()

    def drop(self) -> None:
        """Called after an error: what was written is dropped."""


@contextmanager
def output(command: str, columns: type[Columns] | None, form: str, path: str | None) -> Iterator[Output]:
    """Yields where the answers of a command go: standard output, or a file.

    columns: that they are written from; None for lines only. Raises `UsageError` if the answers cannot be written in this format,
    and what `named_output` raises.
    """
    if path is None:
        out = Output(form, lambda text: streams.write(text.decode()), streams.flush)
        yield out
        out.end()
        return
    if form in (ARRAY, TABLE) and columns is None:
        raise UsageError(f"{path}: {command} writes rows (.txt, .tsv, .csv) and records (.jsonl, .json), nothing else")
    from backtrick.storage.atomic import named_output

    with named_output(path, seeks=form in (ARRAY, TABLE)) as file:
        out = Output(form, file.write, file.flush)
        if columns is not None and form in (ARRAY, TABLE):
            out = _Array(file, columns, path) if form == ARRAY else _Table(file, columns, path, command)
        try:
            yield out
            out.end()
        except BaseException:
            out.drop()
            raise


class _Lines(list[str]):
    """A file for `csv.writer` that keeps each line by itself."""

    write = list.append


class _Headed(Output):
    """A file of one game, which has a head: the game must be known when the file ends."""

    def __init__(self, file: BinaryIO, kind: type[Columns], path: str):
        super().__init__("", file.write)
        self._file, self._kind, self._path = file, kind, path
        self._opened: Any = None

    @property
    def is_table(self) -> bool:
        return False

    def end(self) -> None:
        if self._opened is None:
            raise UsageError(f"{self._path}: no question shows which game is meant; name it with --game")
        self._opened.close()


class _Array(_Headed):
    """A numpy array with one axis: the fields of a position, then those of the answer."""

    def begin(self, game: AnyGame, rules: Any) -> None:
        if game.position_dtype is None:
            raise UsageError(f"{self._path}: positions of {game.title} have no array form")
        self._opened = GrowingArray(self._file, np.dtype([*game.position_dtype.descr, *self._kind.fields(game)]))

    def write(self, columns: Columns, own: Sequence[Sequence[Any]] | None = None) -> None:
        self.tally.add(columns)
        positions, dtype = columns.positions, self._opened.dtype
        if positions.dtype == object:
            positions = columns.game.pack(positions.tolist())  # raises an error that says why one has no array form
        names = positions.dtype.names or ()
        array = np.empty(len(positions), dtype)
        for name in names:
            array[name] = positions[name]
        for name, column in zip((dtype.names or ())[len(names) :], columns.numbers(), strict=True):
            array[name] = column
        self._opened.append(array)


class _Table(_Headed):
    """Parquet: a row for each answer, with the names of its record as columns; a row group for each group of answers."""

    def __init__(self, file: BinaryIO, kind: type[Columns], path: str, command: str):
        super().__init__(file, kind, path)
        self._command = command
        self._waiting: list[Any] = []
        self._metadata: dict[bytes, str] = {}
        self._types: dict[str, Any] = {}

    def begin(self, game: AnyGame, rules: Any) -> None:
        pyarrow, parquet = arrow(self._path)
        types = {str: pyarrow.string(), int: pyarrow.int16(), bool: pyarrow.bool_(), list: pyarrow.list_(pyarrow.int16())}
        metadata = {"schema": SCHEMA, "command": self._command, "game": game.name, "rules": asdict(rules)}
        self._types = {name: types[cell] for name, cell in self._kind.types(game).items()}
        self._metadata = {METADATA: json.dumps(metadata)}

    def _open(self) -> list[int]:
        """Opens the writer, when the user's columns are known. Returns the places of those that stay."""
        pyarrow, parquet = arrow(self._path)
        kept, new = self._columns()
        if self._opened is None:
            names, given = (self.heading.names, self.heading.types) if self.heading else ((), ())
            columns = [(self._cell(names[place]), pyarrow.string() if given is None else given[place]) for place in kept]
            columns += [(name, self._types[name]) for name in new]
            self._opened = parquet.ParquetWriter(self._file, pyarrow.schema(columns, metadata=self._metadata))
        return kept

    def write(self, columns: Columns, own: Sequence[Sequence[Any]] | None = None) -> None:
        """Counts answers, and adds rows to the group that waits to be written."""
        self.tally.add(columns)
        self.names = self.names or list(columns.types(columns.game))
        pyarrow, _ = arrow(self._path)
        kept = self._open()
        schema, cells = self._opened.schema, columns.cells()
        every = [[self._cell(row[place]) for row in own or ()] for place in kept]
        every += [cells.get(one.name, [None] * len(columns)) for one in list(schema)[len(kept) :]]
        arrays = [pyarrow.array(column, one.type) for column, one in zip(every, schema, strict=True)]
        waiting = pyarrow.concat_tables([*self._waiting, pyarrow.table(arrays, schema=schema)])
        while len(waiting) >= SPAN:
            self._opened.write_table(waiting[:SPAN].combine_chunks())
            waiting = waiting[SPAN:]
        self._waiting = [waiting]

    def end(self) -> None:
        if self._types or self.heading:
            self._open()
        for rest in self._waiting:
            if len(rest):
                self._opened.write_table(rest.combine_chunks())
        super().end()

    def drop(self) -> None:
        if self._opened is not None:
            with suppress(Exception):  # an open writer tries again when it is collected, and complains
                self._opened.close()


# Format, progress, and counts

def form_of(options: argparse.Namespace, otherwise: str) -> str:
    """The format of the answers, from --output and --json. Raises `UsageError`."""
    form = otherwise if options.output is None else format_of(options.output)
    if options.json and options.output is not None and form != RECORDS:
        raise UsageError(f"--json is for standard output; the suffix of {options.output} says another format")
    return RECORDS if options.json else form


def progress_of(options: argparse.Namespace, unit: str, total: int | None, typed: bool = False) -> Shown:
    """The progress bar. It stays silent on a terminal that shows the answers or takes the questions, and in a log of answers.

    unit: empty for work without progress. typed: questions are read from standard input.
    """
    shown = options.output is None
    if is_terminal(sys.stderr):
        taken = (shown and is_terminal(sys.stdout)) or (typed and is_terminal(sys.stdin))
    else:
        taken = shown and _one_file(sys.stdout, sys.stderr)
    return bar(total, unit, unit, False if options.quiet or not unit or taken else None)


def _one_file(one: TextIO | None, other: TextIO | None) -> bool:
    """True if two streams go to the same place, as after 2>&1."""
    try:
        return one is not None and other is not None and os.path.sameopenfile(one.fileno(), other.fileno())
    except (OSError, ValueError):
        return False



def _solve_options(options: argparse.Namespace, game: AnyGame, want: frozenset[str]) -> SolveOptions[Any, Any]:
    limits = given_of(options, "limits", game.display.limits, game)
    rules, tables, tablebase = rules_of(options, game), getattr(options, "tables", None), None
    if tables is not None:
        tablebase = opener_of(game.name)(tables, rules)
        if not (tablebase.holds_any() or options.quiet):
            streams.say(f"{tables} holds no tables of {game.title} with these rules: every answer is searched for")
    budget = Budget(**limits) if limits else UNLIMITED
    of_deals = budget if {"nodes", "seconds"} & limits.keys() else replace(budget, seconds=DEAL_SECONDS) if limits else SHORT
    return SolveOptions(rules, budget, getattr(options, "workers", None), tablebase, want, of_deals)


SHORT = Budget(seconds=DEAL_SECONDS)
"""For a deal, where nothing limits the work."""


class Tally:
    """Counts the answered questions, the questions without an answer, and the answers by their values."""

    def __init__(self) -> None:
        self.answered, self.bad = 0, 0
        self._words = Counter[str]()
        self._began = time.monotonic()

    def add(self, columns: Columns) -> None:
        """Counts answers."""
        self.answered += len(columns)
        self._words.update(columns.tally())

    def count(self, word: str | None) -> None:
        """Counts an answer, by its value if it has a word."""
        self.answered += 1
        if word is not None:
            self._words[word] += 1

    def say(self, options: argparse.Namespace, seen: bool, done: str) -> None:
        """Prints the summary if progress was shown or a file was written; otherwise only how many could not be answered.

        done: the word for what was written
        """
        if options.quiet:
            return
        if not seen and options.output is None:
            if self.bad:
                streams.say(f"{self.bad} of {self.answered + self.bad} questions could not be answered")
            return
        bad = [f"{self.bad:,} could not be"] if self.bad else []
        parts = [f"{self.answered:,} {done}", *bad, f"{time.monotonic() - self._began:.1f} s"]
        told = [f"{word}: {count:,}" for word, count in self._words.most_common()]
        streams.say(", ".join(parts) + ("; " + ", ".join(told) if 0 < len(told) <= MOST_WORDS else ""))


MOST_WORDS = 8
