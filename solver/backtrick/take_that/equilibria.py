"""Equilibria of Take That while both hands are hidden: bounds of the value, proved by two strategies (docs/hidden.md).

The strategies are found by regret matching (CFR+, Tammelin 2014, with the weights of Brown and Sandholm 2019). Its floating point
numbers prove nothing. Both strategies are rounded to fractions, and the best response to each is found in whole numbers. What the
mover's strategy is sure of is the lower bound; the most that the mover gets against the other's strategy is the upper bound. So the
bounds are exact, however the strategies were found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from math import comb, factorial
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

import numpy as np

from backtrick.arguments import checked
from backtrick.budget import TABLE_MIB, UNLIMITED, Budget, allocating, deadline
from backtrick.errors import ArgumentError, BudgetError, ContradictionError, IllegalTurnError, NotSolvedError
from backtrick.given import shown, whole
from backtrick.take_that._equilibrium import Tree, fill_endgames
from backtrick.take_that._solve import Solver
from backtrick.take_that.hands import Hand, Range, amount_of, hands_of, masks_of, number_of, summed, weights_of
from backtrick.take_that.position import POSITION_DTYPE, error_at
from backtrick.take_that.public_state import Place, PublicState, Step, as_public_state, tree_of
from backtrick.take_that.rule_options import PUBLISHED, Rules, as_rules, cost, refuse_professional
from backtrick.take_that.state import State, View
from backtrick.take_that.turn import Turn, as_turn
from backtrick.threads import fill_ranges

GAP = Fraction(1, 100)
"""Points."""

MEMORY_MIB = 2048
MOST_CARDS, MOST_PILE = 22, 6
"""The most hidden cards, and the largest draw pile, that the kernel takes."""

_MOST_PARTS, _EXACT = 1 << 20, 1 << 52
_AVERAGING = 4.0  # step t keeps t / (t + 1) of the regrets, and weighs t^a in the means
_SHOWN = 24  # hands in a picture
_FIRST_PROOF, _PROOF_RATIO = 10, 1.25


# The answer


class TurnShare(NamedTuple):
    """A turn of a hand: how often the strategy plays it, and what it is worth against the other's strategy."""

    turn: Turn
    probability: Fraction
    value: Fraction | None


class HandAnswer(NamedTuple):
    """A hand: how likely it is, the most that it gets against the other's strategy, and its turns."""

    hand: Hand
    weight: Fraction
    value: Fraction
    turns: tuple[TurnShare, ...]

    @property
    def mixes(self) -> bool:
        """True if the strategy plays more than one turn."""
        return sum(one.probability > 0 for one in self.turns) > 1


Strategy = Callable[[View], Any]
"""A function from what a player sees to its turn (an object or in notation), or to a mapping from turns to probabilities."""


@dataclass(eq=False, repr=False)
class Equilibrium:
    """Bounds of the value of a public state, the mover's points less the other's from here on, and the strategies that prove them.

    lowest:     what the mover's strategy is sure of, whatever the other does that does not see its hand
    highest:    what the mover cannot exceed against the other's strategy
    iterations: how many steps were made
    proofs:     the bounds that were proved on the way: iterations, lowest, highest
    own:        the mover's hand, if it was given

    >>> equilibrium(PublicState((34, 41), (12, 21, 33, 43, 55), 2, 2)).bounds
    (Fraction(13, 15), Fraction(13, 15))
    """

    state: PublicState
    lowest: Fraction
    highest: Fraction
    iterations: int
    proofs: list[tuple[int, Fraction, Fraction]] = field(default_factory=list)
    own: Hand | None = None
    _solved: _Solved | None = None

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """The lowest and the highest value."""
        return self.lowest, self.highest

    @property
    def gap(self) -> Fraction:
        """How far the bounds are apart, in points."""
        return self.highest - self.lowest

    @property
    def exact(self) -> bool:
        """True if the bounds are equal."""
        return self.lowest == self.highest

    @property
    def value(self) -> Fraction | None:
        """The value, if it is known exactly."""
        return self.lowest if self.exact else None

    def __repr__(self) -> str:
        known = str(self.value) if self.exact else f"{float(self.lowest):.5f}..{float(self.highest):.5f}"
        return f"<Equilibrium {self.state}: {known}>"

    def hand(self, hand: Iterable[int]) -> HandAnswer:
        """What the mover does with a hand, and what it gets."""
        return self._of().hand_answer(_checked_hand(self.state.unseen, hand, self.state.hand_size))

    def hands(self) -> Iterator[HandAnswer]:
        """All hands of the mover that have a weight."""
        solved = self._of()
        for place, hand in enumerate(hands_of(self.state.unseen, self.state.hand_size)):
            if solved.weights[0][place]:
                yield solved.hand_answer(hand)

    def reply(self, turn: Turn | str, hand: Iterable[int]) -> tuple[TurnShare, ...]:
        """What the other player does with a hand after a turn of the mover. Its values are None."""
        return self._of().reply(as_turn(turn), tuple(hand))

    def sure_of(self, strategy: Strategy | str) -> Fraction:
        """What a strategy of the mover is sure of, against an opponent who knows the strategy but not the hand.

        Its difference to `highest` and `lowest` bounds how exploitable it is. strategy: a player by name, or a function, which is
        called for every hand of the mover, at each of its decisions, in no particular order.
        """
        return self._of().with_strategy(0, strategy)

    def sure_of_other(self, strategy: Strategy | str) -> Fraction:
        """The most that the mover gets against a strategy of the other player: it is sure of the negative of that."""
        return self._of().with_strategy(1, strategy)

    def record(self) -> dict[str, Any]:
        """The answer as plain values, with the own hand if there is one: fractions are text."""
        shown = [self.hand(self.own)] if self._solved and self.own else []
        return {
            "state": str(self.state), "value": str(self.lowest) if self.exact else None, "low": str(self.lowest),
            "high": str(self.highest), "hands": [
                {
                    "hand": list(one.hand), "weight": str(one.weight), "value": str(one.value),
                    "turns": [{"turn": str(each.turn), "probability": str(each.probability)}
                              for each in one.turns if each.probability],
                }
                for one in shown
            ],
        }  # fmt: skip

    def text(self, hands: bool = False) -> str:
        """The answer for people: the value, and what the own hand plays; hands: what every hand plays."""
        low, high = (f"{float(bound):+.4f}" for bound in self.bounds)
        value = f"{self.lowest} = {low}" if self.exact else f"from {low} to {high}"
        said = [str(self.state), f"  value   {value}", f"  steps   {self.iterations}"]
        shown = self.hands() if hands else [self.hand(self.own)] if self.own else ()
        for one in shown if self._solved else ():
            turns = " or ".join(
                str(each.turn) if each.probability == 1 else f"{each.turn} ({float(each.probability):.3f})"
                for each in one.turns
                if each.probability
            )
            most = "" if self.exact else "at most "
            said.append(f"  {','.join(map(str, one.hand))}   {most}{float(one.value):+.4f}   {turns}")
        return "\n".join(said)

    def svg(self) -> str:
        """A picture of the strategy: hands by turns, as poker's range tables; of the own hand, or else of the first ones. A darker
        cell is a likelier turn.

        >>> equilibrium(PublicState((34, 41), (12, 21, 33, 43, 55), 2, 2)).svg()[:4]
        '<svg'
        """
        from backtrick.writing.drawing import LIGHT, grid

        hands = [self.hand(self.own)] if self.own else list(islice(self.hands(), _SHOWN))
        turns = list(dict.fromkeys(each.turn for one in hands for each in one.turns if each.probability))
        rows = []
        for one in hands:
            plan = {each.turn: each.probability for each in one.turns}
            shares = [plan.get(turn, Fraction()) for turn in turns]
            rows.append((",".join(map(str, one.hand)), f"{float(one.value):+.4f}", shares))
        return grid(f"{self.state}: {float(self.lowest):+.4f} to {float(self.highest):+.4f}", list(map(str, turns)), rows, LIGHT)

    def _of(self) -> _Solved:
        if self._solved is None:
            raise ArgumentError("the pile is empty, so there is no strategy; solve the endgame of each deal")
        return self._solved


def _checked_hand(cards: tuple[int, ...], hand: Iterable[int], held: int) -> Hand:
    found = tuple(sorted(hand))
    if len(set(found)) != held or len(found) != held or not set(found) <= set(cards):
        raise ArgumentError(f"hand must be {held} of the unseen cards, not {shown(found)}")
    return found


class _Solved:
    """A tree with two strategies, and what is needed to read them."""

    def __init__(self, state: PublicState, ranges: tuple[Range, Range], budget: Budget, stop: bytearray, progress: bool | None):
        self.state = state
        self.held = state.hand_size, state.other_size
        self.cards = len(state.unseen)
        self.weights = tuple(
            weights_of(given, state.unseen, held, whose)
            for given, held, whose in zip(ranges, self.held, ("the mover's", "the other's"), strict=True)
        )
        self.nodes, self.steps, self.leaves = tree_of(state, _most_leaves(state, budget))
        _check_room(self.nodes, self.steps, self.leaves, state, budget)
        self.pairs = [  # for each hand, in rest order: the weight of all hands of the other and orders of the pile
            summed(self.weights[1 - seat], self.cards, self.held[1 - seat], state.pile_size) for seat in (0, 1)
        ]
        self.total = _dot(self.weights[0][::-1], self.pairs[0])
        if not self.total:
            raise ArgumentError("ranges: no two hands of them can be held at the same time")
        self.values = _leaf_values(state, self.leaves, budget, stop, progress)
        nodes = np.array([(one.depth, one.first, one.last) for one in self.nodes], np.int32)
        edges = np.array([(one.child, one.place) for one in self.steps], np.int32)
        self.tree = Tree(state.pile_size, *self.held, nodes, edges, self.values, *self.weights, stop)
        self._forbid()
        self.parts = tuple(self._parts(seat) for seat in (0, 1))
        self.gains = np.zeros(len(self.weights[0]))  # of seat 0 by the best response to the other's strategy
        self.turn_gains = np.zeros((self.nodes[0].last, comb(self.cards - 1, self.held[0] - 1)))

    def _forbid(self) -> None:
        for node in self.nodes:
            held = self.held[node.depth % 2]
            for edge in range(node.first, node.last):
                forbidden = self.steps[edge].forbidden
                if forbidden:
                    cards = [card for place, card in enumerate(node.cards) if place != self.steps[edge].place]
                    mask = np.uint32(sum(1 << place for place, card in enumerate(cards) if card in forbidden))
                    hands = masks_of(len(cards), held - 1)[::-1]
                    self.tree.forbid(edge, (hands & mask != 0).astype(np.uint8))

    def _parts(self, seat: int) -> int:
        """In how many parts the chances of the other seat are counted when this seat responds, so that every sum is exact."""
        decisions = self._decisions(1 - seat)
        rest = self.cards - self.held[seat]
        paths = comb(rest, self.state.pile_size) * factorial(self.state.pile_size)
        most = int(self.weights[1 - seat].max()) * paths * 127
        parts = _MOST_PARTS
        while most * parts**decisions > _EXACT:
            parts //= 2
        if parts < 2:
            raise BudgetError("the numbers of this public state are too large for an exact proof")
        return parts

    def _decisions(self, seat: int) -> int:
        return (self.state.pile_size + 1 - seat) // 2

    def scale(self, seat: int) -> int:
        """By what the gains of a seat are too large: parts for each decision of the other."""
        return int(self.parts[seat] ** self._decisions(1 - seat))

    def lowest(self) -> Fraction:
        """What the strategy of seat 0 is sure of."""
        gains = np.empty(len(self.weights[1]))
        self.tree.respond(1, float(self.parts[1]), gains)
        return Fraction(-_dot(self.weights[1][::-1], gains), self.total * self.scale(1))

    def highest(self) -> Fraction:
        """The most that seat 0 gets against the strategy of seat 1."""
        gains, turns = np.zeros_like(self.gains), np.zeros_like(self.turn_gains)
        self.tree.respond(0, float(self.parts[0]), gains, turns)
        self.gains, self.turn_gains = gains, turns
        return Fraction(_dot(self.weights[0][::-1], gains), self.total * self.scale(0))

    def play_best_turns(self) -> None:
        """Makes the strategy of seat 0 at the root the best response of the last `highest`, one turn for each hand."""
        chosen = np.zeros(len(self.gains), bool)
        for edge in range(self.nodes[0].last):
            places = self._places(0, edge)
            best = (self.turn_gains[edge] == self.gains[places]) & ~chosen[places]
            chosen[places] |= best
            self.tree.put(edge, best.astype(np.float32))

    def _places(self, node: int, edge: int) -> np.ndarray:
        """The numbers, in rest order, of the hands that have the card of an edge."""
        here, place = self.nodes[node], self.steps[edge].place
        cards, held = len(here.cards), self.held[here.depth % 2]
        rest = masks_of(cards - 1, cards - held).astype(np.uint32)
        low = rest & np.uint32((1 << place) - 1)
        return np.searchsorted(masks_of(cards, cards - held), low | (rest ^ low) << np.uint32(1))

    def hand_answer(self, hand: Hand) -> HandAnswer:
        place = len(self.weights[0]) - 1 - number_of(self.state.unseen, hand)
        pairs = int(self.pairs[0][place])
        if not pairs:
            raise ArgumentError(f"hand {shown(hand)} cannot be held together with a hand of the other's range")
        weight = Fraction(int(self.weights[0][::-1][place]) * pairs, self.total)
        unit = pairs * self.scale(0)
        turns = [
            TurnShare(turn, probability, Fraction(int(self.turn_gains[edge][at]), unit))
            for turn, probability, edge, at in self.shares(0, hand)
        ]
        return HandAnswer(hand, weight, Fraction(int(self.gains[place]), unit), tuple(turns))

    def shares(self, node: int, hand: Hand) -> list[tuple[Turn, Fraction, int, int]]:
        """The turns of a hand at a node with their probabilities in the strategy, their edges, and the places of the hand there."""
        here = self.nodes[node]
        legal, sums = [], []
        for edge in range(here.first, here.last):
            step = self.steps[edge]
            card = here.cards[step.place]
            if card in hand and not step.forbidden.intersection(hand):
                cards = tuple(one for one in here.cards if one != card)
                kept = tuple(one for one in hand if one != card)
                at = comb(len(cards), len(kept)) - 1 - number_of(cards, kept)
                legal.append((step.turn, edge, at))
                sums.append(self.tree.one_sum(edge, at))
        total, before, found = sum(sums), 0.0, []
        if not total:
            sums, total = [1.0] * len(sums), float(len(sums))
        parts = self.parts[1 - here.depth % 2]
        for (turn, edge, at), one in zip(legal, sums, strict=True):
            after = before + one
            share = int(after / total * parts + 0.5) - int(before / total * parts + 0.5)
            found.append((turn, Fraction(share, parts), edge, at))
            before = after
        return found

    def reply(self, turn: Turn, hand: Hand) -> tuple[TurnShare, ...]:
        for edge in range(self.nodes[0].last):
            if self.steps[edge].turn == turn:
                break
        else:
            raise IllegalTurnError(turn, None, "the mover does not have this turn", "T3")
        if self.steps[edge].child < 0:
            raise ArgumentError("nothing is hidden after this turn")
        node = self.steps[edge].child
        hand = _checked_hand(self.nodes[node].cards, hand, self.held[1])
        return tuple(TurnShare(turn, probability, None) for turn, probability, _, _ in self.shares(node, hand))

    def with_strategy(self, seat: int, strategy: Strategy | str) -> Fraction:
        """The bound that another strategy of a seat proves. The tree's own strategy is kept."""
        if isinstance(strategy, str):
            from backtrick.take_that.players import PLAYERS

            strategy = PLAYERS.player(strategy)
        edges = [edge for one in self.nodes if one.depth % 2 == seat for edge in range(one.first, one.last)]
        kept = {edge: self.tree.strategy(edge) for edge in edges}
        gains = self.gains, self.turn_gains
        try:
            for node, here in enumerate(self.nodes):
                if here.depth % 2 == seat:
                    self._follow(node, strategy)
            return self.lowest() if seat == 0 else self.highest()
        finally:
            self.gains, self.turn_gains = gains
            for edge, sums in kept.items():
                self.tree.put(edge, sums)

    def _follow(self, node: int, strategy: Strategy) -> None:
        """Puts in what a function plays at a node."""
        here, seat = self.nodes[node], self.nodes[node].depth % 2
        pile, rules = self.state.pile_size - here.depth, self.state.rules
        edges = {self.steps[edge].turn: edge for edge in range(here.first, here.last)}
        sums = {edge: np.zeros(comb(len(here.cards) - 1, self.held[seat] - 1), np.float32) for edge in edges.values()}
        for hand in hands_of(here.cards, self.held[seat]):
            unseen = tuple([card for card in here.cards if card not in hand])
            view = View(hand, here.line, self.held[1 - seat], pile, unseen, (0, 0), rules)
            for turn, probability in _answers(strategy, view):
                edge = edges.get(turn)
                used = turn.card if turn.opening is None else turn.opening
                if edge is None or used not in hand or self.steps[edge].forbidden.intersection(hand):
                    raise IllegalTurnError(turn, None, f"the strategy does not have this turn with {view}", "T3")
                cards = tuple([card for card in here.cards if card != used])
                at = number_of(cards, [card for card in hand if card != used])
                sums[edge][-1 - at] = probability
        for edge, found in sums.items():
            self.tree.put(edge, found)


def _answers(strategy: Strategy, view: View) -> Iterable[tuple[Turn, float]]:
    """The turns that a strategy plays with their probabilities. A player that takes is asked once more, for what it lays (T6)."""
    found = strategy(view)
    if isinstance(found, Mapping):
        return [(as_turn(turn), float(probability)) for turn, probability in found.items() if probability]
    turn = as_turn(found)
    if turn.is_take and turn.opening is None:
        points = view.points[0] - cost(view.line), view.points[1]
        opened = View(view.hand, (), view.hand_size, view.pile_size, view.unseen, points, view.rules)
        turn = Turn(opening=as_turn(strategy(opened)).card)
    return [(turn, 1.0)]


def _dot(weights: np.ndarray, gains: np.ndarray) -> int:
    """The exact sum of products of whole numbers, of which the weights are at most 2^16 and the gains at most 2^53."""
    whole_gains = gains.astype(np.int64)
    factors = weights.astype(np.int64)
    high = whole_gains >> 24
    low = whole_gains - (high << 24)
    return (int((factors * high).sum()) << 24) + int((factors * low).sum())


def _most_leaves(state: PublicState, budget: Budget) -> int:
    return (budget.mib(MEMORY_MIB) << 20) // comb(state.hand_size + state.other_size, state.hand_size)


def _check_room(nodes: list[Place], steps: list[Step], leaves: list[Place], state: PublicState, budget: Budget) -> None:
    """Raises `BudgetError` if values and strategies need more memory than there may be."""
    cards, held = len(state.unseen), (state.hand_size, state.other_size)
    strategies = sum((one.last - one.first) * comb(cards - one.depth - 1, held[one.depth % 2] - 1) for one in nodes)
    rows = sum(
        max((one.last - one.first for one in nodes if one.depth == depth), default=0) * comb(cards - depth - 1, held[depth % 2] - 1)
        for depth in range(state.pile_size)
    )
    needed = len(leaves) * comb(sum(held), held[0]) + 8 * strategies + 8 * rows
    if needed > budget.mib(MEMORY_MIB) << 20:
        raise BudgetError(f"table_mib must be at least {-(-needed >> 20)} for this public state, not {budget.mib(MEMORY_MIB)}")


def _leaf_values(state: PublicState, leaves: list[Place], budget: Budget, stop: bytearray, progress: bool | None) -> np.ndarray:
    """Every endgame of every leaf: int8, a row for each leaf, by the hand of the first mover: its points less the other's from the
    beginning on. Raises `NotSolvedError` if it is stopped.

    Leaves with the same cards and the same line have the same endgames, and only one of them is solved: a line that is taken leaves
    nothing of the turns before.
    """
    count = comb(state.hand_size + state.other_size, state.hand_size)
    swapped, rules = state.pile_size % 2 == 1, state.rules
    alike: dict[tuple[Hand, Hand], list[int]] = {}
    for place, leaf in enumerate(leaves):
        alike.setdefault((leaf.cards, leaf.line), []).append(place)
    groups = list(alike.items())
    with allocating(len(leaves) * count >> 20):
        values = np.empty((len(leaves), count), np.int8)
    idle: SimpleQueue[tuple[Solver, np.ndarray]] = SimpleQueue()

    def work(start: int, end: int) -> int:
        try:
            solver, packed = idle.get_nowait()
        except Empty:
            solver = Solver(rules.code, TABLE_MIB << 20, stop)
            packed = np.empty((count, POSITION_DTYPE.itemsize), np.uint8)
        try:
            for (cards, line), places in groups[start:end]:
                found = values[places[0]]
                fill_endgames(np.array(cards, np.uint8), np.array(line, np.uint8), state.hand_size, swapped, packed)
                refused = solver.solve_range(packed, found, None, None, None, None, 0, count)
                if refused >= 0:
                    raise error_at(packed.view(POSITION_DTYPE)[:, 0], refused)
                if swapped:
                    np.negative(found, found)
                for place in places[::-1]:  # the first, which is read, comes last
                    np.add(found, np.int8(leaves[place].points), values[place])
        finally:
            idle.put((solver, packed))
        return -1

    fill_ranges(work, len(groups), threads=budget.search_threads, progress=progress, what="endgames", size=1, unit="leaves")
    if stop[0]:
        raise _unknown(state)
    return values


def _unknown(state: PublicState) -> NotSolvedError:
    most = cost((*state.unseen, *state.line))
    return NotSolvedError(state, -most, most, 0, "the time was over before its endgames were solved")


@checked
def equilibrium(
    state: PublicState | View | State | str,
    ranges: tuple[Range, Range] | None = None,
    gap: Any = GAP,
    budget: Budget = UNLIMITED,
    iterations: int | None = None,
    progress: bool | None = False,
    rules: Rules = PUBLISHED,
) -> Equilibrium:
    """Bounds of the value of a public state, at most `gap` points apart, and the strategies that prove them.

    state: a public state, its notation, a view of the player to move (its hand is forgotten), or a whole game. ranges: how often
    the mover and the other player hold each hand, None for all alike; a deal counts the product of both weights. Weights are used
    as whole numbers: unless they have a common measure that is at least a 65,536th of the largest, they are rounded to multiples
    of that. gap: 0 asks for the exact value; that ends only if the strategies found are exact, so give `iterations` or a budget
    too. budget: seconds, cancel, search_threads for the endgames, and table_mib, the memory for values and strategies (2,048 by
    default). iterations: the most steps. Where a limit is met, the bounds are wider. Raises `NotSolvedError` if the time did not
    suffice for any bounds, `BudgetError` if the memory does not suffice, `RulesError` under T11, and `ArgumentError`.

    >>> cards = (12, 21, 33, 43, 55)
    >>> found = equilibrium(PublicState((34, 41), cards, 2, 2))  # one card in the pile: exact
    >>> found.value, found.hand((12, 43)).turns[0].turn
    (Fraction(13, 15), <Turn 43>)
    """
    state, own = as_public_state(state, as_rules(rules))
    refuse_professional(state.rules, "equilibria are")
    if not isinstance(budget, Budget):
        raise ArgumentError(f"budget must be a Budget, not {shown(budget)}")
    if budget.nodes is not None:
        raise BudgetError("nodes do not limit an equilibrium; give iterations")
    wanted = amount_of(gap)
    if wanted is None:
        raise ArgumentError(f"gap must be a number of 0 or more, not {shown(gap)}")
    most = None if iterations is None else whole(iterations)
    if iterations is not None and (most is None or most < 1):
        raise ArgumentError(f"iterations must be a whole number above 0, or None, not {shown(iterations)}")
    if ranges is None:
        ranges = None, None
    if not isinstance(ranges, tuple) or len(ranges) != 2:
        raise ArgumentError(f"ranges must be a pair, the mover's and the other's, or None, not {shown(ranges)}")
    if len(state.unseen) > MOST_CARDS or state.pile_size > MOST_PILE:
        sizes = f"{len(state.unseen)} and {state.pile_size}"
        raise BudgetError(f"at most {MOST_CARDS} cards may be hidden, and {MOST_PILE} of them in the pile, not {sizes}")
    with deadline(budget) as stop:
        if not state.pile_size:
            found = _with_open_cards(state, ranges, budget, stop, progress)
        else:
            with allocating(budget.mib(MEMORY_MIB)):
                solved = _Solved(state, ranges, budget, stop, progress)
            found = _improve(solved, wanted, most, stop)
    if found.lowest > found.highest:
        raise ContradictionError(state, state.rules, f"it is worth at least {found.lowest} and at most {found.highest}")
    return replace(found, own=own)


def _improve(solved: _Solved, wanted: Fraction, most: int | None, stop: bytearray) -> Equilibrium:
    """Iterates until the bounds are close enough, or a limit is met."""
    found = Equilibrium(solved.state, Fraction(-(1 << 20)), Fraction(1 << 20), 0, _solved=solved)
    if solved.state.pile_size == 1:  # the mover decides once, and then everything is known
        found.highest = solved.highest()
        solved.play_best_turns()
        found.lowest = solved.lowest()
        found.proofs.append((0, found.lowest, found.highest))
        return found
    step, proof = 0, _FIRST_PROOF
    while True:
        ended = not solved.tree.iterate(float(step + 1) ** _AVERAGING, step / (step + 1))
        step += not ended
        last = ended or step == most
        if step == proof or last:
            proof = int(step * _PROOF_RATIO) + 2
            found.iterations, found.lowest, found.highest = step, solved.lowest(), solved.highest()
            found.proofs.append((step, found.lowest, found.highest))
            if last or found.gap <= wanted:
                return found


def _with_open_cards(
    state: PublicState, ranges: tuple[Range, Range], budget: Budget, stop: bytearray, progress: bool | None
) -> Equilibrium:
    """With an empty pile both hands are known to both players: the value is the mean of the endgames."""
    values = _leaf_values(state, [Place(0, state.unseen, state.line, 0)], budget, stop, progress)[0]
    weights = weights_of(ranges[0], state.unseen, state.hand_size, "the mover's")
    others = weights_of(ranges[1], state.unseen, state.other_size, "the other's")[::-1]
    both = (weights * others).astype(np.int64)
    if not both.any():
        raise ArgumentError("ranges: no two hands of them can be held at the same time")
    mean = Fraction(int((both * values).sum()), int(both.sum()))
    return Equilibrium(state, mean, mean, 0, [(0, mean, mean)])
