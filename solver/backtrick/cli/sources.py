"""Where questions come from: the arguments, standard input or a file. They come in portions of bounded size."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from backtrick.cli.arriving import PORTION, from_stdin, lines_of
from backtrick.cli.questions import Asked, Cells, Line, Packed
from backtrick.errors import StorageError, UsageError
from backtrick.forms.formats import ARRAY, GROUP, METADATA, RECORDS, ROWS, TABLE, arrow, format_of
from backtrick.games import GAMES, AnyGame, all_games
from backtrick.lines import Lines
from backtrick.values import shortened


class Portion(ABC):
    """Questions that came together. They are taken from first to last: one by one, or many plain ones at once."""

    @abstractmethod
    def __len__(self) -> int:
        """How many questions are left; perhaps not quite so many."""

    @abstractmethod
    def next(self) -> Asked | None:
        """Takes the next question; None if none is left."""

    def plain(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, first: int) -> int:
        """Takes the next questions up to the first that needs more than a look: their positions, which are well-formed, go to
        positions[first:], and their turns to turns[first:] unless `turns` is None. Returns how many rows are filled."""
        return first

    def copied(self) -> Portion:
        """The same portion again, from where it stands."""
        return copy(self)


class Listed(Portion):
    """Questions that are there one by one."""

    def __init__(self, questions: Sequence[Asked]):
        self._questions, self._at = questions, 0

    def __len__(self) -> int:
        return len(self._questions) - self._at

    def next(self) -> Asked | None:
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

    def next(self) -> Asked | None:
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

    def next(self) -> Asked | None:
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
class Questions:
    """All questions of one run.

    portions: the questions in order
    unit: what they are counted in, 'lines' or 'rows'; empty if the arguments hold them all
    total: how many there are; None if that is not known yet
    """

    portions: Iterator[Portion]
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
    if path == "-" or list(texts) == ["-"]:
        return Questions(map(Block, from_stdin()), "lines")
    places = [f"argument {number}" if len(texts) > 1 else "" for number in range(1, len(texts) + 1)]
    return Questions(iter([Listed(list(map(Line, places, texts)))]))


def _from_lines(path: str) -> Questions:
    def portions() -> Iterator[Portion]:
        try:
            with Path(path).open("rb") as file:
                yield from map(Block, lines_of(lambda: file.read1(PORTION), path))
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

    def portions() -> Iterator[Portion]:
        for start in range(0, len(array), GROUP):
            part = array[start : start + GROUP]
            positions = np.empty(len(part), of.position_dtype)
            for name in names:
                positions[name] = part[name]
            yield Elements(of, positions, None if turns is None else part[turns], start)

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
