"""A match on all cores: games in portions for worker processes, records in the order of the schedule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from backtrick.batches import in_order
from backtrick.contest import Adjudication
from backtrick.errors import ArgumentError
from backtrick.games import AnyGame, contest_of, game_of
from backtrick.matches.external import TURN_SECONDS
from backtrick.matches.players import check_players, player_of
from backtrick.matches.playing import play_game
from backtrick.matches.record import Record, options_of
from backtrick.matches.recording import recording
from backtrick.matches.schedule import Game, games_of, portions
from backtrick.progress import bar
from backtrick.storage import workers

AHEAD = 2
"""Portions a worker has waiting."""

AGAIN = "the same command goes on after the games that are recorded"


@dataclass(frozen=True, slots=True)
class Match:
    """What is played: the players, each pair `games` games, on the deals of a seed.

    adjudicate: where a game ends by its exact value; None for nowhere. seconds: a program's time for a turn.
    Raises `ArgumentError` unless `games` is even and there are two different players or more.
    """

    game: AnyGame
    players: tuple[str, ...]
    games: int
    seed: int = 0
    rules: Any = None
    adjudicate: Adjudication | None = None
    seconds: float = TURN_SECONDS

    def __post_init__(self) -> None:
        if len(set(self.players)) < len(self.players) or len(self.players) < 2:
            raise ArgumentError(f"a match has two players or more, all different, not {', '.join(self.players) or 'none'}")
        if self.games < 2 or self.games % 2:
            raise ArgumentError(f"games is an even number: each deal is played twice, with seats changed; not {self.games}")

    @property
    def like(self) -> Record:
        """What all records of this match have in common."""
        options = options_of(self.game, self.game.published if self.rules is None else self.rules)
        return Record(self.game.name, self.seed, 0, ("", ""), options, self.adjudicate)


def play_match(
    match: Match,
    output: Path | None = None,
    processes: int | None = None,
    cluster: tuple[Executor, int] | None = None,
    progress: bool | None = None,
) -> list[Record]:
    """The records of a match, in the order of its schedule. Those that `output` holds already are not played again.

    processes: None for one a core, 0 for this one alone. cluster: an executor and its number of workers instead.
    progress: None for a bar on a terminal and lines in a log. Raises `BacktrickError`.
    """
    check_players(contest_of(match.game), list(match.players))
    with ExitStack() as stack:
        record = stack.enter_context(recording(output, match.like))
        done = {Game(one.deal, one.players): one for one in record.records}
        schedule = list(games_of(match.players, range(match.games // 2)))
        missing = len([game for game in schedule if game not in done])
        if missing:
            executor, count = cluster or stack.enter_context(_executor(processes))
            with bar(missing, "match", "games", progress) as shown:
                for records in in_order(executor, play_job, _jobs(match, done, count), AHEAD * count):
                    record.add(records)
                    shown.update(len(records))
        played = {Game(one.deal, one.players): one for one in record.records}
        return [played[game] for game in schedule]


def _executor(processes: int | None) -> AbstractContextManager[tuple[Executor, int]]:
    return workers.executor_of(0) if processes == 0 else workers.local_processes(processes, AGAIN)


@dataclass(frozen=True, slots=True)
class Job:
    """Games for a worker: records that are not played yet."""

    game: str
    records: tuple[Record, ...]
    seconds: float


def _jobs(match: Match, done: Iterable[Game], workers: int) -> Iterator[Job]:
    known = set(done)
    for deals in portions(match.games // 2, workers):
        missing = [game for game in games_of(match.players, deals) if game not in known]
        if missing:
            records = tuple(replace(match.like, deal=game.deal, players=game.players) for game in missing)
            yield Job(match.game.name, records, match.seconds)


def play_job(job: Job) -> list[Record]:
    """Plays the games of a job, with players of its own."""
    contest = contest_of(game_of(job.game))
    with ExitStack() as stack:
        names = dict.fromkeys(chain.from_iterable(record.players for record in job.records))
        players = {name: stack.enter_context(player_of(contest, name, job.seconds)) for name in names}
        return [play_game(contest, record, [players[name] for name in record.players]) for record in job.records]
