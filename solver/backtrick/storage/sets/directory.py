"""The solved sets of a directory, searched one after another."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Generic

import numpy as np

from backtrick.answer import P, R, T
from backtrick.errors import CorruptTableError, ForeignFileError, PassedOverWarning, StorageError
from backtrick.storage.codec import Codec, Key
from backtrick.storage.file import Reader
from backtrick.storage.sets.names import name_of
from backtrick.storage.sets.opened import SolvedSet


class SetsOfDirectory(Generic[P, T, R]):
    """The solved sets of a directory, opened as they are needed.

    Sets of another game or other rules are passed over. So are those that cannot be read, each with a `PassedOverWarning`.
    """

    def __init__(self, directory: Path, names: Iterable[str], codec: Codec[P, T, R], rules: R):
        self.paths = sorted(directory / name for name in names if name_of(Path(name)))
        self.codec, self.rules = codec, rules
        self._opened: dict[Path, SolvedSet[P, T, R] | None] = {}
        self._bad: dict[str, str] = {}

    def names(self) -> list[str]:
        """The names of the sets in the directory. No file is opened."""
        return [told[0] for path in self.paths if (told := name_of(path))]

    @property
    def passed_over(self) -> tuple[str, ...]:
        """The files that could not be read so far, and what is wrong with each."""
        return tuple(f"{name}: {problem}" for name, problem in self._bad.items())

    def __iter__(self) -> Iterator[SolvedSet[P, T, R]]:
        for path in self.paths:
            if path not in self._opened:
                self._opened[path] = self._open(path)
            if (opened := self._opened[path]) is not None:
                yield opened

    def _open(self, path: Path) -> SolvedSet[P, T, R] | None:
        """The set with its keys read, or None if it is of another game or other rules, or cannot be read."""
        try:
            with Reader(path) as reader:
                if reader.header.game != self.codec.game:
                    return None
                found = SolvedSet(reader, self.codec)
                if found.rules != self.rules:
                    return None
                _ = found.keys
                return found
        except (CorruptTableError, ForeignFileError, StorageError) as error:
            self._bad[path.name] = error.problem
            warnings.warn(PassedOverWarning(str(path), error.problem), stacklevel=2)
            return None

    def find(self, key: Key) -> tuple[SolvedSet[P, T, R], int] | None:
        """The first set that holds a class, and its place there."""
        for found in self:
            place = int(np.searchsorted(found.keys, key))
            if place < len(found.keys) and found.keys[place] == key:
                return found, place
        return None

    def find_many(self, keys: np.ndarray) -> Iterator[tuple[SolvedSet[P, T, R], np.ndarray, np.ndarray]]:
        """Each set that holds a class that no earlier set holds, with the places of these keys in `keys`, and in the set."""
        left = np.arange(len(keys))
        for found in self:
            if not len(left):
                break
            places = found.places(keys[left])
            here = places >= 0
            yield found, left[here], places[here]
            left = left[~here]

    def close(self) -> None:
        """Drops all that was read."""
        self._opened, self._bad = {}, {}
