"""Limits, stops and threads."""

from __future__ import annotations

import os
import threading
import time
import weakref
from contextlib import ExitStack
from dataclasses import replace

import pytest

from backtrick import take_that
from backtrick.budget import UNLIMITED, Budget, Cancel, deadline
from backtrick.game import SolveOptions
from backtrick.threads import Crew, Team, available_cores, fill_ranges, map_searches
from waiting import PATIENCE, wait_for


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


def test_each_deadline_passes_by_itself_and_one_thread_watches_all():
    with ExitStack() as stack:
        far = [stack.enter_context(deadline(Budget(seconds=3600))) for _ in range(20)]
        near = [stack.enter_context(deadline(Budget(seconds=0.001 * (place + 1)))) for place in range(20)]
        wait_for(lambda: all(stop[0] for stop in near))
        assert not any(stop[0] for stop in far)
        wait_for(lambda: clocks() == 1)  # that of the tests before may be about to end
    wait_for(lambda: clocks() == 0)
    with deadline(Budget(seconds=0.001)) as again, deadline(Budget()) as never:
        wait_for(lambda: again[0])
        assert not never[0]


def test_an_interrupt_while_the_clock_begins_leaves_no_deadline(monkeypatch):
    """The thread would look at the clock for ever."""

    def interrupt(thread):
        raise KeyboardInterrupt

    wait_for(lambda: clocks() == 0)
    monkeypatch.setattr(threading.Thread, "start", interrupt)
    with pytest.raises(KeyboardInterrupt), deadline(Budget(seconds=3600)):
        pass
    monkeypatch.undo()
    with deadline(Budget(seconds=0.001)) as stop:
        wait_for(lambda: stop[0])
    wait_for(lambda: clocks() == 0)


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


@pytest.mark.parametrize(("threads", "size"), [(1, 10), (1, 100), (2, 10)])
def test_ranges_end_at_the_first_that_is_refused(threads, size):
    """In one thread nothing behind it is looked at."""
    for wrong in (0, 1, 9, 10, 57, 99):
        seen = []

        def work(start, stop, wrong=wrong, seen=seen):
            seen.append((start, stop))
            return wrong if start <= wrong < stop else -1

        with pytest.raises(IndexError, match=f"^{wrong}$"):
            fill_ranges(work, 100, threads=threads, progress=False, size=size)
        assert threads > 1 or seen == [(start, start + size) for start in range(0, wrong + 1, size)]
    fill_ranges(lambda start, stop: -1, 95, threads=threads, progress=False, size=size)


def test_one_thread_shows_how_far_it_is_too(capsys):
    fill_ranges(lambda start, stop: -1, 95, threads=1, progress=True, size=10, what="work")
    assert " 95/95 " in capsys.readouterr().err


def test_a_core_is_there_where_the_system_does_not_say_how_many(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert available_cores() == 1


@pytest.mark.parametrize(("nodes", "expected"), [(0, [10, 0, 0]), (9, [9]), (10, [10]), (11, [10, 1, 1]), (30, [10, 10, 10])])
def test_who_joins_a_search_gets_a_share_of_the_nodes_that_are_left(nodes, expected):
    """They join a deal that took all that an easy one gets. A limit of 0 is none."""
    team = Team(lambda size, shared="own": (size, shared), lambda size: "shared", Budget(search_threads=2, table_mib=1), 10, 1)
    asked = team.search(lambda solver, most: (solver, most), nodes, lambda found: found[1])
    assert [most for _, most in asked] == expected
    assert [solver for solver, _ in asked] == [(1 << 20, "own"), (1, "shared"), (1, "shared")][: len(asked)]


def test_what_an_exception_leaves_is_over_before_the_next_call():
    crew, over, raised = Crew(2), [], threading.Event()

    def work(place):
        if place == 0:
            raise KeyboardInterrupt
        raised.wait(PATIENCE)
        time.sleep(0.05)
        over.append(place)

    with pytest.raises(KeyboardInterrupt):
        crew.map(work, [(0,), (1,), (2,)])
    assert not over
    raised.set()
    assert sorted(*crew.map(over.copy, [()])) == [1, 2]
    with pytest.raises(ZeroDivisionError):
        crew.map(divmod, [(1, 1), (1, 0)])
    crew.end()
    assert crew.map(abs, [(-1,), (-2,)]) == [1, 2], "the caller does it all"


def test_the_threads_of_a_crew_end_with_it():
    crew, kept = Crew(3), threading.local()

    def work():
        kept.by_thread = set()
        return weakref.ref(kept.by_thread)

    mine, *theirs = crew.map(work, [(), (), (), ()])
    assert mine() is not None and all(one() is not None for one in theirs)
    del crew
    wait_for(lambda: not any(one() is not None for one in theirs))


def test_a_budget_that_can_be_cancelled_is_no_unlimited_one():
    one, other = Budget(cancel=Cancel()), Budget(cancel=Cancel())
    assert UNLIMITED not in (one, other) and one != other and one == replace(one) and len({one, other, UNLIMITED, Budget()}) == 3


def test_grades_are_not_known_once_they_are_cancelled(monkeypatch):
    """Also where many are graded at once: with a cancel they are not graded as an array, which it would not end."""
    position, cancel, game = take_that.Position.parse("15,43,44,28,66 21,53,37,81 51-62-35"), Cancel(), take_that.GAME
    cancel()
    questions = [(position, next(iter(game.legal_turns(position))))] * 40
    with monkeypatch.context() as changed:
        changed.setattr(type(game), "grade_array", None)
        assert all(one.optimal is None for one in game.grades(questions, SolveOptions(game.published, Budget(cancel=cancel))))
    assert all(one.optimal is not None for one in game.grades(questions, SolveOptions(game.published)))
