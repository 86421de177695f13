"""Tables in memory, packed as in their files. Chunks are read as they are needed."""

from __future__ import annotations

import threading

import numpy as np

from solver.face_to_face._probe import Shelf
from solver.face_to_face.classes import index_of
from solver.face_to_face.tables.names import TableName
from solver.face_to_face.tables.table import read_packed
from solver.storage.file import Reader


class Memory:
    """Tables of one reading of F13. A chunk takes memory only once it is needed and read. Threads may share this object.

    shelf: where the kernels look up values; it says which chunks are needed
    """

    def __init__(self) -> None:
        self.shelf = Shelf()
        self._tables: dict[TableName, tuple[Reader, np.ndarray]] = {}
        self._lock = threading.Lock()

    def __contains__(self, name: object) -> bool:
        return name in self._tables

    def put(self, name: TableName, reader: Reader) -> None:
        """Adds a table, without any of its chunks. The reader belongs to this object from now on."""
        header = reader.header
        bits = header.scheme["bits"]
        shift = (header.chunk * (8 // bits) - 1).bit_length() if header.chunks > 1 else 63
        packed = np.zeros(header.length, np.uint8)  # the system gives memory only to parts that are written
        with self._lock:
            self.shelf.put(index_of(name), packed, bits, shift)
            self._tables[name] = reader, packed

    def read_missed(self, name: TableName) -> None:
        """Reads the chunks of a table that look-ups needed and did not find. Raises `CorruptTableError`, `StorageError`."""
        with self._lock:
            reader, packed = self._tables[name]
            for number in self.shelf.take_wanted(*name):
                start = number * reader.header.chunk
                items = read_packed(reader, number)
                packed[start : start + len(items)] = items
                self.shelf.publish(*name, number)  # last: another thread may look up at any time

    def close(self) -> None:
        """Closes the files."""
        with self._lock:
            for reader, _ in self._tables.values():
                reader.close()
