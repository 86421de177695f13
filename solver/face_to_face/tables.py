"""Complete tables: one file for each pair of hand sizes, `4v3.h5`, with the remoteness of every class of positions.

The values depend on nothing of the rules but the reading of F13: the classes know numbers only by their order and by what is
`step` apart (docs/classes.md), so one table serves every deck. With `lone_card` a table is called `4v3-lone-card`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from solver.errors import CorruptTableError, ForeignFileError, MissingTableError
from solver.face_to_face import _generate, _probe
from solver.face_to_face._classes import count_patterns
from solver.face_to_face._realised import MOST_NUMBERS
from solver.face_to_face.classes import MOST_PATTERNS, index_of, realised_range
from solver.face_to_face.names import TableName
from solver.face_to_face.options import PUBLISHED, Rules
from solver.tables.format import SUFFIX, Header, Reader

GAME = "face_to_face"
INDEX = "pattern-tops-1"
CHUNK_BYTES = 1 << 20
SHARD_CHUNKS = 4
MOST_SHARDS = 1024
LONE = "-lone-card"
SLOTS, CLASSES = "slots", "classes"  # the two kinds of counts by remoteness


def bits_of(mover: int, opponent: int, lone_card: bool) -> int:
    """Bits a slot: 2 if no remoteness above 3 is possible, else 4.

    Whoever loses in 4 lays two cards in each of two turns and still holds one; the winner lays two, and then the rest, at
    least two cards again, or with `lone_card` one. Whoever wins in 5 has first to lay two more.
    """
    return 2 if mover < 5 or opponent < (3 if lone_card else 4) else 4


def file_name(name: TableName, lone_card: bool) -> str:
    """The name of a table's file.

    >>> file_name(TableName(4, 3), True)
    '4v3-lone-card.h5'
    """
    return str(name) + (LONE if lone_card else "") + SUFFIX


def missing_table(name: TableName, directory: Path, rules: Rules) -> MissingTableError:
    """The error that says which table is not there, and what builds it: a set, for those that no index holds."""
    option = " --lone-card" if rules.lone_card else ""
    asked = str(name) if count_patterns(*name) <= MOST_PATTERNS else "--positions FILE"
    command = f"backtrick generate {asked} --tables {directory}{option}"
    return MissingTableError(file_name(name, rules.lone_card), str(directory), command)


def header_of(name: TableName, rules: Rules, dependencies: dict[str, str]) -> Header:
    """The header of a table, but for its counts: what a file of that name must say of itself."""
    index = index_of(name)
    bits = bits_of(*name, rules.lone_card)
    length = -(-index.size * bits // 8)
    return Header(
        kind="table",
        game=GAME,
        name=str(name),
        dtype=np.dtype("u1"),
        length=length,
        chunk=min(CHUNK_BYTES, length),
        rules={"lone_card": rules.lone_card},
        scheme={
            "index": INDEX,
            "patterns": index.patterns,
            "slots": index.size,
            "slots_unfolded": index.unfolded,
            "bits": bits,
            "value": "remoteness",
        },
        dependencies=dependencies,
    )


@dataclass(frozen=True)
class TableJob:
    """A table to be filled by solving each of its classes; a `solver.tables.jobs.Job`."""

    directory: Path
    name: TableName
    rules: Rules = PUBLISHED
    dependencies: dict[str, str] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        return Path(self.directory) / file_name(self.name, self.rules.lone_card)

    @property
    def header(self) -> Header:
        return header_of(self.name, self.rules, self.dependencies)

    @property
    def shard_items(self) -> int:
        header = self.header
        return header.chunk * max(SHARD_CHUNKS, -(-header.chunks // MOST_SHARDS))

    def items(self, start: int, stop: int) -> Iterator[tuple[np.ndarray, dict[str, int]]]:
        """The bytes start..stop-1 of the table, chunk by chunk, and how many slots have each remoteness."""
        index, header = index_of(self.name), self.header
        bits = header.scheme["bits"]
        each = 8 // bits
        values = np.empty(header.chunk * each, np.uint8)
        for place in range(start, stop, header.chunk):
            last = min(place + header.chunk, stop)
            slots = min(last * each, index.size) - place * each
            packed = np.empty(last - place, np.uint8)
            _generate.generate_range(index, values[:slots], place * each, self.rules.lone_card)
            counts = _named(SLOTS, _probe.pack_values(values[:slots], packed, bits))
            if self.name.cards <= MOST_NUMBERS:
                counts |= _named(CLASSES, _class_counts(self.name, place * each, values[:slots]))
            yield packed, counts


def _named(what: str, counts: list[int]) -> dict[str, int]:
    return {f"{what} {value}": count for value, count in enumerate(counts) if count}


def _class_counts(name: TableName, start: int, values: np.ndarray) -> list[int]:
    """How many classes have each remoteness, 0..5, a class and its mirror image being two."""
    marks = realised_range(name, start, start + len(values))
    index_of(name).unfold_range(marks, start)
    return _probe.count_values(values, marks)


def counts_of(header: Header, what: str = CLASSES) -> list[int]:
    """How many classes, or 'slots', have each remoteness, 0..5. All 0 for the classes of a table of 10 cards or more."""
    return [header.counts.get(f"{what} {value}", 0) for value in range(6)]


def open_table(path: Path, rules: Rules, name: TableName) -> Reader:
    """The reader of a table's file. Raises `CorruptTableError`, or `ForeignFileError` if it is another table or rule."""
    reader = Reader(path)
    found = reader.header
    if (found.kind, found.game) != ("table", GAME):
        raise ForeignFileError(str(path), f"a {_short(found.kind)} of {_short(found.game)}, not a table of {GAME}")
    if found.name != str(name):
        raise ForeignFileError(str(path), f"the table {_short(found.name)} under the name of {name}")
    if found.rules != {"lone_card": rules.lone_card}:
        raise ForeignFileError(str(path), f"of the rules {_short(found.rules)}, not lone_card {rules.lone_card}")
    expected = header_of(name, rules, found.dependencies)
    for what in ("scheme", "length", "chunk", "dtype"):
        if getattr(found, what) != getattr(expected, what):
            raise ForeignFileError(str(path), f"its {what} is {_short(getattr(found, what))}, not {getattr(expected, what)}")
    counted = all(isinstance(count, int) and count >= 0 for count in found.counts.values())
    if not counted or sum(counts_of(found, SLOTS)) != expected.scheme["slots"]:
        raise CorruptTableError(str(path), "its counts by remoteness do not sum to its slots")
    return reader


def _short(said: object) -> str:
    """What a stranger's file says of itself, so that it can be printed."""
    text = ascii(str(said))[1:-1]
    return text if len(text) <= 200 else text[:200] + "..."


def read_packed(reader: Reader, number: int) -> np.ndarray:
    """The bytes of a chunk. Raises `CorruptTableError` if the file is damaged, or a slot of it holds no remoteness."""
    packed = reader.chunk(number)
    most = max((packed & 15).max(), (packed >> 4).max()) if reader.header.scheme["bits"] == 4 else 0
    if most > 5:
        problem = f"chunk {number} of {reader.header.chunks} holds {most}, which is no remoteness"
        raise CorruptTableError(str(reader.path), problem)
    return packed


def read_values(reader: Reader, start: int = 0, stop: int | None = None) -> np.ndarray:
    """The remoteness of the slots of the chunks start..stop-1 (None: to the end), one a byte."""
    header = reader.header
    bits, slots = header.scheme["bits"], header.scheme["slots"]
    each = 8 // bits
    stop = header.chunks if stop is None else stop
    first = start * header.chunk * each
    values = np.empty(min(stop * header.chunk * each, slots) - first, np.uint8)
    for number in range(start, stop):
        place = (number - start) * header.chunk * each
        part = values[place : place + header.chunk * each]
        _probe.unpack_values(read_packed(reader, number), part, bits)
    return values
