"""How much work an answer may take, and what is known about a value when the work ends."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import cache
from numbers import Real

from backtrick.cancelling import Cancel
from backtrick.errors import BudgetError
from backtrick.values import whole

TABLE_MIB, DEAL_MIB = 64, 256
"""The memory for an endgame and for a deal, where a budget does not say."""

DEAL_SECONDS = 10
"""The time for a deal on the command line, where nothing limits the work."""

MOST_MIB = 1 << 24
_MOST_NODES = 1 << 62  # as good as no limit


@dataclass(frozen=True, slots=True)
class Budget:
    """How much work one answer may take: nodes searched, seconds by the clock (None: no limit), and MiB of remembered states
    (None: 64 for an endgame, 256 for a deal).

    A node limit gives the same answer everywhere; a time limit does not. cancel: ends the work from another thread. Raises
    `BudgetError` if a limit makes no sense.

    >>> Budget(nodes=1000), Budget(nodes=1000).mib(64)
    (Budget(nodes=1000, seconds=None, table_mib=None), 64)
    >>> Budget(seconds=0)
    Traceback (most recent call last):
    backtrick.errors.BudgetError: seconds is a number above 0, or None for no limit, not 0
    """

    nodes: int | None = None
    seconds: float | None = None
    table_mib: int | None = None
    cancel: Cancel | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        nodes, seconds, table_mib = whole(self.nodes), self.seconds, whole(self.table_mib)
        if self.nodes is not None and (nodes is None or nodes < 1):
            raise BudgetError(f"nodes is a whole number above 0, or None for no limit, not {self.nodes!r}")
        if seconds is not None and not (isinstance(seconds, Real) and seconds > 0):
            raise BudgetError(f"seconds is a number above 0, or None for no limit, not {seconds!r}")
        if self.table_mib is not None and (table_mib is None or not 0 <= table_mib <= MOST_MIB):
            raise BudgetError(f"table_mib is a whole number, 0..{MOST_MIB}, or None for the default, not {self.table_mib!r}")
        object.__setattr__(self, "nodes", None if nodes is None else min(nodes, _MOST_NODES))
        object.__setattr__(self, "seconds", None if seconds is None else float(min(seconds, threading.TIMEOUT_MAX)))
        object.__setattr__(self, "table_mib", table_mib)

    def mib(self, default: int) -> int:
        """The MiB of remembered states, or a default where nothing was said."""
        return default if self.table_mib is None else self.table_mib


UNLIMITED = Budget()


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known about a value: it is within [lowest, highest], and solved if the two are equal. `nodes`: nodes searched.

    >>> Bounds(3, 3).solved, Bounds(-1, 2, nodes=1000).solved
    (True, False)
    """

    lowest: int
    highest: int
    nodes: int = field(default=0, compare=False)

    @property
    def solved(self) -> bool:
        """True if the value is known."""
        return self.lowest == self.highest


@cache
def exactly(value: int) -> Bounds:
    """The bounds of a value that is known, always the same object for a value.

    >>> exactly(3)
    Bounds(lowest=3, highest=3, nodes=0)
    """
    return Bounds(value, value)
