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
from backtrick.learn.parts import DISTANCE, Part, columns
from backtrick.text import join_columns

MOST_BYTES = 1 << 25
"""Bytes of a row group of Parquet, about: with many turns it has fewer rows than `GROUP`."""


DATA, SHARD = "data", "-00000-of-00001"
"""The directory of the files, and the part of their names that tells shards apart: there is one. Loaders look for both."""


class Writer(ABC):
    """Writes a split below a directory. It is a context: after an error its files are closed as they are."""

    def __init__(self, game: AnyGame, directory: Path, split: str, told: Mapping[str, object]):
        self._game, self._directory, self._split, self._told = game, directory, split, told
        self._files = ExitStack()
        self._open()

    @classmethod
    @abstractmethod
    def names(cls, split: str, game: AnyGame) -> list[str]:
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


def _by_name(part: Part) -> dict[str, np.ndarray]:
    """The columns of a part by their names in data sets; not each game has all of them."""
    values = {"payoff": part.payoffs, DISTANCE: part.values}
    of_turns = {"turns": part.turns, "turn_payoffs": part.turn_payoffs, f"turn_{DISTANCE}": part.turn_values}
    return {"position": part.positions, **values, "best": part.best, "class": part.classes, **of_turns}


class Arrays(Writer):
    """A directory of arrays, one for each column: those of turns have an item for each turn, the others one for each position. And
    `offsets`."""

    @classmethod
    def names(cls, split: str, game: AnyGame) -> list[str]:
        return [f"{DATA}/{split}/{column}.npy" for column in (*columns(game), "offsets")]

    def _open(self) -> None:
        position, turn = self._game.position_dtype, self._game.turn_dtype
        assert position is not None and turn is not None
        wide = np.dtype("<i8")
        dtypes = {"position": position, "best": turn, "turns": turn, "class": wide, "offsets": wide}
        self._arrays: dict[str, GrowingArray] = {}
        for name in self.names(self._split, self._game):
            path = self._directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            self._arrays[path.stem] = GrowingArray(
                self._files.enter_context(path.open("wb")), dtypes.get(path.stem, np.dtype("<i2"))
            )
        self._arrays["offsets"].append(np.zeros(1, wide))

    def write(self, part: Part) -> None:
        given = {**_by_name(part), "offsets": part.offsets[1:] + self._arrays["turns"].count}
        for name, array in self._arrays.items():
            array.append(given[name])

    def end(self) -> None:
        for array in self._arrays.values():
            array.close()


class JsonLines(Writer):
    """A JSON object a line."""

    @classmethod
    def names(cls, split: str, game: AnyGame) -> list[str]:
        return [f"{DATA}/{split}{SHARD}.jsonl"]

    def _open(self) -> None:
        path = self._directory / self.names(self._split, self._game)[0]
        path.parent.mkdir(exist_ok=True)
        self._file = self._files.enter_context(path.open("wb"))
        kinds = {"position": b'"%b"', "best": b"%b", "turns": b"[%b]"}
        names = columns(self._game)
        fields = (b'"%b": ' % name.encode() + kinds.get(name, b"[%b]" if name.startswith("turn_") else b"%d") for name in names)
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
        for name in columns(game):
            if name.startswith("turn_"):
                texts[name] = _parts(*_items(b"", _texts_of(given[name]), b", "), part.offsets)
        rows = (texts.get(name) or given[name].tolist() for name in columns(game))
        self._file.writelines(self._line % row for row in zip(*rows, strict=True))

    def end(self) -> None:
        """Nothing is left to write."""


class Parquet(Writer):
    """A Parquet file. Turns are in notation, as lists of text."""

    _waiting: Any = None

    @classmethod
    def names(cls, split: str, game: AnyGame) -> list[str]:
        return [f"{DATA}/{split}{SHARD}.parquet"]

    def _open(self) -> None:
        self._arrow, parquet = arrow(self._split)
        text, number, wide = self._arrow.string(), self._arrow.int16(), self._arrow.int64()
        kinds = {"position": text, "best": text, "class": wide, "turns": self._arrow.list_(text)}
        fields = [
            (name, kinds.get(name) or (self._arrow.list_(number) if name.startswith("turn_") else number))
            for name in columns(self._game)
        ]
        metadata = {METADATA: json.dumps({**self._told, "split": self._split})}
        self._schema = self._arrow.schema(fields, metadata=metadata)
        self._waiting = self._schema.empty_table()
        path = self._directory / self.names(self._split, self._game)[0]
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
        for name in columns(game):
            if name.startswith("turn_"):
                texts[name] = pyarrow.ListArray.from_arrays(offsets, pyarrow.array(given[name]))
        made = [texts[name] if name in texts else given[name] for name in columns(game)]
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
