"""Fuzzed requests, half of them valid. The others have odd lines and headers, wrong escapes, mutated positions or odd bodies.

    python tests/support/hostile_web.py PORT SEED COUNT        sends them to a server on this machine, and prints the statuses
"""

from __future__ import annotations

import contextlib
import random
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from urllib.parse import quote, quote_from_bytes

GOOD = {
    "face-to-face": ["27^40v:17,18,45 13^50v:5,12", "52^6v:16,18,19,57 53^15v:4,7,29,44", "27^40v:17,18,45+2,33 13^50v:5,12+4,9"],
    "take-that": ["15,43,44 21,53 51-62-35", "12,43,94 21 34-41-49", "12,43,94 21 34-41-49 55,63"],
}
TURNS = ["17^ 18^", "45v 12^'", "take", "44", "15x51", "take,43", "-", "", "18a_17a"]
PATHS = ["solve", "best", "turns", "line", "grade", "why", "look", "play", "random", "puzzle", "nothing", "", "../solve", "%2e",
         "move", "deal"]  # fmt: skip
ODD = ["", "0", "-1", "1", "99999999999999999999", "1e309", "nan", "inf", "true", "null", "'", '"', "<script>", "\0", "%", "%zz",
       "%ff", "\ud800", "😀", "../../etc/passwd", "{}", "[]", "a" * 5000, " ", "+", "&", "=", "١٢", "1_000", "0x10"]  # fmt: skip
HOSTS = ["evil.example", "", "127.0.0.1\r\nHost: b", "[", "é", "a" * 3000]
HEADERS = ["Accept-Encoding: gzip;q=", "If-None-Match: " + "W/" * 100, "Content-Type: é", "X: " + "y" * 9000, "Bad Header",
           "Content-Length: -1", "Content-Length: 1e3", "Expect: 100-continue",
           "Upgrade: websocket", "Range: bytes=0-", "Origin: null"]  # fmt: skip
NAMES = ["position", "turn", "laid", "all", "count", "limit", "offset", "card", "pile", "seed", "source", "difficulty", "number",
         "piles", "player", "nodes", "seconds", "table_mib", "lone_card", "empty_line", "forced_only", "form", "x",
         "__class__"]  # fmt: skip
MOST_SECONDS = 30.0
"""Of the server's processor for one answer, whatever was asked."""
HANGS = 600.0
"""Seconds after which an answer comes no more, on a busy machine too."""

SIGNS = "0123456789^v:,+-'x _.ahpo?!\t\n\0é"


def mutated(text: str, dice: random.Random) -> str:
    """A text with a few signs changed, removed, or added."""
    signs = list(text)
    for _ in range(dice.randrange(4)):
        at = dice.randrange(len(signs) + 1)
        signs[at : at + dice.randrange(3)] = dice.choices(SIGNS, k=dice.randrange(3))
    return "".join(signs)


def _query(dice: random.Random, game: str) -> str:
    given = {"position": dice.choice(GOOD[game]), "turn": dice.choice(TURNS)}
    if dice.random() < 0.6:
        given = {name: mutated(text, dice) for name, text in given.items()}
    chosen = {name: given[name] for name, share in (("position", 0.9), ("turn", 0.2)) if dice.random() < share}
    for _ in range(dice.choice([0, 0, 0, 0, 1, 1, 2, 40])):
        chosen[dice.choice(NAMES)] = dice.choice(ODD)
    return "&".join(f"{name}={_escaped(value, dice)}" for name, value in chosen.items())


def _escaped(text: str, dice: random.Random) -> str:
    if dice.random() < 0.8:
        return quote(text.encode("utf-8", "surrogatepass"), safe="")
    return "".join(sign for sign in text if " " < sign < "\x7f")


def _body(dice: random.Random, game: str) -> bytes:
    lines = [mutated(dice.choice(GOOD[game]), dice) if dice.random() < 0.3 else dice.choice(GOOD[game]) for _ in range(5)]
    kind = dice.randrange(5)
    if kind == 0:
        return dice.randbytes(dice.randrange(500))
    if kind == 1:
        return repr(lines).replace("'", '"').encode("utf-8", "replace")
    if kind == 2:
        return b"[" * dice.randrange(20_000)
    return "\n".join(lines).encode("utf-8", "replace")


def valid(dice: random.Random) -> bytes:
    """A request that is to be answered with 200."""
    game = dice.choice([*GOOD])
    position = quote(dice.choice(GOOD[game]))
    path = dice.choice(["solve", "solve", "best", "line", "turns", "look", "drawing"])
    method, headers = dice.choice(["GET", "GET", "GET", "HEAD"]), "Host: localhost\r\nConnection: close\r\n"
    headers += dice.choice(["", "Accept-Encoding: gzip\r\n"])
    if dice.random() < 0.2:
        body = "".join(f"{dice.choice(GOOD[game])}\n" for _ in range(dice.randrange(20))).encode()
        form = dice.choice(["values", "rows", "records"])
        return f"POST /api/v1/{game}/solve?form={form} HTTP/1.1\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body
    return f"{method} /api/v1/{game}/{path}?position={position} HTTP/1.1\r\n{headers}\r\n".encode()


def invalid(dice: random.Random) -> bytes:
    """A request that is likely to be wrong, as bytes."""
    game = dice.choice([*GOOD])
    path = f"/api/v1/{game}/{dice.choice(PATHS)}"
    kind = dice.random()
    if kind < 0.05:
        return dice.randbytes(dice.randrange(1, 300)) + b"\r\n\r\n"
    if kind < 0.1:
        path = dice.choice(["/" + quote_from_bytes(dice.randbytes(20)), "/../../etc/passwd", "//", "/api/v1/%00/solve", "*",
                            "http://evil.example/", "/api/v1/" + "x" * 3000])  # fmt: skip
    host = "127.0.0.1" if dice.random() < 0.95 else dice.choice(HOSTS)
    headers = [f"Host: {host}", "Connection: close"]
    if dice.random() < 0.2:
        headers.append(dice.choice(HEADERS))
    if kind < 0.7:
        method, body = dice.choice(["GET"] * 12 + ["HEAD", "OPTIONS", "DELETE", "get", "TRACE"]), b""
    else:
        method, body = "POST", _body(dice, game)
        path = f"/api/v1/{game}/{dice.choice(['solve', 'solve', 'solve', 'best'])}"
        headers.append(f"Content-Length: {len(body)}")
        headers.append(f"Content-Type: {dice.choice(['text/plain', 'application/json', 'x', ''])}")
    line = f"{method} {path}?{_query(dice, game)} HTTP/1.1"
    return "\r\n".join([line, *headers, "", ""]).encode("utf-8", "replace") + body


def statuses(port: int, seed: int, count: int, clock: Callable[[], float] = time.monotonic) -> Iterator[tuple[int, bytes]]:
    """Sends the requests one after another; the status of each, and the request. clock: the seconds that the server has worked.

    Raises `AssertionError` for a connection without a status, for one that takes longer than `MOST_SECONDS`, for a status from
    500 on but 503, and for a valid request whose status is not 200.
    """
    dice = random.Random(seed)
    for _ in range(count):
        good = dice.random() < 0.5
        asked = valid(dice) if good else invalid(dice)
        began, answered = clock(), b""
        refused = contextlib.suppress(BrokenPipeError, ConnectionResetError)  # before it was sent whole
        with socket.create_connection(("127.0.0.1", port), timeout=HANGS) as connection, refused:
            connection.sendall(asked)
            while part := connection.recv(1 << 16):
                answered += part
        final = answered.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")
        status = int(final[9:12]) if final.startswith(b"HTTP/1.1 ") else 0
        assert status == 200 if good else 200 <= status < 500 or status == 503, (status, asked)
        assert b"Traceback" not in answered and clock() - began < MOST_SECONDS, asked
        yield status, asked


if __name__ == "__main__":
    print(Counter(status for status, _ in statuses(*map(int, sys.argv[1:4]))))
