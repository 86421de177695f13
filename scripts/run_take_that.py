"""Part of `make run`: sample real endgames of Take That by self-play, solve them, and print a summary."""

from __future__ import annotations

import argparse
import time

import numpy as np

from backtrick.take_that import GAME, pack_action, solve, unpack
from backtrick.take_that.samples import selfplay, selfplay_array
from backtrick.take_that.solving import values_and_best_many
from backtrick.take_that.turn import TAKE
from one_deal import print_deal


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2_000, help="how many endgames (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the self-play (default: %(default)s)")
    options = parser.parse_args()
    print(f"\nTake That: playing {options.count:,} whole games up to their endgame, seed {options.seed}")
    positions = selfplay_array(options.count, seed=options.seed)
    start = time.perf_counter()
    values, best = values_and_best_many(positions)
    seconds = time.perf_counter() - start
    print(f"{len(positions):,} endgames of Take That")
    print(f"solved in {seconds:.3f} s: {len(positions) / seconds:,.0f} positions a second, value and best action")
    if len(positions):
        print_summary(positions, values, best)
    print_deal(GAME, next(selfplay(1, seed=options.seed, piles=8)), "a deal, 8 cards still to come")


def print_summary(positions: np.ndarray, values: np.ndarray, best: np.ndarray) -> None:
    """Prints how the values are spread, the kinds of best actions, and the position of the highest value."""
    kinds = {"take": best == pack_action(TAKE), "twist": best >= 128}
    kinds["lay"] = ~kinds["take"] & ~kinds["twist"]
    print("\nvalue for the dealer    worst    1 in 10   median   9 in 10     best      mean")
    spread = np.percentile(values, [0, 10, 50, 90, 100])
    print(" " * 19 + "".join(f"{value:+10.0f}" for value in spread) + f"{values.mean():+10.2f}")
    print("\nbest action   endgames   mean value")
    for kind, chosen in kinds.items():
        if chosen.any():
            print(f"{kind:<12} {chosen.sum():9,}   {values[chosen].mean():+10.2f}")
    position = unpack(positions[[np.argmax(values)]])[0]
    print(f"\nthe most to win: {position}")
    solution = solve(position)
    steps = (f"{turn} {points:+}" if points else str(turn) for turn, points, _ in solution.steps())
    count = GAME.count_outcomes(position, solution.rules)
    print(f"  worth {solution.value:+}; {solution.optimal} of {count} actions keep it: {solution.best}")
    print("  line: " + " | ".join(steps))


if __name__ == "__main__":
    main()
