"""Asking the HTTP API in this process, without a socket: as a server of ASGI does, so that nothing comes between."""

from __future__ import annotations

import asyncio
import gzip
import json
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from backtrick.web import api
from backtrick.web.api import Api, Settings
from backtrick.web.limits import Limits
from waiting import PATIENCE

DUEL, LINE = "27^40v:17,18,45 13^50v:5,12", "15,43,44 21,53 51-62-35"
HARD = (
    "29,39,45,48,56,65,74,86,94 36,55,64,73,75,76,78,79,89 "
    "85-67-15-92-49-98-13-87-71-68-54-97-32-84-83-96-24-46-69-93-63-12-57-31-66"
)
"""Without a memory, `table_mib=0`, it takes more than a second."""

DEALS = {"face_to_face": "27^40v:17,18,45+2,33 13^50v:5,12+4,9", "take_that": "12,43 21,34 35-41 55,63"}
LONG = (
    "14^46v:9,25,32,47,49,57+31,20,34,17,35,12,52,38,58,33,44,26,37,8,22,3,21,27,42,54,48,40,30,28,18,50,45,43 "
    "11^44v:4,9,19,28,37,40+39,27,36,25,51,48,3,13,21,29,49,7,30,42,2,33,32,11,15,35,50,8,31,10,20,55,57,5,46"
)
"""A deal that nobody has solved."""

PATIENT = Limits(seconds=PATIENCE)
"""So that no busy machine ends a search."""


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


# The page is put together and packed once: that takes longer than all else that an application does when it begins.
api.static_files, api.packed = cache(api.static_files), cache(api.packed)


class Client:
    """Asks an application. `api` is Backtrick's, `app` what is asked: another one may stand around it."""

    def __init__(self, **settings: Any):
        self.app = self.api = Api(Settings(**{"limits": PATIENT, **settings}))

    def get(self, path: str, headers: dict[str, str] | None = None, **parameters: object) -> Answered:
        """The response to a GET. parameters: of the query, escaped here."""
        query = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in parameters.items())
        return self.ask("GET", path, query, headers)

    def post(self, path: str, body: bytes, media_type: str = "text/plain", headers=None) -> Answered:
        """The response to a POST."""
        path, _, query = path.partition("?")
        return self.ask("POST", path, query, {"content-type": media_type, **(headers or {})}, body)

    def ask(self, *asked: Any, **more: Any) -> Answered:
        """The response to a request, as `asked` takes it."""
        return asyncio.run(self.asked(*asked, **more))

    async def asked(self, method, path, query="", headers=None, body=b"", client="127.0.0.1", receive=None, **scope) -> Answered:
        """The same in an event loop. The status is 0 if there is no answer.

        body:    whole, or in parts, of which None is the end of the client
        receive: gives the parts instead
        scope:   more of the request
        """
        told = {"host": "127.0.0.1:8000", **(headers or {})}
        parts, sent = [body] if isinstance(body, bytes) else list(body), []

        async def next_part() -> dict[str, Any]:
            part = parts.pop(0) if parts else await asyncio.Event().wait()
            if part is None:
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": part, "more_body": bool(parts)}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        request = {
            "type": "http", "http_version": "1.1", "method": method, "path": unquote(path), "client": client and (client, 50_000),
            "query_string": query.encode("utf-8", "surrogateescape"),
            "headers": [(name.encode(), value.encode("utf-8")) for name, value in told.items() if value is not None],
        }  # fmt: skip
        await self.app({**request, **scope}, receive or next_part, send)
        if not sent:
            return Answered(0, {}, b"")
        start, end = sent
        answered = {name.decode(): value.decode("latin-1") for name, value in start["headers"]}
        assert len(answered) == len(start["headers"]) and answered.get("content-length", "0") == str(len(end["body"]))
        return Answered(start["status"], answered, end["body"])
