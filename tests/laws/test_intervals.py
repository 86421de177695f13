"""An interval holds the truth: in 93 to 97 % of the samples whose truth is known, drawn as the figures are, by deal; and it has no
width of 0 unless everything was counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
import pytest

from backtrick import learn, take_that
from backtrick.matches import report, score
from backtrick.matches.record import Played, Record
from backtrick.matches.score import Interval, Score, Z, mean_of, wilson
from backtrick.play.odds import odds
from numbered_worlds import Numbers

DEALS = 100
NAMES = ("strong", "usual", "weak")
STRENGTH = {"strong": 2.0, "usual": 0.0, "weak": -1.0}


def played(random: np.random.Generator, deals: int, names: tuple[str, ...], by_seat: float = 9) -> Iterator[list[Record]]:
    """The games of each deal: each two players play it twice, with seats exchanged. What a deal gives its first seat, and what each
    player makes of it, holds in all of its games: more of the former bears on the first mover, of the latter on the ratings."""
    for deal in range(deals):
        seat = 1 + random.normal(0, by_seat)
        luck = {name: STRENGTH[name] + random.normal(0, 3) for name in names}
        found = []
        for pair in combinations(names, 2):
            for first, second in (pair, pair[::-1]):
                margin = round(luck[first] - luck[second] + seat + random.normal(0, 2))
                winner = None if margin == 0 else int(margin < 0)
                game = Played((), winner, (max(margin, 0), max(-margin, 0)), "points")
                found.append(Record("take_that", 1, deal, (first, second), played=game))
        yield found


def share_held(intervals: list[Interval], truth: float) -> float:
    """In which share of the samples an interval holds the truth."""
    return sum(low <= truth <= high for _, low, high in intervals) / len(intervals)


def holds(intervals: list[Interval], truth: float) -> bool:
    return 0.93 <= share_held(intervals, truth) <= 0.97


def taken(games: list[list[Record]]) -> Iterator[list[Record]]:
    """Samples of `DEALS` deals each."""
    for place in range(0, len(games), DEALS):
        yield [one for deal in games[place : place + DEALS] for one in deal]


def test_intervals_of_a_match(times, monkeypatch):
    """Score, Elo, points and first mover."""
    monkeypatch.setattr(report, "ratings", lambda records: [])  # asked below
    games = list(played(np.random.default_rng(1), 250 * times * DEALS, NAMES[:2]))
    found = list(map(report.Report.of, taken(games)))
    truth = report.Report.of([one for deal in played(np.random.default_rng(2), 20_000, NAMES[:2]) for one in deal])
    for name, of in {
        "score": lambda one: one.pairings[0].score.mean, "elo": lambda one: one.pairings[0].score.elo,
        "points": lambda one: one.pairings[0].margin, "first mover": lambda one: one.first_mover,
    }.items():  # fmt: skip
        assert holds(list(map(of, found)), of(truth).value), (name, share_held(list(map(of, found)), of(truth).value))


@pytest.fixture
def few(monkeypatch):
    """200 samples of a bootstrap say nearly what 1,000 do."""
    monkeypatch.setattr(score, "SAMPLES", 200)


def test_intervals_of_ratings(few, times):
    """The draws that keep strengths finite pull them a little to the middle, less in a large sample."""
    games = list(played(np.random.default_rng(5), 120 * times * DEALS, NAMES, 0))
    large = [one for deal in played(np.random.default_rng(2), 3000, NAMES, 0) for one in deal]
    samples = [{one.player: one.elo for one in score.ratings(sample)} for sample in taken(games)]
    for one in score.ratings(large):
        found = [sample[one.player] for sample in samples]
        assert holds(found, one.elo.value), (one.player, share_held(found, one.elo.value))


def regret_of(lost: np.ndarray) -> learn.Regret:
    """Regret of so many points."""
    after = np.zeros(len(lost), np.int64)
    return learn.Regret(take_that.GAME, take_that.PUBLISHED, after, after, after, after + lost, after)


def test_intervals_of_regret(few, times):
    random, shape = np.random.default_rng(5), (800 * times, 300)
    wrong = np.where(random.random(shape) < 0.5, random.geometric(0.5, shape), 0)  # 1 in the mean
    found, others = list(map(regret_of, wrong[: 400 * times])), list(map(regret_of, wrong[400 * times :]))
    for name, intervals, truth in (
        ("mean", [one.mean for one in found], 1), ("share", [one.optimal_share for one in found], 0.5),
        ("kept", [one.kept_share for one in found], 0.5), ("bootstrap", [one.bootstrap() for one in found], 1),
        ("less", [one.less(other) for one, other in zip(found, others, strict=True)], 0),
    ):  # fmt: skip
        assert holds(intervals, truth), (name, share_held(intervals, truth))


def test_errors_of_odds(times):
    """The truth lies within 1.96 standard errors."""
    count, turns = 10**6, (300_000, 600_000)
    for turn in turns[:times]:
        told = [odds(Numbers(count, turns), samples=100, seed=seed, threads=1).of(turn) for seed in range(200 * times)]
        found = [Interval(one.value, one.value - Z * one.error, one.value + Z * one.error) for one in told]
        assert holds(found, turn / count), (turn, share_held(found, turn / count))


def test_shares_of_findings():
    """By Wilson (1927), of as few as the pages tell of."""
    random = np.random.default_rng(4)
    for truth, count in ((0.5, 45), (0.13, 160), (0.94, 500)):
        found = [wilson(some / count, count) for some in random.binomial(count, truth, 1000).tolist()]
        assert holds(found, truth), (truth, share_held(found, truth))


ONE_DEAL = next(played(np.random.default_rng(1), 1, NAMES[:2]))
ALIKE: dict[str, Callable[[], Interval]] = {
    "score": lambda: Score((0, 0, 0, 0, 9)).mean, "even score": lambda: Score((0, 0, 9, 0, 0)).mean,
    "elo": lambda: Score((0, 0, 9, 0, 0)).elo, "share": lambda: wilson(1, 9), "none": lambda: wilson(0, 9),
    "mean": lambda: mean_of([2] * 9), "regret": lambda: regret_of(np.zeros(9, np.int64)).mean,
    "regret by bootstrap": lambda: regret_of(np.zeros(9, np.int64)).bootstrap(),
    "ratings": lambda: score.ratings(ONE_DEAL)[0].elo,
    "first mover": lambda: report.Report.of(ONE_DEAL).first_mover,
    "points": lambda: report.Report.of(ONE_DEAL).pairings[0].margin,
}  # fmt: skip
"""Figures of samples that are all alike."""


@pytest.mark.parametrize("name", ALIKE)
def test_what_is_alike_says_little(name):
    _, low, high = ALIKE[name]()
    assert low < high


def test_errors_of_odds_are_not_0_where_all_worlds_agree():
    assert all(one.error > 0 for one in odds(Numbers(10**6, (0, 10**6)), samples=9).turns)
