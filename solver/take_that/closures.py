"""Closures: every position that can be reached from one, its root, with its value, as a table that a player can walk through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from solver.core.answer import Outcome
from solver.core.errors import ForeignFileError, LieError, OutsideClosureError, UsageError
from solver.storage import sets
from solver.storage.file import Header, Reader
from solver.take_that import records
from solver.take_that.action import Action
from solver.take_that.options import PUBLISHED, Rules
from solver.take_that.position import POSITION_DTYPE, Position, unpack
from solver.take_that.rules import successors

MOST = 1_000_000


def reachable(root: Position, rules: Rules = PUBLISHED, most: int = MOST) -> np.ndarray:
    """The root and every position that legal actions lead to from it: `POSITION_DTYPE`, shape (n,), the root first.

    Raises `UsageError` if there are more than `most`.

    >>> len(reachable(Position.parse("15,43,44 21,53 51-62-35")))
    17
    """
    found = {root.packed: None}
    level = [root]
    while level:
        following = []
        for position in level:
            for _, _, child in successors(position, rules):
                if child is not None and child.packed not in found:
                    if len(found) >= most:
                        raise UsageError(f"more than {most:,} positions can be reached from {root}, and no more were asked for")
                    found[child.packed] = None
                    following.append(child)
        level = following
    return np.frombuffer(b"".join(found), POSITION_DTYPE)


def build_closure(
    directory: str | Path, name: str, root: Position, rules: Rules = PUBLISHED, *, most: int = MOST, **how: Any
) -> Header:
    """Solves all that can be reached from `root` into DIRECTORY/NAME.closure.h5; returns its header.

    They are counted before anything is solved; `UsageError` if there are more than `most`. A position and its mirror image are
    one entry. If the file is there already with this root and these rules it is left as it is; with `force` it is built anew.
    how: `force`, `processes`, `executor`, `progress`, as in `solver.storage.sets.build_set`, which says what else it raises.
    """
    path = sets.path_of(directory, name, sets.CLOSURE)
    if path.exists() and not how.get("force"):
        there = Closure(path, rules)
        if there.root != root:
            raise UsageError(f"{path} is the closure of {there.root}; take another name, or force it")
        return there.reader.header
    return sets.build_set(path, reachable(root, rules, most), records, rules, scheme={"root": str(root)}, **how)


class Closure(sets.SolvedSet):
    """A closure in a file, to walk through: ask it a position, and go on with one of those its actions lead to.

    >>> import tempfile
    >>> root, directory = Position.parse("15,43,44 21,53 51-62-35"), tempfile.mkdtemp()
    >>> _ = build_closure(directory, "small", root, processes=0)
    >>> closure = open_closure(directory, "small")
    >>> for ranked in closure.actions(closure.root):
    ...     print(ranked.turn, ranked.points, ranked.value, ranked.position)
    44 0 6 21,53 15,43 51-62-35-44
    43 0 4 21,53 15,44 51-62-35-43
    15x51 2 -1 21,53 43,44 62-35
    take -3 -3 None
    >>> closure.value(closure.actions(closure.root)[0].position)
    -6
    """

    def __init__(self, place: str | Path | Reader, rules: Rules | None = None):
        super().__init__(place, records, rules)
        header = self.reader.header
        if header.kind != sets.CLOSURE:
            raise ForeignFileError(str(self.path), f"a {header.kind}, not a closure")
        try:
            self.root = Position.parse(header.scheme["root"])
            if str(self.root) != header.scheme["root"]:
                raise self.corrupt(f"its root is not written as {self.root}")
        except ValueError as error:
            raise self.corrupt(f"its root is no position: {error}") from None

    def __contains__(self, position: Position) -> bool:
        return self._place(position) >= 0

    def value(self, position: Position) -> int:
        """The value of a position in points. Raises `OutsideClosureError`; the mirror image of what is inside is inside too."""
        place = self._place(position)
        if place < 0:
            raise OutsideClosureError(position, self.root, str(self.path))
        return self._value_at(place)

    def _value_at(self, place: int) -> int:
        return int(self.record(place)["value"][0])

    def _value_after(self, position: Position, following: Position) -> int:
        place = self._place(following)
        if place < 0:
            raise self.corrupt(f"it does not hold {following}, to which {position} leads")
        return self._value_at(place)

    def actions(self, position: Position) -> tuple[Outcome[Position, Action], ...]:
        """Every legal action with the value of playing it, best first as in `Answer.outcomes`, read and not searched for.

        Raises `OutsideClosureError`, and `LieError` if the position's value is not that of its best action.
        """
        stored = self.value(position)
        ranked = [
            Outcome(action, points - (self._value_after(position, following) if following else 0), following, points)
            for action, points, following in successors(position, self.rules)
        ]
        ranked.sort(key=lambda one: -one.value)
        right = ranked[0].value if ranked else 0
        if stored != right:
            raise LieError(str(self.path), position, f"{stored} points", f"{right}")
        return tuple(ranked)

    def best(self, position: Position) -> Action | None:
        """The first of the best actions; None if the round is over."""
        ranked = self.actions(position)
        return ranked[0].turn if ranked else None

    def _place(self, position: Position) -> int:
        key, _ = records.find_key(position)
        return int(self.places(np.array([key], self.keys.dtype))[0])


def open_closure(directory: str | Path, name: str, rules: Rules | None = None) -> Closure:
    """The closure of that name in a directory. rules: None for those that the file tells."""
    return Closure(sets.path_of(directory, name, sets.CLOSURE), rules)


def verify_closure(place: str | Path | Reader | Closure) -> int:
    """Checks that a closure holds all that can be reached from its root and nothing else, and derives every value from those of
    its children in it, by the readable rules and without a search. Returns how many it verified.

    place: the file, a reader of it, or the closure. Raises `CorruptTableError`, and `LieError` that names the first position
    whose value or best action is wrong.
    """
    closure = place if isinstance(place, Closure) else Closure(place)
    sets.check_set(closure)
    try:
        asked = reachable(closure.root, closure.rules, 2 * len(closure))
    except UsageError:
        raise closure.corrupt("it does not hold all that can be reached from its root") from None
    keys = np.unique(records.keys_of_positions(asked)[0])
    if len(keys) != len(closure) or (keys != closure.keys).any():
        raise closure.corrupt("what it holds is not what can be reached from its root")
    for record, position in zip(closure.records, unpack(records.positions_of(closure.records)), strict=True):
        ranked = closure.actions(position)
        best = records.action_of(int(record["best"]))
        if best != (ranked[0].turn if ranked else None):
            raise LieError(str(closure.path), position, f"best action {best}", f"{ranked[0].turn if ranked else None}")
    return len(closure)
