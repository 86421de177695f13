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
from command import ENVIRONMENT, run, start

web = pytest.importorskip("web", reason="the HTTP API needs the extra `web`")
pytest.importorskip("uvicorn")

import hostile_web  # noqa: E402

import solver  # noqa: E402

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

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str, float]:
        """The exit code after a signal, what was said, and the seconds that it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=30)
        return self.process.returncode, said.decode(), time.monotonic() - began


@pytest.fixture
def serve():
    """A function that starts servers, which end with the test."""
    servers = []

    def begin(*more: str) -> Server:
        servers.append(Server(*more))
        return servers[-1]

    yield begin
    for one in servers:
        if one.process.poll() is None:
            one.process.kill()
            one.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_and_running_requests_are_answered(serve, number):
    server = serve("--seconds", "60")
    assert server.get(EASY)[0] == 200
    with socket.create_connection(("127.0.0.1", server.port)) as running, socket.create_connection(("127.0.0.1", server.port)):
        running.settimeout(20)
        running.sendall(f"GET {LONG} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        time.sleep(0.3)
        server.process.send_signal(number)
        answered = b""
        while part := running.recv(1 << 16):
            answered += part
    code, said, seconds = server.end(0)
    assert (code, said) == (0, "") and seconds < 20
    head, _, body = answered.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200") and json.loads(body)["outcome"] == "unsolved"


def test_a_client_that_hangs_up_frees_its_worker(serve):
    server = serve("--seconds", "60", "--threads", "1")
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", server.port)) as leaving:
            leaving.sendall(f"GET {LONG} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            time.sleep(0.2)
    began = time.monotonic()
    assert server.get("/api/v1/take-that/random?seed=1")[0] == 200  # needs the only thread
    assert time.monotonic() - began < 10
    assert server.end()[:2] == (0, "")


def test_hostile_requests_are_answered_and_leave_it_sound(serve):
    server = serve("--seconds", "2")
    found: Counter[int] = Counter()
    for status, asked in hostile_web.statuses(server.port, 1, 300):
        assert status < 500, asked
        found[status] += 1
    assert found[200] > 10 and found[400] > 50 and found[404] > 10 and found[405] > 5 and found[421] > 2, found
    assert server.get(EASY)[0] == 200
    assert server.end()[:2] == (0, "")


@pytest.mark.slow
def test_ten_thousand_hostile_requests_leak_nothing(serve):
    server = serve("--seconds", "2")
    for _ in hostile_web.statuses(server.port, 2, 1000):
        pass
    before = server.resident()
    for status, asked in hostile_web.statuses(server.port, 3, 10_000):
        assert status < 500, asked
    assert server.resident() - before < 16 * 1024
    assert server.end()[:2] == (0, "")


def test_what_cannot_be_served():
    done = run("serve", "--port", "0", "--tables", "/nowhere/at/all")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "/nowhere/at/all" in done.stderr
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("serve", "--port", str(taken.getsockname()[1]))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and "cannot listen at 127.0.0.1 port" in done.stderr
    assert run("serve", "--host", "no.such.host.example", "--port", "0").returncode == 2


def test_without_the_extra_it_says_how_to_install_it(tmp_path):
    (tmp_path / "starlette.py").write_text("raise ModuleNotFoundError('gone', name='starlette')")
    place = f"{tmp_path}:{Path(solver.__file__).parent.parent}"
    done = run("serve", variables={"PYTHONPATH": place})
    assert (done.returncode, done.stderr) == (
        2,
        "backtrick: serve needs starlette, which is not installed; pip install 'backtrick[web]'\n",
    )


def test_nothing_of_the_web_is_imported_by_other_commands():
    line = "import sys; from solver.cli import main; main(['best', '27^40v:17 13^50v:5']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", line], env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
    modules = done.stdout.splitlines()[-1]
    assert "'solver.cli.main'" in modules and not re.search("'(starlette|uvicorn|solver.web)", modules)
