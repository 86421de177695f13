"""The worlds that a view leaves: the opponent's hand, and the order of both draw piles.

The order of the first two cards of a pile hides nothing. *Proof.* A turn lays at least two of at most six cards (F3, F2), and
then two cards are drawn, or up to six in hand (F11): at least two, or the whole pile. So the first two cards of a pile come into
the hand together, and before that neither player sees them. In a world they are in ascending order. So a pile of two cards or fewer
has one order, and one of n cards has n! / 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import combinations, permutations, product
from math import comb, factorial
from typing import Any

import numpy as np

from backtrick.budget import Budget, Cancel, deadline
from backtrick.errors import ArgumentError
from backtrick.face_to_face.deal import described_outcomes, described_turns
from backtrick.face_to_face.display import WIN
from backtrick.face_to_face.position import Position, Side
from backtrick.face_to_face.rules import laid
from backtrick.face_to_face.state import State, View
from backtrick.face_to_face.turn import Turn
from backtrick.play import whole_game
from backtrick.play.odds import Odds
from backtrick.play.odds import odds as odds_of
from backtrick.play.state import read_view
from backtrick.random import Stream

BUDGET = Budget(nodes=20_000, table_mib=64)
"""For all turns of a world together: well below a second."""


def count_worlds(view: View) -> int:
    """How many worlds there are: the hands that the opponent can hold, times the orders of both piles.

    >>> count_worlds(View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12"))
    18
    """
    return comb(len(view.unlaid), view.hand_size) * count_orders(view.pile_size) * count_orders(len(view.own.pile))


def count_orders(size: int) -> int:
    """How many orders a pile of this many cards has, if that of the first two hides nothing."""
    return factorial(size) // 2 if size > 1 else 1


def every_world(view: View) -> Iterator[State]:
    """Every world once, `count_worlds` in all.

    >>> for world in every_world(View.parse("27^40v:17,18+?9,33,50 13^50v:?2:5,12")):
    ...     print(world.position())
    27^40v:17,18+9,33,50 13^50v:5,12
    27^40v:17,18+9,50,33 13^50v:5,12
    27^40v:17,18+33,50,9 13^50v:5,12
    """
    unlaid = sorted(view.unlaid)
    for hand in combinations(unlaid, view.hand_size):
        left = [card for card in unlaid if card not in hand]
        for other, own in product(_orders(left), _orders(sorted(view.own.pile))):
            position = Position(replace(view.own, pile=own), Side(view.ascending, view.descending, hand, other))
            yield State.begin(position, view.rules)


def _orders(cards: list[int]) -> Iterator[tuple[int, ...]]:
    """The orders of an ascending pile, the first two cards ascending."""
    for first in combinations(cards, min(2, len(cards))):
        for rest in permutations([card for card in cards if card not in first]):
            yield first + rest


def as_world(state: State) -> State:
    """The world that a state at the beginning of a turn is: the first two cards of both piles in ascending order."""
    table = state.table
    mover, opponent = (replace(side, pile=_two_ascending(tuple(side.pile))) for side in (table.mover, table.opponent))
    return replace(state, table=replace(table, mover=mover, opponent=opponent))


def _two_ascending(pile: tuple[int, ...]) -> tuple[int, ...]:
    return (*sorted(pile[:2]), *pile[2:])


class Worlds(whole_game.Worlds[State, Turn]):
    """The worlds of a view, and who wins in each after each turn. budget: for all turns of a world together.

    Raises `ArgumentError` unless the view is of the player to move, at the beginning of a turn.

    >>> worlds = Worlds(View.parse("27^40v:17,18+?9,33,50 13^50v:?2:5,12"))
    >>> worlds.count, len(worlds.turns), worlds.values(next(worlds.every()))[:2].tolist()
    (3, 3, [[0, 0], [0, 0]])
    """

    def __init__(self, view: View, budget: Budget | None = None):
        if view.plays or not view.to_move:
            raise ArgumentError("odds need the view of the player to move, at the beginning of a turn")
        self.view, self.budget, self.count = view, BUDGET if budget is None else budget, count_worlds(view)
        self._cancel = Cancel()

    @cached_property
    def _rows(self) -> dict[Any, Turn]:
        """The turns by what they lead to, the same in every world: what fits depends on the tops and the player's own hand."""
        position = self.draw(Stream(0, 0)).position()
        assert position is not None
        return described_turns(position, self.view.rules)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:  # type: ignore[override]
        return tuple(self._rows.values())

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {described: place for place, described in enumerate(self._rows)}

    def every(self) -> Iterator[State]:
        return every_world(self.view)

    def draw(self, numbers: Stream) -> State:
        return as_world(self.view.world(numbers))

    def place(self, turn: Turn) -> int:
        table = laid(self.view.table, turn, self.view.rules)
        own, other = table.mover, table.opponent
        hand = sum(1 << card for card in own.hand)
        return self._places[hand, own.ascending, own.descending, other.ascending, other.descending]

    def values(self, world: State) -> np.ndarray:
        """1 for each turn that wins and 0 for each that loses, with open cards: int64, shape (turns, 2); (0, 1) if not solved."""
        found = np.tile(np.array((0, 1), np.int64), (len(self.turns), 1))
        if not self.turns:
            return found
        table = world.table
        with deadline(self.budget, self._cancel) as stop:
            outcomes = described_outcomes(table.mover, table.opponent, self.view.rules, self.budget, stop)
        for described, outcome in outcomes.items():
            found[self._places[described]] = outcome == WIN
        return found

    def stop(self) -> None:
        self._cancel()


def odds(view: View | str, budget: Budget = BUDGET, **limits: Any) -> Odds[Turn]:
    """For each turn the share of the worlds in which it wins, with open cards after it (docs/odds.md).

    view: as an object or in notation. budget: for all turns of a world together. limits: samples, seconds, precision, seed,
    belief, threads and progress, as in `backtrick.play.odds.odds`. Raises `ArgumentError`.

    >>> found = odds(View.parse("45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12"))
    >>> found.exact, found.worlds, str(found.best), found.turns[0].value
    (True, 18, "33^' 50^", Fraction(1, 2))
    """
    return odds_of(Worlds(read_view(View, view), budget), **limits)
