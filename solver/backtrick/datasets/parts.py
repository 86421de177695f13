"""A portion of positions, solved, in columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from backtrick.game import BEST, Terms
from backtrick.games import AnyGame

PORTION = 1 << 12
"""Positions that are solved together: few enough to bound memory, for each may have thousands of turns."""


@dataclass(frozen=True, slots=True)
class Part:
    """Positions in columns. Those of turns have offsets: the turns of position i are at offsets[i]:offsets[i + 1].

    positions:   packed, shape (n,)
    values:      int16, shape (n,)
    best:        packed turns, 0 for none, shape (n,)
    classes:     the numbers of their classes, int64, shape (n,)
    turns:       packed, the first that leads to each outcome, in the order of the legal turns, shape (m,)
    turn_values: the value of the position if the turn is played, int16, shape (m,)
    offsets:     int64, shape (n + 1,)
    """

    positions: np.ndarray
    values: np.ndarray
    best: np.ndarray
    classes: np.ndarray
    turns: np.ndarray
    turn_values: np.ndarray
    offsets: np.ndarray

    def __len__(self) -> int:
        """How many positions there are."""
        return len(self.positions)

    def where(self, mask: np.ndarray) -> Part:
        """The positions at which a mask is True."""
        counts = np.diff(self.offsets)
        kept, offsets = np.repeat(mask, counts), np.zeros(np.count_nonzero(mask) + 1, np.int64)
        np.cumsum(counts[mask], out=offsets[1:])
        return Part(
            self.positions[mask],
            self.values[mask],
            self.best[mask],
            self.classes[mask],
            self.turns[kept],
            self.turn_values[kept],
            offsets,
        )


def solved(game: AnyGame, positions: np.ndarray, classes: np.ndarray, rules: Any, threads: int | None = None) -> Part:
    """The positions with their values, their best turns and the values of all turns. Raises `BacktrickError`."""
    answers = game.answer_columns(positions, Terms(rules, threads=threads, want=frozenset({BEST})))
    turns, turn_values, offsets = game.turn_values(positions, threads, rules)
    best = answers.best
    assert best is not None
    values = answers.values.astype(np.int16), turn_values.astype(np.int16)
    return Part(positions, values[0], best, classes, turns, values[1], offsets)
