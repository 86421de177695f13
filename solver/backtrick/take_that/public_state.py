"""Public states: what both players know at the start of a turn while cards are hidden.

?9 ?9 25-33-26-22 ?2 !12,13,14        the mover's hand, the other hand, the line, the draw pile, the cards that are gone
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from operator import index
from typing import TYPE_CHECKING, ClassVar

from backtrick.arguments import checked_fields
from backtrick.errors import PositionError
from backtrick.given import refused
from backtrick.notation import Cursor
from backtrick.play import public_state as core
from backtrick.take_that.equilibria import solve
from backtrick.take_that.hands import AllHands, Hand, hands_of
from backtrick.take_that.position import HAND_SIZE, Position, expect_blank
from backtrick.take_that.rule_options import DECK, PUBLISHED, Rules, as_rules
from backtrick.take_that.state import MOVE, State, View, parse_size, parse_table

if TYPE_CHECKING:
    from backtrick.game import AnyGame
    from backtrick.play.plans import Plans, Question


@dataclass(frozen=True, slots=True, repr=False)
@checked_fields
class PublicState(core.PublicState):
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

    state_type: ClassVar = State
    view_type: ClassVar = View
    gap: ClassVar[Fraction] = Fraction(1, 100)

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
    def held(self) -> tuple[int, int]:
        """How many cards the mover and the other player hold."""
        return self.hand_size, self.other_size

    @classmethod
    def parse(cls, text: str, *, rules: Rules | None = None) -> PublicState:
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
    def is_public(cls, text: str) -> bool:
        return text.lstrip().startswith("?")

    @classmethod
    def of(cls, view: View) -> PublicState:
        """The public state of what the player to move sees: its hand is forgotten. Raises `ArgumentError`."""
        if not isinstance(view, View):
            raise refused("view", "a view of the player to move", view)
        return cls(view.line, (*view.hand, *view.unseen), len(view.hand), view.hand_size, view.rules)

    def worlds(self) -> Iterator[State]:
        for hand in combinations(self.unseen, self.hand_size):
            rest = [card for card in self.unseen if card not in hand]
            for other in combinations(rest, self.other_size):
                pile = frozenset(rest).difference(other) or ()
                yield State((hand, other), self.line, pile, (0, 0), 0, MOVE, self.rules)._begun()

    def hand(self, view: View) -> Hand:
        return view.hand

    def hands(self, seat: int) -> Iterator[Hand]:
        """In the order of `hands_of`."""
        return hands_of(self.unseen, self.held[seat])

    def alike(self, seat: int) -> AllHands:
        return AllHands(self.unseen, self.held[seat])

    def view(self, hand: Hand) -> View:
        unseen = tuple(card for card in self.unseen if card not in hand)
        return View(hand, self.line, self.other_size, self.pile_size, unseen, (0, 0), self.rules)

    @property
    def is_quick(self) -> bool:
        return self.pile_size <= 1 and not self.rules.professional

    def solve(self, game: AnyGame, question: Question) -> Plans:
        """By regret matching, in a kernel (`equilibria.py`). Raises `NotSolvedError`, `BudgetError`, and `RulesError` under T11."""
        return solve(self, question)
