"""Equilibria of Take That while both hands are hidden: bounds of the value, proved by the plans of both players (docs/hidden.md).

The plans are found by regret matching (CFR+, Tammelin 2014, with the weights of Brown and Sandholm 2019). Its floating point
numbers prove nothing. Both plans are rounded to whole numbers of parts, the *shares*, and the best response to each is found in
whole numbers. What the mover's plan is sure of is the lower bound; the most that the mover gets against the other's plan is the
upper bound. So the bounds are exact, however the plans were found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import comb, factorial, lcm, prod
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from backtrick.budget import TABLE_MIB, Budget, allocating
from backtrick.errors import ArgumentError, BudgetError, IllegalTurnError, NotSolvedError
from backtrick.play.plans import HandAnswer, Plans, Question, Strategy, TurnShare, shares_of
from backtrick.take_that._equilibrium import Tree as Kernel
from backtrick.take_that._equilibrium import fill_endgames
from backtrick.take_that._solve import Solver
from backtrick.take_that.hands import Hand, hands_of, is_hand, masks_of, number_of, summed, weights_of, widened
from backtrick.take_that.hidden_turns import Node, Public, Tree, tree_of
from backtrick.take_that.position import POSITION_DTYPE, Position, pack
from backtrick.take_that.rule_options import cost, refuse_professional
from backtrick.take_that.solving import best_many
from backtrick.take_that.state import View
from backtrick.take_that.turn import Turn, as_turn, unpack_turn
from backtrick.threads import fill_ranges

MEMORY_MIB = 2048
MOST_CARDS, MOST_PILE = 22, 6
"""The most hidden cards, and the largest draw pile, that the kernel takes."""

_PARTS = 720_720, 55_440, 5_040, 840, 60, 12, 2
"""In how many parts a chance may be counted: numbers with many divisors, so that simple fractions are exact."""
_NEAR = Fraction(1, 1000)
"""With bounds this close, fewer parts are tried: they leave out turns of hardly any weight, and may hit the exact plans."""
_EXACT = 1 << 52
_MOST_VALUE = 127
_LEAST = 1e-6  # a regret at the beginning, which is no smaller later
_AVERAGING = 4.0  # step t keeps t / (t + 1) of the regrets, and weighs t^a in the means
_PROOF_RATIO = 1.25



def solve(state: Public, question: Question) -> HandPlans:
    """Plans of both players, found until their bounds are close enough or the time is over."""
    refuse_professional(state.rules, "equilibria are")
    cards, pile = len(state.unseen), state.pile_size
    if cards > MOST_CARDS or pile > MOST_PILE:
        raise BudgetError(f"at most {MOST_CARDS} cards may be hidden, and {MOST_PILE} of them in the pile, not {cards} and {pile}")
    budget, stop = question.budget, question.stop
    first, second = (weights_of(question.ranges[seat], state.unseen, state.held[seat], seat) for seat in (0, 1))
    total = _dot(first[::-1], summed(second, cards, state.held[1], pile))
    if not total:
        raise ArgumentError("ranges: no two hands of them can be held at the same time")
    most = (budget.mib(MEMORY_MIB) << 20) // comb(sum(state.held), state.held[0])
    tree = tree_of(state, stop, most)
    _check_room(state, tree, budget)
    with allocating(budget.mib(MEMORY_MIB)):
        values = _values_of(state, tree, budget, stop, question.progress)
        found = HandPlans(state, question.gap, (first, second), total, values, np.zeros(0, np.int32), ())
        if not pile:  # both hands are known to both players
            mean = Fraction(_dot(first * second[::-1], values[0]), total)
            return found.sealed(low=mean, high=mean)
        found = found.sealed(parts=_parts(found), shares=_legal(found))
        return _with_best_turns(found) if pile == 1 else _improved(found, stop)


@dataclass(frozen=True, eq=False)
class HandPlans(Plans):
    """Plans as arrays over all hands. What else it takes to read them, the tree and its room, is made again when it is needed.

    target:  how close the bounds were to come
    weights: of the hands of both players, in the order of `hands_of`
    total:   the weight of all deals, orders of the pile included
    values:  the rows of endgames, by hand of the first mover: its points less the other's once the pile is empty
    shares:  of each turn and each hand that has its card, in rest order (see the kernel): its chance in whole parts, -1 if the hand
             does not have the turn (T10)
    parts:   by depth, in how many parts a chance is counted there
    """

    state: Public
    target: Fraction
    weights: tuple[np.ndarray, np.ndarray]
    total: int
    values: np.ndarray
    shares: np.ndarray
    parts: tuple[int, ...]
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(0)
    steps: int = 0

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.sealed()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HandPlans):
            return NotImplemented
        plain = [(one.state, one.target, one.parts, one.low, one.high, one.steps) for one in (self, other)]
        arrays = [(*one.weights, one.values, one.shares) for one in (self, other)]
        return plain[0] == plain[1] and all(map(np.array_equal, *arrays))

    def __hash__(self) -> int:
        return hash((self.state, self.low, self.high))

    def sealed(self, **changes: Any) -> HandPlans:
        """The same with changes, and with arrays that nobody writes any more."""
        found = replace(self, **changes)
        for array in (*found.weights, found.values, found.shares):
            array.flags.writeable = False
        return found

    @cached_property
    def tree(self) -> Tree:
        """The turns that can follow."""
        return tree_of(self.state, bytearray(1))

    @cached_property
    def begins(self) -> list[int]:
        """Where the shares of each edge begin, and where the last ones end."""
        held, cards, nodes = self.state.held, len(self.state.unseen), self.tree.nodes
        lengths = ((comb(cards - one.depth - 1, held[one.depth % 2] - 1), one.last - one.first) for one in nodes)
        return [0, *accumulate(length for length, edges in lengths for _ in range(edges))]

    def kernel(self, stop: bytearray) -> Kernel:
        """The tree with room to go through it."""
        nodes = np.array([(one.depth, one.first, one.last) for one in self.tree.nodes], np.int32)
        edges = np.array([(one.child, one.place, one.points) for one in self.tree.steps], np.int32)
        return Kernel(self.state.pile_size, *self.state.held, nodes, edges, self.values, stop)

    def part(self, edge: int) -> slice:
        """Where the shares of an edge are."""
        return slice(self.begins[edge], self.begins[edge + 1])

    def part_of_depth(self, depth: int) -> slice:
        """Where the shares of a depth are."""
        nodes = [one for one in self.tree.nodes if one.depth == depth]
        return slice(self.begins[nodes[0].first], self.begins[nodes[-1].last])

    def scale(self, seat: int, depth: int = 0) -> int:
        """By what the chances of a seat from a depth on are too large."""
        return prod(self.parts[depth + (depth + seat) % 2 :: 2])

    @property
    def gap(self) -> Fraction:
        """How far the bounds are apart."""
        return self.high - self.low

    def bounds(self, tree: Kernel, fixed: int = -1) -> tuple[Fraction, Fraction] | None:
        """What the mover's shares are sure of, and the most that it gets against the other's; None if it is stopped. fixed: the
        depth at which shares are played by the player that answers, too."""
        found = []
        for seat in (1, 0):
            gains = np.empty(len(self.weights[seat]))
            if not tree.respond(self.shares, 0, seat, self.weights[1 - seat].astype(float), gains, None, fixed):
                return None
            unit = self.total * self.scale(1 - seat) * (self.parts[fixed] if seat == fixed else 1)
            found.append(Fraction(_dot(self.weights[seat][::-1], gains), unit))
        return -found[0], found[1]

    def turns(self, path: tuple[Any, ...]) -> tuple[Turn, ...]:
        return Hands(self, path).turns

    def hands(self, path: tuple[Any, ...]) -> Hands:
        return Hands(self, path)

    def sure_of(self, strategy: Strategy, seat: int, stop: bytearray) -> Fraction:
        if self.state.pile_size <= seat:  # at its next turn nothing is hidden
            return self.low if seat == 0 else -self.high
        paths = [()] if seat == 0 else [(turn,) for turn in self.turns(())]
        played = [(hands, list(_played(hands, strategy))) for hands in (Hands(self, path) for path in paths)]
        given = lcm(*(share.denominator for _, plan in played for _, _, share in plan))
        parts = _parts(self, seat, given)
        shares = self.shares.copy()
        here = self.part_of_depth(seat)
        shares[here] = np.where(shares[here] < 0, -1, given)  # for hands that nobody has
        for hands, plan in played:
            hands.write(plan, given, shares)
        found = self.sealed(shares=shares, parts=parts)
        if self.state.pile_size > seat + 2:  # it moves once more
            found = _improved(found, stop, seat)
            return found.low if seat == 0 else -found.high
        low, high = found.bounds(found.kernel(stop)) or (self.low, self.high)
        return low if seat == 0 else -high


class Hands(Mapping[Hand, HandAnswer]):
    """What a plan says at one moment, for each hand that the player to move can have. An answer is made when it is asked for."""

    def __init__(self, plans: HandPlans, path: tuple[Any, ...]):
        tree, held = plans.tree, plans.state.held
        self.plans, self.number = plans, 0
        self.node = tree.nodes[0] if tree.nodes else Node(0, *tree.rows[0], 0)
        self.reach = list(plans.weights)
        possible = [(weights > 0).astype(np.int64) for weights in plans.weights]
        for depth, turn in enumerate(path):
            edge, cards, seat = tree.edge(self.number, turn), len(self.node.cards), depth % 2
            step, shares = tree.steps[edge], plans.shares[plans.part(edge)]
            for brought, chances in ((self.reach, np.maximum(shares, 0)), (possible, shares >= 0)):
                brought[seat] = _passed_on(brought[seat], chances.astype(np.int64), cards, held[seat], step.place)
                brought[1 - seat] = brought[1 - seat][widened(cards, held[1 - seat], step.place)]
            self.number = step.child
            self.node = tree.nodes[step.child] if step.child >= 0 else Node(depth + 1, *tree.rows[-1 - step.child], step.points)
        self.seat = len(path) % 2
        self.held = held[self.seat]
        self.edges = range(self.node.first, self.node.last)
        self.pairs, of_any = (
            summed(brought[1 - self.seat], len(self.node.cards), held[1 - self.seat], plans.state.pile_size - len(path))[::-1]
            for brought in (self.reach, possible)
        )
        self.able = (possible[self.seat] > 0) & (of_any > 0)

    @cached_property
    def places(self) -> list[np.ndarray]:
        """For each turn the numbers of the hands that have its card, in rest order."""
        cards = len(self.node.cards)
        last = len(self.able) - 1
        return [last - widened(cards, cards - self.held, self.plans.tree.steps[edge].place) for edge in self.edges]

    @cached_property
    def shares(self) -> np.ndarray:
        """The parts of each turn and each hand, -1 if the hand does not have the turn."""
        return self._by_hand([self.plans.shares[self.plans.part(edge)] for edge in self.edges], -1)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that some hand has."""
        had = np.flatnonzero((self.shares[:, self.able] >= 0).any(1)).tolist()
        return tuple(self.plans.tree.steps[self.node.first + edge].turn for edge in had)

    @cached_property
    def gains(self) -> tuple[np.ndarray, np.ndarray]:
        """What each hand gains by its best turn, and what it gains by each turn, in units of `pairs` and the other's parts."""
        if not self.edges:
            row = self.plans.values[-1 - self.number].astype(np.int64)
            return (row if self.seat == 0 else -row[::-1]) * self.pairs, np.zeros((0, len(self.pairs)))
        gains, turns = np.empty(len(self.able)), np.empty((len(self.edges), len(self.places[0])))
        other = self.reach[1 - self.seat].astype(float)
        self.plans.kernel(bytearray(1)).respond(self.plans.shares, self.number, self.seat, other, gains, turns)
        return gains[::-1], self._by_hand(turns, 0)

    def _by_hand(self, rows: Any, empty: int) -> np.ndarray:
        found = np.full((len(self.edges), len(self.able)), empty, np.int64)
        for row, places, given in zip(found, self.places, rows, strict=True):
            row[places] = given
        return found

    def write(self, plan: list[tuple[int, int, Fraction]], parts: int, shares: np.ndarray) -> None:
        """Writes what `_played` yields into the shares of the tree."""
        mine = np.where(self.shares < 0, -1, parts)
        asked = [place for place, _, _ in plan]
        mine[:, asked] = np.minimum(mine[:, asked], 0)
        for place, edge, share in plan:
            mine[edge, place] += int(share * parts)
        for edge, row, places in zip(self.edges, mine, self.places, strict=True):
            shares[self.plans.part(edge)] = row[places]

    def view(self, hand: Hand) -> View:
        """What the player to move sees with a hand; it has scored nothing, or the other all points so far."""
        state, unseen = self.plans.state, tuple(card for card in self.node.cards if card not in hand)
        points = (0, self.node.points) if self.seat else (0, 0)
        return View(hand, self.node.line, state.held[1 - self.seat], state.pile_size - self.node.depth, unseen, points, state.rules)

    def __iter__(self) -> Iterator[Hand]:
        for hand, able in zip(hands_of(self.node.cards, self.held), self.able.tolist(), strict=True):
            if able:
                yield hand

    def __len__(self) -> int:
        return int(np.count_nonzero(self.able))

    def __getitem__(self, hand: Hand) -> HandAnswer:
        if not is_hand(self.node.cards, self.held, hand) or not self.able[place := number_of(self.node.cards, hand)]:
            raise KeyError(hand)
        plans, depth = self.plans, self.node.depth
        pairs = int(self.pairs[place])
        weight = Fraction(int(self.reach[self.seat][place]) * pairs, plans.total * prod(plans.parts[:depth]))
        unit = pairs * plans.scale(1 - self.seat, depth)
        before = self.node.points * (1 - 2 * self.seat) if self.edges else 0

        def worth(gain: int) -> Fraction | None:
            return Fraction(gain, unit) - before if unit else None

        gains, by_turn = self.gains
        if not self.edges:
            value, turns = worth(int(gains[place])), []
            rest = tuple(card for card in self.node.cards if card not in hand)
            best = unpack_turn(best_many(pack([Position(hand, rest, self.node.line)]), 1, plans.state.rules)[0])
            return HandAnswer(hand, weight, value, () if best is None else (TurnShare(best, Fraction(1), value),))
        shares = self.shares[:, place]
        turns = [
            TurnShare(
                plans.tree.steps[self.node.first + edge].turn, Fraction(int(shares[edge]), plans.parts[depth]),
                worth(int(by_turn[edge, place])),
            )
            for edge in np.flatnonzero(shares > 0).tolist()
        ]  # fmt: skip
        turns.sort(key=lambda one: -one.probability)
        return HandAnswer(hand, weight, worth(int(gains[place])), tuple(turns))


def _passed_on(brought: np.ndarray, chances: np.ndarray, cards: int, held: int, place: int) -> np.ndarray:
    """What the player that made a turn brings to what follows, after its draw. chances: of the hands that have the card."""
    rows = widened(cards, cards - held, place)
    return summed((chances * brought[len(brought) - 1 - rows])[::-1], cards - 1, held - 1, 1)


def _played(hands: Hands, strategy: Strategy) -> Iterator[tuple[int, int, Fraction]]:
    """What a strategy plays with each hand: the number of the hand, the place of the turn among those of the node, the chance."""
    steps = hands.plans.tree.steps[hands.node.first : hands.node.last]
    edges = {step.turn: edge for edge, step in enumerate(steps)}
    for hand in hands:
        view, place = hands.view(hand), number_of(hands.node.cards, hand)
        for turn, share in shares_of(as_turn, strategy, view):
            edge = edges.get(turn)
            if edge is None or hands.shares[edge, place] < 0:
                raise IllegalTurnError(turn, None, f"the strategy does not have this turn with {view}", "T3")
            yield place, edge, share


# How plans are found


def _legal(plans: HandPlans) -> np.ndarray:
    """Shares of 0, and -1 where a hand does not have a turn (T10)."""
    found = np.zeros(plans.begins[-1], np.int32)
    for node in plans.tree.nodes:
        for edge in range(node.first, node.last):
            step = plans.tree.steps[edge]
            if step.forbidden:
                cards = [card for place, card in enumerate(node.cards) if place != step.place]
                mask = np.uint32(sum(1 << place for place, card in enumerate(cards) if card in step.forbidden))
                hands = masks_of(len(cards), plans.state.held[node.depth % 2] - 1)[::-1]
                found[plans.part(edge)] = -(hands & mask != 0).astype(np.int32)
    return found


def _parts(plans: HandPlans, fixed: int = -1, given: int = 1) -> tuple[int, ...]:
    """By depth in how many parts the chances are counted, so that every sum is exact. given: the parts at a fixed depth, of a
    strategy: with 1 there is always room, as hands have no more weight than `MOST_WEIGHT`. Raises `ArgumentError`."""
    cards, pile = len(plans.state.unseen), plans.state.pile_size
    found = [given] * pile
    for seat, weights in enumerate(plans.weights):
        depths = [depth for depth in range(seat, pile, 2) if depth != fixed]
        rest = cards - plans.state.held[1 - seat]
        most = int(weights.max()) * comb(rest, pile) * factorial(pile) * _MOST_VALUE * given
        parts = next((parts for parts in _PARTS if most * parts ** len(depths) <= _EXACT), 0)
        if not parts:
            raise ArgumentError(f"the strategy's probabilities have too large a common denominator, {given}")
        for depth in depths:
            found[depth] = parts
    return tuple(found)


def _with_best_turns(plans: HandPlans) -> HandPlans:
    """With one card in the pile the mover decides once, and then all is known."""
    best = Hands(plans, ())
    _, by_turn = best.gains
    by_turn[best.shares < 0] = np.iinfo(np.int64).min
    chosen = by_turn.argmax(0)
    shares = plans.shares.copy()
    for edge, places in enumerate(best.places):
        here = plans.part(edge)
        shares[here] = np.where(shares[here] < 0, -1, (chosen[places] == edge) * plans.parts[0])
    found = plans.sealed(shares=shares)
    bounds = found.bounds(found.kernel(bytearray(1)))
    assert bounds is not None
    return found.sealed(low=bounds[0], high=bounds[1])


def _improved(plans: HandPlans, stop: bytearray, fixed: int = -1) -> HandPlans:
    """Plans that are improved until the bounds are close enough, or it is stopped. The room of the given shares is used for them.
    fixed: a depth whose shares stay as they are. Raises `NotSolvedError` if it is stopped before there are bounds."""
    tree = plans.kernel(stop)
    regrets = np.where(plans.shares < 0, np.float32(0), np.float32(_LEAST))
    sums = np.zeros_like(regrets)
    kept = slice(0, 0) if fixed < 0 else plans.part_of_depth(fixed)
    given = plans.shares[kept].copy()
    regrets[kept] = np.maximum(given, 0) / max(plans.parts[fixed], 1)
    rooms = [plans.shares, plans.shares.copy()]  # of shares in the making, and of the best so far: each may be hundreds of MiB
    mover, other = (weights.astype(np.float32) for weights in plans.weights)

    def proved(most: int) -> HandPlans | None:
        """The strategies of now as plans with at most so many parts, and their bounds; None if it is stopped."""
        parts = tuple(plans.parts[depth] if depth == fixed else min(most, one) for depth, one in enumerate(plans.parts))
        shares = rooms[0]
        shares.flags.writeable = True
        if not tree.round(sums, np.array(parts, np.int32), shares):
            return None
        shares[kept] = given
        rounded = plans.sealed(shares=shares, parts=parts, steps=step)
        bounds = rounded.bounds(tree, fixed)
        return None if bounds is None else rounded.sealed(low=bounds[0], high=bounds[1])

    found, step, proof = None, 0, 1
    while tree.iterate(regrets, sums, mover, other, float(step + 1) ** _AVERAGING, step / (step + 1), fixed):
        step += 1
        if step < proof:
            continue
        proof = int(step * _PROOF_RATIO) + 2
        if (better := proved(_PARTS[0])) is None:
            break
        found = better
        rooms.reverse()
        if found.gap > max(plans.target, _NEAR):
            continue
        for most in _PARTS[:0:-1]:
            coarse = proved(most)
            if coarse is not None and coarse.gap <= plans.target:
                return coarse
        if found.gap <= plans.target:
            break
    if found is None:
        raise _unknown(plans.state)
    return found


def _dot(weights: np.ndarray, gains: np.ndarray) -> int:
    """The exact sum of products of whole numbers, of which the weights are at most 2^32 and the gains at most 2^53."""
    whole, factors = gains.astype(np.int64), weights.astype(np.int64)
    high = whole >> 24
    low = whole - (high << 24)
    return (int((factors * high).sum()) << 24) + int((factors * low).sum())


def _check_room(state: Public, tree: Tree, budget: Budget) -> None:
    """Raises `BudgetError` if values and plans need more memory than there may be."""
    cards, sizes = len(state.unseen), [one.last - one.first for one in tree.nodes]
    lengths = [comb(cards - one.depth - 1, state.held[one.depth % 2] - 1) for one in tree.nodes]
    strategies = sum(size * length for size, length in zip(sizes, lengths, strict=True))
    needed = -(-(len(tree.rows) * comb(sum(state.held), state.held[0]) + 16 * strategies) >> 20)
    if needed > budget.mib(MEMORY_MIB):
        raise BudgetError(f"table_mib must be at least {needed} for this public state, not {budget.mib(MEMORY_MIB)}")


def _values_of(state: Public, tree: Tree, budget: Budget, stop: bytearray, progress: bool | None) -> np.ndarray:
    """Every endgame of every row: int8, by the hand of the first mover: its points less the other's. Raises `NotSolvedError` if it
    is stopped."""
    count, swapped = comb(sum(state.held), state.held[0]), state.pile_size % 2 == 1
    with allocating(len(tree.rows) * count >> 20):
        values = np.empty((len(tree.rows), count), np.int8)
    idle: SimpleQueue[tuple[Solver, np.ndarray]] = SimpleQueue()

    def work(start: int, end: int) -> int:
        if stop[0]:
            return -1
        try:
            solver, packed = idle.get_nowait()
        except Empty:
            solver = Solver(state.rules.code, TABLE_MIB << 20, stop)
            packed = np.empty((count, POSITION_DTYPE.itemsize), np.uint8)
        try:
            [(cards, line)], [found] = tree.rows[start:end], values[start:end]  # a span is one row
            fill_endgames(np.array(cards, np.uint8), np.array(line, np.uint8), state.held[0], swapped, packed)
            refused = solver.solve_range(packed, found, None, None, None, None, 0, count)
            if swapped:
                np.negative(found, found)
        finally:
            idle.put((solver, packed))
        return refused

    fill_ranges(work, len(tree.rows), threads=budget.search_threads, progress=progress, what="endgames", size=1, unit="endgames")
    if stop[0]:
        raise _unknown(state)
    return values


def _unknown(state: Public) -> NotSolvedError:
    most = cost((*state.unseen, *state.line))
    return NotSolvedError(state, -most, most, 0, "the time was over before there were bounds")
