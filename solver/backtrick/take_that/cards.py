"""The 79 cards of Take That (T1): twisted cards, toads, and the cost of taking a card."""

from __future__ import annotations

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
