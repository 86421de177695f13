"""The trees of the players `ismcts`, readable and slow: the twins of `Tree` in the kernels `_players` of both games.

P. I. Cowling, E. J. Powley and D. Whitehouse, "Information set Monte Carlo tree search" (IEEE TCIAIG 4, 2012), with one
observer. There is one tree, of the player who is asked. Each iteration samples a world from the view, walks down the tree by
UCB1 among the actions legal in this world, adds one node, and plays on at random to the end of the game. An action may be
legal in some worlds only, so UCB1 counts how often it was available where the usual search counts the visits of its parent.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any

from backtrick.face_to_face import Turn, View, _play, players, unpack_turn
from backtrick.face_to_face.network import default_tables
from backtrick.face_to_face.policies import tuned, turn_of
from backtrick.play.state import GAME_OVER, State
from backtrick.random import Stream
from backtrick.take_that.players import EXPLORATION


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


def searched(view: Any, key: int, first: int, last: int, root: Node) -> None:
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


def _bound(node: Node, action: Hashable) -> float:
    return node.replies[action].upper_bound()


def _played_out(state: State[Any, Any, Any], numbers: Stream) -> State[Any, Any, Any]:
    """The end of the game if both play at random."""
    while state.to_move != GAME_OVER:
        actions = state.legal()
        state = state.apply(actions[numbers.below(len(actions))])
    return state


# Face to Face

NARROW = 12
"""A node has sqrt(visits / 12) turns to choose from, and one. With more of them 500 iterations are too few for each."""

TRIES = 8
"""The number of turns drawn at random, of which the best by the network is tried."""

Outcome = tuple[frozenset[int], frozenset[tuple[str, bool, int]]]
"""The cards laid, and the last one on each pile."""


def outcome_of(turn: Turn) -> Outcome:
    """What a turn leads to from where it is made. Other orders of the same cards may lead to the same."""
    tops = {(play.pile, play.helpful): play.card for play in turn}
    return frozenset(play.card for play in turn), frozenset((*pile, card) for pile, card in tops.items())


def searched_by_turns(view: View, key: int, first: int, last: int, root: Node) -> None:
    """As `searched`, for Face to Face: an action is a whole turn, a node tries more and more of them, and `tuned` plays out."""
    for number in range(first, last):
        numbers = Stream(key, number)
        state, node = view.world(numbers), root
        path: list[tuple[int, Node]] = []
        new = False
        while state.to_move != GAME_OVER and not new:
            seen = state.view(state.to_move)
            tried = {one: reply for one, reply in _replies(node) if {play.card for play in one} <= {*seen.own.hand}}
            turn = None
            if NARROW * len(tried) ** 2 <= sum(reply.visits for reply in tried.values()):
                turn = _untried(seen, node, numbers)
            new = turn is not None
            for reply in tried.values():
                reply.available += 1
            if turn is None:
                turn = max(reversed(tried), key=lambda one: tried[one].upper_bound(players.EXPLORATION))
            else:
                node.replies[turn] = Node(available=1)
            node = node.replies[turn]
            path.append((state.to_move, node))
            state = state.play(turn)
        while state.to_move != GAME_OVER:
            state = state.play(turn_of(tuned, state.view(state.to_move)))
        for seat, node in path:
            node.visits += 1
            node.reward += float(state.winner == seat)


def _replies(node: Node) -> list[tuple[Turn, Node]]:
    return [(turn, reply) for turn, reply in node.replies.items() if isinstance(turn, Turn)]


def _untried(view: View, node: Node, numbers: Stream) -> Turn | None:
    """A turn that was not tried in reply to a node: that of `tuned`, or else the best by the network of some drawn at random."""
    known = {outcome_of(one) for one, _ in _replies(node)}
    turn = turn_of(tuned, view)
    if outcome_of(turn) not in known:
        return turn
    rules, found = view.rules, dict[Turn, int]()
    packed, _, values = _play.value_turns(view.packed, default_tables(), rules.code)
    for place in [numbers.below(len(packed)) for _ in range(TRIES)]:
        drawn = unpack_turn(int(packed[place]))
        assert drawn is not None
        if outcome_of(drawn) not in known:
            found.setdefault(drawn, int(values[place]))
    return max(found, key=lambda one: found[one], default=None)
