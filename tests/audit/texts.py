"""The check of the audit for notation: the texts of positions, written and read many at once and one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from audit import Batch, Found, held
from backtrick.game import Game

SAYS = "Positions are written as from their fields, by every way of writing, and read back as they were."


def compare_texts(game: Game[Any, Any, Any], from_fields: Callable[[Any], str], batch: Batch) -> Found:
    """Compares texts of positions with what `from_fields` writes, and what is read from that with the positions."""
    cases, positions = batch.cases, game.unpack(batch.cases)
    plain = np.array([from_fields(position) for position in positions])
    several = {
        "format_many": (np.array(game.format_many(cases).decode().splitlines()), plain),
        "str": (np.array(list(map(str, positions))), plain),
        "parse_many": (game.parse_many("\n".join(plain)), cases),
        "parse": (game.pack([game.parse(one) for one in plain.tolist()]), cases),
    }
    for name, (left, right) in several.items():
        found = held(batch, lambda case, rules: from_fields(game.unpack(np.atleast_1d(case))[0]), name, left, "its fields", right)
        if found.mismatches:
            return found
    return found
