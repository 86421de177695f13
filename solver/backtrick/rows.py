"""Outcomes as rows of an array, for a game that has no layout of its own.

The fields of a row: `turn`, packed; `value`; `points`; `ways`; `over`, True if no position is left; and `position`, the one after
the turn.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from backtrick.answer import Outcome, P, T, exactly
from backtrick.written import Written


def rows_of(game: Written[P, T], outcomes: Sequence[Outcome[P, T]]) -> np.ndarray:
    """The outcomes as rows, shape (n,). Raises `NotImplementedError` if the game has no arrays."""
    if game.position_dtype is None or game.turn_dtype is None:
        raise NotImplementedError(f"{game.title} has no arrays")
    fields = [("value", "<i4"), ("points", "<i4"), ("ways", "<i8"), ("over", "?"), ("position", game.position_dtype)]
    rows = np.zeros(len(outcomes), [("turn", game.turn_dtype), *fields])
    for place, one in enumerate(outcomes):
        rows["turn"][place] = game.pack_turn(one.turn)
        rows["value"][place], rows["points"][place], rows["ways"][place] = one.value, one.points, one.ways
        if one.position is None:
            rows["over"][place] = True
        else:
            rows["position"][place] = game.pack([one.position])[0]
    return rows


def outcomes_of_rows(game: Written[P, T], rows: np.ndarray) -> tuple[Outcome[P, T], ...]:
    """The outcomes of rows as `rows_of` makes them."""
    found = []
    for row in rows:
        turn = game.unpack_turn(int(row["turn"]))
        assert turn is not None
        [position] = [None] if row["over"] else game.unpack(row["position"].reshape(1))
        found.append(Outcome(turn, exactly(int(row["value"])), position, int(row["points"]), int(row["ways"])))
    return tuple(found)
