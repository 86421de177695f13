"""The number of a class, and the split that its positions go to.

A class is a position with all its images that the game's values do not tell apart: its mirror image, and in Face to Face all
relabellings (docs/classes.md). The split is decided by the class alone. So no image of a position that a learner trains on is in
the test split, and the same is true between any two data sets of one game.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backtrick.storage.codec import Codec

TRAIN, VALIDATION, TEST = "train", "validation", "test"
SPLITS = (TRAIN, VALIDATION, TEST)
SHARES = {TRAIN: range(0, 8), VALIDATION: range(8, 9), TEST: range(9, 10)}
"""The last decimal digits of the numbers of classes in each split: 80, 10 and 10 of 100 classes."""


def class_numbers(codec: Codec[Any, Any, Any], positions: np.ndarray, rules: Any, threads: int | None = None) -> np.ndarray:
    """The number of each position's class: 63 bits of a hash of its key, int64, shape (n,). Raises `PositionError`.

    Two classes share a number once in 10^19 pairs.

    >>> from backtrick.face_to_face.codec import CODEC
    >>> class_numbers(CODEC, CODEC.pack([]), None)
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
