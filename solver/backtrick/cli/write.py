"""How a command makes its answers, writes them, in which formats and with which text for people, and where they go. Blind to the
game."""

from __future__ import annotations

import argparse
import json
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from typing import Any, BinaryIO, ClassVar, Generic, TypeVar

import numpy as np

from backtrick.answer import SCHEMA, Answers, Bounds, Grades, Outcome
from backtrick.cli import streams
from backtrick.cli.arguments import given_of, rules_of
from backtrick.cli.read import Batch, Question
from backtrick.errors import StorageError, UsageError
from backtrick.formats import ARRAY, GROUP, METADATA, RECORDS, TABLE, TEXT, GrowingArray, arrow
from backtrick.game import OUTCOMES, SolveOptions
from backtrick.games import AnyGame, opener_of
from backtrick.text import table_text
from backtrick.work import DEAL_SECONDS, UNLIMITED, Budget, Shown
from backtrick.writer import (
    NO_TURN,
    UNKNOWN,
    AnswerColumns,
    AnyAnswer,
    AnyGrade,
    BestColumns,
    Columns,
    GradeColumns,
    Pair,
    SolveColumns,
    Turns,
    outcome_rows,
    record_line,
)

AnyOptions = SolveOptions[Any, Any]
Item = TypeVar("Item")

# What a command answers


class Form(ABC, Generic[Item]):
    """How a command answers, in one format: it makes an item for each question, and columns or a text of items.

    every:   show every outcome, not only the best
    count:   show how many turns there are, not which
    sources: show where the values are from

    kind:    the columns that the answers can be written in; None if they have none
    columns: those that they are written in; None if each answer is written by itself
    want:    the parts of an answer that are needed, for `SolveOptions.want`
    blank:   what separates two texts for people
    """

    kind: ClassVar[type[Columns] | None] = None
    blank: ClassVar[str] = ""

    def __init__(self, shape: str, every: bool = False, count: bool = False, sources: bool = False):
        self.shape, self.every, self.count, self.sources = shape, every, count, sources
        self.columns = None if shape == TEXT or every else self.kind
        wanted: Mapping[str, set[str]] = {} if self.kind is None else self.kind.wanted
        self.want = frozenset(wanted.get(shape, set()) | ({OUTCOMES} if every else set()))

    @abstractmethod
    def items(self, game: AnyGame, asked: Sequence[Question], options: AnyOptions) -> Iterator[Item]:
        """The answer of each question, in order."""

    def of_arrays(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, options: AnyOptions) -> Columns:
        """The answers of many questions in columns, if all values are searched for without limits."""
        raise NotImplementedError

    def of_items(self, game: AnyGame, rules: Any, items: Sequence[Item]) -> Columns:
        """Items in columns."""
        raise NotImplementedError

    @abstractmethod
    def text(self, item: Item) -> str:
        """An item by itself: for people, or as one or more rows, or a record."""


class _Answers(Form[AnyAnswer]):
    """The forms of solve and best."""

    kind: ClassVar[type[AnswerColumns]]

    def items(self, game: AnyGame, asked: Sequence[Question], options: AnyOptions) -> Iterator[AnyAnswer]:
        return game.answers([one.position for one in asked], options)

    def of_arrays(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, options: AnyOptions) -> Columns:
        return self.kind(game.answer_array(positions, options), self.sources)

    def of_items(self, game: AnyGame, rules: Any, items: Sequence[AnyAnswer]) -> Columns:
        return self.kind(Answers.of(game, rules, items), self.sources)


class SolveForm(_Answers):
    """Positions, their values, the best turn; a record has the principal line too."""

    kind = SolveColumns
    blank = "\n"

    def text(self, item: AnyAnswer) -> str:
        if self.shape == TEXT:
            return solve_text(item, self.every, self.sources)
        return record_line(item, True).decode() if self.shape == RECORDS else "".join(outcome_rows(item))


class BestForm(_Answers):
    """Positions and their best turns."""

    kind = BestColumns

    def text(self, item: AnyAnswer) -> str:
        best = item.best_text(NO_TURN)
        return f"{UNKNOWN}   {item.game.show.value_text(item.bounds)}\n" if best is None else best + "\n"


class GradeForm(Form[AnyGrade]):
    """Positions, turns, and what they were worth."""

    kind = GradeColumns

    def items(self, game: AnyGame, asked: Sequence[Question], options: AnyOptions) -> Iterator[AnyGrade]:
        return game.grades([(one.position, one.turn) for one in asked], options, [one.played for one in asked])

    def of_arrays(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, options: AnyOptions) -> Columns:
        assert turns is not None
        return GradeColumns(game.grade_array(positions, turns, options), self.sources)

    def of_items(self, game: AnyGame, rules: Any, items: Sequence[AnyGrade]) -> Columns:
        return GradeColumns(Grades.of(game, rules, items), self.sources)

    def text(self, item: AnyGrade) -> str:
        answer, words = item.answer, item.answer.game.show.value_text
        value = words(answer.bounds)
        if not answer.solved:
            return f"{value}\n"
        if item.optimal is not False or item.worth is None:
            return f"{item.verdict}: {value}\n"
        after = words(Bounds(item.worth, item.worth))
        return f"{item.verdict}: {after}; best {answer.best_text(NO_TURN, UNKNOWN)}: {value}\n"


class TurnsForm(Form[Turns]):
    """Positions and every legal turn."""

    blank = "\n"

    def items(self, game: AnyGame, asked: Sequence[Question], options: AnyOptions) -> Iterator[Turns]:
        return (Turns(game, one.position, options.rules) for one in asked)

    def text(self, item: Turns) -> str:
        if self.shape == RECORDS:
            return json.dumps(item.record(self.count)) + "\n"
        texts = [str(item.count())] if self.count else item.texts()
        if self.shape == TEXT:
            return ("\n".join(texts) or NO_TURN) + "\n"
        return "".join(f"{item.position}\t{what}\n" for what in texts)


FORMS: Mapping[str, type[Form[Any]]] = {"solve": SolveForm, "best": BestForm, "turns": TurnsForm, "grade": GradeForm}

NOT_FOUND = "not found within the limits"


def solve_text(answer: AnyAnswer, every: bool, sources: bool) -> str:
    """The answer of solve for people: value, best turn, principal line; with `every` also a line for each outcome."""
    game = answer.game
    facts = [("value", game.show.value_text(answer.bounds))]
    if sources:
        facts.append(("source", answer.source))
    best = answer.best_text("", UNKNOWN)
    if not best:
        facts.append(("best", game.show.over_text(answer.position)))
    elif answer.solved:
        share = ""
        if answer.optimal is not None:
            share = f"   ({answer.optimal} of {game.count_outcomes(answer.position, answer.rules)} outcomes)"
        facts.append(("best", NOT_FOUND if best == UNKNOWN else f"{best}{share}"))
        steps = () if answer.line is None else answer.steps()
        line = " | ".join(f"{turn} {points:+}" if points else str(turn) for turn, points, _ in steps)
        facts.append(("line", NOT_FOUND if answer.line is None else line))
    text = f"{answer.position}\n{table_text(facts)}"
    if every and answer.outcomes:
        rows = [_outcome_text(answer, outcome) for outcome in answer.outcomes]
        text += "\n\n" + table_text([("value", "turn", game.show.outcome_field, "next position, its mover first"), *rows])
    return text + "\n"


def _outcome_text(answer: AnyAnswer, outcome: Outcome[Any, Any]) -> tuple[object, ...]:
    shown: object = outcome.ways
    if answer.game.show.outcome_field == "points":
        shown = f"{outcome.points:+}" if outcome.points else "0"
    after = "the game is over" if outcome.position is None else outcome.position
    known = outcome.bounds
    value = answer.game.show.value_text(known) if known.solved else answer.game.show.value_row(known)[0]
    return value, outcome.turn, shown, after


# Where answers go


class Output:
    """Takes answers as they come, and writes them as lines: rows or records."""

    def __init__(self, shape: str, put: Callable[[bytes], object], flush: Callable[[], None] = lambda: None):
        self._shape, self.put, self.flush = shape, put, flush

    def begin(self, game: AnyGame, rules: Any) -> None:
        """Called once, as soon as the game is known. Raises `UsageError` if its answers cannot be written here."""

    def write(self, columns: Columns) -> None:
        """Writes answers, in order."""
        self.put(columns.lines(self._shape))

    def end(self) -> None:
        """Called after the last answer."""

    def drop(self) -> None:
        """Called after an error: what was written is thrown away."""


@contextmanager
def output(command: str, columns: type[Columns] | None, shape: str, path: str | None) -> Iterator[Output]:
    """Yields where the answers of a command go: standard output, or a file that appears only if all goes well.

    columns: that they are written from; None for lines only. Raises `UsageError` if the answers cannot be written in this format,
    and `StorageError` if the file cannot be written.
    """
    if path is None:
        yield Output(shape, lambda text: streams.write(text.decode()), streams.flush)
        return
    if shape in (ARRAY, TABLE) and columns is None:
        raise UsageError(f"{path}: {command} writes rows (.txt, .tsv) and records (.jsonl, .json), nothing else")
    from pathlib import Path

    from backtrick.storage.atomic import whole_file

    target = Path(path).resolve()  # a link stays, and its target is replaced
    if target.exists() and not target.is_file():
        raise StorageError(path, "cannot be written: it is not a file")
    with whole_file(target) as temporary, temporary.open("wb") as file:
        out = Output(shape, file.write)
        if columns is not None and shape in (ARRAY, TABLE):
            out = _Array(file, columns, path) if shape == ARRAY else _Table(file, columns, path, command)
        try:
            yield out
            out.end()
        except BaseException:
            out.drop()
            raise


class _Headed(Output):
    """A file of one game, which has a head: the game must be known when the file ends."""

    def __init__(self, file: BinaryIO, kind: type[Columns], path: str):
        super().__init__("", file.write)
        self._file, self._kind, self._path = file, kind, path
        self._opened: Any = None

    def end(self) -> None:
        if self._opened is None:
            raise UsageError(f"{self._path}: there was no question to tell the game by; name it with --game")
        self._opened.close()


class _Array(_Headed):
    """A numpy array with one axis: the fields of a position, then those of the answer."""

    def begin(self, game: AnyGame, rules: Any) -> None:
        if game.position_dtype is None:
            raise UsageError(f"{self._path}: positions of {game.title} have no array form")
        self._opened = GrowingArray(self._file, np.dtype([*game.position_dtype.descr, *self._kind.fields(game)]))

    def write(self, columns: Columns) -> None:
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

    def begin(self, game: AnyGame, rules: Any) -> None:
        pyarrow, parquet = arrow(self._path)
        types = {str: pyarrow.string(), int: pyarrow.int16(), bool: pyarrow.bool_(), list: pyarrow.list_(pyarrow.int16())}
        metadata = {"schema": SCHEMA, "command": self._command, "game": game.name, "rules": asdict(rules)}
        columns = [(name, types[cell]) for name, cell in self._kind.types(game).items()]
        self._opened = parquet.ParquetWriter(self._file, pyarrow.schema(columns, metadata={METADATA: json.dumps(metadata)}))

    def write(self, columns: Columns) -> None:
        """Adds rows to the group that waits to be written."""
        pyarrow, _ = arrow(self._path)
        schema, cells = self._opened.schema, columns.cells()
        arrays = [pyarrow.array(cells.get(one.name, [None] * len(columns)), one.type) for one in schema]
        waiting = pyarrow.concat_tables([*self._waiting, pyarrow.table(arrays, schema=schema)])
        while len(waiting) >= GROUP:
            self._opened.write_table(waiting[:GROUP].combine_chunks())
            waiting = waiting[GROUP:]
        self._waiting = [waiting]

    def end(self) -> None:
        for rest in self._waiting:
            if len(rest):
                self._opened.write_table(rest.combine_chunks())
        super().end()

    def drop(self) -> None:
        if self._opened is not None:
            with suppress(Exception):  # an open writer tries again when it is collected, and complains
                self._opened.close()


# Questions answered


class Answering:
    """Answers questions and writes the answers: many at once where nothing is limited or known, else as they come."""

    def __init__(self, options: argparse.Namespace, form: Form[Any], out: Output):
        self.tally = Tally()
        self._options, self._form, self._out = options, form, out
        self._game: AnyGame
        self._how: AnyOptions

    def begin(self, game: AnyGame) -> tuple[Any, bool]:
        """Called when the game is known. Returns its rules, and True if questions are read as arrays. Raises an error if the
        options do not fit the game."""
        self._game, self._how = game, (how := _solve_options(self._options, game, self._form.want))
        self._out.begin(game, how.rules)
        unlimited = how.tablebase is None and how.budget == UNLIMITED
        return how.rules, unlimited and game.position_dtype is not None and self._form.columns is not None

    def answer(self, batch: Batch, shown: Shown) -> None:
        """Answers the good questions of a portion. shown: the progress."""
        if not len(batch):
            return
        if batch.positions is not None:
            self._put(self._form.of_arrays(self._game, batch.positions, batch.turns, self._how))
            shown.update(len(batch))
            return
        waiting: list[Any] = []
        flushed = time.monotonic()
        try:
            for item in self._form.items(self._game, batch.questions, self._how):
                waiting.append(item)
                shown.update(1)
                late = time.monotonic() - flushed > OFTEN  # a deal may take seconds
                if late or len(waiting) == GROUP or self._form.columns is None:
                    self._write(waiting)
                if late:
                    self._out.flush()
                    flushed = time.monotonic()
        finally:
            self._write(waiting)

    def _put(self, columns: Columns) -> None:
        self.tally.add(columns)
        self._out.write(columns)

    def _write(self, waiting: list[Any]) -> None:
        items, waiting[:] = waiting[:], []
        form, game, rules = self._form, self._game, self._how.rules
        if items and form.columns is not None:
            self._put(form.of_items(game, rules, items))
            return
        for item in items:
            blank = form.blank if form.shape == TEXT and self.tally.answered else ""
            self._out.put(f"{blank}{form.text(item)}".encode())
            if form.kind is None or form.shape == TEXT:
                self.tally.answered += 1
            else:
                self.tally.add(form.of_items(game, rules, [item]))


OFTEN = 0.2
"""Seconds after which answers that come one by one are flushed."""


def _solve_options(options: argparse.Namespace, game: AnyGame, want: frozenset[str]) -> AnyOptions:
    rules, tables, tablebase = rules_of(options, game), getattr(options, "tables", None), None
    limits = given_of(options, "limits", game.show.limits, game)
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
        self._values: Counter[Pair] = Counter()
        self._columns: Columns | None = None  # which know the words for values
        self._began = time.monotonic()

    def add(self, columns: Columns) -> None:
        """Counts answers."""
        self.answered += len(columns)
        self._values.update(columns.tally())
        self._columns = columns

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
        words: Counter[str] = Counter()
        if (columns := self._columns) is not None:
            for value, count in self._values.items():
                words[columns.word(value)] += count
        bad = [f"{self.bad:,} could not be"] if self.bad else []
        parts = [f"{self.answered:,} {done}", *bad, f"{time.monotonic() - self._began:.1f} s"]
        told = [f"{word}: {count:,}" for word, count in words.most_common()]
        streams.say(", ".join(parts) + ("; " + ", ".join(told) if 0 < len(told) <= MOST_WORDS else ""))


MOST_WORDS = 8
