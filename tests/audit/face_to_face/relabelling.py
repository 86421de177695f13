"""Other positions of the same class, reached by small steps of the numbers, as arrays (docs/face_to_face.md).

A step moves some numbers up or down. It is kept if all relations that the game compares stay the same: then the new position is
of the same class. This code works with masks of cards and shares nothing with the index of the tables.
"""

from __future__ import annotations

import numpy as np

from audit.face_to_face.families import well_formed
from backtrick.face_to_face.position import FIELDS
from backtrick.face_to_face.rule_options import BACK, HIGHEST

_TOPS = FIELDS[2:]
_ONE, _ALL = np.uint64(1), ~np.uint64(0)


def dice(positions: np.ndarray, salt: int) -> np.ndarray:
    """64 bits for each position that look random and depend only on the position and the salt: uint64, shape (n,)."""
    bits = np.full(len(positions), salt + 1, np.uint64)
    for name in FIELDS:
        bits ^= positions[name]
        bits *= np.uint64(0x9E3779B97F4A7C15)
        bits ^= bits >> np.uint64(32)
    return bits


def relabelled(positions: np.ndarray, steps: int = 8) -> np.ndarray:
    """For each position another of the same class, up to `steps` small steps away. Some stay as they are.

    >>> from backtrick.face_to_face import Position, pack, unpack
    >>> print(*unpack(relabelled(pack([Position.parse("27^40v:17,18,45 13^50v:5,12")]))))
    24^36v:14,15,42 10^47v:2,10
    """
    positions = positions.copy()
    for step in range(steps):
        moved, same = _moved(positions, dice(positions, step))
        same &= well_formed(moved)
        positions[same] = moved[same]
    return positions


def _moved(positions: np.ndarray, bits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The positions after one step each, and True for those whose relations all stay the same.

    A step moves one of three things: all numbers with one remainder modulo the back trick (pairs that are a back trick apart stay
    so), all numbers, or one top.
    """
    up = (bits & _ONE).astype(bool)
    kind, remainder = bits >> np.uint64(1) & np.uint64(3), (bits >> np.uint64(8)) % np.uint64(BACK)
    classes = np.array([sum(1 << v for v in range(r, 64, BACK)) for r in range(BACK)], np.uint64)
    cards = np.where(kind < 2, classes[remainder], np.where(kind == 2, _ALL, np.uint64(0)))
    one_top = bits >> np.uint64(40) & np.uint64(3)

    def shifted(numbers: np.ndarray) -> np.ndarray:
        return np.where(up, numbers << _ONE, numbers >> _ONE)

    def moves(numbers: np.ndarray) -> np.ndarray:
        return numbers & ~cards | shifted(numbers & cards)

    image = positions.copy()
    hands = positions["mover_hand"], positions["opponent_hand"]
    image["mover_hand"], image["opponent_hand"] = new_hands = moves(hands[0]), moves(hands[1])
    for pile, name in enumerate(_TOPS):
        top = positions[name].astype(np.uint64)
        moving = (cards >> top & _ONE).astype(bool) | (kind == 3) & (one_top == pile)
        image[name] = positions[name] + np.where(moving, np.where(up, 1, -1), 0).astype(np.uint8)

    # Cards keep their order and their back tricks if no moving card arrives at a staying card, or one back trick from it.
    staying, coming = (hands[0] | hands[1]) & ~cards, shifted((hands[0] | hands[1]) & cards)
    step = np.uint64(BACK)
    deck = np.uint64((1 << HIGHEST) - 4)
    same = staying & (coming | coming << step | coming >> step) == 0
    same &= (new_hands[0] | new_hands[1]) & ~deck == 0
    for pile, name in enumerate(_TOPS):
        owner = pile // 2
        before = _compared(positions[name], hands[owner], hands[1 - owner], pile % 2, step)
        after = _compared(image[name], new_hands[owner], new_hands[1 - owner], pile % 2, step)
        for old, new in zip(before, after, strict=True):
            same &= moves(old) == new
    return image, same


def _compared(top: np.ndarray, own: np.ndarray, other: np.ndarray, descending: int, step: np.uint64) -> tuple[np.ndarray, ...]:
    """The cards that a top is compared with: the owner's that fit by order, the owner's back trick, the other's helpful cards."""
    top = top.astype(np.uint64) & np.uint64(63)
    bit = _ONE << top
    below, above = bit - _ONE, ~(bit | bit - _ONE)
    if descending:
        return own & below, own & bit << step, other & above
    return own & above, own & bit >> step, other & below
