"""The readable twin of equilibria of Take That: the game move by move and draw by draw, and its sequence-form linear program.

A player's *information* is all that it saw: its hand at the start, every move, and the cards that it drew. A *sequence* is an
information and the move that was chosen there. A strategy gives each sequence a weight: 1 at the start, and what the moves of one
information weigh adds up to the weight of what led there (Koller, Megiddo and von Stengel 1996). Moves and draws are those of
`State`; once the pile is empty all is known, and `rules.value` says what it is worth. Nothing comes from the kernels, nor from
`equilibria.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import combinations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from backtrick.take_that import PUBLISHED, Rules, State
from backtrick.take_that.rules import value as endgame_value

Hand = tuple[int, ...]
Sequence = tuple


class Twin:
    """The game from a public state on. weights: how often a deal of both hands comes; None for all alike.

    shown: which seats see the other's hand at the start. follows: for each seat None, or a function from a view to a move: it then
    plays nothing else, but where that is None.
    """

    def __init__(
        self, line: Hand, unseen: Hand, sizes: tuple[int, int], rules: Rules = PUBLISHED,
        weights: Callable[[Hand, Hand], float] | None = None, shown: tuple[int, ...] = (),
        follows: tuple[Callable | None, Callable | None] = (None, None),
    ):  # fmt: skip
        self.parents: tuple[dict, dict] = ({}, {})  # of each seat: the sequence that led to an information
        self.gains: dict[tuple[Sequence, Sequence], float] = defaultdict(float)
        self.memo: dict = {}
        self.rules, self.follows = rules, follows
        total = 0.0
        for hand in combinations(unseen, sizes[0]):
            rest = [card for card in unseen if card not in hand]
            for other in combinations(rest, sizes[1]):
                weight = 1.0 if weights is None else weights(hand, other)
                if not weight:
                    continue
                total += weight
                pile = frozenset(rest) - set(other)
                state = State((hand, other), line, pile or (), (0, 0), 0, "move", rules)._begun()
                both = (0, hand, other), (1, other, hand)
                known = tuple((own, *((seen,) if seat in shown else ())) for seat, own, seen in both)
                self.walk(state, weight, known, ((), ()))
        self.total = total

    def walk(self, state: State, weight: float, known: tuple[tuple, tuple], chosen: tuple[Sequence, Sequence]) -> None:
        """Adds up the gains of all that can follow. known: what each seat has seen. chosen: its last sequence."""
        position = state.position()
        if state.phase == "over" or (position is not None and not state.pile):
            sign = 1 if state.seat == 0 else -1
            to_come = 0 if state.phase == "over" else sign * endgame_value(position, self.rules, self.memo)
            self.gains[chosen] += weight * (state.points[0] - state.points[1] + to_come)
        elif state.phase == "draw":
            for card in sorted(state.pile):
                seen = tuple((*one, f"drew {card}") if seat == state.seat else one for seat, one in enumerate(known))
                self.walk(state.draw(card), weight / len(state.pile), seen, chosen)
        else:
            seat = state.to_move
            information = known[seat]
            assert self.parents[seat].setdefault(information, chosen[seat]) == chosen[seat]  # nobody forgets
            follow = self.follows[seat]
            played = None if follow is None else follow(state.view(seat))
            for move in state.legal() if played is None else [played]:
                sequences = tuple((information, str(move)) if one == seat else chosen[one] for one in (0, 1))
                seen = tuple((*one, f"{seat}: {move}") for one in known)
                self.walk(state.apply(move), weight, seen, sequences)

    def value(self) -> float:
        """What the mover gets if both play as well as they can."""
        sequences = [sorted({pair[seat] for pair in self.gains} | set(self.parents[seat].values()), key=str) for seat in (0, 1)]
        places = [{one: place for place, one in enumerate(row)} for row in sequences]
        for seat in (0, 1):
            for pair in self.gains:
                assert pair[seat] in places[seat]
        informations = [{one: place + 1 for place, one in enumerate(self.parents[seat])} for seat in (0, 1)]
        plans = [self._plan(seat, places[seat], informations[seat]) for seat in (0, 1)]
        rows = [places[0][one] for one, _ in self.gains]
        columns = [places[1][other] for _, other in self.gains]
        gain = coo_matrix((list(self.gains.values()), (rows, columns)), shape=(len(places[0]), len(places[1])))
        count, free = len(places[0]), plans[1].shape[0]
        goal = np.zeros(count + free)
        goal[count] = -1.0  # the most of the value at the start of seat 1
        bounded = _beside(-gain.T, plans[1].T)
        fixed = _beside(plans[0], coo_matrix((plans[0].shape[0], free)))
        start = np.zeros(plans[0].shape[0])
        start[0] = 1.0
        limits = [(0, None)] * count + [(None, None)] * free
        found = linprog(goal, bounded, np.zeros(len(places[1])), fixed, start, limits, method="highs")
        assert found.status == 0, found.message
        return -found.fun / self.total

    def _plan(self, seat: int, places: dict, informations: dict) -> coo_matrix:
        """The conditions of a strategy: a row for the start, and one for each information."""
        cells = [(0, places[()], 1.0)]
        for information, row in informations.items():
            cells.append((row, places[self.parents[seat][information]], -1.0))
        for sequence, place in places.items():
            if sequence:
                cells.append((informations[sequence[0]], place, 1.0))
        rows, columns, values = zip(*cells, strict=True)
        return coo_matrix((values, (rows, columns)), shape=(len(informations) + 1, len(places)))


def _beside(one: coo_matrix, other: coo_matrix) -> coo_matrix:
    one, other = coo_matrix(one), coo_matrix(other)
    return coo_matrix(
        (np.concatenate([one.data, other.data]),
         (np.concatenate([one.row, other.row]), np.concatenate([one.col, other.col + one.shape[1]]))),
        shape=(one.shape[0], one.shape[1] + other.shape[1]),
    )  # fmt: skip
