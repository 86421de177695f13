"""Probing: answers from the tables and solved sets of a directory, which are opened as they are needed.

A complete table answers first. If there is none, the solved sets do. A table of ten cards or more answers as far as it has been
built: its shards are looked up before it is whole.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from backtrick.answer import OVER, SEARCH, Answer, exactly
from backtrick.errors import MissingTableError
from backtrick.face_to_face._tables import MISSING, UNREAD
from backtrick.face_to_face.codec import CODEC, positions_in
from backtrick.face_to_face.game import GAME
from backtrick.face_to_face.indices import MOST_WHOLE, TableName, tables_up_to
from backtrick.face_to_face.options import Rules
from backtrick.face_to_face.position import HAND_SIZE, Position, error_at, kernel_arguments
from backtrick.face_to_face.tables.cache import ChunkCache, LargeTable
from backtrick.face_to_face.tables.table import file_name, missing_table, open_table
from backtrick.face_to_face.turn import Turn
from backtrick.face_to_face.turns import best_first, outcome_rows, outcomes_of
from backtrick.storage import tablebase
from backtrick.storage.file import SUFFIX
from backtrick.storage.jobs import WORK, leftovers
from backtrick.work import fill_ranges

AHEAD = "one turn ahead"
"""The source of a value that was derived from the tables that the turns lead to."""

ENOUGH = 254  # look-ups from here on are no values: `UNREAD`, `MISSING`


class Tablebase(tablebase.Tablebase[Position, Turn, Rules]):
    """The complete tables and solved sets of a directory. A value is a remoteness. Tables are read chunk by chunk.

    >>> import tempfile
    >>> from backtrick.face_to_face import build_tables
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
        stems = {path.name.rpartition("-")[0] for path in leftovers(self.directory)} if WORK in self._present else set()
        self._started = {name for name, file in files.items() if file.removesuffix(SUFFIX) in stems}
        self._cache = ChunkCache()
        self._large: dict[TableName, LargeTable] = {}

    def names(self) -> list[TableName]:
        """The names of the complete tables in the directory, fewest cards first."""
        return list(self._paths)

    def close(self) -> None:
        """Closes the files and drops what was read. A later probe opens them again."""
        super().close()
        with self._lock:
            self._cache.close()
            self._cache = ChunkCache()
            self._large = {}

    def holds_any(self) -> bool:
        return any(name.cards > MOST_WHOLE for name in self._started) or super().holds_any()

    def _look_up(self, position: Position) -> int | None:
        packed, step, _ = kernel_arguments(position, self.rules)
        value: int = self._cache.tables.look_up(*packed, step)
        while value >= ENOUGH:
            name = TableName(packed[0].bit_count(), packed[1].bit_count())
            if name.cards > MOST_WHOLE:
                value = int(self._in_large(name, CODEC.pack([position]))[0])
                return None if value == MISSING else value
            if value == MISSING and name not in self._paths:
                return None
            self._fetch(name, value)
            value = self._cache.tables.look_up(*packed, step)
        return value

    def _look_up_many(self, positions: np.ndarray, threads: int | None, progress: bool | None) -> tuple[np.ndarray, np.ndarray]:
        values = self._in_tables(positions, threads, progress)
        left = np.flatnonzero(values >= ENOUGH)
        sizes = _sizes(positions[left])
        for size in np.unique(sizes).tolist():
            name = TableName(size >> 3, size & 7)
            if name.cards > MOST_WHOLE:
                places = left[sizes == size]
                values[places] = self._in_large(name, positions[places])
        large = (sizes >> 3) + (sizes & 7) > MOST_WHOLE
        absent = [left[large & (values[left] == MISSING)]]
        left = left[~large]
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
            values[left] = self._in_tables(positions[left], threads, progress)
            left = left[values[left] >= ENOUGH]
        return values, np.sort(np.concatenate(absent))

    def _in_tables(self, positions: np.ndarray, threads: int | None, progress: bool | None) -> np.ndarray:
        """What the open tables hold for each position: a value, `UNREAD` or `MISSING`. uint8, shape (n,)."""
        rules, tables = self.rules, self._cache.tables
        values = np.empty(len(positions), np.uint8)

        def work(start: int, stop: int) -> int:
            place: int = tables.look_up_range(positions, values, start, stop, rules.highest, rules.step)
            return place

        place = fill_ranges(work, len(positions), threads=threads, progress=progress, what="probe")
        if place >= 0:
            raise error_at(positions, place, rules)
        return values

    def _in_large(self, name: TableName, positions: np.ndarray) -> np.ndarray:
        """What a table of ten cards or more holds for each position, as far as it is built: a value or `MISSING`. uint8, (n,)."""
        if name not in self._paths and name not in self._started:
            return np.full(len(positions), MISSING, np.uint8)
        with self._lock:
            if name not in self._large:
                path = self.directory / file_name(name, self.rules.lone_card)
                self._large[name] = LargeTable(path, name, self.rules)
            table = self._large[name]
        return table.look_up(positions)

    def _fetch(self, name: TableName, lacking: int) -> None:
        """Opens a table that is `MISSING`, or reads the chunks that were `UNREAD`."""
        with self._lock:
            if lacking == UNREAD and name in self._cache:
                self._cache.read_missed(name)
            elif name not in self._cache:
                if name not in self._paths:
                    raise missing_table(name, self.directory, self.rules, self._sets.passed_over)
                self._cache.put(name, open_table(self._paths[name], self.rules, name))

    def _table_source(self, position: Position) -> str:
        return str(TableName(len(position.mover.hand), len(position.opponent.hand))) if position.opponent.hand else OVER

    def _missing(self, position: Position) -> MissingTableError:
        name = TableName(len(position.mover.hand), len(position.opponent.hand))
        return missing_table(name, self.directory, self.rules, self._sets.passed_over)

    def look_ahead(self, position: Position) -> Answer[Position, Turn, Rules]:
        """The answer that `solve` gives, but with the values of all turns from the tables of fewer cards. The value of the
        position follows from them; its own table is not needed."""
        rows = outcome_rows(position, self.rules)
        values = self.probe_many(positions_in(rows), threads=1, missing=MISSING)
        known = values != MISSING
        rows["remoteness"][known] = values[known] + 1
        rows = best_first(rows)
        value = int(rows["remoteness"][0]) if len(rows) else 0
        source = AHEAD if known.all() else SEARCH
        optimal = int(np.count_nonzero(rows["remoteness"] == value))
        answer = GAME.answer(position, self.rules)
        return replace(answer, bounds=exactly(value), source=source, optimal=optimal, outcomes=outcomes_of(rows))


open_tablebase = Tablebase
"""Opens a directory of tables and solved sets for probing; its files are opened later. Raises `StorageError`."""


def _sizes(positions: np.ndarray) -> np.ndarray:
    """The hand sizes of each position as one number: 8 times the mover's plus the opponent's."""
    return bit_counts(positions["mover_hand"]) << 3 | bit_counts(positions["opponent_hand"])


def bit_counts(hands: np.ndarray) -> np.ndarray:
    """The number of cards in each hand: uint8, shape (n,). hands: uint64, shape (n,)."""
    return np.unpackbits(np.ascontiguousarray(hands).view(np.uint8).reshape(-1, 8), axis=1).sum(axis=1, dtype=np.uint8)
