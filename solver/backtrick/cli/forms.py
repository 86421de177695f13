"""What each command asks of a game, in which formats it answers, and how its answers read for people. Blind to the game."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from backtrick.answer import Answers, Bounds, Grades, Outcome
from backtrick.cli.read import Question
from backtrick.columns import table_text
from backtrick.formats import ARRAY, RECORDS, TABLE, TEXT
from backtrick.game import OUTCOMES, SolveOptions
from backtrick.games import AnyGame
from backtrick.writer import (
    NO_TURN,
    UNKNOWN,
    AnswerColumns,
    AnyAnswer,
    AnyGrade,
    BestColumns,
    Columns,
    GradeColumns,
    PositionColumns,
    SolveColumns,
    Turns,
    outcome_rows,
    record_line,
)

AnyOptions = SolveOptions[Any, Any]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Form(ABC, Generic[Item]):
    """How a command answers: it makes an item for each question, and columns or a text of items.

    every:   show every outcome, not only the best
    count:   show how many turns there are, not which
    sources: show where the values are from

    kind:   the columns that the answers are written in; None if they have none
    blank:  what separates two texts
    done:   the word for the items in a summary: 'answered'
    """

    every: bool = False
    count: bool = False
    sources: bool = False

    kind: ClassVar[type[Columns] | None] = None
    blank: ClassVar[str] = ""
    done: ClassVar[str] = "answered"

    def offers(self, shape: str) -> bool:
        """True if answers can be written in this format."""
        return shape not in (ARRAY, TABLE) or self.in_columns(shape)

    def in_columns(self, shape: str) -> bool:
        """True if the answers are written in this format from columns of many."""
        return self.kind is not None and shape != TEXT and not self.every

    def want(self, shape: str) -> frozenset[str]:
        """The parts of an answer that a format needs, for `SolveOptions.want`."""
        wanted: Mapping[str, set[str]] = {} if self.kind is None else self.kind.wanted
        return frozenset(wanted.get(shape, set()) | ({OUTCOMES} if self.every else set()))

    @abstractmethod
    def items(self, game: AnyGame, asked: Sequence[Question], options: AnyOptions) -> Iterator[Item]:
        """The answer of each question, in order."""

    def of_arrays(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, options: AnyOptions) -> Columns:
        """The answers of many questions in columns, if all values are searched for without limits."""
        raise NotImplementedError

    def columns(self, game: AnyGame, rules: Any, items: Sequence[Item]) -> Columns:
        """Items in columns."""
        raise NotImplementedError

    def line(self, shape: str, item: Item) -> str:
        """An item as one or more lines of rows or a record, where there are no columns."""
        raise NotImplementedError

    @abstractmethod
    def text(self, item: Item) -> str:
        """The item for people."""


class _Answers(Form[AnyAnswer]):
    """The forms of solve and best."""

    kind: ClassVar[type[AnswerColumns]]

    def items(self, game: AnyGame, asked: Sequence[Question], options: AnyOptions) -> Iterator[AnyAnswer]:
        return game.answers([one.position for one in asked], options)

    def of_arrays(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, options: AnyOptions) -> Columns:
        return self.kind(game.answer_array(positions, options), self.sources)

    def columns(self, game: AnyGame, rules: Any, items: Sequence[AnyAnswer]) -> Columns:
        return self.kind(Answers.of(game, rules, items), self.sources)

    def line(self, shape: str, item: AnyAnswer) -> str:
        return record_line(item, True).decode() if shape == RECORDS else "".join(outcome_rows(item))


class SolveForm(_Answers):
    """Positions, their values, the best turn; a record has the principal line too."""

    kind = SolveColumns
    blank = "\n"

    def text(self, item: AnyAnswer) -> str:
        return solve_text(item, self.every, self.sources)


class BestForm(_Answers):
    """Positions and their best turns."""

    kind = BestColumns

    def text(self, item: AnyAnswer) -> str:
        best = item.best_text(NO_TURN)
        return f"{UNKNOWN}   {item.game.show.value_text(item.bounds)}" if best is None else best


class GradeForm(Form[AnyGrade]):
    """Positions, turns, and what they were worth."""

    kind = GradeColumns

    def items(self, game: AnyGame, asked: Sequence[Question], options: AnyOptions) -> Iterator[AnyGrade]:
        return game.grades([(one.position, one.turn) for one in asked], options, [one.played for one in asked])

    def of_arrays(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, options: AnyOptions) -> Columns:
        assert turns is not None
        return GradeColumns(game.grade_array(positions, turns, options), self.sources)

    def columns(self, game: AnyGame, rules: Any, items: Sequence[AnyGrade]) -> Columns:
        return GradeColumns(Grades.of(game, rules, items), self.sources)

    def text(self, item: AnyGrade) -> str:
        game, answer = item.answer.game, item.answer
        if not answer.solved:
            return game.show.value_text(answer.bounds)
        if item.optimal is not False or item.worth is None:
            return f"{item.verdict}: {game.show.value_text(answer.bounds)}"
        after = game.show.value_text(Bounds(item.worth, item.worth))
        return f"{item.verdict}: {after}; best {answer.best_text(NO_TURN, UNKNOWN)}: {game.show.value_text(answer.bounds)}"


class TurnsForm(Form[Turns]):
    """Positions and every legal turn."""

    blank = "\n"

    def items(self, game: AnyGame, asked: Sequence[Question], options: AnyOptions) -> Iterator[Turns]:
        return (Turns(game, one.position, options.rules) for one in asked)

    def line(self, shape: str, item: Turns) -> str:
        if shape == RECORDS:
            return json.dumps(item.record(self.count)) + "\n"
        return "".join(f"{item.position}\t{what}\n" for what in ([item.count()] if self.count else item.texts()))

    def text(self, item: Turns) -> str:
        return str(item.count()) if self.count else "\n".join(item.texts()) or NO_TURN


class SampleForm(Form[Any]):
    """Positions."""

    kind = PositionColumns
    done = "drawn"

    def items(self, game: AnyGame, asked: Sequence[Question], options: AnyOptions) -> Iterator[Any]:
        return (one.position for one in asked)

    def columns(self, game: AnyGame, rules: Any, items: Sequence[Any]) -> Columns:
        return PositionColumns(game, items)

    def text(self, item: Any) -> str:
        return str(item)


FORMS: Mapping[str, type[Form[Any]]] = {
    "solve": SolveForm,
    "best": BestForm,
    "turns": TurnsForm,
    "grade": GradeForm,
    "sample": SampleForm,
}

NOT_FOUND = "not found within the limits"


def solve_text(answer: AnyAnswer, every: bool, sources: bool) -> str:
    """The answer of solve for people: value, best turn, principal line; with `every` also a line for each outcome."""
    game = answer.game
    facts = [("value", game.show.value_text(answer.bounds))]
    if sources:
        facts.append(("source", answer.source))
    best = answer.best_text("", UNKNOWN)
    if not best:
        facts.append(("best", game.show.over_text(answer.position)))
    elif answer.solved:
        share = ""
        if answer.optimal is not None:
            share = f"   ({answer.optimal} of {game.count_outcomes(answer.position, answer.rules)} outcomes)"
        facts.append(("best", NOT_FOUND if best == UNKNOWN else f"{best}{share}"))
        facts.append(("line", NOT_FOUND if answer.line is None else _line_text(answer)))
    text = f"{answer.position}\n{table_text(facts)}"
    if every and answer.outcomes:
        rows = [_outcome_text(answer, outcome) for outcome in answer.outcomes]
        text += "\n\n" + table_text([("value", "turn", game.show.outcome_field, "next position, its mover first"), *rows])
    return text


def _line_text(answer: AnyAnswer) -> str:
    return " | ".join(f"{turn} {points:+}" if points else str(turn) for turn, points, _ in answer.steps())


def _outcome_text(answer: AnyAnswer, outcome: Outcome[Any, Any]) -> tuple[object, ...]:
    shown: object = outcome.ways
    if answer.game.show.outcome_field == "points":
        shown = f"{outcome.points:+}" if outcome.points else "0"
    after = "the game is over" if outcome.position is None else outcome.position
    known = outcome.bounds
    value = answer.game.show.value_text(known) if known.solved else answer.game.show.value_row(known)[0]
    return value, outcome.turn, shown, after
