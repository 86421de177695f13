"""How long equilibria take while both hands are hidden: `python benchmarks/equilibria.py`, from the root of the repository.

The states are the first ones of their kind in games that a player plays with itself, a state of a kind from each game; all hands
are equally likely. Times are the processor's, of one thread. Face to Face goes by the sizes of both piles. Take That has two cards
in the pile (`--pile`), and its bounds are brought to at most `--gap` points. What `tuned`
is sure of is found with two only, because it is asked for each hand.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from fractions import Fraction
from importlib import metadata

import numpy as np

import record
from backtrick import face_to_face, take_that
from backtrick.budget import Budget
from backtrick.games import game_of, whole_game_of
from backtrick.play.state import GAME_OVER
from backtrick.take_that.policies import tuned

KINDS = {"0-2, 0-2": ((0, 2), (0, 2)), "3-4, 0-2": ((3, 4), (0, 2)), "0-2, 3-4": ((0, 2), (3, 4)), "3-4, 3-4": ((3, 4), (3, 4)),
         "5, 0-2": ((5, 5), (0, 2)), "0-2, 5": ((0, 2), (5, 5))}  # fmt: skip


def games(name: str, player: str, seed: int) -> Iterator[list]:
    """Games one after another, each as its states at the beginning of a turn."""
    game = game_of(name)
    whole_game = whole_game_of(game)
    one = whole_game.players.player(player)
    for number in range(1 << 20):
        state, met = whole_game.deal(seed, number, game.published), []
        while state.to_move != GAME_OVER:
            if state.position() is not None:
                met.append(state)
            state = state.play(state.ask(one, game.read_turn))
        yield met


def kind_of(state: face_to_face.PublicState) -> str | None:
    """By the sizes of both piles; None if no kind has these, or both are empty."""
    mover, opponent = state.mover.pile_size, state.opponent.pile_size
    for name, ((least, most), (other_least, other_most)) in KINDS.items():
        if least <= mover <= most and other_least <= opponent <= other_most and mover + opponent:
            return name
    return None


def measure_face_to_face(options: argparse.Namespace) -> list[list[object]]:
    waiting = {name: [] for name in KINDS}
    wanted = {name: options.five if "5" in name else options.states if name.endswith("0-2") else options.long for name in KINDS}
    for met in games("face_to_face", options.player, options.seed):
        publics = [face_to_face.PublicState.of(state.view(state.to_move)) for state in met]
        for name, found in waiting.items():
            found += [public for public in publics if kind_of(public) == name][: len(found) < wanted[name]]
        if all(len(found) == wanted[name] for name, found in waiting.items()):
            break
    times = "median, s", "90 %, s", "99 %, s", "worst, s"
    rows: list[list[object]] = [["piles, mover and opponent", "states", "exact", "0 < value < 1", "a hand mixes", *times]]
    for name, states in waiting.items():
        if not states:
            continue
        seconds, answers = [], []
        for state in states:
            begun = time.process_time()
            answers.append(face_to_face.equilibrium(state, budget=Budget(seconds=options.seconds)))
            seconds.append(time.process_time() - begun)
        shares = [record.rounded(share) for share in np.percentile(seconds, [50, 90, 99, 100])]
        mixed = sum(any(hand.mixes for hand in found.hands.values()) for found in answers)
        between = sum(found.bounds not in ((0, 0), (1, 1)) for found in answers)
        rows.append([name, len(states), sum(found.exact for found in answers), between, mixed, *shares])
        print(*rows[-1], sep="\t", flush=True)
    return rows


def measure_take_that(options: argparse.Namespace) -> list[list[object]]:
    rows: list[list[object]] = [["line", "lowest", "highest", "steps", "s", *(["`tuned` is sure of"] if options.pile == 2 else [])]]
    for met in games("take_that", "tuned", options.seed):
        if len(rows) > options.rounds:
            return rows
        state = next((state for state in met if len(state.pile) == options.pile), None)
        if state is None:
            continue
        if options.hand:
            unseen = take_that.PublicState.of(state.view(state.to_move)).unseen[: 2 * options.hand + options.pile]
            state = take_that.PublicState(state.line, unseen, options.hand, options.hand)
        begun = time.process_time()
        found = take_that.equilibrium(state, gap=options.gap, budget=Budget(search_threads=1, table_mib=options.mib))
        spent = time.process_time() - begun
        bounds = [f"{float(bound):.4f}" for bound in (*found.bounds, *([found.sure_of(tuned)] if options.pile == 2 else []))]
        line = "-".join(map(str, found.state.line)) or "-"
        rows.append([line, *bounds[:2], found.plans.steps, record.rounded(spent), *bounds[2:]])
        print(*rows[-1], sep="\t", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=10, help="of Face to Face, of each kind with 0-2 in the opponent's pile")
    parser.add_argument("--long", type=int, default=2, help="of each other kind: these take longer")
    parser.add_argument("--five", type=int, default=0, help="of each kind with five cards in a pile: seconds to hours each")
    parser.add_argument("--rounds", type=int, default=0, help="of Take That; each takes a minute or so")
    parser.add_argument("--player", default="frugal", help="who plays the games of Face to Face")
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--seconds", type=float, help="for a state of Face to Face; then it has bounds")
    parser.add_argument("--pile", type=int, default=2)
    parser.add_argument("--hand", type=int, help="of Take That: so many cards each, the lowest that are not seen, in place of nine")
    parser.add_argument("--mib", type=int, help="memory for values and strategies of Take That")
    parser.add_argument("--gap", type=Fraction, default=Fraction(1, 100))
    record.add_json(parser)
    options = parser.parse_args()
    print(f"seed {options.seed}, scipy {metadata.version('scipy')}, load {os.getloadavg()[0]:.1f}")
    tables = {"face_to_face": measure_face_to_face(options), "take_that": measure_take_that(options)}
    note = f"scipy {metadata.version('scipy')}, load of the machine {os.getloadavg()[0]:.1f}"
    record.write(options.json, tables, note)


if __name__ == "__main__":
    main()
