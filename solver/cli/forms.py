"""Answers in three forms, each blind to the game: rows for tools, records for JSON, text for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from solver.core.answer import Answer, Grade, Outcome
from solver.core.budget import Bounds
from solver.core.columns import table_text
from solver.core.game import BEST, LINE, OPTIMAL, OUTCOMES

NO_TURN, UNKNOWN = "-", "?"
ROWS, RECORDS, TEXT = "rows", "records", "text"

WANTED = {
    ("solve", ROWS): {BEST},
    ("solve", RECORDS): {BEST, LINE, OPTIMAL},
    ("solve", TEXT): {BEST, LINE, OPTIMAL, OUTCOMES},
    ("best", ROWS): {BEST},
    ("best", RECORDS): {BEST},
    ("best", TEXT): {BEST},
    ("grade", RECORDS): {BEST},
    ("grade", TEXT): {BEST},
}
"""What of the answers a command looks at, so that it is found by all threads. With --all: the outcomes too."""

AnyAnswer = Answer[Any, Any, Any]
AnyGrade = Grade[Any, Any, Any]
Row = tuple[object, ...]


def row_text(row: Row) -> str:
    """A row as one line of output."""
    return "\t".join(map(str, row)) + "\n"


def record_text(record: dict[str, Any]) -> str:
    """A record as one line of output."""
    return json.dumps(record) + "\n"


def solve_rows(answers: Iterable[AnyAnswer], every: bool, sources: bool) -> Iterator[Row]:
    """Position, value, best turn, and with `sources` the source; with `every` a row for each outcome."""
    for answer in answers:
        if every:
            yield from _outcome_rows(answer)
        else:
            value, best = answer.game.value_row(answer.bounds), answer.best_text(NO_TURN, UNKNOWN)
            yield (answer.position, *value, best, *([answer.source] if sources else []))


def _outcome_rows(answer: AnyAnswer) -> Iterator[Row]:
    """Position, turn, in how many ways or how many points, value, position after it."""
    game, outcomes = answer.game, answer.known(lambda one: one.outcomes)
    if outcomes is None:
        yield answer.position, UNKNOWN, UNKNOWN, *game.value_row(answer.bounds), UNKNOWN
        return
    for outcome in outcomes:
        after = NO_TURN if outcome.position is None else outcome.position
        yield answer.position, outcome.turn, getattr(outcome, game.outcome_field), *_value_row(answer, outcome.value), after


def _value_row(answer: AnyAnswer, value: int) -> tuple[str, ...]:
    return answer.game.value_row(Bounds(value, value))


def solve_text(answer: AnyAnswer, every: bool, sources: bool) -> str:
    """What a position is worth, and how; with `every` a line for each outcome."""
    game = answer.game
    facts = [("value", game.value_text(answer.bounds))]
    if sources:
        facts.append(("source", answer.source))
    outcomes = answer.known(lambda one: one.outcomes)
    if outcomes:
        facts.append(("best", f"{answer.best}   ({answer.optimal} of {len(outcomes)} outcomes)"))
        line = answer.known(lambda one: one.line)
        facts.append(("line", "not found within the limits" if line is None else " | ".join(map(str, line))))
    elif outcomes is not None:
        facts.append(("best", game.over_text(answer.position)))
    elif answer.solved:
        facts.append(("best", "not found within the limits"))
    text = f"{answer.position}\n{table_text(facts)}"
    if every and outcomes:
        rows = [_outcome_text(answer, outcome) for outcome in outcomes]
        text += "\n\n" + table_text([("value", "turn", game.outcome_field, "next position, its mover first"), *rows])
    return text


def _outcome_text(answer: AnyAnswer, outcome: Outcome[Any, Any]) -> Row:
    shown: object = outcome.ways
    if answer.game.outcome_field == "points":
        shown = f"{outcome.points:+}" if outcome.points else "0"
    after = "the game is over" if outcome.position is None else outcome.position
    return answer.game.value_text(Bounds(outcome.value, outcome.value)), outcome.turn, shown, after


def best_row(answer: AnyAnswer, sources: bool) -> Row:
    """Position, best turn, and with `sources` the source."""
    return (answer.position, answer.best_text(NO_TURN, UNKNOWN), *([answer.source] if sources else []))


def best_record(answer: AnyAnswer) -> dict[str, Any]:
    """Of the record of the answer, what is about the best turn."""
    best = {"game": answer.game.name, "position": str(answer.position), "best": answer.best_text()}
    return {**best, "source": answer.source}


def best_text(answer: AnyAnswer) -> str:
    """The best turn; if it is not known what is."""
    best = answer.best_text(NO_TURN)
    return f"{UNKNOWN}   {answer.game.value_text(answer.bounds)}" if best is None else best


def grade_row(grade: AnyGrade, sources: bool) -> Row:
    """Position, turn, verdict, value before, value with the turn, and with `sources` the source."""
    answer = grade.answer
    before, after = answer.game.value_row(answer.bounds)[-1], UNKNOWN if grade.after is None else grade.after
    return (answer.position, grade.turn, grade.verdict, before, after, *([grade.source] if sources else []))


def grade_text(grade: AnyGrade) -> str:
    """The verdict, and why."""
    game, answer = grade.answer.game, grade.answer
    if not answer.solved:
        return game.value_text(answer.bounds)
    if grade.optimal is not False or grade.after is None:
        return f"{grade.verdict}: {game.value_text(answer.bounds)}"
    after = game.value_text(Bounds(grade.after, grade.after))
    return f"{grade.verdict}: {after}; best {answer.best_text(NO_TURN, UNKNOWN)}: {game.value_text(answer.bounds)}"
