"""Part of `make run`: build the complete tables of a few cards, and look up positions that real endgames lead to."""

from __future__ import annotations

import argparse
import time

import numpy as np

from backtrick.face_to_face import best_many, build_tables, open_tablebase, solve_many
from backtrick.face_to_face.classes import tables_up_to
from backtrick.face_to_face.solving import play_many
from backtrick.face_to_face.stored import bit_counts
from backtrick.face_to_face.tables.table import counts_of
from committed import endgames


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=6, help="in both hands together, at most (default: %(default)s)")
    parser.add_argument("--tables", default="tablebases", help="where the tables are (default: %(default)s)")
    options = parser.parse_args()
    print(f"\nbuilding the complete tables of at most {options.cards} cards that are not in {options.tables}")
    start = time.perf_counter()
    built = build_tables(options.tables, tables_up_to(options.cards), say=print)
    classes = sum(sum(counts_of(header)) for header in built)
    print(f"{len(built)} built in {time.perf_counter() - start:.1f} s, {classes:,} classes")
    played = endgames()
    positions = with_few_cards(played, options.cards)
    with open_tablebase(options.tables) as tables:
        values = tables.probe_many(positions)
        start = time.perf_counter()
        values = tables.probe_many(positions)
        seconds = time.perf_counter() - start
    print(f"{len(positions):,} positions of at most {options.cards} cards from {len(played):,} endgames and their best lines, "
          f"answered in {seconds:.4f} s: {len(positions) / seconds:,.0f} a second")  # fmt: skip
    print(f"{np.count_nonzero(values != solve_many(positions))} differ from the search")
    counts = np.bincount(values, minlength=4)
    print("remoteness " + ", ".join(f"{value}: {count:,}" for value, count in enumerate(counts.tolist()) if count))


def with_few_cards(positions: np.ndarray, cards: int) -> np.ndarray:
    """The positions of at most `cards` cards among the given ones and those that best turns lead to, except finished games."""
    found = []
    while len(positions):
        going_on = positions["opponent_hand"] != 0
        positions = positions[going_on]
        held = bit_counts(positions["mover_hand"]) + bit_counts(positions["opponent_hand"])
        found.append(positions[held <= cards])
        turns = best_many(positions, progress=False)
        positions = play_many(positions[turns != 0], turns[turns != 0])
    return np.concatenate(found)


if __name__ == "__main__":
    main()
