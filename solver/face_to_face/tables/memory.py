"""Tables in memory, packed as they are in their files, and chunk by chunk as they are needed."""

from __future__ import annotations

import threading

import numpy as np

from solver.face_to_face._probe import Shelf
from solver.face_to_face.classes import index_of
from solver.face_to_face.tables.names import TableName
from solver.face_to_face.tables.table import read_packed
from solver.storage.file import Reader


class Memory:
    """Tables of one reading of F13. A chunk takes memory when it is first missed and read. May be shared by threads.

    shelf: what the kernels look at; it says which chunks were missed
    """

    def __init__(self) -> None:
        self.shelf = Shelf()
        self._tables: dict[TableName, tuple[Reader, np.ndarray]] = {}
        self._lock = threading.Lock()

    def __contains__(self, name: object) -> bool:
        return name in self._tables

    def put(self, name: TableName, reader: Reader) -> None:
        """Takes a table, of which no chunk is read yet, and its reader with it."""
        header = reader.header
        bits = header.scheme["bits"]
        shift = (header.chunk * (8 // bits) - 1).bit_length() if header.chunks > 1 else 63
        packed = np.zeros(header.length, np.uint8)  # the system has no memory for it until it is written to
        with self._lock:
            self.shelf.put(index_of(name), packed, bits, shift)
            self._tables[name] = reader, packed

    def read_missed(self, name: TableName) -> None:
        """Reads the chunks of a table that were missed. Raises `CorruptTableError`, `StorageError`."""
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
