"""The columns of a split as files: Parquet, numpy arrays or JSON lines. Each takes part after part, so memory does not grow."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from backtrick.formats import GROUP, METADATA, GrowingArray, arrow
from backtrick.games import AnyGame
from backtrick.learn.parts import Part
from backtrick.lines import joined

MOST_BYTES = 1 << 25
"""Bytes of a row group of Parquet, about: with many turns it has fewer rows than `GROUP`."""


class Writer(ABC):
    """Writes a split below a directory. It is a context: after an error its files are closed as they are."""

    def __init__(self, game: AnyGame, directory: Path, split: str, told: Mapping[str, object]):
        self._game, self._directory, self._split, self._told = game, directory, split, told
        self._files = ExitStack()
        self._open()

    @classmethod
    @abstractmethod
    def names(cls, split: str) -> list[str]:
        """The files that hold a split, as paths below the directory."""

    @abstractmethod
    def _open(self) -> None: ...

    @abstractmethod
    def write(self, part: Part) -> None:
        """Adds positions."""

    @abstractmethod
    def end(self) -> None:
        """Called after the last position."""

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
    """A directory of arrays: `position`, `value`, `best`, `class`, an item for each position; `turns` and `turn_values`, an item
    for each turn; `offsets`."""

    columns = ("position", "value", "best", "class", "turns", "turn_values", "offsets")

    @classmethod
    def names(cls, split: str) -> list[str]:
        return [f"{split}/{column}.npy" for column in cls.columns]

    def _open(self) -> None:
        position, turn, number, wide = self._game.position_dtype, self._game.turn_dtype, np.dtype("<i2"), np.dtype("<i8")
        assert position is not None and turn is not None
        (self._directory / self._split).mkdir()
        dtypes: list[np.dtype] = [position, number, turn, wide, turn, number, wide]
        opened = [self._files.enter_context((self._directory / name).open("wb")) for name in self.names(self._split)]
        self._arrays = [GrowingArray(file, dtype) for file, dtype in zip(opened, dtypes, strict=True)]
        self._arrays[-1].append(np.zeros(1, wide))

    def write(self, part: Part) -> None:
        offsets = part.offsets[1:] + self._arrays[-2].count
        columns = (part.positions, part.values, part.best, part.classes, part.turns, part.turn_values, offsets)
        for array, column in zip(self._arrays, columns, strict=True):
            array.append(column)

    def end(self) -> None:
        for array in self._arrays:
            array.close()


class JsonLines(Writer):
    """A JSON object a line."""

    @classmethod
    def names(cls, split: str) -> list[str]:
        return [f"{split}.jsonl"]

    def _open(self) -> None:
        self._file = self._files.enter_context((self._directory / self.names(self._split)[0]).open("wb"))

    def write(self, part: Part) -> None:
        if not len(part):
            return
        game = self._game
        turns, ends = _items(b'"', game.turn_column(part.turns), b'", ')
        values, value_ends = _items(b"", _texts_of(part.turn_values), b", ")
        best = [json.dumps(text.decode() or None).encode() for text in game.turn_column(part.best).tolist()]
        columns = (game.position_column(part.positions).tolist(), part.values.tolist(), best, part.classes.tolist(),
                   _parts(turns, ends, part.offsets), _parts(values, value_ends, part.offsets))  # fmt: skip
        self._file.writelines(_LINE % row for row in zip(*columns, strict=True))

    def end(self) -> None:
        """Nothing is left to write."""


_LINE = b'{"position": "%b", "value": %d, "best": %b, "class": %d, "turns": [%b], "turn_values": [%b]}\n'


class Parquet(Writer):
    """A Parquet file. Turns are in notation, as lists of text."""

    _waiting: Any = None

    @classmethod
    def names(cls, split: str) -> list[str]:
        return [f"{split}.parquet"]

    def _open(self) -> None:
        self._arrow, parquet = arrow(self._split)
        self._schema = self._arrow.schema(
            [
                ("position", self._arrow.string()),
                ("value", self._arrow.int16()),
                ("best", self._arrow.string()),
                ("class", self._arrow.int64()),
                ("turns", self._arrow.list_(self._arrow.string())),
                ("turn_values", self._arrow.list_(self._arrow.int16())),
            ],
            metadata={METADATA: json.dumps({**self._told, "split": self._split})},
        )
        self._waiting = self._schema.empty_table()
        path = self._directory / self.names(self._split)[0]
        writer = parquet.ParquetWriter(path, self._schema, compression="zstd", use_dictionary=False)
        self._writer = self._files.enter_context(writer)

    def write(self, part: Part) -> None:
        game, pyarrow = self._game, self._arrow
        offsets = pyarrow.array(part.offsets.astype(np.int32))
        columns = [
            self._texts(game.position_column(part.positions)),
            part.values,
            pyarrow.array([text.decode() or None for text in game.turn_column(part.best).tolist()], pyarrow.string()),
            part.classes,
            pyarrow.ListArray.from_arrays(offsets, self._texts(game.turn_column(part.turns))),
            pyarrow.ListArray.from_arrays(offsets, pyarrow.array(part.turn_values)),
        ]
        self._waiting = pyarrow.concat_tables([self._waiting, pyarrow.table(columns, schema=self._schema)])
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


def _items(before: bytes, texts: np.ndarray, after: bytes) -> tuple[bytes, np.ndarray]:
    """All texts in one, each between `before` and `after`, and where each ends: int64, shape (n + 1,), from 0 on."""
    ends = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.char.str_len(texts) + (len(before) + len(after)), out=ends[1:])
    return joined(before, texts, after, count=len(texts)), ends


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
