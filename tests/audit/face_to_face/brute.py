"""Deals and questions for the solver by brute force (`_brute.pyx`), many at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from backtrick_development.face_to_face._brute import DEAL_DTYPE, QUESTION_DTYPE, answer_range

from backtrick.face_to_face.position import Position
from backtrick.face_to_face.rule_options import Rules

NOT_KNOWN, NO, YES = range(3)
"""As the kernel of deals says it: not known, a loss, a win"""
CARDS = DEAL_DTYPE["cards"].shape[1]
"""The most that a side can have"""
GOALS = "win", "through", "on"
OTHERS = "kindly", "helping", "against"


class Question(NamedTuple):
    """What the player of the first side wants, in so many turns of its own.

    goal: win the game; be through; go on, that is, make all these turns or be through before. other: how the other player plays
    meanwhile: for the best of the player without helpful cards, for its best, or for its worst. gifts: whether the player may lay
    helpful cards. passed: how many turns the other makes before the first one of the player.
    """

    goal: str = "win"
    turns: int = 1
    other: str = "against"
    gifts: bool = True
    passed: int = 0


def packed(deals: Sequence[tuple[Position, Rules]]) -> np.ndarray:
    """An array with one deal and its rules an item."""
    found = np.zeros(len(deals), DEAL_DTYPE)
    for place, (deal, rules) in enumerate(deals):
        sides = deal.mover, deal.opponent
        cards = [[*side.hand, *side.pile] for side in sides]
        found[place] = (
            rules.lone_card, [side.ascending for side in sides], [side.descending for side in sides],
            [len(side.hand) for side in sides], [len(one) for one in cards],
            [one + [0] * (CARDS - len(one)) for one in cards],
        )  # fmt: skip
    return found


def text(record: np.void) -> str:
    """The deal of one item and its rules; its numbers need not be well-formed."""
    sides = []
    for seat in range(2):
        cards, held = record["cards"][seat][: record["count"][seat]].tolist(), int(record["held"][seat])
        hand, pile = ",".join(map(str, sorted(cards[:held]))), ",".join(map(str, cards[held:]))
        sides.append(f"{record['up'][seat]}^{record['down'][seat]}v:{hand}{'+' * bool(pile)}{pile}")
    return f"{' '.join(sides)} {Rules(bool(record['lone_card']))}"


def answers(deals: np.ndarray, questions: Question | Iterable[Question], most: int = 1 << 22) -> np.ndarray:
    """NO or YES for each deal of an array; NOT_KNOWN where more than `most` moments would have to be remembered.

    questions: one for each deal, or one for all.
    """
    asked = [questions] if isinstance(questions, Question) else list(questions)
    rows = [(GOALS.index(one.goal), OTHERS.index(one.other), one.gifts, one.turns, one.passed) for one in asked]
    found = np.zeros(len(deals), np.uint8)
    answer_range(deals, np.array(rows, QUESTION_DTYPE), found, most)
    return found
