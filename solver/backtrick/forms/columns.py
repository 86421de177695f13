"""How answers in columns are written: the same as `forms.py` makes of single answers. Blind to the game.

A column has something for each answer: texts of dtype S for rows and records, numbers for an array, cells for a Parquet file.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from backtrick.answer import OVER, SEARCH, Answers, Bounds
from backtrick.formats import ROWS
from backtrick.forms.forms import AnyOptions
from backtrick.forms.question import NO_TURN
from backtrick.games import AnyGame
from backtrick.lines import joined

Text = np.ndarray | bytes
"""A column of texts, or one text for all."""


class Columns(ABC):
    """The answers of many questions of one game: all are known, and all were searched for.

    answers: of the positions that were asked about
    """

    game: AnyGame
    answers: Answers[Any, Any, Any]

    def __len__(self) -> int:
        """How many answers there are."""
        return len(self.answers.values)

    @abstractmethod
    def rows(self) -> list[Text]:
        """The fields of the rows."""

    @abstractmethod
    def record(self) -> list[list[Text]]:
        """The fields of the records, each as the columns of its JSON."""

    @abstractmethod
    def cells(self) -> dict[str, list[Any]]:
        """The columns of a Parquet file; one that is left out is empty."""

    @abstractmethod
    def numbers(self) -> list[np.ndarray]:
        """The fields of an array after those of the position."""

    @abstractmethod
    def tally(self) -> Counter[str]:
        """How many answers each kind has that a summary counts; the kinds in the order in which they come first."""

    def lines(self, shape: str) -> bytes:
        """The answers as lines of output: rows or records."""
        if shape == ROWS:
            parts = [part for column in self.rows() for part in (b"\t", column)][1:]
        else:
            parts = [b"{", *[part for field in self.record() for part in (b", ", *field)][1:], b"}"]
        return joined(*parts, b"\n", count=len(self))

    # what several commands show

    def _position(self) -> np.ndarray:
        return self.game.position_column(self.answers.positions)

    def _best(self) -> np.ndarray:
        """The best turns, empty for none."""
        best = self.answers.best
        assert best is not None
        return self.game.turn_column(best)

    def _begin(self) -> list[list[Text]]:
        """The first fields of every record."""
        return [_field("game", _json(self.game.name)), _field("position", b'"', self._position(), b'"')]

    def _best_field(self) -> list[Text]:
        best = self._best()
        found = best != b""
        return _field("best", np.where(found, b'"', b"null"), best, np.where(found, b'"', b""))

    def _value_texts(self, text: Callable[[Bounds], str]) -> np.ndarray:
        """A text of each value."""
        return _looked_up(self.answers.values, lambda value: text(Bounds(value, value)))


class AnswersIn(Columns):
    """What solve and best have in common."""

    def __init__(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, terms: AnyOptions):
        self.game, self.answers = game, game.answer_array(positions, terms)

    def cells(self) -> dict[str, list[Any]]:
        values = self.answers.values.tolist()
        told = {value: self.game.value_record(Bounds(value, value)) for value in set(values)}
        fields = {name: [told[value].get(name) for value in values] for name in self.game.value_types}
        best = [text or None for text in _strings(self._best())]
        return {"position": _strings(self._position()), **fields, "best": best, "source": [SEARCH] * len(self)}

    def numbers(self) -> list[np.ndarray]:
        best = self.answers.best
        assert best is not None
        return [self.answers.values, best]

    def tally(self) -> Counter[str]:
        return _counted(self.answers.values, lambda value: self.game.value_text(Bounds(value, value)))


class SolveColumns(AnswersIn):
    """Positions, values, best turns; a record has the principal line too."""

    def rows(self) -> list[Text]:
        return [self._position(), self._value_texts(lambda one: "\t".join(self.game.value_row(one))), _or_none(self._best())]

    def record(self) -> list[list[Text]]:
        lines, optimal = self.answers.lines, self.answers.optimal
        assert lines is not None and optimal is not None
        values = self._value_texts(lambda one: json.dumps(self.game.value_record(one))[1:-1])
        return [
            *self._begin(),
            [values],
            self._best_field(),
            _field("line", b"[", *self._turns(lines), b"]"),
            _field("optimal", _looked_up(optimal, str)),
            _field("source", _json(SEARCH)),
        ]

    def _turns(self, lines: np.ndarray) -> list[Text]:
        """The turns of lines, each in quotation marks, with commas between them."""
        parts: list[Text] = []
        for place, turns in enumerate(lines.T):
            if not turns.any():
                break  # no line is longer
            parts += [
                np.where(turns != 0, b', "' if place else b'"', b""),
                self.game.turn_column(np.ascontiguousarray(turns)),
                np.where(turns != 0, b'"', b""),
            ]
        return parts


class BestColumns(AnswersIn):
    """Positions and their best turns."""

    def rows(self) -> list[Text]:
        return [self._position(), _or_none(self._best())]

    def record(self) -> list[list[Text]]:
        return [*self._begin(), self._best_field(), _field("source", _json(SEARCH))]


class ValueColumns(AnswersIn):
    """Values alone."""

    def rows(self) -> list[Text]:
        return [self._value_texts(lambda one: "\t".join(self.game.value_row(one)))]

    def record(self) -> list[list[Text]]:
        return [[self._value_texts(lambda one: json.dumps(self.game.value_record(one))[1:-1])]]


class GradesIn(Columns):
    """Positions, turns, and what they were worth."""

    def __init__(self, game: AnyGame, positions: np.ndarray, turns: np.ndarray | None, terms: AnyOptions):
        assert turns is not None
        self.game, self._grades = game, game.grade_array(positions, turns, terms)
        self.answers = self._grades.answers

    def rows(self) -> list[Text]:
        before = self._value_texts(lambda one: self.game.value_row(one)[-1])
        return [self._position(), self._turn(), self._verdicts(), before, _looked_up(self._grades.after, str)]

    def record(self) -> list[list[Text]]:
        before, after, verdicts = self.answers.values, self._grades.after, self._verdicts()
        return [
            *self._begin(),
            _field("turn", b'"', self._turn(), b'"'),
            _field("before", _looked_up(before, str)),
            _field("after", _looked_up(after, str)),
            _field("verdict", b'"', verdicts, b'"'),
            _field("optimal", np.where(before == after, b"true", b"false")),
            self._best_field(),
            _field("source", np.where(self._grades.over, *map(_json, SOURCES))),
        ]

    def cells(self) -> dict[str, list[Any]]:
        before, after = self.answers.values, self._grades.after
        return {
            "position": _strings(self._position()),
            "turn": _strings(self._turn()),
            "before": before.tolist(),
            "after": after.tolist(),
            "verdict": _strings(self._verdicts()),
            "optimal": (before == after).tolist(),
            "best": [text or None for text in _strings(self._best())],
            "source": np.where(self._grades.over, *SOURCES).tolist(),
        }

    def numbers(self) -> list[np.ndarray]:
        return [self._grades.turns, self.answers.values, self._grades.after]

    def tally(self) -> Counter[str]:
        return _counted(self._pairs(), self._verdict)

    def _turn(self) -> np.ndarray:
        return self.game.turn_column(self._grades.turns)

    def _verdicts(self) -> np.ndarray:
        return _looked_up(self._pairs(), self._verdict)

    def _pairs(self) -> np.ndarray:
        """The values before and after the turn as one number."""
        pairs: np.ndarray = (self.answers.values.astype(np.int64) << 32) + self._grades.after
        return pairs

    def _verdict(self, pair: int) -> str:
        after = (pair + (1 << 31)) % (1 << 32) - (1 << 31)
        before = (pair - after) >> 32
        return "optimal" if before == after else self.game.mistake(before, after)


SOURCES = f"{SEARCH}, {OVER}", SEARCH
"""The sources of a grade: of a turn that ends the game, and of any other."""

COLUMNS: dict[str, type[AnswersIn] | type[GradesIn]] = {"solve": SolveColumns, "best": BestColumns, "grade": GradesIn}
"""The commands whose answers can be written in columns."""


def _field(name: str, *columns: Text) -> list[Text]:
    """A field of a record."""
    return [b'"%s": ' % name.encode(), *columns]


def _json(text: str) -> bytes:
    return json.dumps(text).encode()


def _strings(texts: np.ndarray) -> list[str]:
    return texts.astype(str).tolist()  # type: ignore[no-any-return]


def _or_none(turns: np.ndarray) -> np.ndarray:
    """Texts of turns; where one is empty, the sign for no turn."""
    texts: np.ndarray = np.where(turns == b"", NO_TURN.encode(), turns)
    return texts


def _looked_up(numbers: np.ndarray, text: Callable[[int], str]) -> np.ndarray:
    """The text of each number. `text` is called once for each different number."""
    different, places = np.unique(numbers, return_inverse=True)
    texts: np.ndarray = np.array([text(number).encode() for number in different.tolist()], "S")[places]
    return texts


def _counted(numbers: np.ndarray, word: Callable[[int], str]) -> Counter[str]:
    """How many numbers have each word, in the order in which the words come first."""
    different, first, counts = np.unique(numbers, return_index=True, return_counts=True)
    words: Counter[str] = Counter()
    for place in np.argsort(first).tolist():
        words[word(different[place].item())] += counts[place].item()
    return words
