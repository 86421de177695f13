"""HTTP/1.1: connections of asyncio, parsed by httptools. Every limit on connections is here; docs/api.md says why.

A connection reads requests and answers them in their order. A request is handed on when it has arrived completely. It is answered
at once, or by a task that is cancelled when the connection is lost. `Server` checks once a second whether a connection takes too
long for its next step. A client that is refused can still read the reason: for two seconds, what it goes on sending is dropped.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import unquote

import httptools

from backtrick.execution import Cancel
from backtrick.web.responses import Response
from backtrick.web.workers import Limits, client_of

MOST_HEADERS = 1 << 16
"""Bytes before the body of a request, or behind it."""

MOST_PIPELINED = 32
"""Requests that a client may send before it has read the first answer."""

HALF_CLOSED_SECONDS = 2.0
"""For the answer to a client that has closed its side. It may wait for the answer, or it may be gone: both look the same."""

LINGERING_SECONDS = 2.0
"""How long what a client still sends is read after its last answer. If it were not, the system would drop the answer too."""

LEAST_SECONDS = 1.0
"""How long a connection without a request stays before it makes room for another one of the same client."""

SWEEP_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Request:
    """A whole request.

    path:    without its escapes
    query:   as it was sent
    headers: by their names in lower case; the values of a repeated header are joined by commas
    client:  the address that it came from, as `client_of` names it
    cancel:  called when the answer must come soon, or when the client is gone
    """

    method: str
    path: str
    query: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    client: str = ""
    cancel: Cancel = field(default_factory=Cancel)


Handler = Callable[[Request], "Response | Coroutine[Any, Any, Response]"]
"""Answers a request at once, or by a coroutine. It raises nothing."""

Refuse = Callable[[int, str], Response]
"""The response of a status and a sentence."""


class Server:
    """The connections of a server. All methods are called in the thread of the event loop.

    answer: what answers requests
    refuse: makes the answer to bytes that are not a request
    held:   bytes of bodies that arrive, and of answers that are not taken yet
    """

    def __init__(self, answer: Handler, refuse: Refuse, limits: Limits):
        self.answer, self.refuse, self.limits = answer, refuse, limits
        self.held = 0
        self._clients: dict[str, dict[Connection, None]] = {}
        self._failed = -1e9

    @property
    def connections(self) -> list[Connection]:
        """All open connections."""
        return [one for found in self._clients.values() for one in found]

    async def serve(self, listening: socket.socket) -> None:
        """Accepts connections until it is cancelled."""
        sweeping = asyncio.ensure_future(self._sweep())
        try:
            while True:
                await self._accept(listening)
        finally:
            sweeping.cancel()

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        try:
            accepted, address = await loop.sock_accept(listening)
        except OSError as error:
            if time.monotonic() - self._failed > 60:
                self._failed = time.monotonic()
                logging.error("a connection was not accepted: %s; more of these are not logged for a minute", error)
            await asyncio.sleep(0.1)
            return
        client = client_of(address[0])
        if not self._make_room(client):
            accepted.close()
            return
        try:
            await loop.connect_accepted_socket(lambda: Connection(self, client), accepted)
        except OSError:  # the client is gone by now
            accepted.close()

    def _make_room(self, client: str) -> bool:
        """True if one more connection of a client can be taken, perhaps because one without a request is closed for it.

        That is the oldest one of the client with the most connections. Its own connections make room for others of it only after
        a second, so that it cannot keep the server busy with that.
        """
        own = self._clients.get(client, {})
        most = max(self._clients.values(), key=len, default=own)
        is_full = sum(map(len, self._clients.values())) >= self.limits.connections
        if len(own) < self.limits.connections_a_client and not is_full:
            return True
        crowd = most if is_full and len(most) > len(own) else own
        oldest = next((one for one in crowd if not one.is_busy), None)
        if oldest is None or (crowd is own and time.monotonic() - oldest.since < LEAST_SECONDS):
            return False
        oldest.abort()
        return True

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = time.monotonic()
            for one in self.connections:
                one.check(now)

    def add(self, connection: Connection) -> None:
        """Counts a connection; one that has just been answered stands behind the others of its client then."""
        self.remove(connection)
        self._clients.setdefault(connection.client, {})[connection] = None

    def remove(self, connection: Connection) -> None:
        """Forgets a connection, which may be done twice."""
        found = self._clients.get(connection.client, {})
        found.pop(connection, None)
        if not found:
            self._clients.pop(connection.client, None)

    async def close(self, seconds: float) -> None:
        """Ends all connections, those with a request under way after its answer, but within some seconds."""
        for one in self.connections:
            one.close_soon()
        end = time.monotonic() + seconds
        while self._clients and time.monotonic() < end:
            await asyncio.sleep(0.02)
        for one in self.connections:
            one.abort()


IDLE, HEAD, BODY = "idle", "head", "body"


class Connection(asyncio.Protocol):
    """One connection of a client."""

    def __init__(self, server: Server, client: str):
        self.since = time.monotonic()
        self.held = 0  # bytes of an answer that the client has not taken yet
        self._server, self.client, self._limits = server, client, server.limits
        self._parser = httptools.HttpRequestParser(self)
        self._transport: asyncio.Transport
        self._arriving, self._idle_seconds = IDLE, server.limits.head_seconds  # nothing was asked yet
        self._advanced, self._unread, self._body_size = False, 0, 0
        self._url, self._headers, self._body = b"", dict[str, str](), list[bytes]()
        self._queue: deque[tuple[Request | Response, bool]] = deque()  # with True if the connection stays open after it
        self._current: Request | None = None
        self._task: asyncio.Task[None] | None = None
        self._reads, self._ended, self._closes = True, False, False
        self._sending_since: float | None = None
        self._lingers_since: float | None = None

    @property
    def is_busy(self) -> bool:
        """True if a request is being answered."""
        return bool(self._queue) or self._task is not None or self._sending_since is not None

    # the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The client has connected."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=0)
        self._server.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed, by either side."""
        self._reads = False
        self._queue.clear()
        self._server.held -= self.held + self._body_size
        if self._current is not None:
            self._current.cancel()
        if self._task is not None:
            self._task.cancel()
        self._server.remove(self)

    def data_received(self, data: bytes) -> None:
        """Reads some bytes."""
        if not self._reads:
            return
        self._advanced = False
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:  # is not taken up: an ordinary request
            self._reads = False
            self._queue[-1] = self._queue[-1][0], False
        except httptools.HttpParserError:
            self._refuse(HTTPStatus.BAD_REQUEST, "this is not an HTTP/1.1 request")
        self._unread = 0 if self._advanced else self._unread + len(data)
        if self._unread > MOST_HEADERS:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"headers have at most {MOST_HEADERS:,} bytes")
        self._answer_next()

    def eof_received(self) -> bool:
        """The client has closed its side. True if an answer is still to be sent."""
        self._ended = True
        if self._reads and self._arriving != IDLE:
            self._refuse(HTTPStatus.BAD_REQUEST, "the request ended before it was whole")
            self._answer_next()
        elif self._current is not None and self._task is not None:
            asyncio.get_running_loop().call_later(HALF_CLOSED_SECONDS, self._current.cancel)
        self._reads = False
        return self.is_busy

    def pause_writing(self) -> None:
        """The client does not take its answer as fast as it is sent."""
        self._sending_since = time.monotonic()
        self.held = self._transport.get_write_buffer_size()
        self._server.held += self.held
        if self._server.held > self._limits.held:
            max(self._server.connections, key=lambda one: one.held).abort()

    def resume_writing(self) -> None:
        """The client has taken its answer."""
        self._sending_since = None
        self._server.held -= self.held
        self.held = 0
        self._since_now()
        if self._closes and not self.is_busy:
            self._end()
        self._answer_next()

    def check(self, now: float) -> None:
        """Ends what takes too long."""
        waited = now - self.since
        if self._sending_since is not None:
            if now - self._sending_since > self._limits.idle_seconds:
                self.abort()
        elif self._lingers_since is not None:
            if now - self._lingers_since > LINGERING_SECONDS:
                self.abort()
        elif self._reads and self._arriving == HEAD and waited > self._limits.head_seconds:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, f"the headers did not arrive within {self._limits.head_seconds:g} seconds")
            self._answer_next()
        elif self._reads and self._arriving == BODY and waited > self._limits.body_seconds:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, f"the body did not arrive within {self._limits.body_seconds:g} seconds")
            self._answer_next()
        elif not self.is_busy and self._arriving == IDLE and waited > self._idle_seconds:
            self._transport.close()

    def close_soon(self) -> None:
        """Closes the connection, after the answer that is under way."""
        self._reads, self._closes = False, True
        if not self.is_busy:
            self._transport.close()

    def abort(self) -> None:
        """Closes the connection at once."""
        self._transport.abort()
        self._server.remove(self)

    def _since_now(self) -> None:
        self.since = time.monotonic()

    # the parser

    def on_message_begin(self) -> None:
        """A request begins."""
        self._since_now()
        self._arriving, self._url, self._headers, self._body = HEAD, b"", {}, []

    def on_url(self, url: bytes) -> None:
        """A part of the target."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or a trailer behind the body, which is dropped."""
        if self._arriving == HEAD:
            key, text = name.decode("latin-1").lower(), value.decode("latin-1")
            self._headers[key] = f"{self._headers[key]}, {text}" if key in self._headers else text

    def on_headers_complete(self) -> None:
        """The body begins, if there is one."""
        self._arriving, self._advanced = BODY, True
        self._since_now()
        length = self._headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._limits.body:
            self._refuse_body()
        elif self._headers.get("expect", "").lower() == "100-continue" and self._reads and not self.is_busy:
            self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        self._advanced = True
        if not self._reads:
            return
        self._body.append(body)
        self._body_size += len(body)
        self._server.held += len(body)
        if self._body_size > self._limits.body:
            self._refuse_body()
        elif self._server.held > self._limits.held:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many bodies arrive at once")

    def on_message_complete(self) -> None:
        """The request is whole."""
        self._advanced = True
        if not self._reads:
            return
        self._arriving = IDLE
        self._since_now()
        body = self._whole_body()
        keeps = self._parser.get_http_version() == "1.1" and self._parser.should_keep_alive()
        if len(self._queue) >= MOST_PIPELINED:
            self._refuse(HTTPStatus.TOO_MANY_REQUESTS, f"at most {MOST_PIPELINED} requests may wait for an answer")
            return
        try:
            target = httptools.parse_url(self._url)
            path = unquote((target.path or b"/").decode("latin-1"))
        except httptools.HttpParserInvalidURLError:
            self._refuse(HTTPStatus.BAD_REQUEST, "the target of the request is not a URL")
            return
        method = self._parser.get_method().decode("latin-1")
        asked = Request(method, path, target.query or b"", self._headers, body, self.client)
        self._queue.append((asked, keeps))
        self._reads = keeps

    def _whole_body(self) -> bytes:
        """The body that has arrived, which is not held any longer."""
        body = b"".join(self._body)
        self._server.held -= self._body_size
        self._body, self._body_size = [], 0
        return body

    # answers

    def _refuse_body(self) -> None:
        self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a body has at most {self._limits.body:,} bytes")

    def _refuse(self, status: int, sentence: str) -> None:
        """Answers with a sentence, and reads nothing more."""
        if self._reads:
            self._reads = False
            self._whole_body()
            self._queue.append((self._server.refuse(status, sentence), False))

    def _answer_next(self) -> None:
        while self._queue and self._task is None and self._sending_since is None:
            asked, keeps = self._queue.popleft()
            if isinstance(asked, Response):
                self._send(asked, "", keeps)
                continue
            made = self._server.answer(asked)
            if isinstance(made, Response):
                self._send(made, asked.method, keeps)
            else:
                self._current = asked
                self._task = asyncio.get_running_loop().create_task(self._finish(asked, made, keeps))

    async def _finish(self, asked: Request, coming: Coroutine[Any, Any, Response], keeps: bool) -> None:
        made = await coming
        self._task = self._current = None
        self._send(made, asked.method, keeps)
        self._answer_next()

    def _send(self, made: Response, method: str, keeps: bool) -> None:
        if self._transport.is_closing():
            return
        keeps = keeps and not self._closes and not (self._ended and not self._queue)
        head = [f"HTTP/1.1 {made.status} {HTTPStatus(made.status).phrase}\r\ndate: {_date(int(time.time()))}\r\n"]
        head += [f"{name}: {value}\r\n" for name, value in made.headers.items()]
        if made.status != HTTPStatus.NOT_MODIFIED:
            head.append(f"content-length: {len(made.body)}\r\n")
        head.append("\r\n" if keeps else "connection: close\r\n\r\n")
        sent = "".join(head).encode("latin-1")
        self._transport.write(sent if method == "HEAD" else sent + made.body)
        self._since_now()
        self._idle_seconds = self._limits.idle_seconds
        self._server.add(self)
        if not keeps:
            self._reads, self._closes = False, True
            self._queue.clear()
            if self._sending_since is None:
                self._end()

    def _end(self) -> None:
        """The last answer is sent."""
        if self._ended:
            self._transport.close()
            return
        with suppress(OSError):  # the client has gone away, which has not been noticed yet
            self._transport.write_eof()
        self._lingers_since = time.monotonic()


@lru_cache(maxsize=1)
def _date(now: int) -> str:
    """The time of a second, as a header."""
    return formatdate(now, usegmt=True)
