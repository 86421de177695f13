"""Whole rounds of Take That as they are played at a table: lists of cards, pushed about by the words of the rules.

Written from the numbered rules alone; nothing is shared with the package. A choice is a word: `41`, `94x49`, `take`. Who has
taken while the draw pile lasts chooses again, a card for the new line. The value of a round is found by trying everything.
"""

from __future__ import annotations

from copy import deepcopy

TAKE = "take"


def reversed_digits(card: int) -> int:
    """The card read from right to left."""
    return int(str(card)[::-1])


def is_toad(card: int) -> bool:
    """Both digits are the same (T1)."""
    return str(card)[0] == str(card)[1]


class Round:
    """A round in progress. pile: the next card first. Seat 0 is to choose first."""

    def __init__(self, hands, line=(), pile=(), forced_only=False, empty_line="opens", professional=False):
        self.hands = [list(hands[0]), list(hands[1])]
        self.line, self.pile = list(line), list(pile)
        self.forced_only, self.empty_line, self.professional = forced_only, empty_line, professional
        self.points, self.turn, self.turns_done = [0, 0], 0, 0
        self.is_over = False
        self.begin_turn()

    @classmethod
    def dealt(cls, deck, hand=9, **rules):
        """T2: the first nine cards of the deck are seat 0's, the next nine seat 1's, and seat 0 begins."""
        return cls((deck[:hand], deck[hand : 2 * hand]), (), deck[2 * hand :], **rules)

    def choices(self):
        """What may be done now: lays, twists, taking; cards ascending."""
        if self.is_over:
            return []
        hand = sorted(self.hands[self.turn])
        if not self.line:
            return [str(card) for card in hand]  # T4: any card, and laying is all that may be done
        lays = [str(card) for card in hand if abs(card - self.line[-1]) <= 10]  # T4
        twists = [f"{card}x{other}" for card in hand for other in self.line if other == reversed_digits(card)]  # T5
        able = lays + twists
        return able if able and self.forced_only else [*able, TAKE]  # T6, T10

    def choose(self, choice):
        """Do it, and draw if the turn is over."""
        assert choice in self.choices(), choice
        if choice == TAKE:
            self.is_over = not self.pile  # T7
            taken, self.line = self.line, []
            if self.professional and len(taken) == 1 and self.pile:
                taken.append(self.pile.pop(0))  # T11
            self.points[self.turn] -= sum(5 if is_toad(card) else 1 for card in taken)  # T6
            return
        card, _, other = choice.partition("x")
        self.hands[self.turn].remove(int(card))
        if other:
            self.line.remove(int(other))  # T5
            self.points[self.turn] += 2
        else:
            self.line.append(int(card))
        self.end_turn()

    def end_turn(self):
        """T3: draw. T7: when the draw pile was empty before, the round ends with the line."""
        if self.pile:
            self.hands[self.turn].append(self.pile.pop(0))
        elif not self.line:
            self.is_over = True
        self.turn, self.turns_done = 1 - self.turn, self.turns_done + 1
        self.begin_turn()

    def begin_turn(self):
        """T9: an empty line without a draw pile is opened once more, by who has a card, or it is not."""
        if not self.line and not self.pile and (self.empty_line == "ends" or not self.hands[self.turn]):
            self.is_over = True

    def value(self):
        """The points of seat 0 minus those of seat 1 from here on, if both play for the difference and know every card."""
        here = self.points[0] - self.points[1]
        if self.is_over:
            return 0
        found = []
        for choice in self.choices():
            then = deepcopy(self)
            then.choose(choice)
            found.append(then.points[0] - then.points[1] - here + then.value())
        return max(found) if self.turn == 0 else min(found)
