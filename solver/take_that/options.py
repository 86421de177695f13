"""What can differ between games of Take That: one value, `Rules`; its defaults are the published game."""

from __future__ import annotations

from dataclasses import dataclass

from solver.errors import RulesError

OPENS, ENDS = "opens", "ends"


@dataclass(frozen=True, order=True, slots=True)
class Rules:
    """The rule options. Smaller decks need none: a position names every card that is still in play.

    forced_only: taking is allowed only to a player who can neither lay nor twist (T10).
    empty_line:  what an empty line at the start of the endgame means (T9): "opens", the mover lays the first card of
                 the last line; "ends", the round is over with nothing scored.

    >>> Rules()
    Rules(forced_only=False, empty_line='opens')
    >>> Rules(empty_line="stops")
    Traceback (most recent call last):
    solver.errors.RulesError: empty_line is 'opens' or 'ends', not 'stops' (T9)
    """

    forced_only: bool = False
    empty_line: str = OPENS

    def __post_init__(self) -> None:
        object.__setattr__(self, "forced_only", bool(self.forced_only))
        if self.empty_line not in (OPENS, ENDS):
            raise RulesError(f"empty_line is {OPENS!r} or {ENDS!r}, not {self.empty_line!r} (T9)")


PUBLISHED = Rules()
