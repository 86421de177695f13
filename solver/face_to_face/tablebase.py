"""Probing: the tables and solved sets of a directory, opened as they are needed, and answers from them.

A complete table answers first; where there is none, the solved sets do.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from solver.core.answer import OVER, SEARCH, Answer
from solver.core.batches import over_ranges
from solver.core.budget import Bounds
from solver.core.errors import MissingTableError
from solver.face_to_face._probe import MISSING, UNREAD
from solver.face_to_face.codec import CODEC, positions_in
from solver.face_to_face.game import GAME, Noted
from solver.face_to_face.options import Rules
from solver.face_to_face.position import HAND_SIZE, Position
from solver.face_to_face.solving import best_first, objection
from solver.face_to_face.tables.memory import Memory
from solver.face_to_face.tables.names import TableName, tables_up_to
from solver.face_to_face.tables.table import file_name, missing_table, open_table
from solver.face_to_face.turn import Turn
from solver.face_to_face.turns import outcome_rows, question
from solver.storage import tablebase

AHEAD = "one turn ahead"
"""A source of a value: the tables that its turns lead to."""

ENOUGH = 254  # what is looked up is no value from here on: `UNREAD`, `MISSING`


class Tablebase(tablebase.Tablebase[Position, Turn, Rules]):
    """The complete tables and solved sets of a directory; values are remotenesses. Tables are read chunk by chunk.

    >>> import tempfile
    >>> from solver.face_to_face import build_tables
    >>> directory = tempfile.mkdtemp()
    >>> _ = build_tables(directory, ["2v2"], processes=0)
    >>> with Tablebase(directory) as tables:  # doctest: +ELLIPSIS
    ...     print(tables, tables.probe(Position.parse("27^40v:17,18 13^50v:5,12")))
    <Tablebase ...: 2v2> 1
    """

    game, codec = GAME, CODEC

    def __init__(self, directory: str | Path, rules: Rules | None = None):
        super().__init__(directory, rules)
        files = {name: file_name(name, self.rules.lone_card) for name in tables_up_to(2 * HAND_SIZE)}
        self._paths = {name: self.directory / file for name, file in files.items() if file in self._present}
        self._memory = Memory()

    def names(self) -> list[TableName]:
        """The names of the tables that are there, fewest cards first."""
        return list(self._paths)

    def close(self) -> None:
        """Lets go of all that was read. What is asked afterwards is read anew."""
        super().close()
        with self._lock:
            self._memory.close()
            self._memory = Memory()

    def _look_up(self, position: Position) -> int | None:
        packed, step, _ = question(position, self.rules)
        value: int = self._memory.shelf.look_up(*packed, step)
        while value >= ENOUGH:
            name = TableName(packed[0].bit_count(), packed[1].bit_count())
            if value == MISSING and name not in self._paths:
                return None
            self._fetch(name, value)
            value = self._memory.shelf.look_up(*packed, step)
        return value

    def _look_up_many(self, positions: np.ndarray, threads: int | None, progress: bool | None) -> tuple[np.ndarray, np.ndarray]:
        values = self._on_shelf(positions, threads, progress)
        left = np.flatnonzero(values >= ENOUGH)
        absent = [left[:0]]
        while len(left):
            found, sizes = values[left], _sizes(positions[left])
            there = np.ones(len(left), bool)
            for lacking in (MISSING, UNREAD):
                for size in np.unique(sizes[found == lacking]).tolist():
                    name = TableName(size >> 3, size & 7)
                    if name in self._paths:
                        self._fetch(name, lacking)
                    else:
                        there &= (found != lacking) | (sizes != size)
            absent.append(left[~there])
            left = left[there]
            values[left] = self._on_shelf(positions[left], threads, progress)
            left = left[values[left] >= ENOUGH]
        return values, np.sort(np.concatenate(absent))

    def _on_shelf(self, positions: np.ndarray, threads: int | None, progress: bool | None) -> np.ndarray:
        """What is looked up on the shelf, `UNREAD` and `MISSING` included."""
        rules, shelf = self.rules, self._memory.shelf
        values = np.empty(len(positions), np.uint8)

        def work(start: int, stop: int) -> int:
            place: int = shelf.look_up_range(positions, values, start, stop, rules.highest, rules.step)
            return place

        place = over_ranges(work, len(positions), threads=threads, progress=progress, what="probe")
        if place >= 0:
            raise objection(positions, place, rules)
        return values

    def _fetch(self, name: TableName, lacking: int) -> None:
        """Opens a table that is `MISSING` on the shelf, or reads the chunks that were `UNREAD`."""
        with self._lock:
            if lacking == UNREAD and name in self._memory:
                self._memory.read_missed(name)
            elif name not in self._memory:
                if name not in self._paths:
                    raise missing_table(name, self.directory, self.rules, self._sets.passed_over)
                self._memory.put(name, open_table(self._paths[name], self.rules, name))

    def _table_source(self, position: Position) -> str:
        return str(TableName(len(position.mover.hand), len(position.opponent.hand))) if position.opponent.hand else OVER

    def _missing(self, position: Position) -> MissingTableError:
        name = TableName(len(position.mover.hand), len(position.opponent.hand))
        return missing_table(name, self.directory, self.rules, self._sets.passed_over)

    def look_ahead(self, position: Position) -> Answer[Position, Turn, Rules]:
        """As `solve`, but with the values of all turns, and so that of the position, from the tables of fewer cards."""
        rows = outcome_rows(position, self.rules)
        values = self.probe_many(positions_in(rows), threads=1, missing=MISSING)
        known = values != MISSING
        rows["remoteness"][known] = values[known] + 1
        rows = best_first(rows)
        value = int(rows["remoteness"][0]) if len(rows) else 0
        source = AHEAD if known.all() else SEARCH
        return Answer(GAME, position, self.rules, Bounds(value, value), source, noted=Noted(rows=rows))


open_tablebase = Tablebase
"""The tables and solved sets of a directory, to be probed. No file is opened yet; `StorageError` if it cannot be read."""


def _sizes(positions: np.ndarray) -> np.ndarray:
    """The cards of both hands of each position, the mover's times 8 and the opponent's."""
    return bit_counts(positions["mover_hand"]) << 3 | bit_counts(positions["opponent_hand"])


def bit_counts(hands: np.ndarray) -> np.ndarray:
    """How many cards each hand holds: uint64, shape (n,), gives uint8, shape (n,)."""
    return np.unpackbits(np.ascontiguousarray(hands).view(np.uint8).reshape(-1, 8), axis=1).sum(axis=1, dtype=np.uint8)
