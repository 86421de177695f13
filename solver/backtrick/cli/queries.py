"""Queries: a question about a position each, as written in an argument, on a line or in a file; in portions of bounded size."""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from backtrick.errors import ArrayError, BacktrickError, NotationError, StorageError, StreamError, UsageError
from backtrick.formats import ARRAY, GROUP, METADATA, RECORDS, ROWS, TABLE, arrow, format_of
from backtrick.games import GAMES, AnyGame, all_games, game_of, tell
from backtrick.text import Lines
from backtrick.values import shortened
from backtrick.writer import NO_TURN, UNKNOWN

# Queries. Parsing one raises errors, which are reported with its place: 'line 3', 'row 17'; empty for the only argument.


class Fields(NamedTuple):
    """What is written: a position and a turn in notation, and the game's name if it is there."""

    position: str | None
    turn: str | None = None
    game: str | None = None


class Written(NamedTuple):
    """A query in notation: a line, or a row of a Parquet file, which has `cells`.

    A line is a row, whose first field is the position and whose second may be the turn; or a record.
    """

    place: str
    text: str
    cells: Fields | None = None

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
            return _fields_of_record(self.text)
        position, *rest = self.text.split("\t")
        return position, rest[0] if rest else None, None

    def _is_record(self) -> bool:
        return self.text.lstrip().startswith("{")


def _fields_of_record(line: str) -> tuple[str, str | None, str | None]:
    """The `position`, the `turn` or `best`, and the `game` of a record. Raises `NotationError`."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NotationError("record", line, getattr(error, "colno", 1), "it is not JSON") from None
    position, turn, game = record.get("position"), record.get("turn", record.get("best", NO_TURN)), record.get("game")
    if not isinstance(position, str):
        raise NotationError("record", line, 1, "it has no position")
    if "game" in record and not isinstance(game, str):
        raise NotationError("record", line, 1, "its game is not a name")
    return position, turn if isinstance(turn, str) else NO_TURN, game


def _is_turn(game: AnyGame, text: str) -> bool:
    try:
        return text in (NO_TURN, UNKNOWN) or game.parse_turn(text) is not None
    except BacktrickError:
        return False


class Packed(NamedTuple):
    """An element of an array, as an array of one, and its packed turn if it has one."""

    place: str
    of: AnyGame
    one: np.ndarray
    packed_turn: int | None

    def game(self) -> AnyGame:
        """The game."""
        return self.of

    def position(self, game: AnyGame) -> Any:
        """The position. Raises `BacktrickError`."""
        if game is not self.of:
            raise ArrayError(f"it is of the game {self.of.name!r}, not of {game.name!r}")
        return game.unpack(self.one)[0]

    def turn(self, game: AnyGame) -> Any:
        """The turn to grade. Raises `BacktrickError`, also if there is none."""
        turn = None if self.packed_turn is None else game.unpack_turn(self.packed_turn)
        if turn is None:
            lacks = "the array has no field 'turn' or 'best'" if self.packed_turn is None else "there was none, or none was found"
            raise ArrayError(f"it names no turn to grade: {lacks}")
        return turn


Query = Written | Packed


# Portions


class Portion(ABC):
    """Queries that came together. They are taken from first to last: one by one, or many plain ones at once."""

    @abstractmethod
    def __len__(self) -> int:
        """How many queries are left; perhaps not quite so many."""

    @abstractmethod
    def peek(self) -> Query | None:
        """The next query; None if none is left. It stays the next one."""

    @abstractmethod
    def next(self) -> Query | None:
        """Takes the next query; None if none is left."""

    def plain(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, first: int) -> int:
        """Takes the next queries up to the first that needs more than a look: their positions, which are well-formed, go to
        positions[first:], and their turns to turns[first:] unless `turns` is None. Returns how many rows are filled."""
        return first

    def copied(self) -> Portion:
        """The same portion again, from where it stands."""
        return copy(self)


class Listed(Portion):
    """Queries that are there one by one."""

    def __init__(self, queries: Sequence[Query]):
        self._queries, self._at = queries, 0

    def __len__(self) -> int:
        return len(self._queries) - self._at

    def peek(self) -> Query | None:
        """The next query."""
        return self._queries[self._at] if len(self) else None

    def next(self) -> Query | None:
        """Takes the next query."""
        one = self.peek()
        self._at += 1
        return one


class Block(Portion):
    """Lines of text. Plain are those that are spelled as rows are printed."""

    def __init__(self, lines: Lines):
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def peek(self) -> Query | None:
        """The next line that is a query."""
        line = self._lines.peek()
        return None if line is None else Written(*line)

    def next(self) -> Query | None:
        """Takes the next line that is a query."""
        line = self._lines.next()
        return None if line is None else Written(*line)

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

    def peek(self) -> Query | None:
        """The next element."""
        if not len(self):
            return None
        at, turns = self._at, self._turns
        turn = None if turns is None else int(turns[at])
        return Packed(f"row {self._before + at + 1}", self._game, self._positions[at : at + 1], turn)

    def next(self) -> Query | None:
        """Takes the next element."""
        one = self.peek()
        self._at += one is not None
        return one

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


# Sources of portions


class Queries(NamedTuple):
    """All queries of one run.

    portions: the queries in order
    unit: what they are counted in, 'lines' or 'rows'; empty if the arguments hold them all
    total: how many there are; None if that is not known yet
    """

    portions: Iterator[Portion]
    unit: str = ""
    total: int | None = None


def queries_of(texts: Sequence[str], path: str | None) -> Queries:
    """The queries in the arguments, on standard input (-), or in the file at `path`. Raises `UsageError`, `StorageError`."""
    if path is not None and texts:
        raise UsageError("--input names the file of all the questions, so nothing goes beside it")
    if path is not None and path != "-":
        return READERS[format_of(path)](path)
    if path is None and "-" in texts and list(texts) != ["-"]:
        raise UsageError("- stands for all the questions, so nothing goes beside it")
    if path == "-" or list(texts) == ["-"]:
        _widen()
        return Queries(_blocks_of(_read, ""), "lines")
    places = [f"argument {number}" if len(texts) > 1 else "" for number in range(1, len(texts) + 1)]
    return Queries(iter([Listed(list(map(Written, places, texts)))]))


PORTION = 1 << 20
"""The most bytes read at once: few enough to bound memory, and enough work for the threads to be worth starting."""


def _widen() -> None:
    """A pipe on Linux holds 64 KiB unless told otherwise: not enough work for the threads to be worth starting."""
    with suppress(ImportError, AttributeError, OSError):
        fcntl = import_module("fcntl")
        fcntl.fcntl(sys.stdin.fileno(), fcntl.F_SETPIPE_SZ, PORTION)


def _read() -> bytes:
    """A portion of standard input, as soon as it arrives: a program may wait for an answer before it goes on."""
    if sys.stdin is None:
        raise StreamError("standard input is closed")
    try:
        stream: Any = sys.stdin.buffer  # a BufferedReader, unless somebody put another stream there
        return bytes(stream.read1(PORTION))
    except OSError as error:
        raise StreamError(f"standard input cannot be read: {error.strerror}") from None


def _blocks_of(read: Callable[[], bytes], name: str) -> Iterator[Block]:
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
        yield Block(Lines(whole, number))
        number += lines
    if rest:
        yield Block(Lines(rest, number))


def _from_lines(path: str) -> Queries:
    from pathlib import Path  # for files alone

    def portions() -> Iterator[Portion]:
        try:
            with Path(path).open("rb") as file:
                yield from _blocks_of(lambda: file.read1(PORTION), path)
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
    from pathlib import Path

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
                yield Listed([Written(f"row {place}", one or "", Fields(one, turn, game)) for place, (one, turn) in both])
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
