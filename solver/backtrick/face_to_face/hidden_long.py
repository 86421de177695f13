"""What a position is worth while both hands are hidden, if both players still have hidden cards after the mover's turn.

After X's first turn Y is to move, and X's splits are its types: a game with one turn less, for each first turn. It is one of two
turns (`hidden.py`), or again one of this kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from backtrick.face_to_face._equilibrium import LastTurns
from backtrick.face_to_face.hidden import (
    DENOMINATORS,
    NEAR,
    Chances,
    Game,
    MoverPlan,
    OtherPlan,
    Outcome,
    Program,
    Solution,
    Weights,
    after_turn,
    by_outcome,
    rounded,
    shares_after,
    solve,
    total,
    types_of,
    whole_numbers,
)
from backtrick.face_to_face.position import HAND_SIZE
from backtrick.face_to_face.public_state import Known, is_short
from backtrick.face_to_face.rule_options import Rules

MOST_PILE = 5
"""Cards in a draw pile that the kernel takes. With five an answer can take long, so give a limit."""
TOGETHER = 8
"""First turns that are looked at before the types are told apart anew."""


@dataclass
class First:
    """A first turn of X, and the game after it.

    able:   the types that can make it, by their places
    shares: how likely each type of X is after it: int64, shape (able, types), of `splits` each
    cuts:   what plans of Y after it leave each type of X at most
    plans:  these plans
    """

    number: int
    game: EitherGame
    able: list[int]
    shares: np.ndarray
    splits: int
    cuts: list[list[Fraction]] = field(default_factory=list)
    plans: list[MoverPlan] = field(default_factory=list)

    def weights(self, parts: Weights) -> list[Fraction]:
        """How likely each type is after it, if the types that can make it do so with these weights."""
        units, scale = whole_numbers(parts)
        found = np.array(units, object) @ self.shares
        return [Fraction(int(one), scale * self.splits) for one in found]

    def gets(self, cut: list[Fraction]) -> np.ndarray:
        """What each type that can make it wins at most, by a cut."""
        return self.shares @ np.array([float(one) for one in cut]) / self.splits


class LongGame:
    """A position in which X has five cards in its pile, or Y three or more: after X's turn both still have hidden cards.

    mover, opponent:  X and Y
    moving, replying: the types of X and of Y that are looked at, as bits, in the order of `Side.hands`
    won:              the types that lay all their cards at once, and the turn (F12)
    waiting:          the turns that nobody has looked at to the end, by their numbers
    begun:            the games after those of them that somebody has looked at
    firsts:           the other turns, but for those that never win
    makes:            which types can make which turns: bool, shape (types, turns)
    kinds, promise:   what turns have in common; and of each kind, how many won and how many were looked at, with one more of each
    """

    def __init__(self, mover: Known, opponent: Known, moving: int, replying: int, rules: Rules, stop: bytearray) -> None:
        self.mover, self.opponent, self.moving, self.replying, self.rules = mover, opponent, moving, replying, rules
        self.stop = stop
        self.rows = LastTurns(tuple(mover), tuple(opponent), rules.code).turns()
        self.types = types_of(mover.unlaid, mover.hand_size)
        self.won: dict[int, int] = {}
        self.begun: dict[int, EitherGame] = {}
        self.firsts: list[First] = []
        whole = sum(1 << card for card in mover.unlaid)
        self.makes = (self.rows["laid"] & ~self.types[:, None]) == 0
        self.makes[[place for place in range(len(self.types)) if not moving >> place & 1]] = False
        self.waiting = set(np.flatnonzero(self.makes.any(axis=0)).tolist())
        for number in np.flatnonzero(self.rows["laid"] == whole).tolist():
            self.won.update(dict.fromkeys(self.able(number), number))
            self.waiting.discard(number)
        cards = np.array([laid.bit_count() for laid in self.rows["laid"].tolist()], np.intp)
        self.kinds = cards * (MOST_PILE + 1) + self.rows["left"]
        self.promise = np.ones((2, (HAND_SIZE + 1) * (MOST_PILE + 1)))

    def certain(self, own: Sequence[Any]) -> Any:
        """What X wins with the types that lay all their cards at once. own: X's range, fractions or whole numbers."""
        return sum(own[place] for place in self.won)

    def able(self, number: int) -> list[int]:
        """The types that can make a turn, by their places."""
        able: list[int] = np.flatnonzero(self.makes[:, number]).tolist()
        return able

    def forget(self) -> None:
        """There is nothing to drop: the games after the first turns have done so."""

    @property
    def hopeless(self) -> bool:
        """True if Y never wins: X, who has no pile and so one type, lays all its cards at once."""
        return bool(self.won)

    def first(self, number: int) -> First:
        """Looks at a turn to the end."""
        self.waiting.remove(number)
        first = self.after(number, self.rows[number].tolist()[:-1], self.able(number), self.begun.pop(number, None))
        if isinstance(first.game, Game):
            first.game.look()
        return first

    def promising(self, open_types: np.ndarray, counts: np.ndarray, among: np.ndarray) -> list[int]:
        """Turns to be looked at together: those that many types can make that do not always win yet, of kinds that often won.

        open_types: these types; counts: how many of them can make each turn; among: turns to choose from, without those chosen then
        """
        often, found = self.promise[0] / self.promise[1], list[int]()
        gains = np.where(among, counts, 0) * often[self.kinds]
        while len(found) < TOGETHER and len(gains):
            number = int(gains.argmax())
            if gains[number] <= 0:
                break
            among[number] = False
            found.append(number)
            gains[number] = 0
            if often[self.kinds[number]] > 1 / 2:  # as if it wins
                now = open_types & self.makes[:, number]
                open_types = open_types & ~now
                counts = counts - self.makes[now].sum(axis=0)
                gains = np.where(among, counts, 0) * often[self.kinds]
        return found

    def after(self, number: int, outcome: Outcome, able: list[int], game: EitherGame | None = None) -> First:
        """Looks at any turn, also at one that leaves worse tops than another. game: the one after it, if it has been begun."""
        after, _ = after_turn(self.mover, self.opponent, outcome)
        return First(number, game or self.game(outcome, able), able, *shares_after(self.mover, after, outcome[0], able))

    def game(self, outcome: Outcome, able: list[int]) -> EitherGame:
        """The game after a turn that these types make."""
        after, opponent = after_turn(self.mover, self.opponent, outcome)
        if self.moving.bit_count() == len(self.types):  # so every hand can follow
            replying = (1 << len(types_of(after.unlaid, after.hand_size))) - 1
        else:
            shares, _ = shares_after(self.mover, after, outcome[0], able)
            replying = sum(1 << place for place in np.flatnonzero(shares.any(axis=0)).tolist())
        return game_of(opponent, after, self.replying, replying, self.rules, self.stop)


EitherGame = Game | LongGame


def game_of(mover: Known, opponent: Known, moving: int, replying: int, rules: Rules, stop: bytearray) -> EitherGame:
    """The game of a position. moving, replying: the types that are looked at, as bits. stop: once it is set, less is found."""
    return (Game if is_short(mover, opponent) else LongGame)(mover, opponent, moving, replying, rules, stop)


def solve_any(game: EitherGame, own: Weights, other: Weights, gap: Fraction) -> Solution:
    """Plans of both players. own, other: the ranges of X and of Y."""
    return solve(game, own, other) if isinstance(game, Game) else solve_long(game, own, other, gap)


def solve_long(long: LongGame, own: Weights, other: Weights, gap: Fraction) -> Solution:
    """Plans of both players by cutting planes (Kelley 1960), until the bounds are no further apart than `gap` or the work
    is stopped. own, other: the ranges of X and of Y.

    What X wins after its first turn is at most what any plan of Y leaves it: a linear bound, a *cut*. Against the cuts found so far
    X's best plan is a linear program; then Y's best plan against that is one more cut after each turn that is made. A turn is
    looked at only as far as is needed to see that it is no better for any type than the other turns.
    """
    won = Fraction(long.certain(own))
    sure = [{long.won[place]: Fraction(1)} if place in long.won else {} for place in range(len(own))]
    least = MoverPlan(tuple(sure), (won,) * long.replying.bit_length())
    best = Solution(won, Fraction(1), least, OtherPlan((Fraction(1),) * len(own)))
    units, scale = whole_numbers(other)
    for first in long.firsts:
        first.cuts, first.plans = first_cut(first, units)
    solved: dict[tuple[int, tuple[Fraction, ...]], Solution] = {}  # the games after first turns, by X's range there
    bounds = dict.fromkeys(long.waiting, scale)
    bounds |= {number: scale - game.certain(units) for number, game in long.begun.items()}
    worth = [Fraction()] * len(own)  # who lays all cards at once has one type: then the bounds are equal already
    improved = True
    while best.upper - best.lower > gap:
        improved |= look_further(long, worth, units, bounds)
        if long.stop[0] or not improved:
            break
        chances, mixed = master_program(long, own)
        plan = list(sure)
        for place, of in chances.items():
            parts = rounded(list(of.values()), DENOMINATORS[-2])
            plan[place] = {number: part for number, part in zip(of, parts, strict=True) if part}
        worth, mixes = worth_against_cuts(long, mixed)
        most = list(worth)
        idle: dict[int, list[int]] = {}
        for number in long.waiting:
            idle.setdefault(bounds[number], []).append(number)
        for bound, waiting in idle.items():
            for place in np.flatnonzero(long.makes[:, waiting].any(axis=1)).tolist():
                most[place] = max(most[place], Fraction(bound, scale))
        upper = total(own, most)
        lower, gains, later, improved = won, [], {}, False
        used = {number for weight, of_type in zip(own, plan, strict=True) if weight for number in of_type}
        for first in long.firsts:
            if first.number not in used:
                continue
            weights = first.weights([own[place] * plan[place].get(first.number, 0) for place in first.able])
            whole = sum(weights, Fraction())
            held = tuple(weight / whole for weight in weights)
            if (first.number, held) not in solved:
                solved[first.number, held] = solve_any(first.game, other, held, Fraction())
            found = solved[first.number, held]
            lower += whole * (1 - found.upper)
            later[first.number] = found.other
            gains.append((whole, found.other.worth))
            cut = [1 - one for one in found.own.given]
            cut += [Fraction(1)] * (len(weights) - len(cut))
            if total(weights, cut) < min(total(weights, old) for old in first.cuts):
                first.cuts.append(cut)
                first.plans.append(found.own)
                improved = True
        if lower >= best.lower:
            wins = given_to(won, gains, len(best.own.given))
            best.lower, best.own = lower, MoverPlan(tuple(plan), tuple(wins), later)
        if upper <= best.upper:
            for bound, waiting in idle.items():
                given = (1 - Fraction(bound, scale),) * len(long.types)
                mixes |= dict.fromkeys(waiting, ((Fraction(1), MoverPlan(given=given)),))
            best.upper, best.other = upper, OtherPlan(tuple(most), mixes=mixes)
    for first in long.firsts:
        first.game.forget()
    return best


def sure_of_long(long: LongGame, other: Weights, plan: Iterable[tuple[Outcome, int, Fraction]]) -> Fraction:
    """As `hidden.sure_of`, with an equilibrium of the game after each turn that is made. other: Y's range."""
    lower = Fraction()
    for outcome, parts in by_outcome(plan).items():
        made = sum(parts.values())
        if outcome[0].bit_count() == len(long.mover.unlaid):
            lower += made  # F12
            continue
        first = long.after(-1, outcome, list(parts))
        range_after = [weight / made for weight in first.weights(list(parts.values()))]
        found = solve_any(first.game, other, range_after, Fraction())
        lower += made * (1 - found.upper)
    return lower


def given_to(won: Fraction, gains: list[tuple[Fraction, tuple[Fraction, ...]]], count: int) -> list[Fraction]:
    """What X wins against each type of Y. won: whatever Y does; gains: how likely a first turn is, what Y's types win after it."""
    told = [(weight, *whole_numbers(worth)) for weight, worth in gains]
    denominator = lcm(won.denominator, *(weight.denominator * scale for weight, _, scale in told))
    found = [won.numerator * (denominator // won.denominator)] * count
    for weight, units, scale in told:
        unit = weight.numerator * (denominator // (weight.denominator * scale))
        found = [one + unit * (scale - worth) for one, worth in zip(found, units, strict=False)]
    return [Fraction(one, denominator) for one in found]


def first_cut(first: First, units: Sequence[int]) -> tuple[list[list[Fraction]], list[MoverPlan]]:
    """Y wins with the types that are sure to win, and with no other: a cut, and the plan, which says no more than that. units: Y's
    range, in whole numbers."""
    won, count = Fraction(first.game.certain(units), sum(units)), first.shares.shape[1]
    return [[1 - won] * count], [MoverPlan(given=(won,) * count)]


def look_further(long: LongGame, worth: Weights, units: Sequence[int], bounds: dict[int, int]) -> bool:
    """Looks at turns until none is left of which the first cut lets some type win more than the turns looked at. Returns whether a
    cut was found. worth: what each type wins with the turns looked at; units: Y's range, in whole numbers; bounds: what the waiting
    turns win at most, in the same."""
    reached = np.array([float(one) for one in worth])
    scale = sum(units)
    rough = np.array([unit / scale for unit in units])
    among = np.zeros(len(long.rows), bool)
    among[list(long.waiting)] = True
    open_types = reached < 1 - NEAR
    counts = long.makes[open_types].sum(axis=0)
    found = False

    while not long.stop[0] and (asked := long.promising(open_types, counts, among)):
        least = {number: reached[long.makes[:, number]].min() for number in asked}
        asked = [number for number in asked if bounds[number] / scale > least[number] + NEAR]
        for number in asked:
            game = long.begun.get(number) or long.game(long.rows[number].tolist()[:-1], long.able(number))
            done = not isinstance(game, Game) or game.look(rough, 1 - least[number])
            game.forget()
            if long.stop[0]:
                return found
            bounds[number] = scale - game.certain(units)
            found = True
            made = long.makes[:, number]
            reached[made] = np.maximum(reached[made], bounds[number] / scale)
            long.promise[:, long.kinds[number]] += bounds[number] == scale, 1
            long.begun[number] = game
            if not done:
                continue
            first = long.first(number)
            first.cuts, first.plans = first_cut(first, units)
            if not game.hopeless:
                long.firsts.append(first)
        now = open_types & (reached >= 1 - NEAR)
        open_types &= ~now
        counts -= long.makes[now].sum(axis=0)
    return found


def master_program(long: LongGame, own: Weights) -> tuple[Chances, dict[object, float]]:
    """X's plan for its first turn against the cuts; and the weight of each cut in Y's plan."""
    program = Program()
    chances: dict[int, dict[int, int]] = {}
    for first in long.firsts:
        for place in first.able:
            chances.setdefault(place, {})[first.number] = program.column((first.number, place))
    for first in long.firsts:
        worth = program.column((first.number, "worth"), 1.0)
        for i, cut in enumerate(first.cuts):
            gets = zip(first.able, first.gets(cut).tolist(), strict=True)
            program.row((first.number, i), [(worth, 1.0), *((chances[place][first.number], -get) for place, get in gets if get)])
    values, mixed = program.solve({place: (float(own[place]), list(of.values())) for place, of in chances.items()})
    return {place: {number: values[number, place] for number in of} for place, of in chances.items()}, mixed


def worth_against_cuts(
    long: LongGame, mixed: Mapping[object, float]
) -> tuple[list[Fraction], dict[int, tuple[tuple[Fraction, MoverPlan], ...]]]:
    """What the best first turn of each type is worth if Y mixes the plans of the cuts; and these plans with their probabilities."""
    worth, mixes = [Fraction()] * len(long.types), {}
    for first in long.firsts:
        parts = rounded([mixed[first.number, i] for i in range(len(first.cuts))], DENOMINATORS[-2])
        mix = [(part, cut) for part, cut in zip(parts, first.cuts, strict=True) if part]
        mixes[first.number] = tuple((part, plan) for part, plan in zip(parts, first.plans, strict=True) if part)
        left, scale = whole_numbers([total([part for part, _ in mix], of_type)
                                     for of_type in zip(*(cut for _, cut in mix), strict=True)])  # fmt: skip
        rough = first.shares @ np.array([one / scale for one in left]) / first.splits
        for i, place in enumerate(first.able):
            if rough[i] > float(worth[place]) - NEAR:
                held = np.flatnonzero(first.shares[i]).tolist()
                worth[place] = max(worth[place], Fraction(sum(left[s] for s in held), scale * first.splits))
    return worth, mixes
