"""The slow, exact way to an equilibrium: the program of all sequences of a tree of states (Koller, Megiddo, von Stengel 1994).

The tree comes from the worlds of a public state alone. An *information set* of a player is all that it knows when it is to move:
its views and its own turns so far, in order. A *sequence* is one of its turns with all its turns before. The program finds how
often each sequence is played, in floating point. What holds with equality there gives equations, and these give the same numbers
as fractions (`rational.py`). Each plan is played against its best response in fractions, and these are the bounds, however the
plans were found.

A told plan says what a hand does after a path of turns. Where two information sets of a player share a path and a hand, such as
after other draws that led to the same cards, they are told as one, and the bounds are those of the plan that is told.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import lcm
from numbers import Rational
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from backtrick.budget import Budget
from backtrick.errors import ArgumentError, BudgetError, IllegalTurnError, NotSolvedError, UsageError
from backtrick.play.plans import HandAnswer, Plans, Public, Question, Strategy, TurnShare, Weights, shares_of
from backtrick.play.rational import Row
from backtrick.play.rational import solve as solve_equations
from backtrick.play.state import CHANCE, GAME_OVER, State
from backtrick.progress import bar

if TYPE_CHECKING:
    from backtrick.game import AnyGame

MEMORY_MIB = 2048
"""Where the budget does not say."""
STATE_BYTES = 1500
"""Of a state of the tree, with what is kept of its program."""

NOTHING = Fraction(0)
PARTS = 1 << 40
"""Probabilities in floating point are rounded to these parts, and less than one of `SEEN` is none."""
SEEN = 1e-9
TIGHT = 1e-7
"""Two numbers of the program, in units of its largest result, are equal if they differ by less."""

Item = TypeVar("Item")
Fixed = Mapping[int, Sequence[Fraction]]
"""Information sets of a player whose probabilities are given."""
Gains = dict[tuple[int, int], Fraction]
"""What seat 0 gets where both sequences end, times how likely that is, the turns apart."""


# The tree


@dataclass(slots=True)
class Information:
    """An information set of a player.

    before: the player's sequence that leads to it
    turns:  those of the player
    first:  the sequence of the first turn; those of the others follow
    view:   what the player sees
    state:  one of those that it can be
    likely: how likely it is to come here, the turns of both players apart
    """

    before: int
    turns: tuple[Any, ...]
    first: int
    view: Any
    state: Any
    likely: Fraction = NOTHING

    @property
    def sequences(self) -> range:
        """The sequences that go on from it."""
        return range(self.first, self.first + len(self.turns))


@dataclass(slots=True)
class Moment:
    """What follows a path of turns.

    seat:  of the player to move; -1 if nobody is
    after: the moment after each turn that some hand has
    sets:  the information sets of the player by its hand, each with the sequences of the other player and how likely these are
    over:  the hands of both players with which the game ended here, both sequences, how likely it is, and what seat 0 gets
    """

    seat: int = -1
    after: dict[Any, Moment] = field(default_factory=dict)
    sets: dict[Any, dict[int, dict[int, Fraction]]] = field(default_factory=dict)
    over: list[tuple[tuple[Any, Any], tuple[int, int], Fraction, Fraction]] = field(default_factory=list)


class Tree:
    """All that can follow a public state. Writers of trees override the three methods that begin with `on_`."""

    def __init__(self, public: Public, game: AnyGame, weights: tuple[Weights, Weights]):
        self.public, self.game, self.weights = public, game, weights
        self.sets: tuple[list[Information], list[Information]] = ([], [])
        self.counts = [1, 1]  # sequences of both players; sequence 0 has no turn
        self.gains: Gains = {}
        self.root = Moment(0)
        self.states = 0
        self.classes: tuple[list[int], list[int]] = ([], [])
        self._seen: dict[tuple[int, Any], int] = {}
        self._set_of: dict[tuple[int, int], int] = {}
        self._worth: dict[Any, Any] = {}

    def grow(self, budget: Budget, stop: bytearray, progress: bool | None) -> Tree:
        """The whole tree. Raises `NotSolvedError` if the stop is set before, `ArgumentError` and `BudgetError`."""
        self._stop, self._mib = stop, budget.mib(MEMORY_MIB)
        self._most = (self._mib << 20) // STATE_BYTES
        worlds = []
        for world in self.public.worlds():
            first, second = (self.public.hand(world.view(seat)) for seat in (0, 1))
            if weight := self.weights[0].get(first, 0) * self.weights[1].get(second, 0):
                worlds.append((world, weight))
            self._look_around()
        total = sum(weight for _, weight in worlds)
        if not total:
            raise ArgumentError("ranges: no two hands of them can be held at the same time")
        shares = [Fraction(weight, total) for _, weight in worlds]
        self.on_chance(shares)
        with bar(len(worlds), "building", "deals", progress, leave=False) as shown:
            for (world, _), share in zip(worlds, shares, strict=True):
                first, second = world.points
                self._add(world, self.root, (0, 0), (0, 0), share, first - second)
                shown.update()
        self.classes = self._told_as_one()
        del self._seen, self._set_of, self._worth
        return self

    def on_chance(self, shares: Sequence[Fraction]) -> None:
        """Chance draws, with these probabilities; what follows each comes next."""

    def on_turns(self, seat: int, number: int, own: Information) -> None:
        """A player is to move, with this information set; what follows each turn comes next."""

    def on_end(self, worth: Fraction) -> None:
        """The rest of the game is worth this to seat 0."""

    def _look_around(self) -> None:
        if self._stop[0]:
            raise _unsolved(self.public)
        if self.states > self._most:
            words = f"more than {self._most:,} states can follow, and there is room for no more in {self._mib:,} MiB (table_mib)"
            raise BudgetError(f"{self.public}: {words}")

    def _add(
        self, state: Any, moment: Moment, seen: tuple[int, int], at: tuple[int, int], likely: Fraction, points: int
    ) -> None:
        """Adds all that can follow a state. seen: numbers of what both players have seen. at: their sequences."""
        self.states += 1
        self._look_around()
        seat = state.to_move
        if seat == CHANCE:
            drawn = after_chance(state)
            self.on_chance(list(drawn.values()))
            for following, share in drawn.items():
                self._add(following, moment, seen, at, likely * share, points)
            return
        views = state.view(0), state.view(1)
        worth = self._result(state, views, points)
        if worth is not None:
            self.gains[at] = self.gains.get(at, NOTHING) + likely * worth
            if seat == GAME_OVER:
                moment.over.append(((self.public.hand(views[0]), self.public.hand(views[1])), at, likely, worth))
            self.on_end(worth)
            return
        seen = self._number(seen[0], views[0]), self._number(seen[1], views[1])
        number = self._set_of.setdefault((seat, seen[seat]), len(self.sets[seat]))
        if number == len(self.sets[seat]):
            turns = tuple(state.distinct_turns())
            self.sets[seat].append(Information(at[seat], turns, self.counts[seat], views[seat], state))
            self.counts[seat] += len(turns)
        own = self.sets[seat][number]
        own.likely += likely
        moment.seat = seat
        others = moment.sets.setdefault(self.public.hand(views[seat]), {}).setdefault(number, {})
        others[at[1 - seat]] = others.get(at[1 - seat], NOTHING) + likely
        self.on_turns(seat, number, own)
        for sequence, turn in zip(own.sequences, own.turns, strict=True):
            following = moment.after.get(turn)
            if following is None:
                following = moment.after[turn] = Moment()
            then = (sequence, at[1]) if seat == 0 else (at[0], sequence)
            known = (-sequence, seen[1]) if seat == 0 else (seen[0], -sequence)
            self._add(state.play(turn), following, known, then, likely, points)

    def _number(self, before: int, view: Any) -> int:
        """The number of a view after what was seen before."""
        return self._seen.setdefault((before, view), len(self._seen) + 1)

    def _result(self, state: State[Any, Any, Any], views: tuple[Any, Any], points: int) -> Fraction | None:
        """What the rest of the game is worth to seat 0; None if it is played on."""
        if state.to_move == GAME_OVER:
            winner, (first, second) = state.winner, state.points
        else:
            position = getattr(views[state.to_move], "position", None)
            if position is None:
                return None
            if position not in self._worth:
                self._worth[position] = self.game.bounds(position, self.public.rules).lowest
            winner, (first, second), _ = state.result_worth(self._worth[position], "")
        if self.public.by_points:
            return Fraction(first - second - points)
        return Fraction(1, 2) if winner is None else Fraction(1 - winner)

    def own(self, seat: int, worth: Fraction) -> Fraction:
        """What something is worth to its player. worth: with the other player's chances counted as losses."""
        return worth if seat == 0 or self.public.by_points else 1 + worth

    def _told_as_one(self) -> tuple[list[int], list[int]]:
        """For each information set the first of those that are told as one with it."""
        found = tuple(list(range(len(sets))) for sets in self.sets)

        def root(classes: list[int], one: int) -> int:
            while classes[one] != one:
                one = classes[one]
            return one

        for moment in self.moments():
            self._look_around()
            for numbers in moment.sets.values():
                classes = found[moment.seat]
                roots = {root(classes, number) for number in numbers}
                for one in roots:
                    classes[one] = min(roots)
        first, second = ([root(classes, one) for one in range(len(classes))] for classes in found)
        return first, second

    def moments(self) -> Iterator[Moment]:
        """Every moment."""
        waiting = [self.root]
        while waiting:
            moment = waiting.pop()
            yield moment
            waiting += moment.after.values()

    def at(self, path: Sequence[Any]) -> Moment:
        """The moment after a path."""
        moment = self.root
        for turn in path:
            moment = moment.after[turn]
        return moment


def after_chance(state: Any) -> dict[Any, Fraction]:
    """The states in which chance has drawn all that it draws now, with their probabilities. Raises `ArgumentError`.

    What players see between two draws is not kept: what counts is what they see after all of them.
    """
    found: dict[Any, Fraction] = {}
    now: dict[Any, Fraction] = {state: Fraction(1)}
    while now:
        following: dict[Any, Fraction] = {}
        for one, likely in now.items():
            if one.to_move != CHANCE:
                found[one] = found.get(one, NOTHING) + likely
                continue
            for card, share in _chances(one).items():
                drawn = one.draw(card)
                following[drawn] = following.get(drawn, NOTHING) + likely * share
        now = following
    return found


def _chances(state: Any) -> dict[Any, Fraction]:
    given: Mapping[Any, Any] = state.chance()
    times = Counter(given.values())  # most are equal
    exact = {
        share: Fraction(share) if isinstance(share, Rational) else Fraction(share).limit_denominator(10**6) for share in times
    }
    if sum(exact[share] * count for share, count in times.items()) != 1 or min(exact.values()) < 0:
        raise ArgumentError(f"the chances of {state!r} must be fractions of 0 or more that add up to 1, not {dict(given)}")
    return {card: exact[share] for card, share in given.items()}


def _unsolved(public: Any) -> NotSolvedError:
    return NotSolvedError(public, "-", "-", 0, "no bounds are known yet; it needs more time")


class StoppedError(Exception):
    """The stop was set in the middle of something that is of no use by half."""


def until(stop: bytearray, items: Iterable[Item]) -> Iterator[Item]:
    """The items one by one. Raises `StoppedError` once the stop is set."""
    for one in items:
        if stop[0]:
            raise StoppedError
        yield one


# Playing a plan against the best response. Everything here raises `StoppedError`.


def respond(
    sets: Sequence[Information], gains: Sequence[Any], stop: bytearray, fixed: Fixed | None = None
) -> tuple[list[Any], list[Any]]:
    """What each information set of a player is worth if it plays its best from there on, and what each sequence is worth, where a
    sequence ends at `gains`. Sequence 0 is worth the whole. fixed: sets that play with given probabilities."""
    worth, values = list(gains), [gains[0]] * len(sets)
    for number in until(stop, range(len(sets) - 1, -1, -1)):
        own = sets[number]
        if fixed and number in fixed:
            values[number] = sum(share * worth[one] for share, one in zip(fixed[number], own.sequences, strict=True))
        else:
            values[number] = max(worth[own.first : own.first + len(own.turns)])
        worth[own.before] += values[number]
    return values, worth


def gains_against(
    tree: Tree, seat: int, plan: Sequence[Any], gains: Mapping[tuple[int, int], Any], stop: bytearray
) -> list[Any]:
    """What each sequence of a seat ends at, for its own player, against the other's plan: how often it plays each sequence."""
    found = [plan[0] * 0] * tree.counts[seat]
    for (first, second), gain in until(stop, gains.items()):
        if seat == 0:
            found[first] += gain * plan[second]
        else:
            found[second] -= gain * plan[first]
    return found


Told = list[Sequence[Fraction]]
"""For each information set of a player how likely each turn is; those that are told as one share the same."""


def realized(sets: Sequence[Information], told: Told, stop: bytearray) -> list[Fraction]:
    """How often each sequence of a player is played, the other player and chance apart."""
    plan = [Fraction(1)] * (1 + sum(len(own.turns) for own in sets))
    for own, shares in until(stop, zip(sets, told, strict=True)):
        before = plan[own.before]
        for sequence, share in zip(own.sequences, shares, strict=True):
            plan[sequence] = before * share if share else NOTHING
    return plan


def _shares(tree: Tree, seat: int, plan: Sequence[Any], stop: bytearray) -> list[list[Any] | None]:
    """How likely each turn is at each information set, if a sequence is played as often as `plan` says; None where it never is.

    Sets that are told as one share the same: the mean, by how likely they are.
    """
    sums: dict[int, list[Any]] = {}
    for own, one in until(stop, zip(tree.sets[seat], tree.classes[seat], strict=True)):
        if plan[own.before] > 0:
            parts = [own.likely * plan[sequence] if plan[sequence] > 0 else 0 * own.likely for sequence in own.sequences]
            sums[one] = [a + b for a, b in zip(sums[one], parts, strict=True)] if one in sums else parts
    found: dict[int, list[Any]] = {}
    for one, parts in sums.items():
        if total := sum(parts):
            found[one] = [part / total for part in parts]
    return [found.get(one) for one in tree.classes[seat]]


def _rounded(shares: list[float] | None) -> list[Fraction] | None:
    if shares is None:
        return None
    parts = [int(share * PARTS + 0.5) if share > SEEN else 0 for share in shares]
    total = sum(parts)
    return [Fraction(part, total) for part in parts] if total else None


@dataclass(frozen=True)
class Judged:
    """Both plans, and what the best responses to them are worth.

    told:   of both players
    played: how often each sequence of both players is played
    values, worth: of the information sets and the sequences of both players, each against the other's plan, for its own player
    masses: of the information sets of both players: how likely it is to come there, their own turns apart
    """

    told: tuple[Told, Told]
    played: tuple[list[Fraction], list[Fraction]]
    values: tuple[list[Fraction], list[Fraction]]
    worth: tuple[list[Fraction], list[Fraction]]
    masses: tuple[list[Fraction], list[Fraction]]

    def bounds(self, seat: int = 0) -> tuple[Fraction, Fraction]:
        """What a seat is sure of with its plan, and the most that it gets against the other's."""
        return -self.worth[1 - seat][0], self.worth[seat][0]


def _filled(tree: Tree, shares: tuple[list[Any], list[Any]], stop: bytearray) -> tuple[Told, Told]:
    """Both plans with a turn for each information set, also where they never lead: the best response to the other's plan, and
    where that never leads there either, to an other player who plays all turns alike."""
    sets = tree.sets
    plans = [realized(one, [given or [NOTHING] * len(own.turns) for given, own in zip(parts, one, strict=True)], stop)
             for parts, one in zip(shares, sets, strict=True)]  # fmt: skip
    alike = [realized(one, [[Fraction(1, len(own.turns))] * len(own.turns) for own in one], stop) for one in sets]
    found: list[Told] = []
    for seat in (0, 1):
        told: Told = []
        sums: dict[int, list[tuple[Fraction, float]]] = {}
        if None in shares[seat]:
            floats = list(map(float, alike[1 - seat]))
            rough = gains_against(tree, seat, floats, {at: float(gain) for at, gain in until(stop, tree.gains.items())}, stop)
            gains = gains_against(tree, seat, plans[1 - seat], tree.gains, stop)
            worth = [respond(sets[seat], one, stop)[1] for one in (gains, rough)]
            for own, one in until(stop, zip(sets[seat], tree.classes[seat], strict=True)):
                parts = [(worth[0][sequence], worth[1][sequence]) for sequence in own.sequences]
                sums[one] = [(a + c, b + d) for (a, b), (c, d) in zip(sums[one], parts, strict=True)] if one in sums else parts
        for given, one in zip(shares[seat], tree.classes[seat], strict=True):
            if given is None:
                best = max(range(len(sums[one])), key=sums[one].__getitem__)
                given = [Fraction(int(place == best)) for place in range(len(sums[one]))]
            told.append(tuple(given))
        found.append(told)
    return found[0], found[1]


def judged(tree: Tree, told: tuple[Told, Told], stop: bytearray, fixed: tuple[Fixed, Fixed] = ({}, {})) -> Judged:
    """Both plans against their best responses. fixed: what both players have to play."""
    plans = realized(tree.sets[0], told[0], stop), realized(tree.sets[1], told[1], stop)
    both = [respond(tree.sets[seat], gains_against(tree, seat, plans[1 - seat], tree.gains, stop), stop, fixed[seat])
            for seat in (0, 1)]  # fmt: skip
    masses = [NOTHING] * len(tree.sets[0]), [NOTHING] * len(tree.sets[1])
    for moment in until(stop, tree.moments()):
        for numbers in moment.sets.values():
            for number, others in numbers.items():
                masses[moment.seat][number] += sum(likely * plans[1 - moment.seat][at] for at, likely in others.items())
    return Judged(told, plans, (both[0][0], both[1][0]), (both[0][1], both[1][1]), masses)


# The program


class Program:
    """The program of all sequences of a tree, seen from one seat, whose sets may be fixed to given probabilities."""

    def __init__(self, tree: Tree, seat: int, fixed: Fixed):
        self.tree, self.seat, self.fixed = tree, seat, fixed
        self.own, self.theirs = tree.sets[seat], tree.sets[1 - seat]
        scale = lcm(*(gain.denominator for gain in tree.gains.values())) if tree.gains else 1
        self.gains = {at: int(gain * scale) for at, gain in tree.gains.items() if gain}
        self.most = max([1, *map(abs, self.gains.values())])
        self.floats = {at: gain / self.most for at, gain in self.gains.items()}

    def solve(self, seconds: float | None, stop: bytearray) -> tuple[list[float], list[float]] | None:
        """How often each sequence of the seat and of the other is played; None if the stop was set before. seconds: the most.

        The seat chooses the shares of its sequences. The v of an information set of the other is the least to which the seat can be
        held from there on. A sequence of the other is worth what it ends at, and the v of the sets that follow it.
        """
        try:
            import numpy as np
            from scipy.optimize import linprog
            from scipy.sparse import csr_matrix
        except ImportError:
            raise UsageError("equilibrium needs scipy, which is not installed; pip install 'backtrick[equilibrium]'") from None
        count, other = self.tree.counts[self.seat], self.tree.counts[1 - self.seat]
        start = count + len(self.theirs)  # the column of v at the start
        cells = [(0, start, 1.0)]
        for number, known in enumerate(self.theirs):
            cells += [(sequence, count + number, 1.0) for sequence in known.sequences]
            cells.append((known.before, count + number, -1.0))
        cells += [(at[1], at[0], -gain) if self.seat == 0 else (at[0], at[1], gain) for at, gain in self.floats.items()]
        rows, columns, numbers = zip(*cells, strict=True)
        least = csr_matrix((numbers, (rows, columns)), shape=(other, start + 1))
        cells, totals = [(0, 0, 1.0)], [1.0]
        for number, own in enumerate(self.own):
            for parts in _tied(number, own, self.fixed):
                cells += [(len(totals), sequence, float(part)) for sequence, part in parts.items()]
                totals.append(0.0)
        rows, columns, numbers = zip(*cells, strict=True)
        shares = csr_matrix((numbers, (rows, columns)), shape=(len(totals), start + 1))
        aim = np.zeros(start + 1)
        aim[start] = -1.0
        limits = np.full((start + 1, 2), np.inf)
        limits[:count, 0], limits[count:, 0] = 0.0, -np.inf
        options: dict[str, float] = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
        if seconds is not None:
            options["time_limit"] = max(seconds, 0.001)
        done = _within(stop, partial(linprog, aim, least, np.zeros(other), shares, totals, limits, options=options))
        if done is None or done.x is None or done.status not in (0, 4):
            return None
        return done.x[:count].tolist(), (-done.ineqlin.marginals).tolist()

    def exactly(self, plan: Sequence[float], reply: Sequence[float], stop: bytearray) -> tuple[list[Any], list[Any]] | None:
        """Both plans in fractions; None if they cannot be told from what is close to them, or the stop was set before."""
        first = self._exactly(self.seat, plan, reply, stop)
        second = self._exactly(1 - self.seat, reply, plan, stop) if first else None
        return (first, second) if first and second else None

    def _exactly(self, seat: int, plan: Sequence[float], reply: Sequence[float], stop: bytearray) -> list[Fraction] | None:
        """The plan of a seat in fractions: its sequences that are played, and with them each sequence of the other that is as good
        as the best, are the equations. Unknowns are the shares, and what the sets of the other are worth to their player."""
        own, theirs, count = self.tree.sets[seat], self.tree.sets[1 - seat], self.tree.counts[seat]
        fixed, bound = (self.fixed, {}) if seat == self.seat else ({}, self.fixed)
        values, worth = respond(theirs, gains_against(self.tree, 1 - seat, plan, self.floats, stop), stop, bound)
        played = [share > SEEN for share in plan]
        place_of = {sequence: number for number, one in enumerate(theirs) for sequence in one.sequences}
        meets: list[dict[int, int]] = [{} for _ in worth]
        for at, gain in until(stop, self.gains.items()):
            mine, other = at if seat == 0 else at[::-1]
            if played[mine]:
                meets[other][mine] = gain if seat == 1 else -gain
        for number, one in enumerate(theirs):
            meets[one.before][count + number] = 1
        rows: list[Row] = [{0: 1}]
        right = [1]
        for number, one in until(stop, enumerate(own)):
            if played[one.before]:
                for parts in _tied(number, one, fixed):
                    kept = {sequence: part for sequence, part in parts.items() if played[sequence]}
                    scale = lcm(*(Fraction(part).denominator for part in kept.values()))
                    rows.append({sequence: int(part * scale) for sequence, part in kept.items()})
                    right.append(0)
        for number, one in until(stop, enumerate(theirs)):
            if number in bound:
                shares = bound[number]
                scale = lcm(*(share.denominator for share in shares))
                row = {count + number: -scale}
                for share, sequence in zip(shares, one.sequences, strict=True):
                    for column, part in meets[sequence].items():
                        row[column] = row.get(column, 0) + int(share * scale) * part
                rows.append(row)
                right.append(0)
        for sequence, number in place_of.items():
            if number not in bound and (reply[sequence] > SEEN or values[number] - worth[sequence] < TIGHT):
                rows.append({**meets[sequence], count + number: -1})
                right.append(0)
        near = [share if kept else 0.0 for share, kept in zip(plan, played, strict=True)]
        found = solve_equations(rows, right, near + [float(value) * self.most for value in values], stop)
        return None if found is None else [one if kept else NOTHING for one, kept in zip(found[:count], played, strict=True)]


def _within(stop: bytearray, work: Callable[[], Any]) -> Any:
    """What work returns or raises; None if the stop was set before. HiGHS does not look at a stop, so it has a thread of its own,
    in which it goes on until its own seconds are over, or its work. The interpreter waits for that before it ends."""
    done: list[tuple[bool, Any]] = []
    ended = Event()

    def run() -> None:
        try:
            done.append((True, work()))
        except BaseException as error:
            done.append((False, error))
        ended.set()

    Thread(target=run).start()
    while not ended.wait(TICK) and not stop[0]:
        pass
    if not done:
        return None
    [(is_found, found)] = done
    if is_found:
        return found
    raise found


TICK = 0.01
"""Seconds between two looks at a stop."""


def _tied(number: int, own: Information, fixed: Fixed) -> Iterator[dict[int, Fraction | int]]:
    """What ties the sequences of an information set to the one before it: each adds up to 0."""
    if number not in fixed:
        yield {own.before: -1, **dict.fromkeys(own.sequences, 1)}
        return
    for sequence, share in zip(own.sequences, fixed[number], strict=True):
        yield {sequence: 1, own.before: -share} if share else {sequence: 1}


# The answer


def solve(public: Any, game: AnyGame, question: Question) -> Plans:
    """Plans of both players. Raises `NotSolvedError` if the time was over before any were found, `ArgumentError`, `BudgetError`,
    and `UsageError` without scipy."""
    begun = time.monotonic()
    tree = Tree(public, game, question.ranges).grow(question.budget, question.stop, question.progress)
    found, steps = _plans_of(tree, 0, {}, question, begun)
    low, high = found.bounds()
    plans = SequencePlans(public, game, question.ranges, low, high, steps, found.told)
    plans.keep(tree, found)
    return plans


def _plans_of(tree: Tree, seat: int, given: Fixed, question: Question, begun: float) -> tuple[Judged, int]:
    """The best plans found, and how many were judged. given: what a seat has to play. begun: when the seconds began."""
    stop = question.stop
    program = Program(tree, seat, given)
    seconds = question.budget.seconds
    rough = program.solve(None if seconds is None else seconds - (time.monotonic() - begun), stop)
    if rough is None:
        raise _unsolved(tree.public)
    fixed: tuple[Fixed, Fixed] = (given, {}) if seat == 0 else ({}, given)

    def of_rounded() -> Judged:
        shares = [[_rounded(one) for one in _shares(tree, one_seat, plan, stop)] for one_seat, plan in _by_seat(seat, rough)]
        for number, parts in given.items():
            shares[seat][number] = list(parts)
        return judged(tree, _filled(tree, (shares[0], shares[1]), stop), stop, fixed)

    def of_fractions() -> Judged | None:
        if (exact := program.exactly(*rough, stop)) is None:
            return None
        shares = [_shares(tree, one_seat, plan, stop) for one_seat, plan in _by_seat(seat, exact)]
        return judged(tree, _filled(tree, (shares[0], shares[1]), stop), stop, fixed)

    best: Judged | None = None
    ways: list[Callable[[], Judged | None]] = [of_rounded, of_fractions]
    if question.gap < SEEN:
        ways.reverse()
    steps = 0
    with suppress(StoppedError):
        for way in ways:
            steps, found = steps + 1, way()
            if found is not None and (best is None or _gap(found) < _gap(best)):
                best = found
            if best is not None and _gap(best) <= question.gap:
                break
    if best is None:
        raise _unsolved(tree.public)
    return best, steps


def sure_of(tree: Tree, strategy: Strategy, seat: int, stop: bytearray) -> Fraction:
    """What `Plans.sure_of` says. Raises `NotSolvedError` if the stop is set before there are plans."""
    first = [(number, own) for number, own in enumerate(tree.sets[seat]) if own.before == 0]
    fixed = {number: _strategy_shares(tree.game, strategy, own) for number, own in first}
    question = Question(tree.weights, NOTHING, Budget(), stop, False)
    found, _ = _plans_of(tree, seat, fixed, question, time.monotonic())
    return tree.own(seat, found.bounds(seat)[0])


def _gap(found: Judged) -> Fraction:
    low, high = found.bounds()
    return high - low


def _by_seat(seat: int, plans: tuple[Any, Any]) -> list[tuple[int, Any]]:
    """Seats in their order, each with its plan. plans: of `seat`, and of the other."""
    return [(0, plans[seat]), (1, plans[1 - seat])]


@dataclass(frozen=True)
class SequencePlans(Plans):
    """What `solve` finds. The tree is not compared and does not travel: it is made again when it is asked."""

    public: Any
    game: AnyGame
    ranges: tuple[Weights, Weights]
    low: Fraction
    high: Fraction
    steps: int
    told: tuple[Told, Told]

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def keep(self, tree: Tree, found: Judged) -> None:
        """Remembers the tree and what the plans are worth there."""
        self.__dict__["kept"] = tree, found

    @property
    def tree(self) -> Tree:
        """All that can follow."""
        return self._kept[0]

    @property
    def _kept(self) -> tuple[Tree, Judged]:
        with _AGAIN:
            if "kept" not in self.__dict__:
                tree = Tree(self.public, self.game, self.ranges).grow(Budget(), bytearray(1), False)
                self.keep(tree, judged(tree, self.told, bytearray(1)))
            kept: tuple[Tree, Judged] = self.__dict__["kept"]
            return kept

    def seat(self, path: tuple[Any, ...]) -> int:
        return self._kept[0].at(path).seat

    def turns(self, path: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(self._kept[0].at(path).after)

    def hands(self, path: tuple[Any, ...]) -> Mapping[Any, HandAnswer]:
        tree, found = self._kept
        moment = tree.at(path)
        seat = moment.seat
        answers = {hand: self._answer(tree, found, seat, hand, numbers) for hand, numbers in moment.sets.items()}
        stuck: dict[Any, list[tuple[Fraction, Fraction, Fraction]]] = {}
        for hands, at, likely, worth in moment.over if seat >= 0 else ():
            mass = likely * found.played[1 - seat][at[1 - seat]]
            stuck.setdefault(hands[seat], []).append((mass * found.played[seat][at[seat]], mass, mass * worth))
        for hand, parts in stuck.items():
            weight, mass, worth = (sum(column, NOTHING) for column in zip(*parts, strict=True))
            answers[hand] = HandAnswer(hand, weight, (worth if seat == 0 else self._other(worth / mass)) if mass else None, ())
        return answers

    def _answer(
        self, tree: Tree, found: Judged, seat: int, hand: Any, numbers: Mapping[int, Mapping[int, Fraction]]
    ) -> HandAnswer:
        """The answer of one hand. numbers: its information sets here, each with the sequences of the other that lead here."""
        sets, own = tree.sets[seat], found.played[seat]
        others = found.played[1 - seat]
        weight = sum((likely * own[sets[number].before] * others[at] for number, ways in numbers.items()
                      for at, likely in ways.items()), NOTHING)  # fmt: skip
        mass = sum((found.masses[seat][number] for number in numbers), NOTHING)

        def value(parts: Sequence[Fraction]) -> Fraction | None:
            return tree.own(seat, sum(parts, NOTHING) / mass) if mass else None

        first = next(iter(numbers))
        shares = sorted(enumerate(found.told[seat][first]), key=lambda one: -one[1])
        turns = tuple(
            TurnShare(sets[first].turns[place], share, value([found.worth[seat][sets[number].first + place] for number in numbers]))
            for place, share in shares
            if share
        )
        return HandAnswer(hand, weight, value([found.values[seat][number] for number in numbers]), turns)

    def _other(self, worth: Fraction) -> Fraction:
        """What something is worth to the other player. worth: to the mover."""
        return -worth if self.public.by_points else 1 - worth

    def sure_of(self, strategy: Strategy, seat: int, stop: bytearray) -> Fraction:
        return sure_of(self._kept[0], strategy, seat, stop)

    def read(self, path: tuple[Any, ...], turn: Any) -> Any:
        tree = self._kept[0]
        moment = tree.at(path)
        if turn in moment.after:
            return turn
        for numbers in moment.sets.values():
            own = tree.sets[moment.seat][next(iter(numbers))]
            with suppress(IllegalTurnError):
                return own.turns[_place(own, turn)]
        return super().read(path, turn)


_AGAIN = Lock()
"""Held while the tree of an answer that has travelled is made again."""


def _place(own: Information, turn: Any) -> int:
    """The place of the turn with the same outcome as a legal one. Raises `IllegalTurnError`, which names the rule."""
    if turn in own.turns:
        return own.turns.index(turn)
    following = own.state.play(turn)
    for place, one in enumerate(own.turns):
        if own.state.play(one) == following:
            return place
    raise IllegalTurnError(turn, None, "the player does not have it", "the turns of a state")


def _strategy_shares(game: AnyGame, strategy: Strategy, own: Information) -> list[Fraction]:
    found = [NOTHING] * len(own.turns)
    for turn, share in shares_of(game.read_turn, strategy, own.view):
        found[_place(own, turn)] += share
    return found
