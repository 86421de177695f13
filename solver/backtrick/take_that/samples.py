"""Positions to work on: whole rounds by the thousand, the endgames and deals out of them, and hard random endgames.

    decks       uint8, shape (n, cards): for each round seat 0's hand, seat 1's hand, then the pile in the order drawn (T2)
    policies    uint8, shape (n, 2): for each round and seat the place of the policy in `POLICIES`

The kernel plays the rounds, by the policies of `policies.py`. Every source is a function of `count` and `seed`, and position i does
not depend on `count`. Whole rounds are dealt by `backtrick.random` and stay as they are. The numbers of the random endgames come
from `numpy.random.default_rng`, whose streams may change with a new numpy release.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

import numpy as np

import backtrick.take_that._play as _play
from backtrick.arguments import checked
from backtrick.errors import ArgumentError, PositionError
from backtrick.names.other_names import missing
from backtrick.play.samples import SelfPlay
from backtrick.random import shuffled_decks
from backtrick.take_that.policies import POLICIES, WEIGHTS, Weights
from backtrick.take_that.position import HAND_SIZE, POSITION_DTYPE, Position, unpack
from backtrick.take_that.rule_options import DECK, PUBLISHED, Rules, as_rules, is_toad, twisted
from backtrick.take_that.rules import play
from backtrick.take_that.turn import Turn, unpack_turn
from backtrick.threads import fill_ranges

__all__ = ["POLICIES", "hard", "selfplay", "selfplay_array"]

SPAN = 1 << 8  # rounds: some milliseconds of work


class PlayedRounds(NamedTuple):
    """What became of each round.

    endgames: the position when the draw pile was empty, `POSITION_DTYPE`, shape (n,)
    points:   of seat 0 and seat 1 when the playing ended, int16, shape (n, 2)
    moves:    None, or the moves as `unpack_turn` reads them, zeros after the last: uint8, shape (n, 141) of whole decks
    """

    endgames: np.ndarray
    points: np.ndarray
    moves: np.ndarray | None


def decks_of(seed: int, start: int, stop: int) -> np.ndarray:
    """The decks of games start..stop-1 of a seed. The deck of game i depends on the seed and i alone.

    Raises `ArgumentError` for a seed or a number out of 0..2^64-1.

    >>> decks_of(1, 0, 3)[:, :5]
    array([[71, 13, 59, 73, 74],
           [86, 23, 16, 67, 93],
           [73, 53, 56, 54, 79]], dtype=uint8)
    """
    return shuffled_decks(DECK, 1, seed, start, stop)[:, 0]


def play_rounds(
    decks: np.ndarray,
    policies: np.ndarray,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
    *,
    to_end: bool = False,
    moves: bool = False,
    hand_size: int = HAND_SIZE,
    weights: tuple[Weights, Weights] | None = None,
) -> PlayedRounds:
    """Plays every round up to the empty draw pile, or with `to_end` to its end.

    threads: None for one per core. progress: None for a bar on a terminal and lines in a log. moves: True for the moves too.
    hand_size: the cards that each player is dealt; fewer cards and smaller hands make a small game.
    weights: of the policy `tuned` in the two seats, None for its own.

    Raises `PositionError` unless a deck is different cards of T1, `ArgumentError` for arrays and sizes that do not fit.

    >>> play_rounds(decks_of(1, 0, 2), POLICIES.seats(("careful", "eager"), 0, 2), to_end=True).points
    array([[-29, -10],
           [ -6,   0]], dtype=int16)
    """
    _check(decks, policies, hand_size)
    count, cards = decks.shape
    longest = 2 * cards - 2 * hand_size + 1  # two moves for each card drawn; then one for each card held, and taking
    codes = np.empty((count, longest), np.uint8) if moves else None
    played = PlayedRounds(np.empty(count, POSITION_DTYPE), np.empty((count, 2), np.int16), codes)
    packed = played.endgames.view(np.uint8).reshape(count, POSITION_DTYPE.itemsize)
    decks, policies = np.ascontiguousarray(decks), np.ascontiguousarray(policies)
    constants = np.array([WEIGHTS, WEIGHTS] if weights is None else weights, np.float64)
    switches = (rules.code, to_end)

    def work(start: int, stop: int) -> int:
        place: int = _play.play_range(decks, policies, constants, packed, played.points, codes, hand_size, *switches, start, stop)
        return place

    def error(place: int) -> PositionError:
        problem = "it is not of different cards, 12..98 without 20, 30, ..., 90"
        return PositionError(None, f"deck {place} of the array", problem, "T1")

    fill_ranges(work, count, threads=threads, progress=progress, what="rounds", size=SPAN, unit="rounds", error=error)
    return played


def play_to_deals(
    decks: np.ndarray, policies: np.ndarray, piles: int, threads: int | None = None, rules: Rules = PUBLISHED
) -> list[Position]:
    """Plays every round until the draw pile holds at most `piles` cards, or none is left in a smaller deck.

    Raises as `play_rounds` does.

    >>> print(*play_to_deals(decks_of(1, 0, 1), POLICIES.seats(("careful", "careful"), 0, 1), 2))
    12,14,15,54,64,65,72,79,83 13,21,22,56,62,66,67,93,97 57-49 88,89
    """
    codes = play_rounds(decks, policies, threads, rules, False, moves=True).moves
    assert codes is not None
    return [_cut(deck, row, piles, rules) for deck, row in zip(decks.tolist(), codes.tolist(), strict=True)]


def _cut(deck: list[int], codes: list[int], piles: int, rules: Rules) -> Position:
    """The first position of a round whose draw pile holds at most `piles` cards."""
    two = 2 * HAND_SIZE
    position = Position(tuple(deck[:HAND_SIZE]), tuple(deck[HAND_SIZE:two]), (), tuple(deck[two:]))
    moves = filter(None, map(unpack_turn, codes))
    while len(position.pile) > piles:
        turn = next(moves)
        turn = Turn(opening=next(moves).card) if turn.is_take else turn  # T6: the taker lays too
        _, following = play(position, turn, rules)
        assert following is not None
        position = following
    return position


def _check(decks: np.ndarray, policies: np.ndarray, hand_size: int) -> None:
    for name, array in (("decks", decks), ("policies", policies)):
        if array.dtype != np.uint8 or array.ndim != 2:
            raise ArgumentError(f"{name} must be an array of uint8 with two axes, not {array.dtype} of shape {array.shape}")
    if policies.shape != (len(decks), 2) or (policies >= len(POLICIES)).any():
        raise ArgumentError(f"policies are 0..{len(POLICIES) - 1} for two seats in each of {len(decks)} rounds")
    if not 1 <= hand_size <= HAND_SIZE or not 2 * hand_size <= decks.shape[1] <= len(DECK):
        given = f"{hand_size!r} and {decks.shape[1]} cards"
        raise ArgumentError(f"hand_size must be 1..{HAND_SIZE}, and a deck is two hands or more, up to 79 cards, not {given} (T2)")


SELF_PLAY = SelfPlay(
    POLICIES,
    POSITION_DTYPE,
    unpack,
    decks_of,
    lambda decks, seats, rules: play_rounds(decks, seats, 1, rules, progress=False).endgames,
    lambda decks, seats, piles, rules: play_to_deals(decks, seats, piles, 1, rules),
    as_rules,
    all_reach=True,
)


selfplay, selfplay_array = SELF_PLAY.selfplay, SELF_PLAY.selfplay_array


@checked
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


def __getattr__(name: str) -> NoReturn:
    raise missing(f"module {__name__!r}", name, sys.modules[__name__])
