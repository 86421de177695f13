"""Writes the sets of endgames of the benchmarks: `python benchmarks/make/make_positions.py`, from the root of the repository.

One position a line; lines that begin with # say how the set was made. The whole games were dealt by numpy, as `samples.selfplay`
did once, and so were the endgames of `samples.tight`. Both draw other cards now, but the sets stay, so that figures stay
comparable. The hardest endgames of Take That are found by `climb_take_that.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, count, islice
from pathlib import Path

import numpy as np

from backtrick import face_to_face, take_that
from backtrick.errors import PositionError
from backtrick.face_to_face.policies import POLICIES
from backtrick.face_to_face.samples import play_games
from backtrick.take_that.policies import POLICIES as TAKE_THAT_POLICIES
from backtrick.take_that.position import HAND_SIZE
from backtrick.take_that.rule_options import DECK
from backtrick.take_that.samples import hard, play_rounds

FOLDER = Path(__file__).parents[1] / "positions"
GAMES = 1_000  # of Face to Face, played at a time


def played(number: int, seed: int) -> Iterable[face_to_face.Position]:
    """The first `number` endgames of two frugal players, of games that numpy dealt."""
    return islice(chain.from_iterable(endgames(seed, start) for start in count(0, GAMES)), number)


def endgames(seed: int, start: int) -> list[face_to_face.Position]:
    """The endgames that games start, start + 1, ... reach."""
    decks = []
    for game in range(start, start + GAMES):
        rng = np.random.default_rng([seed, game])
        decks.append([rng.permutation(58)[::-1] + 2, rng.permutation(58)[::-1] + 2])  # F1
    seats = POLICIES.seats(("frugal", "frugal"), start, start + GAMES)
    return face_to_face.unpack(play_games(np.array(decks, np.uint8), seats, progress=False).reached)


def tight(number: int, seed: int) -> Iterable[face_to_face.Position]:
    """Endgames as `samples.tight` describes them, drawn by numpy."""
    for place in range(number):
        rng = np.random.default_rng([seed, place])
        while (position := drawn(rng)) is None or face_to_face.value(position) < 2:
            pass
        yield position


def drawn(rng: np.random.Generator) -> face_to_face.Position | None:
    """A position of two hands of pairs 10 apart; None if it is not well-formed."""
    ascending, descending = rng.integers(35, 60, 2).tolist(), rng.integers(2, 26, 2).tolist()
    hands = [pairs(rng), pairs(rng)]
    try:
        return face_to_face.Position(*map(face_to_face.Side, ascending, descending, hands))
    except PositionError:
        return None


def pairs(rng: np.random.Generator) -> tuple[int, ...]:
    """A hand of six cards, each 10 from another."""
    hand: set[int] = set()
    while len(hand) != 6:
        if len(hand) > 6:
            hand = set()
        card = int(rng.integers(2, 50))
        hand |= {card, card + 10}
    return tuple(hand)


def rounds(number: int, seed: int, policies: tuple[str, str]) -> list[take_that.Position]:
    """The endgames of rounds of Take That that numpy dealt."""
    decks = np.array([np.random.default_rng([seed, one]).permutation(DECK) for one in range(number)], np.uint8)
    decks[:, 2 * HAND_SIZE :] = decks[:, : 2 * HAND_SIZE - 1 : -1]  # the pile's next card was the last
    return take_that.unpack(play_rounds(decks, TAKE_THAT_POLICIES.seats(policies, 0, number), progress=False).endgames)


SETS: dict[str, tuple[str, Callable[[], Iterable[object]]]] = {
    "selfplay": (
        "The Game: Face to Face: 20,000 of whole games, frugal against frugal, dealt by numpy, seed 1",
        lambda: played(20_000, seed=1),
    ),
    "tight": (
        "The Game: Face to Face: 2,000 as samples.tight describes them, drawn by numpy, seed 1",
        lambda: tight(2_000, seed=1),
    ),
    "take_that_selfplay": (
        "Take That: 10,000 of whole rounds, careful against careful, dealt by numpy, seed 1",
        lambda: rounds(10_000, 1, ("careful", "careful")),
    ),
    "take_that_mixed": (
        "Take That: 2,000 of whole rounds, careful against eager, dealt by numpy, seed 2",
        lambda: rounds(2_000, 2, ("careful", "eager")),
    ),
    "take_that_hard": ("Take That: backtrick.take_that.samples.hard(500, seed=1)", lambda: hard(500, seed=1)),
}


def text_of(name: str) -> str:
    """The file of a set."""
    origin, positions = SETS[name]
    lines = (f"# Endgames of {origin}", "# Written by: python benchmarks/make/make_positions.py", *positions())
    return "".join(f"{line}\n" for line in lines)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in SETS:
        path = FOLDER / f"{name}.txt"
        path.write_text(text_of(name))
        print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
