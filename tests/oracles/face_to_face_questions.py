"""A second oracle, fast enough for full hands: the value as nested yes/no questions, over plain numbers.

The brute oracle needs seconds for 4 v 4; this one needs a millisecond for most 6 v 6. It was written without the package as
well, and is itself held against the brute oracle. Remoteness is at most 5, since each turn lays two of six cards, so it is
found by asking: can the mover end it now? is every turn answered by ending it? and so on.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

Kept = tuple[tuple[int, ...], int, int]
"""Cards kept, ascending top, descending top: one side after laying."""

NEVER = -1


class Questions:
    """The game under one set of options; positions are (up, down, hand, their up, their down, their hand), mover first."""

    def __init__(self, lone_card: bool = False):
        self.lone_card = lone_card
        self.reach = lru_cache(200_000)(self._reach)
        self.helped = lru_cache(200_000)(self._helped)
        self.window = lru_cache(500_000)(self._window)
        self.ends = lru_cache(500_000)(self._ends)

    def remoteness(self, state) -> int:
        """Turns until the game ends, the winner hurrying and the loser delaying."""
        if not state[5] or next(self.followers(state), None) is None:
            return 0
        if self.ends(state):
            return 1
        followers = list(self.followers(state))
        if all(self.ends(after) for after in followers):
            return 2
        if any(self.lost_soon(after) for after in followers):
            return 3
        return 4 if all(self.ends(after) or self.won_in_three(after) for after in followers) else 5

    def lost_soon(self, state) -> bool:
        """Lost, in 0 or 2."""
        return not self.ends(state) and all(self.ends(after) for after in self.followers(state))

    def won_in_three(self, state) -> bool:
        """Some turn leads to a position that is lost, in 0 or 2."""
        return any(self.lost_soon(after) for after in self.followers(state))

    def followers(self, state) -> Iterator[tuple]:
        """The positions that turns lead to, each once, those by a helpful card first; the game goes on (F12)."""
        up, down, hand, their_up, their_down, theirs = state
        if not theirs:
            return
        alone = self.lone_card and len(hand) == 1  # F13, second reading
        for card, kept in self.helped(up, down, hand):
            for rest, new_up, new_down in kept:
                if len(rest) + 2 <= len(hand) or alone:  # F3
                    if card < their_up:
                        yield card, their_down, theirs, new_up, new_down, rest
                    if card > their_down:
                        yield their_up, card, theirs, new_up, new_down, rest
        for rest, new_up, new_down in self.reach(up, down, hand):
            if len(rest) + 2 <= len(hand) or (alone and not rest):
                yield their_up, their_down, theirs, new_up, new_down, rest

    def _helped(self, up, down, hand) -> list[tuple[int, frozenset[Kept]]]:
        return [(card, self.reach(up, down, without(hand, card))) for card in hand]

    def _reach(self, up, down, hand) -> frozenset[Kept]:
        """What one side can come to on its own piles, laying nothing included."""
        found = {(hand, up, down)}
        for card in hand:
            rest = without(hand, card)
            if card > up or card == up - 10:
                found |= self.reach(card, down, rest)
            if card < down or card == down + 10:
                found |= self.reach(up, card, rest)
        return frozenset(found)

    def _ends(self, state) -> bool:
        """The mover can lay all cards, or can leave the opponent, who still has cards, without a turn."""
        up, down, hand, their_up, their_down, theirs = state
        if not theirs or (len(hand) == 1 and not self.lone_card):
            return False
        if any(not rest for rest, _, _ in self.reach(up, down, hand)):
            return True
        for card, kept in self.helped(up, down, hand):
            if (card < their_up or card > their_down) and any(not rest for rest, _, _ in kept):
                return True
        low, high = self.window(their_up, their_down, theirs)
        for rest, new_up, new_down in self.reach(up, down, hand):
            if len(rest) + 2 <= len(hand) and new_up <= low and new_down >= high:
                return True
        for card, kept in self.helped(up, down, hand):
            windows = []
            if card < their_up:
                windows.append(self.window(card, their_down, theirs))
            if card > their_down:
                windows.append(self.window(their_up, card, theirs))
            for low, high in windows:
                if low == NEVER:
                    continue
                for rest, new_up, new_down in kept:
                    if len(rest) + 2 <= len(hand) and new_up <= low and new_down >= high:
                        return True
        return False

    def _window(self, up, down, hand) -> tuple[int, int]:
        """(low, high): this side has no turn exactly if the other's tops are at most `low` and at least `high`.

        `low` is NEVER if two cards fit on its own piles, or by the second reading of F13 a lone one does.
        """
        alone = len(hand) == 1
        if alone and not self.lone_card:
            return 99, 0
        low, high = 99, 0
        if alone:
            low = high = hand[0]
        for rest, _, _ in self.reach(up, down, hand):
            laid = len(hand) - len(rest)
            if laid >= 2 or (alone and laid):
                return NEVER, 99
            if laid == 1:
                low, high = min(low, rest[0]), max(high, rest[-1])
        return low, high


def without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """The hand, in order, without one card."""
    return tuple(other for other in hand if other != card)
