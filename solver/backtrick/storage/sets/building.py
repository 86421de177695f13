"""Building a solved set: a list of positions, each solved, in one file.

The content of the file depends on the positions and the rules alone. The order of the positions, the number of workers, and
whether it was built at once or in parts make no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

import numpy as np

from backtrick.answer import P, R, T
from backtrick.arrays import as_positions
from backtrick.errors import UsageError
from backtrick.progress import bar
from backtrick.storage.atomic import only_writer, reported, whole_file
from backtrick.storage.codec import Codec
from backtrick.storage.file import Header
from backtrick.storage.jobs import Job, run
from backtrick.storage.sets.names import SET, path_of
from backtrick.storage.sets.opened import POSITIONS_DIGEST, SolvedSet, counts_of, positions_digest
from backtrick.storage.workers import executor_of

ENTRIES = "entries.npy"


@dataclass(frozen=True)
class SetJob(Job, Generic[P, T, R]):
    """A job that solves the entries of a set. All entries, solved or not, lie in the job's work place."""

    path: Path
    header: Header
    shard_items: int
    codec: Codec[P, T, R]
    rules: R

    @classmethod
    def of(
        cls, path: Path, name: str, kind: str, entries: np.ndarray, codec: Codec[P, T, R], rules: R, scheme: Mapping[str, str]
    ) -> SetJob[P, T, R]:
        """The job that makes a file of these entries. scheme: added to the codec's scheme in the header."""
        chunk = min(codec.chunk, len(entries))
        header = Header(
            kind=kind,
            game=codec.game,
            name=name,
            dtype=codec.dtype,
            length=len(entries),
            chunk=chunk,
            rules=codec.options_of(rules),
            scheme={**codec.scheme, **scheme, POSITIONS_DIGEST: positions_digest(entries, codec.unknown)},
        )
        return cls(path, header, chunk * codec.shard_chunks, codec, rules)

    @property
    def entries(self) -> Path:
        """The file of all entries, kept until the job is finished."""
        return self.work_place / ENTRIES

    def items(self, start: int, stop: int) -> Iterator[tuple[np.ndarray, dict[str, int]]]:
        """The entries start..stop-1, solved, chunk by chunk, each chunk with the counts of its values."""
        all_entries = np.load(self.entries, mmap_mode="r")
        for place in range(start, stop, self.header.chunk):
            entries = all_entries[place : min(place + self.header.chunk, stop)].copy()
            self.codec.solve(entries, self.rules)
            yield entries, counts_of(entries)


def build_set(
    directory: str | Path,
    name: str,
    positions: np.ndarray,
    codec: Codec[P, T, R],
    rules: R,
    *,
    kind: str = SET,
    scheme: Mapping[str, str] | None = None,
    force: bool = False,
    processes: int | None = None,
    executor: tuple[Executor, int] | None = None,
    progress: bool | None = None,
) -> Header:
    """Solves positions, an array of the codec's `position_dtype`, into DIRECTORY/NAME.KIND.h5, adding them to those in the file;
    returns its header.

    A class has one entry: among its positions, given now or in the file, the one whose packed form is smallest. Values in the
    file are copied, not solved again. If the file holds every class already, it is left as it is.
    scheme: added to the header's. force: build the file anew, without its old entries. processes: None for one a core, 0 for this
    process alone. executor: used instead of processes, with the number of its workers. progress: None for a bar on a terminal
    and lines in a log. Raises `UsageError` if there are no positions, `PositionError`, `StorageError`, `WorkerError`; and
    `CorruptTableError` or `ForeignFileError` if the file is damaged, or not of this game and these rules: it is left as it is.
    """
    path, positions = path_of(directory, name, kind), as_positions(positions, codec.position_dtype)
    if not len(positions):
        raise UsageError(f"no positions were given for the {kind} {name}")
    entries = codec.unique(codec.entries(positions, rules))
    with only_writer(path.parent), ExitStack() as stack:
        known = None
        if path.exists() and not force:
            known = SolvedSet(path, codec, rules)
            entries = codec.unique(np.concatenate([known.entries, entries]))
            if not (entries["value"] == codec.unknown).any() and len(entries) == len(known.entries):
                return known.reader.header
        job = SetJob.of(path, name, kind, entries, codec, rules, scheme or {})
        with reported(job.entries.parent):
            job.entries.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(job.entries) as temporary, temporary.open("wb") as file:
            np.save(file, entries)
        del known, entries
        if executor is None:
            executor = stack.enter_context(executor_of(processes))
        with bar(job.header.length, name, "positions", progress) as shown:
            return run(job, *executor, done=shown.update, progress=progress)
