"""How a player loses a game without playing it to its end."""

from __future__ import annotations

ILLEGAL, LATE, CRASHED, FLOODED = "illegal", "late", "crashed", "flooded"
"""Why: an answer that is no legal turn; no answer in time; a program that ended; more than one line for an answer."""

REASONS = (ILLEGAL, LATE, CRASHED, FLOODED)


class ForfeitError(Exception):
    """A player has lost the game at once: why, as one of `REASONS`, and a sentence about it. Caught by `playing`."""

    def __init__(self, reason: str, sentence: str):
        self.reason, self.sentence = reason, sentence
        super().__init__(reason, sentence)
