"""The main part of `make run`: sample real endgames by self-play, solve them and the committed ones, and print a summary."""

from __future__ import annotations

import argparse
import time

import numpy as np

from backtrick.face_to_face import GAME, count_optimal_many, solve, solve_many, unpack
from backtrick.face_to_face.samples import selfplay, selfplay_array
from committed import endgames
from one_deal import print_deal


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=4_000, help="how many endgames to play (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=2, help="of the self-play, 1 of the committed ones (default: %(default)s)")
    parser.add_argument("--threads", type=int, help="that play (default: one a core)")
    options = parser.parse_args()
    print(f"The Game: Face to Face: playing whole games until {options.count:,} reach their endgame, seed {options.seed}")
    start = time.perf_counter()
    sampled = selfplay_array(options.count, seed=options.seed, threads=options.threads)
    played = time.perf_counter()
    committed = endgames()
    positions = np.concatenate([committed, sampled])
    begun = time.perf_counter()
    values = solve_many(positions)
    seconds = time.perf_counter() - begun
    print(f"{len(committed):,} committed endgames and {len(sampled):,} played in {played - start:.1f} s")
    print(f"solved in {seconds:.3f} s: {len(positions) / seconds:,.0f} positions a second")
    print_by_hands(positions, values)
    print_most_interesting(positions, values)
    print_deal(GAME, next(selfplay(1, seed=options.seed, piles=8)), "a deal, at most 8 cards still to come in each pile")


def print_by_hands(positions: np.ndarray, values: np.ndarray) -> None:
    """Prints a row for each pair of hand sizes: the number of positions, and how many have each remoteness."""
    sizes = list(zip(map(int.bit_count, positions["mover_hand"].tolist()),
                     map(int.bit_count, positions["opponent_hand"].tolist()), strict=True))  # fmt: skip
    print("\nhands     positions    won   remoteness 0      1      2      3      4      5")
    for pair in sorted(set(sizes), reverse=True):
        chosen = values[[size == pair for size in sizes]]
        counts = np.bincount(chosen, minlength=6)
        print(f"{pair[0]} v {pair[1]} {len(chosen):13,} {np.mean(chosen % 2):6.1%}        "
              + "".join(f"{count:7,}" for count in counts))  # fmt: skip


def print_most_interesting(positions: np.ndarray, values: np.ndarray) -> None:
    """Prints, of the longest wins, the one with the fewest best turns."""
    longest = positions[values == values[values % 2 == 1].max(initial=1)]
    if not len(longest):
        return
    position = unpack(longest[[np.argmin(count_optimal_many(longest, progress=False))]])[0]
    solution = solve(position)
    print(f"\nthe hardest win to find: {position}")
    count = GAME.count_outcomes(solution.position, solution.rules)
    print(f"  won in {solution.value}; {solution.optimal} of {count} outcomes keep it: {solution.best}")
    print("  line: " + " | ".join(map(str, solution.line)))


if __name__ == "__main__":
    main()
