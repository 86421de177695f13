"""Trains the network of the player `net`, and writes its weights.

    python scripts/train_face_to_face.py [--seed 1] [--output solver/backtrick/face_to_face/network.npz]

An example is a position after a random turn of a game, labelled by the share of play-outs that the player who made the turn
wins, each in a world of its own: the player goes on as `tuned`, the other as `tuned` or, in one play-out of three, as `frugal`.
The games are those of `frugal`, `tuned` and, from the second round on, the network of the round before. The network is fitted to
all examples of a round and their mirror images by logistic regression with hidden units (Adam). The examples depend on the seed
alone. So do the weights on one machine; another one may add in another order.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from backtrick.face_to_face.network import FEATURES, MIRRORED, PATH, WIDTH, save
from backtrick.face_to_face.policies import POLICIES
from backtrick.face_to_face.samples import KERNEL_PRICES, decks_of
from backtrick_development.face_to_face import _examples

ROUNDS = [(400_000, 9, 0), (500_000, 9, 0), (500_000, 9, 0)]  # examples, play-outs each, their turns by the network
GROUP = 8  # examples of one position, as the kernel makes them
EPOCHS = 16
BATCH = 1024
RATE = 0.004
DECAY = 1e-6


def examples(seed: int, count: int, playouts: int, depth: int, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Features and labels."""
    count -= count % GROUP
    features, labels = np.empty((count, FEATURES), np.float32), np.empty(count, np.float32)
    _examples.examples_range(features, labels, 0, count // GROUP, seed, KERNEL_PRICES, weights, playouts, depth)
    return features, labels


def values_of(features: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values and hidden units."""
    sums = features @ weights[:-2] + weights[-2]
    hidden = np.maximum(sums[:, :-1], 0)
    return sums[:, -1] + hidden @ weights[-1, :-1], hidden


def fit(features: np.ndarray, labels: np.ndarray, weights: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The weights after some epochs of Adam, whose rate falls to nothing."""
    weights = weights.copy()
    first, second, steps = np.zeros_like(weights), np.zeros_like(weights), 0
    total = EPOCHS * (len(labels) // BATCH)
    for _ in range(EPOCHS):
        order = random.permutation(len(labels))
        for start in range(0, len(labels) - BATCH + 1, BATCH):
            rows = order[start : start + BATCH]
            x, y = features[rows], labels[rows]
            values, hidden = values_of(x, weights)
            error = (1 / (1 + np.exp(-values)) - y) / len(y)
            back = np.empty((len(y), WIDTH), np.float32)
            back[:, -1] = error
            back[:, :-1] = error[:, None] * weights[-1, :-1] * (hidden > 0)
            slope = np.zeros_like(weights)
            slope[:-2], slope[-2], slope[-1, :-1] = x.T @ back, back.sum(axis=0), hidden.T @ error
            slope += DECAY * weights
            steps += 1
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            step = first / (1 - 0.9**steps) / (np.sqrt(second / (1 - 0.999**steps)) + 1e-8)
            weights -= RATE * (1 - steps / (total + 1)) * step
    return weights


def score(weights: np.ndarray, policy: str, games: int) -> float:
    """The share of paired games that the network wins against a policy."""
    decks, winners, won = decks_of(0, 0, games // 2), np.empty(games // 2, np.uint8), 0
    for seat in range(2):
        _examples.match_range(decks, winners, 0, len(decks), seat, list(POLICIES).index(policy), KERNEL_PRICES, weights)
        won += int((winners == seat).sum())
    return won / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=PATH)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the examples, for a quick trial")
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    weights, chooser, mean, spread = np.zeros((FEATURES + 2, WIDTH), np.float32), None, None, None
    weights[:FEATURES, :-1] = random.normal(0, 0.3, (FEATURES, WIDTH - 1))  # small random hidden units, and nothing else
    weights[-1, :-1] = random.normal(0, 0.1, WIDTH - 1)
    for number, (count, playouts, depth) in enumerate(ROUNDS):
        began = time.process_time()
        features, labels = examples((options.seed << 8) + number, int(count * options.scale), playouts, depth, chooser)
        made = time.process_time() - began
        if chooser is None:
            mean, spread = features.mean(axis=0), features.std(axis=0) + np.float32(0.01)
        aside = len(labels) // 20  # for the loss alone
        both = np.concatenate([features[aside:], features[aside:, MIRRORED]])
        weights = fit((both - mean) / spread, np.concatenate([labels[aside:]] * 2), weights, random)
        values = values_of((features[:aside] - mean) / spread, weights)[0]
        loss = float(np.mean(np.logaddexp(0, values) - labels[:aside] * values))  # the mean logarithmic loss
        chooser = weights.copy()
        chooser[:FEATURES] /= spread[:, None]
        chooser[FEATURES] -= mean @ chooser[:FEATURES]
        save(options.output, chooser)
        fitted = time.process_time() - began - made
        print(f"round {number + 1}: {len(labels)} examples in {made:.0f} s, fitted in {fitted:.0f} s, loss {loss:.4f};", end=" ")
        print(*(f"{score(chooser, policy, 2000):.1%} against {policy}" for policy in ("frugal", "tuned")), sep=", ", flush=True)


if __name__ == "__main__":
    main()
