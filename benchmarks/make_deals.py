"""Writes the deals of the benchmarks: `python benchmarks/make_deals.py`, from the root of the repository.

The deals are those of `backtrick sample 200 --seed 110011 --piles R`: from whole games between two frugal players. One deal a
line; lines that begin with # say how the set was made. The committed files are of an earlier version, which dealt other cards for
a seed.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from solver.face_to_face.deals import selfplay

FOLDER = Path(__file__).parent / "positions"
MOST = (8, 10, 12, 14, 16, 20)
COUNT, SEED = 200, 110_011


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True)
    for most in MOST:
        path = options.folder / f"deals_{most}.txt"
        header = (
            f"# Deals of The Game: Face to Face: piles of at most {most} cards, from games between frugal players, "
            f"seed {options.seed}\n# Written by: python benchmarks/make_deals.py\n"
        )
        path.write_text(header + "".join(f"{deal}\n" for deal in selfplay(options.count, options.seed, piles=most)))
        print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
