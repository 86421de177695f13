"""Writes the deals of the benchmarks: `python benchmarks/make/make_deals.py`, from the root of the repository.

The deals are those of `backtrick sample 200 --seed 110011 --piles R`: in Face to Face from games between two frugal players, in
Take That from rounds between two careful ones. One deal a line; lines that begin with # say how the set was made. A later version
may deal other cards for a seed, so the committed files are what counts; those of Face to Face are of an earlier one.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from backtrick.face_to_face.samples import selfplay
from backtrick.take_that.samples import selfplay as take_that_selfplay

FOLDER = Path(__file__).parents[1] / "positions"
MOST = (8, 10, 12, 14, 16, 20)
TAKE_THAT_PILES = (4, 8, 10, 12, 14, 16)
COUNT, SEED = 200, 110_011


def write(path: Path, about: str, seed: int, found: Iterator[object]) -> None:
    header = f"# Deals of {about}, seed {seed}\n# Written by: python benchmarks/make/make_deals.py\n"
    path.write_text(header + "".join(f"{deal}\n" for deal in found))
    print(path, path.stat().st_size, "bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True)
    for most in MOST:
        about = f"The Game: Face to Face: piles of at most {most} cards, from games between frugal players"
        write(options.folder / f"deals_{most}.txt", about, options.seed, selfplay(options.count, options.seed, piles=most))
    for pile in TAKE_THAT_PILES:
        about = f"Take That: {pile} cards in the pile, from rounds between careful players"
        found = take_that_selfplay(options.count, options.seed, piles=pile)
        write(options.folder / f"take_that_deals_{pile}.txt", about, options.seed, found)


if __name__ == "__main__":
    main()
