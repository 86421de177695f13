"""What two players scored against each other, counted by pairs of games on one deal: `Score`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from backtrick.matches.record import Record

Z = 1.959963984540054
"""Standard deviations to each side that hold 95 % of a normal distribution."""


class Interval(NamedTuple):
    """A figure, and the bounds of its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Score:
    """The pairs of games of two players, by what the first one scored in both: 0, 1/2, 1, 3/2 or 2 points (pentanomial counts).

    >>> score = Score((10, 0, 50, 0, 40))
    >>> score.pairs, score.mean.value
    (100, 0.65)
    >>> print(f"{score.mean.low:.3f} {score.mean.high:.3f} {score.elo.value:.0f}")
    0.585 0.710 108
    """

    counts: tuple[int, int, int, int, int]

    @classmethod
    def of(cls, records: Iterable[Record], first: str, second: str) -> Score:
        """The score of `first` against `second`. A deal that was played in one seat only does not count."""
        points: dict[tuple[int, int], list[float]] = {}
        for record in records:
            if set(record.players) == {first, second}:
                points.setdefault((record.seed, record.deal), []).append(result_for(record, first))
        counts = Counter(round(2 * sum(both)) for both in points.values() if len(both) == 2)
        return cls((counts[0], counts[1], counts[2], counts[3], counts[4]))

    @property
    def pairs(self) -> int:
        """How many pairs of games there are."""
        return sum(self.counts)

    @property
    def share(self) -> float:
        """The share of the points that the first player scored."""
        return sum(place * count for place, count in enumerate(self.counts)) / (4 * self.pairs)

    @property
    def variance(self) -> float:
        """Of a pair's share of the points."""
        return sum(count * (place / 4 - self.share) ** 2 for place, count in enumerate(self.counts)) / self.pairs

    @property
    def mean(self) -> Interval:
        """The share of the points and its interval, by Wilson (1927).

        The number of trials is that which would give a yes-or-no question the standard error of these pairs. If all pairs are
        alike there is no standard error, and each pair counts as one trial.
        """
        share, trials = self.share, float(self.pairs)
        if self.variance:
            trials *= share * (1 - share) / self.variance
        return wilson(share, trials)

    @property
    def elo(self) -> Interval:
        """The same as a difference of Elo ratings."""
        return Interval(*map(elo_of, self.mean))

    @property
    def pairing(self) -> float:
        """How many times smaller the variance of the mean is than if the games of a pair were independent."""
        single = self.share * (1 - self.share) / 2
        return single / self.variance if self.variance else math.inf


def wilson(share: float, trials: float) -> Interval:
    """A share of so many independent trials, with its interval by Wilson (1927), which is within 0..1.

    >>> print("{:.2f} {:.3f} {:.3f}".format(*wilson(0.9, 10)))
    0.90 0.596 0.982
    """
    centre = (share + Z**2 / (2 * trials)) / (1 + Z**2 / trials)
    half = Z / (1 + Z**2 / trials) * math.sqrt(share * (1 - share) / trials + Z**2 / (4 * trials**2))
    low = 0.0 if share == 0 else centre - half  # without the last digit's rounding
    return Interval(share, low, 1.0 if share == 1 else centre + half)


def elo_of(share: float) -> float:
    """The Elo difference at which a player is expected to score `share`.

    >>> round(elo_of(0.75)), elo_of(1.0)
    (191, inf)
    """
    if share <= 0 or share >= 1:
        return math.inf if share >= 1 else -math.inf
    return 400 * math.log10(share / (1 - share))


def result_for(record: Record, player: str) -> float:
    """1 if the player won the game, 1/2 for a draw, 0 if it lost."""
    winner = record.end.winner
    return 0.5 if winner is None else float(record.players[winner] == player)


def mean_of(values: Sequence[float]) -> Interval:
    """The mean of independent values, with its interval.

    >>> mean_of([1, 3])
    Interval(value=2.0, low=0.040..., high=3.959...)
    """
    count = len(values)
    mean = sum(values) / count
    deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / max(count - 1, 1))
    half = Z * deviation / math.sqrt(count)
    return Interval(mean, mean - half, mean + half)
