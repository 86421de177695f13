"""Answers and grades of many positions in columns: what `Answer` and `Grade` say, as arrays. All values were searched for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class AnswerColumns:
    """The answers of an array of positions. A part that was not wanted is None.

    positions: as they were asked, shape (n,)
    values:    whole numbers, shape (n,)
    best:      packed turns, 0 for none, shape (n,)
    lines:     the packed turns of the principal line, then zeros: shape (n, the longest)
    optimal:   how many outcomes keep the value, shape (n,)
    """

    positions: np.ndarray
    values: np.ndarray
    best: np.ndarray | None = None
    lines: np.ndarray | None = None
    optimal: np.ndarray | None = None


@dataclass(frozen=True, slots=True)
class GradeColumns:
    """The grades of an array of positions and a turn each.

    answers: of the positions before the turn
    turns:   packed, shape (n,)
    after:   the mover's values once the turn is played, shape (n,)
    over:    True where the turn ends the game and leaves no position, shape (n,)
    """

    answers: AnswerColumns
    turns: np.ndarray
    after: np.ndarray
    over: np.ndarray
