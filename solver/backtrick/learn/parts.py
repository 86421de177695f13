"""A portion of positions: solved, in columns, with the number of each class, which decides the split.

A class is a position with all its images that the game's values do not tell apart: its mirror image, and in Face to Face all
relabellings (docs/classes.md). The split is decided by the class alone. So no image of a position that a learner trains on is in
the test split, and the same is true between any two data sets of one game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from backtrick.game import BEST, SolveOptions
from backtrick.games import AnyGame, steps_of
from backtrick.learn.values import action_values
from backtrick.steps import Arrays
from backtrick.storage.codec import Codec

DISTANCE = "remoteness"
"""The column of the turns until the end, in a game whose value is a win or a loss in this many turns."""


TENSORS = ("observation", "mask", "action_values")
"""The columns of a fixed size that a network is trained on."""


def columns(game: AnyGame, tensors: bool = False) -> list[str]:
    """The columns of a data set, but the offsets of arrays: what the mover gets and how long it takes are two.

    >>> from backtrick.games import game_of
    >>> columns(game_of("take_that"))
    ['position', 'payoff', 'best', 'class', 'turns', 'turn_payoffs']
    """
    distance = DISTANCE in game.show.value_types
    values, of_turns = ["payoff", *[DISTANCE] * distance], ["turn_payoffs", *[f"turn_{DISTANCE}"] * distance]
    return ["position", *values, "best", "class", "turns", *of_turns, *(TENSORS if tensors else ())]


def sizes(game: AnyGame, rules: Any) -> dict[str, int]:
    """How many numbers an item of each column of `TENSORS` has."""
    steps = steps_of(game.name)(**asdict(rules))
    return {"observation": sum(size for _, size in steps.observation_layout), **dict.fromkeys(TENSORS[1:], steps.actions)}


PORTION = 1 << 12
"""Positions that are solved together: few enough to bound memory, for each may have thousands of turns."""


@dataclass(frozen=True, slots=True)
class Part:
    """Positions in columns. Those of turns have offsets: the turns of position i are at offsets[i]:offsets[i + 1].

    positions:   packed, shape (n,)
    values:      in the measure of the game, int16, shape (n,)
    payoffs:     what the mover gets in the end, int16, shape (n,)
    best:        packed turns, 0 for none, shape (n,)
    classes:     the numbers of their classes, int64, shape (n,)
    turns:       packed, the first that leads to each outcome, in the order of the legal turns, shape (m,)
    turn_values, turn_payoffs: the same of the position if the turn is played, int16, shape (m,)
    offsets:     int64, shape (n + 1,)
    tensors:     the columns of `TENSORS` by name, as `learn.VectorEnv` and `learn.action_values` make them: float32, shape (n, k);
                 int8 and float32, shape (n, actions). Empty unless they are wanted
    """

    positions: np.ndarray
    values: np.ndarray
    payoffs: np.ndarray
    best: np.ndarray
    classes: np.ndarray
    turns: np.ndarray
    turn_values: np.ndarray
    turn_payoffs: np.ndarray
    offsets: np.ndarray
    tensors: Mapping[str, np.ndarray] = field(default_factory=dict)

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
            self.payoffs[mask],
            self.best[mask],
            self.classes[mask],
            self.turns[kept],
            self.turn_values[kept],
            self.turn_payoffs[kept],
            offsets,
            {name: one[mask] for name, one in self.tensors.items()},
        )

    def cut(self, count: int) -> tuple[Part, Part]:
        """The first `count` positions, and the others."""
        first = np.arange(len(self)) < count
        return self.where(first), self.where(~first)


def solved(
    game: AnyGame, positions: np.ndarray, classes: np.ndarray, rules: Any, threads: int | None = None, tensors: bool = False
) -> Part:
    """The positions with their values, their best turns and the values of all turns. Raises `BacktrickError`."""
    answers = game.answer_array(positions, SolveOptions(rules, threads=threads, want=frozenset({BEST})))
    turns, turn_values, offsets = game.turn_values(positions, threads, rules)
    best = answers.best
    assert best is not None
    values, turn_values = answers.values.astype(np.int16), turn_values.astype(np.int16)
    payoffs, turn_payoffs = (game.payoffs(one).astype(np.int16) for one in (values, turn_values))
    seen = _tensors(game, positions, rules, threads) if tensors and len(positions) else {}
    return Part(positions, values, payoffs, best, classes, turns, turn_values, turn_payoffs, offsets, seen)


def _tensors(game: AnyGame, positions: np.ndarray, rules: Any, threads: int | None) -> dict[str, np.ndarray]:
    steps, count = steps_of(game.name)(**asdict(rules)), len(positions)
    arrays, start = Arrays.of(steps, count), 0
    batch = steps.batch(arrays, np.ascontiguousarray(positions), None, None)
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
