"""What was found in endgames of self-play, a line each: `make findings` prints them in a minute or two.

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
from backtrick.take_that.samples import selfplay_array as line_array

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
    kinds = kinds_many(lines)
    tables = {
        "The Game: Face to Face": race_findings(selfplay_array(options.count, seed=SEED)),
        "Take That": line_findings(kinds),
        "Take That, what the player to move can expect": means_by_length(kinds, np.count_nonzero(lines["line"], axis=1)),
    }
    for title, found in tables.items():
        print(f"\n{title}: {options.count:,} endgames of self-play, seed {SEED}")
        print("\n".join(f"  {number:>7}  {name}" for name, number in found.items()))
    names = "face_to_face", "take_that", "lengths"
    rows = ([("finding", "number"), *found.items()] for found in tables.values())
    record.write(options.json, dict(zip(names, rows, strict=True)), f"seed {SEED}")


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
        "points for the player to move, on average": f"{kinds['value'].mean():+.2f}",
        "of the endgames in which one can twist, twisting is not best": share((kinds["twist"] < kinds["value"])[twists]),
    }


def means_by_length(kinds: np.ndarray, lengths: np.ndarray) -> dict[str, str]:
    """The mean value of endgames of Take That by the number of cards in the line, with its standard error."""
    found = {}
    for length in range(1, LONGEST_LINE + 1):
        values = kinds["value"][lengths == length]
        if len(values) > 1:
            cards, error = "card" if length == 1 else "cards", values.std() / len(values) ** 0.5
            found[f"points with {length} {cards} in the line (+- {error:.2f})"] = f"{values.mean():+.2f}"
    return found


def share(marks: np.ndarray) -> str:
    return f"{np.mean(marks):.1%}".replace("%", " %")


if __name__ == "__main__":
    main()
