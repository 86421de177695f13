"""The file of a match: the games that it holds, and whole lines at its end for those that follow."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from backtrick.errors import FileError, RecordError, StorageError
from backtrick.matches.record import Record

BEGINNING = b'{"game": '


class Recording:
    """The records of a match, and the file that they are written to; None for no file."""

    def __init__(self, path: Path | None, descriptor: int | None, records: list[Record]):
        self.path, self.records, self._descriptor = path, records, descriptor

    def add(self, records: Iterable[Record]) -> None:
        """Adds games that were played. Raises `StorageError` if they cannot be written."""
        new = list(records)
        if self._descriptor is not None:
            text = "".join(record.line() + "\n" for record in new).encode()
            try:
                while text:
                    text = text[os.write(self._descriptor, text) :]
            except OSError as error:
                raise StorageError(str(self.path), f"cannot be written: {error.strerror}") from None
        self.records += new


@contextmanager
def recording(path: Path | None, like: Record) -> Iterator[Recording]:
    """The recording of a match: with what its file holds already, if there is one. A last line that was cut short is dropped.

    like: a record of this match. Raises `FileError` if the file holds games of another match, or something else.
    """
    if path is None:
        yield Recording(None, None, [])
        return
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    except OSError as error:
        raise StorageError(str(path), f"cannot be written: {error.strerror}") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise StorageError(str(path), "it is no regular file, so a match could not go on from it")
        _lock(path, descriptor)
        try:
            text = path.read_bytes()
            end = text.rfind(b"\n") + 1
            rest = text[end:]
            if not begins_record(rest):
                raise FileError(str(path), "it is no file of games; --output names a new file, or one that a match wrote")
            records = list(parsed(path, text[:end].split(b"\n")[:-1]))
            _check_same(path, records, like)
            if rest:
                os.ftruncate(descriptor, end)
        except OSError as error:
            raise StorageError(str(path), f"cannot be read: {error.strerror}") from None
        yield Recording(path, descriptor, records)
    finally:
        os.close(descriptor)


def read(path: Path) -> list[Record]:
    """The games of a file. A last line that was cut short is passed over. Raises `StorageError`, `FileError` with the line."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise StorageError(str(path), f"cannot be read: {error.strerror}") from None
    lines = text.split(b"\n")
    last = lines.pop()
    if last and not (begins_record(last) and _is_cut(last)):
        lines.append(last)
    return list(parsed(path, lines))


def begins_record(text: bytes) -> bool:
    """True if a text may be the beginning of a record that was cut short, or nothing."""
    return text.startswith(BEGINNING) or BEGINNING.startswith(text)


def _is_cut(line: bytes) -> bool:
    try:
        Record.parse(line.decode(errors="replace"))
    except RecordError:
        return True
    return False


def parsed(path: Path, lines: Iterable[bytes]) -> Iterator[Record]:
    """The records of lines. Raises `FileError` that names the line."""
    for number, line in enumerate(lines, 1):
        try:
            yield Record.parse(line.decode(errors="replace"))
        except RecordError as error:
            raise FileError(str(path), f"line {number}: {error}") from None


def _check_same(path: Path, records: list[Record], like: Record) -> None:
    for number, record in enumerate(records, 1):
        for what in ("game", "seed", "rules", "adjudicate", "version"):
            theirs, ours = getattr(record, what), getattr(like, what)
            if theirs != ours:
                problem = f"line {number} is of a match with {what} {_said(theirs)}, and this one has {what} {_said(ours)}"
                raise FileError(str(path), f"{problem}; another match needs another file")


def _said(value: object) -> object:
    return "nothing" if value is None else value


def _lock(path: Path, descriptor: int) -> None:
    """The file is this match's alone, where the system can do so."""
    try:
        fcntl = import_module("fcntl")
    except ImportError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise StorageError(str(path), "another match is writing it") from None
