"""What a game keeps on disk: one `StoredGame` a game, in the module `tablebase` of its package; and how solved sets are built.

The content of a set depends only on the positions and the rules. The order of the positions, the number of workers, and whether
it was built at once or in parts make no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic

import numpy as np

from backtrick.bounds import P, R, T
from backtrick.errors import ForeignFileError, UsageError
from backtrick.game import Game
from backtrick.notation import Positions, as_positions
from backtrick.progress import bar
from backtrick.storage.atomic import only_writer, reported, whole_file
from backtrick.storage.codec import Codec
from backtrick.storage.file import Header, Reader
from backtrick.storage.jobs import SHARD, FileJob, run
from backtrick.storage.kinds import FileType, Tables
from backtrick.storage.sets import (
    CLOSURE,
    NO_CLOSURES,
    POSITIONS_DIGEST,
    SET,
    SetType,
    SolvedSet,
    counts_of,
    path_of,
    positions_digest,
)
from backtrick.storage.tablebase import Tablebase
from backtrick.storage.workers import check_processes, executor_of

TABLE = "table"


@dataclass(frozen=True)
class SetJob(FileJob, Generic[P, T, R]):
    """A job that solves the entries of a set. All entries, solved or not, lie in the job's work place."""

    path: Path
    header: Header
    shard_items: int
    codec: Codec[P, T, R]
    rules: R

    @classmethod
    def of(
        cls, path: Path, name: str, entries: np.ndarray, codec: Codec[P, T, R], rules: R
    ) -> SetJob[P, T, R]:
        """The job that makes a file of these entries."""
        chunk = min(codec.chunk, len(entries))
        header = Header(
            kind=SET,
            game=codec.game.name,
            name=name,
            dtype=codec.dtype,
            length=len(entries),
            chunk=chunk,
            rules=codec.options_of(rules),
            scheme={**codec.scheme, POSITIONS_DIGEST: positions_digest(entries, codec.unknown)},
        )
        return cls(path, header, chunk * codec.shard_chunks, codec, rules)

    @property
    def entries(self) -> Path:
        """The file of all entries, kept until the job is finished."""
        return self.work_place / "entries.npy"

    def items(self, start: int, stop: int) -> Iterator[tuple[np.ndarray, dict[str, int]]]:
        """The entries start..stop-1, solved, chunk by chunk, each chunk with the counts of its values."""
        all_entries = np.load(self.entries, mmap_mode="r")
        for place in range(start, stop, self.header.chunk):
            entries = all_entries[place : place + self.header.chunk].copy()  # a shard ends with a chunk, or with the entries
            self.codec.solve(entries, self.rules)
            yield entries, counts_of(entries)


@dataclass(frozen=True)
class StoredGame(Generic[P, T, R]):
    """The files of a game: their kinds, and how they are built and opened. Every game has solved sets.

    tablebase: opens a directory for probing
    tables:    makes the game's complete tables; or a sentence that says why there are none
    """

    codec: Codec[P, T, R]
    tablebase: type[Tablebase[P, T, R]]
    tables: Tables[Any, R] | str

    @property
    def game(self) -> Game[P, T, R]:
        """Whose files these are."""
        return self.codec.game

    @cached_property
    def kinds(self) -> Mapping[str, FileType]:
        """The kinds of file that the game has, by their names in headers."""
        kinds: dict[str, FileType] = {SET: SetType(self.codec)}
        if isinstance(self.tables, Tables):
            kinds[TABLE], kinds[SHARD] = self.tables.kind, self.tables.shard_kind
        return kinds

    def kind_of(self, reader: Reader) -> FileType:
        """The kind of a file. Raises `ForeignFileError` if the game has no such kind."""
        kind, game = reader.header.kind, reader.header.game
        if kind == CLOSURE:
            raise ForeignFileError(str(reader.path), NO_CLOSURES)
        if game != self.game.name or kind not in self.kinds:
            known = " or ".join(kind for kind in self.kinds if kind != SHARD)
            raise ForeignFileError(str(reader.path), f"a {kind[:40]} of {game[:40]}, not a {known} of {self.game.name}")
        return self.kinds[kind]

    def table_maker(self) -> Tables[Any, R]:
        """What makes the game's complete tables. Raises `UsageError`, which says why there are none."""
        if isinstance(self.tables, str):
            raise UsageError(self.tables)
        return self.tables

    def build_set(
        self,
        directory: str | Path,
        name: str,
        positions: Positions,
        rules: R | None = None,
        *,
        force: bool = False,
        processes: int | None = None,
        executor: tuple[Executor, int] | None = None,
        progress: bool | None = None,
    ) -> Header:
        """Solves positions into DIRECTORY/NAME.set.h5, adding them to those in the file; returns its header.

        positions: an array of `POSITION_DTYPE`, shape (n,).
        rules: None for the published game. force: rebuild the file, without its old entries. processes: None for one per core,
        0 for this process alone. executor: used instead of processes, with the number of its workers. progress: None for a bar
        on a terminal and lines in a log. Raises `UsageError` if there are no positions; `PositionError`, which names the place in
        the array; `ArrayError`, `StorageError`, `WorkerError`; and `CorruptTableError` or `ForeignFileError` if the file is
        damaged, or not of this game and these rules. Such a file is left as it is.

        Values in the file are copied, not solved again. If it holds every class already, it is left as it is.

        >>> import tempfile
        >>> from backtrick.take_that import build_set, parse_many
        >>> build_set(tempfile.mkdtemp(), "one", parse_many("15,43,44 21,53 51-62-35"), processes=0).counts
        {'6': 1}
        """
        codec, path, rules = self.codec, path_of(directory, name), self.game.read_rules(rules)
        check_processes(processes)
        positions = as_positions(positions, codec.game.position_dtype, codec.game.pack)
        if not len(positions):
            raise UsageError(f"no positions were given for the set {name}")
        # a class has one entry: among its positions, given now or in the file, the one whose packed form is smallest
        entries = codec.unique(codec.entries(positions, rules))
        with only_writer(path.parent), ExitStack() as stack:
            known = None
            if path.exists() and not force:
                known = SolvedSet(path, codec, rules)
                entries = codec.unique(np.concatenate([known.entries, entries]))
                if not (entries["value"] == codec.unknown).any() and len(entries) == len(known.entries):
                    return known.reader.header
            job = SetJob.of(path, name, entries, codec, rules)
            with reported(job.entries.parent):
                job.entries.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(job.entries) as temporary, temporary.open("wb") as file:
                np.save(file, entries)
            del known, entries
            if executor is None:
                executor = stack.enter_context(executor_of(processes))
            with bar(job.header.length, name, "positions", progress) as shown:
                return run(job, *executor, done=[shown.update], progress=progress)
