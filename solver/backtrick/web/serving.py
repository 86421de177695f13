"""The server as processes: the address, the signals, the end."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import wait
from typing import Any

from backtrick.errors import UsageError
from backtrick.web.app import Api, Settings
from backtrick.web.http import Server
from backtrick.web.workers import GRACE

SECONDS_TO_END = 1.0
"""What requests get at the end: GRACE to be solved, the rest to be answered."""


def serve(host: str, port: int, settings: Settings, say: Callable[[str], None], workers: int = 1) -> None:
    """Serves until SIGTERM or Ctrl-C. Requests that run then are answered. Raises `UsageError`, `StorageError`.

    say:     is called with the address once the server listens
    workers: how many processes; they share the limits
    """
    _log()
    api = Api(settings)
    listening = _listen(host, port)
    shown, number = listening.getsockname()[:2]
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{number}/"
    say(f"serving at {address} and its API at /api/v1; Ctrl-C ends it")
    if workers == 1:
        _serve(listening, api)
    else:
        _supervise(listening, replace(settings, limits=settings.limits.shared(workers)), workers)


def _log() -> None:
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR, format="backtrick: %(message)s")


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=1024)
        listening.setblocking(False)
        # Connections inherit it: a response must not wait for the acknowledgement of the one before.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
    except (OSError, OverflowError) as error:
        raise UsageError(f"cannot listen at {host} port {port}: {getattr(error, 'strerror', None) or error}") from None


def _serve(listening: socket.socket, api: Api, parent: Any = None) -> None:
    """Serves in this process. parent: with its end this one ends too."""
    asyncio.run(_run(listening, api, parent))


async def _run(listening: socket.socket, api: Api, parent: Any) -> None:
    loop, server = asyncio.get_running_loop(), Server(api.answer, api.refuse, api.settings.limits)
    accepting = asyncio.ensure_future(server.serve(listening))
    for number in (signal.SIGTERM,) if parent else (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, accepting.cancel)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(accepting.cancel))
    if parent is not None:
        threading.Thread(target=lambda: (parent.join(), loop.call_soon_threadsafe(accepting.cancel)), daemon=True).start()
    await asyncio.wait([accepting])
    listening.close()
    loop.call_later(GRACE, api.workers.close)
    await server.close(SECONDS_TO_END)
    api.workers.close()


def _supervise(listening: socket.socket, settings: Settings, workers: int) -> None:
    """Serves by processes, until a signal. One that ends by itself is replaced."""
    spawn = multiprocessing.get_context("spawn")  # a fork would copy the locks that threads hold

    def begin() -> Any:
        process = spawn.Process(target=_work, args=(listening, settings), daemon=True)
        process.start()
        return process

    # An exception could come while a process begins, and a signal just before the wait would not end it.
    ended, end = socket.socketpair()
    end.setblocking(False)
    signal.set_wakeup_fd(end.fileno())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    processes = [begin() for _ in range(workers)]
    while ended not in wait([ended, *(one.sentinel for one in processes)]):
        logging.error("a worker has ended by itself, and is replaced")
        if wait([ended], 1):  # one that cannot begin must not flood the log
            break
        processes = [one if one.is_alive() else begin() for one in processes]
    for one in processes:
        one.terminate()
    for one in processes:
        one.join(2 * SECONDS_TO_END)


def _work(listening: socket.socket, settings: Settings) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent too, which ends its children
    _log()
    _serve(listening, Api(settings), multiprocessing.parent_process())
