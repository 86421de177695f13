"""The columns of a split as files: Parquet, numpy arrays or JSON lines. Each takes part after part, so memory does not grow."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar

import numpy as np

from backtrick.formats import GROUP, METADATA, GrowingArray, arrow
from backtrick.games import AnyGame
from backtrick.learn.parts import DISTANCE, TENSORS, Part, columns, sizes
from backtrick.text import join_columns

KINDS = {"observation": "<f4", "mask": "|i1", "action_values": "<f4"}
"""The dtypes of the columns of `TENSORS`."""

MOST_BYTES = 1 << 25
"""Bytes of a row group of Parquet, about: with many turns it has fewer rows than `GROUP`."""


DATA = "data"
"""The directory of the files. Loaders look for it, and for names such as `train-00000-of-00002`."""

ROWS = 100_000
"""The most positions of a file."""


class Writer(ABC):
    """Writes a split below a directory. It is a context: after an error its files are closed as they are.

    stem: the name of a file, without its suffix, or of a directory of files
    """

    suffix: ClassVar[str] = ""
    """Of the one file that is written; without, it is a directory of files, which is not cut into shards."""

    def __init__(self, game: AnyGame, directory: Path, stem: str, split: str, told: Mapping[str, Any]):
        self._game, self._directory, self._stem, self._split, self._told = game, directory, stem, split, told
        self._columns = columns(game, told["tensors"])
        self._sizes = sizes(game, game.rules_with(told["rules"])) if told["tensors"] else {}
        self._files = ExitStack()
        self._open()

    @property
    def files(self) -> list[str]:
        """The files, as paths below the directory."""
        return [f"{DATA}/{self._stem}{self.suffix}"]

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


def _by_name(part: Part) -> dict[str, np.ndarray]:
    """The columns of a part by their names in data sets; not each game has all of them."""
    values = {"payoff": part.payoffs, DISTANCE: part.values}
    of_turns = {"turns": part.turns, "turn_payoffs": part.turn_payoffs, f"turn_{DISTANCE}": part.turn_values}
    return {"position": part.positions, **values, "best": part.best, "class": part.classes, **of_turns, **part.tensors}


class Shards:
    """A split in files of at most `ROWS` positions; in arrays it is one directory, as arrays are mapped and not read. A context."""

    def __init__(self, kind: type[Writer], game: AnyGame, directory: Path, split: str, told: Mapping[str, Any]):
        self._make, self._directory, self._split = partial(kind, game, directory), directory, split
        self._told, self._suffix, self._shards, self._rows = told, kind.suffix, 0, 0
        self._stack = ExitStack()
        self.files: list[str] = []
        self._begin()

    def write(self, part: Part) -> None:
        """Adds positions."""
        while len(part):
            if self._suffix and self._rows == ROWS:
                self._stack.close()
                self._begin()
            first, part = part.cut(ROWS - self._rows if self._suffix else len(part))
            self._writer.write(first)
            self._rows += len(first)

    def _begin(self) -> None:
        stem = f"{self._split}-{self._shards:05}" if self._suffix else self._split
        self._writer = self._stack.enter_context(self._make(stem, self._split, self._told))
        self._shards, self._rows = self._shards + 1, 0
        self.files += self._writer.files

    def __enter__(self) -> Shards:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stack.__exit__(kind, error, trace)
        if error is None and self._suffix:
            found = [f"{name.removesuffix(self._suffix)}-of-{self._shards:05}{self._suffix}" for name in self.files]
            for name, final in zip(self.files, found, strict=True):
                (self._directory / name).rename(self._directory / final)
            self.files = found


class Arrays(Writer):
    """A directory of arrays, one for each column: those of turns have an item for each turn, the others one for each position. And
    `offsets`."""

    @property
    def files(self) -> list[str]:
        return [f"{DATA}/{self._stem}/{column}.npy" for column in (*self._columns, "offsets")]

    def _open(self) -> None:
        position, turn = self._game.position_dtype, self._game.turn_dtype
        assert position is not None and turn is not None
        wide = np.dtype("<i8")
        dtypes = {"position": position, "best": turn, "turns": turn, "class": wide, "offsets": wide}
        dtypes |= {name: np.dtype(kind) for name, kind in KINDS.items()}
        self._arrays: dict[str, GrowingArray] = {}
        for name in self.files:
            path = self._directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            file, shape = self._files.enter_context(path.open("wb")), (self._sizes[path.stem],) if path.stem in self._sizes else ()
            self._arrays[path.stem] = GrowingArray(file, dtypes.get(path.stem, np.dtype("<i2")), shape)
        self._arrays["offsets"].append(np.zeros(1, wide))

    def write(self, part: Part) -> None:
        given = {**_by_name(part), "offsets": part.offsets[1:] + self._arrays["turns"].count}
        for name, array in self._arrays.items():
            array.append(given[name])

    def end(self) -> None:
        for array in self._arrays.values():
            array.close()


class JsonLines(Writer):
    """A JSON object a line. Numbers that are not there, as the value of an action that is not legal, are null."""

    suffix = ".jsonl"

    def _open(self) -> None:
        path = self._directory / self.files[0]
        path.parent.mkdir(exist_ok=True)
        self._file = self._files.enter_context(path.open("wb"))
        kinds = {"position": b'"%b"', "best": b"%b", "turns": b"[%b]"}
        lists = (*TENSORS, *(name for name in self._columns if name.startswith("turn_")))
        fields = (b'"%b": ' % name.encode() + kinds.get(name, b"[%b]" if name in lists else b"%d") for name in self._columns)
        self._line = b"{" + b", ".join(fields) + b"}\n"

    def write(self, part: Part) -> None:
        if not len(part):
            return
        game, given = self._game, _by_name(part)
        turns, ends = _items(b'"', game.turn_column(part.turns), b'", ')
        texts = {
            "position": game.position_column(part.positions).tolist(),
            "best": [json.dumps(text.decode() or None).encode() for text in game.turn_column(part.best).tolist()],
            "turns": _parts(turns, ends, part.offsets),
        }
        for name in self._columns:
            if name in TENSORS:
                texts[name] = [json.dumps(_plain(row))[1:-1].encode() for row in given[name].tolist()]
            if name.startswith("turn_"):
                texts[name] = _parts(*_items(b"", _texts_of(given[name]), b", "), part.offsets)
        rows = (texts.get(name) or given[name].tolist() for name in self._columns)
        self._file.writelines(self._line % row for row in zip(*rows, strict=True))

    def end(self) -> None:
        """Nothing is left to write."""


class Parquet(Writer):
    """A Parquet file. Turns are in notation, as lists of text; tensors are lists of a fixed size."""

    _waiting: Any = None
    suffix = ".parquet"

    def _open(self) -> None:
        self._arrow, parquet = arrow(self._split)
        text, number, wide = self._arrow.string(), self._arrow.int16(), self._arrow.int64()
        kinds = {"position": text, "best": text, "class": wide, "turns": self._arrow.list_(text)}
        for name, size in self._sizes.items():
            kinds[name] = self._arrow.list_(self._arrow.from_numpy_dtype(np.dtype(KINDS[name])), size)
        fields = [
            (name, kinds.get(name) or (self._arrow.list_(number) if name.startswith("turn_") else number)) for name in self._columns
        ]
        metadata = {METADATA: json.dumps({**self._told, "split": self._split})}
        self._schema = self._arrow.schema(fields, metadata=metadata)
        self._waiting = self._schema.empty_table()
        path = self._directory / self.files[0]
        path.parent.mkdir(exist_ok=True)
        writer = parquet.ParquetWriter(path, self._schema, compression="zstd", use_dictionary=False)
        self._writer = self._files.enter_context(writer)

    def write(self, part: Part) -> None:
        game, pyarrow, given = self._game, self._arrow, _by_name(part)
        offsets = pyarrow.array(part.offsets.astype(np.int32))
        best = [text.decode() or None for text in game.turn_column(part.best).tolist()]
        texts = {
            "position": self._texts(game.position_column(part.positions)),
            "best": pyarrow.array(best, pyarrow.string()),
            "turns": pyarrow.ListArray.from_arrays(offsets, self._texts(game.turn_column(part.turns))),
        }
        for name in self._columns:
            if name in TENSORS:
                texts[name] = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(given[name].ravel()), self._sizes[name])
            if name.startswith("turn_"):
                texts[name] = pyarrow.ListArray.from_arrays(offsets, pyarrow.array(given[name]))
        made = [texts[name] if name in texts else given[name] for name in self._columns]
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
