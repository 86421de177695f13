"""The server as processes: uvicorn, the address, the signals, the end."""

from __future__ import annotations

import asyncio
import ctypes
import ipaddress
import logging
import multiprocessing
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from multiprocessing.connection import wait
from typing import Any

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from backtrick.errors import UsageError
from backtrick.given import escaped
from backtrick.signals import ignore_ctrl_c, kept_from_children
from backtrick.storage.workers import WorkerContext
from backtrick.web.api import Api, Settings, failure
from backtrick.web.responses import Refused
from backtrick.web.workers import GRACE

SECONDS_TO_END = 1
"""What requests get at the end: GRACE to be solved, the rest to be answered."""

IDLE_SECONDS = 30
"""How long a connection may stay open without a request."""

HEAD, HEAD_SECONDS = 1 << 16, 10.0
"""Bytes of the head of a request, and seconds for it to arrive."""

LINGER = 1.0
"""Seconds in which a client may still send of a body that is not read."""

PIECE = 1 << 14
"""Bytes that a connection may send before the others have their turn: in the smallest chunks they take milliseconds to read."""

M_MMAP_THRESHOLD, LARGE = -3, 1 << 18
"""The option of glibc (malloc.h), and bytes."""

OPEN = "others can reach this address; put a proxy in front, which limits connections (docs/api.md)"


def serve(host: str, port: int, settings: Settings, say: Callable[[str], None], workers: int = 1) -> None:
    """Serves until SIGTERM or Ctrl-C, which then do what they did before. Requests that run are answered first.

    Raises `UsageError`, `StorageError`.

    say:     is called with the address once the server listens
    workers: how many processes; they share the limits
    """
    _log()
    api = Api(settings)
    listening = _listen(host, port)
    shown, number = listening.getsockname()[:2]
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{number}/"
    say(f"serving at {address} and its API at /api/v1; Ctrl-C ends it")
    if not ipaddress.ip_address(shown.partition("%")[0]).is_loopback:
        say(OPEN)
    if workers == 1:
        _serve(listening, api)
    else:
        _supervise(listening, replace(settings, limits=settings.limits.shared(workers)), workers)


def _log() -> None:
    logging.basicConfig(level=logging.ERROR, format="backtrick: %(message)s")


def _listen(host: str, port: int) -> socket.socket:
    host = host.removeprefix("[").removesuffix("]")  # as an IPv6 address stands in URLs
    try:
        host.encode("idna")  # a name that cannot be one is a TypeError there
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=1024)
        # Connections inherit it: the body of a response must not wait until the client has confirmed the headers.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
    except (OSError, OverflowError, UnicodeError) as error:
        raise UsageError(f"cannot listen at {escaped(host)} port {port}: {getattr(error, 'strerror', None) or error}") from None


class _Connection(HttpToolsProtocol):
    """A connection whose heads are limited, in bytes and in seconds, and which takes turns with the others."""

    _size, _timer, _refusal = 0, None, HTTPStatus.BAD_REQUEST
    _come = 0  # bytes since the piece in which a head began
    _ends = False  # what still comes is not read

    def connection_made(self, transport: Any) -> None:
        transport.max_size = PIECE
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._ends:
            return
        self._come += len(data)
        super().data_received(data)
        if self._timer is not None and self._come > HEAD:  # the head is not whole
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        self._size = self._come = 0
        self._await_head()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(name, value)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._end_head()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Ends the connection after an answer that did not wait for the end of a body. Who still sends can read it first."""
        if self.cycle.more_body and not self.pipeline and not self.transport.is_closing():
            self._ends = True
            self.transport.write_eof()
            self.loop.call_later(LINGER, self.transport.close)
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        self._refuse(self._refusal)

    def _count(self, *parts: bytes) -> None:
        self._size += sum(map(len, parts))
        if self._size > HEAD:
            self._refusal = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise httptools.HttpParserError("the head is too long")  # uvicorn then asks for a response of 400

    def _await_head(self) -> None:
        self._end_head()
        self._timer = self.loop.call_later(HEAD_SECONDS, self._refuse, HTTPStatus.REQUEST_TIMEOUT)

    def _end_head(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, status: HTTPStatus) -> None:
        """Ends the connection, with a response where none is under way."""
        self._end_head()
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(refusal(status))
        self.transport.close()


REFUSALS = {
    HTTPStatus.BAD_REQUEST: "this is no request of HTTP/1.1",
    HTTPStatus.REQUEST_TIMEOUT: f"the head of a request did not arrive within {HEAD_SECONDS:g} seconds",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: f"the head of a request has at most {HEAD:,} bytes",
}


def refusal(status: HTTPStatus) -> bytes:
    """The response to what is no request, as bytes."""
    made = failure(Refused(status, REFUSALS[status], {"connection": "close"}))
    headers = {**made.headers, "content-length": str(len(made.body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status.value} {status.phrase}\r\n{head}\r\n".encode() + made.body


class _Server(uvicorn.Server):
    """uvicorn, which believes a proxy on this machine (or those named in FORWARDED_ALLOW_IPS) whose client it is.
    At its end, searches that run are answered with what is known."""

    def __init__(self, api: Api):
        self._close = api.workers.close
        super().__init__(
            uvicorn.Config(
                api, http=_Connection, log_config=None, log_level="error", access_log=False, server_header=False, ws="none",
                timeout_keep_alive=IDLE_SECONDS, timeout_graceful_shutdown=SECONDS_TO_END,
            )
        )  # fmt: skip

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends all connections, those with a request under way after its answer."""
        asyncio.get_running_loop().call_later(GRACE, self._close)
        await super().shutdown(sockets)


def _serve(listening: socket.socket, api: Api, parent: Any = None) -> None:
    """Serves in this process. parent: with its end this one ends too."""
    _return_large_blocks()
    server = _Server(api)

    def end() -> None:
        parent.join()
        server.should_exit = True

    if parent is not None:
        threading.Thread(target=end, daemon=True).start()
    server.run([listening])


def _return_large_blocks() -> None:
    """Has the C library (glibc) give each large block back to the system when it is freed. By itself it soon keeps them: bodies and
    answers of many threads then took a third more memory."""
    if sys.platform == "linux" and (set_option := getattr(ctypes.CDLL(None), "mallopt", None)):
        set_option(M_MMAP_THRESHOLD, LARGE)


def _supervise(listening: socket.socket, settings: Settings, workers: int) -> None:
    """Serves by processes, until a signal raises something. One that ends by itself is replaced."""
    context = WorkerContext()
    processes: list[Any] = []
    try:
        while True:
            while len(processes) < workers:
                processes.append(context.Process(target=_work, args=(listening, settings), daemon=True))
                with kept_from_children():  # one that is interrupted here leaves a process without what it begins with
                    processes[-1].start()
            wait([one.sentinel for one in processes], 1)  # a signal just before it would not end it
            if not all(one.is_alive() for one in processes):
                logging.error("a worker has ended by itself, and is replaced")
                processes = [one for one in processes if one.is_alive()]
                time.sleep(1)  # one that cannot begin must not flood the log
    finally:
        _end(processes)


def _end(processes: list[Any]) -> None:
    """Ends processes that were started, also one that is stopped and hears no signal."""
    begun = [one for one in processes if one.pid is not None]
    for one in begun:
        one.terminate()
    end = time.monotonic() + 2 * SECONDS_TO_END
    for one in begun:
        one.join(max(end - time.monotonic(), 0))
        one.kill()
        one.join()


def _work(listening: socket.socket, settings: Settings) -> None:
    ignore_ctrl_c()
    _log()
    _serve(listening, Api(settings), multiprocessing.parent_process())
