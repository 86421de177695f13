"""Questions from the arguments, standard input or a file, each with its place, in portions of bounded size."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from solver.cli.formats import ARRAY, GROUP, METADATA, RECORDS, ROWS, TABLE, arrow, format_of
from solver.cli.streams import PORTION, lines_of, questions
from solver.core.errors import ArrayError, BacktrickError, NotationError, StorageError, UsageError
from solver.core.values import shortened
from solver.games import GAMES, AnyGame, all_games, game_of, tell

NO_TURN, UNKNOWN = "-", "?"
"""What a row shows if there is no turn, and if something is not known because a limit was met."""


class Fields(NamedTuple):
    """The parts of a written question: a position and a turn in notation, and the game's name if it is there."""

    position: str
    turn: str | None = None
    game: str | None = None


class Asked(ABC):
    """One question, not parsed yet: parsing raises errors, which are reported with its place.

    place: for error messages: 'line 3', 'row 17'; lines and rows count from 1. Empty for the only argument.
    """

    place: str

    @abstractmethod
    def game(self) -> AnyGame:
        """The game of the question. Raises `BacktrickError`."""

    @abstractmethod
    def position(self, game: AnyGame) -> Any:
        """The position. Raises `BacktrickError`."""

    @abstractmethod
    def turn(self, game: AnyGame) -> Any:
        """The turn to grade. Raises `BacktrickError`, also if the question has none."""


class _Written(Asked):
    """A question in notation."""

    @abstractmethod
    def fields(self) -> Fields:
        """The parts of the question. Raises `NotationError`."""

    @abstractmethod
    def text(self) -> str:
        """The question as it was written, for error messages."""

    def game(self) -> AnyGame:
        fields = self.fields()
        return game_of(fields.game) if fields.game in GAMES else tell(fields.position)

    def position(self, game: AnyGame) -> Any:
        fields = self.fields()
        if fields.game not in (None, game.name):
            raise NotationError("record", self.text(), 1, f"it is of the game {shortened(fields.game)!r}, not of {game.name!r}")
        return game.parse(fields.position)

    def turn(self, game: AnyGame) -> Any:
        turn = self.fields().turn
        if turn is None:
            raise NotationError("question", self.text(), len(self.text()) + 1, "expected a tab, then a turn")
        if turn in (NO_TURN, UNKNOWN):
            raise NotationError("question", self.text(), 1, "it names no turn to grade: there was none, or none was found")
        return game.parse_turn(turn)


@dataclass(frozen=True, slots=True)
class Line(_Written):
    """A line of text: a row, whose first field is the position and whose second may be the turn; or a record."""

    place: str
    line: str

    def text(self) -> str:
        return self.line

    def fields(self) -> Fields:
        if self.line.lstrip().startswith("{"):
            return _fields_of_record(self.line)
        position, *rest = self.line.split("\t")
        return Fields(position, rest[0] if rest else None)

    def turn(self, game: AnyGame) -> Any:
        _, *fields = self.line.split("\t")
        if len(fields) in (2, 3) and not self.line.lstrip().startswith("{") and _is_turn(game, fields[1]):
            problem = "it is a row of solve, whose second field is no turn; grade takes those of best, or of solve --json"
            raise NotationError("question", self.line, 1, problem)
        return super(Line, self).turn(game)


@dataclass(frozen=True, slots=True)
class Cells(_Written):
    """A row of a Parquet file. None for an empty cell."""

    place: str
    position_cell: str | None
    turn_cell: str | None
    game_name: str | None

    def text(self) -> str:
        return self.position_cell or ""

    def fields(self) -> Fields:
        if self.position_cell is None:
            raise NotationError("row", "", 1, "it has no position")
        return Fields(self.position_cell, self.turn_cell or NO_TURN, self.game_name)


@dataclass(frozen=True, slots=True)
class Packed(Asked):
    """An element of an array, as an array of one, and its packed turn if it has one."""

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


def _fields_of_record(line: str) -> Fields:
    """The `position`, the `turn` or `best`, and the `game` of a record. Raises `NotationError`."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NotationError("record", line, getattr(error, "colno", 1), "it is not JSON") from None
    position, turn, game = record.get("position"), record.get("turn", record.get("best", NO_TURN)), record.get("game")
    if not isinstance(position, str):
        raise NotationError("record", line, 1, "it has no position")
    if "game" in record and not isinstance(game, str):
        raise NotationError("record", line, 1, "its game is no name")
    return Fields(position, turn if isinstance(turn, str) else NO_TURN, game)


def _is_turn(game: AnyGame, text: str) -> bool:
    try:
        return text in (NO_TURN, UNKNOWN) or game.parse_turn(text) is not None
    except BacktrickError:
        return False


# Where questions come from


@dataclass(frozen=True, slots=True)
class Questions:
    """All questions of one run.

    portions: the questions in order
    unit: what they are counted in, 'lines' or 'rows'; empty if the arguments hold them all
    total: how many there are; None if that is not known yet
    """

    portions: Iterator[Sequence[Asked]]
    unit: str = ""
    total: int | None = None


def asked(texts: Sequence[str], path: str | None) -> Questions:
    """The questions in the arguments, on standard input (-), or in the file at `path`. Raises `UsageError`, `StorageError`."""
    if path is not None and texts:
        raise UsageError("--input names the file of all the questions, so nothing goes beside it")
    if path is not None and path != "-":
        return READERS[format_of(path)](path)
    if path is None and "-" in texts and list(texts) != ["-"]:
        raise UsageError("- stands for all the questions, so nothing goes beside it")
    streamed = path == "-" or list(texts) == ["-"]
    portions = questions(["-"] if streamed else texts)
    return Questions(([Line(*one) for one in portion] for portion in portions), "lines" if streamed else "")


def _from_lines(path: str) -> Questions:
    def portions() -> Iterator[Sequence[Asked]]:
        try:
            with Path(path).open("rb") as file:
                for portion in lines_of(lambda: file.read1(PORTION), path):
                    yield [Line(*one) for one in portion]
        except OSError as error:
            raise _unreadable(path, error) from None

    return Questions(portions(), "lines")


def _from_array(path: str) -> Questions:
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

    def portions() -> Iterator[Sequence[Asked]]:
        for start in range(0, len(array), GROUP):
            part = array[start : start + GROUP]
            positions = np.empty(len(part), of.position_dtype)
            for name in names:
                positions[name] = part[name]
            packed = [None] * len(part) if turns is None else part[turns].tolist()
            yield [Packed(f"row {start + at + 1}", of, positions[at : at + 1], turn) for at, turn in enumerate(packed)]

    return Questions(portions(), "rows", len(array))


def _begins(dtype: np.dtype, position: np.dtype) -> bool:
    """True if an array's first fields are those of a game's positions."""
    names = position.names or ()
    return (dtype.names or ())[: len(names)] == names and all(dtype[name] == position[name] for name in names)


def _from_table(path: str) -> Questions:
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

    def portions() -> Iterator[Sequence[Asked]]:
        before = 0
        try:
            for batch in file.iter_batches(GROUP, columns=columns):
                positions = batch.column(0).to_pylist()
                cells = batch.column(1).to_pylist() if turns else [None] * len(positions)
                yield [Cells(f"row {before + at}", *both, game) for at, both in enumerate(zip(positions, cells, strict=True), 1)]
                before += len(positions)
        except (*damaged, OSError) as error:
            raise StorageError(path, f"is damaged after row {before}: {shortened(str(error))}") from None

    return Questions(portions(), "rows", file.metadata.num_rows)


def _game_of_metadata(text: bytes | None) -> str | None:
    try:
        game = json.loads(text or b"{}")["game"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return None
    return game if game in GAMES else None


def _unreadable(path: str, error: OSError) -> StorageError:
    return StorageError(path, f"cannot be read: {error.strerror or shortened(str(error))}")


READERS: dict[str, Callable[[str], Questions]] = {
    ROWS: _from_lines,
    RECORDS: _from_lines,
    ARRAY: _from_array,
    TABLE: _from_table,
}
