"""Tunes the prices of the policy `tuned` by the cross-entropy method, and prints them for `PRICES` in `policies.py`.

    python scripts/players/tune_face_to_face.py [--seed 1] [--rounds 150]

Each round draws sets of prices from a normal distribution around the present mean. Every set plays the same paired deals, half of
them against `frugal`, half against the mean. The next mean and spread are those of the best quarter, taken half-way; the spread
has a floor, so that it does not close too early. See R. Rubinstein, "The cross-entropy method for combinatorial and continuous
optimization" (1999).
"""

from __future__ import annotations

import argparse

import numpy as np

from backtrick.face_to_face import _play
from backtrick.face_to_face.policies import POLICIES, Prices
from backtrick.face_to_face.position import POSITION_DTYPE
from backtrick.face_to_face.samples import decks_of

SETS = 48
BEST = 12
PAIRS = 400  # deals of a set against each opponent
STEP = 0.5
FRUGAL, TUNED = list(POLICIES).index("frugal"), list(POLICIES).index("tuned")

START = Prices(
    skipped=100, dead=200, trick=300, pair=200, alone=0, gift=50, freed=50, revived=50, spoilt=500, offered=500, help=0,
    refill=200, dump=200, more=0, more_helped=200, more_empty=300, held=0, held_helped=0, behind=0,
)  # fmt: skip
SPREAD = 300.0
FLOOR = 25.0


def scores(decks: np.ndarray, seats: np.ndarray, prices: np.ndarray) -> np.ndarray:
    """Whether the player of seats[:, 0] wins, with each deal played twice: shape (n,), 0, 1/2 or 1."""
    total = np.zeros(len(decks))
    for begins in range(2):
        order = np.ascontiguousarray(seats if begins == 0 else seats[:, ::-1])
        winners = np.empty(len(decks), np.uint8)
        _play.play_range(
            decks, order, np.zeros(len(decks), POSITION_DTYPE), winners, np.empty(len(decks), np.uint8), 0, len(decks), prices,
            60, 10, False,
        )  # fmt: skip
        total += winners == begins
    return total / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=150)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    mean, spread = np.array(START, float), np.full(len(START), SPREAD)
    own = TUNED + np.arange(SETS, dtype=np.uint8).repeat(PAIRS)
    for number in range(options.rounds):
        sets = np.rint(random.normal(mean, spread, (SETS, len(mean)))).astype(np.int32)
        prices = np.concatenate([sets, np.rint(mean).astype(np.int32)[None]])
        found = np.zeros(SETS)
        for part, opponent in enumerate((FRUGAL, TUNED + SETS)):
            start = (2 * number + part) * PAIRS
            decks = np.ascontiguousarray(np.tile(decks_of(options.seed, start, start + PAIRS), (SETS, 1, 1)))
            seats = np.stack([own, np.full_like(own, opponent)], axis=1)
            found += scores(decks, seats, prices).reshape(SETS, PAIRS).mean(axis=1) / 2
        best = sets[np.argsort(-found)[:BEST]]
        mean += STEP * (best.mean(axis=0) - mean)
        spread = np.maximum(spread + STEP * (best.std(axis=0) - spread), FLOOR)
        if number % 10 == 9:
            print(f"round {number + 1}: {np.sort(found)[-BEST:].mean():.3f}", Prices(*map(round, mean.tolist())), flush=True)


if __name__ == "__main__":
    main()
