"""A game that people have typed: a position, or a deal, and then a turn per line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from backtrick.errors import BacktrickError, FileError
from backtrick.game import AnyGame
from backtrick.games import tell
from backtrick.matches.record import BEGINNING, Played, Record, begins_record, options_of

WRITTEN_PLAYERS = ("the first to move", "the other")
"""The players of a game that was written down by people."""


def written_game(path: Path, text: bytes, rules_of: Callable[[AnyGame], Any]) -> Record | None:
    """The game of what a file holds that people have typed; a `#` begins a comment. None if it begins as a file of records does,
    or is empty. Raises `FileError` with the line.
    """
    if begins_record(text.lstrip()[: len(BEGINNING)]):
        return None
    lines = enumerate(text.decode(errors="replace").splitlines(), 1)
    told = [(number, line) for number, raw in lines if (line := raw.partition("#")[0].strip())]
    if not told:
        return None
    turns, number = [], 0
    try:
        [(number, start), *others] = told
        game = tell(start)
        game.parse(start, rules_of(game))
        for number, line in others:  # noqa: B007, the error names it
            turns.append(str(game.parse_turn(line)))
    except BacktrickError as error:
        raise FileError(str(path), f"line {number}: {error}") from None
    played = Played(tuple(turns), None, (0, 0), "written")
    return Record(game.name, 0, 0, WRITTEN_PLAYERS, options_of(game, rules_of(game)), played=played, start=start)
