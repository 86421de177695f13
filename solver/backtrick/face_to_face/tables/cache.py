"""Tables in memory, packed as in their files. Chunks are read as they are needed, and dropped if there is a limit."""

from __future__ import annotations

import mmap
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from backtrick.face_to_face._tables import ValueTables
from backtrick.face_to_face.indices import TableName, index_of
from backtrick.face_to_face.tables.table import read_packed
from backtrick.storage.file import Reader

UNRESERVED = 0x4000  # Linux: room for a table may be larger than the memory of the machine


class ChunkCache:
    """Tables of one reading of F13. A chunk takes memory only once it is needed and read. Threads may share this object.

    tables: where the kernels look up values; it says which chunks are needed
    most:  bytes of chunks that stay in memory; then those that were read first are dropped. None for no limit. With a limit,
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
        shift = (header.chunk * (8 // bits) - 1).bit_length() if header.chunks > 1 else 63
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
