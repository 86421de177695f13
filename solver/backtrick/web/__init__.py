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

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backtrick.web.api import Api


def __getattr__(name: str) -> Any:
    """`app` is made when it is first asked for: it reads the files of the page."""
    if name == "app":
        return _app()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _app() -> Api:
    from backtrick.web.api import Api, Settings

    return Api(Settings())
