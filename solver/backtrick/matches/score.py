"""What results say: the score of two players by pairs of games, the ratings of all players, and a test of two strengths.

Ratings are Bradley-Terry strengths from all games at once, so the order of the games does not matter. A player of strength r beats
one of strength s with probability 1 / (1 + 10^((s - r) / 400)); a draw is half a win. Each pair of players that have met gets one
more draw, so that a player without a loss has a finite strength. Intervals are by bootstrap over deals, each with all of its games.

The test is the generalised sequential probability ratio test on pentanomial counts, as chess engines are tested (fishtest,
fastchess), in normalised Elo: the mean score of a game above one half, in standard deviations of a game, times 800 / ln 10. For a
pair of games the deviation of the mean is smaller by the square root of 2. The ratio compares the likeliest shares under the two
hypotheses. Van den Bergh's approximation by mean and variance is close to it only for small differences.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from backtrick.errors import ArgumentError
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
    """A share of this many independent trials, with its interval by Wilson (1927), which is within 0..1.

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
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return 400 * math.log10(share / (1 - share))


def result_for(record: Record, player: str) -> float:
    """1 if the player won the game, 1/2 for a draw, 0 if it lost."""
    winner = record.end.winner
    return 0.5 if winner is None else float(record.players[winner] == player)


def mean_of(values: Sequence[float]) -> Interval:
    """The mean of independent values, with its interval: infinite if they do not differ, for then they say nothing of it.

    >>> mean_of([1, 3])
    Interval(value=2.0, low=0.040..., high=3.959...)
    >>> mean_of([2])
    Interval(value=2.0, low=-inf, high=inf)
    """
    count = len(values)
    mean = sum(values) / count
    deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / max(count - 1, 1))
    half = Z * deviation / math.sqrt(count) if deviation else math.inf
    return Interval(mean, mean - half, mean + half)


SAMPLES = 1000
"""Bootstrap samples."""

AT_ONCE = 1 << 13
"""Deals that are drawn at once: many for few deals, and little memory for many."""

SCALE = 400 / np.log(10)
"""Elo in a unit of log odds."""

Array = np.ndarray[Any, np.dtype[np.float64]]


class Rating(NamedTuple):
    """A player's strength in Elo, the mean of all players being 0."""

    player: str
    elo: Interval


def ratings(records: Sequence[Record], seed: int = 0) -> list[Rating]:
    """The strengths of all players, the best first. None of them if some have never met, not even through others.

    seed: of the bootstrap, whose intervals repeat themselves exactly.
    """
    players = list(dict.fromkeys(name for record in records for name in record.players))
    won = wins_by_deal(records, players)
    total = won.sum(axis=0)
    met = (total + total.T) > 0
    if len(players) < 2 or not connected(met):
        return []
    draws = np.where(met, 0.5, 0.0)
    samples = resampled(won, seed)
    [elo] = strengths(total[None] + draws)
    low, high = np.quantile(strengths(samples + draws), (0.025, 0.975), axis=0)
    alike = high - low < 1e-6  # a deal alone, or deals that do not differ, say nothing of the interval
    low, high = np.where(alike, -np.inf, low), np.where(alike, np.inf, high)
    found = [Rating(name, Interval(*row)) for name, *row in zip(players, elo.tolist(), low.tolist(), high.tolist(), strict=True)]
    return sorted(found, key=lambda rating: -rating.elo.value)


def wins_by_deal(records: Sequence[Record], players: Sequence[str]) -> Array:
    """How often each player beat each other one on each deal, draws as halves: shape (deals, players, players). Deals come in the
    order of their seeds and numbers, whatever that of the records."""
    deals = {deal: place for place, deal in enumerate(sorted({(one.seed, one.deal) for one in records}))}
    place_of = {name: place for place, name in enumerate(players)}
    won = np.zeros((len(deals), len(players), len(players)))
    for record in records:
        first, second = (place_of[name] for name in record.players)
        share, deal = result_for(record, record.players[0]), deals[record.seed, record.deal]
        won[deal, first, second] += share
        won[deal, second, first] += 1 - share
    return won


def resampled(won: Array, seed: int) -> Array:
    """Tables of wins of the same number of deals, drawn with replacement: shape (SAMPLES, players, players)."""
    deals, flat = len(won), won.reshape(len(won), -1)
    raw = np.random.PCG64(seed)  # its raw numbers never change between versions of numpy; what numpy derives from them may
    found, most = [], max(1, AT_ONCE // deals)
    for start in range(0, SAMPLES, most):
        count = min(most, SAMPLES - start)
        drawn = (raw.random_raw(count * deals) % np.uint64(deals)).astype(np.intp).reshape(count, deals)
        drawn += deals * np.arange(count)[:, None]  # counted in one go, each sample in a place of its own
        found.append(np.bincount(drawn.ravel(), minlength=count * deals).reshape(count, deals) @ flat)
    samples: Array = np.concatenate(found).reshape(SAMPLES, *won.shape[1:])
    return samples


def connected(met: np.ndarray) -> bool:
    """True if all players are linked by games, directly or through others."""
    reached = np.zeros(len(met), bool)
    reached[:1] = True
    for _ in range(len(met)):
        reached |= met[reached].any(axis=0)
    return bool(reached.all())


def strengths(won: Array) -> Array:
    """The likeliest strengths in Elo for tables of wins: shape (tables, players, players) to (tables, players).

    By Newton's method: the likelihood has one maximum. The mean of the strengths, which says nothing, is held at 0.

    >>> strengths(np.array([[[0.0, 3.0], [1.0, 0.0]]])).round(1)
    array([[ 95.4, -95.4]])
    """
    games = won + won.transpose(0, 2, 1)
    found = np.zeros(won.shape[:2])
    eye = np.eye(won.shape[1])
    for _ in range(100):
        expected = 1 / (1 + np.exp(found[:, None] - found[..., None]))
        slope = won.sum(axis=2) - (games * expected).sum(axis=2)
        weight = games * expected * (1 - expected)
        curve = weight.sum(axis=2)[:, None] * eye - weight + 1 / won.shape[1]
        step = np.linalg.solve(curve, slope[..., None])[..., 0]
        found += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    elo: Array = (found - found.mean(axis=1, keepdims=True)) * SCALE
    return elo


ERROR = 0.05
"""The probability of each of the two wrong answers."""

BOUND = math.log((1 - ERROR) / ERROR)
"""The test ends when the ratio leaves -BOUND..BOUND."""

POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The share of the points that each kind of pair gives."""

UNSEEN = 1e-3
"""How often a kind of pair that was not seen yet counts, since it is possible."""


MOST_ELO = 200.0
"""Hypotheses are not further from 0. Greater differences need no test."""

STEPS = 200
"""The most steps to the likeliest shares; a few are usual."""


class Sprt(NamedTuple):
    """What the test says so far: the logarithm of the likelihood ratio of elo1 to elo0, and the words for it."""

    ratio: float
    verdict: str

    @property
    def decided(self) -> bool:
        """True if one of the hypotheses is accepted."""
        return abs(self.ratio) >= BOUND


def sprt(counts: Sequence[int], elo0: float, elo1: float) -> Sprt:
    """The test of normalised Elo elo1 against elo0 after pairs of games with 0, 1/2, 1, 3/2 and 2 points.

    Raises `ArgumentError` unless elo0 is below elo1, both within -200..200.

    >>> ratio, verdict = sprt((379, 10170, 21828, 10640, 343), 0, 2)
    >>> print(f"{ratio:.4f}", verdict)
    2.9455 elo1 is accepted
    """
    if not -MOST_ELO <= elo0 < elo1 <= MOST_ELO:
        raise ArgumentError(f"ELO0 must be below ELO1, both within -{MOST_ELO:g}..{MOST_ELO:g}, not {elo0:g} and {elo1:g}")
    weights = [count or UNSEEN for count in counts]
    pairs = sum(weights)
    shares = [weight / pairs for weight in weights]
    under0, under1 = (likeliest_shares(shares, elo * math.log(10) / 800 * math.sqrt(2)) for elo in (elo0, elo1))
    ratio = sum(weight * math.log(one / zero) for weight, one, zero in zip(weights, under1, under0, strict=True))
    verdict = "elo1 is accepted" if ratio >= BOUND else "elo0 is accepted" if ratio <= -BOUND else "not decided yet"
    return Sprt(ratio, verdict)


def likeliest_shares(shares: Sequence[float], t: float) -> list[float]:
    """The likeliest true shares of the five kinds of pairs, if these shares were seen and the mean is t deviations above one half.

    The condition on the mean is not linear in the shares. Each step takes the tangent of it at the shares found so far, and solves
    for the one Lagrange multiplier that is left, as fishtest does.

    >>> [round(share, 3) for share in likeliest_shares([0.0002, 0.0002, 0.4996, 0.0002, 0.4998], 0.0)]
    [0.25, 0.0, 0.5, 0.0, 0.25]
    """
    found = [1 / len(POINTS)] * len(POINTS)
    for _ in range(STEPS):
        mean = sum(share * point for share, point in zip(found, POINTS, strict=True))
        deviation = math.sqrt(sum(share * (point - mean) ** 2 for share, point in zip(found, POINTS, strict=True)))
        slopes = [point - 0.5 - t * deviation * (1 + ((mean - point) / deviation) ** 2) / 2 for point in POINTS]
        multiplier = _root(shares, slopes)
        before, found = found, [share / (1 + multiplier * slope) for share, slope in zip(shares, slopes, strict=True)]
        if max(abs(new - old) for new, old in zip(found, before, strict=True)) < 1e-12:
            break
    return found


def _root(shares: Sequence[float], slopes: Sequence[float]) -> float:
    """The multiplier at which the sum of share * slope / (1 + multiplier * slope) is 0: the sum falls between its two poles."""
    low, high = -1 / max(slopes), -1 / min(slopes)
    middle = (low + high) / 2
    while low < middle < high:
        if sum(share * slope / (1 + middle * slope) for share, slope in zip(shares, slopes, strict=True)) > 0:
            low = middle
        else:
            high = middle
        middle = (low + high) / 2
    return middle
