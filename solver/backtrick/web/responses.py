"""Bodies as responses: ETag and Cache-Control, gzip where it pays, 304 where nothing has changed."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from backtrick.web.http import Response

JSON = "application/json"
FOR_A_DAY, ASK_AGAIN, NEVER = "public, max-age=86400", "no-cache", "no-store"
"""Cache-Control of an exact answer, which changes with a new version at most; of a file of the page; of all else."""

LEAST_TO_COMPRESS, LEVEL = 1400, 5
"""Bytes: a shorter body fits into one packet anyway."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A body that is ready to be sent: perhaps compressed, and named by its content."""

    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


def packed(body: bytes, media_type: str, cache: str, accepted: str) -> Packed:
    """A body with its headers. accepted: the Accept-Encoding of the request. It may take a while for a long body."""
    headers = {"content-type": media_type, "cache-control": cache, "vary": "Accept-Encoding"}
    if cache != NEVER:
        headers["etag"] = f'W/"{blake2b(body, digest_size=12).hexdigest()}"'
    if len(body) >= LEAST_TO_COMPRESS and takes_gzip(accepted):
        body = gzip.compress(body, LEVEL, mtime=0)
        headers["content-encoding"] = "gzip"
    return Packed(body, headers)


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


def respond(made: Packed, asked: Mapping[str, str], status: int = 200) -> Response:
    """The response with a body; 304 if the client has it already. asked: the headers of the request."""
    tag, known = made.headers.get("etag"), asked.get("if-none-match", "")
    if tag is not None and known and (known.strip() == "*" or tag.removeprefix("W/") in known):
        kept = {name: made.headers[name] for name in ("etag", "cache-control", "vary")}
        return Response(304, b"", kept)
    return Response(status, made.body, made.headers)
