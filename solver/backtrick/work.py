"""How long work may take, in how many threads it runs, how it ends early, and how its progress is shown.

A kernel looks at a *stop*, one byte of shared memory, and ends its search early once the byte is not zero.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import signal
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import islice
from queue import Empty, SimpleQueue
from types import FrameType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Union

from backtrick.errors import ArgumentError, BudgetError
from backtrick.values import positive, refused, shown, truth, whole

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from tqdm import tqdm  # it takes a quarter of the time of `import numpy`, so it is imported when something is shown

Item = TypeVar("Item")
Made = TypeVar("Made")
Solver = TypeVar("Solver")

# Limits

TABLE_MIB, DEAL_MIB = 64, 256
"""The memory for an endgame and for a deal, where a budget does not say."""

TEAM_MIB = 16
"""The default memory of threads that search together. It does not grow, and the system clears each page that is touched: with
64 MiB two threads took longer than one on deals of some 10,000 nodes. A search of minutes wants more."""

DEAL_SECONDS = 10
"""The time for a deal on the command line, where nothing limits the work."""

MOST_MIB = 1 << 24
MOST_SEARCH_THREADS = 256
MOST_WORKERS = 4096  # more wait for each other
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

    A node limit gives the same answer everywhere; a time limit does not. search_threads: how many threads search one deal together;
    with more than one the value is the same, but the nodes and the winning turn may differ. cancel: ends the work from another
    thread. Raises `BudgetError` for a limit that is not allowed.

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

TERMINATED = 128 + signal.SIGTERM


@contextmanager
def tidy_on_sigterm() -> Iterator[None]:
    """A context in which SIGTERM, which schedulers send, raises `SystemExit(TERMINATED)` in the main thread, once: so everything is
    cleaned up, as after Ctrl-C. Neither signal is lost where Python drops exceptions.

    In another thread it does nothing. A handler that somebody else has set stays.
    """
    ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not ours:
        yield
        return
    report = sys.unraisablehook
    signal.signal(signal.SIGTERM, _leave)
    sys.unraisablehook = partial(_leave_again, report)
    try:
        yield
    finally:
        sys.unraisablehook = report
        if signal.getsignal(signal.SIGTERM) is _leave:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _leave(number: int, frame: FrameType | None) -> None:
    if _is_in_hook(frame):
        _thread.start_new_thread(_send_again, (number,))
        return
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it may come twice, to the process and to its group
    raise SystemExit(TERMINATED)


def _leave_again(report: Callable[[sys.UnraisableHookArgs], object], lost: sys.UnraisableHookArgs) -> None:
    """Python drops what is raised in `__del__` or in the callback of a weak reference. So the signal is sent once more."""
    number = signal.SIGINT if lost.exc_type is KeyboardInterrupt else signal.SIGTERM
    if number == signal.SIGINT or (lost.exc_type is SystemExit and signal.getsignal(number) is signal.SIG_IGN):
        _thread.start_new_thread(_send_again, (number,))
        if number == signal.SIGTERM:
            signal.signal(number, _leave)
    else:
        report(lost)


def _send_again(number: int) -> None:
    """Sends a signal to this process once its main thread has left the hook, where it would be lost too."""
    main = threading.main_thread().ident or 0
    in_hook = True
    while in_hook:
        time.sleep(TICK)
        in_hook = _is_in_hook(sys._current_frames().get(main))
    os.kill(os.getpid(), number)


def _is_in_hook(frame: FrameType | None) -> bool:
    """True if the hook has not returned yet: Python drops what is raised in it."""
    while frame is not None:
        if frame.f_code is _leave_again.__code__:
            return True
        frame = frame.f_back
    return False


# Threads

SPAN = 1 << 14
"""Positions in a span: some milliseconds of work, so that a progress bar moves and Ctrl-C is noticed."""


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
    return min(count, MOST_WORKERS)


def fill_ranges(
    work: Callable[[int, int], int],
    count: int,
    *,
    threads: int | None = None,
    progress: bool | None = None,
    what: str = "",
    size: int = SPAN,
    unit: str = "positions",
    error: Callable[[int], Exception] = IndexError,
) -> None:
    """Calls work(start, stop) for the spans of 0..count. Raises what `error` makes of the first place that `work` refused.

    `work` releases the GIL, touches only its span, and returns -1 or the place of the first item that it refuses.
    threads: None for one per core. progress: None for a bar on a terminal and lines in a log, False for nothing.
    size: of a span; choose it smaller where one item can take long. unit: what the bar counts, in the plural.

    >>> fill_ranges(lambda start, stop: 7, 100)
    Traceback (most recent call last):
    IndexError: 7
    """
    threads = worker_count("threads", threads)
    check_progress(progress)
    if count <= size:
        if count and (place := work(0, count)) >= 0:
            raise error(place)
        return
    if threads == 1 and progress is False:
        for start in range(0, count, size):
            if (place := work(start, min(start + size, count))) >= 0:
                raise error(place)
        return
    size = -(-count // -(-count // size))  # spans of one size, so that no thread waits for another
    starts = range(0, count, size)

    def fill(start: int) -> int:
        return work(start, min(start + size, count))

    with bar(count, what, unit, progress) as shown, closing(map_threads(fill, starts, threads, ahead=None)) as places:
        for start, place in zip(starts, places, strict=True):
            if place >= 0:
                raise error(place)
            shown.update(min(size, count - start))


# Pools and threads of Python share locks with the caller. Ctrl-C that comes while the caller takes one leaves it locked for good,
# and the threads wait for ever. A SimpleQueue and a thread without an object have none.

Results = SimpleQueue[tuple[Any, BaseException | None]]
Asked = SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...], Results] | None]


def _ask(asked: Asked, work: Callable[..., Any], *given: Any) -> Results:
    """Asks the threads that wait at a queue for work(*given); returns the queue of its result."""
    answers: Results = SimpleQueue()
    asked.put((work, given, answers))
    return answers


def _answer_all(asked: Asked) -> None:
    """What a thread does: all it finds in the queue, up to None."""
    while (one := asked.get()) is not None:
        work, given, answers = one
        _answer(answers, work, *given)
        del one, work, given, answers  # a thread that waits keeps nothing alive
    asked.put(None)  # for the next thread


def _answer(answers: Results, work: Callable[..., Any], *given: Any) -> None:
    """Puts the result of work(*given) into a queue, or what it raises, which is then raised where the result is taken."""
    try:
        answers.put((work(*given), None))
    except BaseException as error:
        answers.put((None, error))


def _result(answers: Results) -> Any:
    made, error = answers.get()
    if error is not None:
        raise error
    return made


def map_threads(
    work: Callable[[Item], Made],
    items: Iterable[Item],
    threads: int,
    *,
    ahead: int | None = 2,
    end: Callable[[], object] = lambda: None,
) -> Generator[Made, None, None]:
    """The result of `work` for each item, in order.

    ahead: items handed out for each thread before their results are wanted, so that `items` may have no end; None for all of them.
    end: called when the caller wants no more, before the threads are waited for.

    >>> list(map_threads(abs, [-1, 2, -3], 2))
    [1, 2, 3]
    """
    asked: Asked = SimpleQueue()
    ended: SimpleQueue[None] = SimpleQueue()

    def run() -> None:
        _answer_all(asked)
        ended.put(None)

    answers, begun = (_ask(asked, work, item) for item in items), 0
    try:
        waiting = deque(islice(answers, ahead and ahead * threads))
        for _ in range(min(threads, len(waiting))):
            try:
                _thread.start_new_thread(run, ())
            except RuntimeError:  # the system has no thread left: fewer do the work
                if not begun:
                    raise
                break
            begun += 1
        while waiting:
            made = _result(waiting.popleft())
            waiting.extend(islice(answers, 1))
            yield made
    finally:
        end()
        with contextlib.suppress(Empty):
            while True:
                asked.get_nowait()
        asked.put(None)
        for _ in range(begun):
            ended.get()


class Crew:
    """Threads that stay, for work so short that it takes long to begin a thread for it. They end with this object.

    >>> Crew(2).map(max, [(1, 2), (4, 3), (5, 6), (8, 7)])
    [2, 4, 6, 8]
    """

    def __init__(self, threads: int):
        self._interrupted, self._process = False, os.getpid()
        self._queues: list[Asked] = [SimpleQueue() for _ in range(threads)]
        for queue in self._queues:
            _thread.start_new_thread(_answer_all, (queue,))

    def __del__(self) -> None:
        self.end()

    def end(self) -> None:
        """Ends the threads, each after its work. Later calls are done by the caller."""
        queues, self._queues = self._queues, []
        for queue in queues:
            queue.put(None)

    def map(self, work: Callable[..., Made], items: Sequence[tuple[Any, ...]]) -> list[Made]:
        """The result of work(*item) for each item, in order: the last by a thread each, the others by the caller."""
        self.wait()
        self._interrupted = True
        own = max(0, len(items) - len(self._queues))
        answers = [_ask(queue, work, *item) for queue, item in zip(self._queues, items[own:], strict=False)]
        made = [*(work(*item) for item in items[:own]), *map(_result, answers)]
        self._interrupted = False
        return made

    def wait(self) -> None:
        """Waits for the work of a call that an exception has ended, such as Ctrl-C."""
        if self._process != os.getpid():
            self._queues = []  # a fork has no threads
        if self._interrupted:
            for answers in [_ask(queue, int) for queue in self._queues]:  # a thread answers in order
                answers.get()
            self._interrupted = False


def map_ordered(executor: Executor, work: Callable[[Item], Made], items: Iterable[Item], ahead: int) -> Iterator[Made]:
    """The result of `work` for each item, in order. The executor has at most `ahead` calls waiting: `items` may have no end.

    Only a thread of this function talks to the executor, as its locks are shared too. Calls that have not begun are cancelled when
    the caller wants no more.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(1) as pool:
    ...     list(map_ordered(pool, abs, [-1, 2, -3], 2))
    [1, 2, 3]
    """
    asked: Asked = SimpleQueue()
    ended: SimpleQueue[None] = SimpleQueue()
    answers = (_ask(asked, work, item) for item in items)
    _thread.start_new_thread(_hand_out_all, (executor, asked, ended))
    try:
        waiting = deque(islice(answers, ahead))
        while waiting:
            yield _result(waiting.popleft())
            waiting.extend(islice(answers, 1))
    finally:
        asked.put(None)
        ended.get()


def _hand_out_all(executor: Executor, asked: Asked, ended: SimpleQueue[None]) -> None:
    """What the thread that talks to an executor does: all it finds in the queue, up to None."""
    futures: list[Future[Any]] = []
    while (one := asked.get()) is not None:
        work, given, answers = one
        try:
            future = executor.submit(work, *given)
        except BaseException as error:  # it is raised where the result is taken
            answers.put((None, error))
        else:
            future.add_done_callback(lambda done, answers=answers: _answer(answers, done.result))  # type: ignore[misc]
            futures = [*(future for future in futures if not future.done()), future]
    for future in futures:
        future.cancel()
    ended.put(None)


def map_searches(
    search: Callable[[Item, bytearray], Made], items: Sequence[Item], budget: Budget = UNLIMITED, threads: int | None = None
) -> Iterator[Made]:
    """The result of `search` for each item and its stop, in order. budget: its seconds are for each item. threads: None for one a
    core.

    The searches run in threads of their own, even a single one: so Ctrl-C ends them at once, and so does closing the iterator.

    >>> list(map_searches(lambda number, stop: -number, [1, 2, 3]))
    [-1, -2, -3]
    """
    cancel = Cancel()

    def work(item: Item) -> Made:
        with deadline(budget, cancel) as stop:
            return search(item, stop)

    count = min(worker_count("threads", threads), max(len(items), 1))
    yield from map_threads(work, items, count, end=cancel)  # a search that is stopped ends within milliseconds


def search_one(search: Callable[[bytearray], Made], budget: Budget) -> Made:
    """The result of `search` for a stop, in a thread of its own, so that Ctrl-C ends it at once.

    >>> search_one(len, UNLIMITED)
    1
    """
    [made] = map_searches(lambda _, stop: search(stop), [None], budget, 1)
    return made


class Team(Generic[Solver]):
    """A solver of deals, and those that join it, each in a thread of its own, once a deal has turned out not to be easy.

    make:  a solver with this many bytes of memory for itself, and with the table that all share as `shared`
    table: a shared table of this many bytes
    easy:  the nodes that a deal gets before others join
    own:   the bytes that each of these has for itself

    Raises `BudgetError` if there is no room for the memory that the budget allows.
    """

    def __init__(
        self, make: Callable[..., Solver], table: Callable[[int], object], budget: Budget, easy: int, own: int
    ) -> None:
        self._make, self._table, self._threads, self._easy, self._own = make, table, budget.search_threads, easy, own
        self._mib = budget.mib(DEAL_MIB if self._threads == 1 else TEAM_MIB)
        with allocating(self._mib):
            self.alone = make(self._mib << 20)

    def search(self, ask: Callable[[Solver, int], Made], nodes: int, spent: Callable[[Made], int]) -> list[Made]:
        """What each solver found that took part. ask: with a limit of nodes. nodes: of all together, 0 for no limit. spent: the
        nodes that were searched for a result."""
        if self._threads == 1:
            return [ask(self.alone, nodes)]
        first = ask(self.alone, min(nodes or self._easy, self._easy))
        if spent(first) < self._easy or 0 < nodes <= self._easy:
            return [first]
        with allocating(self._mib):
            shared = self._table(self._mib << 20)
        each = -(-(nodes - self._easy) // self._threads) if nodes else 0
        joined = map_threads(lambda _: ask(self._make(self._own, shared=shared), each), range(self._threads), self._threads)
        return [first, *joined]


# Progress: a bar on a terminal, or a line every few seconds in a log. Work that is soon done shows nothing.

LOG_SECONDS = 5.0
"""Seconds between two lines of a log, and before the first one. Most work takes less and writes no line."""


def check_progress(progress: object) -> None:
    """Raises `WrongTypeError` unless it is True, False or None."""
    if progress is not None and truth(progress) is None:
        raise refused("progress", "True or False, or None for a bar on a terminal", progress)


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
    """Shows the progress of some work: a context manager with `update(count)`.

    total: the number of `unit`s, a plural; None if it is not known. shown: None for a bar on a terminal and lines elsewhere, True
    for a bar anywhere, False for nothing. inner: a bar within another one; it disappears at the end, and a log omits it. leave:
    False for a bar that disappears at the end.
    estimate_after: units after which a log estimates the time left.
    """
    check_progress(shown)
    terminal = is_terminal(sys.stderr)
    notebook = "ipykernel" in sys.modules and is_installed("ipywidgets")  # where tqdm has a bar of its own
    if shown or (shown is None and (terminal or notebook)):
        make: Any = import_module("tqdm.auto" if notebook else "tqdm").tqdm
        made: Shown = make(total=total, desc=what, unit=f" {unit}", unit_scale=is_large(total), leave=leave and not inner)
        return made
    return LogLines(total, what, unit, estimate_after, hidden=shown is False or inner)


def is_installed(module: str) -> bool:
    """True if a module can be imported, which is not tried."""
    from importlib.util import find_spec  # seldom used

    return find_spec(module) is not None


def is_terminal(stream: Any) -> bool:
    """True for a stream that is a terminal. What stands for a stream may lack `isatty`, or be closed, or None."""
    try:
        return bool(stream.isatty())
    except Exception:
        return False


class LogLines:
    """A line on standard error every few seconds, and a last one at the end if there was any. hidden: none at all.

    If the total is known, lines appear also while nothing is finished.
    """

    def __init__(self, total: int | None, what: str, unit: str, estimate_after: int = 0, hidden: bool = False):
        self.total, self.what, self.unit, self.estimate_after, self.hidden = total, what, unit, estimate_after, hidden
        self.done, self.postfix = 0, ""
        self.began = time.monotonic()
        self._shown: int | None = None
        self._told: SimpleQueue[None] = SimpleQueue()
        self._ended: SimpleQueue[None] = SimpleQueue()

    def __enter__(self) -> LogLines:
        if not self.hidden:
            try:
                _thread.start_new_thread(_write_often, (weakref.ref(self), self._told, self._ended))
            except RuntimeError:  # the system has no thread left, and the work needs none for this
                self.hidden = True
        return self

    def __exit__(self, *_: object) -> None:
        if not self.hidden:
            self._told.put(None)
            self._ended.get()
            if self._shown is not None:
                self._write()

    def update(self, count: int = 1) -> None:
        self.done += count

    def set_postfix_str(self, text: str) -> None:
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
        return self._shown is not None

    def write_again(self) -> None:
        """Writes a line if there is something to say."""
        if self.total is not None or self.done != (self._shown or 0):
            self._write()

    def _write(self) -> None:
        self._shown = self.done
        with contextlib.suppress(Exception):  # the work goes on if the log is full or closed, or no log at all
            sys.stderr.write(self.line() + "\n")
            sys.stderr.flush()


def _write_often(lines: weakref.ref[LogLines], told: SimpleQueue[None], ended: SimpleQueue[None]) -> None:
    """What the thread of a log does until it is told to end, or until an interrupt has lost what would tell it."""
    try:
        while True:
            with contextlib.suppress(Empty):
                told.get(timeout=LOG_SECONDS)
                return
            if (log := lines()) is None:
                return
            log.write_again()
            del log
    finally:
        ended.put(None)


def is_large(total: int | None) -> bool:
    """True if counts are shortened, such as 2.36M."""
    return total is None or total >= 10_000


Shown = Union["tqdm[Any]", LogLines]  # noqa: UP007, it is made when the module is read
"""What `bar` returns."""


def was_seen(shown: Shown) -> bool:
    """True if it has shown anything so far; ask before it ends. Short work writes no line to a log."""
    return shown.seen if isinstance(shown, LogLines) else True
