"""Which games a match has, and their order: deal after deal, every pair of players, both seats.

The players of a pair play each deal twice, with seats changed, so that both get the same cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple


class Game(NamedTuple):
    """One game of a match: the number of its deal, and its players, seat 0 first."""

    deal: int
    players: tuple[str, str]


def games_of(players: Sequence[str], deals: range) -> Iterator[Game]:
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
            yield Game(deal, (first, second))
            yield Game(deal, (second, first))


def portions(deals: int, workers: int, most: int = 16) -> list[range]:
    """The deals in portions for workers: some for each worker, so that all are busy to the end.

    >>> portions(5, 1, most=2)
    [range(0, 1), range(1, 2), range(2, 3), range(3, 4), range(4, 5)]
    """
    size = max(1, min(most, deals // (8 * workers)))
    return [range(start, min(start + size, deals)) for start in range(0, deals, size)]
