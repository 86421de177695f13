"""Simple players of whole games, a few lines each: a function from what a player may see to the turn that it lays.

`ext/backtrick/face_to_face/_play.pyx` has the fast twins of these policies, and tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from backtrick.face_to_face.position import HAND_SIZE
from backtrick.face_to_face.rule_options import BACK
from backtrick.face_to_face.rules import Table, turns_of
from backtrick.face_to_face.state import View
from backtrick.face_to_face.turn import ASCENDING, DESCENDING, Play, Turn
from backtrick.play.players import Policies, no_turn
from backtrick.play.state import Player

Policy = Player[View, Turn]
"""A function from what a player sees when a turn begins to the turn. All plays are legal; if the turn may not end there, the
policy found none."""

GIFT_SHARE = 0.5  # cost of a helpful card, as a share of its gift: it spares an own pile too; below 1 most games get to their end
SPOIL = 5  # what it is worth to break a back trick that the opponent may still have


class Priced(NamedTuple):
    """A play, and what it costs in numbers of room on the piles."""

    cost: float
    play: Play


def frugal(view: View) -> Turn:
    """Lays the cards that move the tops least, looks two cards ahead for back tricks, and helps where that is cheaper.

    A back trick that fits is always laid. Otherwise a turn lays two cards, each time the cheapest. A card costs the distance that
    it moves an own top; if its back trick is in hand too, half the distance that both together move it. The helpful card costs
    GIFT_SHARE of what it gives the opponent; SPOIL less if the opponent may still have the old top's back trick, SPOIL more if
    it may have the new top's. With an empty draw pile it lays the whole hand in this order if that fits, and wins (F12).
    """
    if not view.own.pile:
        everything = cheapest_plays(view, HAND_SIZE, foresight=True)
        if len(everything) == len(view.own.hand):
            return everything
    return cheapest_plays(view, 2, foresight=True)


def hasty(view: View) -> Turn:
    """Lays the two cheapest cards, one after the other, at the prices of `frugal`, and looks no further.

    So it lays a back trick only as one of its two cards, does not prepare one or break one on purpose, and does not notice that
    its whole hand would fit.
    """
    return cheapest_plays(view, 2, foresight=False)


def cheapest_plays(view: View, count: int, foresight: bool) -> Turn:
    """Lays the cheapest play, `count` times or until none fits; with foresight also every back trick that fits."""
    table = view.table
    while True:
        play = back_trick(table)
        if play is None or not foresight:
            if len(table.plays) >= count:
                break
            play = play or cheapest_play(table, view, foresight)
        if play is None:
            break
        table = table.lay(play)
    return Turn(table.plays)


def back_trick(table: Table) -> Play | None:
    """A back trick that fits on an own pile (F5, F6), the ascending one first."""
    own = table.mover
    if own.ascending - BACK in own.hand:
        return Play(own.ascending - BACK, ASCENDING)
    if own.descending + BACK in own.hand:
        return Play(own.descending + BACK, DESCENDING)
    return None


def cheapest_play(table: Table, view: View, foresight: bool) -> Play | None:
    """The play that costs least, the first of equal ones in this order: own piles, then the helpful card; None if none fits."""
    offers = [*own_plays(table, foresight)]
    if not any(play.helpful for play in table.plays):  # F4
        offers += helpful_plays(table, view, foresight)
    return min(offers, key=lambda offer: offer.cost).play if offers else None


def own_plays(table: Table, foresight: bool) -> Iterator[Priced]:
    """For each own pile the card that moves it least; with foresight also the one that, with its back trick, moves it least."""
    own = table.mover
    for pile, top, sign in ((ASCENDING, own.ascending, 1), (DESCENDING, own.descending, -1)):
        moves = {card: sign * (card - top) for card in own.hand if sign * (card - top) > 0}
        if moves:
            card = min(moves, key=moves.__getitem__)
            yield Priced(moves[card], Play(card, pile))
        pairs = [card for card in moves if foresight and card - sign * BACK in own.hand]
        if pairs:
            card = min(pairs, key=moves.__getitem__)
            yield Priced((moves[card] - BACK) / 2, Play(card, pile))


def helpful_plays(table: Table, view: View, foresight: bool) -> Iterator[Priced]:
    """For each of the opponent's piles the card that gives least (F8)."""
    for pile, top, sign in ((ASCENDING, view.ascending, 1), (DESCENDING, view.descending, -1)):
        gifts = {card: sign * (top - card) for card in table.mover.hand if sign * (top - card) > 0}
        if gifts:
            card = min(gifts, key=gifts.__getitem__)
            spoilt = (top - sign * BACK in view.unlaid) - (card - sign * BACK in view.unlaid)
            yield Priced(GIFT_SHARE * gifts[card] - (SPOIL * spoilt if foresight else 0), Play(card, pile, helpful=True))


class Prices(NamedTuple):
    """What `tuned` weighs, in hundredths of a number of room on a pile. Found by `scripts/players/tune_face_to_face.py`.

    skipped:     each own card that the top moves past, so that it no longer fits on that pile
    dead:        the same, if the card does not fit on the other own pile either; added to `skipped`
    trick:       a back trick that is lost, since its card is not laid yet; gained, if the new top has one
    pair:        a card whose back trick is in hand too, for both together
    alone:       less for a card that fits on no other own pile
    gift:        a helpful card, for each number that it gives
    freed:       each card of the opponent that fits again
    revived:     the same, if the card fitted on none of the opponent's own piles; added to `freed`
    spoilt:      less for breaking a back trick that the opponent may still have
    offered:     a back trick that the opponent may have on the new top
    help:        any helpful card
    refill:      less for each card that is drawn beyond two, if the helpful card ends the turn
    dump:        less for a helpful card that fits on no own pile
    more:        what a card beyond the second may cost at most; `more_helped` after a helpful card, `more_empty` with no pile
    held:        added to it for each card in hand; `held_helped` after a helpful card
    behind:      added to it for each card that the opponent is ahead
    """

    skipped: int
    dead: int
    trick: int
    pair: int
    alone: int
    gift: int
    freed: int
    revived: int
    spoilt: int
    offered: int
    help: int
    refill: int
    dump: int
    more: int
    more_helped: int
    more_empty: int
    held: int
    held_helped: int
    behind: int


PRICES = Prices(
    skipped=170, dead=273, trick=259, pair=4, alone=-152, gift=39, freed=111, revived=744, spoilt=444, offered=1048, help=-163,
    refill=484, dump=416, more=-271, more_helped=436, more_empty=326, held=97, held_helped=121, behind=351,
)  # fmt: skip


def tuned(view: View, prices: Prices = PRICES) -> Turn:
    """Lays the cheapest cards by tuned `Prices`: at least two, and more while they are worth it.

    A back trick that fits is always laid. With an empty draw pile the whole hand is laid if it fits in this order (F12).
    """
    if not view.own.pile:
        everything = priced_plays(view, prices, everything=True)
        if len(everything) == len(view.own.hand):
            return everything
    return priced_plays(view, prices, everything=False)


def priced_plays(view: View, prices: Prices, everything: bool) -> Turn:
    """Lays the cheapest play while a turn needs it or it is worth its price, and each back trick; or everything that fits."""
    table = view.table
    while table.mover.hand:
        play = back_trick(table)
        if play is None:
            offers = [*priced_own(table, prices)]
            if not any(play.helpful for play in table.plays):  # F4
                offers += priced_helpful(table, view, prices)
            best = min(offers, key=lambda offer: offer.cost, default=None)
            if best is None or (len(table.plays) >= 2 and not everything and best.cost > worth_laying(table, view, prices)):
                break
            play = best.play
        table = table.lay(play)
    return Turn(table.plays)


def priced_own(table: Table, prices: Prices) -> Iterator[Priced]:
    """For each own pile the card that moves it least, and the one that does so with its back trick, at half the price of both."""
    own = table.mover
    unlaid = {*own.hand, *own.pile}
    for pile, top, opposite, sign in (
        (ASCENDING, own.ascending, own.descending, 1),
        (DESCENDING, own.descending, own.ascending, -1),
    ):

        def move(end: int, top: int = top, opposite: int = opposite, sign: int = sign) -> int:
            """What it costs to move the top to `end`."""
            passed = [card for card in unlaid if sign * top < sign * card < sign * end]
            dead = [card for card in passed if sign * card >= sign * opposite]
            lost = (top - sign * BACK in unlaid) - (end - sign * BACK in unlaid)
            return 100 * sign * (end - top) + prices.skipped * len(passed) + prices.dead * len(dead) + prices.trick * lost

        beyond = sorted((card for card in own.hand if sign * card > sign * top), key=lambda card: sign * card)
        if beyond:
            alone = prices.alone if sign * beyond[0] >= sign * opposite else 0
            yield Priced(move(beyond[0]) - alone, Play(beyond[0], pile))
        pairs = [card for card in beyond if card - sign * BACK in own.hand]
        if pairs:
            yield Priced((move(pairs[0] - sign * BACK) + prices.pair) / 2, Play(pairs[0], pile))


def priced_helpful(table: Table, view: View, prices: Prices) -> Iterator[Priced]:
    """For each of the opponent's piles the card that gives least (F8)."""
    own = table.mover
    extra = max(min(HAND_SIZE + 1 - len(own.hand), len(own.pile)) - 2, 0)
    for pile, top, opposite, sign in (
        (ASCENDING, view.ascending, view.descending, 1),
        (DESCENDING, view.descending, view.ascending, -1),
    ):
        fitting = [card for card in own.hand if sign * card < sign * top]
        if not fitting:
            continue
        card = max(fitting, key=lambda card: sign * card)
        freed = [other for other in view.unlaid if sign * card < sign * other <= sign * top]
        revived = [other for other in freed if sign * other >= sign * opposite]
        cost = prices.help - prices.refill * extra + prices.gift * sign * (top - card)
        cost += prices.freed * len(freed) + prices.revived * len(revived)
        cost += prices.offered * (card - sign * BACK in view.unlaid) - prices.spoilt * (top - sign * BACK in view.unlaid)
        yield Priced(cost - prices.dump * (own.descending <= card <= own.ascending), Play(card, pile, helpful=True))


def worth_laying(table: Table, view: View, prices: Prices) -> int:
    """What a card beyond the second may cost."""
    own = table.mover
    most = prices.behind * (len(own.hand) + len(own.pile) - len(view.unlaid))
    if not own.pile:
        return most + prices.more_empty
    if any(play.helpful for play in table.plays):
        return most + prices.more_helped + prices.held_helped * len(own.hand)
    return most + prices.more + prices.held * len(own.hand)


POLICIES: Policies[View, Turn] = Policies({"frugal": frugal, "hasty": hasty, "tuned": tuned})
"""The policies by name: `frugal`, `hasty`, `tuned`. docs/players.md shows how strong they are."""


def turn_of(policy: Policy, view: View) -> Turn:
    """The policy's turn, or the first legal turn if the policy found none: a player with a legal turn has not lost (F13). Raises
    `ArgumentError` if there is none.

    >>> from backtrick.face_to_face.position import Position
    >>> from backtrick.face_to_face.state import State
    >>> view = State.begin(Position.parse("27^40v:17,18,45+9,33,50 13^50v:5,12")).view(0)
    >>> print(frugal(view), turn_of(lambda view: Turn(()), view), sep=", ")
    17^ 18^, 17^ 18^
    """
    turn = policy(view)
    table = view.table
    for play in turn:
        table = table.lay(play)
    if table.turn_violation(view.rules) is None:
        return turn
    first = next(turns_of(view.table, view.rules), None)
    if first is None:
        raise no_turn(view)
    return Turn(first.plays)
