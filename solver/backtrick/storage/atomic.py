"""Files that are whole or absent: written to a temporary file, synced, renamed. A directory has one writer at a time."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from backtrick.errors import StorageError

TEMPORARY = ".tmp"
LEFT = f"*.h5.[0-9]*-{'[0-9a-f]' * 8}{TEMPORARY}"  # Backtrick's temporary files only


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yields a temporary path to write to. At the end the file replaces `path`, durably, at once; after an error it is removed.

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
            yield temporary
            _sync(temporary, os.O_RDWR)
            temporary.replace(path)
            _sync(path.parent, os.O_RDONLY)
        finally:
            temporary.unlink(missing_ok=True)


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
def reported(path: Path) -> Iterator[None]:
    """Raises `StorageError`, one sentence that names the path, for an `OSError` of the block."""
    try:
        yield
    except OSError as error:
        problem = os.strerror(error.errno) if error.errno else str(error)
        raise StorageError(str(path), f"cannot be written: {problem}") from error


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
    if directory.exists() and not directory.is_dir():
        raise StorageError(str(directory), "is not a directory")
    with reported(directory):
        directory.mkdir(parents=True, exist_ok=True)
        lock = (directory / ".lock").open("a")
    with lock:
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # no such lock on this system; whole files keep two writers harmless
            pass
        except BlockingIOError:
            raise StorageError(str(directory), "another process is writing there; wait for it or stop it") from None
        except OSError as error:
            raise StorageError(str(directory), f"cannot be locked: {error.strerror}") from error
        with reported(directory):
            for left in (*directory.glob(LEFT), *directory.glob(f".*/*/{LEFT}")):
                left.unlink(missing_ok=True)
        yield
