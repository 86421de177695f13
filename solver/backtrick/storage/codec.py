"""What storage must know about a game to keep solved positions of it: one `Codec` a game.

An *entry* is one item of a solved set: a class of positions, with the position that stands for it, its value and its best turn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, ClassVar, Generic, NamedTuple, Union, cast

import numpy as np

from backtrick.answer import P, R, T

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

    game:           its name in headers
    make_rules:     makes rules, a dataclass, from options by name
    position_dtype: of packed positions
    dtype:          of an entry: `value` and `best` are what was solved, the other fields hold the position
    values:         all values that a position can have
    unknown:        the `value` of an entry that is not solved yet
    chunk:          entries in a chunk of a file; shard_chunks: chunks in a shard, some seconds of work
    scheme:         how an entry is read, for the header
    """

    game: ClassVar[str]
    make_rules: Callable[..., R]
    position_dtype: ClassVar[np.dtype]
    dtype: ClassVar[np.dtype]
    values: ClassVar[range]
    unknown: ClassVar[int]
    chunk: ClassVar[int]
    shard_chunks: ClassVar[int]
    scheme: ClassVar[Mapping[str, str]]

    # rules and headers

    def rules_of(self, options: Mapping[str, object]) -> R:
        """The rules of a header's options. Raises `TypeError` or `ValueError` if the game has no such rules."""
        return self.make_rules(**options)

    def options_of(self, rules: R) -> dict[str, object]:
        """The rules as options by name, for a header."""
        return asdict(cast(Any, rules))

    # positions, and the keys of their classes

    @abstractmethod
    def pack(self, positions: Iterable[P]) -> np.ndarray:
        """The positions as an array of `position_dtype`, shape (n,)."""

    @abstractmethod
    def unpack(self, array: np.ndarray) -> list[P]:
        """The positions of an array that `pack` made. Raises `PositionError` if one is not well-formed."""

    @abstractmethod
    def keys(self, positions: np.ndarray, rules: R, threads: int | None = 1) -> tuple[np.ndarray, np.ndarray]:
        """The key of each position, and 1 where it is the key of the mirror image: two arrays of shape (n,).

        A game whose keys need well-formed positions raises `PositionError`, which names the place in the array.
        """

    def key(self, position: P, rules: R) -> tuple[Key, bool]:
        """The key of one position, and True if it is the key of the mirror image."""
        keys, turned = self.keys(self.pack([position]), rules)
        return keys[0], bool(turned[0])

    # entries

    @abstractmethod
    def entries(self, positions: np.ndarray, rules: R) -> np.ndarray:
        """The entry of each position, not solved yet: `dtype`, shape (n,). Raises `PositionError`, which names the place."""

    @abstractmethod
    def keys_of(self, entries: np.ndarray) -> np.ndarray:
        """The keys of entries, one array: two are equal if and only if the classes are."""

    @abstractmethod
    def positions_of(self, entries: np.ndarray) -> np.ndarray:
        """The positions that stand for the classes: `position_dtype`, shape (n,)."""

    @abstractmethod
    def order(self, entries: np.ndarray) -> np.ndarray:
        """The places of the entries, sorted by key, then by position; equal ones keep their order."""

    def unique(self, entries: np.ndarray) -> np.ndarray:
        """One entry of each class, sorted by key: the one whose packed position is smallest, and the first of equal ones."""
        entries = entries[self.order(entries)]
        keys = self.keys_of(entries)
        first = np.ones(len(entries), bool)
        first[1:] = keys[1:] != keys[:-1]
        return entries[first]

    # values

    @abstractmethod
    def solved(self, positions: np.ndarray, rules: R) -> tuple[np.ndarray, np.ndarray]:
        """The value and the best turn of each position, as entries hold them."""

    def solve(self, entries: np.ndarray, rules: R) -> None:
        """Fills `value` and `best` where they are unknown."""
        asked = np.flatnonzero(entries["value"] == self.unknown)
        entries["value"][asked], entries["best"][asked] = self.solved(self.positions_of(entries[asked]), rules)

    @abstractmethod
    def verify(self, entries: np.ndarray, rules: R) -> Mismatch | None:
        """The first wrong entry; None if all are right. Each entry is derived anew from the positions that its turns lead to,
        by other code than the search that solved it."""

    @abstractmethod
    def impossible(self, entries: np.ndarray, rules: R) -> np.ndarray:
        """True where an entry cannot be right, whatever the following positions are worth: bool, shape (n,)."""

    @abstractmethod
    def best_turn(self, entry: np.ndarray, position: P, turned: bool, rules: R) -> T | None:
        """The best turn of an entry of shape (1,), as a turn of `position`, which is of the same class; None if it has no turn.

        turned: the entry holds the mirror image. Raises `IllegalTurnError` or `IllegalActionError` if the turn is not legal.
        """

    # words

    @abstractmethod
    def told(self, entry: np.void) -> str:
        """What an entry says about its position, in words. The entry may be nonsense."""

    def show(self, entry: np.void) -> str:
        """The position of an entry in notation; words if it is not well-formed."""
        try:
            return str(self.unpack(self.positions_of(np.atleast_1d(entry)))[0])
        except ValueError:
            return "a position that is not well-formed"
