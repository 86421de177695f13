"""A sequential probability ratio test of pairs of games: which of two strengths do the results so far speak for?

The generalised test on pentanomial counts, as chess engines are tested (fishtest, fastchess), in normalised Elo: the mean score
of a game above one half, in standard deviations of a game, times 800 / ln 10. For a pair of games the deviation of the mean is
smaller by the square root of 2. The ratio is Van den Bergh's approximation: half the number of pairs times ln((1 + (t - t0)^2) /
(1 + (t - t1)^2)), where t, t0 and t1 are means in deviations of a pair, as found and by the two hypotheses. It is close for small
differences, for which such tests are made. A match that is won 2-0 deal after deal needs no test, and has a small ratio.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from backtrick.errors import ArgumentError

ERROR = 0.05
"""The probability of each of the two wrong answers."""

BOUND = math.log((1 - ERROR) / ERROR)
"""The test ends when the ratio leaves -BOUND..BOUND."""

POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The share of the points that each kind of pair gives."""

UNSEEN = 1e-3
"""How often a kind of pair counts that was not seen yet: it is not impossible."""


class Sprt(NamedTuple):
    """What the test says so far: the logarithm of the likelihood ratio of elo1 to elo0, and the words for it."""

    ratio: float
    verdict: str


def sprt(counts: Sequence[int], elo0: float, elo1: float) -> Sprt:
    """The test of normalised Elo elo1 against elo0 after pairs of games with 0, 1/2, 1, 3/2 and 2 points.

    Raises `ArgumentError` unless elo0 is below elo1.

    >>> ratio, verdict = sprt((379, 10170, 21828, 10640, 343), 0, 2)
    >>> print(f"{ratio:.5f}", verdict)
    2.94598 elo1 is accepted
    """
    if not elo0 < elo1:
        raise ArgumentError(f"ELO0 is below ELO1, not {elo0:g} and {elo1:g}")
    weights = [count or UNSEEN for count in counts]
    pairs = sum(weights)
    mean = sum(weight * point for weight, point in zip(weights, POINTS, strict=True)) / pairs
    variance = sum(weight * (point - mean) ** 2 for weight, point in zip(weights, POINTS, strict=True)) / pairs
    t = (mean - 0.5) / math.sqrt(variance)
    t0, t1 = (elo * math.log(10) / 800 * math.sqrt(2) for elo in (elo0, elo1))
    ratio = pairs / 2 * math.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))
    verdict = "elo1 is accepted" if ratio >= BOUND else "elo0 is accepted" if ratio <= -BOUND else "not decided yet"
    return Sprt(ratio, verdict)
