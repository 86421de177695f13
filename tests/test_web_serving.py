"""The server as a process: its signals, its end, and what it does when it is attacked."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from urllib.parse import quote

import pytest

from command import ENVIRONMENT, ask, start

web = pytest.importorskip("web", reason="the HTTP API needs the extra `web`")
pytest.importorskip("uvicorn")

import hostile_web  # noqa: E402

LONG = f"/api/v1/face-to-face/solve?position={quote(web.LONG)}"
EASY = f"/api/v1/face-to-face/solve?position={quote(web.DUEL)}"


class Server:
    """A process that serves on a free port."""

    def __init__(self, *more: str):
        self.process = start("serve", "--port", "0", *more)
        said = self.process.stderr.readline().decode()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert found, said + self.process.stderr.read().decode()
        self.port = int(found[1])

    def get(self, path: str) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path)
        answered = connection.getresponse()
        body = answered.read()
        connection.close()
        return answered.status, body

    def resident(self) -> int:
        """The memory of the process, in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])


@pytest.fixture(scope="module")
def serve():
    """A function that starts servers, which end with the tests."""
    servers = []

    def begin(*more: str) -> Server:
        servers.append(Server(*more))
        return servers[-1]

    yield begin
    for one in servers:
        if one.process.poll() is None:
            one.process.kill()
            one.process.communicate()


@pytest.fixture(scope="module")
def server(serve):
    """A server with one thread and much time."""
    return serve("--seconds", "60", "--threads", "1")


def begin_long(port: int) -> socket.socket:
    """A connection with a request that takes long."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(f"GET {LONG} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    time.sleep(0.2)
    return connection


def test_a_client_that_hangs_up_frees_its_worker(server):
    for _ in range(3):
        begin_long(server.port).close()
    began = time.monotonic()
    assert server.get("/api/v1/take-that/random?seed=1")[0] == 200  # needs the only thread
    assert time.monotonic() - began < 20


def test_hostile_requests_are_answered(server):
    found: Counter[int] = Counter()
    for status, asked in hostile_web.statuses(server.port, 1, 200):
        assert status < 500, asked
        found[status] += 1
    assert found[200] > 3 and found[400] > 50 and found[404] > 5 and found[405] > 5 and found[421] > 2, found
    assert server.get(EASY)[0] == 200


def test_sigterm_ends_it_and_running_requests_are_answered(server):
    """The last test of this server."""
    ends(server, signal.SIGTERM)


@pytest.mark.slow
def test_ctrl_c_ends_it_and_running_requests_are_answered(serve):
    ends(serve("--seconds", "60"), signal.SIGINT)


def ends(server: Server, number: int) -> None:
    """Sends a signal while a request runs and a connection is idle."""
    with begin_long(server.port) as running, socket.create_connection(("127.0.0.1", server.port)):
        assert server.get("/")[0] == 200  # so it has read what came before, however busy the machine is
        server.process.send_signal(number)
        answered = b""
        while part := running.recv(1 << 16):
            answered += part
    _, said = server.process.communicate(timeout=30)
    assert (server.process.returncode, said) == (0, b"")
    head, _, body = answered.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200") and json.loads(body)["outcome"] == "unsolved"


@pytest.mark.slow
def test_ten_thousand_hostile_requests_leak_nothing(serve):
    server = serve("--seconds", "2")
    for _ in hostile_web.statuses(server.port, 2, 1000):
        pass
    before = server.resident()
    for status, asked in hostile_web.statuses(server.port, 3, 10_000):
        assert status < 500, asked
    after = server.resident()
    print(f"{before} KiB before, {after} KiB after")
    assert after - before < 16 * 1024
    ends(server, signal.SIGTERM)


def test_what_cannot_be_served():
    done = ask("serve", "--port", "0", "--tables", "/nowhere/at/all")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "/nowhere/at/all" in done.stderr
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = ask("serve", "--port", str(taken.getsockname()[1]))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and "cannot listen at 127.0.0.1 port" in done.stderr
    assert ask("serve", "--host", "no such host", "--port", "0").returncode == 2


def test_without_the_extra_it_says_how_to_install_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "backtrick.web.app", raising=False)
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    done = ask("serve")
    sentence = "serve needs starlette, which is not installed; pip install 'backtrick[web]'"
    assert (done.returncode, done.stderr) == (2, f"backtrick: {sentence}\n")


def test_nothing_of_the_web_is_imported_by_other_commands():
    line = "import sys; from backtrick.cli import main; main(['best', '27^40v:17 13^50v:5']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", line], env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
    modules = done.stdout.splitlines()[-1]
    assert "'backtrick.cli.main'" in modules and not re.search("'(starlette|uvicorn|backtrick.web)", modules)


@pytest.mark.parametrize("begins", [
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n",
    b"GET /",
    b"POST /api/v1/take-that/solve HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ",
])  # fmt: skip
def test_headers_that_do_not_end_are_refused(serve, begins):
    server = serve()
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(begins)
        part, sent = (b"A: b\r\n" if begins.endswith(b"\r\n") else b"a") * 4096, 0
        try:
            while sent < 1 << 24:
                connection.sendall(part)
                sent += len(part)
        except OSError:
            pass
    assert sent < 1 << 24, "it reads on and on"
    assert server.get(EASY)[0] == 200
