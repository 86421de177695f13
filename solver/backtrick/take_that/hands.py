"""Hands as numbers, in the order of the kernel `_equilibrium`; and ranges: how often each hand is held."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from math import comb, gcd, inf
from numbers import Rational, Real
from typing import Any, Union

import numpy as np

from backtrick.errors import ArgumentError
from backtrick.given import shown

Hand = tuple[int, ...]
Range = Union[None, Mapping[Hand, Any], Callable[[Hand], Any]]  # noqa: UP007, it is made when the module is read
"""How often each hand is held: None for all alike, a mapping (a hand that is missing is not held), or a function."""

MOST_WEIGHT = 1 << 16


@cache
def masks_of(cards: int, held: int) -> np.ndarray:
    """The sets of `held` of so many cards as masks, ascending: uint32."""
    if held == 0 or held == cards:
        return np.array([(1 << held) - 1], np.uint32)
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
    for size in range(held, held + draws):
        masks = masks_of(cards, size + 1)
        total = np.zeros(len(masks), np.int64)
        smaller = masks_of(cards, size)
        for bit in range(cards):
            inside = np.flatnonzero(masks >> np.uint32(bit) & np.uint32(1))
            total[inside] += found[np.searchsorted(smaller, masks[inside] ^ np.uint32(1 << bit))]
        found = total
    return found


# Ranges


def weights_of(given: Range, cards: tuple[int, ...], held: int, whose: str) -> np.ndarray:
    """The weight of each hand as a whole number up to 2^16: float64, in the order of `masks_of`."""
    count = comb(len(cards), held)
    if given is None:
        return np.ones(count)
    if isinstance(given, Mapping):
        weights: list[Any] = [0] * count
        for hand, weight in given.items():
            if not (isinstance(hand, tuple) and len(set(hand)) == held == len(hand) and set(hand) <= set(cards)):
                raise ArgumentError(f"{whose} range: {shown(hand)} is not a hand of {held} of the unseen cards")
            weights[number_of(cards, hand)] = weight
    elif callable(given):
        weights = [given(hand) for hand in hands_of(cards, held)]
    else:
        raise ArgumentError(f"{whose} range must be None, a mapping or a function from hands to weights, not {shown(given)}")
    exact = []
    for weight in weights:
        if (amount := amount_of(weight)) is None:
            raise ArgumentError(f"{whose} range: a weight must be a number of 0 or more, not {shown(weight)}")
        exact.append(amount)
    if not any(exact):
        raise ArgumentError(f"{whose} range: not all weights may be 0")
    scale = 1
    for one in exact:
        scale = scale * one.denominator // gcd(scale, one.denominator)
        if scale > MOST_WEIGHT:
            break
    common = 0
    for one in exact if scale <= MOST_WEIGHT else ():
        common = gcd(common, int(one * scale))
    if common and max(exact) * scale / common <= MOST_WEIGHT:
        return np.array([int(one * scale) // common for one in exact], np.float64)
    most = max(exact)
    return np.rint(np.array([float(one / most) for one in exact]) * MOST_WEIGHT)


def amount_of(given: object) -> Fraction | None:
    """A number of 0 or more as a fraction; None for anything else."""
    if not isinstance(given, Real) or isinstance(given, bool) or not 0 <= given < inf:  # type: ignore[operator]
        return None
    return Fraction(given) if isinstance(given, Rational) else Fraction(float(given))
