"""The rule options of Take That as one value, `Rules`; and its 79 cards (T1): twisted cards, toads, the cost of taking one."""

from __future__ import annotations

from dataclasses import dataclass

from backtrick.errors import RulesError
from backtrick.given import refused, shown, truth

TITLE = "Take That"
HAND_SIZE = 9  # T2
OPENS, ENDS = "opens", "ends"


@dataclass(frozen=True, order=True, slots=True)
class Rules:
    """The rule options. A smaller deck needs no option, because a position names every card that is still in play.

    forced_only: taking is allowed only to a player who can neither lay nor twist (T10).
    empty_line:  what an empty line at the start of the endgame means (T9). "opens": the mover lays the first card of the last
                 line. "ends": the round is over and nothing is scored.
    professional: who takes a line of exactly one card, while the draw pile lasts, also takes the top card of the pile as a minus
                 card, shown to both (T11). It changes no endgame. If that was the last card, the taker still opens a new line.

    Raises `RulesError` for any other value, and for `professional` where an empty line ends the round.

    >>> Rules()
    Rules(forced_only=False, empty_line='opens', professional=False)
    >>> Rules(empty_line="stops")
    Traceback (most recent call last):
    backtrick.errors.RulesError: empty_line must be 'opens' or 'ends', not 'stops' (T9)
    """

    forced_only: bool = False
    empty_line: str = OPENS
    professional: bool = False

    def __post_init__(self) -> None:
        forced_only, professional = truth(self.forced_only), truth(self.professional)
        if forced_only is None:
            raise RulesError(f"forced_only must be True or False, not {shown(self.forced_only)} (T10)")
        if professional is None:
            raise RulesError(f"professional must be True or False, not {shown(self.professional)} (T11)")
        if not isinstance(self.empty_line, str) or self.empty_line not in (OPENS, ENDS):
            raise RulesError(f"empty_line must be {OPENS!r} or {ENDS!r}, not {shown(self.empty_line)} (T9)")
        if professional and self.empty_line == ENDS:
            raise RulesError("professional needs empty_line='opens': who takes the last card of the pile opens a line (T9, T11)")
        object.__setattr__(self, "forced_only", forced_only)
        object.__setattr__(self, "professional", professional)
        object.__setattr__(self, "empty_line", str(self.empty_line))

    @property
    def code(self) -> int:
        """The options in a number, as every kernel takes them.

        >>> Rules().code, Rules(forced_only=True, empty_line="ends").code
        (2, 1)
        """
        return self.forced_only + 2 * (self.empty_line == OPENS) + 4 * self.professional


def refuse_professional(rules: Rules, what: str) -> None:
    """Raises `RulesError` for the professional rule, under which a taker sees its minus card before it opens a line (T11)."""
    if rules.professional:
        raise RulesError(f"{what} not for the professional rule (T11)")


PUBLISHED = Rules()
"""The rules of the published game."""


def as_rules(given: Rules | None) -> Rules:
    """The rules that a user gives; None for the published game. Raises `WrongTypeError`."""
    if isinstance(given, Rules):
        return given
    if given is None:
        return PUBLISHED
    raise refused("rules", f"the Rules of {TITLE}, or None for the published game", given)


DECK = tuple(number for number in range(12, 99) if number % 10)  # T1: 12..98 without 20, 30, ..., 90
REACH = 10  # T4: a card may be laid if it differs from the right-most one by at most this much
CARD_COST, TOAD_COST = 1, 5  # T6
TWIST_POINTS = 2  # T5: both cards count one point
_MIRROR_SUM = DECK[0] + DECK[-1]


def twisted(card: int) -> int:
    """The card with the digits of `card` exchanged; a toad gives itself (T1).

    >>> twisted(49), twisted(33)
    (94, 33)
    """
    return card % 10 * 10 + card // 10


def is_toad(card: int) -> bool:
    """True for 22, 33, ..., 88. A toad can neither be twisted nor twist (T1, T5).

    >>> [card for card in DECK if is_toad(card)]
    [22, 33, 44, 55, 66, 77, 88]
    """
    return card % 11 == 0


def mirror_card(card: int) -> int:
    """110 - `card`. Distances stay, a twisted card becomes the twisted card of the image, and a toad becomes a toad.

    >>> mirror_card(12), mirror_card(33), mirror_card(twisted(12)) == twisted(mirror_card(12))
    (98, 77, True)
    """
    return _MIRROR_SUM - card


def cost(line: tuple[int, ...]) -> int:
    """The points that it costs to take `line`: 1 a card, 5 a toad (T6).

    >>> cost((34, 44, 41))
    7
    """
    return sum(TOAD_COST if is_toad(card) else CARD_COST for card in line)


def takes_minus_card(line: tuple[int, ...], pile: object, rules: Rules) -> bool:
    """True if who takes this line takes the top card of the draw pile too (T11). pile: true if it has cards.

    >>> [takes_minus_card(line, pile, Rules(professional=True)) for line, pile in (((34,), 1), ((34,), 0), ((34, 44), 1))]
    [True, False, False]
    """
    return rules.professional and len(line) == 1 and bool(pile)
