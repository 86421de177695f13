"""Tables in memory, packed as in their files. Chunks are read as they are needed, and dropped if there is a limit."""

from __future__ import annotations

import mmap
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import numpy as np

from backtrick.errors import ForeignFileError
from backtrick.face_to_face._tables import MISSING, ValueTables
from backtrick.face_to_face.classes import TableName, index_of, rank_many
from backtrick.face_to_face.rule_options import Rules
from backtrick.face_to_face.tables.table import header_of, open_shard, open_table, read_packed, shard_bytes, slots_in
from backtrick.storage.file import Reader
from backtrick.storage.jobs import shards_of

UNRESERVED = 0x4000  # Linux: room for a table may be larger than the memory of the machine


class ChunkCache:
    """Tables of one reading of F13. A chunk takes memory only once it is needed and read. Threads may share this object.

    tables: where the kernels look up values; it says which chunks are needed
    most:  bytes of chunks that stay in memory; beyond that, the ones read first are dropped. None for no limit. With a limit,
           look-ups stand in a block of `pinned`. A system that cannot take memory back has no limit.
    """

    def __init__(self, most: int | None = None) -> None:
        self.tables = ValueTables()
        self._most = most if hasattr(mmap.mmap, "madvise") and hasattr(mmap, "MADV_DONTNEED") else None
        self._readers: dict[TableName, tuple[Reader, np.ndarray]] = {}
        self._rooms: dict[TableName, mmap.mmap] = {}
        self._read: deque[tuple[TableName, int, int]] = deque()  # the chunks in memory, with their bytes, by age
        self._bytes = 0
        self._lock = threading.Condition(threading.RLock())
        self._looking = 0
        self._dropping = False

    def __contains__(self, name: object) -> bool:
        return name in self._readers

    def put(self, name: TableName, reader: Reader) -> None:
        """Adds a table, without any of its chunks. The reader belongs to this object from now on."""
        header = reader.header
        bits = header.scheme["bits"]
        shift = (header.chunk * (8 // bits) - 1).bit_length() if header.length > header.chunk else 63
        with self._lock:
            packed = self._room(name, header.length)
            self.tables.put(index_of(name), packed, bits, shift)
            self._readers[name] = reader, packed

    def _room(self, name: TableName, size: int) -> np.ndarray:
        """Room for a table. The system gives memory only to parts that are written."""
        if self._most is None:
            return np.zeros(size, np.uint8)
        unreserved = UNRESERVED if hasattr(mmap, "MAP_POPULATE") else 0  # that is: on Linux
        self._rooms[name] = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | unreserved)
        return np.frombuffer(self._rooms[name], np.uint8)

    @contextmanager
    def pinned(self) -> Iterator[None]:
        """A block of look-ups. No chunk is dropped in it."""
        with self._lock:
            self._lock.wait_for(lambda: not self._dropping)
            self._looking += 1
        try:
            yield
        finally:
            with self._lock:
                self._looking -= 1
                self._lock.notify_all()

    def read_missed(self, name: TableName, drop: bool = True) -> None:
        """Reads the chunks of a table that look-ups needed and did not find. Raises `CorruptTableError`, `StorageError`.

        drop: False to drop none, whatever the limit is.
        """
        with self._lock:
            reader, packed = self._readers[name]
            for number in self.tables.take_wanted(*name):
                start = number * reader.header.chunk
                items = read_packed(reader, number)
                self._bytes += len(items)
                if drop and self._most is not None:
                    self._drop(self._bytes - self._most)
                packed[start : start + len(items)] = items
                self.tables.publish(*name, number)  # last: another thread may look up at any time
                self._read.append((name, number, len(items)))

    def _drop(self, size: int) -> None:
        """Drops the oldest chunks, until `size` bytes are free or none is left."""
        if size <= 0:
            return
        self._dropping = True  # new look-ups wait
        self._lock.wait_for(lambda: not self._looking)
        while size > 0 and self._read:
            name, number, dropped = self._read.popleft()
            self.tables.drop(*name, number)
            self._rooms[name].madvise(mmap.MADV_DONTNEED, number * self._readers[name][0].header.chunk, dropped)
            self._bytes -= dropped
            size -= dropped
        self._dropping = False
        self._lock.notify_all()

    def close(self) -> None:
        """Closes the files."""
        with self._lock:
            for reader, _ in self._readers.values():
                reader.close()


OPEN_SHARDS, LARGE_CHUNKS = 64, 16  # files, and chunks of up to 16 MiB, that a large table keeps


class LargeTable:
    """A table of ten cards or more: its index is made by stretches, and its values are read from its file, or from the shards
    that exist of it. Threads may share this object.

    path: of the table's file, whether it is there or not
    """

    def __init__(self, path: Path, name: TableName, rules: Rules) -> None:
        header = header_of(name, rules, {})
        self._path, self._name, self._rules = path, name, rules
        self._bits, self._slots = header.scheme["bits"], slots_in(header, 0)[1]  # of a slot, of a chunk
        self._shard_chunks = shard_bytes(header) // header.chunk
        self._whole = open_table(path, rules, name) if path.exists() else None
        self._opened = lru_cache(maxsize=OPEN_SHARDS)(self._open)
        self._chunk = lru_cache(maxsize=LARGE_CHUNKS)(self._read)

    def look_up(self, positions: np.ndarray) -> np.ndarray:
        """The remoteness of well-formed positions, `MISSING` where no file holds it: uint8, shape (n,)."""
        slots = rank_many(self._name, positions)
        values = np.full(len(slots), MISSING, np.uint8)
        order = np.argsort(slots)
        chunks = (slots[order] // np.uint64(self._slots)).astype(np.int64)
        for places in np.split(order, np.flatnonzero(np.diff(chunks)) + 1) if len(order) else []:
            number = int(slots[places[0]]) // self._slots
            packed = self._chunk(number)
            if packed is not None:
                bit = (slots[places] - np.uint64(number * self._slots)).astype(np.int64) * self._bits
                values[places] = packed[bit // 8] >> (bit % 8).astype(np.uint8) & ((1 << self._bits) - 1)
        return values

    def _read(self, number: int) -> np.ndarray | None:
        """The bytes of a chunk of the table; None if no file holds it."""
        if self._whole is not None:
            return read_packed(self._whole, number)
        shard, chunk = divmod(number, self._shard_chunks)
        reader = self._opened(shard)
        return None if reader is None else read_packed(reader, chunk)

    def _open(self, number: int) -> Reader | None:
        """A shard; None if there is no such file. Raises `ForeignFileError` if it is not the shard that its name says."""
        for path in shards_of(self._path, number):
            shard = open_shard(Reader(path))
            if (shard.name, shard.number, shard.rules.lone_card) != (self._name, number, self._rules.lone_card):
                raise ForeignFileError(str(path), "it is not the shard that its name says")
            return shard.reader
        return None
