"""What Face to Face keeps on disk: `STORED`.

>>> import tempfile
>>> from backtrick.face_to_face import Position, build_set, pack
>>> header = build_set(tempfile.mkdtemp(), "one", pack([Position.parse("27^40v:17,18,45 13^50v:5,12")]), processes=0)
>>> header.counts
{'1': 1}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from backtrick.errors import UsageError
from backtrick.face_to_face.classes import representative, representatives
from backtrick.face_to_face.codec import CODEC
from backtrick.face_to_face.game import GAME
from backtrick.face_to_face.indices import TableName, all_dependencies, size_of, tables_up_to
from backtrick.face_to_face.options import Rules
from backtrick.face_to_face.position import HAND_SIZE, Position
from backtrick.face_to_face.show import outcome_word
from backtrick.face_to_face.tablebase import Tablebase
from backtrick.face_to_face.tables.building import build_shards, build_tables, estimate
from backtrick.face_to_face.tables.statistics import facts_of, statistics, text_of
from backtrick.face_to_face.tables.table import CLASSES, ROWS, SLOTS, counts_of, open_shard, read_values
from backtrick.face_to_face.tables.verifying import (
    check_shard,
    check_table,
    open_by_itself,
    verify_shard,
    verify_table,
)
from backtrick.storage.file import Reader
from backtrick.storage.kinds import Costs, Facts, FileType, Tables, Verification
from backtrick.storage.stored import StoredGame
from backtrick.text import table_text

# Types of file

PORTION = 1 << 12
LONGEST = 3  # positions of the longest win that are named
WINS = (5, 3, 1)  # longest first


class TableType(FileType):
    """Complete tables. A table is verified in one of two ways or both, whole or in part."""

    def check(self, reader: Reader) -> None:
        check_table(reader)

    def verify(self, reader: Reader, how: Verification) -> list[str]:
        return [str(one) for one in verify_table(reader, how.threads, by=how.by, share=how.share, seed=how.seed)]

    def describe(self, reader: Reader, full: bool = False, threads: int | None = None) -> Facts:
        """As `FileType.describe`: counts by remoteness, the longest wins with positions, sizes, digests.

        full: also the shares of positions, and how many wins need a helpful card. That takes some minutes for a table of 7 cards.
        """
        reader, name, _ = open_by_itself(reader)
        header, classes = reader.header, counts_of(reader.header, CLASSES)
        longest = next((value for value in WINS if header.counts.get(f"{SLOTS} {value}")), None)
        examples = [] if longest is None else list(map(str, islice(_positions_with(reader, name, longest), LONGEST)))
        every = sum(classes)
        bits = round(8 * reader.file_bytes / every, 5) if every else None  # classes of ten cards or more are not counted
        found = facts_of(statistics(reader, threads)) if full else None
        record: dict[str, object] = {
            "kind": header.kind,
            "game": header.game,
            "table": header.name,
            "rules": header.rules,
            "classes": every,
            "by_remoteness": {str(value): count for value, count in enumerate(classes) if count},
            "slots": size_of(name).slots,
            "bytes": reader.file_bytes,
            "bits_a_class": bits,
            "longest_win": longest,
            "longest_win_positions": examples,
            "digest": header.digest,
            "built_upon": header.dependencies,
            "program": header.program,
            **({} if found is None else {"statistics": found}),
        }
        rows: list[tuple[object, ...]] = [("remoteness", "classes", "share")]
        for value, count in enumerate(classes):
            if count:
                rows.append((f"{outcome_word(value)} in {value}", f"{count:,}", f"{count / every:.4%}"))
        rows.append(("all", f"{every:,}", ""))
        reading = "lone card" if header.rules["lone_card"] else "strict"
        lines: list[tuple[object, ...]] = [
            ("table", f"{name} of The Game: Face to Face, {reading} (F13), complete"),
            ("size", f"{reader.file_bytes:,} bytes, {bits or 0:.4f} bits a class"),
            ("digest", header.digest),
            *(("upon", f"{name} {digest}") for name, digest in header.dependencies.items()),
            ("program", header.program),
            *(("longest win", f"{longest}: {position}") for position in examples),
        ]
        more = "" if found is None else "\n\n" + text_of(found)
        return Facts(record, f"{table_text(lines)}\n\n{table_text(rows)}{more}")

    def positions(self, reader: Reader) -> Iterator[np.ndarray]:
        """The representative of each slot that a well-formed position has."""
        reader, name, rules = open_by_itself(reader)
        for start in range(0, size_of(name).slots, PORTION):
            positions, there = representatives(name, np.arange(start, min(start + PORTION, size_of(name).slots)), rules)
            yield positions[there]


def _positions_with(reader: Reader, name: TableName, value: int) -> Iterator[Position]:
    """A position for each slot of a remoteness, if the deck has one."""
    start = 0
    for number in range(reader.header.chunks):
        values = read_values(reader, number, number + 1)
        for slot in (start + np.flatnonzero(values == value)).tolist():
            if (position := representative(name, slot)) is not None:
                yield position
        start += len(values)


class ShardType(FileType):
    """Shards of tables. A shard is verified in one of two ways or both, whole or in part."""

    def check(self, reader: Reader) -> None:
        check_shard(reader)

    def verify(self, reader: Reader, how: Verification) -> list[str]:
        return [str(one) for one in verify_shard(reader, how.threads, by=how.by, share=how.share, seed=how.seed)]

    def describe(self, reader: Reader, full: bool = False, threads: int | None = None) -> Facts:
        """As `FileType.describe`: where its slots lie in the table, and how many have each remoteness. `full` adds nothing."""
        shard, header = open_shard(reader), reader.header
        record: dict[str, object] = {
            "kind": header.kind,
            "game": header.game,
            "table": str(shard.name),
            "shard": shard.number,
            "rules": header.rules,
            "slots": [shard.start, shard.stop],
            "by_remoteness": {str(value): count for value, count in enumerate(counts_of(header, SLOTS)) if count},
            "bytes": reader.file_bytes,
            "by": header.by,
            "digest": header.digest,
            "built_upon": header.dependencies,
            "program": header.program,
        }
        return Facts(record, "\n".join(f"{what}\t{told}" for what, told in record.items()))


# Making tables

MOST_CARDS = 2 * HAND_SIZE


def table_names(texts: Sequence[str], cards: int | None) -> list[TableName]:
    """The tables that the command line asks for, as in `Tables`."""
    if not texts and cards is None:
        raise UsageError("name tables, as in 4v3, or give --cards N for all of at most N cards")
    if cards is not None and not 2 <= cards <= MOST_CARDS:
        raise UsageError(f"--cards is 2..{MOST_CARDS}, not {cards}")
    return all_dependencies(*map(TableName.parse, texts), *(tables_up_to(cards) if cards is not None else ()))


def table_costs(names: Sequence[TableName], rules: Rules, by: str | None = None) -> Costs:
    """What tables will cost, as in `Tables`."""
    estimates = [estimate(name, rules, by or ROWS) for name in names]

    def text(workers: int) -> str:
        rows: list[tuple[object, ...]] = [("table", "slots", "shards", "MiB to load", "MiB a worker", "seconds")]
        for one in estimates:
            mebibytes = f"{one.bytes / 2**20:,.1f}", f"{one.worker_bytes / 2**20:,.0f}"
            rows.append((one.name, f"{one.slots:,}", one.shards, *mebibytes, f"{one.seconds / workers:,.1f}"))
        slots, shards, size = (sum(getattr(one, what) for one in estimates) for what in ("slots", "shards", "bytes"))
        seconds = sum(one.seconds for one in estimates) / workers
        rows.append(("all", f"{slots:,}", shards, f"{size / 2**20:,.1f}", "", f"{seconds:,.1f}"))
        return table_text(rows) + f"\n\n  in {workers} at a time; on disk about a tenth of what is loaded, or less"

    return Costs(max(one.worker_bytes for one in estimates), text)


STORED = StoredGame(
    GAME,
    CODEC,
    Tablebase,
    tables=Tables(TableType(), ShardType(), table_names, table_costs, build_tables, build_shards),
    no_closures="The Game: Face to Face has no closures; its complete tables hold all that a position leads to",
)

build_set = STORED.build_set
