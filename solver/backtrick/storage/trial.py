"""Opening files in another process first, with a limit of time: HDF5 may loop or crash on a file made to do harm."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from multiprocessing.connection import Connection
from pathlib import Path

from backtrick.errors import BacktrickError, CorruptTableError
from backtrick.storage.file import Reader

SECONDS = 60
"""What opening a file may take. The largest tables take a few seconds."""


class Trial:
    """A process that opens files. A context manager; the process starts with the first file.

    seconds: what opening one file may take.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._tell: Connection | None = None

    def __enter__(self) -> Trial:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def open(self, path: Path) -> None:
        """Returns if opening the file comes to an end, whether it is sound or not. Raises `CorruptTableError` if not."""
        if self._tell is None:
            spawn = multiprocessing.get_context("spawn")
            self._tell, told = spawn.Pipe()
            self._process = spawn.Process(target=_open_all, args=(told,), daemon=True)
            self._process.start()
            told.close()
        self._tell.send(path)
        problem = f"HDF5 does not finish opening it within {self.seconds:g} s"
        if self._tell.poll(self.seconds):
            try:
                self._tell.recv()
                return
            except (EOFError, OSError):
                problem = "HDF5 crashes when it opens it"
        self._end()
        raise CorruptTableError(str(path), problem)

    def _end(self) -> None:
        if self._tell is not None:
            self._process.kill()
            self._process.join()
            self._tell.close()
            self._tell = None


def _open_all(told: Connection) -> None:
    """Opens the files whose paths come through the pipe, until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(EOFError):
        while True:
            with contextlib.suppress(BacktrickError), Reader(told.recv()) as reader:
                _ = reader.bounds
            told.send(None)
