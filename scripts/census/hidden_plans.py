"""Questions to the games of `hidden.py` that the census alone asks: what a state is worth if the opponent sees the cards drawn,
and what the best plan is sure of that leaves no turn to chance.

The second is a program of whole numbers: each hand has one turn, or each kind of the other player's hands one reply to each turn.
What its solution is sure of is worked out in fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from backtrick.face_to_face import PublicState
from backtrick.face_to_face.equilibria import NEVER, _by_type
from backtrick.face_to_face.hidden import (
    NEAR,
    Solution,
    as_bits,
    plan_of_x,
    sure_of,
    total,
    worth_against,
    worthwhile,
)
from backtrick.face_to_face.hidden_long import First, LongGame, first_cut, game_of, solve_any, solve_long

SECONDS = 60.0
"""For a program of whole numbers."""
ROUNDS = 30
SURE = Fraction(1)


class Open(NamedTuple):
    """A state of two turns, with its game and both ranges in the order of types."""

    game: Any
    own: list[Fraction]
    other: list[Fraction]


def opened(state: PublicState) -> Open:
    """The game of a state, all hands equally likely."""
    own, other = (_by_type(side, state.alike(seat)) for seat, side in enumerate((state.mover, state.opponent)))
    bits = [(1 << len(one)) - 1 for one in (own, other)]
    return Open(game_of(state.mover, state.opponent, *bits, state.rules, NEVER), own, other)


# If the opponent sees the cards drawn


def shown_values(asked: Open) -> list[tuple[Fraction, int]]:
    """For each type of the mover its best odds, and a turn that has them, -1 if no turn can win: the opponent then replies as if it
    saw what the mover has drawn."""
    game, _, other = asked
    best = [(Fraction(int(number >= 0)), number) for number in game.sure]
    for turn in game.turns:
        splits = as_bits((np.array(game.kernel.splits(turn.number), np.uint64) & game.types[turn.able][:, None]) == 0).tolist()
        values = [Fraction()] * len(splits)
        for family in turn.families:
            weight = sum((other[place] for place in family.types), Fraction())
            won = turn.meant
            for reply in family.replies:
                won &= turn.sets[reply]
            values = [value + weight * (won & held).bit_count() for value, held in zip(values, splits, strict=True)]
        for place, value in zip(turn.able.tolist(), values, strict=True):
            if value / turn.splits > best[place][0]:
                best[place] = value / turn.splits, turn.number
    return best


def sure_with(asked: Open, numbers: Iterable[int]) -> Fraction:
    """What the mover is sure of if each of its types makes one turn. numbers: of turns; -1 for none."""
    plan = [(tuple(asked.game.rows[number].tolist()[:6]), place, asked.own[place])
            for place, number in enumerate(numbers) if number >= 0]  # fmt: skip
    return sure_of(asked.game, asked.other, plan)


# Without chance


class Choice:
    """A program of whole numbers: columns of which one of each group is chosen, other columns, and rows that say "at most 0"."""

    def __init__(self) -> None:
        self.gains: list[float] = []
        self.groups: dict[object, dict[object, int]] = {}
        self.rows: list[list[tuple[int, float]]] = []

    def column(self, gain: float = 0.0) -> int:
        self.gains.append(gain)
        return len(self.gains) - 1

    def choose(self, group: object, name: object, gain: float = 0.0) -> int:
        of = self.groups.setdefault(group, {})
        if name not in of:
            of[name] = self.column(gain)
        return of[name]

    def solve(self) -> tuple[dict[object, object], float] | None:
        """What is chosen of each group, and a bound that no choice gains more than; None if the time is over."""
        chosen = [column for of in self.groups.values() for column in of.values()]
        entries = [(row, column, value) for row, of in enumerate(self.rows) for column, value in of]
        sums = [(row, column, 1.0) for row, of in enumerate(self.groups.values()) for column in of.values()]
        whole = np.zeros(len(self.gains))
        whole[chosen] = 1
        lower, upper = np.full(len(self.gains), -np.inf), np.full(len(self.gains), np.inf)
        lower[chosen], upper[chosen] = 0, 1
        limits = [LinearConstraint(self._matrix(sums, len(self.groups)), 1, 1)]
        limits += [LinearConstraint(self._matrix(entries, len(self.rows)), -np.inf, 0)] if self.rows else []
        options = {"time_limit": SECONDS, "mip_rel_gap": 0.0}
        found = milp(-np.array(self.gains), integrality=whole, bounds=Bounds(lower, upper), constraints=limits, options=options)
        if found.x is None:
            return None
        chosen_of = {group: max(of, key=lambda name: found.x[of[name]]) for group, of in self.groups.items()}
        return chosen_of, -found.mip_dual_bound

    def _matrix(self, entries: Sequence[tuple[int, int, float]], count: int) -> Any:
        row, column, value = zip(*entries, strict=True)
        return coo_array((value, (row, column)), shape=(count, len(self.gains))).tocsr()


class Pure(NamedTuple):
    """The best plan of a player that leaves no turn to chance.

    value: what it is sure of, or leaves at most
    known: False if a better one may not have been found
    """

    value: Fraction
    known: bool


def weights_of(asked: Open) -> dict[int, list[Fraction]]:
    return {turn.number: [sum((asked.other[place] for place in family.types), Fraction()) for family in turn.families]
            for turn in asked.game.turns}  # fmt: skip


def pure_mover(asked: Open, value: Fraction) -> Pure:
    """The mover's best plan without chance in a game of two turns. Turns that are worthwhile for no type are left out: a plan
    without chance only gains if its types make, in their place, the turn that is better for each.

    value: of the state
    """
    game, own, _ = asked
    weights = weights_of(asked)
    kept, _ = worthwhile(game, own, weights)
    choice = Choice()
    for turn in kept:
        columns = [choice.choose(place, turn.number) for place in turn.able.tolist()]
        worth = [float(own[place]) / turn.splits for place in turn.able.tolist()]
        for weight, family in zip(weights[turn.number], turn.families, strict=True):
            least = choice.column(float(weight))
            for reply in family.replies:
                gets = (turn.wins[reply] * worth).tolist()
                choice.rows.append([(least, 1.0), *((column, -get) for column, get in zip(columns, gets, strict=True) if get)])
    found = choice.solve() if choice.groups else ({}, 0.0)
    if found is None:
        return Pure(Fraction(), known=False)
    chances = {place: {number: 1.0} for place, number in found[0].items()}
    _, lower, _ = plan_of_x(game, own, kept, weights, chances, 1)
    return Pure(lower, lower == value or float(game.certain(own)) + found[1] < float(lower) + NEAR)


def pure_other(asked: Open, value: Fraction) -> Pure:
    """The other player's best plan without chance in a game of two turns. value: of the state"""
    game, own, _ = asked
    weights = weights_of(asked)
    kept, replies = worthwhile(game, own, weights)
    choice = Choice()
    worth = {place: choice.column(-float(own[place])) for place in sorted({int(place) for turn in kept for place in turn.able})}
    for column in worth.values():
        choice.rows.append([(column, -1.0)])
    for turn in kept:
        columns = [[(choice.choose((turn.number, group), reply), float(weight), reply) for reply in family.replies]
                   for group, (weight, family) in enumerate(zip(weights[turn.number], turn.families, strict=True))]  # fmt: skip
        for i, place in enumerate(turn.able.tolist()):
            gets = [(column, weight * int(turn.wins[reply, i]) / turn.splits) for of in columns for column, weight, reply in of]
            choice.rows.append([(worth[place], -1.0), *((column, get) for column, get in gets if get)])
    found = choice.solve() if choice.groups else ({}, 0.0)
    if found is None:
        return Pure(SURE, known=False)
    planned = dict(replies)
    for turn in kept:
        planned[turn.number] = [{found[0][turn.number, group]: SURE} for group in range(len(turn.families))]
    upper = total(own, worth_against(game, weights, planned)[0])
    return Pure(upper, upper == value or float(game.certain(own)) - found[1] > float(upper) - NEAR)


def pure_first(asked: Open, value: Fraction) -> Pure:
    """The mover's best plan whose first turn is not left to chance, if both players still choose without knowing after it; what
    follows may be. The cuts of the long game bound what any plan wins, so a program over them bounds all of these plans, and each
    solution gives more cuts. A turn that nobody has looked at counts as a win until it is chosen.

    value: of the state
    """
    long, own, other = asked
    solve_long(long, own, other, Fraction())
    won, best = long.certain(own), Fraction()
    for _ in range(ROUNDS):
        choice = Choice()
        for number in long.waiting:
            for place in long.able(number):
                if place not in long.won:
                    choice.choose(place, number, float(own[place]))
        for first in long.firsts:
            columns = {place: choice.choose(place, first.number) for place in first.able if place not in long.won}
            worth = choice.column(1.0)
            for cut in first.cuts:
                gets = zip(first.able, first.gets(cut).tolist(), strict=True)
                choice.rows.append([(worth, 1.0), *((columns[place], -get * float(own[place])) for place, get in gets
                                                    if place in columns and get)])  # fmt: skip
        found = choice.solve() if choice.groups else ({}, 0.0)
        if found is None:
            return Pure(best, known=False)
        chosen, most = found
        if unseen := {number for number in chosen.values() if number in long.waiting}:
            for number in unseen:
                first = long.first(number)
                first.cuts, first.plans = first_cut(first, other)
                long.firsts.append(first)
            continue
        best = max(best, won + sum((_after(first, chosen, own, other) for first in long.firsts), Fraction()))
        if best == value or float(won) + most < float(best) + NEAR:
            return Pure(best, known=True)
    return Pure(best, known=float(won) + most < float(value) - NEAR)


def _after(first: First, chosen: Mapping[object, object], own: list[Fraction], other: list[Fraction]) -> Fraction:
    """What the mover wins with a first turn of the types that choose it, as the other player's best plan leaves it; a cut more."""
    made = [own[place] * (chosen.get(place) == first.number) for place in first.able]
    if not any(made):
        return Fraction()
    weights = first.weights(made)
    whole = sum(weights)
    found: Solution = solve_any(first.game, other, [weight / whole for weight in weights], Fraction())
    cut = [1 - one for one in found.own.given]
    first.cuts.append(cut + [SURE] * (len(weights) - len(cut)))
    return whole * (1 - found.upper)


def chance_of(state: PublicState, value: Fraction, mover: bool, other: bool) -> tuple[Pure | None, Pure | None]:
    """The best plans without chance: the mover's, and the other player's reply where both have one turn.

    value: of the state; mover, other: who is asked
    """
    asked = opened(state)
    if isinstance(asked.game, LongGame):
        return pure_first(asked, value) if mover else None, None
    return pure_mover(asked, value) if mover else None, pure_other(asked, value) if other else None
