"""Shards as a kind of file: parts of a table that is being built, checked and verified before the table is whole.

A shard is verified one hand pattern at a time, by the way that it was not built. The slots of a pattern's children are searched
for on the fly, so no other table is needed (`backtrick.face_to_face._verify`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from backtrick.errors import CorruptTableError, ForeignFileError, LieError
from backtrick.face_to_face import _tables, _verify
from backtrick.face_to_face.classes import representative
from backtrick.face_to_face.indices import indices_over
from backtrick.face_to_face.options import Rules
from backtrick.face_to_face.tables.names import TableName
from backtrick.face_to_face.tables.table import (
    ROWS,
    SLOTS,
    check_shape,
    count_slots_in,
    counts_of,
    header_of,
    name_of,
    rules_told,
    shard_bytes,
    sound_packed,
)
from backtrick.face_to_face.tables.verifying import FOUND, Verified, drawn, ways_of
from backtrick.storage.file import Header, Reader, reading
from backtrick.storage.header import same
from backtrick.storage.jobs import SHARD
from backtrick.storage.kinds import Facts, FileKind, Verification
from backtrick.work import fill_ranges


@dataclass(frozen=True)
class Shard:
    """A shard of the table `name`: its slots are start..stop-1."""

    reader: Reader
    name: TableName
    number: int
    rules: Rules
    start: int
    stop: int

    @property
    def header(self) -> Header:
        return self.reader.header

    def slots_in(self, chunk: int) -> int:
        """How many slots a chunk holds."""
        each = self.header.chunk * (8 // self.header.scheme["bits"])
        return min(each, self.stop - self.start - chunk * each)

    def values_in(self, chunk: int) -> np.ndarray:
        """The remoteness of the slots of a chunk, one a byte."""
        packed = sound_packed(self.reader, chunk, self.reader.chunk(chunk))
        values = np.empty(self.slots_in(chunk), np.uint8)
        _tables.unpack_values(packed, values, self.header.scheme["bits"])
        return values


def open_shard(reader: Reader) -> Shard:
    """The shard in a file. Raises `ForeignFileError` if it is of no table, or its header is not that of such a shard."""
    header, rules = reader.header, rules_told(reader)
    text, _, digits = header.name.partition(" ")
    name = name_of(text)
    if name is None or header.kind != SHARD or not digits.isdecimal() or len(digits) > 9:
        raise ForeignFileError(str(reader.path), f"no shard of a table, but {header.kind[:40]!r} {header.name[:40]!r}")
    expected = header_of(name, rules, header.dependencies)
    first, each = int(digits) * shard_bytes(expected), 8 // expected.scheme["bits"]
    if not same(header.rules, expected.rules):
        raise ForeignFileError(str(reader.path), f"of the rules {str(header.rules)[:200]}, not {expected.rules}")
    check_shape(str(reader.path), header, expected, min(shard_bytes(expected), expected.length - first))
    return Shard(reader, name, int(digits), rules, first * each, min((first + header.length) * each, expected.scheme["slots"]))


def verify_shard(
    place: str | Path | Reader,
    threads: int | None = None,
    progress: bool | None = None,
    *,
    by: str | None = None,
    share: float = 1,
    seed: int = 0,
) -> list[Verified]:
    """Derives the values of a shard anew and compares them; returns how many slots, for each way.

    share: of the hand patterns that have slots in the shard, drawn by `seed`, at least one. All else is as in `verify_table`; but
    no other table is read.
    """
    with reading(place) as reader:
        shard = open_shard(reader)
        patterns = _patterns_in(shard)
        chosen = patterns[drawn(shard.header.name, len(patterns), share, seed)]
        return [
            Verified(way, _compare(shard, chosen, way, threads, progress), shard.stop - shard.start)
            for way in ways_of(shard.header, by)
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


def _compare(shard: Shard, patterns: np.ndarray, way: str, threads: int | None, progress: bool | None) -> int:
    """Compares the slots of some patterns; returns how many. Raises `LieError` at the first mismatch."""
    values_in = lru_cache(maxsize=4)(shard.values_in)
    each, mismatches, lone_card = shard.slots_in(0), {}, shard.rules.lone_card
    derive = _verify.derive_pattern if way == ROWS else _verify.search_pattern

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
        position = representative(shard.name, slot, shard.rules) or f"slot {slot}, of no real position,"
        said, right = int(told[different[0]]), int(found[different[0]])
        mismatches[start] = LieError(str(shard.reader.path), position, said, right, FOUND[way])
        return start

    what = f"verify {shard.header.name}"
    place = fill_ranges(work, len(patterns), threads=threads, progress=progress, what=what, size=1, unit="patterns")
    if place >= 0:
        raise mismatches[place]
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


@dataclass(frozen=True)
class ShardFacts(Facts):
    """The facts of a shard: where its slots lie in the table, and how many have each remoteness."""

    shard: Shard

    def record(self) -> dict[str, object]:
        header = self.shard.header
        return {
            "kind": header.kind,
            "game": header.game,
            "table": str(self.shard.name),
            "shard": self.shard.number,
            "rules": header.rules,
            "slots": [self.shard.start, self.shard.stop],
            "by_remoteness": {str(value): count for value, count in enumerate(counts_of(header, SLOTS)) if count},
            "bytes": self.shard.reader.file_bytes,
            "by": header.by,
            "digest": header.digest,
            "built_upon": header.dependencies,
            "program": header.program,
        }

    def text(self) -> str:
        return "\n".join(f"{what}\t{told}" for what, told in self.record().items())


class ShardKind(FileKind):
    """Shards of tables. A shard is verified in one of two ways or both, whole or in part."""

    def check(self, reader: Reader) -> None:
        check_shard(reader)

    def verify(self, reader: Reader, how: Verification) -> list[str]:
        return [str(one) for one in verify_shard(reader, how.threads, by=how.by, share=how.share, seed=how.seed)]

    def describe(self, reader: Reader, full: bool = False, threads: int | None = None) -> ShardFacts:
        """As `FileKind.describe`. There is nothing more to say with `full`."""
        return ShardFacts(open_shard(reader))
