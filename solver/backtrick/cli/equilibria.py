"""Equilibria of many public states, into a file to which the same command adds what is missing."""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Any

from backtrick import __version__
from backtrick.budget import Budget
from backtrick.cli.arguments import rules_of
from backtrick.cli.headings import POSITION
from backtrick.cli.input import Query, Written, queries_of
from backtrick.cli.streams import say
from backtrick.errors import BacktrickError, FileError, LineError, UsageError
from backtrick.games import game_of, tell
from backtrick.lines import Line, lines_in
from backtrick.matches.record import options_of
from backtrick.progress import bar
from backtrick.storage.atomic import growing_file
from backtrick.storage.workers import executor_of
from backtrick.threads import map_ordered
from backtrick.writing.formats import RECORDS, ROWS, format_of

AHEAD = 4
"""States for each worker that wait for their turn."""
BEGINNING = b'{"asked": '
SETTINGS = "asked", "game", "rules", "gap", "version"


def solve_file(options: argparse.Namespace) -> int:
    """Adds to --output, for each state of --input in its order, a record that is not there yet.

    A record is a line, and is written at once: after an interrupt the same command goes on with the next state.
    """
    if options.state is not None or options.input is None or options.output is None or options.svg or options.efg or options.after:
        raise UsageError("--input FILE and --output FILE go together, without STATE, --after, --svg and --efg")
    if format_of(options.output) not in (RECORDS, ROWS):
        raise UsageError(f"{options.output}: equilibrium writes records (.jsonl, .json), nothing else")
    states, owns = list[Query](), list[dict[str, Any]]()
    for span in queries_of([], options.input).spans:
        found = list(iter(span.next, None))
        states += found
        owns += [dict(zip(span.heading.names, row, strict=True)) for row in span.rows] if span.heading else [{} for _ in found]
    target = Path(options.output)
    if target.exists() and target.samefile(options.input):
        raise UsageError("--input and --output are the same file")
    done = 0

    def read(text: bytes) -> None:
        nonlocal done
        lines = lines_in(target, text)
        while (line := lines.next()) is not None:
            _check(target, line, _settings(options, states[done]) if done < len(states) else None, options.hands)
            done += 1

    with (
        growing_file(target, lambda text: text.startswith(BEGINNING) or BEGINNING.startswith(text), "equilibria", read) as add,
        executor_of(options.workers) as (pool, workers),
        bar(len(states) - done, "equilibrium", "states", False if options.quiet else None) as shown,
    ):
        records = map_ordered(pool, partial(_record, options), states[done:], AHEAD * workers)
        for own, told in zip(owns[done:], records, strict=True):
            more = {name: value for name, value in own.items() if name.strip().lower() not in {POSITION, *told}}
            add(json.dumps(told | more, default=str) + "\n")
            shown.update(1)
    if not options.quiet:
        say(f"{len(states):,} of {len(states):,} states")
    return 0


def _check(target: Path, line: Line, expected: dict[str, Any] | None, hands: bool) -> None:
    """Raises `FileError` unless a line is the record of the state that was asked, under these settings."""
    try:
        found = json.loads(line.text)
        told = {name: found[name] for name in SETTINGS}
    except (ValueError, TypeError, KeyError, RecursionError):
        raise FileError(str(target), f"{line.place} is no record of equilibrium --output") from None
    if expected is None or told["asked"] != expected["asked"]:
        raise FileError(str(target), f"{line.place} is not of the next state of --input")
    for name in SETTINGS[1:]:
        if told[name] != expected[name]:
            theirs, ours = json.dumps(told[name]), json.dumps(expected[name])
            problem = f"{line.place} was found with {name} {theirs}, and this command has {ours}"
            raise FileError(str(target), f"{problem}; other settings need another file")
    if ("hands" in found) != hands:
        raise FileError(str(target), f"{line.place} was found {'without' if hands else 'with'} --hands; that needs another file")


def _settings(options: argparse.Namespace, one: Query) -> dict[str, Any]:
    """What the record of a state says besides the answer. Raises `LineError`."""
    try:
        assert isinstance(one, Written)
        state, _, name = one.fields()
        wanted = options.game or name
        game = game_of(wanted) if wanted else tell(state)
        gap = None if options.gap is None else str(options.gap)
        rules = options_of(game, game.read_rules(rules_of(options, game)))
        return {"asked": state, "game": game.name, "rules": rules, "gap": gap, "version": __version__}
    except BacktrickError as error:
        raise LineError(one.place, error) from None


def _record(options: argparse.Namespace, one: Query) -> dict[str, Any]:
    """A state as it was asked, and its answer."""
    told = _settings(options, one)
    game = game_of(told["game"])
    try:
        budget = Budget(seconds=options.seconds, search_threads=options.search_threads)
        found = game.equilibrium(told["asked"], rules=rules_of(options, game), gap=options.gap, budget=budget).record()
    except BacktrickError as error:
        raise LineError(one.place, error) from None
    if not options.hands:
        del found["hands"]
    return {**told, **found}
