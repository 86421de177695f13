"""How much work an answer may take, and how it ends early.

A kernel looks at a *stop*, one byte of shared memory, and ends its search early once the byte is not zero.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from backtrick.errors import BudgetError
from backtrick.given import positive, shown, whole

TABLE_MIB, DEAL_MIB = 64, 256
"""The memory for an endgame and for a deal, where a budget does not say."""

TEAM_MIB = 16
"""The default memory of threads that search together. It does not grow, and the system clears each page that is touched: with
64 MiB two threads took longer than one on deals of some 10,000 nodes. A search of minutes wants more."""

DEAL_SECONDS = 10
"""The time for a deal on the command line, where nothing limits the work."""

MOST_MIB = 1 << 24
MOST_SEARCH_THREADS = 256
_MOST_NODES = 1 << 62  # as good as no limit


class Cancel:
    """Ends the work of every search that watches it: a search then returns what it has proved so far.

    >>> cancel, stop = Cancel(), bytearray(1)
    >>> with cancel.watched(stop):
    ...     cancel()
    >>> stop[0], cancel.called
    (1, True)
    """

    def __init__(self) -> None:
        self.called = False
        self._lock = threading.Lock()
        self._stops: list[bytearray] = []

    def __call__(self) -> None:
        """Ends the work, and all that begins later."""
        with self._lock:
            self.called = True
            for stop in self._stops:
                stop[0] = 1

    @contextmanager
    def watched(self, stop: bytearray) -> Iterator[None]:
        """A context in which a call sets the stop, at once if there was a call before."""
        with self._lock:
            self._stops.append(stop)
            stop[0] |= self.called
        try:
            yield
        finally:
            with self._lock:
                self._stops = [one for one in self._stops if one is not stop]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much work one answer may take: nodes searched, seconds by the clock (None: no limit), and MiB of remembered states
    (None: 64 for an endgame, 256 for a deal).

    A node limit gives the same answer everywhere; a time limit does not. search_threads: how many threads search one deal together,
    or find the endgames of a public state of Take That; the value is the same with any number, but the nodes and the winning turn
    of a deal may differ. cancel: ends the work from another thread. Raises `BudgetError` for a limit that is not allowed.

    >>> Budget(nodes=1000), Budget(nodes=1000).mib(64)
    (Budget(nodes=1000, seconds=None, table_mib=None), 64)
    >>> Budget(seconds=0)
    Traceback (most recent call last):
    backtrick.errors.BudgetError: seconds must be a number above 0, or None for no limit, not 0
    """

    nodes: int | None = None
    seconds: float | None = None
    table_mib: int | None = None
    cancel: Cancel | None = field(default=None, repr=False)
    search_threads: int = field(default=1, repr=False)

    def __post_init__(self) -> None:
        nodes, seconds, table_mib = whole(self.nodes), positive(self.seconds), whole(self.table_mib)
        if self.nodes is not None and (nodes is None or nodes < 1):
            raise BudgetError(f"nodes must be a whole number above 0, or None for no limit, not {shown(self.nodes)}")
        if self.seconds is not None and seconds is None:
            raise BudgetError(f"seconds must be a number above 0, or None for no limit, not {shown(self.seconds)}")
        if self.table_mib is not None and (table_mib is None or not 0 <= table_mib <= MOST_MIB):
            raise BudgetError(f"table_mib must be a whole number 0..{MOST_MIB} or None, not {shown(self.table_mib)}")
        threads = whole(self.search_threads)
        if threads is None or not 1 <= threads <= MOST_SEARCH_THREADS:
            raise BudgetError(f"search_threads must be a whole number, 1..{MOST_SEARCH_THREADS}, not {shown(self.search_threads)}")
        object.__setattr__(self, "nodes", None if nodes is None else min(nodes, _MOST_NODES))
        object.__setattr__(self, "seconds", None if seconds is None else min(seconds, threading.TIMEOUT_MAX))
        object.__setattr__(self, "table_mib", table_mib)
        object.__setattr__(self, "search_threads", threads)

    def mib(self, default: int) -> int:
        """The MiB of remembered states, or a default where the budget sets none."""
        return default if self.table_mib is None else self.table_mib


UNLIMITED = Budget()


@contextmanager
def allocating(table_mib: int) -> Iterator[None]:
    """A block that allocates so much memory. Raises `BudgetError` if there is not enough."""
    try:
        yield
    except MemoryError:
        raise BudgetError(f"no room for a table of {table_mib} MiB") from None


TICK = 0.002
"""Seconds between two looks at the clock."""


@contextmanager
def deadline(budget: Budget, cancel: Cancel | None = None) -> Iterator[bytearray]:
    """Yields a stop. It is set when the seconds of the budget are over, or when the budget's work or that of `cancel` is cancelled.

    >>> with deadline(Budget(seconds=0.01)) as stop:
    ...     while not stop[0]:
    ...         pass
    """
    stop = bytearray(1)
    with ExitStack() as stack:
        for one in (budget.cancel, cancel):
            if one is not None:
                stack.enter_context(one.watched(stop))
        if budget.seconds is not None:
            stack.enter_context(_CLOCK.watched(stop, budget.seconds))
        yield stop


class _Clock:
    """Sets stops when their time is over: one thread for all of them, since a timer for each would cost more than most searches."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched: dict[int, tuple[float, bytearray]] = {}
        self._thread: threading.Thread | None = None

    @contextmanager
    def watched(self, stop: bytearray, seconds: float) -> Iterator[None]:
        try:
            with self._lock:
                self._watched[id(stop)] = time.monotonic() + seconds, stop
                if self._thread is None or not self._thread.is_alive():
                    self._thread = threading.Thread(target=self._run, name="deadlines", daemon=True)
                    self._thread.start()
            yield
        finally:
            self._watched.pop(id(stop), None)  # without the lock: Ctrl-C could come while it waits there

    def _run(self) -> None:
        while True:
            time.sleep(TICK)
            now = time.monotonic()
            with self._lock:
                for end, stop in list(self._watched.values()):
                    if now >= end:
                        stop[0] = 1
                if not self._watched:
                    self._thread = None
                    return


_CLOCK = _Clock()
