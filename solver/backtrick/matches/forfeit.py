"""How a player loses a game without playing it to its end."""

from __future__ import annotations

from backtrick.errors import BacktrickError

ILLEGAL, LATE, CRASHED, FLOODED = "illegal", "late", "crashed", "flooded"
"""Why: an answer that is no legal turn; no answer in time; a program that ended; more than one line for an answer."""

REASONS = (ILLEGAL, LATE, CRASHED, FLOODED)


class ForfeitError(BacktrickError):
    """A player has lost the game at once: why, as one of `REASONS`, and a sentence about it. In a match `playing` catches it."""

    def __init__(self, reason: str, sentence: str):
        self.reason, self.sentence = reason, sentence
        super().__init__(reason, sentence)

    def __str__(self) -> str:
        return f"forfeit ({self.reason}): {self.sentence}"
