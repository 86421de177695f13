"""Equilibria of many public states, into a file to which the same command adds what is missing."""

from __future__ import annotations

import argparse
import json
import time
from functools import partial
from pathlib import Path
from typing import Any

from backtrick.budget import Budget
from backtrick.cli.arguments import rules_of
from backtrick.cli.streams import say
from backtrick.errors import BacktrickError, FileError, LineError, UsageError
from backtrick.games import game_of, tell
from backtrick.progress import bar
from backtrick.storage.atomic import reported
from backtrick.storage.workers import executor_of
from backtrick.threads import map_ordered

AHEAD = 4
"""States for each worker that wait for their turn."""


def solve_file(options: argparse.Namespace) -> int:
    """Adds to --output, for each line of --input in its order, a record that is not there yet.

    A record is a line, and is written at once: after an interrupt the same command goes on with the next state. The end of a line
    that was being written is dropped.
    """
    if options.state is not None or options.input is None or options.output is None or options.svg is not None:
        raise UsageError("--input FILE and --output FILE go together, without STATE and --svg")
    source, target = Path(options.input), Path(options.output)
    with reported(source):
        states = [line for line in source.read_text(encoding="utf-8").splitlines() if line.strip()]
    done = _kept(target, states)
    missing = enumerate(states[done:], done + 1)
    with (
        reported(target),
        target.open("a", encoding="utf-8") as file,
        executor_of(options.workers) as (pool, workers),
        bar(len(states) - done, "equilibrium", "states", False if options.quiet else None) as shown,
    ):
        for record in map_ordered(pool, partial(_record, options), missing, AHEAD * workers):
            file.write(record)
            file.flush()
            shown.update(1)
    if not options.quiet:
        say(f"{len(states):,} of {len(states):,} states")
    return 0


def _kept(target: Path, states: list[str]) -> int:
    """How many records a file has, each of the state of its line; what follows the last whole line is cut off."""
    if not target.exists():
        return 0
    with reported(target):
        text = target.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if len(whole) < len(text):
            with target.open("r+b") as file:
                file.truncate(len(whole))
    lines = whole.decode("utf-8", "replace").splitlines()
    for number, line in enumerate(lines):
        try:
            asked: Any = json.loads(line)["asked"]
        except (ValueError, TypeError, KeyError):
            raise FileError(str(target), f"line {number + 1} is no record of equilibrium --output") from None
        if number >= len(states) or asked != states[number]:
            raise FileError(str(target), f"line {number + 1} is not of state {number + 1} of --input")
    return len(lines)


def _record(options: argparse.Namespace, one: tuple[int, str]) -> str:
    """A state as it was asked, and its answer, as a line. Times are the processor's, of this process."""
    (number, state), begun = one, time.process_time()
    try:
        game = game_of(options.game) if options.game else tell(state)
        gap = {} if options.gap is None else {"gap": options.gap}
        budget = Budget(seconds=options.seconds, search_threads=1)
        found = game.equilibrium(state, budget=budget, rules=rules_of(options, game), **gap).record()
    except BacktrickError as error:
        raise LineError(f"line {number}", error) from None
    if not options.hands:
        del found["hands"]
    return json.dumps({"asked": state, "game": game.name, **found, "seconds": round(time.process_time() - begun, 3)}) + "\n"
