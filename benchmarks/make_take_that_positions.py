"""Writes the Take That position sets of the benchmarks: `python benchmarks/make_take_that_positions.py`, from the root.

One position a line; lines that begin with # say how the set was made. The hardest are found by `climb_take_that.py`. The whole
rounds were dealt by numpy, as `samples.selfplay` did once; it deals other cards now, but the sets stay, so that figures stay
comparable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from backtrick.take_that import Position, unpack
from backtrick.take_that.policies import POLICIES
from backtrick.take_that.position import HAND_SIZE
from backtrick.take_that.rule_options import DECK
from backtrick.take_that.samples import hard, play_rounds

FOLDER = Path(__file__).parent / "positions"


def played(count: int, seed: int, policies: tuple[str, str]) -> list[Position]:
    """The endgames of rounds that numpy dealt."""
    decks = np.array([np.random.default_rng([seed, number]).permutation(DECK) for number in range(count)], np.uint8)
    decks[:, 2 * HAND_SIZE :] = decks[:, : 2 * HAND_SIZE - 1 : -1]  # the pile's next card was the last
    return unpack(play_rounds(decks, POLICIES.seats(policies, 0, count), progress=False).endgames)


SETS: dict[str, tuple[str, Callable[[], Iterable[Position]]]] = {
    "take_that_selfplay": (
        "10,000 of whole rounds, careful against careful, dealt by numpy, seed 1",
        lambda: played(10_000, 1, ("careful", "careful")),
    ),
    "take_that_mixed": (
        "2,000 of whole rounds, careful against eager, dealt by numpy, seed 2",
        lambda: played(2_000, 2, ("careful", "eager")),
    ),
    "take_that_hard": ("backtrick.take_that.samples.hard(500, seed=1)", lambda: hard(500, seed=1)),
}


def text_of(name: str) -> str:
    """The file of a set."""
    origin, positions = SETS[name]
    lines = (f"# Endgames of Take That: {origin}", "# Written by: python benchmarks/make_take_that_positions.py", *positions())
    return "".join(f"{line}\n" for line in lines)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in SETS:
        path = FOLDER / f"{name}.txt"
        path.write_text(text_of(name))
        print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
