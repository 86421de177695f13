"""The games by name. A game of this package is a line in `GAMES`; one of another distribution is an entry point there, in the group
`backtrick.games`: its name, and the module that defines it as `GAME`.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from backtrick.display import Display
from backtrick.errors import ArgumentError, BacktrickError, SkippedFileWarning, UnknownGameError, UsageError
from backtrick.given import shown

if TYPE_CHECKING:
    from backtrick.game import AnyGame
    from backtrick.play.steps import Steps
    from backtrick.play.whole_game import WholeGame
    from backtrick.storage.stored_game import StoredGame
    from backtrick.storage.tablebase import Tablebase

Loaded = TypeVar("Loaded")

GROUP = "backtrick.games"
"""The group of entry points by which another distribution adds a game."""


def installed() -> dict[str, tuple[str, str]]:
    """The games of other distributions: their names, each with its module and the name of the distribution."""
    if not any(map(_names_a_game, filter(os.path.isdir, sys.path))):
        return {}
    from importlib.metadata import entry_points  # takes longer to import than all games together

    return {one.name: (one.value, one.dist.name if one.dist else "unknown") for one in entry_points(group=GROUP)}


def _names_a_game(folder: str) -> bool:
    """True if a distribution in the folder has entry points of the group. It runs at every start, so it does without pathlib, which
    takes longer."""
    for name in os.listdir(folder):  # noqa: PTH208
        if name.endswith("-info"):
            with suppress(OSError), open(f"{folder}/{name}/entry_points.txt", "rb") as file:  # noqa: PTH123
                if GROUP.encode() in file.read():
                    return True
    return False


GAMES = {
    "face_to_face": "backtrick.face_to_face.game",
    "take_that": "backtrick.take_that.game",
}
_ORIGINS: dict[str, str] = {}
"""The games of other distributions, and the names of these."""
for _name, (_module, _distribution) in installed().items():
    if _name not in GAMES:
        GAMES[_name], _ORIGINS[_name] = _module, _distribution
_TOLD: set[str] = set()
"""The games of which it was said that they cannot be used."""


@contextmanager
def _loading(name: str) -> Iterator[None]:
    """Raises `UsageError`, which names the distribution, where a game of another distribution cannot be imported."""
    try:
        yield
    except BacktrickError:
        raise
    except Exception as error:
        if name not in _ORIGINS:
            raise
        problem = f"{type(error).__name__}: {error}"
        raise UsageError(f"the game {name} of the distribution {_ORIGINS[name]} cannot be imported ({problem})") from error


def _all(load: Callable[[str], Loaded]) -> list[Loaded]:
    """What `load` returns for each game. Those of other distributions that cannot be loaded are left out, with a warning each."""
    found = []
    for name in GAMES:
        try:
            found.append(load(name))
        except BacktrickError as error:
            if name not in _ORIGINS:
                raise
            if name not in _TOLD:
                _TOLD.add(name)
                warnings.warn(SkippedFileWarning(f"the distribution {_ORIGINS[name]}", str(error)), stacklevel=3)
    return found


def game_of(name: str) -> AnyGame:
    """The game of a name in `GAMES`. Raises `ArgumentError`.

    >>> game_of("face_to_face").title
    'The Game: Face to Face'
    """
    module = _module_of(name)
    with _loading(name):
        game: AnyGame = getattr(import_module(module), "GAME", None)  # type: ignore[assignment]
    if not isinstance(getattr(game, "display", None), Display):
        raise ArgumentError(f"{module}, the module of the game {name}, defines no Game called GAME")
    return game


def all_games() -> list[AnyGame]:
    """The games in the order of `GAMES`."""
    return _all(game_of)


def display_of(name: str) -> Display:
    """What is shown of a game: `DISPLAY` of the module `display` beside its own, or else of the game itself."""
    with _loading(name):
        beside = _beside(name, "display")
        if beside is None:
            return game_of(name).display
        display: Display = import_module(beside).DISPLAY
        return display


def all_displays() -> list[Display]:
    """What is shown of each game, in the order of `GAMES`. Nothing heavy is imported."""
    return _all(display_of)


def stored_of(game: AnyGame) -> StoredGame[Any, Any, Any]:
    """What a game keeps on disk: `STORED` of the module `tablebase` beside its own. Raises `UsageError` if it keeps nothing."""
    beside = _beside(game.name, "tablebase")
    if beside is None:
        raise UsageError(f"{game.title} keeps no tables or sets on disk: a module `tablebase` beside its own is missing")
    stored: StoredGame[Any, Any, Any] = import_module(beside).STORED
    return stored


def opener_of(name: str) -> Callable[[str, Any], Tablebase[Any, Any, Any]]:
    """The function that opens the tablebase of a directory, with rules. It raises `StorageError`."""
    return stored_of(game_of(name)).tablebase


def whole_game_of(game: Display | AnyGame) -> WholeGame[Any, Any, Any]:
    """What matches ask of a game: `WHOLE_GAME` of the module `players` beside its own. Raises `UsageError` if there is none."""
    beside = _beside(game.name, "players")
    if beside is None:
        raise UsageError(f"{game.title} has no whole games: a module `players` beside its own is missing")
    whole_game: WholeGame[Any, Any, Any] = import_module(beside).WHOLE_GAME
    return whole_game


def has_whole_game(game: Display | AnyGame) -> bool:
    """True if a game has whole games for matches."""
    return _beside(game.name, "players") is not None


def steps_of(name: str) -> type[Steps[Any]]:
    """How a game in `GAMES` is played one step at a time: `STEPS` of the module `steps` beside its own. Adapters ask for it.

    Raises `ArgumentError`.

    >>> steps_of("face_to_face")(position="27^40v:17,18 13^50v:5,12").start.legal()
    [61, 66]
    """
    beside = _beside(name, "steps")
    if beside is None:
        raise ArgumentError(f"{display_of(name).title} has no steps for adapters: a module `steps` beside its own is missing")
    steps: type[Steps[Any]] = import_module(beside).STEPS
    return steps


def games_with_steps() -> list[str]:
    """The names of the games that can be played one step at a time."""
    return [name for name in _all(lambda name: name if has_steps(name) else "") if name]


def has_steps(name: str) -> bool:
    """True if a game in `GAMES` can be played one step at a time. Raises `ArgumentError`."""
    with _loading(name):
        return _beside(name, "steps") is not None


def _beside(name: str, part: str) -> str | None:
    """The name of a module beside that of a game; None if there is none. Nothing but its package is imported."""
    package = _module_of(name).rpartition(".")[0]
    module = f"{package}.{part}"
    return module if package and find_spec(module) is not None else None


def _module_of(name: str) -> str:
    if not isinstance(name, str) or name not in GAMES:
        raise ArgumentError(f"no game is called {shown(name)}; there are {', '.join(GAMES)}")
    return GAMES[name]


def tell(text: str) -> AnyGame:
    """The game whose notation `text` looks like. Raises `UnknownGameError`.

    >>> tell("27^40v:17,18,45 13^50v:5,12").name
    'face_to_face'
    >>> tell("12,33,49 21,94 34-41-98").name
    'take_that'
    >>> tell("hello")
    Traceback (most recent call last):
    backtrick.errors.UnknownGameError: 'hello' is not a position; one looks like 27^40v:17,18,45 13^50v:5,12 \
(The Game: Face to Face), or 12,33,49 21,94 34-41-98 (Take That)
    """
    described = all_displays()
    for one in described:
        if one.claims(text):
            return game_of(one.name)
    raise UnknownGameError(text, tuple(f"{one.example} ({one.title})" for one in described))
