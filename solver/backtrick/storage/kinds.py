"""Two contracts: what a kind of file offers to the commands check, verify and info; and what makes the tables of a game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from backtrick.answer import R
from backtrick.errors import StorageError
from backtrick.storage.file import Header, Reader

N = TypeVar("N")


class Facts(ABC):
    """What `info` shows about a file."""

    @abstractmethod
    def record(self) -> dict[str, object]:
        """A record: plain values for JSON."""

    @abstractmethod
    def text(self) -> str:
        """For people: lines, the last without a newline."""


@dataclass(frozen=True, slots=True)
class Verification:
    """How a file is to be verified.

    threads: None for one a core
    by:      how entries are derived anew, where there are several ways; None for the way that they were not built by
    share:   of a table's chunks, drawn by `seed`
    """

    threads: int | None = None
    by: str | None = None
    share: float = 1
    seed: int = 0


class FileType(ABC):
    """One kind of file of one game. Every reader that is passed in has a header that names this kind and game."""

    @abstractmethod
    def check(self, reader: Reader) -> None:
        """Checks that a file is as it was written: structure, seal, checksums, digests, order, counts. Raises a `TableError`."""

    @abstractmethod
    def verify(self, reader: Reader, how: Verification) -> list[str]:
        """Derives every entry of a file anew, or the share that was asked for; returns sentences that say what was verified.

        Raises a `TableError`; at the first mismatch a `MismatchError`, which names the position.
        """

    @abstractmethod
    def describe(self, reader: Reader, full: bool = False, threads: int | None = None) -> Facts:
        """What `info` shows about a file. full: also what takes a while."""

    def positions(self, reader: Reader) -> Iterator[np.ndarray]:
        """The packed positions that a file has values of, one for each entry, in portions. Raises a `TableError`.

        This default raises `StorageError`: the file is only a part of another one.
        """
        raise StorageError(str(reader.path), f"a {reader.header.kind} is a part of a file, whose positions cannot be listed")


class Costs(ABC):
    """What tables will cost, before they are built. worker_bytes: the most memory that one worker needs."""

    worker_bytes: int

    @abstractmethod
    def text(self, workers: int) -> str:
        """For people: the cost of each table, and of all of them with this number of workers."""


class TableMaker(ABC, Generic[N, R]):
    """Makes the complete tables of a game. N: the type of their names. kind: of their files; shard_kind: of their shards."""

    kind: FileType
    shard_kind: FileType

    @abstractmethod
    def names(self, texts: Sequence[str], cards: int | None) -> list[N]:
        """The tables that were asked for and all that they depend on, each after those it depends on.

        cards: also all tables of at most this many cards. Raises `TableNameError`, `UsageError`.
        """

    @abstractmethod
    def costs(self, names: Sequence[N], rules: R, by: str | None = None) -> Costs:
        """What tables will cost. by: how they are built; None for the default."""

    @abstractmethod
    def build(
        self,
        directory: str | Path,
        names: Sequence[N],
        rules: R,
        *,
        by: str | None = None,
        force: bool = False,
        processes: int | None = None,
        executor: tuple[Executor, int] | None = None,
        say: Callable[[str], object] = lambda sentence: None,
    ) -> list[Header]:
        """Builds the missing tables; returns their headers. say: called with a sentence on each table that is built anew."""

    @abstractmethod
    def build_shards(
        self,
        directory: str | Path,
        name: str,
        numbers: range,
        rules: R,
        *,
        by: str | None = None,
        processes: int | None = None,
        executor: tuple[Executor, int] | None = None,
    ) -> list[tuple[Path, Header]]:
        """Builds some shards of one table and leaves them for `build`; returns their files and headers."""
