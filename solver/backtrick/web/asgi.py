"""Requests and responses as a server hands them over: ASGI (asgi.readthedocs.io). The server has read HTTP; this is what came."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, MutableMapping
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import IPv6Address, IPv6Network
from typing import Any, TypeVar

from backtrick.web.responses import Response
from backtrick.web.workers import Gone, Hurry

Made = TypeVar("Made")
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Request:
    """A request.

    path:    without its escapes, and without `root`
    query:   as it was sent
    headers: by their names in lower case; the values of a repeated header are joined by commas
    client:  the address that it came from, as `client_of` names it; behind a proxy, the one that the proxy names
    root:    the path below which the application stands, if it is a part of another one
    scheme:  http, or https
    version: of HTTP
    receive: gives what comes next from the client
    hurry:   called when the answer must come soon, or when nobody waits for it
    """

    method: str
    path: str
    query: bytes
    headers: Mapping[str, str]
    client: str
    root: str
    scheme: str
    version: str
    receive: Receive
    hurry: Hurry = field(default_factory=Hurry)

    @classmethod
    def of(cls, scope: Mapping[str, Any], receive: Receive) -> Request:
        """The request that a server describes."""
        values: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            values.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
        headers = {name: ", ".join(texts) for name, texts in values.items()}
        address, _ = scope.get("client") or ("", 0)
        root = scope.get("root_path", "")
        path = scope["path"].removeprefix(root) or "/"
        scheme, version = scope.get("scheme", "http"), scope["http_version"]
        return cls(scope["method"], path, scope["query_string"], headers, client_of(address), root, scheme, version, receive)

    async def parts(self) -> AsyncIterator[bytes]:
        """The body, as it arrives. Raises `Gone`."""
        more = True
        while more:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise Gone
            yield message.get("body", b"")
            more = message.get("more_body", False)

    async def unless_gone(self, work: Coroutine[Any, Any, Made]) -> Made:
        """What the work gives. It is cancelled if the client goes away. Raises `Gone` then."""
        working, gone = asyncio.ensure_future(work), asyncio.ensure_future(self._is_gone())
        try:
            await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise Gone
            return working.result()
        finally:
            working.cancel()
            gone.cancel()

    async def _is_gone(self) -> None:
        while (await self.receive())["type"] != "http.disconnect":
            pass


def client_of(address: str) -> str:
    """Who the limits of an address apply to: the address, or the network that one IPv6 client has, of 64 bits.

    >>> client_of("192.0.2.7"), client_of("::ffff:192.0.2.7"), client_of("2001:db8:1:2:3:4:5:6"), client_of("fe80::1%eth0")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::/64', 'fe80::/64')
    """
    if ":" not in address:
        return address
    try:
        packed = IPv6Address(address.partition("%")[0])
    except ValueError:  # a proxy can name anything
        return address
    return str(packed.ipv4_mapped or IPv6Network((packed, 64), strict=False))


async def send_response(made: Response, send: Send) -> None:
    """Sends a response."""
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in made.headers.items()]
    if made.status != HTTPStatus.NOT_MODIFIED:
        headers.append((b"content-length", str(len(made.body)).encode()))
    await send({"type": "http.response.start", "status": int(made.status), "headers": headers})
    await send({"type": "http.response.body", "body": made.body})


async def live(receive: Receive, send: Send, close: Callable[[], None]) -> None:
    """Tells a server that the application has begun and ended. close: is called at the end."""
    while (await receive())["type"] != "lifespan.shutdown":
        await send({"type": "lifespan.startup.complete"})
    close()
    await send({"type": "lifespan.shutdown.complete"})
