"""The readable twin of `Sampler` in the kernel `_players`: what a move is worth in one world that a view leaves (`View.world`).

After the move both players play some turns by a policy, each seeing no more than its own view. If the draw pile is empty then,
exact play gives the rest of the value; otherwise `expected` does. A lead is worth a share of a round: see `share`.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from backtrick.take_that.policies import POLICIES, tuned
from backtrick.take_that.rule_options import REACH, cost, is_toad, twisted
from backtrick.take_that.solving import endgame_bounds
from backtrick.take_that.state import OPEN, State
from backtrick.take_that.turn import Turn
from backtrick.work import Budget

TURNS = 6
LATE = 14
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


class Counts(NamedTuple):
    """Of a hand: lays and twists together, twists, cards held with their twisted card (in pairs), toads."""

    moves: int
    twists: int
    pairs: int
    toads: int


def counted(hand: tuple[int, ...], line: tuple[int, ...]) -> Counts:
    """The counts of a hand, as if its player were to move.

    >>> counted((12, 21, 33, 94), (34, 49))
    Counts(moves=1, twists=1, pairs=1, toads=1)
    """
    lays = [card for card in hand if not line or abs(card - line[-1]) <= REACH]
    twists = [card for card in hand if not is_toad(card) and twisted(card) in line]
    pairs = sum(twisted(card) > card and twisted(card) in hand for card in hand)
    return Counts(len(lays) + len(twists), len(twists), pairs, sum(map(is_toad, hand)))


def expected(state: State) -> float:
    """A rough estimate of the mover's points minus the opponent's from here on, if the cards of both are known."""
    own, other = (counted(state.hands[seat], state.line) for seat in (state.seat, 1 - state.seat))
    p = PROMISES
    total = p.turn + p.twist * (own.twists - other.twists)
    total += p.pair * (own.pairs - other.pairs)
    total += p.toad * (own.toads - other.toads)
    of_line = p.line + p.own_moves / (1 + own.moves)
    of_line += p.other_moves / (1 + other.moves)
    of_line += p.own_stuck * (own.moves == 0)
    of_line += p.other_stuck * (other.moves == 0)
    return total + cost(state.line) * of_line


def settled(state: State) -> float:
    """What exact play of the endgame gives its mover; the middle of the bounds if it takes too many nodes."""
    position = state.position()
    if position is None:
        return 0.0  # the round is over
    known = endgame_bounds(position, state.rules, Budget(nodes=NODES))
    return (int(known.lowest) + int(known.highest)) / 2


def share(lead: float, pile: int) -> float:
    """The share of a round that a lead is worth, -1..1.

    >>> share(4, pile=0), share(-16, pile=16)
    (0.5, -0.5)
    """
    scale = LEVEL + SLOPE * sqrt(pile)
    return lead / (scale + abs(lead))


def whole_turn(state: State, move: Turn) -> State:
    """The state after a move, and after a taking what a tuned player opens with (T6)."""
    state = state.apply(move)
    return state.apply(tuned(state.view(state.seat))) if state.phase == OPEN else state


def value_of(world: State, move: Turn, other: str = "tuned") -> float:
    """What a move of player 0 is worth in a world, -1..1. Player 0 goes on as `tuned`, player 1 as the policy `other`.

    With at most LATE cards in the pile after the move they play until it is empty, else TURNS turns.
    """
    state, players = whole_turn(world, move), (tuned, POLICIES[other])
    for _ in range(len(state.pile) if len(state.pile) <= LATE else TURNS):
        state = whole_turn(state, players[state.seat](state.view(state.seat)))
    more = expected(state) if state.pile else settled(state)
    lead = state.points[0] - state.points[1]
    return share(lead + (more if state.seat == 0 else -more), len(state.pile))
