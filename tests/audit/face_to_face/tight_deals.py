"""Deals on which the claims of the search are nearly wrong: few cards, tops at the numbers of cards, chains of back tricks, equal
cards on both sides, one draw pile empty and the other deep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from backtrick.face_to_face.position import HAND_SIZE, Position, Side, mirror
from backtrick.face_to_face.rule_options import BACK, Rules


def few_cards(rng: Random) -> tuple[Position, Rules]:
    """Hands of one to three cards and piles of none to two, of few numbers, often the same on both sides."""
    rules = Rules(rng.random() < 0.4)
    numbers = rng.choice((_neighbours, _chain))(rng)
    return _well_formed(lambda: [_side(rng, numbers, rng.randint(1, 3), rng.randint(0, 2)) for _ in range(2)]), rules


def short_chains(rng: Random) -> tuple[Position, Rules]:
    """Two to six cards in hand and up to four in the pile, of one or two chains of back tricks."""
    rules = Rules(rng.random() < 0.4)
    numbers = _chain(rng) + _chain(rng)
    return _well_formed(lambda: [_side(rng, numbers, rng.randint(2, HAND_SIZE), rng.randint(0, 4)) for _ in range(2)]), rules


def ladders(rng: Random) -> tuple[Position, Rules]:
    """Chains of back tricks: 10 to 13 cards against 4 to 8, either to move. One pile is deep."""
    rules = Rules(rng.random() < 0.25)
    numbers = _ladder(rng)

    def sides() -> list[Side]:
        deep = _side(rng, numbers, rng.randint(4, HAND_SIZE), rng.randint(6, 8))
        other = _side(rng, numbers, rng.randint(2, 4), rng.randint(0, 4))
        return [deep, other] if rng.random() < 0.5 else [other, deep]

    return _well_formed(sides), rules


def one_deep(rng: Random) -> tuple[Position, Rules]:
    """One draw pile is empty or nearly so, and the other has 5 to 18 cards that are easy to lay."""
    rules = Rules(rng.random() < 0.4)
    numbers = _neighbours(rng) + _chain(rng)

    def sides() -> list[Side]:
        cards = rng.sample(range(2, 60), rng.choice((rng.randint(8, 14), rng.randint(15, 20))))
        held = rng.randint(2, min(6, len(cards) - 5))
        cards.sort(reverse=rng.random() < 0.5)
        tops = (rng.randint(1, 20), rng.randint(40, 60))
        deep = Side(*tops, tuple(sorted(cards[:held])), tuple(cards[held:]))
        other = _side(rng, numbers, rng.randint(1, 4), rng.randint(0, 2))
        return [deep, other] if rng.random() < 0.5 else [other, deep]

    return _well_formed(sides), rules


def slow_races(rng: Random) -> tuple[Position, Rules]:
    """One player draws two cards a turn, which are easy to lay; the other has many cards that fit nowhere. Either to move."""
    rules = Rules(rng.random() < 0.3)

    def sides() -> list[Side]:
        low, high = rng.randint(15, 25), rng.randint(35, 45)
        cards = rng.sample([*range(2, low), *range(high + 1, 60)], rng.randint(4, 8))
        held = rng.randint(2, min(4, len(cards)))
        easy = Side(rng.randint(1, 8), rng.randint(53, 60), tuple(sorted(cards[:held])), tuple(cards[held:]))
        dead = rng.sample(range(low, high), rng.randint(2, 4)) + rng.sample(range(2, 60), rng.randint(1, 4))
        hand, pile = _distinct(dead[:HAND_SIZE], dead[HAND_SIZE:])
        other = Side(rng.randint(high, 59), rng.randint(2, low), hand, pile)
        return [easy, other] if rng.random() < 0.5 else [other, easy]

    return _well_formed(sides), rules


def breakable(rng: Random) -> tuple[Position, Rules]:
    """The mover lays a top and draws its back trick; the other may draw the card that breaks it."""
    rules = Rules(rng.random() < 0.3)

    def sides() -> list[Side]:
        top = rng.randint(BACK + 8, 50)
        breaking = [*range(top - BACK, top)]
        first = rng.sample(range(2, top), rng.randint(1, 2))
        later = [top - BACK, *rng.sample(range(top - BACK, 60), rng.randint(0, 2))]
        rng.shuffle(later)
        hand, pile = _distinct([*first, top], later)
        mover = Side(rng.randint(1, top), rng.randint(2, top - 1), hand, pile)
        hand, pile = _distinct(
            rng.sample(range(2, 60), rng.randint(2, HAND_SIZE)),
            [rng.choice(breaking) if rng.random() < 0.4 else rng.randint(2, 59) for _ in range(rng.randint(3, 8))],
        )
        return [mover, Side(*rng.choice(((1, 60), (rng.randint(1, 59), rng.randint(2, 60)))), hand, pile)]

    return _either_way(_well_formed(sides), rng), rules


def giftable(rng: Random) -> tuple[Position, Rules]:
    """The mover has cards that fit on the other's pile alone. Its top may go back by back tricks, perhaps of cards to be drawn."""
    rules = Rules(rng.random() < 0.3)

    def sides() -> list[Side]:
        top = rng.randint(2 * BACK, 50)
        gifts = rng.sample(range(top - 2 * BACK, top), rng.randint(1, 2))
        others = rng.sample(range(2, 60), rng.randint(1, 4))
        cards = [number for number in {*gifts, *others} if 2 <= number < 60]
        rng.shuffle(cards)
        held = rng.randint(min(2, len(cards)), min(HAND_SIZE, len(cards)))
        tops = rng.randint(top - 1, 59), rng.randint(2, max(2, top - 2 * BACK))
        mover = Side(*tops, tuple(sorted(cards[:held])), tuple(cards[held:]))
        back = [top - BACK, top, top + BACK, top - 2 * BACK, rng.randint(top, 59)]
        hand, pile = _distinct(
            [rng.choice(back) if rng.random() < 0.3 else rng.randint(2, 59) for _ in range(rng.randint(2, HAND_SIZE))],
            [rng.choice(back) if rng.random() < 0.4 else rng.randint(2, 59) for _ in range(rng.randint(0, 7))],
        )
        return [mover, Side(top, rng.randint(2, 60), hand, pile)]

    return _either_way(_well_formed(sides), rng), rules


KINDS = {"few cards": few_cards, "short chains": short_chains, "ladders": ladders, "one deep": one_deep, "slow races": slow_races,
         "breakable": breakable, "giftable": giftable}  # fmt: skip


def _either_way(deal: Position, rng: Random) -> Position:
    """The deal or its mirror image."""
    return mirror(deal) if rng.random() < 0.5 else deal


def _distinct(hand: list[int], pile: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """These number cards, each once."""
    cards = dict.fromkeys(card for card in (*hand, *pile) if 2 <= card < 60)
    held = {card for card in hand if card in cards}
    return tuple(sorted(held)), tuple(card for card in cards if card not in held)


def _neighbours(rng: Random) -> list[int]:
    size = rng.randint(6, 12)
    low = rng.randint(2, 60 - size)
    return list(range(low, low + size))


def _chain(rng: Random) -> list[int]:
    """Three to six numbers a back trick apart, with two neighbours of theirs."""
    rungs = rng.randint(3, 6)
    low = rng.randint(2, 59 - (rungs - 1) * BACK)
    found = list(range(low, low + rungs * BACK, BACK))
    return found + [number for number in (rng.choice(found) + 1, rng.choice(found) - 1) if 2 <= number < 60]


def _ladder(rng: Random) -> list[int]:
    """All numbers of two or three chains, and some others."""
    starts = rng.sample(range(2, 2 + BACK), rng.randint(2, 3))
    found = {number for start in starts for number in range(start, 60, BACK)}
    return sorted(found | set(rng.sample(range(2, 60), 3)))


def _side(rng: Random, numbers: list[int], held: int, piled: int) -> Side:
    """Cards of these numbers, fewer if there are not so many; a top is often one of them, or the next to one."""
    numbers = list(set(numbers))
    cards = rng.sample(numbers, min(held + piled, len(numbers)))
    held = min(held, len(cards))
    up, down = rng.choice(numbers) + rng.choice((0, 0, 1, -1)), rng.choice(numbers) + rng.choice((0, 0, 1, -1))
    if rng.random() < 0.2:
        up, down = rng.choice(((1, 60), (rng.randint(1, 59), rng.randint(2, 60))))
    return Side(min(max(up, 1), 59), min(max(down, 2), 60), tuple(sorted(cards[:held])), tuple(cards[held:]))


def _well_formed(draw: Callable[[], list[Side]]) -> Position:
    """The first deal that has no number more than twice, in hands, piles and on tops together (F1), and nobody without a hand who
    has cards to come (F11)."""
    while True:
        sides = draw()
        seen = Counter(number for side in sides for number in (*side.hand, *side.pile, side.ascending, side.descending))
        if max(seen[number] for number in range(2, 60)) <= 2 and all(side.hand or not side.pile for side in sides):
            return Position(*sides)
