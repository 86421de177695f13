"""Searches in threads of their own, so that they can be ended. Blind to the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from backtrick.batches import how_many, in_order
from backtrick.budget import UNLIMITED, Budget
from backtrick.errors import BudgetError
from backtrick.progress import bar
from backtrick.watch import Watch

Item = TypeVar("Item")
Made = TypeVar("Made")


def searched(
    search: Callable[[Item, bytearray], Made], items: Sequence[Item], budget: Budget = UNLIMITED, threads: int | None = None
) -> Iterator[Made]:
    """What `search` makes of each item and a stop, in order. budget: its seconds are for each item. threads: None for one a core.

    The searches run in threads of their own, even a single one: so Ctrl-C ends them at once, and so does closing the iterator.

    >>> list(searched(lambda number, stop: -number, [1, 2, 3]))
    [-1, -2, -3]
    """
    threads = how_many("threads", threads)
    return _searched(search, items, budget, min(threads, max(len(items), 1)))


def _searched(
    search: Callable[[Item, bytearray], Made], items: Sequence[Item], budget: Budget, threads: int
) -> Iterator[Made]:
    watch = Watch()

    def work(item: Item) -> Made:
        with watch.within(budget) as stop:
            return search(item, stop)

    pool = ThreadPoolExecutor(threads)
    try:
        with watch:
            yield from in_order(pool, work, items, 2 * threads)
    finally:
        watch.stop_all()
        pool.shutdown(cancel_futures=True)  # a search that is stopped ends within milliseconds


def searched_all(
    search: Callable[[Item, bytearray], Made],
    items: Sequence[Item],
    budget: Budget = UNLIMITED,
    threads: int | None = None,
    progress: bool | None = None,
) -> list[Made]:
    """As `searched`, in a list. progress: None for a bar on a terminal and lines in a log.

    >>> searched_all(lambda number, stop: -number, [1, 2, 3], progress=False)
    [-1, -2, -3]
    """
    made = []
    with bar(len(items), "solve", "pos", progress) as shown:
        for one in searched(search, items, budget, threads):
            made.append(one)
            shown.update(1)
    return made


@contextmanager
def stop_within(budget: Budget) -> Iterator[bytearray]:
    """Yields a stop for one search: its byte is set when the seconds of the budget are over."""
    with Watch() as watch, watch.within(budget) as stop:
        yield stop


@contextmanager
def room_for(table_mib: int) -> Iterator[None]:
    """A block that makes a solver with a memory of that size. Raises `BudgetError` if there is no room for it."""
    try:
        yield
    except MemoryError:
        raise BudgetError(f"no room for a table of {table_mib} MiB") from None
