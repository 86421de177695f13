"""Simple players of whole rounds: a policy is a function from what a player may see to a move. A taker is asked twice.

The fast twins are in `ext/solver/take_that/_games.pyx`. They add and multiply in the same order, so they choose the same moves.
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.core.policies import Policies
from solver.core.state import Player
from solver.take_that.action import TAKE, Action
from solver.take_that.cards import REACH, TWIST_POINTS, cost, twisted
from solver.take_that.rules import effect
from solver.take_that.state import View

Policy = Player[View, Action]
"""A function from what the player to move may see to a legal move."""


def near(cards: Sequence[int], card: int) -> int:
    """How many of `cards` may be laid on `card` (T4).

    >>> near((41, 51, 52), 41)
    2
    """
    return sum(card - REACH <= other <= card + REACH for other in cards)


def eager(view: View) -> Action:
    """Twists if it can, else lays the card nearest to the right-most one, and takes only if it must.

    On a tie it uses the higher card. It ignores what the other may hold.
    """
    top = view.line[-1] if view.line else 0
    cards = [(move.is_twist, -abs(move.card - top), move.card, move) for move in view.legal() if move.card is not None]
    return max(cards)[-1] if cards else TAKE


def careful(view: View) -> Action:
    """The move with the highest `worth`. On a tie it takes, or else makes the first of the equal moves."""
    best, best_worth = TAKE, -float("inf")
    for move in sorted(view.legal(), key=lambda move: not move.is_take):
        found = worth(view, move)
        if found > best_worth:
            best, best_worth = move, found
    return best


def worth(view: View, move: Action) -> float:
    """Roughly what a move gains, in points, with the unseen cards equally likely.

    A lay or twist is worth its points plus `_left` of the line that it leaves. A lay loses two points times the chance that the
    other can twist the card, and gains one point if its twisted card is in hand. Taking is worth minus what it costs.
    """
    points, hand, line = effect(view.hand, view.line, move)
    total = float(points)
    if move.is_take:
        return total
    if not move.is_twist:
        partner = twisted(line[-1])
        if partner in hand:
            total += TWIST_POINTS / 2
        elif partner in view.unseen:
            total -= TWIST_POINTS * _held(view)
    return total + _left(view, hand, line) if line else total


def _left(view: View, hand: Sequence[int], line: tuple[int, ...]) -> float:
    """What the line promises the mover: its cost times the chance that the other can lay nothing and takes it, minus its cost
    times the chance that the other can lay and the mover can then lay nothing."""
    stuck = (1 - _held(view)) ** near(view.unseen, line[-1])
    own_stuck = 0.5 ** (1 + near(hand, line[-1]))
    return cost(line) * (stuck - (1 - stuck) * own_stuck)


def _held(view: View) -> float:
    """The chance that the other holds a given unseen card."""
    return view.hand_size / max(len(view.unseen), 1)


POLICIES: Policies[View, Action] = Policies({"careful": careful, "eager": eager})
"""The policies by name."""
