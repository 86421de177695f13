"""An oracle for whole games of The Game: Face to Face, written from the rules F1-F14 alone: lists of cards on a table.

A game is six cards dealt from each draw pile, then turns. Every sequence of plays is tried, card by card, and one that breaks a
rule is dropped; a turn is a sequence at whose end F3 or F13 lets it end. Nothing is shared with the package.
"""

from __future__ import annotations

from copy import deepcopy

UP, DOWN, THEIR_UP, THEIR_DOWN = range(4)
SIGNS = ("^", "v", "^'", "v'")

Play = tuple[int, int]
"""A card, and the pile it goes on."""


class Game:
    """A game in play. Seat 0 begins; a draw pile is a list, the next card first."""

    def __init__(self, decks, lone_card=False):
        self.lone_card = lone_card
        self.cards = [sorted(deck) for deck in decks]
        self.draw_piles = [list(deck) for deck in decks]
        self.hands = [[], []]
        self.tops = [[1, 60], [1, 60]]  # F1
        self.laid = [[], []]
        self.mover = 0
        self.winner = None
        for seat in (0, 1):
            self.draw(seat, 6)  # F2

    @classmethod
    def of(cls, up, down, hand, pile, their_up, their_down, their_hand, their_pile, **options):
        """A game in the middle, seat 0 to move."""
        game = cls([[], []], **options)
        game.hands, game.draw_piles = [list(hand), list(their_hand)], [list(pile), list(their_pile)]
        game.tops = [[up, down], [their_up, their_down]]
        game.cards = [sorted(game.hands[seat] + game.draw_piles[seat]) for seat in (0, 1)]
        return game

    def draw(self, seat, count):
        """An empty draw pile gives nothing (F11)."""
        for _ in range(count):
            if self.draw_piles[seat]:
                self.hands[seat].append(self.draw_piles[seat].pop(0))

    def fits(self, tops, their_tops, card, pile, laid):
        """Whether a card may come next in a turn that laid `laid` so far."""
        if pile == UP:
            return card > tops[0] or card == tops[0] - 10  # F5
        if pile == DOWN:
            return card < tops[1] or card == tops[1] + 10  # F6
        if any(earlier in (THEIR_UP, THEIR_DOWN) for _, earlier in laid):
            return False  # F4
        return card < their_tops[0] if pile == THEIR_UP else card > their_tops[1]  # F8

    def may_end(self, laid, hand):
        """Whether a turn may end after this many plays, with this hand left."""
        if len(laid) >= 2:
            return True  # F3
        return self.lone_card and len(laid) == 1 and not hand and not self.draw_piles[self.mover]  # F13, second reading

    def turns(self):
        """Every legal turn of the player to move."""
        found = []

        def go_on(tops, their_tops, hand, laid):
            if self.may_end(laid, hand):
                found.append(tuple(laid))
            for card in sorted(hand):
                for pile in (UP, DOWN, THEIR_UP, THEIR_DOWN):
                    if self.fits(tops, their_tops, card, pile, laid):
                        after, their_after = list(tops), list(their_tops)
                        (after if pile in (UP, DOWN) else their_after)[pile % 2] = card  # F9
                        go_on(after, their_after, [other for other in hand if other != card], [*laid, (card, pile)])

        if self.winner is None:
            go_on(self.tops[self.mover], self.tops[1 - self.mover], self.hands[self.mover], [])
        return found

    def settle(self, turns):
        """A player without a turn has lost (F13)."""
        if self.winner is None and not turns:
            self.winner = 1 - self.mover

    def play(self, turn):
        """Lay the cards of a legal turn, and draw."""
        seat = self.mover
        for card, pile in turn:
            self.hands[seat].remove(card)
            self.laid[seat].append(card)
            self.tops[seat if pile in (UP, DOWN) else 1 - seat][pile % 2] = card
        if not self.hands[seat] and not self.draw_piles[seat]:
            self.winner = seat  # F12
        elif any(pile in (THEIR_UP, THEIR_DOWN) for _, pile in turn):
            self.draw(seat, 6 - len(self.hands[seat]))  # F11
        else:
            self.draw(seat, 2)
        self.mover = 1 - seat

    def after(self, turn):
        """The game after a legal turn; this one stays as it is."""
        game = deepcopy(self)
        game.play(turn)
        return game

    def text(self):
        """The table as it would be written, the player to move first."""
        sides = []
        for seat in (self.mover, 1 - self.mover):
            up, down = self.tops[seat]
            pile = "".join(f"{'+' if number == 0 else ','}{card}" for number, card in enumerate(self.draw_piles[seat]))
            sides.append(f"{up}^{down}v:{','.join(map(str, sorted(self.hands[seat])))}{pile}")
        return " ".join(sides)


def next_actions(turns, laid):
    """What may come next after the plays of a turn so far: the next play of every legal turn that begins so, and 'end'."""
    begun = [turn for turn in turns if turn[: len(laid)] == tuple(laid)]
    return {"end" if len(turn) == len(laid) else f"{turn[len(laid)][0]}{SIGNS[turn[len(laid)][1]]}" for turn in begun}


def turn_text(turn):
    """A turn as players write it."""
    return " ".join(f"{card}{SIGNS[pile]}" for card, pile in turn)
