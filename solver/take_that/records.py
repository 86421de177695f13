"""The records of solved sets of Take That: a position or its mirror image, its value, its best action.

Whichever of the two packs smaller stands for both (`position.canonical`), and its bytes are the key.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.core.arrays import as_positions
from solver.core.errors import PositionError
from solver.take_that import rules as referee
from solver.take_that.action import Action, mirror_action, unpack_action
from solver.take_that.cards import DECK, TWIST_POINTS, cost, mirror_card, twisted
from solver.take_that.options import ENDS, Rules
from solver.take_that.position import HAND_SIZE, LONGEST_LINE, POSITION_DTYPE, Position, canonical, pack, unpack
from solver.take_that.solving import solve_many, values_and_best_many

GAME = "take_that"
RECORD = np.dtype([("position", f"S{POSITION_DTYPE.itemsize}"), ("value", "<i2"), ("best", "u1")])
MOST = HAND_SIZE * TWIST_POINTS + cost(DECK)  # all of a hand twisted, and the other takes all cards that there are
VALUES = range(-MOST, MOST + 1)
UNKNOWN = -32768
CHUNK = 1 << 10
SHARD_CHUNKS = 8
SCHEME: dict[str, Any] = {
    "position": f"{HAND_SIZE} bytes the mover's hand, {HAND_SIZE} the opponent's, {LONGEST_LINE} the line, filled up with zeros",
    "value": "points",
    "best": "the card laid, 128 + the hand card of a twist, 1 taking, 0 none",
}

_TWISTED = np.array([twisted(card) if card in DECK else 0 for card in range(128)], np.uint8)
_MIRRORED = np.zeros(256, np.uint8)
for _card in range(1, 110):
    _MIRRORED[_card] = mirror_card(_card)


def rules_of(options: dict[str, Any]) -> Rules:
    """The rules that a header tells.

    >>> rules_of({"forced_only": True, "empty_line": "opens"})
    Rules(forced_only=True, empty_line='opens')
    """
    return Rules(**options)


def keys_of_positions(positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The key of each position, and 1 where it is its mirror image's: 'S97' and uint8, shape (n,).

    >>> keys, turned = keys_of_positions(pack([Position.parse("12,33 21,94 34-41-49"), Position.parse("77,98 16,89 76-69-61")]))
    >>> bool(keys[0] == keys[1]), turned
    (True, array([0, 1], dtype=uint8))
    """
    positions = np.ascontiguousarray(as_positions(positions, POSITION_DTYPE))
    images = np.zeros(len(positions), POSITION_DTYPE)
    for name in ("mover", "opponent"):  # a hand is written ascending, and so is its image from the other end
        cards = _MIRRORED[positions[name]]
        images[name] = np.take_along_axis(cards, _reversed_order(positions[name]), axis=1)
    images["line"] = _MIRRORED[positions["line"]]
    keys, image_keys = positions.view(RECORD["position"]), images.view(RECORD["position"])
    turned = image_keys < keys
    return np.where(turned, image_keys, keys), turned.astype(np.uint8)


def _reversed_order(hands: np.ndarray) -> np.ndarray:
    """The places of each hand's cards from the last to the first, then those of the fill."""
    counts = np.count_nonzero(hands, axis=1)[:, None]
    places = np.arange(hands.shape[1])[None, :]
    return np.where(places < counts, counts - 1 - places, places)


def canonical_records(positions: np.ndarray, rules: Rules) -> np.ndarray:
    """The record of each position, not solved: `RECORD`, shape (n,). Raises `PositionError` that names the place in the array."""
    keys, _ = keys_of_positions(positions)
    for start in range(0, len(positions), CHUNK):
        _check_well_formed(np.asarray(positions)[start : start + CHUNK], start)
    records = np.zeros(len(positions), RECORD)
    records["position"], records["value"] = keys, UNKNOWN
    return records


def _check_well_formed(positions: np.ndarray, start: int) -> None:
    try:
        again = pack(unpack(positions))
    except PositionError:
        again = None
    if again is not None and (again == positions).all():
        return
    for place in range(len(positions)):
        name = f"position {start + place} of the array"
        try:
            whole = pack(unpack(positions[place : place + 1]))
        except PositionError as error:
            raise PositionError(error.number, f"{name}, {error.place}", error.problem, error.rule) from None
        if whole[0] != positions[place]:
            raise PositionError(None, name, "a hand is not ascending, or a card stands after the fill", "POSITION_DTYPE")


def order(records: np.ndarray) -> np.ndarray:
    """The places of the records by key, then as they are."""
    return np.argsort(keys_of(records), kind="stable")


def keys_of(records: np.ndarray) -> np.ndarray:
    """The keys of records: 'S97', shape (n,)."""
    return np.ascontiguousarray(records["position"])


def positions_of(records: np.ndarray) -> np.ndarray:
    """The positions of records: `POSITION_DTYPE`, shape (n,)."""
    return keys_of(records).view(POSITION_DTYPE)


def solve_records(records: np.ndarray, rules: Rules) -> None:
    """Fills `value` and `best` where they are unknown."""
    asked = np.flatnonzero(records["value"] == UNKNOWN)
    records["value"][asked], records["best"][asked] = values_and_best_many(positions_of(records[asked]), 1, rules, progress=False)


def verify_records(records: np.ndarray, rules: Rules) -> tuple[int, object, object] | None:
    """Derives each record from its actions by the readable rules (`rules.successors`), the positions they lead to solved each by
    itself. Returns None, or the place of the first lie, what is stored and what is right.
    """
    children: list[Position] = []
    entries = []  # place, action, points, place among the children or None
    for place, position in enumerate(unpack(positions_of(records))):
        for action, points, following in referee.successors(position, rules):
            entries.append((place, action, points, None if following is None else len(children)))
            if following is not None:
                children.append(following)
    worth = solve_many(pack(children), 1, rules, progress=False).tolist() if children else []
    best: dict[int, tuple[int, Action]] = {}
    for place, action, points, child in entries:
        value = points - (0 if child is None else worth[child])
        if place not in best or value > best[place][0]:
            best[place] = value, action
    for place, (value, packed) in enumerate(zip(records["value"].tolist(), records["best"].tolist(), strict=True)):
        right, action = best.get(place, (0, None))
        if value != right:
            return place, f"{value} points", f"{right}"
        if action_of(packed) != action:
            return place, f"best action {action_of(packed)}", f"{action}"
    return None


def best_action_for(record: np.ndarray, position: Position, turned: bool, rules: Rules) -> Action | None:
    """The best action of a record, of shape (1,), as one of `position`; `turned`: the record is of its mirror image.

    Raises `IllegalActionError` if it is none there.
    """
    action = unpack_action(int(record["best"][0]))
    if action is not None:
        action = mirror_action(action) if turned else action
        referee.play(position, action, rules)
    return action


def action_of(packed: int) -> Action | str | None:
    """The action of a record; words if it is none."""
    try:
        return unpack_action(packed)
    except ValueError:
        return f"number {packed}"


def told(record: np.ndarray) -> str:
    """What a record says of its position."""
    return f"{record['value']} points, best action number {record['best']}"


def impossible(records: np.ndarray, rules: Rules) -> np.ndarray:
    """Which records cannot be true, whatever the rest of the game is worth: bool, shape (n,).

    Those with a value that there is not, those whose best action uses a card that is not where it must be (T3, T5) or takes an
    empty line (T6), and those that have none though the line could be taken, or a card be laid on an empty one.
    """
    positions, best = positions_of(records), records["best"][:, None]
    line = positions["line"]
    card, twists = best & 127, best[:, 0] >= 128
    held = (positions["mover"] == card).any(axis=1)
    partner = _TWISTED[card]
    twistable = (line == partner).any(axis=1) & (partner != card)[:, 0]
    empty = line[:, 0] == 0
    none, takes = best[:, 0] == 0, best[:, 0] == 1
    over = empty & ((positions["mover"][:, 0] == 0) | (rules.empty_line == ENDS))
    used = held & np.where(twists, twistable, True)
    value = records["value"]
    return (value < -MOST) | (value > MOST) | ~np.where(none, over & (value == 0), np.where(takes, ~empty, used))


def show(record: np.ndarray) -> str:
    """The position of a record in notation. Raises `PositionError` if it is not well-formed."""
    return str(unpack(positions_of(np.atleast_1d(record)))[0])


def find_key(position: Position) -> tuple[bytes, bool]:
    """The key of one position, and whether it is its mirror image's."""
    chosen = canonical(position)
    return chosen.packed.rstrip(b"\0"), chosen != position
