"""Hands as sets of cards, numbered in the order of the kernel `_equilibrium`, and how often each is held."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import comb, factorial
from typing import Any

import numpy as np

from backtrick.errors import ArgumentError

Hand = tuple[int, ...]

MOST_WEIGHT = 1 << 16


@cache
def masks_of(cards: int, held: int) -> np.ndarray:
    """The sets of `held` of so many cards as masks, ascending: uint32."""
    if held == 0:
        return np.zeros(1, np.uint32)
    if held > cards:
        return np.zeros(0, np.uint32)
    with_last = masks_of(cards - 1, held - 1) | np.uint32(1 << (cards - 1))
    found = np.concatenate([masks_of(cards - 1, held), with_last])
    found.flags.writeable = False
    return found


def hands_of(cards: tuple[int, ...], held: int) -> Iterator[Hand]:
    """The hands of so many of the cards, in the order of `masks_of`."""
    bits = range(len(cards))
    for mask in masks_of(len(cards), held).tolist():
        yield tuple([cards[bit] for bit in bits if mask >> bit & 1])


def number_of(cards: tuple[int, ...], hand: Iterable[int]) -> int:
    """The place of a hand in the order of `hands_of`.

    >>> [number_of((12, 13, 14), hand) for hand in hands_of((12, 13, 14), 2)]
    [0, 1, 2]
    """
    return sum(comb(cards.index(card), place + 1) for place, card in enumerate(sorted(hand)))


def summed(weights: np.ndarray, cards: int, held: int, draws: int) -> np.ndarray:
    """For each set of held + draws of the cards, the weight of all sets of `held` within it, times the orders in which the others
    can be drawn: int64, in the order of `masks_of`."""
    found = weights.astype(np.int64)
    if (found == found[0]).all():
        return np.full(comb(cards, held + draws), int(found[0]) * comb(held + draws, held) * factorial(draws), np.int64)
    for size in range(held, held + draws):
        masks = masks_of(cards, size + 1)
        total = np.zeros(len(masks), np.int64)
        smaller = masks_of(cards, size)
        for bit in range(cards):
            inside = np.flatnonzero(masks >> np.uint32(bit) & np.uint32(1))
            total[inside] += found[np.searchsorted(smaller, masks[inside] ^ np.uint32(1 << bit))]
        found = total
    return found


def widened(cards: int, held: int, place: int) -> np.ndarray:
    """The numbers, among the sets of `held` of so many cards, of those without the card at a place: in the order of the sets of the
    other cards."""
    masks = masks_of(cards - 1, held)
    low = masks & np.uint32((1 << place) - 1)
    return np.searchsorted(masks_of(cards, held), low | (masks ^ low) << np.uint32(1))


def is_hand(cards: tuple[int, ...], held: int, hand: Any) -> bool:
    """True for a tuple of `held` of the cards, ascending."""
    return isinstance(hand, tuple) and len(hand) == held and hand == tuple(card for card in cards if card in hand)


@dataclass(frozen=True, slots=True)
class AllHands(Mapping[Hand, int]):
    """The range in which all hands are equally likely. It is not written out: there can be half a million."""

    cards: tuple[int, ...]
    held: int

    def __getitem__(self, hand: Hand) -> int:
        if not is_hand(self.cards, self.held, hand):
            raise KeyError(hand)
        return 1

    def __iter__(self) -> Iterator[Hand]:
        return hands_of(self.cards, self.held)

    def __len__(self) -> int:
        return comb(len(self.cards), self.held)


def weights_of(given: Mapping[Any, int], cards: tuple[int, ...], held: int, seat: int) -> np.ndarray:
    """The weight of each hand: int64, in the order of `masks_of`. Raises `ArgumentError` for one above 2^16."""
    if isinstance(given, AllHands):
        return np.ones(len(given), np.int64)
    if (most := max(given.values())) > MOST_WEIGHT:
        name = ("the mover's", "the other player's")[seat]
        most_text = f"weights may be up to {MOST_WEIGHT}, not {most}"
        raise ArgumentError(f"{name} range: as whole numbers without a common divisor, {most_text}")
    return np.array([given.get(hand, 0) for hand in hands_of(cards, held)], np.int64)
