"""The players of whole games by name. A player joins by a line in `PLAYERS`."""

from __future__ import annotations

from functools import partial

from backtrick.face_to_face.ismcts import ismcts
from backtrick.face_to_face.network import net_turn
from backtrick.face_to_face.policies import POLICIES, Policy, turn_of
from backtrick.face_to_face.position import Position, Side
from backtrick.face_to_face.sampling import PLAYOUTS, sampler
from backtrick.face_to_face.state import View
from backtrick.face_to_face.turn import Turn, unpack_turn
from backtrick.face_to_face.turns import legal_turns_array
from backtrick.player import Kind, Kinds, numbers_for
from backtrick.state import Player


def random_turn(view: View, seed: int) -> Turn:
    """One of the legal turns, all equally likely. The same seed and view give the same turn.

    >>> print(random_turn(View.parse("27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,9,12"), seed=1))
    45^ 17v
    """
    own = Side(view.own.ascending, view.own.descending, view.own.hand)
    other = Side(view.ascending, view.descending, (min(view.unlaid),))  # what the other holds does not change the own turns
    turns = legal_turns_array(Position(own, other), view.rules)
    turn = unpack_turn(int(turns[numbers_for(seed, view).below(len(turns))]))
    assert turn is not None
    return turn


def _by(policy: Policy) -> Player[View, Turn]:
    return partial(turn_of, policy)


PLAYERS: Kinds[View, Turn] = Kinds({
    "random": Kind("every legal turn equally likely", lambda seed: partial(random_turn, seed=seed), {"seed": 0}),
    "frugal": Kind("lays the cards that move the tops least", lambda: _by(POLICIES["frugal"])),
    "hasty": Kind("lays the two cheapest cards and looks no further", lambda: _by(POLICIES["hasty"])),
    "tuned": Kind("lays the cheapest cards by tuned prices, and more while they are cheap", lambda: _by(POLICIES["tuned"])),
    "net": Kind("the turn that a small network values most", lambda: net_turn),
    "sampler": Kind("tries its best turns in sampled worlds; with seconds it does not repeat itself", sampler,
                    {"playouts": PLAYOUTS, "seconds": 0.0, "seed": 0}),
    "ismcts": Kind(
        "information set Monte Carlo tree search, a baseline; seconds=0.01: as many iterations as it can, not repeatable",
        ismcts, {"iterations": 1000, "seed": 0, "seconds": 0.0}),
})  # fmt: skip
"""The kinds of players."""
