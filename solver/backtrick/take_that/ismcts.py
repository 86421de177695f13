"""The player `ismcts` of Take That: `core/ismcts.py` by a kernel, which makes the same tree."""

from __future__ import annotations

import numpy as np

from backtrick.ismcts import EXPLORATION, MOST, search_until
from backtrick.player import MOST_SECONDS, check_within, key_for
from backtrick.state import Player
from backtrick.take_that._ismcts import Tree
from backtrick.take_that.action import Action, unpack_action
from backtrick.take_that.options import OPENS
from backtrick.take_that.state import View

BATCH = 100  # iterations between two looks at the clock


def tree_of(view: View, iterations: int) -> Tree:
    """An empty tree of a view."""
    cards = bytes(view.hand), bytes(view.line), bytes(view.unseen)
    switches = view.rules.forced_only, view.rules.empty_line == OPENS
    return Tree(*cards, view.hand_size, *view.points, *switches, EXPLORATION, iterations)


def ismcts(iterations: int, seed: int, seconds: float) -> Player[View, Action]:
    """The player with so many iterations a move, or with so many seconds, in which it does as many as it can.

    With iterations it repeats itself exactly; with seconds it does not. Raises `ArgumentError`.

    >>> print(ismcts(100, 0, 0.0)(View.parse("12,13,14,15,16,17,18,19,21 ?9 34-43 ?59")))
    take
    """
    check_within("iterations", iterations, 1, MOST)
    check_within("seconds", seconds, 0, MOST_SECONDS)

    def turn(view: View) -> Action:
        key = key_for(seed, view)
        tree = tree_of(view, MOST if seconds else iterations)
        if seconds:
            search_until(tree, key, seconds, BATCH)
        else:
            tree.search(key, 0, iterations)
        visits = {unpack_action(code): count for code, count, _, _ in tree.replies(np.empty(0, np.uint16))}
        return max(view.legal(), key=lambda move: visits.get(move, 0))

    return turn
