"""Verifying tables and shards of tables: every value is derived again, in the way that the file was not built (building.py).

A shard is a part of a table that is being built. It is verified one hand pattern at a time, before the table is whole. The slots of
a pattern's children are searched for on the fly, so no other table is needed (`_by_rows.search_pattern`).
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from hashlib import sha256
from math import ceil
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np

import backtrick.face_to_face._by_rows as _by_rows
from backtrick.errors import ArgumentError, CorruptTableError, ForeignFileError, MismatchError
from backtrick.face_to_face.classes import TableName, indices_over, representative
from backtrick.face_to_face.rule_options import Rules
from backtrick.face_to_face.tables.building import TableBuilder, builder_for, fill_chunk
from backtrick.face_to_face.tables.table import (
    CLASSES,
    ROWS,
    SEARCH,
    SLOTS,
    Shard,
    count_slots_in,
    counts_of,
    file_name,
    name_told,
    open_shard,
    open_table,
    read_packed,
    rules_told,
    slots_in,
    sound_packed,
    values_in,
)
from backtrick.storage.file import Header, Reader, reading
from backtrick.threads import fill_ranges

# Tables

BOTH = "both"
FOUND = {ROWS: "its turns lead to", SEARCH: "the search finds"}


class Verified(NamedTuple):
    """A result: `verified` of a table's `slots` were derived again, `by` one of the two ways, and equal the stored values.

    >>> str(Verified("search", 4_194_304, 30_348_083))
    '4194304 of 30348083 slots by search'
    """

    by: str
    verified: int
    slots: int

    def __str__(self) -> str:
        return f"{self.verified} {f'of {self.slots} ' * (self.verified < self.slots)}slots by {self.by}"


def verify_table(
    place: str | Path | Reader,
    threads: int | None = None,
    progress: bool | None = None,
    *,
    by: str | None = None,
    share: float = 1,
    seed: int = 0,
) -> list[Verified]:
    """Derives the values of a table again and compares them; returns how many slots, for each way.

    by: 'rows', from the tables of fewer cards beside it; 'search', each slot by itself; 'both'; None for the way that the table
    was not built. share: of the chunks, drawn by `seed`, at least one. If all chunks are verified, the slots and classes that the
    header counts by remoteness are counted again. place: the file, or a reader of it.
    Raises `MismatchError`, which names the first position with a mismatch; `CorruptTableError`; `ForeignFileError` if a table
    beside it is not the one that it was built upon; by rows `MissingTableError` if such a table is missing.

    >>> import tempfile
    >>> from backtrick.face_to_face import build_tables
    >>> directory = Path(tempfile.mkdtemp())
    >>> _ = build_tables(directory, ["2v2"], processes=0)
    >>> verify_table(directory / "2v2.h5")
    [Verified(by='search', verified=215131, slots=215131)]
    """
    with reading(place) as opened:
        reader, name, rules = open_by_itself(opened)
        header = reader.header
        methods = methods_of(header, by)
        if ROWS not in methods:  # which looks at the tables beside it by itself
            check_beside(reader, rules)
        numbers = drawn_chunks(header, share, seed)
        verified = []
        for method in methods:
            done = _Comparison(reader, builder_for(method, reader.path, name, rules, header.dependencies), FOUND[method])
            verified.append(Verified(method, done.over(numbers, threads, progress), header.scheme["slots"]))
        return verified


def drawn_chunks(header: Header, share: float, seed: int) -> list[int]:
    """The numbers of the chunks drawn for a share of a table, ascending. Seed and table name decide them, on every machine."""
    return drawn(header.name, header.chunks, share, seed)


def drawn(name: str, count: int, share: float, seed: int) -> list[int]:
    """A share of the numbers 0..count-1, at least one, ascending. Seed and name decide which. Raises `ArgumentError`."""
    if not 0 < share <= 1:
        raise ArgumentError(f"a share must be above 0 and at most 1, not {share!r}")
    lots = {number: sha256(f"{seed} {name} {number}".encode()).digest() for number in range(count)}
    return sorted(sorted(lots, key=lots.__getitem__)[: ceil(share * count)])


def methods_of(header: Header, by: str | None) -> tuple[str, ...]:
    """The ways to verify a file: those asked for, or the one by which it was not built. Raises `ArgumentError`."""
    if by not in (None, ROWS, SEARCH, BOTH):
        raise ArgumentError(f"a table is verified by {ROWS}, {SEARCH} or {BOTH}, not by {by!r}")
    other = SEARCH if header.by == ROWS else ROWS
    return (ROWS, SEARCH) if by == BOTH else (by or other,)


class _Comparison:
    """Compares the stored values with those that one way finds. found: how a mismatch names that way."""

    def __init__(self, reader: Reader, builder: TableBuilder, found: str):
        self.reader, self.builder, self.found = reader, builder, found
        self.counts: Counter[str] = Counter()
        self.lock = Lock()

    def over(self, numbers: list[int], threads: int | None, progress: bool | None) -> int:
        """Compares the chunks of these numbers; returns how many slots they have."""
        header = self.reader.header
        slots = sum(last - first for first, last in (slots_in(header, number) for number in numbers))
        what = f"verify {header.name}"

        def work(start: int, stop: int) -> int:
            self.check(numbers[start])
            return -1

        fill_ranges(work, len(numbers), threads=threads, progress=progress, what=what, size=1, unit="chunks")
        if len(numbers) == header.chunks and +self.counts != header.counts:
            what = next(what for what in (SLOTS, CLASSES) if _of(what, self.counts) != _of(what, header.counts))
            told, there = (_of(what, counts) for counts in (header.counts, self.counts))
            raise CorruptTableError(str(self.reader.path), f"its counts say {told} {what} by remoteness, but there are {there}")
        return slots

    def check(self, number: int) -> None:
        """Raises `MismatchError` for the first stored value of a chunk that differs from the derived one."""
        header = self.reader.header
        stored, (found, counts) = read_packed(self.reader, number), fill_chunk(self.builder, header, number)
        with self.lock:
            self.counts.update(counts)
        if np.array_equal(stored, found):
            return
        values = [values_in(header, number, packed) for packed in (stored, found)]
        different = np.flatnonzero(values[0] != values[1])
        if not len(different):
            problem = f"chunk {number} of {header.chunks} holds something behind its last slot"
            raise CorruptTableError(str(self.reader.path), problem)
        slot = slots_in(header, number)[0] + int(different[0])
        position = representative(self.builder.name, slot) or f"slot {slot}, of no real position,"
        said, right = (int(one[different[0]]) for one in values)
        raise MismatchError(str(self.reader.path), position, said, right, self.found)


def _of(what: str, counts: dict[str, int]) -> list[int]:
    return [counts.get(f"{what} {value}", 0) for value in range(6)]


def open_by_itself(place: str | Path | Reader) -> tuple[Reader, TableName, Rules]:
    """The reader of a table, with the name and the rules of its header. place: the file, or a reader of it."""
    reader = open_table(place)
    return reader, name_told(reader), rules_told(reader)


def check_table(place: str | Path | Reader) -> None:
    """Checks that a table is as it was written: every chunk, and the counts of its slots. Tables beside it must be those that it
    was built upon; they may be missing. Whether the values are right is checked by `verify_table`.

    place: the file, or a reader of it. Raises `CorruptTableError` and `ForeignFileError`.
    """
    with reading(place) as opened:
        reader, _, rules = open_by_itself(opened)
        header = reader.header
        check_beside(reader, rules)
        counts = np.zeros(6, np.int64)
        for number, packed in enumerate(reader):
            counts += count_slots_in(values_in(header, number, sound_packed(reader, number, packed)))
        if counts.tolist() != _of(SLOTS, header.counts):
            raise CorruptTableError(str(reader.path), "its counts of slots by remoteness are not those of its values")


def check_beside(reader: Reader, rules: Rules) -> None:
    """Raises `ForeignFileError` if a table beside this one differs from the one that it was built upon."""
    for child, digest in reader.header.dependencies.items():
        beside = reader.path.with_name(file_name(TableName.parse(child), rules.lone_card))
        if beside.exists():
            with Reader(beside) as other:
                if other.header.digest != digest:
                    raise ForeignFileError(str(reader.path), f"it was built upon another {child} than the one beside it")


# Shards

def verify_shard(
    place: str | Path | Reader,
    threads: int | None = None,
    progress: bool | None = None,
    *,
    by: str | None = None,
    share: float = 1,
    seed: int = 0,
) -> list[Verified]:
    """Derives the values of a shard again and compares them; returns how many slots, for each way.

    share: of the hand patterns that have slots in the shard, drawn by `seed`, at least one. All else is as in `verify_table`; but
    no other table is read.
    """
    with reading(place) as reader:
        shard = open_shard(reader)
        patterns = _patterns_in(shard)
        chosen = patterns[drawn(shard.header.name, len(patterns), share, seed)]
        return [
            Verified(method, _compare(shard, chosen, method, threads, progress), shard.stop - shard.start)
            for method in methods_of(shard.header, by)
        ]


def _patterns_in(shard: Shard) -> np.ndarray:
    """The patterns that have slots in a shard: rank, first slot and the slot behind the last. uint64, shape (n, 3)."""
    found = []
    for index, first, last in indices_over(shard.name, shard.start, shard.stop):
        look_ups = index.look_ups()
        kept = look_ups["kept"].astype(np.uint64)
        begins = look_ups["entries"]["offset"][look_ups["kept"]]
        ends = np.append(begins[1:], np.uint64(index.stop))
        there = (begins < last) & (ends > first)
        found.append(np.stack([kept + np.uint64(index.first), begins, ends], axis=1)[there])
    return np.concatenate(found)


def _compare(shard: Shard, patterns: np.ndarray, method: str, threads: int | None, progress: bool | None) -> int:
    """Compares the slots of some patterns; returns how many. Raises `MismatchError` at the first mismatch."""
    values_in = lru_cache(maxsize=4)(shard.values_in)
    each, lone_card = shard.slots_in(0), shard.rules.lone_card
    derive = _by_rows.derive_pattern if method == ROWS else _by_rows.search_pattern

    def stored(start: int, stop: int) -> np.ndarray:
        chunks = range((start - shard.start) // each, (stop - 1 - shard.start) // each + 1)
        values = np.concatenate([values_in(chunk) for chunk in chunks])
        return values[start - shard.start - chunks[0] * each :][: stop - start]

    def work(start: int, stop: int) -> int:
        rank, begin, end = patterns[start].tolist()
        found = np.empty(end - begin, np.uint8)
        derive(*shard.name, rank, lone_card, found)
        first, last = max(begin, shard.start), min(end, shard.stop)
        told, found = stored(first, last), found[first - begin : last - begin]
        different = np.flatnonzero(told != found)
        if not len(different):
            return -1
        slot = first + int(different[0])
        position = representative(shard.name, slot) or f"slot {slot}, of no real position,"
        said, right = int(told[different[0]]), int(found[different[0]])
        raise MismatchError(str(shard.reader.path), position, said, right, FOUND[method])

    what = f"verify {shard.header.name}"
    fill_ranges(work, len(patterns), threads=threads, progress=progress, what=what, size=1, unit="patterns")
    first, last = np.maximum(patterns[:, 1], np.uint64(shard.start)), np.minimum(patterns[:, 2], np.uint64(shard.stop))
    return int((last - first).sum())


def check_shard(place: str | Path | Reader) -> None:
    """Checks that a shard is as it was written: every chunk, and the counts of its slots. Raises `CorruptTableError`."""
    with reading(place) as reader:
        shard = open_shard(reader)
        counts = np.zeros(6, np.int64)
        for chunk in range(reader.header.chunks):
            counts += count_slots_in(shard.values_in(chunk))
        if counts.tolist() != counts_of(shard.header, SLOTS):
            raise CorruptTableError(str(reader.path), "its counts of slots by remoteness are not those of its values")
