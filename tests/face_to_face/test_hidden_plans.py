"""The told plans of both players in Face to Face, down to where no card is hidden: played out in a tree from outside."""

from __future__ import annotations

import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from backtrick.budget import Budget, Cancel
from backtrick.errors import BudgetError, RulesError
from backtrick.face_to_face import GAME, PublicState, Rules, Side, Turn, View
from backtrick.face_to_face._deal import DealSolver
from backtrick.face_to_face.rules import Table, all_laid
from backtrick.play import sequences
from backtrick.play.plans import Question
from oracles.published_deck import random_public

pytest.importorskip("scipy", reason="needs the extra equilibrium: pip install 'backtrick[equilibrium]'")

DEALT = "1^60v:?6:2,3,4,5,6,7,8,9,10,11,12"
PILES = {"0-2, 0-2": ((0, 2), (0, 2)), "3-4, 0-2": ((3, 4), (0, 2)), "0-2, 3-4": ((0, 2), (3, 4)), "3-4, 3-4": ((3, 4), (3, 4)),
         "5": ((5, 5), (0, 3)), "0-3, 5": ((0, 3), (5, 5))}  # fmt: skip


def drawn(numbers: Random, piles: str) -> PublicState:
    first, second = (numbers.randint(*of) for of in PILES[piles])
    held = [max(2, min(numbers.randint(2, 3), 5 - size)) for size in (first, second)]
    return random_public(numbers, (held[0], held[1]), (first, second))


def ends_of(table: Table, rules: Rules) -> list[Table]:
    """The tables at the end of a turn, each once. What can still be laid depends on the hand, the tops, and whether a card has
    helped, so of tables that are alike in all of this one is looked at."""
    waiting, met, ends = [table], set(), []
    while waiting:
        now = waiting.pop()
        state = now.mover, now.opponent.ascending, now.opponent.descending, any(play.helpful for play in now.plays)
        if state in met:
            continue
        met.add(state)
        if now.turn_violation(rules) is None:
            ends.append(now)
        waiting += [now.lay(play) for play in now.fitting(rules)]
    return ends


class TooLargeError(Exception):
    """The tree from outside has too many nodes."""


class Outside:
    """The best that a player can do against the told plan of the other, in a tree of all turns and draws by the readable rules."""

    def __init__(self, found, most: int = 4_000):
        self.found, self.rules, self.left = found, found.rules, most
        self.solver = DealSolver(found.rules.code, 1 << 22)
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
            for after in ends_of(Table(mover, Side(*tops, (), frozenset({2}))), self.rules):
                own, other = after.mover, after.opponent
                laid = tuple(card for card in mover.hand if card not in own.hand)
                label = laid, own.ascending, own.descending, other.ascending, other.descending
                found.setdefault(label, (Turn(after.plays), own, (other.ascending, other.descending), after.to_draw()))
            self.memo[key] = found
        return self.memo[key]

    def wins(self, mover: Side, other: Side) -> bool:
        """With open cards: `test_face_to_face_deals.py` compares this solver with the rules."""
        return self.solver.solve(*((side.ascending, side.descending, side.hand, side.pile) for side in (mover, other)))[0] == 2

    def best(self, path, mine: Side, others: dict[Side, Fraction], my_turn: bool) -> Fraction:
        """What a player with this side gets at most, times how likely the other has `others`, which follow their plan."""
        self.left -= 1
        if self.left < 0:
            raise TooLargeError
        if not others:
            return Fraction()
        one = next(iter(others))
        if path and not mine.pile and not one.pile:
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


def some_ranges(numbers: Random, public: PublicState, piles: str) -> tuple[dict | None, dict | None]:
    """Ranges of two hands each while much is hidden, since trees grow fast, and else of any."""
    found = []
    for hands in (public.hands(0), public.hands(1)):
        few = numbers.sample(hands, min(2, len(hands))) if piles in list(PILES)[3:] else hands
        weights = {hand: numbers.choice((1, 3) if few is not hands else (0, 0, 1, 3)) for hand in few}
        found.append(weights if few is not hands or any(weights.values()) and numbers.random() < 0.5 else None)
    return found[0], found[1]


@pytest.mark.parametrize(("piles", "count", "seed"), list(zip(PILES, (4, 2, 1, 1, 2, 1), (5, 6, 4, 5, 4, 4), strict=True)))
def test_the_told_plans_guarantee_what_was_told(piles, count, seed, times):
    """The seeds are those whose first states are worth neither all nor nothing, and have small trees."""
    numbers, done = Random(f"{piles} {seed}"), 0
    while done < count * times:
        public = drawn(numbers, piles)
        ranges = some_ranges(numbers, public, piles)
        found = GAME.equilibrium(public, ranges)
        if found.value in (0, 1) and numbers.random() < 0.8:
            continue
        try:
            assert Outside(found).mover_is_sure_of() == found.low, (str(public), ranges)
            assert Outside(found).mover_gets_at_most() == found.high, (str(public), ranges)
        except TooLargeError:
            continue
        done += 1


def test_a_hand_that_the_plan_never_has_there_is_worth_what_it_gets_against_the_told_plan():
    """2,14 after two turns: the other's told plan leaves it more than its best replies would."""
    state = PublicState.parse("12^13v:?2:2,3,12,13,14,15 1^60v:?2:2,3,4,5,14,15")
    found = GAME.equilibrium(state, ({(3, 12): 3, (3, 13): 1}, {(3, 5): 1, (14, 15): 3}))
    assert found.after("13^ 3v").after("3^ 5^").hands[2, 14].value == 1
    assert Outside(found).mover_gets_at_most() == found.high


@pytest.mark.slow
@pytest.mark.parametrize(("piles", "count"), list(zip(PILES, (64, 24, 24, 8, 8, 8), strict=True)))
def test_the_slow_way_finds_the_same(piles, count):
    """The program of all sequences knows the states alone, and has the value as a fraction. The quick suite holds both
    against what others say, in `test_judged.py`."""
    numbers, done = Random(f"slow {piles}"), 0
    while done < count:
        public = drawn(numbers, piles)
        ranges = some_ranges(numbers, public, piles)
        found = GAME.equilibrium(public, ranges)
        if found.value in (0, 1) and numbers.random() < 0.8:
            continue
        try:
            slow = sequences.solve(public, GAME, Question(found.ranges, Fraction(), Budget(table_mib=8), bytearray(1), False))
        except BudgetError:
            continue
        assert (slow.low, slow.high) == found.bounds, (str(public), public.rules, ranges)
        done += 1


SURE = "44^38v:?2:34,38 25^23v:?1:18,34,35,59"
SMALL = "45^17v:?3:9,18,33,44,47,50 43^20v:?2:4,5,9,12"
LONG = "4^2v:?2:3,5,7,9,13,16 14^2v:?2:3,8,9,12,17"


def test_a_sure_win_has_its_turn():
    found = GAME.equilibrium(SURE)
    assert found.value == 1 and [str(one.turns[0].turn) for one in found.hands.values()] == ["34^ 38^"]


def test_rules_travel_with_the_state():
    lone, view = Rules(lone_card=True), "27^40v:58 13^50v:?2:5,12"
    assert GAME.equilibrium(view).value == 0 and GAME.equilibrium(view, rules=lone).value == 1
    seen = View.parse(view, rules=lone)
    assert GAME.equilibrium(seen).value == 1 and GAME.equilibrium(seen).rules == lone
    with pytest.raises(RulesError):
        GAME.equilibrium(seen, rules=Rules())


@pytest.mark.parametrize("text", [SMALL, LONG])
def test_threads_hear_what_one_hears(text):
    found = GAME.equilibrium(text)
    names = ["frugal", "hasty", "tuned", "net"] * 2
    alone = [found.sure_of(name) for name in names]
    told = [str(found.reply(turn)) for turn in found.turns]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(found.sure_of, names)) == alone
        assert list(pool.map(lambda turn: str(found.reply(turn)), found.turns)) == told
    assert found == GAME.equilibrium(text) != GAME.equilibrium(text, ({min(found.hands): 1}, None))


def test_weights_are_numbers_of_any_kind():
    hands = PublicState.parse(SMALL).hands(0)
    plain = GAME.equilibrium(SMALL, ({hand: 100 + place for place, hand in enumerate(hands)}, None))
    for kind in (np.int8, np.uint8, np.int16, np.uint16, np.int64, np.float32, Fraction):
        same = GAME.equilibrium(SMALL, ({hand: kind(100 + place) for place, hand in enumerate(hands)}, None))
        assert same == plain, kind


LARGE = "53^28v:?6:10,19,32,34,40,42,56,58 59^25v:?6:4,6,9,17,18,23,30,41,42"


@pytest.mark.parametrize("text", [LARGE, "56^10v:?6:3,6,7,14,22,44,45,49,58,59 47^38v:?6:2,7,8,20,35,39,44", f"{DEALT} {DEALT}"])
def test_limits_are_kept(text):
    cancel = Cancel()
    cancel()
    for budget in (Budget(seconds=0.01), Budget(cancel=cancel)):
        begun = time.process_time()
        found = GAME.equilibrium(text, budget=budget)
        assert time.process_time() - begun < 0.5 and found.low <= found.high and found.hands


def test_an_endgame_is_worth_what_it_is():
    assert GAME.equilibrium("27^40v:17,18 13^50v:5,12").value == 1


def test_plain_hands_are_read():
    state = PublicState.parse("45^17v:3,9 43^20v:?1:4,5")
    assert str(state) == "45^17v:?2:3,9 43^20v:?1:4,5" and PublicState.is_public("45^17v:?1:3,9 43^20v:4,5")


@pytest.mark.parametrize("text", [SMALL, LONG, "13^22v:?2:5,12,15 14^2v:?2:3,5,12,13,15,22,23"])
def test_weights_after_a_turn_add_up_to_its_probability(text):
    """In the last of these the other player mixes two plans for the rest of the game."""
    at = GAME.equilibrium(text)
    for _ in range(3):
        likely = defaultdict(Fraction)
        for one in at.hands.values():
            for turn, share, _ in one.turns:
                likely[turn] += one.weight * share
        for turn, weight in likely.items():
            following = at.after(turn).hands
            assert not following or sum(one.weight for one in following.values()) == weight
        at = at.after(max(likely, key=likely.__getitem__))
        if not at.hands:
            break


def test_who_imitates_leaves_no_more_than_its_plan():
    """After its first turn the other player wins whatever the mover holds, also by a turn that leaves worse tops than its plan."""
    ranges = {(3, 13): 1, (2, 52): 3}, {(22, 23): 1, (12, 13): 3}
    found = GAME.equilibrium("2^42v:?2:2,3,12,13,52 3^43v:?2:12,13,22,23,32,33,52", ranges)
    assert {one.value for one in found.after("13v 3v").after("13v 12v").hands.values()} == {0}


def test_a_moment_comes_as_often_as_the_turn_before_it():
    """The bluff of docs/hidden.md: one hand makes the turn always, the other two times in three."""
    ranges = {(3, 14, 44, 45, 49, 59): 1, (3, 6, 14, 22, 49, 59): 1}, {(2, 7, 8, 20, 39, 44): 1}
    found = GAME.equilibrium("56^10v:?6:3,6,7,14,22,44,45,49,58,59 47^38v:?6:2,7,8,20,35,39,44", ranges)
    for turn, likely in (("59^ 49^", Fraction(5, 6)), ("44^' 59^ 49^", Fraction(1, 6))):
        assert sum(one.weight for one in found.reply(turn).values()) == likely
