"""Where answers go: standard output, or a file that is written whole or not at all."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from solver.cli import streams
from solver.cli.formats import ARRAY, GROUP, METADATA, TABLE, arrow
from solver.cli.forms import Form
from solver.core.answer import SCHEMA
from solver.core.errors import StorageError, UsageError
from solver.games import AnyGame
from solver.storage.atomic import whole_file


class Output:
    """Takes answers as they come. `begin` and `end` do nothing here: they are for files with a head or a foot."""

    def begin(self, game: AnyGame, rules: Any) -> None:
        """Called once, as soon as the game is known. Raises `UsageError` if its answers cannot be written here."""

    def write(self, items: Iterable[Any]) -> None:
        """Writes some answers, in order."""
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
        yield _Printed(form, shape)
        return
    if not form.offers(shape):
        those = f"{command} --all" if form.every else command
        raise UsageError(f"{path}: {those} writes rows (.txt, .tsv) and records (.jsonl, .json), nothing else")
    target = Path(path).resolve()  # a link stays, and its target is replaced
    if target.exists() and not target.is_file():
        raise StorageError(path, "cannot be written: it is no file")
    with whole_file(target) as temporary, temporary.open("wb") as file:
        out: Output = {ARRAY: _Array, TABLE: _Table}.get(shape, _Lines)(file, command, form, shape, path)
        try:
            yield out
            out.end()
        except BaseException:
            out.drop()
            raise


class _Printed(Output):
    """Standard output."""

    def __init__(self, form: Form[Any], shape: str):
        self._form, self._shape = form, shape

    def write(self, items: Iterable[Any]) -> None:
        for line in self._form.lines(self._shape, items):
            streams.write(line)

    def flush(self) -> None:
        streams.flush()


class _File(Output):
    """A file that is being written."""

    def __init__(self, file: BinaryIO, command: str, form: Form[Any], shape: str, path: str):
        self._file, self._command, self._form, self._shape, self._path = file, command, form, shape, path


class _Lines(_File):
    """Rows or records, as on standard output."""

    def write(self, items: Iterable[Any]) -> None:
        for line in self._form.lines(self._shape, items):
            self._file.write(line.encode())


class _Groups(_File, ABC):
    """A file of one game, written in groups of answers."""

    def __init__(self, file: BinaryIO, command: str, form: Form[Any], shape: str, path: str):
        super().__init__(file, command, form, shape, path)
        self._game: AnyGame | None = None
        self._group: list[Any] = []

    def begin(self, game: AnyGame, rules: Any) -> None:
        self._game = game
        self._open(game, rules)

    def write(self, items: Iterable[Any]) -> None:
        for item in items:
            self._group.append(item)
            if len(self._group) == GROUP:
                self._put_group()

    def end(self) -> None:
        if self._game is None:
            raise UsageError(f"{self._path}: no question told whose positions it is to hold; --game does")
        self._put_group()
        self._close()

    def _put_group(self) -> None:
        if self._group and self._game is not None:
            self._put(self._game, self._group)
            self._group = []

    @abstractmethod
    def _open(self, game: AnyGame, rules: Any) -> None: ...

    @abstractmethod
    def _put(self, game: AnyGame, items: list[Any]) -> None: ...

    @abstractmethod
    def _close(self) -> None: ...


class _Array(_Groups):
    """A numpy array with one axis: the fields of a position, then what was answered."""

    _count = 0
    _dtype: np.dtype
    _begin: int

    def _open(self, game: AnyGame, rules: Any) -> None:
        if game.position_dtype is None:
            raise UsageError(f"{self._path}: positions of {game.title} have no array form")
        self._dtype = np.dtype([*game.position_dtype.descr, *self._form.fields(game)])
        self._header()
        self._begin = self._file.tell()

    def _put(self, game: AnyGame, items: list[Any]) -> None:
        positions, numbers = zip(*map(self._form.numbers, items), strict=True)
        packed = game.pack(positions)
        array = np.empty(len(items), self._dtype)
        names = packed.dtype.names or ()
        for name in names:
            array[name] = packed[name]
        for name, column in zip((self._dtype.names or ())[len(names) :], zip(*numbers, strict=True), strict=True):
            array[name] = column
        self._file.write(array.tobytes())
        self._count += len(items)

    def _close(self) -> None:
        self._file.seek(0)
        self._header()  # again, now with the count: numpy leaves room for it
        end, begin = self._file.tell(), self._begin
        assert end == begin

    def _header(self) -> None:
        header = {"descr": np.lib.format.dtype_to_descr(self._dtype), "fortran_order": False, "shape": (self._count,)}
        np.lib.format.write_array_header_1_0(self._file, header)


class _Table(_Groups):
    """Parquet: a row for each answer, with the names of its record as columns; a row group for each group of answers."""

    _writer: Any = None

    def drop(self) -> None:
        if self._writer is not None:
            with suppress(Exception):  # an open writer tries again when it is collected, and complains
                self._writer.close()

    def _open(self, game: AnyGame, rules: Any) -> None:
        pyarrow, parquet = arrow(self._path)
        types = {str: pyarrow.string(), int: pyarrow.int16(), bool: pyarrow.bool_(), list: pyarrow.list_(pyarrow.int16())}
        told = {"schema": SCHEMA, "command": self._command, "game": game.name, "rules": asdict(rules)}
        columns = [(name, types[kind]) for name, kind in self._form.columns(game).items()]
        self._writer = parquet.ParquetWriter(self._file, pyarrow.schema(columns, metadata={METADATA: json.dumps(told)}))

    def _put(self, game: AnyGame, items: list[Any]) -> None:
        pyarrow, _ = arrow(self._path)
        cells = [self._form.cells(item) for item in items]
        schema = self._writer.schema
        columns = [pyarrow.array([row.get(one.name) for row in cells], one.type) for one in schema]
        self._writer.write_table(pyarrow.table(columns, schema=schema))

    def _close(self) -> None:
        self._writer.close()
