"""Small decks, whole: every well-formed position as an array, and the value and turn counts of each, worked out here.

The values are a table over (mover's hand, tops, opponent's hand, tops), filled from the fewest cards upwards, whole slices of it
at a time; the sets of cards that a side can lay come from trying every order and every pile. No code of the package is used.
The deck with highest 7 has hands of up to five cards and 310,912 positions; see `count_by_hand` for where such counts come from.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from math import comb, perm

import numpy as np

FIELDS = ("mover_hand", "opponent_hand", "mover_ascending", "mover_descending", "opponent_ascending", "opponent_descending")


@cache
def every_position(highest: int) -> np.ndarray:
    """Every well-formed position of the deck with number cards 2..highest-1, in the package's array form."""
    from backtrick.face_to_face.position import POSITION_DTYPE  # the words, the one thing that is shared

    hands = np.arange(1 << (highest - 2), dtype=np.int64) << 2
    ascending, descending = np.arange(1, highest), np.arange(2, highest + 1)
    grid = np.meshgrid(hands[1:], hands, ascending, descending, ascending, descending, indexing="ij")
    columns = [axis.ravel() for axis in grid]
    fine = np.ones(len(columns[0]), dtype=bool)
    for number in range(2, highest):
        holders = (columns[0] >> number & 1) + (columns[1] >> number & 1)
        holders += sum((column == number).astype(np.int64) for column in columns[2:])
        fine &= holders <= 2
    found = np.zeros(int(fine.sum()), dtype=POSITION_DTYPE)
    for name, column in zip(FIELDS, columns, strict=True):
        found[name] = column[fine]
    found.flags.writeable = False
    return found


def count_by_hand(highest: int) -> int:
    """How many well-formed positions there are, by counting.

    Of the four tops (all told apart) `inside` show a number card, the others their row card. Of those inside, `pairs` pairs show
    the same number; three on one number is one too many. So `inside - pairs` numbers show on piles. A number on two piles is in
    no hand (1 way); on one pile it is in at most one hand (3 ways: mover, opponent, neither); on none it is free (4 ways).
    Then the positions whose mover holds nothing are taken off: there a number is with the opponent or not, 1, 2 and 2 ways.
    """
    numbers = highest - 2

    def ways(free: int, single: int) -> int:
        total = 0
        for inside in range(5):
            for pairs in range(inside // 2 + 1):
                matchings = comb(inside, 2 * pairs) * (1, 1, 3)[pairs]
                shown = perm(numbers, inside - pairs)
                rest = free ** (numbers - inside + pairs) if shown else 0
                total += comb(4, inside) * matchings * shown * rest * single ** (inside - 2 * pairs)
        return total

    return ways(4, 3) - ways(2, 2)


@cache
def lays(hand: tuple[int, ...], up: int, down: int, step: int) -> tuple[tuple[tuple[tuple[int, ...], int, int], int], ...]:
    """What a side can do on its own piles: ((cards kept, ascending top, descending top), ordered ways), nothing laid included."""
    found = Counter()
    for length in range(len(hand) + 1):
        for cards in permutations(hand, length):
            for climbs in product((True, False), repeat=length):
                tops = [up, down]
                for card, climb in zip(cards, climbs, strict=True):
                    if climb and (card > tops[0] or card + step == tops[0]):  # F5
                        tops[0] = card
                    elif not climb and (card < tops[1] or card - step == tops[1]):  # F6
                        tops[1] = card
                    else:
                        break
                else:
                    found[tuple(card for card in hand if card not in cards), tops[0], tops[1]] += 1
    return tuple(found.items())


@dataclass(frozen=True)
class DeckTable:
    """The whole deck, solved. Axes: mover's hand (bit i is card i + 2), ascending top - 1, descending top - 2; the opponent's."""

    values: np.ndarray
    turns: np.ndarray
    outcomes: np.ndarray

    def index(self, array: np.ndarray) -> tuple[np.ndarray, ...]:
        """Where the positions of an array stand in `values`."""
        column = {name: array[name].astype(np.int64) for name in FIELDS}
        return (
            column["mover_hand"] >> 2,
            column["mover_ascending"] - 1,
            column["mover_descending"] - 2,
            column["opponent_hand"] >> 2,
            column["opponent_ascending"] - 1,
            column["opponent_descending"] - 2,
        )

    def remoteness(self, array: np.ndarray) -> np.ndarray:
        """The value of each position of the array."""
        return self.values[self.index(array)]

    def counts(self, array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The number of ordered turns of each position, and of distinct outcomes; none if the game is over (F12)."""
        hand, up, down, other, other_up, other_down = self.index(array)
        place = (hand, up, down, other_up, other_down)
        return self.turns[place] * (other > 0), self.outcomes[place] * (other > 0)


@cache
def deck_table(highest: int, step: int, lone_card: bool) -> DeckTable:
    """Solve the whole deck."""
    numbers = highest - 2
    hands = [tuple(i + 2 for i in range(numbers) if mask >> i & 1) for mask in range(1 << numbers)]
    mask_of = {hand: mask for mask, hand in enumerate(hands)}
    tops = highest - 1
    values = np.zeros((len(hands), tops, tops, len(hands), tops, tops), dtype=np.int8)
    turns = np.zeros((len(hands), tops, tops, tops, tops), dtype=np.int64)
    outcomes = np.zeros_like(turns)
    of_size = [np.array([mask for mask, hand in enumerate(hands) if len(hand) == size]) for size in range(numbers + 1)]

    def kept(hand, up, down, fewest):
        """The results of laying at least `fewest` cards on own piles: table indices, cards laid, ordered ways."""
        for (rest, new_up, new_down), ways in lays(hand, up, down, step):
            if len(hand) - len(rest) >= fewest:
                yield (mask_of[rest], new_up - 1, new_down - 2), len(hand) - len(rest), ways

    @cache
    def options(mask, up, down):
        """All that the mover can do: own piles only, and with a helpful card, (number, its index results)."""
        hand = hands[mask]
        alone = lone_card and len(hand) == 1  # F13, second reading
        own = list(kept(hand, up, down, 1 if alone else 2))
        helped = []
        for card in hand:
            rest = tuple(other for other in hand if other != card)
            helped.append((card, list(kept(rest, up, down, 0 if alone else 1))))
        return own, helped

    sides = [(mask, up, down) for mask in range(1, len(hands)) for up in range(1, highest) for down in range(2, highest + 1)]
    for mask, up, down in sides:
        own, helped = options(mask, up, down)
        place = (mask, up - 1, down - 2)
        turns[place] += sum(ways for _, _, ways in own)
        outcomes[place] += len(own)
        for card, results in helped:
            # the helpful card can come before, between and after the others: laid + 1 places (F10)
            ordered = sum(ways * (laid + 1) for _, laid, ways in results)
            for table, amount in ((turns, ordered), (outcomes, len(results))):
                table[place][card:, :] += amount  # ascending tops above the card: index top - 1 >= card (F8)
                table[place][:, : card - 2] += amount  # descending tops below it: index top - 2 < card - 2 (F8)

    for cards in range(2, 2 * numbers + 1):  # all cards of both hands; a turn leads to fewer
        for mask, up, down in sides:
            size = cards - len(hands[mask])
            if not 1 <= size <= numbers:
                continue  # an empty opponent's hand: the mover has lost, value 0 (F12)
            others = of_size[size]
            lost_soonest = np.full((len(others), tops, tops), 99, dtype=np.int8)  # the least even value reached
            longest = np.full((len(others), tops, tops), -1, dtype=np.int8)  # the greatest value reached

            def reach(where, child, lost_soonest=lost_soonest, longest=longest):
                np.minimum(lost_soonest[where], np.where(child % 2 == 0, child, 99), out=lost_soonest[where])
                np.maximum(longest[where], child, out=longest[where])

            own, helped = options(mask, up, down)
            for result, _, _ in own:
                reach(np.s_[:], values[(others, slice(None), slice(None), *result)])
            for card, results in helped:
                for result, _, _ in results:
                    if card < tops:  # some ascending top is above it
                        reach(np.s_[:, card:, :], values[(others, card - 1, slice(None), *result)][:, None, :])
                    if card > 2:
                        reach(np.s_[:, :, : card - 2], values[(others, slice(None), card - 2, *result)][:, :, None])
            best = np.where(lost_soonest < 99, lost_soonest + 1, longest + 1)
            values[mask, up - 1, down - 2, others] = best
    for table in (values, turns, outcomes):
        table.flags.writeable = False
    return DeckTable(values.astype(np.uint8), turns, outcomes)
