"""The worlds that a view leaves: which of the unseen cards the other player holds, and the order of the draw pile (T3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import combinations, permutations
from math import comb, factorial
from typing import Any

import numpy as np

from backtrick.budget import Budget, Cancel, deadline
from backtrick.errors import IllegalTurnError
from backtrick.play import whole_game
from backtrick.play.odds import Odds
from backtrick.play.odds import odds as odds_of
from backtrick.play.state import read_view
from backtrick.random import Stream
from backtrick.take_that.deal import new_team, outcomes_by
from backtrick.take_that.position import Position
from backtrick.take_that.rules import legal_turns
from backtrick.take_that.state import State, View
from backtrick.take_that.turn import Turn

BUDGET = Budget(nodes=1_000_000, table_mib=64)
"""For all turns of a world together: a second or less."""


def count_worlds(view: View) -> int:
    """How many worlds there are: the hands that the other player can hold, times the orders of the pile.

    >>> count_worlds(State.begin(Position.parse("12,33 21,94 34-41 55,63")).view(0))
    12
    """
    return comb(len(view.unseen), view.hand_size) * factorial(view.pile_size)


def every_world(view: View) -> Iterator[State]:
    """Every world once, `count_worlds` in all.

    >>> for world in every_world(State.begin(Position.parse("12,33 21 34-41 55,63")).view(0)):
    ...     print(world.position())
    12,33 21 34-41 55,63
    12,33 21 34-41 63,55
    12,33 55 34-41 21,63
    12,33 55 34-41 63,21
    12,33 63 34-41 21,55
    12,33 63 34-41 55,21
    """
    for hand in combinations(view.unseen, view.hand_size):
        for pile in permutations([card for card in view.unseen if card not in hand]):
            world = State.begin(Position(view.hand, hand, view.line, pile), view.rules)
            yield replace(world, scored=view.points)


class Worlds(whole_game.Worlds[State, Turn]):
    """The worlds of a view, and the difference of the points after each turn. budget: for all turns of a world together."""

    def __init__(self, view: View, budget: Budget | None = None):
        self.view, self.budget, self.count = view, BUDGET if budget is None else budget, count_worlds(view)
        self._cancel = Cancel()

    @cached_property
    def turns(self) -> tuple[Turn, ...]:  # type: ignore[override]
        """The same in every world."""
        position = self.draw(Stream(0, 0)).position()
        return () if position is None else tuple(legal_turns(position, self.view.rules))

    def every(self) -> Iterator[State]:
        return every_world(self.view)

    def place(self, turn: Turn) -> int:
        if turn not in self.turns:
            raise IllegalTurnError(turn, None, "the player does not have this turn", "T3")
        return self.turns.index(turn)

    def values(self, world: State) -> np.ndarray:
        """The mover's points minus the opponent's from here on after each turn, with open cards (T12): int64, shape (turns, 2)."""
        position = world.position()
        if position is None:  # the round is over
            return np.zeros((0, 2), np.int64)
        with deadline(self.budget, self._cancel) as stop:
            team = new_team(self.view.rules, self.budget, stop)
            outcomes = outcomes_by(team, position, self.view.rules, self.budget.nodes or 0)
        found = {one.turn: (one.bounds.lowest, one.bounds.highest) for one in outcomes}
        return np.array([found[turn] for turn in self.turns], np.int64).reshape(len(self.turns), 2)

    def stop(self) -> None:
        self._cancel()


def odds(view: View | str, budget: Budget = BUDGET, **limits: Any) -> Odds[Turn]:
    """For each turn the mean difference of the points from here on, with open cards after it (docs/odds.md).

    view: as an object or in notation. budget: for all turns of a world together. limits: samples, seconds, precision, seed,
    belief, threads and progress, as in `backtrick.play.odds.odds`. Raises `ArgumentError`.

    >>> for found in odds(State.begin(Position.parse("12,33 21,94 34-41 55,63")).view(0)).turns:
    ...     print(found.turn, found.value)
    33 31/6
    take,33 7/6
    take,12 -25/6
    """
    return odds_of(Worlds(read_view(View, view), budget), **limits)
