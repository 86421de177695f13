"""Endgames to work on: from whole games, the first position with both draw piles empty; and random ones.

Every source is a function of `count` and `seed`. Position i does not depend on `count`.
Whole games are dealt by `backtrick.random` and stay as they are. The numbers of the random endgames come from
`numpy.random.default_rng`, whose streams may change with a new numpy release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain

import numpy as np

from backtrick.errors import PositionError
from backtrick.face_to_face.options import PUBLISHED
from backtrick.face_to_face.playing import decks_of, play_games, play_to_deals
from backtrick.face_to_face.policies import POLICIES
from backtrick.face_to_face.position import HAND_SIZE, POSITION_DTYPE, Position, Side, unpack
from backtrick.face_to_face.solving import remoteness
from backtrick.selfplay import check_piles, endgames, in_one_array

__all__ = ["POLICIES", "clustered", "selfplay", "selfplay_array", "tight", "uniform"]


def selfplay(
    count: int,
    seed: int = 0,
    policies: tuple[str, str] = ("frugal", "frugal"),
    progress: bool | None = None,
    threads: int | None = None,
    piles: int = 0,
) -> Iterator[Position]:
    """`count` positions from whole games: of each game the first endgame, with both draw piles empty, or with `piles` the first
    deal, or endgame, whose draw piles hold at most so many cards each.

    Games 0, 1, 2, ... of `seed` are played, and the policies change seats. A game that ends earlier (F13) yields nothing. The
    mover of a yielded position may be stuck and so have lost: that is left to the solver.

    threads: None for one a core; their number does not change the positions. progress: None for a bar on a terminal and lines in
    a log. Raises `ArgumentError` if there is no such policy, or for a number that cannot be.

    >>> for position in selfplay(2, seed=1):
    ...     print(position)
    40^4v:15,33,54,56 3^41v:8,16,19,27
    45^36v:10,28,29,34,52,54 57^24v:13,21,29,39,44,48
    >>> print(next(selfplay(1, seed=1, piles=3)))
    29^14v:45,52,53,58 41^4v:8,25,43,45,54,57+27,11,49
    """
    if not check_piles(piles):
        return chain.from_iterable(map(unpack, _selfplay(count, seed, policies, progress, threads)))
    POLICIES.seats(policies, 0, 0), decks_of(seed, 0, 0)

    def play(start: int, stop: int) -> list[Position]:
        return play_to_deals(decks_of(seed, start, stop), POLICIES.seats(policies, start, stop), piles, 1)

    return chain.from_iterable(endgames(play, count, threads, progress))


def selfplay_array(
    count: int,
    seed: int = 0,
    policies: tuple[str, str] = ("frugal", "frugal"),
    progress: bool | None = None,
    threads: int | None = None,
) -> np.ndarray:
    """The positions of `selfplay`, packed: an array of `POSITION_DTYPE`, shape (count,).

    >>> selfplay_array(2, seed=1)["mover_ascending"]
    array([40, 45], dtype=uint8)
    """
    return in_one_array(_selfplay(count, seed, policies, progress, threads), count, POSITION_DTYPE)


def _selfplay(
    count: int, seed: int, policies: tuple[str, str], progress: bool | None, threads: int | None
) -> Iterator[np.ndarray]:
    """The endgames in blocks. What cannot be played is refused at once, before the first block."""
    POLICIES.seats(policies, 0, 0), decks_of(seed, 0, 0)

    def play(start: int, stop: int) -> np.ndarray:
        return play_games(decks_of(seed, start, stop), POLICIES.seats(policies, start, stop), 1, progress=False).reached

    return endgames(play, count, threads, progress)


def tight(count: int, seed: int = 0) -> Iterator[Position]:
    """`count` hard random endgames of 6 v 6: little room on the piles, and hands that are all 10-apart pairs.

    Ascending tops are uniform in 35..59 and descending ones in 2..25. A hand is filled with pairs v, v + 10, v uniform in
    2..49, until it has six cards. A position is drawn again if it is not well-formed, or if its remoteness is 0 or 1: the mover
    is stuck (F13), can lay the whole hand (F12), or can leave the opponent stuck.

    >>> print(next(tight(1, seed=1)))
    56^22v:17,23,27,33,41,51 53^14v:7,16,17,26,39,49
    """
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        while remoteness(position := _redraw(partial(_tight, rng))) < 2:
            pass
        yield position


def uniform(count: int, seed: int = 0, hands: tuple[int, int] = (HAND_SIZE, HAND_SIZE)) -> Iterator[Position]:
    """`count` random endgames with hands of the given sizes, mover's first: each part uniform, redrawn until well-formed.

    >>> print(next(uniform(1, seed=1, hands=(3, 2))))
    15^19v:28,31,45 53^26v:10,49
    """
    cards, tops = range(2, PUBLISHED.highest), range(1, PUBLISHED.highest + 1)
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        yield _redraw(partial(_random, rng, cards, tops, hands))


def clustered(count: int, seed: int = 0, hands: tuple[int, int] = (HAND_SIZE, HAND_SIZE)) -> Iterator[Position]:
    """`count` random endgames in which every number is near every other, or 10 from it: equal numbers, back tricks, chains.

    Hands and tops are uniform in low..low+5 and low+10..low+15, low uniform in 2..44; redrawn until well-formed.

    >>> print(next(clustered(1, seed=1, hands=(3, 2))))
    25^36v:27,34,37 27^25v:35,37
    """
    step = PUBLISHED.step
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        low = int(rng.integers(2, PUBLISHED.highest - step - 5))
        near = [*range(low, low + 6), *range(low + step, low + step + 6)]
        yield _redraw(partial(_random, rng, near, near, hands))


def _redraw(draw: Callable[[], tuple[Side, Side]]) -> Position:
    """A position of two sides, which are drawn again until they are well-formed."""
    while True:
        sides = draw()
        try:
            return Position(*sides)
        except PositionError as error:
            if error.number is None:  # the size of a hand is wrong, and drawing again will not change it
                raise


def _tight(rng: np.random.Generator) -> tuple[Side, Side]:
    ascending = rng.integers(35, PUBLISHED.highest, 2).tolist()
    descending = rng.integers(2, 26, 2).tolist()
    mover, opponent = _paired_hand(rng), _paired_hand(rng)
    return Side(ascending[0], descending[0], mover), Side(ascending[1], descending[1], opponent)


def _paired_hand(rng: np.random.Generator) -> tuple[int, ...]:
    hand: set[int] = set()
    while len(hand) != HAND_SIZE:
        if len(hand) > HAND_SIZE:
            hand = set()
        card = int(rng.integers(2, PUBLISHED.highest - PUBLISHED.step))
        hand |= {card, card + PUBLISHED.step}
    return tuple(hand)


def _random(rng: np.random.Generator, cards: Sequence[int], tops: Sequence[int], hands: tuple[int, int]) -> tuple[Side, Side]:
    mover, opponent = (rng.choice(cards, size, replace=False).tolist() for size in hands)
    ascending, descending, other_ascending, other_descending = rng.choice(tops, 4).tolist()
    return Side(ascending, descending, mover), Side(other_ascending, other_descending, opponent)
