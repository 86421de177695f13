"""What one line of a file of solved positions says, and whether it is true. Blind to the game."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from backtrick.answer import Answer
from backtrick.errors import NotationError
from backtrick.games import GAMES, AnyGame, game_of, tell
from backtrick.values import shortened

AnyAnswer = Answer[Any, Any, Any]

NO_TURN = "-"
"""What a row says where there is no legal turn."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a line says of a position.

    number: of the line, from 1
    fields: of a row: those after the position, as `backtrick solve -` writes them
    record: of a line of JSON: the fields of `Answer.record()` that it has
    """

    number: int
    game: AnyGame
    position: Any
    fields: tuple[str, ...] = ()
    record: Mapping[str, object] = field(default_factory=dict)

    def problems(self, answer: AnyAnswer) -> Iterator[str]:
        """Each thing that is not true of the answer. Raises `BacktrickError` if a turn is not legal, or a value is not known.

        >>> line = read_line("52^6v:16,18,19,57 53^15v:4,7,29,44\\twin\\t1\\t16v 18^'", 1)
        >>> for problem in line.problems(line.game.solve(line.position)):
        ...     print(problem)
        the value is 'win 3', not 'win 1'
        the best turn is "16v 18v'"; "16v 18^'" throws the win away
        """
        _ = answer.value
        return self._of_record(answer) if self.record else self._of_row(answer)

    def _of_row(self, answer: AnyAnswer) -> Iterator[str]:
        value = self.game.value_row(answer.bounds)
        if len(self.fields) == 1:
            if self.fields[0] not in {value[0], answer.text, str(answer.value)}:
                yield f"the value is {answer.text!r}, not {self.fields[0]!r}"
            return
        written = self.fields[: len(value)]
        if written != value:
            yield f"the value is {' '.join(value)!r}, not {' '.join(written)!r}"
        for turn in self.fields[len(value) : len(value) + 1]:
            yield from self._of_best(answer, None if turn == NO_TURN else turn)

    def _of_record(self, answer: AnyAnswer) -> Iterator[str]:
        right = answer.record()
        for name in self.record:
            if name in self.game.value_types or name == "optimal":
                if self.record[name] != right.get(name):
                    yield f"{name} is {right.get(name)!r}, not {self.record[name]!r}"
            elif name == "best":
                yield from self._of_best(answer, self.record[name])
            elif name == "line":
                yield from self._of_line(answer, self.record[name])

    def _of_best(self, answer: AnyAnswer, turn: object) -> Iterator[str]:
        if turn is None or answer.best is None:
            if turn is not None or answer.best is not None:
                yield f"the best turn is {answer.best_text(NO_TURN)!r}, not {NO_TURN if turn is None else turn!r}"
            return
        grade = self.game.grade(self.position, self.game.parse_turn(str(turn)), answer.rules)
        if not grade.optimal:
            yield f"the best turn is {answer.best_text()!r}; {str(turn)!r} {grade.verdict}"

    def _of_line(self, answer: AnyAnswer, line: object) -> Iterator[str]:
        position, turns = self.position, line if isinstance(line, list) else []
        for place, text in enumerate(turns, 1):
            if position is None:
                yield f"turn {place} of the line is after the end of the game"
                return
            turn = self.game.parse_turn(str(text))
            grade = self.game.grade(position, turn, answer.rules)
            if not grade.optimal:
                yield f"turn {place} of the line, {str(text)!r}: {grade.verdict}"
                return
            _, position = self.game.play(position, turn, answer.rules)
        if position is not None and self.game.count_turns(position, answer.rules):
            yield f"the line ends after {len(turns)} turns, before the game does"


def read_line(line: str, number: int) -> Expected:
    """The meaning of a line: a row or a record. Raises `BacktrickError`.

    >>> read_line("52^6v:16,18,19,57 53^15v:4,7,29,44\\twin\\t3", 1).fields
    ('win', '3')
    """
    if line.lstrip().startswith("{"):
        return _read_record(line, number)
    text, *fields = line.rstrip("\r").split("\t")
    game = tell(text)
    position = game.parse(text)
    if not fields or not all(fields):
        raise NotationError("line", line, len(line) + 1, "expected a tab, then a value")
    return Expected(number, game, position, tuple(fields))


def _read_record(line: str, number: int) -> Expected:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NotationError("record", line, getattr(error, "colno", 1), "it is not JSON") from None
    text, name = record.get("position"), record.get("game")
    if not isinstance(text, str):
        raise NotationError("record", line, 1, "it has no position")
    if name is not None and (not isinstance(name, str) or name not in GAMES):
        raise NotationError("record", line, 1, f"no game is called {shortened(str(name))!r}; there are {', '.join(GAMES)}")
    game = tell(text) if name is None else game_of(name)
    if not record.keys() & game.value_types.keys():
        raise NotationError("record", line, 1, f"it has no value: {' or '.join(game.value_types)}")
    return Expected(number, game, game.parse(text), record=record)
