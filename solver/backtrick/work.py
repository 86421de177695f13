"""How long work may take, in how many threads it runs, how it ends early, and how people see it go on.

A kernel looks at a *stop*, one byte of shared memory, and ends its search early once the byte is not zero.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar, Union

from backtrick.errors import ArgumentError, BudgetError
from backtrick.values import positive, shown, whole

if TYPE_CHECKING:
    from concurrent.futures import Executor, ThreadPoolExecutor

    from tqdm import tqdm  # it takes a quarter of the time of `import numpy`, so it is imported when something is shown

Item = TypeVar("Item")
Made = TypeVar("Made")

# Limits

TABLE_MIB, DEAL_MIB = 64, 256
"""The memory for an endgame and for a deal, where a budget does not say."""

TEAM_MIB = 24
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

    A node limit gives the same answer everywhere; a time limit does not. search_threads: that search one deal together; with more
    than one the value is the same, but the nodes and the winning turn may differ. cancel: ends the work from another
    thread. Raises `BudgetError` if a limit makes no sense.

    >>> Budget(nodes=1000), Budget(nodes=1000).mib(64)
    (Budget(nodes=1000, seconds=None, table_mib=None), 64)
    >>> Budget(seconds=0)
    Traceback (most recent call last):
    backtrick.errors.BudgetError: seconds must be a number above 0, or None for no limit, not 0
    """

    nodes: int | None = None
    seconds: float | None = None
    table_mib: int | None = None
    cancel: Cancel | None = field(default=None, repr=False, compare=False)
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


# Stops

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
        with self._lock:
            self._watched[id(stop)] = time.monotonic() + seconds, stop
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="deadlines", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                del self._watched[id(stop)]

    def _run(self) -> None:
        while True:
            time.sleep(TICK)
            now = time.monotonic()
            with self._lock:
                for end, stop in self._watched.values():
                    if now >= end:
                        stop[0] = 1
                if not self._watched:
                    self._thread = None
                    return


_CLOCK = _Clock()

TERMINATED = 128 + signal.SIGTERM


@contextmanager
def tidy_on_sigterm() -> Iterator[None]:
    """A context in which SIGTERM, which schedulers send, raises `SystemExit(TERMINATED)` in the main thread, once: so everything is
    cleaned up, as after Ctrl-C.

    In another thread it does nothing. A handler that somebody else has set stays.
    """
    ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not ours:
        yield
        return
    report = sys.unraisablehook

    def leave_again(lost: sys.UnraisableHookArgs) -> None:
        """Python drops what is raised in `__del__` or in the callback of a weak reference. So the signal is sent once more."""
        if lost.exc_type is SystemExit and signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
            signal.signal(signal.SIGTERM, _leave)
            threading.Timer(TICK, os.kill, (os.getpid(), signal.SIGTERM)).start()
        else:
            report(lost)

    signal.signal(signal.SIGTERM, _leave)
    sys.unraisablehook = leave_again
    try:
        yield
    finally:
        sys.unraisablehook = report
        if signal.getsignal(signal.SIGTERM) is _leave:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _leave(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it may come twice, to the process and to its group
    raise SystemExit(TERMINATED)


# Threads

RANGE = 1 << 14
"""Positions in a range: some milliseconds of work, so that a progress bar moves and Ctrl-C is noticed."""


def available_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def worker_count(what: str, asked: object) -> int:
    """The number of threads or processes to use: the number that was asked for, or one per core. Raises `ArgumentError`.

    >>> worker_count("threads", 2)
    2
    """
    count = available_cores() if asked is None else whole(asked)
    if count is None or count < 1:
        raise ArgumentError(f"{what} must be a whole number of at least 1, or None for one per core, not {shown(asked)}")
    return count


def thread_pool(threads: int) -> ThreadPoolExecutor:
    """A pool of threads. Its module takes a tenth of the time of numpy to import, and many answers need no thread."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads)


def fill_ranges(
    work: Callable[[int, int], int],
    count: int,
    *,
    threads: int | None = None,
    progress: bool | None = None,
    what: str = "",
    size: int = RANGE,
    unit: str = "positions",
) -> int:
    """Calls work(start, stop) for the ranges of 0..count. Returns -1, or the first place that `work` refused.

    `work` releases the GIL, touches only its range, and returns -1 or the place of the first item that it refuses.
    threads: None for one per core. progress: None for a bar on a terminal and lines in a log, False for nothing.
    size: of a range; choose it smaller where one item can take long. unit: what the bar counts, in the plural.

    >>> fill_ranges(lambda start, stop: -1, 100)
    -1
    """
    threads = worker_count("threads", threads)
    if count <= size:
        return work(0, count) if count else -1
    if threads == 1 and progress is False:
        places = (work(start, min(start + size, count)) for start in range(0, count, size))
        return next((place for place in places if place >= 0), -1)
    size = -(-count // -(-count // size))  # ranges of one size, so that no thread waits for another
    starts = range(0, count, size)
    with bar(count, what, unit, progress) as shown, thread_pool(threads) as pool:
        results = [pool.submit(work, start, min(start + size, count)) for start in starts]
        try:
            for start, result in zip(starts, results, strict=True):
                refused = result.result()
                if refused >= 0:
                    return refused
                shown.update(min(size, count - start))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return -1


def map_threads(work: Callable[[Item], Made], items: Sequence[Item], threads: int | None = None) -> Iterator[Made]:
    """The result of `work` for each item, in order. threads: None for one per core; a single item starts no thread.

    >>> list(map_threads(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    if len(items) < 2:
        yield from map(work, items)
        return
    with thread_pool(worker_count("threads", threads)) as pool:
        yield from pool.map(work, items)


def map_ordered(executor: Executor, work: Callable[[Item], Made], items: Iterable[Item], ahead: int) -> Iterator[Made]:
    """The result of `work` for each item, in order. The executor has at most `ahead` calls waiting: `items` may have no end.

    >>> with thread_pool(1) as pool:
    ...     list(map_ordered(pool, abs, [-1, 2, -3], 2))
    [1, 2, 3]
    """
    calls = (executor.submit(work, item) for item in items)
    waiting = deque(islice(calls, ahead))
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(islice(calls, 1))


def map_searches(
    search: Callable[[Item, bytearray], Made], items: Sequence[Item], budget: Budget = UNLIMITED, threads: int | None = None
) -> Iterator[Made]:
    """The result of `search` for each item and its stop, in order. budget: its seconds are for each item. threads: None for one a
    core.

    The searches run in threads of their own, even a single one: so Ctrl-C ends them at once, and so does closing the iterator.

    >>> list(map_searches(lambda number, stop: -number, [1, 2, 3]))
    [-1, -2, -3]
    """
    return _map_searches(search, items, budget, min(worker_count("threads", threads), max(len(items), 1)))


def _map_searches(
    search: Callable[[Item, bytearray], Made], items: Sequence[Item], budget: Budget, threads: int
) -> Iterator[Made]:
    cancel = Cancel()

    def work(item: Item) -> Made:
        with deadline(budget, cancel) as stop:
            return search(item, stop)

    pool = thread_pool(threads)
    try:
        yield from map_ordered(pool, work, items, 2 * threads)
    finally:
        cancel()
        pool.shutdown(cancel_futures=True)  # a search that is stopped ends within milliseconds


def search_one(search: Callable[[bytearray], Made], budget: Budget) -> Made:
    """What `search` makes of a stop, in a thread of its own, so that Ctrl-C ends it at once.

    >>> search_one(len, UNLIMITED)
    1
    """
    [made] = _map_searches(lambda _, stop: search(stop), [None], budget, 1)
    return made


# Progress: a bar on a terminal, or a line every few seconds in a log. Work that is soon done shows nothing.

LOG_SECONDS = 5.0
"""Seconds between two lines of a log, and before the first one. Most work takes less and writes no line."""

LOG_THREAD = "progress"


def bar(
    total: int | None,
    what: str,
    unit: str,
    shown: bool | None = None,
    *,
    inner: bool = False,
    leave: bool = True,
    estimate_after: int = 0,
) -> Shown:
    """Shows how far some work is: a context manager with `update(count)`.

    total: the number of `unit`s, a plural; None if it is not known. shown: None for a bar on a terminal and lines elsewhere, True
    for a bar anywhere, False for nothing. inner: a bar within another one; it disappears at the end, and a log omits it. leave:
    False for a bar that disappears at the end.
    estimate_after: units after which a log estimates the time left.
    """
    terminal = sys.stderr is not None and sys.stderr.isatty()
    if shown or (shown is None and terminal):
        from tqdm import tqdm

        return tqdm(total=total, desc=what, unit=f" {unit}", unit_scale=is_large(total), leave=leave and not inner)
    return LogLines(total, what, unit, estimate_after, hidden=shown is False or inner)


class LogLines:
    """A line on standard error every few seconds, and a last one at the end if there was any. hidden: none at all.

    If the total is known, lines appear also while nothing is finished.
    """

    def __init__(self, total: int | None, what: str, unit: str, estimate_after: int = 0, hidden: bool = False):
        self.total, self.what, self.unit, self.estimate_after, self.hidden = total, what, unit, estimate_after, hidden
        self.done, self.postfix = 0, ""
        self.began = time.monotonic()
        self._shown: int | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._write_often, name=LOG_THREAD, daemon=True)

    def __enter__(self) -> LogLines:
        if not self.hidden:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self.hidden:
            self._over.set()
            self._thread.join()
            if self._shown is not None:
                self._write()

    def update(self, count: int = 1) -> None:
        """Adds `count` to what is done."""
        self.done += count

    def set_postfix_str(self, text: str) -> None:
        """Sets the text at the end of each line from now on."""
        self.postfix = text

    def line(self) -> str:
        """The line that describes the work now."""
        from tqdm import tqdm

        seconds = time.monotonic() - self.began
        return tqdm.format_meter(
            self.done,
            self.total or 0,
            seconds,
            ncols=0,  # no bar, and no limit
            prefix=self.what,
            unit=f" {self.unit}",
            unit_scale=is_large(self.total),
            rate=None if seconds >= 1 and self.done >= self.estimate_after else 0,
            postfix=self.postfix,
        )

    @property
    def seen(self) -> bool:
        """True if there was a line."""
        return self._shown is not None

    def _write_often(self) -> None:
        while not self._over.wait(LOG_SECONDS):
            if self.total is not None or self.done != (self._shown or 0):
                self._write()

    def _write(self) -> None:
        self._shown = self.done
        with contextlib.suppress(OSError, ValueError):  # the work goes on if the log is full or closed
            if sys.stderr is not None:
                sys.stderr.write(self.line() + "\n")
                sys.stderr.flush()


def is_large(total: int | None) -> bool:
    """True if counts are shortened, such as 2.36M."""
    return total is None or total >= 10_000


Shown = Union["tqdm[Any]", LogLines]  # noqa: UP007, it is made when the module is read
"""What `bar` returns."""


def was_seen(shown: Shown) -> bool:
    """True if people have seen it so far, asked before it ends: work that is soon done writes no line in a log."""
    return shown.seen if isinstance(shown, LogLines) else True
