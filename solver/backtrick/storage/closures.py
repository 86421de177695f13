"""Closures: a file of every position that can be reached from one, its root, with its value. A player can walk through it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from backtrick.answer import Bounds, Outcome, P, R, T
from backtrick.errors import (
    ForeignFileError,
    IllegalActionError,
    IllegalTurnError,
    MismatchError,
    OutsideClosureError,
    UsageError,
)
from backtrick.game import Game
from backtrick.storage.codec import Codec
from backtrick.storage.file import Reader
from backtrick.storage.kinds import Verification
from backtrick.storage.sets import CLOSURE, ROOT, SetType, SolvedSet, check_set

MOST = 1_000_000


def reachable(root: P, game: Game[P, T, R], codec: Codec[P, T, R], rules: R, most: int = MOST) -> np.ndarray:
    """The root and every position that legal turns lead to from it, packed: shape (n,), the root first.

    Raises `UsageError` if there are more than `most`.
    """
    found = {codec.pack([root]).tobytes()}
    order = list(found)
    level = [root]
    while level:
        following = []
        for position in level:
            for turn in game.legal_turns(position, rules):
                child = game.play(position, turn, rules)[1]
                if child is None or (packed := codec.pack([child]).tobytes()) in found:
                    continue
                if len(found) >= most:
                    raise UsageError(f"more than {most:,} positions can be reached from {root}, and no more were asked for")
                found.add(packed)
                order.append(packed)
                following.append(child)
        level = following
    return np.frombuffer(b"".join(order), codec.position_dtype)


class Closure(SolvedSet[P, T, R]):
    """A closure in a file, to walk through: look up a position, then one that a turn leads to, and so on.

    place: the file, or a reader of it. rules: None for those in the file's header. Raises what `SolvedSet` raises.
    """

    def __init__(self, place: str | Path | Reader, game: Game[P, T, R], codec: Codec[P, T, R], rules: R | None = None):
        super().__init__(place, codec, rules)
        self.game, header = game, self.reader.header
        if header.kind != CLOSURE:
            raise ForeignFileError(str(self.path), f"a {header.kind}, not a closure")
        try:
            self.root = game.parse(header.scheme[ROOT])
            if str(self.root) != header.scheme[ROOT]:
                raise self.corrupt(f"its root is not written as {self.root}")
        except ValueError as error:
            raise self.corrupt(f"its root is no position: {error}") from None

    def __contains__(self, position: P) -> bool:
        return self._place(position) >= 0

    def value(self, position: P) -> int:
        """The value of a position. Raises `OutsideClosureError` unless the closure holds it or its mirror image."""
        place = self._place(position)
        if place < 0:
            raise OutsideClosureError(position, self.root, str(self.path))
        return self._value_at(place)

    def _place(self, position: P) -> int:
        key, _ = self.codec.key(position, self.rules)
        return int(self.places(np.array([key], self.keys.dtype))[0])

    def _value_at(self, place: int) -> int:
        return int(self.entry(place)["value"][0])

    def _value_after(self, position: P, following: P) -> int:
        place = self._place(following)
        if place < 0:
            raise self.corrupt(f"it does not hold {following}, to which {position} leads")
        return self._value_at(place)

    def outcomes(self, position: P) -> tuple[Outcome[P, T], ...]:
        """Every distinct outcome of a position, best first as in `Answer.outcomes`. They are read, not searched for.

        Raises `OutsideClosureError`, and `MismatchError` if the position's value differs from that of its best turn.
        """
        game, stored = self.game, self.value(position)
        outcomes = game.outcomes_by(position, self.rules, partial(self._value_after, position))
        right = outcomes[0].bounds.lowest if outcomes else 0
        if stored != right:
            told = (game.show.value_text(Bounds(value, value)) for value in (stored, right))
            raise MismatchError(str(self.path), position, *told)
        return outcomes

    def best(self, position: P) -> T | None:
        """The first of the best turns; None if the game is over."""
        outcomes = self.outcomes(position)
        return outcomes[0].turn if outcomes else None


def verify_closure(closure: Closure[P, T, R]) -> int:
    """Verifies every entry of a closure; returns how many there are.

    The closure must hold exactly the positions that can be reached from its root. Each value is derived anew from the values of
    its children in the closure, by the readable rules and without a search.

    Raises `CorruptTableError`, and `MismatchError` that names the first position whose value or best turn is wrong.
    """
    check_set(closure)
    codec, rules = closure.codec, closure.rules
    try:
        asked = reachable(closure.root, closure.game, codec, rules, 2 * len(closure))
    except UsageError:
        raise closure.corrupt("it does not hold all that can be reached from its root") from None
    keys = np.unique(codec.keys(asked, rules)[0])
    if len(keys) != len(closure) or (keys != closure.keys).any():
        raise closure.corrupt("what it holds is not what can be reached from its root")
    for place, position in enumerate(codec.unpack(codec.positions_of(closure.entries))):
        entry, right = closure.entry(place), closure.best(position)
        try:
            stored = codec.best_turn(entry, position, False, rules)
        except (IllegalTurnError, IllegalActionError):
            raise closure.mismatch(entry[0], codec.told(entry[0]), right) from None
        if stored != right:
            raise closure.mismatch(entry[0], f"best turn {stored}", right)
    return len(closure)


class ClosureType(SetType[P, T, R]):
    """Closures of a game. They are verified without a search."""

    def open(self, reader: Reader) -> Closure[P, T, R]:
        return Closure(reader, self.game, self.codec)

    def verify(self, reader: Reader, how: Verification) -> list[str]:
        return [f"{verify_closure(self.open(reader))} positions"]
