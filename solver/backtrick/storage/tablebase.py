"""Probing: answers from the files of a directory, which are opened as they are needed. Blind to the game."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Generic, TypeVar, overload

import numpy as np

from backtrick.answer import OVER, Answer, Grade
from backtrick.arguments import checked
from backtrick.bounds import P, R, T, exactly
from backtrick.budget import UNLIMITED, Budget
from backtrick.errors import (
    ArgumentError,
    IllegalTurnError,
    MissingTableError,
    PositionError,
    StorageError,
)
from backtrick.game import Game
from backtrick.given import shown, whole
from backtrick.notation import as_positions
from backtrick.storage.codec import Codec
from backtrick.storage.sets import SetsOfDirectory, SolvedSet

Default = TypeVar("Default")
Self = TypeVar("Self", bound="Tablebase")  # type: ignore[type-arg]  # typing.Self comes with Python 3.11


class Tablebase(Generic[P, T, R]):
    """The tables and solved sets of a directory. Read-only and lazy: a file is opened when it is first needed.

    Threads may share it. It pickles as its directory, so each process opens its own. It is a context manager. Each game has a
    subclass that sets `codec`; a game with complete tables overrides the methods that say so.

    rules: None for the published game. Raises `StorageError` if the directory cannot be read.
    """

    codec: Codec[P, T, R]

    @checked
    def __init__(self, directory: str | Path, rules: R | None = None):
        self.game: Game[P, T, R] = self.codec.game
        if not str(directory):  # of a variable that is not set; the working directory is "."
            raise StorageError("''", "directory must not be empty")
        self.directory, self.rules = Path(directory), self.game.read_rules(rules)
        try:
            self._present = frozenset(path.name for path in self.directory.iterdir())
        except OSError as error:
            raise StorageError(str(directory), f"cannot be read: {error.strerror}") from None
        self._sets = SetsOfDirectory(self.directory, self._present, self.codec, self.rules)
        self._lock = threading.Lock()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __reduce__(self: Self) -> tuple[type[Self], tuple[Path, R]]:
        return type(self), (self.directory, self.rules)

    def __repr__(self) -> str:
        return f"<Tablebase {self.directory}: {' '.join([*map(str, self.names()), *self.sets()]) or 'no tables'}>"

    # what is there

    def names(self) -> Sequence[object]:
        """The names of the complete tables in the directory, fewest cards first. Overridden by a game that has some."""
        return ()

    def sets(self) -> list[str]:
        """The names of the solved sets in the directory, of any rules: a set's rules are read when it is needed."""
        return self._sets.names()

    def holds_any(self) -> bool:
        """True if there is a table, or a solved set of these rules. Opens sets until one is found."""
        with self._lock:
            return bool(self.names()) or any(True for _ in self._sets)

    def close(self) -> None:
        """Closes the files and drops what was read. A later probe opens them again."""
        with self._lock:
            self._sets.close()

    # complete tables: overridden by a game that has some

    def _look_up(self, position: P) -> int | None:
        """The value of a position from a complete table, or because the game is over; None if neither gives it."""
        return None

    def _look_up_many(self, positions: np.ndarray, threads: int | None, progress: bool | None) -> tuple[np.ndarray, np.ndarray]:
        """`_look_up` of each position: an array of values, and the places without a value, ascending."""
        return np.zeros(len(positions), self.codec.dtype["value"]), np.arange(len(positions))

    def _table_source(self, position: P) -> str:
        """The source of a value that `_look_up` gives."""
        return OVER

    def _missing(self, position: P) -> MissingTableError:
        """The error for a position that is in no file here."""
        command = f"backtrick generate --game {self.game.name} --positions FILE --tables {self.directory}"
        return MissingTableError(f"that holds {position}", str(self.directory), command, self._sets.skipped)

    # values

    def probe(self, position: P | str) -> int:
        """The value of a position, which may be in notation.

        Raises a `TableError`: `MissingTableError` if no file holds it, another if a file is bad; `PositionError` for a deal.
        """
        try:
            value = self._look_up(position)  # type: ignore[arg-type]
        except (AttributeError, TypeError):  # it is not a position: to look first would cost more
            value = self._look_up(self.game.read_position(position))
        if value is not None:
            return value
        position = self.game.read_position(position)
        if self.game.is_deal(position):
            self.game.pack([position])  # raises: a deal has no packed form
        if (found := self._find(position)) is None:
            raise self._missing(position)
        solved, place, _ = found
        return int(solved.entry(place)["value"][0])

    @overload
    def get(self, position: P | str) -> int | None: ...

    @overload
    def get(self, position: P | str, default: Default) -> int | Default: ...

    def get(self, position: P | str, default: object = None) -> object:
        """The value of a position, which may be in notation; `default` if no file holds it, so for every deal. Raises a
        `TableError` if a file is bad."""
        try:
            return self.probe(position)
        except MissingTableError:
            return default
        except PositionError:
            if self.game.is_deal(self.game.read_position(position)):
                return default
            raise

    @checked
    def probe_many(
        self, positions: np.ndarray, threads: int | None = None, missing: int | None = None, progress: bool | None = None
    ) -> np.ndarray:
        """The value of each position, integers of shape (n,). positions: an array of `POSITION_DTYPE`, shape (n,).

        threads: None for one per core. missing: the value for a position that no file holds, for example 255; None to raise
        `MissingTableError`. progress: None for a bar on a terminal and lines in a log.
        Raises `PositionError` if a position is not well-formed; if no file could hold it, it may count as missing instead.
        """
        positions = as_positions(positions, self.game.position_dtype, self.game.pack)
        values, absent, _ = self._probe_many(positions, threads, progress)
        limits = np.iinfo(values.dtype)
        absence = whole(missing)
        if missing is not None and (absence is None or not limits.min <= absence <= limits.max):
            raise ArgumentError(f"missing must be a number of {values.dtype}, {limits.min}..{limits.max}, not {shown(missing)}")
        if len(absent) and missing is None:
            raise self._missing(self.game.unpack(positions[absent[:1]])[0])
        values[absent] = 0 if absence is None else absence
        return values

    def _probe_many(
        self, positions: np.ndarray, threads: int | None, progress: bool | None
    ) -> tuple[np.ndarray, np.ndarray, list[tuple[str, np.ndarray]]]:
        """The values, the places of positions that no file holds, and for each solved set its name and the places it answered."""
        values, absent = self._look_up_many(positions, threads, progress)
        answered = []
        if len(absent) and self._sets.paths:
            keys, _ = self.codec.keys(positions[absent], self.rules, threads)
            left = np.ones(len(absent), bool)
            with self._lock:
                for solved, asked, places in self._sets.find_many(keys):
                    values[absent[asked]] = solved.entries_at(places)["value"]
                    answered.append((solved.source, absent[asked]))
                    left[asked] = False
            absent = absent[left]
        return values, absent, answered

    def values(self, positions: Sequence[P], threads: int | None = None) -> list[tuple[int, str] | None]:
        """The value of each position and its source: a table's name, 'set NAME' or 'rules'; None if no file holds it."""
        values, absent, answered = self._probe_many(self.game.pack(positions), threads, progress=False)
        sources = [self._table_source(position) for position in positions]
        for source, places in answered:
            for place in places.tolist():
                sources[place] = source
        known: list[tuple[int, str] | None] = list(zip(values.tolist(), sources, strict=True))
        for place in absent.tolist():
            known[place] = None
        return known

    def _find(self, position: P) -> tuple[SolvedSet[P, T, R], int, bool] | None:
        """The solved set that holds the position's class, the place of its entry, and True if the entry is the mirror image."""
        if not self._sets.paths or self.game.is_deal(position):
            return None
        key, turned = self.codec.key(position, self.rules)
        with self._lock:
            found = self._sets.find(key)
        return (*found, turned) if found else None

    # answers

    @checked
    def solve(self, position: P | str, budget: Budget = UNLIMITED) -> Answer[P, T, R]:
        """The answer that the game's `solve` gives; its `source` names the table or set of the value, or is 'search' or 'rules'.

        The position may be in notation. The best turn, the line and the number of best outcomes are searched for, within the
        budget, and so is everything of a deal.
        """
        position = self.game.read_position(position)
        if self.game.is_deal(position):
            return self.game.solve(position, self.rules, budget)
        value = self._look_up(position)
        if value is not None:
            source = self._table_source(position)
        elif found := self._find(position):
            value, source = int(found[0].entry(found[1])["value"][0]), found[0].source
        else:
            return self.game.solve(position, self.rules, budget)
        answer = self.game.answer(position, self.rules, budget)
        return replace(answer, bounds=exactly(value), source=source)

    def best_turn(self, position: P | str, budget: Budget = UNLIMITED) -> T | None:
        """A best turn; None if there is no legal turn. The position may be in notation.

        From a solved set it is the stored turn, mapped to this position. It is the turn that the game's `best_turn` gives. It may
        be another only if the set holds the mirror image and several turns are best.
        """
        position = self.game.read_position(position)
        if self.game.is_deal(position):
            return self.game.best_turn(position, self.rules, budget)
        if self._look_up(position) is not None or (found := self._find(position)) is None:
            return self.solve(position, budget).best
        solved, place, turned = found
        entry = solved.entry(place)
        try:
            return self.codec.best_turn(entry, position, turned, self.rules)
        except IllegalTurnError as error:
            problem = f"no such turn ({error.problem}, {error.rule})"
            raise solved.mismatch(entry[0], self.codec.told(entry[0]), problem) from None

    @checked
    def grade(self, position: P | str, turn: T | str | int, budget: Budget = UNLIMITED) -> Grade[P, T, R]:
        """The grade that the game's `grade` gives; its `source` names the tables and sets of the two values.

        position: the object, or its notation. turn: the object, its notation, or packed.
        """
        position, turn = self.game.read_position(position), self.game.read_turn(turn)
        if self.game.is_deal(position):
            return self.game.grade(position, turn, self.rules, budget)
        points, following = self.game.play(position, turn, self.rules)
        answer = self.solve(position, budget)
        return self.game.graded(answer, turn, points, None if following is None else self.solve(following, budget))
