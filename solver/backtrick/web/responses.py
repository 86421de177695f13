"""Bodies and errors as responses: ETag and Cache-Control, gzip where it pays, problem details (RFC 9457)."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from http import HTTPStatus

from backtrick.errors import BacktrickError, FileError, LineError, StreamError, TableError, WorkerError
from backtrick.turn_in_progress import BOTH

JSON = "application/json"
FOR_A_DAY, ASK_AGAIN, NEVER = "public, max-age=86400", "no-cache", "no-store"
"""Cache-Control of an exact answer, which changes with a new version at most; of a file of the page; of all else."""

FOR_EVER = "public, max-age=31536000, immutable"
"""Cache-Control of a file of the page whose path names its version."""

LEAST_TO_COMPRESS = 1400
"""Bytes: a shorter body fits into one packet anyway."""

LEVEL, BEST_LEVEL = 5, 9
"""Of gzip: of an answer, and of what is sent many times."""


@dataclass(frozen=True, slots=True)
class Response:
    """The status, the body and the headers of an answer."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def packed(body: bytes, media_type: str, cache: str, accepted: str, level: int = LEVEL) -> Response:
    """The response with a body. accepted: the Accept-Encoding of the request. It may take a while for a long body."""
    headers = {"content-type": media_type, "cache-control": cache, "vary": "Accept-Encoding"}
    if cache != NEVER:
        headers["etag"] = f'W/"{blake2b(body).hexdigest()[:24]}"'
    if len(body) >= LEAST_TO_COMPRESS and takes_gzip(accepted):
        body = gzip.compress(body, level, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(HTTPStatus.OK, body, headers)


@dataclass(frozen=True, slots=True)
class Reply:
    """A body of JSON, and whether it is exact: then it never changes. once: the same question may get another answer next time."""

    body: bytes
    exact: bool = True
    once: bool = False

    @classmethod
    def of(cls, record: Mapping[str, object], exact: bool = True, once: bool = False) -> Reply:
        return cls(body_of(record), exact, once)

    def packed(self, accepted: str) -> Response:
        """The response. accepted: the Accept-Encoding of the request."""
        return packed(self.body, JSON, FOR_A_DAY if self.exact and not self.once else NEVER, accepted)


def takes_gzip(accepted: str) -> bool:
    """True if an Accept-Encoding allows gzip.

    >>> takes_gzip("br, gzip;q=0.5"), takes_gzip("gzip;q=0, br"), takes_gzip("")
    (True, False, False)
    """
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def unless_known(made: Response, asked: Mapping[str, str]) -> Response:
    """The response; 304 if the client has it already. asked: the headers of the request."""
    tag, known = made.headers.get("etag"), asked.get("if-none-match", "")
    if tag is not None and (known.strip() == "*" or tag.removeprefix("W/") in known):
        return Response(HTTPStatus.NOT_MODIFIED, b"", {name: made.headers[name] for name in ("etag", "cache-control", "vary")})
    return made


PROBLEM = "application/problem+json"
FIELDS = ("column", "number", "place", "play", "problem", "line")
"""The fields of errors that a program can use, for example to mark the card that is wrong."""

SECONDS_TO_WAIT = 1


class Refused(Exception):  # noqa: N818, it is an answer
    """A request that is refused: the status, the sentence, and more headers. No error of what was asked."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None):
        self.status, self.detail, self.headers = status, detail, headers
        super().__init__(status, detail)


class Busy(Refused):
    """Too much work at once: the client should come again."""

    def __init__(self, status: HTTPStatus, detail: str):
        super().__init__(status, detail, {"retry-after": str(SECONDS_TO_WAIT)})


def status_of(error: BacktrickError) -> int:
    """400 for what a client gave; 500 for what is wrong on the server, as a damaged table."""
    if isinstance(error, LineError):
        return status_of(error.error)
    ours = isinstance(error, (TableError, FileError, WorkerError, StreamError))
    return HTTPStatus.INTERNAL_SERVER_ERROR if ours else HTTPStatus.BAD_REQUEST


def problem_of(error: BacktrickError) -> dict[str, object]:
    """The problem details of an error.

    >>> from backtrick.errors import PositionError
    >>> details = problem_of(PositionError(60, "the mover's hand", "the number cards are 2..59", "F1"))
    >>> details["rule"], details["places"]
    ('F1', [{'owner': 'mover', 'kind': 'hand'}])
    """
    status, inner = status_of(error), error.error if isinstance(error, LineError) else error
    name = re.sub(r"(?<!^)(?=[A-Z])", "-", type(inner).__name__.removesuffix("Error")).lower()
    record = problem(status, str(error), f"urn:backtrick:{name}")
    details = {name: getattr(inner, name, None) for name in FIELDS}
    if isinstance(error, LineError):
        details["line"] = int(re.sub(r"\D", "", error.place))
    known = {name: value for name, value in details.items() if value is not None}
    found: dict[str, object] = {name: value if isinstance(value, int) else str(value) for name, value in known.items()}
    if hasattr(inner, "places"):
        found["places"] = list(map(_place_record, inner.places))
    named = re.search(r"\(([A-Z]\d+(?:, [A-Z]\d+)*)\)", str(inner))  # rules in brackets
    rule = getattr(inner, "rule", None) or (named and named[1])
    return {**record, **({"rule": rule} if rule else {}), **found}


def problem(status: int, detail: str, about: str = "about:blank") -> dict[str, object]:
    """The problem details of a status. about: a URN, if it is an error of Backtrick."""
    return {"type": about, "title": HTTPStatus(status).phrase, "status": int(status), "detail": detail}


def body_of(record: Mapping[str, object]) -> bytes:
    """A record as a body, as the command line prints it."""
    return json.dumps(record).encode() + b"\n"


def _place_record(place: str) -> dict[str, str]:
    """A place as `Place` of the table names it: 'the mover's hand', 'the line'."""
    owner, _, kind = place.removeprefix("the ").rpartition("'s ")
    return {"owner": owner or BOTH, "kind": kind}
