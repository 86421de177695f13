"""Writes the deals of the benchmarks: `python benchmarks/make_deals.py`, from the root of the repository.

A deal is cut from a whole game: in Face to Face between two frugal players, the first position in which both draw piles hold at
most R cards; in Take That between two careful players, the position with R cards in the draw pile. One deal a line; lines that
begin with # say how the set was made. A later version may deal other cards for a seed, so the committed files are what counts.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

from solver.core.errors import IllegalTurnError
from solver.face_to_face.playing import decks_of, turns_of_game
from solver.face_to_face.policies import POLICIES
from solver.face_to_face.position import Position, Side
from solver.face_to_face.rules import after
from solver.take_that import playing as rounds
from solver.take_that.action import unpack_action
from solver.take_that.policies import POLICIES as TAKE_THAT_POLICIES
from solver.take_that.position import Position as TakeThatPosition
from solver.take_that.state import MOVE, State

FOLDER = Path(__file__).parent / "positions"
MOST = (8, 10, 12, 14, 16, 20)
TAKE_THAT_PILES = (4, 8, 10, 12, 14, 16)
COUNT, SEED = 200, 110_011
BLOCK = 64


def deals(most: int, seed: int) -> Iterator[Position]:
    """Of each game the first position with both piles of at most `most` cards. A game that ends before yields nothing."""
    for start in count(0, BLOCK):
        decks = decks_of(seed, start, start + BLOCK)
        policies = POLICIES.seats(("frugal", "frugal"), start, start + BLOCK)
        for game in range(BLOCK):
            first, second = (tuple(deck.tolist()) for deck in decks[game])
            position = Position(Side(1, 60, first[:6], first[6:]), Side(1, 60, second[:6], second[6:]))
            for turn in turns_of_game(decks, policies, game):
                if max(len(position.mover.pile), len(position.opponent.pile)) <= most:
                    break
                try:
                    position = after(position, turn)
                except IllegalTurnError:
                    break
            if max(len(position.mover.pile), len(position.opponent.pile)) <= most:
                yield position


def take_that_deals(pile: int, seed: int) -> Iterator[TakeThatPosition]:
    """Of each round the position with `pile` cards in the draw pile."""
    for start in count(0, BLOCK):
        decks = rounds.decks_of(seed, start, start + BLOCK)
        policies = TAKE_THAT_POLICIES.seats(("careful", "careful"), start, start + BLOCK)
        actions = rounds.play_rounds(decks, policies, 1, progress=False, actions=True).actions
        for deck, codes in zip(decks.tolist(), actions.tolist(), strict=True):
            state = State.deal(deck)
            for code in codes:
                if len(state.pile) == pile and state.phase == MOVE:
                    break
                state = state.apply(unpack_action(code))
            yield state.position()


def write(path: Path, about: str, seed: int, found: Iterator[object]) -> None:
    header = f"# Deals of {about}, seed {seed}\n# Written by: python benchmarks/make_deals.py\n"
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
        write(options.folder / f"deals_{most}.txt", about, options.seed, islice(deals(most, options.seed), options.count))
    for pile in TAKE_THAT_PILES:
        about = f"Take That: {pile} cards in the pile, from rounds between careful players"
        found = islice(take_that_deals(pile, options.seed), options.count)
        write(options.folder / f"take_that_deals_{pile}.txt", about, options.seed, found)


if __name__ == "__main__":
    main()
