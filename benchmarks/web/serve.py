"""How many requests a second `backtrick serve` answers, and how long they take: one position a request, and many.

    python benchmarks/web/serve.py [--requests N] [--posts N] [--connections N]

The server is one process on this machine. The client is this process: bare sockets that stay open, each with one request under
way. So both share the cores. Positions are endgames of self-play, each asked about once. Latencies are as the client sees them.
The time of the processor that the server took says more on a machine with other work.
"""

from __future__ import annotations

import argparse
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from backtrick.face_to_face import samples as face_to_face_samples
from backtrick.games import GAMES, game_of
from backtrick.notation import spelled
from backtrick.take_that import samples as take_that_samples
from backtrick.web.parameters import path_of

sys.path.append(str(Path(__file__).parents[1]))
import machine  # noqa: E402
import record  # noqa: E402

POSTED = 10_000
SOURCES = {"face_to_face": face_to_face_samples.selfplay_array, "take_that": take_that_samples.selfplay_array}


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--posts", type=int, default=40)
    parser.add_argument("--connections", type=int, default=4)
    record.add_json(parser)
    options = parser.parse_args()
    print(machine.describe())
    with tempfile.TemporaryFile() as log:
        server = Server(log)
        try:
            one = [one_a_request(server, name, options.requests, options.connections) for name in GAMES]
            forms = "values", "rows", "records"
            many = [[many_a_request(server, name, form, options.posts) for form in forms] for name in GAMES]
        finally:
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(10)
    requests = [("one a request", "requests a second", "half within", "99 % within", "processor time each")]
    posts = [("10,000 a request, positions a second", *forms)]
    titles = [game_of(name).title for name in GAMES]
    requests += [(title, *cells) for title, cells in zip(titles, one, strict=True)]
    posts += [(title, *cells) for title, cells in zip(titles, many, strict=True)]
    record.write(options.json, {"requests": requests, "posts": posts}, "the client on the same cores")


class Server:
    """A process that serves on a free port.

    log:   the file that its messages go to
    first: is called in the process before it begins
    """

    def __init__(self, log: IO[bytes], first: Callable[[], None] | None = None) -> None:
        command = [sys.executable, "-m", "backtrick", "serve", "--port", "0"]
        self.process = subprocess.Popen(command, stderr=log, preexec_fn=first)
        said, end = None, time.monotonic() + 60
        while said is None and time.monotonic() < end:
            time.sleep(0.05)
            said = re.search(rb":(\d+)/", os.pread(log.fileno(), 1000, 0))
        if said is None:
            raise SystemExit("the server does not say where it listens")
        self.port = int(said[1])

    def worked(self) -> float:
        """The seconds of processor time that it took so far; 0 where the system does not tell."""
        told = Path(f"/proc/{self.process.pid}/stat")
        if not told.exists():
            return 0.0
        return sum(map(int, told.read_text().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def asked_of(name: str, count: int) -> list[bytes]:
    """Requests that solve an endgame of self-play each."""
    positions = game_of(name).format_many(SOURCES[name](count, seed=17, progress=False)).decode().splitlines()
    path = f"/api/v1/{path_of(name)}/solve"
    return [f"GET {path}?position={spelled(one)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() for one in positions]


def one_a_request(server: Server, name: str, count: int, connections: int) -> list[str]:
    """Times GET solve. Returns the cells of a table."""
    asked = asked_of(name, count)
    list(latencies(server.port, asked[:1000], connections))
    worked, began = server.worked(), time.perf_counter()
    taken = sorted(latencies(server.port, asked, connections))
    seconds, worked = time.perf_counter() - began, server.worked() - worked
    half, most = (1e3 * taken[int(share * len(taken))] for share in (0.5, 0.99))
    print(
        f"{name}, one a request, {connections} connections: {count / seconds:,.0f} requests a second; "
        f"half within {half:.2f} ms, 99 % within {most:.2f} ms; {1e3 * worked / count:.3f} ms of processor time each"
    )
    spent = half, most, 1e3 * worked / count
    return [f"{count / seconds:,.0f}", *(f"{one:.2f} ms" for one in spent)]


def many_a_request(server: Server, name: str, form: str, count: int) -> str:
    """Times POST solve with 10,000 positions, on two connections. Returns a cell of a table."""
    body = game_of(name).format_many(SOURCES[name](POSTED, seed=18, progress=False))
    path = f"/api/v1/{path_of(name)}/solve?form={form}"
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n\r\n"
    list(latencies(server.port, [head.encode() + body] * 2, 2))
    worked, began = server.worked(), time.perf_counter()
    taken = sorted(latencies(server.port, [head.encode() + body] * count, 2))
    seconds, worked = time.perf_counter() - began, server.worked() - worked
    print(
        f"{name}, {POSTED:,} a request, {form}: {count * POSTED / seconds / 1e6:.2f} M positions a second; "
        f"half of the requests within {1e3 * taken[count // 2]:.0f} ms, the slowest {1e3 * taken[-1]:.0f} ms; "
        f"{1e6 * worked / count / POSTED:.2f} us of processor time a position"
    )
    return f"{count * POSTED / seconds / 1e6:.2f} M"


def latencies(port: int, asked: Sequence[bytes], connections: int, address: str = "127.0.0.1") -> Iterator[float]:
    """Sends the requests, one under way on each connection, and yields the seconds that each took. address: of the client."""
    waiting = iter(asked)
    with selectors.DefaultSelector() as ready:
        for _ in range(connections):
            connection = socket.create_connection(("127.0.0.1", port), source_address=(address, 0))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _send_next(ready, connection, waiting)
        while ready.get_map():
            for key, _ in ready.select():
                connection, began, received = key.data
                part = connection.recv(1 << 20)
                if not part:
                    raise SystemExit(f"a connection was closed: {received[:500]!r}")
                received += part
                if _is_whole(received):
                    yield time.perf_counter() - began
                    ready.unregister(connection)
                    _send_next(ready, connection, waiting)


def _send_next(ready: selectors.BaseSelector, connection: socket.socket, waiting: Iterator[bytes]) -> None:
    request = next(waiting, None)
    if request is None:
        connection.close()
        return
    ready.register(connection, selectors.EVENT_READ, (connection, time.perf_counter(), bytearray()))
    connection.sendall(request)


def _is_whole(received: bytearray) -> bool:
    """True if a response has arrived whole. It must be a good one."""
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return False
    if not received.startswith(b"HTTP/1.1 200 "):
        raise SystemExit(f"a request was not answered: {received[:500]!r}")
    at = received.index(b"content-length: ") + 16
    return len(received) >= end + 4 + int(received[at : received.index(b"\r", at)])


if __name__ == "__main__":
    main()
