"""Reads questions about positions, from arguments, lines or files. They come in spans of bounded size, and are parsed as arrays
where the game has arrays and the command can answer them, else one by one."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from backtrick.cli.headings import Heading, TableSpan, cells_of, fields_of, heading_of, table_spans
from backtrick.cli.streams import say
from backtrick.errors import ArrayError, BacktrickError, LineError, NotationError, StorageError, StreamError, UsageError, shortened
from backtrick.game import AnyGame
from backtrick.games import GAMES, all_games, game_of, tell
from backtrick.lines import Lines
from backtrick.writing.columns import IN_RECORDS, NO_TURN, UNKNOWN, GradeColumns, SolveColumns, read_record
from backtrick.writing.formats import ARRAY, CSV, METADATA, RECORDS, ROWS, SPAN, TABLE, arrow, format_of

# Queries: questions as they are written. Parsing one raises errors, which are reported with its place: 'line 3', 'row 17'; empty
# for the only argument.


class Written(NamedTuple):
    """A query in notation: a line, or a row of a table, which has `cells`: position, turn, name of the game.

    A line is a row, whose first field is the position and whose second may be the turn; or a record.
    known: the fields that a record may have; None for any
    """

    place: str
    text: str
    cells: tuple[str | None, str | None, str | None] | None = None
    known: Container[str] | None = None

    def game(self) -> AnyGame:
        """The game. Raises `BacktrickError`."""
        position, _, game = self.fields()
        return game_of(game) if game in GAMES else tell(position)

    def position(self, game: AnyGame) -> Any:
        """The position. Raises `BacktrickError`."""
        position, _, name = self.fields()
        if name not in (None, game.name):
            raise NotationError("record", self.text, 1, f"it is of the game {shortened(name)!r}, not of {game.name!r}")
        return game.read_position(position)

    def turn(self, game: AnyGame) -> Any:
        """The turn to grade. Raises `BacktrickError`, also if there is none."""
        _, *columns = self.text.split("\t")
        if len(columns) in (2, 3) and self.cells is None and not self._is_record() and _is_turn(game, columns[1]):
            problem = "it is a row of solve, whose second field is not a turn; grade takes rows of best, or records of solve --json"
            raise NotationError("question", self.text, 1, problem)
        turn = self.fields()[1]
        if turn is None:
            raise NotationError("question", self.text, len(self.text) + 1, "expected a tab, then a turn")
        if turn in (NO_TURN, UNKNOWN):
            raise NotationError("question", self.text, 1, "it names no turn to grade: there was none, or none was found")
        return game.parse_turn(turn)

    def fields(self) -> tuple[str, str | None, str | None]:
        """The position, the turn and the name of the game, as they are written. Raises `NotationError`."""
        if self.cells is not None:
            position, turn, game = self.cells
            if position is None:
                raise NotationError("row", "", 1, "it has no position")
            return position, turn or NO_TURN, game
        if self._is_record():
            return _fields_of_record(self.text, self.known)
        position, *rest = self.text.split("\t")
        return position, rest[0] if rest else None, None

    def _is_record(self) -> bool:
        return self.text.lstrip().startswith("{")


def _fields_of_record(line: str, known: Container[str] | None) -> tuple[str, str | None, str | None]:
    """The `position`, the `turn` or `best`, and the `game` of a record. Raises `NotationError`."""
    record = read_record(line)
    if known is not None and (new := [name for name in record if name not in known]):
        raise NotationError("record", line, 1, f"the field {shortened(new[0])!r} is new here: the first records name the columns")
    position, turn, game = record["position"], record.get("turn", record.get("best", NO_TURN)), record.get("game")
    if "game" in record and not isinstance(game, str):
        raise NotationError("record", line, 1, "its game is not a name")
    return position, turn if isinstance(turn, str) else NO_TURN, game


def _is_turn(game: AnyGame, text: str) -> bool:
    try:
        return text in (NO_TURN, UNKNOWN) or game.parse_turn(text) is not None
    except BacktrickError:
        return False


class Packed(NamedTuple):
    """An element of an array, as an array of one, and its packed turn if it has one. Its methods are those of `Written`."""

    place: str
    of: AnyGame
    one: np.ndarray
    packed_turn: int | None

    def game(self) -> AnyGame:
        return self.of

    def position(self, game: AnyGame) -> Any:
        if game is not self.of:
            raise ArrayError(f"it is of the game {self.of.name!r}, not of {game.name!r}")
        return game.unpack(self.one)[0]

    def turn(self, game: AnyGame) -> Any:
        turn = None if self.packed_turn is None else game.unpack_turn(self.packed_turn)
        if turn is None:
            lacks = "the array has no field 'turn' or 'best'" if self.packed_turn is None else "there was none, or none was found"
            raise ArrayError(f"it names no turn to grade: {lacks}")
        return turn


Query = Written | Packed


# Spans


class QuerySpan(Protocol):
    """Queries that came together. They are taken from first to last: one by one, or many plain ones at once.

    heading, rows: of a table, with all of its cells; else None
    """

    @property
    def heading(self) -> Heading | None: ...

    @property
    def rows(self) -> Sequence[Sequence[Any]]: ...

    def __len__(self) -> int:
        """How many queries are left, at most."""

    def next(self) -> Query | None:
        """Takes the next query; None if none is left."""

    def plain(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, first: int) -> int:
        """Takes the next queries up to the first that needs more than a look: their positions, which are well-formed, go to
        positions[first:], and their turns to turns[first:] unless `turns` is None. Returns how many rows are filled. Of lines those
        are plain that are spelled as rows are printed."""


class Listed:
    """Queries that are there one by one. None is plain."""

    heading = None
    rows = ()

    def __init__(self, queries: Iterable[Query]):
        self._queries = deque(queries)

    def __len__(self) -> int:
        return len(self._queries)

    def next(self) -> Query | None:
        return self._queries.popleft() if self._queries else None

    def plain(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, first: int) -> int:
        return first


class Elements:
    """Elements of an array of a game's positions, perhaps with packed turns. Plain are those that are well-formed.

    before: how many elements came before them
    """

    heading = None
    rows = ()

    def __init__(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, before: int):
        self._game, self._positions, self._turns, self._before, self._at = game, positions, turns, before, 0

    def __len__(self) -> int:
        return len(self._positions) - self._at

    def next(self) -> Query | None:
        if not len(self):
            return None
        turn = None if self._turns is None else int(self._turns[self._at])
        self._at += 1
        return Packed(f"row {self._before + self._at}", self._game, self._positions[self._at - 1 : self._at], turn)

    def plain(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, first: int) -> int:
        part = slice(self._at, self._at + len(positions) - first)
        if game is not self._game or (turns is not None and self._turns is None):
            return first
        taken = self._positions[part]
        if turns is not None and self._turns is not None:
            there = self._turns[part] != 0
            taken = taken if there.all() else taken[: there.argmin()]
            turns[first : first + len(taken)] = self._turns[part][: len(taken)]
        malformed = game.first_malformed(taken)
        taken = taken if malformed < 0 else taken[:malformed]
        self._at, count = self._at + len(taken), first + len(taken)
        positions[first:count] = taken
        return count


# Where spans come from


class Queries(NamedTuple):
    """All queries of one run.

    spans: the queries in order
    unit: what they are counted in, 'lines' or 'rows'; empty if the arguments hold them all
    total: how many there are; None if that is not known yet
    game: the name of the game, if the file has it: it counts where nothing is asked
    """

    spans: Iterator[QuerySpan]
    unit: str = ""
    total: int | None = None
    game: str | None = None


def queries_of(texts: Sequence[str], path: str | None) -> Queries:
    """The queries in the arguments, on standard input (-), or in the file at `path`. Raises `UsageError`, `StorageError`."""
    if path is not None and texts:
        raise UsageError("--input reads all positions from a file; give nothing else")
    refuse_file(texts)
    if path is not None and path != "-":
        return READERS[format_of(path)](path)
    if path is None and "-" in texts and list(texts) != ["-"]:
        raise UsageError("- reads all positions from standard input; give nothing else")
    if path == "-" or list(texts) == ["-"]:
        with suppress(ImportError, AttributeError, OSError):  # a pipe on Linux holds 64 KiB unless told otherwise
            fcntl = import_module("fcntl")
            fcntl.fcntl(sys.stdin.fileno(), fcntl.F_SETPIPE_SZ, MOST_BYTES)
        return Queries(_spans_of(_read, ""), "lines")
    places = [f"argument {number}" if len(texts) > 1 else "" for number in range(1, len(texts) + 1)]
    return Queries(iter([Listed(map(Written, places, texts))]))


def refuse_file(texts: Sequence[str]) -> None:
    """Raises `UsageError` if a file is given where a position belongs."""
    with suppress(OSError):  # a position may be longer than any name
        if len(texts) == 1 and "." in texts[0] and Path(texts[0]).is_file():  # in a game of one's own a position may be a word
            raise UsageError(f"{texts[0]!r} is a file; --input {texts[0]} reads it")


MOST_BYTES = 1 << 20
"""The most bytes read at once: few enough to bound memory, and enough work for the threads to be worth starting."""


def _read() -> bytes:
    """A span of standard input, as soon as it arrives: a program may wait for an answer before it goes on."""
    if sys.stdin is None:
        raise StreamError("standard input is closed")
    try:
        stream: Any = sys.stdin.buffer  # a BufferedReader, unless another stream was put there
        return bytes(stream.read1(MOST_BYTES))
    except OSError as error:
        raise StreamError(f"standard input cannot be read: {error.strerror}") from None


def _spans_of(read: Callable[[], bytes], name: str, is_table: bool = False) -> Iterator[QuerySpan]:
    """The lines of the bytes that `read` returns, until it returns none; or the rows of a table, if the first line is a heading.
    name: the file's name for errors. is_table: there must be a heading."""
    chunks = _chunks(read, name)
    first = next(chunks, None)
    if first is None:
        return
    try:
        found = heading_of(first[0], ",;\t" if is_table else "\t;,")
        if found is None and is_table:
            raise ValueError("has no column 'position': its first line names the columns")
    except BacktrickError:
        raise
    except ValueError as error:
        raise StorageError(name or "standard input", str(error)) from None
    chunks = chain([first], chunks)
    if found is not None:
        yield from table_spans(chunks, *found, Written, name)
        return
    known = _known_fields() if first[0].lstrip().startswith(b"{") else None
    fields = None if known is None else fields_of(first[0], known)
    for text, before in chunks:
        rows = () if fields is None else cells_of(text, before, fields, name)
        yield Lines(text, before, partial(Written, known=known if fields is None else None), heading=fields, rows=rows)


def _known_fields() -> frozenset[str]:
    """The fields of records that commands print; others are of the user."""
    types = [kind.types(game) for game in all_games() for kind in (SolveColumns, GradeColumns)]
    return frozenset(chain(IN_RECORDS, *types))


def _chunks(read: Callable[[], bytes], name: str) -> Iterator[tuple[bytes, int]]:
    """Whole lines of the bytes that `read` returns, each with the number of lines before them."""
    number, rest = 0, b""
    while some := read():
        text = rest + some
        end = text.rfind(b"\n") + 1
        whole, rest = text[:end], text[end:]
        lines = whole.count(b"\n")
        if len(rest) > MOST_BYTES:
            place = f"{name}, line" if name else "line"
            raise StreamError(f"{place} {number + lines + 1} has more than {MOST_BYTES} characters")
        if whole:
            yield whole, number
        number += lines
    if rest:
        yield rest, number


def _from_lines(path: str, is_table: bool = False) -> Queries:
    def spans() -> Iterator[QuerySpan]:
        try:
            with open(path, "rb") as file:  # noqa: PTH123, pathlib takes longer to import
                yield from _spans_of(lambda: file.read1(MOST_BYTES), path, is_table)
        except OSError as error:
            raise _unreadable(path, error) from None

    return Queries(spans(), "lines")


def _from_array(path: str) -> Queries:
    try:
        array = np.lib.format.open_memmap(path, mode="r")
    except OSError as error:
        raise _unreadable(path, error) from None
    except Exception as error:  # for a malicious header numpy raises many kinds
        raise StorageError(path, f"is not an .npy file that can be read: {shortened(str(error))}") from None
    dtype, fields = array.dtype, array.dtype.names or ()

    def begins(position: np.dtype) -> bool:
        names = position.names or ()
        return fields[: len(names)] == names and all(dtype[name] == position[name] for name in names)

    game = next((one for one in all_games() if one.position_dtype is not None and begins(one.position_dtype)), None)
    if game is None or array.ndim != 1 or game.position_dtype is None:
        raise StorageError(path, "holds no game's positions: they are an array of POSITION_DTYPE with one axis, not "
                                 f"{shortened(str(dtype))} of shape {array.shape}")  # fmt: skip
    of, position = game, game.position_dtype
    turns = next((name for name in ("turn", "best") if name in fields and dtype[name] == of.turn_dtype), None)

    def spans() -> Iterator[QuerySpan]:
        for start in range(0, len(array), SPAN):
            part = array[start : start + SPAN]
            positions = np.empty(len(part), position)
            for name in position.names or ():
                positions[name] = part[name]
            yield Elements(of, positions, None if turns is None else part[turns], start)

    return Queries(spans(), "rows", len(array), of.name)


def _holds_texts(kind: Any) -> bool:
    """True for a type of pyarrow whose values are texts, or places in a list of texts."""
    types = import_module("pyarrow").types
    kind = kind.value_type if types.is_dictionary(kind) else kind
    return any(getattr(types, name, lambda _: False)(kind) for name in ("is_string", "is_large_string", "is_string_view"))


def _from_table(path: str) -> Queries:
    pyarrow, parquet = arrow(path)
    damaged = pyarrow.ArrowException, ValueError
    try:
        file = parquet.ParquetFile(open(path, "rb"))  # noqa: SIM115, PTH123, it is read while questions are asked for
        schema = file.schema_arrow
    except damaged as error:
        raise StorageError(path, f"is not a Parquet file that can be read: {shortened(str(error))}") from None
    except OSError as error:
        raise _unreadable(path, error) from None
    try:
        heading = Heading.of(schema.names, schema.types)
    except ValueError as error:
        raise StorageError(path, str(error)) from None
    for place in (heading.position, heading.turn):
        if place is not None and not _holds_texts(schema.types[place]):
            raise StorageError(path, f"column {schema.names[place]!r} is not text but {shortened(str(schema.types[place]))}")
    game = None
    with suppress(ValueError, RecursionError, KeyError, TypeError):
        told = json.loads((schema.metadata or {})[METADATA])["game"]
        game = told if told in GAMES else None

    def spans() -> Iterator[QuerySpan]:
        before = 0
        try:
            for batch in file.iter_batches(SPAN):
                rows = list(zip(*(column.to_pylist() for column in batch.columns), strict=True))
                yield TableSpan(heading, rows, Written, _names_rows(before), game)
                before += len(rows)
            if not before:
                yield TableSpan(heading, (), Written, _names_rows(0), game)  # the part of a data set may be empty
        except (*damaged, OSError) as error:
            raise StorageError(path, f"is damaged after row {before}: {shortened(str(error))}") from None

    return Queries(spans(), "rows", file.metadata.num_rows, game)


def _names_rows(before: int) -> Callable[[int], str]:
    return lambda place: f"row {before + place + 1}"


def _unreadable(path: str, error: OSError) -> StorageError:
    return StorageError(path, f"cannot be read: {error.strerror or shortened(str(error))}")


READERS: dict[str, Callable[[str], Queries]] = {
    ROWS: _from_lines,
    RECORDS: _from_lines,
    CSV: partial(_from_lines, is_table=True),
    ARRAY: _from_array,
    TABLE: _from_table,
}


# Questions: queries, parsed


class Question(NamedTuple):
    """A parsed query: a position; to grade, also a turn and what `Game.play` gives for it."""

    position: Any
    turn: Any = None
    played: tuple[int, Any] = (0, None)


@dataclass(slots=True)
class QuestionBatch:
    """The good questions of a span, and the errors of the bad queries. The questions are arrays, `positions` and `turns`, or, if
    `positions` is None, one by one.

    positions, turns: with room for all of the span while it is read
    rules: under which turns are legal
    count: how many questions are in the arrays
    heading, rows: of a table: those of the questions, with all cells of the user
    """

    game: Any = None
    rules: Any = None
    positions: np.ndarray | None = None
    turns: np.ndarray | None = None
    questions: list[Question] = field(default_factory=list)
    failures: list[BacktrickError] = field(default_factory=list)
    count: int = 0
    takes_plain: bool = True
    heading: Heading | None = None
    rows: Sequence[Sequence[Any]] | None = None

    def begin(self, game: AnyGame, rules: Any, most: int, graded: bool) -> None:
        """Makes arrays with room for `most` questions; none for 0. graded: they have turns, legal under `rules`."""
        self.game, self.rules = game, rules
        if most:
            self.positions = np.empty(most, game.position_dtype)
            self.turns = np.empty(most, game.turn_dtype) if graded else None

    def put(self, question: Question) -> None:
        """Adds a question. With a deal, which has no array form, all of them are one by one from now on."""
        if self.positions is not None and self.game.is_deal(question.position):
            self._open(self.positions[: self.count])
        if self.positions is None:
            self.questions.append(question)
            return
        self.positions[self.count] = self.game.pack([question.position])[0]
        if self.turns is not None:
            self.turns[self.count] = self.game.pack_turn(question.turn)
        self.count += 1

    def _open(self, packed: np.ndarray) -> None:
        game, positions = self.game, self.game.unpack(packed)
        self.positions = None
        if self.turns is None:
            self.questions = list(map(Question, positions))
        else:
            both = zip(positions, map(game.unpack_turn, self.turns[: self.count].tolist()), strict=True)
            self.questions = [Question(one, turn, game.play(one, turn, self.rules)) for one, turn in both]
            self.turns = None
        self.count = 0

    def take(self, span: QuerySpan) -> QuerySpan:
        """Adds all plain questions that come next, and returns the rest. Once a turn is not legal, the others are left to be added
        one by one."""
        if self.positions is None or not self.takes_plain:
            return span
        positions, turns, first, again = self.positions, self.turns, self.count, copy(span)
        self.count = span.plain(self.game, positions, turns, first)
        if turns is None:
            return span
        added = slice(first, self.count)
        if (wrong := self.game.first_illegal(positions[added], turns[added], self.rules)) < 0:
            return span
        self.takes_plain, most = False, first + wrong
        self.count = again.plain(self.game, positions[:most], turns[:most], first)
        return again

    def close(self) -> None:
        """Ends the arrays after the last question."""
        if self.positions is not None:
            self.positions = self.positions[: self.count]
            self.turns = None if self.turns is None else self.turns[: self.count]


class QuestionReader:
    """Parses queries. The first query whose game is recognised decides the game.

    queries:    in the order in which they are read
    named:      the name of the game, if it is given
    graded:     questions have turns
    keep_going: go on past a bad query, and print its error; otherwise reading ends there
    """

    def __init__(self, queries: Queries, named: str | None, *, graded: bool = False, keep_going: bool = False):
        self.queries, self._named, self._graded, self._keep_going = queries, named, graded, keep_going
        self.game: AnyGame | None = None

    def batches(
        self, begin: Callable[[AnyGame, Heading | None], tuple[Any, bool]], endgames: bool = False
    ) -> Iterator[QuestionBatch]:
        """The questions, a batch for each span. With `keep_going` each error is printed at once; otherwise a batch ends at the
        first.

        begin: is called once, when the game is known, with the heading of a table; returns the rules, and True if questions are
        read as arrays. It may raise an error. endgames: a deal is refused
        """
        rules, as_arrays = None, False
        for span in self.queries.spans:
            batch, bad = QuestionBatch(heading=span.heading), set[int]()
            if self.game is not None:
                batch.begin(self.game, rules, len(span) if as_arrays else 0, self._graded)
            while True:
                span = batch.take(span)
                if (one := span.next()) is None:
                    break
                if self.game is None and (told := self._game_of(one)):
                    (rules, as_arrays), self.game = begin(told, span.heading), told
                    batch.begin(told, rules, len(span) + 1 if as_arrays else 0, self._graded)
                try:
                    question = self._question(one, self.game or one.game(), rules, endgames)
                except BacktrickError as error:
                    error = self._of_another_game(one, error) or error
                    bad.add(batch.count + len(batch.questions) + len(bad))
                    batch.failures.append(LineError(one.place, error) if one.place else error)
                    if not self._keep_going:
                        break
                    say(str(batch.failures[-1]))
                else:
                    batch.put(question)
            if span.heading is not None:
                rows = span.rows[: batch.count + len(batch.questions) + len(bad)]
                batch.rows = [row for place, row in enumerate(rows) if place not in bad] if bad else rows
            batch.close()
            yield batch

    def _of_another_game(self, one: Query, error: BacktrickError) -> UsageError | None:
        """The error that says of which game the text of a position is, if not of the one that --game names, or that the first
        position is of; else None."""
        if self.game is None or not isinstance(error, NotationError) or error.what != "position":
            return None
        with suppress(BacktrickError):
            if (game := one.game()).name != self.game.name:
                mend = f"--game {game.name}, or no --game, reads it"
                if not self._named:
                    mend = f"those before it are of {self.game.title}; ask about each game by itself"
                return UsageError(f"it looks like a position of {game.title}: {mend}")
        return None

    def _game_of(self, one: Query) -> AnyGame | None:
        """The game that is given, else the game of the question; None if it is not recognised."""
        if self._named:
            return game_of(self._named)
        with suppress(BacktrickError):
            return one.game()
        return None

    def _question(self, one: Query, game: AnyGame, rules: Any, endgames: bool) -> Question:
        """A question, parsed. Raises `BacktrickError`, also for a turn that is not legal."""
        position = one.position(game)
        if endgames:
            game.pack([position])  # raises for a deal
        if not self._graded:
            return Question(position)
        turn = one.turn(game)
        return Question(position, turn, game.play(position, turn, rules))
