"""Building tables: the two ways to find the values of a table's slots, which tables are missing and in which order they are built,
what they cost, and the work itself.

search   each slot by itself, by solving its class; no other table is read
rows     one turn ahead, a row of slots at a time, in the tables of fewer cards that a turn leads to

The two ways share only the numbering of the slots.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np

import backtrick.face_to_face._by_rows as _by_rows
import backtrick.face_to_face._tables as _tables
from backtrick.errors import CorruptTableError, ForeignFileError, UsageError
from backtrick.face_to_face._classes import ENTRY_DTYPE
from backtrick.face_to_face._counts import MOST_NUMBERS, Realised
from backtrick.face_to_face.classes import (
    KEPT,
    STRETCH,
    TableName,
    all_dependencies,
    dependencies,
    index_of,
    indices_over,
    shapes_of,
    size_of,
)
from backtrick.face_to_face.rule_options import PUBLISHED, Rules, as_rules
from backtrick.face_to_face.tables.cache import ChunkCache
from backtrick.face_to_face.tables.table import (
    CLASSES,
    ROWS,
    SEARCH,
    SLOTS,
    bits_of,
    file_name,
    header_of,
    open_in,
    open_table,
    shard_bytes,
)
from backtrick.progress import bar
from backtrick.storage.atomic import only_writer
from backtrick.storage.file import Header
from backtrick.storage.jobs import FileJob, build_some, clear_work, run
from backtrick.storage.workers import check_processes, executor_of
from backtrick.threads import available_cores

# The two ways

CHILD_BYTES = 2 << 30
"""What the tables of fewer cards may take in a worker that fills a table by rows."""


class TableBuilder(Protocol):
    """One of the two ways, for one table. May be shared by threads."""

    name: TableName

    def fill(self, values: np.ndarray, start: int) -> None:
        """Fills an array with the remoteness of the slots from `start` on: uint8, shape (n,)."""


class Search:
    """Each slot by itself."""

    def __init__(self, name: TableName, rules: Rules):
        self.name, self._lone_card = name, rules.lone_card

    def fill(self, values: np.ndarray, start: int) -> None:
        """As `TableBuilder.fill`."""
        for index, first, last in indices_over(self.name, start, start + len(values)):
            _tables.generate_range(index, values[first - start : last - start], first, self._lone_card)


class Rows:
    """From the tables of fewer cards, which lie beside the file of the table, `path`. A chunk is read when it is first needed.

    digests: the digest that each of these tables must have, by name. Raises `MissingTableError`, `CorruptTableError`, and
    `ForeignFileError` if a table has another digest.
    """

    def __init__(self, path: Path, name: TableName, rules: Rules, digests: dict[str, str]):
        self.name, self._lone_card, self._cache = name, rules.lone_card, ChunkCache(CHILD_BYTES)
        self._below = dependencies(name)
        try:
            for child in self._below:
                reader = open_in(path.parent, child, rules)
                self._cache.put(child, reader)
                if reader.header.digest != digests.get(reader.header.name):
                    raise ForeignFileError(str(path), f"it is built upon another {child} than the one beside it")
        except BaseException:
            self.close()
            raise

    def fill(self, values: np.ndarray, start: int, helpful: bool = True) -> None:
        """As `TableBuilder.fill`. helpful: False to leave out turns that lay a helpful card now; later turns may lay one."""
        tables, slot, stop = self._cache.tables, start, start + len(values)
        for index, _, last in indices_over(self.name, start, stop):
            while slot < last:
                with self._cache.pinned():
                    part = values[slot - start : last - start]
                    filled = _by_rows.derive_range(index, part, slot, tables, self._lone_card, helpful=helpful)
                slot += filled
                for child in self._below if slot < last else ():
                    self._cache.read_missed(child, drop=filled > 0)  # what one pattern needs must be there together

    def close(self) -> None:
        """Closes the files of the tables. The chunks in memory are freed with this object."""
        self._cache.close()


def builder_for(by: str, path: Path, name: TableName, rules: Rules, digests: dict[str, str]) -> TableBuilder:
    return Search(name, rules) if by == SEARCH else Rows(path, name, rules, digests)


@lru_cache(maxsize=1)
def kept_builder(by: str, path: Path, name: TableName, rules: Rules, digests: tuple[tuple[str, str], ...]) -> TableBuilder:
    """As `builder_for`, but it keeps the last one: a worker makes many shards of the same table."""
    return builder_for(by, path, name, rules, dict(digests))


def fill_chunk(builder: TableBuilder, header: Header, number: int) -> tuple[np.ndarray, dict[str, int]]:
    """The bytes of a table's chunk, and its counts of slots and classes by remoteness."""
    bits, slots = header.scheme["bits"], header.scheme["slots"]
    each = header.chunk * (8 // bits)
    start, count = number * each, min(each, slots - number * each)
    values, packed = np.empty(count, np.uint8), np.empty(-(-count * bits // 8), np.uint8)
    builder.fill(values, start)
    counts = {SLOTS: _tables.pack_values(values, packed, bits)}
    if sum(builder.name) <= MOST_NUMBERS:
        realised = Realised(*builder.name, shapes_of)
        counts[CLASSES] = realised.count_values(index_of(builder.name), values, start)
    return packed, {f"{what} {value}": count for what in counts for value, count in enumerate(counts[what]) if count}


# Jobs and costs

SLOTS_A_SECOND = {ROWS: 150e6, SEARCH: 30e6}
"""Slots that one core fills in a second, compressing included: for estimates (docs/tablebases.md)."""

WORKER_BYTES = 45 << 20
"""What Python and numpy take in a worker process."""

PATTERN_BYTES = ENTRY_DTYPE.itemsize + 4
"""What a pattern takes in an index: its entry, and its number among the patterns that are kept (`_classes.pxd`)."""

SHAPES_BYTES = {8: 16 << 20, 9: 450 << 20}
"""What counting the classes of a table takes for a while, by the cards of the table."""


class TableJob(FileJob):
    """A job that fills a table. by: 'rows' or 'search'. Its progress is counted in slots; a byte holds several.

    dependencies: the digests of the tables that its turns lead to, by name
    """

    def __init__(
        self, directory: Path, name: TableName, rules: Rules = PUBLISHED, dependencies: dict[str, str] | None = None,
        by: str = SEARCH,
    ):  # fmt: skip
        self.name, self.rules = name, rules
        self.header = header_of(name, rules, dependencies or {}, by)
        self.path = Path(directory) / file_name(self.header.name, rules.lone_card)
        self.shard_items = shard_bytes(self.header)
        self.units, self.units_each = int(self.header.scheme["slots"]), 8 // self.header.scheme["bits"]

    def items(self, start: int, stop: int) -> Iterator[tuple[np.ndarray, dict[str, int]]]:
        """The bytes start..stop-1 of the table, chunk by chunk, each chunk with its counts of slots and classes by remoteness."""
        header = self.header
        builder = kept_builder(header.by, self.path, self.name, self.rules, tuple(sorted(header.dependencies.items())))
        for place in range(start, stop, header.chunk):
            yield fill_chunk(builder, header, place // header.chunk)


@dataclass(frozen=True)
class Estimate:
    """What a table will cost: its slots, in how many shards; its bytes in memory, packed; bytes in one worker; seconds on one
    core."""

    name: TableName
    slots: int
    shards: int
    bytes: int
    worker_bytes: int
    seconds: float


def estimate(name: TableName, rules: Rules = PUBLISHED, by: str = ROWS) -> Estimate:
    """What a table will cost, before it is built."""
    header = header_of(name, rules, {}, by)
    size = size_of(name)
    needed = WORKER_BYTES + 2 * header.chunk * (1 + 8 // header.scheme["bits"]) + SHAPES_BYTES.get(name.cards, 0)
    needed += min(size.patterns, KEPT * STRETCH) * PATTERN_BYTES
    rate = SLOTS_A_SECOND[by]
    if by == ROWS:
        below = {child: size_of(child) for child in dependencies(name)}
        needed += sum(one.patterns for one in below.values()) * PATTERN_BYTES
        packed = sum(one.slots * bits_of(*child, rules.lone_card) // 8 for child, one in below.items())
        needed += min(packed, CHILD_BYTES)
        if packed > CHILD_BYTES:  # most of the time goes into reading their chunks again and again
            rate = SLOTS_A_SECOND[SEARCH]
    shards = -(-header.length // shard_bytes(header))
    return Estimate(name, size.slots, shards, header.length, needed, size.slots / rate)


def build_tables(
    directory: str | Path,
    names: Iterable[str | TableName],
    rules: Rules = PUBLISHED,
    *,
    force: bool = False,
    processes: int | None = None,
    executor: tuple[Executor, int] | None = None,
    by: str | None = None,
    progress: bool | None = None,
    say: Callable[[str], object] = lambda sentence: None,
) -> list[Header]:
    """Builds the missing ones of these tables and of all that they depend on; returns their headers, in the order built.

    processes: worker processes; None for one per core, 0 for this process alone. executor: used instead of processes, with the
    number of its workers. force: rebuild existing tables too. say: called with a sentence on each table that is damaged or out of
    date and is therefore rebuilt. by: 'rows', from the tables of fewer cards, the default; or 'search', each slot by itself.
    Both give the same digests, and an existing table is kept whichever way it was built.
    Raises `StorageError`, `WorkerError`; `ForeignFileError` if a file of that name is not such a table: it is left as it is.

    >>> import tempfile
    >>> [header.name for header in build_tables(tempfile.mkdtemp(), ["2v2"], processes=0)]
    ['2v2']
    """
    directory, rules, by = Path(directory), as_rules(rules), by or ROWS
    order = all_dependencies(*(TableName.parse(str(name)) for name in names))
    check_processes(processes)
    only_read = os.access(directory, os.R_OK) and not os.access(directory, os.W_OK)
    if only_read and not force and _all_there(directory, order, rules, by):
        return []
    built = []
    digests: dict[TableName, str] = {}
    all_slots = sum(size_of(name).slots for name in order)
    tenth = int(SLOTS_A_SECOND[by] / 10) * (executor[1] if executor else available_cores())  # of a second
    with only_writer(directory), bar(all_slots, "all", "slots", progress, estimate_after=tenth) as whole, ExitStack() as stack:
        stack.callback(kept_builder.cache_clear)
        for name in order:
            job = TableJob(directory, name, rules, {str(child): digests[child] for child in dependencies(name)}, by)
            text = job.header.name
            whole.set_postfix_str(text)
            header = _finished(job, say) if job.path.exists() and not force else None
            if force:
                clear_work(job.path)
            if header is None:
                if executor is None:
                    executor = stack.enter_context(executor_of(processes))
                with bar(job.units, text, "slots", progress, inner=True) as inner:
                    header = run(job, *executor, done=(inner.update, whole.update), progress=progress)
                built.append(header)
            else:
                clear_work(job.path)  # an earlier run may have been killed just before this
                whole.update(job.units)
            digests[name] = header.digest
    return built


def _all_there(directory: Path, order: Iterable[TableName], rules: Rules, by: str) -> bool:
    """True if nothing is to be built, also in a directory in which nothing can be."""
    digests: dict[TableName, str] = {}
    for name in order:
        job = TableJob(directory, name, rules, {str(child): digests[child] for child in dependencies(name)}, by)
        header = _finished(job, lambda _: None) if job.path.exists() else None
        if header is None:
            return False
        digests[name] = header.digest
    return True


def build_shards(
    directory: str | Path,
    name: str | TableName,
    numbers: range,
    rules: Rules = PUBLISHED,
    *,
    processes: int | None = None,
    executor: tuple[Executor, int] | None = None,
    by: str | None = None,
    progress: bool | None = None,
) -> list[tuple[Path, Header]]:
    """Builds some shards of one table and leaves them in the directory; returns their files and headers.

    So several hosts that share a directory build a table, each its own shards. `build_tables` then finds all shards there, and
    merges them. numbers: of the shards, from 0 on; those that exist are kept. All else is as in `build_tables`. By rows, the
    tables that the table depends on must be there. Raises `UsageError` if the table has no such shards; `MissingTableError`.
    """
    directory, name, by = Path(directory), TableName.parse(str(name)), by or ROWS
    below = _digests_below(directory, name, rules) if by == ROWS else {}
    job = TableJob(directory, name, rules, below, by)
    count = job.shards
    if not 0 <= numbers.start < numbers.stop <= count:
        raise UsageError(f"{name} has the shards 0-{count - 1}, and not {numbers.start}-{numbers.stop - 1}")
    slots = min(len(numbers) * job.shard_items * job.units_each, job.units)
    with bar(slots, f"{name}, shards", "slots", progress) as whole, ExitStack() as stack:
        stack.callback(kept_builder.cache_clear)
        if executor is None:
            executor = stack.enter_context(executor_of(processes))
        return build_some(job, numbers, *executor, done=[whole.update])


def _digests_below(directory: Path, name: TableName, rules: Rules) -> dict[str, str]:
    """The digests of the tables that a table depends on, by name. Raises `MissingTableError`."""
    digests = {}
    for child in dependencies(name):
        with open_in(directory, child, rules) as reader:
            digests[str(child)] = reader.header.digest
    return digests


def _finished(job: TableJob, say: Callable[[str], object]) -> Header | None:
    """The header of the finished table; None if it is damaged, or built upon other tables than those here."""
    try:
        reader = open_table(job.path, job.rules, job.name)
        reader.check_bytes()
    except CorruptTableError as error:
        say(f"{error}; it is rebuilt")
        return None
    header = reader.header
    if header.dependencies != job.header.dependencies:
        say(f"{job.path}: the tables that it was built upon have changed; it is rebuilt")
        return None
    return header
