"""Trains the network of the player `net`, and writes its weights.

    python scripts/players/train_face_to_face.py [--seed 1] [--output solver/backtrick/face_to_face/network.npz]

An example is a position after a random turn of a game, labelled by the share of play-outs that the player who made the turn
wins, each in a world of its own: the player goes on as `tuned`, the opponent as `frugal` or, in one play-out of three, as `tuned`.
The games are those of `frugal`, `tuned` and, from the second round on, the network of the round before. The network is fitted to
all examples of a round and of the one before, half of them mirrored, by logistic regression with hidden units (Adam). The examples
depend only on the seed. So do the weights on one machine; another one may add in another order.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from backtrick.face_to_face.network import (
    FEATURES,
    MIRRORED,
    NAMES,
    ONE,
    PATH,
    ROWS,
    SIX,
    TABLE_ROWS,
    VALUES,
    WIDTH,
    is_set,
    parts,
    save,
    tables_of,
)
from backtrick.face_to_face.policies import POLICIES
from backtrick.face_to_face.samples import KERNEL_PRICES, decks_of
from backtrick_development.face_to_face import _examples

ROUNDS = [(300_000, 12, 4), (400_000, 12, 4), (600_000, 24, 5)]  # examples, play-outs each, epochs
GROUP = 32  # examples that the kernel makes together
BATCH = 1024
RATE = 0.003
DECAY = 1e-6


def examples(seed: int, count: int, playouts: int, tables: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Features and labels."""
    count -= count % GROUP
    features, labels = np.empty((count, FEATURES), np.uint8), np.empty(count, np.float32)
    _examples.examples_range(features, labels, 0, count // GROUP, seed, KERNEL_PRICES, tables, playouts)
    return features, labels


class Learner:
    """Weights in training, of the parts of the features: numbers with mean 0 and spread 1, sets as they are.

    inputs:  by feature and part, float32, shape (FEATURES, SIX, WIDTH)
    outside: the biases and the output, float32, shape (2, WIDTH)
    """

    def __init__(self, features: np.ndarray, random: np.random.Generator, weights: np.ndarray | None = None) -> None:
        """weights: those that training begins with, as in the file; otherwise they are random."""
        given = parts().astype(np.float32)
        found = features.astype(np.float64)
        numbers = np.array([not is_set(name) for name in NAMES])
        self.mean = np.where(numbers, found.mean(axis=0), 0).astype(np.float32)
        self.spread = np.where(numbers, found.std(axis=0) + 0.3, 1).astype(np.float32)
        used = given.any(axis=1)
        self.parts = (given - self.mean[:, None, None]) / self.spread[:, None, None] * used[:, None]
        self.inputs = (random.normal(0, 0.08, (FEATURES, SIX, WIDTH)) * used[:, :, None]).astype(np.float32)
        self.inputs[:, :, -1] = 0
        self.outside = np.zeros((2, WIDTH), np.float32)
        self.outside[1, :-1] = random.normal(0, 0.1, WIDTH - 1)
        if weights is not None:
            inputs = (weights[:-2] / ONE).reshape(FEATURES, SIX, WIDTH)
            self.inputs = (inputs * self.spread[:, None, None]).astype(np.float32)
            self.outside[0] = weights[-2] / ONE + self.mean @ inputs[:, 0]
            self.outside[1, :-1] = weights[-1, :-1] / ONE

    def tables(self) -> np.ndarray:
        """As the kernel takes them, in float32."""
        tables = np.matmul(self.parts, self.inputs)
        tables[0] += self.outside[0]
        return np.concatenate([tables.reshape(-1, WIDTH), self.outside[1:]])

    def weights(self) -> np.ndarray:
        """As in the file."""
        weights = np.empty((ROWS, WIDTH))
        inputs = self.inputs / self.spread[:, None, None]
        weights[:-2] = inputs.reshape(-1, WIDTH)
        weights[-2] = self.outside[0] - self.mean @ inputs[:, 0]
        weights[-1], weights[-1, -1] = self.outside[1], 1  # the linear part is added as it is
        return np.rint(weights * ONE).astype(np.int32)

    def fit(self, features: np.ndarray, labels: np.ndarray, epochs: int, random: np.random.Generator, rate: float = RATE) -> None:
        """Some epochs of Adam, whose rate falls from `rate` to nothing."""
        values = (self.inputs, self.outside)
        firsts, seconds = [np.zeros_like(one) for one in values], [np.zeros_like(one) for one in values]
        steps, total = 0, epochs * (len(labels) // BATCH)
        for _ in range(epochs):
            order = random.permutation(len(labels))
            for start in range(0, len(labels) - BATCH + 1, BATCH):
                rows = order[start : start + BATCH]
                seen, slope = features[rows], np.zeros((TABLE_ROWS, WIDTH), np.float32)
                seen[::2] = seen[::2, MIRRORED]
                _examples.slope_of(seen, labels[rows], self.tables(), slope)
                slope /= BATCH
                by_value = slope[:-1].reshape(FEATURES, VALUES, WIDTH)
                slopes = np.matmul(self.parts.transpose(0, 2, 1), by_value), np.stack([by_value[0].sum(axis=0), slope[-1]])
                steps += 1
                now = rate * (1 - steps / (total + 1))
                for value, found, first, second in zip(values, slopes, firsts, seconds, strict=True):
                    found += DECAY * value
                    first += 0.1 * (found - first)
                    second += 0.001 * (found * found - second)
                    value -= now * (first / (1 - 0.9**steps)) / (np.sqrt(second / (1 - 0.999**steps)) + 1e-8)


def score(tables: np.ndarray, policy: str, games: int) -> float:
    """The share of paired games that the network wins against a policy."""
    decks, winners, won = decks_of(0, 0, games // 2), np.empty(games // 2, np.uint8), 0
    for seat in range(2):
        _examples.match_range(decks, winners, 0, len(decks), seat, list(POLICIES).index(policy), KERNEL_PRICES, tables)
        won += int((winners == seat).sum())
    return won / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=PATH)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the examples, for a quick trial")
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    tables, learner, before = None, None, None
    for number, (count, playouts, epochs) in enumerate(ROUNDS):
        began = time.process_time()
        features, labels = examples((options.seed << 8) + number, int(count * options.scale), playouts, tables)
        made = time.process_time() - began
        if learner is None:
            learner = Learner(features, random)
        aside = len(labels) // 20  # for the loss alone
        fitted = features[aside:], labels[aside:]
        together = fitted if before is None else tuple(map(np.concatenate, zip(before, fitted, strict=True)))
        learner.fit(*together, epochs, random)
        before, found = fitted, learner.tables()
        loss = _examples.slope_of(features[:aside], labels[:aside], found, np.zeros_like(found)) / aside
        save(options.output, learner.weights())
        tables = tables_of(learner.weights())
        took = time.process_time() - began - made
        print(f"round {number + 1}: {len(labels)} examples in {made:.0f} s, fitted in {took:.0f} s, loss {loss:.4f};", end=" ")
        print(*(f"{score(tables, policy, 2000):.1%} against {policy}" for policy in ("frugal", "tuned")), sep=", ", flush=True)


if __name__ == "__main__":
    main()
