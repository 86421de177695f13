"""The players of whole rounds by name. A player joins by a line in `PLAYERS`.

Each names a move. Who takes the line while the draw pile lasts is asked again, with an empty line, for the card that opens
a new one.
"""

from __future__ import annotations

from functools import partial

from backtrick.player import Kind, Kinds, numbers_for
from backtrick.take_that.action import Action
from backtrick.take_that.ismcts import ismcts
from backtrick.take_that.policies import POLICIES
from backtrick.take_that.sampler import sampler
from backtrick.take_that.state import View


def random_move(view: View, seed: int) -> Action:
    """One of the legal moves, all equally likely. The same seed and view give the same move.

    >>> print(random_move(View.parse("12,13,14,15,16,17,18,19,21 ?9 34-43 ?59"), seed=1))
    take
    """
    moves = view.legal()
    return moves[numbers_for(seed, view).below(len(moves))]


PLAYERS: Kinds[View, Action] = Kinds({
    "random": Kind("every legal move equally likely", lambda seed: partial(random_move, seed=seed), {"seed": 0}),
    "careful": Kind("weighs points, what the other can twist, and who will have to take", lambda: POLICIES["careful"]),
    "eager": Kind("twists if it can, else lays the nearest card, takes if it must", lambda: POLICIES["eager"]),
    "tuned": Kind("as careful, with more to weigh and constants found by playing", lambda: POLICIES["tuned"]),
    "sampler": Kind(
        "values every move in many worlds that its view leaves; seconds=0.01: as many as it can in that time, not repeatable",
        sampler, {"worlds": 200, "seed": 0, "seconds": 0.0, "other": "tuned"}),
    "ismcts": Kind(
        "information set Monte Carlo tree search, a baseline; seconds=0.01: as many iterations as it can, not repeatable",
        ismcts, {"iterations": 1000, "seed": 0, "seconds": 0.0}),
})  # fmt: skip
"""The kinds of players."""
