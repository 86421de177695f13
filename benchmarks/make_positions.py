"""Writes the position sets of the benchmarks: `python benchmarks/make_positions.py`, from the root of the repository.

One position a line; lines that begin with # say how the set was made. The whole games were dealt by numpy, as `samples.selfplay`
did once; it deals other cards now, but the sets stay, so that figures stay comparable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, count, islice
from pathlib import Path

import numpy as np

from backtrick.face_to_face import Position, unpack
from backtrick.face_to_face.policies import POLICIES
from backtrick.face_to_face.samples import play_games, tight

FOLDER = Path(__file__).parent / "positions"
GAMES = 1_000  # played at a time


def played(number: int, seed: int) -> Iterable[Position]:
    """The first `number` endgames of two frugal players, of games that numpy dealt."""
    return islice(chain.from_iterable(endgames(seed, start) for start in count(0, GAMES)), number)


def endgames(seed: int, start: int) -> list[Position]:
    """The endgames that games start, start + 1, ... reach."""
    decks = []
    for game in range(start, start + GAMES):
        rng = np.random.default_rng([seed, game])
        decks.append([rng.permutation(58)[::-1] + 2, rng.permutation(58)[::-1] + 2])  # F1
    seats = POLICIES.seats(("frugal", "frugal"), start, start + GAMES)
    return unpack(play_games(np.array(decks, np.uint8), seats, progress=False).reached)


SETS: dict[str, tuple[str, Callable[[], Iterable[Position]]]] = {
    "selfplay": ("20,000 of whole games, frugal against frugal, dealt by numpy, seed 1", lambda: played(20_000, seed=1)),
    "tight": ("backtrick.face_to_face.samples.tight(2_000, seed=1)", lambda: tight(2_000, seed=1)),
}


def text_of(name: str) -> str:
    """The file of a set."""
    origin, positions = SETS[name]
    lines = (f"# Endgames of The Game: Face to Face: {origin}", "# Written by: python benchmarks/make_positions.py", *positions())
    return "".join(f"{line}\n" for line in lines)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in SETS:
        path = FOLDER / f"{name}.txt"
        path.write_text(text_of(name))
        print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
