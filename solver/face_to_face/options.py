"""What can differ between games of The Game: Face to Face: one value, `Rules`; its defaults are the published game."""

from __future__ import annotations

from dataclasses import dataclass

from solver.errors import RulesError

HIGHEST = 60


@dataclass(frozen=True, order=True, slots=True)
class Rules:
    """The rule options: the reading of F13, and for study and exhaustive tests a smaller deck and another back trick.

    lone_card: the second reading of F13, by which a lone last card may be laid wherever it fits and then wins.
    highest:   the number of the descending row card (F1), 4..60; the number cards are 2..highest-1.
    step:      the back trick goes back by exactly this much (F5, F6), 1..highest.

    >>> Rules()
    Rules(lone_card=False, highest=60, step=10)
    >>> Rules(highest=3)
    Traceback (most recent call last):
    solver.errors.RulesError: highest is 4..60, not 3 (F1)
    """

    lone_card: bool = False
    highest: int = HIGHEST
    step: int = 10

    def __post_init__(self) -> None:
        if not 4 <= self.highest <= HIGHEST:
            raise RulesError(f"highest is 4..{HIGHEST}, not {self.highest} (F1)")
        if not 1 <= self.step <= self.highest:
            raise RulesError(f"step is 1..highest, not {self.step} (F5, F6)")


PUBLISHED = Rules()
