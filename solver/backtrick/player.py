"""Players by name. A player is a function from what it may see to a turn (`state.Player`), and knows nothing else.

    frugal              a player of the game
    random:seed=3       one with settings

A game lists its kinds of players in `players.py`, a line each: `PLAYERS = Kinds({"frugal": Kind("...", make), ...})`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Generic, TypeVar, Union

from backtrick.errors import ArgumentError
from backtrick.random import SEEDS, Stream
from backtrick.state import Player
from backtrick.values import shortened

V = TypeVar("V")
T = TypeVar("T")
Setting = Union[int, float, str]  # noqa: UP007, it is made when the module is read


@dataclass(frozen=True, slots=True)
class Kind(Generic[V, T]):
    """A kind of player.

    about:    a line for people
    make:     the function that makes a player of settings, given by name
    settings: their defaults by name; a setting has the type of its default
    """

    about: str
    make: Callable[..., Player[V, T]]
    settings: Mapping[str, Setting] = field(default_factory=dict)


class Kinds(dict[str, Kind[V, T]], Generic[V, T]):
    """The kinds of players of a game, by name.

    >>> kinds = Kinds({"add": Kind("adds to the view", lambda step: lambda view: view + step, {"step": 1})})
    >>> kinds.player("add")(7), kinds.player("add:step=3")(7)
    (8, 10)
    >>> kinds.player("add:steps=3")
    Traceback (most recent call last):
    backtrick.errors.ArgumentError: player 'add:steps=3': add has no setting 'steps', only step
    """

    def player(self, text: str) -> Player[V, T]:
        """The player that `text` names, NAME or NAME:SETTING=VALUE,... Raises `ArgumentError`."""
        kind, given = self.settings(text)
        try:
            return kind.make(**given)
        except ArgumentError as error:
            raise ArgumentError(f"player {shortened(text)!r}: {error}") from None

    def settings(self, text: str) -> tuple[Kind[V, T], dict[str, Setting]]:
        """The kind of the player that `text` names, and all its settings. Raises `ArgumentError`."""
        name, colon, rest = text.partition(":")
        if name not in self:
            raise ArgumentError(f"no player is called {shortened(name)!r}; there are {', '.join(self)}")
        kind = self[name]
        given, read = dict(kind.settings), set[str]()
        for part in rest.split(",") if colon else ():
            setting, equals, value = part.partition("=")
            if setting in read:
                raise ArgumentError(f"player {shortened(text)!r}: {setting} is given twice")
            if setting not in given or not equals:
                offered = f"only {', '.join(given)}" if given else "and takes none"
                raise ArgumentError(f"player {shortened(text)!r}: {name} has no setting {shortened(setting)!r}, {offered}")
            given[setting] = _read(text, setting, value, type(kind.settings[setting]))
            read.add(setting)
        return kind, given


def _read(text: str, setting: str, value: str, wanted: type) -> Setting:
    try:
        return wanted(value)  # type: ignore[no-any-return]
    except ValueError:
        kind = "a whole number" if wanted is int else "a number"
        raise ArgumentError(f"player {shortened(text)!r}: {setting} is {kind}, not {shortened(value)!r}") from None


MOST_SECONDS = 86_400


def check_within(name: str, value: float, least: float, most: float) -> None:
    """Raises `ArgumentError`, which names the setting, unless its value is least..most.

    >>> check_within("worlds", 0, 1, 1000)
    Traceback (most recent call last):
    backtrick.errors.ArgumentError: worlds is 1..1000, not 0
    """
    if not least <= value <= most:
        raise ArgumentError(f"{name} is {least}..{most}, not {value}")


def numbers_for(seed: int, view: object) -> Stream:
    """Random numbers that depend on a seed and a view alone, so that a player that uses them repeats itself exactly.

    >>> numbers_for(1, "a view").below(100), numbers_for(1, "a view").below(100), numbers_for(2, "a view").below(100)
    (19, 19, 16)
    """
    return Stream(seed % SEEDS, number_for(view))


def key_for(seed: int, view: object) -> int:
    """The seed of many streams of random numbers, 0..2^64-1, that depends on a seed and a view alone: for a stream a world.

    >>> key_for(1, "a view") == key_for(1, "a view"), key_for(1, "a view") == key_for(2, "a view")
    (True, False)
    """
    return number_for(f"{seed} {view}")


def number_for(view: object) -> int:
    """A number 0..2^64-1 that depends on a view alone, as good as random."""
    return int.from_bytes(sha256(str(view).encode()).digest()[:8], "little")
