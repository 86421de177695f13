"""The records of solved sets of Face to Face: a class of positions by key, one position of it, its remoteness, its best turn.

The key is a full canonical form: two positions have the same key iff they are of one class up to the mirror (`_keys.pxd` says
how it is made). The stored position is in the orientation that the key is of: its numbers as they were given, or mirrored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.core.arrays import as_positions
from solver.core.batches import over_ranges
from solver.core.errors import IllegalTurnError, PositionError
from solver.face_to_face import _records
from solver.face_to_face import rules as referee
from solver.face_to_face.options import PUBLISHED, Rules
from solver.face_to_face.position import POSITION_DTYPE, Position, pack, unpack
from solver.face_to_face.solving import best_many, objection, solve_many
from solver.face_to_face.turn import Turn, unpack_turn
from solver.storage.sets import NEVER

GAME = "face_to_face"
RECORD = np.dtype([("key", "<u8"), *((name, POSITION_DTYPE[name].str) for name in POSITION_DTYPE.names),
                   ("value", "u1"), ("best", "<u8")])  # fmt: skip
VALUES = range(6)
UNKNOWN = 255
CHUNK = 1 << 14
SHARD_CHUNKS = 8
SCHEME: dict[str, Any] = {
    "key": "hands-pattern-digits-1",
    "value": "remoteness",
    "best": "one byte a play from the lowest, card | pile << 6, 0 ends",
}


def rules_of(options: dict[str, Any]) -> Rules:
    """The rules that a header tells.

    >>> rules_of({"lone_card": True, "highest": 60, "step": 10})
    Rules(lone_card=True, highest=60, step=10)
    """
    return Rules(**options)


def keys_of_positions(
    positions: np.ndarray, rules: Rules = PUBLISHED, threads: int | None = 1
) -> tuple[np.ndarray, np.ndarray]:
    """The key of each position, 0 if the game is over (F12), and 1 where the key is of its mirror image: uint64 and uint8, (n,).

    Raises `PositionError` that names the place in the array if a position is not well-formed.

    >>> from solver.face_to_face import Position
    >>> two = Position.parse("27^40v:17,18 13^50v:5"), Position.parse("21^34v:43,44 11^48v:56")
    >>> keys, turned = keys_of_positions(pack(two))
    >>> int(keys[0] == keys[1]), int(turned.sum())
    (1, 1)
    """
    positions = as_positions(positions, POSITION_DTYPE)
    keys, turned = np.zeros(len(positions), np.uint64), np.zeros(len(positions), np.uint8)

    def work(start: int, stop: int) -> int:
        return _records.keys_range(positions, keys, turned, start, stop, rules.highest, rules.step)

    place = over_ranges(work, len(positions), threads=threads, progress=False)
    if place >= 0:
        raise objection(positions, place, rules)
    return keys, turned


def mirrored(positions: np.ndarray, rules: Rules = PUBLISHED) -> np.ndarray:
    """The mirror image of each position: v -> 61 - v, ascending and descending piles exchanged."""
    positions = as_positions(positions, POSITION_DTYPE)
    images = np.empty(len(positions), POSITION_DTYPE)
    _records.mirror_range(positions, images, 0, len(positions), rules.highest)
    return images


def canonical_records(positions: np.ndarray, rules: Rules = PUBLISHED) -> np.ndarray:
    """The record of each position, not solved: `RECORD`, shape (n,). Raises `PositionError` that names the place in the array."""
    keys, turned = keys_of_positions(positions, rules)
    if len(over := np.flatnonzero(keys == 0)):
        place = f"position {over[0]} of the array, the opponent's hand"
        raise PositionError(None, place, "it is empty, so the game is over", "F12")
    records = np.zeros(len(positions), RECORD)
    chosen = np.array(positions, POSITION_DTYPE)
    chosen[turned == 1] = mirrored(chosen[turned == 1], rules)
    for name in POSITION_DTYPE.names:
        records[name] = chosen[name]
    records["key"], records["value"] = keys, UNKNOWN
    return records


def order(records: np.ndarray) -> np.ndarray:
    """The places of the records by key, then by position field by field, then as they are."""
    return np.lexsort([records[name] for name in reversed(POSITION_DTYPE.names)] + [records["key"]])


def keys_of(records: np.ndarray) -> np.ndarray:
    """The keys of records: uint64, shape (n,)."""
    return records["key"]


def positions_of(records: np.ndarray) -> np.ndarray:
    """The positions of records: `POSITION_DTYPE`, shape (n,)."""
    positions = np.empty(len(records), POSITION_DTYPE)
    for name in POSITION_DTYPE.names:
        positions[name] = records[name]
    return positions


def solve_records(records: np.ndarray, rules: Rules) -> None:
    """Fills `value` and `best` where they are unknown."""
    asked = np.flatnonzero(records["value"] == UNKNOWN)
    positions = positions_of(records[asked])
    records["value"][asked] = solve_many(positions, 1, rules, progress=False)
    records["best"][asked] = best_many(positions, 1, rules, progress=False)


def verify_records(records: np.ndarray, rules: Rules) -> tuple[int, object, object] | None:
    """Derives each remoteness from those of all outcomes, each solved as a position of its own, and plays each best turn by the
    readable rules (`rules.after`) to see that it is legal and keeps the value. Returns None, or the place of the first lie,
    what is stored and what is right.
    """
    derived = np.empty(len(records), np.uint8)
    _records.derive_range(positions_of(records), derived, 0, len(records), rules.highest, rules.step, rules.lone_card)
    wrong, never = derived != records["value"], impossible(records, rules)
    lies: dict[int, tuple[object, object]] = {int(place): (told(records[place]), NEVER) for place in np.flatnonzero(never)[:1]}
    for place in np.flatnonzero(wrong)[:1].tolist():
        lies.setdefault(place, (int(records["value"][place]), int(derived[place])))
    turns = [None if bad else unpack_turn(best) for bad, best in zip(never, records["best"].tolist(), strict=True)]
    following, played = [], []
    for place, position in enumerate(unpack(positions_of(records))):
        turn = turns[place]
        if turn is None:
            continue
        try:
            following.append(referee.after(position, turn, rules))
            played.append(place)
        except IllegalTurnError as error:
            lies.setdefault(place, (f"best turn {turn}", f"no such turn: {error}"))
    after = 1 + solve_many(pack(following), 1, rules, progress=False) if following else np.zeros(0, np.uint8)
    for place, value in zip(played, after.tolist(), strict=True):
        if value != derived[place]:
            lies.setdefault(place, (f"best turn {turns[place]}, which gives {value}", int(derived[place])))
            break
    return (min(lies), *lies[min(lies)]) if lies else None


def show(record: np.ndarray) -> str:
    """The position of a record in notation. Raises `PositionError` if it is not well-formed."""
    return str(unpack(positions_of(np.atleast_1d(record)))[0])


def told(record: np.ndarray) -> str:
    """What a record says of its position."""
    return f"remoteness {record['value']}, best turn {int(record['best']):#x}"


def impossible(records: np.ndarray, rules: Rules) -> np.ndarray:
    """Which records cannot be true, whatever the rest of the game is worth: bool, shape (n,).

    Those whose position is not well-formed or not of the key's class, whose remoteness there is not, and whose best turn is not
    of cards of the hand, too short (F3, F13), or not there though one must be.
    """
    found = _misplaced(records, rules) | (records["value"] > VALUES[-1])
    best, left = records["best"].copy(), records["mover_hand"].copy()
    least = np.where(rules.lone_card & (left & left - np.uint64(1) == 0), 1, 2)
    plays, ended = np.zeros(len(records), np.uint8), np.zeros(len(records), bool)
    for _ in range(8):
        play, card = best & np.uint64(255), np.uint64(1) << (best & np.uint64(63))
        laid = play != 0
        found |= laid & (ended | (left & card == 0))
        left &= ~np.where(laid, card, np.uint64(0))
        plays += laid
        ended |= ~laid
        best >>= np.uint64(8)
    return found | ((plays != 0) & (plays < least)) | ((plays == 0) != (records["value"] == 0))


def _misplaced(records: np.ndarray, rules: Rules) -> np.ndarray:
    keys, turned = np.zeros(len(records), np.uint64), np.zeros(len(records), np.uint8)
    place = _records.keys_range(positions_of(records), keys, turned, 0, len(records), rules.highest, rules.step)
    found = (keys != records["key"]) | (turned != 0)
    if place >= 0:  # those behind it have no key yet
        found[place:] = np.arange(len(records) - place) == 0
    return found


def best_turn_for(record: np.ndarray, position: Position, turned: bool, rules: Rules) -> Turn | None:
    """The best turn of a record, of shape (1,), as one of `position`, which is of the same class; `turned`: of its mirror image.

    Raises `IllegalTurnError` if it is none there.
    """
    carried = np.zeros(1, np.uint64)
    hand = np.array([position.packed[0]], np.uint64)
    if _records.carry_turns(record["best"], record["mover_hand"], hand, np.array([turned], np.uint8), carried) >= 0:
        raise IllegalTurnError(f"{int(record['best'][0]):#x}", None, "it is not of cards of the hand", "F3")
    turn = unpack_turn(int(carried[0]))
    if turn is not None:
        referee.after(position, turn, rules)
    return turn
