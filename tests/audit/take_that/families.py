"""Families of positions for the audit, drawn as arrays.

A family says which cards are preferred, how many are drawn, and in which order they lie in the line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from backtrick.take_that.position import HAND_SIZE, LONGEST_LINE, POSITION_DTYPE
from backtrick.take_that.rule_options import DECK, is_toad, twisted

CARDS = np.array(DECK, np.uint8)
TOADS = np.array([is_toad(card) for card in DECK])
_PAIR = np.array([DECK.index(min(card, twisted(card))) for card in DECK])

Keys = Callable[[np.random.Generator, int], np.ndarray]
"""Draws a number for each position and card, shape (count, 79). The cards with the lowest numbers are drawn."""


def any_cards(rng: np.random.Generator, count: int) -> np.ndarray:
    return rng.random((count, len(DECK)), np.float32)


def twisted_cards(rng: np.random.Generator, count: int) -> np.ndarray:
    """Nearly every card comes together with its twisted card."""
    keys = any_cards(rng, count)
    return np.where(rng.random((count, len(DECK)), np.float32) < 0.9, keys[:, _PAIR], keys) + TOADS * np.float32(0.5)


def near_cards(rng: np.random.Generator, count: int) -> np.ndarray:
    """Cards of one neighbourhood, and their twisted cards."""
    centre = rng.integers(12, 99, (count, 1))
    keys = np.abs(CARDS.astype(np.int64) - centre) + 12 * any_cards(rng, count)
    return np.minimum(keys, keys[:, [DECK.index(twisted(card)) for card in DECK]] + 3)


def toads(rng: np.random.Generator, count: int) -> np.ndarray:
    """Mostly toads, and then other cards."""
    return twisted_cards(rng, count) - TOADS * np.float32(1)


class Family(NamedTuple):
    """How the positions of a family are drawn.

    keys:       decides which cards are preferred
    hand, line: the fewest and the most cards in each hand, and in the line
    in_order:   True if lines rise or fall, as in play
    work:       the work of a position, as a multiple of an easy one's
    """

    keys: Keys
    hand: tuple[int, int]
    line: tuple[int, int]
    in_order: bool = False
    work: int = 1


FAMILIES = {
    "as in play": Family(any_cards, (9, 9), (0, 10), in_order=True, work=1),
    "all sizes": Family(any_cards, (0, 9), (0, 20), work=1),
    "few cards": Family(near_cards, (0, 3), (0, 6), work=1),
    "twists": Family(twisted_cards, (5, 9), (0, 14), work=4),
    "near": Family(near_cards, (6, 9), (0, 8), work=40),
    "long lines": Family(twisted_cards, (6, 9), (15, 25), work=20),
    "toads": Family(toads, (3, 9), (1, 12), work=2),
}


def draw(family: Family, rng: np.random.Generator, count: int) -> np.ndarray:
    """Well-formed positions of a family: an array of `POSITION_DTYPE`, shape (count,).

    >>> positions = draw(FAMILIES["long lines"], np.random.default_rng(1), 10)
    >>> int(np.count_nonzero(positions["line"], axis=1).min()) >= 15
    True
    """
    sizes = np.array([rng.integers(least, most + 1, count) for least, most in (family.hand, family.hand, family.line)])
    drawn = np.argsort(family.keys(rng, count), axis=1)
    places = rng.random(drawn.shape, np.float32)
    places[np.arange(len(DECK)) >= sizes.sum(0)[:, None]] = 2
    drawn = np.take_along_axis(drawn, np.argsort(places, axis=1), axis=1)  # the cards that are drawn, in random order
    cards = CARDS[drawn].astype(np.int64)
    positions = np.zeros(count, POSITION_DTYPE)
    start = np.zeros(count, np.int64)
    for name, size, width in zip(("mover", "opponent", "line"), sizes, (HAND_SIZE, HAND_SIZE, LONGEST_LINE), strict=True):
        place = np.arange(width)
        filled = place < size[:, None]
        part = np.take_along_axis(cards, np.minimum(start[:, None] + place, len(DECK) - 1), axis=1)
        if name != "line":
            part = np.sort(np.where(filled, part, 127), axis=1)
        elif family.in_order:
            sign = rng.choice((-1, 1), count)[:, None]
            part = np.abs(np.sort(np.where(filled, sign * part, 127), axis=1))
        positions[name] = np.where(filled, part, 0)
        start += size
    return positions
