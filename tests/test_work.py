"""Limits, stops and threads."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack

from backtrick.work import Budget, Cancel, deadline, fill_ranges, map_searches


def test_a_cancel_reaches_those_who_watch_before_and_after():
    cancel, before, after = Cancel(), bytearray(1), bytearray(1)
    with cancel.watched(before):
        cancel()
    with cancel.watched(after):
        assert before[0] == after[0] == 1
    calm = Cancel()
    with calm.watched(bytearray(1)):
        pass
    calm()


def clocks() -> int:
    """The number of threads that watch deadlines."""
    return sum(thread.name == "deadlines" for thread in threading.enumerate())


def wait_for(happened) -> None:
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_each_deadline_passes_by_itself_and_one_thread_watches_all():
    with ExitStack() as stack:
        far = [stack.enter_context(deadline(Budget(seconds=3600))) for _ in range(20)]
        near = [stack.enter_context(deadline(Budget(seconds=0.001 * (place + 1)))) for place in range(20)]
        wait_for(lambda: all(stop[0] for stop in near))
        assert not any(stop[0] for stop in far) and clocks() == 1
    wait_for(lambda: clocks() == 0)
    with deadline(Budget(seconds=0.001)) as again, deadline(Budget()) as never:
        wait_for(lambda: again[0])
        assert not never[0]


def test_either_cancel_sets_a_stop():
    for called in (0, 1):
        cancels = Cancel(), Cancel()
        with deadline(Budget(cancel=cancels[0]), cancels[1]) as stop:
            assert not stop[0]
            cancels[called]()
            assert stop[0]


def test_closing_the_iterator_ends_the_searches():
    def search(item: int, stop: bytearray) -> int:
        while item and not stop[0]:
            time.sleep(0.001)
        return item

    found = map_searches(search, [0, 1, 2, 3], threads=2)
    assert next(found) == 0
    found.close()  # returns, since the stops are set


def test_ranges_in_one_thread_end_at_the_first_that_is_refused():
    for wrong in (0, 1, 9, 10, 57, 99):
        seen = []

        def work(start, stop, wrong=wrong, seen=seen):
            seen.append((start, stop))
            return wrong if start <= wrong < stop else -1

        assert fill_ranges(work, 100, threads=1, progress=False, size=10) == wrong
        assert seen == [(start, start + 10) for start in range(0, wrong + 1, 10)]
    assert fill_ranges(lambda start, stop: -1, 95, threads=1, progress=False, size=10) == -1
