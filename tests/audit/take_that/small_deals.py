"""Small deals for which everything can be tried: families in which each claim of the search is tight, and small decks whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from audit.take_that.families import CARDS, Keys, any_cards, near_cards, toads, twisted_cards
from backtrick.take_that.position import HAND_SIZE
from backtrick.take_that.rule_options import DECK, ENDS, OPENS, Rules, twisted

MOST_LINE, MOST_PILE, MOST_CARDS = 8, 8, 16
ALL_RULES = [Rules(forced_only, empty_line) for forced_only in (False, True) for empty_line in (OPENS, ENDS)]
ROUND_RULES = [*ALL_RULES, Rules(professional=True), Rules(forced_only=True, professional=True)]  # T11
DEAL_DTYPE = np.dtype([("mover", "u1", (HAND_SIZE,)), ("opponent", "u1", (HAND_SIZE,)), ("line", "u1", (MOST_LINE,)),
                       ("pile", "u1", (MOST_PILE,))])  # fmt: skip
"""A deal; 0 is an empty place. The next card of the pile comes first."""


class Family(NamedTuple):
    """How the deals of a family are drawn.

    keys:             decides which cards are preferred
    hand, line, pile: the fewest and the most cards in each hand, in the line and in the pile
    """

    keys: Keys
    hand: tuple[int, int]
    line: tuple[int, int]
    pile: tuple[int, int]


def near_pairs(rng: np.random.Generator, count: int) -> np.ndarray:
    """Cards of one neighbourhood and their twisted cards, each pair whole, so that it may be split between hand, line and pile."""
    return near_cards(rng, count) * np.float32(0.5) + twisted_cards(rng, count) * np.float32(3)


FAMILIES = {
    "pairs": Family(twisted_cards, (1, 3), (1, 5), (1, 5)),
    "near pairs": Family(near_pairs, (1, 3), (1, 4), (1, 5)),
    "one card a hand": Family(near_pairs, (1, 1), (0, 5), (0, 7)),
    "empty lines": Family(near_cards, (1, 3), (0, 0), (1, 6)),
    "short piles": Family(near_pairs, (1, 4), (0, 4), (0, 2)),
    "deep piles": Family(near_pairs, (1, 2), (0, 2), (5, 8)),
    "toads": Family(toads, (1, 3), (0, 4), (1, 5)),
    "any cards": Family(any_cards, (1, 4), (0, 5), (0, 5)),
}


def draw(family: Family, rng: np.random.Generator, count: int) -> np.ndarray:
    """Well-formed deals of a family: an array of `DEAL_DTYPE`, shape (count,).

    >>> deals = draw(FAMILIES["empty lines"], np.random.default_rng(1), 20)
    >>> int(np.count_nonzero(deals["line"])), int(np.count_nonzero(deals["pile"], axis=1).min())
    (0, 1)
    """
    hands = rng.integers(family.hand[0], family.hand[1] + 1, (2, count))
    line = rng.integers(family.line[0], family.line[1] + 1, count)
    pile = rng.integers(family.pile[0], family.pile[1] + 1, count)
    sizes = np.stack([*hands, line, np.minimum(pile, MOST_CARDS - hands.sum(0) - line)])
    keys = family.keys(rng, count)
    chosen = np.argsort(keys, axis=1)[:, :MOST_CARDS]
    mixed = rng.random(chosen.shape)
    mixed[np.arange(MOST_CARDS) >= sizes.sum(0)[:, None]] = 2
    chosen = np.take_along_axis(chosen, np.argsort(mixed, axis=1), axis=1)
    deals, start = np.zeros(count, DEAL_DTYPE), np.zeros(count, np.int64)
    for name, size in zip(DEAL_DTYPE.names or (), sizes, strict=True):
        place = np.arange(deals[name].shape[1])
        filled = place < size[:, None]
        cards = CARDS[np.take_along_axis(chosen, np.minimum(start[:, None] + place, MOST_CARDS - 1), axis=1)]
        if name in ("mover", "opponent"):
            cards = np.sort(np.where(filled, cards, 127), axis=1)
        deals[name] = np.where(filled, cards, 0)
        start += size
    return deals


def draw_twistable(rng: np.random.Generator, count: int) -> np.ndarray:
    """Deals in which the last card is drawn just when the whole line may have been twisted away: the line and the pile have as many
    cards, and the twisted card of each card of the line is in a hand or in the pile."""
    deals = np.zeros(count, DEAL_DTYPE)
    for deal in deals:
        length, (first, second) = int(rng.integers(1, 6)), rng.integers(1, 4, 2).tolist()
        pairs = rng.permutation(PAIRS)[:length]
        line = np.where(rng.random(length) < 0.5, *pairs.T)
        partners = pairs.sum(axis=1) - line
        others = rng.permutation(np.setdiff1d(CARDS, pairs))[: first + second]
        cards = rng.permutation(np.concatenate([partners, others]))
        parts = np.sort(cards[:first]), np.sort(cards[first : first + second]), line, cards[first + second :]
        for name, part in zip(DEAL_DTYPE.names or (), parts, strict=True):
            deal[name][: len(part)] = part
    return deals


PAIRS = np.array([(card, twisted(card)) for card in DECK if card < twisted(card)], np.int64)
SOURCES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    **{name: partial(draw, family) for name, family in FAMILIES.items()},
    "lines that can be twisted away": draw_twistable,
}
"""Every way to draw deals, by name."""

WORLDS = {
    "four pairs": (34, 43, 35, 53, 45, 54, 24, 42),
    "three pairs and two toads": (34, 43, 45, 54, 35, 53, 44, 55),
    "three pairs and two cards": (12, 21, 13, 31, 23, 32, 24, 14),
    "two pairs and three toads": (23, 32, 33, 34, 43, 22, 44),
    "toads and a card": (22, 33, 44, 55, 66, 34),
}
"""Small decks of which every deal is compared."""


class Part(NamedTuple):
    """All deals of a small deck with these numbers of cards in the hands, the line and the pile, under one set of rules."""

    deck: str
    sizes: tuple[int, int, int, int]
    rules: Rules


def parts_of_worlds() -> list[Part]:
    """Every part of every small deck; all cards of the deck are in play."""
    found = []
    for name, deck in WORLDS.items():
        count = len(deck)
        for mover, opponent, line in product(range(1, count), range(1, count), range(count)):
            sizes = mover, opponent, line, count - mover - opponent - line
            if sizes[3] >= 0:
                found += [Part(name, sizes, rules) for rules in ALL_RULES]
    return found


PARTS = parts_of_worlds()


def deals_of(part: Part) -> np.ndarray:
    """Every deal of a part: an array of `DEAL_DTYPE`.

    >>> [len(deals_of(Part("toads and a card", sizes, Rules()))) for sizes in ((5, 1, 0, 0), (4, 1, 1, 0), (3, 1, 1, 1))]
    [6, 30, 120]
    """
    first, second, line, _ = np.cumsum(part.sizes).tolist()
    orders = orders_of(part.deck)
    cards = orders[_ascends(orders[:, :first]) & _ascends(orders[:, first:second])]
    deals = np.zeros(len(cards), DEAL_DTYPE)
    for name, chosen in zip(DEAL_DTYPE.names or (), np.split(cards, [first, second, line], axis=1), strict=True):
        deals[name][:, : chosen.shape[1]] = chosen
    return deals


@cache
def orders_of(deck: str) -> np.ndarray:
    """Every order of the cards of a small deck, a row each."""
    return np.array(list(permutations(sorted(WORLDS[deck]))), np.uint8)


def _ascends(cards: np.ndarray) -> np.ndarray:
    return (cards[:, :-1] < cards[:, 1:]).all(axis=1)
