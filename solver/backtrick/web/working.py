"""Work that takes longer than handing it over: in threads, with limits, and ended when nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from typing import Any, TypeVar

from backtrick.web.limits import Limits
from backtrick.web.problems import Busy, Gone
from backtrick.work import Cancel

Made = TypeVar("Made")

GRACE = 0.4
"""Seconds that running work gets when the server ends. Then it is answered with what is known."""


class Workers:
    """The threads of a server, and what they do. All methods are called in the thread of the event loop."""

    def __init__(self, limits: Limits):
        self._limits, self._pool = limits, ThreadPoolExecutor(limits.workers, "backtrick")
        self._cancels: dict[Cancel, str] = {}
        self._clients: Counter[str] = Counter()

    @property
    def under_way(self) -> int:
        """How many works run or wait."""
        return len(self._cancels)

    async def run(self, client: str, gone: Callable[[], Awaitable[object]], work: Callable[[Cancel], Made]) -> Made:
        """The result of `work` in a thread. gone: ends when the client has gone away; then the work is cancelled.

        Raises `Busy` if there is too much to do, and `Gone`.
        """
        self._admit(client)
        loop, cancel = asyncio.get_running_loop(), Cancel()
        self._cancels[cancel] = client
        self._clients[client] += 1
        job = self._pool.submit(self._begin, work, cancel)
        job.add_done_callback(lambda _: self._later(loop, cancel))
        done: asyncio.Future[Made] = asyncio.wrap_future(job)
        left = asyncio.ensure_future(gone())
        either: set[asyncio.Future[Any]] = {done, left}
        timer = loop.call_later(self._limits.seconds, cancel)
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not done.done():
                raise Gone
            return done.result()
        finally:
            timer.cancel()
            left.cancel()
            if not done.done():
                cancel()
                done.cancel()  # if it has not begun

    def _admit(self, client: str) -> None:
        limits = self._limits
        if self.under_way >= limits.workers + limits.waiting:
            raise Busy(HTTPStatus.SERVICE_UNAVAILABLE, f"{self.under_way} requests are under way already, the most there may be")
        if self._clients[client] >= limits.a_client:
            detail = f"{limits.a_client} requests from your address are under way already, the most there may be"
            raise Busy(HTTPStatus.TOO_MANY_REQUESTS, detail)

    @staticmethod
    def _begin(work: Callable[[Cancel], Made], cancel: Cancel) -> Made:
        if cancel.called:
            raise Busy(HTTPStatus.SERVICE_UNAVAILABLE, "no thread was free for this request in time")
        return work(cancel)

    def _later(self, loop: asyncio.AbstractEventLoop, cancel: Cancel) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(self._end, cancel)

    def _end(self, cancel: Cancel) -> None:
        client = self._cancels.pop(cancel)
        self._clients[client] -= 1
        if not self._clients[client]:
            del self._clients[client]

    def close(self) -> None:
        """Ends what runs: it is answered with what is known by then."""
        for cancel in self._cancels:
            cancel()


