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
from backtrick.face_to_face.options import Rules
from backtrick.face_to_face.state import View
from backtrick.face_to_face.turn import Turn, unpack_turn

Array = np.ndarray[Any, np.dtype[np.float32]]

PATH = Path(__file__).with_name("network.npz")
WIDTH = 16
"""Columns of the weights: hidden units, and the linear part last."""

SIDE = (
    "left", "pile", "held", "ascending", "descending", "above", "below", "dead", "trick up", "trick down", "pairs", "pairs up",
    "pairs down", "rescued", "near up", "nearer up", "near down", "nearer down", "no pile", "both",
)  # fmt: skip
"""What is looked at of a side: the cards not laid, by what they are to the tops."""

HAND = (
    "hand", "drawn", "dead in hand", "trick up in hand", "trick down in hand", "gap up", "second gap up", "gap down",
    "second gap down", "pairs in hand", "helpful", "dead and helpful", "to help up", "to help down",
)  # fmt: skip
"""What is looked at of the own hand, and of the other's cards that could help."""

NAMES = (*(f"own {name}" for name in (*SIDE, *HAND)), *(f"other {name}" for name in SIDE))
FEATURES = len(NAMES)
FAR = 30
"""A gap of this size or more is as good as no card."""


def _mirrored(name: str) -> str:
    for one, other in (("ascending", "descending"), ("above", "below"), (" up", " down")):
        if one in name:
            return name.replace(one, other)
        if other in name and one not in name:
            return name.replace(other, one)
    return name


MIRRORED = [NAMES.index(_mirrored(name)) for name in NAMES]
"""For each feature the one that takes its place when every number v becomes 61 - v."""


def _within(name: str, weights: object) -> Array:
    """The weights, unless they are not those of a network."""
    if not isinstance(weights, np.ndarray) or weights.shape != (FEATURES + 2, WIDTH) or weights.dtype != np.float32:
        found = f"{weights.dtype} of shape {weights.shape}" if isinstance(weights, np.ndarray) else "nothing"
        raise FileError(name, f"the weights are float32 of shape ({FEATURES + 2}, {WIDTH}), not {found}")
    if not np.isfinite(weights).all():
        raise FileError(name, "a weight is not a finite number")
    return np.ascontiguousarray(weights)


def save(path: Path, weights: Array) -> None:
    """Writes weights: the same bytes for the same weights. Raises `FileError` unless they are those of a network."""
    np.savez(path, weights=_within(str(path), weights))


def load(path: Path) -> Array:
    """The weights of a file, float32, shape (FEATURES + 2, WIDTH). Raises `FileError`, which says what is wrong with it.

    >>> load(PATH).shape
    (56, 16)
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
def default_weights() -> Array:
    """The weights of the package."""
    return load(PATH)


def net_turn(view: View, weights: Array | None = None) -> Turn:
    """The turn with the greatest value; of equal ones the first that the kernel lists.

    >>> print(net_turn(View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12")))
    17^ 18^
    """
    rules = view.rules
    given = default_weights() if weights is None else weights
    turn = unpack_turn(_play.turn_by_network(view.packed, given, rules.highest, rules.step, rules.lone_card))
    assert turn is not None
    return turn


def features_of(view: View, turn: Turn) -> list[int]:
    """What the network is told of the position after a turn, before drawing: a number for each of `NAMES`."""
    table = view.table
    for play in turn:
        table = table.lay(play)
    drawn, hand = table.to_draw(), {*table.mover.hand}
    own, other = table.mover, table.opponent
    left = {*hand, *own.pile}
    return [
        *_side(left, own.ascending, own.descending, len(left) - len(hand) - drawn, len(hand) + drawn, view.rules),
        *_hand(hand, own.ascending, own.descending, other.ascending, other.descending, drawn, view.rules.step),
        sum(card < own.ascending for card in view.unlaid),
        sum(card > own.descending for card in view.unlaid),
        *_side({*view.unlaid}, other.ascending, other.descending, view.pile_size, view.hand_size, view.rules),
    ]


def _side(left: set[int], up: int, down: int, pile: int, held: int, rules: Rules) -> list[int]:
    step = rules.step
    above, below = {card for card in left if card > up}, {card for card in left if card < down}
    dead = left - above - below
    return [
        len(left),
        pile,
        held,
        up,
        rules.highest + 1 - down,
        len(above),
        len(below),
        len(dead),
        up - step in left,
        down + step in left,
        sum(card + step in left for card in left),
        sum(card - step in left for card in above),
        sum(card + step in left for card in below),
        sum(card + step in above or card - step in below for card in dead),
        sum(up < card <= up + 4 for card in left),
        sum(up < card <= up + 10 for card in left),
        sum(down - 4 <= card < down for card in left),
        sum(down - 10 <= card < down for card in left),
        pile == 0,
        len(above & below),
    ]


def _hand(hand: set[int], up: int, down: int, other_up: int, other_down: int, drawn: int, step: int) -> list[int]:
    above, below = sorted(card - up for card in hand if card > up), sorted(down - card for card in hand if card < down)
    gaps = [min(gap, FAR) for found in (above, below) for gap in [*found, FAR, FAR][:2]]
    dead = {card for card in hand if down <= card <= up}
    helpful = {card for card in hand if card < other_up or card > other_down}
    return [
        len(hand),
        drawn,
        len(dead),
        up - step in hand,
        down + step in hand,
        *gaps,
        sum(card + step in hand for card in hand),
        len(helpful),
        len(helpful & dead),
    ]


def value_of(features: list[int], weights: Array) -> float:
    """The value of a position: the logarithm of the odds that the player who made the turn wins."""
    sums = np.array(features) @ weights[:FEATURES] + weights[FEATURES]
    return float(sums[-1] + np.maximum(sums[:-1], 0) @ weights[FEATURES + 1, :-1])
