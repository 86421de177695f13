"""What a position is worth while both hands are hidden, if both players still have hidden cards after the mover's turn.

After X's first turn Y is to move, and X's splits are its types: a game of two turns (`hidden.py`), for each first turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from backtrick.face_to_face._equilibrium import LastTurns
from backtrick.face_to_face.hidden import (
    DENOMINATORS,
    NEAR,
    Chances,
    Game,
    Outcome,
    Program,
    Side,
    Weights,
    by_outcome,
    rounded,
    solve,
    total,
)
from backtrick.face_to_face.position import HAND_SIZE
from backtrick.face_to_face.rule_options import Rules


@dataclass
class First:
    """A first turn of X, and the game of two turns after it.

    able:   the types that can make it, by their places
    shares: how likely each type of X is after it: int64, shape (able, types), of `splits` each
    cuts:   plans of Y after it, each as what it leaves each type of X at most
    """

    number: int
    game: Game
    able: list[int]
    shares: np.ndarray
    splits: int
    cuts: list[list[Fraction]]

    def weights(self, parts: Iterable[Fraction]) -> list[Fraction]:
        """How likely each type is after it, if the types that can make it do so with these weights."""
        shares = list(zip(parts, self.shares.tolist(), strict=True))
        return [sum((part * share[s] for part, share in shares if part), Fraction()) / self.splits
                for s in range(self.shares.shape[1])]  # fmt: skip

    def gets(self, cut: list[Fraction]) -> np.ndarray:
        """What each type that can make it wins at most, by a cut."""
        return self.shares @ np.array([float(one) for one in cut]) / self.splits


class LongGame:
    """A position in which X has at most four cards in its pile and Y three or four: X, Y and X move, and then Y knows all.

    won:     the types that lay all their cards at once, and the turn (F12)
    waiting: the turns that nobody has looked at, by their numbers, with the types that can make them
    """

    def __init__(self, mover: Side, opponent: Side, own: Weights, other: Weights, rules: Rules) -> None:
        self.mover, self.opponent, self.own, self.other, self.rules = mover, opponent, own, other, rules
        self.rows = LastTurns(tuple(mover), tuple(opponent), rules.code).turns()
        self.won: dict[int, int] = {}
        self.waiting: dict[int, list[int]] = {}
        whole = sum(1 << card for card in mover.unlaid)
        makes = ((self.rows["laid"][:, None] & ~mover.types) == 0) & np.array([weight > 0 for weight in own])
        for number, laid in enumerate(self.rows["laid"].tolist()):
            able = np.flatnonzero(makes[number]).tolist()
            if laid == whole:
                self.won.update(dict.fromkeys(able, number))
            elif able:
                self.waiting[number] = able

    def first(self, number: int) -> First:
        """Looks at a turn: its first cut is that Y wins with the types that are sure to win, and with no other."""
        return self.after(number, self.rows[number].tolist()[:-1], self.waiting.pop(number))

    def after(self, number: int, outcome: Sequence[int], able: list[int]) -> First:
        """Looks at any turn, also at one that leaves worse tops than another."""
        laid, up, down, other_up, other_down, helped = outcome
        drawn = HAND_SIZE - (self.mover.hand_size - laid.bit_count()) if helped else 2  # F11
        left = max(self.mover.pile_size - drawn, 0)
        rest = tuple(card for card in self.mover.unlaid if not laid >> card & 1)
        after = Side(up, down, len(rest) - left, rest)
        held = self.mover.types[able] & ~np.uint64(laid)
        shares = ((held[:, None] & ~after.types) == 0).astype(np.int64)
        replying = sum(1 << place for place in np.flatnonzero(shares.any(axis=0)).tolist())
        opponent = self.opponent._replace(ascending=other_up, descending=other_down)
        game = Game(opponent, after, self.other, replying, self.rules)
        sure = sum((weight for weight, turn in zip(self.other, game.sure, strict=True) if turn >= 0), Fraction())
        return First(number, game, able, shares, comb(self.mover.pile_size, left), [[1 - sure] * shares.shape[1]])


@dataclass
class LongSolution:
    """As `Solution`, after `rounds` of cutting planes, in which `solved` games of two turns were solved."""

    lower: Fraction
    upper: Fraction
    plan: list[dict[int, Fraction]]
    worth: list[Fraction]
    rounds: int = 0
    solved: int = 0


def solve_long(long: LongGame, gap: Fraction, stop: bytearray) -> LongSolution:
    """Plans by cutting planes (Kelley 1960), until the bounds are no further apart than `gap` or `stop` is set.

    What X wins after its first turn is at most what any plan of Y leaves it: a linear bound, a *cut*. Against the cuts found so far
    X's best plan is a linear program; then Y's best plan against that is one more cut after each turn that is made. A turn is
    looked at only once some type that can make it would win less than always without it.
    """
    won = sum((long.own[place] for place in long.won), Fraction())
    best = LongSolution(won, Fraction(1), [{} for _ in long.own], [Fraction(1)] * len(long.own))
    firsts: list[First] = []
    worth = [Fraction(int(place in long.won)) for place in range(len(long.own))]
    improved = True
    while best.upper - best.lower > gap:
        improved |= look_further(long, firsts, worth, stop)
        if stop[0] or not improved:
            break
        best.rounds += 1
        chances, mixed = master_program(long, firsts)
        plan = [{long.won[place]: Fraction(1)} if place in long.won else {} for place in range(len(long.own))]
        for place, of in chances.items():
            parts = rounded(list(of.values()), DENOMINATORS[-2])
            plan[place] = {number: part for number, part in zip(of, parts, strict=True) if part}
        worth = worth_against_cuts(long, firsts, mixed)
        most = list(worth)
        for able in long.waiting.values():
            for place in able:
                most[place] = Fraction(1)
        upper = total(long.own, most)
        lower, improved = won, False
        for first in firsts:
            made = [long.own[place] * plan[place].get(first.number, 0) for place in first.able]
            if any(made):
                weights = first.weights(made)
                whole = sum(weights)
                found = solve(first.game, [weight / whole for weight in weights])
                best.solved += 1
                lower += whole * (1 - found.upper)
                cut = [1 - given for given in found.given]
                cut += [Fraction(1)] * (len(weights) - len(cut))
                if total(weights, cut) < min(total(weights, old) for old in first.cuts):
                    first.cuts.append(cut)
                    improved = True
        if lower >= best.lower:
            best.lower, best.plan = lower, plan
        if upper <= best.upper:
            best.upper, best.worth = upper, most
    return best


def sure_of_long(long: LongGame, plan: Iterable[tuple[Outcome, int, Fraction]]) -> Fraction:
    """As `hidden.sure_of`, with an equilibrium of the game after each turn that is made."""
    lower = Fraction()
    for outcome, parts in by_outcome(plan).items():
        made = sum(parts.values())
        if outcome[0].bit_count() == len(long.mover.unlaid):
            lower += made  # F12
            continue
        first = long.after(-1, outcome, list(parts))
        found = solve(first.game, [weight / made for weight in first.weights(parts.values())])
        lower += made * (1 - found.upper)
    return lower


def look_further(long: LongGame, firsts: list[First], worth: Weights, stop: bytearray) -> bool:
    """Looks at turns of types that do not always win with those looked at, until they do by the first cut, or no turn is left.
    Returns whether there were any. worth: what each type wins with the turns looked at."""
    reached, count = np.array([float(one) for one in worth]), len(long.waiting)
    for number, able in list(long.waiting.items()):
        if stop[0]:
            break
        if reached[able].min() < 1 - NEAR:
            first = long.first(number)
            if any(first.cuts[0]):
                firsts.append(first)
                np.maximum.at(reached, able, first.gets(first.cuts[0]))
    return len(long.waiting) < count


def master_program(long: LongGame, firsts: list[First]) -> tuple[Chances, dict[object, float]]:
    """X's plan for its first turn against the cuts; and the weight of each cut in Y's plan."""
    program = Program()
    chances: dict[int, dict[int, int]] = {}
    for first in firsts:
        for place in first.able:
            if place not in long.won:
                chances.setdefault(place, {})[first.number] = program.column((first.number, place))
    for first in firsts:
        worth = program.column((first.number, "worth"), 1.0)
        for i, cut in enumerate(first.cuts):
            gets = zip(first.able, first.gets(cut).tolist(), strict=True)
            program.row((first.number, i), [(worth, 1.0), *((chances[place][first.number], -get) for place, get in gets
                                                            if get and place not in long.won)])  # fmt: skip
    values, mixed = program.solve({place: (float(long.own[place]), list(of.values())) for place, of in chances.items()})
    return {place: {number: values[number, place] for number in of} for place, of in chances.items()}, mixed


def worth_against_cuts(long: LongGame, firsts: list[First], mixed: Mapping[object, float]) -> list[Fraction]:
    """What the best first turn of each type is worth if Y mixes the plans of the cuts."""
    worth = [Fraction(int(place in long.won)) for place in range(len(long.own))]
    for first in firsts:
        parts = rounded([mixed[first.number, i] for i in range(len(first.cuts))], DENOMINATORS[-2])
        mix = [(part, cut) for part, cut in zip(parts, first.cuts, strict=True) if part]
        rough = sum((float(part) * first.gets(cut) for part, cut in mix), np.zeros(len(first.able)))
        for i, place in enumerate(first.able):
            if rough[i] > float(worth[place]) - NEAR:
                held = np.flatnonzero(first.shares[i]).tolist()
                one = sum((part * sum((cut[s] for s in held), Fraction()) for part, cut in mix), Fraction()) / first.splits
                worth[place] = max(worth[place], one)
    return worth
