"""Players by name, what they share, and policies.

    frugal              a player of the game
    random:seed=3       one with settings

A game lists its players in its `players.py`, a line each: `PLAYERS = PlayerSpecs({"frugal": PlayerSpec("...", make), ...})`.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Generic, TypeVar, Union

import numpy as np

from backtrick.budget import Cancel
from backtrick.errors import ArgumentError, shortened
from backtrick.given import shown
from backtrick.play.state import Player, View
from backtrick.random import SEEDS, Stream

V = TypeVar("V", bound=View)
T = TypeVar("T")
Setting = Union[int, float, str]  # noqa: UP007, it is made when the module is read


@dataclass(frozen=True, slots=True)
class PlayerSpec(Generic[V, T]):
    """A kind of player.

    about:    a line for people
    make:     the function that makes a player of settings, given by name
    settings: their defaults by name; a setting has the type of its default
    """

    about: str
    make: Callable[..., Player[V, T]]
    settings: Mapping[str, Setting] = field(default_factory=dict)


class PlayerSpecs(dict[str, PlayerSpec[V, T]], Generic[V, T]):
    """The kinds of players of a game, by name.

    >>> kinds = PlayerSpecs({"add": PlayerSpec("adds to the view", lambda step: lambda view: view + step, {"step": 1})})
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

    def settings(self, text: str) -> tuple[PlayerSpec[V, T], dict[str, Setting]]:
        """The kind of the player that `text` names, and all its settings. Raises `ArgumentError`."""
        name, colon, rest = text.partition(":")
        if name not in self:
            raise ArgumentError(f"unknown player {shortened(name)!r}; there are {', '.join(self)}")
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
        raise ArgumentError(f"player {shortened(text)!r}: {setting} must be {kind}, not {shortened(value)!r}") from None


MOST_SECONDS = 86_400


def check_within(name: str, value: float, least: float, most: float) -> None:
    """Raises `ArgumentError`, which names the setting, unless its value is least..most.

    >>> check_within("worlds", 0, 1, 1000)
    Traceback (most recent call last):
    backtrick.errors.ArgumentError: worlds must be 1..1000, not 0
    """
    if not least <= value <= most:
        raise ArgumentError(f"{name} must be {least}..{most}, not {value}")


def no_turn(view: object) -> ArgumentError:
    """The error of a player that is asked for a turn where there is none."""
    return ArgumentError(f"a player has no turn in the view {shortened(str(view))!r}")


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


class _Asked(threading.local):
    """What may end the thinking of the players that this thread asks."""

    cancel: Cancel | None = None


_ASKED = _Asked()


@contextmanager
def hurried(cancel: Cancel | None) -> Iterator[None]:
    """A block in which a cancel ends the thinking of players that have seconds."""
    before, _ASKED.cancel = _ASKED.cancel, cancel
    try:
        yield
    finally:
        _ASKED.cancel = before


def clock() -> float:
    """The time in seconds for a player that thinks; infinitely late once its thinking is cancelled."""
    return math.inf if _ASKED.cancel is not None and _ASKED.cancel.called else time.perf_counter()


class Policies(dict[str, Callable[[V], T]], Generic[V, T]):
    """The policies of a game by name. A policy maps what a player may see to a turn. Kernels know a policy by its place.

    >>> policies = Policies({"low": min, "high": max})
    >>> policies.named("high")([1, 2])
    2
    """

    def named(self, name: str) -> Callable[[V], T]:
        """The policy of a name. Raises `ArgumentError`."""
        if name not in self:
            raise ArgumentError(f"no policy is called {shown(name)}; there are {', '.join(self)}")
        return self[name]

    def place(self, name: str) -> int:
        """The place of a policy. Raises `ArgumentError`."""
        self.named(name)
        return list(self).index(name)

    def opponent(self, name: str | None) -> int:
        """How the kernels of vector environments know an opponent: the place of a policy, -2 for `random`, -1 for None, self-play.

        Raises `ArgumentError`.
        """
        if name is None:
            return -1
        if name not in self and name != "random":
            raise ArgumentError(f"no policy is called {shown(name)}; there are {', '.join(self)}, random")
        return -2 if name == "random" else self.place(name)

    def seats(self, names: tuple[str, str], start: int, stop: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Who sits where in games start..stop-1: the places of the policies, uint8, shape (stop - start, 2).

        The policies change seats: in odd games the second one begins. Raises `ArgumentError` if there is no such policy.

        >>> Policies({"low": min, "high": max}).seats(("low", "high"), 0, 3).tolist()
        [[0, 1], [1, 0], [0, 1]]
        """
        first, second = map(self.place, names)
        seats = np.empty((stop - start, 2), np.uint8)
        odd = np.arange(start, stop) % 2
        seats[:, 0], seats[:, 1] = np.where(odd, second, first), np.where(odd, first, second)
        return seats
