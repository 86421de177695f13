"""Many positions in one request: read from its body, and answered one per line, as the command line writes them."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import replace
from threading import Lock
from typing import Any

import numpy as np

from backtrick.answer import Answers
from backtrick.budget import Budget
from backtrick.errors import BacktrickError, LineError, UsageError
from backtrick.game import SolveOptions
from backtrick.lines import Line, Lines
from backtrick.web.parameters import VALUES, Query
from backtrick.web.responses import Refused
from backtrick.web.workers import Hurry
from backtrick.writing.columns import SolveColumns, ValueColumns
from backtrick.writing.formats import ROWS

FEWEST, SOON = 32, 0.02
"""How many positions are solved together at first, and seconds: while a batch takes less time, the next has twice the number."""

WRITING = Lock()
"""Held while answers are written, which is work of Python. Many threads at it would leave the event loop few turns of Python's own
lock, so that whoever asks for little waits for all of them again and again."""


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


def solve_many(query: Query, text: bytes, form: str, most: int, hurry: Hurry) -> bytes:
    """The answers of the positions in a text, one per line, in one of `FORMS`. Raises `BacktrickError`, `Refused`, `Gone`.

    What is not solved when time is over is answered with bounds, all together, which takes less time than solving it.
    """
    game, want = query.game, frozenset(SolveColumns.wanted[form] if form != VALUES else ())
    options = query.options(query.within(hurry), want)
    positions = _positions(query, text, options, hurry)
    if len(positions) > most:
        raise _too_many(most)
    parts: list[bytes] = []
    done, size = 0, FEWEST
    while done < len(positions):
        hurry.check()
        part = positions[done : done + size]
        if hurry.called:
            part, options = positions[done:], replace(options, budget=Budget(cancel=hurry))
        began = time.monotonic()
        if isinstance(part, np.ndarray):
            found = game.answer_array(part, options)
        else:
            found = Answers.of(game, query.rules, list(game.answers(part, options)))
        with WRITING:
            hurry.check()
            parts.append(ValueColumns(found).lines(ROWS) if form == VALUES else SolveColumns(found).lines(form))
        done += len(part)
        size = 2 * size if time.monotonic() - began < SOON else max(FEWEST, size // 2)
    return b"".join(parts)


def _positions(query: Query, text: bytes, options: SolveOptions[Any, Any], hurry: Hurry) -> Any:
    """The positions of a text: an array if they are solved so, or objects. Raises `LineError`, `Gone`."""
    game = query.game
    if game.position_dtype is not None and query.tablebase is None and game.solves_arrays(options):
        with suppress(LineError):  # a deal, or a line that cannot be read
            return game.parse_many(text)
    lines: Lines[Line] = Lines(text)
    found = []
    while (one := lines.next()) is not None:
        hurry.check()
        try:
            found.append(game.read_position(one.text))
        except BacktrickError as error:
            raise LineError(one.place, error) from None
    return found
