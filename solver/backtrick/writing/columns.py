"""Answers in columns, from which every format is written: for the command line, for files and for the HTTP API.

A column has something for each answer: texts of dtype S for rows and records, numbers for an array, cells for a Parquet file. A
class for each command says which columns there are. Rows are for tools, records for JSON; `backtrick.cli.output` has text for
people.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, ClassVar, Union

import numpy as np

from backtrick.answer import Answers, AnyAnswer, Grade, Grades, objects
from backtrick.bounds import Bounds, Value, exactly
from backtrick.errors import NotationError
from backtrick.game import BEST, LINE, OPTIMAL, AnyGame
from backtrick.lines import join_columns
from backtrick.notation import AnyNotation
from backtrick.writing.formats import ARRAY, CSV, RECORDS, ROWS, TABLE, TEXT, UNSOLVED

AnyAnswers = Answers[Any, Any, Any]
AnyGrade = Grade[Any, Any, Any]
AnyGrades = Grades[Any, Any, Any]

NO_TURN, UNKNOWN = "-", "?"
"""What a row shows if there is no turn, and if something is not known because a limit was met."""

NOT_SOLVED = "not solved"

Text = np.ndarray | bytes
"""A column of texts, or one text for all."""

VALUE = ("value", "<i2")


class Columns(ABC):
    """The answers to many questions of one game. `positions`: those that were asked about, an array of the game or of objects.

    wanted: the parts of an answer that each format needs, for `SolveOptions.want`
    """

    game: AnyNotation
    positions: np.ndarray
    wanted: ClassVar[Mapping[str, set[str]]] = {}

    def __len__(self) -> int:
        """How many answers there are."""
        return len(self.positions)

    @abstractmethod
    def rows(self) -> list[Text]:
        """The fields of the rows."""

    @abstractmethod
    def record(self) -> list[list[Text]]:
        """The fields of the records, each as the columns of its JSON."""

    @staticmethod
    def types(game: AnyNotation) -> dict[str, type]:
        """The columns of a Parquet file, each with its type; a list holds whole numbers."""
        return {"position": str}

    def cells(self) -> dict[str, list[Any]]:
        """The columns of a Parquet file; one that is left out is empty."""
        return {"position": _strings(self._position())}

    def texts(self) -> dict[str, Text]:
        """The columns of `types` as texts, for CSV; empty for what is not known."""
        return {"position": self._position()}

    @staticmethod
    def fields(game: AnyNotation) -> list[tuple[str, Any]]:
        """The fields of an array after those of the position, as numpy describes them."""
        return []

    def numbers(self) -> list[np.ndarray]:
        """The fields of an array after those of the position."""
        return []

    def tally(self) -> Counter[str]:
        """How many answers have each value, in words for people, in the order in which the values come first."""
        return Counter()

    def lines(self, form: str) -> bytes:
        """The answers as lines of output: rows or records."""
        if not len(self):
            return b""
        if form == ROWS:
            parts = [part for column in self.rows() for part in (b"\t", column)][1:]
        else:
            parts = [b"{", *[part for field in self.record() for part in (b", ", *field)][1:], b"}"]
        return join_columns(*parts, b"\n", count=len(self))

    def table(self, names: Sequence[str], sign: str) -> list[str]:
        """The answers as lines of a table, without their ends: these columns of `texts`, with a sign between them. Texts are in
        quotes if the sign is a comma."""
        texts, types, parts = self.texts(), self.types(self.game), list[Text]()
        for name in names:
            column = texts[name]
            quoted = sign == "," and types[name] is str
            parts += [sign.encode(), *(_quoted(column) if quoted else [column])]  # type: ignore[arg-type]
        return join_columns(*parts[1:], b"\n", count=len(self)).decode().split("\n")[:-1]

    # what several commands show

    def _position(self) -> np.ndarray:
        return _texts(self.game.position_column, self.positions)

    def _turns(self, turns: np.ndarray) -> np.ndarray:
        return _texts(self.game.turn_column, turns)

    def _begin(self) -> list[list[Text]]:
        return [_field("game", _json(self.game.display.name)), _field("position", *_quoted(self._position()))]


class PositionColumns(Columns):
    """Positions alone, of a sample."""

    def __init__(self, game: AnyNotation, positions: Sequence[Any]):
        packs = game.position_dtype is not None and not any(map(game.is_deal, positions))
        self.game, self.positions = game, game.pack(positions) if packs else objects(positions)

    def rows(self) -> list[Text]:
        return [self._position()]

    def record(self) -> list[list[Text]]:
        return self._begin()


class AnswerColumns(Columns):
    """What solve and best have in common. sources: a row shows where the value is from."""

    def __init__(self, answers: AnyAnswers, sources: bool = False):
        self.game, self.positions, self.answers, self.sources = answers.game, answers.positions, answers, sources

    @staticmethod
    def types(game: AnyNotation) -> dict[str, type]:
        return {"position": str, **game.display.value_types, "best": str, "source": str}

    def cells(self) -> dict[str, list[Any]]:
        record = cache(lambda one: self.game.display.value_record(_bounds_of(one)))
        told = list(map(record, self._bounds().tolist()))
        fields = {name: [one.get(name) for one in told] for name in self.game.display.value_types}
        best = [text or None for text in _strings(self._best())]
        return {**super().cells(), **fields, "best": best, "source": _strings(self._source())}

    def texts(self) -> dict[str, Text]:
        record = cache(lambda one: self.game.display.value_record(one))
        values = {name: self._value_texts(partial(_cell, name, record)) for name in self.game.display.value_types}
        return {**super().texts(), **values, "best": self._best(), "source": self._source()}

    @staticmethod
    def fields(game: AnyNotation) -> list[tuple[str, Any]]:
        return [VALUE, ("best", game.turn_dtype)]

    def numbers(self) -> list[np.ndarray]:
        best = self.answers.best
        assert best is not None
        return [self._value_numbers(), best]

    def tally(self) -> Counter[str]:
        return _counted(self._bounds(), self._word)

    def _word(self, value: Pair) -> str:
        return value_word(self.game, _bounds_of(value))

    def _bounds(self) -> np.ndarray:
        return _pairs(self.answers.lowest, self.answers.highest)

    def _value_texts(self, text: Callable[[Bounds], str]) -> np.ndarray:
        """A text of each value, or of its bounds."""
        if self.answers.lowest is self.answers.highest:
            return _looked_up(self.answers.lowest, lambda value: text(exactly(value)))
        return _looked_up(self._bounds(), lambda one: text(_bounds_of(one)))

    def _value_numbers(self) -> np.ndarray:
        if self.answers.lowest is self.answers.highest:
            return self.answers.lowest
        numbers: np.ndarray = np.where(self.answers.solved, self.answers.lowest, np.int16(UNSOLVED))
        return numbers

    def _value_field(self) -> list[Text]:
        return [self._value_texts(lambda one: json.dumps(self.game.display.value_record(one))[1:-1])]

    def _best(self) -> np.ndarray:
        best = self.answers.best
        assert best is not None
        return self._turns(best)

    def _best_or_sign(self) -> np.ndarray:
        """The best turns; where there is none, the sign for it."""
        best, lengths = self._best(), self.answers.lengths
        assert lengths is not None
        shown: np.ndarray = np.where(best == b"", np.where(lengths == 0, NO_TURN.encode(), UNKNOWN.encode()), best)
        return shown

    def _best_field(self) -> list[Text]:
        return _field("best", *_quoted(self._best(), b"null"))

    def _source(self) -> np.ndarray:
        return _chosen(self.answers.sources, self.answers.source)

    def _source_field(self) -> list[Text]:
        return _field("source", _chosen(list(map(json.dumps, self.answers.sources)), self.answers.source))

    def _source_column(self) -> list[Text]:
        return [self._source()] if self.sources else []


class SolveColumns(AnswerColumns):
    """Positions, values, best turns; a record has the principal line too."""

    wanted = {ROWS: {BEST}, CSV: {BEST}, ARRAY: {BEST}, TABLE: {BEST}, RECORDS: {BEST, LINE, OPTIMAL}, TEXT: {BEST, LINE, OPTIMAL}}

    def rows(self) -> list[Text]:
        values = self._value_texts(lambda one: "\t".join(self.game.display.value_row(one)))
        return [self._position(), values, self._best_or_sign(), *self._source_column()]

    def record(self) -> list[list[Text]]:
        optimal, lines, lengths = self.answers.optimal, self.answers.lines, self.answers.lengths
        assert optimal is not None and lines is not None and lengths is not None
        longest = max(lengths.max(), 0)
        texts = self._turns(lines[:, :longest].ravel()).reshape(len(lines), longest)
        begins = longest and (lines[:, 0] == self.answers.best).all()  # so their texts need not be made again
        return [
            *self._begin(),
            self._value_field(),
            _field("best", *_quoted(texts[:, 0] if begins else self._best(), b"null")),
            _field("line", *self._lines(texts, lengths)),
            _field("optimal", _looked_up(optimal, lambda one: "null" if one < 0 else str(one))),
            self._source_field(),
        ]

    @staticmethod
    def _lines(turns: np.ndarray, lengths: np.ndarray) -> list[Text]:
        """Lines as lists of JSON. turns: their texts, shape (n, the longest)."""
        parts: list[Text] = []
        for place, texts in enumerate(turns.T):
            there = lengths > place
            signs: list[Text] = [b', "' if place else b'"', b'"']
            if not there.all():
                signs = [np.where(there, sign, b"") for sign in signs]
            parts += [signs[0], texts, signs[1]]
        known = lengths >= 0
        if known.all():
            return [b"[", *parts, b"]"]
        return [np.where(known, b"[", b"null"), *parts, np.where(known, b"]", b"")]


class BestColumns(AnswerColumns):
    """Positions and their best turns."""

    wanted = {form: {BEST} for form in (ROWS, CSV, RECORDS, TEXT, ARRAY, TABLE)}

    def rows(self) -> list[Text]:
        return [self._position(), self._best_or_sign(), *self._source_column()]

    def record(self) -> list[list[Text]]:
        return [*self._begin(), self._best_field(), self._source_field()]


class ValueColumns(AnswerColumns):
    """Values alone."""

    def rows(self) -> list[Text]:
        return [self._value_texts(lambda one: "\t".join(self.game.display.value_row(one)))]

    def record(self) -> list[list[Text]]:
        return [self._value_field()]


class GradeColumns(AnswerColumns):
    """Positions, turns, and what they were worth."""

    wanted = {CSV: {BEST}, RECORDS: {BEST}, TEXT: {BEST}, TABLE: {BEST}}

    def __init__(self, grades: AnyGrades, sources: bool = False):
        super().__init__(grades.answers, sources)
        self.grades = grades

    def rows(self) -> list[Text]:
        before = self._value_texts(lambda one: str(one.lowest) if one.solved else self.game.display.value_row(one)[-1])
        after = self._after(str, UNKNOWN)
        return [self._position(), self._turns(self.grades.turns), self._verdicts(), before, after, *self._source_column()]

    def record(self) -> list[list[Text]]:
        optimal = np.where(self._is_optimal(), b"true", b"false")
        return [
            *self._begin(),
            _field("turn", *_quoted(self._turns(self.grades.turns))),
            _field("before", self._value_texts(lambda one: json.dumps(one.lowest) if one.solved else "null")),
            _field("after", self._after(json.dumps, "null")),
            [*self._bounds_field(), *_field("verdict", *_quoted(self._verdicts()))],
            _field("optimal", np.where(self._is_known(), optimal, b"null")),
            self._best_field(),
            self._source_field(),
        ]

    @staticmethod
    def types(game: AnyNotation) -> dict[str, type]:
        bounds = {"bounds": list} if "bounds" in game.display.value_types else {}
        values = {"before": int, "after": int, **bounds, "verdict": str, "optimal": bool}
        return {"position": str, "turn": str, **values, "best": str, "source": str}

    def cells(self) -> dict[str, list[Any]]:
        cells, known, solved = super().cells(), self._is_known().tolist(), self.answers.solved.tolist()
        pairs = zip(self.grades.known.tolist(), self.grades.after.tolist(), strict=True)
        if "bounds" in cells:
            cells["bounds"] = [None if one else bounds for one, bounds in zip(solved, cells["bounds"], strict=True)]
        return cells | {
            "turn": _strings(self._turns(self.grades.turns)),
            "before": [self._number(value, one) for value, one in zip(self.answers.lowest.tolist(), solved, strict=True)],
            "after": [self._number(value, one) for one, value in pairs],
            "verdict": _strings(self._verdicts()),
            "optimal": [same if one else None for one, same in zip(known, self._is_optimal().tolist(), strict=True)],
        }

    def texts(self) -> dict[str, Text]:
        texts = super().texts()
        if "bounds" in texts:
            bounds = texts["bounds"]
            texts["bounds"] = np.where(self.answers.solved, b"", bounds)
        optimal = np.where(self._is_optimal(), b"true", b"false")
        return texts | {
            "turn": self._turns(self.grades.turns),
            "before": self._value_texts(lambda one: str(one.lowest) if one.solved else ""),
            "after": self._after(str, ""),
            "verdict": self._verdicts(),
            "optimal": np.where(self._is_known(), optimal, b""),
        }

    @staticmethod
    def _number(value: Value, known: bool) -> int | None:
        return value if known and isinstance(value, int) else None

    @staticmethod
    def fields(game: AnyNotation) -> list[tuple[str, Any]]:
        return [("turn", game.turn_dtype), ("before", VALUE[1]), ("after", VALUE[1])]

    def numbers(self) -> list[np.ndarray]:
        return [self.grades.turns, self._value_numbers(), np.where(self.grades.known, self.grades.after, np.int16(UNSOLVED))]

    def tally(self) -> Counter[str]:
        return _counted(self._values(), self._word)

    def _word(self, value: Pair) -> str:
        if value == NO_PAIR:
            return NOT_SOLVED
        before, after = _pair_of(value)
        return "optimal" if before == after else self.game.display.mistake(before, after)

    def _after(self, text: Callable[[Any], str], unknown: str) -> np.ndarray:
        after = _looked_up(self.grades.after, text)
        known: np.ndarray = self.grades.known
        return after if known.all() else np.where(known, after, unknown.encode())

    def _bounds_field(self) -> list[Text]:
        """The bounds of values that are not known, with a comma after them."""
        if self.answers.solved.all() or "bounds" not in self.game.display.value_types:
            return []

        def text(bounds: Bounds) -> str:
            told = self.game.display.value_record(bounds)
            return "" if bounds.solved or "bounds" not in told else f'"bounds": {json.dumps(told["bounds"])}, '

        return [self._value_texts(text)]

    def _is_known(self) -> np.ndarray:
        known: np.ndarray = self.answers.solved & self.grades.known
        return known

    def _is_optimal(self) -> np.ndarray:
        same: np.ndarray = self.answers.lowest == self.grades.after
        return same

    def _values(self) -> np.ndarray:
        return np.where(self._is_known(), _pairs(self.answers.lowest, self.grades.after), NO_PAIR)

    def _verdicts(self) -> np.ndarray:
        return _looked_up(self._values(), self._word)

    def _source(self) -> np.ndarray:
        return _chosen(self.grades.sources, self.grades.source)

    def _source_field(self) -> list[Text]:
        return _field("source", _chosen(list(map(json.dumps, self.grades.sources)), self.grades.source))


# With every outcome, or every turn: an answer has thousands, so it is written by itself.


def outcome_names(game: AnyNotation) -> list[str]:
    """The names of the fields of `outcome_rows`."""
    values = [name for name in game.display.value_types if name != "bounds"]
    return ["position", "turn", game.display.outcome_field, *values, "next"]


def outcome_rows(answer: AnyAnswer) -> Iterator[str]:
    """A row for each outcome: position, turn, number of ways or points, value, position after it."""
    game, outcomes = answer.game, answer.outcomes
    if outcomes is None:
        yield "\t".join([str(answer.position), UNKNOWN, UNKNOWN, *game.display.value_row(answer.bounds), UNKNOWN]) + "\n"
        return
    for one in outcomes:
        after = NO_TURN if one.position is None else one.position
        cells = answer.position, one.turn, getattr(one, game.display.outcome_field), *game.display.value_row(one.bounds), after
        yield "\t".join(map(str, cells)) + "\n"


def value_word(game: AnyNotation, bounds: Bounds) -> str:
    """The value of an answer as a summary counts it."""
    return game.display.value_text(bounds) if bounds.solved else NOT_SOLVED


def record_line(answer: AnyAnswer, outcomes: bool = False) -> bytes:
    """The record of an answer as a line of JSON. outcomes: every outcome too."""
    return json.dumps(answer.record(outcomes)).encode() + b"\n"


IN_RECORDS = ("game", "position", "best", "line", "optimal", "bounds", "count", "turns", "outcomes")
"""The fields of records that are no columns."""


def read_record(line: str) -> dict[str, Any]:
    """A record that was written as a line of JSON, or by others; it has a position. Raises `NotationError`."""
    try:
        record: dict[str, Any] = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NotationError("record", line, getattr(error, "colno", 1), "it is not JSON") from None
    if not isinstance(record.get("position"), str):
        raise NotationError("record", line, 1, "it has no position")
    return record


class Turns:
    """The legal turns of a position, listed only when they are needed."""

    def __init__(self, game: AnyGame, position: Any, rules: Any):
        self.game, self.position, self.rules = game, position, rules

    def count(self) -> int:
        return self.game.count_turns(self.position, self.rules)

    def texts(self) -> Iterator[str]:
        return self.game.turn_texts(self.position, self.rules)

    def record(self, count: bool = False) -> dict[str, object]:
        """The record of `backtrick turns --json`. count: only how many."""
        record = {"game": self.game.name, "position": str(self.position), "count": self.count()}
        return record if count else {**record, "turns": list(self.texts())}


# Columns


def _texts(column: Callable[[np.ndarray], np.ndarray], items: np.ndarray) -> np.ndarray:
    """The notation of items of an array of a game, or of objects; empty for None."""
    if items.dtype != object:
        return column(items)
    return np.array([b"" if one is None else str(one).encode() for one in items.tolist()], "S")


def _field(name: str, *columns: Text) -> list[Text]:
    return [b'"%s": ' % name.encode(), *columns]


def _cell(name: str, record: Callable[[Bounds], Mapping[str, Any]], bounds: Bounds) -> str:
    """A field of the record of a value as a cell of a table; bounds are -1..2."""
    cell = record(bounds).get(name)
    return "" if cell is None else "..".join(map(str, cell)) if isinstance(cell, (list, tuple)) else str(cell)


def _quoted(texts: np.ndarray, nothing: bytes = b"") -> list[Text]:
    """Notation as texts of JSON. nothing: what stands for an empty one."""
    there = texts != b""
    if there.all():
        return [b'"', texts, b'"']
    return [np.where(there, b'"', nothing), texts, np.where(there, b'"', b"")]


def _json(text: str) -> bytes:
    return json.dumps(text).encode()


def _strings(texts: np.ndarray) -> list[str]:
    return [text.decode() for text in texts.tolist()]


def _chosen(texts: Sequence[str], places: np.ndarray) -> np.ndarray:
    every: np.ndarray = np.array([text.encode() for text in texts], "S")[places]
    return every


Pair = Union[int, tuple[Value, Value]]  # noqa: UP007, it is made when the module is read


def _pairs(high: np.ndarray, low: np.ndarray) -> np.ndarray:
    """Two numbers of at most 31 bits as one; where words are among them, an array of objects, pairs of them."""
    if object in (high.dtype, low.dtype):
        return np.fromiter(zip(high.tolist(), low.tolist(), strict=True), object, len(high))
    pairs: np.ndarray = (high.astype(np.int64) << 32) + low
    return pairs


def _pair_of(pair: Pair) -> tuple[Value, Value]:
    if isinstance(pair, tuple):
        return pair
    low = (pair + (1 << 31)) % (1 << 32) - (1 << 31)
    return (pair - low) >> 32, low


NO_PAIR = np.iinfo(np.int64).min
"""Stands among pairs for one that is not known."""


def _bounds_of(pair: Pair) -> Bounds:
    return Bounds(*_pair_of(pair))


def _looked_up(numbers: np.ndarray, text: Callable[[Any], str]) -> np.ndarray:
    """The text of each number, or object. `text` is called once for each different one."""
    if numbers.dtype == object:
        encoded = cache(lambda one: text(one).encode())
        return np.array(list(map(encoded, numbers.tolist())), "S")
    different, places = np.unique(numbers, return_inverse=True)
    return _chosen([text(number) for number in different.tolist()], places)


def _counted(numbers: np.ndarray, word: Callable[[Any], str]) -> Counter[str]:
    """How often each number, or object, is there, by its word, in the order in which they come first."""
    if numbers.dtype == object:
        counts = Counter(numbers.tolist())
    else:
        different, first, times = np.unique(numbers, return_index=True, return_counts=True)
        order = np.argsort(first)
        counts = Counter(dict(zip(different[order].tolist(), times[order].tolist(), strict=True)))
    found = Counter[str]()
    for value, count in counts.items():
        found[word(value)] += count
    return found
