"""Files that are held open and read at given offsets."""

from __future__ import annotations

import io
import os
import threading
from pathlib import Path
from typing import Any


class Held:
    """A file that is held open. It stays the same file even if another takes its name. It is closed with its last reference.

    Every read names its offset, so threads and forked processes do not disturb each other.
    """

    def __init__(self, path: Path):
        blocks = getattr(os, "O_NONBLOCK", 0)  # opening a pipe would wait for ever
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | blocks)
        self._lock = threading.Lock()

    def __del__(self) -> None:
        if hasattr(self, "_descriptor"):
            os.close(self._descriptor)

    def status(self) -> os.stat_result:
        """Size and times of the file."""
        return os.fstat(self._descriptor)

    def read(self, offset: int, count: int) -> bytes:
        """`count` bytes from `offset` on, or fewer where the file ends."""
        found = []
        while count and (part := self._read(offset, count)):
            found.append(part)
            offset, count = offset + len(part), count - len(part)
        return b"".join(found)

    def _read(self, offset: int, count: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._descriptor, count, offset)
        with self._lock:
            os.lseek(self._descriptor, offset, os.SEEK_SET)
            return os.read(self._descriptor, count)


class Stream(io.RawIOBase):
    """A held file as a stream, which the HDF5 library needs."""

    def __init__(self, held: Held):
        self._held, self._place = held, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._place = offset + (0, self._place, self._held.status().st_size)[whence]
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: Any) -> int:
        """Fills the buffer, or as much of it as the file still has; returns the number of bytes."""
        found = self._held.read(self._place, len(buffer))
        buffer[: len(found)] = found
        self._place += len(found)
        return len(found)
