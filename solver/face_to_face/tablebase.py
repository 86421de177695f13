"""Probing: the tables and solved sets of a directory, opened as they are needed, and answers from them.

A complete table answers first; where there is none, the solved sets do.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar, overload

import numpy as np

from solver.core.answer import OVER, SEARCH, Answer, Grade
from solver.core.arrays import as_positions
from solver.core.batches import over_ranges
from solver.core.errors import IllegalTurnError, MissingTableError, StorageError
from solver.core.game import Values
from solver.face_to_face import _records, records
from solver.face_to_face import rules as referee
from solver.face_to_face._probe import MISSING, UNREAD
from solver.face_to_face.game import EXACT, GAME, Noted
from solver.face_to_face.options import PUBLISHED, Rules
from solver.face_to_face.position import HAND_SIZE, POSITION_DTYPE, Position, pack
from solver.face_to_face.solving import best_first, objection, remoteness, solve_many
from solver.face_to_face.tables.memory import Memory
from solver.face_to_face.tables.names import TableName, tables_up_to
from solver.face_to_face.tables.table import file_name, missing_table, open_table
from solver.face_to_face.turn import Turn
from solver.face_to_face.turns import outcome_rows, question
from solver.storage.sets import SetsOfDirectory, SolvedSet

Default = TypeVar("Default")

AHEAD = "one turn ahead"  # a source that is no table
ENOUGH = 254  # values from here on are none: `UNREAD`, `MISSING`


class Tablebase(Values[Position]):
    """The tables of a directory. Read-only, lazy: a table is opened when it is first needed, and read chunk by chunk.

    May be shared by threads; pickles as its directory, so each process opens its own. A context manager.

    >>> import tempfile
    >>> from solver.face_to_face import build_tables
    >>> directory = tempfile.mkdtemp()
    >>> _ = build_tables(directory, ["2v2"], processes=0)
    >>> with Tablebase(directory) as tables:  # doctest: +ELLIPSIS
    ...     print(tables, tables.probe(Position.parse("27^40v:17,18 13^50v:5,12")))
    <Tablebase ...: 2v2> 1
    """

    def __init__(self, directory: str | Path, rules: Rules = PUBLISHED):
        self.directory, self.rules = Path(directory), rules
        try:
            present = {path.name for path in self.directory.iterdir()}
        except OSError as error:
            raise StorageError(str(directory), f"cannot be read: {error.strerror}") from None
        files = {name: file_name(name, rules.lone_card) for name in tables_up_to(2 * HAND_SIZE)}
        self._paths = {name: self.directory / file for name, file in files.items() if file in present}
        self._sets = SetsOfDirectory(self.directory, present, records, rules)
        self._memory = Memory()
        self._lock = threading.Lock()

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.directory, self.rules)

    def __repr__(self) -> str:
        return f"<Tablebase {self.directory}: {' '.join(map(str, self.names())) or 'no tables'}>"

    def names(self) -> list[TableName]:
        """The names of the tables that are there, fewest cards first."""
        return list(self._paths)

    def sets(self) -> list[str]:
        """The names of the solved sets that are there; whether they are of these rules is seen when they are needed."""
        return self._sets.names()

    def holds_any(self) -> bool:
        """True if there is a table, or a solved set of these rules. Opens sets until one is found."""
        with self._lock:
            return bool(self._paths) or any(True for _ in self._sets)

    def close(self) -> None:
        """Lets go of all that was read. What is asked afterwards is read anew."""
        with self._lock:
            self._memory.close()
            self._memory = Memory()
            self._sets.close()

    def probe(self, position: Position) -> int:
        """The remoteness of a position. Raises a `TableError`: `MissingTableError`, or what is wrong with the file."""
        return self._probe(position)[0]

    def _probe(self, position: Position) -> tuple[int, SolvedSet | None]:
        """The remoteness, and the solved set that it is from, None for a table."""
        packed, step, _ = question(position, self.rules)
        value = self._memory.shelf.look_up(*packed, step)
        while value >= ENOUGH:
            name = TableName(packed[0].bit_count(), packed[1].bit_count())
            if value == MISSING and name not in self._paths and (found := self._find(position)):
                return int(found[0].record(found[1])["value"][0]), found[0]
            self._fetch(name, value)
            value = self._memory.shelf.look_up(*packed, step)
        return value, None

    def _find(self, position: Position) -> tuple[SolvedSet, int, bool] | None:
        """The solved set that holds the position's class, its place there, and whether it stands there mirrored."""
        if not self._sets.paths:
            return None
        key, turned = _records.key(position.packed, self.rules.highest, self.rules.step)
        with self._lock:
            found = self._sets.find(np.uint64(key))
        return (*found, turned) if found else None

    @overload
    def get(self, position: Position) -> int | None: ...

    @overload
    def get(self, position: Position, default: Default) -> int | Default: ...

    def get(self, position: Position, default: Any = None) -> Any:
        """The remoteness of a position, or `default` if its table is not there. Raises a `TableError` if the file is bad."""
        try:
            return self.probe(position)
        except MissingTableError:
            return default

    def probe_many(
        self, positions: np.ndarray, threads: int | None = None, missing: int | None = None, progress: bool | None = None
    ) -> np.ndarray:
        """The remoteness of each position: an array of `POSITION_DTYPE`, shape (n,), gives uint8, shape (n,).

        missing: what stands where a table is not there (for example 255); None: raise `MissingTableError`.
        Raises `PositionError` that names the place in the array if a position is not well-formed.
        """
        return self._probe_many(positions, threads, missing, progress)[0]

    def _probe_many(
        self, positions: np.ndarray, threads: int | None, missing: int | None, progress: bool | None
    ) -> tuple[np.ndarray, list[tuple[SolvedSet, np.ndarray]]]:
        """The values, and where they are from solved sets."""
        positions = as_positions(positions, POSITION_DTYPE)
        values = np.empty(len(positions), np.uint8)
        self._look_up(positions, values, threads, progress)
        left = np.flatnonzero(values >= ENOUGH)
        absent = []
        while len(left):
            asked = positions[left]
            found = values[left]
            sizes = bit_counts(asked["mover_hand"]) << 3 | bit_counts(asked["opponent_hand"])
            for size in np.unique(sizes[found == MISSING]).tolist():
                name = TableName(size >> 3, size & 7)
                if name in self._paths:
                    self._fetch(name, MISSING)
                    continue
                gone = (found == MISSING) & (sizes == size)
                absent.append(left[gone])
                found[gone] = 0
            for size in np.unique(sizes[found == UNREAD]).tolist():
                self._fetch(TableName(size >> 3, size & 7), UNREAD)
            kept = found >= ENOUGH
            left, asked = left[kept], asked[kept]
            found = np.empty(len(asked), np.uint8)
            self._look_up(asked, found, threads, progress)
            values[left] = found
            left = left[found >= ENOUGH]
        return values, self._fill_from_sets(positions, values, np.concatenate(absent), threads, missing) if absent else []

    def _fill_from_sets(
        self, positions: np.ndarray, values: np.ndarray, absent: np.ndarray, threads: int | None, missing: int | None
    ) -> list[tuple[SolvedSet, np.ndarray]]:
        """Answers the positions at `absent`, for which there is no table. Returns which solved set answered where."""
        answered = []
        if self._sets.paths:
            keys, _ = records.keys_of_positions(positions[absent], self.rules, threads)
            left = np.ones(len(absent), bool)
            with self._lock:
                for solved, asked, places in self._sets.find_many(keys):
                    values[absent[asked]] = solved.taken(places)["value"]
                    answered.append((solved, absent[asked]))
                    left[asked] = False
            absent = absent[left]
        if not len(absent):
            return answered
        if missing is None:
            hand, other = (int(positions[name][absent[0]]).bit_count() for name in ("mover_hand", "opponent_hand"))
            raise self._missing(TableName(hand, other))
        values[absent] = missing
        return answered

    def _look_up(self, positions: np.ndarray, values: np.ndarray, threads: int | None, progress: bool | None) -> None:
        rules, shelf = self.rules, self._memory.shelf

        def work(start: int, stop: int) -> int:
            return shelf.look_up_range(positions, values, start, stop, rules.highest, rules.step)

        place = over_ranges(work, len(positions), threads=threads, progress=progress, what="probe")
        if place >= 0:
            raise objection(positions, place, rules)

    def solve(self, position: Position) -> Answer[Position, Turn, Rules]:
        """As `solver.face_to_face.solve`; its `source` names the table that the remoteness is from, or is 'search'.

        The values of the turns are searched for, which takes no longer than as many look-ups (docs/tablebases.md).
        """
        value, source = self._value(position)
        return Answer(GAME, position, self.rules, EXACT[value], source)

    def solve_many(
        self, positions: np.ndarray, threads: int | None = None, progress: bool | None = None
    ) -> tuple[np.ndarray, list[str]]:
        """The remoteness of each position, and where it is from: a table's name, 'set NAME' or 'search'."""
        positions = as_positions(positions, POSITION_DTYPE)
        values, answered = self._probe_many(positions, threads, MISSING, progress)
        searched = np.flatnonzero(values == MISSING)
        values[searched] = solve_many(positions[searched], threads, self.rules, progress)
        hands = zip(bit_counts(positions["mover_hand"]).tolist(), bit_counts(positions["opponent_hand"]).tolist(), strict=True)
        sources = [f"{mover}v{opponent}" if opponent else OVER for mover, opponent in hands]
        for source, places in [(SEARCH, searched), *((solved.source, places) for solved, places in answered)]:
            for place in places.tolist():
                sources[place] = source
        return values, sources

    def look_ahead(self, position: Position) -> Answer[Position, Turn, Rules]:
        """As `solve`, but with the values of all turns, and so that of the position, from the tables of fewer cards."""
        rows = outcome_rows(position, self.rules)
        children = np.empty(len(rows), POSITION_DTYPE)
        for name in POSITION_DTYPE.names:
            children[name] = rows[name]
        values = self.probe_many(children, threads=1, missing=MISSING)
        known = values != MISSING
        rows["remoteness"][known] = values[known] + 1
        wins = rows["remoteness"][rows["remoteness"] % 2 == 1]
        value = int(wins.min() if len(wins) else rows["remoteness"].max(initial=0))
        source = AHEAD if known.all() else SEARCH
        return Answer(GAME, position, self.rules, EXACT[value], source, noted=Noted(rows=best_first(rows)))

    def best_turn(self, position: Position) -> Turn | None:
        """A best turn; None if there is none.

        From a solved set it is the stored one, its cards and piles carried over to this position. It is that of
        `solver.face_to_face.best_turn`, unless the position stands there mirrored and several turns are best.
        """
        found = None
        if TableName(len(position.mover.hand), len(position.opponent.hand) or 1) not in self._paths:
            found = self._find(position)
        if found is None:
            return self.solve(position).best
        solved, place, turned = found
        record = solved.record(place)
        try:
            return records.best_turn_for(record, position, turned, self.rules)
        except IllegalTurnError as error:
            raise solved.lie(record[0], records.told(record[0]), f"no such turn ({error.problem}, {error.rule})") from None

    def grade(self, position: Position, turn: Turn) -> Grade[Position, Turn, Rules]:
        """As `solver.face_to_face.grade`; its `source` names the tables that the values are from."""
        following = referee.after(position, turn, self.rules)
        answer, (value, source) = self.solve(position), self._value(following)
        return Grade(answer, turn, 1 + value, ", ".join(dict.fromkeys((answer.source, source))))

    def values(self, positions: Sequence[Position], threads: int | None = None) -> list[tuple[int, str] | None]:
        """The remoteness of each position and where it is from, None where it would be searched for."""
        found, sources = self.solve_many(pack(positions), threads, progress=False)
        told = zip(found.tolist(), sources, strict=True)
        return [None if source == SEARCH else (value, source) for value, source in told]

    def _value(self, position: Position) -> tuple[int, str]:
        if not position.opponent.hand:
            return 0, OVER
        try:
            value, solved = self._probe(position)
            return value, solved.source if solved else f"{len(position.mover.hand)}v{len(position.opponent.hand)}"
        except MissingTableError:
            return remoteness(position, self.rules), SEARCH

    def _fetch(self, name: TableName, lacking: int) -> None:
        """Opens a table that is `MISSING` on the shelf, or reads the chunks that were `UNREAD`."""
        with self._lock:
            if lacking == UNREAD and name in self._memory:
                self._memory.read_missed(name)
            elif name not in self._memory:
                if name not in self._paths:
                    raise self._missing(name)
                self._memory.put(name, open_table(self._paths[name], self.rules, name))

    def _missing(self, name: TableName) -> MissingTableError:
        return missing_table(name, self.directory, self.rules, self._sets.passed_over)


def bit_counts(hands: np.ndarray) -> np.ndarray:
    """How many cards each hand holds: uint64, shape (n,), gives uint8, shape (n,)."""
    return np.unpackbits(np.ascontiguousarray(hands).view(np.uint8).reshape(-1, 8), axis=1).sum(axis=1, dtype=np.uint8)


def open_tablebase(directory: str | Path, rules: Rules = PUBLISHED) -> Tablebase:
    """The tables of a directory, to be probed. Raises `StorageError` if it cannot be read; no file is opened yet."""
    return Tablebase(directory, rules)
