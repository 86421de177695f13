"""What storage must know of a game to keep its positions solved: one `Codec` a game.

An *entry* is one item of a solved set: a class of positions, with the position that stands for it, its value and its best turn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, ClassVar, Generic, NamedTuple, Union, cast

import numpy as np

from solver.core.answer import P, R, T

Key = Union[np.generic, bytes]  # noqa: UP007, it is made when the module is read
"""The key of one class: whatever can be looked for among the keys of a set."""

NEVER = "nothing of the kind"
"""What the turns of a position lead to, if its entry cannot be true."""


class Mismatch(NamedTuple):
    """An entry that is not right: its place among those that were looked at, what it says, and what is right."""

    place: int
    stored: object
    derived: object


class Codec(ABC, Generic[P, T, R]):
    """How positions of a game become entries, and entries answers. It has no state, so that a worker can be handed one.

    Two positions share a key if and only if they are of one class.

    game:           its name, as headers tell it
    make_rules:     makes rules, a dataclass, from options by name
    position_dtype: of packed positions
    dtype:          of an entry; its fields `value` and `best` are what was solved, the others say which position it is of
    values:         that a position can have
    unknown:        what `value` is in an entry that is not solved
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
        """The rules that a header tells. Raises `TypeError` or `ValueError` if it tells none."""
        return self.make_rules(**options)

    def options_of(self, rules: R) -> dict[str, object]:
        """The rules as a header tells them."""
        return asdict(cast(Any, rules))

    # positions, and the keys of their classes

    @abstractmethod
    def pack(self, positions: Iterable[P]) -> np.ndarray:
        """The positions as an array of `position_dtype`, shape (n,)."""

    @abstractmethod
    def unpack(self, positions: np.ndarray) -> list[P]:
        """The positions of such an array. Raises `PositionError` if one is not well-formed."""

    @abstractmethod
    def keys(self, positions: np.ndarray, rules: R, threads: int | None = 1) -> tuple[np.ndarray, np.ndarray]:
        """The key of each position, and 1 where it is of the mirror image: two arrays of shape (n,).

        Raises `PositionError` that names the place in the array, if a key can only be made of what is well-formed.
        """

    def key(self, position: P, rules: R) -> tuple[Key, bool]:
        """The key of one position, and whether it is of the mirror image."""
        keys, turned = self.keys(self.pack([position]), rules)
        return keys[0], bool(turned[0])

    # entries

    @abstractmethod
    def entries(self, positions: np.ndarray, rules: R) -> np.ndarray:
        """The entry of each position, not solved: `dtype`, shape (n,). Raises `PositionError` that names the place."""

    @abstractmethod
    def keys_of(self, entries: np.ndarray) -> np.ndarray:
        """The keys of entries: one array whose items compare as the classes do."""

    @abstractmethod
    def positions_of(self, entries: np.ndarray) -> np.ndarray:
        """The positions that stand for the classes: `position_dtype`, shape (n,)."""

    @abstractmethod
    def order(self, entries: np.ndarray) -> np.ndarray:
        """The places of the entries by key, then by position, then as they are."""

    def unique(self, entries: np.ndarray) -> np.ndarray:
        """The entries by key: of each class the one whose position packs smallest, and of equal ones the first."""
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
        """Derives each entry from those its turns lead to, by code that is not the search that solved it. None if all are right,
        else the first that is not."""

    @abstractmethod
    def impossible(self, entries: np.ndarray, rules: R) -> np.ndarray:
        """Which entries cannot be true, whatever the rest of the game is worth: bool, shape (n,)."""

    @abstractmethod
    def best_turn(self, entry: np.ndarray, position: P, turned: bool, rules: R) -> T | None:
        """The best turn of an entry, of shape (1,), as one of `position`, which is of the same class; None if there is none.

        turned: the entry is of its mirror image. Raises `IllegalTurnError` or `IllegalActionError` if it is no turn there.
        """

    # words

    @abstractmethod
    def told(self, entry: np.void) -> str:
        """What an entry says of its position, though it may be nonsense."""

    def show(self, entry: np.void) -> str:
        """The position of an entry in notation; words if it is not well-formed."""
        try:
            return str(self.unpack(self.positions_of(np.atleast_1d(entry)))[0])
        except ValueError:
            return "a position that is not well-formed"
