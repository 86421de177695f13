"""Verifying a complete table: every entry derived anew from the tables its turns lead to, by code that is not the generator."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

import numpy as np

from solver.batches import over_ranges
from solver.errors import CorruptTableError, ForeignFileError, LieError
from solver.face_to_face import _verify
from solver.face_to_face.classes import index_of, representative
from solver.face_to_face.names import TableName, dependencies
from solver.face_to_face.options import Rules
from solver.face_to_face.tables import (
    CLASSES,
    SLOTS,
    count_classes_in,
    count_slots_in,
    counts_of,
    file_name,
    missing_table,
    name_told,
    open_table,
    read_values,
    rules_told,
    sound_packed,
    values_in,
)
from solver.tables.format import Reader, reading


def verify_table(place: str | Path | Reader, threads: int | None = None, progress: bool | None = None) -> int:
    """Verifies a table against the tables of fewer cards beside it; returns how many slots it verified.

    What its header counts, slots and classes by remoteness, is counted again. place: its file, or a reader of it.
    Raises `LieError` that names the first position whose remoteness is not what its turns lead to, `MissingTableError`,
    `CorruptTableError`, and `ForeignFileError` if the tables beside it are not those that it was built upon.
    """
    with reading(place) as opened:
        return _verify_reader(opened, threads, progress)


def _verify_reader(opened: Reader, threads: int | None, progress: bool | None) -> int:
    reader, name, rules = open_by_itself(opened)
    children = children_of(reader, name, rules)
    index, lone_card = index_of(name), rules.lone_card
    each = reader.header.chunk * (8 // reader.header.scheme["bits"])
    lies: dict[int, tuple[int, int]] = {}
    counts, lock = np.zeros((2, 6), np.int64), Lock()

    def work(start: int, stop: int) -> int:
        number = start // each
        values = read_values(reader, number, number + 1)
        lie = _verify.verify_range(index, values, start, children, lone_card)
        found = count_slots_in(values), count_classes_in(name, start, values)
        with lock:
            counts[:] += found
        if lie is None:
            return -1
        lies[lie[0]] = int(values[lie[0] - start]), lie[1]
        return lie[0]

    slot = over_ranges(work, index.size, threads=threads, progress=progress, what=f"verify {name}", size=each, unit="slot")
    if slot >= 0:
        raise LieError(str(reader.path), representative(name, slot) or f"slot {slot}, of no real position,", *lies[slot])
    for what, found in zip((SLOTS, CLASSES), counts.tolist(), strict=True):
        if found != (told := counts_of(reader.header, what)):
            raise CorruptTableError(str(reader.path), f"its counts say {told} {what} by remoteness, and there are {found}")
    return index.size


def open_by_itself(place: str | Path | Reader) -> tuple[Reader, TableName, Rules]:
    """The reader of a table, with the name and the rules that the file says. place: the file, or a reader of it."""
    reader = open_table(place)
    return reader, name_told(reader), rules_told(reader)


def check_table(place: str | Path | Reader) -> None:
    """Checks that a table is as it was written: every chunk, the counts of its slots, and that the tables beside it are those
    that it was built upon, as far as they are there. That the values are right is for `verify_table` to say.

    place: its file, or a reader of it. Raises `CorruptTableError`, and `ForeignFileError`.
    """
    with reading(place) as opened:
        reader, _, rules = open_by_itself(opened)
        header = reader.header
        for child, digest in header.dependencies.items():
            beside = reader.path.with_name(file_name(TableName.parse(child), rules.lone_card))
            if beside.exists():
                with Reader(beside) as other:
                    if other.header.digest != digest:
                        raise ForeignFileError(str(reader.path), f"it was built upon another {child} than the one beside it")
        counts = np.zeros(6, np.int64)
        for number, packed in enumerate(reader.checked()):
            counts += count_slots_in(values_in(header, number, sound_packed(reader, number, packed)))
        if counts.tolist() != counts_of(header, SLOTS):
            raise CorruptTableError(str(reader.path), "its counts of slots by remoteness are not those of its values")


def children_of(reader: Reader, name: TableName, rules: Rules) -> list:
    """The tables that a table's turns lead to, by the mover's cards left, as `_verify.verify_range` takes them."""
    children: list = [None] * name.mover
    for child in dependencies(name):
        path = reader.path.with_name(file_name(child, rules.lone_card))
        if not path.exists():
            raise missing_table(child, path.parent, rules)
        with open_table(path, rules, child) as opened:
            if opened.header.digest != reader.header.dependencies.get(str(child)):
                raise ForeignFileError(str(reader.path), f"it was built upon another {child} than the one beside it")
            children[child.opponent] = index_of(child), read_values(opened)
    return children
