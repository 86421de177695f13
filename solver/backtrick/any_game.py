"""The questions that both games answer, for either: the game is told from what is asked about, as the command line does it.

A function has the name of the function of the game that it calls, takes the same arguments after the first, and gives the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from backtrick.answer import AnyAnswer, Grade
from backtrick.bounds import Outcome
from backtrick.errors import ArgumentError
from backtrick.game import AnyGame
from backtrick.games import GAMES, all_games, tell
from backtrick.given import shown
from backtrick.notation import Positions, Turns, column_of


def parse(text: str) -> Any:
    """The position, deal or view that `text` names. Raises `BacktrickError`.

    >>> import backtrick
    >>> backtrick.parse("27^40v:17,18,45 13^50v:5,12"), backtrick.parse("15,43,44 21,53 51-62-35")
    (<Position 27^40v:17,18,45 13^50v:5,12>, <Position 15,43,44 21,53 51-62-35>)
    """
    return tell(text).parse(text)


def solve(position: Any, rules: Any = None, **options: Any) -> AnyAnswer:
    """The answer for a position of any game. The options are those of the game's `solve`.

    >>> import backtrick
    >>> backtrick.solve("27^40v:17,18,45 13^50v:5,12").text, backtrick.solve("15,43,44 21,53 51-62-35").text
    ('win in 1', '+6')
    """
    answer: AnyAnswer = _ask("solve", position, rules, **options)
    return answer


def best_turn(position: Any, rules: Any = None, **options: Any) -> Any:
    """The first of the best turns of a position of any game; None if there is no legal turn.

    >>> import backtrick
    >>> print(backtrick.best_turn("15,43,44 21,53 51-62-35"))
    44
    """
    return _ask("best_turn", position, rules, **options)


def grade(position: Any, turn: Any, rules: Any = None, **options: Any) -> Grade[Any, Any, Any]:
    """What a turn was worth, in any game.

    >>> import backtrick
    >>> backtrick.grade("15,43,44 21,53 51-62-35", "15x51").verdict
    'gives 7 points away'
    """
    graded: Grade[Any, Any, Any] = _ask("grade", position, turn, rules, **options)
    return graded


def outcomes(position: Any, rules: Any = None, **options: Any) -> Sequence[Outcome[Any, Any]]:
    """Every distinct outcome of a position of any game, best first.

    >>> import backtrick
    >>> [str(one.turn) for one in backtrick.outcomes("15,43,44 21,53 51-62-35")]
    ['44', '43', '15x51', 'take']
    """
    found: Sequence[Outcome[Any, Any]] = _ask("outcomes", position, rules, **options)
    return found


def legal_turns(position: Any, rules: Any = None) -> Sequence[Any]:
    """Every legal turn of a position, deal or view of any game.

    >>> import backtrick
    >>> print(*backtrick.legal_turns("15,43,44 21,53 51-62-35"))
    43 44 15x51 take
    """
    game, given = with_game(position)
    if (door := getattr(_package_of(game), "legal_turns", None)) is None:
        return tuple(game.legal_turns(game.read_position(given), game.read_rules(rules)))
    turns: Sequence[Any] = door(given, rules)
    return turns


def pack(positions: Any) -> Positions:
    """Endgames of one game as an array: objects, texts, or a column of texts.

    >>> import backtrick
    >>> len(backtrick.pack(["15,43,44 21,53 51-62-35", "12,33 21,94 34-41-49"]))
    2
    """
    array: Positions = _ask("pack", positions)
    return array


def solve_many(positions: Any, **options: Any) -> np.ndarray:
    """The value of each endgame of an array or of a column of texts, of one game.

    >>> import backtrick
    >>> backtrick.solve_many(["27^40v:17,18,45 13^50v:5,12", "52^6v:16,18,19,57 53^15v:4,7,29,44"]).tolist()
    [1, 3]
    """
    values: np.ndarray = _ask("solve_many", positions, **options)
    return values


def best_many(positions: Any, **options: Any) -> Turns:
    """The best turn of each endgame of an array or of a column of texts, of one game, packed."""
    turns: Turns = _ask("best_many", positions, **options)
    return turns


def grade_many(positions: Any, turns: Any, **options: Any) -> tuple[np.ndarray, np.ndarray]:
    """The value of each endgame of an array or of a column of texts, before and after a turn, packed or as text.

    >>> import backtrick
    >>> backtrick.grade_many(["15,43,44 21,53 51-62-35"] * 2, ["44", "15x51"])
    (array([6, 6], dtype=int8), array([ 6, -1], dtype=int8))
    """
    values: tuple[np.ndarray, np.ndarray] = _ask("grade_many", positions, turns, **options)
    return values


def odds(view: Any, **options: Any) -> Any:
    """What each turn of a player is worth while cards are hidden, in any game. The options are those of the game's `odds`.

    >>> import backtrick
    >>> str(backtrick.odds("27^40v:17,18,45+?9,33 13^50v:?2:5,12").turns[0].turn)
    '17^ 18^'
    """
    return _ask("odds", view, **options)


def equilibrium(state: Any, **options: Any) -> Any:
    """What a public state or a view of any game is worth while both hands are hidden. The options are those of the game's
    `equilibrium`."""
    return _ask("equilibrium", state, **options)


def _ask(name: str, given: Any, *more: Any, **options: Any) -> Any:
    game, given = with_game(given)
    for place in (_package_of(game), game):  # a game of another distribution may be its `Game` alone
        if (door := getattr(place, name, None)) is not None:
            return door(given, *more, **options)
    raise ArgumentError(f"{game.title} has no {name}: a function of that name beside its Game is missing")


def _package_of(game: AnyGame) -> Any:
    """Where the functions of a game are: in its package, or in the one module that it is."""
    return import_module(GAMES[game.name].rpartition(".")[0] or GAMES[game.name])


def with_game(given: Any) -> tuple[AnyGame, Any]:
    """The game of positions, and what was given, for the game to read. Raises `UnknownGameError`, and `ArgumentError` for what is
    of no game."""
    dtype = getattr(given, "dtype", None)
    if getattr(dtype, "names", None):
        for game in all_games():
            if game.position_dtype == dtype:
                return game, given
    first, nothing = given, object()
    if (column := column_of(given)) is not None:
        given, first = column, next(iter(column), nothing)
    elif isinstance(given, Iterator):
        first = next(given, nothing)
        given = [first, *given]
    if first is nothing:
        raise ArgumentError(f"no position is given that would tell the game; ask one of {', '.join(GAMES)} itself")
    if isinstance(first, (str, bytes)):
        return tell(first if isinstance(first, str) else first.decode(errors="replace")), given
    for game in all_games():
        if isinstance(first, _types_of(game)):
            return game, given
    raise ArgumentError(f"{shown(first)} is not a position of any game, of {', '.join(GAMES)}")


def _types_of(game: AnyGame) -> tuple[type, ...]:
    """The classes of what a game is asked about: its positions, and the others where it has them."""
    package = _package_of(game)
    return game.position_type, *(getattr(package, one) for one in ("View", "PublicState", "State") if hasattr(package, one))
