"""Families of positions for the audit, drawn as arrays.

A family says how hands and tops are drawn. Hands cost more than tops, so each pair of hands gets `TOPS` draws of tops. Positions
that are not well-formed are left out, so a few less come back than were asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from backtrick.face_to_face.position import FIELDS, HAND_SIZE, POSITION_DTYPE
from backtrick.face_to_face.rule_options import BACK, HIGHEST
from oracles.published_deck import SmallDeck

TOPS = 16
LARGE = 0.8
"""The share of pairs of hands with nine cards or more together. In the others each hand has any size 1..6."""
LARGE_SIZES = np.array([(k, m) for k in range(1, 7) for m in range(1, 7) if k + m >= 9])

_ONE = np.uint64(1)
WHOLE = SmallDeck(HIGHEST, BACK)


class Hands:
    """Hands that are being drawn: `masks` (2, n), bit v is the card v; `cards` (n, 12), the mover's first; `counts` (2, n)."""

    def __init__(self, rng: np.random.Generator, count: int, deck: SmallDeck):
        self.rng, self.deck = rng, deck
        self.sizes = np.where(rng.random(count) < LARGE, rng.choice(LARGE_SIZES, count).T, rng.integers(1, 7, (2, count)))
        self.masks = np.zeros((2, count), np.uint64)
        self.cards = np.zeros((count, 2 * HAND_SIZE), np.int64)
        self.counts = np.zeros((2, count), np.int64)
        self.low = rng.integers(2, max(deck.highest - HAND_SIZE - 1, 3), count)  # of a narrow range
        self.width = rng.integers(HAND_SIZE, 2 * HAND_SIZE, count)

    def chance(self, count: int) -> np.ndarray:
        """`count` numbers from 0 to 1."""
        return self.rng.random(count, np.float32)

    def any_card(self, count: int) -> np.ndarray:
        """`count` cards of the whole deck."""
        return self.rng.integers(2, self.deck.highest, count)

    def a_step(self, count: int) -> np.ndarray:
        """`count` numbers, each one back trick up or down."""
        return np.where(self.chance(count) < 0.5, self.deck.step, -self.deck.step)

    def held_by(self, side: int, rows: np.ndarray) -> np.ndarray:
        """For each row a card that the side holds; 0 if it holds none."""
        place = (self.chance(len(rows)) * self.counts[side, rows]).astype(np.int64)
        return self.cards[rows, HAND_SIZE * side + place]

    def held_by_any(self, rows: np.ndarray) -> np.ndarray:
        """For each row a card that one of the two holds; 0 if there is none."""
        place = (self.chance(len(rows)) * self.counts[:, rows].sum(axis=0)).astype(np.int64)
        return self.cards[rows, np.where(place < self.counts[0, rows], place, place + HAND_SIZE - self.counts[0, rows])]

    def fill(self, propose: Proposal) -> None:
        """Fills both hands to their sizes: cards are proposed, and each goes into the hand if the hand can hold it."""
        for side in range(2):
            rows = np.arange(self.masks.shape[1])
            while len(rows):
                cards = propose(self, side, rows)
                bits = _ONE << np.clip(cards, 0, 63).astype(np.uint64)
                fits = (cards >= 2) & (cards < self.deck.highest) & (self.masks[side, rows] & bits == 0)
                filled = rows[fits]
                self.masks[side, filled] |= bits[fits]
                self.cards[filled, HAND_SIZE * side + self.counts[side, filled]] = cards[fits]
                self.counts[side, filled] += 1
                rows = rows[self.counts[side, rows] < self.sizes[side, rows]]


Proposal = Callable[[Hands, int, np.ndarray], np.ndarray]
"""Proposes a card for each of the rows, for a side. A card may not fit, but in the end every hand can be filled."""

Tops = Callable[[Hands, np.ndarray, int], np.ndarray]
"""Proposes a top for each of the rows of filled hands, for a pile (0 ascending, 1 descending). It may be no legal top."""


def _uniform(hands: Hands, side: int, rows: np.ndarray) -> np.ndarray:
    return hands.any_card(len(rows))


def _paired(hands: Hands, side: int, rows: np.ndarray) -> np.ndarray:
    """Most cards have another card of the same hand one step away."""
    paired = (hands.counts[side, rows] > 0) & (hands.chance(len(rows)) < 0.7)
    return np.where(paired, hands.held_by(side, rows) + hands.a_step(len(rows)), hands.any_card(len(rows)))


def _chained(hands: Hands, side: int, rows: np.ndarray) -> np.ndarray:
    """Nearly every card has another card one step away, in one of the two hands."""
    chained = (hands.counts[:, rows].sum(axis=0) > 0) & (hands.chance(len(rows)) < 0.9)
    return np.where(chained, hands.held_by_any(rows) + hands.a_step(len(rows)), hands.any_card(len(rows)))


def _near(hands: Hands, side: int, rows: np.ndarray) -> np.ndarray:
    """Cards of a narrow range, or one step above it."""
    cards = hands.low[rows] + (hands.chance(len(rows)) * hands.width[rows]).astype(np.int64)
    return np.where(hands.chance(len(rows)) < 0.3, cards + hands.deck.step, cards)


def _equal(hands: Hands, side: int, rows: np.ndarray) -> np.ndarray:
    """The second hand mostly repeats the first."""
    paired = _paired(hands, side, rows)
    return paired if side == 0 else np.where(hands.chance(len(rows)) < 0.8, hands.held_by(0, rows), paired)


def _any_tops(hands: Hands, rows: np.ndarray, pile: int) -> np.ndarray:
    return hands.rng.integers(1 + pile, hands.deck.highest + pile, len(rows))


def _tight_tops(hands: Hands, rows: np.ndarray, pile: int) -> np.ndarray:
    """Ascending tops high, descending ones low: in the published deck 35..59 and 2..25."""
    highest = hands.deck.highest
    room = (highest - 2) * 5 // 12
    return hands.rng.integers(*((2, 2 + room) if pile else (highest - room - 1, highest)), len(rows))


def _near_tops(hands: Hands, rows: np.ndarray, pile: int) -> np.ndarray:
    """Tops in the narrow range of the hands, or a little beyond."""
    return _near(hands, pile, rows) + hands.rng.integers(-2, 3, len(rows))


def _trick_tops(hands: Hands, rows: np.ndarray, pile: int) -> np.ndarray:
    """Mostly tops whose back trick is a card of one of the hands, or tops that show the number of such a card."""
    cards = hands.held_by_any(rows)
    tricks = cards + (-hands.deck.step if pile else hands.deck.step)
    chance = hands.chance(len(rows))
    return np.where(chance < 0.5, tricks, np.where(chance < 0.65, cards, _tight_tops(hands, rows, pile)))


class Family(NamedTuple):
    """How hands and tops of a family are drawn. crossed: each player's ascending top lies above the descending one."""

    hands: Proposal
    tops: Tops
    crossed: bool = False


FAMILIES = {
    "uniform": Family(_uniform, _any_tops),
    "tight": Family(_paired, _tight_tops),
    "clustered": Family(_near, _near_tops),
    "chained": Family(_chained, _trick_tops),
    "equal hands": Family(_equal, _trick_tops),
    "crossed": Family(_paired, _trick_tops, crossed=True),
}


def draw(family: Family, rng: np.random.Generator, count: int, deck: SmallDeck = WHOLE) -> np.ndarray:
    """Well-formed positions of a family: an array of `POSITION_DTYPE`, shape (count,) or a little less.

    Raises `ValueError` for a deck that is too small to fill the hands of every family.

    >>> from backtrick.face_to_face import solve_many
    >>> positions = draw(FAMILIES["tight"], np.random.default_rng(1), 1000)
    >>> len(positions) > 800, int(solve_many(positions).max()) <= 5
    (True, True)
    """
    if deck.highest < 2 * HAND_SIZE:
        raise ValueError(f"hands are drawn from decks of {2 * HAND_SIZE} and more, not {deck.highest}")
    hands = Hands(rng, -(-count // TOPS), deck)
    hands.fill(family.hands)
    rows = np.repeat(np.arange(hands.masks.shape[1]), TOPS)[:count]
    tops = [_open_tops(family, hands, rows, pile) for pile in (0, 1, 0, 1)]
    if family.crossed:
        for pile in (0, 2):
            tops[pile : pile + 2] = np.maximum(*tops[pile : pile + 2]), np.minimum(*tops[pile : pile + 2])
    positions = np.empty(len(rows), POSITION_DTYPE)
    positions["mover_hand"], positions["opponent_hand"] = hands.masks[0, rows], hands.masks[1, rows]
    for name, top in zip(FIELDS[2:], tops, strict=True):
        positions[name] = np.clip(top, 0, 63)
    return deck.positions(positions[well_formed(positions, deck.highest)])


def _open_tops(family: Family, hands: Hands, rows: np.ndarray, pile: int) -> np.ndarray:
    """Tops for the rows. A top that shows a number of both hands is drawn again, up to four times."""
    tops, again = family.tops(hands, rows, pile), np.arange(len(rows))
    for _ in range(4):
        both = hands.masks[0, rows[again]] & hands.masks[1, rows[again]]
        again = again[both >> np.clip(tops[again], 0, 63).astype(np.uint64) & _ONE != 0]
        tops[again] = family.tops(hands, rows[again], pile)
    return tops


def well_formed(positions: np.ndarray, highest: int = HIGHEST) -> np.ndarray:
    """True for the positions that are well-formed (F1), given hands of 1..6 cards of the deck: bool, shape (n,).

    >>> from backtrick.face_to_face import Position, pack
    >>> positions = pack([Position.parse("27^40v:17,18,45 13^50v:5,12")] * 2)
    >>> positions["mover_ascending"][1] = 60
    >>> well_formed(positions)
    array([ True, False])
    """
    hands = positions["mover_hand"], positions["opponent_hand"]
    tops = [positions[name] for name in FIELDS[2:]]
    fine = np.ones(len(positions), bool)
    for pile, top in enumerate(tops):
        fine &= (top >= 1 + pile % 2) & (top < highest + pile % 2)
        places = sum((hand >> top.astype(np.uint64) & _ONE).astype(np.uint8) for hand in hands)
        places = places + sum((top == other).astype(np.uint8) for other in tops)
        fine &= (places <= 2) | (top == 1) | (top == highest)
    return fine
