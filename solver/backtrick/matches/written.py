"""A game that people have written down: a position, or a deal, and then its turns, one per line, as people write them.

    42^16v:3,19,21,34 52^20v:2,24,30,51
    1. me: 3v, 21v'       a number and a name may stand before a turn
    Ann 2v 24^'           # and a comment behind it
    19^ 34^ | 30^ 51^     several turns of a line have | between them, as solve prints them
"""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from typing import Any

from backtrick.errors import BacktrickError, FileError, NotationError, RecordError, UnknownGameError
from backtrick.game import AnyGame
from backtrick.games import tell
from backtrick.given import shown
from backtrick.lines import lines_in
from backtrick.matches.record import BEGINNING, Played, Record, begins_record, options_of

WRITTEN_PLAYERS = ("the first to move", "the other")
"""The players of a game that was written down without names."""

_BEFORE = re.compile(r"\s*(?:\d+\s*[.):])?\s*(?:([^:]*[^\W\d][^:]*?)\s*:|(?!take\b)([^\W\d]+)(?=\s+(?:\d|take\b)))?")
"""The number and the name before a turn. A name of one word needs no colon."""

_POINTS = re.compile(r"\s[+\u2212-]\d+\s*$")
"""The points of a turn, as solve prints them behind it."""


def written_game(path: str, text: bytes, rules_of: Callable[[AnyGame], Any]) -> Record | None:
    """The game of what a file holds that people have written. None if it begins as a file of records does, or is empty. Raises
    `FileError` with the line. path: for errors.
    """
    lines = lines_in(path, text)
    first = copy(lines).next()
    if first is None or begins_record(first.text.lstrip()[: len(BEGINNING)].encode()):
        return None
    names: list[str | None] = [None, None]
    turns: list[str] = []
    game: AnyGame | None = None
    start = place = ""
    try:
        while (line := lines.next()) is not None:
            place, told = line.place, line.text.partition("#")[0].strip()
            if game is None:
                if told:
                    try:
                        game, start = tell(told), told
                    except UnknownGameError as error:
                        raise RecordError(f"{error}; a line with neither a position nor turns begins with #") from None
                    game.read_position(start)
                continue
            for one in filter(str.strip, told.split("|")):
                before = _BEFORE.match(one)
                assert before is not None
                _note(names, len(turns) % 2, before[1] or before[2])
                turn = _POINTS.sub("", one[before.end() :]).strip()
                try:
                    turns.append(str(game.parse_turn(turn)))
                except NotationError as error:
                    hint = "; turns of one line have | between them" if " " in turn else ""
                    raise RecordError(f"{error}{hint}") from None
    except BacktrickError as error:
        raise FileError(path, f"{place}: {error}") from None
    if game is None:
        return None
    players = names[0] or WRITTEN_PLAYERS[0], names[1] or WRITTEN_PLAYERS[1]
    played = Played(tuple(turns), None, (0, 0), "written")
    return Record(game.name, 0, 0, players, options_of(game, rules_of(game)), played=played, start=start)


def _note(names: list[str | None], seat: int, name: str | None) -> None:
    """Notes who sits in a seat. Raises `RecordError` for a name that is not the player's whose turn it is."""
    if name is None:
        return
    if name == names[1 - seat] or names[seat] not in (None, name):
        whose = f"that of {shown(names[seat])}" if names[seat] else f"not that of {shown(name)}, who played the turn before it"
        raise RecordError(f"the players take turns, and this turn is {whose}")
    names[seat] = name
