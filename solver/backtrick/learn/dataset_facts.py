"""What a data set says about itself in `dataset.json`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from backtrick import __version__
from backtrick.game import AnyGame
from backtrick.learn.parts import DISTANCE, OUTCOME, Part
from backtrick.learn.parts import columns as names_of

DATA = "data"
"""The directory of the files. Loaders look for it, and for names such as `train-00000-of-00002`."""

DATASET = 2
"""The version of docs/export.md: of columns, files and splits. It changes when one of them comes to mean something else."""

RULES = 1
"""The version of docs/rules.md. It changes when a rule comes to be read in another way, so that values change."""

Told = dict[str, Any]


def head_of(game: AnyGame, rules: Any, origin: str, unique: bool, tensors: bool = False) -> Told:
    """What is known before the first position: game, rules, versions, where the positions come from."""
    return {
        "dataset": DATASET,
        "program": f"backtrick {__version__}",
        "game": game.name,
        "rules": asdict(rules),
        "rules_version": RULES,
        "format": "parquet",
        "origin": origin,
        "tensors": tensors,
        "duplicates": "one position of each class" if unique else "kept",
    }


def columns_of(game: AnyGame, tensors: bool = False) -> dict[str, str]:
    """What each column holds, in words."""
    words = {
        "position": "the position, in notation",
        "payoff": "what the mover gets in the end if both play exactly: " + (
            "1 for a win, -1 for a loss" if DISTANCE in game.display.value_types else "its points minus the opponent's from here on"
        ),
        DISTANCE: "the number of turns until the game ends, the winner hurrying and the loser delaying",
        "best": "the first of the best turns; null if there is no legal turn",
        "class": "a number for the class of the position: the same for its mirror image and all other positions of the class; "
        "the last decimal digit decides the split",
        "turns": "the first turn that leads to each distinct outcome, in the order of the legal turns",
        "turn_payoffs": "for each of these turns the payoff of the position if it is played",
        f"turn_{DISTANCE}": "for each of these turns the remoteness of the position if it is played",
        OUTCOME: "1 if the mover gets more than the opponent in the end, -1 if it gets less, 0 if both get the same",
        "observation": "what the mover sees, as `backtrick.learn.VectorEnv` gives it",
        "mask": "1 for each action that is legal, 0 for the others",
        "action_values": "what each action is worth to the mover, as `backtrick.learn.action_values` gives it: "
        f"{DISTANCE if DISTANCE in game.display.value_types else 'points'}; NaN where it is not legal",
    }  # fmt: skip
    return {name: words[name] for name in names_of(game, tensors)}


def counts_of(part: Part) -> Told:
    """What is in a part: positions, turns, and positions by value."""
    values, counts = np.unique(part.values, return_counts=True)
    by_value = dict(zip(map(str, values.tolist()), counts.tolist(), strict=True))
    return {"positions": len(part.values), "turns": int(part.offsets[-1]), "by_value": by_value}


def sum_of(several: Sequence[Told]) -> Told:
    """The counts of many parts together."""
    by_value = sum((Counter(one["by_value"]) for one in several), Counter[str]())
    numbers = {name: sum(one[name] for one in several) for name in ("positions", "turns")}
    return {**numbers, "by_value": {value: by_value[value] for value in sorted(by_value, key=int)}}
