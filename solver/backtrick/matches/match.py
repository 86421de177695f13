"""A match: which games are played, how one is played, and all of them on all cores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any, NamedTuple

from backtrick.contest import Adjudication, Contest, Result
from backtrick.errors import ArgumentError, IllegalActionError, IllegalTurnError
from backtrick.games import AnyGame, contest_of, game_of
from backtrick.matches.players import ILLEGAL, TURN_SECONDS, ForfeitError, check_players, player_of
from backtrick.matches.record import Played, Record, options_of, recording
from backtrick.progress import bar
from backtrick.state import Player
from backtrick.storage import workers
from backtrick.work import map_ordered


class Pairing(NamedTuple):
    """One game of a match: the number of its deal, and its players, seat 0 first."""

    deal: int
    players: tuple[str, str]


def games_of(players: Sequence[str], deals: range) -> Iterator[Pairing]:
    """The games of some deals.

    >>> for game in games_of(["a", "b"], range(2)):
    ...     print(*game)
    0 ('a', 'b')
    0 ('b', 'a')
    1 ('a', 'b')
    1 ('b', 'a')
    """
    for deal in deals:
        for first, second in combinations(players, 2):
            yield Pairing(deal, (first, second))
            yield Pairing(deal, (second, first))


def portions(deals: int, workers: int, most: int = 16) -> list[range]:
    """The deals in portions for workers: some for each worker, so that all are busy to the end.

    >>> portions(5, 1, most=2)
    [range(0, 1), range(1, 2), range(2, 3), range(3, 4), range(4, 5)]
    """
    size = max(1, min(most, deals // (8 * workers)))
    return [range(start, min(start + size, deals)) for start in range(0, deals, size)]


AnyContest = Contest[Any, Any, Any]


def play_game(contest: AnyContest, record: Record, seats: Sequence[Player[Any, Any]]) -> Record:
    """The record of a game that is dealt but not played, with its turns and result. seats: the players, seat 0 first."""
    rules = contest.game.rules_with(record.rules or {})
    state = contest.deal(record.seed, record.deal, rules)
    turns: list[str] = []
    while True:
        result = contest.result(state)
        if result is None and record.adjudicate:
            result = contest.adjudicated(state, record.adjudicate, rules)
        if result:
            return replace(record, played=Played(tuple(turns), *result))
        seat = state.to_move
        try:
            turn = contest.ask(seats[seat], state)
            state = contest.play(state, turn)
        except (IllegalTurnError, IllegalActionError) as error:
            return _forfeited(record, turns, seat, state, ForfeitError(ILLEGAL, str(error)))
        except ForfeitError as forfeit:
            return _forfeited(record, turns, seat, state, forfeit)
        turns.append(str(turn))


def _forfeited(record: Record, turns: list[str], seat: int, state: Any, forfeit: ForfeitError) -> Record:
    result = Result(1 - seat, state.points, forfeit.reason)
    return replace(record, played=Played(tuple(turns), *result, forfeit.sentence))


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
        done = {Pairing(one.deal, one.players): one for one in record.records}
        schedule = list(games_of(match.players, range(match.games // 2)))
        missing = len([game for game in schedule if game not in done])
        if missing:
            executor, count = cluster or stack.enter_context(_executor(processes))
            with bar(missing, "match", "games", progress) as shown:
                for records in map_ordered(executor, play_job, _jobs(match, done, count), AHEAD * count):
                    record.add(records)
                    shown.update(len(records))
        played = {Pairing(one.deal, one.players): one for one in record.records}
        return [played[game] for game in schedule]


def _executor(processes: int | None) -> AbstractContextManager[tuple[Executor, int]]:
    return workers.executor_of(0) if processes == 0 else workers.local_processes(processes, AGAIN)


@dataclass(frozen=True, slots=True)
class Job:
    """Games for a worker: records that are not played yet."""

    game: str
    records: tuple[Record, ...]
    seconds: float


def _jobs(match: Match, done: Iterable[Pairing], workers: int) -> Iterator[Job]:
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
