"""A parsed question, and the signs that stand in a row for what is not there."""

from __future__ import annotations

from typing import Any, NamedTuple

NO_TURN, UNKNOWN = "-", "?"
"""What a row shows if there is no turn, and if something is not known because a limit was met."""


class Question(NamedTuple):
    """A parsed question: a position; to grade, also a turn and what `Game.play` gives for it."""

    position: Any
    turn: Any = None
    played: tuple[int, Any] = (0, None)
