"""What a user gives as a value, taken as a plain Python one. Blind to the game."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np


def whole(given: Any) -> int | None:
    """The whole number that was given, of Python's or numpy's; None if it is something else.

    >>> whole(3), whole(np.uint8(3)), whole(3.0), whole("3")
    (3, 3, None, None)
    """
    try:
        return index(given)
    except TypeError:
        return None


def truth(given: Any) -> bool | None:
    """True or False, of Python's or numpy's; None if something else was given.

    >>> truth(True), truth(np.False_), truth(1), truth("no")
    (True, False, None, None)
    """
    return bool(given) if isinstance(given, (bool, np.bool_)) else None
