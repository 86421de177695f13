"""Probing: the solved sets and closures of a directory, opened as they are needed, and answers from them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar, overload

import numpy as np

from solver.core.answer import OVER, Answer, Grade
from solver.core.arrays import as_positions
from solver.core.budget import UNLIMITED, Bounds, Budget
from solver.core.errors import IllegalActionError, MissingTableError, StorageError
from solver.core.game import Values
from solver.storage.sets import SetsOfDirectory, SolvedSet
from solver.take_that import records
from solver.take_that.action import Action
from solver.take_that.game import GAME
from solver.take_that.options import PUBLISHED, Rules
from solver.take_that.position import POSITION_DTYPE, Position, pack, unpack
from solver.take_that.rules import play

Default = TypeVar("Default")


class Tablebase(Values[Position]):
    """The solved sets of a directory. Read-only, lazy: a set is opened and read when it is first needed.

    May be shared by threads; pickles as its directory, so each process opens its own. A context manager.

    >>> import tempfile
    >>> from solver.take_that import build_set, pack
    >>> directory, position = tempfile.mkdtemp(), Position.parse("15,43,44 21,53 51-62-35")
    >>> _ = build_set(directory, "some", pack([position]), processes=0)
    >>> with Tablebase(directory) as tables:
    ...     print(tables.probe(position), tables.best_turn(position), tables.solve(position).source)
    6 44 set some
    """

    def __init__(self, directory: str | Path, rules: Rules = PUBLISHED):
        self.directory, self.rules = Path(directory), rules
        try:
            present = {path.name for path in self.directory.iterdir()}
        except OSError as error:
            raise StorageError(str(directory), f"cannot be read: {error.strerror}") from None
        self._sets = SetsOfDirectory(self.directory, present, records, rules)
        self._lock = threading.Lock()

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.directory, self.rules)

    def __repr__(self) -> str:
        return f"<Tablebase {self.directory}: {' '.join(self.sets()) or 'no sets'}>"

    def sets(self) -> list[str]:
        """The names of the solved sets that are there; whether they are of these rules is seen when they are needed."""
        return self._sets.names()

    def holds_any(self) -> bool:
        """True if there is a solved set of these rules. Opens sets until one is found."""
        with self._lock:
            return any(True for _ in self._sets)

    def close(self) -> None:
        """Lets go of all that was read. What is asked afterwards is read anew."""
        with self._lock:
            self._sets.close()

    def probe(self, position: Position) -> int:
        """The value of a position in points. Raises a `TableError`: `MissingTableError`, or what is wrong with the file."""
        found, place, _ = self._find(position)
        return int(found.record(place)["value"][0])

    @overload
    def get(self, position: Position) -> int | None: ...

    @overload
    def get(self, position: Position, default: Default) -> int | Default: ...

    def get(self, position: Position, default: Any = None) -> Any:
        """The value of a position, or `default` if no set holds it. Raises a `TableError` if the file is bad."""
        try:
            return self.probe(position)
        except MissingTableError:
            return default

    def probe_many(self, positions: np.ndarray, missing: int | None = None) -> np.ndarray:
        """The value of each position: an array of `POSITION_DTYPE`, shape (n,), gives int16, shape (n,).

        missing: what stands where no set holds the position; None: raise `MissingTableError`. A row that is no well-formed
        position is in no set.
        """
        positions = as_positions(positions, POSITION_DTYPE)
        keys, _ = records.keys_of_positions(positions)
        values, known = np.zeros(len(keys), np.int16), np.zeros(len(keys), bool)
        with self._lock:
            for found, asked, places in self._sets.find_many(keys):
                values[asked] = found.taken(places)["value"]
                known[asked] = True
        if missing is None and not known.all():
            raise self._missing(unpack(positions[np.argmin(known)][None])[0])
        values[~known] = 0 if missing is None else missing
        return values

    def solve(self, position: Position, budget: Budget = UNLIMITED) -> Answer[Position, Action, Rules]:
        """As `solver.take_that.solve`; its `source` names the set that the value is from, or is 'search'.

        The values of the actions are searched for, within the budget.
        """
        try:
            found, place, _ = self._find(position)
        except MissingTableError:
            return GAME.solve(position, self.rules, budget)
        value = int(found.record(place)["value"][0])
        return Answer(GAME, position, self.rules, Bounds(value, value), found.source, budget)

    def best_turn(self, position: Position, budget: Budget = UNLIMITED) -> Action | None:
        """A best action; None if the round is over.

        From a set it is the stored one: that of `solver.take_that.best_turn`, unless the position stands there mirrored and
        several actions are best.
        """
        try:
            found, place, turned = self._find(position)
        except MissingTableError:
            return GAME.best_turn(position, self.rules, budget)
        record = found.record(place)
        try:
            return records.best_action_for(record, position, turned, self.rules)
        except IllegalActionError as error:
            raise found.lie(record[0], records.told(record[0]), f"no such action ({error.problem}, {error.rule})") from None

    def grade(self, position: Position, action: Action, budget: Budget = UNLIMITED) -> Grade[Position, Action, Rules]:
        """As `solver.take_that.grade`; its `source` names the sets that the values are from."""
        points, following = play(position, action, self.rules)
        before, after = self.solve(position, budget), self.solve(following, budget) if following else None
        sources = dict.fromkeys((before.source, after.source if after else OVER))
        return Grade(before, action, points - (after.value if after else 0), ", ".join(sources))

    def values(self, positions: Sequence[Position], threads: int | None = None) -> list[tuple[int, str] | None]:
        """The value of each position and the set that it is from, None where it would be searched for."""
        keys, _ = records.keys_of_positions(pack(positions))
        told: list[tuple[int, str] | None] = [None] * len(positions)
        with self._lock:
            for found, asked, places in self._sets.find_many(keys):
                for place, value in zip(asked.tolist(), found.taken(places)["value"].tolist(), strict=True):
                    told[place] = value, found.source
        return told

    def _find(self, position: Position) -> tuple[SolvedSet, int, bool]:
        key, turned = records.find_key(position)
        with self._lock:
            found = self._sets.find(key)
        if found is None:
            raise self._missing(position)
        return *found, turned

    def _missing(self, position: Position) -> MissingTableError:
        command = f"backtrick generate --game take_that --positions FILE --tables {self.directory}"
        return MissingTableError(f"that holds {position}", str(self.directory), command, self._sets.passed_over)


def open_tablebase(directory: str | Path, rules: Rules = PUBLISHED) -> Tablebase:
    """The solved sets of a directory, to be probed. Raises `StorageError` if it cannot be read; no file is opened yet."""
    return Tablebase(directory, rules)
