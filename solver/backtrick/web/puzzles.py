"""The puzzles that come with the page, and which of them is that of a day."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

DAY = 86_400
"""Seconds."""
STEP, LEVELS, LEVEL_OF, FIRST_WEEKDAY = 7919, 5, (2, 0, 1, 2, 2, 3, 4), 4


def puzzle_of_day(day: int, count: int) -> int:
    """The number of the puzzle of a day since 1970, of `count`, as the page has it (remembered.js).

    >>> [puzzle_of_day(20_052 + day, 1000) // 200 for day in range(7)]  # from Monday on
    [0, 1, 2, 2, 3, 4, 2]
    """
    each = count // LEVELS
    return LEVEL_OF[(day + FIRST_WEEKDAY) % 7] * each + day * STEP % each


@lru_cache
def puzzles_of(name: str) -> tuple[dict[str, Any], ...]:
    """The puzzles of a game, by number; none if it has no list, one JSON object per line:

    {"position": "...", "turn": "the only best turn", "value": 3, "themes": ["help"], "difficulty": 1}

    difficulty: 1, easy, to 5, hard; themes: what the turn does (scripts/page/make_puzzles.py)
    """
    listed = files("backtrick.web").joinpath("puzzles", f"{name}.jsonl")
    if not listed.is_file():
        return ()
    return tuple(json.loads(row) for row in listed.read_text("utf-8").splitlines() if row)
