"""Trains the two networks of Face to Face's player `sampler`, and writes their weights.

    python scripts/players/train_sampler.py [--seed 1] [--only frugal|strong]

The sampler plays games with the network of the player `net`, and knows whether its opponent is `frugal` or strong: `net`, or the
sampler itself. An example is a position after one of its turns, labelled by what became of it. From the weights of `net` each
network is fitted further to its examples, half of them mirrored, by logistic regression with hidden units (Adam). The examples
depend only on the seed. So do the weights on one machine; another one may add in another order.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from backtrick.face_to_face._players import Sampler
from backtrick.face_to_face.network import FEATURES, FRUGAL_PATH, PATH, STRONG_PATH, default_tables, load, save
from backtrick.face_to_face.players import SAMPLER_PRICES
from backtrick.face_to_face.rule_options import PUBLISHED
from backtrick.face_to_face.samples import KERNEL_PRICES
from backtrick_development.face_to_face import _examples
from train_face_to_face import Learner

GAMES = {"frugal": 18_000, "strong": 12_000}
PATHS = {"frugal": FRUGAL_PATH, "strong": STRONG_PATH}
PLAYOUTS = 300
EPOCHS = 4
RATE = 0.001
OWN_TURNS = 29  # of a game at most


def examples(seed: int, opponent: str, games: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Features, labels, and the share of games that the sampler won."""
    net = default_tables()
    features = np.zeros((games, OWN_TURNS, FEATURES), np.uint8)
    labels, won = np.full((games, OWN_TURNS), -1, np.float32), np.zeros(games, np.uint8)
    kernel = Sampler(SAMPLER_PRICES, net, net, PUBLISHED.code)
    _examples.sampler_games(features, labels, won, 0, games, seed, KERNEL_PRICES, net, kernel, PLAYOUTS, opponent == "frugal")
    return features[labels >= 0], labels[labels >= 0], won.mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=PATHS, help="trains one of the two")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the games, for a quick trial")
    options = parser.parse_args()
    for opponent in PATHS if options.only is None else [options.only]:
        began, random = time.process_time(), np.random.default_rng(options.seed)
        seed, games = (options.seed << 8) + list(PATHS).index(opponent), int(GAMES[opponent] * options.scale)
        features, labels, won = examples(seed, opponent, games)
        aside = len(labels) // 20  # for the loss alone
        learner = Learner(features, random, load(PATH))
        losses = []
        for epochs in (0, EPOCHS):
            learner.fit(features[aside:], labels[aside:], epochs, random, RATE)
            tables = learner.tables()
            losses.append(_examples.slope_of(features[:aside], labels[:aside], tables, np.zeros_like(tables)) / aside)
        save(PATHS[opponent], learner.weights())
        took = time.process_time() - began
        print(f"{opponent}: {len(labels)} examples, {won:.1%} won, loss {losses[0]:.4f}, then {losses[1]:.4f}, {took:.0f} s")


if __name__ == "__main__":
    main()
