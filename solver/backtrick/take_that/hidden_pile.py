"""What each turn is worth if both hands are known, but not the order of the draw pile, nor what the other player draws from it.

With up to three cards in the pile this is exact. With three, only the first mover has to decide while it knows a card that the
other does not know, so a mean over what it does not know is enough. With four cards both decide with such knowledge: what follows
the first two turns is a linear program, and two strategies in fractions prove bounds (docs/hidden.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from backtrick.arguments import checked
from backtrick.errors import ArgumentError, UsageError
from backtrick.take_that.position import Position, as_position, pack
from backtrick.take_that.rule_options import PUBLISHED, Rules, as_rules, refuse_professional
from backtrick.take_that.rules import legal_turns, play
from backtrick.take_that.solving import solve_many
from backtrick.take_that.turn import Turn

MOST_PILE = 4
_RAISED = 200  # more than any value is away from 0
_PARTS = 1 << 30

Order = tuple[int, ...]
Worlds = dict[Order, tuple[int, Position]]
"""By the order of the pile: the points so far, the first mover's less the other's, and the position."""


class TurnValue(NamedTuple):
    """A turn and the bounds of what it is worth, which are equal with up to three cards in the pile."""

    turn: Turn
    lowest: Fraction
    highest: Fraction


@checked
def turns_with_hidden_pile(deal: Position | str, rules: Rules = PUBLISHED) -> tuple[TurnValue, ...]:
    """Each turn of a deal, best first, if nobody knows the order of the pile. deal: its pile is taken as a set of cards.

    Raises `ArgumentError` for a pile of more than four cards, and `UsageError` for one of four if scipy is not installed.

    >>> for found in turns_with_hidden_pile("12,43 21,39 34-41 44,55,93"):
    ...     print(found.turn, found.lowest)
    43x34 23/6
    43 1/2
    take,43 -1/6
    take,12 -19/6
    """
    deal, rules = as_position(deal), as_rules(rules)
    refuse_professional(rules, "piles of unknown order are")
    if len(deal.pile) > MOST_PILE:
        raise ArgumentError(f"at most {MOST_PILE} cards may be in the pile, not {len(deal.pile)}")
    if not deal.pile:
        raise ArgumentError("the pile is empty, so nothing is hidden")
    worlds: Worlds = {order: (0, Position(deal.mover, deal.opponent, deal.line, order)) for order in permutations(deal.pile)}
    values = _Values(rules)
    turns = _common_turns(worlds, rules)
    for turn in turns:
        values.collect(_after(worlds, turn, 1, rules), 1)
    values.solve()
    found = [TurnValue(turn, *_value(_after(worlds, turn, 1, rules), values)) for turn in turns]
    return tuple(sorted(found, key=lambda one: (-one.lowest, -one.highest)))


class _Values:
    """The values of endgames, all of them solved at once. -1 times them is what the other one gets."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.waiting: set[Position] = set()
        self.known: dict[Position, int] = {}

    def collect(self, worlds: Worlds, depth: int) -> None:
        """Notes the endgames that can follow."""
        if not next(iter(worlds.values()))[1].pile:
            self.waiting.update(position for _, position in worlds.values())
            return
        for following in _every_turn(worlds, depth, self.rules).values():
            self.collect(following, depth + 1)

    def solve(self) -> None:
        places = list(self.waiting)
        self.known = dict(zip(places, solve_many(pack(places), 1, self.rules, False).tolist(), strict=True))

    def worth(self, points: int, position: Position, size: int) -> int:
        """What the first mover gets. size: of the pile at the start."""
        return points + self.known[position] * (1 - 2 * (size % 2))


def _after(worlds: Worlds, turn: Turn, sign: int, rules: Rules) -> Worlds:
    """The worlds after a turn, for those in which it is legal. sign: 1 if the first mover makes it, else -1."""
    found: Worlds = {}
    for order, (points, position) in worlds.items():
        gained, following = play(position, turn, rules)
        if following is None:
            raise AssertionError("while the pile has cards the round goes on")
        found[order] = points + sign * gained, following
    return found


def _common_turns(worlds: Worlds, rules: Rules) -> list[Turn]:
    """The turns of a player who has drawn nothing yet: the same in every world."""
    return legal_turns(next(iter(worlds.values()))[1], rules)


def _by_turn(worlds: Worlds, rules: Rules) -> dict[Turn, Worlds]:
    """The worlds in which each turn is legal."""
    found: dict[Turn, Worlds] = defaultdict(dict)
    for order, (points, position) in worlds.items():
        for turn in legal_turns(position, rules):
            found[turn][order] = points, position
    return found


def _every_turn(worlds: Worlds, depth: int, rules: Rules) -> dict[Turn, Worlds]:
    """The worlds after each turn that somebody can make. depth: how many turns were made before."""
    sign = 1 - 2 * (depth % 2)
    return {turn: _after(where, turn, sign, rules) for turn, where in _by_turn(worlds, rules).items()}


def _value(worlds: Worlds, values: _Values) -> tuple[Fraction, Fraction]:
    """Bounds of what the first mover gets after its first turn."""
    size, rules = len(next(iter(worlds))), values.rules
    if size == 1:
        return (_mean(worlds, values, size),) * 2
    replies = _every_turn(worlds, 1, rules)
    if size == 2:
        return (min(_mean(after, values, size) for after in replies.values()),) * 2
    if size == 3:
        return (min(_with_one_more_turn(after, values) for after in replies.values()),) * 2
    found = [_with_two_more_turns(after, values) for after in replies.values()]
    return min(low for low, _ in found), min(high for _, high in found)


def _mean(worlds: Worlds, values: _Values, size: int) -> Fraction:
    return Fraction(sum(values.worth(*world, size) for world in worlds.values()), len(worlds))


def _with_one_more_turn(worlds: Worlds, values: _Values) -> Fraction:
    """The first mover knows the first card of the pile, chooses by it, and then all is known."""
    total = Fraction(0)
    for drawn in {order[0] for order in worlds}:
        mine = {order: world for order, world in worlds.items() if order[0] == drawn}
        total += max(_mean(after, values, 3) for after in _every_turn(mine, 2, values.rules).values()) * len(mine)
    return total / len(worlds)


def _with_two_more_turns(worlds: Worlds, values: _Values) -> tuple[Fraction, Fraction]:
    """The first mover knows the first card of the pile and chooses by it. The other one knows the second card and that turn, and
    answers. Then all is known."""
    gains: dict[tuple[int, Turn], dict[tuple[int, Turn, Turn], int]] = defaultdict(lambda: defaultdict(int))
    for turn, after in _every_turn(worlds, 2, values.rules).items():
        for answer, ended in _every_turn(after, 3, values.rules).items():
            for order, world in ended.items():
                gains[order[0], turn][order[1], turn, answer] += values.worth(*world, 4) + _RAISED
    low, high = _solve(gains)
    return Fraction(low) / len(worlds) - _RAISED, Fraction(high) / len(worlds) - _RAISED


def _solve(gains: dict[tuple[int, Turn], dict[tuple[int, Turn, Turn], int]]) -> tuple[Fraction, Fraction]:
    """Bounds of the game in which one chooses (card, turn) by the card, and the other (card, turn, answer) by the first two.

    A linear program finds strategies for both; rounded to fractions, each proves one of the bounds.
    """
    try:
        from scipy.optimize import linprog
    except ModuleNotFoundError:
        sentence = "a pile of four cards needs scipy, which is not installed; pip install 'backtrick[equilibrium]'"
        raise UsageError(sentence) from None
    plans = list(gains)
    answers = sorted({answer for row in gains.values() for answer in row}, key=str)
    cards = sorted({card for card, _ in plans})
    seen = sorted({answer[:2] for answer in answers}, key=str)
    place = {plan: number for number, plan in enumerate(plans)}
    limits = {one: len(plans) + number for number, one in enumerate(seen)}
    bounded = np.zeros((len(answers), len(plans) + len(seen)))
    for row, answer in enumerate(answers):
        bounded[row, limits[answer[:2]]] = 1
        for plan in plans:
            bounded[row, place[plan]] = -gains[plan].get(answer, 0)
    fixed = np.zeros((len(cards), len(plans) + len(seen)))
    for plan in plans:
        fixed[cards.index(plan[0]), place[plan]] = 1
    goal = np.concatenate([np.zeros(len(plans)), -np.ones(len(seen))])
    found = linprog(goal, bounded, np.zeros(len(answers)), fixed, np.ones(len(cards)), (0, None), method="highs")
    if found.status:
        raise AssertionError(f"the linear program was not solved: {found.message}")
    mine = _shares((plan[0], plan, float(found.x[place[plan]])) for plan in plans)
    marginals = zip(answers, found.ineqlin.marginals.tolist(), strict=True)
    theirs = _shares(((answer[:2], answer, -one) for answer, one in marginals))
    lowest = Fraction(0)
    for one in seen:
        replies = [answer for answer in answers if answer[:2] == one]
        lowest += min(sum(share * gains[plan].get(answer, 0) for plan, share in mine.items()) for answer in replies)
    highest = Fraction(0)
    for card in cards:
        best = (sum(share * gains[plan].get(answer, 0) for answer, share in theirs.items()) for plan in plans if plan[0] == card)
        highest += max(best)
    return lowest, highest


def _shares(given: Iterator[tuple[Any, Any, float]]) -> dict[Any, Fraction]:
    """Weights as fractions that add up to 1 for each key. given: key, name, weight."""
    whole: dict[Any, dict[Any, int]] = defaultdict(dict)
    for key, name, weight in given:
        whole[key][name] = max(round(weight * _PARTS), 0)
    found = {}
    for group in whole.values():
        total = sum(group.values())
        for name, one in group.items():
            found[name] = Fraction(one, total) if total else Fraction(1, len(group))
    return found
