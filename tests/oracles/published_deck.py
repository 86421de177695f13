"""Small decks of Face to Face as cards of the published deck, in which the same pairs of numbers are a back trick apart.

Laying compares numbers by less, greater and exactly 10 apart (F5, F6, F8). So a deck with fewer numbers and a shorter back trick is
worth what its image is worth: rows of `step` numbers, one row below the other, 10 apart.

    highest 8, step 2:   1 | 2 3 | 4 5 | 6 7 | 8      becomes   1 | 2 3 | 12 13 | 22 23 | 60
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

import numpy as np

from backtrick.face_to_face.public_state import Known, PublicState
from backtrick.face_to_face.rule_options import Rules

TOPS = ("mover_ascending", "mover_descending", "opponent_ascending", "opponent_descending")


@dataclass(frozen=True)
class SmallDeck:
    """The number cards 2..highest-1 and the row cards 1 and `highest`, with a back trick of `step`, at most 10."""

    highest: int
    step: int

    def number(self, number: int) -> int:
        """The number of the published deck that stands for a number of this one."""
        if number in (1, self.highest):
            return 1 if number == 1 else 60
        row, place = divmod(number - 2, self.step)
        return 2 + place + 10 * row

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The number cards, as those of the published deck."""
        found = tuple(map(self.number, range(2, self.highest)))
        if self.step > 10 or found[-1] >= 60:
            raise ValueError(f"{self} does not fit into the published deck")
        return found

    def positions(self, array: np.ndarray) -> np.ndarray:
        """Packed positions of this deck as positions of the published one."""
        numbers = np.array([0, 1, *self.cards, 60], np.uint8)
        found = array.copy()
        for name in TOPS:
            found[name] = numbers[array[name]]
        for name in ("mover_hand", "opponent_hand"):
            held = ((array[name] >> np.uint64(card) & np.uint64(1), numbers[card]) for card in range(2, self.highest))
            found[name] = sum(is_held << np.uint64(number) for is_held, number in held)
        return found

    def side(self, side):
        """A side of a position or a deal."""
        hand, pile = (tuple(map(self.number, cards)) for cards in (side.hand, side.pile))
        return replace(side, ascending=self.number(side.ascending), descending=self.number(side.descending), hand=hand, pile=pile)

    def position(self, position):
        """A position or a deal."""
        return replace(position, mover=self.side(position.mover), opponent=self.side(position.opponent))


def random_public(numbers: Random, held: tuple[int, int], piles: tuple[int, int]) -> PublicState:
    """A public state of a small deck, with any back trick and both readings of F13: cards and tops at random, mostly tight.

    held, piles: how many cards of both players, the mover's first; hands are smaller if the deck has too few cards. It is
    well-formed: a top of a player is a row card, a card that the player has laid, or a card that the other has laid.
    """
    step = numbers.randint(2, 10)
    rules = Rules(lone_card=numbers.random() < 0.3)
    small = SmallDeck(numbers.randint(9, min(18, 2 + 6 * step)), step)
    highest, deck = small.highest, range(2, small.highest)
    hands = [min(held[seat], len(deck) - piles[seat]) for seat in (0, 1)]
    unlaid = [sorted(numbers.sample(deck, hands[seat] + piles[seat])) for seat in (0, 1)]
    gone = [[card for card in deck if card not in cards] for cards in unlaid]

    def top(seat: int, least: int, most: int, row: int) -> int:
        laid = [card for owner in (seat, seat, 1 - seat) for card in gone[owner] if least <= card <= most]
        if not laid:
            return row
        card = numbers.choice(laid)
        for owner in (seat, 1 - seat):
            if card in gone[owner]:
                gone[owner].remove(card)
                break
        return card

    made = []
    for seat in (0, 1):
        low, high = sorted(numbers.sample(range(1, highest + 1), 2)) if numbers.random() < 0.8 else (1, highest)
        if numbers.random() < 0.5:
            low, high = high, low
        up, down = top(seat, max(low - 2, 2), low + 2, 1), top(seat, high - 2, min(high + 2, highest - 1), highest)
        made.append(Known(small.number(up), small.number(down), hands[seat], tuple(map(small.number, unlaid[seat]))))
    return PublicState(*made, rules)
