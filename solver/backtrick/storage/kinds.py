"""What a type of file offers to the commands check, verify and info; what makes the tables of a game; and a process in which
files are opened first."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from backtrick.bounds import R
from backtrick.errors import BacktrickError, CorruptTableError, StorageError, WorkerError
from backtrick.signals import ignore_ctrl_c
from backtrick.storage.file import Header, Reader
from backtrick.storage.workers import WorkerContext

N = TypeVar("N")


class Facts(NamedTuple):
    """What `info` shows about a file: a record, plain values for JSON; and text for people, the last line without a newline."""

    record: dict[str, object]
    text: str


@dataclass(frozen=True, slots=True)
class Verification:
    """How a file is to be verified.

    threads: None for one per core
    by:      how entries are derived again, where there are several ways; None for the way in which they were not built
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
        """Derives every entry of a file again, or the share that was asked for; returns sentences that say what was verified.

        Raises a `TableError`; at the first mismatch a `MismatchError`, which names the position.
        """

    @abstractmethod
    def describe(self, reader: Reader) -> Facts:
        """What `info` shows about a file."""

    def positions(self, reader: Reader) -> Iterator[np.ndarray]:
        """The packed positions that a file has values of, one for each entry, in spans. Raises a `TableError`.

        This default raises `StorageError`: the file is only a part of another one.
        """
        raise StorageError(str(reader.path), f"a {reader.header.kind} is a part of a file, whose positions cannot be listed")


class Costs(NamedTuple):
    """What tables will cost, before they are built: the most memory that one worker needs, and text for people, made for a number
    of workers."""

    worker_bytes: int
    text: Callable[[int], str]


@dataclass(frozen=True)
class Tables(Generic[N, R]):
    """What makes the complete tables of a game: functions, and the types of their files. N: the type of their names.

    names: (texts, cards) -> the tables that were asked for and all that they depend on, each after those it depends on.
           cards: also all tables of at most this many cards. Raises `TableNameError`, `UsageError`
    costs: (names, rules, by) -> what they will cost. by: how they are built; None for the default
    build: (directory, names, rules, by=, force=, processes=, executor=, say=) -> builds the missing tables; returns their headers.
           say: called with a sentence on each table that is rebuilt
    build_shards: (directory, name, numbers, rules, by=, processes=, executor=) -> builds some shards of one table and leaves them
           for `build`; returns their files and headers
    """

    kind: FileType
    shard_kind: FileType
    names: Callable[[Sequence[str], int | None], list[N]]
    costs: Callable[[Sequence[N], R, str | None], Costs]
    build: Callable[..., list[Header]]
    build_shards: Callable[..., list[tuple[Path, Header]]]


# Opening files elsewhere first: HDF5 may loop or crash on a malicious file

HELPER = "the helper process, which opens files first,"
SECONDS = 60
"""What opening a file may take. The largest tables take a few seconds."""


class Trial:
    """A process that opens files. A context manager; the process starts with the first file.

    seconds: what opening one file may take.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._tell: Connection | None = None

    def __enter__(self) -> Trial:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def open(self, path: Path) -> None:
        """Returns once opening the file has ended, whether it is sound or not. Raises `CorruptTableError` if it does not end, and
        `WorkerError` if the process cannot start."""
        tell = self._begin() if self._tell is None else self._tell
        with contextlib.suppress(OSError):
            tell.send(path)
        problem = f"HDF5 does not finish opening it within {self.seconds:g} s"
        if tell.poll(self.seconds):
            try:
                tell.recv()
                return
            except (EOFError, OSError):
                problem = "HDF5 crashes when it opens it"
        self._end()
        raise CorruptTableError(str(path), problem)

    def _begin(self) -> Connection:
        """Starts the process, and waits until it is ready, which may take long on a busy machine. Returns its pipe."""
        context = WorkerContext()
        try:
            tell, told = context.Pipe()
            with told:
                self._process = context.Process(target=_open_all, args=(told,), daemon=True)
                self._process.start()
        except OSError as error:
            raise WorkerError(f"{HELPER} could not start: {error.strerror or error}") from error
        self._tell = tell
        try:
            tell.recv()
        except (EOFError, OSError):
            self._process.join()
            code = self._process.exitcode
            self._end()
            raise WorkerError(f"{HELPER} could not start: it ended with exit code {code}") from None
        return tell

    def _end(self) -> None:
        if self._tell is not None:
            self._process.kill()
            self._process.join()
            self._tell.close()
            self._tell = None


def _open_all(told: Connection) -> None:
    """Opens the files whose paths come through the pipe, until it is closed."""
    ignore_ctrl_c()
    import_module("h5py")  # if that fails, no file is to blame
    with contextlib.suppress(EOFError):
        while True:
            told.send(None)
            with contextlib.suppress(BacktrickError), Reader(told.recv()) as reader:
                _ = reader.bounds
