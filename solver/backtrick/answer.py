"""What is known about a position, and about a turn: the same two objects for Python, rows, text and records (docs/answer.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

from backtrick.errors import NotSolvedError
from backtrick.work import UNLIMITED, Budget

if TYPE_CHECKING:
    from backtrick.game import Game

SCHEMA = 1
"""The version of `Answer.record` and `Grade.record`. It changes when a field is removed or changes its meaning."""

SHOWN = 10
"""How many outcomes a notebook shows."""

SEARCH, OVER = "search", "rules"
"""The sources of a value from no file: it was searched for, or the game is over and the rules give it."""

P = TypeVar("P")
T = TypeVar("T")
R = TypeVar("R")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known about a value: it is within [lowest, highest], and solved if the two are equal. `nodes`: nodes searched.

    >>> Bounds(3, 3).solved, Bounds(-1, 2, nodes=1000).solved
    (True, False)
    """

    lowest: int
    highest: int
    nodes: int = field(default=0, compare=False)

    @property
    def solved(self) -> bool:
        """True if the value is known."""
        return self.lowest == self.highest


@cache
def exactly(value: int) -> Bounds:
    """The bounds of a value that is known, always the same object for a value.

    >>> exactly(3)
    Bounds(lowest=3, highest=3, nodes=0)
    """
    return Bounds(value, value)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[P, T]):
    """What a turn leads to, and what it is worth.

    turn:     the first of the turns that lead there, in the order of the game's `legal_turns`
    bounds:   of the mover's value if this turn is played; the ends are equal if it is known
    position: the position after it, the next mover first; None if the game is over and no position is left
    points:   what the turn gives its mover, in a game of points
    ways:     how many ordered turns lead there
    """

    turn: T
    bounds: Bounds
    position: P | None
    points: int = 0
    ways: int = 1

    @property
    def solved(self) -> bool:
        """True if the value is known."""
        return self.bounds.solved

    @property
    def value(self) -> int:
        """The mover's value if this turn is played. Raises `NotSolvedError` if only bounds are known."""
        if not self.bounds.solved:
            known = self.bounds
            raise NotSolvedError(self.turn, known.lowest, known.highest, known.nodes, "what it is worth is not known")
        return self.bounds.lowest


class Outcomes(Sequence[Outcome[P, T]]):
    """Outcomes that are made of rows when they are touched, and kept. Otherwise like a tuple, and equal to one.

    rows:    an array, shape (n,)
    made_of: gives the outcomes of some of the rows
    """

    def __init__(self, rows: np.ndarray, made_of: Callable[[np.ndarray], Sequence[Outcome[P, T]]]):
        self._rows, self._made_of = rows, made_of
        self._made: dict[int, Outcome[P, T]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Outcome[P, T]: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Outcome[P, T], ...]: ...
    def __getitem__(self, place: int | slice) -> Outcome[P, T] | tuple[Outcome[P, T], ...]:
        places = range(len(self._rows))[place]
        return self._one(places) if isinstance(places, int) else tuple(map(self._one, places))

    def _one(self, place: int) -> Outcome[P, T]:
        if place not in self._made:
            [self._made[place]] = self._made_of(self._rows[place : place + 1])
        return self._made[place]

    def __iter__(self) -> Iterator[Outcome[P, T]]:
        if len(self._made) < len(self._rows):
            made = dict(enumerate(self._made_of(self._rows)))
            self._made = {**made, **self._made}
        return map(self._made.__getitem__, range(len(self._rows)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Outcomes, tuple)) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (tuple(self),)


@dataclass(frozen=True, slots=True)
class Step(Generic[T]):
    """A turn of a line. points: what it gives its player. balance: the first mover's points minus the other's, after it."""

    turn: T
    points: int = 0
    balance: int = 0

    def __str__(self) -> str:
        return f"{self.turn} {self.points:+}" if self.points else str(self.turn)


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Answer(Generic[P, T, R]):
    """What is known about a position: its value or bounds, and on demand every outcome, the best turn, the principal line.

    The parts on demand are worked out when they are first read, within the same budget, and kept. They raise `NotSolvedError` if
    the budget does not suffice. Two answers are equal if their position, rules, bounds and source are.

    position, rules: what was asked
    bounds: of the value; the ends are equal if it is known
    source: where the value is from: 'search', 'rules' if the game is over, or the name of a table or set
    """

    game: Game[P, T, R]
    position: P
    rules: R
    bounds: Bounds
    source: str
    budget: Budget
    noted: object

    def __init__(
        self,
        game: Game[P, T, R],
        position: P,
        rules: R,
        bounds: Bounds,
        source: str = SEARCH,
        budget: Budget = UNLIMITED,
        noted: object = None,
    ):
        """noted: what the game found on the way to the value, for the game alone."""
        fields = self.__dict__  # takes half as long as the __init__ of a frozen dataclass
        fields["game"], fields["position"], fields["rules"], fields["bounds"] = game, position, rules, bounds
        fields["source"], fields["budget"], fields["noted"] = source, budget, noted

    def note(self, what: object) -> None:
        """Keeps what the game found on the way, for the game alone."""
        self.__dict__["noted"] = what

    def __repr__(self) -> str:
        return f"<Answer {self.position}: {self.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and self._told() == other._told()

    def __hash__(self) -> int:
        return hash(self._told())

    def _told(self) -> tuple[object, ...]:
        return self.game.name, self.position, self.rules, self.bounds.lowest, self.bounds.highest, self.source

    @property
    def solved(self) -> bool:
        """True if the value is known."""
        return self.bounds.solved

    @property
    def value(self) -> int:
        """The exact value for the mover, in the game's measure. Raises `NotSolvedError` if only bounds are known."""
        if not self.bounds.solved:
            raise self._not_solved()
        return self.bounds.lowest

    @property
    def text(self) -> str:
        """The value, or its bounds, in the game's words: 'win in 3', '+6'."""
        return self.game.value_text(self.bounds)

    @cached_property
    def outcomes(self) -> Sequence[Outcome[P, T]]:
        """Every distinct outcome, best first; equal ones in the order of the turns. An outcome may be made when it is touched."""
        return self.game.find_outcomes(self)

    @cached_property
    def rows(self) -> np.ndarray:
        """`outcomes` as rows of an array that cannot be written to, shape (n,), without objects (docs/answer.md).

        Raises `NotImplementedError` in a game without arrays.
        """
        rows = self.game.find_rows(self)
        rows.flags.writeable = False
        return rows

    @cached_property
    def best(self) -> T | None:
        """The first of the best turns; of a deal the one that the search found. None if there is no legal turn."""
        return self.game.find_best(self)

    @cached_property
    def optimal(self) -> int:
        """How many outcomes keep the value."""
        return self.game.count_optimal(self)

    @cached_property
    def line(self) -> tuple[Step[T], ...]:
        """The principal line: both players play their best turn until the game is over."""
        return self.game.find_line(self)

    def best_text(self, none: str | None = None, unknown: str | None = None) -> str | None:
        """The best turn in notation; `none` if there is no legal turn, `unknown` if the budget does not suffice."""
        try:
            return none if self.best is None else str(self.best)
        except NotSolvedError:
            return unknown

    def _repr_html_(self) -> str:
        """For notebooks: the position drawn if the game can, the value, and the best outcomes."""
        outcomes = () if self.game.is_deal(self.position) else self.known(lambda one: one.outcomes) or ()
        rows = "".join(
            f"<tr><td>{escape(str(one.turn))}</td><td>{escape(self.game.value_text(one.bounds))}</td></tr>"
            for one in outcomes[:SHOWN]
        )
        more = f"<p>and {len(outcomes) - SHOWN} more outcomes</p>" if len(outcomes) > SHOWN else ""
        drawn = self.game.drawing(self.position) or f"<p>{escape(str(self.position))}</p>"
        return f"{drawn}<p><b>{escape(self.text)}</b></p><table>{rows}</table>{more}"

    def known(self, what: Callable[[Answer[P, T, R]], Made]) -> Made | None:
        """`what(self)`, or None if the budget does not suffice for it."""
        try:
            return what(self)
        except NotSolvedError:
            return None

    def record(self, outcomes: bool = False) -> dict[str, object]:
        """The answer as a record: plain values for JSON, schema 1, described in docs/answer.md. outcomes: every outcome too.

        A part for which the budget did not suffice is None. If the value is not known, its bounds take its place. How many
        outcomes of a deal keep the value takes a search of each: None unless the outcomes are asked for.
        """
        counted = outcomes or not self.game.is_deal(self.position)
        record = {
            "game": self.game.name,
            "position": str(self.position),
            **self.game.value_record(self.bounds),
            "best": self.best_text(),
            "line": self.known(lambda one: [str(step.turn) for step in one.line]),
            "optimal": self.known(lambda one: one.optimal) if counted else None,
            "source": self.source,
        }
        if outcomes:
            record["outcomes"] = self.known(lambda one: [one.outcome_record(outcome) for outcome in one.outcomes])
        return record

    def outcome_record(self, outcome: Outcome[P, T]) -> dict[str, object]:
        """One outcome as a record."""
        return {
            "turn": str(outcome.turn),
            self.game.outcome_field: getattr(outcome, self.game.outcome_field),
            **self.game.value_record(outcome.bounds),
            "position": None if outcome.position is None else str(outcome.position),
        }

    def _not_solved(self) -> NotSolvedError:
        known, words = self.bounds, self.game.value_text(self.bounds)
        return NotSolvedError(self.position, known.lowest, known.highest, known.nodes, words)

    def sharpened(self, bounds: Bounds, turn: T) -> Answer[P, T, R]:
        """The same answer with better bounds, which a turn proves: a best one, if that solves the position."""
        answer = Answer(self.game, self.position, self.rules, bounds, self.source, self.budget, self.noted)
        if bounds.solved:
            answer.__dict__["best"] = turn
        return answer


@dataclass(frozen=True, slots=True)
class Grade(Generic[P, T, R]):
    """What a turn was worth.

    answer: what is known about the position before the turn
    after:  the mover's value once the turn is played; None if the budget did not suffice
    source: where the two values are from
    """

    answer: Answer[P, T, R]
    turn: T
    after: int | None
    source: str = SEARCH

    @classmethod
    def of(cls, answer: Answer[P, T, R], turn: T, points: int, then: Answer[P, T, R] | None) -> Grade[P, T, R]:
        """The grade of a turn that gives `points`. then: the answer of the position after it; None if there is none.

        A position is worth at least what its turn is worth, and the turn at most what the position is worth.
        """
        game, before = answer.game, answer.bounds
        following = exactly(0) if then is None else then.bounds
        least = most = game.value_of(answer.position, points, following.highest)
        if not following.solved:
            most = min(before.highest, game.value_of(answer.position, points, following.lowest), key=game.rank)
        if not before.solved and game.rank(least) > game.rank(before.lowest):
            answer = answer.sharpened(Bounds(least, before.highest, before.nodes), turn)
        sources = dict.fromkeys((answer.source, OVER if then is None else then.source))
        return cls(answer, turn, least if least == most else None, ", ".join(sources))

    @property
    def before(self) -> int:
        """The mover's value before the turn. Raises `NotSolvedError` if it is not known."""
        return self.answer.value

    @property
    def verdict(self) -> str:
        """'optimal', or what the turn gave away in the game's words; 'not solved' if the budget did not suffice."""
        if self.after is None or not self.answer.solved:
            return "not solved"
        return "optimal" if self.optimal else self.answer.game.mistake(self.before, self.after)

    @property
    def optimal(self) -> bool | None:
        """True if no turn was better; None if the budget did not suffice."""
        return None if self.after is None or not self.answer.solved else self.before == self.after

    def record(self) -> dict[str, object]:
        """The grade as a record: plain values for JSON, schema 1, described in docs/answer.md."""
        answer, solved = self.answer, self.answer.solved
        told = answer.game.value_record(answer.bounds)
        return {
            "game": answer.game.name,
            "position": str(answer.position),
            "turn": str(self.turn),
            "before": answer.game.plain_value(answer.value) if solved else None,
            "after": None if self.after is None else answer.game.plain_value(self.after),
            **({} if solved else {name: known for name, known in told.items() if name == "bounds"}),
            "verdict": self.verdict,
            "optimal": self.optimal,
            "best": answer.best_text(),
            "source": self.source,
        }
