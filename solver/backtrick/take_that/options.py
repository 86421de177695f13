"""The rule options of Take That as one value, `Rules`. Its defaults are the published game."""

from __future__ import annotations

from dataclasses import dataclass

from backtrick.errors import RulesError
from backtrick.values import shown, truth

HAND_SIZE = 9  # T2
OPENS, ENDS = "opens", "ends"


@dataclass(frozen=True, order=True, slots=True)
class Rules:
    """The rule options. A smaller deck needs no option, because a position names every card that is still in play.

    forced_only: taking is allowed only to a player who can neither lay nor twist (T10).
    empty_line:  what an empty line at the start of the endgame means (T9). "opens": the mover lays the first card of the last
                 line. "ends": the round is over and nothing is scored.

    Raises `RulesError` for any other value.

    >>> Rules()
    Rules(forced_only=False, empty_line='opens')
    >>> Rules(empty_line="stops")
    Traceback (most recent call last):
    backtrick.errors.RulesError: empty_line is 'opens' or 'ends', not 'stops' (T9)
    """

    forced_only: bool = False
    empty_line: str = OPENS

    def __post_init__(self) -> None:
        forced_only = truth(self.forced_only)
        if forced_only is None:
            raise RulesError(f"forced_only is True or False, not {shown(self.forced_only)} (T10)")
        if not isinstance(self.empty_line, str) or self.empty_line not in (OPENS, ENDS):
            raise RulesError(f"empty_line is {OPENS!r} or {ENDS!r}, not {shown(self.empty_line)} (T9)")
        object.__setattr__(self, "forced_only", forced_only)
        object.__setattr__(self, "empty_line", str(self.empty_line))


PUBLISHED = Rules()
"""The rules of the published game."""
