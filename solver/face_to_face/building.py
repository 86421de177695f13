"""Building tables: which are missing, in which order, at what cost, and the work itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from solver.errors import CorruptTableError
from solver.face_to_face.classes import index_of
from solver.face_to_face.names import TableName, all_dependencies, dependencies
from solver.face_to_face.options import PUBLISHED, Rules
from solver.face_to_face.tables import TableJob, open_table
from solver.progress import Shown, bar
from solver.tables.format import Header
from solver.tables.jobs import clear_work, run
from solver.tables.storage import only_writer
from solver.tables.workers import executor_of

SLOTS_A_SECOND = 15e6
"""Of one core, compressing included: for estimates (docs/tablebases.md)."""

WORKER_BYTES = 45 << 20
"""Python and numpy in a worker process."""


@dataclass(frozen=True)
class Estimate:
    """What a table will cost: slots; bytes of it in memory, packed; bytes in one worker; seconds on one core."""

    name: TableName
    slots: int
    bytes: int
    worker_bytes: int
    seconds: float


def estimate(name: TableName, rules: Rules = PUBLISHED) -> Estimate:
    """What a table will cost, before it is built."""
    header = TableJob(Path(), name, rules).header
    index = index_of(name)
    each = header.chunk * (1 + 8 // header.scheme["bits"])
    return Estimate(name, index.size, header.length, WORKER_BYTES + 2 * each + index.patterns * 140, index.size / SLOTS_A_SECOND)


def build_tables(
    directory: str | Path,
    names: Iterable[str | TableName],
    rules: Rules = PUBLISHED,
    *,
    force: bool = False,
    processes: int | None = None,
    executor: tuple[Executor, int] | None = None,
    progress: bool | None = None,
    say: Callable[[str], object] = lambda sentence: None,
) -> list[Header]:
    """Builds the tables and all that they need, unless they are there; returns the headers of those built, in that order.

    processes: worker processes, None for one a core, 0 for none but this. executor: one of another kind, with the number of
    its workers. force: build also what is there. say: told what is found damaged or out of date and is built anew.
    Raises `StorageError`, `WorkerError`; `ForeignFileError` if a file of that name is of another kind, and is left alone.
    """
    directory = Path(directory)
    order = all_dependencies(*(TableName.parse(str(name)) for name in names))
    built = []
    digests: dict[TableName, str] = {}
    with only_writer(directory), ExitStack() as stack:
        whole = stack.enter_context(bar(sum(index_of(name).size for name in order), "all", "slot", progress))
        for name in order:
            whole.set_postfix_str(str(name))
            job = TableJob(directory, name, rules, {str(child): digests[child] for child in dependencies(name)})
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
                clear_work(job)  # whoever was killed just before doing so
                whole.update(slots)
            digests[name] = header.digest
    return built


class _Progress:
    """Moves the bars by slots, of which a byte of the table holds several."""

    def __init__(self, job: TableJob, *bars: Shown):
        self.each, self.left, self.bars = 8 // job.header.scheme["bits"], index_of(job.name).size, bars

    def __call__(self, items: int) -> None:
        slots = min(items * self.each, self.left)
        self.left -= slots
        for one in self.bars:
            one.update(slots)


def _finished(job: TableJob, say: Callable[[str], object]) -> Header | None:
    """The header of the table if it is there, sound, and built upon the tables that are there."""
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
