"""An oracle for The Game: Face to Face that plays the literal game tree, written from the rules F1-F14 alone.

A turn is a choice of cards, an order to lay them in and a pile for each; all of these are tried, and one that breaks a rule
is dropped. Nothing is clever, nothing is shared with the package: of a position only the fields are read. Exponential in the
hand (6 cards: 285,000 candidates a position), so it is for hands of up to about four cards, or six for the turns of one position.

    python tests/oracles/face_to_face_brute.py < positions.txt      id, position, ordered turns, distinct outcomes
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import permutations, product

OWN_UP, OWN_DOWN, THEIR_UP, THEIR_DOWN = range(4)
PILE_SIGNS = ("^", "v", "^'", "v'")

State = tuple[int, int, tuple[int, ...], int, int, tuple[int, ...]]
"""The mover's ascending top, descending top and hand, then the opponent's."""


def state_of(position) -> State:
    """The plain numbers of a `Position`."""
    mover, opponent = position.mover, position.opponent
    own = (int(mover.ascending), int(mover.descending), tuple(map(int, mover.hand)))
    return (*own, int(opponent.ascending), int(opponent.descending), tuple(map(int, opponent.hand)))


@cache
def pile_choices(length: int) -> tuple[tuple[int, ...], ...]:
    """Every way to send `length` cards to the four piles with at most one of them to the opponent's (F4)."""
    return tuple(
        piles for piles in product(range(4), repeat=length) if piles.count(THEIR_UP) + piles.count(THEIR_DOWN) <= 1
    )


class Brute:
    """The game under one set of options, with a memo of the values found."""

    def __init__(self, lone_card: bool = False):
        self.lone_card = lone_card
        self.known: dict[State, int] = {}

    def turns(self, state: State) -> Iterator[tuple[tuple[tuple[int, int], ...], State]]:
        """Every legal ordered turn as ((card, pile), ...), with the state it leads to, next mover first."""
        up, down, hand, their_up, their_down, theirs = state
        assert all(2 <= card < 60 for card in hand + theirs), state
        if not theirs:
            return  # F12: the opponent has laid all cards and has won
        fewest = 1 if self.lone_card and len(hand) == 1 else 2  # F3; F13
        for length in range(fewest, len(hand) + 1):
            for cards in permutations(hand, length):
                for piles in pile_choices(length):
                    tops = [up, down, their_up, their_down]
                    for card, pile in zip(cards, piles, strict=True):
                        if not self.fits(card, pile, tops[pile]):
                            break
                        tops[pile] = card  # F9
                    else:
                        rest = tuple(card for card in hand if card not in cards)
                        laid = tuple(zip(cards, piles, strict=True))
                        yield laid, (tops[2], tops[3], theirs, tops[0], tops[1], rest)

    def fits(self, card: int, pile: int, top: int) -> bool:
        """Whether a card may be laid on a pile that shows `top`."""
        if pile == OWN_UP:
            return top < card or top == card + 10  # F5
        if pile == OWN_DOWN:
            return top > card or top == card - 10  # F6
        return top > card if pile == THEIR_UP else top < card  # F8

    def outcomes(self, state: State) -> Counter[State]:
        """The states that turns lead to, and how many ordered turns lead to each."""
        return Counter(following for _, following in self.turns(state))

    def count_turns(self, state: State) -> int:
        """The number of legal ordered turns."""
        return sum(1 for _ in self.turns(state))

    def remoteness(self, state: State) -> int:
        """Turns until the game ends, the winner hurrying and the loser delaying; odd if the mover wins."""
        value = self.known.get(state)
        if value is None:
            values = {self.remoteness(following) for following in self.outcomes(state)}
            wins = [after for after in values if after % 2 == 0]
            if not values:
                value = 0  # F12, F13
            elif wins:
                value = min(wins) + 1
            else:
                value = max(values) + 1
            self.known[state] = value
        return value


def turn_text(laid: tuple[tuple[int, int], ...]) -> str:
    """A turn as players write it."""
    return " ".join(f"{card}{PILE_SIGNS[pile]}" for card, pile in laid)


def read_state(text: str) -> State:
    """The state of canonical position text, read without the package's parser.

    >>> read_state("27^40v:17,18,45 13^50v:5,12")
    (27, 40, (17, 18, 45), 13, 50, (5, 12))
    """
    numbers = []
    for side in text.split(" "):
        tops, hand = side.split(":")
        up, down = tops.removesuffix("v").split("^")
        numbers += [int(up), int(down), tuple(int(card) for card in hand.split(",") if card)]
    return tuple(numbers)


if __name__ == "__main__":
    import sys

    brute = Brute()
    for line in sys.stdin:
        name, text = line.rstrip("\n").split("\t")[:2]
        found = brute.outcomes(read_state(text))
        print(name, text, sum(found.values()), len(found), sep="\t")
