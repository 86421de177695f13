"""Searches in threads of their own, so that they can be ended. Blind to the game."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from solver.core.batches import how_many
from solver.core.budget import UNLIMITED, Budget
from solver.core.watch import Watch

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
            calls = (pool.submit(work, item) for item in items)
            waiting = deque(islice(calls, 2 * threads))
            while waiting:
                yield waiting.popleft().result()
                waiting.extend(islice(calls, 1))
    finally:
        watch.stop_all()
        pool.shutdown(cancel_futures=True)  # a search that is stopped ends within milliseconds
