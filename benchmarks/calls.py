"""The time of each public call as a user pays it, from text to answer, on the committed self-play endgames of both games.

    python benchmarks/calls.py [--rounds N] [--lines N] [--json FILE]

Prints the machine and two tables in Markdown, which docs/benchmarks.md shows. A time is the median of the rounds; a round is a
pass over the positions. The time of a command is that of a whole process, from a file of N lines to nowhere, divided by their
number. The second table has the lines a second of the commands, and their greatest memory for N and for ten times N lines.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import machine
import record
from backtrick import face_to_face, take_that
from backtrick.face_to_face import samples as duel_deals
from backtrick.take_that import samples as line_deals
from timing import clock, medians

HERE = Path(__file__).parent
SETS = {"face_to_face": "selfplay.txt", "take_that": "take_that_selfplay.txt"}
FEW, MANY, GAMES = 500, 10_000, 500
LINES = 1_000_000
COMMANDS = ("solve -", "solve --json -", "best -")
MODULES = {"face_to_face": face_to_face, "take_that": take_that}
DEALS = {"face_to_face": duel_deals, "take_that": line_deals}


def lines_of(name: str) -> list[str]:
    """The committed positions of a game."""
    text = (HERE / "positions" / SETS[name]).read_text()
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def written(name: str, count: int, place: Path) -> Path:
    """A file of `count` lines: the committed positions, over and over."""
    path = place / f"{name}.txt"
    lines = lines_of(name)
    with path.open("w") as file:
        for start in range(0, count, len(lines)):
            file.writelines(f"{line}\n" for line in lines[: count - start])
    return path


def array_tasks(name: str, array: np.ndarray) -> dict[str, Callable[[], float]]:
    """The tasks of array forms besides `solve_many` and `best_many`."""
    game, best = MODULES[name], MODULES[name].best_many(array, progress=False)
    array, best = array[best != 0], best[best != 0]
    some = array[:2_000]
    listed = {position: len(game.outcome_rows(position)) for position in game.unpack(some)}
    position, rows = max(listed.items(), key=lambda one: one[1] if one[1] <= 600 else 0)

    def many(form: Callable[..., object], *given: np.ndarray) -> Callable[[], float]:
        return lambda: clock(lambda: form(*given, progress=False)) / len(given[0])

    return {
        "`optimal_many(array)`, a position": many(game.optimal_many, array),
        "`lines_many(array)`, a position": many(game.lines_many, array),
        "`grade_many(array, turns)`, a turn": many(game.grade_many, array, best),
        "`outcomes_many(array)`, a position": many(game.outcomes_many, some),
        "`outcome_rows(position)`, a row": lambda: clock(lambda: [game.outcome_rows(position) for _ in range(200)]) / 200 / rows,
    }


def command(words: str, path: Path, count: int) -> Callable[[], float]:
    """A task that runs a command on the lines of a file. It returns seconds a line."""

    def run() -> float:
        with path.open("rb") as file:
            line = [sys.executable, "-m", "backtrick", *words.split(), "--quiet"]
            return clock(lambda: subprocess.run(line, stdin=file, stdout=subprocess.DEVNULL, check=True)) / count

    return run


def memory(words: str, path: Path, times: int) -> float:
    """The greatest memory of a command, in MiB, that reads a file this many times through a pipe."""
    line = [sys.executable, "-m", "backtrick", *words.split(), "--quiet"]
    process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    with process.stdin as stream:
        for _ in range(times):
            with path.open("rb") as file:
                shutil.copyfileobj(file, stream, 1 << 20)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, line)
    return used.ru_maxrss / 1024


def tasks(name: str, path: Path, count: int) -> dict[str, Callable[[], float]]:
    """The tasks by name. Each returns seconds an item. path: of a file of `count` lines."""
    game, lines = MODULES[name], lines_of(name)
    positions = [game.Position.parse(line) for line in lines]
    few = positions[:FEW]
    turns = [game.best_turn(position) for position in few]
    pairs = [(position, turn) for position, turn in zip(few, turns, strict=True) if turn is not None]
    array = game.pack(positions[:MANY])
    best, text = game.best_many(array, progress=False), game.format_many(array)

    def each(call: Callable[[object], object], items: list) -> Callable[[], float]:
        return lambda: clock(lambda: [call(item) for item in items]) / len(items)

    return {
        "`Position.parse(text)`": each(game.Position.parse, lines[:FEW]),
        "`value(position)`": each(game.value, few),
        "`solve(position)`, its value": each(lambda one: game.solve(one).value, few),
        "`best_turn(position)`": each(game.best_turn, few),
        "`list(outcomes(position))`": each(lambda one: list(game.outcomes(one)), few[:100]),
        "`grade(position, turn)`": each(lambda pair: game.grade(*pair), pairs),
        "`list(legal_turns(position))`": each(lambda one: list(game.legal_turns(one)), few[:100]),
        "`selfplay_array(count)`, an endgame": lambda: clock(lambda: DEALS[name].selfplay_array(GAMES, progress=False)) / GAMES,
        "`parse_many(text)`, a line": lambda: clock(lambda: game.parse_many(text)) / len(array),
        "`format_many(array)`, a position": lambda: clock(lambda: game.format_many(array)) / len(array),
        "`turns_text(turns)`, a turn": lambda: clock(lambda: game.turns_text(best)) / len(array),
        "`solve_many(array)`, a position": lambda: clock(lambda: game.solve_many(array, progress=False)) / len(array),
        "`best_many(array)`, a position": lambda: clock(lambda: game.best_many(array, progress=False)) / len(array),
        **array_tasks(name, array),
        **{f"`backtrick {words}`, a line": command(words, path, count) for words in COMMANDS},
        "`backtrick --version`": lambda: clock(
            lambda: subprocess.run([sys.executable, "-m", "backtrick", "--version"], stdout=subprocess.DEVNULL, check=True)
        ),
    }


def time_text(seconds: float) -> str:
    """A time with its unit.

    >>> time_text(0.0000123), time_text(0.25)
    ('12.3 us', '250 ms')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return "0"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds whose median is given (default: %(default)s)")
    parser.add_argument("--lines", type=int, default=LINES, metavar="N", help="lines for a command (default: %(default)s)")
    record.add_json(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        paths = {name: written(name, options.lines, Path(place)) for name in MODULES}
        found = {name: medians(tasks(name, paths[name], options.lines), options.rounds) for name in MODULES}
        used = {name: [memory("solve -", paths[name], times) for times in (1, 10)] for name in MODULES}
    print(machine.describe(), end="\n\n")
    calls: list[tuple[object, ...]] = [("call", "Face to Face", "Take That")]
    for call in found["face_to_face"]:
        calls.append((call, *(time_text(found[name][call]) for name in MODULES)))
    memory_of: list[tuple[object, ...]] = [("memory", "Face to Face", "Take That")]
    for times, count in enumerate((options.lines, 10 * options.lines)):
        memory_of.append((f"`backtrick solve -`, {count:,} lines", *(f"{used[name][times]:.0f} MiB" for name in MODULES)))
    print(record.markdown(calls), record.markdown(memory_of), sep="\n\n")
    record.write(options.json, {"calls": calls, "memory": memory_of})
    return 0


if __name__ == "__main__":
    sys.exit(main())
