"""The tree of turns while cards are hidden. Turns are public, so it is small: hundreds of endgames with two cards in the pile."""

from __future__ import annotations

from math import inf
from operator import index
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol

from backtrick.errors import BudgetError
from backtrick.take_that import rules as referee
from backtrick.take_that.hands import Hand
from backtrick.take_that.rule_options import Rules
from backtrick.take_that.turn import Turn


class Public(Protocol):
    """What is asked here of a public state (`public_state.py`)."""

    @property
    def line(self) -> tuple[int, ...]: ...
    @property
    def unseen(self) -> tuple[int, ...]: ...
    @property
    def held(self) -> tuple[int, int]: ...
    @property
    def pile_size(self) -> int: ...
    @property
    def rules(self) -> Rules: ...


def line_after(line: tuple[int, ...], turn: Turn) -> tuple[int, tuple[int, ...]]:
    """The points of a turn while the pile lasts, and the line after it."""
    points, _, following = referee.effect((), line, turn)
    return points, following if turn.opening is None else (turn.opening,)  # T6


def card_of(turn: Turn) -> int:
    """The card that leaves the hand with a turn while the pile lasts (T6)."""
    return index(turn.card if turn.opening is None else turn.opening)  # type: ignore[arg-type]


def public_turns(line: tuple[int, ...], cards: tuple[int, ...], rules: Rules) -> list[tuple[Turn, frozenset[int]]]:
    """Each turn that some hand of these cards has, while the pile lasts, and the cards with which a hand does not have it (T10)."""
    table = SimpleNamespace(mover=cards, line=line, pile=True)
    moves = [move for move in referee.legal_moves(table, Rules(empty_line=rules.empty_line)) if not move.is_take]
    forced = frozenset(move.card for move in moves if move.card is not None) if rules.forced_only else frozenset()
    takes = [Turn(opening=card) for card in cards if card not in forced] if line else []
    return [(move, frozenset()) for move in moves] + [(take, forced) for take in takes]


class Step(NamedTuple):
    """An edge of the tree: a turn, the place of its card among the cards of its node, what it leads to (a node, or -1 - the row of
    an endgame), the points of the turns until then, the first mover's less the other's, and the cards with which a hand does not
    have it."""

    turn: Turn
    place: int
    child: int
    points: int
    forbidden: frozenset[int]


class Node(NamedTuple):
    """A node of the tree: the cards in hands and pile, the line, the points of the turns so far, the first mover's less the
    other's; first, last: its edges."""

    depth: int
    cards: tuple[int, ...]
    line: tuple[int, ...]
    points: int
    first: int = 0
    last: int = 0


class Tree(NamedTuple):
    """All sequences of turns until the pile is empty. rows: the cards and the line of each endgame. One can follow several
    sequences, as a line that is taken leaves nothing of the turns before."""

    nodes: list[Node]
    steps: list[Step]
    rows: list[tuple[Hand, tuple[int, ...]]]

    def edge(self, node: int, turn: Any) -> int:
        """The edge of a turn of a node."""
        here = self.nodes[node]
        return next(edge for edge in range(here.first, here.last) if self.steps[edge].turn == turn)


def tree_of(state: Public, stop: bytearray, most: float = inf) -> Tree:
    """The tree of turns; what there is of it if it is stopped. Raises `BudgetError` for more than `most` endgames."""
    waiting = [Node(0, state.unseen, state.line, 0)]
    nodes, steps, rows = list[Node](), list[Step](), dict[tuple[Hand, tuple[int, ...]], int]()
    if not state.pile_size:
        return Tree([], [], [(state.unseen, state.line)])
    while len(nodes) < len(waiting) and not stop[0]:
        here = waiting[len(nodes)]
        first, sign = len(steps), 1 - 2 * (here.depth % 2)
        for turn, forbidden in public_turns(here.line, here.cards, state.rules):
            gained, line = line_after(here.line, turn)
            place, points = here.cards.index(card_of(turn)), here.points + sign * gained
            cards = here.cards[:place] + here.cards[place + 1 :]
            if here.depth + 1 == state.pile_size:
                child = -1 - rows.setdefault((cards, line), len(rows))
            else:
                child = len(waiting)
                waiting.append(Node(here.depth + 1, cards, line, points))
            steps.append(Step(turn, place, child, points, forbidden))
        nodes.append(here._replace(first=first, last=len(steps)))
        if len(rows) > most:
            raise BudgetError(f"more than {most} endgames follow")
    return Tree(nodes, steps, list(rows))
