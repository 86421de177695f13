"""How well `backtrick serve` answers others while it is attacked, all on this machine.

    python benchmarks/serve_hostile.py [--requests N] [--silent N] [--heavy N] [--descriptors N] [--fuzz N] [--most-seconds S]

The server may have 256 descriptors open. Another process attacks it from 127.0.0.2, .3 and .4: 400 connections stay silent, 400
send half a request, and 60 ask for new deals; each begins again when it is ended. Meanwhile 127.0.0.5 asks for
20,000 endgames of self-play on 4 connections, as it did before the attack. Each must be answered. Then the attack ends, and the
memory must go back. Finally fuzzed requests are sent, half of them valid; `tests/hostile_web.py` checks the answers. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import re
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import quote

import machine
import record
from serve import Server, asked_of, latencies

sys.path.append(str(machine.ROOT / "tests"))
import hostile_web  # noqa: E402

ATTACKERS, ORDINARY = ("127.0.0.2", "127.0.0.3", "127.0.0.4"), "127.0.0.5"
CONNECTIONS = 4
LONG = (
    "8^6v:2,29,35,43,50,56+19,3,54,49,40,42,26,31,8,36,4,38,10,20,15,14,55 "
    "57^53v:2,5,18,21,24,29+55,38,16,40,36,4,41,11,3,52,37,56,17,6,14,20,22,42,44,47"
)
HEAVY = f"GET /api/v1/face-to-face/solve?position={quote(LONG)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
SENT = {"silent": b"", "half": HEAVY[:-4], "heavy": HEAVY}
IDLE_MB, IDLE_SECONDS = 120, 60


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--silent", type=int, default=400, help="and as many that send half a request")
    parser.add_argument("--heavy", type=int, default=60)
    parser.add_argument("--descriptors", type=int, default=256)
    parser.add_argument("--fuzz", type=int, default=50_000)
    parser.add_argument("--most-seconds", type=int, default=900, help="after which it ends, whatever happens")
    record.add_json(parser)
    options = parser.parse_args()
    signal.alarm(options.most_seconds)
    print(machine.describe())
    with tempfile.TemporaryFile() as log:
        server = Server(log, lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (options.descriptors,) * 2))
        try:
            table = measure(server, options)
        finally:
            server.process.send_signal(signal.SIGTERM)
            print(f"it ended with {server.process.wait(30)}")
        log.seek(0)
        said = log.read()
    print(f"its log has {len(said):,} bytes and {said.count(b'Traceback')} tracebacks:\n{said[:3000].decode()}")
    record.write(options.json, {"attack": table}, "the client and the attacker on the same cores; all requests were answered")


def measure(server: Server, options: argparse.Namespace) -> record.Table:
    """Ordinary requests without and with the attack, the memory after it, and fuzzed requests. Returns a table of them."""
    print(f"memory at the beginning {resident(server)['VmRSS']:.0f} MB")
    asked = asked_of("face_to_face", options.requests)
    list(latencies(server.port, asked[:1000], CONNECTIONS, ORDINARY))
    calm = told("without the attack", list(latencies(server.port, asked, CONNECTIONS, ORDINARY)))
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    attacker = spawn.Process(target=attack, args=(server.port, options.silent, options.heavy, there), daemon=True)
    attacker.start()
    here.recv()  # all have begun
    attacked = told("with the attack", list(latencies(server.port, asked, CONNECTIONS, ORDINARY)))
    most = resident(server)["VmHWM"]
    print(f"99 % take {attacked / calm:.1f} times as long; most memory {most:.0f} MB")
    here.send(None)
    print(f"what the attackers got: {here.recv()}")
    attacker.join(30)
    began = time.monotonic()
    while resident(server)["VmRSS"] > IDLE_MB and time.monotonic() - began < IDLE_SECONDS:
        time.sleep(0.2)
    print(f"{time.monotonic() - began:.0f} s after the attack: {resident(server)['VmRSS']:.0f} MB")
    began = time.monotonic()
    found = Counter(status for status, _ in hostile_web.statuses(server.port, 1, options.fuzz))
    print(f"{options.fuzz:,} fuzzed requests in {time.monotonic() - began:.0f} s, by status: {dict(sorted(found.items()))}")
    figures = f"{calm:.0f} ms", f"{attacked:.0f} ms", f"{most:.0f} MB"
    heads = "requests", "99 % within, without the attack", "99 % within, with it", "most memory of the server"
    return [heads, (f"{options.requests:,}", *figures)]


def told(when: str, taken: list[float]) -> float:
    """Prints how long requests took, and returns the time within which 99 % were answered, in milliseconds."""
    taken.sort()
    half, most, last = (1e3 * taken[int(share * (len(taken) - 1))] for share in (0.5, 0.99, 1))
    print(f"{when}: {len(taken):,} answered; half within {half:.2f} ms, 99 % within {most:.2f} ms, all within {last:.0f} ms")
    return most


def resident(server: Server) -> dict[str, float]:
    """The memory of the server now (VmRSS), and the most that it had (VmHWM), in MB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return {name: int(size) / 1024 for name, size in re.findall(r"(VmRSS|VmHWM):\s+(\d+)", status)}


def attack(port: int, silent: int, heavy: int, there: Connection) -> None:
    """Attacks until it gets the signal to end; reports how its requests were answered."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    found: Counter[str] = Counter()

    async def client(kind: str, number: int) -> None:
        address = ATTACKERS[number % len(ATTACKERS)]
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
                writer.write(SENT[kind])
                answered = await reader.read()
                found[f"{kind} {answered[9:12].decode() or 'closed'}"] += 1
                writer.close()
            except OSError:
                found[f"{kind} closed"] += 1
            await asyncio.sleep(0.5)

    async def clients() -> None:
        wanted = [("silent", silent), ("half", silent), ("heavy", heavy)]
        tasks = [asyncio.ensure_future(client(kind, number)) for kind, count in wanted for number in range(count)]
        await asyncio.sleep(2)
        there.send(None)
        await asyncio.get_running_loop().run_in_executor(None, there.recv)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        there.send(dict(sorted(found.items())))

    asyncio.run(clients())


if __name__ == "__main__":
    main()
