"""Solved sets: lists of positions with their values and best turns, each set in one file."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Generic

import numpy as np

from backtrick.bounds import Bounds, P, R, T
from backtrick.errors import (
    CorruptTableError,
    ForeignFileError,
    MismatchError,
    SkippedFileWarning,
    StorageError,
    TableError,
    UsageError,
)
from backtrick.lines import table_text
from backtrick.progress import bar
from backtrick.storage.codec import NEVER, Codec, Key
from backtrick.storage.file import SUFFIX, Reader, is_digest, same
from backtrick.storage.kinds import Facts, FileType, Verification

# Names

SET = "set"
CLOSURE = "closure"
"""The kind of a file of earlier versions, with all positions that can be reached from one."""

NO_CLOSURES = "a closure, which this version does not read; solve a list of its positions with generate --positions FILE"

_ENDING = f".{SET}{SUFFIX}"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


def path_of(directory: str | Path, name: str) -> Path:
    """The file of a set. Raises `UsageError` if the name cannot be part of a file's.

    >>> path_of("tablebases", "endgames").name
    'endgames.set.h5'
    """
    if not is_name(name):
        raise UsageError(f"{name[:80]!r} is not a name for a set: letters, digits and . _ -, at most 64, not . _ - first")
    return Path(directory) / f"{name}{_ENDING}"


def name_of(path: Path) -> str | None:
    """The name of the set that a file's name gives; None if it is not the file name of a set.

    >>> [name_of(Path(name)) for name in ("endgames.set.h5", "4v3.h5", "-x.set.h5")]
    ['endgames', None, None]
    """
    name = path.name.removesuffix(_ENDING)
    return name if name != path.name and is_name(name) else None


# A set in a file

POSITIONS_DIGEST = "questions"
"""The name of `positions_digest` in a header's scheme."""

UNSEEN, FINE, FALSE = range(3)
SPAN = 1 << 10  # entries that are examined together: one alone takes about as long as a hundred


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
    """A set in a file. Its entries are read into memory when they are first needed.

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
        if header.kind == CLOSURE:
            raise ForeignFileError(path, NO_CLOSURES)
        if header.kind != SET or header.game != codec.game.name:
            raise ForeignFileError(path, f"a {header.kind[:40]} of {header.game[:40]}, not a solved set of {codec.game.name}")
        if name_of(self.path) not in (None, header.name) or not is_name(header.name):
            raise ForeignFileError(path, f"the set {header.name[:40]!r} under another name")
        try:
            told = codec.rules_of(header.rules)
        except ValueError as error:
            raise ForeignFileError(path, f"of rules that {codec.game.name} does not have ({error})") from None
        if not same(header.rules, codec.options_of(told)) or rules not in (None, told):
            asked = codec.options_of(told if rules is None else rules)
            raise ForeignFileError(path, f"of the rules {str(header.rules)[:200]}, not {asked}")
        scheme = dict(header.scheme)
        fits = is_digest(scheme.pop(POSITIONS_DIGEST, None))
        if header.dtype != codec.dtype or not fits or not same(scheme, dict(codec.scheme)):
            raise ForeignFileError(path, "its entries are not of the form that this program reads")
        if header.dependencies:
            raise ForeignFileError(path, "it is built upon tables, and a set is not")
        counts = header.counts.values()
        if not (set(header.counts) <= set(map(str, codec.values)) and all(counts) and sum(counts) == header.length):
            raise CorruptTableError(path, "its counts by value are impossible: they do not sum to its entries, or are of no value")
        return told

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.source}: {len(self)} classes>"

    def __len__(self) -> int:
        return self.reader.header.length

    @property
    def source(self) -> str:
        """The source that answers from it name: 'set NAME'."""
        return f"{SET} {self.name}"

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

    def entries_at(self, places: np.ndarray) -> np.ndarray:
        """The entries at these places. Raises `MismatchError` if one of them cannot be right."""
        unseen = places[self._seen[places] == UNSEEN]
        for start in (np.unique(unseen // SPAN) * SPAN).tolist():
            span = slice(start, start + SPAN)
            self._seen[span] = np.where(self.codec.impossible(self.entries[span], self.rules), FALSE, FINE)
        entries: np.ndarray = self.entries[places]
        false = self._seen[places] == FALSE
        if false.any():
            entry = entries[np.argmax(false)]
            raise self.mismatch(entry, self.codec.told(entry), NEVER)
        return entries

    def entry(self, place: int) -> np.ndarray:
        """One entry, shape (1,). Raises `MismatchError` if it cannot be right."""
        return self.entries[place : place + 1] if self._seen[place] == FINE else self.entries_at(np.array([place]))

    @cached_property
    def _seen(self) -> np.ndarray:
        """What is known of each entry: `UNSEEN`, `FINE` or `FALSE`. uint8, shape (n,)."""
        return np.zeros(len(self), np.uint8)

    def mismatch(self, entry: np.void, stored: object, derived: object) -> MismatchError:
        return MismatchError(str(self.path), self.codec.show(entry), stored, derived)

    def corrupt(self, problem: str) -> CorruptTableError:
        return CorruptTableError(str(self.path), problem)


# The sets of a directory

class SetsOfDirectory(Generic[P, T, R]):
    """The solved sets of a directory, opened as they are needed.

    Sets of another game or other rules are skipped. So are those that cannot be read, each with a `SkippedFileWarning`.
    """

    def __init__(self, directory: Path, names: Iterable[str], codec: Codec[P, T, R], rules: R):
        self.paths = sorted(directory / name for name in names if name_of(Path(name)) or name.endswith(f".{CLOSURE}{SUFFIX}"))
        self.codec, self.rules = codec, rules
        self._opened: dict[Path, SolvedSet[P, T, R] | None] = {}
        self._bad: dict[str, str] = {}

    def names(self) -> list[str]:
        """The names of the sets in the directory. No file is opened."""
        return [name for path in self.paths if (name := name_of(path))]

    @property
    def skipped(self) -> tuple[str, ...]:
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
                if reader.header.game != self.codec.game.name:
                    return None
                found = SolvedSet(reader, self.codec)
                if found.rules != self.rules:
                    return None
                _ = found.keys
                return found
        except (CorruptTableError, ForeignFileError, StorageError) as error:
            self._bad[path.name] = error.problem
            warnings.warn(SkippedFileWarning(str(path), error.problem), stacklevel=2)
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


# Checking and verifying

def check_set(found: SolvedSet[P, T, R]) -> int:
    """Checks a set's checksums and counts, and that its entries are in order and of well-formed positions; returns how many.

    Raises `CorruptTableError`. Whether the values are right is checked by `verify_set`.
    """
    codec, header = found.codec, found.reader.header
    entries = found.entries
    if header.scheme[POSITIONS_DIGEST] != positions_digest(entries, codec.unknown):
        raise found.corrupt("its positions are not those that it was made for")
    if header.counts != counts_of(entries):
        raise found.corrupt("its counts by value are not those of its entries")
    try:
        again = codec.entries(codec.positions_of(entries), found.rules)
    except ValueError as error:
        raise found.corrupt(f"it holds what is not a position: {error}") from None
    if (codec.keys_of(again) != found.keys).any() or (codec.positions_of(again) != codec.positions_of(entries)).any():
        raise found.corrupt("a position does not stand under the key of its class")
    return len(found)


def verify_set(found: SolvedSet[P, T, R], progress: bool | None = None) -> int:
    """Checks a set and derives every entry again from its children; returns how many it verified.

    Raises `CorruptTableError`, and `MismatchError`, which names the first position whose value or best turn is wrong.
    """
    check_set(found)
    chunk = found.reader.header.chunk
    with bar(len(found), f"verify {found.name}", "positions", progress) as shown:
        for start in range(0, len(found), chunk):
            entries = found.entries[start : start + chunk]
            mismatch = found.codec.verify(entries, found.rules)
            if mismatch is not None:
                raise found.mismatch(entries[mismatch.place], mismatch.stored, mismatch.derived)
            shown.update(len(entries))
    return len(found)


# As types of file

@dataclass(frozen=True)
class SetType(FileType, Generic[P, T, R]):
    """Solved sets of a game. A set is always verified whole, and in one way."""

    codec: Codec[P, T, R]

    def open(self, reader: Reader) -> SolvedSet[P, T, R]:
        """The set, with the rules of its header."""
        return SolvedSet(reader, self.codec)

    def check(self, reader: Reader) -> None:
        check_set(self.open(reader))

    def verify(self, reader: Reader, how: Verification) -> list[str]:
        return [f"{verify_set(self.open(reader))} positions"]

    def describe(self, reader: Reader) -> Facts:
        """As `FileType.describe`: what the header says. Values are counted by class."""
        header = self.open(reader).reader.header
        counts = sorted((int(value), count) for value, count in header.counts.items())
        record = {
            "kind": header.kind,
            "game": header.game,
            "name": header.name,
            "rules": header.rules,
            "positions": header.length,
            "by_value": {str(value): count for value, count in counts},
            "bytes": reader.file_bytes,
            "digest": header.digest,
            "program": header.program,
        }
        rows: list[tuple[object, ...]] = [("value", "positions", "share")]
        for value, count in counts:
            rows.append((self.codec.game.display.value_text(Bounds(value, value)), f"{count:,}", f"{count / header.length:.2%}"))
        rows.append(("all", f"{header.length:,}", ""))
        rules = ", ".join(f"{name} {value}" for name, value in header.rules.items())
        lines = [
            (header.kind, f"{header.name} of {self.codec.game.title}, {rules}"),
            ("size", f"{reader.file_bytes:,} bytes"),
            ("digest", header.digest),
            ("program", header.program),
        ]
        return Facts(record, f"{table_text(lines)}\n\n{table_text(rows)}")

    def positions(self, reader: Reader) -> Iterator[np.ndarray]:
        """The position of each entry."""
        for entries in self.open(reader).reader:
            positions = self.codec.positions_of(entries)
            if self.codec.game.first_malformed(positions) >= 0:
                raise CorruptTableError(str(reader.path), "it holds a position that is not well-formed")
            yield positions
