"""The player `thumb`: rules that one can follow at the table, without counting (docs/thumb.md)."""

from __future__ import annotations

from collections.abc import Iterator

from backtrick.face_to_face.policies import GIFT_SHARE, SPOIL, Priced, back_trick
from backtrick.face_to_face.rule_options import BACK
from backtrick.face_to_face.rules import Table
from backtrick.face_to_face.solving import legal_turns
from backtrick.face_to_face.state import View
from backtrick.face_to_face.turn import ASCENDING, DESCENDING, Play, Turn

JUMPED = 2
"""What it costs to jump over a card that one holds, in numbers of room on a pile."""


def thumb(view: View) -> Turn:
    """Lays the whole hand if it fits, which wins. Else lays two cards, and each back trick: those that take least room. A pair ten
    apart costs half of what both move, more if they jump over cards of the hand, and help costs half of what it gives. With no
    draw pile it keeps two cards or more, if it can: never one.

    >>> print(thumb(View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12")))
    17^ 18^
    """
    ending = not view.own.pile
    turns = list(legal_turns(view)) if ending else []
    held = len(view.own.hand)
    for turn in turns:
        if len(turn) == held:
            return turn
    turn = _cheapest(view)
    if turns and (len(turn) == held - 1 or turn not in turns):
        return turns[0]  # which lays two cards: a turn comes before those that go on from it
    return turn


def _cheapest(view: View) -> Turn:
    table = view.table
    while table.mover.hand:
        play = back_trick(table)
        if play is None:
            if len(table.plays) >= 2:
                break
            offers = [*_own(table)]
            if not any(play.helpful for play in table.plays):  # F4
                offers += _helpful(table, view)
            if not offers:
                break
            play = min(offers, key=lambda offer: offer.cost).play
        table = table.lay(play)
    return Turn(table.plays)


def _own(table: Table) -> Iterator[Priced]:
    """For each own pile the card that takes least room, and the pair of which the second is the back trick of the first."""
    own = table.mover
    for pile, top, sign in ((ASCENDING, own.ascending, 1), (DESCENDING, own.descending, -1)):
        beyond = sorted((card for card in own.hand if sign * card > sign * top), key=lambda card: sign * card)
        pairs = [card for card in beyond if card - sign * BACK in own.hand]
        if beyond:
            yield Priced(sign * (beyond[0] - top), Play(beyond[0], pile))
        if pairs:
            end = pairs[0] - sign * BACK
            jumped = sum(sign * top < sign * card < sign * end for card in own.hand)
            yield Priced((sign * (end - top) + JUMPED * jumped) / 2, Play(pairs[0], pile))


def _helpful(table: Table, view: View) -> Iterator[Priced]:
    """For each of the opponent's piles the card that gives least (F8)."""
    for pile, top, sign in ((ASCENDING, view.ascending, 1), (DESCENDING, view.descending, -1)):
        fitting = [card for card in table.mover.hand if sign * card < sign * top]
        if fitting:
            card = max(fitting, key=lambda card: sign * card)
            spoilt = (top - sign * BACK in view.unlaid) - (card - sign * BACK in view.unlaid)
            yield Priced(GIFT_SHARE * sign * (top - card) - SPOIL * spoilt, Play(card, pile, helpful=True))
