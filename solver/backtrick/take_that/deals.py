"""Endgames to work on: from whole rounds, the position when the draw pile is empty; and hard random ones.

Every source is a function of `count` and `seed`. Position i does not depend on `count`.
Whole rounds are dealt by `backtrick.random` and stay as they are. The numbers of the random endgames come from
`numpy.random.default_rng`, whose streams may change with a new numpy release.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np

from backtrick.selfplay import check_piles, endgames, in_one_array
from backtrick.take_that.cards import DECK, is_toad, twisted
from backtrick.take_that.playing import decks_of, play_rounds, play_to_deals
from backtrick.take_that.policies import POLICIES
from backtrick.take_that.position import HAND_SIZE, POSITION_DTYPE, Position, unpack

__all__ = ["POLICIES", "hard", "selfplay", "selfplay_array"]


def selfplay(
    count: int,
    seed: int = 0,
    policies: tuple[str, str] = ("careful", "careful"),
    progress: bool | None = None,
    threads: int | None = None,
    piles: int = 0,
) -> Iterator[Position]:
    """The endgames of games 0..count-1 of `seed`: 9 v 9, the dealer to move. With `piles` the deals instead: of each game the
    first position whose draw pile holds at most so many cards.

    The policies change seats: in odd games the second one begins. threads: None for one a core; their number does not change the
    positions. progress: None for a bar on a terminal and lines in a log. Raises `ArgumentError` if there is no such policy, or
    for a number that cannot be.

    >>> for position in selfplay(2, seed=1):
    ...     print(position)
    12,14,15,64,65,72,79,83,88 13,21,22,56,66,67,89,93,97 57-49-54-62
    29,34,63,65,69,88,91,94,95 14,19,31,43,44,56,77,92,96 39-47-49
    """
    if not check_piles(piles):
        return chain.from_iterable(map(unpack, _selfplay(count, seed, policies, progress, threads)))
    POLICIES.seats(policies, 0, 0), decks_of(seed, 0, 0)

    def play(start: int, stop: int) -> list[Position]:
        return play_to_deals(decks_of(seed, start, stop), POLICIES.seats(policies, start, stop), piles, 1)

    return chain.from_iterable(endgames(play, count, threads, progress, all_reach=True))


def selfplay_array(
    count: int,
    seed: int = 0,
    policies: tuple[str, str] = ("careful", "careful"),
    progress: bool | None = None,
    threads: int | None = None,
) -> np.ndarray:
    """The positions of `selfplay`, packed: an array of `POSITION_DTYPE`, shape (count,).

    >>> len(selfplay_array(2, seed=1))
    2
    """
    return in_one_array(_selfplay(count, seed, policies, progress, threads), count, POSITION_DTYPE)


def _selfplay(
    count: int, seed: int, policies: tuple[str, str], progress: bool | None, threads: int | None
) -> Iterator[np.ndarray]:
    """The endgames in blocks. What cannot be played is refused at once, before the first block."""
    POLICIES.seats(policies, 0, 0), decks_of(seed, 0, 0)

    def play(start: int, stop: int) -> np.ndarray:
        return play_rounds(decks_of(seed, start, stop), POLICIES.seats(policies, start, stop), 1, progress=False).endgames

    return endgames(play, count, threads, progress, all_reach=True)


def hard(count: int, seed: int = 0) -> Iterator[Position]:
    """`count` hard random endgames of 9 v 9, without toads and with a line of 15..25 cards in random order.

    A card of no hand whose twisted card is in a hand lies in the line with a chance of nine in ten.

    >>> print(next(hard(1, seed=1)))
    18,29,32,58,69,83,86,87,92 31,36,38,64,71,75,89,93,95 78-57-39-17-59-96-46-85-98-13-15-68-23-63-81
    """
    plain = np.array([card for card in DECK if not is_toad(card)])
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        cards = rng.permutation(plain).tolist()
        hands, rest = cards[: 2 * HAND_SIZE], cards[2 * HAND_SIZE :]
        length = int(rng.integers(15, 26))
        line = [card for card in rest if twisted(card) in hands and rng.random() < 0.9][:length]
        line += [card for card in rest if twisted(card) not in hands][: length - len(line)]
        yield Position(hands[:HAND_SIZE], hands[HAND_SIZE:], rng.permutation(line).tolist())
