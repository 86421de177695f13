"""An oracle for The Game: Face to Face with both hands hidden: the value of the whole game tree, by a linear program.

A *public state* is what both players know at the start of a turn: of each side the tops, the cards that are not laid yet, and how
many of them are in hand. A *hand* here is any choice of that many of these cards; a player knows its own hand, and of the other
only how likely each hand is. Every hand of both, every turn and every draw is a node of the tree. What fits comes from the readable
rules (`backtrick.face_to_face.rules`), one card after another, and no turn is left out. The tree then becomes the linear program of
its sequences (Koller, Megiddo and von Stengel, 1994), which scipy solves. Nothing is shared with the kernels unless `leaf` says so.

    python tests/oracles/face_to_face_hidden.py --states 5 --seed 1   # random small states, and their worth
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import NamedTuple

from backtrick.face_to_face.position import Side
from backtrick.face_to_face.rule_options import PUBLISHED, Rules
from backtrick.face_to_face.rules import Table, all_laid, turns_of
from backtrick.face_to_face.rules import drawn as after_drawing

sys.path.insert(0, str(Path(__file__).parents[1]))  # also as a script it finds its neighbour
from oracles.published_deck import SmallDeck  # noqa: E402

Hand = tuple[int, ...]
Range = Mapping[Hand, "int | Fraction"]
"""How likely each hand is, as weights: only their ratios count."""
Leaf = Callable[[Side, Side, Rules], bool]
"""Whether the mover wins with these sides, the mover's first, if no card is hidden."""

X, Y = 0, 1


class TooLargeError(Exception):
    """The tree has more nodes than were allowed."""


def ends_of(table: Table, rules: Rules) -> list[Table]:
    """The tables at the end of a turn, each once. What can still be laid depends on the hand, the tops, and whether a card has
    helped, so of tables that are alike in all of this one is looked at."""
    waiting, met, ends = [table], set(), []
    while waiting:
        now = waiting.pop()
        helped = any(play.helpful for play in now.plays)
        state = now.mover, now.opponent.ascending, now.opponent.descending, helped
        if state in met:
            continue
        met.add(state)
        if now.turn_violation(rules) is None:
            ends.append(now)
        waiting += [now.lay(play) for play in now.fitting(rules)]
    return ends


def wins(mover: Side, other: Side, rules: Rules, memo: dict[tuple[Side, Side], bool]) -> bool:
    """Whether the mover wins with open cards, the order of both piles known."""
    if all_laid(other):
        return False  # F12
    if (mover, other) not in memo:
        ends = ends_of(Table(mover, other), rules)
        ends.sort(key=lambda after: -len(after.plays))
        memo[mover, other] = any(
            all_laid(after.mover)  # F12
            or not wins(after.opponent, after_drawing(after.mover, after.to_draw()), rules, memo)
            for after in ends
        )
    return memo[mover, other]


def by_kernel(rules: Rules) -> Leaf:
    """Leaves by the solver of deals, which `test_face_to_face_deals.py` compares with the rules: for states with large hands."""
    from backtrick.face_to_face._deal import DealSolver

    solver = DealSolver(rules.code, 1 << 22)

    def leaf(mover: Side, other: Side, _: Rules) -> bool:
        sides = ((side.ascending, side.descending, side.hand, side.pile) for side in (mover, other))
        return bool(solver.solve(*sides)[0] == 2)

    return leaf


class Known(NamedTuple):
    """What both players know of one side."""

    up: int
    down: int
    unlaid: tuple[int, ...]
    held: int  # how many of them are in hand

    def hands(self) -> Iterator[Hand]:
        return combinations(self.unlaid, self.held)

    def side(self, hand: Hand) -> Side:
        """The side if this is its hand. Nobody knows the order of the pile."""
        return Side(self.up, self.down, hand, frozenset(self.unlaid) - set(hand) or ())

    def __str__(self) -> str:
        return f"{self.up}^{self.down}v:?{self.held}:{','.join(map(str, self.unlaid))}"


@dataclass
class Sequences:
    """The information sets and the sequences of one player. Sequence 0 is empty."""

    set_of: dict[object, int] = field(default_factory=dict)
    of_turn: dict[tuple[int, object], int] = field(default_factory=dict)
    before: list[int] = field(default_factory=list)  # of an information set: the sequence that leads to it
    turns: list[list[int]] = field(default_factory=list)  # of an information set: the sequences that go on from it
    labels: list[tuple[int, object]] = field(default_factory=lambda: [(-1, None)])

    def information_set(self, seen: object, sequence: int) -> int:
        number = self.set_of.setdefault(seen, len(self.before))
        if number == len(self.before):
            self.before.append(sequence)
            self.turns.append([])
        if self.before[number] != sequence:
            raise AssertionError("a player has forgotten what it did")
        return number

    def sequence(self, number: int, turn: object) -> int:
        found = self.of_turn.get((number, turn))
        if found is None:
            found = self.of_turn[number, turn] = len(self.labels)
            self.labels.append((number, turn))
            self.turns[number].append(found)
        return found


class Step(NamedTuple):
    """A turn, as the other player sees it, and what it leaves."""

    turn: object
    up: int  # the other's tops
    down: int
    draws: list[tuple[Hand, Side]]  # all ways to draw, equally likely, and the mover's side after each
    won: bool


@dataclass
class Tree:
    """The game tree of a public state, as far as the program needs it."""

    rules: Rules
    leaf: Leaf
    most: int  # nodes
    every_order: bool = False  # a turn is its plays in order; else the cards laid and the tops that they leave
    follows: Callable[[Hand], object] | None = None  # what X plays first: only this turn of the hand is in the tree
    known_early: bool = True  # a position is a leaf as soon as the player to move knows all, and the other will after this turn
    nodes: int = 0
    players: tuple[Sequences, Sequences] = field(default_factory=lambda: (Sequences(), Sequences()))
    payoff: dict[tuple[int, int], Fraction] = field(default_factory=dict)  # what X wins with two sequences, times its likelihood
    values: dict[tuple[Side, Side], bool] = field(default_factory=dict)
    following: dict[tuple[object, ...], list[Step]] = field(default_factory=dict)
    sides: dict[tuple[object, ...], Side] = field(default_factory=dict)

    def steps(self, mover: Side, other: Side) -> list[Step]:
        """The turns of a player. Of the other only the tops matter for what fits (F5 to F8), and whether it has won."""
        key = mover, other.ascending, other.descending, all_laid(other)
        if key not in self.following:
            table = Table(mover, other)
            ends = turns_of(table, self.rules) if self.every_order else ends_of(table, self.rules)
            seen: dict[object, Step] = {}
            for after in ends:
                own, theirs = after.mover, after.opponent
                laid = after.plays if self.every_order else tuple(card for card in mover.hand if card not in own.hand)
                turn = laid, own.ascending, own.descending, theirs.ascending, theirs.descending
                if turn not in seen:
                    draws = [
                        (drawn, replace(own, hand=(*own.hand, *drawn), pile=frozenset(own.pile) - set(drawn) or ()))
                        for drawn in combinations(sorted(own.pile), after.to_draw())
                    ]
                    seen[turn] = Step(turn, theirs.ascending, theirs.descending, draws, all_laid(own))
            self.following[key] = list(seen.values())
        return self.following[key]

    def with_tops(self, side: Side, up: int, down: int) -> Side:
        """The side with other tops."""
        key = up, down, side.hand, side.pile
        found = self.sides.get(key)
        if found is None:
            found = self.sides[key] = replace(side, ascending=up, descending=down)
        return found

    def grow(self, mover: Side, other: Side, seat: int, seen: tuple[object, object], at: tuple[int, int], likely: Fraction) -> None:
        """Adds all that can follow. seen: what X and Y have seen so far, own draws included. at: their sequences."""
        self.nodes += 1
        if self.nodes > self.most:
            raise TooLargeError(f"the tree has more than {self.most:,} nodes")
        if self._is_leaf(mover, other):
            self._ends(at, likely, self._wins(mover, other) == (seat == X))
            return
        steps = self.steps(mover, other)
        if self.follows and seat == X and at == (0, 0):
            steps = [step for step in steps if step.turn == self.follows(mover.hand)]
        if not steps:  # F13
            self._ends(at, likely, seat == Y)
            return
        own = self.players[seat]
        number = own.information_set(seen[seat], at[seat])
        for turn, up, down, draws, won in steps:
            sequence = own.sequence(number, turn)
            then = (sequence, at[Y]) if seat == X else (at[X], sequence)
            if won:  # F12
                self.nodes += 1
                self._ends(then, likely, seat == X)
                continue
            share = likely / len(draws)
            after = self.with_tops(other, up, down)
            for drawn, side in draws:
                watched = [(seen[X], turn), (seen[Y], turn)]
                watched[seat] = (*watched[seat], drawn)
                self.grow(after, side, 1 - seat, (watched[X], watched[Y]), then, share)

    def _ends(self, at: tuple[int, int], likely: Fraction, won: bool) -> None:
        if won:
            self.payoff[at] = self.payoff.get(at, Fraction(0)) + likely

    def _is_leaf(self, mover: Side, other: Side) -> bool:
        """Whether no card is hidden any more. The mover draws all of a pile of two cards or fewer after this turn (F3, F11), so it
        knows what it will hold, and then so does the other."""
        return not other.pile and not all_laid(other) and len(mover.pile) <= (2 if self.known_early else 0)

    def _wins(self, mover: Side, other: Side) -> bool:
        if (mover, other) not in self.values:
            self.values[mover, other] = self.leaf(replace(mover, pile=tuple(sorted(mover.pile))), other, self.rules)
        return self.values[mover, other]


class Found(NamedTuple):
    """What a public state is worth to X, how many nodes its tree has, and how often X plays each turn with each hand."""

    value: float
    nodes: int
    plays: dict[Hand, dict[object, float]]


def flat(known: Known) -> dict[Hand, Fraction]:
    """All hands equally likely."""
    return dict.fromkeys(known.hands(), Fraction(1, comb(len(known.unlaid), known.held)))


def solve(
    mover: Known,
    other: Known,
    rules: Rules = PUBLISHED,
    ranges: tuple[Range | None, Range | None] = (None, None),
    leaf: Leaf | None = None,
    most: int = 300_000,
    every_order: bool = False,
    known_early: bool = True,
    follows: Callable[[Hand], object] | None = None,
) -> Found:
    """The value of a public state for the mover, and its first turns. ranges: of the mover and of the other; None: `flat`.

    Raises `TooLargeError` if the tree has more nodes than `most`.
    """
    memo: dict[tuple[Side, Side], bool] = {}

    def by_rules(mover: Side, other: Side, rules: Rules) -> bool:
        return wins(mover, other, rules, memo)

    tree = Tree(rules, leaf or by_rules, most, every_order, follows, known_early)
    first, second = (flat(known) if given is None else given for known, given in zip((mover, other), ranges, strict=True))
    whole = Fraction(sum(first.values())) * sum(second.values())
    for hand, weight in first.items():
        for their_hand, their_weight in second.items():
            if weight and their_weight:
                likely = Fraction(weight) * their_weight / whole
                tree.grow(mover.side(hand), other.side(their_hand), X, (hand, their_hand), (0, 0), likely)
    value, plan = program(tree)
    plays: dict[Hand, dict[object, float]] = {}
    own = tree.players[X]
    for seen, number in own.set_of.items():
        if seen in first:  # at the root a player has seen its hand
            plays[seen] = {own.labels[sequence][1]: plan[sequence] for sequence in own.turns[number] if plan[sequence] > 1e-9}
    return Found(value, tree.nodes, plays)


def program(tree: Tree) -> tuple[float, list[float]]:
    """The value of the tree, and how much of each sequence X plays.

    X chooses the shares x of its sequences. The v of an information set of Y is the least that Y can hold X to from there on. A
    sequence of Y is worth what it ends at, and the v of the sets that follow it. X maximises the v of the start.
    """
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    own, theirs = tree.players
    count, sets = len(own.labels), len(theirs.before)
    start = count + sets  # the column of v at the start

    def column(number: int) -> int:
        return start if number < 0 else count + number

    rows, columns, entries = [], [], []

    def put(row: int, where: int, entry: float) -> None:
        rows.append(row)
        columns.append(where)
        entries.append(entry)

    for sequence, (number, _) in enumerate(theirs.labels):
        put(sequence, column(number), 1)
    for number, sequence in enumerate(theirs.before):
        put(sequence, column(number), -1)
    for (mine, sequence), worth in tree.payoff.items():
        put(sequence, mine, -float(worth))
    least = csr_matrix((entries, (rows, columns)), shape=(len(theirs.labels), start + 1))
    rows, columns, entries = [], [], []
    put(0, 0, 1)
    for number, sequence in enumerate(own.before):
        put(number + 1, sequence, -1)
        for following in own.turns[number]:
            put(number + 1, following, 1)
    shares = csr_matrix((entries, (rows, columns)), shape=(len(own.before) + 1, start + 1))
    totals = np.zeros(len(own.before) + 1)
    totals[0] = 1
    aim = np.zeros(start + 1)
    aim[start] = -1
    limits = [(0, None)] * count + [(None, None)] * (sets + 1)
    done = linprog(aim, least, np.zeros(len(theirs.labels)), shares, totals, limits, method="highs")
    if done.status:
        raise ArithmeticError(done.message)
    return -float(done.fun), done.x[:count].tolist()


def random_state(
    numbers: random.Random, small: SmallDeck, held: tuple[int, int], piles: tuple[int, int]
) -> tuple[Known, Known]:
    """A public state of a small deck with this many cards in both hands and in both piles: cards and tops at random, mostly tight.

    It is well-formed: a top of a player is a row card, a card that the player has laid, or a card that the other has laid.
    """
    highest, deck = small.highest, range(2, small.highest)
    unlaid = [sorted(numbers.sample(deck, held[seat] + piles[seat])) for seat in (0, 1)]
    gone = [[card for card in deck if card not in cards] for cards in unlaid]

    def top(seat: int, least: int, most: int, row: int) -> int:
        laid = [card for owner in (seat, seat, 1 - seat) for card in gone[owner] if least <= card <= most]
        if not laid:
            return row
        card = numbers.choice(laid)
        for owner in (seat, 1 - seat):
            if card in gone[owner]:
                gone[owner].remove(card)
                break
        return card

    made = []
    for seat in (0, 1):
        low, high = sorted(numbers.sample(range(1, highest + 1), 2)) if numbers.random() < 0.8 else (1, highest)
        if numbers.random() < 0.5:
            low, high = high, low
        up, down = top(seat, max(low - 2, 2), low + 2, 1), top(seat, high - 2, min(high + 2, highest - 1), highest)
        made.append(Known(small.number(up), small.number(down), tuple(map(small.number, unlaid[seat])), held[seat]))
    return made[0], made[1]


def random_rules(numbers: random.Random) -> tuple[Rules, SmallDeck]:
    """Both readings of F13, and a small deck with any back trick."""
    step = numbers.randint(2, 10)
    return Rules(lone_card=numbers.random() < 0.3), SmallDeck(numbers.randint(9, min(18, 2 + 6 * step)), step)


def main() -> None:
    parser = argparse.ArgumentParser(description="Random small public states of Face to Face, and what they are worth.")
    parser.add_argument("--states", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=20_000, help="larger trees are passed over")
    parser.add_argument("--piles", type=int, nargs=2, help="cards in both piles, the mover's first; otherwise 0 to 4, at random")
    parser.add_argument("--open", action="store_true", help="only states worth more than 0 and less than 1")
    parser.add_argument("--kernel", action="store_true", help="positions without a hidden card by the kernel: faster")
    given = parser.parse_args()
    numbers = random.Random(given.seed)
    shown = 0
    while shown < given.states:
        rules, deck = random_rules(numbers)
        piles = tuple(given.piles or (numbers.randint(0, 4), numbers.randint(0, 4)))
        held = tuple(min(numbers.randint(2, 4), 6 - piles[seat]) for seat in (0, 1))
        mover, other = random_state(numbers, deck, held, piles)
        begun = time.perf_counter()
        try:
            found = solve(mover, other, rules, leaf=by_kernel(rules) if given.kernel else None, most=given.nodes)
        except TooLargeError:
            continue
        if given.open and not 1e-9 < found.value < 1 - 1e-9:
            continue
        shown += 1
        mixes = any(len(plays) > 1 for plays in found.plays.values())
        print(
            f"{mover} {other}  lone {rules.lone_card:d}  "
            f"{found.value:.9f} {Fraction(found.value).limit_denominator(5000)}{' mixes' if mixes else ''}  "
            f"{found.nodes:,} nodes, {time.perf_counter() - begun:.2f} s"
        )


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    main()
