"""The commands about whole games: match, report, replay."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from solver.cli.commands import rules_of
from solver.cli.streams import flush, printable, say, write
from solver.core.budget import Budget
from solver.core.errors import FileError, RecordError
from solver.games import GAMES, game_of
from solver.matches.external import TURN_SECONDS
from solver.matches.grading import Judge, judged
from solver.matches.record import Record
from solver.matches.recording import read
from solver.matches.replaying import check
from solver.matches.report import Report, reports
from solver.matches.running import Match, play_match
from solver.storage.workers import workers


def match(options: argparse.Namespace) -> int:
    """match: plays the games that are missing, records them, and reports on all."""
    game = game_of(options.game or next(iter(GAMES)))
    asked = Match(
        game=game,
        players=tuple(options.players),
        games=options.games,
        seed=options.seed,
        rules=rules_of(options, game),
        adjudicate=options.adjudicate,
        seconds=options.turn_seconds or TURN_SECONDS,
    )
    with ExitStack() as stack:
        cluster = None
        if options.scheduler or options.local_cluster:
            cluster = stack.enter_context(workers(None, options.scheduler, options.local_cluster))
        output = None if options.output is None else Path(options.output)
        records = play_match(asked, output, options.processes, cluster, False if options.quiet else None)
    _write(reports(records), options.json)
    return 0


def report(options: argparse.Namespace) -> int:
    """report: says what the games of all files together mean."""
    games = (record for _, _, record in _games(options.files))
    found = reports(games, tuple(options.sprt) if options.sprt else None, _judge(options))
    if not found:
        say("no games in these files")
    _write(found, options.json)
    return 0


def _judge(options: argparse.Namespace) -> Judge | None:
    """How far the turns of games are judged, if at all."""
    if not (options.exact or options.piles):
        return None
    return Judge(options.piles or 0, Budget(nodes=options.nodes) if options.nodes else None, threads=options.threads)


def _write(found: list[Report], as_records: bool) -> None:
    if as_records:
        write("".join(json.dumps(one.record()) + "\n" for one in found))
    else:
        write("\n\n".join(one.text() for one in found) + "\n" * bool(found))


def replay(options: argparse.Namespace) -> int:
    """replay: plays recorded games again. A row for each file, or with --turns for each turn of each game."""
    counts: dict[str, int] = dict.fromkeys(options.files, 0)
    for path, number, record in _games(options.files):
        try:
            if options.turns:
                _write_turns(record, number, options.json)
            check(record)
        except RecordError as error:
            flush()
            raise FileError(path, f"line {number}: {error}") from None
        counts[path] += 1
    if not options.turns:
        for path, count in counts.items():
            facts = {"file": path, "games": count}
            write(json.dumps(facts) + "\n" if options.json else f"{printable(path)}\tok\t{count} games\n")
    return 0


def _write_turns(record: Record, number: int, as_records: bool) -> None:
    for turn in judged(record):
        facts = {
            "line": number,
            "number": turn.number,
            "player": turn.player,
            "position": str(turn.position),
            "turn": str(turn.turn),
            "verdict": turn.verdict,
        }
        write(json.dumps(facts) + "\n" if as_records else "\t".join(map(str, facts.values())) + "\n")


def _games(paths: list[str]) -> Iterator[tuple[str, int, Record]]:
    """The games of all files, each with its file and its line."""
    for path in paths:
        for number, record in enumerate(read(Path(path)), 1):
            yield path, number, record


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "match": match,
    "report": report,
    "replay": replay,
}
