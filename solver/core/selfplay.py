"""Endgames out of whole games by the million, in blocks, so that memory stays flat and progress is seen. Blind to the game."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count as count_from
from itertools import islice
from typing import Any

import numpy as np

from solver.core.batches import how_many
from solver.core.errors import ArgumentError
from solver.core.progress import bar
from solver.core.values import whole

BLOCK = 1 << 9
"""Games that a thread plays at a time: some milliseconds."""

Array = np.ndarray[Any, Any]


def endgames(
    play: Callable[[int, int], Array], count: int, threads: int | None = None, progress: bool | None = None
) -> Iterator[Array]:
    """The first `count` endgames of games 0, 1, 2, ..., in blocks and in order.

    play: the endgames of games start..stop-1, as an array; it releases the GIL. threads: None for one a core; they play a few
    blocks ahead, and their number does not change the endgames. progress: None for a bar on a terminal and lines in a log.

    >>> [block.tolist() for block in endgames(lambda start, stop: np.arange(start, stop), 3, threads=1)]
    [[0, 1, 2]]
    """
    threads, left = how_many("threads", threads), whole(count)
    if left is None or left < 0:
        raise ArgumentError(f"count is a whole number of at least 0, not {count!r}")
    return _endgames(play, left, threads, progress)


def _endgames(play: Callable[[int, int], Array], left: int, threads: int, progress: bool | None) -> Iterator[Array]:
    size = min(BLOCK, max(16, left))  # games do not all reach their endgame
    blocks = _in_order(lambda start: play(start, start + size), size, threads)
    with bar(left, "self-play", "pos", progress) as shown, closing(blocks):
        while left:
            block = next(blocks)[:left]
            left -= len(block)
            yield block
            shown.update(len(block))


def _in_order(work: Callable[[int], Array], step: int, threads: int) -> Generator[Array, None, None]:
    """work(0), work(step), work(2 step), ... without end; each thread is at most two calls ahead."""
    if threads == 1:
        yield from map(work, count_from(0, step))
    with ThreadPoolExecutor(threads) as pool:
        calls = (pool.submit(work, start) for start in count_from(0, step))
        ahead = deque(islice(calls, 2 * threads))
        try:
            while True:
                yield ahead.popleft().result()
                ahead.append(next(calls))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def in_one_array(blocks: Iterator[Array], count: int, dtype: np.dtype) -> Array:
    """The items of all blocks, `count` together: shape (count,).

    >>> in_one_array(iter([np.arange(2), np.arange(3)]), 5, np.dtype(int))
    array([0, 1, 0, 1, 2])
    """
    array, filled = np.empty(count, dtype), 0
    for block in blocks:
        array[filled : filled + len(block)] = block
        filled += len(block)
    return array
