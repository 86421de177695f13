"""What the network of `net` sees of a position after a turn, and what it makes of that: the readable twin of the kernel `_play`."""

from __future__ import annotations

from typing import Any

import numpy as np

from backtrick.face_to_face import Turn, View
from backtrick.face_to_face.network import FAR, NAMES, SIX, VALUES, greatest, is_set
from backtrick.face_to_face.rule_options import BACK, HIGHEST

Array = np.ndarray[Any, Any]


def features_of(view: View, turn: Turn) -> list[int]:
    """What the network sees of the position after a turn, before drawing: a number for each of `NAMES`."""
    table = view.table
    for play in turn:
        table = table.lay(play)
    own, other, drawn = table.mover, table.opponent, table.to_draw()
    hand, left, unlaid = {*own.hand}, {*own.hand, *own.pile}, {*view.unlaid}
    over = HIGHEST + 1

    def mirrored(cards: set[int]) -> set[int]:
        return {over - card for card in cards}

    up, down, other_up, other_down = own.ascending, own.descending, other.ascending, other.descending
    dead = {card for card in hand if down <= card <= up}
    helpful = {card for card in hand if card < other_up or card > other_down}
    return [
        *_side(left, up, down, len(left) - len(hand) - drawn, len(hand) + drawn),
        *_hand(hand, up, unlaid, other_up),
        *_hand(mirrored(hand), over - down, mirrored(unlaid), over - other_down),
        len(hand),
        drawn,
        len(dead),
        sum(card + BACK in hand for card in hand),
        len(helpful),
        len(helpful & dead),
        min(max(VALUES // 2 + len(left) - len(unlaid), 0), VALUES - 1),
        *_side(unlaid, other_up, other_down, view.pile_size, view.hand_size),
    ]


def _six(cards: set[int], first: int) -> int:
    """Which of the six numbers from `first` on are among the cards, a bit for each."""
    return sum(1 << place for place in range(6) if first + place in cards)


def _side(left: set[int], up: int, down: int, pile: int, held: int) -> list[int]:
    over = HIGHEST + 1
    above, below = {card for card in left if card > up}, {card for card in left if card < down}
    dead = left - above - below
    return [
        *_pile(left, up),
        *_pile({over - card for card in left}, over - down),
        len(left),
        pile,
        held,
        len(dead),
        sum(card + BACK in above or card - BACK in below for card in dead),
        sum(card + BACK in left for card in left),
        len(above & below),
        max(down - up, 0),
    ]


def _pile(left: set[int], top: int) -> list[int]:
    """Of an ascending pile, or of a descending one in the mirror."""
    above = {card for card in left if card > top}
    return [
        top,
        len(above),
        *(_six(left, top + first) for first in (1, 7, 13)),
        (top - BACK in left) + 2 * (top - 2 * BACK in left),
        sum(card - BACK in left for card in above),
    ]


def _hand(hand: set[int], top: int, others: set[int], other_top: int) -> list[int]:
    gaps = sorted(card - top for card in hand if card > top)
    pairs = [card - top for card in hand if card > top and card - BACK in hand]
    helpful = {card for card in hand if card < other_top}
    return [
        *(_six(hand, top + first) for first in (1, 7, 13)),
        top - BACK in hand,
        min([*pairs, FAR]),
        *[min(gap, FAR) for gap in [*gaps, FAR, FAR][:2]],
        sum(card < top for card in others),
        len(helpful),
        _six(helpful, max(other_top - 6, 0)),
    ]


def value_of(features: list[int], weights: Array) -> int:
    """The value of a position: the logarithm of the odds that the player who made the turn wins, times `ONE`."""
    sums = _rounded(weights[-2])
    for place, (name, value) in enumerate(zip(NAMES, features, strict=True)):
        rows = weights[SIX * place : SIX * place + SIX]
        if is_set(name):
            sums += _rounded(sum(row for bit, row in enumerate(rows) if value >> bit & 1) + np.zeros_like(sums))
        else:
            sums += _rounded(min(value, greatest(name)) * rows[0])
    out = _rounded(weights[-1])
    return int(sums[-1] * out[-1] + np.maximum(sums[:-1], 0) @ out[:-1])


def _rounded(weights: Array) -> Array:
    return (weights + 128) >> 8
