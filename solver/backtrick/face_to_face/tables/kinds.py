"""Complete tables and their shards as types of file, and the tables that `generate` makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from backtrick.columns import table_text
from backtrick.errors import UsageError
from backtrick.face_to_face.classes import representative, representatives
from backtrick.face_to_face.indices import size_of
from backtrick.face_to_face.options import Rules
from backtrick.face_to_face.position import HAND_SIZE, Position
from backtrick.face_to_face.show import outcome_word
from backtrick.face_to_face.tables.building import Estimate, build_shards, build_tables, estimate
from backtrick.face_to_face.tables.names import TableName, all_dependencies, tables_up_to
from backtrick.face_to_face.tables.statistics import Statistics, facts_of, statistics, text_of
from backtrick.face_to_face.tables.table import CLASSES, ROWS, SLOTS, counts_of, read_values
from backtrick.face_to_face.tables.verifying import (
    Shard,
    check_shard,
    check_table,
    open_by_itself,
    open_shard,
    verify_shard,
    verify_table,
)
from backtrick.storage.file import Header, Reader
from backtrick.storage.kinds import Costs, Facts, FileType, TableMaker, Verification

# Tables

PORTION = 1 << 12
LONGEST = 3  # positions of the longest win that are named
WINS = (5, 3, 1)  # longest first


@dataclass(frozen=True)
class TableFacts(Facts):
    """The facts of a table: counts by remoteness, the longest wins with positions, sizes, digests."""

    reader: Reader
    name: TableName
    longest_win: int | None
    examples: tuple[Position, ...]
    statistics: Statistics | None = None

    @property
    def classes(self) -> list[int]:
        """The number of classes with each remoteness, 0..5."""
        return counts_of(self.reader.header, CLASSES)

    @property
    def bits_a_class(self) -> float | None:
        """The bits that the file takes for each class; None if classes were not counted."""
        count = sum(self.classes)
        return round(8 * self.reader.file_bytes / count, 5) if count else None

    def record(self) -> dict[str, object]:
        header, classes = self.reader.header, self.classes
        return {
            "kind": header.kind,
            "game": header.game,
            "table": header.name,
            "rules": header.rules,
            "classes": sum(classes),
            "by_remoteness": {str(value): count for value, count in enumerate(classes) if count},
            "slots": size_of(self.name).slots,
            "bytes": self.reader.file_bytes,
            "bits_a_class": self.bits_a_class,
            "longest_win": self.longest_win,
            "longest_win_positions": list(map(str, self.examples)),
            "digest": header.digest,
            "built_upon": header.dependencies,
            "program": header.program,
            **({} if self.statistics is None else {"statistics": facts_of(self.statistics)}),
        }

    def text(self) -> str:
        header, classes = self.reader.header, self.classes
        rows: list[tuple[object, ...]] = [("remoteness", "classes", "share")]
        for value, count in enumerate(classes):
            if count:
                rows.append((f"{outcome_word(value)} in {value}", f"{count:,}", f"{count / sum(classes):.4%}"))
        rows.append(("all", f"{sum(classes):,}", ""))
        reading = "lone card" if header.rules["lone_card"] else "strict"
        lines: list[tuple[object, ...]] = [
            ("table", f"{self.name} of The Game: Face to Face, {reading} (F13), complete"),
            ("size", f"{self.reader.file_bytes:,} bytes, {self.bits_a_class or 0:.4f} bits a class"),
            ("digest", header.digest),
            *(("upon", f"{name} {digest}") for name, digest in header.dependencies.items()),
            ("program", header.program),
            *(("longest win", f"{self.longest_win}: {position}") for position in self.examples),
        ]
        more = "" if self.statistics is None else "\n\n" + text_of(facts_of(self.statistics))
        return f"{table_text(lines)}\n\n{table_text(rows)}{more}"


class TableType(FileType):
    """Complete tables. A table is verified in one of two ways or both, whole or in part."""

    def check(self, reader: Reader) -> None:
        check_table(reader)

    def verify(self, reader: Reader, how: Verification) -> list[str]:
        return [str(one) for one in verify_table(reader, how.threads, by=how.by, share=how.share, seed=how.seed)]

    def describe(self, reader: Reader, full: bool = False, threads: int | None = None) -> TableFacts:
        """As `FileType.describe`. full: also the shares of positions, and how many wins need a helpful card. That takes some
        minutes for a table of 7 cards."""
        reader, name, _ = open_by_itself(reader)
        slots = counts_of(reader.header, SLOTS)
        longest = next((value for value in WINS if slots[value]), None)
        examples = () if longest is None else tuple(islice(_positions_with(reader, name, longest), LONGEST))
        return TableFacts(reader, name, longest, examples, statistics(reader, threads) if full else None)

    def positions(self, reader: Reader) -> Iterator[np.ndarray]:
        """The representative of each slot that a well-formed position has."""
        reader, name, rules = open_by_itself(reader)
        for start in range(0, size_of(name).slots, PORTION):
            positions, there = representatives(name, np.arange(start, min(start + PORTION, size_of(name).slots)), rules)
            yield positions[there]


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


class ShardType(FileType):
    """Shards of tables. A shard is verified in one of two ways or both, whole or in part."""

    def check(self, reader: Reader) -> None:
        check_shard(reader)

    def verify(self, reader: Reader, how: Verification) -> list[str]:
        return [str(one) for one in verify_shard(reader, how.threads, by=how.by, share=how.share, seed=how.seed)]

    def describe(self, reader: Reader, full: bool = False, threads: int | None = None) -> ShardFacts:
        """As `FileType.describe`. There is nothing more to say with `full`."""
        return ShardFacts(open_shard(reader))


def _positions_with(reader: Reader, name: TableName, value: int) -> Iterator[Position]:
    """A position for each slot of a remoteness, if the deck has one."""
    start = 0
    for number in range(reader.header.chunks):
        values = read_values(reader, number, number + 1)
        for slot in (start + np.flatnonzero(values == value)).tolist():
            if (position := representative(name, slot)) is not None:
                yield position
        start += len(values)


# Making tables

MOST_CARDS = 2 * HAND_SIZE


class TableCosts(Costs):
    """What each table will cost."""

    def __init__(self, estimates: Sequence[Estimate]):
        self.estimates = estimates
        self.worker_bytes = max(one.worker_bytes for one in estimates)

    def text(self, workers: int) -> str:
        rows: list[tuple[object, ...]] = [("table", "slots", "shards", "MiB to load", "MiB a worker", "seconds")]
        for one in self.estimates:
            mebibytes = f"{one.bytes / 2**20:,.1f}", f"{one.worker_bytes / 2**20:,.0f}"
            rows.append((one.name, f"{one.slots:,}", one.shards, *mebibytes, f"{one.seconds / workers:,.1f}"))
        slots, whole = sum(one.slots for one in self.estimates), sum(one.bytes for one in self.estimates)
        seconds = sum(one.seconds for one in self.estimates) / workers
        shards = sum(one.shards for one in self.estimates)
        rows.append(("all", f"{slots:,}", shards, f"{whole / 2**20:,.1f}", "", f"{seconds:,.1f}"))
        return table_text(rows) + f"\n\n  in {workers} at a time; on disk about a tenth of what is loaded, or less"


class FaceToFaceTables(TableMaker[TableName, Rules]):
    """Makes complete tables of Face to Face, by 'rows' unless by 'search' is asked for."""

    kind = TableType()
    shard_kind = ShardType()

    def names(self, texts: Sequence[str], cards: int | None) -> list[TableName]:
        if not texts and cards is None:
            raise UsageError("name tables, as in 4v3, or give --cards N for all of at most N cards")
        if cards is not None and not 2 <= cards <= MOST_CARDS:
            raise UsageError(f"--cards is 2..{MOST_CARDS}, not {cards}")
        return all_dependencies(*map(TableName.parse, texts), *(tables_up_to(cards) if cards is not None else ()))

    def costs(self, names: Sequence[TableName], rules: Rules, by: str | None = None) -> TableCosts:
        return TableCosts([estimate(name, rules, by or ROWS) for name in names])

    def build(
        self,
        directory: str | Path,
        names: Sequence[TableName],
        rules: Rules,
        *,
        by: str | None = None,
        force: bool = False,
        processes: int | None = None,
        executor: tuple[Executor, int] | None = None,
        say: Callable[[str], object] = lambda sentence: None,
    ) -> list[Header]:
        return build_tables(
            directory, names, rules, by=by or ROWS, force=force, processes=processes, executor=executor, say=say
        )

    def build_shards(
        self,
        directory: str | Path,
        name: str,
        numbers: range,
        rules: Rules,
        *,
        by: str | None = None,
        processes: int | None = None,
        executor: tuple[Executor, int] | None = None,
    ) -> list[tuple[Path, Header]]:
        return build_shards(directory, name, numbers, rules, by=by or ROWS, processes=processes, executor=executor)
