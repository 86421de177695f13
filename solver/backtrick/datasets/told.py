"""What a data set says about itself: the facts in `dataset.json`, from which the data card and the Croissant file are made."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

import numpy as np

from backtrick import __version__
from backtrick.datasets.classes import SPLITS
from backtrick.datasets.parts import Part
from backtrick.games import AnyGame

DATASET = 1
"""The version of docs/export.md: of columns, files and splits. It changes when one of them comes to mean something else."""

RULES = 1
"""The version of docs/rules.md. It changes when a rule comes to be read in another way, so that values change."""

Told = dict[str, Any]


def head_of(game: AnyGame, rules: Any, form: str, origin: str, unique: bool) -> Told:
    """What is known before the first position: game, rules, versions, where the positions come from."""
    return {
        "dataset": DATASET,
        "program": f"backtrick {__version__}",
        "game": game.name,
        "rules": asdict(rules),
        "rules_version": RULES,
        "format": form,
        "origin": origin,
        "duplicates": "one position of each class" if unique else "kept",
    }


def columns_of(game: AnyGame, form: str) -> dict[str, str]:
    """What each column holds, in words."""
    packed = form == "npy"
    columns = {
        "position": f"the position, {'packed: POSITION_DTYPE of the game' if packed else 'in notation'}",
        "value": f"the value for the mover: {game.fields.get('number', 'a whole number')}",
        "best": f"the first of the best turns; {'packed, 0' if packed else 'null'} if there is no legal turn",
        "class": "a number for the class of the position: the same for its mirror image and all other positions of the class; "
        "the last decimal digit decides the split",
        "turns": f"{'packed: ' if packed else ''}the first turn that leads to each distinct outcome, in the order of the legal "
        "turns",
        "turn_values": "for each of these turns the value of the position if it is played",
    }
    if packed:
        columns["offsets"] = "turns and turn_values of position i are at offsets[i]:offsets[i + 1]"
    return columns


class Counts:
    """What is in the splits: positions, turns, and positions by value."""

    def __init__(self) -> None:
        self.positions, self.turns = dict.fromkeys(SPLITS, 0), dict.fromkeys(SPLITS, 0)
        self.values: dict[str, Counter[int]] = {split: Counter() for split in SPLITS}

    def add(self, split: str, part: Part) -> None:
        """Counts positions of a split."""
        self.positions[split] += len(part)
        self.turns[split] += len(part.turns)
        values, counts = np.unique(part.values, return_counts=True)
        self.values[split].update(dict(zip(values.tolist(), counts.tolist(), strict=True)))

    def told(self) -> Told:
        """The counts, by split."""
        return {
            split: {
                "positions": self.positions[split],
                "turns": self.turns[split],
                "by_value": {str(value): count for value, count in sorted(self.values[split].items())},
            }
            for split in SPLITS
        }
