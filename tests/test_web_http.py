"""Connections: what is read, what is refused and how, and what a connection may take. All on 127.0.0.1, in this process."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import socket
from collections.abc import Callable
from dataclasses import replace

import pytest

pytest.importorskip("httptools", reason="the HTTP API needs the extra `web`")

from backtrick.web import http  # noqa: E402
from backtrick.web.http import MOST_HEADERS, MOST_PIPELINED, Request, Response, Server  # noqa: E402
from backtrick.web.workers import Limits  # noqa: E402
from waiting import PATIENCE  # noqa: E402

LIMITS = Limits(head_seconds=PATIENCE, body_seconds=PATIENCE, idle_seconds=PATIENCE, connections=40, connections_a_client=20)
"""Times that no test reaches, however busy the machine is, but those that are about one of them."""
LONG = {"/long": 30_000_000, "/longer": 75_000_000}
HEAD = b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Limits are looked at ten times a second, and a refused client is read until it ends."""
    monkeypatch.setattr(http, "SWEEP_SECONDS", 0.1)
    monkeypatch.setattr(http, "LINGERING_SECONDS", PATIENCE)
    monkeypatch.setattr(http, "HALF_CLOSED_SECONDS", 0.2)


async def until(happened: Callable[[], object]) -> None:
    """Returns once it has happened; `served` ends what waits in vain."""
    while not happened():
        await asyncio.sleep(0.01)


class Served:
    """A server whose answers are what was asked. /slow is answered when `free` is set or the request is to come to its end."""

    def __init__(self, limits: Limits):
        self.free, self.asked = asyncio.Event(), list[Request]()
        self.server = Server(self.answer, lambda status, sentence: Response(status, sentence.encode()), limits)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.listening.setblocking(False)
        self.port = self.listening.getsockname()[1]

    def answer(self, request: Request):
        """At once, or later."""
        self.asked.append(request)
        if request.path in LONG:
            return Response(200, b"x" * LONG[request.path])
        return self.later(request) if request.path == "/slow" else Response(200, f"{request.path} {len(request.body)}".encode())

    async def later(self, request: Request) -> Response:
        """The answer of /slow."""
        await until(lambda: self.free.is_set() or request.cancel.called)
        return Response(200, b"cancelled" if request.cancel.called else b"done")

    async def connect(self, sent: bytes = b"", address: str = "127.0.0.1"):
        """A connection that has sent something."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0), limit=1 << 26)
        writer.write(sent)
        return reader, writer

    async def say(self, sent: bytes, ends: bool = False) -> bytes:
        """All that comes back for what is sent."""
        reader, writer = await self.connect(sent)
        if ends:
            writer.write_eof()
        answered = await asyncio.wait_for(reader.read(), PATIENCE)
        writer.close()
        return answered


def served(test, **more):
    """Runs a test with a server."""

    async def run():
        one = Served(replace(LIMITS, **more))
        accepting = asyncio.ensure_future(one.server.serve(one.listening))
        try:
            await asyncio.wait_for(test(one), PATIENCE)
        finally:
            accepting.cancel()
            await one.server.close(0)
            one.listening.close()
        await until(lambda: not one.server.connections and one.server.held == 0)

    asyncio.run(run())


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 here")
def test_limits_are_for_a_network_of_ipv6(monkeypatch):
    """An address of it, and an IPv4 address of a socket that listens for both, which is itself."""
    clients = []
    monkeypatch.setattr(http, "Connection", lambda server, client: clients.append(client) or asyncio.Protocol())

    async def test() -> None:
        listening = socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True)
        listening.setblocking(False)
        server = Server(lambda request: Response(200), lambda status, sentence: Response(status), LIMITS)
        for address in ("::1", "127.0.0.1"):
            _, writer = await asyncio.open_connection(address, listening.getsockname()[1])
            await server._accept(listening)
            writer.close()
        listening.close()

    asyncio.run(test())
    assert clients == ["::/64", "127.0.0.1"]


def statuses(answered: bytes) -> list[int]:
    return list(map(int, re.findall(rb"HTTP/1\.1 (\d+)", answered)))


def test_requests_of_a_connection_are_answered_in_order():
    async def test(one):
        one.free.set()
        body = b"POST /c HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX: y\r\n\r\n"
        last = b"GET /d%20e?f=%41 HTTP/1.1\r\nHost: localhost\r\nX: 1\r\nx: 2\r\nConnection: close\r\n\r\nand more"
        answered = await one.say(HEAD % b"a" + HEAD % b"slow" + body + last)
        bodies = [part.partition(b"\r\n\r\n")[2] for part in answered.split(b"HTTP/1.1 ")[1:]]
        assert bodies == [b"/a 0", b"done", b"/c 5", b"/d e 0"]
        asked = one.asked[-1]
        assert (asked.query, asked.headers["x"], asked.client) == (b"f=%41", "1, 2", "127.0.0.1")

    served(test)


def test_the_last_answer_says_that_the_connection_is_closed():
    async def test(one):
        for last in (b"GET /a HTTP/1.0\r\n\r\n", b"HEAD /a HTTP/1.1\r\nConnection: close\r\n\r\n"):
            answered = await one.say(last)
            assert b"connection: close" in answered and b"content-length: 4\r\n" in answered
            assert answered.endswith(b"\r\n\r\n") == last.startswith(b"HEAD")

    served(test)


WRONG = {
    b"hello\r\n\r\n": 400,
    b"GET / HTTP/9.9\r\n\r\n": 400,
    b"get / HTTP/1.1\r\n\r\n": 400,
    b"GET / HTTP/1.1\r\nBad Header\r\n\r\n": 400,
    b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n": 400,
    b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n": 400,
    b"\x16\x03\x01 of TLS": 400,
    b"POST / HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n": 413,
    b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"fffff\r\n" + b"x" * 0xFFFFF + b"\r\n": 413,
    b"GET / HTTP/1.1\r\nX: " + b"y" * 2 * MOST_HEADERS: 431,
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * MOST_HEADERS: 431,
    HEAD % b"slow" * (MOST_PIPELINED + 2): 429,
}


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_no_request_is_refused_and_the_status_can_be_read(number):
    sent, status = [*WRONG.items()][number]

    async def test(one):
        for more in (b"", b"x" * 3_000_000):  # a client that sends on must not lose the answer
            one.free.clear()
            asyncio.get_running_loop().call_later(0.1, one.free.set)
            assert statuses(await one.say(sent + more))[-1] == status

    served(test, body=500_000)


def test_a_request_that_ends_early_is_refused():
    async def test(one):
        assert statuses(await one.say((HEAD % b"a")[:-2], ends=True)) == [400]
        assert statuses(await one.say(b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc", ends=True)) == [400]
        assert await one.say(b"", ends=True) == b""

    served(test)


def test_a_client_that_closes_its_side_gets_its_answer():
    async def test(one):
        asyncio.get_running_loop().call_later(0.05, one.free.set)
        assert (await one.say(HEAD % b"slow" + HEAD % b"a", ends=True)).endswith(b"/a 0")
        one.free.clear()
        assert (await one.say(HEAD % b"slow", ends=True)).endswith(b"cancelled")  # it must come soon: nobody may be there

    served(test)


def test_a_client_that_has_gone_away_is_not_waited_for():
    async def test(one):
        reader, writer = await one.connect(HEAD % b"slow")
        await until(lambda: one.asked)
        writer.transport.abort()
        await until(lambda: one.asked[0].cancel.called)

    served(test)


@pytest.mark.parametrize(
    ("sent", "drip", "found", "limit"),
    [
        (b"", b"", [], "head_seconds"),
        ((HEAD % b"a")[:-4], b"", [408], "head_seconds"),
        ((HEAD % b"a")[:-4], b"\r\nX: y", [408], "head_seconds"),
        (b"POST / HTTP/1.1\r\nContent-Length: 9999999\r\n\r\nx", b"y", [408], "body_seconds"),
        (HEAD % b"a", b"", [200], "idle_seconds"),
    ],
    ids=["silent", "half a request", "drop by drop", "half a body", "idle"],
)
def test_a_connection_has_its_times(sent, drip, found, limit):
    async def test(one):
        began = asyncio.get_running_loop().time()
        reader, writer = await one.connect(sent)
        waiting = asyncio.ensure_future(reader.read())
        while not waiting.done() and drip:
            writer.write(drip)
            await asyncio.wait([waiting], timeout=0.05)
        answered = await waiting
        assert statuses(answered) == found and asyncio.get_running_loop().time() - began >= 0.3
        writer.close()

    served(test, body=10_000_000, **{limit: 0.3})


def test_an_answer_that_nobody_takes_is_dropped():
    async def test(one):
        reader, writer = await one.connect(HEAD % b"long")
        reader._transport.pause_reading()
        await until(lambda: one.asked)
        await until(lambda: not one.server.connections)
        writer.transport.abort()

    async def who_reads_gets_it(one):
        assert len(await one.say((HEAD % b"long")[:-2] + b"Connection: close\r\n\r\n")) > 30_000_000

    served(test, idle_seconds=0.3)
    served(who_reads_gets_it)


def test_a_client_that_goes_away_with_the_last_answer_does_no_harm(monkeypatch):
    async def test(one):
        reader, writer = await one.connect((HEAD % b"slow")[:-2] + b"Connection: close\r\n\r\n")
        await until(lambda: one.asked)

        def fails():
            raise OSError(107, "Transport endpoint is not connected")

        said = []
        monkeypatch.setattr(http, "LINGERING_SECONDS", 0.3)
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: said.append(context))
        monkeypatch.setattr(one.server.connections[0]._transport, "write_eof", fails)
        one.free.set()
        assert statuses(await reader.read()) == [200]
        writer.close()
        gc.collect()
        assert not said

    served(test)


def test_of_answers_that_are_not_taken_the_longest_is_dropped():
    async def test(one):
        slow = []
        for path, address in ((b"longer", "127.0.0.2"), (b"long", "127.0.0.3")):
            reader, writer = await one.connect(HEAD % path, address)
            reader._transport.pause_reading()
            slow.append(writer)
            if path == b"longer":
                await until(lambda: one.server.held)
        await until(lambda: "127.0.0.2" not in one.server._clients)
        assert "127.0.0.3" in one.server._clients
        for writer in slow:
            writer.transport.abort()

    served(test, held=80_000_000)


def test_bodies_in_memory_are_bounded():
    async def test(one):
        part = b"POST / HTTP/1.1\r\nContent-Length: 400000\r\n\r\n" + b"x" * 399_999
        kept = [await one.connect(part) for _ in range(2)]
        await until(lambda: one.server.held == 2 * 399_999)
        assert statuses(await one.say(part)) == [503]
        for _, writer in kept:
            writer.transport.abort()

    served(test, held=1_000_000)


def test_the_connection_that_waits_longest_makes_room():
    async def test(one):
        silent = [await one.connect(b"GET /", f"127.0.0.{2 + number % 3}") for number in range(60)]
        busy = await one.connect(HEAD % b"slow", "127.0.0.9")
        for _ in range(50):
            assert statuses(await one.say((HEAD % b"a")[:-2] + b"Connection: close\r\n\r\n")) == [200]
        assert len(one.server.connections) <= 40
        assert [len(found) for client, found in one.server._clients.items() if client == "127.0.0.9"] == [1]  # it is busy
        mine = [await one.connect(b"GET /", "127.0.0.1") for _ in range(30)]
        await asyncio.sleep(0.05)
        assert len(one.server._clients["127.0.0.1"]) <= 20
        for _, writer in [*silent, *mine, busy]:
            writer.transport.abort()

    served(test)


def test_failed_accepts_are_logged_once(monkeypatch, caplog):
    async def test(one):
        loop = asyncio.get_running_loop()
        accept, left = loop.sock_accept, [OSError(24, "Too many open files")] * 5

        async def failing(listening):
            if left:
                raise left.pop()
            return await accept(listening)

        monkeypatch.setattr(loop, "sock_accept", failing)
        for _ in range(2):
            assert statuses(await one.say((HEAD % b"a")[:-2] + b"Connection: close\r\n\r\n")) == [200]
        assert not left
        assert [record.levelno for record in caplog.records] == [logging.ERROR] and "Too many open files" in caplog.text

    served(test)


def test_expect_100_continue():
    async def test(one):
        head = b"POST / HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
        reader, writer = await one.connect(head)
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"abc")
        assert (await reader.read()).endswith(b"/ 3")
        writer.close()

    served(test)
