"""Public states: what both players know at the start of a turn while cards are hidden, and the tree of turns that follow.

?9 ?9 25-33-26-22 ?2 !12,13,14        the mover's hand, the other hand, the line, the draw pile, the cards that are gone
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, factorial, inf
from operator import index
from types import SimpleNamespace
from typing import NamedTuple

from backtrick.arguments import checked_fields
from backtrick.errors import ArgumentError, BudgetError, PositionError
from backtrick.notation import Cursor
from backtrick.play.state import read_view
from backtrick.take_that import rules as referee
from backtrick.take_that.hands import Hand
from backtrick.take_that.position import HAND_SIZE, Position, expect_blank
from backtrick.take_that.rule_options import DECK, PUBLISHED, Rules, as_rules
from backtrick.take_that.state import State, View, parse_size, parse_table
from backtrick.take_that.turn import Turn


@dataclass(frozen=True, slots=True, repr=False)
@checked_fields
class PublicState:
    """What both players know at the start of a turn, while the draw pile lasts.

    line:       from left to right
    unseen:     the cards of both hands and of the pile together, ascending
    hand_size:  how many the player to move holds
    other_size: how many the other player holds; the rest is the pile
    rules:      of the game

    It is written as a view is, with a size in place of the hand.

    >>> state = PublicState((34, 41), (12, 21, 33, 55, 63, 94), 2, 2)
    >>> state.pile_size, PublicState.parse(str(state)) == state
    (2, True)
    """

    line: tuple[int, ...]
    unseen: tuple[int, ...]
    hand_size: int
    other_size: int
    rules: Rules = PUBLISHED

    def __post_init__(self) -> None:
        unseen = tuple(sorted(map(index, self.unseen)))
        object.__setattr__(self, "unseen", unseen)
        object.__setattr__(self, "line", tuple(map(index, self.line)))
        for name in ("hand_size", "other_size"):
            object.__setattr__(self, name, index(getattr(self, name)))
        object.__setattr__(self, "rules", as_rules(self.rules))
        pile = self.pile_size
        sizes = (("the mover's hand", self.hand_size), ("the other hand", self.other_size))
        for place, size in sizes:
            if not 1 <= size <= HAND_SIZE:
                raise PositionError(None, place, f"{size} cards, 1..{HAND_SIZE} are held", "T2")
        if pile < 0:
            raise PositionError(None, "the draw pile", f"the hands have more cards than the {len(unseen)} that are not seen", "T1")
        hand, rest = unseen[: self.hand_size], unseen[self.hand_size :]
        Position(hand, rest[: self.other_size], self.line, rest[self.other_size :])  # each card is there, and once

    def __repr__(self) -> str:
        return f"<PublicState {self}>"

    def __str__(self) -> str:
        gone = ",".join(str(card) for card in DECK if card not in {*self.line, *self.unseen})
        line = "-".join(map(str, self.line)) or "-"
        return f"?{self.hand_size} ?{self.other_size} {line} ?{self.pile_size}" + (f" !{gone}" if gone else "")

    @property
    def pile_size(self) -> int:
        """How many cards are still to be drawn."""
        return len(self.unseen) - self.hand_size - self.other_size

    @property
    def deals(self) -> int:
        """How many ways there are to deal the unseen cards: both hands, and the order of the pile."""
        cards = len(self.unseen)
        left = cards - self.hand_size
        return comb(cards, self.hand_size) * comb(left, self.other_size) * factorial(self.pile_size)

    @classmethod
    def parse(cls, text: str, rules: Rules = PUBLISHED) -> PublicState:
        """The public state that a text names: both hand sizes, the line, the size of the pile, and the cards that are gone.

        Raises `NotationError`, or `PositionError` if there is no such state.
        """
        cursor = Cursor("public state", text)
        hand_size = parse_size(cursor)
        expect_blank(cursor, "a digit", "the size of the other hand")
        other_size = parse_size(cursor)
        line, pile_size, gone = parse_table(cursor)
        unseen = tuple(card for card in DECK if card not in {*line, *gone})
        if hand_size + other_size + pile_size != len(unseen):
            problem = f"hands of {hand_size} and {other_size} and {pile_size} in it, but {len(unseen)} cards are not seen"
            raise PositionError(None, "the draw pile", problem, "T1")
        return cls(line, unseen, hand_size, other_size, as_rules(rules))

    @classmethod
    def of(cls, view: View) -> PublicState:
        """The public state of what the player to move sees: its hand is forgotten."""
        return cls(view.line, (*view.hand, *view.unseen), len(view.hand), view.hand_size, view.rules)

    def view(self, hand: Hand) -> View:
        """What the player to move sees if it holds these cards."""
        unseen = tuple(card for card in self.unseen if card not in hand)
        return View(hand, self.line, self.other_size, self.pile_size, unseen, (0, 0), self.rules)

    def after(self, turn: Turn) -> PublicState:
        """The public state after a turn of the player to move: the next one is to move, and the last one has drawn."""
        _, line = _line_after(self.line, turn)
        used = turn.card if turn.opening is None else turn.opening
        return PublicState(line, tuple(card for card in self.unseen if card != used), self.other_size, self.hand_size, self.rules)


def as_public_state(given: PublicState | View | State | str, rules: Rules = PUBLISHED) -> tuple[PublicState, Hand | None]:
    """The public state of what is given (itself, its notation, a view of the player to move, or a whole game), and the mover's hand
    if it is known."""
    if isinstance(given, PublicState):
        return given, None
    if isinstance(given, str) and given.lstrip().startswith("?"):
        return PublicState.parse(given, rules), None
    if isinstance(given, State):
        if given.position() is None:
            raise ArgumentError("state must be at the beginning of a turn")
        given = given.view(given.to_move)
    view = View.parse(given, rules=rules) if isinstance(given, str) else read_view(View, given)
    return PublicState.of(view), view.hand


# The tree of turns. Turns are public, so it is small: hundreds of leaves with two cards in the pile.


def _line_after(line: tuple[int, ...], turn: Turn) -> tuple[int, tuple[int, ...]]:
    """The points of a turn while the pile lasts, and the line after it."""
    points, _, following = referee.effect((), line, turn)
    return points, following if turn.opening is None else (turn.opening,)  # T6


def public_turns(line: tuple[int, ...], cards: tuple[int, ...], rules: Rules) -> list[tuple[Turn, frozenset[int]]]:
    """Each turn that some hand of these cards has, while the pile lasts, and the cards with which a hand does not have it (T10)."""
    table = SimpleNamespace(mover=cards, line=line, pile=True)
    moves = [move for move in referee.legal_moves(table, Rules(empty_line=rules.empty_line)) if not move.is_take]
    forced = frozenset(move.card for move in moves if move.card is not None) if rules.forced_only else frozenset()
    takes = [Turn(opening=card) for card in cards if card not in forced] if line else []
    return [(move, frozenset()) for move in moves] + [(take, forced) for take in takes]


class Step(NamedTuple):
    """An edge of the tree: a turn, the place of its card among the cards of its node, what it leads to (a node, or -1 - leaf), and
    the cards with which a hand does not have it."""

    turn: Turn
    place: int
    child: int
    forbidden: frozenset[int]


class Place(NamedTuple):
    """A node of the tree, or a leaf: the cards in hands and pile, the line, and the points of the turns so far, the first mover's
    less the other's. first, last: its edges."""

    depth: int
    cards: tuple[int, ...]
    line: tuple[int, ...]
    points: int
    first: int = 0
    last: int = 0


def tree_of(state: PublicState, most: float = inf) -> tuple[list[Place], list[Step], list[Place]]:
    """Nodes, edges and leaves: all sequences of turns until the pile is empty. Raises `BudgetError` for more than `most` leaves."""
    waiting, leaves = [Place(0, state.unseen, state.line, 0)], list[Place]()
    nodes, steps = list[Place](), list[Step]()
    while len(nodes) < len(waiting):
        here = waiting[len(nodes)]
        first, sign = len(steps), 1 - 2 * (here.depth % 2)
        for turn, forbidden in public_turns(here.line, here.cards, state.rules):
            points, line = _line_after(here.line, turn)
            used = turn.card if turn.opening is None else turn.opening
            place = here.cards.index(used)
            cards = here.cards[:place] + here.cards[place + 1 :]
            following = Place(here.depth + 1, cards, line, here.points + sign * points)
            ends = following.depth == state.pile_size
            steps.append(Step(turn, place, -1 - len(leaves) if ends else len(waiting), forbidden))
            (leaves if ends else waiting).append(following)
        nodes.append(here._replace(first=first, last=len(steps)))
        if len(leaves) > most:
            raise BudgetError(f"more than {most} sequences of turns")
    return nodes, steps, leaves
