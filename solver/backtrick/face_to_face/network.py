"""The network of the player `net`: what it knows of a position after a turn, and its weights. The kernel `_play` lists all turns
and values them; its readable twin is `tests/support/network_twin.py`.

Its weights are in `network.npz`, as `scripts/players/train_face_to_face.py` made them. The player `sampler` has two networks of the
same form, trained by `scripts/players/train_sampler.py`: one against `frugal`, and one against strong opponents (docs/players.md).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import backtrick.face_to_face._play as _play
from backtrick.errors import FileError
from backtrick.face_to_face.state import View
from backtrick.face_to_face.turn import Turn, unpack_turn
from backtrick.play.players import no_turn

Array = np.ndarray[Any, Any]

PATH = Path(__file__).with_name("network.npz")
FRUGAL_PATH = PATH.with_name("sampler_frugal.npz")
STRONG_PATH = PATH.with_name("sampler_strong.npz")
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
"""What else is looked at of a side."""

HAND = (
    "next six in hand", "second six in hand", "third six in hand", "trick in hand", "pair in hand", "gap", "second gap", "to help",
    "helpful", "six helpful",
)  # fmt: skip
"""What the player's hand can do to an own pile, the opponent's cards to it, and the hand to the opponent's pile."""

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
            weights = file.get("weights")
    except Exception as error:  # for a damaged file numpy raises many kinds
        problem = error.strerror if isinstance(error, OSError) and error.strerror else f"no weights of a network: {error}"
        raise FileError(str(path), problem) from None
    return _within(str(path), weights)


@cache
def default_tables(path: Path = PATH) -> Array:
    """The tables of the weights of the package, in one of its files."""
    return tables_of(load(path))


def net_turn(view: View, tables: Array | None = None) -> Turn:
    """The turn with the greatest value; of equal ones the first that the kernel lists.

    >>> print(net_turn(View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12")))
    17^ 18^
    """
    rules = view.rules
    given = default_tables() if tables is None else tables
    turn = unpack_turn(_play.turn_by_network(view.packed, given, rules.code))
    if turn is None:
        raise no_turn(view)
    return turn
