"""Puzzles: positions with one best turn, in committed lists by game, one JSON object a line.

    {"position": "...", "turn": "the only best turn", "value": 3, "difficulty": 1}        difficulty: 1, easy, to 5, hard
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from backtrick.errors import UsageError
from backtrick.games import AnyGame
from backtrick.random import Stream

FOLDER = "puzzles"
MOST_SEED = 10**9
"""A seed that is drawn, since none was given, is below this."""


@lru_cache
def puzzles_of(name: str) -> tuple[dict[str, Any], ...]:
    """The puzzles of a game, by number; none if it has no list."""
    listed = files("backtrick.web").joinpath(FOLDER, f"{name}.jsonl")
    if not listed.is_file():
        return ()
    return tuple(json.loads(row) for row in listed.read_text("utf-8").splitlines() if row)


def puzzle_of(game: AnyGame, given: Mapping[str, Any]) -> dict[str, object]:
    """A puzzle as a record. given: perhaps a `number`, or a `seed` and a `difficulty`. Raises `UsageError`."""
    puzzles, level = puzzles_of(game.name), given.get("difficulty")
    fitting = [number for number, one in enumerate(puzzles) if level in (None, one["difficulty"])]
    if "number" in given:
        fitting = [number for number in fitting if number == given["number"]]
    if not fitting:
        wished = ", ".join(f"{name} {value}" for name, value in given.items())
        raise UsageError(f"there is no such puzzle of {game.title}: {wished or 'the list is empty'}")
    number = fitting[Stream(given.get("seed", secrets.randbelow(MOST_SEED)), 0).below(len(fitting))]
    return {"game": game.name, **puzzles[number], "number": number, "of": len(puzzles)}
