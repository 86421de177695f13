"""Two ways to find the values of a table's slots. All that they share is the numbering of the slots.

search   each slot by itself, by solving its class; no other table is read
rows     one turn ahead, a row of slots at a time, in the tables of fewer cards that a turn leads to
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np

from backtrick.errors import ForeignFileError
from backtrick.face_to_face import _tables, _verify
from backtrick.face_to_face.indices import indices_over
from backtrick.face_to_face.options import Rules
from backtrick.face_to_face.tables.memory import Memory
from backtrick.face_to_face.tables.names import TableName, dependencies
from backtrick.face_to_face.tables.table import (
    CLASSES,
    SEARCH,
    SLOTS,
    count_classes_in,
    file_name,
    missing_table,
    open_table,
    slots_before,
)
from backtrick.storage.file import Header

CHILD_BYTES = 2 << 30
"""What the tables of fewer cards may take in a worker that fills a table by rows."""


class Filler(Protocol):
    """One of the two ways, for one table. May be shared by threads."""

    name: TableName

    def fill(self, values: np.ndarray, start: int) -> None:
        """Fills an array with the remoteness of the slots from `start` on: uint8, shape (n,)."""


class Search:
    """Each slot by itself."""

    def __init__(self, name: TableName, rules: Rules):
        self.name, self._lone_card = name, rules.lone_card

    def fill(self, values: np.ndarray, start: int) -> None:
        """As `Filler.fill`."""
        for index, first, last in indices_over(self.name, start, start + len(values)):
            _tables.generate_range(index, values[first - start : last - start], first, self._lone_card)


class Rows:
    """From the tables of fewer cards, which lie beside the file of the table, `path`. A chunk is read when it is first needed.

    digests: the digest that each of these tables must have, by name. Raises `MissingTableError`, `CorruptTableError`, and
    `ForeignFileError` if a table has another digest.
    """

    def __init__(self, path: Path, name: TableName, rules: Rules, digests: dict[str, str]):
        self.name, self._lone_card, self._memory = name, rules.lone_card, Memory(CHILD_BYTES)
        try:
            for child in dependencies(name):
                beside = path.with_name(file_name(child, rules.lone_card))
                if not beside.exists():
                    raise missing_table(child, path.parent, rules)
                reader = open_table(beside, rules, child)
                self._memory.put(child, reader)
                if reader.header.digest != digests.get(str(child)):
                    raise ForeignFileError(str(path), f"it is built upon another {child} than the one beside it")
        except BaseException:
            self.close()
            raise

    def fill(self, values: np.ndarray, start: int, helpful: bool = True) -> None:
        """As `Filler.fill`. helpful: False to leave out turns that lay a helpful card now; later turns may lay one."""
        shelf, slot, stop = self._memory.shelf, start, start + len(values)
        for index, _, last in indices_over(self.name, start, stop):
            while slot < last:
                with self._memory.looking():
                    part = values[slot - start : last - start]
                    filled = _verify.derive_range(index, part, slot, shelf, self._lone_card, helpful=helpful)
                slot += filled
                for child in dependencies(self.name) if slot < last else ():
                    self._memory.read_missed(child, drop=filled > 0)  # what one pattern needs must be there together

    def close(self) -> None:
        """Closes the files of the tables. The chunks in memory are freed with this object."""
        self._memory.close()


def filler(by: str, path: Path, name: TableName, rules: Rules, digests: dict[str, str]) -> Filler:
    """The filler with the name `by`. path, digests: as for `Rows`."""
    return Search(name, rules) if by == SEARCH else Rows(path, name, rules, digests)


@lru_cache(maxsize=1)
def kept_filler(by: str, path: Path, name: TableName, rules: Rules, digests: tuple[tuple[str, str], ...]) -> Filler:
    """As `filler`, but it keeps the last one: a worker makes many shards of the same table."""
    return filler(by, path, name, rules, dict(digests))


def fill_chunk(way: Filler, header: Header, number: int) -> tuple[np.ndarray, dict[str, int]]:
    """The bytes of a table's chunk, and its counts of slots and classes by remoteness."""
    start = slots_before(header, number)
    values = np.empty(slots_before(header, number + 1) - start, np.uint8)
    packed = np.empty(header.items_in(number), np.uint8)
    way.fill(values, start)
    counts = {SLOTS: _tables.pack_values(values, packed, header.scheme["bits"])}
    counts[CLASSES] = count_classes_in(way.name, start, values)
    return packed, {f"{what} {value}": count for what in counts for value, count in enumerate(counts[what]) if count}
