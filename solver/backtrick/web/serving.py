"""The server as a process: its address, its signals and its end. uvicorn speaks HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from backtrick.errors import UsageError
from backtrick.web.app import Api, Settings, application
from backtrick.web.limits import MOST_HEADERS
from backtrick.web.working import GRACE, Workers


class _Server(uvicorn.Server):
    """uvicorn without its own handling of signals, which would end the process by the signal."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def serve(host: str, port: int, settings: Settings, say: Callable[[str], None]) -> None:
    """Serves until SIGTERM or Ctrl-C. Requests that run then are answered. Raises `UsageError`, `StorageError`.

    say: is called with the address once the server listens
    """
    api = Api(settings)
    listening = _listen(host, port)
    config = uvicorn.Config(
        application(api),
        log_config=None,
        log_level=logging.ERROR,
        access_log=False,
        server_header=False,
        lifespan="off",
        http=_protocol(),
        loop="asyncio",
        ws="none",
        proxy_headers=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=MOST_HEADERS,
    )
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR, format="backtrick: %(message)s")
    shown, number = listening.getsockname()[:2]
    say(f"serving at http://{f'[{shown}]' if ':' in shown else shown}:{number}/ and its API at /api/v1; Ctrl-C ends it")
    asyncio.run(_run(_Server(config), listening, api.workers))


def _protocol() -> Any:
    """What reads HTTP: httptools where it is installed, which takes half the time of h11."""
    try:
        from backtrick.web.reading import Bounded
    except ModuleNotFoundError:
        return "h11"
    return Bounded


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=1024)
        # Connections inherit it. A response is two writes, and the second would wait 40 ms for a delayed acknowledgement.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
    except (OSError, OverflowError) as error:
        raise UsageError(f"cannot listen at {host} port {port}: {getattr(error, 'strerror', None) or error}") from None


async def _run(server: uvicorn.Server, listening: socket.socket, workers: Workers) -> None:
    loop = asyncio.get_running_loop()

    def end(*_: Any) -> None:
        if server.should_exit:
            server.force_exit = True
        server.should_exit = True
        loop.call_later(GRACE, workers.close)

    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, end)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(end))
    await server.serve(sockets=[listening])
