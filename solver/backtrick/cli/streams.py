"""Standard output and standard error. This file imports nothing heavy: `backtrick --version` needs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from backtrick.errors import StreamError
from backtrick.given import escaped


def write(text: str) -> None:
    """Write to standard output, buffered. Raises `BrokenPipeError`, or `StreamError` if it cannot be written."""
    _now_or_never(sys.stdout.write, text)


def write_to(path: str, text: str) -> None:
    """Write to a file, whole or not at all, or to standard output for -. Raises `StorageError`, and what `write` raises."""
    if path == "-":
        write(text)
        return
    from backtrick.storage.atomic import named_output

    with named_output(path) as file:
        file.write(text.encode())


def flush() -> None:
    """Write what is still in the buffer. Raises what `write` raises."""
    _now_or_never(sys.stdout.flush)


def _now_or_never(act: Callable[..., object], *arguments: str) -> None:
    try:
        act(*arguments)
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon_output()
        raise StreamError(f"standard output cannot be written: {error.strerror}") from None


def abandon_output() -> None:
    """Send what is still in the buffer nowhere: otherwise the interpreter tries again to write it at exit, and complains."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(sentence: str) -> None:
    """One line for people, on standard error."""
    if sys.stderr is not None:
        print(f"backtrick: {printable(sentence)}", file=sys.stderr)  # which is flushed at the end of a line


def printable(text: object) -> str:
    """A text, such as a path, for use within one line of output: line ends, tabs and what cannot be encoded become escapes.

    >>> print(printable(f"a{chr(9)}b{chr(10)}c"))
    a\\tb\\nc
    """
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return escaped(text).encode(encoding, "backslashreplace").decode(encoding)
