"""What a position is worth while both hands are hidden, and plans that guarantee it (docs/hidden.md).

X is to move, Y is the other player. A *type* of a player is a hand that it can hold; a *range* says how likely each type is. A
*plan* gives each type a probability for each turn. What the other player sees of a turn are the cards laid and the tops. A *split*
is what can still be in X's pile after its turn and drawing.

Here are linear programs and fractions; `_equilibrium` lists turns and says when they win.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb, lcm
from operator import mul
from typing import Any, NamedTuple

import numpy as np

from backtrick.errors import UsageError
from backtrick.face_to_face._equilibrium import REPLY_DTYPE, LastTurns
from backtrick.face_to_face.position import HAND_SIZE
from backtrick.face_to_face.public_state import Known
from backtrick.face_to_face.rule_options import Rules

MOST_REPLIES = 1 << 16
NEAR = 1e-7
"""Floating point tells two values apart if they differ by more; closer ones are compared as fractions."""
DENOMINATORS = 1, 12, 120, 2_520, 27_720, 1_000_000, 10**9
"""Probabilities of plans become fractions with at most these denominators, one after another until both bounds meet."""

Weights = Sequence[Fraction]
Outcome = tuple[int, int, int, int, int, int]
"""What Y sees of a turn of X: the cards laid as a set, X's tops, Y's tops; and the helpful card, 0 if there is none."""


@lru_cache(256)
def types_of(unlaid: tuple[int, ...], hand_size: int) -> np.ndarray:
    """The types of a player as sets of numbers, in the order of the kernel: uint64."""
    hands = combinations(unlaid, hand_size)
    return np.sort(np.array([sum(1 << card for card in hand) for hand in hands], np.uint64))


@lru_cache(256)
def types_in(bits: int) -> tuple[int, ...]:
    """The places of a set of types."""
    return tuple(place for place in range(bits.bit_length()) if bits >> place & 1)


def after_turn(mover: Known, opponent: Known, outcome: Outcome) -> tuple[Known, Known]:
    """What both know of the mover and of the opponent after a turn and drawing."""
    laid, up, down, other_up, other_down, helped = outcome
    drawn = HAND_SIZE - (mover.hand_size - laid.bit_count()) if helped else 2  # F11
    rest = tuple(card for card in mover.unlaid if not laid >> card & 1)
    after = Known(up, down, len(rest) - max(mover.pile_size - drawn, 0), rest)
    return after, opponent._replace(ascending=other_up, descending=other_down)


def shares_after(mover: Known, after: Known, laid: int, able: Sequence[int]) -> tuple[np.ndarray, int]:
    """How likely each type is after a turn and drawing, for each of the types that make it: int64, shape (able, types); and what
    each row adds up to."""
    held = types_of(mover.unlaid, mover.hand_size)[list(able)] & ~np.uint64(laid)
    shares = (held[:, None] & ~types_of(after.unlaid, after.hand_size)) == 0
    return shares.astype(np.int64), comb(mover.pile_size, after.pile_size)


class Family(NamedTuple):
    """Types of Y, and the replies of which one is their best, whatever X may hold."""

    types: tuple[int, ...]
    replies: tuple[int, ...]


@dataclass
class Turn:
    """A turn of X, for its types that are not sure to win.

    able:     these types that can make it, by their places
    wins:     how many splits of each of them win against each reply: uint8, shape (replies, able)
    splits:   how many each of them has, all as likely
    families: of the types of Y
    sets:     the splits that win against each reply, as bits
    meant:    the splits that these types can have
    """

    number: int
    able: np.ndarray
    wins: np.ndarray
    splits: int
    families: list[Family]
    sets: list[int]
    meant: int

    def lower(self, weights: np.ndarray) -> np.ndarray:
        """What each type wins even if Y knows it. weights: of the families."""
        return self._sum(weights, (self.wins[list(family.replies)].min(axis=0) for family in self.families))

    def against(self, weights: np.ndarray, plan: Sequence[int]) -> np.ndarray:
        """What each type wins against one reply of each family."""
        return self._sum(weights, (self.wins[reply] for reply in plan))

    def best_replies(self, weights: np.ndarray) -> list[int]:
        """The reply of each family that leaves X least, if its types have these weights."""
        left = self.wins @ weights
        return [min(family.replies, key=left.__getitem__) for family in self.families]

    @property
    def may_win(self) -> bool:
        """True if it wins for some type, with some split, against a reply that is best for some type of Y."""
        return bool(self.wins[sorted({reply for family in self.families for reply in family.replies})].any())

    def _sum(self, weights: np.ndarray, wins: Iterable[np.ndarray]) -> np.ndarray:
        total = np.zeros(len(self.able))
        for weight, one in zip(weights.tolist(), wins, strict=True):
            total += weight * one
        return total / self.splits


class Game:
    """A position in which X has at most four cards in its pile and Y at most two: X moves, then Y, and then X knows all.

    mover, opponent:  X and Y
    moving, replying: the types of X and of Y that are looked at, as bits, in the order of `types_of`
    stop:             once it is set, less is found
    found, known:     what is known of `sure`, and whether that is all; turns before number `looked` were looked at
    """

    def __init__(self, mover: Known, opponent: Known, moving: int, replying: int, rules: Rules, stop: bytearray) -> None:
        self.mover, self.opponent, self.moving, self.replying, self.rules = mover, opponent, moving, replying, rules
        self.stop = stop
        self.types = types_of(mover.unlaid, mover.hand_size)
        self.found = np.full(len(self.types), -1, np.int32)
        self.looked, self.known = 0, False

    @cached_property
    def kernel(self) -> LastTurns:
        return LastTurns(tuple(self.mover), tuple(self.opponent), self.rules.code, self.stop)

    @cached_property
    def rows(self) -> np.ndarray:
        return self.kernel.turns()

    @cached_property
    def room(self) -> np.ndarray:
        return np.empty(MOST_REPLIES, REPLY_DTYPE)

    @cached_property
    def sure(self) -> list[int]:
        """For each type the number of a turn that wins whatever Y holds and does, -1 if there is none.

        Such a type may make this turn and be left out of the program: whatever Y plans, its best turn is worth 1.
        """
        self.look()
        return self.found.tolist()

    def look(self, weights: np.ndarray | None = None, enough: float = 1.0) -> bool:
        """Looks for types that are sure to win; with weights, until these add up to `enough`. Returns whether all are known."""
        if not self.known and not self.lost:
            some = np.zeros(len(self.types)) if weights is None else weights
            self.looked = self.kernel.sure(self.replying, self.found, some, enough, self.looked)
        self.known = self.known or self.lost or self.looked == len(self.rows)
        return self.known

    @cached_property
    def lost(self) -> bool:
        """True if X never wins: no turn wins for any type against any type of Y. For most positions one turn tells."""
        number, _ = self.kernel.replies(0, self.replying, self.types[list(types_in(self.moving))])
        return bool(number == len(self.rows))

    def certain(self, own: Sequence[Any]) -> Any:
        """What X wins with the types that are known to be sure to win. own: X's range, in fractions or in whole numbers."""
        return sum(own[place] for place in np.flatnonzero(self.found >= 0).tolist())

    @property
    def hopeless(self) -> bool:
        """True if Y never wins: all types of X are sure to win."""
        return all(number >= 0 for place, number in enumerate(self.sure) if self.moving >> place & 1)

    def forget(self) -> None:
        """Drops what can be found again: of thousands of games few are solved again."""
        for name in ("kernel", "rows", "room", "replies", "turns"):
            self.__dict__.pop(name, None)

    @cached_property
    def turns(self) -> list[Turn]:
        """The turns of all other types, without those that never win."""
        return list(self._turns())

    def able(self, number: int) -> np.ndarray:
        """The types that can make a turn, by their places; without those that are sure to win, unless all of them are."""
        makes = [place for place in types_in(self.moving) if not int(self.rows["laid"][number]) & ~int(self.types[place])]
        return np.array([place for place in makes if self.sure[place] < 0] or makes, np.intp)

    def _turns(self) -> Iterator[Turn]:
        waiting = np.array([place for place in types_in(self.moving) if self.sure[place] < 0], np.intp)
        if self.lost:
            return
        number, hands = 0, self.types[waiting]
        while True:
            number, count = self.kernel.replies(number, self.replying, hands, self.room)
            if number == len(self.rows):
                return
            turn = self._turn(number, waiting[self.rows["laid"][number] & ~hands == 0], self.room[:count])
            if turn.may_win:
                yield turn
            number += 1

    def turn(self, number: int, able: np.ndarray) -> Turn:
        """A turn for types that can make it. What Y can reply to it stays in `replies`."""
        self.replies = self.room[: self.kernel.replies_to(number, self.replying, self.room)]
        return self._turn(number, able, self.replies)

    def _turn(self, number: int, able: np.ndarray, found: np.ndarray) -> Turn:
        """As `turn`. found: the replies of Y."""
        left = np.array(self.kernel.splits(number), np.uint64)
        splits = (left & self.types[able][:, None]) == 0  # the pile holds no card that was in hand
        places = np.array(types_in(self.replying), np.uint32)
        meant = as_bits(splits.any(axis=0)[None, :])[0]
        sets, rows = np.unique(found["wins"] & meant, return_inverse=True)
        can = np.zeros((len(places), len(sets)), bool)  # which families can leave X which wins
        np.logical_or.at(can.T, rows, (found["types"][:, None] >> places) & 1 == 1)
        best = can & ~((can.astype(np.float32) @ smaller(sets)) > 0)
        groups: dict[tuple[int, ...], list[int]] = {}
        for place, chosen in zip(places.tolist(), best, strict=True):
            groups.setdefault(tuple(np.flatnonzero(chosen).tolist()), []).append(place)
        if () in groups:  # Y is stuck (F13)
            sets = np.append(sets, meant)
            groups[len(sets) - 1,] = groups.pop(())
        wins = (of_bits(sets, len(left)).astype(np.int64) @ splits.T).astype(np.uint8)
        families = [Family(tuple(types), replies) for replies, types in groups.items()]
        return Turn(number, able, wins, int(splits.sum(axis=1)[0]), families, sets.tolist(), int(meant))


def as_bits(rows: np.ndarray) -> np.ndarray:
    """Rows of bool as numbers, the first one in bit 0."""
    return (rows.astype(np.uint64) << np.arange(rows.shape[1], dtype=np.uint64)).sum(axis=1)


def of_bits(sets: np.ndarray, count: int) -> np.ndarray:
    return (sets[:, None] >> np.arange(count, dtype=np.uint64)) & np.uint64(1) == 1


def smaller(sets: np.ndarray) -> np.ndarray:
    """Where the set of the row is within that of the column, another one: float32, to be multiplied. No two sets are equal."""
    inside = (sets[:, None] & ~sets[None, :]) == 0
    np.fill_diagonal(inside, False)
    return inside.astype(np.float32)


class MoverPlan(NamedTuple):
    """A plan of X for a game, down to its end.

    turns: for each type the numbers of its turns, with probabilities; none where nothing was planned
    given: what it wins against each type of Y
    later: X's plan after its turns, by their numbers, as it is found in the games after them
    """

    turns: tuple[Mapping[int, Fraction], ...] = ()
    given: tuple[Fraction, ...] = ()
    later: Mapping[int, OtherPlan] = {}


class OtherPlan(NamedTuple):
    """A plan of Y for a game, down to its end.

    worth:   what the best turn of each type of X is worth against it
    replies: after a turn of X, by its number, the sets of splits that each family of Y leaves winning, with probabilities
    mixes:   or Y's plans in the game after it, with probabilities
    """

    worth: tuple[Fraction, ...] = ()
    replies: Mapping[int, tuple[Mapping[int, Fraction], ...]] = {}
    mixes: Mapping[int, tuple[tuple[Fraction, MoverPlan], ...]] = {}


@dataclass
class Solution:
    """What a game is worth to X, by a plan of each player that is held against the best that the other can do.

    lower, upper: X's plan wins at least `lower`, and Y's plan leaves X at most `upper`; one number if this is an equilibrium
    """

    lower: Fraction
    upper: Fraction
    own: MoverPlan
    other: OtherPlan

    @classmethod
    def least(cls, game: Game, own: Weights) -> Solution:
        """What is known before any turn is looked at: who is sure to win."""
        won = Fraction(game.certain(own))
        plan = [{number: Fraction(1)} if number >= 0 else {} for number in game.sure]
        given = (won,) * game.replying.bit_length()
        return cls(won, Fraction(1), MoverPlan(tuple(plan), given), OtherPlan((Fraction(1),) * len(plan)))


def solve(game: Game, own: Weights, other: Weights) -> Solution:
    """An equilibrium, in fractions; or the closest plans that were found. own, other: the ranges of X and of Y."""
    units, scale = whole_numbers(other)
    weights = {turn.number: [Fraction(sum(units[place] for place in family.types), scale) for family in turn.families]
               for turn in game.turns}  # fmt: skip
    if game.stop[0]:
        return Solution.least(game, own)
    kept, replies = worthwhile(game, own, weights)
    chances: Chances | None = None
    if any(len(family.replies) > 1 for turn in kept for family in turn.families):
        chances, mixed = two_turn_program(own, kept, weights)
    else:  # Y has no choice that matters, so each type of X makes its best turn
        mixed = {(turn.number, group, reply): 1.0 for turn in kept for group, family in enumerate(turn.families)
                 for reply in family.replies}  # fmt: skip
    best: Solution | None = None
    for denominator in DENOMINATORS:
        planned = {**replies, **plan_of_y(kept, mixed, denominator)}
        worth, chosen = worth_against(game, weights, planned)
        wanted = {place: {number: 1.0} for place, number in chosen.items()} if chances is None else chances
        plan, lower, given = plan_of_x(game, own, kept, weights, wanted, denominator)
        upper = total(own, worth)
        if best is None or upper - lower < best.upper - best.lower:
            best, found = Solution(lower, upper, MoverPlan(tuple(plan), tuple(given)), OtherPlan(tuple(worth))), planned
        if lower == upper or game.stop[0]:
            break
    assert best is not None
    told = {turn.number: tuple({turn.sets[reply]: part for reply, part in of.items()} for of in found[turn.number])
            for turn in game.turns}  # fmt: skip
    best.other = best.other._replace(replies=told)
    return best


def whole_numbers(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """The values as whole numbers, and by what these are too large: sums of fractions are slow."""
    scale = lcm(*(value.denominator for value in values))
    return [value.numerator * (scale // value.denominator) for value in values], scale


def total(weights: Weights, values: Weights) -> Fraction:
    (parts, whole), (units, unit) = whole_numbers(weights), whole_numbers(values)
    return Fraction(sum(part * one for part, one in zip(parts, units, strict=True)), whole * unit)


def worthwhile(
    game: Game, own: Weights, weights: Mapping[int, Weights]
) -> tuple[list[Turn], dict[int, list[dict[int, Fraction]]]]:
    """The turns that may be better for some type than another one; and for each other turn the replies of Y that show that it is
    not.

    *Proof.* A type gets at least `lower` of a turn, even if Y knows it. If replies of Y hold every type to no more than what it
    gets by another turn, Y may plan these replies, and no type has a reason to make this turn.
    """
    least = np.zeros(len(game.types))
    rough = {number: np.array([float(weight) for weight in of_turn]) for number, of_turn in weights.items()}
    for turn in game.turns:
        np.maximum.at(least, turn.able, turn.lower(rough[turn.number]))
    chances = np.array([float(weight) for weight in own])
    kept, replies = [], {}
    for turn in game.turns:
        plan = turn.best_replies(chances[turn.able] * (1 - least[turn.able]))
        if (turn.against(rough[turn.number], plan) <= least[turn.able] - NEAR).all():
            replies[turn.number] = [{reply: Fraction(1)} for reply in plan]
        else:
            kept.append(turn)
    return kept, replies


def scipy() -> tuple[Any, Any]:
    """Its linear programs and its sparse arrays. Raises `UsageError` if it is not installed."""
    try:
        from scipy.optimize import linprog
        from scipy.sparse import coo_array
    except ModuleNotFoundError:
        raise UsageError("equilibrium needs scipy, which is not installed; pip install 'backtrick[equilibrium]'") from None
    return linprog, coo_array


class Program:
    """A linear program in the making: columns by names, rows that say "at most 0", and probabilities of each type, which add up.

    Its solution is an end point of what is allowed, so its numbers are fractions without large denominators.
    """

    def __init__(self) -> None:
        self.columns: dict[object, int] = {}
        self.gains: dict[int, float] = {}
        self.rows: list[object] = []
        self.entries: list[tuple[int, int, float]] = []

    def column(self, name: object, gain: float = 0.0) -> int:
        place = self.columns.setdefault(name, len(self.columns))
        if gain:
            self.gains[place] = gain
        return place

    def row(self, name: object, entries: Iterable[tuple[int, float]]) -> None:
        self.entries += ((len(self.rows), column, value) for column, value in entries)
        self.rows.append(name)

    def solve(self, sums: Mapping[int, tuple[float, list[int]]]) -> tuple[dict[object, float], dict[object, float]]:
        """The columns, and the weights of the rows. sums: what the columns of each type add up to."""
        linprog, coo_array = scipy()
        if not self.rows or not sums:
            return dict.fromkeys(self.columns, 0.0), dict.fromkeys(self.rows, 0.0)
        gains = np.zeros(len(self.columns))
        gains[list(self.gains)] = [-gain for gain in self.gains.values()]
        row, column, value = zip(*self.entries, strict=True)
        places = [(i, place) for i, (_, places) in enumerate(sums.values()) for place in places]
        found = linprog(
            gains,
            A_ub=coo_array((value, (row, column)), shape=(len(self.rows), len(gains))).tocsr(),
            b_ub=np.zeros(len(self.rows)),
            A_eq=coo_array((np.ones(len(places)), tuple(zip(*places, strict=True))), shape=(len(sums), len(gains))).tocsr(),
            b_eq=np.array([whole for whole, _ in sums.values()]),
            method="highs-ds",
        )
        if found.status:
            raise RuntimeError(f"the linear program was not solved: {found.message}")
        values = dict(zip(self.columns, found.x.tolist(), strict=True))
        return values, dict(zip(self.rows, (-found.ineqlin.marginals).tolist(), strict=True))


Chances = Mapping[int, Mapping[int, float]]
"""How much of each type goes to which turn."""


def two_turn_program(own: Weights, turns: list[Turn], weights: Mapping[int, Weights]) -> tuple[Chances, dict[object, float]]:
    """X's plan; and the weight of each reply of each family of each turn in Y's.

    Each family of Y leaves X the least that any of its replies leaves; X's plan makes the sum of these as large as it can be.
    """
    program = Program()
    chances: dict[int, dict[int, int]] = {}
    for turn in turns:
        for place in turn.able.tolist():
            chances.setdefault(place, {})[turn.number] = program.column((turn.number, place))
    for turn in turns:
        for group, family in enumerate(turn.families):
            least = program.column((turn.number, group, "least"), float(weights[turn.number][group]))
            for reply in family.replies:
                gets = zip(turn.able.tolist(), (turn.wins[reply] / turn.splits).tolist(), strict=True)
                program.row((turn.number, group, reply),
                            [(least, 1.0), *((chances[place][turn.number], -get) for place, get in gets if get)])  # fmt: skip
    values, mixed = program.solve({place: (float(own[place]), list(of.values())) for place, of in chances.items()})
    return {place: {number: values[number, place] for number in of} for place, of in chances.items()}, mixed


def rounded(weights: Sequence[float], denominator: int) -> list[Fraction]:
    """Fractions close to these shares of a whole, which add up to 1; where there is almost nothing, 0.

    >>> [str(part) for part in rounded([0.2, 0.4, 1e-13], 9)], [str(part) for part in rounded([-1e-13, 1e-13], 9)]
    (['1/3', '2/3', '0'], ['0', '1'])
    >>> rounded([0.5, 0.5, 2e-8], 10**8)[2]
    Fraction(0, 1)
    """
    whole = sum(weights)
    most = max(range(len(weights)), key=weights.__getitem__)
    found = [Fraction(weight / whole).limit_denominator(denominator) if place != most and whole > 0 and weight / whole > NEAR
             else Fraction() for place, weight in enumerate(weights)]  # fmt: skip
    found[most] = 1 - sum(filter(None, found), Fraction())
    if found[most] < 0:
        found = [part / (1 - found[most]) for part in found]
        found[most] = Fraction()
    return found


def plan_of_x(
    game: Game, own: Weights, turns: list[Turn], weights: Mapping[int, Weights], chances: Chances, denominator: int
) -> tuple[list[dict[int, Fraction]], Fraction, list[Fraction]]:
    """The plan in fractions; what it wins whatever Y does; and what it wins against each type of Y."""
    plan = [{number: Fraction(1)} if number >= 0 else {} for number in game.sure]
    for place, of in chances.items():
        parts = rounded(list(of.values()), denominator)
        plan[place] = {number: part for number, part in zip(of, parts, strict=True) if part}
    units, scale = whole_numbers(own)
    lower = Fraction(game.certain(units), scale)
    gains: list[tuple[Fraction, Sequence[int]]] = [(lower, range(max(1, game.replying.bit_length())))]
    for turn in turns:
        made = {i: own[place] * plan[place][turn.number] for i, place in enumerate(turn.able.tolist())
                if turn.number in plan[place]}  # fmt: skip
        if made:
            units, scale = whole_numbers(list(made.values()))
            wins = turn.wins[:, list(made)].tolist()
            for weight, family in zip(weights[turn.number], turn.families, strict=True):
                left = min(sum(map(mul, units, wins[reply])) for reply in family.replies)
                if left:
                    gains.append((Fraction(left, scale * turn.splits), family.types))
                    lower += weight * gains[-1][0]
    units, scale = whole_numbers([gain for gain, _ in gains])
    given = [0] * len(gains[0][1])
    for unit, (_, types) in zip(units, gains, strict=True):
        for place in types:
            given[place] += unit
    return plan, lower, [Fraction(one, scale) for one in given]


def sure_of(game: Game, other: Weights, plan: Iterable[tuple[Outcome, int, Fraction]]) -> Fraction:
    """What a plan of X wins against the best that Y can do. plan: what a turn leads to, a type, and how likely both are."""
    lower = Fraction()
    for outcome, parts in by_outcome(plan).items():
        turn = game.turn(game.kernel.add(*outcome), np.array(list(parts), np.intp))
        for family in turn.families:
            weight = sum((other[place] for place in family.types), Fraction())
            left = (total(list(parts.values()), list(map(Fraction, turn.wins[reply].tolist()))) for reply in family.replies)
            lower += weight * min(left) / turn.splits
    return lower


def by_outcome(plan: Iterable[tuple[Outcome, int, Fraction]]) -> dict[Outcome, dict[int, Fraction]]:
    """What Y sees of the turns of a plan, and how likely each type is with it."""
    made: dict[Outcome, dict[int, Fraction]] = {}
    for outcome, place, part in plan:
        of_types = made.setdefault(outcome, {})
        of_types[place] = of_types.get(place, Fraction()) + part
    return made


def plan_of_y(turns: list[Turn], mixed: Mapping[object, float], denominator: int) -> dict[int, list[dict[int, Fraction]]]:
    """For each turn of X the replies of each family, with probabilities."""
    found: dict[int, list[dict[int, Fraction]]] = {}
    for turn in turns:
        found[turn.number] = []
        for group, family in enumerate(turn.families):
            parts = rounded([mixed[turn.number, group, reply] for reply in family.replies], denominator)
            found[turn.number].append({reply: part for reply, part in zip(family.replies, parts, strict=True) if part})
    return found


def worth_against(
    game: Game, weights: Mapping[int, Weights], replies: Mapping[int, list[dict[int, Fraction]]]
) -> tuple[list[Fraction], dict[int, int]]:
    """What the best turn of each type of X is worth against a plan of Y; and these turns, of the types that are not sure to win or
    to lose."""
    worth, chosen = [Fraction(int(number >= 0)) for number in game.sure], dict[int, int]()
    rough = np.array([float(one) for one in worth])
    made = []
    for turn in game.turns:
        mix = [(weight * part, reply) for weight, of in zip(weights[turn.number], replies[turn.number], strict=True)
               for reply, part in of.items() if weight]  # fmt: skip
        units, scale = whole_numbers([part for part, _ in mix])
        wins = turn.wins[[reply for _, reply in mix]]
        won = np.array([unit / scale for unit in units]) @ wins / turn.splits
        np.maximum.at(rough, turn.able, won)
        made.append((turn, units, scale, wins, won))
    for turn, units, scale, wins, won in made:
        for i in np.flatnonzero(won > rough[turn.able] - NEAR).tolist():
            exact = Fraction(sum(map(mul, units, wins[:, i].tolist())), scale * turn.splits)
            place = int(turn.able[i])
            if exact > worth[place]:
                worth[place], chosen[place] = exact, turn.number
    return worth, chosen
