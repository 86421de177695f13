"""A file of solved positions: read whole, solved in one batch, and what is wrong in it. Blind to the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from backtrick.errors import ArgumentError, BacktrickError
from backtrick.game import BEST, Terms
from backtrick.games import AnyGame
from backtrick.testing.expected import Expected, read_line

RULES = "# rules:"
"""A comment that begins so names the rule options of the positions below it."""


class Wrong(NamedTuple):
    """A line that is not true, or that cannot be read: its number, and a sentence."""

    line: int
    problem: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem}"


class _Asked(NamedTuple):
    expected: Expected
    rules: Any


def wrong_lines(path: Path, threads: int | None = None) -> list[Wrong]:
    """Every line of a file that is wrong, in order. A file without any position is wrong too.

    A line is a position, a tab and a value, as `backtrick solve -` writes them, or a record as of `backtrick solve --json`.
    Empty lines and those that begin with `#` are passed over; `# rules: lone_card` sets rule options for the lines below.
    threads: None for one a core. Raises `ArgumentError` if the file is not a text that can be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    asked: list[_Asked] = []
    wrong = list(_read(text, asked))
    if not asked and not wrong:
        wrong.append(Wrong(1, "the file holds no position"))
    for (_, rules), group in groupby(asked, key=lambda one: (one.expected.game.name, one.rules)):
        wrong += _solved([one.expected for one in group], rules, threads)
    return sorted(wrong)


def _read(text: str, asked: list[_Asked]) -> Iterator[Wrong]:
    """Puts what the lines say into `asked`; yields the lines that cannot be read."""
    options = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(RULES):
            options = line[len(RULES) :]
        elif line.strip() and not line.startswith("#"):
            try:
                expected = read_line(line, number)
                asked.append(_Asked(expected, rules_of(expected.game, options)))
            except BacktrickError as error:
                yield Wrong(number, str(error))


def rules_of(game: AnyGame, text: str) -> Any:
    """The rules of a game with the options that a text names, as `lone_card` or `forced_only, empty_line=ends`.

    Raises `ArgumentError` for an option that the game does not have, and `RulesError` for a wrong value.

    >>> from backtrick.games import game_of
    >>> rules_of(game_of("take_that"), "forced_only, empty_line=ends")
    Rules(forced_only=True, empty_line='ends')
    """
    options: dict[str, object] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, equals, value = map(str.strip, part.partition("="))
        if name not in game.rule_options:
            raise ArgumentError(f"{game.title} has no rule option {name!r}, only {', '.join(game.rule_options)}")
        options[name] = value if equals else True
    return game.rules_with(options)


def _solved(lines: list[Expected], rules: Any, threads: int | None) -> Iterator[Wrong]:
    """The wrong ones of lines of one game. A refused position is one of them, and those after it are solved all the same."""
    terms: Terms[Any, Any] = Terms(rules, threads=threads, want=frozenset([BEST]))
    at = 0
    while at < len(lines):
        answers = lines[at].game.answers([line.position for line in lines[at:]], terms)
        try:
            for answer in answers:
                yield from _problems(lines[at], lines[at].problems(answer))
                at += 1
        except BacktrickError as error:
            yield Wrong(lines[at].number, f"{lines[at].position}: {error}")
            at += 1


def _problems(line: Expected, problems: Iterable[str]) -> Iterator[Wrong]:
    for problem in problems:
        yield Wrong(line.number, f"{line.position}: {problem}")
