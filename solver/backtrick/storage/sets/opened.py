"""A solved set in a file: its entries, found by key."""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Generic

import numpy as np

from backtrick.answer import P, R, T
from backtrick.errors import CorruptTableError, ForeignFileError, LieError, TableError
from backtrick.storage.codec import NEVER, Codec
from backtrick.storage.file import Reader
from backtrick.storage.header import is_digest, same
from backtrick.storage.sets.names import CLOSURE, SET, is_name, name_of

POSITIONS_DIGEST = "questions"
"""The name of `positions_digest` in a header's scheme."""

ROOT = "root"
"""The name, in a closure's scheme, of the position from which all others are reached."""

UNSEEN, FINE, FALSE = range(3)
BLOCK = 1 << 10  # entries that are examined together: one alone takes about as long as a hundred


def counts_of(entries: np.ndarray) -> dict[str, int]:
    """How many entries have each value."""
    values, counts = np.unique(entries["value"], return_counts=True)
    return {str(value): count for value, count in zip(values.tolist(), counts.tolist(), strict=True)}


def positions_digest(entries: np.ndarray, unknown: int) -> str:
    """The SHA-256 of the entries without values and best turns. unknown: the value that replaces all values."""
    asked = entries.copy()
    asked["value"], asked["best"] = unknown, 0
    return sha256(asked.tobytes()).hexdigest()


class SolvedSet(Generic[P, T, R]):
    """A set or closure in a file. Its entries are read into memory when they are first needed.

    place: the file, or a reader of it. rules: None for those in the file's header.
    Raises `CorruptTableError`, or `ForeignFileError` if its header names another game, other rules or another file name.
    """

    def __init__(self, place: str | Path | Reader, codec: Codec[P, T, R], rules: R | None = None):
        self.codec, self.reader = codec, place if isinstance(place, Reader) else Reader(Path(place))
        self.path, self.name = self.reader.path, self.reader.header.name
        try:
            self.rules = self._check_header(rules)
        except TableError:
            self.reader.close()
            raise

    def _check_header(self, rules: R | None) -> R:
        """The rules of the header. Raises a `TableError` if the header does not fit."""
        path, header, codec = str(self.path), self.reader.header, self.codec
        if header.kind not in (SET, CLOSURE) or header.game != codec.game:
            raise ForeignFileError(path, f"a {header.kind[:40]} of {header.game[:40]}, not a solved set of {codec.game}")
        if name_of(self.path) not in (None, (header.name, header.kind)) or not is_name(header.name):
            raise ForeignFileError(path, f"the {header.kind} {header.name[:40]!r} under another name")
        try:
            told = codec.rules_of(header.rules)
        except (TypeError, ValueError) as error:
            raise ForeignFileError(path, f"of rules that {codec.game} does not have ({error})") from None
        if not same(header.rules, codec.options_of(told)) or rules not in (None, told):
            asked = codec.options_of(told if rules is None else rules)
            raise ForeignFileError(path, f"of the rules {str(header.rules)[:200]}, not {asked}")
        if header.dtype != codec.dtype or not self._scheme_fits():
            raise ForeignFileError(path, "its entries are not of the form that this program reads")
        if header.dependencies:
            raise ForeignFileError(path, "it is built upon tables, and a set is not")
        if not self._counts_can_be():
            raise CorruptTableError(path, "its counts by value cannot be: they do not sum to its entries, or are of no value")
        return told

    def _scheme_fits(self) -> bool:
        header = self.reader.header
        scheme = dict(header.scheme)
        fits = is_digest(scheme.pop(POSITIONS_DIGEST, None))
        if header.kind == CLOSURE:
            fits &= isinstance(scheme.pop(ROOT, None), str)
        return fits and same(scheme, dict(self.codec.scheme))

    def _counts_can_be(self) -> bool:
        header = self.reader.header
        values = set(map(str, self.codec.values))
        return set(header.counts) <= values and all(header.counts.values()) and sum(header.counts.values()) == header.length

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.source}: {len(self)} classes>"

    def __len__(self) -> int:
        return self.reader.header.length

    @property
    def source(self) -> str:
        """The source that answers from it name: 'set NAME'."""
        return f"{self.reader.header.kind} {self.name}"

    @cached_property
    def entries(self) -> np.ndarray:
        """All entries, sorted by key. The file is closed once they are read."""
        with self.reader:
            return np.concatenate(list(self.reader))

    @cached_property
    def keys(self) -> np.ndarray:
        """The keys, ascending. Raises `CorruptTableError` if they are not in order."""
        keys = np.ascontiguousarray(self.codec.keys_of(self.entries))
        if not (keys[:-1] < keys[1:]).all():
            raise self.corrupt("its entries are not in order")
        return keys

    def places(self, keys: np.ndarray) -> np.ndarray:
        """The place of each key, or -1."""
        places = np.searchsorted(self.keys, keys)
        places[places == len(self.keys)] = 0
        places[self.keys[places] != keys] = -1
        return places

    def taken(self, places: np.ndarray) -> np.ndarray:
        """The entries at these places. Raises `LieError` if one of them cannot be right."""
        unseen = places[self._seen[places] == UNSEEN]
        for start in (np.unique(unseen // BLOCK) * BLOCK).tolist():
            block = slice(start, start + BLOCK)
            self._seen[block] = np.where(self.codec.impossible(self.entries[block], self.rules), FALSE, FINE)
        entries: np.ndarray = self.entries[places]
        false = self._seen[places] == FALSE
        if false.any():
            entry = entries[np.argmax(false)]
            raise self.mismatch(entry, self.codec.told(entry), NEVER)
        return entries

    def entry(self, place: int) -> np.ndarray:
        """One entry, shape (1,). Raises `LieError` if it cannot be right."""
        return self.entries[place : place + 1] if self._seen[place] == FINE else self.taken(np.array([place]))

    @cached_property
    def _seen(self) -> np.ndarray:
        """What is known of each entry: `UNSEEN`, `FINE` or `FALSE`. uint8, shape (n,)."""
        return np.zeros(len(self), np.uint8)

    def mismatch(self, entry: np.void, stored: object, derived: object) -> LieError:
        """The error that says what is wrong with an entry."""
        return LieError(str(self.path), self.codec.show(entry), stored, derived)

    def corrupt(self, problem: str) -> CorruptTableError:
        """The error that says what is wrong with the file."""
        return CorruptTableError(str(self.path), problem)
