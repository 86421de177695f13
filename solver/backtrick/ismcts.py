"""Information set Monte Carlo tree search, blind to the game: the field's baseline for games with hidden cards.

P. I. Cowling, E. J. Powley and D. Whitehouse, "Information set Monte Carlo tree search" (IEEE TCIAIG 4, 2012), with one
observer. There is one tree, of the player who is asked. Each iteration samples a world from the view, walks down the tree by
UCB1 among the actions legal in this world, adds one node, and plays on at random to the end of the game. An action may be
legal in some worlds only, so UCB1 counts how often it was available where the usual search counts the visits of its parent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any, Protocol, TypeVar

from backtrick.play import GAME_OVER, State, View
from backtrick.random import Stream

EXPLORATION = 0.7
"""The constant of UCB1 that the authors use, for rewards of 0..1."""

MOST = 1 << 20
"""The most iterations of a turn: the tree of one with a limit of seconds has room for them."""


@dataclass(slots=True)
class Node:
    """What is known of an action in its place of the tree.

    visits:    how often it was chosen
    available: how often it was legal when one was chosen there
    reward:    of the player who chose it, in all: 1 for a game won, 1/2 for a draw
    replies:   the actions tried after it
    """

    visits: int = 0
    available: int = 0
    reward: float = 0.0
    replies: dict[Hashable, Node] = field(default_factory=dict)

    def upper_bound(self, exploration: float = EXPLORATION) -> float:
        """UCB1 of an action that was visited."""
        return self.reward / self.visits + exploration * sqrt(log(self.available) / self.visits)


def searched(view: View, key: int, first: int, last: int, root: Node) -> None:
    """Iterations first..last-1 of a key on the tree of a view: the same ones give the same tree.

    An iteration takes its random numbers from a stream of its own, of the key and its number.
    """
    for number in range(first, last):
        numbers = Stream(key, number)
        state, node = view.world(numbers), root
        path: list[tuple[int, Node]] = []
        while state.to_move != GAME_OVER:
            seat, actions = state.to_move, state.legal()
            untried = [action for action in actions if action not in node.replies]
            if untried:
                action = untried[numbers.below(len(untried))]
                node.replies[action] = Node()
            else:
                action = max(actions, key=lambda one: _bound(node, one))
            for one in actions:
                if one in node.replies:
                    node.replies[one].available += 1
            state, node = state.apply(action), node.replies[action]
            path.append((seat, node))
            if untried:
                break
        winner = _played_out(state, numbers).winner
        for seat, node in path:
            node.visits += 1
            node.reward += 0.5 if winner is None else float(winner == seat)


class Tree(Protocol):
    """The tree of a kernel."""

    def search(self, key: int, first: int, last: int) -> None:
        """Iterations first..last-1 of a key."""


TreeOf = TypeVar("TreeOf", bound=Tree)


def grown(make: Callable[[int], TreeOf], key: int, iterations: int, seconds: float, batch: int) -> TreeOf:
    """A tree after this many iterations of a key, or after as many as the seconds allow, at most `MOST`.

    make: the empty tree with room for a number of iterations. batch: iterations between two looks at the clock.
    """
    if not seconds:
        tree = make(iterations)
        tree.search(key, 0, iterations)
        return tree
    tree, ends, done = make(MOST), time.perf_counter() + seconds, 0
    while done < MOST and time.perf_counter() < ends:
        done, before = min(done + batch, MOST), done
        tree.search(key, before, done)
    return tree


def _bound(node: Node, action: Hashable) -> float:
    return node.replies[action].upper_bound()


def _played_out(state: State[Any, Any, Any], numbers: Stream) -> State[Any, Any, Any]:
    """The end of the game if both play at random."""
    while state.to_move != GAME_OVER:
        actions = state.legal()
        state = state.apply(actions[numbers.below(len(actions))])
    return state
