"""The told plans of both players in Face to Face, down to where no card is hidden: played out in a tree from outside."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from backtrick.face_to_face import GAME, PublicState, Side, Turn
from backtrick.face_to_face.public_state import Known
from backtrick.face_to_face.rules import Table, all_laid
from oracles import face_to_face_hidden as oracle

pytest.importorskip("scipy", reason="needs the extra equilibrium: pip install 'backtrick[equilibrium]'")

PILES = {"0-2, 0-2": ((0, 2), (0, 2)), "3-4, 0-2": ((3, 4), (0, 2)), "0-2, 3-4": ((0, 2), (3, 4)), "3-4, 3-4": ((3, 4), (3, 4)),
         "5": ((5, 5), (0, 3)), "0-3, 5": ((0, 3), (5, 5))}  # fmt: skip


def random_public(numbers: Random, piles: str) -> PublicState:
    rules, deck = oracle.random_rules(numbers)
    sizes = [numbers.randint(*of) for of in PILES[piles]]
    held = [numbers.randint(2, 3) for _ in sizes]
    sides = oracle.random_state(numbers, deck, (held[0], held[1]), (sizes[0], sizes[1]))
    return PublicState(*(Known(side.up, side.down, side.held, side.unlaid) for side in sides), rules)


class Outside:
    """The best that a player can do against the told plan of the other, in a tree of all turns and draws by the readable rules."""

    def __init__(self, found, most: int = 60_000):
        self.found, self.rules, self.left = found, found.rules, most
        self.leaf = oracle.by_kernel(found.rules)
        self.memo, self.plans, self.checked = {}, {(): found}, 0

    def plan(self, path):
        """The told plan after some turns, each as what it leads to."""
        if path not in self.plans:
            self.plans[path] = self.plan(path[:-1]).after(path[-1][1])
        return self.plans[path]

    def steps(self, mover: Side, tops) -> dict:
        """The turns of a player, by what the other sees of them: a turn that does it, the side after it, and how many it draws."""
        key = mover, tops
        if key not in self.memo:
            found = {}
            for after in oracle.ends_of(Table(mover, Side(*tops, (), frozenset({2}))), self.rules):
                own, other = after.mover, after.opponent
                laid = tuple(card for card in mover.hand if card not in own.hand)
                label = laid, own.ascending, own.descending, other.ascending, other.descending
                found.setdefault(label, (Turn(after.plays), own, (other.ascending, other.descending), after.to_draw()))
            self.memo[key] = found
        return self.memo[key]

    def wins(self, mover: Side, other: Side) -> bool:
        return self.leaf(mover, other, self.rules)

    def best(self, path, mine: Side, others: dict[Side, Fraction], my_turn: bool) -> Fraction:
        """What a player with this side gets at most, times how likely the other has `others`, which follow their plan."""
        self.left -= 1
        if self.left < 0:
            raise oracle.TooLargeError
        if not others:
            return Fraction()
        one = next(iter(others))
        if not mine.pile and not one.pile:
            assert self.plan(path).hands == {} and self.plan(path).turns == ()
            return sum((weight for other, weight in others.items()
                        if (self.wins(mine, other) if my_turn else not self.wins(other, mine))), Fraction())  # fmt: skip
        answers = self.plan(path).hands
        tops = (one.ascending, one.descending) if my_turn else (mine.ascending, mine.descending)
        if my_turn:
            values = [self.after(path, label, step, mine, others) for label, step in self.steps(mine, tops).items()]
            best, told = max(values, default=Fraction()), answers[mine.hand]
            assert told.value == best / sum(others.values()), (path, mine.hand, told)
            assert bool(told.turns) == bool(values)
            self.checked += 1
            return best
        result, following = Fraction(), defaultdict(lambda: defaultdict(Fraction))
        for other, weight in others.items():
            told, steps = answers[other.hand], self.steps(other, tops)
            assert bool(told.turns) == bool(steps) and sum(share for _, share, _ in told.turns) == bool(steps), (path, other)
            if not steps:
                result += weight
            for turn, share, _ in told.turns:
                (label, (_, side, _, draws)), = (each for each in steps.items() if self.label(other, tops, turn) == each[0])
                if all_laid(side):
                    continue
                ways = list(combinations(sorted(side.pile), draws))
                for drawn in ways:
                    rest = frozenset(side.pile).difference(drawn)
                    then = Side(side.ascending, side.descending, (*side.hand, *drawn), rest)
                    following[label][then] += weight * share / len(ways)
        for label, after in following.items():
            then = Side(label[3], label[4], mine.hand, mine.pile)
            turn = next(step[0] for other in others for known, step in self.steps(other, tops).items() if known == label)
            result += self.best((*path, (label, turn)), then, dict(after), True)
        return result

    def label(self, mover: Side, tops, turn: Turn):
        table = Table(mover, Side(*tops, (), frozenset({2})))
        for play in turn.plays:
            assert table.violation(play, self.rules) is None
            table = table.lay(play)
        laid = tuple(card for card in mover.hand if card not in table.mover.hand)
        return laid, table.mover.ascending, table.mover.descending, table.opponent.ascending, table.opponent.descending

    def after(self, path, label, step, mine: Side, others) -> Fraction:
        turn, side, tops, draws = step
        if all_laid(side):
            return sum(others.values(), Fraction())
        changed = {Side(*tops, other.hand, other.pile): weight for other, weight in others.items()}
        ways = list(combinations(sorted(side.pile), draws))
        values = [self.best((*path, (label, turn)), Side(side.ascending, side.descending, (*side.hand, *drawn),
                                                         frozenset(side.pile).difference(drawn)), changed, False)
                  for drawn in ways]  # fmt: skip
        return sum(values, Fraction()) / len(ways)

    def mover_is_sure_of(self) -> Fraction:
        others = self._sides(0)
        return 1 - sum((weight * self.best((), side, others, False) for side, weight in self._sides(1).items()), Fraction())

    def mover_gets_at_most(self) -> Fraction:
        others = self._sides(1)
        return sum((weight * self.best((), side, others, True) for side, weight in self._sides(0).items()), Fraction())

    def _sides(self, seat: int) -> dict[Side, Fraction]:
        known, weights = (self.found.state.mover, self.found.state.opponent)[seat], self.found.ranges[seat]
        return {known.side(hand): Fraction(weight, sum(weights.values())) for hand, weight in weights.items()}


def some_range(numbers: Random, hands) -> dict | None:
    weights = {hand: numbers.choice((0, 0, 1, 3)) for hand in hands}
    return weights if any(weights.values()) and numbers.random() < 0.5 else None


@pytest.mark.parametrize(("piles", "count"), zip(PILES, (10, 8, 6, 3, 1, 1), strict=True))
def test_the_told_plans_guarantee_what_was_told(piles, count, times):
    numbers, done = Random(piles), 0
    while done < count * times:
        public = random_public(numbers, piles)
        ranges = tuple(some_range(numbers, public.hands(seat)) for seat in (0, 1))
        found = GAME.equilibrium(public, ranges)
        if found.value in (0, 1) and numbers.random() < 0.8:
            continue
        try:
            assert Outside(found).mover_is_sure_of() == found.low, (str(public), ranges)
            assert Outside(found).mover_gets_at_most() == found.high, (str(public), ranges)
        except oracle.TooLargeError:
            continue
        done += 1
