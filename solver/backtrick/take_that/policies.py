"""Simple players of whole rounds: a policy is a function from what a player may see to a move. A taker is asked twice.

The fast twins are in `ext/backtrick/take_that/_play.pyx`. They add and multiply in the same order, so their moves are the
same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from backtrick.play.players import Policies, no_turn
from backtrick.play.state import Player
from backtrick.take_that.rule_options import REACH, TWIST_POINTS, cost, is_toad, twisted
from backtrick.take_that.rules import effect
from backtrick.take_that.state import View
from backtrick.take_that.turn import TAKE, Turn

Policy = Player[View, Turn]
"""A function from what the player to move may see to a legal move."""


def moves_of(view: View) -> list[Turn]:
    """The legal moves. Raises `ArgumentError` if there is none: the round is over."""
    moves = view.legal()
    if not moves:
        raise no_turn(view)
    return moves


def near(cards: Sequence[int], card: int) -> int:
    """How many of `cards` may be laid on `card` (T4).

    >>> near((41, 51, 52), 41)
    2
    """
    return sum(card - REACH <= other <= card + REACH for other in cards)


def wanted(line: Sequence[int]) -> set[int]:
    """The cards that twist one of a line (T5).

    >>> sorted(wanted((33, 34, 41)))
    [14, 43]
    """
    return {twisted(card) for card in line if not is_toad(card)}


def eager(view: View) -> Turn:
    """Twists if it can, else lays the card nearest to the right-most one, and takes only if it must.

    On a tie it uses the higher card. It ignores what the opponent may hold.
    """
    top = view.line[-1] if view.line else 0
    cards = [(move.is_twist, -abs(move.card - top), move.card, move) for move in moves_of(view) if move.card is not None]
    return max(cards)[-1] if cards else TAKE


def careful(view: View) -> Turn:
    """The move with the highest `worth`. On a tie it takes, or else makes the first of the equal moves."""
    best, best_worth = TAKE, -float("inf")
    for move in sorted(moves_of(view), key=lambda move: not move.is_take):
        found = worth(view, move)
        if found > best_worth:
            best, best_worth = move, found
    return best


def worth(view: View, move: Turn) -> float:
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
    """What the line promises the mover: its cost times the chance that the opponent can lay nothing and takes it, minus its
    cost times the chance that the opponent can lay and the mover can then lay nothing."""
    stuck = (1 - _held(view)) ** near(view.unseen, line[-1])
    own_stuck = 0.5 ** (1 + near(hand, line[-1]))
    return cost(line) * (stuck - (1 - stuck) * own_stuck)


def _held(view: View) -> float:
    return view.hand_size / max(len(view.unseen), 1)


class Weights(NamedTuple):
    """The constants of `tuned`.

    escapes:     how much an unseen card that could twist counts, against one that could be laid, when the opponent looks for a move
    own_stuck:   the chance that the mover has no move after a reply, for each card that fits on it once more
    own_escapes: how much an own twist counts, against a lay, when the mover looks for its next move
    given:       what a point of the line is worth if the opponent is stuck
    taken:       what a point of the line costs if the mover is stuck
    pair:        laying a card whose twisted card is in hand
    gift:        what it costs if the opponent can twist the card that is laid
    toad:        laying a toad
    twist:       each twist that the mover can still make after the move
    cleared:     twisting the last card of the line
    take:        taking, besides the points of the line
    taking:      what a point of the line costs that is taken now
    catch:       a reply that the mover can twist
    """

    escapes: float
    own_stuck: float
    own_escapes: float
    given: float
    taken: float
    pair: float
    gift: float
    toad: float
    twist: float
    cleared: float
    take: float
    taking: float
    catch: float


WEIGHTS = Weights(
    escapes=0.16, own_stuck=0.386, own_escapes=0.77, given=1.36, taken=0.48, pair=-0.54, gift=4.6, toad=-0.53, twist=2.9,
    cleared=-0.47, take=1.04, taking=0.72, catch=1.05,
)  # fmt: skip
"""Found by `scripts/players/tune_take_that.py`: 45 rounds of 40 sets, 1,200 pairs each, two minutes of one core."""


def tuned(view: View, weights: Weights = WEIGHTS) -> Turn:
    """The move with the highest `tuned_worth`. On a tie it takes, or else makes the first of the equal moves."""
    best, best_worth = TAKE, -float("inf")
    for move in sorted(moves_of(view), key=lambda move: not move.is_take):
        found = tuned_worth(view, move, weights)
        if found > best_worth:
            best, best_worth = move, found
    return best


def tuned_worth(view: View, move: Turn, weights: Weights = WEIGHTS) -> float:
    """Roughly what a move gains, in points, as `worth` does, with more to look at and with `weights`.

    Cards that can twist are moves in hand, on both sides.
    """
    if move.card is None:
        return weights.take - weights.taking * cost(view.line)
    _, hand, line = effect(view.hand, view.line, move)
    total = 0.0
    if move.is_twist:
        total = float(TWIST_POINTS)
        if not line:
            return total + weights.cleared
    elif is_toad(move.card):
        total = weights.toad
    elif twisted(move.card) in hand:
        total = weights.pair
    elif twisted(move.card) in view.unseen:
        total = -(weights.gift * _held(view))
    twists = wanted(line)
    own_twists = len(twists.intersection(hand))
    replies = [card for card in view.unseen if abs(card - line[-1]) <= REACH]
    escapes = len(replies) + weights.escapes * len(twists.intersection(view.unseen))
    stuck, own_stuck = (1 - _held(view)) ** escapes, 0.0
    if replies:
        caught = [not is_toad(card) and twisted(card) in hand for card in replies]
        for card, catches in zip(replies, caught, strict=True):
            own_stuck += weights.own_stuck ** (near(hand, card) + catches)
        own_stuck = own_stuck / len(replies) * weights.own_stuck ** (weights.own_escapes * own_twists)
        total += weights.catch * (1 - stuck) * (sum(caught) / len(replies))
    total += cost(line) * (weights.given * stuck - (1 - stuck) * own_stuck * weights.taken)
    return total + weights.twist * own_twists


POLICIES: Policies[View, Turn] = Policies({"careful": careful, "eager": eager, "tuned": tuned})
"""The policies by name: `careful`, `eager`, `tuned`. docs/players.md shows how strong they are."""
