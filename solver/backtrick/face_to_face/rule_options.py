"""The rule options of The Game: Face to Face as one value, `Rules`. Its defaults are the published game."""

from __future__ import annotations

from dataclasses import dataclass

from backtrick.errors import RulesError
from backtrick.values import refused, shown, truth, whole

TITLE = "The Game: Face to Face"
HIGHEST = 60
HAND_SIZE = 6  # F2


class _Coded:
    __slots__ = ("code",)
    code: int
    """The options in a number, as every kernel takes them."""


@dataclass(frozen=True, order=True, slots=True)
class Rules(_Coded):
    """The rule options: the reading of F13, and, for study and exhaustive tests, a smaller deck and another back trick.

    lone_card: the second reading of F13: a lone last card may be laid wherever it fits, and then wins.
    highest:   the number of the descending row card (F1), 4..60; the number cards are 2..highest-1.
    step:      the back trick goes back by exactly this much (F5, F6), 1..highest.

    Raises `RulesError` for any other value.

    >>> Rules()
    Rules(lone_card=False, highest=60, step=10)
    >>> Rules(highest=3)
    Traceback (most recent call last):
    backtrick.errors.RulesError: highest must be 4..60, not 3 (F1)
    """

    lone_card: bool = False
    highest: int = HIGHEST
    step: int = 10

    def __post_init__(self) -> None:
        lone_card, highest, step = truth(self.lone_card), whole(self.highest), whole(self.step)
        if lone_card is None:
            raise RulesError(f"lone_card must be True or False, not {shown(self.lone_card)} (F13)")
        if highest is None or not 4 <= highest <= HIGHEST:
            raise RulesError(f"highest must be 4..{HIGHEST}, not {shown(self.highest)} (F1)")
        if step is None or not 1 <= step <= highest:
            raise RulesError(f"step must be 1..highest, not {shown(self.step)} (F5, F6)")
        for name, value in (("lone_card", lone_card), ("highest", highest), ("step", step)):
            object.__setattr__(self, name, value)  # plain values, since file headers are made of them
        object.__setattr__(self, "code", lone_card | step << 1 | highest << 7)

    def __reduce__(self) -> tuple[type[Rules], tuple[bool, int, int]]:
        return Rules, (self.lone_card, self.highest, self.step)

    def code_with(self, pile: object) -> int:
        """The code for the turns of a player with this draw pile. Only if it is empty, a lone card is the last one (F13)."""
        return self.code & ~1 if pile else self.code


PUBLISHED = Rules()
"""The rules of the published game."""


def as_rules(given: Rules | None) -> Rules:
    """The rules that a user gives; None for the published game. Raises `WrongTypeError`."""
    if isinstance(given, Rules):
        return given
    if given is None:
        return PUBLISHED
    raise refused("rules", f"the Rules of {TITLE}, or None for the published game", given)
