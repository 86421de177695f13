"""Verifying a complete table: every entry derived anew from the tables its turns lead to, by code that is not the generator."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from solver.batches import over_ranges
from solver.errors import ForeignFileError, LieError
from solver.face_to_face import _probe, _verify
from solver.face_to_face.classes import index_of, representative
from solver.face_to_face.names import TableName, dependencies
from solver.face_to_face.options import Rules
from solver.face_to_face.tables import SLOTS, counts_of, file_name, missing_table, name_told, open_table, read_values, rules_told
from solver.tables.format import Reader


def verify_table(path: str | Path, threads: int | None = None, progress: bool | None = None) -> int:
    """Verifies the table in a file against the tables of fewer cards beside it; returns how many slots it verified.

    Raises `LieError` that names the first position whose remoteness is not what its turns lead to, `MissingTableError`,
    `CorruptTableError`, and `ForeignFileError` if the tables beside it are not those that it was built upon.
    """
    path = Path(path)
    reader, name, rules = open_by_itself(path)
    children = children_of(reader, name, rules)
    index, lone_card = index_of(name), rules.lone_card
    each = reader.header.chunk * (8 // reader.header.scheme["bits"])
    lies: dict[int, tuple[int, int]] = {}

    def work(start: int, stop: int) -> int:
        number = start // each
        values = read_values(reader, number, number + 1)
        lie = _verify.verify_range(index, values, start, children, lone_card)
        if lie is None:
            return -1
        lies[lie[0]] = int(values[lie[0] - start]), lie[1]
        return lie[0]

    slot = over_ranges(work, index.size, threads=threads, progress=progress, what=f"verify {name}", size=each, unit="slot")
    if slot >= 0:
        raise LieError(str(path), representative(name, slot) or f"slot {slot}, of no real position,", *lies[slot])
    return index.size


def open_by_itself(path: Path) -> tuple[Reader, TableName, Rules]:
    """The reader of a table's file, with the name and the rules that the file says."""
    reader = open_table(path)
    return reader, name_told(reader), rules_told(reader)


def recount(reader: Reader) -> list[int]:
    """How many slots have each remoteness, 0..5, counted in the values."""
    counts = np.zeros(6, np.int64)
    for number in range(reader.header.chunks):
        values = read_values(reader, number, number + 1)
        counts += _probe.count_values(values, np.ones(len(values), np.uint8))
    return counts.tolist()


def counts_hold(reader: Reader) -> bool:
    """True if the header counts its slots by remoteness as they are."""
    return recount(reader) == counts_of(reader.header, SLOTS)


def children_of(reader: Reader, name: TableName, rules: Rules) -> list:
    """The tables that a table's turns lead to, by the mover's cards left, as `_verify.verify_range` takes them."""
    children: list = [None] * name.mover
    for child in dependencies(name):
        path = reader.path.with_name(file_name(child, rules.lone_card))
        if not path.exists():
            raise missing_table(child, path.parent, rules)
        opened = open_table(path, rules, child)
        if opened.header.digest != reader.header.dependencies.get(str(child)):
            raise ForeignFileError(str(reader.path), f"it was built upon another {child} than the one beside it")
        children[child.opponent] = index_of(child), read_values(opened)
    return children
