"""What is shown of The Game: Face to Face: words, options, drawings. Nothing heavy is imported here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backtrick.bounds import Bounds
from backtrick.display import LIMITS, Display, Option, PositionSource
from backtrick.face_to_face.rule_options import HAND_SIZE, TITLE
from backtrick.names.lazy_imports import imported
from backtrick.turn_in_progress import Ending

if TYPE_CHECKING:
    from backtrick.face_to_face.position import Position
    from backtrick.face_to_face.turn import Turn

DRAWING, SAMPLES, TURN = (f"backtrick.face_to_face.{module}" for module in ("drawing", "samples", "turn_in_progress"))

WIN, LOSS, UNSOLVED = "win", "loss", "unsolved"
"""The values of a deal are the first two; an endgame has a remoteness."""


def outcome_word(value: int | str) -> str:
    """'win' for an odd remoteness, 'loss' for an even one; the value of a deal is this word itself."""
    return value if isinstance(value, str) else WIN if value % 2 else LOSS


class FaceToFaceDisplay(Display):
    """What is shown of The Game: Face to Face.

    >>> from backtrick.bounds import Bounds
    >>> DISPLAY.value_text(Bounds(3, 3)), DISPLAY.value_text(Bounds(2, 3, nodes=1000))
    ('win in 3', 'not solved within the limits, nodes searched: 1,000')
    """

    name = "face_to_face"
    title = TITLE
    example = "27^40v:17,18,45 13^50v:5,12"
    value_types = {"outcome": str, "remoteness": int}
    hand_size = HAND_SIZE
    short = "f2f"
    limits = LIMITS
    rule_options = {"lone_card": Option("a lone last card may be laid wherever it fits, and wins (F13)")}
    sources = {
        "selfplay": PositionSource(
            "whole games, up to where both draw piles are empty, or hold at most R cards each",
            imported(SAMPLES, "selfplay", progress=False),
            ("policies", "threads", "piles", "rules"),
        ),
        "tight": PositionSource(
            "little room on the piles, hands of pairs 10 apart, none decided at once", imported(SAMPLES, "tight")
        ),
        "uniform": PositionSource("each part drawn uniformly", imported(SAMPLES, "uniform"), ("hands",)),
        "clustered": PositionSource("numbers close together, or 10 apart", imported(SAMPLES, "clustered"), ("hands",)),
    }
    policies = ("frugal", "hasty", "tuned")
    fields = {
        "value": "outcome (win or loss) and remoteness, the number of turns until the game ends; "
        "of a deal win, loss or unsolved, and ?",
        "number": "the remoteness, the number of turns until the game ends: odd, the mover wins; even, the mover loses",
    }

    def claims(self, text: str) -> bool:
        """True if `text` looks like a position of this game. It need not be well-formed.

        >>> DISPLAY.claims("27^40:17 13^50v:5"), DISPLAY.claims("27-40v:17"), DISPLAY.claims("12,33,49 21,94 34-41-49")
        (True, True, False)
        """
        return "^" in text or ":" in text

    symbols = staticmethod(imported(DRAWING, "symbols"))
    parts = staticmethod(imported(TURN, "parts"))

    def value_text(self, bounds: Bounds) -> str:
        if not bounds.solved:
            return f"not solved within the limits, nodes searched: {bounds.nodes:,}"
        word = outcome_word(bounds.lowest)
        return word if word == bounds.lowest else f"{word} in {bounds.lowest}"

    def outcome_word(self, bounds: Bounds) -> str:
        return outcome_word(bounds.lowest) if bounds.solved else UNSOLVED

    def value_row(self, bounds: Bounds) -> tuple[str, ...]:
        word = outcome_word(bounds.lowest)
        number = "?" if word == bounds.lowest else str(bounds.lowest)
        return (word, number) if bounds.solved else (UNSOLVED, "?")

    def value_record(self, bounds: Bounds) -> dict[str, object]:
        value = bounds.lowest
        if value != bounds.highest:
            return {"outcome": UNSOLVED}
        return {"outcome": value} if isinstance(value, str) else {"outcome": WIN if value % 2 else LOSS, "remoteness": value}

    def mistake(self, before: int | str, after: int | str) -> str:
        if outcome_word(before) == LOSS:
            return "loses faster"
        return "wins more slowly" if outcome_word(after) == WIN else "throws the win away"

    def ending(self, position: Position, last: Turn | None = None) -> Ending:
        if position.opponent.hand:
            return Ending("no legal turn", "F13", "opponent")
        return Ending("none, the opponent has laid every card", "F12", "opponent")


DISPLAY = FaceToFaceDisplay()
"""What is shown of The Game: Face to Face, as a value."""
