"""The predicates of the search in the middle of a line, each compared with its plain definition.

The search (docs/face_to_face.md) does not value one position after another. It evaluates predicates at *moments*. At a moment some
cards are laid, and each pile shows a card of its owner, a card of the other player, or its top of the beginning. x is to move, y
is the other.

    can_finish   x can lay all cards in one turn: two or more, or by the second reading of F13 a lone last one; at most one of
                 them on y's piles (F4, F8).
    stuck        x has no legal turn (F3, F13).
    can_stick    x has a turn of two cards or more after which y is stuck.
    resists      to depth 0: RESISTS if x has a *safe* turn, one after which y can neither finish nor leave x stuck; else
                 NO_SAFE_TURN. To depth 1: RESISTS if x has a safe turn after which y does not resist to depth 0; SAFE_TURN if x
                 has safe turns, but none of this kind; else NO_SAFE_TURN. To depth 2: RESISTS if x has a safe turn after which y
                 does not resist to depth 1; else another result.
    reply        the turn of x that `resists` returns together with RESISTS. If it says `free`, y cannot leave x stuck after it.
    refutes      a reply of x was found after one turn of y. True if it is also legal after another turn of y and y cannot win at
                 once after it; to depth 2, if besides y has no safe turn then.

When they may be called:

    both         hold a card.
    can_stick    x cannot finish.
    resists      x can neither finish nor leave y stuck. To depth 2 another result than RESISTS counts only where depth 1 gave
                 SAFE_TURN.
    refutes      to depth 1 of a reply to depth 0, to depth 2 of one to depth 1. Both turns of y began at the same moment, at
                 which y could not win at once, and had the same helpful card on the same pile, or none.

`_questions.pyx` calls the search; `_plain.pyx` computes the same from the rules.
"""

from __future__ import annotations

from itertools import chain, repeat
from typing import NamedTuple

import numpy as np

from audit.face_to_face.families import WHOLE
from backtrick.face_to_face.position import FIELDS, HAND_SIZE, POSITION_DTYPE, Position, Side, cards_of, unpack
from backtrick.face_to_face.rule_options import PUBLISHED, Rules
from backtrick_development.face_to_face import _plain, _questions
from oracles.published_deck import SmallDeck

NO_SAFE_TURN, SAFE_TURN, RESISTS = range(3)
OTHERS, ORIGINAL = 6, 12  # tops
MOST_MISMATCHES = 100

MOMENT_DTYPE = np.dtype([(name, "u1") for name in ("who", "x_cards", "x_up", "x_down", "y_cards", "y_up", "y_down")])
"""A moment in a line of a position: `who` is x, 0 for its mover or 1 for its opponent. Of cards, bit i is the i-th card that the
player held in the position, ascending. A top is 0..5 for such a card of the pile's owner, 6..11 for one of the other player, or
12 for the top of the position."""

REPLY_DTYPE = np.dtype([(name, "u1") for name in ("up", "down", "kept", "helped", "on_up", "free")])
"""A turn of x: x's tops and cards after it; the helpful card (1 << i), 0 if there is none; whether it went on the ascending pile;
`free` as above."""


class Mismatch(NamedTuple):
    """A predicate with two results. `moment` and `reply` belong to `position`; `now` is the moment as a position of its own."""

    question: str
    now: Position
    position: Position
    moment: tuple[int, ...]
    reply: tuple[int, ...] | None
    found: int
    expected: int

    def __str__(self) -> str:
        return f"{self.question} of {self.now}: {self.found}, by definition {self.expected} (in a line of {self.position})"


def position_of(position: np.void, moment: np.void) -> Position:
    """A moment as a position with x as the mover."""
    hands = [cards_of(int(position[name])) for name in ("mover_hand", "opponent_hand")]
    tops = [[int(position[f"{name}_{pile}"]) for pile in ("ascending", "descending")] for name in ("mover", "opponent")]
    sides = []
    for name, owner in (("x", int(moment["who"])), ("y", 1 - int(moment["who"]))):
        shown = []
        for pile, top in enumerate((int(moment[f"{name}_up"]), int(moment[f"{name}_down"]))):
            if top < OTHERS:
                shown.append(hands[owner][top])
            else:
                shown.append(hands[1 - owner][top - OTHERS] if top < ORIGINAL else tops[owner][pile])
        cards = tuple(card for i, card in enumerate(hands[owner]) if int(moment[f"{name}_cards"]) >> i & 1)
        ascending, descending = shown
        sides.append(Side(ascending, descending, cards))
    mover, opponent = sides
    return Position(mover, opponent)


def check_questions(
    rng: np.random.Generator, count: int, rules: Rules = PUBLISHED, deck: SmallDeck = WHOLE
) -> tuple[int, list[Mismatch]]:
    """Evaluates every predicate at `count` random moments, where it may be called, by the search and by its definition.

    Returns the number of results that were compared, and the first 100 mismatches. Several threads may call it at once, each with
    its own `rng`.

    >>> compared, mismatches = check_questions(np.random.default_rng(1), 1000)
    >>> compared > 5000, mismatches
    (True, [])
    """
    comparison = _Comparison(rules)
    positions = draw_positions(rng, count, rules, deck)
    moments = draw_moments(rng, positions, rules)
    undecided = comparison.ask_all(positions, moments)
    positions, moments = positions[undecided], moments[undecided]
    comparison.reply(positions, moments, 2)
    first, second = np.zeros_like(moments), np.zeros_like(moments)
    _plain.pair_range(positions, moments, _seeds(rng, len(positions)), first, second, comparison.lone_card)
    undecided = comparison.ask_all(positions, first) & (first["who"] != moments["who"])
    positions, first, second = positions[undecided], first[undecided], second[undecided]
    for depth in (0, 1):
        found, replies = comparison.reply(positions, first, depth)
        comparison.refute(positions[found], second[found], replies, depth + 1)
    return comparison.compared, comparison.mismatches


class _Comparison:
    def __init__(self, rules: Rules):
        self.rules = rules
        self.lone_card = rules.lone_card
        self.compared = 0
        self.mismatches: list[Mismatch] = []

    def ask_all(self, positions: np.ndarray, moments: np.ndarray) -> np.ndarray:
        """Compares all predicates except those of replies. Returns True for the moments at which x cannot win at once."""
        undecided = self.ask("can_finish", positions, moments) == 0
        self.ask("stuck", positions, moments)
        undecided[undecided] = self.ask("can_stick", positions[undecided], moments[undecided]) == 0
        positions, moments = positions[undecided], moments[undecided]
        self.ask("resists", positions, moments, 0)
        safe = self.ask("resists", positions, moments, 1) == SAFE_TURN
        self.ask("resists", positions[safe], moments[safe], 2)
        return undecided

    def ask(self, question: str, positions: np.ndarray, moments: np.ndarray, depth: int = 0) -> np.ndarray:
        found, expected = np.empty(len(positions), np.uint8), np.empty(len(positions), np.uint8)
        _questions.ask_range(positions, moments, found, question, depth, self.lone_card)
        _plain.ask_range(positions, moments, expected, question, depth, self.lone_card)
        if (question, depth) == ("resists", 2):
            found, expected = found == RESISTS, expected == RESISTS
        self.compare(f"{question} to depth {depth}" if question == "resists" else question, positions, moments, found, expected)
        return expected

    def reply(self, positions: np.ndarray, moments: np.ndarray, depth: int) -> tuple[np.ndarray, np.ndarray]:
        """The places where there are replies, and the replies."""
        found, replies = np.empty(len(positions), np.uint8), np.zeros(len(positions), REPLY_DTYPE)
        _questions.reply_range(positions, moments, found, replies, depth, self.lone_card)
        places = np.flatnonzero(found == RESISTS)
        positions, moments, replies = positions[places], moments[places], replies[places]
        expected = np.empty(len(places), np.uint8)
        _plain.answers_range(positions, moments, replies, expected, depth, self.lone_card)
        self.compare(f"reply to depth {depth}", positions, moments, np.ones_like(expected), expected, replies)
        _plain.stays_free_range(positions, moments, replies, expected, self.lone_card)
        self.compare("free", positions, moments, replies["free"], expected & replies["free"], replies)
        return places, replies

    def refute(self, positions: np.ndarray, moments: np.ndarray, replies: np.ndarray, depth: int) -> None:
        found, expected = np.empty(len(positions), np.uint8), np.empty(len(positions), np.uint8)
        _questions.refutes_range(positions, moments, replies, found, depth, self.lone_card)
        _plain.answers_range(positions, moments, replies, expected, depth - 1, self.lone_card)
        self.compare(f"refutes to depth {depth}", positions, moments, found, expected, replies)

    def compare(
        self,
        question: str,
        positions: np.ndarray,
        moments: np.ndarray,
        found: np.ndarray,
        expected: np.ndarray,
        replies: np.ndarray | None = None,
    ) -> None:
        self.compared += len(positions)
        for place in np.flatnonzero(found != expected)[: MOST_MISMATCHES - len(self.mismatches)].tolist():
            position, moment = positions[place], moments[place]
            reply = None if replies is None else replies[place].item()
            answers = int(found[place]), int(expected[place])
            now = position_of(position, moment)
            self.mismatches.append(Mismatch(question, now, unpack(position[None])[0], moment.item(), reply, *answers))


def draw_moments(rng: np.random.Generator, positions: np.ndarray, rules: Rules = PUBLISHED) -> np.ndarray:
    """One moment of each position, both players holding a card: an array of `MOMENT_DTYPE`.

    Most are reached by 0 to 3 random legal turns, fewer if the game would end. In the others any of the cards are laid, anywhere.
    """
    turns = rng.choice(np.array([0, 1, 2, 3, -1], np.int8), len(positions), p=[0.5, 0.2, 0.1, 0.05, 0.15])
    moments = np.zeros(len(positions), MOMENT_DTYPE)
    seeds = _seeds(rng, len(positions))
    _plain.draw_range(positions, seeds, turns, moments, rules.lone_card)
    return moments


def _seeds(rng: np.random.Generator, count: int) -> np.ndarray:
    return rng.integers(2**64 - 1, size=count, dtype=np.uint64)


def draw_positions(
    rng: np.random.Generator, count: int, rules: Rules = PUBLISHED, deck: SmallDeck = WHOLE
) -> np.ndarray:
    """`count` positions, most of them tight and of many cards: an array of `POSITION_DTYPE`.

    More than half have little room on the piles, and hands with pairs 10 apart or hands that resemble each other. In a
    quarter all numbers are near each other. The rest are drawn without a plan. In few positions the mover can finish or is stuck,
    unless the deck is small.

    >>> draw_positions(np.random.default_rng(1), 3).dtype == POSITION_DTYPE
    True
    """
    found = np.empty(0, POSITION_DTYPE)
    for share in chain([0.1, 0.2], repeat(1.0)):
        if len(found) >= count:
            break
        drawn = _draw(rng, max(1000, 3 * (count - len(found))), deck)
        found = np.concatenate([found, drawn[~_is_over(drawn, rules) | (rng.random(len(drawn)) < share)]])
    return found[:count]


def _is_over(positions: np.ndarray, rules: Rules) -> np.ndarray:
    """True where the mover can finish or is stuck."""
    moments, answers = np.zeros(len(positions), MOMENT_DTYPE), np.empty((2, len(positions)), np.uint8)
    still = np.zeros(len(positions), np.uint64), np.zeros(len(positions), np.int8)
    _plain.draw_range(positions, *still, moments, rules.lone_card)
    for question, answered in zip(("can_finish", "stuck"), answers, strict=True):
        _plain.ask_range(positions, moments, answered, question, 0, rules.lone_card)
    return np.asarray(answers.any(0))


TIGHT, EQUAL, NEAR, ANYTHING = range(4)


def _draw(rng: np.random.Generator, count: int, deck: SmallDeck) -> np.ndarray:
    numbers = deck.highest - 2
    kind = rng.choice(4, count, p=[0.35, 0.25, 0.25, 0.15])
    room = min(numbers, 6)
    low = np.where(kind == NEAR, rng.integers(2, deck.highest - room + 1, count), 2)
    width = np.where(kind == NEAR, room, numbers)
    drawn = np.zeros(count, POSITION_DTYPE)
    cards = np.zeros((count, 1), np.int64)
    for name in ("mover", "opponent"):
        cards = _cards(rng, low, width, cards, np.where(kind == EQUAL, 0.6, 0), deck)
        drawn[f"{name}_hand"] = _mask(cards)
        for pile in ("ascending", "descending"):
            near = low + rng.integers(width) + deck.step * rng.integers(-1, 2, count)
            little = rng.integers(0, max(1, 2 * numbers // 5), count)
            tight = deck.highest - 1 - little if pile == "ascending" else 2 + little
            top = np.choose(kind, [tight, tight, near, rng.integers(1, deck.highest + 1, count)])
            drawn[f"{name}_{pile}"] = np.clip(top, 1 + (pile == "descending"), deck.highest - (pile == "ascending"))
    tops = np.array([drawn[name] for name in FIELDS[2:]], np.uint64)
    fine = np.ones(count, bool)
    for top in tops:
        shown = (tops == top).sum(0) + _holds(drawn["mover_hand"], top) + _holds(drawn["opponent_hand"], top)
        fine &= (shown <= 2) | (top == 1) | (top == deck.highest)
    return deck.positions(drawn[fine & (drawn["mover_hand"] > 0) & (drawn["opponent_hand"] > 0)])


def _cards(
    rng: np.random.Generator, low: np.ndarray, width: np.ndarray, others: np.ndarray, equal: np.ndarray, deck: SmallDeck
) -> np.ndarray:
    """A hand for each row; the zeros among its cards are not cards.

    With the chance `equal` a card has the number of a card of the other hand. Otherwise it is often 10 from a card of this
    hand.
    """
    rows = np.arange(len(low))
    cards = np.zeros((len(low), 2 * HAND_SIZE), np.int64)
    size = rng.integers(1, HAND_SIZE + 1, (2, len(low))).max(0)
    for place in range(2 * HAND_SIZE):
        card = low + rng.integers(width)
        partner = cards[rows, rng.integers(max(1, place), size=len(low))]
        paired = (rng.random(len(low)) < 0.6) & (partner > 0)
        card = np.where(paired, partner + deck.step * rng.choice([-1, 1], len(low)), card)
        other = others[rows, rng.integers(others.shape[1], size=len(low))]
        card = np.where((rng.random(len(low)) < equal) & (other > 0), other, card)
        fine = (card >= 2) & (card < deck.highest) & ((cards > 0).sum(1) < size) & (cards != card[:, None]).all(1)
        cards[:, place] = np.where(fine, card, 0)
    return cards


def _mask(cards: np.ndarray) -> np.ndarray:
    hands = np.zeros(len(cards), np.uint64)
    for card in cards.T.astype(np.uint64):
        hands |= np.where(card > 0, np.uint64(1) << card, np.uint64(0))
    return hands


def _holds(hand: np.ndarray, card: np.ndarray) -> np.ndarray:
    return (hand >> card & np.uint64(1)).astype(bool)


__all__ = [
    "MOMENT_DTYPE",
    "Mismatch",
    "REPLY_DTYPE",
    "check_questions",
    "draw_moments",
    "draw_positions",
    "position_of",
]
