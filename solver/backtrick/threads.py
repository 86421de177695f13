"""Work in several threads: over ranges, over items, and of searches that Ctrl-C ends at once."""

from __future__ import annotations

import _thread
import contextlib
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from backtrick.budget import DEAL_MIB, TEAM_MIB, UNLIMITED, Budget, Cancel, allocating, deadline
from backtrick.errors import ArgumentError
from backtrick.given import shown, whole
from backtrick.progress import bar, check_progress

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Item = TypeVar("Item")
Made = TypeVar("Made")
Solver = TypeVar("Solver")

SPAN = 1 << 14
"""Positions in a span: some milliseconds of work, so that a progress bar moves and Ctrl-C is noticed."""

_MOST_WORKERS = 4096  # more wait for each other


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
    return min(count, _MOST_WORKERS)


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
