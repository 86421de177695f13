"""Information set Monte Carlo tree search of Face to Face, the readable twin of `Tree` in the kernel `_players`: `backtrick.ismcts`
with whole turns as actions, of which a node tries more and more, and with play-outs by `tuned` in place of random ones.
"""

from __future__ import annotations

from backtrick.face_to_face import _play
from backtrick.face_to_face.network import default_tables
from backtrick.face_to_face.policies import tuned, turn_of
from backtrick.face_to_face.state import View
from backtrick.face_to_face.turn import Turn, unpack_turn
from backtrick.ismcts import Node
from backtrick.play import GAME_OVER
from backtrick.random import Stream

EXPLORATION = 0.2
"""The constant of UCB1: lower than the 0.7 for random play-outs, because those by `tuned` are more accurate."""

NARROW = 12
"""A node has sqrt(visits / 12) turns to choose from, and one. With more of them 500 iterations are too few for each."""

TRIES = 8
"""The number of turns drawn at random, of which the best by the network is tried."""

Outcome = tuple[frozenset[int], frozenset[tuple[str, bool, int]]]
"""The cards laid, and the last one on each pile."""


def outcome_of(turn: Turn) -> Outcome:
    """What a turn leads to from where it is made. Other orders of the same cards may lead to the same.

    >>> outcome_of(Turn.parse("17^ 18^")) == outcome_of(Turn.parse("18^ 17^"))
    False
    >>> outcome_of(Turn.parse("17^ 45v")) == outcome_of(Turn.parse("45v 17^"))
    True
    """
    tops = {(play.pile, play.helpful): play.card for play in turn}
    return frozenset(play.card for play in turn), frozenset((*pile, card) for pile, card in tops.items())


def searched(view: View, key: int, first: int, last: int, root: Node) -> None:
    """Iterations first..last-1 of a key on the tree of a view, as `backtrick.ismcts.searched`."""
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
                turn = max(reversed(tried), key=lambda one: tried[one].upper_bound(EXPLORATION))
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
    packed, _, values = _play.value_turns(view.packed, default_tables(), rules.highest, rules.step, rules.lone_card)
    for place in [numbers.below(len(packed)) for _ in range(TRIES)]:
        drawn = unpack_turn(int(packed[place]))
        assert drawn is not None
        if outcome_of(drawn) not in known:
            found.setdefault(drawn, int(values[place]))
    return max(found, key=lambda one: found[one], default=None)
