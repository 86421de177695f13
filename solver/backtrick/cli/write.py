"""Where answers go: standard output, or a file that is written whole or not at all."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from backtrick.answer import SCHEMA
from backtrick.cli import streams
from backtrick.cli.forms import Form
from backtrick.errors import StorageError, UsageError
from backtrick.formats import ARRAY, GROUP, METADATA, TABLE, GrowingArray, arrow
from backtrick.games import AnyGame
from backtrick.writer import Columns


class Output:
    """Takes answers as they come. `begin` and `end` do nothing here: they are for files with a head or a foot."""

    def begin(self, game: AnyGame, rules: Any) -> None:
        """Called once, as soon as the game is known. Raises `UsageError` if its answers cannot be written here."""

    def write(self, columns: Columns) -> None:
        """Writes answers, in order."""
        raise NotImplementedError

    def write_text(self, text: str) -> None:
        """Writes lines of answers that have no columns."""
        raise NotImplementedError

    def flush(self) -> None:
        """Empties the buffer, so that a reader who waits sees the answers."""

    def end(self) -> None:
        """Called after the last answer."""

    def drop(self) -> None:
        """Called after an error: what was written is thrown away."""


@contextmanager
def output(command: str, form: Form[Any], shape: str, path: str | None) -> Iterator[Output]:
    """Yields where the answers of a command go: standard output, or a file that appears only if all goes well.

    Raises `UsageError` if the answers cannot be written in this format, and `StorageError` if the file cannot be written.
    """
    if path is None:
        yield _Printed(shape)
        return
    if not form.offers(shape):
        those = f"{command} --all" if form.every else command
        raise UsageError(f"{path}: {those} writes rows (.txt, .tsv) and records (.jsonl, .json), nothing else")
    from backtrick.storage.atomic import whole_file

    target = Path(path).resolve()  # a link stays, and its target is replaced
    if target.exists() and not target.is_file():
        raise StorageError(path, "cannot be written: it is no file")
    with whole_file(target) as temporary, temporary.open("wb") as file:
        out: Output = {ARRAY: _Array, TABLE: _Table}.get(shape, _Lines)(file, command, form.kind, shape, path)
        try:
            yield out
            out.end()
        except BaseException:
            out.drop()
            raise


class _Printed(Output):
    """Standard output."""

    def __init__(self, shape: str):
        self._shape = shape

    def write(self, columns: Columns) -> None:
        streams.write(columns.lines(self._shape).decode())

    def write_text(self, text: str) -> None:
        streams.write(text)

    def flush(self) -> None:
        streams.flush()


class _File(Output):
    """A file that is being written. kind: of its columns; None for answers without columns."""

    def __init__(self, file: BinaryIO, command: str, kind: type[Columns] | None, shape: str, path: str):
        self._file, self._command, self._kind, self._shape, self._path = file, command, kind, shape, path


class _Lines(_File):
    """Rows or records, as on standard output."""

    def write(self, columns: Columns) -> None:
        self._file.write(columns.lines(self._shape))

    def write_text(self, text: str) -> None:
        self._file.write(text.encode())


class _OfOneGame(_File, ABC):
    """A file of one game, which has a head: it must be known when the file ends."""

    _game: AnyGame | None = None

    def begin(self, game: AnyGame, rules: Any) -> None:
        self._game = game
        self._open(game, rules)

    def end(self) -> None:
        if self._game is None:
            raise UsageError(f"{self._path}: no question told whose positions it is to hold; --game does")
        self._close()

    @abstractmethod
    def _open(self, game: AnyGame, rules: Any) -> None: ...

    @abstractmethod
    def _close(self) -> None: ...


class _Array(_OfOneGame):
    """A numpy array with one axis: the fields of a position, then what was answered."""

    _growing: GrowingArray

    def _open(self, game: AnyGame, rules: Any) -> None:
        if game.position_dtype is None:
            raise UsageError(f"{self._path}: positions of {game.title} have no array form")
        kind = self._kind
        assert kind is not None
        self._growing = GrowingArray(self._file, np.dtype([*game.position_dtype.descr, *kind.fields(game)]))

    def write(self, columns: Columns) -> None:
        positions = columns.positions
        if positions.dtype == object:
            positions = columns.game.pack(positions.tolist())  # raises an error that says why one has no array form
        self._put(positions, columns.numbers())

    def _put(self, positions: np.ndarray, columns: Sequence[Any]) -> None:
        dtype = self._growing.dtype
        array = np.empty(len(positions), dtype)
        names = positions.dtype.names or ()
        for name in names:
            array[name] = positions[name]
        for name, column in zip((dtype.names or ())[len(names) :], columns, strict=True):
            array[name] = column
        self._growing.append(array)

    def _close(self) -> None:
        self._growing.close()


class _Table(_OfOneGame):
    """Parquet: a row for each answer, with the names of its record as columns; a row group for each group of answers."""

    _writer: Any = None
    _waiting: Sequence[Any] = ()

    def drop(self) -> None:
        if self._writer is not None:
            with suppress(Exception):  # an open writer tries again when it is collected, and complains
                self._writer.close()

    def _open(self, game: AnyGame, rules: Any) -> None:
        kind = self._kind
        assert kind is not None
        pyarrow, parquet = arrow(self._path)
        types = {str: pyarrow.string(), int: pyarrow.int16(), bool: pyarrow.bool_(), list: pyarrow.list_(pyarrow.int16())}
        metadata = {"schema": SCHEMA, "command": self._command, "game": game.name, "rules": asdict(rules)}
        columns = [(name, types[cell]) for name, cell in kind.types(game).items()]
        self._writer = parquet.ParquetWriter(self._file, pyarrow.schema(columns, metadata={METADATA: json.dumps(metadata)}))

    def write(self, columns: Columns) -> None:
        self._put(columns.cells(), len(columns))

    def _put(self, columns: Mapping[str, list[Any]], count: int) -> None:
        """Adds rows to the group that waits to be written."""
        pyarrow, _ = arrow(self._path)
        schema = self._writer.schema
        arrays = [pyarrow.array(columns.get(one.name, [None] * count), one.type) for one in schema]
        waiting = pyarrow.concat_tables([*self._waiting, pyarrow.table(arrays, schema=schema)])
        while len(waiting) >= GROUP:
            self._writer.write_table(waiting[:GROUP].combine_chunks())
            waiting = waiting[GROUP:]
        self._waiting = [waiting]

    def _close(self) -> None:
        for rest in self._waiting:
            if len(rest):
                self._writer.write_table(rest.combine_chunks())
        self._writer.close()
