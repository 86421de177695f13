"""Endgames to work on: whole rounds played up to the moment the draw pile is empty, and hard ones made up.

Every source is a function of `count` and `seed`, and item i does not depend on how many are asked for.
The numbers come from `numpy.random.default_rng`, whose streams may change with a new numpy release.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solver.core.errors import ArgumentError
from solver.core.progress import bar
from solver.take_that._games import play_range
from solver.take_that.cards import DECK, is_toad, twisted
from solver.take_that.options import OPENS, PUBLISHED, Rules
from solver.take_that.policies import POLICIES, policy
from solver.take_that.position import HAND_SIZE, POSITION_DTYPE, Position, unpack

__all__ = ["POLICIES", "Rounds", "deck", "hard", "play_rounds", "selfplay", "selfplay_array"]

BLOCK = 256  # rounds played at a time: a hundredth of a second
_CARDS = np.array(DECK)
_NUMBERS = {name: number for number, name in enumerate(POLICIES)}


def deck(seed: int, number: int) -> np.ndarray:
    """The cards of game `number` (from 0) of `seed`: uint8, shape (79,): seat 0's hand, seat 1's hand, the pile as it is drawn.

    >>> deck(seed=1, number=0)[:9]
    array([74, 72, 29, 34, 27, 69, 28, 46, 49], dtype=uint8)
    """
    (cards,) = _decks(seed, range(number, number + 1))
    return np.asarray(cards)


def _decks(seed: int, numbers: range) -> np.ndarray:
    cards = np.array([np.random.default_rng([seed, number]).permutation(_CARDS) for number in numbers], np.uint8)
    cards[:, 2 * HAND_SIZE :] = cards[:, : 2 * HAND_SIZE - 1 : -1]  # the pile lay with its last card on top
    return cards


class Rounds(NamedTuple):
    """What became of n rounds.

    endgames: the positions when the draw pile was empty, `POSITION_DTYPE`, shape (n,)
    points:   of seat 0 and seat 1 when the playing ended, int16, shape (n, 2)
    actions:  None, or the moves as `unpack_action` reads them, zeros after the last: uint8, shape (n, 141) of whole decks
    """

    endgames: np.ndarray
    points: np.ndarray
    actions: np.ndarray | None


def play_rounds(
    decks: np.ndarray,
    policies: Sequence[str] = ("careful", "careful"),
    rules: Rules = PUBLISHED,
    *,
    to_end: bool = False,
    actions: bool = False,
    hand_size: int = HAND_SIZE,
) -> Rounds:
    """Plays a round with each deck, up to the empty draw pile or to its end, by the policies of seat 0, which begins, and seat 1.

    decks:     uint8, shape (n, cards), each as `deck` makes it; fewer cards and smaller hands make a small game
    actions:   True for the moves too
    hand_size: the cards that each player is dealt

    Raises `ArgumentError` if a deck is none, or there is no such policy.

    >>> played = play_rounds(np.array([deck(1, 0)]), ("careful", "eager"), to_end=True)
    >>> played.points
    array([[ 11, -38]], dtype=int16)
    """
    decks = np.asarray(decks)
    if decks.dtype != np.uint8 or decks.ndim != 2:
        raise ArgumentError(f"decks are an array of uint8 with two axes, not {decks.dtype} of shape {decks.shape}")
    if not 1 <= hand_size <= HAND_SIZE or not 2 * hand_size <= decks.shape[1] <= len(DECK):
        given = f"{hand_size!r} and {decks.shape[1]} cards"
        raise ArgumentError(f"hand_size is 1..{HAND_SIZE}, and a deck is two hands or more, up to 79 cards, not {given} (T2)")
    played = _room_for(len(decks), decks.shape[1], hand_size, actions)
    _play(decks, np.tile(_seats(policies), (len(decks), 1)), played, rules, to_end, hand_size)
    return played


def _seats(policies: Sequence[str]) -> np.ndarray:
    """The numbers by which the kernel knows the policies of two seats."""
    if len(policies) != 2:
        raise ArgumentError(f"policies are two names, one for each seat, not {policies!r}")
    for name in policies:
        policy(name)
    return np.array([_NUMBERS[name] for name in policies], np.uint8)


def _room_for(count: int, cards: int = len(DECK), hand_size: int = HAND_SIZE, actions: bool = False) -> Rounds:
    longest = 2 * cards - 2 * hand_size + 1  # two moves a turn; with an empty pile a move a card, and taking
    codes = np.empty((count, longest), np.uint8) if actions else None
    return Rounds(np.empty(count, POSITION_DTYPE), np.empty((count, 2), np.int16), codes)


def _play(
    decks: np.ndarray, players: np.ndarray, played: Rounds, rules: Rules, to_end: bool = False, hand_size: int = HAND_SIZE
) -> None:
    """Plays the rounds and fills `played`."""
    packed = played.endgames.view(np.uint8).reshape(len(decks), POSITION_DTYPE.itemsize)
    opens = rules.empty_line == OPENS
    decks = np.ascontiguousarray(decks)
    wrong = play_range(
        decks, players, packed, played.points, played.actions, hand_size, rules.forced_only, opens, to_end, 0, len(decks)
    )
    if wrong >= 0:
        raise ArgumentError(f"deck {wrong} of the array is not one of different cards, 12..98 without 20, 30, ..., 90 (T1)")


def selfplay(
    count: int, seed: int = 0, policies: tuple[str, str] = ("careful", "careful"), progress: bool | None = None
) -> Iterator[Position]:
    """The endgames of games 0..count-1 of `seed`: 9 v 9, the dealer to move.

    The policies change seats: in odd games the second one begins. progress: None for a bar on a terminal and lines in a log,
    False for nothing. Raises `ArgumentError` if there is no such policy.

    >>> for position in selfplay(2, seed=1):
    ...     print(position)
    16,32,33,59,64,75,81,86,89 23,42,54,61,65,66,73,78,85 25-15
    25,27,33,35,39,41,49,95,96 14,31,44,52,87,89,93,94,98 45-55-48-38-32-29
    """
    return (position for block in _blocks(count, seed, _seats(policies), progress) for position in unpack(block))


def selfplay_array(
    count: int, seed: int = 0, policies: tuple[str, str] = ("careful", "careful"), progress: bool | None = None
) -> np.ndarray:
    """The positions of `selfplay`, packed: an array of `POSITION_DTYPE`, shape (count,).

    >>> len(selfplay_array(2, seed=1))
    2
    """
    found = np.empty(count, POSITION_DTYPE)
    start = 0
    for block in _blocks(count, seed, _seats(policies), progress):
        found[start : start + len(block)] = block
        start += len(block)
    return found


def _blocks(count: int, seed: int, seats: np.ndarray, progress: bool | None) -> Iterator[np.ndarray]:
    """The endgames of games 0..count-1 in blocks."""
    with bar(count, "self-play", "pos", progress) as shown:
        for start in range(0, count, BLOCK):
            numbers = range(start, min(start + BLOCK, count))
            players = np.array([seats[::-1] if number % 2 else seats for number in numbers])
            played = _room_for(len(numbers))
            _play(_decks(seed, numbers), players, played, PUBLISHED)
            shown.update(len(numbers))
            yield played.endgames


def hard(count: int, seed: int = 0) -> Iterator[Position]:
    """`count` hard random endgames of 9 v 9: no toads, a line of 15..25 cards, in it nine of ten of the twisted cards of the
    hands that are in no hand themselves, in random order.

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
