"""What each kind of turn is worth in many positions, and endgames played out by rules of thumb against exact play."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from backtrick.notation import as_positions
from backtrick.progress import bar
from backtrick.take_that.position import POSITION_DTYPE
from backtrick.take_that.rule_options import DECK, PUBLISHED, REACH, Rules, is_toad, twisted
from backtrick.take_that.solving import best_many, goes_on, outcomes_many, play_many
from backtrick.take_that.turn import TAKE, pack_turn

KINDS = "lay", "twist", "take"
KINDS_DTYPE = np.dtype([("value", "i1"), *((kind, "i1") for kind in KINDS), *((f"best_{kind}", "u1") for kind in KINDS)])
"""What `kinds_many` says of a position: its value; the value of the best turn of each kind; that turn, packed, the first one
of equal turns. If no turn of a kind is legal, the turn is 0, and so is its value."""

Chooser = Callable[[np.ndarray], np.ndarray]
"""A legal packed turn for each position: `POSITION_DTYPE`, shape (n,), gives uint8, shape (n,)."""

SPAN = 1 << 14  # positions whose turns are in memory at once, 100 bytes each
_TAKE = pack_turn(TAKE)
_TWISTS = 128  # from here on a packed turn is a twist
_PARTNERS = np.zeros(DECK[-1] + 1, np.uint8)  # the twisted card, or 0
for _card in DECK:
    _PARTNERS[_card] = 0 if is_toad(_card) else twisted(_card)


def kinds_many(
    positions: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> np.ndarray:
    """What each kind of turn is worth: an array of `POSITION_DTYPE`, shape (n,), gives `KINDS_DTYPE`, shape (n,).

    If the round is over, no turn is legal and the value is 0. Raises as `solve_many` does.

    >>> from backtrick.take_that import Position, pack
    >>> [found] = kinds_many(pack([Position.parse("15,43,44 21,53 51-62-35")]))
    >>> {kind: int(found[kind]) for kind in ("value", *KINDS)}
    {'value': 6, 'lay': 6, 'twist': -1, 'take': -3}
    """
    positions = as_positions(positions, POSITION_DTYPE)
    found = np.zeros(len(positions), KINDS_DTYPE)
    with bar(len(positions), "kinds", "positions", progress) as shown:
        for start in range(0, len(positions), SPAN):
            part = positions[start : start + SPAN]
            rows, offsets = outcomes_many(part, threads, rules, progress=False)
            _fill(found[start : start + SPAN], rows, np.repeat(np.arange(len(part)), np.diff(offsets)))
            shown.update(len(part))
    return found


def _fill(found: np.ndarray, rows: np.ndarray, places: np.ndarray) -> None:
    """places: of each row's position."""
    turns, values = rows["turn"], rows["value"]
    order = np.lexsort((-np.arange(len(rows)), values))  # what is written last stays: the best, and of equal ones the first
    for kind, chosen in zip(KINDS, (_is_lay(turns), turns >= _TWISTS, turns == _TAKE), strict=True):
        best = order[chosen[order]]
        found[kind][places[best]], found[f"best_{kind}"][places[best]] = values[best], turns[best]
    found["value"][places[order]] = values[order]


def _is_lay(turns: np.ndarray) -> np.ndarray:
    return (turns < _TWISTS) & (turns != _TAKE)


def eager_many(positions: np.ndarray) -> np.ndarray:
    """The turns that the policy `eager` chooses: it twists if it can, else lays the nearest card, and takes only if it must.

    >>> from backtrick.take_that import Position, pack, unpack_turn
    >>> [turn] = eager_many(pack([Position.parse("15,43,44 21,53 51-62-35")]))
    >>> str(unpack_turn(turn))
    '15x51'
    """
    positions = as_positions(positions, POSITION_DTYPE)
    hands, lines = positions["mover"], positions["line"]
    lengths = np.count_nonzero(lines, axis=1)
    tops = np.where(lengths > 0, lines[np.arange(len(lines)), np.maximum(lengths, 1) - 1], 0).astype(int)
    away = np.abs(hands.astype(int) - tops[:, None])
    partners = _PARTNERS[hands]
    twists = np.zeros(hands.shape, bool)
    for place in range(hands.shape[1]):
        twists[:, place] = (partners[:, place] > 0) & (lines == partners[:, place : place + 1]).any(axis=1)
    lays = (hands > 0) & ((away <= REACH) | (lengths == 0)[:, None])
    keys = np.where(twists, 1 << 17, np.where(lays, 1 << 16, 0)) - (away << 7) + hands  # of equally near ones the higher card
    best = np.argmax(np.where(twists | lays, keys, -1), axis=1)[:, None]
    cards, twist, lay = (np.take_along_axis(one, best, 1)[:, 0] for one in (hands, twists, lays))
    turns: np.ndarray = np.where(twist, cards + _TWISTS, np.where(lay, cards, _TAKE)).astype(np.uint8)
    return turns


def play_out_many(
    positions: np.ndarray, choose: Chooser, reply: Chooser = best_many, rules: Rules = PUBLISHED, progress: bool | None = None
) -> np.ndarray:
    """The mover's points minus the opponent's, if the mover plays by `choose` and the opponent by `reply`: int64, shape (n,).

    No round is over at the start. Raises as `play_many` does.

    >>> from backtrick.take_that import Position, pack
    >>> array = pack([Position.parse("15,43,44 21,53 51-62-35")])
    >>> play_out_many(array, best_many), play_out_many(array, eager_many)
    (array([6]), array([-1]))
    """
    positions = as_positions(positions, POSITION_DTYPE)
    totals = np.zeros(len(positions), np.int64)
    places, sign = np.arange(len(positions)), 1
    with bar(len(positions), "play out", "positions", progress) as shown:
        while len(positions):
            points, positions = play_many(positions, choose(positions) if sign > 0 else reply(positions), rules=rules)
            totals[places] += sign * points.astype(np.int64)
            on = goes_on(positions)
            shown.update(int(len(on) - on.sum()))
            positions, places, sign = positions[on], places[on], -sign
    return totals
