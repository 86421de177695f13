"""The player `ismcts` of Face to Face: `core/ismcts.py` by a kernel, which makes the same tree. An action is a play or `END`."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from backtrick.face_to_face._ismcts import Tree
from backtrick.face_to_face.state import END, Action, View
from backtrick.face_to_face.turn import PLAY_PILES, Play, Turn
from backtrick.ismcts import EXPLORATION, MOST, search_until
from backtrick.player import MOST_SECONDS, check_within, key_for
from backtrick.random import Stream
from backtrick.state import Player

BATCH = 20  # iterations between two looks at the clock


def tree_of(view: View, iterations: int) -> Tree:
    """An empty tree of a view at the beginning of a turn."""
    own, rules = view.own, view.rules
    sides = own.ascending, own.descending, _word(own.hand), _word(own.pile), view.ascending, view.descending
    deck = rules.highest, rules.step, rules.lone_card
    return Tree(*sides, view.hand_size, _word(view.unlaid), *deck, EXPLORATION, iterations)


def _word(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


def pack_action(action: Action) -> int:
    """The code of the kernel: `card | pile << 6`, and 0 for the end of the turn.

    >>> pack_action(Play(12, "^", helpful=True)), pack_action(END)
    (140, 0)
    """
    return 0 if action is END else action.card | PLAY_PILES.index((action.pile, action.helpful)) << 6


def ismcts(iterations: int, seed: int, seconds: float) -> Player[View, Turn]:
    """The player with so many iterations a turn, or with so many seconds, in which it does as many as it can.

    The turn is laid card by card, each the action that was visited most. With iterations the player repeats itself exactly; with
    seconds it does not. Raises `ArgumentError`.

    >>> print(ismcts(100, 0, 0.0)(View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12")))
    45^ 18v 17v
    """
    check_within("iterations", iterations, 1, MOST)
    check_within("seconds", seconds, 0, MOST_SECONDS)

    def turn(view: View) -> Turn:
        key = key_for(seed, view)
        tree = tree_of(view, MOST if seconds else iterations)
        if seconds:
            search_until(tree, key, seconds, BATCH)
        else:
            tree.search(key, 0, iterations)
        return most_visited(view, tree)

    return turn


def most_visited(view: View, tree: Tree) -> Turn:
    """The turn along the most visited actions, the first of equal ones. Any world will do: the own turn shows no hidden card."""
    state = view.world(Stream(0, 0))
    path: list[int] = []
    plays: list[Play] = []
    while state.to_move == 0:
        visits = {code: count for code, count, _, _ in tree.replies(np.array(path, np.uint16))}
        action = max(state.legal(), key=lambda one: visits.get(pack_action(one), 0))
        if isinstance(action, Play):
            plays.append(action)
        path.append(pack_action(action))
        state = state.apply(action)
    return Turn(tuple(plays))
