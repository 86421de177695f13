"""What was found in endgames of self-play, a line each: `make findings` prints them in about a minute.

    python scripts/census/findings.py                                   200,000 endgames of each game
    python scripts/census/findings.py --count 2000                      fewer
    python scripts/census/findings.py --json docs/data/findings.json    also the numbers that README and pages show

The endgames are those of `backtrick sample`: whole games of the first policy, up to where both draw piles are empty.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from backtrick.face_to_face.samples import selfplay_array
from backtrick.face_to_face.tablebase import bit_counts
from backtrick.take_that.rule_options import HAND_SIZE
from backtrick.take_that.samples import selfplay_array as line_array
from backtrick.take_that.solving import solve_many

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import record
from facts_face_to_face import facts_many
from facts_take_that import kinds_many

SEED = 1
LONGEST_LINE = 10
"""Longer lines are too rare among the endgames for a mean."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200_000, help="endgames of each game (default: %(default)s)")
    record.add_json(parser)
    options = parser.parse_args()
    lines = line_array(options.count, seed=SEED)
    shares = {
        "The Game: Face to Face": race_findings(selfplay_array(options.count, seed=SEED)),
        "Take That": line_findings(kinds_many(lines)),
    }
    for title, found in shares.items():
        print(f"\n{title}: {options.count:,} endgames of self-play, seed {SEED}")
        print("\n".join(f"  {number:>7}  {name}" for name, number in found.items()))
    print("\nTake That: points for the player to move, ± a standard error")
    for row in (lengths := values_by_length(lines)):
        print("".join(f"{cell:>18}" for cell in row))
    tables = [[("finding", "number"), *found.items()] for found in shares.values()]
    record.write(options.json, {"face_to_face": tables[0], "take_that": tables[1], "lengths": lengths}, f"seed {SEED}")


def race_findings(positions: np.ndarray) -> dict[str, str]:
    """What the turns of endgames of Face to Face have in common."""
    facts = facts_many(positions)
    won = facts["winning"] > 0
    sizes = bit_counts(positions["mover_hand"])
    return {
        "of the endgames are won by the player to move": share(won),
        "are won at once, by laying the whole hand": share(facts["whole_hand"]),
        "turns to the end, at most": str(facts["remoteness"].max()),
        "of the wins need a card laid on a pile of the opponent": share(facts["needs_help"][won]),
        "the same, where the winner holds at most four cards": share(facts["needs_help"][won & (sizes <= 4)]),
        "of the wins are thrown away by laying as many cards as possible": share(~facts["most_wins"][won]),
    }


def line_findings(kinds: np.ndarray) -> dict[str, str]:
    """What the turns of endgames of Take That are worth. kinds: of `kinds_many`."""
    takes = (kinds["best_take"] > 0) & (kinds["take"] == kinds["value"])
    twists = kinds["best_twist"] > 0
    return {
        "of the endgames are played best by taking the line at once": share(takes),
        "points for the player to move, the mean": f"{kinds['value'].mean():+.2f}",
        "of the endgames in which one can twist, twisting is not best": share((kinds["twist"] < kinds["value"])[twists]),
    }


def values_by_length(lines: np.ndarray) -> list[tuple[str, ...]]:
    """The mean value of endgames of Take That by the number of cards in the line, with its standard error; the same after the
    cards in both hands were shuffled and dealt again, and after the players exchanged their hands."""
    exchanged = lines.copy()
    exchanged["mover"], exchanged["opponent"] = lines["opponent"], lines["mover"]
    lengths = np.count_nonzero(lines["line"], axis=1)
    values = [solve_many(positions) for positions in (lines, with_shuffled_hands(lines), exchanged)]
    rows = [("cards in the line", "as played", "hands shuffled", "hands exchanged")]
    for length in range(1, LONGEST_LINE + 1):
        if (lengths == length).sum() > 1:
            rows.append((str(length), *(mean_of(some[lengths == length]) for some in values)))
    return rows


def with_shuffled_hands(lines: np.ndarray) -> np.ndarray:
    """The same lines, with the cards of both hands dealt anew; every hand has nine cards, as in all endgames of self-play."""
    cards = np.random.default_rng(SEED).permuted(np.concatenate([lines["mover"], lines["opponent"]], axis=1), axis=1)
    shuffled = lines.copy()
    shuffled["mover"], shuffled["opponent"] = np.sort(cards[:, :HAND_SIZE]), np.sort(cards[:, HAND_SIZE:])
    return shuffled


def mean_of(values: np.ndarray) -> str:
    return f"{values.mean():+.2f} ± {values.std() / len(values) ** 0.5:.2f}"


def share(marks: np.ndarray) -> str:
    return f"{np.mean(marks):.1%}".replace("%", " %")


if __name__ == "__main__":
    main()
