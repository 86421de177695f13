"""What Face to Face keeps on disk: `STORED`. Answers from tables and solved sets; types of file; what tables cost.

A complete table answers first. If there is none, the solved sets do. A table of ten cards or more answers as far as it has been
built: its shards are looked up before it is whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from backtrick.answer import OVER, SEARCH, Answer
from backtrick.bounds import exactly
from backtrick.errors import MissingTableError, UsageError
from backtrick.face_to_face._counts import MOST_NUMBERS
from backtrick.face_to_face._tables import MISSING, UNREAD
from backtrick.face_to_face.classes import (
    MOST_WHOLE,
    TableName,
    all_dependencies,
    representative,
    representatives,
    size_of,
    tables_up_to,
)
from backtrick.face_to_face.codec import CODEC, positions_in
from backtrick.face_to_face.display import outcome_word
from backtrick.face_to_face.game import GAME
from backtrick.face_to_face.position import HAND_SIZE, Position, error_at, pack
from backtrick.face_to_face.rule_options import Rules
from backtrick.face_to_face.solving import best_first, outcome_rows, outcomes_of
from backtrick.face_to_face.tables.building import build_shards, build_tables, estimate
from backtrick.face_to_face.tables.cache import ChunkCache, LargeTable
from backtrick.face_to_face.tables.table import (
    CLASSES,
    ROWS,
    SLOTS,
    counts_of,
    file_name,
    missing_table,
    open_shard,
    open_table,
    read_values,
)
from backtrick.face_to_face.tables.verifying import (
    check_shard,
    check_table,
    open_by_itself,
    verify_shard,
    verify_table,
)
from backtrick.face_to_face.turn import Turn
from backtrick.lines import size_text, table_text, time_text
from backtrick.storage import tablebase
from backtrick.storage.file import SUFFIX, Reader
from backtrick.storage.jobs import WORK, leftovers
from backtrick.storage.kinds import Costs, Facts, FileType, Tables, Verification
from backtrick.storage.stored_game import StoredGame
from backtrick.threads import fill_ranges

# Probing

AHEAD = "one turn ahead"
"""The source of a value that was derived from the tables that the turns lead to."""

ENOUGH = 254  # look-ups from here on are not values: `UNREAD`, `MISSING`


class Tablebase(tablebase.Tablebase[Position, Turn, Rules]):
    """The complete tables and solved sets of a directory. A value is a remoteness. Tables are read chunk by chunk.

    >>> import tempfile
    >>> from backtrick.face_to_face import build_tables
    >>> directory = tempfile.mkdtemp()
    >>> _ = build_tables(directory, ["2v2"], processes=0)
    >>> with Tablebase(directory) as tables:  # doctest: +ELLIPSIS
    ...     print(tables, tables.probe(Position.parse("27^40v:17,18 13^50v:5,12")))
    <Tablebase ...: 2v2> 1
    """

    codec = CODEC

    def __init__(self, directory: str | Path, rules: Rules | None = None):
        super().__init__(directory, rules)
        files = {name: file_name(name, self.rules.lone_card) for name in tables_up_to(2 * HAND_SIZE)}
        self._paths = {name: self.directory / file for name, file in files.items() if file in self._present}
        stems = {path.name.rpartition("-")[0] for path in leftovers(self.directory)} if WORK in self._present else set()
        self._started = {name for name, file in files.items() if file.removesuffix(SUFFIX) in stems}
        self._cache = ChunkCache()
        self._large: dict[TableName, LargeTable] = {}

    def names(self) -> list[TableName]:
        """The names of the complete tables in the directory, fewest cards first."""
        return list(self._paths)

    def close(self) -> None:
        """Closes the files and drops what was read. A later probe opens them again."""
        super().close()
        with self._lock:
            self._cache.close()
            self._cache = ChunkCache()
            self._large = {}

    def holds_any(self) -> bool:
        return any(name.cards > MOST_WHOLE for name in self._started) or super().holds_any()

    def _look_up(self, position: Position) -> int | None:
        packed = position.packed
        value: int = self._cache.tables.look_up(*packed)
        while value >= ENOUGH:
            name = TableName(packed[0].bit_count(), packed[1].bit_count())
            if name.cards > MOST_WHOLE:
                value = int(self._in_large(name, pack([position]))[0])
                return None if value == MISSING else value
            if value == MISSING and name not in self._paths:
                return None
            self._fetch(name, value)
            value = self._cache.tables.look_up(*packed)
        return value

    def _look_up_many(self, positions: np.ndarray, threads: int | None, progress: bool | None) -> tuple[np.ndarray, np.ndarray]:
        values = self._in_tables(positions, threads, progress)
        left = np.flatnonzero(values >= ENOUGH)
        sizes = _sizes(positions[left])
        for size in np.unique(sizes).tolist():
            name = TableName(size >> 3, size & 7)
            if name.cards > MOST_WHOLE:
                places = left[sizes == size]
                values[places] = self._in_large(name, positions[places])
        large = (sizes >> 3) + (sizes & 7) > MOST_WHOLE
        absent = [left[large & (values[left] == MISSING)]]
        left = left[~large]
        while len(left):
            found, sizes = values[left], _sizes(positions[left])
            there = np.ones(len(left), bool)
            for lacking in (MISSING, UNREAD):
                for size in np.unique(sizes[found == lacking]).tolist():
                    name = TableName(size >> 3, size & 7)
                    if name in self._paths:
                        self._fetch(name, lacking)
                    else:
                        there &= (found != lacking) | (sizes != size)
            absent.append(left[~there])
            left = left[there]
            values[left] = self._in_tables(positions[left], threads, progress)
            left = left[values[left] >= ENOUGH]
        return values, np.sort(np.concatenate(absent))

    def _in_tables(self, positions: np.ndarray, threads: int | None, progress: bool | None) -> np.ndarray:
        """What the open tables hold for each position: a value, `UNREAD` or `MISSING`. uint8, shape (n,)."""
        tables, values = self._cache.tables, np.empty(len(positions), np.uint8)

        def work(start: int, stop: int) -> int:
            place: int = tables.look_up_range(positions, values, start, stop)
            return place

        error = partial(error_at, positions)
        fill_ranges(work, len(positions), threads=threads, progress=progress, what="probe", error=error)
        return values

    def _in_large(self, name: TableName, positions: np.ndarray) -> np.ndarray:
        """What a table of ten cards or more holds for each position, as far as it is built: a value or `MISSING`. uint8, (n,)."""
        if name not in self._paths and name not in self._started:
            return np.full(len(positions), MISSING, np.uint8)
        with self._lock:
            if name not in self._large:
                path = self.directory / file_name(name, self.rules.lone_card)
                self._large[name] = LargeTable(path, name, self.rules)
            table = self._large[name]
        return table.look_up(positions)

    def _fetch(self, name: TableName, lacking: int) -> None:
        """Opens a table that is `MISSING`, or reads the chunks that were `UNREAD`."""
        with self._lock:
            if lacking == UNREAD and name in self._cache:
                self._cache.read_missed(name)
            elif name not in self._cache:
                if name not in self._paths:
                    raise missing_table(name, self.directory, self.rules, self._sets.skipped)
                self._cache.put(name, open_table(self._paths[name], self.rules, name))

    def _table_source(self, position: Position) -> str:
        return str(TableName(len(position.mover.hand), len(position.opponent.hand))) if position.opponent.hand else OVER

    def _missing(self, position: Position) -> MissingTableError:
        name = TableName(len(position.mover.hand), len(position.opponent.hand))
        return missing_table(name, self.directory, self.rules, self._sets.skipped)

    def look_ahead(self, position: Position) -> Answer[Position, Turn, Rules]:
        """The answer that `solve` gives, but with the values of all turns from the tables of fewer cards. The value of the
        position follows from them; its own table is not needed."""
        rows = outcome_rows(position, self.rules)
        values = self.probe_many(positions_in(rows), threads=1, missing=MISSING)
        known = values != MISSING
        rows["value"][known] = values[known] + 1
        rows = best_first(rows)
        value = int(rows["value"][0]) if len(rows) else 0
        source = AHEAD if known.all() else SEARCH
        answer = GAME.answer(position, self.rules)
        return replace(answer, bounds=exactly(value), source=source, outcomes=outcomes_of(rows))


open_tablebase = Tablebase
"""Opens a directory of tables and solved sets for probing; its files are opened later. Raises `StorageError`."""


def _sizes(positions: np.ndarray) -> np.ndarray:
    return bit_counts(positions["mover_hand"]) << 3 | bit_counts(positions["opponent_hand"])


def bit_counts(hands: np.ndarray) -> np.ndarray:
    """The number of cards in each hand: uint8, shape (n,). hands: uint64, shape (n,)."""
    return np.unpackbits(np.ascontiguousarray(hands).view(np.uint8).reshape(-1, 8), axis=1).sum(axis=1, dtype=np.uint8)


# Types of file

SPAN = 1 << 12
LONGEST = 3  # positions of the longest win that are named
WINS = (5, 3, 1)  # longest first


class TableType(FileType):
    """Complete tables. A table is verified in one of two ways or both, whole or in part."""

    def check(self, reader: Reader) -> None:
        check_table(reader)

    def verify(self, reader: Reader, how: Verification) -> list[str]:
        return [str(one) for one in verify_table(reader, how.threads, by=how.by, share=how.share, seed=how.seed)]

    def describe(self, reader: Reader) -> Facts:
        """As `FileType.describe`: counts by remoteness, the longest wins with positions, sizes, digests.

        The counts are of classes up to 9 cards, and of slots beyond.
        """
        reader, name, _ = open_by_itself(reader)
        header, what = reader.header, CLASSES if name.cards <= MOST_NUMBERS else SLOTS
        counts = counts_of(header, what)
        longest = next((value for value in WINS if header.counts.get(f"{SLOTS} {value}")), None)
        examples = [] if longest is None else list(map(str, islice(_positions_with(reader, name, longest), LONGEST)))
        every = sum(counts)
        bits = round(8 * reader.file_bytes / every, 5)
        record: dict[str, object] = {
            "kind": header.kind,
            "game": header.game,
            "table": header.name,
            "rules": header.rules,
            "classes": every if what == CLASSES else None,
            "by_remoteness": {str(value): count for value, count in enumerate(counts) if count},
            "slots": size_of(name).slots,
            "bytes": reader.file_bytes,
            "bits_a_class": bits if what == CLASSES else None,
            "longest_win": longest,
            "longest_win_positions": examples,
            "digest": header.digest,
            "built_upon": header.dependencies,
            "program": header.program,
        }
        rows: list[tuple[object, ...]] = [("remoteness", what, "share")]
        for value, count in enumerate(counts):
            if count:
                rows.append((f"{outcome_word(value)} in {value}", f"{count:,}", f"{count / every:.4%}"))
        rows.append(("all", f"{every:,}", ""))
        what_one = "class" if what == CLASSES else "slot"
        reading = "lone card" if header.rules["lone_card"] else "strict"
        lines: list[tuple[object, ...]] = [
            ("table", f"{name} of The Game: Face to Face, {reading} (F13), complete"),
            ("size", f"{reader.file_bytes:,} bytes{f', {bits:.4f} bits a {what_one}' if reader.file_bytes >= TELLING else ''}"),
            ("digest", header.digest),
            *(("upon", f"{name} {digest}") for name, digest in header.dependencies.items()),
            ("program", header.program),
            *(("longest win", f"{longest}: {position}") for position in examples),
        ]
        return Facts(record, f"{table_text(lines)}\n\n{table_text(rows)}")

    def positions(self, reader: Reader) -> Iterator[np.ndarray]:
        """The representative of each slot that a well-formed position has."""
        reader, name, rules = open_by_itself(reader)
        for start in range(0, size_of(name).slots, SPAN):
            positions, there = representatives(name, np.arange(start, min(start + SPAN, size_of(name).slots)))
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

    def describe(self, reader: Reader) -> Facts:
        """As `FileType.describe`: where its slots lie in the table, and how many have each remoteness."""
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
TELLING = 1 << 16
"""Bytes of a file: of a smaller one the header is the greater part, so its bits a class say nothing."""


def table_names(texts: Sequence[str], cards: int | None) -> list[TableName]:
    """The tables that the command line asks for, as in `Tables`."""
    if not texts and cards is None:
        raise UsageError("name tables such as 4v3, or give --cards N for all of at most N cards")
    if cards is not None and not 2 <= cards <= MOST_CARDS:
        raise UsageError(f"--cards must be 2..{MOST_CARDS}, not {cards}")
    return all_dependencies(*map(TableName.parse, texts), *(tables_up_to(cards) if cards is not None else ()))


def table_costs(names: Sequence[TableName], rules: Rules, by: str | None = None) -> Costs:
    """What tables will cost, as in `Tables`."""
    estimates = [estimate(name, rules, by or ROWS) for name in names]

    def text(workers: int) -> str:
        rows: list[tuple[object, ...]] = [("table", "slots", "shards", "to load", "a worker", "time")]
        for one in estimates:
            sizes = size_text(one.bytes), size_text(one.worker_bytes)
            rows.append((one.name, f"{one.slots:,}", one.shards, *sizes, time_text(one.seconds / workers)))
        slots, shards, size = (sum(getattr(one, what) for one in estimates) for what in ("slots", "shards", "bytes"))
        seconds = sum(one.seconds for one in estimates) / workers
        rows.append(("all", f"{slots:,}", shards, size_text(size), "", time_text(seconds)))
        return table_text(rows) + f"\n\n  in {workers} at a time; on disk about a tenth of what is loaded, or less"

    return Costs(max(one.worker_bytes for one in estimates), text)


STORED = StoredGame(
    CODEC,
    Tablebase,
    tables=Tables(TableType(), ShardType(), table_names, table_costs, build_tables, build_shards),
)

build_set = STORED.build_set
