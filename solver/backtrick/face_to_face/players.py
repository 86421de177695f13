"""The players of whole games by name: `random`, the policies, `net`, and by a kernel `sampler`.

A player joins by a line in `PLAYERS`."""

from __future__ import annotations

import time
from functools import cache, partial

import numpy as np

from backtrick.budget import Budget
from backtrick.face_to_face._players import Sampler
from backtrick.face_to_face.game import GAME
from backtrick.face_to_face.network import FRUGAL_PATH, STRONG_PATH, default_tables, net_turn
from backtrick.face_to_face.policies import POLICIES, PRICES, Policy, turn_of
from backtrick.face_to_face.position import Position, Side
from backtrick.face_to_face.rule_options import Rules
from backtrick.face_to_face.samples import decks_of
from backtrick.face_to_face.solving import best_packed, legal_turns_array
from backtrick.face_to_face.state import State, View
from backtrick.face_to_face.thumb import thumb
from backtrick.face_to_face.turn import Turn, unpack_turn
from backtrick.face_to_face.worlds import Worlds, odds
from backtrick.play.players import (
    MOST_SECONDS,
    PlayerSpec,
    PlayerSpecs,
    check_within,
    clock,
    no_turn,
    number_for,
    numbers_for,
)
from backtrick.play.state import Player
from backtrick.play.whole_game import WholeGame
from backtrick.random import SEEDS

PLAYOUTS = 1500
CANDIDATES = 16
MOST_PLAYOUTS = 1 << 24
SPAN = 4  # worlds between two looks at the clock
WORK = 4
"""Play-outs that count for one: it takes as long as so many in which both players are `tuned`."""

FEW_CARDS, WORLDS = 4, 60
"""With at most so many cards in each pile the sampler solves worlds, at most so many, up to the default budget of `odds`."""


HELPING = PRICES._replace(help=-900_000, more_helped=1936)
"""The prices of a player that begins with a helpful card if one fits, and then lays nearly all that fits."""

KEEPING = PRICES._replace(help=900_000)
"""The prices of a player that lays a helpful card only if it must."""

SAMPLER_PRICES = np.array([PRICES, HELPING, KEEPING], np.int32)


def sampler(playouts: int = PLAYOUTS, seconds: float = 0.0, seed: int = 0) -> Player[View, Turn]:
    """A player that tries its best turns in sampled worlds.

    playouts: all of a turn together, each counted as `WORK` play-outs.
    seconds: instead of a number of play-outs, the time for a turn; then it does not repeat itself. Raises `ArgumentError`.
    Near the end it solves worlds instead, whatever the number of play-outs.

    >>> print(sampler(200)(View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12")))
    17^ 18^
    """
    check_within("playouts", playouts, 1, MOST_PLAYOUTS)
    check_within("seconds", seconds, 0, MOST_SECONDS)
    kernels = cache(_kernel)

    def turn(view: View) -> Turn:
        position = view.position
        if position is not None:
            found = unpack_turn(best_packed(position, view.rules))
        elif max(len(view.own.pile), view.pile_size) <= FEW_CARDS:
            found = odds(view, samples=WORLDS, seed=seed % SEEDS, seconds=seconds or None, threads=1).best
        else:
            kernel = kernels(view.rules)
            count = kernel.begin(view.packed, seed % SEEDS, number_for(view), CANDIDATES)
            if count > 1 and seconds:
                _within(kernel, count, seconds)
            elif count > 1:
                _halve_by(kernel, count, playouts)
            found = unpack_turn(kernel.best())
        if found is None:
            raise no_turn(view)
        return found

    return turn


def _kernel(rules: Rules) -> Sampler:
    networks = default_tables(STRONG_PATH), default_tables(FRUGAL_PATH)
    return Sampler(SAMPLER_PRICES, *networks, rules.code)


def _rounds(count: int) -> int:
    """How often candidates are halved until one is left."""
    return (count - 1).bit_length()


def _halve_by(kernel: Sampler, count: int, playouts: int) -> None:
    """Halves the candidates after equal shares of the play-outs."""
    each = playouts // (WORK * _rounds(count))
    while count > 1:
        kernel.play(max(each // count, 1))
        count = kernel.halve()


def _within(kernel: Sampler, count: int, seconds: float) -> None:
    """Halves the candidates after equal slices of the time."""
    began, rounds = time.perf_counter(), _rounds(count)
    for number in range(rounds):
        kernel.play(1)
        while clock() - began < seconds * (number + 1) / rounds:
            kernel.play(SPAN)
        kernel.halve()


def random_turn(view: View, seed: int) -> Turn:
    """One of the legal turns, all equally likely. The same seed and view give the same turn.

    >>> print(random_turn(View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12"), seed=1))
    45^ 17v
    """
    own = Side(view.own.ascending, view.own.descending, view.own.hand)
    other = Side(view.ascending, view.descending, (min(view.unlaid),))  # what the opponent holds does not change the player's turns
    turns = legal_turns_array(Position(own, other), view.rules)
    turn = unpack_turn(int(turns[numbers_for(seed, view).below(len(turns))])) if len(turns) else None
    if turn is None:
        raise no_turn(view)
    return turn


def _by(policy: Policy) -> Player[View, Turn]:
    return partial(turn_of, policy)


PLAYERS: PlayerSpecs[View, Turn] = PlayerSpecs({
    "random": PlayerSpec("every legal turn equally likely", lambda seed: partial(random_turn, seed=seed), {"seed": 0}),
    "frugal": PlayerSpec("lays the cards that move the tops least", lambda: _by(POLICIES["frugal"])),
    "hasty": PlayerSpec("lays the two cheapest cards and looks no further", lambda: _by(POLICIES["hasty"])),
    "tuned": PlayerSpec("lays the cheapest cards by tuned prices, and more while they are cheap", lambda: _by(POLICIES["tuned"])),
    "thumb": PlayerSpec("plays by the rules of thumb that one can follow at the table", lambda: _by(thumb)),
    "net": PlayerSpec("the turn that a small network values most", lambda: net_turn),
    "sampler": PlayerSpec("tries its best turns in sampled worlds; not repeatable with seconds", sampler,
                    {"playouts": PLAYOUTS, "seconds": 0.0, "seed": 0}),
})  # fmt: skip
"""The kinds of players."""


WHOLE_GAME = WholeGame(GAME, State, View, PLAYERS, decks_of, Worlds, deal_budget=Budget(nodes=100_000))
"""What matches ask of this game.

>>> state = WHOLE_GAME.deal(1, 0, GAME.published)
>>> print(WHOLE_GAME.ask(PLAYERS.player("frugal"), state))
55v 7^
"""
