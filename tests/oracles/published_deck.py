"""Small decks of Face to Face as cards of the published deck, in which the same pairs of numbers are a back trick apart.

Laying compares numbers by less, greater and exactly 10 apart (F5, F6, F8). So a deck with fewer numbers and a shorter back trick is
worth what its image is worth: rows of `step` numbers, one row below the other, 10 apart.

    highest 8, step 2:   1 | 2 3 | 4 5 | 6 7 | 8      becomes   1 | 2 3 | 12 13 | 22 23 | 60
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

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
