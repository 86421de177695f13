"""Building tables: which tables are missing, in which order they are built, what they cost, and the work itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from solver.core.errors import CorruptTableError
from solver.core.progress import Shown, bar
from solver.face_to_face._tops import ENTRY_DTYPE
from solver.face_to_face.classes import index_of
from solver.face_to_face.options import PUBLISHED, Rules
from solver.face_to_face.tables.filling import fill_chunk, kept_filler
from solver.face_to_face.tables.names import TableName, all_dependencies, dependencies
from solver.face_to_face.tables.table import ROWS, SEARCH, bits_of, file_name, header_of, open_table, shard_bytes
from solver.storage.atomic import only_writer
from solver.storage.file import Header
from solver.storage.jobs import clear_work, run
from solver.storage.workers import executor_of

SLOTS_A_SECOND = {ROWS: 150e6, SEARCH: 30e6}
"""Slots that one core fills in a second, compressing included: for estimates (docs/tablebases.md)."""

WORKER_BYTES = 45 << 20
"""What Python and numpy take in a worker process."""

PATTERN_BYTES = ENTRY_DTYPE.itemsize + 4
"""What a pattern takes in an index: its entry, and its number among the patterns that are kept (`_index.pxd`)."""

SHAPES_BYTES = {8: 16 << 20, 9: 450 << 20}
"""What counting the classes of a table takes for a while, by the cards of the table."""


@dataclass(frozen=True)
class TableJob:
    """A `solver.storage.jobs.Job` that fills a table. by: one of the two ways of `filling`.

    dependencies: the digests of the tables that its turns lead to, by name
    """

    directory: Path
    name: TableName
    rules: Rules = PUBLISHED
    dependencies: dict[str, str] = field(default_factory=dict)
    by: str = SEARCH

    @property
    def path(self) -> Path:
        return Path(self.directory) / file_name(self.name, self.rules.lone_card)

    @property
    def header(self) -> Header:
        return header_of(self.name, self.rules, self.dependencies, self.by)

    @property
    def shard_items(self) -> int:
        return shard_bytes(self.header)

    def items(self, start: int, stop: int) -> Iterator[tuple[np.ndarray, dict[str, int]]]:
        """The bytes start..stop-1 of the table, chunk by chunk, each chunk with its counts of slots and classes by remoteness."""
        header = self.header
        way = kept_filler(self.by, self.path, self.name, self.rules, tuple(sorted(self.dependencies.items())))
        for place in range(start, stop, header.chunk):
            yield fill_chunk(way, header, place // header.chunk)


@dataclass(frozen=True)
class Estimate:
    """What a table will cost: its slots; its bytes in memory, packed; bytes in one worker; seconds on one core."""

    name: TableName
    slots: int
    bytes: int
    worker_bytes: int
    seconds: float


def estimate(name: TableName, rules: Rules = PUBLISHED, by: str = ROWS) -> Estimate:
    """What a table will cost, before it is built."""
    header = header_of(name, rules, {}, by)
    index = index_of(name)
    needed = WORKER_BYTES + 2 * header.chunk * (1 + 8 // header.scheme["bits"]) + index.patterns * PATTERN_BYTES
    needed += SHAPES_BYTES.get(name.cards, 0)
    for child in dependencies(name) if by == ROWS else []:
        needed += index_of(child).size * bits_of(*child, rules.lone_card) // 8 + index_of(child).patterns * PATTERN_BYTES
    return Estimate(name, index.size, header.length, needed, index.size / SLOTS_A_SECOND[by])


def build_tables(
    directory: str | Path,
    names: Iterable[str | TableName],
    rules: Rules = PUBLISHED,
    *,
    force: bool = False,
    processes: int | None = None,
    executor: tuple[Executor, int] | None = None,
    by: str = ROWS,
    progress: bool | None = None,
    say: Callable[[str], object] = lambda sentence: None,
) -> list[Header]:
    """Builds the missing ones of these tables and of all that they depend on; returns their headers, in the order built.

    processes: worker processes; None for one a core, 0 for this process alone. executor: used instead of processes, with the
    number of its workers. force: rebuild existing tables too. say: called with a sentence on each table that is damaged or out of
    date and is therefore built anew. by: 'rows', from the tables of fewer cards, or 'search', each slot by itself. Both ways give
    the same digests, and an existing table is kept whichever way it was built.
    Raises `StorageError`, `WorkerError`; `ForeignFileError` if a file of that name is no such table: it is left as it is.
    """
    directory = Path(directory)
    order = all_dependencies(*(TableName.parse(str(name)) for name in names))
    built = []
    digests: dict[TableName, str] = {}
    all_slots = sum(index_of(name).size for name in order)
    with only_writer(directory), bar(all_slots, "all", "slot", progress) as whole, ExitStack() as stack:
        stack.callback(kept_filler.cache_clear)
        for name in order:
            whole.set_postfix_str(str(name))
            job = TableJob(directory, name, rules, {str(child): digests[child] for child in dependencies(name)}, by)
            slots = index_of(name).size
            header = None if force else _finished(job, say)
            if force:
                clear_work(job)
            if header is None:
                if executor is None:
                    executor = stack.enter_context(executor_of(processes))
                with bar(slots, str(name), "slot", progress, inner=True) as inner:
                    header = run(job, *executor, done=_Progress(job, inner, whole))
                built.append(header)
            else:
                clear_work(job)  # an earlier run may have been killed just before this
                whole.update(slots)
            digests[name] = header.digest
    return built


class _Progress:
    """Moves progress bars by slots. A byte of the table holds several slots."""

    def __init__(self, job: TableJob, *bars: Shown):
        self.each, self.left, self.bars = 8 // job.header.scheme["bits"], index_of(job.name).size, bars

    def __call__(self, items: int) -> None:
        slots = min(items * self.each, self.left)
        self.left -= slots
        for one in self.bars:
            one.update(slots)


def _finished(job: TableJob, say: Callable[[str], object]) -> Header | None:
    """The header of the finished table; None if it is missing, damaged, or built upon other tables than those here."""
    if not job.path.exists():
        return None
    try:
        reader = open_table(job.path, job.rules, job.name)
        reader.check_bytes()
    except CorruptTableError as error:
        say(f"{error}; it is built anew")
        return None
    header = reader.header
    if header.dependencies != job.dependencies:
        say(f"{job.path}: the tables that it was built upon have changed; it is built anew")
        return None
    return header
