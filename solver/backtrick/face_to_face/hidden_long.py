"""What a position is worth while both hands are hidden, if both players still have hidden cards after the mover's turn.

After X's first turn Y is to move, and X's splits are its types: a game of two turns (`hidden.py`), for each first turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, lcm

import numpy as np

from backtrick.face_to_face._equilibrium import LastTurns
from backtrick.face_to_face.hidden import DENOMINATORS, Chances, Game, Program, Side, Weights, rounded, solve, total
from backtrick.face_to_face.rule_options import Rules


@dataclass
class First:
    """A first turn of X.

    able:   the types that can make it, by their places
    shares: how likely each type of X is after it: int64, shape (able, types), of `splits` each
    cuts:   plans of Y after it, each as what it leaves each type of X at most
    """

    number: int
    game: Game
    able: list[int]
    shares: np.ndarray
    splits: int
    cuts: list[list[Fraction]] = field(default_factory=list)


class LongGame:
    """A position in which X has at most four cards in its pile and Y three or four: X, Y and X move, and then Y knows all."""

    def __init__(self, mover: Side, opponent: Side, own: Weights, other: Weights, rules: Rules) -> None:
        self.mover, self.own, self.other = mover, own, other
        self.rows = LastTurns(tuple(mover), tuple(opponent), rules.step, rules.lone_card).turns()
        self.won: dict[int, int] = {}
        """The types that lay all their cards at once, and the turn (F12)."""
        self.firsts: list[First] = []
        hands = [frozenset(hand) for hand in mover.hands]
        for number, (laid, up, down, other_up, other_down, _, left) in enumerate(self.rows.tolist()):
            cards = frozenset(card for card in mover.unlaid if laid >> card & 1)
            able = [place for place, hand in enumerate(hands) if own[place] and cards <= hand]
            rest = tuple(card for card in mover.unlaid if card not in cards)
            if not rest:
                self.won.update(dict.fromkeys(able, number))
            elif able:
                after = Side(up, down, len(rest) - left, rest)
                later = [frozenset(hand) for hand in after.hands]
                shares = np.array([[hands[place] - cards <= hand for hand in later] for place in able], np.int64)
                replying = sum(1 << place for place in np.flatnonzero(shares.any(axis=0)).tolist())
                game = Game(opponent._replace(ascending=other_up, descending=other_down), after, other, replying, rules)
                self.firsts.append(First(number, game, able, shares, comb(mover.pile_size, left)))


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
    X's best plan is a linear program; then Y's best plan against that is one more cut after each turn that is made.
    """
    won = sum((long.own[place] for place in long.won), Fraction())
    best = LongSolution(won, Fraction(1), [{} for _ in long.own], [Fraction(1)] * len(long.own))
    scale = lcm(*(weight.denominator for weight in long.other))
    units = [int(weight * scale) for weight in long.other]
    for first in long.firsts:
        if stop[0]:
            return best
        sure = sum(unit for unit, number in zip(units, first.game.sure, strict=True) if number >= 0)
        first.cuts.append([1 - Fraction(sure, scale)] * first.shares.shape[1])
    firsts = [first for first in long.firsts if any(first.cuts[0])]
    improved = True
    while improved and best.upper - best.lower > gap and not stop[0]:
        best.rounds += 1
        chances, mixed = master_program(long, firsts)
        plan = [{long.won[place]: Fraction(1)} if place in long.won else {} for place in range(len(long.own))]
        for place, of in chances.items():
            parts = rounded(list(of.values()), DENOMINATORS[-2])
            plan[place] = {number: part for number, part in zip(of, parts, strict=True) if part}
        worth = worth_against_cuts(long, firsts, mixed)
        upper = total(long.own, worth)
        lower, improved = won, False
        for first in firsts:
            made = [(i, long.own[place] * plan[place][first.number]) for i, place in enumerate(first.able)
                    if first.number in plan[place]]  # fmt: skip
            if made:
                weights = [sum((part * int(first.shares[i, s]) for i, part in made), Fraction()) / first.splits
                           for s in range(first.shares.shape[1])]  # fmt: skip
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
            best.upper, best.worth = upper, worth
    return best


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
            gets = zip(first.able, (first.shares @ np.array([float(one) for one in cut]) / first.splits).tolist(), strict=True)
            program.row((first.number, i), [(worth, 1.0), *((chances[place][first.number], -get) for place, get in gets
                                                            if get and place not in long.won)])  # fmt: skip
    values, mixed = program.solve({place: (float(long.own[place]), list(of.values())) for place, of in chances.items()})
    return {place: {number: values[number, place] for number in of} for place, of in chances.items()}, mixed


def worth_against_cuts(long: LongGame, firsts: list[First], mixed: Mapping[object, float]) -> list[Fraction]:
    """What the best first turn of each type is worth if Y mixes the plans of the cuts."""
    worth = [Fraction(int(place in long.won)) for place in range(len(long.own))]
    for first in firsts:
        parts = rounded([mixed[first.number, i] for i in range(len(first.cuts))], DENOMINATORS[-2])
        leaves = [sum((part * cut[s] for part, cut in zip(parts, first.cuts, strict=True) if part), Fraction())
                  for s in range(first.shares.shape[1])]  # fmt: skip
        for i, place in enumerate(first.able):
            shares = first.shares[i].tolist()
            one = sum((share * leave for share, leave in zip(shares, leaves, strict=True) if share), Fraction()) / first.splits
            worth[place] = max(worth[place], one)
    return worth
