"""What storage must know about a game to keep solved positions of it: one `Codec` a game.

An *entry* is one item of a solved set: a class of positions, with the position that stands for it, its value and its best turn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar, Generic, NamedTuple, Union, cast

import numpy as np

from backtrick.bounds import P, R, T
from backtrick.game import BEST, Game, SolveOptions

Key = Union[np.generic, bytes]  # noqa: UP007, it is made when the module is read
"""The key of one class: a value that can be searched for among the sorted keys of a set."""

NEVER = "nothing of the kind"
"""What an error names as the right entry where the stored one is impossible and the right one was not worked out."""


class Mismatch(NamedTuple):
    """A wrong entry: its place in the array that was verified, what is stored there, and what was derived."""

    place: int
    stored: object
    derived: object


class Codec(ABC, Generic[P, T, R]):
    """How positions of a game become entries, and entries become answers. It has no state, so it can be sent to a worker.

    Two positions share a key if and only if they are of one class.

    game:           whose positions these are; it has arrays
    dtype:          of an entry: the first field is the key, `value` and `best` are what was solved, the others hold the position
    values:         all values that a position can have
    unknown:        the `value` of an entry that is not solved yet
    chunk:          entries in a chunk of a file; shard_chunks: chunks in a shard, some seconds of work
    scheme:         how an entry is read, for the header
    """

    game: ClassVar[Game[Any, Any, Any]]
    dtype: ClassVar[np.dtype]
    values: ClassVar[range]
    unknown: ClassVar[int]
    chunk: ClassVar[int]
    shard_chunks: ClassVar[int]
    scheme: ClassVar[Mapping[str, str]]

    # rules and headers

    def rules_of(self, options: Mapping[str, object]) -> R:
        """The rules of a header's options. Raises `ValueError` if the game has no such rules."""
        rules: R = self.game.rules_with(options)
        return rules

    def options_of(self, rules: R) -> dict[str, object]:
        """The rules as options by name, for a header."""
        return asdict(cast(Any, rules))

    # positions, and the keys of their classes

    @abstractmethod
    def keys(self, positions: np.ndarray, rules: R, threads: int | None = 1) -> tuple[np.ndarray, np.ndarray]:
        """The key of each position, and 1 where it is the key of the mirror image: two arrays of shape (n,).

        A game whose keys need well-formed positions raises `PositionError`, which names the place in the array.
        """

    def key(self, position: P, rules: R) -> tuple[Key, bool]:
        """The key of one position, and True if it is the key of the mirror image."""
        keys, turned = self.keys(self.game.pack([position]), rules)
        return keys[0], bool(turned[0])

    # entries

    @abstractmethod
    def entries(self, positions: np.ndarray, rules: R) -> np.ndarray:
        """The entry of each position, not solved yet: `dtype`, shape (n,). Raises `PositionError`, which names the place."""

    def keys_of(self, entries: np.ndarray) -> np.ndarray:
        """The keys of entries, one array: two are equal if and only if the classes are."""
        return np.ascontiguousarray(entries[self.dtype.names[0]])  # type: ignore[index]

    @abstractmethod
    def positions_of(self, entries: np.ndarray) -> np.ndarray:
        """The positions that stand for the classes, an array of the game: shape (n,)."""

    def order(self, entries: np.ndarray) -> np.ndarray:
        """The places of the entries, sorted by key, then by position; equal ones keep their order. OPTIONAL: without, by key."""
        return np.argsort(self.keys_of(entries), kind="stable")

    def unique(self, entries: np.ndarray) -> np.ndarray:
        """One entry of each class, sorted by key: the one whose packed position is smallest, and the first of equal ones."""
        entries = entries[self.order(entries)]
        keys = self.keys_of(entries)
        first = np.ones(len(entries), bool)
        first[1:] = keys[1:] != keys[:-1]
        return entries[first]

    # values

    def solve(self, entries: np.ndarray, rules: R) -> None:
        """Fills `value` and `best` where they are unknown."""
        asked = np.flatnonzero(entries["value"] == self.unknown)
        options: SolveOptions[P, R] = SolveOptions(rules, threads=1, want=frozenset({BEST}))
        answers = self.game.answer_array(self.positions_of(entries[asked]), options)
        entries["value"][asked], entries["best"][asked] = answers.values, answers.best

    @abstractmethod
    def verify(self, entries: np.ndarray, rules: R) -> Mismatch | None:
        """The first wrong entry; None if all are right. Each entry is derived again from the positions that its turns lead to,
        by other code than the search that solved it."""

    @abstractmethod
    def impossible(self, entries: np.ndarray, rules: R) -> np.ndarray:
        """True where an entry cannot be right, whatever the following positions are worth: bool, shape (n,)."""

    @abstractmethod
    def best_turn(self, entry: np.ndarray, position: P, turned: bool, rules: R) -> T | None:
        """The best turn of an entry of shape (1,), as a turn of `position`, which is of the same class; None if it has no turn.

        turned: the entry holds the mirror image. Raises `IllegalTurnError` if the turn is not legal.
        """

    # words

    @abstractmethod
    def told(self, entry: np.void) -> str:
        """What an entry says about its position, in words. The entry may be nonsense."""

    def show(self, entry: np.void) -> str:
        """The position of an entry in notation; words if it is not well-formed."""
        try:
            return str(self.game.unpack(self.positions_of(np.atleast_1d(entry)))[0])
        except ValueError:
            return "a position that is not well-formed"
