"""The time of each public call as a user pays it, from text to answer, on the committed self-play endgames of both games.

    python benchmarks/calls.py [--rounds N]

Prints the machine and one table in Markdown; README shows the same table. A time is the median of the rounds, and each round is a
pass over the positions. The time of a command is that of a whole process, divided by the number of lines.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import machine
import numpy as np
from timing import clock, medians

from solver import face_to_face, take_that
from solver.face_to_face import deals as duel_deals
from solver.take_that import deals as line_deals

HERE = Path(__file__).parent
SETS = {"face_to_face": "selfplay.txt", "take_that": "take_that_selfplay.txt"}
FEW, MANY, GAMES = 500, 10_000, 500
MODULES = {"face_to_face": face_to_face, "take_that": take_that}
DEALS = {"face_to_face": duel_deals, "take_that": line_deals}


def lines_of(name: str) -> list[str]:
    """The committed positions of a game."""
    text = (HERE / "positions" / SETS[name]).read_text()
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def command(arguments: list[str], lines: list[str]) -> Callable[[], float]:
    """A task that runs the command on lines from standard input. It returns seconds a line."""
    text = "\n".join(lines).encode() + b"\n"
    words = [sys.executable, "-m", "solver", *arguments]
    return lambda: clock(lambda: subprocess.run(words, input=text, stdout=subprocess.DEVNULL, check=True)) / len(lines)


def array_tasks(name: str, array: np.ndarray) -> dict[str, Callable[[], float]]:
    """The tasks of array forms besides `solve_many` and `best_many`."""
    game, best = MODULES[name], MODULES[name].best_many(array, progress=False)
    array, best = array[best != 0], best[best != 0]
    some = array[:2_000]
    richest = max(map(game.solve, game.unpack(some)), key=lambda answer: len(answer.rows) if len(answer.rows) <= 600 else 0)
    position, rows = richest.position, len(richest.rows)

    def many(form: Callable[..., object], *given: np.ndarray) -> Callable[[], float]:
        return lambda: clock(lambda: form(*given, progress=False)) / len(given[0])

    return {
        "`optimal_many(array)`, a position": many(game.optimal_many, array),
        "`lines_many(array)`, a position": many(game.lines_many, array),
        "`grade_many(array, turns)`, a turn": many(game.grade_many, array, best),
        "`outcomes_many(array)`, a position": many(game.outcomes_many, some),
        f"`solve(position).rows`, {rows} rows": lambda: clock(lambda: game.solve(position).rows),
    }


def tasks(name: str) -> dict[str, Callable[[], float]]:
    """The tasks by name. Each returns seconds an item."""
    game, lines = MODULES[name], lines_of(name)
    positions = [game.Position.parse(line) for line in lines]
    few = positions[:FEW]
    turns = [game.best_turn(position) for position in few]
    pairs = [(position, turn) for position, turn in zip(few, turns, strict=True) if turn is not None]
    array = game.pack(positions[:MANY])
    value = game.remoteness if name == "face_to_face" else game.value
    turns_of = game.legal_turns if name == "face_to_face" else game.legal_actions

    def each(call: Callable[[object], object], items: list) -> Callable[[], float]:
        return lambda: clock(lambda: [call(item) for item in items]) / len(items)

    return {
        "`Position.parse(text)`": each(game.Position.parse, lines[:FEW]),
        f"`{value.__name__}(position)`": each(value, few),
        "`solve(position)`, its value": each(lambda one: game.solve(one).value, few),
        "`best_turn(position)`": each(game.best_turn, few),
        "`solve(position).outcomes`": each(lambda one: game.solve(one).outcomes, few[:100]),
        "`grade(position, turn)`": each(lambda pair: game.grade(*pair), pairs),
        f"`{turns_of.__name__}(position)`": each(turns_of, few[:100]),
        "`selfplay_array(count)`, an endgame": lambda: clock(lambda: DEALS[name].selfplay_array(GAMES, progress=False)) / GAMES,
        "`solve_many(array)`, a position": lambda: clock(lambda: game.solve_many(array, progress=False)) / len(array),
        "`best_many(array)`, a position": lambda: clock(lambda: game.best_many(array, progress=False)) / len(array),
        **array_tasks(name, array),
        "`backtrick solve -`, a line": command(["solve", "-"], lines[:MANY]),
        "`backtrick solve --json -`, a line": command(["solve", "--json", "-"], lines[:MANY]),
        "`backtrick --version`": lambda: clock(
            lambda: subprocess.run([sys.executable, "-m", "solver", "--version"], stdout=subprocess.DEVNULL, check=True)
        ),
    }


def time_text(seconds: float) -> str:
    """A time with its unit.

    >>> time_text(0.0000123), time_text(0.25)
    ('12.3 us', '250 ms')
    """
    for unit, size in (("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return "0"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds whose median is given (default: %(default)s)")
    options = parser.parse_args()
    found = {name: medians(tasks(name), options.rounds) for name in MODULES}
    print(machine.describe(), end="\n\n")
    print("| call | Face to Face | Take That |\n|---|---|---|")
    for mine, other in zip(*found.values(), strict=True):
        call = mine if mine == other else f"{mine}, {other}"
        print(f"| {call} | {time_text(found['face_to_face'][mine])} | {time_text(found['take_that'][other])} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
