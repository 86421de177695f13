"""The commands about whole games: match, report, replay."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from backtrick.cli.commands import rules_of
from backtrick.cli.streams import flush, printable, say, write
from backtrick.errors import ArgumentError, FileError, RecordError, UsageError
from backtrick.games import GAMES, game_of, whole_game_of
from backtrick.matches.grading import Judge, Judged, judged
from backtrick.matches.match import Match, play_match
from backtrick.matches.players import TURN_SECONDS, AnyWholeGame, check_players
from backtrick.matches.record import Record, check_replay, read_records
from backtrick.matches.report import Report, reports
from backtrick.play import Adjudication
from backtrick.storage.workers import workers
from backtrick.work import Budget

MOST_NODES = 1_000_000
"""The limit for a deal where neither the user nor the game has one."""


def match(options: argparse.Namespace) -> int:
    """match: plays the games that are missing, records them, and reports on all."""
    game = game_of(options.game or next(iter(GAMES)))
    adjudicate = _adjudication(options, whole_game_of(game))
    try:
        wanted = Match(
            game=game,
            players=tuple(options.players),
            games=options.games,
            seed=options.seed,
            rules=rules_of(options, game),
            adjudicate=adjudicate,
            seconds=options.turn_seconds or TURN_SECONDS,
            hypotheses=tuple(options.sprt) if options.sprt else None,
        )
    except ArgumentError as error:
        try:
            check_players(whole_game_of(game), options.players)
        except ArgumentError as another:  # both are said at once, so that both can be mended at once
            raise UsageError(f"{error}; {another}") from None
        raise
    with ExitStack() as stack:
        cluster = None
        if options.scheduler or options.local_cluster:
            cluster = stack.enter_context(workers(None, options.scheduler, options.local_cluster))
        output = None if options.output is None else Path(options.output)
        records = play_match(wanted, output, options.workers, cluster, False if options.quiet else None)
    _write(reports(records, wanted.hypotheses), options.json)
    return 0


def _adjudication(options: argparse.Namespace, whole_game: AnyWholeGame) -> Adjudication | None:
    if (options.piles and not options.adjudicate) or (options.nodes and not options.piles):
        raise UsageError("--piles goes with --adjudicate, and --nodes with --piles")
    if not options.adjudicate:
        return None
    nodes = options.nodes or whole_game.deal_budget.nodes or MOST_NODES
    return Adjudication(options.piles, nodes) if options.piles else Adjudication()


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
    return Judge(options.piles or 0, Budget(nodes=options.nodes) if options.nodes else None, threads=options.workers)


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
            check_replay(record)
        except RecordError as error:
            flush()
            raise FileError(path, f"line {number}: {error}") from None
        counts[path] += 1
    if not options.turns:
        for path, count in counts.items():
            facts = {"file": path, "games": count}
            write(json.dumps(facts) + "\n" if options.json else f"{printable(path)}\tok\t{count} games\n")
    return 0


PILES, SAMPLES = 12, 100
"""What grade takes for --piles and --samples if they are not given."""


def grade_games(options: argparse.Namespace) -> int:
    """grade --game FILE: a row for each turn of each game of the file."""
    path = options.game
    if not Path(path).exists():
        raise UsageError(f"--game is {' or '.join(GAMES)}, or a file, and there is no file {printable(path)}")
    if options.questions or options.input is not None or options.output is not None or options.tables is not None:
        raise UsageError("--game FILE holds all the questions, takes no tables, and its answers go to standard output")
    if (options.samples or options.seed) and not options.odds:
        raise UsageError("--samples and --seed go with --odds")
    limits = {name: getattr(options, name) for name in ("nodes", "seconds", "table_mib") if hasattr(options, name)}
    judge = Judge(
        piles=PILES if options.piles is None else options.piles,
        budget=Budget(**limits) if limits else None,
        samples=(options.samples or SAMPLES) if options.odds else 0,
        seed=options.seed or 0,
        threads=options.workers,
    )
    for _, number, record in _games([path]):
        try:
            for turn in judged(record, judge):
                facts = {"line": number, **turn.record()}
                write(json.dumps(facts) + "\n" if options.json else "\t".join(_cells(number, turn)) + "\n")
        except RecordError as error:
            flush()
            raise FileError(path, f"line {number}: {error}") from None
        flush()
    return 0


def _cells(number: int, turn: Judged) -> list[str]:
    """The fields of the row of a turn."""
    cells = [number, turn.number, turn.player, turn.piles, turn.position, turn.turn, turn.known, turn.verdict]
    if turn.odds is not None:
        own, every = turn.odds
        cells += [own.text, every.turns[0].text, every.turns[0].turn]
    return list(map(printable, cells))


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
        write(json.dumps(facts) + "\n" if as_records else "\t".join(map(printable, facts.values())) + "\n")


def _games(paths: list[str]) -> Iterator[tuple[str, int, Record]]:
    """The games of all files, each with its file and its line."""
    for path in paths:
        for number, record in enumerate(read_records(Path(path)), 1):
            yield path, number, record
