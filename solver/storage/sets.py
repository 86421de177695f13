"""Solved sets: a list of positions, each with its value and best action, in one file. Blind to the game.

What the file holds depends on the set of positions and the rules alone: not on their order, not on whether it was built at once
or bit by bit, not on the number of workers. What a game says of its records is the module `records` of its package.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from solver.core.errors import (
    CorruptTableError,
    ForeignFileError,
    LieError,
    PassedOverWarning,
    StorageError,
    TableError,
    UsageError,
)
from solver.core.progress import bar
from solver.storage.atomic import only_writer, reported, whole_file
from solver.storage.file import SUFFIX, Header, Reader
from solver.storage.header import is_digest, same
from solver.storage.jobs import run, work_place
from solver.storage.workers import executor_of

SET, CLOSURE = "set", "closure"
QUESTIONS = "questions.npy"
NEVER = "nothing of the kind"  # what the turns of a position lead to, if its record cannot be true
UNSEEN, FINE, FALSE = range(3)
BLOCK = 1 << 10  # records that are looked at together: one alone takes about as long as a hundred
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


class Records(Protocol):
    """What a game says of its records. A record is a class of positions: one that stands for it, its value, its best action.

    GAME:    the name of the game
    VALUES:  the values that a position can have
    RECORD:  the dtype of a record; it has the fields `value` and `best`, which are not part of the question
    UNKNOWN: what `value` is in a record that is not solved
    CHUNK:   records in a chunk; SHARD_CHUNKS: chunks in a shard, some seconds of work
    SCHEME:  how a record is read, for the header
    """

    GAME: str
    VALUES: range
    RECORD: np.dtype
    UNKNOWN: int
    CHUNK: int
    SHARD_CHUNKS: int
    SCHEME: dict[str, Any]

    def rules_of(self, options: dict[str, Any]) -> Any:
        """The rules that a header tells; `TypeError`, `ValueError` if it tells none."""

    def canonical_records(self, positions: np.ndarray, rules: Any) -> np.ndarray:
        """The record of each position, not solved. Raises `PositionError` that names the place in the array."""

    def order(self, records: np.ndarray) -> np.ndarray:
        """The places of the records by key, then by position, then as they are."""

    def keys_of(self, records: np.ndarray) -> np.ndarray:
        """The keys: one array whose items compare as the classes do."""

    def solve_records(self, records: np.ndarray, rules: Any) -> None:
        """Fills `value` and `best` where they are unknown."""

    def positions_of(self, records: np.ndarray) -> np.ndarray:
        """The positions that stand for the classes, packed."""

    def verify_records(self, records: np.ndarray, rules: Any) -> tuple[int, object, object] | None:
        """Derives each record from its children, by code that is not the search that solved it. None if all are right, else
        the place of the first that is not, what it says and what is right."""

    def impossible(self, records: np.ndarray, rules: Any) -> np.ndarray:
        """Which records cannot be true, whatever the rest of the game is worth: bool, shape (n,)."""

    def show(self, record: np.ndarray) -> str:
        """The position of a record in the game's notation. Raises `PositionError` if it is none."""

    def told(self, record: np.ndarray) -> str:
        """What a record says of its position."""


@dataclass(frozen=True)
class SetJob:
    """The records of a set to be solved, which lie in the job's work place; a `solver.storage.jobs.Job`."""

    path: Path
    header: Header
    shard_items: int
    solve: Callable[[np.ndarray, Any], None]
    rules: Any

    @property
    def questions(self) -> Path:
        return work_place(self) / QUESTIONS

    def items(self, start: int, stop: int) -> Iterator[tuple[np.ndarray, dict[str, int]]]:
        """The records start..stop-1, chunk by chunk, and how many have each value."""
        questions = np.load(self.questions, mmap_mode="r")
        for place in range(start, stop, self.header.chunk):
            records = questions[place : min(place + self.header.chunk, stop)].copy()
            self.solve(records, self.rules)
            yield records, counts_of(records)


def counts_of(records: np.ndarray) -> dict[str, int]:
    """How many records have each value."""
    values, counts = np.unique(records["value"], return_counts=True)
    return {str(value): count for value, count in zip(values.tolist(), counts.tolist(), strict=True)}


def path_of(directory: str | Path, name: str, kind: str = SET) -> Path:
    """The file of a set or closure. Raises `UsageError` if the name cannot be part of a file's.

    >>> path_of("tablebases", "endgames").name
    'endgames.set.h5'
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name[:80]!r} is no name for a {kind}: letters, digits and . _ -, at most 64, not . _ - first")
    return Path(directory) / f"{name}.{kind}{SUFFIX}"


def name_of(path: Path) -> tuple[str, str] | None:
    """The name and kind that a file's name tells; None if it is not that of a set or closure.

    >>> name_of(Path("endgames.set.h5")), name_of(Path("4v3.h5"))
    (('endgames', 'set'), None)
    """
    for kind in (SET, CLOSURE):
        ending = f".{kind}{SUFFIX}"
        if path.name.endswith(ending) and _NAME.fullmatch(path.name[: -len(ending)]):
            return path.name[: -len(ending)], kind
    return None


def unique(game: Records, records: np.ndarray) -> np.ndarray:
    """The records by key, of each class the one whose position packs smallest, and of equal ones the first."""
    records = records[game.order(records)]
    keys = game.keys_of(records)
    first = np.ones(len(records), bool)
    first[1:] = keys[1:] != keys[:-1]
    return records[first]


def build_set(
    path: Path,
    positions: np.ndarray,
    game: Records,
    rules: Any,
    *,
    scheme: dict[str, Any] | None = None,
    force: bool = False,
    processes: int | None = None,
    executor: tuple[Executor, int] | None = None,
    progress: bool | None = None,
) -> Header:
    """Solves the positions and stores them, with those that the file holds already; returns its header.

    Of a class of which several positions are given the one that packs smallest stands for it. What a sound file of the same game
    and rules knows is copied, not solved again; if it knows all, it is left as it is.
    scheme: more for the header. force: what the file holds is forgotten. processes: None for one a core, 0 for none but this.
    executor: one of another kind, with the number of its workers. progress: None for a bar on a terminal and lines in a log.
    Raises `UsageError` if there are no positions, `PositionError`, `StorageError`, `WorkerError`, and `CorruptTableError` or
    `ForeignFileError` if the file there is damaged or another, and is left alone.
    """
    told = name_of(path)
    assert told is not None, path
    if not len(positions):
        raise UsageError(f"no positions were given for the {told[1]} {told[0]}")
    records = unique(game, game.canonical_records(positions, rules))
    with only_writer(path.parent), ExitStack() as stack:
        known = None
        if path.exists() and not force:
            known = SolvedSet(path, game, rules)
            records = unique(game, np.concatenate([known.records, records]))
            if not (records["value"] == game.UNKNOWN).any() and len(records) == len(known.records):
                return known.reader.header
        job = _job(path, *told, records, game, rules, scheme or {})
        with reported(job.questions.parent):
            job.questions.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(job.questions) as temporary, temporary.open("wb") as file:
            np.save(file, records)
        del known, records
        if executor is None:
            executor = stack.enter_context(executor_of(processes))
        shown = stack.enter_context(bar(job.header.length, told[0], "pos", progress))
        return run(job, *executor, done=shown.update)


def _job(path: Path, name: str, kind: str, records: np.ndarray, game: Records, rules: Any, scheme: dict[str, Any]) -> SetJob:
    chunk = min(game.CHUNK, len(records))
    header = Header(
        kind=kind,
        game=game.GAME,
        name=name,
        dtype=game.RECORD,
        length=len(records),
        chunk=chunk,
        rules=asdict(rules),
        scheme={**game.SCHEME, **scheme, "questions": question_digest(game, records)},
    )
    return SetJob(path, header, chunk * game.SHARD_CHUNKS, game.solve_records, rules)


def question_digest(game: Records, records: np.ndarray) -> str:
    """The SHA-256 of keys and positions."""
    asked = records.copy()
    asked["value"], asked["best"] = game.UNKNOWN, 0
    return sha256(asked.tobytes()).hexdigest()


class SolvedSet:
    """A set or closure in a file: its records in memory, read when they are first asked for.

    place: the file, or a reader of it. rules: None for those that the file tells.
    Raises `CorruptTableError`, or `ForeignFileError` if it is of another game, of other rules or under another's name.
    """

    def __init__(self, place: str | Path | Reader, game: Records, rules: Any = None):
        self.game, self.reader = game, place if isinstance(place, Reader) else Reader(place)
        self.path, self.name = self.reader.path, self.reader.header.name
        try:
            self.rules = self._check_header(rules)
        except TableError:
            self.reader.close()
            raise

    def _check_header(self, rules: Any) -> Any:
        """The rules that the header tells."""
        path, header, game = str(self.path), self.reader.header, self.game
        if header.kind not in (SET, CLOSURE) or header.game != game.GAME:
            raise ForeignFileError(path, f"a {header.kind[:40]} of {header.game[:40]}, not a solved set of {game.GAME}")
        if name_of(self.path) not in (None, (header.name, header.kind)) or not _NAME.fullmatch(header.name):
            raise ForeignFileError(path, f"the {header.kind} {header.name[:40]!r} under another name")
        try:
            told = game.rules_of(header.rules)
        except (TypeError, ValueError) as error:
            raise ForeignFileError(path, f"of rules that {game.GAME} does not have ({error})") from None
        if not same(header.rules, asdict(told)) or rules not in (None, told):
            raise ForeignFileError(path, f"of the rules {str(header.rules)[:200]}, not {asdict(rules or told)}")
        if header.dtype != game.RECORD or not self._scheme_fits():
            raise ForeignFileError(path, "its records are not of the form that this program reads")
        if header.dependencies:
            raise ForeignFileError(path, "it is built upon tables, and a set is not")
        if not self._counts_can_be():
            raise CorruptTableError(path, "its counts by value cannot be: they do not sum to its records, or are of no value")
        return told

    def _scheme_fits(self) -> bool:
        header, more = self.reader.header, {"questions": is_digest}
        if header.kind == CLOSURE:
            more["root"] = lambda root: isinstance(root, str)
        scheme = {name: told for name, told in header.scheme.items() if name not in more}
        return same(scheme, self.game.SCHEME) and all(fits(header.scheme.get(name)) for name, fits in more.items())

    def _counts_can_be(self) -> bool:
        header = self.reader.header
        values = {str(value) for value in self.game.VALUES}
        return set(header.counts) <= values and all(header.counts.values()) and sum(header.counts.values()) == header.length

    def __repr__(self) -> str:
        return f"<SolvedSet {self.source}: {len(self)} classes>"

    def __len__(self) -> int:
        return self.reader.header.length

    @property
    def source(self) -> str:
        """What answers from it say they are from: 'set NAME'."""
        return f"{self.reader.header.kind} {self.name}"

    @cached_property
    def records(self) -> np.ndarray:
        """All records, by key. The file is closed once they are read."""
        with self.reader:
            return np.concatenate(list(self.reader))

    def taken(self, places: np.ndarray) -> np.ndarray:
        """The records at these places, to be answered with. Raises `LieError` if one of them cannot be true."""
        unseen = places[self._seen[places] == UNSEEN]
        for start in (np.unique(unseen // BLOCK) * BLOCK).tolist():
            records = self.records[start : start + BLOCK]
            self._seen[start : start + BLOCK] = np.where(self.game.impossible(records, self.rules), FALSE, FINE)
        records = self.records[places]
        false = self._seen[places] == FALSE
        if false.any():
            record = records[np.argmax(false)]
            raise self.lie(record, self.game.told(record), NEVER)
        return records

    def record(self, place: int) -> np.ndarray:
        """One record, shape (1,), as `taken` gives it."""
        return self.records[place : place + 1] if self._seen[place] == FINE else self.taken(np.array([place]))

    @cached_property
    def _seen(self) -> np.ndarray:
        """Of each record whether it was looked at: `UNSEEN`, `FINE` or `FALSE`."""
        return np.zeros(len(self), np.uint8)

    def lie(self, record: np.ndarray, stored: object, derived: object) -> LieError:
        """The error that says what is wrong with a record."""
        try:
            position = self.game.show(record)
        except ValueError:
            position = "a position that is not well-formed"
        return LieError(str(self.path), position, stored, derived)

    def checked_records(self) -> np.ndarray:
        """All records, as an HDF5 library reads them too. Raises `CorruptTableError`."""
        if "records" not in vars(self):
            with self.reader:
                self.records = np.concatenate(list(self.reader.checked()))
        return self.records

    def corrupt(self, problem: str) -> CorruptTableError:
        """The error that says what is wrong with the file."""
        return CorruptTableError(str(self.path), problem)

    @cached_property
    def keys(self) -> np.ndarray:
        """The keys, ascending. Raises `CorruptTableError` if they are not."""
        keys = np.ascontiguousarray(self.game.keys_of(self.records))
        if not (keys[:-1] < keys[1:]).all():
            raise self.corrupt("its records are not in order")
        return keys

    def places(self, keys: np.ndarray) -> np.ndarray:
        """The place of each key, or -1."""
        places = np.searchsorted(self.keys, keys)
        places[places == len(self.keys)] = 0
        places[self.keys[places] != keys] = -1
        return places


def check_set(found: SolvedSet) -> int:
    """Checks a set's checksums and that its records are of well-formed positions, in order, and counted; returns how many.

    Raises `CorruptTableError`. That the values are right is for `verify_set` to say.
    """
    game, header = found.game, found.reader.header
    records = found.checked_records()
    if header.scheme["questions"] != question_digest(game, records):
        raise found.corrupt("its positions are not those that it was made for")
    if header.counts != counts_of(records):
        raise found.corrupt("its counts by value are not those of its records")
    try:
        again = game.canonical_records(game.positions_of(records), found.rules)
    except ValueError as error:
        raise found.corrupt(f"it holds what is no position: {error}") from None
    if (game.keys_of(again) != found.keys).any() or (game.positions_of(again) != game.positions_of(records)).any():
        raise found.corrupt("a position does not stand under the key of its class")
    return len(found)


def verify_set(found: SolvedSet, progress: bool | None = None) -> int:
    """Checks a set and derives every entry anew from its children; returns how many it verified.

    Raises `CorruptTableError`, and `LieError` that names the first position whose value or best action is wrong.
    """
    check_set(found)
    chunk = found.reader.header.chunk
    with bar(len(found), f"verify {found.name}", "pos", progress) as shown:
        for start in range(0, len(found), chunk):
            records = found.records[start : start + chunk]
            lie = found.game.verify_records(records, found.rules)
            if lie is not None:
                place, stored, derived = lie
                raise found.lie(records[place], stored, derived)
            shown.update(len(records))
    return len(found)


class SetsOfDirectory:
    """The solved sets of a directory, opened as they are needed.

    Those of another game or other rules are passed over; so are those that cannot be read, with a `PassedOverWarning` each.
    """

    def __init__(self, directory: Path, names: set[str], game: Records, rules: Any):
        self.paths = sorted(directory / name for name in names if name_of(Path(name)))
        self.game, self.rules = game, rules
        self._opened: dict[Path, SolvedSet | None] = {}
        self._bad: dict[str, str] = {}

    def names(self) -> list[str]:
        """The names of the files that are there, not yet looked into."""
        return [told[0] for path in self.paths if (told := name_of(path))]

    @property
    def passed_over(self) -> tuple[str, ...]:
        """The files that could not be read so far, and what is wrong with each."""
        return tuple(f"{name}: {problem}" for name, problem in self._bad.items())

    def __iter__(self) -> Iterator[SolvedSet]:
        for path in self.paths:
            if path not in self._opened:
                self._opened[path] = self._open(path)
            if (opened := self._opened[path]) is not None:
                yield opened

    def _open(self, path: Path) -> SolvedSet | None:
        """The set with its keys read, or None if it is of another game or other rules, or cannot be read."""
        try:
            with Reader(path) as reader:
                if reader.header.game != self.game.GAME:
                    return None
                found = SolvedSet(reader, self.game)
                if found.rules != self.rules:
                    return None
                _ = found.keys
                return found
        except (CorruptTableError, ForeignFileError, StorageError) as error:
            self._bad[path.name] = error.problem
            warnings.warn(PassedOverWarning(str(path), error.problem), stacklevel=2)
            return None

    def find(self, key: Any) -> tuple[SolvedSet, int] | None:
        """The first set that holds a class, and its place there."""
        for found in self:
            place = found.keys.searchsorted(key)
            if place < len(found.keys) and found.keys[place] == key:
                return found, int(place)
        return None

    def find_many(self, keys: np.ndarray) -> Iterator[tuple[SolvedSet, np.ndarray, np.ndarray]]:
        """Each set that holds some of the classes that those before it do not: which of `keys`, and their places there."""
        left = np.arange(len(keys))
        for found in self:
            if not len(left):
                break
            places = found.places(keys[left])
            here = places >= 0
            yield found, left[here], places[here]
            left = left[~here]

    def close(self) -> None:
        """Lets go of all that was read."""
        self._opened, self._bad = {}, {}
