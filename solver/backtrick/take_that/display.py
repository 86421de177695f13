"""What is shown of Take That: words, options, drawings. Nothing heavy is imported here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backtrick.bounds import Bounds
from backtrick.display import LIMITS, Display, Option, PositionSource
from backtrick.names.lazy_imports import imported
from backtrick.take_that.rule_options import ENDS, HAND_SIZE, OPENS, TITLE
from backtrick.turn_in_progress import Ending

if TYPE_CHECKING:
    from backtrick.take_that.position import Position
    from backtrick.take_that.turn import Turn

DRAWING, SAMPLES, TURN = (f"backtrick.take_that.{module}" for module in ("drawing", "samples", "turn_in_progress"))


class TakeThatDisplay(Display):
    """What is shown of Take That.

    >>> from backtrick.bounds import Bounds
    >>> DISPLAY.value_text(Bounds(6, 6)), DISPLAY.value_text(Bounds(0, 0)), DISPLAY.value_text(Bounds(-1, 2, 1000))
    ('+6', '0', 'not solved within the limits, from -1 to +2, nodes searched: 1,000')
    """

    name = "take_that"
    title = TITLE
    example = "12,33,49 21,94 34-41-98"
    hand_size = HAND_SIZE
    outcome_field = "points"
    short = "tt"
    notes = {"gap": "0.01", "rounds": "the points of both are added, and the other player begins the second (T13)"}
    rule_options = {
        "forced_only": Option("a player may take only if it can neither lay nor twist (T10)"),
        "empty_line": Option(
            f"what an empty line at the start means: the mover {OPENS} the last line, or the round {ENDS} (T9)",
            choices=(OPENS, ENDS),
        ),
        "professional": Option("who takes a line of one card also takes the top card of the draw pile as a minus card (T11)"),
    }
    limits = LIMITS
    sources = {
        "selfplay": PositionSource(
            "whole games, up to where the draw pile is empty, or holds at most R cards",
            imported(SAMPLES, "selfplay", progress=False),
            ("policies", "threads", "piles", "rules"),
        ),
        "hard": PositionSource("long lines, no toads, many twists in hand", imported(SAMPLES, "hard")),
    }
    policies = ("careful", "eager", "tuned")
    fields = {
        "value": "the mover's points minus the opponent's from here on; LOWEST..HIGHEST if a limit was met before it was known",
        "number": "the mover's points minus the opponent's from here on",
    }

    def claims(self, text: str) -> bool:
        """True if `text` looks like a position of this game: it begins with a digit, a dash or `?`. It need not be well-formed.

        >>> claims = DISPLAY.claims
        >>> claims("12,33 21,94 34_41"), claims("- 12 34"), claims("27-40v:17 13^50v:5"), claims("hello")
        (True, True, False, False)
        """
        return text.lstrip()[:1] in tuple("-?0123456789") and not set(text) & set("^:")

    symbols = staticmethod(imported(DRAWING, "symbols"))
    parts = staticmethod(imported(TURN, "parts"))

    def value_text(self, bounds: Bounds) -> str:
        if bounds.solved:
            return _signed(bounds.lowest)
        ends = f"from {_signed(bounds.lowest)} to {_signed(bounds.highest)}"
        return f"not solved within the limits, {ends}, nodes searched: {bounds.nodes:,}"

    def mistake(self, before: int, after: int) -> str:
        return f"gives {before - after} point{'s' * (before - after != 1)} away"

    def ending(self, position: Position | None, last: Turn | None = None) -> Ending:
        if position is None and last is not None:
            line = "the line was taken" if last.is_take else "the last card of the line was twisted"
            return Ending(f"{line}, and the draw pile is empty", "T7")
        return Ending("no legal turn, the round is over", "T7")


def _signed(points: int | str) -> str:
    return f"{int(points):+}" if points else "0"


DISPLAY = TakeThatDisplay()
"""What is shown of Take That, as a value."""
