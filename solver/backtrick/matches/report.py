"""What files of records say: scores, ratings, tests, first movers, lengths, and how games ended. As text, or as plain values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from statistics import median
from typing import Any

from backtrick.errors import ArgumentError
from backtrick.game import AnyGame
from backtrick.games import game_of, whole_game_of
from backtrick.given import escaped, shown
from backtrick.lines import table_text
from backtrick.matches.grading import Exactness, Judge, exactness
from backtrick.matches.players import REASONS
from backtrick.matches.record import Played, Record
from backtrick.matches.score import Interval, Rating, Score, mean_of, ratings, result_for, sprt


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Two players: their score, the difference of points a game if they play for points, and the test if one was asked for."""

    first: str
    second: str
    score: Score
    margin: Interval | None
    ratio: float | None = None
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """All figures of the games of one kind: the same game, rules, and ending.

    deals: how many different ones. unpaired: records, of rounds if a game is two, whose deal was played in one seat only.
    first_mover: the share of the points that the player who begins has. lengths: turns of the games, ascending.
    forfeits: how many games each player lost by one, by reason, with the sentence about the first. exact: what turns were worth,
    by size of the draw piles and player, if asked for.
    """

    title: str
    games: int
    deals: int
    unpaired: int
    pairings: tuple[HeadToHead, ...]
    ratings: tuple[Rating, ...]
    first_mover: Interval
    lengths: tuple[int, ...]
    reasons: tuple[tuple[str, int], ...]
    forfeits: tuple[tuple[str, str, int, str], ...]
    by_points: bool
    exact: tuple[Exactness, ...] = ()
    rounds: int = 1

    @classmethod
    def of(
        cls,
        records: Sequence[Record],
        hypotheses: tuple[float, float] | None = None,
        judge: Judge | None = None,
        rounds: int = 1,
    ) -> Report:
        """The report on games of one kind, at least one. hypotheses: elo0 and elo1 of the test. judge: of turns. rounds: that make
        a game."""
        game, recorded = game_of(records[0].game), records
        check_rounds(game, rounds)
        if rounds > 1:
            records = of_two_rounds(recorded)
            if not records:
                raise ArgumentError("no game of two rounds: an even deal and the next one, which the other player begins")
        played = [record.end for record in records]
        names = list(dict.fromkeys(name for record in records for name in record.players))
        pairings = [_pairing(records, *pair, whole_game_of(game).by_points, hypotheses) for pair in combinations(names, 2)]
        met = [pairing for pairing in pairings if pairing.score.pairs]
        by_deal: dict[tuple[int, int], list[float]] = {}
        for record in records:
            by_deal.setdefault((record.seed, record.deal), []).append(result_for(record, record.players[0]))
        share, low, high = mean_of([sum(shares) / len(shares) for shares in by_deal.values()])
        lost: dict[tuple[str, str], list[str]] = {}
        for record in records:
            if record.end.reason in REASONS and record.end.winner is not None:
                key = record.players[1 - record.end.winner], record.end.reason
                lost.setdefault(key, []).append(record.end.forfeit)
        return cls(
            title=_title(records[0]) + ", games of two rounds" * (rounds > 1),
            games=len(records),
            deals=len(by_deal),
            unpaired=len(recorded) - 2 * rounds * sum(pairing.score.pairs for pairing in met),
            pairings=tuple(met),
            ratings=tuple(ratings(records)),
            first_mover=Interval(share, max(0.0, low), min(1.0, high)),
            lengths=tuple(sorted(len(one.turns) for one in played)),
            reasons=tuple(Counter(one.reason for one in played).most_common()),
            forfeits=tuple((*key, len(told), told[0]) for key, told in sorted(lost.items(), key=lambda one: -len(one[1]))),
            by_points=whole_game_of(game).by_points,
            exact=tuple(exactness(recorded, judge)) if judge else (),
            rounds=rounds,
        )

    @property
    def losers(self) -> list[tuple[str, int, str]]:
        """The players that forfeited every game, with the number of games and the sentence about the first."""
        games: Counter[str] = Counter()
        for one in self.pairings:
            for name in (one.first, one.second):
                games[name] += 2 * one.score.pairs
        lost: dict[str, list[tuple[int, str]]] = {}
        for name, _, count, told in self.forfeits:
            lost.setdefault(name, []).append((count, told))
        return [
            (name, games[name], told[0][1]) for name, told in lost.items() if sum(count for count, _ in told) == games[name]
        ]

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The report as lines for people."""
        unpaired = f", {self.unpaired} {'games' if self.rounds == 1 else 'rounds'} without their pair" if self.unpaired else ""
        lines = [escaped(self.title), f"{self.games:,} games on {self.deals:,} deals{unpaired}"]
        if self.pairings:
            lines += ["", _columns(_score_rows(self.pairings))]
        if self.ratings:
            rows = [[one.player, f"{one.elo.value:+.0f}", f"{one.elo.low:+.0f}..{one.elo.high:+.0f}"] for one in self.ratings]
            lines += ["", _columns([["rating, Elo", "", "95 %"], *rows])]
        elif self.pairings:
            lines += ["", "no ratings: some players have never met, not even through others"]
        first, shortest, longest = self.first_mover, self.lengths[0], self.lengths[-1]
        lines += ["", f"first mover  {_percent(first)}"]
        lines += [f"turns        {median(self.lengths):g} in the median, {shortest}..{longest}"]
        lines += [escaped(f"ended        {', '.join(f'{reason}: {count:,}' for reason, count in self.reasons)}")]
        lines += [
            escaped(f"forfeits     {name}: {reason} {count:,}{f', the first: {told}' if told else ''}")
            for name, reason, count, told in self.forfeits
        ]
        if self.exact:
            rows = [[one.words, one.player, one.text(self.by_points)] for one in self.exact]
            lines += ["", "with open cards, R cards in the larger draw pile", _columns(rows)]
        return "\n".join(lines)

    def record(self) -> dict[str, Any]:
        """The report as plain values for JSON. A score is a share of the points; an interval is value, low, high, None for an
        infinite one."""
        pairings: list[dict[str, Any]] = []
        for one in self.pairings:
            pairing: dict[str, Any] = {"players": [one.first, one.second], "pairs": list(one.score.counts)}
            pairing |= {"score": list(one.score.mean), "variance_ratio": one.score.pairing if one.score.variance else None}
            pairing |= {"margin": _plain(one.margin)} if one.margin else {}
            pairing |= {"llr": one.ratio, "verdict": one.verdict} if one.ratio is not None else {}
            pairings.append(pairing)
        return {
            "title": self.title,
            "games": self.games,
            "deals": self.deals,
            "unpaired": self.unpaired,
            "pairings": pairings,
            "ratings": {rating.player: _plain(rating.elo) for rating in self.ratings},
            "first_mover": list(self.first_mover),
            "turns": {"median": median(self.lengths), "least": self.lengths[0], "most": self.lengths[-1]},
            "ended": dict(self.reasons),
            "forfeits": [list(one) for one in self.forfeits],
            "exact": [asdict(one) for one in self.exact],
        }


def _plain(interval: Interval) -> list[float | None]:
    return [one if math.isfinite(one) else None for one in interval]


def check_rounds(game: AnyGame, rounds: int) -> None:
    """Raises `ArgumentError` unless a game may be of so many rounds."""
    if rounds not in (1, 2) or (rounds == 2 and not whole_game_of(game).by_points):
        problem = f"a game of {game.title} cannot be of {shown(rounds)} rounds"
        raise ArgumentError(f"{problem}: 1, or 2 in a game of points, which are added (T13)")


def of_two_rounds(records: Sequence[Record]) -> list[Record]:
    """Games of two rounds (T13), made of the records of rounds of one kind. The points of both rounds are added.

    Game k is round 2k and round 2k + 1, which the other player begins. A round without its other half is left out. Who forfeits
    a round loses the game.
    """
    rounds = {(record.seed, record.deal, record.players): record for record in records}
    games = []
    for (seed, deal, players), first in rounds.items():
        second = rounds.get((seed, deal + 1, players[::-1]))
        if deal % 2 or second is None:
            continue
        one, other = first.end, second.end
        points = (one.points[0] + other.points[1], one.points[1] + other.points[0])
        winner = None if points[0] == points[1] else points.index(max(points))
        if other.reason in REASONS:
            winner = None if other.winner is None else 1 - other.winner
        if one.reason in REASONS:
            winner = one.winner
        told = one if one.reason in REASONS else other
        played = Played(one.turns + other.turns, winner, points, told.reason, told.forfeit)
        games.append(replace(first, deal=deal // 2, played=played))
    return games


def reports(
    records: Iterable[Record],
    hypotheses: tuple[float, float] | None = None,
    judge: Judge | None = None,
    rounds: int = 1,
) -> list[Report]:
    """A report for each kind of games: another game, other rules and another ending do not mix. A game counts once.

    rounds: that make a game, 1 or 2 (T13).
    Raises `ArgumentError` if the same game, with the same players and deal, has two different results.
    """
    kinds: dict[str, dict[tuple[Any, ...], Record]] = {}
    for record in records:
        games = kinds.setdefault(_title(record), {})
        key = (record.seed, record.deal, record.players)
        if games.setdefault(key, record).played != record.played:
            players = " and ".join(record.players)
            raise ArgumentError(f"deal {record.deal} of seed {record.seed}, {players}: two records disagree")
    return [Report.of(list(games.values()), hypotheses, judge, rounds) for games in kinds.values()]


def _title(record: Record) -> str:
    rules = "".join(f", {name} {value}" for name, value in (record.rules or {}).items())
    ending = f", adjudicated {record.adjudicate}" if record.adjudicate else ""
    return f"{game_of(record.game).title}{rules}{ending}"


def _pairing(
    records: Sequence[Record], first: str, second: str, by_points: bool, hypotheses: tuple[float, float] | None
) -> HeadToHead:
    score = Score.of(records, first, second)
    margin = _margin(records, first, second) if by_points and score.pairs else None
    test = sprt(score.counts, *hypotheses) if hypotheses else None
    return HeadToHead(first, second, score, margin, *(test or ()))


def _margin(records: Sequence[Record], first: str, second: str) -> Interval:
    """How many points more the first player makes a game; counted by pairs."""
    margins: dict[tuple[int, int], list[int]] = {}
    for record in records:
        if set(record.players) == {first, second}:
            own = record.players.index(first)
            difference = record.end.points[own] - record.end.points[1 - own]
            margins.setdefault((record.seed, record.deal), []).append(difference)
    return mean_of([sum(both) / 2 for both in margins.values() if len(both) == 2])


def _score_rows(pairings: Sequence[HeadToHead]) -> list[list[str]]:
    margin, ratio = pairings[0].margin is not None, pairings[0].ratio is not None
    rows = [["players", "pairs", "score", "95 %", "0, 1/2, 1, 3/2, 2", "Elo", *["points"] * margin, *["LLR", ""] * ratio]]
    for one in pairings:
        row = [f"{one.first} - {one.second}", f"{one.score.pairs:,}", *_percent(one.score.mean).split(" % ")]
        row[2] += " %"
        elo = one.score.elo
        row += [" ".join(map(str, one.score.counts)), f"{elo.value:+.0f} ({elo.low:+.0f}..{elo.high:+.0f})"]
        row += [f"{one.margin.value:+.1f} ({one.margin.low:+.1f}..{one.margin.high:+.1f})"] if one.margin else []
        row += [f"{one.ratio:.2f}", one.verdict] if one.ratio is not None else []
        rows.append(row)
    return rows


def _percent(interval: Interval) -> str:
    return f"{interval.value:.1%} {interval.low:.1%}..{interval.high:.1%}".replace("%", " %")


def _columns(rows: Sequence[Sequence[str]]) -> str:
    return table_text([list(map(escaped, row)) for row in rows], indent="")
