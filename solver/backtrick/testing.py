"""For tests with pytest: files of solved positions, agents compared with exact play (docs/tutorials/testing.md). Blind to the game.

>>> from backtrick.testing import assert_optimal
>>> assert_optimal("52^6v:16,18,19,57 53^15v:4,7,29,44", "16v 18v'")
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from backtrick.answer import AnyAnswer
from backtrick.errors import ArgumentError, BacktrickError, IllegalTurnError, NotationError, PackedError, shortened
from backtrick.game import BEST, OPTIMAL, AnyGame, SolveOptions
from backtrick.games import GAMES, all_games, game_of, tell
from backtrick.given import refused, shown, whole
from backtrick.writing.columns import NO_TURN, read_record

__all__ = ["assert_optimal", "assert_value"]


@dataclass(frozen=True, slots=True)
class Expected:
    """What a line says of a position.

    number: of the line, from 1
    rules:  of the comment above it
    fields: of a row: those after the position, as `backtrick solve -` writes them
    record: of a line of JSON: the fields of `Answer.record()` that it has
    """

    number: int
    game: AnyGame
    position: Any
    fields: tuple[str, ...] = ()
    record: Mapping[str, object] = field(default_factory=dict)
    rules: Any = None

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
        value = self.game.display.value_row(answer.bounds)
        if len(self.fields) == 1:
            if not says(self.fields[0], answer):
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
            if name in self.game.display.value_types or name == "optimal":
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


def says(text: str, answer: AnyAnswer) -> bool:
    """True if a text states the value of an answer in any of these ways: `win`, `win 3`, `win in 3`, `3`."""
    value = answer.game.display.value_row(answer.bounds)
    return text in {value[0], " ".join(value), answer.text, str(answer.value)}


def begins_with_position(path: Path) -> bool:
    """True if the first line that says something is a position, or begins with what looks like one and a tab, or is a
    record with a position."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            first = next((line for line in file if line.strip() and not line.startswith("#")), "")
        if first.lstrip().startswith("{"):
            first = json.loads(first)["position"]
        text, tab, _ = first.strip().partition("\t")
        game = tell(text)
        if not tab:  # then it must be one
            game.read_position(text)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return False
    return True


def read_line(line: str, number: int) -> Expected:
    """The meaning of a line: a row or a record. Raises `BacktrickError`.

    >>> read_line("52^6v:16,18,19,57 53^15v:4,7,29,44\\twin\\t3", 1).fields
    ('win', '3')
    """
    if line.lstrip().startswith("{"):
        return _read_record(line, number)
    text, *fields = line.rstrip("\r").split("\t") if "\t" in line else re.split(" {2,}", line.strip())
    if not fields or not all(fields):
        raise NotationError("line", line, len(line) + 1, "expected a tab or two blanks, then a value")
    game = tell(text)
    position = game.read_position(text)
    return Expected(number, game, position, tuple(fields))


def _read_record(line: str, number: int) -> Expected:
    record = read_record(line)
    text, name = record["position"], record.get("game")
    if name is not None and (not isinstance(name, str) or name not in GAMES):
        raise NotationError("record", line, 1, f"no game is called {shortened(str(name))!r}; there are {', '.join(GAMES)}")
    game = tell(text) if name is None else game_of(name)
    if not record.keys() & game.display.value_types.keys():
        raise NotationError("record", line, 1, f"it has no value: {' or '.join(game.display.value_types)}")
    return Expected(number, game, game.read_position(text), record=record)


RULES = re.compile(r"#\s*rules\s*:", re.IGNORECASE)
"""A comment that begins so names the rule options of the positions below it."""


class Wrong(NamedTuple):
    """A line that is not true, or that cannot be read: its number, and a sentence."""

    line: int
    problem: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem}"


def wrong_lines(path: Path, threads: int | None = None) -> list[Wrong]:
    """Every line of a file that is wrong, in order. A file without any position is wrong too.

    A line is a position, a tab and a value, as `backtrick solve -` writes them, or a record as in `backtrick solve --json`.
    Empty lines and those that begin with `#` are skipped; `# rules: lone_card` sets rule options for the lines below.
    threads: None for one per core. Raises `ArgumentError` if the file is not a text that can be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    asked: list[Expected] = []
    wrong = list(_read(text, asked))
    if not asked and not wrong:
        wrong.append(Wrong(1, "the file holds no position"))
    for (_, rules), group in groupby(asked, key=lambda one: (one.game.name, one.rules)):
        wrong += _solved(list(group), rules, threads)
    return sorted(wrong)


def _read(text: str, asked: list[Expected]) -> Iterator[Wrong]:
    """Puts what the lines say into `asked`; yields the lines that cannot be read."""
    options = ""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if named := RULES.match(line):
                options = line[named.end() :]
                _check_rules(options)
            elif line.strip() and not line.startswith("#"):
                expected = read_line(line, number)
                asked.append(replace(expected, rules=rules_of(expected.game, options)))
        except BacktrickError as error:
            yield Wrong(number, str(error))


def rules_of(game: AnyGame, text: str) -> Any:
    """The rules of a game with the options that a text names, such as `lone_card` or `forced_only, empty_line=ends`.

    Raises `ArgumentError` for an option that the game does not have, and `RulesError` for a wrong value.

    >>> from backtrick.games import game_of
    >>> rules_of(game_of("take_that"), "forced_only, empty_line=ends")
    Rules(forced_only=True, empty_line='ends', professional=False)
    >>> rules_of(game_of("face_to_face"), "lone_card")
    Rules(lone_card=True)
    """
    defaults, options = asdict(game.published), dict[str, object]()
    for name, equals, value in _options(text):
        if name not in defaults:
            raise ArgumentError(f"{game.title} has no rule option {shortened(name)!r}, only {', '.join(defaults)}")
        options[name] = int(value) if isinstance(defaults[name], int) and value.isdecimal() else value if equals else True
    return game.rules_with(options)


def _options(text: str) -> Iterator[tuple[str, str, str]]:
    """The options of a text: the name, `=` if there is one, and the value."""
    for part in filter(None, map(str.strip, text.split(","))):
        name, equals, value = map(str.strip, part.partition("="))
        yield name, equals, value


def _check_rules(text: str) -> None:
    """Raises what `rules_of` raises, if no game has these options."""
    errors: list[BacktrickError] = []
    for game in all_games():
        try:
            rules_of(game, text)
        except BacktrickError as error:
            errors.append(error)
        else:
            return
    names = {name for name, _, _ in _options(text)}
    having = [error for game, error in zip(all_games(), errors, strict=True) if names <= asdict(game.published).keys()]
    if not having:
        raise ArgumentError(f"no game has the rule options {', '.join(sorted(names))}")
    raise having[0]


def _solved(lines: list[Expected], rules: Any, threads: int | None) -> Iterator[Wrong]:
    """The wrong ones of lines of one game. A refused position is one of them, and those after it are solved all the same."""
    terms: SolveOptions[Any, Any] = SolveOptions(rules, threads=threads, want=frozenset([BEST, OPTIMAL]))
    at = 0
    while at < len(lines):
        answers = lines[at].game.answers([line.position for line in lines[at:]], terms)
        try:
            for answer in answers:
                for problem in lines[at].problems(answer):
                    yield Wrong(lines[at].number, f"{lines[at].position}: {problem}")
                at += 1
        except BacktrickError as error:
            yield Wrong(lines[at].number, f"{lines[at].position}: {error}")
            at += 1


def assert_optimal(position: object, turn: object, rules: Any = None) -> None:
    """Fails if a turn throws something away: there is a better one by exact play.

    position: of either game, or its notation. turn: the object, its notation, or packed. rules: None for the published game.
    Raises `AssertionError` with the position if something is thrown away, and says what is best; also if the turn is not legal, or
    not a turn. Raises `BacktrickError` if the position is not well-formed.

    >>> assert_optimal("52^6v:16,18,19,57 53^15v:4,7,29,44", "16v 18^'")
    Traceback (most recent call last):
    AssertionError: 52^6v:16,18,19,57 53^15v:4,7,29,44: 16v 18^' throws the win away; best is 16v 18v'
    """
    __tracebackhide__ = True  # pytest shows the line of the test that called
    game, position = _game_of(position, rules)
    try:
        grade = game.grade(position, game.read_turn(turn), rules)
    except (ArgumentError, NotationError, PackedError, IllegalTurnError) as error:
        best = game.solve(position, rules).best_text(NO_TURN)
        raise AssertionError(f"{position}: {error}; best is {best}") from None
    if not grade.optimal:
        raise AssertionError(f"{position}: {grade.turn} {grade.verdict}; best is {grade.answer.best}")


def assert_value(position: object, value: int | str, rules: Any = None) -> None:
    """Fails if the exact value of a position is another: in Face to Face the remoteness, in Take That the difference in points.

    position: of either game, or its notation. value: the number, or a text such as `win in 3` or `win`. rules: None for the
    published game. Raises `AssertionError` that says the value, and `BacktrickError` if the position is not well-formed.

    >>> assert_value("52^6v:16,18,19,57 53^15v:4,7,29,44", 3)
    >>> assert_value("52^6v:16,18,19,57 53^15v:4,7,29,44", "win in 3")
    """
    __tracebackhide__ = True
    game, position = _game_of(position, rules)
    answer = game.solve(position, rules)
    right = says(value, answer) if isinstance(value, str) else answer.value == whole(value)
    if not right:
        raise AssertionError(f"{position}: the value is {answer.value} ({answer.text}), not {shown(value)}")


def _game_of(position: object, rules: object) -> tuple[AnyGame, Any]:
    """The game of a position or of its notation, and the position. Raises `BacktrickError` for anything else, or other rules."""
    game = tell(str(position))
    parsed = game.read_position(str(position))
    if not isinstance(position, (str, type(parsed))):
        raise refused("position", "a position, or one in notation", position)
    game.read_rules(rules)
    return game, parsed if isinstance(position, str) else position
