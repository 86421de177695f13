"""The server as a process: its signals, its end, and what it answers to fuzzed requests."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import client
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest

from command import ENVIRONMENT, ask

pytest.importorskip("uvicorn", reason="a server needs the extra `web`")

import hostile_web  # noqa: E402
import web  # noqa: E402
from backtrick.web import serving  # noqa: E402
from backtrick.web.api import Settings  # noqa: E402
from backtrick.web.limits import Limits  # noqa: E402
from backtrick.web.serving import _listen  # noqa: E402
from waiting import PATIENCE, end_by, wait_for  # noqa: E402

LONG = f"/api/v1/face-to-face/solve?position={quote(web.LONG)}"
EASY = f"/api/v1/face-to-face/solve?position={quote(web.DUEL)}"


COMMAND = """
import sys
from backtrick.cli import main
from backtrick.web import serving
serving.SECONDS_TO_END, serving.HEAD_SECONDS = {}, {}
if __name__ == "__main__":
    sys.exit(main())
"""
"""The command, but it waits longer for answers and heads, which a busy machine may give late."""


class Server:
    """A process that serves on a free port."""

    def __init__(self, *more: str, ends_in: float = PATIENCE, head_seconds: int = PATIENCE, before: str = ""):
        line = [sys.executable, "-c", before + COMMAND.format(ends_in, head_seconds), "serve", "--port", "0", *more]
        self.process = subprocess.Popen(line, env=ENVIRONMENT, stderr=subprocess.PIPE)
        said = self.process.stderr.readline().decode()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert found, said + self.process.stderr.read().decode()
        self.port = int(found[1])

    def get(self, path: str, address: str = "127.0.0.1") -> tuple[int, bytes]:
        """The status and the body of an answer to a client at an address."""
        connection = client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE, source_address=(address, 0))
        connection.request("GET", path)
        answered = connection.getresponse()
        body = answered.read()
        connection.close()
        return answered.status, body

    def worked(self) -> float:
        """The processor time of the process, in seconds: a busy machine does not change it. Where nothing tells it, the time."""
        if not (stat := Path(f"/proc/{self.process.pid}/stat")).exists():
            return time.monotonic()
        *_, user, system = stat.read_text().rpartition(")")[2].split()[:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def resident(self) -> int:
        """The memory of the process, in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])


@pytest.fixture(scope="module")
def serve():
    """A function that starts servers, which end with the tests."""
    servers = []

    def begin(*more: str, **times: Any) -> Server:
        servers.append(Server(*more, **times))
        return servers[-1]

    yield begin
    for one in servers:
        if one.process.poll() is None:
            one.process.kill()
            one.process.communicate()


@pytest.fixture(scope="module")
def server(serve):
    """A server with one thread and more time than anybody waits."""
    return serve("--seconds", "9999", "--threads", "1")


def begin_long(port: int, seconds: float = 0.2) -> socket.socket:
    """A connection with a request that takes long."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    connection.sendall(f"GET {LONG} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    time.sleep(seconds)
    return connection


def test_options_become_settings_and_what_is_not_given_is_as_usual(monkeypatch):
    given: list[Any] = []
    monkeypatch.setattr(serving, "serve", lambda *all: given.append(all))
    ask("serve")
    more = ["--public-url", "https://a.example", "--tables", "t", "--seconds", "3", "--threads", "5", "--workers", "2"]
    ask("serve", "--host", "::1", "--port", "0", "--host-name", "b", "--cors", "*", *more)
    assert [(*one[:3], one[4]) for one in given] == [
        ("127.0.0.1", 8000, Settings(), 1),
        ("::1", 0, Settings(Limits(seconds=3, threads=5), "t", ("b",), ("*",), "https://a.example"), 2),
    ]


def test_a_client_that_hangs_up_frees_its_worker(server):
    for _ in range(3):
        begin_long(server.port).close()
    assert server.get("/api/v1/take-that/random?seed=1")[0] == 200  # needs the only thread


def test_fuzzed_requests_are_answered(server):
    found = Counter(status for status, _ in hostile_web.statuses(server.port, 1, 400, server.worked))
    assert found[200] > 180 and found[400] > 60 and found[404] > 8 and found[405] > 6 and found[421] > 0, found
    assert server.get(EASY)[0] == 200


def test_a_hurried_client_of_another_address_is_not_delayed(server):
    """24 heavy requests of one address, and a light one of another."""
    heavy = [begin_long(server.port, 0) for _ in range(24)]
    assert server.get("/")[0] == 200  # so it has read what came before, however busy the machine is
    assert server.get("/api/v1/face-to-face/solve?nodes=10&position=" + quote(web.LONG), "127.0.0.2")[0] == 200
    for one in heavy:
        one.close()


POST = b"POST /api/v1/face-to-face/%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"


def test_bodies_that_are_not_read_end_their_connections(server):
    """Once the answer is there, however much still comes."""

    def sent(path: bytes, length: int, status: bytes) -> None:
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as one:
            one.sendall(POST % (path, length) + b"x" * 1000)
            said, began = b"", time.monotonic()
            while part := one.recv(1 << 16):
                said += part
            assert said.startswith(b"HTTP/1.1 " + status) and b"\r\n\r\n{" in said, path
            with pytest.raises(ConnectionError):
                while time.monotonic() < began + PATIENCE:
                    one.sendall(b"x" * 1000)
                    time.sleep(0.05)

    asked = (b"solve", 1 << 30, b"413"), (b"best", 1 << 20, b"405"), (b"solve?a=1", 1 << 20, b"400")
    with ThreadPoolExecutor() as pool:
        list(pool.map(sent, *zip(*asked, strict=True)))


def test_a_request_behind_another_one_is_answered_though_its_body_comes_later(server):
    body = f"{web.DUEL}\n".encode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as one:
        one.sendall(f"GET {EASY} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() + POST % (b"solve", len(body)))
        said = b""
        while b"}\n" not in said:
            part = one.recv(1 << 16)
            assert part, said
            said += part
        one.sendall(body)
        while said.count(b"HTTP/1.1 200 ") < 2:
            part = one.recv(1 << 16)
            assert part, said
            said += part


def test_a_connection_that_closes_by_itself_is_not_ended_once_more():
    """The transports of uvloop raise an error where those of asyncio do nothing: this one can only say that it closes."""
    one = object.__new__(serving._Connection)
    one.cycle, one.pipeline = SimpleNamespace(more_body=True), []
    one.server_state, one.transport = SimpleNamespace(total_requests=0), SimpleNamespace(is_closing=lambda: True)
    one.on_response_complete()
    assert one.server_state.total_requests == 1


def test_bodies_in_small_chunks_leave_others_their_turn(server):
    """Four connections that send a byte a chunk as fast as they can; the server reads no connection for long."""
    ended = threading.Event()
    body = b"POST /api/v1/face-to-face/solve HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"

    def send():
        while not ended.is_set():
            with suppress(OSError), socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as one:
                one.sendall(body)
                while not ended.is_set():
                    one.sendall(b"1\r\n#\r\n" * 10_000)

    threads = [threading.Thread(target=send, daemon=True) for _ in range(4)]
    for one in threads:
        one.start()
    taken = []
    try:
        time.sleep(0.2)
        for _ in range(10):
            began = time.monotonic()
            assert server.get(EASY)[0] == 200
            taken.append(time.monotonic() - began)
    finally:
        ended.set()
    for one in threads:
        one.join()
    assert sorted(taken)[5] < 0.5


def test_sigterm_ends_it_and_running_requests_are_answered(server):
    """The last test of this server."""
    ends(server, signal.SIGTERM)


UNSTOPPABLE = """
import time
from backtrick.web import batches
batches.solve_many = lambda *asked: time.sleep(9999)
from backtrick.web import api
"""


def test_sigterm_ends_it_whatever_runs(serve):
    """Here a batch that looks at no limit: its thread is not waited for."""
    server = serve(ends_in=0.2, before=UNSTOPPABLE)
    with socket.create_connection(("127.0.0.1", server.port)) as running:
        running.sendall(b"POST /api/v1/face-to-face/solve HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n#")
        assert server.get("/")[0] == 200
        server.process.send_signal(signal.SIGTERM)
        _, said = server.process.communicate(timeout=60)
    assert server.process.returncode == 143 and b"Traceback" not in said


@pytest.mark.slow
def test_ctrl_c_ends_it_and_running_requests_are_answered(serve):
    ends(serve("--seconds", "9999"), signal.SIGINT)


def ends(server: Server, number: int) -> None:
    """Sends a signal while a request runs and a connection is idle."""
    with begin_long(server.port) as running, socket.create_connection(("127.0.0.1", server.port)):
        assert server.get("/")[0] == 200  # so it has read what came before, however busy the machine is
        server.process.send_signal(number)
        answered = b""
        while part := running.recv(1 << 16):
            answered += part
    _, said = server.process.communicate(timeout=PATIENCE)
    assert (server.process.returncode, said) == (128 + number, b"")
    head, _, body = answered.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200") and json.loads(body)["outcome"] == "unsolved"


def test_workers_are_processes_that_end_together(serve):
    server = serve("--workers", "2", "--threads", "2")
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    if not children.exists():
        pytest.skip("no list of child processes")
    for _ in range(20):
        assert server.get(EASY)[0] == 200
    before = children.read_text().split()  # and what multiprocessing needs itself
    os.kill(int(before[-1]), signal.SIGKILL)  # it is replaced
    wait_for(lambda: before[-1] not in (now := children.read_text().split()) and len(now) == len(before))
    assert server.get(EASY)[0] == 200
    server.process.send_signal(signal.SIGTERM)
    _, said = server.process.communicate(timeout=PATIENCE)
    assert (server.process.returncode, said) == (143, b"backtrick: a worker has ended by itself, and is replaced\n")
    wait_for(lambda: not any(Path(f"/proc/{number}").exists() for number in before))


def test_processes_share_the_limits_of_their_server(monkeypatch):
    begun, limits = [], Limits(threads=4, memory=200)
    monkeypatch.setattr(serving, "_supervise", lambda listening, settings, workers: begun.append((listening, settings, workers)))
    serving.serve("127.0.0.1", 0, Settings(limits=limits), str, workers=2)
    [(listening, settings, workers)] = begun
    listening.close()
    assert (settings.limits, workers) == (limits.shared(2), 2)


class Begun(subprocess.Popen):
    """A process that is joined as those of `multiprocessing` are."""

    def join(self, seconds: float | None = None) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(seconds)


ENDS_LATE = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *given: time.sleep(0.3) or sys.exit(7))
print(flush=True)
time.sleep(9999)
"""


def test_a_process_gets_its_time_to_end_and_one_that_is_stopped_is_ended_too(monkeypatch):
    one, stopped = processes = [Begun([sys.executable, "-c", ENDS_LATE], stdout=subprocess.PIPE), Begun(["sleep", "9999"])]
    try:
        one.stdout.readline()
        stopped.send_signal(signal.SIGSTOP)
        os.waitpid(stopped.pid, os.WUNTRACED)  # until it has stopped: of two signals that wait, the other one would come first
        for process, seconds in ((one, PATIENCE), (stopped, 0.05)):
            monkeypatch.setattr(serving, "SECONDS_TO_END", seconds)
            serving._end([process])
        assert (one.returncode, stopped.returncode) == (7, -signal.SIGKILL)
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def test_as_many_processes_are_begun_as_asked_and_all_are_daemons(monkeypatch):
    """Daemons, which multiprocessing itself ends if a second signal cuts the end short."""
    begun: list[Any] = []

    def process(**given: Any) -> Any:
        return SimpleNamespace(start=lambda: begun.append(given), sentinel=None, pid=None)

    def wait(*given: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(serving, "WorkerContext", lambda: SimpleNamespace(Process=process))
    monkeypatch.setattr(serving, "wait", wait)
    with socket.create_server(("127.0.0.1", 0)) as listening, pytest.raises(KeyboardInterrupt):
        serving._supervise(listening, Settings(), 2)
    assert begun == [{"target": serving._work, "args": (listening, Settings()), "daemon": True}] * 2


@pytest.mark.slow
def test_a_worker_that_is_stopped_is_ended_too(serve):
    server = serve("--workers", "2", "--threads", "2", ends_in=0.2)
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    if not children.exists():
        pytest.skip("no list of child processes")
    assert server.get(EASY)[0] == 200
    workers = children.read_text().split()
    os.kill(int(workers[-1]), signal.SIGSTOP)
    try:
        assert end_by(signal.SIGTERM, server.process)[1] == b"" and server.process.returncode == 143
    finally:
        with suppress(ProcessLookupError):
            os.kill(int(workers[-1]), signal.SIGKILL)
    wait_for(lambda: not any(Path(f"/proc/{number}").exists() for number in workers))


def test_other_servers_of_asgi_find_the_application():
    line = [sys.executable, "-m", "uvicorn", "--port", "0", "backtrick.web:app"]
    process = subprocess.Popen(line, env=ENVIRONMENT, stderr=subprocess.PIPE)
    try:
        port = next(int(found[1]) for said in process.stderr if (found := re.search(rb"http://127\.0\.0\.1:(\d+)", said)))
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{EASY}", timeout=PATIENCE) as answered:
            assert answered.status == 200
    finally:
        process.terminate()
        process.communicate()


@pytest.mark.parametrize("http", ["h11", "httptools"])
def test_what_a_server_adds_to_a_response(monkeypatch, http):
    """Either parser: no body for HEAD and 304, no server's name, one date; a client behind a proxy is the one that it names."""
    pytest.importorskip(http)
    from backtrick.web.api import Api, Settings
    from backtrick.web.serving import _listen, _Server

    seen, api, answer = [], Api(Settings()), Api.answer
    monkeypatch.setattr(Api, "answer", lambda self, request: seen.append(request) or answer(self, request))
    listening, server = _listen("127.0.0.1", 0), _Server(api)
    server.config.http = http
    assert server.config.log_level == "error", "whatever a program that embeds the server logs itself"
    given = server.config.log_config, server.config.access_log, server.config.ws, server.config.timeout_keep_alive
    assert given == (None, False, "none", serving.IDLE_SECONDS)  # no words but ours, whichever library is there
    assert listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)  # without it each answer takes 40 ms more
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        asked = [("GET", {}), ("HEAD", {}), ("GET", {"If-None-Match": "*"}), ("GET", {"X-Forwarded-For": "6.6.6.6, 192.0.2.7"})]
        connection = client.HTTPConnection("127.0.0.1", listening.getsockname()[1], timeout=PATIENCE)
        answers = []
        for method, headers in asked:
            connection.request(method, EASY, headers=headers)
            one = connection.getresponse()
            answers.append((one.status, one.read(), one.headers))
        connection.close()
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
    (whole, body, told), head, known, _ = answers
    assert [status for status, *_ in answers] == [200, 200, 304, 200] and body and head[1] == known[1] == b""
    assert head[2]["content-length"] == told["content-length"] == str(len(body)) and known[2]["etag"] == told["etag"]
    assert "server" not in told and len(told.get_all("date")) == 1
    assert [request.client for request in seen] == ["127.0.0.1"] * 3 + ["192.0.2.7"]


def told(port: int, *parts: bytes, pause: float = 0.0) -> bytes:
    """What a server says to a connection that sends these parts, up to its end."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as one:
        with suppress(ConnectionError):
            for part in parts:
                one.sendall(part)
                time.sleep(pause)
        said = b""
        with suppress(ConnectionError):
            while part := one.recv(1 << 16):
                said += part
        return said


HEAD = b"GET /api/v1 HTTP/1.1\r\nHost: localhost\r\n"


def test_heads_are_limited(serve):
    """In bytes, whether they come at once or not, and of one header or of many; and in seconds."""
    server = serve(head_seconds=1)
    many, long = b"A: " + b"x" * 50 + b"\r\n", b"A: " + b"x" * 1_000_000
    for parts in ([HEAD + many * 20_000 + b"\r\n"], [HEAD, *[many * 100] * 20], [HEAD + long], [HEAD, *[long[:10_000]] * 20]):
        said = told(server.port, *parts)
        assert said.startswith(b"HTTP/1.1 431 ") and b"65,536 bytes" in said, said
    assert told(server.port, HEAD + many * 900 + b"Connection: close\r\n\r\n").startswith(b"HTTP/1.1 200 ")
    for parts in ([HEAD + many * 1300 + b"\r\n"], [b"\x00" + b"x" * 100_000]):  # a whole head, and none: one answer
        said = told(server.port, *parts)
        assert said.count(b"HTTP/1.1 4") == 1 and b"HTTP/1.1 200" not in said, said
    with ThreadPoolExecutor() as pool:
        late = list(pool.map(told, [server.port] * 2, [b"", HEAD]))
    assert all(said.startswith(b"HTTP/1.1 408 ") for said in late)
    assert told(server.port, b"nonsense\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as sent:
        sent.sendall(HEAD + b"\r\n")
        assert sent.recv(1 << 16).startswith(b"HTTP/1.1 200 ")
        sent.sendall(b"nonsense\r\n\r\n")  # an answer is there, and then one that is not begun
        said = b""
        with suppress(ConnectionError):
            while part := sent.recv(1 << 16):
                said += part
    assert b"HTTP/1.1 400 " in said
    body = b"POST /api/v1/face-to-face/solve HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n"
    assert told(server.port, body).startswith(b"HTTP/1.1 400 ")
    assert server.worked() < 5 and server.resident() < 200_000


def test_heads_are_counted_in_bytes_each_once(serve):
    server = serve()
    many = b"A: " + b"x" * 50 + b"\r\n"
    assert told(server.port, HEAD, many * 900, b"Connection: close\r\n\r\n", pause=0.1).startswith(b"HTTP/1.1 200 ")
    ends = b"\r\nConnection: close\r\n\r\n"
    one = HEAD + b"A: " + b"x" * (65_536 - sum(map(len, ("/api/v1", "Host", "localhost", "Connection", "close", "A"))))
    assert told(server.port, one + ends).startswith(b"HTTP/1.1 200 ")  # names and values are counted, each once
    assert told(server.port, one + b"x" + ends).startswith(b"HTTP/1.1 431 ")
    rest = (many * 1200)[: 65_536 - 2 - len(many)].rpartition(b"\r\n")[0] + b"\r\n"
    rest += b"B: " + b"x" * (65_536 - len(rest) - 5) + b"\r\n"  # as long behind the first piece, and not whole
    assert told(server.port, HEAD, rest, ends[2:], pause=0.1).startswith(b"HTTP/1.1 200 ")
    again = HEAD + many * 900 + b"\r\n", HEAD + many * 900, b"Connection: close\r\n\r\n"  # the second head begins with nothing
    assert told(server.port, *again, pause=0.1).count(b"HTTP/1.1 200 ") == 2


@pytest.mark.slow
def test_ten_thousand_hostile_requests_leak_nothing(serve):
    server = serve("--seconds", "2")
    for _ in hostile_web.statuses(server.port, 2, 1000, server.worked):
        pass
    before = server.resident()
    for _ in hostile_web.statuses(server.port, 3, 10_000, server.worked):
        pass
    after = server.resident()
    print(f"{before} KiB before, {after} KiB after")
    assert after - before < 16 * 1024
    ends(server, signal.SIGTERM)


def test_only_errors_are_logged_and_by_the_name_of_the_program():
    line = "import logging; from backtrick.web import serving; serving._log(); logging.warning('a'); logging.error('b')"
    done = subprocess.run([sys.executable, "-c", line], env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stderr == "backtrick: b\n"


def test_an_address_that_others_reach_is_warned_of(monkeypatch):
    from backtrick.web.api import Settings

    monkeypatch.setattr(serving, "_serve", lambda listening, api: listening.close())
    for host, warned in (("127.0.0.1", False), ("localhost", False), ("0.0.0.0", True)):
        said = []
        serving.serve(host, 0, Settings(), said.append)
        assert said[1:] == [serving.OPEN] * warned


def test_each_name_and_origin_of_a_command_is_told(monkeypatch):
    from backtrick.web import serving

    told = []
    monkeypatch.setattr(serving, "serve", lambda host, port, settings, *more: told.append((settings.hosts, settings.cors)))
    names, origins = ("a.example", "b.example"), ("https://c.example", "https://d.example")
    given = [one for name, origin in zip(names, origins, strict=True) for one in ("--host-name", name, "--cors", origin)]
    assert ask("serve", *given).returncode == 0 and told == [(names, origins)]


def test_a_worker_ends_with_the_process_that_began_it():
    from backtrick.web import serving
    from backtrick.web.api import Api, Settings

    given = _listen("127.0.0.1", 0), Api(Settings()), SimpleNamespace(join=lambda: None)
    worker = threading.Thread(target=serving._serve, args=given, daemon=True)
    worker.start()
    worker.join(PATIENCE)
    assert not worker.is_alive()


def test_what_cannot_be_served():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = ask("serve", "--port", str(taken.getsockname()[1]))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and "cannot listen at 127.0.0.1 port" in done.stderr
    assert ask("serve", "--host", "no such host", "--port", "0").returncode == 2
    done = ask("serve", "--host", "\udcff", "--port", "0")
    assert done.returncode == 2 and done.stderr.startswith("backtrick: cannot listen at \\udcff port 0: ")
    listening = _listen("[::1]", 0)
    assert listening.getsockname()[0] == "::1"
    listening.close()


def test_without_the_extra_it_says_how_to_install_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "backtrick.web.serving", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = ask("serve")
    sentence = "serve needs uvicorn, which is not installed; pip install 'backtrick[web]'"
    assert (done.returncode, done.stderr) == (2, f"backtrick: {sentence}\n")
    monkeypatch.setitem(sys.modules, "backtrick.web.api", None)
    with pytest.raises(ModuleNotFoundError, match="backtrick.web.api"):  # a fault of ours is none of the extra
        ask("serve")


def test_nothing_of_the_web_is_imported_by_other_commands():
    line = "import sys; from backtrick.cli import main; main(['best', '27^40v:17 13^50v:5']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", line], env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)
    modules = done.stdout.splitlines()[-1]
    assert "'backtrick.cli.main'" in modules and not re.search("'(uvicorn|asyncio|backtrick.web)", modules)
