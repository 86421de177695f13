"""How long equilibria take while both hands are hidden: `python benchmarks/equilibria.py`, from the root of the repository.

The states are the first ones of their kind in games that players play with themselves, a state of a kind from each game, the
players in turns; all hands are equally likely. Times are the processor's, of all threads together. Face to Face goes by the sizes
of both piles; a state is *open* unless it is won, or lost, whoever holds what. Take That has two cards in the pile (`--pile`), and
its bounds are brought to at most `--gap` points. What `tuned` is sure of is found with two only, because it is asked for each hand.

What is imported for the first answer of a process is not in the times: `FIRST` is asked before the others.

With `--before FOLDER`, the folder `solver` of another source tree with its kernels built, that version answers the same states.
Each version has a process of its own, and they are asked in turns, so that a slow minute of the machine hits both.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from importlib import metadata
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np

import record
from backtrick import face_to_face, take_that
from backtrick.games import game_of, whole_game_of
from backtrick.play.state import GAME_OVER

KINDS = {"0-2, 0-2": ((0, 2), (0, 2)), "3-4, 0-2": ((3, 4), (0, 2)), "0-2, 3-4": ((0, 2), (3, 4)), "3-4, 3-4": ((3, 4), (3, 4)),
         "5, 0-2": ((5, 5), (0, 2)), "0-2, 5": ((0, 2), (5, 5))}  # fmt: skip
FIRST = "56^10v:?6:3,6,7,14,22,44,45,49,58,59 47^38v:?6:2,7,8,20,35,39,44"
TASK = """
import json, resource, sys, time
from fractions import Fraction
from importlib import import_module
for line in sys.stdin:
    asked = json.loads(line)
    game = import_module("backtrick." + asked["game"])
    given = asked["state"]
    state = given if isinstance(given, str) else game.PublicState(*map(tuple, given[:2]), *given[2:])
    begun = time.process_time()
    found = game.equilibrium(state, gap=Fraction(asked["gap"]), budget=game.Budget(**asked["limits"]))
    told = {"s": time.process_time() - begun}
    low, high = found.bounds if hasattr(found, "bounds") else (found.lowest, found.highest)
    told |= {"low": str(low), "high": str(high), "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}
    if asked["sure"]:
        told["sure"] = float(found.sure_of("tuned"))
    print(json.dumps(told), flush=True)
"""


class Version:
    """A source tree that answers states, in a process of its own. solver: its folder, None for this one."""

    def __init__(self, solver: Path | None) -> None:
        path = {} if solver is None else {"PYTHONPATH": str(solver.resolve())}
        self.process = subprocess.Popen([sys.executable, "-c", TASK], env={**os.environ, **path}, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)  # fmt: skip

    def ask(self, game: str, state: object, gap: Fraction = Fraction(), sure: bool = False, **limits: object) -> dict[str, Any]:
        asked = {"game": game, "state": state, "gap": str(gap), "sure": sure, "limits": limits}
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())


def games(name: str, players: list[str], seed: int) -> Iterator[list]:
    """Games one after another, each as its states at the beginning of a turn."""
    game = game_of(name)
    whole_game = whole_game_of(game)
    for number, player in enumerate(cycle(whole_game.players.player(player) for player in players)):
        state, met = whole_game.deal(seed, number, game.published), []
        while state.to_move != GAME_OVER:
            if state.position() is not None:
                met.append(state)
            state = state.play(state.ask(player, game.read_turn))
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
    for met in games("face_to_face", options.players, options.seed):
        if all(len(found) == wanted[name] for name, found in waiting.items()):
            break
        publics = [face_to_face.PublicState.of(state.view(state.to_move)) for state in met]
        for name, found in waiting.items():
            found += [str(public) for public in publics if kind_of(public) == name][: len(found) < wanted[name]]
    limits = {"seconds": options.seconds}
    rows: list[list[object]] = [["piles, mover and opponent", "states", "exact", "median, s", "90 %, s", "99 %, s", "worst, s"]]
    for name, states in waiting.items():
        versions = {"": Version(None), **({"before": Version(options.before)} if options.before else {})}
        for version in versions.values():
            version.ask("face_to_face", FIRST)
        told = {which: [] for which in versions}
        for number, state in enumerate(states):
            for which in sorted(versions, reverse=number % 2 == 1):
                told[which].append(versions[which].ask("face_to_face", state, **limits))
            if options.verbose:
                print(state, {which: one[-1] for which, one in told.items()}, flush=True)
        is_open = [not any(one[number]["high"] in ("0",) or one[number]["low"] == "1" for one in told.values())
                   for number in range(len(states))]  # fmt: skip
        for words, chosen in (("", [True] * len(states)), ("open", is_open)):
            for which, answers in told.items():
                asked = [answer for answer, wanted in zip(answers, chosen, strict=True) if wanted]
                if asked:
                    shares = [record.rounded(share) for share in np.percentile([one["s"] for one in asked], [50, 90, 99, 100])]
                    exact = sum(answer["low"] == answer["high"] for answer in asked)
                    rows.append(["; ".join(filter(None, (name, words, which))), len(asked), exact, *shares])
                    print(*rows[-1], sep="\t", flush=True)
    return rows


def measure_take_that(options: argparse.Namespace) -> list[list[object]]:
    sure = options.pile == 2
    rows: list[list[object]] = [["line", "lowest", "highest", "s", "MiB", *(["`tuned` is sure of"] if sure else [])]]
    met = (next((state for state in states if len(state.pile) == options.pile), None)
           for states in games("take_that", ["tuned"], options.seed))  # fmt: skip
    for state in islice(filter(None, met), options.rounds):
        public = take_that.PublicState.of(state.view(state.to_move))
        held = [options.hand] * 2 if options.hand else public.held
        given = [public.line, public.unseen[: sum(held) + options.pile], *held]
        for which in ("", "before") if options.before else ("",):
            version = Version(options.before if which else None)  # a new process, for its memory
            told = version.ask("take_that", given, options.gap, sure, search_threads=options.threads, table_mib=options.mib)
            bounds = [f"{float(Fraction(told[name])):.4f}" for name in ("low", "high")]
            line = "-".join(map(str, public.line)) or "-"
            rows.append(["; ".join(filter(None, (line, which))), *bounds, record.rounded(told["s"]), told["mib"],
                         *([f"{told['sure']:.4f}"] if sure else [])])  # fmt: skip
            print(*rows[-1], sep="\t", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=10, help="of Face to Face, of each kind with 0-2 in the opponent's pile")
    parser.add_argument("--long", type=int, default=2, help="of each other kind: these take longer")
    parser.add_argument("--five", type=int, default=0, help="of each kind with five cards in a pile: seconds to hours each")
    parser.add_argument("--rounds", type=int, default=0, help="of Take That; each takes a minute or so")
    parser.add_argument("--players", nargs="+", default=["frugal", "tuned", "net", "sampler"], help="of the games of Face to Face")
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--seconds", type=float, help="for a state of Face to Face; then it has bounds")
    parser.add_argument("--threads", type=int, default=1, help="for the endgames of Take That")
    parser.add_argument("--pile", type=int, default=2)
    parser.add_argument("--hand", type=int, help="of Take That: so many cards each, the lowest that are not seen, in place of nine")
    parser.add_argument("--mib", type=int, help="memory for values and strategies of Take That")
    parser.add_argument("--gap", type=Fraction, default=Fraction(1, 100))
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="the folder `solver` of another version")
    parser.add_argument("--verbose", action="store_true", help="print each state of Face to Face too")
    record.add_json(parser)
    options = parser.parse_args()
    print(f"seed {options.seed}, scipy {metadata.version('scipy')}, load {os.getloadavg()[0]:.1f}")
    tables = {"face_to_face": measure_face_to_face(options), "take_that": measure_take_that(options)}
    note = f"scipy {metadata.version('scipy')}, load of the machine {os.getloadavg()[0]:.1f}"
    record.write(options.json, tables, note)


if __name__ == "__main__":
    main()
