"""Endgames and deals of Take That by a plain recursion over plain tuples: no bound, nothing shared but the position.

Every number here is written out again from the rule sheet on purpose; an error would have to be made twice to hide.
"""

from __future__ import annotations

from backtrick.take_that import Position, Rules
from backtrick.take_that.rule_options import DECK

TOADS = 22, 33, 44, 55, 66, 77, 88
EMPTY_LINES = "opens", "ends"


def reversed_digits(card: int) -> int:
    """The card read from right to left."""
    return int(str(card)[::-1])


def cost_of(line):
    return sum(5 if card in TOADS else 1 for card in line)


def deal_value(mover, opponent, line, pile, rules, memo):
    """The mover's points minus the opponent's, by trying everything."""
    key = mover, opponent, line, pile
    if key not in memo:
        values = [worth for _, worth in turn_values(mover, opponent, line, pile, rules, memo)]
        memo[key] = max(values) if values else 0
    return memo[key]


def turn_values(mover, opponent, line, pile, rules, memo):
    """Every turn in notation and its value for the mover."""
    if not line and not pile and rules.empty_line == "ends":
        return []

    def next_value(hand, new_line, rest=pile):
        if not pile and not new_line:
            return 0
        hand = tuple(sorted(hand + rest[:1]))
        return deal_value(opponent, hand, new_line, rest[1:], rules, memo)

    found = []
    for card in mover:
        if not line or abs(card - line[-1]) <= 10:
            found.append((str(card), -next_value(without(mover, card), (*line, card))))
    for card in mover:
        other = reversed_digits(card)
        if other != card and other in line:
            found.append((f"{card}x{other}", 2 - next_value(without(mover, card), without(line, other))))
    if line and not (rules.forced_only and found):
        if not pile:
            found.append(("take", -cost_of(line)))
        else:
            minus = pile[: rules.professional and len(line) == 1]  # T11
            rest, cost = pile[len(minus) :], cost_of(line + minus)
            found += [(f"take,{card}", -cost - next_value(without(mover, card), (card,), rest)) for card in mover]
    return found


def without(cards, gone):
    return tuple(card for card in cards if card != gone)


def random_rules(rng):
    return Rules(rng.random() < 0.3, rng.choice(EMPTY_LINES))


def random_deal(rng, held, pile, line):
    """A deal with at most this many cards in each hand, in the pile and in the line; most of them from a part of the deck in which
    cards are near each other, have partners and are toads."""
    cards = rng.sample(DECK, len(DECK))
    if rng.random() < 0.6:
        least = rng.randint(12, 70)
        near = [card for card in DECK if least <= card < least + rng.randint(8, 30)]
        close = list(dict.fromkeys([*near, *map(reversed_digits, near), *(TOADS if rng.random() < 0.5 else ())]))
        first = [card for card in close if card in DECK]
        cards = rng.sample(first, len(first)) + [card for card in cards if card not in first]
    sizes = rng.randint(1, held), rng.randint(1, held), rng.randint(0, line), rng.randint(0, pile)
    parts, begun = [], 0
    for size in sizes:
        parts.append(tuple(cards[begun : begun + size]))
        begun += size
    return Position(*parts)


def value_of(position, rules, memo=None):
    return deal_value(position.mover, position.opponent, position.line, position.pile, rules, {} if memo is None else memo)
