"""Small worlds of deals, each of them whole: so few cards that every deal can be asked for.

A world gives each player a few cards. Its deals are all ways to hold at least two of them, with the others in the pile in any
order, and a top of every meaning on each of the four piles, under both readings of F13. Two tops mean the same if the same own
cards fit on them and the same cards of the other improve them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
from backtrick_development.face_to_face._brute import DEAL_DTYPE

from audit import Batch, Found, Mismatch
from audit.face_to_face.brute import CARDS, NOT_KNOWN, Question, answers, text
from backtrick.face_to_face._deal import DealSolver
from backtrick.face_to_face.deal import PackedSide
from backtrick.face_to_face.rule_options import BACK, PUBLISHED, Rules

SLICES = 1_000
"""All deals are dealt out to so many slices, one after the other, so that each has some of every kind"""
WORDS = "not known", "loss", "win"

WORLDS = (
    ((14, 24, 34), (14, 24, 34)),          # one chain, on both sides
    ((14, 24, 34), (25, 35, 45)),          # two chains
    ((14, 25, 34), (24, 35, 44)),          # two chains, across both sides
    ((24, 34, 29), (19, 29, 34)),          # cards between those of a chain
    ((12, 23, 45), (17, 31, 38)),          # no chain
    ((14, 24, 34, 44), (24, 25, 35)),
    ((24, 25, 35), (14, 24, 34, 44)),
    ((14, 24, 33, 43), (18, 28, 38)),
    ((14, 24, 34, 44), (24, 34, 44)),
    ((14, 24, 34, 44), (14, 24, 34, 44)),
    ((14, 24, 34, 44), (15, 25, 35, 45)),
)  # fmt: skip


class World(NamedTuple):
    """The ways to hold the cards, each (cards, how many of them are held), and the tops of both piles: of each player."""

    held: list[list[tuple[tuple[int, ...], int]]]
    ups: list[list[int]]
    downs: list[list[int]]

    @property
    def sizes(self) -> list[int]:
        """How many choices there are of each kind: the reading, then of each player the cards and the tops."""
        return [2, *(len(one[seat]) for seat in range(2) for one in (self.held, self.ups, self.downs))]


def ways_to_hold(cards: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
    return [
        ((*hand, *pile), held)
        for held in range(2, len(cards) + 1)
        for hand in combinations(cards, held)
        for pile in permutations(set(cards) - set(hand))
    ]


def tops_of(own: tuple[int, ...], other: tuple[int, ...], ascending: bool) -> list[int]:
    """One top of each meaning: the last one. A number that both players hold is on no top (F1)."""
    sign = 1 if ascending else -1
    meanings = {
        tuple(sign * card > sign * top for card in own)
        + tuple(card == top - sign * BACK for card in own)
        + tuple(sign * card < sign * top for card in other): top
        for top in (range(1, 60) if ascending else range(60, 1, -1))
        if top not in own or top not in other
    }
    return list(meanings.values())


@cache
def world_of(place: int) -> World:
    cards = WORLDS[place]
    both = [(cards[seat], cards[1 - seat]) for seat in range(2)]
    return World(
        [ways_to_hold(own) for own in cards],
        [tops_of(own, other, True) for own, other in both],
        [tops_of(own, other, False) for own, other in both],
    )


@cache
def counts() -> list[int]:
    """How many deals each world has, those that are not well-formed too."""
    return [int(np.prod(world_of(place).sizes)) for place in range(len(WORLDS))]


def deals_at(numbers: np.ndarray) -> np.ndarray:
    """The deals of these numbers, from 0 through all worlds; without those in which a number is there three times (F1)."""
    starts = np.cumsum([0, *counts()])
    parts = [
        _deals_of(place, numbers[(numbers >= starts[place]) & (numbers < starts[place + 1])] - starts[place])
        for place in range(len(WORLDS))
    ]
    return np.concatenate(parts)


def _deals_of(place: int, numbers: np.ndarray) -> np.ndarray:
    world = world_of(place)
    reading, *choices = np.unravel_index(numbers, world.sizes)
    found = np.zeros(len(numbers), DEAL_DTYPE)
    found["lone_card"] = reading
    shown = np.zeros((len(numbers), 64), int)
    for seat in range(2):
        held, up, down = choices[3 * seat:3 * seat + 3]
        rows = [[*cards, *[0] * (CARDS - len(cards))] for cards, _ in world.held[seat]]
        found["cards"][:, seat] = np.array(rows)[held]
        found["held"][:, seat] = np.array([count for _, count in world.held[seat]])[held]
        found["count"][:, seat] = len(WORLDS[place][seat])
        for name, tops in (("up", np.array(world.ups[seat])[up]), ("down", np.array(world.downs[seat])[down])):
            found[name][:, seat] = tops
            shown[np.arange(len(numbers)), tops] += 1
    for cards in WORLDS[place]:
        shown[:, list(cards)] += 1
    return found[(shown[:, 2:60] <= 2).all(axis=1)]


def slice_of(place: int) -> np.ndarray:
    return deals_at(np.arange(place, sum(counts()), SLICES))


def kernel_outcomes(deals: np.ndarray, ideas: int = 511) -> list[int]:
    """What the search says of each deal, in the order of WORDS."""
    solvers = [DealSolver(Rules(lone_card).code, 1 << 16, ideas) for lone_card in (False, True)]
    asked = zip(deals["lone_card"].tolist(), kernel_sides(deals), strict=True)
    return [solvers[lone_card].solve(*sides)[0] for lone_card, sides in asked]


def kernel_sides(deals: np.ndarray) -> Iterator[list[PackedSide]]:
    """Both sides of each deal, as the kernel takes them."""
    columns = [deals[name].tolist() for name in ("up", "down", "held", "count", "cards")]
    for ups, downs, held, count, cards in zip(*columns, strict=True):
        yield [
            (ups[seat], downs[seat], tuple(cards[seat][: held[seat]]), tuple(cards[seat][held[seat]: count[seat]]))
            for seat in range(2)
        ]


def draw_slice(number: int) -> Batch:
    """One of the slices."""
    return Batch("small worlds", PUBLISHED, slice_of(number))


def compare(batch: Batch) -> Found:
    """The outcome of each deal by the search and by brute force."""
    said, winners = kernel_outcomes(batch.cases), answers(batch.cases, Question()).tolist()
    mismatches = [
        Mismatch(place, text(batch.cases[place]), (f"the search: {WORDS[one]}", f"brute force: {WORDS[other]}"))
        for place, (one, other) in enumerate(zip(said, winners, strict=True))
        if one != other and other != NOT_KNOWN
    ]
    return Found(len(said), mismatches)
