"""The player `thumb`: rules that one can follow at the table (docs/thumb.md)."""

from __future__ import annotations

from backtrick.take_that.policies import moves_of, near, wanted
from backtrick.take_that.rule_options import is_toad, twisted
from backtrick.take_that.rules import effect
from backtrick.take_that.state import View
from backtrick.take_that.turn import Turn

TWIST, STUCK, GIFT, FOLLOW, TOAD, TOAD_LINE, ONE, TAKE = 3, 6, 4, 3, 4, 12, 2, 3
"""What it costs in points to break each rule when nothing is to come: as docs/thumb.md counts it, rounded. The last is a guess, the
price of taking a line of several cards without a toad."""


def thumb(view: View) -> Turn:
    """While cards are to come it takes only if it must, twists if it can, and else lays a card whose twisted card was seen, the one
    on which the fewest unseen cards fit. When none are to come, it plays the move that breaks the cheapest rules of thumb.

    >>> print(thumb(View.parse("12,13,14,15,16,17,18,19,21 ?9 34-43-22 ?58")))
    12
    """
    moves = moves_of(view)
    if view.pile_size:
        return min(moves, key=lambda move: _early(view, move))
    can_twist, can_end = any(move.is_twist for move in moves), any(_is_stuck(view, move) for move in moves)
    return min(moves, key=lambda move: _late(view, move, can_twist, can_end))


def _early(view: View, move: Turn) -> tuple[bool, bool, bool, int]:
    _, _, line = effect(view.hand, view.line, move)
    return move.is_take, not move.is_twist, _is_gift(view, move), near(view.unseen, line[-1]) if line else 0


def _late(view: View, move: Turn, can_twist: bool, can_end: bool) -> tuple[int, int]:
    """The price of the rules that a move breaks, and how many cards of the opponent fit. A rule counts where it can be kept."""
    _, hand, line = effect(view.hand, view.line, move)
    price = TWIST * (can_twist and not move.is_twist) + STUCK * (can_end and not _is_stuck(view, move))
    if move.is_take:
        return price + (TOAD_LINE if any(map(is_toad, view.line)) else TAKE * (len(view.line) > 1)), 0
    price += ONE * (len(view.line) == 1) + GIFT * _is_gift(view, move)
    if not line:
        return price, 0
    follows = near(hand, line[-1]) or wanted(line).intersection(hand)
    price += FOLLOW * (not follows and not _is_stuck(view, move)) + TOAD * (not move.is_twist and is_toad(line[-1]))
    return price, near(view.unseen, line[-1])


def _is_stuck(view: View, move: Turn) -> bool:
    """Whether a move leaves no lay and no twist to an opponent who holds all unseen cards."""
    _, _, line = effect(view.hand, view.line, move)
    return bool(line) and not near(view.unseen, line[-1]) and not wanted(line).intersection(view.unseen)


def _is_gift(view: View, move: Turn) -> bool:
    """Whether a move lays a card that the opponent may twist. A card that twists has its twisted card in the line."""
    card = move.card
    return card is not None and not is_toad(card) and twisted(card) in view.unseen
