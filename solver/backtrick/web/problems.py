"""Errors as problem details (RFC 9457): one sentence, the rule, and where it is wrong, for programs and for people."""

from __future__ import annotations

import json
import re
from http import HTTPStatus

from backtrick.errors import BacktrickError, FileError, LineError, StreamError, TableError, WorkerError

MEDIA_TYPE = "application/problem+json"
FIELDS = ("column", "number", "place", "play", "problem", "line")
"""The fields of errors that a program can use, as when a page marks the card that is wrong."""

SECONDS_TO_WAIT = 1


class Refused(Exception):  # noqa: N818, it is an answer
    """A request that is refused: the status, the sentence, and more headers. No error of what was asked."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None):
        self.status, self.detail, self.headers = status, detail, headers or {}
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
    >>> problem_of(PositionError(60, "the mover's hand", "the number cards are 2..59", "F1"))["rule"]
    'F1'
    """
    status, inner = status_of(error), error.error if isinstance(error, LineError) else error
    record = _record(status, _kind(inner), str(error))
    told = {name: getattr(inner, name, None) for name in FIELDS}
    if isinstance(error, LineError):
        told["line"] = int(re.sub(r"\D", "", error.place) or 0)
    found = {name: value if isinstance(value, int) else str(value) for name, value in told.items() if value is not None}
    rule = getattr(inner, "rule", None) or _rule_in(str(inner))
    return {**record, **({"rule": rule} if rule else {}), **found}


def problem(status: int, detail: str) -> dict[str, object]:
    """The problem details of a status without an error of ours."""
    return _record(status, "", detail)


def body_of(told: dict[str, object]) -> bytes:
    """Problem details as a body."""
    return json.dumps(told).encode() + b"\n"


def _record(status: int, kind: str, detail: str) -> dict[str, object]:
    about = f"urn:backtrick:{kind}" if kind else "about:blank"
    return {"type": about, "title": HTTPStatus(status).phrase, "status": int(status), "detail": detail}


def _kind(error: BacktrickError) -> str:
    """The name of an error's class, as a URN spells it: 'illegal-turn'."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(error).__name__.removesuffix("Error")).lower()


def _rule_in(sentence: str) -> str | None:
    """The rules that a sentence names in brackets, as far as it does."""
    found = re.search(r"\(([A-Z]\d+(?:, [A-Z]\d+)*)\)", sentence)
    return found[1] if found else None
