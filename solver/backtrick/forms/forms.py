"""How answers are written: a class for each command says what it asks of a game, and how an answer reads in each format.

Rows are for tools, records for JSON, text for people; cells are a row of a Parquet file, numbers an element of an array. Blind
to the game.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from backtrick.answer import Answer, Bounds, Grade, Outcome
from backtrick.columns import table_text
from backtrick.formats import ARRAY, RECORDS, ROWS, TABLE, TEXT, UNSOLVED
from backtrick.forms.question import NO_TURN, UNKNOWN, Question
from backtrick.game import BEST, LINE, OPTIMAL, OUTCOMES, SolveOptions
from backtrick.games import AnyGame

AnyAnswer = Answer[Any, Any, Any]
AnyGrade = Grade[Any, Any, Any]
AnyOptions = SolveOptions[Any, Any]


Row = tuple[object, ...]
Item = TypeVar("Item")

VALUE = ("value", "<i2")


@dataclass(frozen=True, slots=True)
class Form(ABC, Generic[Item]):
    """How a command answers: it makes an item for each question, and writes the item in each format.

    every:   show every outcome, not only the best
    count:   show how many turns there are, not which
    sources: show where the values are from

    forms:  the formats that the answers can be written in
    wanted: the parts of an answer that each format needs
    blank:  what separates two texts
    done:   the word for the items in a summary: 'answered'
    """

    every: bool = False
    count: bool = False
    sources: bool = False

    forms: ClassVar[frozenset[str]] = frozenset({ROWS, RECORDS, TEXT})
    wanted: ClassVar[Mapping[str, set[str]]] = {}
    blank: ClassVar[str] = ""
    done: ClassVar[str] = "answered"

    def offers(self, form: str) -> bool:
        """True if answers can be written in this format."""
        return form in self.forms and not (self.every and form in (ARRAY, TABLE))

    def in_columns(self, form: str) -> bool:
        """True if `columns.py` can write the answers in this format: those that `Answer` gives of most positions alike."""
        return self.offers(form) and form != TEXT and not self.every and ARRAY in self.forms

    def want(self, form: str) -> frozenset[str]:
        """The parts of an answer that a format needs, for `SolveOptions.want`."""
        return frozenset(self.wanted.get(form, set()) | ({OUTCOMES} if self.every else set()))

    @abstractmethod
    def items(self, game: AnyGame, asked: Sequence[Question], terms: AnyOptions) -> Iterator[Item]:
        """The answer of each question, in order."""

    @abstractmethod
    def rows(self, item: Item) -> Iterable[Row]:
        """The rows of an item, each as its fields."""

    @abstractmethod
    def record(self, item: Item) -> dict[str, Any]:
        """The record of an item."""

    @abstractmethod
    def text(self, item: Item) -> str:
        """The item for people."""

    def tally(self, item: Item) -> str:
        """The words under which a summary counts an item; empty to leave it out."""
        return ""

    def columns(self, game: AnyGame) -> dict[str, type]:
        """The columns of a Parquet file, each with its type; a list holds whole numbers."""
        raise NotImplementedError

    def cells(self, item: Item) -> Mapping[str, Any]:
        """A row of a Parquet file: the cells by column, empty ones left out."""
        return self.record(item)

    def fields(self, game: AnyGame) -> list[tuple[str, Any]]:
        """The fields of an array after those of the position, as numpy describes them."""
        raise NotImplementedError

    def numbers(self, item: Item) -> tuple[Any, tuple[int, ...]]:
        """An element of an array: the position, and the values of `fields`."""
        raise NotImplementedError

    def lines(self, form: str, items: Iterable[Item]) -> Iterator[str]:
        """The items as lines of output: rows, records or text."""
        for place, item in enumerate(items):
            if form == RECORDS:
                yield json.dumps(self.record(item)) + "\n"
            elif form == ROWS:
                for row in self.rows(item):
                    yield "\t".join(map(str, row)) + "\n"
            else:
                yield self.blank * (place > 0) + self.text(item) + "\n"


class _Answers(Form[AnyAnswer]):
    """The forms of solve and best."""

    forms = frozenset({ROWS, RECORDS, TEXT, ARRAY, TABLE})

    def items(self, game: AnyGame, asked: Sequence[Question], terms: AnyOptions) -> Iterator[AnyAnswer]:
        return game.answers([one.position for one in asked], terms)

    def tally(self, item: AnyAnswer) -> str:
        return item.text if item.solved else "not solved"

    def columns(self, game: AnyGame) -> dict[str, type]:
        return {"position": str, **game.value_types, "best": str, "source": str}

    def cells(self, item: AnyAnswer) -> Mapping[str, Any]:
        return {**best_record(item), **item.game.value_record(item.bounds)}

    def fields(self, game: AnyGame) -> list[tuple[str, Any]]:
        return [VALUE, ("best", game.turn_dtype)]

    def numbers(self, item: AnyAnswer) -> tuple[Any, tuple[int, ...]]:
        return item.position, (_number(item), 0 if item.best is None else item.game.pack_turn(item.best))


class SolveForm(_Answers):
    """Positions, their values, the best turn; a record has the principal line too."""

    wanted = {ROWS: {BEST}, ARRAY: {BEST}, TABLE: {BEST}, RECORDS: {BEST, LINE, OPTIMAL}, TEXT: {BEST, LINE, OPTIMAL}}
    blank = "\n"

    def rows(self, item: AnyAnswer) -> Iterator[Row]:
        if self.every:
            yield from _outcome_rows(item)
        else:
            value, best = item.game.value_row(item.bounds), item.best_text(NO_TURN, UNKNOWN)
            yield (item.position, *value, best, *([item.source] if self.sources else []))

    def record(self, item: AnyAnswer) -> dict[str, Any]:
        return item.record(self.every)

    def text(self, item: AnyAnswer) -> str:
        return solve_text(item, self.every, self.sources)


class BestForm(_Answers):
    """Positions and their best turns."""

    wanted = {form: {BEST} for form in (ROWS, RECORDS, TEXT, ARRAY, TABLE)}

    def rows(self, item: AnyAnswer) -> Iterator[Row]:
        yield (item.position, item.best_text(NO_TURN, UNKNOWN), *([item.source] if self.sources else []))

    def record(self, item: AnyAnswer) -> dict[str, Any]:
        return best_record(item)

    def text(self, item: AnyAnswer) -> str:
        best = item.best_text(NO_TURN)
        return f"{UNKNOWN}   {item.game.value_text(item.bounds)}" if best is None else best


class GradeForm(Form[AnyGrade]):
    """Positions, turns, and what they were worth."""

    forms = frozenset({ROWS, RECORDS, TEXT, ARRAY, TABLE})
    wanted = {RECORDS: {BEST}, TEXT: {BEST}, TABLE: {BEST}}

    def items(self, game: AnyGame, asked: Sequence[Question], terms: AnyOptions) -> Iterator[AnyGrade]:
        return game.grades([(one.position, one.turn) for one in asked], terms, [one.played for one in asked])

    def rows(self, item: AnyGrade) -> Iterator[Row]:
        answer = item.answer
        game = answer.game
        before = game.plain_value(answer.bounds.lowest) if answer.solved else game.value_row(answer.bounds)[-1]
        after = UNKNOWN if item.after is None else game.plain_value(item.after)
        yield (answer.position, item.turn, item.verdict, before, after, *([item.source] if self.sources else []))

    def record(self, item: AnyGrade) -> dict[str, Any]:
        return item.record()

    def text(self, item: AnyGrade) -> str:
        game, answer = item.answer.game, item.answer
        if not answer.solved:
            return game.value_text(answer.bounds)
        if item.optimal is not False or item.after is None:
            return f"{item.verdict}: {game.value_text(answer.bounds)}"
        after = game.value_text(Bounds(item.after, item.after))
        return f"{item.verdict}: {after}; best {answer.best_text(NO_TURN, UNKNOWN)}: {game.value_text(answer.bounds)}"

    def tally(self, item: AnyGrade) -> str:
        return item.verdict

    def columns(self, game: AnyGame) -> dict[str, type]:
        bounds = {"bounds": list} if "bounds" in game.value_types else {}
        values = {"before": int, "after": int, **bounds, "verdict": str, "optimal": bool}
        return {"position": str, "turn": str, **values, "best": str, "source": str}

    def cells(self, item: AnyGrade) -> Mapping[str, Any]:
        cells = self.record(item)  # a column of numbers has no words
        return {name: None if name in ("before", "after") and isinstance(told, str) else told for name, told in cells.items()}

    def fields(self, game: AnyGame) -> list[tuple[str, Any]]:
        return [("turn", game.turn_dtype), ("before", VALUE[1]), ("after", VALUE[1])]

    def numbers(self, item: AnyGrade) -> tuple[Any, tuple[int, ...]]:
        after = UNSOLVED if item.after is None else item.after
        return item.answer.position, (item.answer.game.pack_turn(item.turn), _number(item.answer), after)


@dataclass(frozen=True, slots=True)
class Turns:
    """The legal turns of a position, listed only when they are needed."""

    game: AnyGame
    position: Any
    rules: Any

    def count(self) -> int:
        """The number of turns."""
        return self.game.count_turns(self.position, self.rules)

    def texts(self) -> Iterator[str]:
        """The turns in notation."""
        return self.game.turn_texts(self.position, self.rules)


class TurnsForm(Form[Turns]):
    """Positions and every legal turn."""

    blank = "\n"

    def items(self, game: AnyGame, asked: Sequence[Question], terms: AnyOptions) -> Iterator[Turns]:
        return (Turns(game, one.position, terms.rules) for one in asked)

    def rows(self, item: Turns) -> Iterator[Row]:
        return ((item.position, what) for what in ([item.count()] if self.count else item.texts()))

    def record(self, item: Turns) -> dict[str, Any]:
        record = {"game": item.game.name, "position": str(item.position), "count": item.count()}
        return record if self.count else {**record, "turns": list(item.texts())}

    def text(self, item: Turns) -> str:
        return str(item.count()) if self.count else "\n".join(item.texts()) or NO_TURN


class Drawn(NamedTuple):
    """A position of a sample."""

    game: AnyGame
    position: Any


class SampleForm(Form[Drawn]):
    """Positions."""

    done = "drawn"
    forms = frozenset({ROWS, RECORDS, TEXT, ARRAY, TABLE})

    def items(self, game: AnyGame, asked: Sequence[Question], terms: AnyOptions) -> Iterator[Drawn]:
        return (Drawn(game, one.position) for one in asked)

    def rows(self, item: Drawn) -> Iterator[Row]:
        yield (item.position,)

    def record(self, item: Drawn) -> dict[str, Any]:
        return {"game": item.game.name, "position": str(item.position)}

    def text(self, item: Drawn) -> str:
        return str(item.position)

    def columns(self, game: AnyGame) -> dict[str, type]:
        return {"position": str}

    def fields(self, game: AnyGame) -> list[tuple[str, Any]]:
        return []

    def numbers(self, item: Drawn) -> tuple[Any, tuple[int, ...]]:
        return item.position, ()


FORMS: Mapping[str, type[Form[Any]]] = {
    "solve": SolveForm,
    "best": BestForm,
    "turns": TurnsForm,
    "grade": GradeForm,
    "sample": SampleForm,
}


def _number(answer: AnyAnswer) -> int:
    """The value as a number of an array."""
    return answer.bounds.lowest if answer.solved else UNSOLVED


def best_record(answer: AnyAnswer) -> dict[str, Any]:
    """The record of `best`: the part of the answer's record about the best turn."""
    best = {"game": answer.game.name, "position": str(answer.position), "best": answer.best_text()}
    return {**best, "source": answer.source}


def _outcome_rows(answer: AnyAnswer) -> Iterator[Row]:
    """A row for each outcome: position, turn, number of ways or points, value, position after it."""
    game, outcomes = answer.game, answer.outcomes
    if outcomes is None:
        yield answer.position, UNKNOWN, UNKNOWN, *game.value_row(answer.bounds), UNKNOWN
        return
    for outcome in outcomes:
        after = NO_TURN if outcome.position is None else outcome.position
        yield answer.position, outcome.turn, getattr(outcome, game.outcome_field), *game.value_row(outcome.bounds), after


NOT_FOUND = "not found within the limits"


def solve_text(answer: AnyAnswer, every: bool, sources: bool) -> str:
    """The answer of solve for people: value, best turn, principal line; with `every` also a line for each outcome."""
    game = answer.game
    facts = [("value", game.value_text(answer.bounds))]
    if sources:
        facts.append(("source", answer.source))
    best = answer.best_text("", UNKNOWN)
    if not best:
        facts.append(("best", game.over_text(answer.position)))
    elif answer.solved:
        share = ""
        if answer.optimal is not None:
            share = f"   ({answer.optimal} of {game.count_outcomes(answer.position, answer.rules)} outcomes)"
        facts.append(("best", NOT_FOUND if best == UNKNOWN else f"{best}{share}"))
        facts.append(("line", NOT_FOUND if answer.line is None else _line_text(answer)))
    text = f"{answer.position}\n{table_text(facts)}"
    if every and answer.outcomes:
        rows = [_outcome_text(answer, outcome) for outcome in answer.outcomes]
        text += "\n\n" + table_text([("value", "turn", game.outcome_field, "next position, its mover first"), *rows])
    return text


def _line_text(answer: AnyAnswer) -> str:
    return " | ".join(f"{turn} {points:+}" if points else str(turn) for turn, points, _ in answer.steps())


def _outcome_text(answer: AnyAnswer, outcome: Outcome[Any, Any]) -> Row:
    shown: object = outcome.ways
    if answer.game.outcome_field == "points":
        shown = f"{outcome.points:+}" if outcome.points else "0"
    after = "the game is over" if outcome.position is None else outcome.position
    known = outcome.bounds
    value = answer.game.value_text(known) if known.solved else answer.game.value_row(known)[0]
    return value, outcome.turn, shown, after
