"""What a kind of file offers to the commands check, verify and info, and what makes the complete tables of a game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from solver.core.answer import R
from solver.storage.file import Header, Reader

N = TypeVar("N")


class Facts(ABC):
    """What is to be known of a file."""

    @abstractmethod
    def record(self) -> dict[str, object]:
        """For JSON: plain values."""

    @abstractmethod
    def text(self) -> str:
        """For people: lines, the last without a newline."""


@dataclass(frozen=True, slots=True)
class Verification:
    """How a file is to be verified.

    threads: None for one a core
    by:      the way in which entries are found anew, where there are several; None for the one they were not found by
    share:   of a complete table's chunks, drawn by `seed`
    """

    threads: int | None = None
    by: str | None = None
    share: float = 1
    seed: int = 0


class FileKind(ABC):
    """One kind of file of one game. A reader that it is given is of this kind and game, as far as the header says so."""

    @abstractmethod
    def check(self, reader: Reader) -> None:
        """Sees that a file is as it was written: structure, seal, checksums, digests, order and counts. Raises a `TableError`."""

    @abstractmethod
    def verify(self, reader: Reader, how: Verification) -> list[str]:
        """Finds every entry of a file anew, or as many as were asked for; says what was verified.

        Raises a `TableError`: `LieError` that names the first position whose entry is not right.
        """

    @abstractmethod
    def describe(self, reader: Reader, full: bool = False, threads: int | None = None) -> Facts:
        """What is to be known of a file. full: also what takes a while."""


class Costs(ABC):
    """What tables will cost, before they are built. worker_bytes: the most that one worker needs."""

    worker_bytes: int

    @abstractmethod
    def text(self, workers: int) -> str:
        """For people: what each table costs, and all of them with so many workers."""


class TableMaker(ABC, Generic[N, R]):
    """Makes the complete tables of a game; N are their names. kind: of their files."""

    kind: FileKind

    @abstractmethod
    def names(self, texts: Sequence[str], cards: int | None) -> list[N]:
        """The tables that were asked for and all that they need, each after those it needs.

        cards: all tables of at most so many cards. Raises `TableNameError`, `UsageError`.
        """

    @abstractmethod
    def costs(self, names: Sequence[N], rules: R, by: str | None = None) -> Costs:
        """What tables will cost. by: how they are built, None for the usual way."""

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
        """Builds the tables that are missing; returns the headers of those built. say: told what is built anew, and why."""
