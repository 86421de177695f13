"""A span of positions: solved, in columns, with the number of each class, which decides the split.

A class is a position with all its images that the game's values do not tell apart: its mirror image, and in Face to Face all
relabellings (docs/face_to_face.md). The split is decided by the class alone. So no image of a position that a learner trains on is
in the test split, and the same is true between any two data sets of one game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from backtrick.game import BEST, AnyGame, SolveOptions
from backtrick.games import steps_of
from backtrick.learn.values import action_values
from backtrick.play.steps import Arrays
from backtrick.storage.codec import Codec

DISTANCE = "remoteness"
"""The column of the turns until the end, in a game whose value is a win or a loss in this many turns."""

TENSORS = ("observation", "mask", "action_values")
"""The columns of a fixed size that a network is trained on."""

OUTCOME = "outcome"
"""The column beside them for who gets more: the sign of the payoff."""

NUMBERS = {"payoff": "<i2", DISTANCE: "<i2", "class": "<i8", "turn_payoffs": "<i2", f"turn_{DISTANCE}": "<i2",
           OUTCOME: "|i1", "observation": "<f4", "mask": "|i1", "action_values": "<f4"}  # fmt: skip
"""The dtypes of the columns of numbers. The others are positions and turns."""


def columns(game: AnyGame, tensors: bool = False) -> list[str]:
    """The columns of a data set: what the mover gets and how long it takes are two.

    >>> from backtrick.games import game_of
    >>> columns(game_of("take_that"))
    ['position', 'payoff', 'best', 'class', 'turns', 'turn_payoffs']
    """
    distance = DISTANCE in game.display.value_types
    values, of_turns = ["payoff", *[DISTANCE] * distance], ["turn_payoffs", *[f"turn_{DISTANCE}"] * distance]
    return ["position", *values, "best", "class", "turns", *of_turns, *((OUTCOME, *TENSORS) if tensors else ())]


def is_of_turns(column: str) -> bool:
    return column.startswith("turn")


def sizes(game: AnyGame, rules: Any) -> dict[str, int]:
    """How many numbers an item of each column of `TENSORS` has."""
    steps = steps_of(game.name)(**asdict(rules))
    return {"observation": sum(size for _, size in steps.observation_layout), **dict.fromkeys(TENSORS[1:], steps.actions)}


SPAN = 1 << 12
"""Positions that are solved together: few enough to bound memory, for each may have thousands of turns."""


class Part(NamedTuple):
    """Positions in columns.

    columns: by name, positions and turns packed; of turns shape (m,), of tensors shape (n, k), of the others shape (n,)
    offsets: the turns of position i are at offsets[i]:offsets[i + 1]: int64, shape (n + 1,)
    """

    columns: Mapping[str, np.ndarray]
    offsets: np.ndarray

    @property
    def values(self) -> np.ndarray:
        """In the measure of the game, shape (n,)."""
        return self.columns[DISTANCE if DISTANCE in self.columns else "payoff"]


def solved(
    game: AnyGame, positions: np.ndarray, classes: np.ndarray, rules: Any, threads: int | None = None, tensors: bool = False
) -> Part:
    """The positions with their values, their best turns and the values of all turns. Raises `BacktrickError`."""
    answers = game.answer_array(positions, SolveOptions(rules, threads=threads, want=frozenset({BEST})))
    rows, offsets = game.outcomes_many(positions, threads, rules, False)
    turns, turn_values = rows["turn"].copy(), rows["value"].copy()
    payoffs, turn_payoffs = game.payoffs(answers.values), game.payoffs(turn_values)
    found = {"position": positions, "payoff": payoffs, DISTANCE: answers.values, "best": answers.best, "class": classes,
             "turns": turns, "turn_payoffs": turn_payoffs, f"turn_{DISTANCE}": turn_values}  # fmt: skip
    if tensors:
        found |= {OUTCOME: np.sign(payoffs), **_tensors(game, positions, rules, threads)}
    return Part({name: np.asarray(found[name], NUMBERS.get(name)) for name in columns(game, tensors)}, offsets)


def _tensors(game: AnyGame, positions: np.ndarray, rules: Any, threads: int | None) -> dict[str, np.ndarray]:
    steps, count = steps_of(game.name)(**asdict(rules)), len(positions)
    arrays, start = Arrays.of(steps, count), 0
    batch = steps.vector_games(arrays, np.ascontiguousarray(positions), None, None)
    while 0 <= (over := batch.begin_range(start, count, in_order=True)) < count:  # no game begins where no turn is legal
        [position] = game.unpack(positions[over : over + 1])
        arrays.observations[over] = steps_of(game.name)(**asdict(rules), position=str(position)).start.observation(0)
        start = over + 1
    values = np.full((count, steps.actions), np.nan, np.float32)
    if on := np.flatnonzero(arrays.masks.any(axis=1)).tolist():
        values[on] = action_values(positions[on], rules, threads, progress=False).values
    return dict(zip(TENSORS, (arrays.observations, arrays.masks, values), strict=True))


TRAIN, VALIDATION, TEST = "train", "validation", "test"
SPLITS = (TRAIN, VALIDATION, TEST)
SHARES = {TRAIN: range(0, 8), VALIDATION: range(8, 9), TEST: range(9, 10)}
"""The last decimal digits of the numbers of classes in each split: 80, 10 and 10 of 100 classes."""


def class_numbers(codec: Codec[Any, Any, Any], positions: np.ndarray, rules: Any, threads: int | None = None) -> np.ndarray:
    """The number of each position's class: 63 bits of a hash of its key, int64, shape (n,). Raises `PositionError`.

    Two classes share a number once in 10^19 pairs.

    >>> from backtrick.face_to_face.codec import CODEC
    >>> class_numbers(CODEC, CODEC.game.pack([]), None)
    array([], dtype=int64)
    """
    keys, _ = codec.keys(positions, rules, threads)
    if keys.dtype.kind == "S":
        keys = keys.astype(f"S{-(-keys.dtype.itemsize // 8) * 8}")
    words = np.ascontiguousarray(keys).view("<u8").reshape(len(keys), keys.dtype.itemsize // 8)
    numbers = np.zeros(len(keys), np.uint64)
    for word in words.T:
        numbers = _mixed(numbers ^ word)
    return (numbers >> np.uint64(1)).astype(np.int64)


def _mixed(numbers: np.ndarray) -> np.ndarray:
    """SplitMix64 (Steele, Lea, Flood 2014): one to one, and each bit depends on all."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = numbers ^ (numbers >> np.uint64(31))
    return mixed


def in_split(numbers: np.ndarray, split: str) -> np.ndarray:
    """True where the class of a number belongs to a split: bool, shape (n,).

    >>> in_split(np.array([17, 18, 19, 20]), TEST)
    array([False, False,  True, False])
    """
    digits, share = numbers % 10, SHARES[split]
    found: np.ndarray = (digits >= share.start) & (digits < share.stop)
    return found


class Seen:
    """The classes that were seen, 8 bytes each: sorted runs, each at least twice as long as the next one when it is merged.

    >>> seen = Seen()
    >>> seen.firsts(np.array([5, 7, 5])), seen.firsts(np.array([1, 7]))
    (array([ True,  True, False]), array([ True, False]))
    """

    def __init__(self) -> None:
        self._runs: list[np.ndarray] = []

    def firsts(self, numbers: np.ndarray) -> np.ndarray:
        """True where a number is seen for the first time: bool, shape (n,). All of them are seen afterwards."""
        different, places = np.unique(numbers, return_index=True)
        new = np.ones(len(different), bool)
        for run in self._runs:
            new &= run[np.searchsorted(run, different).clip(max=len(run) - 1)] != different
        firsts = np.zeros(len(numbers), bool)
        firsts[places[new]] = True
        if new.any():
            self._add(different[new])
        return firsts

    def _add(self, run: np.ndarray) -> None:
        while self._runs and len(self._runs[-1]) < 2 * len(run):
            run = np.sort(np.concatenate([self._runs.pop(), run]), kind="stable")
        self._runs.append(run)
