"""The player `sampler`: worlds sampled from what it sees, a few candidate turns, and play-outs. The kernel is `_sampler`."""

from __future__ import annotations

import time
from functools import lru_cache

from backtrick.face_to_face._sampler import Sampler
from backtrick.face_to_face.network import default_weights
from backtrick.face_to_face.options import Rules
from backtrick.face_to_face.playing import KERNEL_PRICES
from backtrick.face_to_face.solving import best_packed
from backtrick.face_to_face.state import View
from backtrick.face_to_face.turn import Turn, unpack_turn
from backtrick.player import MOST_SECONDS, check_within, number_for
from backtrick.random import SEEDS
from backtrick.state import Player

PLAYOUTS = 1500
CANDIDATES = 16
MOST_PLAYOUTS = 1 << 24
SLICE = 4  # worlds between two looks at the clock


def sampler(playouts: int = PLAYOUTS, seconds: float = 0.0, seed: int = 0) -> Player[View, Turn]:
    """A player that tries its best turns in sampled worlds, by so many play-outs a turn together.

    seconds: instead of a number of play-outs, the time for a turn; then it does not repeat itself. Raises `ArgumentError`.

    >>> print(sampler(200)(View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12")))
    17^ 18^
    """
    check_within("playouts", playouts, 1, MOST_PLAYOUTS)
    check_within("seconds", seconds, 0, MOST_SECONDS)
    kernels = lru_cache(maxsize=4)(_kernel)

    def turn(view: View) -> Turn:
        position = view.position
        if position is not None:
            found = unpack_turn(best_packed(position, view.rules))
        else:
            kernel = kernels(view.rules)
            count = kernel.begin(view.packed, seed % SEEDS, number_for(view), CANDIDATES)
            if count > 1 and seconds:
                _within(kernel, count, seconds)
            elif count > 1:
                _halve_by(kernel, count, playouts)
            found = unpack_turn(kernel.best())
        assert found is not None
        return found

    return turn


def _kernel(rules: Rules) -> Sampler:
    return Sampler(KERNEL_PRICES, default_weights(), rules.highest, rules.step, rules.lone_card)


def _rounds(count: int) -> int:
    """How often candidates are halved until one is left."""
    return max((count - 1).bit_length(), 1)


def _halve_by(kernel: Sampler, count: int, playouts: int) -> None:
    """Halves the candidates after equal shares of the play-outs."""
    each = playouts // _rounds(count)
    while count > 1:
        kernel.play(max(each // count, 1))
        count = kernel.halve()


def _within(kernel: Sampler, count: int, seconds: float) -> None:
    """Halves the candidates after equal slices of the time."""
    began, rounds = time.perf_counter(), _rounds(count)
    for number in range(rounds):
        kernel.play(1)
        while time.perf_counter() - began < seconds * (number + 1) / rounds:
            kernel.play(SLICE)
        kernel.halve()
