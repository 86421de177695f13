"""Files that are whole or absent: written to a temporary file, synced, renamed. A directory has one writer at a time.
A descriptor, a pipe or a device is written to, never replaced."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from backtrick.errors import FileError, StorageError

TEMPORARY = ".tmp"
LEFT = f"*.h5.[0-9]*-{'[0-9a-f]' * 8}{TEMPORARY}"  # Backtrick's temporary files only


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yields a temporary path to write to. At the end the file replaces `path`, durably, at once; after an error it is removed.
    Who may read or write a file that is replaced may do so afterwards, and nobody else, nor meanwhile.

    Raises `StorageError` for whatever the system refuses: a full disk, a read-only directory.

    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "x"
    >>> with whole_file(target) as temporary:
    ...     _ = temporary.write_text("all of it")
    >>> target.read_text()
    'all of it'
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}{TEMPORARY}")
    with reported(path):
        try:
            if path.exists():
                temporary.touch(0o600, exist_ok=False)
                temporary.chmod(stat.S_IMODE(path.stat().st_mode) | stat.S_IWUSR)
            yield temporary
            _sync(temporary, os.O_RDWR)
            if path.exists():
                shutil.copymode(path, temporary)
            temporary.replace(path)
            _sync(path.parent, os.O_RDONLY)
        finally:
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def named_output(path: str, seeks: bool = False) -> Iterator[BinaryIO]:
    """Yields a file to write to, at a path that a user named: a regular file appears, or is replaced, whole or not at all; the file
    that a link leads to is replaced. A descriptor such as `/dev/stdout`, a pipe or a device is written to as it is.

    seeks: the place of writing is set, which only a regular file allows. Raises `StorageError`; `BrokenPipeError` if the reader of
    a pipe closes it.

    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "x"
    >>> with named_output(str(target)) as file:
    ...     _ = file.write(b"all of it")
    >>> target.read_text()
    'all of it'
    """
    target = file_named(path)
    descriptor = _descriptor_of(path)
    try:
        is_whole = descriptor is None and (not target.exists() or stat.S_ISREG(target.stat().st_mode))
    except OSError as error:  # a directory that may not be searched, or a name that is too long
        raise StorageError(path, f"cannot be written: {error.strerror}") from None
    if is_whole:
        with whole_file(target.resolve()) as temporary, temporary.open("wb") as file:
            yield file
    elif seeks:
        raise StorageError(path, "cannot be written: it is not a regular file, and this format needs one")
    else:
        with _written(path):
            if descriptor is not None:
                sys.stdout.flush()
            stream = open(path if descriptor is None else os.dup(descriptor), "wb")  # noqa: PTH123, SIM115
        with _written(path), stream:
            yield stream


def file_named(path: str | Path) -> Path:
    """The path of a file that is to be written. Raises `StorageError` for a directory, and if that of the file is not there.

    >>> file_named("nowhere/file")
    Traceback (most recent call last):
    backtrick.errors.StorageError: nowhere/file: cannot be written: there is no directory nowhere
    """
    if not str(path):
        raise StorageError("''", "cannot be written: the name is empty")
    target, problem = Path(path), ""
    with contextlib.suppress(OSError):  # a directory that may not be searched, or a name that is too long
        if target.is_dir():
            problem = "it is a directory"
        elif str(path).endswith(("/", os.sep)):
            problem = "there is no such directory"
        elif not target.parent.is_dir():
            problem = f"there is no directory {target.parent}"
    if problem:
        raise StorageError(str(path), f"cannot be written: {problem}")
    return target


@contextlib.contextmanager
def _written(path: str) -> Iterator[None]:
    """As `reported`, without the errors of pipes whose reader is gone."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StorageError(path, f"cannot be written: {error.strerror or error}") from error


def _descriptor_of(path: str) -> int | None:
    """The open descriptor of this process that a path leads to, perhaps by links; None if it leads to something else. To open such
    a path again would begin at the first byte of a file to which a shell appends.

    >>> [_descriptor_of(path) for path in ("/dev/fd/2", "/dev/fd/x", "some.txt")]
    [2, None, None]
    """
    own = re.compile(rf"/dev/fd|/proc/{os.getpid()}(/task/[0-9]+)?/fd")
    for _ in range(40):  # as many links as Linux follows
        folder, name = os.path.split(path)
        folder = os.path.realpath(folder)
        if own.fullmatch(folder) and name.isdecimal():
            return int(name)
        path = os.path.join(folder, name)  # noqa: PTH118
        if not os.path.islink(path):  # noqa: PTH114
            return None
        path = os.path.join(folder, os.readlink(path))  # noqa: PTH115, PTH118
    return None


@contextlib.contextmanager
def whole_directory(path: Path, check: Callable[[], None]) -> Iterator[Path]:
    """Yields a temporary directory to fill, beside `path`. At the end it takes the place of `path`, durably; after an error it
    is removed. What lay at `path` stays until then, and is removed after it.

    check: called right before that; it raises if what lies at `path` by then must stay.

    Raises `StorageError` for whatever the system refuses. A process that is killed leaves the temporary directory behind, whose
    name is that of `path`, then numbers, then `.tmp`.

    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "x"
    >>> with whole_directory(target, check=lambda: None) as temporary:
    ...     _ = (temporary / "y").write_text("all of it")
    >>> [one.name for one in target.iterdir()]
    ['y']
    """
    temporary, aside = (path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}{TEMPORARY}") for _ in range(2))
    with reported(path):
        try:
            temporary.mkdir()
            yield temporary
            for folder, _, names in os.walk(temporary):
                for name in names:
                    _sync(Path(folder, name), os.O_RDWR)
                _sync(Path(folder), os.O_RDONLY)
            check()
            if path.exists():
                path.rename(aside)
            temporary.rename(path)
            _sync(path.parent, os.O_RDONLY)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
            if aside.exists() and not path.exists():
                aside.rename(path)  # the new one did not arrive
            shutil.rmtree(aside, ignore_errors=True)


@contextlib.contextmanager
def reported(path: Path, verb: str = "written") -> Iterator[None]:
    """Raises `StorageError`, one sentence that names the path, for an `OSError` of the block. verb: what the block does."""
    try:
        yield
    except OSError as error:
        problem = os.strerror(error.errno) if error.errno else str(error)
        raise StorageError(str(path), f"cannot be {verb}: {problem}") from error


def _sync(path: Path, flags: int) -> None:
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def only_writer(directory: Path) -> Iterator[None]:
    """Holds the directory's lock. The system releases it however the process ends. Raises `StorageError` if another holds it.

    Removes the temporary files that killed writers left behind.
    """
    with reported(directory):
        if directory.exists() and not directory.is_dir():
            raise StorageError(str(directory), "is not a directory")
        directory.mkdir(parents=True, exist_ok=True)
        held = (directory / ".lock").open("a")
    with held:
        lock(directory, held.fileno(), "another process is writing there; wait for it or stop it")
        with reported(directory):
            for left in (*directory.glob(LEFT), *directory.glob(f".*/*/{LEFT}")):
                left.unlink(missing_ok=True)
        yield


def lock(path: Path, descriptor: int, taken: str) -> None:
    """Locks an open file for this process, where the system has such locks; whole files keep two writers harmless. It does nothing
    if `HDF5_USE_FILE_LOCKING` is FALSE or 0, as users of HDF5 set it where a file system has none.

    taken: the sentence if another process holds the lock. Raises `StorageError`, which names the path.
    """
    if os.environ.get("HDF5_USE_FILE_LOCKING", "").upper() in ("FALSE", "0"):
        return
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        return
    except BlockingIOError:
        raise StorageError(str(path), taken) from None
    except OSError as error:
        advice = "set HDF5_USE_FILE_LOCKING=FALSE to work without locks, if nothing else writes there"
        raise StorageError(str(path), f"cannot be locked: {error.strerror}; {advice}") from error


@contextlib.contextmanager
def growing_file(
    path: Path, begins: Callable[[bytes], bool], what: str, read: Callable[[bytes], object]
) -> Iterator[Callable[[str], None]]:
    """A file to which one program at a time adds lines: yields what adds text. It is looked at before it is touched; then a last
    line that was cut short is dropped.

    begins: True if bytes may be the beginning of a line, or nothing. what: such a file holds. read: looks at the whole lines
    that are there, and raises if they are of something else. Raises `StorageError`, and `FileError` for another file.
    """
    with reported(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise StorageError(str(path), "it is not a regular file, so nothing could be added to it later")
        lock(path, descriptor, "another process is writing it")
        with reported(path, "read"):
            text = path.read_bytes()
        with reported(path):
            end = text.rfind(b"\n") + 1
            if not begins(text[end:]):
                raise FileError(str(path), f"it is not a file of {what}; --output names a new file, or one that the command wrote")
            read(text[:end])
            if end < len(text):
                os.ftruncate(descriptor, end)

        def add(lines: str) -> None:
            left = lines.encode()
            with reported(path):
                while left:
                    left = left[os.write(descriptor, left) :]

        yield add
    finally:
        os.close(descriptor)
