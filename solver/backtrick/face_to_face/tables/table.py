"""Complete tables: one file for each pair of hand sizes, `4v3.h5`, with the remoteness of every class of positions; and shards,
which are parts of a table.

Of the rule options only the reading of F13 changes the values: classes know only the order of numbers and which are `step` apart
(docs/face_to_face.md), so one table serves every deck. With `lone_card` a table is called `4v3-lone-card`.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

import backtrick.face_to_face._tables as _tables
from backtrick.errors import CorruptTableError, ForeignFileError, MissingTableError, TableError, TableNameError, shortened
from backtrick.face_to_face._classes import count_patterns
from backtrick.face_to_face._counts import MOST_NUMBERS
from backtrick.face_to_face.classes import MOST_PATTERNS, TableName, dependencies, size_of
from backtrick.face_to_face.rule_options import Rules
from backtrick.storage.file import SUFFIX, Header, Reader, same
from backtrick.storage.jobs import SHARD

GAME = "face_to_face"
INDEX = "pattern-tops-1"
CHUNK_BYTES = 1 << 20
MOST_CHUNKS = 1 << 21
SHARD_CHUNKS = 4
MOST_SHARDS = 1 << 14
LONE = "-lone-card"
SLOTS: Final = "slots"  # the two things that are counted by remoteness
CLASSES: Final = "classes"
ROWS: Final = "rows"  # the two ways to build a table (building.py)
SEARCH: Final = "search"


def bits_of(mover: int, opponent: int, lone_card: bool) -> int:
    """Bits a slot: 2 if no remoteness above 3 is possible, else 4.

    A player who loses in 4 lays two cards in each of two turns and still holds one: five cards. The winner lays two cards, then
    the rest, again at least two, or one with `lone_card`. A player who wins in 5 lays two more first.

    >>> [bits_of(*size, lone_card) for lone_card in (False, True) for size in ((4, 6), (5, 2), (5, 3), (5, 4))]
    [2, 2, 2, 4, 2, 2, 4, 4]
    """
    return 2 if mover < 5 or opponent < (3 if lone_card else 4) else 4


def file_name(name: TableName | str, lone_card: bool) -> str:
    """The name of a table's file.

    >>> file_name(TableName(4, 3), True)
    '4v3-lone-card.h5'
    """
    return f"{name}{LONE if lone_card else ''}{SUFFIX}"


def missing_table(
    name: TableName, directory: Path, rules: Rules, skipped: tuple[str, ...] = ()
) -> MissingTableError:
    """The error for a missing table. It names the command that builds it, or a set if the table is too large for an index.

    skipped: the sets that could not be read, and what is wrong with each.
    """
    option = " --lone-card" if rules.lone_card else ""
    asked = str(name) if count_patterns(*name) <= MOST_PATTERNS else "--positions FILE"
    command = f"backtrick generate {asked} --tables {directory}{option}"
    return MissingTableError(file_name(name, rules.lone_card), str(directory), command, skipped)


def header_of(name: TableName, rules: Rules, dependencies: dict[str, str], by: str = SEARCH) -> Header:
    """The header that a table must have, without counts."""
    size = size_of(name)
    bits = bits_of(*name, rules.lone_card)
    length = -(-size.slots * bits // 8)
    chunk = min(chunk_bytes(length), length)
    return Header(
        kind="table",
        game=GAME,
        name=str(name),
        dtype=np.dtype("u1"),
        length=length,
        chunk=chunk,
        rules={"lone_card": rules.lone_card},
        scheme={
            "index": INDEX,
            "patterns": size.patterns,
            "slots": size.slots,
            "slots_unfolded": size.unfolded,
            "bits": bits,
            "value": "remoteness",
        },
        dependencies=dependencies,
        by=by,
    )


def chunk_bytes(length: int) -> int:
    """How many bytes a chunk holds, in a table of `length` bytes: 1 MiB, and 16 for 6v6.

    >>> chunk_bytes(10**12) >> 20, chunk_bytes(21 * 10**12) >> 20
    (1, 16)
    """
    size = CHUNK_BYTES
    while length > size * MOST_CHUNKS:
        size *= 2
    return size


def shard_bytes(header: Header) -> int:
    """How many bytes a shard holds while a table is being built: four chunks, and in a large table so many that shards stay few.

    >>> [shard_bytes(replace(header_of(TableName(2, 2), Rules(), {}), chunk=1, length=length)) for length in (9, 10**6)]
    [4, 62]
    """
    return header.chunk * max(SHARD_CHUNKS, -(-header.length // (header.chunk * MOST_SHARDS)))


def count_slots_in(values: np.ndarray) -> list[int]:
    """How many slots have each remoteness, 0..5.

    >>> count_slots_in(np.array([1, 0, 1, 5], np.uint8))
    [1, 2, 0, 0, 0, 1]
    """
    return _tables.count_values(values, np.ones(len(values), np.uint8))


def counts_of(header: Header, what: str = CLASSES) -> list[int]:
    """How many classes, or 'slots', have each remoteness, 0..5. All 0 for the classes of a table of 10 cards or more."""
    return [header.counts.get(f"{what} {value}", 0) for value in range(6)]


def open_table(place: str | Path | Reader, rules: Rules | None = None, name: TableName | None = None) -> Reader:
    """The reader of a table. place: its file, or a reader of it. rules, name: what the table must be of; None for any.

    Raises `ForeignFileError` if the file is not a table, or has another name or other rules; `CorruptTableError` if its counts are
    impossible.
    """
    reader = place if isinstance(place, Reader) else Reader(Path(place))
    found, path = reader.header, str(reader.path)
    try:
        if (found.kind, found.game) != ("table", GAME):
            raise ForeignFileError(path, f"a {_short(found.kind)} of {_short(found.game)}, not a complete table of {GAME}")
        _check_header(path, found, rules or rules_told(reader), name or name_told(reader))
    except TableError:
        reader.close()
        raise
    return reader


def open_in(directory: Path, name: TableName, rules: Rules) -> Reader:
    """The reader of the table of that name in a directory. Raises `MissingTableError`, and as `open_table`."""
    path = directory / file_name(name, rules.lone_card)
    if not path.exists():
        raise missing_table(name, directory, rules)
    return open_table(path, rules, name)


def name_told(reader: Reader) -> TableName:
    """The name of the table in a file. Raises `ForeignFileError` if there is no such table."""
    name = name_of(reader.header.name)
    if name is None:
        raise ForeignFileError(str(reader.path), f"the name {reader.header.name[:40]!r} is not one of a table")
    return name


def name_of(text: str) -> TableName | None:
    """The table that a header names; None if there is no such table."""
    with contextlib.suppress(TableNameError):
        name = TableName.parse(text)
        if str(name) == text:
            return name
    return None


def rules_told(reader: Reader) -> Rules:
    """The rules of the values in a file, as far as a table depends on them."""
    return Rules(lone_card=reader.header.rules.get("lone_card") is True)


def _check_header(path: str, found: Header, rules: Rules, name: TableName) -> None:
    expected = header_of(name, rules, found.dependencies)
    upon, needed = (", ".join(sorted(map(str, names))) or "nothing" for names in (found.dependencies, dependencies(name)))
    if found.name != expected.name:
        raise ForeignFileError(path, f"the table {_short(found.name)} under the name of {name}")
    _check_shape(path, found, expected, expected.length)
    if upon != needed:
        raise ForeignFileError(path, f"it is built upon {_short(upon)}, not {needed}")
    if not _counts_can_be(found, name):
        raise CorruptTableError(path, "its counts by remoteness are impossible: they do not sum to its slots, or are of none")


def _check_shape(path: str, found: Header, expected: Header, length: int) -> None:
    """Raises `ForeignFileError` unless items are of the expected rules, numbered and read as expected, there are `length` of them,
    and the file says in which way they were found."""
    told, needed = found.identity(), replace(expected, length=length).identity()
    if not same(found.rules, expected.rules):
        raise ForeignFileError(path, f"of the rules {_short(found.rules)}, not {expected.rules}")
    for what in ("scheme", "length", "chunk", "dtype"):
        if not same(told[what], needed[what]):
            raise ForeignFileError(path, f"its {what} is {_short(getattr(found, what))}, not {needed[what]}")
    if found.by not in (ROWS, SEARCH):
        raise ForeignFileError(path, f"it is built by {_short(found.by)}, not by {ROWS} or {SEARCH}")


def _counts_can_be(header: Header, name: TableName) -> bool:
    """True if slots and classes are counted by remoteness as some table of that name could be: as much as a header can tell."""
    slots, classes = counts_of(header, SLOTS), counts_of(header, CLASSES)
    known = {f"{what} {value}" for what in (SLOTS, CLASSES) for value in range(min(6, 1 << header.scheme["bits"]))}
    counted = bool(sum(classes)) == (sum(name) <= MOST_NUMBERS) and sum(classes) <= header.scheme["slots_unfolded"]
    return (
        set(header.counts) <= known
        and all(header.counts.values())
        and sum(slots) == header.scheme["slots"]
        and counted
        and all(several <= 2 * one for one, several in zip(slots, classes, strict=True))  # a class, and its mirror image
    )


def _short(said: object) -> str:
    """A text from a file that may be anything, short and safe to print."""
    return shortened(ascii(str(said))[1:-1], 200)


def read_packed(reader: Reader, number: int) -> np.ndarray:
    """The bytes of a chunk. Raises `CorruptTableError` if the file is damaged, or a slot of it holds no remoteness."""
    return sound_packed(reader, number, reader.chunk(number))


def sound_packed(reader: Reader, number: int, packed: np.ndarray) -> np.ndarray:
    """`packed`, the bytes of a chunk. Raises `CorruptTableError` if a slot of it holds no remoteness."""
    most = max((packed & 15).max(), (packed >> 4).max()) if reader.header.scheme["bits"] == 4 else 0
    if most > 5:
        problem = f"chunk {number} of {reader.header.chunks} holds {most}, which is not a remoteness"
        raise CorruptTableError(str(reader.path), problem)
    return packed


def read_values(reader: Reader, start: int = 0, stop: int | None = None) -> np.ndarray:
    """The remoteness of the slots of the chunks start..stop-1 (None: to the end), one a byte."""
    header = reader.header
    stop = header.chunks if stop is None else stop
    first, last = slots_in(header, start)[0], slots_in(header, stop)[0]
    values = np.empty(last - first, np.uint8)
    for number in range(start, stop):
        place = slots_in(header, number)[0] - first
        values_in(header, number, read_packed(reader, number), values[place:])
    return values


def slots_in(header: Header, chunk: int) -> tuple[int, int]:
    """The first slot of a chunk, and the one behind its last."""
    each, slots = header.chunk * (8 // header.scheme["bits"]), header.scheme["slots"]
    return min(chunk * each, slots), min((chunk + 1) * each, slots)


def values_in(header: Header, chunk: int, packed: np.ndarray, values: np.ndarray | None = None) -> np.ndarray:
    """The remoteness of the slots of a chunk, one a byte. packed: the chunk's bytes. values: written to, if given."""
    first, last = slots_in(header, chunk)
    values = np.empty(last - first, np.uint8) if values is None else values[: last - first]
    _tables.unpack_values(packed, values, header.scheme["bits"])
    return values


# Shards: parts of a table that is being built


@dataclass(frozen=True)
class Shard:
    """A shard of the table `name`: its slots are start..stop-1."""

    reader: Reader
    name: TableName
    number: int
    rules: Rules
    start: int
    stop: int

    @property
    def header(self) -> Header:
        return self.reader.header

    def slots_in(self, chunk: int) -> int:
        """How many slots a chunk holds."""
        each = self.header.chunk * (8 // self.header.scheme["bits"])
        return min(each, self.stop - self.start - chunk * each)

    def values_in(self, chunk: int) -> np.ndarray:
        """The remoteness of the slots of a chunk, one a byte."""
        packed = read_packed(self.reader, chunk)
        values = np.empty(self.slots_in(chunk), np.uint8)
        _tables.unpack_values(packed, values, self.header.scheme["bits"])
        return values


def open_shard(reader: Reader) -> Shard:
    """The shard in a file. Raises `ForeignFileError` if it is of no table, or its header is not that of such a shard."""
    header, rules = reader.header, rules_told(reader)
    text, _, digits = header.name.partition(" ")
    name = name_of(text)
    if name is None or header.kind != SHARD or not digits.isdecimal() or len(digits) > 9:
        raise ForeignFileError(str(reader.path), f"no shard of a table, but {header.kind[:40]!r} {header.name[:40]!r}")
    expected = header_of(name, rules, header.dependencies)
    first, each = int(digits) * shard_bytes(expected), 8 // expected.scheme["bits"]
    _check_shape(str(reader.path), header, expected, min(shard_bytes(expected), expected.length - first))
    return Shard(reader, name, int(digits), rules, first * each, min((first + header.length) * each, expected.scheme["slots"]))
