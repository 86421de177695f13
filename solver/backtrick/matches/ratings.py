"""Strengths of any number of players from all their games: Bradley-Terry, with intervals by bootstrap over deals.

A player of strength r beats one of strength s with probability 1 / (1 + 10^((s - r) / 400)); a draw is half a win. The strengths
are the likeliest ones, all games at once, so the order of the games does not matter. Every two players that have met get one draw
more, lest a player without a loss be infinitely strong. Deals are drawn anew with replacement, each with all of its games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from backtrick.matches.record import Record
from backtrick.matches.score import Interval, result_for

SAMPLES = 1000
"""Bootstrap samples."""

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
    found = [Rating(name, Interval(*row)) for name, *row in zip(players, elo.tolist(), low.tolist(), high.tolist(), strict=True)]
    return sorted(found, key=lambda rating: -rating.elo.value)


def wins_by_deal(records: Sequence[Record], players: Sequence[str]) -> Array:
    """How often each player beat each other one on each deal, draws as halves: shape (deals, players, players)."""
    deals = {deal: place for place, deal in enumerate(dict.fromkeys((one.seed, one.deal) for one in records))}
    place_of = {name: place for place, name in enumerate(players)}
    won = np.zeros((len(deals), len(players), len(players)))
    for record in records:
        first, second = (place_of[name] for name in record.players)
        share, deal = result_for(record, record.players[0]), deals[record.seed, record.deal]
        won[deal, first, second] += share
        won[deal, second, first] += 1 - share
    return won


def resampled(won: Array, seed: int) -> Array:
    """Tables of wins of as many deals, drawn with replacement: shape (SAMPLES, players, players)."""
    deals, flat = len(won), won.reshape(len(won), -1)
    raw = np.random.PCG64(seed)  # whose numbers stay, unlike those that numpy makes of them
    drawn = (np.bincount(raw.random_raw(deals) % np.uint64(deals), minlength=deals) for _ in range(SAMPLES))
    samples: Array = np.array([times @ flat for times in drawn]).reshape(SAMPLES, *won.shape[1:])
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
        expected = 1 / (1 + np.exp(found[:, None, :] - found[:, :, None]))
        slope = won.sum(axis=2) - (games * expected).sum(axis=2)
        weight = games * expected * (1 - expected)
        curve = weight.sum(axis=2)[:, :, None] * eye - weight + 1 / won.shape[1]
        step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
        found += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    elo: Array = (found - found.mean(axis=1, keepdims=True)) * SCALE
    return elo
