"""The rule options of The Game: Face to Face as one value, `Rules`. Its defaults are the published game."""

from __future__ import annotations

from dataclasses import dataclass

from backtrick.errors import RulesError
from backtrick.given import refused, shown, truth

TITLE = "The Game: Face to Face"
HIGHEST = 60  # the descending row card (F1)
DECK = tuple(range(2, HIGHEST))  # the number cards
HAND_SIZE = 6  # F2
BACK = 10  # how far a back trick goes back (F5, F6)


class _Coded:
    __slots__ = ("code",)
    code: int
    """The options in a number, as every kernel takes them."""


@dataclass(frozen=True, order=True, slots=True)
class Rules(_Coded):
    """The rule options: the reading of F13. A smaller deck needs no option, because a position names every card.

    lone_card: the second reading of F13: a lone last card may be laid wherever it fits, and then wins.

    Raises `RulesError` for any other value.

    >>> Rules()
    Rules(lone_card=False)
    >>> Rules(lone_card=2)
    Traceback (most recent call last):
    backtrick.errors.RulesError: lone_card must be True or False, not 2 (F13)
    """

    lone_card: bool = False

    def __post_init__(self) -> None:
        lone_card = truth(self.lone_card)
        if lone_card is None:
            raise RulesError(f"lone_card must be True or False, not {shown(self.lone_card)} (F13)")
        object.__setattr__(self, "lone_card", lone_card)  # a plain value, since file headers are made of it
        object.__setattr__(self, "code", int(lone_card))

    def __reduce__(self) -> tuple[type[Rules], tuple[bool]]:
        return Rules, (self.lone_card,)

    def code_with(self, pile: object) -> int:
        """The code for the turns of a player with this draw pile. Only if it is empty, a lone card is the last one (F13)."""
        return 0 if pile else self.code


PUBLISHED = Rules()
"""The rules of the published game."""


def as_rules(given: Rules | None) -> Rules:
    """The rules that a user gives; None for the published game. Raises `WrongTypeError`."""
    if isinstance(given, Rules):
        return given
    if given is None:
        return PUBLISHED
    raise refused("rules", f"the Rules of {TITLE}, or None for the published game", given)
