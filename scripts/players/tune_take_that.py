"""Finds the constants of the policy `tuned` of Take That by the cross-entropy method, in some minutes.

    python scripts/players/tune_take_that.py [--rounds 45] [--sets 40] [--pairs 1200] [--seed 1]

Each round draws sets of constants around a mean and lets each play pairs of rounds on the same deals, seats changed: half of
them against the mean, half against `careful`. Then mean and spread move to those of the best eighth by won rounds. The script
prints the mean of each round; the last one belongs in `solver/backtrick/take_that/policies.py`.
"""

from __future__ import annotations

import argparse

import numpy as np

from backtrick.take_that.policies import POLICIES, WEIGHTS, Weights
from backtrick.take_that.samples import decks_of, play_rounds

SPREAD = np.array([0.4, 0.15, 0.5, 0.4, 0.4, 0.7, 0.7, 1.0, 0.7, 1.0, 1.0, 0.2, 1.0])
FLOOR = 0.1  # of the first spread: without a floor the search stops too early
LOWEST = np.array([0, 0.01, 0, 0, 0, -9, -9, -9, -9, -9, -9, 0, -9])  # a chance is above 0, a count is not negative
HIGHEST = np.array([9, 0.99, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9])
TUNED, CAREFUL = list(POLICIES).index("tuned"), list(POLICIES).index("careful")


def score(weights: Weights, other: Weights | None, seed: int, start: int, pairs: int) -> float:
    """The share of rounds that `weights` wins against other weights, or None for `careful`; a draw is a half."""
    decks = decks_of(seed, start, start + pairs)
    total = 0.0
    for seat in (0, 1):
        policies = np.full((pairs, 2), TUNED, np.uint8)
        if other is None:
            policies[:, 1 - seat] = CAREFUL
        both = (weights, other or weights) if seat == 0 else (other or weights, weights)
        points = play_rounds(decks, policies, 1, progress=False, to_end=True, weights=both).points.astype(int)
        total += (1 + np.sign(points[:, seat] - points[:, 1 - seat])).sum() / 2
    return float(total / (2 * pairs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("rounds", 45), ("sets", 40), ("pairs", 1200), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    random = np.random.default_rng(given.seed)
    mean, spread = np.array(WEIGHTS, float), SPREAD.copy()
    for number in range(given.rounds):
        before, start = Weights(*mean.tolist()), number * given.pairs
        sets = np.clip(random.normal(mean, spread, (given.sets, len(mean))), LOWEST, HIGHEST)
        scores = []
        for row in sets:
            weights = Weights(*row.tolist())
            scores.append(sum(score(weights, other, given.seed, start, given.pairs // 2) for other in (before, None)) / 2)
        best = sets[np.argsort(scores)[-max(given.sets // 8, 2) :]]
        mean, spread = best.mean(0), np.maximum(best.std(0), FLOOR * SPREAD)
        rounded = Weights(*np.round(mean, 3).tolist())
        against = score(rounded, None, given.seed + 1, 0, given.pairs)
        print(f"{number:3d} mean {100 * np.mean(scores):.1f} %, against careful {100 * against:.1f} %, {rounded}", flush=True)


if __name__ == "__main__":
    main()
