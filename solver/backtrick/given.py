"""Values that a user gives, in Python or on a command line, as plain Python values. Blind to the game."""

from __future__ import annotations

import math
import re
from argparse import ArgumentTypeError
from collections.abc import Callable
from numbers import Real
from operator import index
from typing import Any

from backtrick.errors import WrongTypeError, shortened


def whole(given: Any) -> int | None:
    """The whole number that was given, one of Python's or of numpy's; None if something else was given.

    >>> import numpy as np
    >>> whole(3), whole(np.uint8(3)), whole(3.0), whole("3"), whole(True)
    (3, 3, None, None, None)
    """
    try:
        return None if isinstance(given, bool) else index(given)
    except TypeError:
        return None


def positive(given: Any) -> float | None:
    """The number above 0 that was given, one of Python's or of numpy's; None if something else was given.

    >>> import numpy as np
    >>> positive(0.5), positive(np.int64(5)), positive(0), positive(True), positive("1")
    (0.5, 5.0, None, None, None)
    """
    number = float(given) if isinstance(given, Real) and not isinstance(given, bool) else 0.0
    return number if number > 0 else None


def truth(given: Any) -> bool | None:
    """The truth value that was given, one of Python's or of numpy's; None if something else was given.

    >>> import numpy as np
    >>> truth(True), truth(np.False_), truth(1), truth("no")
    (True, False, None, None)
    """
    if isinstance(given, bool):
        return given
    import numpy as np  # help needs none of it

    return bool(given) if isinstance(given, np.bool_) else None


def read_whole(least: int | None = None, most: int | None = None) -> Callable[[str], int]:
    """A reader for argparse of an option that is a whole number within bounds.

    >>> read_whole(1, 8)("3")
    3
    >>> read_whole(1, 8)("-1")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: must be 1..8, not -1
    """

    def read(text: str) -> int:
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()):
            raise ArgumentTypeError(f"{shortened(text)!r} is not a whole number")
        number = int(text[:MOST_DIGITS])
        if (least is not None and number < least) or (most is not None and number > most):
            bounds = f"at least {least}" if most is None else f"{least}..{most}"
            raise ArgumentTypeError(f"must be {bounds}, not {shortened(text)}")
        return number

    return read


DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
"""A number of a command line or a query, in the one spelling that is read: Python would also read 1_0, nan and other digits."""


def read_positive(text: str) -> float:
    """Reads an option that is a number above 0, for argparse."""
    if not DECIMAL.fullmatch(text):
        raise ArgumentTypeError(f"{shortened(text)!r} is not a number")
    number = float(text)
    if not number > 0:
        raise ArgumentTypeError(f"must be above 0, not {shortened(text)}")
    return number


def read_number(text: str) -> float:
    """Reads an option that is a finite number, for argparse."""
    if not DECIMAL.fullmatch(text) or not math.isfinite(number := float(text)):
        raise ArgumentTypeError(f"{shortened(text)!r} is not a number")
    return number


def read_text(text: str) -> str:
    """Reads an option that names something, for argparse. A script whose variable is not set gives an empty text: refused."""
    if not text:
        raise ArgumentTypeError("must not be empty")
    return text


def read_output(text: str) -> str | None:
    """Reads the name of a file to write, for argparse; None for -, which is standard output.

    >>> read_output("-"), read_output("some.tsv")
    (None, 'some.tsv')
    """
    return None if text == "-" else read_text(text)


def read_file(text: str) -> str:
    """Reads the name of a file or directory where - makes no sense, for argparse."""
    if text == "-":
        raise ArgumentTypeError("must be a name, not -")
    return read_text(text)


MOST_DIGITS = 1000  # more digits change nothing here, and Python refuses to read several thousand


def escaped(text: object) -> str:
    """A text for use within one line of output: line ends, tabs, and whatever else is not printable, become escapes.

    >>> print(escaped(f"a{chr(9)}b{chr(27)}[1mc"))
    a\\tb\\x1b[1mc
    """
    given = str(text)
    if given.isprintable():
        return given
    return "".join(one if one.isprintable() else one.encode("unicode_escape", "surrogatepass").decode() for one in given)


def shown(given: object, most: int = 60) -> str:
    """A value for a sentence: on one line, and short.

    >>> shown("two\\nlines"), len(shown(list(range(1000))))
    ("'two\\\\nlines'", 60)
    >>> import numpy as np
    >>> shown(np.arange(1001)), shown(np.arange(1000))[:20], shown(type("Sized", (), {"size": 2000}))
    ('an array of shape (1001,)', 'array([ 0, 1, 2, 3, ', "<class 'backtrick.given.Sized'>")
    """
    if (size := getattr(given, "size", 0)) and isinstance(size, int) and size > 1000 and hasattr(given, "shape"):
        return f"an array of shape {given.shape}"  # its repr may take a minute
    try:
        text = " ".join(repr(given).split())
    except ValueError:  # Python writes no number of more than 4,300 digits
        text = "a very large number"
    return shortened(text, most)


def refused(name: str, expected: str, given: object) -> WrongTypeError:
    """The error for an argument that cannot be used. expected: what it must be, in words."""
    return WrongTypeError(f"{name} must be {expected}, not {shown(given)}")
