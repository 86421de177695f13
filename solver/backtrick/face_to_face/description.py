"""What can be said of The Game: Face to Face without solving anything. Nothing heavy is imported here."""

from __future__ import annotations

from backtrick.description import LIMITS, Description, Option, PositionSource
from backtrick.face_to_face.examples import EXAMPLES
from backtrick.face_to_face.options import HAND_SIZE
from backtrick.lazy import imported

SAMPLES = "backtrick.face_to_face.samples"


class FaceToFaceDescription(Description):
    """The words of The Game: Face to Face."""

    name = "face_to_face"
    title = "The Game: Face to Face"
    example = "27^40v:17,18,45 13^50v:5,12"
    hand_size = HAND_SIZE
    limits = LIMITS
    rule_options = {"lone_card": Option("a lone last card may be laid wherever it fits, and wins (F13)")}
    sources = {
        "selfplay": PositionSource(
            "whole games, up to where both draw piles are empty, or hold at most R cards each",
            imported(SAMPLES, "selfplay", progress=False),
            ("policies", "threads", "piles"),
        ),
        "tight": PositionSource(
            "little room on the piles, hands of 10-apart pairs, nothing decided at once", imported(SAMPLES, "tight")
        ),
        "uniform": PositionSource("every part uniform", imported(SAMPLES, "uniform"), ("hands",)),
        "clustered": PositionSource("every number near every other, or 10 from it", imported(SAMPLES, "clustered"), ("hands",)),
    }
    policies = ("frugal", "hasty", "tuned")
    fields = {
        "value": "outcome (win or loss) and remoteness, the number of turns until the game ends; "
        "of a deal win, loss or unsolved, and ?",
        "number": "the remoteness, the number of turns until the game ends: odd, the mover wins; even, the mover loses",
    }
    examples = EXAMPLES

    def claims(self, text: str) -> bool:
        """True if `text` looks like a position of this game. It need not be well-formed.

        >>> DESCRIPTION.claims("27^40:17 13^50v:5"), DESCRIPTION.claims("12,33,49 21,94 34-41-49")
        (True, False)
        """
        return "^" in text or ":" in text


DESCRIPTION = FaceToFaceDescription()
"""The words of The Game: Face to Face as a value."""
