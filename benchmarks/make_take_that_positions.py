"""Writes the Take That position sets of the benchmarks: `python benchmarks/make_take_that_positions.py`, from the root.

One position a line; lines that begin with # say how the set was made. The hardest are found by `climb_take_that.py`.
"""

from __future__ import annotations

from pathlib import Path

from solver.take_that.deals import hard, selfplay

FOLDER = Path(__file__).parent / "positions"
SETS = {
    "take_that_selfplay": ("selfplay(10_000, seed=1)", lambda: selfplay(10_000, seed=1)),
    "take_that_mixed": (
        "selfplay(2_000, seed=2, policies=('careful', 'eager'))",
        lambda: selfplay(2_000, seed=2, policies=("careful", "eager")),
    ),
    "take_that_hard": ("hard(500, seed=1)", lambda: hard(500, seed=1)),
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (call, positions) in SETS.items():
        header = (
            f"# Endgames of Take That: solver.take_that.deals.{call}\n"
            "# Written by: python benchmarks/make_take_that_positions.py\n"
        )
        path = FOLDER / f"{name}.txt"
        path.write_text(header + "".join(f"{position}\n" for position in positions()))
        print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
