"""What is known of a position, and of a turn: the same two objects for Python, rows, text, JSON and HTTP (docs/answer.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from solver.core.budget import UNLIMITED, Bounds, Budget
from solver.core.errors import NotSolvedError

if TYPE_CHECKING:
    from solver.core.game import Game

SCHEMA = 1
"""The version of `Answer.record` and `Grade.record`: it changes when a field is taken away or means something else."""

SEARCH, OVER = "search", "rules"
"""Sources of a value that are no table: it was searched for, or the game is over and the rules say it."""

P = TypeVar("P")
T = TypeVar("T")
R = TypeVar("R")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[P, T]):
    """What a turn leads to, and what it is worth.

    turn:     the first of the turns that lead there, in the order of the game's `legal_turns`
    value:    of the position before it, if this turn is played
    position: the position after it, the next mover first; None if the game is over and there is none
    points:   what the turn gives its mover, in a game of points
    ways:     how many ordered turns lead there
    """

    turn: T
    value: int
    position: P | None
    points: int = 0
    ways: int = 1


@dataclass(frozen=True, slots=True)
class Step(Generic[T]):
    """A turn of a line: the points that it gives who plays it, and the first mover's points minus the other's after it."""

    turn: T
    points: int = 0
    balance: int = 0

    def __str__(self) -> str:
        return f"{self.turn} {self.points:+}" if self.points else str(self.turn)


class Answer(Generic[P, T, R]):
    """What is known of a position: its value or bounds of it, and on demand every outcome, the best turn, the principal line.

    What takes more work than the value is worked out when it is first asked for, within the same budget, and kept. It raises
    `NotSolvedError` if the budget does not suffice. Answers are equal if position, rules, bounds and source are.

    position, rules: what was asked
    bounds: of the value; equal ends if it is known
    source: where the value is from: 'search', 'rules' if the game is over, or the name of a table or set
    """

    __slots__ = ("_best", "_line", "_optimal", "_outcomes", "bounds", "budget", "game", "position", "rules", "source")

    def __init__(
        self,
        game: Game[P, T, R],
        position: P,
        rules: R,
        bounds: Bounds,
        source: str = SEARCH,
        budget: Budget = UNLIMITED,
        *,
        outcomes: Callable[[], tuple[Outcome[P, T], ...]] | None = None,
        best: Callable[[], T | None] | None = None,
        line: Callable[[], tuple[Step[T], ...]] | None = None,
        optimal: int | None = None,
    ):
        """outcomes, best, line: functions that make them, where there is a faster way than to ask the game. optimal: if known."""
        self.game, self.position, self.rules, self.budget = game, position, rules, budget
        self.bounds, self.source = bounds, source
        self._outcomes, self._best, self._line, self._optimal = _Kept(outcomes), _Kept(best), _Kept(line), optimal

    def __repr__(self) -> str:
        return f"<Answer {self.position}: {self.game.value_text(self.bounds)}>"

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
    def outcomes(self) -> tuple[Outcome[P, T], ...]:
        """Every distinct outcome, best first; equal ones in the order of the turns."""
        return self._outcomes.get(lambda: self.game.outcomes(self.position, self.rules, self.budget))

    @property
    def best(self) -> T | None:
        """The first of the best turns; None if there is no legal turn."""
        return self._best.get(lambda: self.outcomes[0].turn if self.outcomes else None)

    @property
    def optimal(self) -> int:
        """How many outcomes keep the value."""
        if self._optimal is None:
            self._optimal = sum(outcome.value == self.value for outcome in self.outcomes)
        return self._optimal

    @property
    def line(self) -> tuple[Step[T], ...]:
        """The principal line: both players play their first best turn until the game is over."""
        return self._line.get(self._follow)

    def _follow(self) -> tuple[Step[T], ...]:
        steps: list[Step[T]] = []
        outcomes, balance, sign = self.outcomes, 0, 1
        while outcomes:
            best = outcomes[0]
            balance += sign * best.points
            steps.append(Step(best.turn, best.points, balance))
            outcomes = () if best.position is None else self.game.outcomes(best.position, self.rules, self.budget)
            sign = -sign
        return tuple(steps)

    def best_text(self, none: str | None = None, unknown: str | None = None) -> str | None:
        """The best turn in notation; `none` if there is no legal turn, `unknown` if the budget does not suffice."""
        try:
            return none if self.best is None else str(self.best)
        except NotSolvedError:
            return unknown

    def known(self, what: Callable[[Answer[P, T, R]], Made]) -> Made | None:
        """`what(self)`, or None if the budget does not suffice for it."""
        try:
            return what(self)
        except NotSolvedError:
            return None

    def record(self, outcomes: bool = False) -> dict[str, Any]:
        """The answer as plain values, for JSON: schema 1, described in docs/answer.md. outcomes: every one of them too.

        What the budget did not suffice for is None; where the value is not known, its bounds stand in its place.
        """
        record = {
            "game": self.game.name,
            "position": str(self.position),
            **self.game.value_record(self.bounds),
            "best": self.best_text(),
            "line": self.known(lambda one: [str(step.turn) for step in one.line]),
            "optimal": self.known(lambda one: one.optimal),
            "source": self.source,
        }
        if outcomes:
            record["outcomes"] = self.known(lambda one: [one.outcome_record(outcome) for outcome in one.outcomes])
        return record

    def outcome_record(self, outcome: Outcome[P, T]) -> dict[str, Any]:
        """One outcome as plain values, for JSON."""
        return {
            "turn": str(outcome.turn),
            self.game.outcome_field: getattr(outcome, self.game.outcome_field),
            **self.game.value_record(Bounds(outcome.value, outcome.value)),
            "position": None if outcome.position is None else str(outcome.position),
        }

    def _not_solved(self) -> NotSolvedError:
        return NotSolvedError(self.position, self.bounds.lowest, self.bounds.highest, self.bounds.nodes)


@dataclass(frozen=True, slots=True)
class Grade(Generic[P, T, R]):
    """What a turn was worth.

    answer: of the position before it
    after:  the mover's value once it is played; None if the budget did not suffice
    source: where the two values are from
    """

    answer: Answer[P, T, R]
    turn: T
    after: int | None
    source: str = SEARCH

    @property
    def before(self) -> int:
        """The mover's value before it. Raises `NotSolvedError` if it is not known."""
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

    def record(self) -> dict[str, Any]:
        """The grade as plain values, for JSON: schema 1, described in docs/answer.md."""
        answer, solved = self.answer, self.answer.solved
        return {
            "game": answer.game.name,
            "position": str(answer.position),
            "turn": str(self.turn),
            "before": answer.value if solved else None,
            "after": self.after,
            **({} if solved else {"bounds": [answer.bounds.lowest, answer.bounds.highest]}),
            "verdict": self.verdict,
            "optimal": self.optimal,
            "best": answer.best_text(),
            "source": self.source,
        }


class _Kept(Generic[Made]):
    """Something that is made when it is first asked for, and kept."""

    __slots__ = ("make", "made")

    def __init__(self, make: Callable[[], Made] | None):
        self.make = make

    def get(self, otherwise: Callable[[], Made]) -> Made:
        if not hasattr(self, "made"):
            self.made = (self.make or otherwise)()
        return self.made
