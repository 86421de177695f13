"""A match: which games are played, how one is played, and all of them on all cores.

The players of a pair play each deal twice, with the seats swapped, so that both get the same cards. Workers play spans of the
games; records are written in the order of the schedule: deal after deal, every pair of players, both seats.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice
from pathlib import Path
from typing import Any, NamedTuple

from backtrick.arguments import checked
from backtrick.errors import ArgumentError, IllegalTurnError
from backtrick.game import AnyGame, Game
from backtrick.games import GAMES, game_of, whole_game_of
from backtrick.given import refused
from backtrick.matches.players import (
    ILLEGAL,
    TURN_SECONDS,
    AnyPlayer,
    ForfeitError,
    begin,
    check_answers,
    check_players,
    games_with,
    player_of,
    recorded_name,
)
from backtrick.matches.record import Played, Record, options_of, recording
from backtrick.matches.report import Report, check_rounds
from backtrick.matches.score import result_for, sprt
from backtrick.play.state import Player, Result
from backtrick.play.whole_game import Adjudication, AnyWholeGame
from backtrick.progress import bar
from backtrick.storage.atomic import file_named
from backtrick.storage.workers import executor_of
from backtrick.threads import map_ordered


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


@dataclass(frozen=True, slots=True)
class Schedule:
    """The games of a match in order. None is made before it is asked for, as a test of strengths may end the match after a few."""

    players: Sequence[str]
    deals: int

    @property
    def count(self) -> int:
        return self.deals * len(self.players) * (len(self.players) - 1)

    def __iter__(self) -> Iterator[Pairing]:
        return games_of(self.players, range(self.deals))

    def pair(self, number: int) -> tuple[Pairing, Pairing]:
        """The two games of a deal that have the same two players."""
        deal, place = divmod(number, len(self.players) * (len(self.players) - 1) // 2)
        first, second = islice(games_of(self.players, range(deal, deal + 1)), 2 * place, 2 * place + 2)
        return first, second

    def __contains__(self, game: Pairing) -> bool:
        return game.deal < self.deals and set(game.players) <= set(self.players)


def spans(deals: int, workers: int, most: int = 16) -> Iterator[range]:
    """The deals in spans for workers: some for each worker, so that all are busy to the end.

    >>> list(spans(5, 1, most=2))
    [range(0, 1), range(1, 2), range(2, 3), range(3, 4), range(4, 5)]
    """
    size = max(1, min(most, deals // (8 * workers)))
    return (range(start, min(start + size, deals)) for start in range(0, deals, size))


def play_game(whole_game: AnyWholeGame, record: Record, seats: Sequence[Player[Any, Any]]) -> Record:
    """The record of a game that is dealt but not played, with its turns and result. seats: the players, seat 0 first."""
    rules = whole_game.game.rules_with(record.rules)
    state = whole_game.deal(record.seed, record.deal, rules)
    turns: list[str] = []
    for player in seats:
        begin(player, turns)
    while True:
        result = whole_game.result(state)
        if result is None and record.adjudicate:
            result = whole_game.adjudicated(state, record.adjudicate, rules)
        if result:
            return replace(record, played=Played(tuple(turns), *result))
        seat = state.to_move
        try:
            turn = whole_game.ask(seats[seat], state)
            state = state.play(turn)
            turns.append(str(turn))
        except (IllegalTurnError, ForfeitError) as error:
            forfeit = error if isinstance(error, ForfeitError) else ForfeitError(ILLEGAL, str(error))
            result = Result(1 - seat, state.points, forfeit.reason)
            return replace(record, played=Played(tuple(turns), *result, forfeit.sentence))


AHEAD = 2
"""Spans a worker has waiting."""

AGAIN = "the same command goes on after the games that are recorded"


@dataclass(frozen=True, slots=True)
class Match:
    """What is played: the players, each pair `games` games, on the deals of a seed.

    players: each by its name, or a function from a view to a turn
    adjudicate: where a game ends by its exact value; None for nowhere. seconds: a program's time for a turn. hypotheses: elo0 and
    elo1 of a test (`sprt`) that ends the match of two players as soon as one is accepted. rounds: that make a game, 1 or 2 (T13).
    Raises `ArgumentError` unless `games` is even and there are two different players or more.
    """

    game: AnyGame
    players: tuple[str | AnyPlayer, ...]
    games: int
    seed: int = 0
    rules: Any = None
    adjudicate: Adjudication | None = None
    seconds: float = TURN_SECONDS
    hypotheses: tuple[float, float] | None = None
    rounds: int = 1

    def __post_init__(self) -> None:
        check_rounds(self.game, self.rounds)
        if len(set(self.players)) < len(self.players) or len(self.players) < 2:
            given = ", ".join(map(recorded_name, self.players)) or "none"
            raise ArgumentError(f"a match needs at least two players, all different; given: {given}")
        if self.games < 2 or self.games % 2:
            raise ArgumentError(f"games must be even, since each deal is played twice with the seats swapped; not {self.games}")
        if self.hypotheses:
            if self.rounds > 1:
                raise ArgumentError("a test of strengths counts rounds one by one, not games of two rounds")
            sprt((0, 0, 0, 0, 0), *self.hypotheses)  # refuses what is not a pair of hypotheses
            if len(self.players) > 2:
                raise ArgumentError(f"a test of strengths is for two players, not {len(self.players)}")

    @property
    def deals(self) -> int:
        """How many deals there are, each of one round in both seats."""
        return self.games // 2 * self.rounds

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

    processes: None for one per core, or this one alone if a player is a function; 0 for this one alone. Other processes must be
    able to import a function. cluster: an executor and its number of workers instead.
    progress: None for a bar on a terminal and lines in a log. Raises `BacktrickError`.
    """
    whole_game = whole_game_of(match.game)
    check_players(whole_game, match.players)
    names = {recorded_name(text): text for text in match.players}
    functions = [player for player in match.players if not isinstance(player, str)]
    if processes is None and functions:
        processes = 0
    if processes != 0 or cluster:
        _check_known_to_workers(functions)
    if len(names) < len(match.players):
        raise ArgumentError("two players are the same program with the same arguments: give one of them a name, as NAME=cmd:...")
    with ExitStack() as stack:
        record = stack.enter_context(recording(output, match.like))
        schedule = Schedule(list(names), match.deals)
        played = {Pairing(one.deal, one.players): one for one in record.records}
        test = _Test(match, schedule)
        test.look(played)
        missing = schedule.count - sum(game in schedule for game in played)
        if missing and test.end is None:
            rules = match.game.published if match.rules is None else match.rules
            check_answers(whole_game, match.players, whole_game.deal(match.seed, 0, rules), match.seconds)
            executor, count = cluster or stack.enter_context(executor_of(processes, AGAIN))
            with bar(missing, "match", "games", progress) as shown:
                for records in map_ordered(executor, play_job, _jobs(match, names, played, count), AHEAD * count):
                    played |= {Pairing(one.deal, one.players): one for one in records}
                    test.look(played)
                    last = schedule.pair(test.end // 2 - 1)[0].deal if test.end else match.deals
                    record.add(one for one in records if one.deal <= last)
                    shown.update(len(records))
                    if test.end is not None:
                        break
        return [played[game] for game in islice(schedule, test.end)]


def _check_known_to_workers(functions: Iterable[AnyPlayer]) -> None:
    """Raises `ArgumentError` for a function that worker processes cannot import: they do not run the script of the caller."""
    for function in functions:
        try:
            known = b"__main__" not in pickle.dumps(function)
        except (pickle.PicklingError, AttributeError, TypeError):
            known = False
        if not known:
            name = recorded_name(function)
            raise ArgumentError(f"player {name} is a function that worker processes cannot import: give processes=0")


@checked
def match(
    *players: str | AnyPlayer,
    game: Any = None,
    games: int = 100,
    seed: int = 0,
    rules: Any = None,
    rounds: int = 1,
    output: str | Path | None = None,
    processes: int | None = None,
    progress: bool | None = None,
) -> Report:
    """Plays a match and reports on it: as `backtrick match`.

    players: each by its name, or a function from a view to a turn, which may be given in notation. game: its name or its module;
    None if only one game has these players. The other arguments are those of `Match` and `play_match`. Raises `BacktrickError`.

    >>> from backtrick import face_to_face
    >>> def first_turn(view):
    ...     return face_to_face.legal_turns(view)[0]
    >>> report = match("frugal", first_turn, games=4, progress=False)
    >>> report.games, report.pairings[0].score.share > 0.9
    (4, True)
    """
    if not all(isinstance(player, str) or callable(player) for player in players):
        raise ArgumentError("a player must be a name or a function from a view to a turn")
    if game is None:
        found = games_with(players)
        if len(found) != 1:
            raise ArgumentError(f"game must be given, as in game={next(iter(GAMES))!r}: {len(found)} games have these players")
        [played] = found
    else:
        asked = getattr(game, "GAME", game)
        if not isinstance(asked, (str, Game)):
            raise refused("game", "the name of a game, or its module", game)
        played = game_of(asked if isinstance(asked, str) else asked.name)
    wanted = Match(played, players, games, seed, rules, rounds=rounds)
    records = play_match(wanted, None if output is None else file_named(output), processes, progress=progress)
    return Report.of(records, rounds=rounds)


class _Test:
    """The test of strengths that ends a match, if one was asked for: pair after pair in the order of the schedule, so that the
    match ends at the same game with any number of workers.

    end: how many games of the schedule there are; None as long as the match goes on
    """

    def __init__(self, match: Match, schedule: Schedule):
        self._hypotheses, self._schedule = match.hypotheses, schedule
        self._place, self._counts = 0, [0] * 5
        self.end: int | None = None

    def look(self, played: Mapping[Pairing, Record]) -> None:
        """Counts the pairs that were played since."""
        while self._hypotheses and self.end is None and self._place < self._schedule.count:
            both = self._schedule.pair(self._place // 2)
            if any(game not in played for game in both):
                return
            self._counts[round(2 * sum(result_for(played[game], both[0].players[0]) for game in both))] += 1
            self._place += 2
            if sprt(self._counts, *self._hypotheses).decided:
                self.end = self._place


@dataclass(frozen=True, slots=True)
class MatchJob:
    """Games for a worker: records that are not played yet, and how their players are made, by their names in records."""

    game: str
    records: tuple[Record, ...]
    players: Mapping[str, str | AnyPlayer]
    seconds: float


def _jobs(match: Match, names: Mapping[str, str | AnyPlayer], done: Iterable[Pairing], workers: int) -> Iterator[MatchJob]:
    known = set(done)
    for deals in spans(match.deals, workers):
        missing = [game for game in games_of(list(names), deals) if game not in known]
        if missing:
            records = tuple(replace(match.like, deal=game.deal, players=game.players) for game in missing)
            yield MatchJob(match.game.name, records, names, match.seconds)


def play_job(job: MatchJob) -> list[Record]:
    """Plays the games of a job, with players of its own."""
    whole_game = whole_game_of(game_of(job.game))
    with ExitStack() as stack:
        names = dict.fromkeys(chain.from_iterable(record.players for record in job.records))
        players = {name: stack.enter_context(player_of(whole_game, job.players[name], job.seconds)) for name in names}
        return [play_game(whole_game, record, [players[name] for name in record.players]) for record in job.records]
