"""Positions of Take That to try things on: whole small decks, random ones of the real deck, hypothesis strategies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from random import Random

from hypothesis import strategies as st

from backtrick.take_that import Position, Rules
from backtrick.take_that.rule_options import DECK, twisted

ALL_RULES = [Rules(forced_only, empty_line) for forced_only in (False, True) for empty_line in ("opens", "ends")]
ROUND_RULES = [*ALL_RULES, Rules(professional=True), Rules(forced_only=True, professional=True)]
"""The professional rule changes no endgame (T11)."""

SMALL_DECKS = {
    "a pair, a toad, near and far": (12, 21, 22, 32),  # 12-21 is 9 apart, 12-22 exactly 10, 21-32 11
    "two pairs that touch": (12, 13, 21, 31),
    "two pairs and a toad": (34, 43, 44, 45, 54),
    "one pair, two toads": (33, 34, 43, 44, 55),
}


def every_deal(deck: tuple[int, ...]) -> Iterator[Position]:
    """Every deal of all cards of a deck: hands that are not empty, line and pile in every order."""
    for places in product(range(4), repeat=len(deck)):
        parts = [[card for card, place in zip(deck, places, strict=True) if place == part] for part in range(4)]
        if parts[0] and parts[1] and parts[3]:
            for line, pile in product(permutations(parts[2]), permutations(parts[3])):
                yield Position(parts[0], parts[1], line, pile)


def every_position(deck: tuple[int, ...]) -> Iterator[Position]:
    """Every position of a deck: each card in one of the hands, in the line or out of play, the line in every order."""
    for places in product(range(4), repeat=len(deck)):
        parts = [[card for card, place in zip(deck, places, strict=True) if place == part] for part in range(3)]
        for line in permutations(parts[2]):
            yield Position(parts[0], parts[1], line)


def random_position(random: Random, hand: int, line: int, deck: tuple[int, ...] = DECK) -> Position:
    """A position with at most `hand` cards a hand and `line` in the line; every other one is rich in twisted cards."""
    cards = random.sample(deck, len(deck))
    if random.random() < 0.5:
        start = random.sample(deck, min(len(deck), hand + line // 2))
        cards = list(dict.fromkeys(card for one in start for card in (one, twisted(one)) if card in deck))
        random.shuffle(cards)
    mover, other, row = (random.randint(0, most) for most in (hand, hand, line))
    return Position(cards[:mover], cards[mover : mover + other], cards[mover + other : mover + other + row])


@st.composite
def positions(draw: st.DrawFn, hand: int = 9, line: int = 12) -> Position:
    """Well-formed positions, drawn to lie near each other: cards of one or two neighbourhoods and their twisted cards."""
    centre = draw(st.sampled_from(DECK))
    near = [card for card in DECK if abs(card - centre) <= 15]
    pool = draw(st.sampled_from([DECK, tuple(dict.fromkeys(near + [twisted(card) for card in near]))]))
    cards = draw(st.permutations(pool))
    sizes = [draw(st.integers(0, most)) for most in (hand, hand, line)]
    return Position(cards[: sizes[0]], cards[sizes[0] : sum(sizes[:2])], cards[sum(sizes[:2]) : sum(sizes)])


@st.composite
def deals(draw: st.DrawFn, hand: int = 9, line: int = 8, pile: int = 12) -> Position:
    """Positions with cards still to be drawn."""
    known = draw(positions(hand, line).filter(lambda one: one.mover and one.opponent))
    left = [card for card in DECK if card not in known.mover + known.opponent + known.line]
    count = draw(st.integers(1, min(pile, len(left))))
    return Position(known.mover, known.opponent, known.line, draw(st.permutations(left))[:count])


def random_deal(random: Random, hand: int, line: int, pile: int, deck: tuple[int, ...] = DECK) -> Position:
    """A deal with at most this many cards in each hand, the line and the pile; every other one is rich in twisted cards."""
    while True:
        cards = random_position(random, hand, line, deck)
        left = [card for card in deck if card not in cards.mover + cards.opponent + cards.line]
        if cards.mover and cards.opponent and left:
            return Position(cards.mover, cards.opponent, cards.line, random.sample(left, random.randint(1, min(pile, len(left)))))
