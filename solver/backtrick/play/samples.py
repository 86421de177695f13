"""Positions out of whole games by the million, in spans, so that memory stays flat and progress is seen. Blind to the game."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from itertools import count as count_from
from operator import index
from typing import Any, Generic, TypeVar

import numpy as np

from backtrick.arguments import checked
from backtrick.errors import ArgumentError
from backtrick.given import shown, whole
from backtrick.play.players import Policies
from backtrick.progress import bar
from backtrick.threads import map_threads, worker_count

SPAN = 1 << 9
"""The most games in a span: some milliseconds. A small request is cut into smaller spans, four for each thread."""

LEAST = 16
"""The fewest games in a span."""

MOST_PILE = 1 << 10
"""More cards than any draw pile has."""

Array = np.ndarray[Any, Any]
Span = TypeVar("Span", Array, list[Any])
P = TypeVar("P")


@dataclass(frozen=True)
class SelfPlay(Generic[P]):
    """The whole games of a game as a source of positions. Games 0, 1, 2, ... of a seed are played, and the policies change seats.

    decks_of:  the decks of games start..stop-1 of a seed
    endgames:  of decks, seats of policies and rules the endgames that are reached, packed
    deals:     of decks, seats, the most cards of a draw pile and rules the first deals or endgames that have no more
    as_rules:  the rules that a user gives; None for the published game
    all_reach: every game reaches its endgame, so that `count` games are enough
    """

    policies: Policies[Any, Any]
    dtype: np.dtype
    unpack: Callable[[Array], list[P]]
    decks_of: Callable[[int, int, int], Array]
    endgames: Callable[[Array, Array, Any], Array]
    deals: Callable[[Array, Array, int, Any], list[P]]
    as_rules: Callable[[Any], Any]
    all_reach: bool = False

    @checked
    def selfplay(
        self,
        count: int,
        seed: int = 0,
        policies: tuple[str, str] | None = None,
        progress: bool | None = None,
        threads: int | None = None,
        piles: int = 0,
        rules: Any = None,
    ) -> Iterator[P]:
        """`count` positions out of games 0, 1, 2, ... of `seed`: of each game the first endgame, or with `piles` the first deal, or
        endgame, whose draw piles hold at most this many cards each. A game that ends earlier yields nothing.

        The policies change seats: in odd games the second one begins. None for two of the first. The mover of a yielded position
        may be stuck: that is left to the solver. threads: None for one per core; their number does not change the positions.
        progress: None for a bar on a terminal and lines in a log. rules: of the games; None for the published game. Raises
        `ArgumentError` at once if there is no such policy, or for a number that is not allowed.

        >>> from backtrick.face_to_face import samples as face_to_face
        >>> for position in face_to_face.selfplay(2, seed=1):
        ...     print(position)
        40^4v:15,33,54,56 3^41v:8,16,19,27
        45^36v:10,28,29,34,52,54 57^24v:13,21,29,39,44,48
        >>> print(next(face_to_face.selfplay(1, seed=1, piles=3)))
        29^14v:45,52,53,58 41^4v:8,25,43,45,54,57+27,11,49
        >>> from backtrick.take_that import samples as take_that
        >>> for position in take_that.selfplay(2, seed=1):
        ...     print(position)
        12,14,15,64,65,72,79,83,88 13,21,22,56,66,67,89,93,97 57-49-54-62
        29,34,63,65,69,88,91,94,95 14,19,31,43,44,56,77,92,96 39-47-49
        """
        most, given = min(piles, MOST_PILE), self.as_rules(rules)
        if not most:
            spans = self._spans(lambda decks, seats: self.endgames(decks, seats, given), count, seed, policies, threads, progress)
            return chain.from_iterable(map(self.unpack, spans))
        deals = self._spans(lambda decks, seats: self.deals(decks, seats, most, given), count, seed, policies, threads, progress)
        return chain.from_iterable(deals)

    @checked
    def selfplay_array(
        self,
        count: int,
        seed: int = 0,
        policies: tuple[str, str] | None = None,
        progress: bool | None = None,
        threads: int | None = None,
        rules: Any = None,
    ) -> Array:
        """The endgames of `selfplay`, packed: an array of the game's POSITION_DTYPE, shape (count,).

        >>> from backtrick.face_to_face.samples import selfplay_array
        >>> selfplay_array(2, seed=1)["mover_ascending"]
        array([40, 45], dtype=uint8)
        """
        given, array, filled = self.as_rules(rules), room_for(count, self.dtype), 0
        spans = self._spans(lambda decks, seats: self.endgames(decks, seats, given), count, seed, policies, threads, progress)
        for span in spans:
            array[filled : filled + len(span)] = span
            filled += len(span)
        return array

    def _spans(
        self,
        found: Callable[[Array, Array], Span],
        count: int,
        seed: int,
        policies: tuple[str, str] | None,
        threads: int | None,
        progress: bool | None,
    ) -> Iterator[Span]:
        """The first `count` of what is found in games 0, 1, 2, ..., in spans and in order. Threads play a few spans ahead.

        found: the endgames or deals of decks and seats, as an array or a list; it releases the GIL.
        """
        policies = policies or (next(iter(self.policies)),) * 2
        self.policies.seats(policies, 0, 0), self.decks_of(seed, 0, 0)  # refuses what cannot be played before the first span
        left = index(count)
        threads = min(worker_count("threads", threads), max(1, left // LEAST))  # each plays spans ahead, of LEAST games or more
        size = min(SPAN, max(LEAST, left // (4 * threads)))
        starts = range(0, left, size) if self.all_reach else count_from(0, size)

        def play(start: int) -> Span:
            return found(self.decks_of(seed, start, start + size), self.policies.seats(policies, start, start + size))

        return _first((play(start) for start in starts) if threads == 1 else map_threads(play, starts, threads), left, progress)


def _first(spans: Generator[Span, None, None], left: int, progress: bool | None) -> Iterator[Span]:
    with bar(left, "self-play", "positions", progress) as shown, closing(spans):
        while left:
            span = next(spans)[:left]
            left -= len(span)
            yield span
            shown.update(len(span))


def room_for(count: int, dtype: np.dtype) -> Array:
    """An array for `count` positions, not filled: shape (count,). Raises `ArgumentError` if there is no room for them."""
    if count >= 0 and (number := whole(count)) is not None:
        try:
            return np.empty(number, dtype)
        except (MemoryError, ValueError):  # the latter for more bytes than a pointer can count
            raise ArgumentError(f"count is too large: there is no room for {count:,} positions") from None
    raise ArgumentError(f"count must be a whole number of at least 0, not {shown(count)}")
