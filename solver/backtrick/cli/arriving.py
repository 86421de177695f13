"""Lines of standard input or of a file, in portions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

from backtrick.errors import StreamError
from backtrick.lines import Lines

PORTION = 1 << 20
"""The most bytes read at once: few enough to bound memory, and enough work for the threads to be worth starting."""


def from_stdin() -> Iterator[Lines]:
    """The lines of standard input, each portion as soon as it arrives: a program may wait for an answer before it goes on."""
    _widen()
    return lines_of(_read, "")


def _widen() -> None:
    """A pipe on Linux holds 64 KiB unless told otherwise: not enough work for the threads to be worth starting."""
    with suppress(ImportError, AttributeError, OSError):
        fcntl = import_module("fcntl")
        fcntl.fcntl(sys.stdin.fileno(), fcntl.F_SETPIPE_SZ, PORTION)


def lines_of(read: Callable[[], bytes], name: str) -> Iterator[Lines]:
    """The lines of the bytes that `read` returns, until it returns none. name: the file's name for errors."""
    number, rest = 0, b""
    while block := read():
        text = rest + block
        end = text.rfind(b"\n") + 1
        whole, rest = text[:end], text[end:]
        lines = whole.count(b"\n")
        if len(rest) > PORTION:
            place = f"{name}, line" if name else "line"
            raise StreamError(f"{place} {number + lines + 1} has more than {PORTION} characters")
        yield Lines(whole, number)
        number += lines
    yield Lines(rest, number)


def _read() -> bytes:
    if sys.stdin is None:
        raise StreamError("standard input is closed")
    try:
        stream: Any = sys.stdin.buffer  # a BufferedReader, unless somebody put another stream there
        return bytes(stream.read1(PORTION))
    except OSError as error:
        raise StreamError(f"standard input cannot be read: {error.strerror}") from None
