"""Odds: for each legal turn, the fraction of the worlds consistent with a player's view in which it wins; or the mean difference.

docs/odds.md says what such a number is: after the turn all cards lie open, so it is an upper bound for a player who cannot see
them against an opponent who can. If there are few worlds, all of them are examined and the numbers are exact fractions. Otherwise
worlds are drawn.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import count, takewhile
from typing import Any, Generic, Union

import numpy as np

from backtrick.errors import ArgumentError
from backtrick.given import positive, refused, shown, whole
from backtrick.play.whole_game import S, T, Worlds
from backtrick.progress import bar
from backtrick.random import Stream, seed_of
from backtrick.threads import map_threads, worker_count

SAMPLES = 1_000
"""Worlds that are drawn if no limit is given. If there are no more worlds than this, all of them are examined."""

MOST_LISTED = 100_000
"""If a view leaves more worlds than this, they are never listed, however many samples are asked for."""

LATE = 0.1
"""Seconds after the end in which a world that was begun may still be solved; then it counts with its bounds."""

EVERY, BY_SAMPLES, BY_SECONDS, BY_PRECISION = "every world", "samples", "seconds", "precision"
"""Why the work ended."""

Share = Union[Fraction, float]  # noqa: UP007, it is made when the module is read
Belief = Callable[[S], Union[int, float, Fraction]]  # noqa: UP007
"""How likely a world is, as a weight of 0 or more; only the ratios of weights count."""


@dataclass(frozen=True, slots=True)
class TurnOdds(Generic[T]):
    """What a turn is worth over the worlds: between `lowest` and `highest`, which are equal if every world was solved.

    lowest, highest: the share of the worlds in which it wins, or the mean difference; fractions if the odds are exact
    error:           the standard error of the sampling; None if the odds are exact
    unsolved:        the number of worlds in which its value is not known
    """

    turn: T
    lowest: Share
    highest: Share
    error: float | None
    unsolved: int

    @property
    def value(self) -> Share | None:
        """The share or the mean; None if only bounds are known."""
        return self.lowest if not self.unsolved else None

    @property
    def text(self) -> str:
        """The share or the mean, or its bounds: a fraction if it is exact."""
        lowest, highest = (f"{end:.4f}" if isinstance(end, float) else str(end) for end in (self.lowest, self.highest))
        return f"{lowest}..{highest}" if self.unsolved else lowest

    def record(self) -> dict[str, object]:
        """As plain values for JSON (docs/odds.md)."""
        found: dict[str, object] = {"turn": str(self.turn)}
        if self.unsolved:
            found["bounds"] = [float(self.lowest), float(self.highest)]
        else:
            found["value"] = float(self.lowest)
        if self.error is None:
            found["fraction"] = [str(end) for end in (self.lowest, self.highest)] if self.unsolved else str(self.lowest)
        else:
            found["error"] = self.error
        return found | {"unsolved": self.unsolved}


@dataclass(frozen=True, slots=True, repr=False)
class Odds(Generic[T]):
    """The odds of all turns of a view, best first: by `lowest`, then by `highest`, then in the order of the turns.

    view:     what the player sees
    exact:    True if every world was examined
    worlds:   how many worlds were examined, the same ones for every turn
    count:    how many there are
    weighted: True if a belief was given
    ended:    why the work ended: 'every world', 'samples', 'seconds' or 'precision'
    seed:     of the worlds that were drawn
    turns:    none if the player has no legal turn
    """

    view: object
    exact: bool
    worlds: int
    count: int
    weighted: bool
    ended: str
    seed: int
    turns: tuple[TurnOdds[T], ...]

    @property
    def best(self) -> T | None:
        """The first turn; None if there is none."""
        return self.turns[0].turn if self.turns else None

    def of(self, turn: T) -> TurnOdds[T]:
        """The odds of a turn, which is one of `turns`. Raises `KeyError`."""
        for one in self.turns:
            if one.turn == turn:
                return one
        raise KeyError(turn)

    def record(self) -> dict[str, Any]:
        """As plain values for JSON (docs/odds.md)."""
        record: dict[str, Any] = {"view": str(self.view), "exact": self.exact, "worlds": self.worlds, "count": self.count}
        record |= {"weighted": self.weighted, "ended": self.ended} | ({} if self.exact else {"seed": self.seed})
        return record | {"turns": [one.record() for one in self.turns]}

    def __repr__(self) -> str:
        best = f"{self.turns[0].turn} {self.turns[0].text}, best of {len(self.turns)}" if self.turns else "no turn"
        return f"<Odds {self.view}: {best}; {self.worlds:,} of {self.count:,} worlds>"

    def _repr_html_(self) -> str:
        """In a notebook: a row for each turn."""
        rows = "".join(f"<tr><td>{escape(str(one.turn))}</td><td>{one.text}</td></tr>" for one in self.turns)
        return f"<table><caption>{escape(str(self.view))}: {self.worlds:,} of {self.count:,} worlds</caption>{rows}</table>"


def odds(
    worlds: Worlds[S, T],
    *,
    samples: int | None = None,
    seconds: float | None = None,
    precision: float | None = None,
    seed: int = 0,
    belief: Belief[S] | None = None,
    threads: int | None = None,
    progress: bool | None = False,
) -> Odds[T]:
    """The odds of the turns of a view, given its worlds; the `odds` of each game takes the view itself.

    samples:   the most worlds that are examined; 1,000 if no limit is given
    seconds:   no world is begun after this time, and one that is not solved soon after it counts with its bounds
    precision: the work ends when the standard error of every turn is at most this
    belief:    the weight of a world; None if all are equally likely
    threads:   None for one per core. The numbers do not depend on it, unless the seconds ended the work.
    progress:  None for a bar on a terminal and lines in a log

    If there are no more worlds than may be examined, all of them are, and the odds are exact. They are taken in random order, so
    if a limit ends the work before, those examined are a sample. Raises `ArgumentError`.
    """
    limits = _Limits.of(samples, seconds, precision)
    if belief is not None and not callable(belief):
        raise refused("belief", "a function from a world to its weight, or None", belief)
    seed = seed_of(seed)
    listed: Sequence[S] | None = None
    if worlds.count <= min(SAMPLES if limits.samples is None else limits.samples, MOST_LISTED):
        listed = list(worlds.every())
        listed = [listed[place] for place in Stream(seed, 0).shuffled(range(len(listed)))]
    total = len(listed) if listed is not None else limits.samples
    sums = _Sums(len(worlds.turns), belief is not None)
    end = math.inf if limits.seconds is None else time.monotonic() + limits.seconds

    def over() -> bool:
        return time.monotonic() >= end or (worlds.budget.cancel is not None and worlds.budget.cancel.called)

    def look(number: int) -> tuple[S, np.ndarray] | None:
        if number and over():
            return None
        world = worlds.draw(Stream(seed, number)) if listed is None else listed[number]
        return world, worlds.values(world)

    numbers = takewhile(lambda number: not (number and over()), count() if total is None else range(total))
    looks = map_threads(look, numbers, worker_count("threads", threads), end=worlds.stop)
    with bar(total, "odds", "worlds", progress) as shown, ExitStack() as stack:
        stack.enter_context(closing(looks))
        if limits.seconds is not None:
            stack.enter_context(at_last(worlds.stop, limits.seconds + LATE))
        for found in looks:
            if found is None:
                continue
            world, values = found
            sums.add(values, 1 if belief is None else _weight(belief, world))
            shown.update(1)
            if limits.precision is not None and sums.worlds > 1 and sums.widest() <= limits.precision:
                break
    if not sums.weight:
        raise ArgumentError("the belief gives every world the weight 0")
    exact = listed is not None and sums.worlds == len(listed)
    ended = EVERY if exact else limits.reason(sums, total)
    turns = sums.exact_turns(worlds.turns) if exact else sums.sampled_turns(worlds.turns)
    ranked = tuple(sorted(turns, key=lambda one: (-one.lowest, -one.highest)))
    return Odds(worlds.view, exact, sums.worlds, worlds.count, belief is not None, ended, seed, ranked)


@contextmanager
def at_last(act: Callable[[], None], seconds: float) -> Iterator[None]:
    """A block at whose end `act` is not called any more; until then it is after some seconds."""
    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), act)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _weight(belief: Belief[S], world: S) -> Fraction:
    given = belief(world)
    try:
        weight = Fraction(given)
    except (TypeError, ValueError, OverflowError):
        weight = Fraction(-1)
    if weight < 0:
        raise ArgumentError(f"the belief's weight of a world must be a finite number of 0 or more, not {shown(given)}")
    return weight


@dataclass(frozen=True, slots=True)
class _Limits:
    samples: int | None
    seconds: float | None
    precision: float | None

    @classmethod
    def of(cls, samples: int | None, seconds: float | None, precision: float | None) -> _Limits:
        if samples is not None and (whole(samples) is None or samples < 1):
            raise ArgumentError(f"samples must be a whole number above 0, or None, not {shown(samples)}")
        for name, given in (("seconds", seconds), ("precision", precision)):
            if given is not None and positive(given) is None:
                raise ArgumentError(f"{name} must be a number above 0, or None, not {shown(given)}")
        if samples is None and seconds is None and precision is None:
            samples = SAMPLES
        return cls(None if samples is None else whole(samples), positive(seconds), positive(precision))

    def reason(self, sums: _Sums, total: int | None) -> str:
        """Why the work ended."""
        if total is not None and sums.worlds == total:
            return BY_SAMPLES
        return BY_PRECISION if self.precision is not None and sums.widest() <= self.precision else BY_SECONDS


class _Sums:
    """Sums over the worlds that were seen: for each turn of its two bounds, once with the weight and once with its square."""

    def __init__(self, turns: int, weighted: bool):
        self.worlds = 0
        self.weight: int | Fraction = 0
        self._sums = np.zeros((turns, 2), object if weighted else np.int64)
        self._unsolved = np.zeros(turns, np.int64)
        self._weights_squared = 0.0
        self._linear, self._squares = np.zeros((turns, 2)), np.zeros((turns, 2))

    def add(self, values: np.ndarray, weight: int | Fraction) -> None:
        """One more world."""
        self.worlds += 1
        self.weight += weight
        self._sums += weight * values if isinstance(weight, int) else weight * values.astype(object)
        self._unsolved += values[:, 0] < values[:, 1]
        squared = float(weight) ** 2
        self._weights_squared += squared
        self._linear += squared * values
        self._squares += squared * values**2

    def _means(self) -> np.ndarray:
        return np.array(self._sums / self.weight, np.float64)

    def errors(self) -> np.ndarray:
        """The standard error of each turn: of the less certain of its two bounds, with one pseudo-observation that is off by one.

        Without it the error would be 0 where all worlds that were seen agree.
        """
        means = self._means()
        spread = self._squares - 2 * means * self._linear + means**2 * self._weights_squared
        one_off = self._weights_squared / self.worlds
        found: np.ndarray = np.sqrt(np.maximum(spread, 0) + one_off).max(axis=1, initial=0) / float(self.weight)
        return found

    def widest(self) -> float:
        return float(self.errors().max(initial=0)) if self.weight else math.inf

    def exact_turns(self, turns: Sequence[T]) -> list[TurnOdds[T]]:
        """The odds over every world, as fractions."""
        weight = Fraction(self.weight)
        return [
            TurnOdds(turn, Fraction(lowest) / weight, Fraction(highest) / weight, None, unsolved)
            for turn, (lowest, highest), unsolved in zip(turns, self._sums.tolist(), self._unsolved.tolist(), strict=True)
        ]

    def sampled_turns(self, turns: Sequence[T]) -> list[TurnOdds[T]]:
        """The odds over the worlds that were drawn."""
        rows = zip(turns, self._means().tolist(), self.errors().tolist(), self._unsolved.tolist(), strict=True)
        return [TurnOdds(turn, lowest, highest, error, unsolved) for turn, (lowest, highest), error, unsolved in rows]
