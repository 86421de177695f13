"""Public states: what both players know at the beginning of a turn, while hands and piles are hidden (docs/hidden.md)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from backtrick.arguments import checked, checked_fields
from backtrick.errors import ArgumentError, PositionError
from backtrick.face_to_face.position import HAND_SIZE, Side, check_well_formed, parse_set, parse_tops
from backtrick.face_to_face.rule_options import PUBLISHED, Rules, as_rules
from backtrick.face_to_face.state import State, View, turn_begins
from backtrick.notation import Cursor
from backtrick.play import public_state as core

if TYPE_CHECKING:
    from backtrick.play.plans import Plans

Hand = tuple[int, ...]

MOST_KNOWN = 2
"""A pile of so many cards is drawn whole at its owner's next turn (F3, F11); after it the other player knows the hand."""


class Known(NamedTuple):
    """What both players know of one of them: the tops, how many cards are held, and the cards not laid yet, in ascending order."""

    ascending: int
    descending: int
    hand_size: int
    unlaid: Hand

    def __str__(self) -> str:
        return f"{self.ascending}^{self.descending}v:?{self.hand_size}:{','.join(map(str, self.unlaid))}"

    @property
    def pile_size(self) -> int:
        """How many of the cards are still to be drawn."""
        return len(self.unlaid) - self.hand_size

    @property
    def hands(self) -> list[Hand]:
        """Every hand that the player can hold, in ascending order."""
        return list(combinations(self.unlaid, self.hand_size))

    def side(self, hand: Hand) -> Side:
        """The side if this is its hand. Nobody knows the order of the pile."""
        return Side(self.ascending, self.descending, hand, frozenset(self.unlaid).difference(hand))


def is_short(mover: Known, opponent: Known) -> bool:
    """True if the mover knows all after two turns."""
    return opponent.pile_size <= MOST_KNOWN and mover.pile_size <= 2 * MOST_KNOWN


@dataclass(frozen=True, slots=True, repr=False)
@checked_fields
class PublicState(core.PublicState):
    """What both players know at the beginning of a turn: of each the tops, the cards not laid yet and how many of them are held.

    >>> print(PublicState.parse("56^10v:?2:14,22,45 47^38v:?2:7,8").mover.unlaid)
    (14, 22, 45)
    """

    mover: Known
    opponent: Known
    rules: Rules = PUBLISHED

    state_type = State
    view_type = View
    by_points = False

    def __post_init__(self) -> None:
        for name in ("mover", "opponent"):
            up, down, size, unlaid = getattr(self, name)
            object.__setattr__(self, name, Known(index(up), index(down), index(size), tuple(sorted(map(index, unlaid)))))
        object.__setattr__(self, "rules", as_rules(self.rules))
        for name, side in (("the mover's", self.mover), ("the opponent's", self.opponent)):
            if side.hand_size > len(side.unlaid):
                problem = f"{side.hand_size} cards, and only {len(side.unlaid)} are not laid yet"
                raise PositionError(None, f"{name} hand", problem, "F1")
            if side.hand_size > HAND_SIZE:
                raise PositionError(None, f"{name} hand", f"{side.hand_size} cards, at most {HAND_SIZE} are held", "F2")
            if not side.hand_size:
                raise PositionError(None, f"{name} hand", "it is empty, and the game is not over", "F12")
        check_well_formed(*(Side(side.ascending, side.descending, side.unlaid[: side.hand_size], side.unlaid[side.hand_size :])
                            for side in (self.mover, self.opponent)))  # fmt: skip

    def __repr__(self) -> str:
        return f"<PublicState {self}>"

    def __str__(self) -> str:
        return f"{self.mover} {self.opponent}"

    @classmethod
    @checked
    def parse(cls, text: str, *, rules: Rules | None = None) -> PublicState:
        """The public state that a text names: two sides as a view writes the opponent's, or plain hands without a draw pile.

        Raises `NotationError`, or `PositionError`, which names the rule, if no game shows it.

        >>> print(PublicState.parse("56^10v:?2:14,22,45 47^38v:7,8"))
        56^10v:?2:14,22,45 47^38v:?2:7,8
        >>> PublicState.parse("56^10v:?3:14,22 47^38v:?2:7,8")
        Traceback (most recent call last):
        backtrick.errors.PositionError: the mover's hand: 3 cards, and only 2 are not laid yet (F1)
        """
        cursor = Cursor("public state", text)
        mover, opponent = _parse_known(cursor), _parse_known(cursor)
        cursor.end("',' or the end")
        return cls(mover, opponent, as_rules(rules))

    @classmethod
    def is_public(cls, text: str) -> bool:
        return text.partition(":")[2].lstrip().startswith("?") or "?" not in text

    @classmethod
    def of(cls, view: View) -> PublicState:
        """The public state of what the player to move sees.

        >>> print(PublicState.of(View.parse("27^40v:17,18+?9,33 13^50v:?2:4,5,9")))
        27^40v:?2:9,17,18,33 13^50v:?2:4,5,9
        """
        if not isinstance(view, View) or view.plays or not view.to_move:
            raise ArgumentError("state must be of the player to move, at the beginning of a turn")
        own = view.own
        mover = Known(own.ascending, own.descending, len(own.hand), tuple(sorted([*own.hand, *own.pile])))
        return cls(mover, Known(view.ascending, view.descending, view.hand_size, tuple(sorted(view.unlaid))), view.rules)

    def worlds(self) -> Iterator[State]:
        for hand in self.mover.hands:
            for other in self.opponent.hands:
                yield turn_begins(self.rules, self.mover.side(hand), self.opponent.side(other), 0)

    def hand(self, view: View) -> Hand:
        return view.own.hand

    def hands(self, seat: int) -> list[Hand]:
        return (self.mover, self.opponent)[seat].hands

    def view(self, hand: Hand) -> View:
        other = self.opponent
        seen = other.ascending, other.descending, other.hand_size, other.pile_size, frozenset(other.unlaid)
        return View(self.mover.side(hand), *seen, rules=self.rules)

    @property
    def is_quick(self) -> bool:
        return is_short(self.mover, self.opponent)

    def solve(self, game: Any, question: Any) -> Plans:
        """Plans of both players, by kernels (`equilibria.py`)."""
        found: Plans = game.hidden_plans(self, question)
        return found


def _parse_known(cursor: Cursor) -> Known:
    ascending, descending = parse_tops(cursor)
    size = None
    if cursor.take("?"):
        size = cursor.number()
        cursor.expect(":")
    unlaid = tuple(parse_set(cursor))
    return Known(ascending, descending, len(unlaid) if size is None else size, unlaid)
