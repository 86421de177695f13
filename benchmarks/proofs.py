"""How long proofs of deals are, and how long they take: `python benchmarks/proofs.py`, from the root of the repository.

The committed deals are proved, and scripts/check_proof.py checks each proof. Times are the processor's. The exit code is 1 if a
proof is refused.
"""

from __future__ import annotations

import argparse
import runpy
import sys
import time
from pathlib import Path
from statistics import median

from backtrick.games import game_of
from backtrick.proofs import prove
from peers.programs import read_positions

HERE = Path(__file__).parent
CHECKER = HERE.parent / "scripts" / "check_proof.py"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=("face_to_face", "take_that"), default="face_to_face")
    parser.add_argument("--piles", type=int, nargs="+", default=[8, 10], metavar="R")
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    check, game = runpy.run_path(str(CHECKER))["check"], game_of(options.game)
    prefix, refused = "deals" if options.game == "face_to_face" else "take_that_deals", 0
    for pile in options.piles:
        made, checked, sizes = [], [], []
        for text in read_positions(HERE / "positions" / f"{prefix}_{pile}.txt")[: options.count]:
            start = time.process_time()
            lines = list(prove(game, game.parse(text)))
            middle = time.process_time()
            try:
                check(lines)
            except ValueError as error:
                refused += 1
                print(text, error, sep=": ")
            made.append(middle - start)
            checked.append(time.process_time() - middle)
            sizes.append(sum(len(line) + 1 for line in lines) / 1000)
        for name, unit, found in (("made in", "s", made), ("checked in", "s", checked), ("long", "KB", sizes)):
            print(f"R {pile}: {len(found)} proofs, {name}: median {median(found):.2f} {unit}, most {max(found):.1f} {unit}")
    return int(refused > 0)


if __name__ == "__main__":
    sys.exit(main())
