"""The application: its routes, wired to what answers them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from backtrick import __version__
from backtrick.errors import BacktrickError
from backtrick.formats import RECORDS
from backtrick.game import Values
from backtrick.games import AnyGame, all_games, contest_of, has_contest
from backtrick.web import batch, problems
from backtrick.web.answers import PATHS, Path, Reply
from backtrick.web.guards import Guard
from backtrick.web.limits import Limits
from backtrick.web.openapi import description
from backtrick.web.parameters import FORM, Asked, Parameter, fields_of, game_named, path_of, read
from backtrick.web.problems import Gone, Refused
from backtrick.web.responses import ASK_AGAIN, FOR_A_DAY, JSON, NEVER, Packed, packed, respond
from backtrick.web.static import INDEX, static_files
from backtrick.web.working import Workers
from backtrick.work import Budget, Cancel

QUICK = Budget(nodes=500)
"""What is tried in the thread of the event loop before a thread is asked: a fraction of a millisecond."""

BODY_SECONDS = 10.0


@dataclass(frozen=True)
class Settings:
    """What a server is told when it begins.

    limits: so that nobody stalls it
    tables: the directory whose tables give values; None for none
    hosts:  names by which it may be called, besides addresses and localhost
    cors:   the origins whose pages may read the answers; '*' for all
    """

    limits: Limits = field(default_factory=Limits)
    tables: str | None = None
    hosts: tuple[str, ...] = ()
    cors: tuple[str, ...] = ()


class Api:
    """The handlers of all routes, and what they share. Raises `StorageError` if the tables cannot be read."""

    def __init__(self, settings: Settings):
        self.settings, self.workers = settings, Workers(settings.limits)
        self._tables: dict[tuple[str, Any], Values[Any]] = {}
        self._files = {name: packed(*one, ASK_AGAIN, "gzip") for name, one in static_files().items()}
        self._plain = {name: packed(*one, ASK_AGAIN, "") for name, one in static_files().items()}
        self._description = packed(body_of_json(description(settings.limits)), JSON, ASK_AGAIN, "")
        if settings.tables is not None:
            for game in all_games():
                self._known(game, game.published)

    def _known(self, game: AnyGame, rules: Any) -> Values[Any] | None:
        """The tablebase of a game and its rules; they are opened once."""
        directory = self.settings.tables
        if directory is None:
            return None
        from backtrick.games import opener_of  # h5py and all that; only servers with tables need it

        key = game.name, rules
        if key not in self._tables:
            self._tables[key] = opener_of(game.name)(directory, rules)
        return self._tables[key]

    async def game(self, request: Request) -> Response:
        """/api/v1/GAME/PATH."""
        game, path = _named(request)
        if request.method != "POST":
            return await self._ask(request, game, path)
        if path is not PATHS["solve"]:
            raise Refused(405, "only solve takes many positions", {"Allow": "GET, HEAD"})
        return await self._solve_many(request, game)

    async def _ask(self, request: Request, game: AnyGame, path: Path) -> Response:
        """GET: one question."""
        asked = self._asked(game, request, path.parameters, path.values)
        accepted = request.headers.get("accept-encoding", "")
        if path.short and asked.known is None and asked.budget.nodes is asked.budget.seconds is None and is_short(asked):
            reply = path.answer(asked, QUICK)
            if reply.exact:
                return respond(_packed(reply, accepted), request.headers)

        def work(cancel: Cancel) -> Packed:
            return _packed(path.answer(asked, asked.within(cancel)), accepted)

        return respond(await self._run(request, work), request.headers)

    async def _solve_many(self, request: Request, game: AnyGame) -> Response:
        """POST: many positions."""
        asked = self._asked(game, request, {"form": FORM}, True)
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        body, shape, most = await self._body(request), asked.given.get("form", RECORDS), self.settings.limits.positions
        accepted = request.headers.get("accept-encoding", "")

        def work(cancel: Cancel) -> Packed:
            lines = batch.lines_of(body, media_type, most)
            return packed(batch.solve_many(asked, lines, shape, most, cancel), batch.FORMS[shape], NEVER, accepted)

        return respond(await self._run(request, work), request.headers)

    async def _run(self, request: Request, work: Any) -> Packed:
        client = request.client.host if request.client else ""

        async def gone() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass

        return await self.workers.run(client, gone, work)

    def _asked(self, game: AnyGame, request: Request, own: Mapping[str, Parameter], values: bool) -> Asked:
        asked = read(game, fields_of(request.scope["query_string"]), own, values, self.settings.limits)
        if not values or self.settings.tables is None:
            return asked
        return Asked(asked.game, asked.rules, asked.given, asked.budget, self._known(game, asked.rules))

    async def _body(self, request: Request) -> bytes:
        """The body of a request. Raises `Refused` if it is too long or too slow."""
        most, parts, size = self.settings.limits.body, [], 0
        too_long = Refused(413, f"a body has at most {most:,} bytes")
        if request.headers.get("content-length", "0").isdigit() and int(request.headers.get("content-length", "0")) > most:
            raise too_long

        async def collect() -> bytes:
            nonlocal size
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise too_long
                parts.append(part)
            return b"".join(parts)

        try:
            return await asyncio.wait_for(collect(), BODY_SECONDS)
        except (asyncio.TimeoutError, TimeoutError):
            raise Refused(408, f"the body did not arrive within {BODY_SECONDS:g} seconds") from None

    async def index(self, request: Request) -> Response:
        """GET /api/v1: the games, with what a page needs to offer their options."""
        made = packed(body_of_json(_games()), JSON, ASK_AGAIN, request.headers.get("accept-encoding", ""))
        return respond(made, request.headers)

    async def openapi(self, request: Request) -> Response:
        """GET /api/v1/openapi.json."""
        return respond(self._description, request.headers)

    async def file(self, request: Request) -> Response:
        """A file of the page."""
        name = request.path_params["file"] or INDEX
        zipped = "gzip" in request.headers.get("accept-encoding", "")
        made = (self._files if zipped else self._plain).get(name)
        if made is None:
            raise Refused(404, f"there is nothing at /{name[:80]}; the API is at /api/v1")
        return respond(made, request.headers)


def application(api: Api) -> Guard:
    """The ASGI application of these handlers."""
    settings = api.settings
    routes = [
        Route("/api/v1", api.index),
        Route("/api/v1/openapi.json", api.openapi),
        Route("/api/v1/{game}/{path}", api.game, methods=["GET", "POST"]),
        Route("/{file:path}", api.file),
    ]
    cors = Middleware(CORSMiddleware, allow_origins=settings.cors, allow_methods=["GET", "POST"], allow_headers=["Content-Type"])
    handlers: Any = {
        BacktrickError: _of_error,
        Refused: _of_refusal,
        Gone: _of_gone,
        ClientDisconnect: _of_gone,
        HTTPException: _of_http,
        Exception: _of_bug,
    }
    app = Starlette(routes=routes, middleware=[cors] if settings.cors else [], exception_handlers=handlers)
    app.router.redirect_slashes = False
    return Guard(app, settings.hosts)


def is_short(asked: Asked) -> bool:
    """True if the position is an endgame: few nodes suffice for most of them. Raises `BacktrickError`."""
    return "position" not in asked.given or not asked.game.is_deal(asked.position)


def body_of_json(record: Mapping[str, object]) -> bytes:
    """A record as a body."""
    return Reply.of(record).body


def _named(request: Request) -> tuple[AnyGame, Path]:
    """The game and the path of a request. Raises `Refused`."""
    game, name = game_named(request.path_params["game"]), request.path_params["path"]
    if name not in PATHS:
        raise Refused(404, f"there is no path {name[:80]!r}; there are {', '.join(PATHS)}")
    return game, PATHS[name]


def _packed(reply: Reply, accepted: str) -> Packed:
    return packed(reply.body, JSON, FOR_A_DAY if reply.exact and not reply.once else NEVER, accepted)


def _games() -> dict[str, object]:
    """The games and the version, as a record."""
    games = [
        {
            "name": game.name,
            "path": path_of(game.name),
            "title": game.title,
            "example": game.example,
            "rules": {name: {"about": one.help, "choices": list(one.choices)} for name, one in game.rule_options.items()},
            "limits": {name: one.help for name, one in game.limits.items()},
            "sources": {name: one.description for name, one in game.sources.items()},
            "players": {name: kind.about for name, kind in contest_of(game).players.items()} if has_contest(game) else {},
            "paths": list(PATHS),
        }
        for game in all_games()
    ]
    return {"version": __version__, "games": games}


async def _of_error(request: Request, error: BacktrickError) -> Response:
    return _response(problems.problem_of(error))


async def _of_refusal(request: Request, error: Refused) -> Response:
    return _response(problems.problem(error.status, error.detail), error.headers)


async def _of_http(request: Request, error: HTTPException) -> Response:
    detail = f"{request.method} {request.url.path[:80]}: {error.detail}"
    return _response(problems.problem(error.status_code, detail), dict(error.headers or {}))


async def _of_gone(request: Request, error: Exception) -> Response:
    return Response(None, 499)  # nobody reads it


async def _of_bug(request: Request, error: Exception) -> Response:
    detail = "a fault of Backtrick; its log says more"
    return _response(problems.problem(HTTPStatus.INTERNAL_SERVER_ERROR, detail))


def _response(told: dict[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    made = {"cache-control": NEVER, **(headers or {})}
    return Response(problems.body_of(told), told["status"], made, problems.MEDIA_TYPE)


