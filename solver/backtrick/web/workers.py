"""Threads for what takes longer than handing it over: the addresses take turns, within one amount of memory."""

from __future__ import annotations

import _thread
import asyncio
import ctypes
import os
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar

from backtrick.budget import Cancel
from backtrick.web.limits import Limits
from backtrick.web.responses import Busy

Made = TypeVar("Made")

GRACE = 0.4
"""Seconds that running work gets when the server ends. Then it is answered with what is known."""

IDLE_SECONDS = 1.0
"""Without work for so long, memory goes back to the system."""

NICE = 10
"""How much less of a core threads get than the event loop, where both want it: short answers come from the event loop."""


class Gone(Exception):  # noqa: N818, it is no error
    """The client has gone away: nobody waits for an answer."""


class Hurry(Cancel):
    """Ends the work for an answer: with what is known by then, or without an answer once the client is `gone`."""

    gone = False

    def leave(self) -> None:
        """Ends the work, for which nobody waits any more."""
        self.gone = True
        self()

    def check(self) -> None:
        """Raises `Gone` if nobody waits for the answer."""
        if self.gone:
            raise Gone


@dataclass(eq=False)
class _Job:
    """Work of a client. mib: its memory, once it has begun."""

    client: str
    work: Callable[[int], Any]
    hurry: Hurry
    done: asyncio.Future[Any]
    mib: int = 0


class Workers:
    """The threads of a server. All methods are called in the thread of the event loop.

    Addresses take turns. The next thread goes to the address that has the fewest, and among equals to the one that has waited
    longest. An address that has no thread gets one of `limits.spare` if all others are busy, so the long requests of one address do
    not delay a short one of another.

    Each search gets half of the memory that is left, but no more than an endgame takes by itself: 64 MiB, 64, 32, 16, ... of 192.
    """

    def __init__(self, limits: Limits):
        self._limits = limits
        self._waiting: dict[str, deque[_Job]] = {}  # the address whose turn is next comes first
        self._running: set[_Job] = set()
        self._begun: Counter[str] = Counter()
        self._idle: asyncio.TimerHandle | None = None

    @property
    def under_way(self) -> int:
        return len(self._running) + sum(map(len, self._waiting.values()))

    @property
    def memory(self) -> int:
        """The MiB that all running works may use."""
        return sum(job.mib for job in self._running)

    async def run(self, client: str, hurry: Hurry, work: Callable[[int], Made]) -> Made:
        """The result of `work` in a thread. It is called with the MiB that it may use, and watches `hurry`.

        Raises `Busy` if there is too much to do.
        """
        self._admit(client)
        loop = asyncio.get_running_loop()
        job = _Job(client, work, hurry, loop.create_future())
        self._waiting.setdefault(client, deque()).append(job)
        self._begin()
        timer = loop.call_later(self._limits.seconds, self._hurry, job)
        try:
            return await job.done
        except asyncio.CancelledError:
            hurry.leave()
            raise
        finally:
            timer.cancel()
            self._hurry(job)

    def _admit(self, client: str) -> None:
        limits, waiting = self._limits, self._waiting.get(client, ())
        if self._begun[client] + len(waiting) >= limits.a_client:
            detail = f"{limits.a_client} requests from your address are under way already, the most there may be"
            raise Busy(HTTPStatus.TOO_MANY_REQUESTS, detail)
        # An address that has nothing waiting may always wait with one.
        if waiting and sum(map(len, self._waiting.values())) >= limits.waiting:
            raise Busy(HTTPStatus.SERVICE_UNAVAILABLE, f"{self.under_way} requests are under way already, the most there may be")

    def _begin(self) -> None:
        """Begins the works whose turn it is, as far as there are threads."""
        limits = self._limits
        while self._waiting and len(self._running) < limits.threads + limits.spare:
            client = min(self._waiting, key=self._begun.__getitem__)  # the first of them
            if self._begun[client] and len(self._running) >= limits.threads:
                return
            waiting = self._waiting.pop(client)
            job = waiting.popleft()
            if waiting:
                self._waiting[client] = waiting  # at the end
            if job.hurry.called:
                _turn_away(job)
                continue
            job.mib = min((limits.memory - self.memory) // 2, limits.table_mib)
            self._running.add(job)
            self._begun[client] += 1
            try:  # a thread that does not delay the end of the process, whatever runs
                _thread.start_new_thread(self._work, (job, job.done.get_loop()))
            except RuntimeError:  # the system has no thread left
                _turn_away(job)
                self._end(job, None, None)

    def _work(self, job: _Job, loop: asyncio.AbstractEventLoop) -> None:
        _be_nice()
        made, error = None, None
        try:
            made = job.work(job.mib)
        except BaseException as raised:  # noqa: BLE001, it is raised where the work is awaited
            error = raised
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(self._end, job, made, error)

    def _end(self, job: _Job, made: Any, error: BaseException | None) -> None:
        self._running.discard(job)
        self._begun[job.client] -= 1
        if not self._begun[job.client]:
            del self._begun[job.client]
        if not job.done.done():
            if error is not None:
                job.done.set_exception(error)
            else:
                job.done.set_result(made)
        self._begin()
        if not self._running:
            if self._idle is not None:
                self._idle.cancel()
            self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._give_back_memory)

    def _hurry(self, job: _Job) -> None:
        """Ends a work soon: what runs says what it knows, what waits is turned away."""
        job.hurry()
        waiting = self._waiting.get(job.client)
        if waiting is not None and job in waiting:
            waiting.remove(job)
            if not waiting:
                del self._waiting[job.client]
            _turn_away(job)

    def _give_back_memory(self) -> None:
        """Gives freed memory back to the system, where its C library keeps it (glibc)."""
        if not self._running and sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
            trim(0)

    def close(self) -> None:
        """Ends what runs: it is answered with what is known by then."""
        for job in [*self._running, *(job for waiting in self._waiting.values() for job in waiting)]:
            self._hurry(job)


def _turn_away(job: _Job) -> None:
    if not job.done.done():
        job.done.set_exception(Busy(HTTPStatus.SERVICE_UNAVAILABLE, "no thread was free for this request in time"))


def _be_nice() -> None:
    if sys.platform == "linux":  # where threads have priorities of their own, which those that they begin inherit
        me = os.PRIO_PROCESS, threading.get_native_id()
        os.setpriority(*me, os.getpriority(*me) + NICE)  # of 19 at most, as the system has it
