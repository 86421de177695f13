"""Whole games by the thousand, from given decks to their ends. The kernel plays them, by the policies of `policies`.

    decks       uint8, shape (n, 2, 58): for each game and seat the cards in the order drawn; the first six are the hand (F2)
    policies    uint8, shape (n, 2): for each game and seat the place of the policy in `POLICIES`
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from backtrick.errors import ArgumentError, PositionError
from backtrick.face_to_face import _games
from backtrick.face_to_face.options import HIGHEST, PUBLISHED, Rules
from backtrick.face_to_face.policies import POLICIES, PRICES
from backtrick.face_to_face.position import POSITION_DTYPE, Position, Side, cards_of
from backtrick.face_to_face.turn import Turn, unpack_turn
from backtrick.random import shuffled_decks
from backtrick.work import fill_ranges

KERNEL_PRICES = np.array([PRICES], np.int32)
RANGE = 1 << 10  # games: some milliseconds of work


class Played(NamedTuple):
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
    """The decks of games start..stop-1 of a seed. The cards of game i depend on the seed and i alone.

    Raises `ArgumentError` for a seed or a number out of 0..2^64-1.

    >>> decks_of(1, 0, 3).shape
    (3, 2, 58)
    """
    return shuffled_decks(range(2, HIGHEST), 2, seed, start, stop)


def play_games(
    decks: np.ndarray, policies: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> Played:
    """Plays every game to its end. Raises `PositionError` unless each deck is the number cards, each once (F1).

    threads: None for one a core. progress: None for a bar on a terminal and lines in a log.

    >>> play_games(decks_of(1, 0, 4), POLICIES.seats(("frugal", "hasty"), 0, 4)).winners
    array([0, 1, 0, 1], dtype=uint8)
    """
    played = Played(np.zeros(len(decks), POSITION_DTYPE), np.empty(len(decks), np.uint8), np.empty(len(decks), np.uint8))

    options = rules.highest, rules.step, rules.lone_card

    def work(start: int, stop: int) -> int:
        place: int = _games.play_range(decks, policies, *played, start, stop, KERNEL_PRICES, *options)
        return place

    place = fill_ranges(work, len(decks), threads=threads, progress=progress, what="games", size=RANGE, unit="games")
    if place >= 0:
        raise _objection(decks[place], policies[place], place, rules)
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
    options = rules.highest, rules.step, rules.lone_card

    def work(start: int, stop: int) -> int:
        place: int = _games.deals_range(decks, policies, reached, cut, start, stop, piles, KERNEL_PRICES, *options)
        return place

    place = fill_ranges(work, len(decks), threads=threads, progress=False, size=RANGE)
    if place >= 0:
        raise _objection(decks[place], policies[place], place, rules)
    found = []
    for deck, row, (mover, own, other) in zip(decks, reached.tolist(), cut.tolist(), strict=True):
        if row[0]:
            hand, other_hand, up, down, other_up, other_down = row
            opponent = Side(other_up, other_down, cards_of(other_hand), _last(deck[1 - mover], other))
            found.append(Position(Side(up, down, cards_of(hand), _last(deck[mover], own)), opponent))
    return found


def _last(deck: np.ndarray, count: int) -> tuple[int, ...]:
    """The last cards of a deck, so many."""
    return tuple(deck[len(deck) - count :].tolist())


def _objection(decks: np.ndarray, policies: np.ndarray, place: int, rules: Rules) -> Exception:
    numbers = list(range(2, rules.highest))
    for seat in range(2):
        if sorted(decks[seat].tolist()) != numbers:
            problem = f"it is not the number cards 2..{rules.highest - 1}, each once"
            return PositionError(None, f"game {place} of the array, the deck of seat {seat}", problem, "F1")
    return ArgumentError(f"a policy is 0..{len(POLICIES) - 1}, its place in POLICIES, not {policies.tolist()} as in game {place}")


def turns_of_game(decks: np.ndarray, policies: np.ndarray, game: int = 0, rules: Rules = PUBLISHED) -> list[Turn]:
    """The turns of one of the games that `play_games` plays.

    >>> print(*turns_of_game(decks_of(1, 0, 1), POLICIES.seats(("frugal", "hasty"), 0, 1))[:3], sep=" | ")
    55v 7^ | 56v' 9^ | 9^ 2^'
    """
    packed = _games.turns_of(decks, policies, game, KERNEL_PRICES, rules.highest, rules.step, rules.lone_card)
    return [turn for one in packed.tolist() if (turn := unpack_turn(one)) is not None]
