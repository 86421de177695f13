"""The ASGI application: requests in, responses out, by path."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import time
from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from backtrick import __version__
from backtrick.budget import Budget
from backtrick.errors import BacktrickError, shortened
from backtrick.game import AnyGame, Values
from backtrick.games import all_games, has_whole_game, whole_game_of
from backtrick.given import read_whole
from backtrick.play.state import Player
from backtrick.web.asgi import Message, Receive, Request, Send, live, send_response
from backtrick.web.batches import lines_of, solve_many
from backtrick.web.endpoints import ENDPOINTS, Endpoint
from backtrick.web.first import First, first_screen, first_table
from backtrick.web.limits import Limits
from backtrick.web.openapi import description
from backtrick.web.page import (
    ICON,
    ICON_SIZES,
    INDEX,
    MANIFEST,
    Shared,
    game_of_link,
    icon_png,
    makes_png,
    media_type_of,
    png_of,
    shared_puzzle,
    static_files,
    version_of,
    versioned,
    with_first,
    with_head,
    with_icons,
)
from backtrick.web.parameters import FORM, FORMS, Parameter, Query, fields_of, game_named, path_of, read
from backtrick.web.puzzles import DAY
from backtrick.web.responses import (
    ASK_AGAIN,
    BEST_LEVEL,
    FOR_A_DAY,
    FOR_EVER,
    JSON,
    NEVER,
    PROBLEM,
    Busy,
    Refused,
    Response,
    body_of,
    packed,
    problem,
    problem_of,
    unless_known,
)
from backtrick.web.workers import Gone, Workers
from backtrick.writing.formats import RECORDS

QUICK = Budget(nodes=500)
"""What is tried in the thread of the event loop before a thread is asked: a fraction of a millisecond."""

DESCRIPTION = "/api/v1/openapi.json"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""No script and no style but the files of the page, and no request to anywhere else."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
}
"""The headers of every response."""


@dataclass(frozen=True)
class Settings:
    """The settings of a server.

    limits: that keep one client from blocking it
    tables: the directory whose tables give values; None for none
    hosts:  names by which it may be called, besides addresses and localhost
    cors:   the origins whose pages may read the answers; '*' for all
    public_url: the address under which others reach it, for links that are shared; None for the one that a request names
    players: more players of each game, by its name and theirs: functions from a view to a turn
    """

    limits: Limits = field(default_factory=Limits)
    tables: str | None = None
    hosts: tuple[str, ...] = ()
    cors: tuple[str, ...] = ()
    public_url: str | None = None
    players: Mapping[str, Mapping[str, Player[Any, Any]]] = field(default_factory=dict)


class Api:
    """An ASGI application that answers requests. Raises `StorageError` if the tables cannot be read."""

    def __init__(self, settings: Settings):
        self.settings, self.workers = settings, Workers(settings.limits)
        self._games = {path_of(game.name): game for game in all_games()}
        self._tables: dict[tuple[str, Any], Values] = {}
        self._held = 0  # bytes of the bodies in memory
        static = {**static_files()}
        if makes_png():
            static[MANIFEST] = with_icons(static[MANIFEST][0]), static[MANIFEST][1]
        self._version = version_of(static)
        static[INDEX] = versioned(static[INDEX][0], self._version), static[INDEX][1]
        self._files = {name: packed(*one, ASK_AGAIN, "gzip", BEST_LEVEL) for name, one in static.items()}
        self._plain = {name: packed(*one, ASK_AGAIN, "") for name, one in static.items()}
        self._description = packed(body_of(description(settings.limits)), JSON, ASK_AGAIN, "")
        self._hosts = frozenset(map(str.lower, settings.hosts))
        if settings.public_url is not None:
            self._hosts |= {urlsplit(settings.public_url).hostname or ""}
        if settings.tables is not None:
            for game in all_games():
                self._tablebase(game, game.published)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answers as ASGI has it: a request, or word that the server begins and ends. A web socket is refused."""
        if scope["type"] == "lifespan":
            await live(receive, send, self.workers.close)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})
        else:
            with suppress(Gone):
                await send_response(await self.answer(Request.of(scope, receive)), send)

    async def answer(self, request: Request) -> Response:
        """The response; what is wrong is a response too. Raises `Gone`."""
        try:
            made = await self._routed(request)
        except Gone:
            raise
        except asyncio.CancelledError:  # the server ends, and waits no longer
            made = failure(Busy(HTTPStatus.SERVICE_UNAVAILABLE, "the server ends"))
        except Exception as error:  # noqa: BLE001, a fault of Backtrick is logged
            made = failure(error)
        return with_headers(made, {**HEADERS, **self._cors(request, made)})

    def _cors(self, request: Request, made: Response) -> dict[str, str]:
        """The headers that let pages of another origin read the answer. It is kept for others: so `Vary` names what it depends on,
        also where the request has no origin."""
        origin, allowed = request.headers.get("origin"), self.settings.cors
        exposed = {"access-control-expose-headers": "ETag, Retry-After"}
        if "*" in allowed:
            return {"access-control-allow-origin": "*", **exposed}
        if not allowed:
            return {}
        vary = {"vary": ", ".join(filter(None, (made.headers.get("vary"), "Origin")))}
        return {"access-control-allow-origin": origin, **exposed, **vary} if origin in allowed else vary

    def _preflight(self, request: Request) -> Response | None:
        """The response to a browser that asks whether a page of another origin may ask."""
        asks = request.method == "OPTIONS" and {"origin", "access-control-request-method"} <= request.headers.keys()
        if not asks or not {"*", request.headers["origin"]} & {*self.settings.cors}:
            return None
        allowed = {"allow-methods": "GET, HEAD, POST", "allow-headers": "Content-Type, If-None-Match", "max-age": "600"}
        return Response(HTTPStatus.OK, b"", {f"access-control-{name}": value for name, value in allowed.items()})

    async def _routed(self, request: Request) -> Response:
        host = request.headers.get("host", "")
        if not is_here(host, self._hosts) and (host or request.version != "1.0"):  # simple health checks name none
            raise Refused(421, f"this server is not called {shortened(host)!r}; backtrick serve --host-name names it")
        preflight = self._preflight(request)
        if preflight is not None:
            return preflight
        path, reads = request.path, request.method in ("GET", "HEAD")
        asked = re.fullmatch("/api/v1/([^/]+)/([^/]+)", path)
        if asked is not None:
            if not reads and request.method != "POST":
                raise _no_method(request, "GET, HEAD, POST")
            game, endpoint = self._games.get(asked[1]) or game_named(asked[1]), ENDPOINTS.get(asked[2])
            if endpoint is None:
                raise Refused(404, f"there is no endpoint {asked[2][:80]!r}; there are {', '.join(ENDPOINTS)}")
            if reads:
                return await self._ask(request, game, endpoint)
            if asked[2] != "solve":
                raise Refused(405, "only solve takes many positions", {"allow": "GET, HEAD"})
            return await self._solve_many(request, game)
        if not reads:
            raise _no_method(request, "GET, HEAD")
        link = re.fullmatch(r"(?P<puzzle>/p|)/(?P<game>[a-z0-9-]+)/(?P<named>[^/]*?)(?P<kind>\.png|\.svg|)", path)
        linked = None if link is None else game_of_link(link["game"])
        if link is not None and linked is not None:
            return await self._linked(request, linked, link)
        sheet = re.fullmatch("/print/((?:f2f|tt)/(?:[0-9,-]+|[0-9a-z.~-]+_[0-9a-z_.~-]+))", path)
        if sheet is not None:
            return Response(HTTPStatus.PERMANENT_REDIRECT, headers={"location": f"../../print.html#{sheet[1]}"})
        icon = re.fullmatch(r"/(?:v/[0-9a-f]+/)?icon-(.*)\.png", path)
        size = next((one for one in ICON_SIZES if icon is not None and icon[1] == str(one)), 0)
        if size and makes_png():
            drawn = self._plain[ICON].body
            return await self._run(request, lambda mib: packed(icon_png(drawn, size), media_type_of(path), FOR_A_DAY, ""))
        if path == "/api/v1":
            made = packed(body_of(_games(self.settings.players)), JSON, ASK_AGAIN, request.headers.get("accept-encoding", ""))
            return unless_known(made, request.headers)
        return unless_known(self._description if path == DESCRIPTION else self._file(request), request.headers)

    def _file(self, request: Request) -> Response:
        """A file of the page."""
        if request.path in ("/", f"/{INDEX}"):
            return self._page(request, self._plain[INDEX].body, first_screen(int(time.time()) // DAY))
        name = request.path[1:]
        kept = re.match("v/([0-9a-f]+)/", name)
        name = name[kept.end() :] if kept else name
        zipped = "gzip" in request.headers.get("accept-encoding", "")
        made = (self._files if zipped else self._plain).get(name)
        if made is None:
            raise Refused(404, f"there is nothing at /{name[:80]}; the API is at /api/v1")
        if kept and kept[1] == self._version:
            return replace(made, headers={**made.headers, "cache-control": FOR_EVER})
        return made

    async def _linked(self, request: Request, game: AnyGame, link: re.Match[str]) -> Response:
        """What a link names. A browser gets the page also where the link is broken: the page says what is wrong with it."""
        kind = link["kind"]
        try:
            if link["puzzle"]:
                shared = shared_puzzle(game, link["named"])
            else:
                shared = Shared(game, link["named"], b"plain=1" not in request.query.split(b"&"))
        except BacktrickError:
            if kind or "text/html" not in request.headers.get("accept", ""):
                raise
            return replace(self._page(request, with_head(self._plain[INDEX].body, ""), First("", {}), NEVER), status=404)
        return await self._shared(request, shared, kind)

    def _page(self, request: Request, page: bytes, first: First, cache: str = ASK_AGAIN) -> Response:
        """The page, with what comes with it."""
        return packed(with_first(page, first), media_type_of(INDEX), cache, request.headers.get("accept-encoding", ""), BEST_LEVEL)

    async def _shared(self, request: Request, shared: Shared, kind: str) -> Response:
        """The page of a position, or its image."""
        accepted = request.headers.get("accept-encoding", "")
        if kind == ".png":
            if not makes_png():
                raise Refused(404, "there are no PNG images here; pip install 'backtrick[preview]'")
            return await self._run(request, lambda mib: packed(png_of(shared.image()), media_type_of(kind), FOR_A_DAY, ""))
        if kind == ".svg":
            return unless_known(packed(shared.image().encode(), media_type_of(kind), FOR_A_DAY, accepted), request.headers)
        address = self.settings.public_url or f"{request.scheme}://{request.headers.get('host', 'localhost')}{request.root}"
        page = with_head(self._plain[INDEX].body, shared.head(address))
        return unless_known(self._page(request, page, first_table(shared.game, shared.position)), request.headers)

    async def _ask(self, request: Request, game: AnyGame, endpoint: Endpoint) -> Response:
        """GET: one question."""
        query = self._query(game, request, endpoint.parameters, endpoint.values)
        accepted = request.headers.get("accept-encoding", "")
        limited = query.budget.nodes is not None or query.budget.seconds is not None
        if endpoint.short and query.tablebase is None and not limited and not game.is_deal(query.position):
            reply = endpoint.answer(query, QUICK)  # few nodes suffice for most endgames
            if reply.exact:
                return unless_known(reply.packed(accepted), request.headers)

        def work(mib: int) -> Response:
            with_memory = replace(query, mib=mib)
            return endpoint.answer(with_memory, with_memory.within(request.hurry)).packed(accepted)

        return await self._run(request, work)

    async def _solve_many(self, request: Request, game: AnyGame) -> Response:
        """POST: many positions."""
        query = self._query(game, request, {"form": FORM}, True)
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        form, most = query.given.get("form", RECORDS), self.settings.limits.positions
        accepted, body = request.headers.get("accept-encoding", ""), await self._read(request)

        def work(mib: int) -> Response:
            lines = lines_of(body, media_type, most)
            answers = solve_many(replace(query, mib=mib), lines, form, most, request.hurry)
            return packed(answers, FORMS[form], NEVER, accepted)

        self._held += len(body)
        try:
            return await self._run(request, work)
        finally:
            self._held -= len(body)

    async def _read(self, request: Request) -> bytes:
        """The body of a request, within the limits."""
        limits, length = self.settings.limits, request.headers.get("content-length", "")
        too_long = Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a body has at most {limits.body:,} bytes")
        with suppress(ArgumentTypeError):  # a server has refused what is no number
            if read_whole()(length) > limits.body:
                raise too_long
        body = bytearray()  # a body in many small parts takes no more than its size

        async def read() -> None:
            async for part in request.parts():
                body.extend(part)
                self._held += len(part)
                if len(body) > limits.body:
                    raise too_long
                if self._held > limits.held:
                    raise Busy(HTTPStatus.SERVICE_UNAVAILABLE, "too many bodies arrive at once")

        try:
            await asyncio.wait_for(read(), limits.body_seconds)
            return bytes(body)
        except asyncio.TimeoutError:
            late = f"the body did not arrive within {limits.body_seconds:g} seconds"
            raise Refused(HTTPStatus.REQUEST_TIMEOUT, late) from None
        finally:
            self._held -= len(body)

    async def _run(self, request: Request, work: Callable[[int], Response]) -> Response:
        """Work in a thread, which ends soon if the client goes away."""
        made = await request.unless_gone(self.workers.run(request.client, request.hurry, work))
        return unless_known(made, request.headers)

    def _query(self, game: AnyGame, request: Request, own: Mapping[str, Parameter], values: bool) -> Query:
        query = read(game, fields_of(request.query), own, values, self.settings.limits)
        if values and self.settings.tables is not None:
            return replace(query, tablebase=self._tablebase(game, query.rules))
        return replace(query, players=self.settings.players[game.name]) if game.name in self.settings.players else query

    def _tablebase(self, game: AnyGame, rules: Any) -> Values | None:
        """The tablebase of a game and its rules; they are opened once."""
        directory = self.settings.tables
        if directory is None:
            return None
        from backtrick.games import opener_of  # loads h5py, which only servers with tables need

        key = game.name, rules
        if key not in self._tables:
            self._tables[key] = opener_of(game.name)(directory, rules)
        return self._tables[key]


def _no_method(request: Request, allowed: str) -> Refused:
    return Refused(405, f"{request.path[:80]} is asked by {allowed}, not {request.method}", {"allow": allowed})


def _games(more: Mapping[str, Mapping[str, Player[Any, Any]]]) -> dict[str, object]:
    """The games and the version, as a record."""
    games = [
        {
            "name": game.name,
            "path": path_of(game.name),
            "title": game.title,
            "example": game.example,
            "rules": {name: {"about": one.help, "choices": list(one.choices)} for name, one in game.display.rule_options.items()},
            "limits": {name: one.help for name, one in game.display.limits.items()},
            "sources": {name: one.description for name, one in game.display.sources.items()},
            "players": {name: kind.about for name, kind in (whole_game_of(game).players if has_whole_game(game) else {}).items()}
            | dict.fromkeys(more.get(game.name, ()), ""),
            "paths": list(ENDPOINTS),
        }
        for game in all_games()
    ]
    return {"version": __version__, "games": games}


def failure(error: Exception) -> Response:
    """The response to a request whose answer is an error. A fault of Backtrick is logged with its traceback."""
    if isinstance(error, Refused):
        return _response(problem(error.status, error.detail), error.headers)
    if isinstance(error, BacktrickError):
        return _response(problem_of(error))
    logging.error("a fault of Backtrick", exc_info=error)
    return _response(problem(HTTPStatus.INTERNAL_SERVER_ERROR, "a fault of Backtrick; its log says more"))


def _response(details: dict[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    made = {"content-type": PROBLEM, "cache-control": NEVER, **(headers or {})}
    return Response(details["status"], body_of(details), made)


def with_headers(made: Response, more: Mapping[str, str]) -> Response:
    return Response(made.status, made.body, {**made.headers, **more})


def is_here(host: str, hosts: frozenset[str]) -> bool:
    """True if a Host header is an address, localhost, or one of `hosts`; its port does not matter.

    A page elsewhere can let its own name point here (DNS rebinding), and then read the answers. It cannot choose an address.

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
