"""Queries, read from the arguments, standard input or a file in portions of bounded size, and parsed.

They are parsed as arrays where the game has arrays and the command can answer them, else one by one.
"""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backtrick.cli.query import Cells, Line, Packed, Query
from backtrick.cli.streams import say
from backtrick.errors import BacktrickError, LineError, NotationError, StorageError, StreamError, UsageError
from backtrick.formats import ARRAY, GROUP, METADATA, RECORDS, ROWS, TABLE, arrow, format_of
from backtrick.games import GAMES, AnyGame, all_games, game_of
from backtrick.lines import Lines
from backtrick.values import shortened

PORTION = 1 << 20
"""The most bytes read at once: few enough to bound memory, and enough work for the threads to be worth starting."""


def from_stdin() -> Iterator[Lines]:
    """The lines of standard input, each portion as soon as it arrives: a program may wait for an answer before it goes on."""
    _widen()
    return lines_of(_read, "")


def _widen() -> None:
    """A pipe on Linux holds 64 KiB unless told otherwise: not enough work for the threads to be worth starting."""
    with suppress(ImportError, AttributeError, OSError):
        fcntl = import_module("fcntl")
        fcntl.fcntl(sys.stdin.fileno(), fcntl.F_SETPIPE_SZ, PORTION)


def lines_of(read: Callable[[], bytes], name: str) -> Iterator[Lines]:
    """The lines of the bytes that `read` returns, until it returns none. name: the file's name for errors."""
    number, rest = 0, b""
    while block := read():
        text = rest + block
        end = text.rfind(b"\n") + 1
        whole, rest = text[:end], text[end:]
        lines = whole.count(b"\n")
        if len(rest) > PORTION:
            place = f"{name}, line" if name else "line"
            raise StreamError(f"{place} {number + lines + 1} has more than {PORTION} characters")
        yield Lines(whole, number)
        number += lines
    yield Lines(rest, number)


def _read() -> bytes:
    if sys.stdin is None:
        raise StreamError("standard input is closed")
    try:
        stream: Any = sys.stdin.buffer  # a BufferedReader, unless somebody put another stream there
        return bytes(stream.read1(PORTION))
    except OSError as error:
        raise StreamError(f"standard input cannot be read: {error.strerror}") from None


class Portion(ABC):
    """Queries that came together. They are taken from first to last: one by one, or many plain ones at once."""

    @abstractmethod
    def __len__(self) -> int:
        """How many questions are left; perhaps not quite so many."""

    @abstractmethod
    def next(self) -> Query | None:
        """Takes the next question; None if none is left."""

    def plain(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, first: int) -> int:
        """Takes the next questions up to the first that needs more than a look: their positions, which are well-formed, go to
        positions[first:], and their turns to turns[first:] unless `turns` is None. Returns how many rows are filled."""
        return first

    def copied(self) -> Portion:
        """The same portion again, from where it stands."""
        return copy(self)


class Listed(Portion):
    """Queries that are there one by one."""

    def __init__(self, questions: Sequence[Query]):
        self._questions, self._at = questions, 0

    def __len__(self) -> int:
        return len(self._questions) - self._at

    def next(self) -> Query | None:
        """Takes the next question."""
        if not len(self):
            return None
        self._at += 1
        return self._questions[self._at - 1]


class Block(Portion):
    """Lines of text. Plain are those that are spelled as rows are printed."""

    def __init__(self, lines: Lines):
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def next(self) -> Query | None:
        """Takes the next line that is a question."""
        line = self._lines.next()
        return None if line is None else Line(*line)

    def plain(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, first: int) -> int:
        """Takes the next lines that are plain."""
        return self._lines.plain(game.read_plain, positions, turns, first, turns is None)

    def copied(self) -> Portion:
        """The same lines again."""
        return Block(copy(self._lines))


class Elements(Portion):
    """Elements of an array of a game's positions, perhaps with packed turns. Plain are those that are well-formed.

    before: how many elements came before them
    """

    def __init__(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, before: int):
        self._game, self._positions, self._turns, self._before, self._at = game, positions, turns, before, 0
        self._missing = np.ones(len(positions), bool) if turns is None else turns == 0

    def __len__(self) -> int:
        return len(self._positions) - self._at

    def next(self) -> Query | None:
        """Takes the next element."""
        if not len(self):
            return None
        at, self._at = self._at, self._at + 1
        turn = None if self._turns is None else int(self._turns[at])
        return Packed(f"row {self._before + at + 1}", self._game, self._positions[at : at + 1], turn)

    def plain(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, first: int) -> int:
        """Takes the next elements that are well-formed, and have a turn if there must be one."""
        if game is not self._game:
            return first
        part = slice(self._at, self._at + len(positions) - first)
        taken = self._positions[part]
        if turns is not None:
            missing = self._missing[part]
            taken = _before(taken, int(missing.argmax()) if missing.any() else -1)
        taken = _before(taken, game.first_malformed(taken))
        count = first + len(taken)
        positions[first:count] = taken
        if turns is not None and self._turns is not None:
            turns[first:count] = self._turns[part][: len(taken)]
        self._at += len(taken)
        return count


def _before(array: np.ndarray, place: int) -> np.ndarray:
    """The elements before a place; all for -1."""
    return array if place < 0 else array[:place]


@dataclass(frozen=True, slots=True)
class Queries:
    """All questions of one run.

    portions: the questions in order
    unit: what they are counted in, 'lines' or 'rows'; empty if the arguments hold them all
    total: how many there are; None if that is not known yet
    """

    portions: Iterator[Portion]
    unit: str = ""
    total: int | None = None


def queries_of(texts: Sequence[str], path: str | None) -> Queries:
    """The questions in the arguments, on standard input (-), or in the file at `path`. Raises `UsageError`, `StorageError`."""
    if path is not None and texts:
        raise UsageError("--input names the file of all the questions, so nothing goes beside it")
    if path is not None and path != "-":
        return READERS[format_of(path)](path)
    if path is None and "-" in texts and list(texts) != ["-"]:
        raise UsageError("- stands for all the questions, so nothing goes beside it")
    if path == "-" or list(texts) == ["-"]:
        return Queries(map(Block, from_stdin()), "lines")
    places = [f"argument {number}" if len(texts) > 1 else "" for number in range(1, len(texts) + 1)]
    return Queries(iter([Listed(list(map(Line, places, texts)))]))


def _from_lines(path: str) -> Queries:
    def portions() -> Iterator[Portion]:
        try:
            with Path(path).open("rb") as file:
                yield from map(Block, lines_of(lambda: file.read1(PORTION), path))
        except OSError as error:
            raise _unreadable(path, error) from None

    return Queries(portions(), "lines")


def _from_array(path: str) -> Queries:
    try:
        array = np.lib.format.open_memmap(path, mode="r")
    except OSError as error:
        raise _unreadable(path, error) from None
    except Exception as error:  # a header made to do harm makes numpy raise many kinds
        raise StorageError(path, f"is no .npy file that can be read: {shortened(str(error))}") from None
    dtype = array.dtype
    game = next((one for one in all_games() if one.position_dtype is not None and _begins(dtype, one.position_dtype)), None)
    if game is None or array.ndim != 1 or game.position_dtype is None:
        shown = shortened(str(dtype))
        raise StorageError(path, f"holds no game's positions: they are an array of POSITION_DTYPE with one axis, not {shown} of "
                                 f"shape {array.shape}")  # fmt: skip
    of, names = game, game.position_dtype.names or ()
    turns = next((name for name in ("turn", "best") if name in (dtype.names or ()) and dtype[name] == of.turn_dtype), None)

    def portions() -> Iterator[Portion]:
        for start in range(0, len(array), GROUP):
            part = array[start : start + GROUP]
            positions = np.empty(len(part), of.position_dtype)
            for name in names:
                positions[name] = part[name]
            yield Elements(of, positions, None if turns is None else part[turns], start)

    return Queries(portions(), "rows", len(array))


def _begins(dtype: np.dtype, position: np.dtype) -> bool:
    """True if an array's first fields are those of a game's positions."""
    names = position.names or ()
    return (dtype.names or ())[: len(names)] == names and all(dtype[name] == position[name] for name in names)


def _from_table(path: str) -> Queries:
    pyarrow, parquet = arrow(path)
    damaged = pyarrow.ArrowException, ValueError
    try:
        file = parquet.ParquetFile(Path(path).open("rb"))  # noqa: SIM115, it is read while questions are asked for
        schema = file.schema_arrow
    except damaged as error:
        raise StorageError(path, f"is no Parquet file that can be read: {shortened(str(error))}") from None
    except OSError as error:
        raise _unreadable(path, error) from None
    if "position" not in schema.names:
        raise StorageError(path, "has no column 'position'")
    turns = next((name for name in ("turn", "best") if name in schema.names), None)
    columns = ["position", *([turns] if turns else [])]
    for name in columns:
        if "string" not in str(schema.field(name).type):
            raise StorageError(path, f"column {name!r} is no text but {shortened(str(schema.field(name).type))}")
    game = _game_of_metadata((schema.metadata or {}).get(METADATA))

    def portions() -> Iterator[Portion]:
        before = 0
        try:
            for batch in file.iter_batches(GROUP, columns=columns):
                positions = batch.column(0).to_pylist()
                cells = batch.column(1).to_pylist() if turns else [None] * len(positions)
                both = enumerate(zip(positions, cells, strict=True), before + 1)
                yield Listed([Cells(f"row {place}", *cells, game) for place, cells in both])
                before += len(positions)
        except (*damaged, OSError) as error:
            raise StorageError(path, f"is damaged after row {before}: {shortened(str(error))}") from None

    return Queries(portions(), "rows", file.metadata.num_rows)


def _game_of_metadata(text: bytes | None) -> str | None:
    try:
        game = json.loads(text or b"{}")["game"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return None
    return game if game in GAMES else None


def _unreadable(path: str, error: OSError) -> StorageError:
    return StorageError(path, f"cannot be read: {error.strerror or shortened(str(error))}")


READERS: dict[str, Callable[[str], Queries]] = {
    ROWS: _from_lines,
    RECORDS: _from_lines,
    ARRAY: _from_array,
    TABLE: _from_table,
}


class Question(NamedTuple):
    """A parsed question: a position; to grade, also a turn and what `Game.play` gives for it."""

    position: Any
    turn: Any = None
    played: tuple[int, Any] = (0, None)


class Batch:
    """The good questions of a portion, one by one, and the errors of the bad ones."""

    def __init__(self) -> None:
        self.questions: list[Question] = []
        self.failures: list[BacktrickError] = []

    def __len__(self) -> int:
        """How many questions are good."""
        return len(self.questions)

    def put(self, question: Question) -> None:
        """Adds a question."""
        self.questions.append(question)

    def take(self, portion: Portion) -> Portion:
        """Adds the next questions of a portion if many can be added at once. Returns the rest."""
        return portion


class ArrayBatch(Batch):
    """The good questions of a portion as arrays of a game, with room for `most`. graded: they have turns, legal under `rules`."""

    def __init__(self, game: AnyGame, rules: Any, most: int, graded: bool):
        super().__init__()
        self._game, self._rules, self._count, self._plain = game, rules, 0, True
        self._positions = np.empty(most, game.position_dtype)
        self._turns = np.empty(most, game.turn_dtype) if graded else None

    def __len__(self) -> int:
        """How many questions are good."""
        return self._count

    def opened(self) -> Batch:
        """The same questions one by one."""
        batch = Batch()
        positions = self._game.unpack(self.positions)
        if self._turns is None:
            batch.questions = list(map(Question, positions))
        else:
            turns = map(self._game.unpack_turn, self._turns[: self._count].tolist())
            batch.questions = [
                Question(position, turn, self._game.play(position, turn, self._rules))
                for position, turn in zip(positions, turns, strict=True)
            ]
        return batch

    @property
    def positions(self) -> np.ndarray:
        """The positions."""
        return self._positions[: self._count]

    @property
    def turns(self) -> np.ndarray | None:
        """Their packed turns; None if they have none."""
        return None if self._turns is None else self._turns[: self._count]

    def put(self, question: Question) -> None:
        """Adds a question."""
        self._positions[self._count] = self._game.pack([question.position])[0]
        if self._turns is not None:
            self._turns[self._count] = self._game.pack_turn(question.turn)
        self._count += 1

    def take(self, portion: Portion) -> Portion:
        """Adds all plain questions that come next. Once a turn is not legal, the others are left to be added one by one."""
        if not self._plain:
            return portion
        game, positions, turns, first = self._game, self._positions, self._turns, self._count
        again = None if turns is None else portion.copied()
        self._count = portion.plain(game, positions, turns, first)
        if turns is None or again is None:
            return portion
        wrong = game.first_illegal(positions[first : self._count], turns[first : self._count], self._rules)
        if wrong < 0:
            return portion
        self._plain, most = False, first + wrong
        self._count = again.plain(game, positions[:most], turns[:most], first)
        return again


class Begun(NamedTuple):
    """What is decided once the game is known.

    rules:     of the game
    as_arrays: questions are read as arrays; where there is a deal, those of its portion are read one by one
    endgames:  a deal is refused
    """

    rules: Any
    as_arrays: bool
    endgames: bool = False


class QuestionReader:
    """Parses questions. The first question whose game can be told decides the game.

    named:      the name of the game, if it is given
    graded:     questions have turns
    keep_going: go on past a bad question, and print its error; otherwise reading ends there
    begin:      is called once, when the game is known; it may raise an error
    """

    def __init__(self, named: str | None, graded: bool, keep_going: bool, begin: Callable[[AnyGame], Begun]):
        self._named, self._graded, self._keep_going, self._begin = named, graded, keep_going, begin
        self._begun = Begun(None, False)
        self.game: AnyGame | None = None

    def begin(self, game: AnyGame) -> None:
        """Decides that questions are of this game."""
        self._begun, self.game = self._begin(game), game

    def read(self, portion: Portion) -> Batch:
        """The questions of a portion. With `keep_going` each error is printed at once; otherwise reading ends at the first."""
        batch: Batch | None = None
        failures: list[BacktrickError] = []
        while (one := portion.next()) is not None:
            if self.game is None and (game := self._game_of(one)):
                self.begin(game)
            if batch is None and self.game is not None:
                batch = self._batch(self.game, len(portion) + 1)
            try:
                question = self._question(one, self.game or one.game())
            except BacktrickError as error:
                error = self._of_another_game(one, error) or error
                failures.append(LineError(one.place, error) if one.place else error)
                if not self._keep_going:
                    break
                say(str(failures[-1]))
            else:
                game = self.game
                assert batch is not None and game is not None
                if isinstance(batch, ArrayBatch) and game.is_deal(question.position):
                    batch = batch.opened()
                batch.put(question)
            if batch is not None:
                portion = batch.take(portion)
        batch = batch or Batch()
        batch.failures = failures
        return batch

    def _of_another_game(self, one: Query, error: BacktrickError) -> UsageError | None:
        """The error that says of which game the text of a position is, if not of the one that --game names; else None."""
        if self._named is None or not isinstance(error, NotationError) or error.what != "position":
            return None
        with suppress(BacktrickError):
            if (game := one.game()).name != self._named:
                return UsageError(f"it looks like a position of {game.title}: --game {game.name}, or no --game, reads it")
        return None

    def _batch(self, game: AnyGame, most: int) -> Batch:
        return ArrayBatch(game, self._begun.rules, most, self._graded) if self._begun.as_arrays else Batch()

    def _game_of(self, one: Query) -> AnyGame | None:
        """The game that is given, else the game of the question; None if it cannot be told."""
        if self._named:
            return game_of(self._named)
        with suppress(BacktrickError):
            return one.game()
        return None

    def _question(self, one: Query, game: AnyGame) -> Question:
        """A question, parsed. Raises `BacktrickError`, also for a turn that is not legal."""
        position = one.position(game)
        if self._begun.endgames:
            game.pack([position])  # raises for a deal
        if not self._graded:
            return Question(position)
        turn = one.turn(game)
        return Question(position, turn, game.play(position, turn, self._begun.rules))
