"""All that the game compares about a position, one by one from the list of the relabelling theorem (docs/face_to_face.md).

Slow on purpose, and nothing of the package is used but the words of a position. Two positions are of one class iff `relations`
are equal, and of one class up to the mirror iff `orbit` is.
"""

from __future__ import annotations


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def hand_relations(hand, other):
    """H with itself and G with itself: order and which pairs are 10 apart; H with G: less, equal, greater, 10 apart."""
    alone = tuple(tuple((sign(y - x), abs(y - x) == 10) for x in cards for y in cards) for cards in (hand, other))
    return len(hand), len(other), alone, tuple((sign(g - h), abs(g - h) == 10) for h in hand for g in other)


def ascending_relations(top, own, other):
    """Which own cards are greater, which one equals top - 10; which of the other's cards are smaller (F5, F8)."""
    return tuple(h > top for h in own), tuple(h == top - 10 for h in own), tuple(g < top for g in other)


def descending_relations(top, own, other):
    """Which own cards are smaller, which one equals top + 10; which of the other's cards are greater (F6, F8)."""
    return tuple(h < top for h in own), tuple(h == top + 10 for h in own), tuple(g > top for g in other)


def relations(mover, opponent):
    """Everything about two sides; a side has `hand` (ascending), `ascending` and `descending`."""
    return (
        hand_relations(mover.hand, opponent.hand),
        ascending_relations(mover.ascending, mover.hand, opponent.hand),
        descending_relations(mover.descending, mover.hand, opponent.hand),
        ascending_relations(opponent.ascending, opponent.hand, mover.hand),
        descending_relations(opponent.descending, opponent.hand, mover.hand),
    )


class Image:
    """A side in the mirror: v -> 61 - v, ascending and descending exchanged. Where the numbers begin makes no difference."""

    def __init__(self, side):
        self.hand = tuple(sorted(61 - card for card in side.hand))
        self.ascending, self.descending = 61 - side.descending, 61 - side.ascending


def orbit(position):
    """The relations of a position or of its mirror image, whichever come first."""
    mover, opponent = position.mover, position.opponent
    return min(relations(mover, opponent), relations(Image(mover), Image(opponent)))
