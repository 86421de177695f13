"""An oracle for deals of The Game: Face to Face: a plain recursion over the turns that the rules allow (`rules.py`), and random
deals that are small enough for it."""

from __future__ import annotations

from backtrick.errors import PositionError
from backtrick.face_to_face.position import Position, Side
from backtrick.face_to_face.rule_options import Rules
from backtrick.face_to_face.rules import Table, turns_of
from oracles.published_deck import SmallDeck


def followers(position, rules):
    """The positions after every turn, each once."""
    return {table.next_position() for table in turns_of(Table(position.mover, position.opponent), rules)}


def is_won(position, rules, memo):
    """Does the player to move win? memo: of one value of `rules`."""
    if position not in memo:
        memo[position] = any(not is_won(following, rules, memo) for following in followers(position, rules))
    return memo[position]


def fewest_turns(position, rules, memo):
    """The fewest turns in which the player to move can be through if the other does what it can to help; 99 if it cannot."""
    if position not in memo:
        best = 99
        for following in followers(position, rules):
            if not following.opponent.hand and not following.opponent.pile:
                best = 1
                break
            for next_own in followers(following, rules):
                if next_own.opponent.hand:
                    best = min(best, 1 + fewest_turns(next_own, rules, memo))
        memo[position] = best
    return memo[position]


def can_be_through(position, turns, rules, kindly, gifts=True):
    """Can the player to move lay all cards in this many turns?

    kindly: the other, too, does what is best for that, except that it lays no helpful card; else it does what is worst. In both
    cases the player need not care whether the other is through first. gifts: the player may lay helpful cards.
    """
    for following in own_turns(position, rules, gifts):
        if not following.opponent.hand:
            return True
        if turns > 1 and after_the_other(
            following, rules, kindly, lambda deal: can_be_through(deal, turns - 1, rules, kindly, gifts)
        ):
            return True
    return False


def can_go_on(position, turns, rules, kindly, gifts=True):
    """Can the player to move make this many turns, or be through before? kindly, gifts: as in `can_be_through`."""
    for following in own_turns(position, rules, gifts):
        if turns == 1 or not following.opponent.hand:
            return True
        if after_the_other(following, rules, kindly, lambda deal: can_go_on(deal, turns - 1, rules, kindly, gifts)):
            return True
    return False


def own_turns(position, rules, gifts):
    """The positions after the turns of the player to move, with or without helpful cards."""
    found = followers(position, rules)
    return found if gifts else {following for following in found if same_tops(following.mover, position.opponent)}


def after_the_other(following, rules, kindly, can):
    """`can`, after a turn of the other, who is to move."""
    replies = followers(following, rules)
    if kindly:
        return any(can(reply) for reply in replies if same_tops(reply.mover, following.opponent))
    return all(not reply.opponent.hand or can(reply) for reply in replies)


def same_tops(side, other):
    return (side.ascending, side.descending) == (other.ascending, other.descending)


def random_rules(rng):
    return Rules(lone_card=rng.random() < 0.5)


DECKS = [SmallDeck(*deck) for deck in ((60, 10), (60, 10), (32, 5), (20, 3), (14, 2), (8, 1))]
"""The published deck, and smaller ones in which more numbers are a back trick apart."""


def random_deal(rng, cards=7):
    """A deal of up to `cards` cards a side, its numbers near each other, so that few fit."""
    while True:
        deck = rng.choice(DECKS)
        highest = deck.highest
        low = rng.choice([2, 2, max(2, (highest - 20) // 2)])
        numbers = range(low, min(highest, low + rng.choice([7, 10, 16, 25, 57])))
        sides = []
        for _ in range(2):
            drawn = rng.sample(numbers, min(rng.randint(1, cards), len(numbers)))
            held = rng.randint(1, min(6, len(drawn)))
            anywhere = rng.randint(1, highest - 1), rng.randint(2, highest)
            tops = rng.choice([(1, highest), anywhere, rng.sample(numbers, 2)])
            sides.append(Side(*tops, drawn[:held], drawn[held:]))
        try:
            return deck.position(Position(*sides))
        except PositionError:
            pass
