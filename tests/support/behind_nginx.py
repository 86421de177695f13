"""`backtrick serve` behind nginx with docs/nginx.conf, on free ports of this machine; attacks on it, which are bounded; and what
an ordinary client sees meanwhile. The configuration is used as it stands, but without TLS, and with folders of its own."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import web
from command import ENVIRONMENT, ROOT

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
CONFIGURATION = (ROOT / "docs" / "nginx.conf").read_text()
TEMPORARY = "client_body", "proxy", "fastcgi", "uwsgi", "scgi"

SOLVE = "/api/v1/face-to-face/solve"
EASY = f"GET {SOLVE}?position={quote(web.DUEL)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
LONG = f"GET {SOLVE}?position={quote(web.LONG)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
SHORT = LONG.replace(b"?", b"?nodes=10&")  # needs a thread too
LARGE = (b"# " + b"x" * 1000 + b"\n") * 3000 + f"{web.DUEL}\n".encode() * 9000
POST = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
MANY = POST % (SOLVE.encode(), len(LARGE)) + LARGE
"""Almost as large as a body may be, with almost as many positions."""
POSITIONS = f"{web.DUEL}\n".encode() * 10_000
MOST = POST % (SOLVE.encode(), len(POSITIONS)) + POSITIONS
"""As many positions as a body may have."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def configured(folder: Path, port: int, behind: int) -> Path:
    """The configuration for a port, with the port of Backtrick behind it."""
    text = re.sub(r"listen .*;", f"listen 127.0.0.1:{port};", CONFIGURATION)
    text = re.sub(r"(?m)^.*ssl_certificate.*\n", "", text).replace("127.0.0.1:8000", f"127.0.0.1:{behind}")
    own = "".join(f"{name}_temp_path {folder}/{name};\n" for name in TEMPORARY) + "access_log off;\n"
    user = "user root;\n" if os.geteuid() == 0 else ""
    file = folder / "nginx.conf"
    file.write_text(f"{user}daemon off;\npid {folder}/pid;\nerror_log {folder}/log;\n{text.replace('http {', 'http {' + own, 1)}")
    return file


class Behind:
    """Both servers, from `with` to its end."""

    def __init__(self, folder: Path, *more: str):
        line = [sys.executable, "-m", "backtrick", "serve", "--port", "0", *more]
        self.server = subprocess.Popen(line, env=ENVIRONMENT, stderr=subprocess.PIPE)
        self.direct = int(re.search(rb":(\d+)/", self.server.stderr.readline())[1])
        self.port = free_port()
        file = configured(folder, self.port, self.direct)
        self.nginx = subprocess.Popen([NGINX, "-p", folder, "-c", file], stderr=subprocess.DEVNULL)

    def __enter__(self) -> Behind:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return self
            except OSError:
                time.sleep(0.05)
        raise AssertionError("nginx does not listen")

    def __exit__(self, *error: object) -> None:
        for one in (self.nginx, self.server):
            one.terminate()
            one.communicate()

    def most_memory(self) -> float:
        """The most memory that Backtrick had, in MB."""
        return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{self.server.pid}/status").read_text())[1]) / 1024

    async def connect(self, address: str, sent: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection of a client at an address, which has sent something."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
        writer.write(sent)
        return reader, writer

    async def ask(self, address: str, sent: bytes) -> int:
        """The status of an answer; 0 if there is none."""
        try:
            reader, writer = await self.connect(address, sent)
            line = await reader.readuntil(b"\r\n")
        except (ConnectionError, asyncio.IncompleteReadError):
            return 0
        with suppress(ConnectionError):  # one that is refused may be ended before its end
            await reader.read()
        writer.close()
        return int(line[9:12])

    async def until_ended(self, address: str, sent: bytes = b"", drop: bytes = b"") -> float:
        """The seconds after which a connection is ended that sends a drop each second."""
        began, (reader, writer) = time.monotonic(), await self.connect(address, sent)
        reading = asyncio.ensure_future(reader.read())
        while not reading.done():
            await asyncio.wait([reading], timeout=1)
            writer.write(drop)
        reading.exception()
        writer.close()
        return time.monotonic() - began

    async def attack(self, number: int) -> None:
        """A heavy client, until it is cancelled: half send large bodies one behind the other, half ask for long searches."""
        while True:
            sent = MANY * 4 if number % 2 else LONG
            await self.ask(f"127.0.0.{10 + number}", sent)
            await asyncio.sleep(0.05)

    async def post_and_leave(self, number: int) -> None:
        """A client that never waits for its answer, until it is cancelled."""
        while True:
            _, writer = await self.connect(f"127.0.0.{10 + number}", MOST)
            await asyncio.sleep(0.05)
            writer.close()

    async def ordinary(self, seconds: float) -> list[float]:
        """How long each of the answers took that an ordinary client got, one after another."""
        end, taken = time.monotonic() + seconds, []
        while time.monotonic() < end:
            began = time.monotonic()
            assert await self.ask("127.0.0.99", EASY) == 200
            taken.append(time.monotonic() - began)
            await asyncio.sleep(0.1)
        return sorted(taken)


async def told_apart(both: Behind) -> bool:
    """True if a client is answered while another one, which asked before, waits behind long searches of its own."""
    first = [asyncio.ensure_future(both.ask("127.0.0.2", sent)) for sent in [LONG] * 6 + [SHORT]]
    await asyncio.sleep(1)
    second = await both.ask("127.0.0.3", SHORT)
    waits = not first[-1].done()
    await asyncio.gather(*first)
    return second == 200 and waits


async def left(both: Behind, seconds: float) -> list[float]:
    """What an ordinary client sees of eight addresses that post as many positions as a body may have, and leave."""
    leaving = [asyncio.ensure_future(both.post_and_leave(number)) for number in range(8)]
    taken = await both.ordinary(seconds)
    for one in leaving:
        one.cancel()
    await asyncio.gather(*leaving, return_exceptions=True)
    return taken


async def attacked(both: Behind, seconds: float) -> dict[str, float]:
    """What comes of all attacks at once, and of an ordinary client meanwhile: seconds, and MB."""
    silent = [asyncio.ensure_future(both.until_ended("127.0.0.4")) for _ in range(300)]
    slow = [asyncio.ensure_future(both.until_ended("127.0.0.5", EASY[:-2], b"X: y\r\n")) for _ in range(50)]
    heavy = [asyncio.ensure_future(both.attack(number)) for number in range(12)]
    taken = await both.ordinary(seconds)
    for one in heavy:
        one.cancel()
    await asyncio.gather(*heavy, return_exceptions=True)
    return {
        "silent": max(await asyncio.gather(*silent)),
        "slow": max(await asyncio.gather(*slow)),
        "half": taken[len(taken) // 2],
        "last": taken[-1],
        "answered": len(taken),
        "memory": both.most_memory(),
    }
