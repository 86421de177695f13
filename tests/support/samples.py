"""Seeded positions of the real deck, of five kinds. Small enough to read; independent of the package's own deals.

uniform    all from the deck at random
tight      ascending tops high, descending tops low, hands full of step-apart pairs: first-turn wins are rare
clustered  tight, with both hands and all tops drawn from a few neighbourhoods, so that equal numbers and near misses abound
hard       tight, four cards or more each, and the mover can neither finish nor leave the opponent stuck at once
self_play  whole games from the deal, played greedily, from the moment both draw piles are empty
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random

from backtrick.face_to_face import value
from backtrick.face_to_face.position import Position, Side
from command import DATA

KINDS = ("uniform", "tight", "clustered", "hard", "self_play")


def sample(kind: str, count: int, seed: int, most: int = 6, least: int = 1) -> list[Position]:
    """`count` positions of one kind with hands of `least` to `most` cards. They are the same for the same seed, and fewer are the
    first of more.
    """
    found, more = _drawn(kind, seed, most, least)
    found.extend(islice(more, max(0, count - len(found))))
    return found[:count]


@cache  # tests ask for the same sample under both readings of F13, and hard ones are dear
def _drawn(kind: str, seed: int, most: int, least: int) -> tuple[list[Position], Iterator[Position]]:
    """The positions drawn so far, and those that follow."""
    return [], _draw(kind, seed, most, least)


def _draw(kind: str, seed: int, most: int, least: int) -> Iterator[Position]:
    random = Random(f"{kind} {seed}")
    make = {"uniform": uniform, "tight": tight, "clustered": clustered, "hard": hard, "self_play": self_play}[kind]
    while True:
        position = make(random, most)
        if position is not None and min(len(position.mover.hand), len(position.opponent.hand)) >= least:
            yield position


def whole(numbers: tuple[int, int], hand, their_numbers: tuple[int, int], their_hand, highest: int = 60) -> Position | None:
    """The position if every number is in at most two places, else None."""
    shown = Counter([*numbers, *their_numbers, *hand, *their_hand])
    if not hand or any(count > 2 for number, count in shown.items() if 1 < number < highest):
        return None
    return Position(Side(*numbers, hand), Side(*their_numbers, their_hand))


def uniform(random: Random, most: int) -> Position | None:
    """Everything from the whole deck."""

    def side():
        return (random.randint(1, 59), random.randint(2, 60)), random.sample(range(2, 60), random.randint(1, most))

    return whole(*side(), *side())


def paired_hand(random: Random, size: int, step: int = 10) -> list[int]:
    """A hand in which most cards have another exactly one step away."""
    hand: set[int] = set()
    while len(hand) < size:
        if hand and random.random() < 0.7:
            card = random.choice(sorted(hand)) + random.choice((-step, step))
        else:
            card = random.randint(2, 59)
        if 2 <= card <= 59:
            hand.add(card)
    return sorted(hand)


def tight(random: Random, most: int) -> Position | None:
    """Little room on any pile."""

    def side():
        size = most if random.random() < 0.5 else random.randint(1, most)
        return (random.randint(35, 59), random.randint(2, 25)), paired_hand(random, size)

    return whole(*side(), *side())


def hard(random: Random, most: int) -> Position | None:
    """Tight, with much in hand, and not decided by the next turn."""
    position = tight(random, most)
    if position is None or min(len(position.mover.hand), len(position.opponent.hand)) < min(4, most):
        return None
    return position if value(position) >= 2 else None


def clustered(random: Random, most: int) -> Position | None:
    """Tops and cards from a few numbers and their neighbours and steps."""
    centres = random.sample(range(2, 60), 2)
    shifts = [step + shift for step in (-20, -10, 0, 10, 20) for shift in (-1, 0, 1)]
    near = sorted({centre + shift for centre in centres for shift in shifts} & set(range(2, 60)))

    def side():
        hand = random.sample(near, min(len(near), random.randint(1, most)))
        high, low = near[len(near) // 3 :], near[: 2 * len(near) // 3]
        return (random.choice([*high, 59]), random.choice([*low, 2])), hand

    return whole(*side(), *side())


def self_play(random: Random, most: int) -> Position | None:
    """One endgame of a game played by F1-F11: cheapest cards first, a helpful card now and then.

    The game is dealt, played and looked at with plain numbers; None if it ended early or the hands came out too large.
    """
    piles = [[1, 60], [1, 60]]
    decks = [random.sample(range(2, 60), 58) for _ in range(2)]
    hands = [decks[0][:6], decks[1][:6]]
    decks = [decks[0][6:], decks[1][6:]]
    eager = random.random() * 6  # how far a third card may move a pile
    mover = 0
    while True:
        if not decks[0] and not decks[1]:
            if not hands[0] or not hands[1] or max(map(len, hands)) > most:
                return None
            if random.random() < 0.5:
                return whole(tuple(piles[mover]), hands[mover], tuple(piles[1 - mover]), hands[1 - mover])
        laid = helped = 0
        while hands[mover]:
            choices = []
            for card in hands[mover]:
                up, down = piles[mover]
                if card > up or card == up - 10:
                    choices.append((card - up, card, mover, 0))
                if card < down or card == down + 10:
                    choices.append((down - card, card, mover, 1))
                if not helped and (card < piles[1 - mover][0] or card > piles[1 - mover][1]):
                    pile = 0 if card < piles[1 - mover][0] else 1
                    choices.append((random.randint(4, 60), card, 1 - mover, pile))
            if not choices or (laid >= 2 and min(choices)[0] > eager):
                break
            _, card, side, pile = min(choices)
            helped += side != mover
            piles[side][pile] = card
            hands[mover].remove(card)
            laid += 1
        if laid < 2 or (not hands[mover] and not decks[mover]):
            return None
        draw = 2 if not helped else 6 - len(hands[mover])
        draw = min(draw, 6 - len(hands[mover]), len(decks[mover]))
        hands[mover] += decks[mover][:draw]
        decks[mover] = decks[mover][draw:]
        mover = 1 - mover


def golden(name):
    """The rows of a golden file, without its comments."""
    lines = (DATA / name).read_text().splitlines()
    return [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]
