"""Many positions in one request: read from its body, and answered one per line, as the command line writes them."""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np

from backtrick.answer import Answers
from backtrick.budget import TABLE_MIB, UNLIMITED, Cancel
from backtrick.errors import BacktrickError, LineError, UsageError
from backtrick.lines import Line, Lines
from backtrick.web.parameters import VALUES, Query
from backtrick.web.responses import Refused
from backtrick.writing.columns import AnyAnswers, SolveColumns, ValueColumns
from backtrick.writing.formats import ROWS

FEWEST, SOON = 32, 0.02
"""How many positions are solved together at first, and seconds: while a batch takes less time, the next has twice the number."""


def lines_of(body: bytes, media_type: str, most: int) -> bytes:
    """The positions of a body, one per line: lines of text, or JSON, a list of texts. Raises `UsageError`, `Refused`."""
    if body.startswith(b"\x1f\x8b"):
        raise Refused(415, "the body is compressed; it is read as it is")
    if media_type == "application/json":
        body = "\n".join(_listed(body)).encode()
    elif body.lstrip()[:1] in (b"[", b"{"):
        raise Refused(415, "the body looks like JSON: the header Content-Type: application/json says so")
    if body.count(b"\n") > 2 * most:
        raise _too_many(most)
    return body


def _listed(body: bytes) -> list[str]:
    try:
        listed = json.loads(body)
    except (ValueError, RecursionError):
        raise UsageError("the body is not JSON") from None
    if isinstance(listed, dict):
        listed = listed.get("positions")
    if not isinstance(listed, list):
        raise UsageError('the body is a list of positions, or an object {"positions": [...]}')
    for number, text in enumerate(listed, 1):
        if not isinstance(text, str) or not text.strip() or text.startswith("#") or not text.isprintable():
            raise UsageError(f"position {number} of the list is not a text of one line")
    return listed


def _too_many(most: int) -> Refused:
    return Refused(413, f"at most {most:,} positions are solved in one request")


def solve_many(query: Query, text: bytes, form: str, most: int, cancel: Cancel) -> bytes:
    """The answers of the positions in a text, one per line, in one of `FORMS`. Raises `BacktrickError`, `Refused`.

    What is not solved when the work is cancelled is answered with bounds.
    """
    game = query.game
    in_columns = game.position_dtype is not None and query.tablebase is None and query.budget == UNLIMITED
    in_columns = in_columns and (query.mib is None or query.mib >= TABLE_MIB)  # which a search of many takes
    positions: Any = None
    if in_columns:
        try:
            positions = game.parse_many(text)
        except LineError:
            in_columns = False  # a deal, or a line that cannot be read
    if positions is None:
        positions = _parsed(query, text)
    if len(positions) > most:
        raise _too_many(most)
    parts: list[bytes] = []
    done, size = 0, FEWEST
    want = frozenset(SolveColumns.wanted[form] if form != VALUES else ())
    while in_columns and done < len(positions) and not cancel.called:
        began = time.monotonic()
        found = game.answer_array(positions[done : done + size], query.options(UNLIMITED, want))
        parts.append(_lines(found, form))
        done += size
        size = 2 * size if time.monotonic() - began < SOON else max(FEWEST, size // 2)
    if done < len(positions):
        rest = game.unpack(positions[done:]) if isinstance(positions, np.ndarray) else positions
        options = query.options(query.within(cancel), want)
        for position in rest:
            [answer] = game.answers([position], options)
            parts.append(_lines(Answers.of(game, query.rules, [answer]), form))
    return b"".join(parts)


def _lines(answers: AnyAnswers, form: str) -> bytes:
    return ValueColumns(answers).lines(ROWS) if form == VALUES else SolveColumns(answers).lines(form)


def _parsed(query: Query, text: bytes) -> list[Any]:
    """The positions of a text, one by one. Raises `LineError`."""
    lines: Lines[Line] = Lines(text)
    found = []
    while (one := lines.next()) is not None:
        try:
            found.append(query.game.read_position(one.text))
        except BacktrickError as error:
            raise LineError(one.place, error) from None
    return found
