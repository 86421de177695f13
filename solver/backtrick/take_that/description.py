"""What can be said of Take That without solving anything. Nothing heavy is imported here."""

from __future__ import annotations

from backtrick.description import LIMITS, Description, Option, PositionSource
from backtrick.lazy import imported
from backtrick.take_that.examples import EXAMPLES
from backtrick.take_that.options import ENDS, HAND_SIZE, OPENS

SAMPLES = "backtrick.take_that.samples"


class TakeThatDescription(Description):
    """The words of Take That."""

    name = "take_that"
    title = "Take That"
    example = "12,33,49 21,94 34-41-98"
    hand_size = HAND_SIZE
    outcome_field = "points"
    rule_options = {
        "forced_only": Option("taking is only for those who can neither lay nor twist (T10)"),
        "empty_line": Option(
            f"what an empty line at the start means: the mover {OPENS} the last line, or the round {ENDS} (T9)",
            choices=(OPENS, ENDS),
        ),
    }
    limits = LIMITS
    sources = {
        "selfplay": PositionSource(
            "whole games, up to where the draw pile is empty, or holds at most R cards",
            imported(SAMPLES, "selfplay", progress=False),
            ("policies", "threads", "piles"),
        ),
        "hard": PositionSource("long lines, no toads, many twists in hand", imported(SAMPLES, "hard")),
    }
    policies = ("careful", "eager", "tuned")
    fields = {
        "value": "the mover's points minus the opponent's from here on; LOWEST..HIGHEST if a limit was met before it was known",
        "number": "the mover's points minus the opponent's from here on",
    }
    examples = EXAMPLES

    def claims(self, text: str) -> bool:
        """True if `text` looks like a position of this game: it begins with a digit or a dash. It need not be well-formed.

        >>> claims = DESCRIPTION.claims
        >>> claims("12,33 21,94 34_41"), claims("- 12 34"), claims("27^40v:17 13^50v:5"), claims("hello")
        (True, True, False, False)
        """
        return text.lstrip()[:1] in tuple("-0123456789") and not set(text) & set("^:")


DESCRIPTION = TakeThatDescription()
"""The words of Take That as a value."""
