"""What every turn of many endgames is worth, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from backtrick.errors import ArgumentError
from backtrick.games import AnyGame, all_games
from backtrick.progress import bar
from backtrick.values import whole

PART = 1 << 12
"""Positions whose outcomes are held at once, each of up to a thousand."""


@dataclass(frozen=True)
class TurnValues:
    """What the turns of n positions are worth: m turns in all, one for each distinct outcome of a position.

    positions: as they were asked, shape (n,)
    offsets:   the turns of position i are at offsets[i]:offsets[i + 1], int64, shape (n + 1,)
    turns:     packed, shape (m,)
    values:    the mover's value if the turn is played, in the measure of the game, shape (m,)
    """

    game: AnyGame
    rules: Any
    positions: np.ndarray
    offsets: np.ndarray
    turns: np.ndarray
    values: np.ndarray

    @property
    def counts(self) -> np.ndarray:
        """How many turns each position has; 0 if the game is over: int64, shape (n,)."""
        return np.diff(self.offsets)

    @property
    def places(self) -> np.ndarray:
        """The place of the position of each turn: int64, shape (m,)."""
        return np.repeat(np.arange(len(self.positions)), self.counts)

    @cached_property
    def payoffs(self) -> np.ndarray:
        """What the mover gets in the end if the turn is played and all play is exact from then on: float64, shape (m,)."""
        return self.game.payoffs(self.values)

    @cached_property
    def regrets(self) -> np.ndarray:
        """The payoff of a best turn minus that of the turn, at least 0: float64, shape (m,)."""
        lost: np.ndarray = self._best(self.payoffs) - self.payoffs
        return lost

    @cached_property
    def optimal(self) -> np.ndarray:
        """True where no turn of the position has a better value: bool, shape (m,)."""
        known, place = np.unique(self.values, return_inverse=True)
        ranks = np.array([self.game.rank(value) for value in known.tolist()], np.int64)[place.reshape(-1)]
        best: np.ndarray = ranks == self._best(ranks)
        return best

    def of(self, place: int) -> list[tuple[Any, int]]:
        """The turns of the position at a place, each with its value, best first. Raises `ArgumentError` for no place."""
        if whole(place) is None or not 0 <= place < len(self.positions):
            raise ArgumentError(f"the places of the positions are 0..{len(self.positions) - 1}, not {place!r}")
        part = slice(*self.offsets[place : place + 2].tolist())
        turns = map(self.game.unpack_turn, self.turns[part].tolist())
        found = list(zip(turns, self.values[part].tolist(), strict=True))
        return sorted(found, key=lambda one: -self.game.rank(one[1]))

    def _best(self, numbers: np.ndarray) -> np.ndarray:
        """The greatest of the numbers of a position, for each of its turns."""
        there = self.counts > 0
        greatest = np.maximum.reduceat(numbers, self.offsets[:-1][there]) if there.any() else numbers[:0]
        return np.repeat(greatest, self.counts[there])


def turn_values(positions: Any, rules: Any = None, threads: int | None = None, progress: bool | None = None) -> TurnValues:
    """What every turn of every endgame is worth.

    positions: an array of the POSITION_DTYPE of a game, or a sequence of its positions. rules: None for the published game.
    threads: None for one a core. progress: None for a bar on a terminal and lines in a log.
    Raises `ArgumentError` if there is no position, and `BacktrickError` for one that is no well-formed endgame.

    A turn takes 9 bytes, or 2 in Take That; an endgame of self-play has 200 in Face to Face and 6 in Take That.

    >>> from backtrick.face_to_face import Position
    >>> found = turn_values([Position.parse("27^40v:17,18 13^50v:5,12"), Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44")])
    >>> found.counts, found.values[:3], found.payoffs[:3]
    (array([ 3, 16]), array([1, 1, 1], dtype=uint8), array([1., 1., 1.]))
    >>> for turn, value in found.of(1)[:2]:
    ...     print(turn, value)
    16v 18v' 3
    16v 18^' 2
    """
    game, array = read_positions(positions)
    rules = read_rules(game, rules)
    parts = []
    with bar(len(array), "turns", "pos", progress) as shown:
        for start in range(0, len(array), PART):
            parts.append(game.turn_values(array[start : start + PART], threads, rules))
            shown.update(len(array[start : start + PART]))
    turns, values, offsets = zip(*parts, strict=True)
    counts = np.concatenate([np.diff(one) for one in offsets])
    every = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    return TurnValues(game, rules, array, every, np.concatenate(turns), np.concatenate(values))


def read_positions(given: Any) -> tuple[AnyGame, np.ndarray]:
    """The game of positions, and the positions packed. Raises `ArgumentError`, or `BacktrickError` for a deal."""
    if isinstance(given, np.ndarray):
        for game in all_games():
            if game.position_dtype is not None and given.dtype == game.position_dtype and given.ndim == 1 and len(given):
                return game, given
        kind = f"{given.dtype} of shape {given.shape}"
        raise ArgumentError(f"positions are one or more in an array of a game's POSITION_DTYPE with one axis, not {kind}")
    if not isinstance(given, Sequence) or isinstance(given, str) or not given:
        raise ArgumentError("positions are a sequence of one or more of a game, or an array of its POSITION_DTYPE")
    for game in all_games():
        made = type(game.parse(game.example))
        if isinstance(given[0], made):
            if wrong := [one for one in given if not isinstance(one, made)]:
                raise ArgumentError(f"{wrong[0]!r} is not a position of {game.title}, and the first one is")
            return game, game.pack(given)
    raise ArgumentError(f"positions are objects, as `Position.parse` makes them, or an array, not {given[0]!r}")


def read_rules(game: AnyGame, given: Any) -> Any:
    """The rules of a game, None for the published ones. Raises `ArgumentError` for those of another game."""
    if given is None:
        return game.published
    if not isinstance(given, type(game.published)):
        raise ArgumentError(f"rules are `Rules` of {game.title}, not {given!r}")
    return given
