"""How solved positions of Face to Face are stored: `CODEC`.

The key is a full canonical form: two positions have the same key if and only if they are of one class, or their classes are
mirror images (`_classes.pxd` says how a key is made). An entry stores the position of its key: as it was given, or mirrored.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

import backtrick.face_to_face._classes as _classes
from backtrick.errors import IllegalTurnError, PositionError
from backtrick.face_to_face import rules as referee
from backtrick.face_to_face.game import GAME
from backtrick.face_to_face.position import FIELDS, POSITION_DTYPE, Position, error_at, pack, unpack
from backtrick.face_to_face.rule_options import BACK, HIGHEST, Rules
from backtrick.face_to_face.solving import solve_many
from backtrick.face_to_face.turn import Turn, unpack_turn
from backtrick.notation import as_positions
from backtrick.storage.codec import NEVER, Codec, Mismatch
from backtrick.threads import fill_ranges

_FIXED: dict[str, object] = {"highest": HIGHEST, "step": BACK}
"""What the header of a solved set says besides the rule options: once they were such, and digests depend on the header."""


class FaceToFaceCodec(Codec[Position, Turn, Rules]):
    """Entries of Face to Face: the key, the position field by field, the remoteness, the best turn packed.

    >>> CODEC.rules_of({"lone_card": True, "highest": 60, "step": 10})
    Rules(lone_card=True)
    >>> two = Position.parse("27^40v:17,18 13^50v:5"), Position.parse("21^34v:43,44 11^48v:56")
    >>> keys, turned = CODEC.keys(pack(two), Rules())
    >>> int(keys[0] == keys[1]), int(turned.sum())
    (1, 1)
    """

    game = GAME
    dtype = np.dtype([
        ("key", "<u8"), *((name, POSITION_DTYPE[name].str) for name in FIELDS),
        ("value", "u1"), ("best", "<u8"),
    ])  # fmt: skip
    values = range(6)
    unknown = 255
    chunk = 1 << 14
    shard_chunks = 8
    scheme = {
        "key": "hands-pattern-digits-1",
        "value": "remoteness",
        "best": "one byte a play from the lowest, card | pile << 6, 0 ends",
    }

    def rules_of(self, options: Mapping[str, object]) -> Rules:
        found = super().rules_of({name: value for name, value in options.items() if name not in _FIXED})
        if any(options.get(name, value) != value for name, value in _FIXED.items()):
            raise ValueError("a small deck is now cards of the published deck: solve its positions again with those numbers")
        return found

    def options_of(self, rules: Rules) -> dict[str, object]:
        return super().options_of(rules) | _FIXED

    def keys(self, positions: np.ndarray, rules: Rules, threads: int | None = 1) -> tuple[np.ndarray, np.ndarray]:
        """As `Codec.keys`: uint64; 0 if the game is over (F12). Raises `PositionError` if a position is not well-formed."""
        positions = as_positions(positions, POSITION_DTYPE)
        keys, turned = np.zeros(len(positions), np.uint64), np.zeros(len(positions), np.uint8)

        def work(start: int, stop: int) -> int:
            return _classes.keys_range(positions, keys, turned, start, stop)

        fill_ranges(work, len(positions), threads=threads, progress=False, error=partial(error_at, positions))
        return keys, turned

    def key(self, position: Position, rules: Rules) -> tuple[np.uint64, bool]:
        key, turned = _classes.key(position.packed)
        return np.uint64(key), turned

    def entries(self, positions: np.ndarray, rules: Rules) -> np.ndarray:
        keys, turned = self.keys(positions, rules)
        if len(over := np.flatnonzero(keys == 0)):
            place = f"position {over[0]} of the array, the opponent's hand"
            raise PositionError(None, place, "it is empty, so the game is over", "F12")
        chosen = np.array(positions, POSITION_DTYPE)
        chosen[turned == 1] = mirrored(chosen[turned == 1])
        entries = np.zeros(len(positions), self.dtype)
        _copy_fields(chosen, entries)
        entries["key"], entries["value"] = keys, self.unknown
        return entries

    def positions_of(self, entries: np.ndarray) -> np.ndarray:
        return positions_in(entries)

    def order(self, entries: np.ndarray) -> np.ndarray:
        fields = [entries[name] for name in reversed(FIELDS)]
        return np.lexsort([*fields, entries["key"]])

    def verify(self, entries: np.ndarray, rules: Rules) -> Mismatch | None:
        """As `Codec.verify`. Each remoteness is derived from all outcomes, each solved as a position of its own. Each best turn
        is played by the readable rules (`rules.after`): it must be legal and keep the value."""
        derived = np.empty(len(entries), np.uint8)
        _classes.derive_range(self.positions_of(entries), derived, 0, len(entries), rules.code)
        never = self.impossible(entries, rules)
        found = [Mismatch(place, self.told(entries[place]), NEVER) for place in np.flatnonzero(never)[:1].tolist()]
        for place in np.flatnonzero(derived != entries["value"])[:1].tolist():
            found.append(Mismatch(place, int(entries["value"][place]), int(derived[place])))
        found += _wrong_turns(self.positions_of(entries), np.where(never, 0, entries["best"]), derived, rules)
        return min(found, key=lambda one: one.place, default=None)

    def impossible(self, entries: np.ndarray, rules: Rules) -> np.ndarray:
        """As `Codec.impossible`. An entry is impossible if its position is not well-formed or not of its key's class; if its
        remoteness is above 5; or if its best turn lays a card that is not in the hand, is too short (F3, F13), or is missing
        where there must be one."""
        found = self._misplaced(entries) | (entries["value"] > self.values[-1])
        best, left = entries["best"].copy(), entries["mover_hand"].copy()
        least = np.where(rules.lone_card & (left & left - np.uint64(1) == 0), 1, 2)
        plays, ended = np.zeros(len(entries), np.uint8), np.zeros(len(entries), bool)
        for _ in range(8):
            play, card = best & np.uint64(255), np.uint64(1) << (best & np.uint64(63))
            laid = play != 0
            found |= laid & (ended | (left & card == 0))
            left &= ~np.where(laid, card, np.uint64(0))
            plays += laid
            ended |= ~laid
            best >>= np.uint64(8)
        return found | ((plays != 0) & (plays < least)) | ((plays == 0) != (entries["value"] == 0))

    def _misplaced(self, entries: np.ndarray) -> np.ndarray:
        keys, turned = np.zeros(len(entries), np.uint64), np.zeros(len(entries), np.uint8)
        place = _classes.keys_range(self.positions_of(entries), keys, turned, 0, len(entries))
        found = (keys != entries["key"]) | (turned != 0)
        if place >= 0:  # the positions after it have no key yet
            found[place:] = np.arange(len(entries) - place) == 0
        return found

    def best_turn(self, entry: np.ndarray, position: Position, turned: bool, rules: Rules) -> Turn | None:
        """As `Codec.best_turn`. A card becomes the card at the same place in the hand; the mirror reverses places and piles. An
        entry whose turn is not of its hand is `impossible`, and was refused before."""
        carried = np.zeros(1, np.uint64)
        hand = np.array([position.packed[0]], np.uint64)
        _classes.carry_turns(entry["best"], entry["mover_hand"], hand, np.array([turned], np.uint8), carried)
        turn = unpack_turn(int(carried[0]))
        if turn is not None:
            referee.after(position, turn, rules)
        return turn

    def told(self, entry: np.void) -> str:
        return f"remoteness {entry['value']}, best turn {int(entry['best']):#x}"


def _wrong_turns(positions: np.ndarray, best: np.ndarray, derived: np.ndarray, rules: Rules) -> list[Mismatch]:
    """The first best turn that is illegal, and the first that loses value: 0..2 mismatches. best: packed turns, 0 for none."""
    places, following, wrong = [], [], []
    for place, (position, turn) in enumerate(zip(unpack(positions), map(unpack_turn, best.tolist()), strict=True)):
        if turn is None:
            continue
        try:
            following.append(referee.after(position, turn, rules))
            places.append(place)
        except IllegalTurnError as error:
            wrong.append(Mismatch(place, f"best turn {turn}", f"no such turn: {error}"))
            break
    kept = 1 + solve_many(pack(following), 1, rules, progress=False)
    for place, value in zip(places, kept.tolist(), strict=True):
        if value != derived[place]:
            turn = unpack_turn(int(best[place]))
            wrong.append(Mismatch(place, f"best turn {turn}, which gives {value}", int(derived[place])))
            break
    return wrong


def positions_in(rows: np.ndarray) -> np.ndarray:
    """The position fields of a structured array, as `POSITION_DTYPE`, shape (n,)."""
    positions = np.empty(len(rows), POSITION_DTYPE)
    _copy_fields(rows, positions)
    return positions


def _copy_fields(source: np.ndarray, target: np.ndarray) -> None:
    for name in FIELDS:
        target[name] = source[name]


def mirrored(positions: np.ndarray) -> np.ndarray:
    """The mirror image of each position: v -> 61 - v, ascending and descending piles exchanged."""
    positions = as_positions(positions, POSITION_DTYPE)
    images = np.empty(len(positions), POSITION_DTYPE)
    _classes.mirror_range(positions, images, 0, len(positions))
    return images


CODEC: FaceToFaceCodec = FaceToFaceCodec()
