"""The network of the player `net`: what it knows of a position after a turn, and what it makes of that. The readable twin of the
kernel `_play`, which lists all turns and values them.

Its weights are in `network.npz`, as `scripts/train_face_to_face.py` made them (docs/players.md).
"""

from __future__ import annotations

import zipfile
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from backtrick.errors import FileError
from backtrick.face_to_face import _play
from backtrick.face_to_face.rule_options import Rules
from backtrick.face_to_face.state import View
from backtrick.face_to_face.turn import Turn, unpack_turn

Array = np.ndarray[Any, Any]

PATH = Path(__file__).with_name("network.npz")
WIDTH = 32
"""Columns of the weights: hidden units, and the linear part last."""

VALUES = 64
"""A feature is a whole number below this."""

SIX = 6
"""A feature is a number of cards, a top or a gap, or else a set of six cards, with a bit for each."""

ONE = 1 << 16
"""The value of odds of e to 1. Weights are in this unit too."""

FAR = 30
"""A gap of this size or more is as good as no card."""

PILE = ("top", "above", "next six", "second six", "third six", "six tricks", "pairs above")
"""What is looked at of a pile and its owner's cards that are not laid."""

SIDE = ("left", "pile", "held", "dead", "rescued", "pairs", "both", "room")
"""What is looked at of a side besides."""

HAND = (
    "next six in hand", "second six in hand", "third six in hand", "trick in hand", "pair in hand", "gap", "second gap", "to help",
    "helpful", "six helpful",
)  # fmt: skip
"""What the own hand can do to an own pile, the opponent's cards to it, and the hand to the opponent's pile."""

OWN = ("hand", "drawn", "dead in hand", "pairs in hand", "helpful cards", "helpful and dead", "ahead")

_SIDE = (*(f"{name} {way}" for way in ("up", "down") for name in PILE), *SIDE)
NAMES = (
    *(f"own {name}" for name in (*_SIDE, *(f"{name} {way}" for way in ("up", "down") for name in HAND), *OWN)),
    *(f"other {name}" for name in _SIDE),
)
FEATURES = len(NAMES)
ROWS = SIX * FEATURES + 2
"""Of the weights: six for each feature, of which a number uses the first alone; the biases; the output."""

TABLE_ROWS = VALUES * FEATURES + 1
"""Of the tables of the kernel: one for each value of each feature; the output."""

IN_HAND = {
    "held", "hand", "drawn", "dead in hand", "pairs in hand", "trick in hand", "helpful", "helpful cards", "helpful and dead",
}  # fmt: skip
"""Numbers of cards in a hand."""

WON = 1 << 30
"""The value of a turn that lays the last card (F12)."""


def _mirrored(name: str) -> str:
    start, _, way = name.rpartition(" ")
    return f"{start} {dict(up='down', down='up').get(way, way)}"


MIRRORED = [NAMES.index(_mirrored(name)) for name in NAMES]
"""For each feature the one that takes its place when every number v becomes 61 - v."""


def is_set(name: str) -> bool:
    """Is the feature of this name a set of cards?"""
    return " six" in name


def greatest(name: str) -> int:
    """The greatest value of a number that counts; beyond it nothing changes."""
    return SIX if name.split(" ", 1)[1].removesuffix(" up").removesuffix(" down") in IN_HAND else VALUES - 1


def parts() -> Array:
    """What the values of the features are made of, int32, shape (FEATURES, VALUES, SIX): the bits of a set, or the number."""
    found = np.zeros((FEATURES, VALUES, SIX), np.int32)
    for feature, name in enumerate(NAMES):
        if is_set(name):
            found[feature] = np.arange(VALUES)[:, None] >> np.arange(SIX) & 1
        else:
            found[feature, :, 0] = np.minimum(np.arange(VALUES), greatest(name))
    return found


def _rounded(weights: Array) -> Array:
    """In the unit of the tables, 2^-8."""
    return (weights + 128) >> 8


def tables_of(weights: Array) -> Array:
    """The tables of the kernel, int16, shape (TABLE_ROWS, WIDTH): what each value of a feature adds to the units; the output."""
    tables = _rounded(np.matmul(parts(), weights[:-2].reshape(FEATURES, SIX, WIDTH)))
    tables[0] += _rounded(weights[-2])
    return np.concatenate([tables.reshape(-1, WIDTH), _rounded(weights[-1:])]).astype(np.int16)


def _within(name: str, weights: object) -> Array:
    """The weights, unless they are not those of a network."""
    if not isinstance(weights, np.ndarray) or weights.shape != (ROWS, WIDTH) or weights.dtype != np.int32:
        found = f"{weights.dtype} of shape {weights.shape}" if isinstance(weights, np.ndarray) else "nothing"
        raise FileError(name, f"the weights are int32 of shape ({ROWS}, {WIDTH}), not {found}")
    wide = weights.astype(np.int64)
    most = np.abs(np.matmul(parts(), wide[:-2].reshape(FEATURES, SIX, WIDTH))).max(axis=1).sum(axis=0) + np.abs(wide[-2])
    if (most >> 8).max() >= (1 << 15) - FEATURES or np.abs(wide[-1]) @ most >> 16 >= WON:
        raise FileError(name, "the weights are too great for sums of 16 bits and a value of 31")
    return np.ascontiguousarray(weights)


def save(path: Path, weights: Array) -> None:
    """Writes weights: the same bytes for the same weights. Raises `FileError` unless they are those of a network."""
    np.savez_compressed(path, weights=_within(str(path), weights))


def load(path: Path) -> Array:
    """The weights of a file, int32, shape (ROWS, WIDTH). Raises `FileError`, which says what is wrong with it.

    >>> load(PATH).shape
    (428, 32)
    """
    try:
        with np.load(path) as file:
            return _within(str(path), file.get("weights"))
    except (OSError, ValueError, KeyError, EOFError, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        if isinstance(error, FileError):
            raise
        problem = error.strerror if isinstance(error, OSError) and error.strerror else f"no weights of a network: {error}"
        raise FileError(str(path), problem) from None


@cache
def default_tables() -> Array:
    """The tables of the weights of the package."""
    return tables_of(load(PATH))


def net_turn(view: View, tables: Array | None = None) -> Turn:
    """The turn with the greatest value; of equal ones the first that the kernel lists.

    >>> print(net_turn(View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12")))
    17^ 18^
    """
    rules = view.rules
    given = default_tables() if tables is None else tables
    turn = unpack_turn(_play.turn_by_network(view.packed, given, rules.highest, rules.step, rules.lone_card))
    assert turn is not None
    return turn


def features_of(view: View, turn: Turn) -> list[int]:
    """What the network sees of the position after a turn, before drawing: a number for each of `NAMES`."""
    table = view.table
    for play in turn:
        table = table.lay(play)
    own, other, drawn = table.mover, table.opponent, table.to_draw()
    hand, left, unlaid = {*own.hand}, {*own.hand, *own.pile}, {*view.unlaid}
    step, over = view.rules.step, view.rules.highest + 1

    def mirrored(cards: set[int]) -> set[int]:
        return {over - card for card in cards}

    up, down, other_up, other_down = own.ascending, own.descending, other.ascending, other.descending
    dead = {card for card in hand if down <= card <= up}
    helpful = {card for card in hand if card < other_up or card > other_down}
    return [
        *_side(left, up, down, len(left) - len(hand) - drawn, len(hand) + drawn, view.rules),
        *_hand(hand, up, unlaid, other_up, step),
        *_hand(mirrored(hand), over - down, mirrored(unlaid), over - other_down, step),
        len(hand),
        drawn,
        len(dead),
        sum(card + step in hand for card in hand),
        len(helpful),
        len(helpful & dead),
        min(max(VALUES // 2 + len(left) - len(unlaid), 0), VALUES - 1),
        *_side(unlaid, other_up, other_down, view.pile_size, view.hand_size, view.rules),
    ]


def _six(cards: set[int], first: int) -> int:
    """Which of the six numbers from `first` on are among the cards, a bit for each."""
    return sum(1 << place for place in range(6) if first + place in cards)


def _side(left: set[int], up: int, down: int, pile: int, held: int, rules: Rules) -> list[int]:
    step, over = rules.step, rules.highest + 1
    above, below = {card for card in left if card > up}, {card for card in left if card < down}
    dead = left - above - below
    return [
        *_pile(left, up, step),
        *_pile({over - card for card in left}, over - down, step),
        len(left),
        pile,
        held,
        len(dead),
        sum(card + step in above or card - step in below for card in dead),
        sum(card + step in left for card in left),
        len(above & below),
        max(down - up, 0),
    ]


def _pile(left: set[int], top: int, step: int) -> list[int]:
    """Of an ascending pile, or of a descending one in the mirror."""
    above = {card for card in left if card > top}
    return [
        top,
        len(above),
        *(_six(left, top + first) for first in (1, 7, 13)),
        (top - step in left) + 2 * (top - 2 * step in left),
        sum(card - step in left for card in above),
    ]


def _hand(hand: set[int], top: int, others: set[int], other_top: int, step: int) -> list[int]:
    gaps = sorted(card - top for card in hand if card > top)
    pairs = [card - top for card in hand if card > top and card - step in hand]
    helpful = {card for card in hand if card < other_top}
    return [
        *(_six(hand, top + first) for first in (1, 7, 13)),
        top - step in hand,
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
