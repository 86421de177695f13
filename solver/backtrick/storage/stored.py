"""What a game keeps on disk: one `StoredGame` a game, the module `stored` of its package."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic

import numpy as np

from backtrick.answer import P, R, T
from backtrick.errors import ForeignFileError, UsageError
from backtrick.game import Game
from backtrick.storage.codec import Codec
from backtrick.storage.file import Header, Reader
from backtrick.storage.jobs import SHARD
from backtrick.storage.kinds import FileType, Tables
from backtrick.storage.sets import CLOSURE, MOST, ROOT, SET, Closure, ClosureType, SetType, build_set, path_of, reachable
from backtrick.storage.tablebase import Tablebase

TABLE = "table"


@dataclass(frozen=True)
class StoredGame(Generic[P, T, R]):
    """The files of a game: their kinds, and how they are built and opened. Every game has solved sets.

    tablebase:   opens a directory for probing
    tables:      makes the game's complete tables; or a sentence that says why there are none
    no_closures: a sentence that says why there are no closures; None if there are some
    """

    game: Game[P, T, R]
    codec: Codec[P, T, R]
    tablebase: type[Tablebase[P, T, R]]
    tables: Tables[Any, R] | str
    no_closures: str | None = None

    @cached_property
    def kinds(self) -> Mapping[str, FileType]:
        """The kinds of file that the game has, by their names in headers."""
        kinds: dict[str, FileType] = {SET: SetType(self.game, self.codec)}
        if isinstance(self.tables, Tables):
            kinds[TABLE], kinds[SHARD] = self.tables.kind, self.tables.shard_kind
        if self.no_closures is None:
            kinds[CLOSURE] = ClosureType(self.game, self.codec)
        return kinds

    def kind_of(self, reader: Reader) -> FileType:
        """The kind of a file. Raises `ForeignFileError` if the game has no such kind."""
        kind, game = reader.header.kind, reader.header.game
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
        positions: np.ndarray,
        rules: R | None = None,
        *,
        force: bool = False,
        processes: int | None = None,
        executor: tuple[Executor, int] | None = None,
        progress: bool | None = None,
    ) -> Header:
        """Solves positions into DIRECTORY/NAME.set.h5, adding them to those in the file; returns its header.

        positions: an array of `POSITION_DTYPE`, shape (n,).
        rules: None for the published game. force: build the file anew, without its old entries. processes: None for one a core,
        0 for this process alone. executor: used instead of processes, with the number of its workers. progress: None for a bar
        on a terminal and lines in a log. Raises `UsageError` if there are no positions; `PositionError`, which names the place in
        the array; `ArrayError`, `StorageError`, `WorkerError`; and `CorruptTableError` or `ForeignFileError` if the file is
        damaged, or not of this game and these rules. Such a file is left as it is.
        """
        return build_set(
            directory,
            name,
            positions,
            self.codec,
            self._rules(rules),
            force=force,
            processes=processes,
            executor=executor,
            progress=progress,
        )

    def build_closure(
        self,
        directory: str | Path,
        name: str,
        root: P,
        rules: R | None = None,
        *,
        most: int = MOST,
        force: bool = False,
        processes: int | None = None,
        executor: tuple[Executor, int] | None = None,
        progress: bool | None = None,
    ) -> Header:
        """Solves all positions that can be reached from `root` into DIRECTORY/NAME.closure.h5; returns its header.

        The positions are counted first: `UsageError` if there are more than `most`. A position and its mirror image are one
        entry. An existing file with this root and these rules is left as it is; with `force` it is built anew. All else,
        errors included, is as in `build_set`.
        """
        self._check_closures()
        path, rules = path_of(directory, name, CLOSURE), self._rules(rules)
        if path.exists() and not force:
            there = self.open_closure(directory, name, rules)
            if there.root != root:
                raise UsageError(f"{path} is the closure of {there.root}; take another name, or force it")
            return there.reader.header
        return build_set(
            directory,
            name,
            reachable(root, self.game, self.codec, rules, most),
            self.codec,
            rules,
            kind=CLOSURE,
            scheme={ROOT: str(root)},
            force=force,
            processes=processes,
            executor=executor,
            progress=progress,
        )

    def open_closure(self, directory: str | Path, name: str, rules: R | None = None) -> Closure[P, T, R]:
        """The closure of that name in a directory. rules: None for those in the file's header. Raises a `TableError`."""
        self._check_closures()
        return Closure(path_of(directory, name, CLOSURE), self.game, self.codec, rules)

    def _check_closures(self) -> None:
        if self.no_closures is not None:
            raise UsageError(self.no_closures)

    def _rules(self, rules: R | None) -> R:
        return self.game.published if rules is None else rules
