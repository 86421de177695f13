"""What only tests ask of the sources of Face to Face: random endgames, readable and slow, the twin of
`ext/backtrick/face_to_face/_samples.pyx`; and the turns of a game that a kernel plays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TypeVar

import numpy as np

import backtrick.face_to_face._play as _play
from backtrick.errors import PositionError
from backtrick.face_to_face.position import HAND_SIZE, Position, Side
from backtrick.face_to_face.rule_options import BACK, HIGHEST, PUBLISHED, Rules
from backtrick.face_to_face.samples import KERNEL_PRICES
from backtrick.face_to_face.solving import value
from backtrick.face_to_face.turn import Turn, unpack_turn
from backtrick.random import Stream

T = TypeVar("T")


def draw_tight(stream: Stream) -> Position:
    """The position of `tight` that a stream of random numbers makes."""
    while True:
        ascending, other_ascending = (35 + stream.below(HIGHEST - 35) for _ in range(2))
        descending, other_descending = (2 + stream.below(24) for _ in range(2))
        mover, opponent = _paired_hand(stream), _paired_hand(stream)
        try:
            position = Position(Side(ascending, descending, mover), Side(other_ascending, other_descending, opponent))
        except PositionError:  # a number card is there three times (F1)
            continue
        if value(position) >= 2:
            return position


def draw_uniform(stream: Stream, hands: tuple[int, int]) -> Position:
    """The position of `uniform` that a stream of random numbers makes."""
    mover, opponent = (_hand(stream, range(2, HIGHEST), size) for size in hands)
    return _with_tops(stream, mover, opponent, range(1, HIGHEST), range(2, HIGHEST + 1))


def draw_clustered(stream: Stream, hands: tuple[int, int]) -> Position:
    """The position of `clustered` that a stream of random numbers makes."""
    low = 2 + stream.below(HIGHEST - BACK - 7)
    near = [*range(low, low + 6), *range(low + BACK, low + BACK + 6)]
    mover, opponent = (_one_of(stream, list(combinations(near, size))) for size in hands)
    return _with_tops(stream, mover, opponent, near, near)


def _with_tops(
    stream: Stream, mover: tuple[int, ...], opponent: tuple[int, ...], ascending: Sequence[int], descending: Sequence[int]
) -> Position:
    """The position of two hands and four tops. A number card that is there twice already is drawn again (F1)."""
    tops: list[int] = []
    for numbers in (ascending, descending) * 2:
        top = _one_of(stream, numbers)
        while 2 <= top < HIGHEST and [*mover, *opponent, *tops].count(top) == 2:
            top = _one_of(stream, numbers)
        tops.append(top)
    return Position(Side(tops[0], tops[1], mover), Side(tops[2], tops[3], opponent))


def _one_of(stream: Stream, items: Sequence[T]) -> T:
    return items[stream.below(len(items))]


def _hand(stream: Stream, cards: Sequence[int], size: int) -> tuple[int, ...]:
    hand: set[int] = set()
    while len(hand) < size:
        hand.add(_one_of(stream, cards))
    return tuple(hand)


def _paired_hand(stream: Stream) -> tuple[int, ...]:
    hand: set[int] = set()
    while len(hand) != HAND_SIZE:
        if len(hand) > HAND_SIZE:
            hand = set()
        card = 2 + stream.below(HIGHEST - BACK - 2)
        hand |= {card, card + BACK}
    return tuple(hand)


def turns_of_game(decks: np.ndarray, policies: np.ndarray, game: int = 0, rules: Rules = PUBLISHED) -> list[Turn]:
    """The turns of one of the games that `play_games` plays."""
    packed = _play.turns_of(decks, policies, game, KERNEL_PRICES, rules.code)
    return [turn for one in packed.tolist() if (turn := unpack_turn(one)) is not None]
