"""The HTTP API and the page (docs/api.md): requests in, calls out. Blind to the game. Only `serving` needs uvicorn.

    serving     the server as processes: uvicorn, the address, signals, the end
    api         the application: paths, hosts, origins, bodies
    asgi        requests and responses as a server hands them over
    workers     the limits, and threads for what takes longer: addresses in turns, one amount of memory
    endpoints   what each endpoint answers
    batches     many positions in one request
    parameters  what a request asks, read from its query; positions and turns in URLs
    page        the files of the page; positions in the path, and what a preview of a link shows
    responses   bodies and errors as responses: ETag, Cache-Control, gzip, problem details
    openapi     the description of it all

`backtrick.web.app` is the application with the usual settings, for any ASGI server: `uvicorn backtrick.web:app`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from backtrick.errors import ArgumentError
from backtrick.games import game_of, whole_game_of
from backtrick.given import shown

if TYPE_CHECKING:
    from backtrick.web.api import Api


def __getattr__(name: str) -> Any:
    """`app` is made when it is first asked for: it reads the files of the page."""
    if name == "app":
        return _app()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def serve(
    players: Mapping[str, Callable[[Any], Any]],
    *,
    game: str = "face_to_face",
    host: str = "127.0.0.1",
    port: int = 8000,
) -> None:
    """Serves the page with more players to play against, until Ctrl-C. Needs the extra `web`.

    players: by the names that the page shows; functions from a view to a turn, as `match` takes them, or `ActionPlayer`
    game:    that they play; an `ActionPlayer` has its own

    Raises `ArgumentError`, also for a name that a player of the game has. The players are asked in several threads.

    >>> serve({"frugal": len})
    Traceback (most recent call last):
    backtrick.errors.ArgumentError: players: The Game: Face to Face has a player 'frugal' already
    """
    of_games: dict[str, dict[str, Any]] = {}
    for name, player in players.items():
        if not callable(player):
            raise ArgumentError(f"players: {shown(name)} must be a function from a view to a turn, not {shown(player)}")
        kind = game_of(getattr(player, "game", game))
        if name in whole_game_of(kind).players:
            raise ArgumentError(f"players: {kind.title} has a player {shown(name)} already")
        if not re.fullmatch(r"\w[\w-]{0,39}", name):
            raise ArgumentError(f"players: a name has 1 to 40 letters, digits, _ and -, not {shown(name)}")
        of_games.setdefault(kind.name, {})[name] = player
    from backtrick.web.api import Settings
    from backtrick.web.serving import serve as begin

    begin(host, port, Settings(players=of_games), print)


@cache
def _app() -> Api:
    from backtrick.web.api import Api, Settings

    return Api(Settings())
