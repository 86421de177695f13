"""The columns of a split as files: Parquet, numpy arrays or JSON lines. Each takes part after part, so memory does not grow."""

from __future__ import annotations

import json
import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar

import numpy as np

from backtrick.game import AnyGame
from backtrick.learn.parts import NUMBERS, PORTION, TENSORS, Part, columns, is_of_turns, sizes
from backtrick.lines import join_columns
from backtrick.writing.formats import GROUP, METADATA, GrowingArray, arrow

MOST_BYTES = 1 << 25
"""Bytes of a row group of Parquet, about: with many turns it has fewer rows than `GROUP`."""


OFFSETS = "offsets"
"""The array beside the columns that says where the turns of each position begin and end."""


class Writer(ABC):
    """Writes a split of a shard. It is a context: after an error its files are closed as they are.

    path: of the file, or of the directory of files
    told: the facts about the shard
    """

    suffix: ClassVar[str] = ""
    """Of the one file that is written; without, it is a directory of files."""

    def __init__(self, game: AnyGame, path: Path, told: Mapping[str, Any]):
        self._game, self._columns, self._files = game, columns(game, told["tensors"]), ExitStack()
        self._sizes = sizes(game, game.rules_with(told["rules"])) if told["tensors"] else {}
        self._open(path, told)

    @abstractmethod
    def _open(self, path: Path, told: Mapping[str, Any]) -> None: ...

    @abstractmethod
    def write(self, part: Part) -> None:
        """Adds positions."""

    def end(self) -> None:
        """Called after the last position."""
        return

    @classmethod
    def gather(cls, parts: Sequence[Path], stem: Path) -> list[Path]:
        """Makes the files of a split from those of its shards, which stay as they are; returns their paths, which begin with
        `stem`."""
        made = [stem.with_name(f"{stem.name}-{place:05}-of-{len(parts):05}{cls.suffix}") for place in range(len(parts))]
        for part, path in zip(parts, made, strict=True):
            try:
                path.hardlink_to(part)
            except OSError:  # a file system without links
                shutil.copyfile(part, path)
        return made

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None:
            self.end()
            self._files.close()
        else:
            with suppress(Exception):  # the files are thrown away
                self._files.close()


class Arrays(Writer):
    """A directory of arrays, one for each column: those of turns have an item for each turn, the others one for each position. And
    `offsets`."""

    def _open(self, path: Path, told: Mapping[str, Any]) -> None:
        path.mkdir()
        self._arrays = {}
        for name in (*self._columns, OFFSETS):
            file = self._files.enter_context((path / f"{name}.npy").open("wb"))
            turn = self._game.turn_dtype if name in ("best", "turns") else self._game.position_dtype
            shape = (self._sizes[name],) if name in self._sizes else ()
            self._arrays[name] = GrowingArray(file, np.dtype(NUMBERS.get(name, turn)), shape)
        self._arrays[OFFSETS].append(np.zeros(1, np.int64))

    def write(self, part: Part) -> None:
        given = {**part.columns, OFFSETS: part.offsets[1:] + self._arrays["turns"].count}
        for name, array in self._arrays.items():
            array.append(given[name])

    def end(self) -> None:
        for array in self._arrays.values():
            array.close()

    @classmethod
    def gather(cls, parts: Sequence[Path], stem: Path) -> list[Path]:
        """The arrays of all shards become one of each column: arrays are mapped and not read, so they may be large."""
        stem.mkdir()
        made = [stem / path.name for path in sorted(parts[0].iterdir())]
        for path in made:
            arrays = [np.load(part / path.name, mmap_mode="r") for part in parts]
            if path.stem == OFFSETS:
                firsts = np.cumsum([0, *(one[-1] for one in arrays)])
                arrays = [one[place > 0 :] + firsts[place] for place, one in enumerate(arrays)]
            with path.open("wb") as file:
                growing = GrowingArray(file, arrays[0].dtype, arrays[0].shape[1:])
                for one in arrays:
                    for start in range(0, len(one), PORTION):
                        growing.append(one[start : start + PORTION])
                growing.close()
        return made


class JsonLines(Writer):
    """A JSON object per line. Numbers that are not there, as the value of an action that is not legal, are null."""

    suffix = ".jsonl"

    def _open(self, path: Path, told: Mapping[str, Any]) -> None:
        self._file = self._files.enter_context(path.open("wb"))
        kinds = {"position": b'"%b"', "best": b"%b", "turns": b"[%b]"}
        lists = {*TENSORS, *filter(is_of_turns, self._columns)}
        fields = (b'"%b": ' % name.encode() + kinds.get(name, b"[%b]" if name in lists else b"%d") for name in self._columns)
        self._line = b"{" + b", ".join(fields) + b"}\n"

    def write(self, part: Part) -> None:
        if not len(part.offsets) > 1:
            return
        rows = []
        for name, given in part.columns.items():
            if name == "position":
                rows.append(self._game.position_column(given).tolist())
            elif name == "best":
                rows.append([json.dumps(text.decode() or None).encode() for text in self._game.turn_column(given).tolist()])
            elif name == "turns":
                rows.append(_parts(*_items(b'"', self._game.turn_column(given), b'", '), part.offsets))
            elif is_of_turns(name):
                rows.append(_parts(*_items(b"", _texts_of(given), b", "), part.offsets))
            elif name in TENSORS:
                rows.append([json.dumps(_plain(row))[1:-1].encode() for row in given.tolist()])
            else:
                rows.append(given.tolist())
        self._file.writelines(self._line % row for row in zip(*rows, strict=True))


class Parquet(Writer):
    """A Parquet file. Turns are in notation, as lists of text; tensors are lists of a fixed size."""

    _waiting: Any = None
    suffix = ".parquet"

    def _open(self, path: Path, told: Mapping[str, Any]) -> None:
        self._arrow, parquet = arrow(str(path))
        fields = []
        for name in self._columns:
            kind = self._arrow.from_numpy_dtype(np.dtype(NUMBERS[name])) if name in NUMBERS else self._arrow.string()
            sized = name in self._sizes or is_of_turns(name)
            fields.append((name, self._arrow.list_(kind, self._sizes.get(name, -1)) if sized else kind))
        self._schema = self._arrow.schema(fields, metadata={METADATA: json.dumps({**told, "split": path.stem})})
        self._waiting = self._schema.empty_table()
        writer = parquet.ParquetWriter(path, self._schema, compression="zstd", use_dictionary=False)
        self._writer = self._files.enter_context(writer)

    def write(self, part: Part) -> None:
        pyarrow, offsets, made = self._arrow, part.offsets.astype(np.int32), []
        for name, given in part.columns.items():
            if name == "position":
                made.append(self._texts(self._game.position_column(given)))
            elif name == "best":
                made.append([text.decode() or None for text in self._game.turn_column(given).tolist()])
            elif is_of_turns(name):
                items = self._texts(self._game.turn_column(given)) if name == "turns" else given
                made.append(pyarrow.ListArray.from_arrays(offsets, items))
            elif name in TENSORS:
                made.append(pyarrow.FixedSizeListArray.from_arrays(given.ravel(), self._sizes[name]))
            else:
                made.append(given)
        self._waiting = pyarrow.concat_tables([self._waiting, pyarrow.table(made, schema=self._schema)])
        if len(self._waiting) >= GROUP or self._waiting.nbytes >= MOST_BYTES:
            self._put()

    def end(self) -> None:
        if len(self._waiting):
            self._put()

    def _put(self) -> None:
        """Writes the rows that wait as a row group."""
        self._writer.write_table(self._waiting.combine_chunks(), row_group_size=len(self._waiting))
        self._waiting = self._schema.empty_table()

    def _texts(self, texts: np.ndarray) -> Any:
        """A column of texts, without making an object for each."""
        text, ends = _items(b"", texts, b"")
        buffers = map(self._arrow.py_buffer, (ends.astype(np.int32), text))
        return self._arrow.StringArray.from_buffers(len(texts), *buffers)


def _plain(row: list[float]) -> list[float | None]:
    """A row as JSON has it, with null for NaN."""
    return [None if one != one else one for one in row]


def _items(before: bytes, texts: np.ndarray, after: bytes) -> tuple[bytes, np.ndarray]:
    """All texts in one, each between `before` and `after`, and where each ends: int64, shape (n + 1,), from 0 on."""
    ends = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.char.str_len(texts) + (len(before) + len(after)), out=ends[1:])
    return join_columns(before, texts, after, count=len(texts)), ends


def _parts(text: bytes, ends: np.ndarray, offsets: np.ndarray) -> list[bytes]:
    """The items of `_items` by position, the last of each without the comma and the blank behind it."""
    cuts = ends[offsets].tolist()
    return [text[start : max(stop - 2, start)] for start, stop in zip(cuts[:-1], cuts[1:], strict=True)]


def _texts_of(numbers: np.ndarray) -> np.ndarray:
    """The decimal text of each number: dtype S. They lie close together, so each different text is made once."""
    if not len(numbers):
        return np.empty(0, "S1")
    low, high = int(numbers.min()), int(numbers.max())
    texts: np.ndarray = np.array([b"%d" % number for number in range(low, high + 1)])[numbers - low]
    return texts


WRITERS: dict[str, type[Writer]] = {"parquet": Parquet, "npy": Arrays, "jsonl": JsonLines}
"""The formats of a data set."""
