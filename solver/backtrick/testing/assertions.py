"""Assertions about play, for tests of agents. Each says in its failure what would have been right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backtrick.games import AnyGame


def assert_optimal(position: object, turn: object, rules: Any = None) -> None:
    """Fails if a turn throws something away: there is a better one by exact play.

    position: of either game, or its notation. turn: the object, its notation, or packed. rules: None for the published game.
    Raises `AssertionError` that says what was thrown away and what is best; `BacktrickError` if the position is not well-formed,
    or the turn is none, or not legal.

    >>> assert_optimal("52^6v:16,18,19,57 53^15v:4,7,29,44", "16v 18^'")
    Traceback (most recent call last):
    AssertionError: 52^6v:16,18,19,57 53^15v:4,7,29,44: 16v 18^' throws the win away; best is 16v 18v'
    """
    __tracebackhide__ = True  # pytest shows the line of the test that called
    game, position = _told(position)
    grade = game.grade(position, turn, rules)
    if not grade.optimal:
        raise AssertionError(f"{position}: {grade.turn} {grade.verdict}; best is {grade.answer.best}")


def assert_value(position: object, value: int, rules: Any = None) -> None:
    """Fails if the exact value of a position is another: in Face to Face the remoteness, in Take That the difference in points.

    position: of either game, or its notation. rules: None for the published game. Raises `AssertionError` that says the value,
    and `BacktrickError` if the position is not well-formed.

    >>> assert_value("52^6v:16,18,19,57 53^15v:4,7,29,44", 3)
    """
    __tracebackhide__ = True
    game, position = _told(position)
    answer = game.solve(position, rules)
    if answer.value != value:
        raise AssertionError(f"{position}: the value is {answer.value} ({answer.text}), not {value!r}")


def _told(position: object) -> tuple[AnyGame, Any]:
    """The game of a position or of its notation, and the position."""
    # The plugin imports this package in every run of pytest, so the games wait until they are needed.
    from backtrick.games import tell

    game = tell(str(position))
    return game, game.parse(position) if isinstance(position, str) else position
