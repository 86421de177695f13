"""The players of whole rounds by name: `random`, the policies, and by a kernel `sampler`.

A player joins by a line in `PLAYERS`. It names a move: one who takes the line while the draw pile lasts is asked again, with an
empty line, for the card that opens a new one."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from backtrick.budget import Budget
from backtrick.play.plans import Strategy, shares_of
from backtrick.play.players import (
    MOST_SECONDS,
    PlayerSpec,
    PlayerSpecs,
    check_within,
    clock,
    key_for,
    numbers_for,
)
from backtrick.play.state import Player
from backtrick.play.whole_game import WholeGame
from backtrick.take_that._players import Sampler
from backtrick.take_that.game import GAME
from backtrick.take_that.policies import POLICIES, WEIGHTS, moves_of
from backtrick.take_that.rule_options import Rules, cost
from backtrick.take_that.samples import decks_of
from backtrick.take_that.state import State, View
from backtrick.take_that.thumb import thumb
from backtrick.take_that.turn import Turn, as_turn, pack_turn
from backtrick.take_that.worlds import Worlds

MOST_WORLDS = 1 << 24
WORLDS = 10  # worlds between two looks at the moves
CUTS = (0.25, 0.5)  # shares of the work after which the worse half of the moves is dropped; two are always kept

TURNS, LATE = 2, 14
"""In a world both players play this many turns; with at most LATE cards in the draw pile, until it is empty."""

NODES = 20_000
"""The most nodes for the exact value of an endgame; nearly all need fewer."""

LEVEL, SLOPE = 4.0, 3.0
"""A lead of LEVEL points is worth half a round once the draw pile is empty; before, SLOPE times the root of its cards more. The
points still to come have a standard deviation of about 4 + 3 sqrt(cards), among `tuned` players."""


class Promises(NamedTuple):
    """What the cards of both players promise the mover, in points. Least squares on 4,000 rounds of a `tuned` player.

    turn:        being the one to move
    twist:       each twist more than the opponent can make
    pair:        each card more that is held with its twisted card
    toad:        each toad more
    line:        each point of the line; and so the following
    own_moves:   over one more than the mover's moves
    other_moves: over one more than the opponent's moves
    own_stuck:   if the mover has no move but taking
    other_stuck: if the opponent has none
    """

    turn: float
    twist: float
    pair: float
    toad: float
    line: float
    own_moves: float
    other_moves: float
    own_stuck: float
    other_stuck: float


PROMISES = Promises(0.197, 2.528, 1.452, -0.818, 0.09, -2.115, 1.675, 0.601, -0.6)


def sampler(worlds: int, seed: int, seconds: float, other: str) -> Player[View, Turn]:
    """The player with this many worlds a move, or with this many seconds, in which it does as many worlds as it can.

    other: the policy that it assumes the opponent to follow.

    With worlds it repeats itself exactly; with seconds it does not. With one card in the pile it takes every world, each solved
    exactly. With no card hidden it plays exactly. Raises `ArgumentError`.

    >>> print(sampler(20, 0, 0.0, "tuned")(View.parse("12,13,14,15,16,17,18,19,21 ?9 34-43 ?59")))
    take
    """
    check_within("worlds", worlds, 1, MOST_WORLDS)
    check_within("seconds", seconds, 0, MOST_SECONDS)
    place = POLICIES.place(other)

    def turn(view: View) -> Turn:
        moves = moves_of(view)
        if view.position is not None:
            return GAME.best_turn(view.position, view.rules) or moves[0]
        return moves[0] if len(moves) == 1 else best_move(view, moves, place, worlds, seed, seconds)

    return turn


def best_move(view: View, moves: list[Turn], other: int, worlds: int, seed: int, seconds: float) -> Turn:
    """The move with the highest value, the first of equal ones. A card is hidden."""
    kernel, key = _kernel(view.rules, other), key_for(seed, view)
    cards = bytes(view.hand), bytes(view.line), bytes(view.unseen)
    codes = np.array([pack_turn(move) for move in moves], np.uint8)
    values, kept = np.zeros(len(moves)), np.arange(len(moves))
    if view.pile_size == 1:
        worlds, seconds = len(view.unseen), 0.0
    cuts = list(CUTS)
    begun, done, share = time.perf_counter(), 0, 0.0
    while share < 1:
        last = done + WORLDS if seconds else min(done + WORLDS, worlds)
        more = np.zeros(len(kept))
        kernel.value_moves(*cards, view.hand_size, *view.points, codes[kept], more, key, done, last)
        values[kept] += more
        done, share = last, (clock() - begun) / seconds if seconds else last / worlds
        if cuts and share >= cuts[0]:
            cuts.pop(0)
            best = np.argsort(-values[kept], kind="stable")[: max(2, (len(kept) + 1) // 2)]
            kept = kept[np.sort(best)]
    return moves[kept[int(np.argmax(values[kept]))]]


class _Kept(threading.local):
    """A kernel for each kind of question that this thread asked: one has a memory of its own."""

    def __init__(self) -> None:
        self.kernels: dict[tuple[Rules, int], Sampler] = {}


_kept = _Kept()


def _kernel(rules: Rules, other: int) -> Sampler:
    if (rules, other) not in _kept.kernels:
        constants = np.array(WEIGHTS), np.array(PROMISES)
        limits = TURNS, LATE, NODES
        _kept.kernels[rules, other] = Sampler(rules.code, *constants, *limits, LEVEL, SLOPE, other)
    return _kept.kernels[rules, other]


def random_move(view: View, seed: int) -> Turn:
    """One of the legal moves, all equally likely. The same seed and view give the same move.

    >>> print(random_move(View.parse("12,13,14,15,16,17,18,19,21 ?9 34-43 ?59"), seed=1))
    take
    """
    moves = moves_of(view)
    return moves[numbers_for(seed, view).below(len(moves))]


PLAYERS: PlayerSpecs[View, Turn] = PlayerSpecs({
    "random": PlayerSpec("every legal move equally likely", lambda seed: partial(random_move, seed=seed), {"seed": 0}),
    "careful": PlayerSpec("weighs points, what the opponent can twist, and who will have to take", lambda: POLICIES["careful"]),
    "eager": PlayerSpec("twists if it can, else lays the nearest card, takes if it must", lambda: POLICIES["eager"]),
    "tuned": PlayerSpec("like careful, with more to weigh and constants found by playing", lambda: POLICIES["tuned"]),
    "thumb": PlayerSpec("plays by the rules of thumb that one can follow at the table", lambda: thumb),
    "sampler": PlayerSpec(
        "values every move in many worlds that its view leaves; seconds=0.01: as many as it can in that time, not repeatable",
        sampler, {"worlds": 200, "seed": 0, "seconds": 0.0, "other": "tuned"}),
})  # fmt: skip
"""The kinds of players."""


def whole_turns(player: Strategy | str) -> Strategy:
    """The whole turns that a player by name, or a function, plays from a view, with their probabilities. One that takes is asked
    once more, for what it lays (T6). Raises `ArgumentError`.

    >>> view = View.parse("12,13,14,15,16,17,18,19,21 ?9 34-43 ?59")
    >>> print(PLAYERS.player("tuned")(view), *whole_turns("tuned")(view))
    take take,12
    """
    strategy = WHOLE_GAME.strategy(player)

    def turns(view: View) -> Mapping[Turn, Fraction]:
        found: dict[Turn, Fraction] = {}
        for turn, share in shares_of(as_turn, strategy, view):
            ways = [(turn, share)]
            if turn.is_take and turn.opening is None:
                taken = replace(view, line=(), points=(view.points[0] - cost(view.line), view.points[1]))
                ways = [(Turn(opening=lay.card), share * part) for lay, part in shares_of(as_turn, strategy, taken)]
            for whole, part in ways:
                found[whole] = found.get(whole, Fraction()) + part
        return found

    return turns


WHOLE_GAME = WholeGame(GAME, State, View, PLAYERS, decks_of, Worlds, by_points=True, deal_budget=Budget(nodes=1_000_000))
"""What matches ask of this game. A turn that takes the line while the draw pile lasts is `take,41`, two moves in one.

>>> state = WHOLE_GAME.deal(1, 0, GAME.published)
>>> print(WHOLE_GAME.ask(PLAYERS.player("eager"), state))
13
"""
