"""Asking the HTTP API in this process, without a socket."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest

pytest.importorskip("httptools", reason="the HTTP API needs the extra `web`")

from backtrick.web.app import Api, Settings  # noqa: E402
from backtrick.web.http import Request, Response  # noqa: E402

DUEL, LINE = "27^40v:17,18,45 13^50v:5,12", "15,43,44 21,53 51-62-35"
HARD = (
    "29,39,45,48,56,65,74,86,94 36,55,64,73,75,76,78,79,89 "
    "85-67-15-92-49-98-13-87-71-68-54-97-32-84-83-96-24-46-69-93-63-12-57-31-66"
)
"""Without a memory, `table_mib=0`, it takes more than a second."""

DEALS = {"face_to_face": "27^40v:17,18,45+2,33 13^50v:5,12+4,9", "take_that": "12,43 21,34 35-41 55,63"}
LONG = (
    "8^6v:2,29,35,43,50,56+19,3,54,49,40,42,26,31,8,36,4,38,10,20,15,14,55 "
    "57^53v:2,5,18,21,24,29+55,38,16,40,36,4,41,11,3,52,37,56,17,6,14,20,22,42,44,47"
)
"""A deal that nobody has solved."""


class Answered(NamedTuple):
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body, decompressed."""
        zipped = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if zipped else self.body).decode()

    @property
    def record(self) -> Any:
        """The body as JSON."""
        return json.loads(self.text)


class Client:
    """Asks an application."""

    def __init__(self, settings: Settings | None = None, **more: Any):
        self.api = Api(settings or Settings(**more))

    def get(self, path: str, headers: dict[str, str] | None = None, **parameters: object) -> Answered:
        """The response to a GET. parameters: of the query, escaped here."""
        query = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in parameters.items())
        return self.ask("GET", path, query, headers)

    def post(self, path: str, body: bytes, media_type: str = "text/plain", headers=None) -> Answered:
        """The response to a POST."""
        path, _, query = path.partition("?")
        return self.ask("POST", path, query, {"content-type": media_type, **(headers or {})}, body)

    def ask(self, method: str, path: str, query: str = "", headers=None, body: bytes = b"", client="127.0.0.1") -> Answered:
        """The response to a request."""
        return asyncio.run(self.asked(method, path, query, headers, body, client))

    async def asked(self, method, path, query="", headers=None, body=b"", client="127.0.0.1") -> Answered:
        """The same in an event loop."""
        told = {name: value for name, value in {"host": "127.0.0.1:8000", **(headers or {})}.items() if value is not None}
        request = Request(method, path, query.encode("utf-8", "surrogateescape"), told, body, client)
        made = self.api.answer(request)
        response = made if isinstance(made, Response) else await made
        return Answered(response.status, dict(response.headers), response.body)
