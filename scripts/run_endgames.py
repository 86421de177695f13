"""The main job of `make run`: sample real endgames by self-play, solve them all, and print what they are worth."""

from __future__ import annotations

import argparse
import time

import numpy as np

from solver.batches import available_cores
from solver.face_to_face import count_optimal_many, solve, solve_many, unpack
from solver.face_to_face.deals import selfplay_array


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="how many endgames (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the self-play (default: %(default)s)")
    options = parser.parse_args()
    start = time.perf_counter()
    positions = selfplay_array(options.count, seed=options.seed, processes=available_cores())
    played = time.perf_counter()
    values = solve_many(positions)
    solved = time.perf_counter()
    print(f"{len(positions):,} endgames of The Game: Face to Face from self-play, seed {options.seed}")
    print(f"played in {played - start:.1f} s, solved in {solved - played:.3f} s: "
          f"{len(positions) / (solved - played):,.0f} positions a second")  # fmt: skip
    print_by_hands(positions, values)
    print_most_interesting(positions, values)


def print_by_hands(positions: np.ndarray, values: np.ndarray) -> None:
    """A row for each pair of hand sizes: how many positions, and how many of each remoteness."""
    sizes = list(zip(map(int.bit_count, positions["mover_hand"].tolist()),
                     map(int.bit_count, positions["opponent_hand"].tolist()), strict=True))  # fmt: skip
    print("\nhands     positions    won   remoteness 0      1      2      3      4      5")
    for pair in sorted(set(sizes), reverse=True):
        chosen = values[[size == pair for size in sizes]]
        counts = np.bincount(chosen, minlength=6)
        print(f"{pair[0]} v {pair[1]} {len(chosen):13,} {np.mean(chosen % 2):6.1%}        "
              + "".join(f"{count:7,}" for count in counts))  # fmt: skip


def print_most_interesting(positions: np.ndarray, values: np.ndarray) -> None:
    """Of the longest wins, the one with the fewest best turns."""
    longest = positions[values == values[values % 2 == 1].max(initial=1)]
    if not len(longest):
        return
    position = unpack(longest[[np.argmin(count_optimal_many(longest, progress=False))]])[0]
    solution = solve(position)
    print(f"\nthe hardest win to find: {position}")
    print(f"  won in {solution.remoteness}; {solution.optimal} of {len(solution.turns)} outcomes keep it: {solution.best}")
    print("  line: " + " | ".join(map(str, solution.line)))


if __name__ == "__main__":
    main()
