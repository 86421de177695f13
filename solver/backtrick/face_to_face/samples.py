"""Positions to work on: whole games by the thousand, the endgames and deals out of them, and random endgames.

    decks       uint8, shape (n, 2, 58): for each game and seat the cards in the order drawn; the first six are the hand (F2).
                Fewer cards, the same ones for both seats, make a small game
    policies    uint8, shape (n, 2): for each game and seat the place of the policy in `POLICIES`

The kernel plays the games, by the policies of `policies.py`. Every source is a function of `count` and `seed`, and position i does
not depend on `count`. All random numbers are those of `backtrick.random`, so a seed gives the same positions on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, NoReturn

import numpy as np

import backtrick.face_to_face._play as _play
import backtrick.face_to_face._samples as _samples
from backtrick.arguments import checked
from backtrick.errors import ArgumentError, PositionError
from backtrick.face_to_face.policies import POLICIES, PRICES
from backtrick.face_to_face.position import HAND_SIZE, POSITION_DTYPE, Position, Side, cards_of, unpack
from backtrick.face_to_face.rule_options import HIGHEST, PUBLISHED, Rules, as_rules
from backtrick.face_to_face.state import check_decks
from backtrick.names.other_names import missing
from backtrick.notation import Positions
from backtrick.play.samples import SelfPlay, room_for
from backtrick.random import seed_of, shuffled_decks
from backtrick.threads import fill_ranges

__all__ = [
    "POLICIES",
    "clustered",
    "clustered_array",
    "selfplay",
    "selfplay_array",
    "tight",
    "tight_array",
    "uniform",
    "uniform_array",
]

KERNEL_PRICES = np.array([PRICES], np.int32)
SPAN = 1 << 10  # games: some milliseconds of work
DRAWN = 1 << 12  # random endgames: the same
AHEAD = 1 << 8  # random endgames that are drawn ahead


class PlayedGames(NamedTuple):
    """What became of each game.

    endgames: `POSITION_DTYPE`, the first position with both piles empty before anybody has won (F12); all zero if there is none
    winners:  uint8, the seat that won
    turns:    uint8, the number of turns
    """

    endgames: np.ndarray
    winners: np.ndarray
    turns: np.ndarray

    @property
    def reached(self) -> np.ndarray:
        """The endgames that were reached, in the order of the games."""
        return self.endgames[self.endgames["mover_hand"] != 0]


def decks_of(seed: int, start: int, stop: int) -> np.ndarray:
    """The decks of games start..stop-1 of a seed. The cards of game i depend only on the seed and i.

    Raises `ArgumentError` for a seed or a number out of 0..2^64-1.

    >>> decks_of(1, 0, 3).shape
    (3, 2, 58)
    """
    return shuffled_decks(range(2, HIGHEST), 2, seed, start, stop)


def play_games(
    decks: np.ndarray, policies: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> PlayedGames:
    """Plays every game to its end. Raises `PositionError` unless both decks are the same number cards (F1).

    threads: None for one per core. progress: None for a bar on a terminal and lines in a log.

    >>> play_games(decks_of(1, 0, 4), POLICIES.seats(("frugal", "hasty"), 0, 4)).winners
    array([0, 1, 0, 1], dtype=uint8)
    """
    played = PlayedGames(np.zeros(len(decks), POSITION_DTYPE), np.empty(len(decks), np.uint8), np.empty(len(decks), np.uint8))

    def work(start: int, stop: int) -> int:
        place: int = _play.play_range(decks, policies, *played, start, stop, KERNEL_PRICES, rules.code)
        return place

    error = partial(_error_at, decks, policies)
    fill_ranges(work, len(decks), threads=threads, progress=progress, what="games", size=SPAN, unit="games", error=error)
    return played


def play_to_deals(
    decks: np.ndarray, policies: np.ndarray, piles: int, threads: int | None = None, rules: Rules = PUBLISHED
) -> list[Position]:
    """Plays every game to its first position whose draw piles hold at most `piles` cards each, before anybody has won (F12).

    A game that ends earlier (F13) gives nothing. Raises as `play_games` does.

    >>> print(*play_to_deals(decks_of(1, 0, 1), POLICIES.seats(("frugal", "frugal"), 0, 1), 3))
    29^14v:45,52,53,58 41^4v:8,25,43,45,54,57+27,11,49
    """
    reached, cut = np.zeros(len(decks), POSITION_DTYPE), np.empty((len(decks), 3), np.uint8)

    def work(start: int, stop: int) -> int:
        place: int = _play.deals_range(decks, policies, reached, cut, start, stop, piles, KERNEL_PRICES, rules.code)
        return place

    error = partial(_error_at, decks, policies)
    fill_ranges(work, len(decks), threads=threads, progress=False, size=SPAN, error=error)
    found = []
    for deck, row, (mover, own, other) in zip(decks, reached.tolist(), cut.tolist(), strict=True):
        if row[0]:
            hand, other_hand, up, down, other_up, other_down = row
            opponent = Side(other_up, other_down, cards_of(other_hand), _last(deck[1 - mover], other))
            found.append(Position(Side(up, down, cards_of(hand), _last(deck[mover], own)), opponent))
    return found


def _last(deck: np.ndarray, count: int) -> tuple[int, ...]:
    return tuple(deck[len(deck) - count :].tolist())


def _error_at(decks: np.ndarray, policies: np.ndarray, place: int) -> Exception:
    try:
        check_decks(decks[place].tolist())
    except PositionError as error:
        return PositionError(None, f"game {place} of the array, {error.place}", error.problem, "F1")
    given = policies[place].tolist()
    return ArgumentError(f"game {place}: a policy must be 0..{len(POLICIES) - 1}, a place in POLICIES, not {given}")


SELF_PLAY = SelfPlay(
    POLICIES,
    POSITION_DTYPE,
    unpack,
    decks_of,
    lambda decks, seats, rules: play_games(decks, seats, 1, rules, progress=False).reached,
    lambda decks, seats, piles, rules: play_to_deals(decks, seats, piles, 1, rules),
    as_rules,
)


selfplay, selfplay_array = SELF_PLAY.selfplay, SELF_PLAY.selfplay_array


@checked
def tight(count: int, seed: int = 0) -> Iterator[Position]:
    """`count` hard random endgames of 6 v 6: little room on the piles, and hands that are all 10-apart pairs.

    Ascending tops are uniform in 35..59 and descending ones in 2..25. A hand is filled with pairs v, v + 10, v uniform in
    2..49, until it has six cards. A position is drawn again if it is not well-formed, or if its remoteness is 0 or 1: the mover
    is stuck (F13), can lay the whole hand (F12), or can leave the opponent stuck.

    >>> print(next(tight(1, seed=1)))
    35^2v:17,27,38,41,48,51 44^18v:9,19,22,23,32,33
    """
    return _one_by_one(_samples.tight_range, count, seed)


@checked
def tight_array(count: int, seed: int = 0, progress: bool | None = None, threads: int | None = None) -> Positions:
    """The positions of `tight`, packed: an array of `POSITION_DTYPE`, shape (count,).

    >>> tight_array(2, seed=1)["mover_ascending"]
    array([35, 35], dtype=uint8)
    """
    return _array(_samples.tight_range, count, seed, progress, threads)


@checked
def uniform(count: int, seed: int = 0, hands: tuple[int, int] = (HAND_SIZE, HAND_SIZE)) -> Iterator[Position]:
    """`count` random endgames with hands of the given sizes, mover's first: each part uniform among the numbers that are left.

    The hands are drawn first, then the mover's ascending and descending top, then the opponent's.

    >>> print(next(uniform(1, seed=1, hands=(3, 2))))
    29^40v:35,43,53 15^34v:40,52
    """
    return _one_by_one(_samples.uniform_range, count, seed, *_checked(hands))


@checked
def uniform_array(
    count: int,
    seed: int = 0,
    hands: tuple[int, int] = (HAND_SIZE, HAND_SIZE),
    progress: bool | None = None,
    threads: int | None = None,
) -> Positions:
    """The positions of `uniform`, packed: an array of `POSITION_DTYPE`, shape (count,).

    >>> uniform_array(2, seed=1)["mover_ascending"]
    array([ 3, 44], dtype=uint8)
    """
    return _array(_samples.uniform_range, count, seed, progress, threads, *_checked(hands))


@checked
def clustered(count: int, seed: int = 0, hands: tuple[int, int] = (HAND_SIZE, HAND_SIZE)) -> Iterator[Position]:
    """`count` random endgames in which every number is near every other, or 10 from it: equal numbers, back tricks, chains.

    Hands and tops are uniform in low..low+5 and low+10..low+15, low uniform in 2..44, and drawn in the order of `uniform`.

    >>> print(next(clustered(1, seed=1, hands=(3, 2))))
    52^54v:45,52,55 51^42v:44,45
    """
    return _one_by_one(_samples.clustered_range, count, seed, *_checked(hands))


@checked
def clustered_array(
    count: int,
    seed: int = 0,
    hands: tuple[int, int] = (HAND_SIZE, HAND_SIZE),
    progress: bool | None = None,
    threads: int | None = None,
) -> Positions:
    """The positions of `clustered`, packed: an array of `POSITION_DTYPE`, shape (count,).

    >>> clustered_array(2, seed=1)["mover_ascending"]
    array([52,  8], dtype=uint8)
    """
    return _array(_samples.clustered_range, count, seed, progress, threads, *_checked(hands))


Kernel = Callable[..., int]


def _array(
    kernel: Kernel, count: int, seed: int, progress: bool | None, threads: int | None, *hands: int, first: int = 0
) -> Positions:
    """Positions first..first+count-1 of a seed."""
    positions, seed = room_for(count, POSITION_DTYPE), seed_of(seed)

    def work(start: int, stop: int) -> int:
        return kernel(positions, seed, first, start, stop, *hands)

    fill_ranges(work, count, threads=threads, progress=progress, what="draw", size=DRAWN)
    return positions


def _one_by_one(kernel: Kernel, count: int, seed: int, *hands: int) -> Iterator[Position]:
    for first in range(0, count, AHEAD):
        yield from unpack(_array(kernel, min(AHEAD, count - first), seed, False, 1, *hands, first=first))


def _checked(hands: tuple[int, int]) -> tuple[int, int]:
    """The sizes of the hands. Raises `PositionError` for a size of no position."""
    mover, opponent = hands
    Position(*(Side(1, HIGHEST, tuple(range(2, 2 + size))) for size in (mover, opponent)))
    return mover, opponent


def __getattr__(name: str) -> NoReturn:
    raise missing(f"module {__name__!r}", name, sys.modules[__name__])
