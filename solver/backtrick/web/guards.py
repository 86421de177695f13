"""Who may ask, and what a browser may do with an answer."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from backtrick.values import shortened
from backtrick.web.problems import MEDIA_TYPE, body_of, problem

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""No script and no style but the files of the page, and no request to anywhere else."""

HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
]


class Guard:
    """Lets requests through whose Host is an address, localhost, or one of `hosts`, and adds `HEADERS` to every response.

    A page elsewhere can let its own name point here (DNS rebinding), and then read the answers. It cannot choose an address.
    """

    def __init__(self, app: App, hosts: Iterable[str] = ()):
        self._app, self._hosts = app, frozenset(map(str.lower, hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        named = [value for name, value in scope["headers"] if name == b"host"]
        host = named[0].decode("latin-1") if len(named) == 1 else ""
        if is_here(host, self._hosts):
            await self._app(scope, receive, guarded)
            return
        body = body_of(problem(421, f"this server is not called {shortened(host)!r}; backtrick serve --host-name names it"))
        headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
        await guarded({"type": "http.response.start", "status": 421, "headers": headers})
        await guarded({"type": "http.response.body", "body": body})


def is_here(host: str, hosts: frozenset[str]) -> bool:
    """True if a Host header is an address, localhost, or one of `hosts`; its port does not matter.

    >>> [is_here(host, frozenset({"box"})) for host in ("127.0.0.1:8000", "[::1]:8000", "LOCALHOST", "box:80", "evil.example")]
    [True, True, True, True, False]
    """
    found = re.fullmatch(r"(\[[0-9a-f:.]+\]|[^:\[\]]+)(?::\d{1,5})?", host.lower())
    if found is None:
        return False
    name = found[1]
    if name == "localhost" or name in hosts:
        return True
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
