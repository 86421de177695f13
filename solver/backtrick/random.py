"""Shuffled decks, a function of a seed and the number of a game: any game can be dealt by itself, in any order, by any thread.

`Stream` is the readable twin of the kernel `_random`: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers:
as easy as 1, 2, 3" (SC 2011), numbers below a bound after Lemire, "Fast random integer generation in an interval" (2019), and
the shuffle of Fisher and Yates. All of it is arithmetic on whole numbers, so a seed gives the same decks on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any

import numpy as np

import backtrick._random as _random
from backtrick.errors import ArgumentError
from backtrick.given import shown, whole

WORD = 1 << 32
SEEDS = 1 << 64
"""Seeds and numbers of games are below this."""


def shuffled_decks(cards: Iterable[int], each: int, seed: int, start: int, stop: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The decks of games start..stop-1 of a seed, `each` to a game: uint8, shape (stop - start, each, cards).

    Each is an order of `cards`, all orders equally likely. Raises `ArgumentError` for a seed or a number out of 0..2^64-1.

    >>> shuffled_decks(range(5), 2, seed=1, start=6, stop=8)
    array([[[2, 0, 4, 3, 1],
            [1, 4, 3, 2, 0]],
    <BLANKLINE>
           [[3, 4, 2, 1, 0],
            [1, 0, 3, 4, 2]]], dtype=uint8)
    """
    seed, start, stop = _number("seed", seed), _number("start", start), _number("stop", stop)
    if start > stop:
        raise ArgumentError(f"games {start}..{stop} are none: start must be at most stop")
    in_order = np.array(list(cards), np.uint8)
    decks = np.empty((stop - start, each, len(in_order)), np.uint8)
    _random.deal(in_order, decks, seed, start)
    return decks


def seed_of(given: object) -> int:
    """The seed that was given. Raises `ArgumentError`.

    >>> seed_of(7)
    7
    """
    return _number("seed", given)


def _number(what: str, given: object) -> int:
    number = whole(given)
    if number is None or not 0 <= number < SEEDS:
        raise ArgumentError(f"{what} must be a whole number 0..2^64-1, not {shown(given)}")
    return number


def block(counter: Iterable[int], key: Iterable[int]) -> tuple[int, ...]:
    """The four words that Philox4x32-10 makes of a counter of four words and a key of two.

    >>> print(*map(hex, block((0, 0, 0, 0), (0, 0))))
    0x6627e8d5 0xe169c58d 0xbc57ac4c 0x9b00dbd8
    """
    a, b, c, d = counter
    low, high = key
    for _ in range(10):
        one, other = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = other // WORD ^ b ^ low, other % WORD, one // WORD ^ d ^ high, one % WORD
        low, high = (low + 0x9E3779B9) % WORD, (high + 0xBB67AE85) % WORD
    return a, b, c, d


class Stream:
    """The random numbers of a game, slowly.

    >>> stream = Stream(seed=1, number=6)
    >>> stream.shuffled(range(5)), stream.shuffled(range(5))
    ([2, 0, 4, 3, 1], [1, 4, 3, 2, 0])
    """

    def __init__(self, seed: int, number: int):
        seed, number = index(seed), index(number)  # numbers of numpy overflow
        self._key = (seed % WORD, seed // WORD)
        self._number = (number % WORD, number // WORD)
        self._blocks = 0
        self._words: list[int] = []

    def word(self) -> int:
        """The next word, 0..2^32-1."""
        if not self._words:
            self._words = list(block((self._blocks, 0, *self._number), self._key))
            self._blocks += 1
        return self._words.pop(0)

    def below(self, bound: int) -> int:
        """A number 0..bound-1, all equally likely: the place of a word among `bound` equal stretches of all words.

        2^32 words are not a multiple of every bound; 2^32 modulo `bound` words, the first of some stretches, are drawn again.
        """
        while True:
            number, within = divmod(self.word() * bound, WORD)
            if within >= WORD % bound:
                return number

    def shuffled(self, cards: Iterable[int]) -> list[int]:
        """The cards in random order: from the last place down, each place takes a card of those up to it."""
        deck = list(cards)
        for place in range(len(deck) - 1, 0, -1):
            other = self.below(place + 1)
            deck[place], deck[other] = deck[other], deck[place]
        return deck
