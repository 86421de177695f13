"""What a move is worth in one world that a view of Take That leaves (`View.world`): the readable twin of `Sampler` in the kernel
`_players`.

After the move both players play some turns by a policy, each seeing no more than its own view. If the draw pile is empty then,
exact play gives the rest of the value; otherwise `expected` does. A lead is worth a share of a round: see `share`.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from backtrick.budget import Budget
from backtrick.take_that import Turn
from backtrick.take_that.players import LATE, LEVEL, NODES, PROMISES, SLOPE, TURNS
from backtrick.take_that.policies import POLICIES, tuned
from backtrick.take_that.rule_options import REACH, cost, is_toad, twisted
from backtrick.take_that.solving import endgame_bounds
from backtrick.take_that.state import OPEN, State


class Counts(NamedTuple):
    """Of a hand: lays and twists together, twists, cards held with their twisted card (in pairs), toads."""

    moves: int
    twists: int
    pairs: int
    toads: int


def counted(hand: tuple[int, ...], line: tuple[int, ...]) -> Counts:
    """The counts of a hand, as if its player were to move."""
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
    """The share of a round that a lead is worth, -1..1."""
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
        if not state.pile:
            break  # a minus card was the last one (T11)
        state = whole_turn(state, players[state.seat](state.view(state.seat)))
    more = expected(state) if state.pile else settled(state)
    lead = state.points[0] - state.points[1]
    return share(lead + (more if state.seat == 0 else -more), len(state.pile))
