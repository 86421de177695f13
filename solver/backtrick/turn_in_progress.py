"""What a player sees of a position in the middle of a turn, and what may be laid next: everything a page needs to draw and play.

A page knows no rules. It draws the places, offers the choices, and explains each refused one, with the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

Violation = tuple[str, str]
"""Why something is not legal: what is wrong, and the rule."""

MOVER, OPPONENT, BOTH = "mover", "opponent", "both"
"""Whose place it is."""


class Ending(NamedTuple):
    """Why a game is over.

    problem: why there is no legal turn, in words
    rule:    that says so; empty if none is named
    winner:  'mover', 'opponent', or None if points decide
    """

    problem: str = "no legal turn"
    rule: str = ""
    winner: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Cards that lie together. name: unique on the table, as a choice names it. kind: 'hand', 'draw pile', or the game's word.

    cards: in the order in which they lie; of a pile of which only the top counts, the top
    """

    name: str
    owner: str
    kind: str
    cards: tuple[int, ...]

    def record(self) -> dict[str, object]:
        """The place as a record."""
        return {"name": self.name, "owner": self.owner, "kind": self.kind, "cards": list(self.cards)}


@dataclass(frozen=True, slots=True)
class Candidate:
    """One play that the mover may consider now.

    play:    in notation
    place:   where the card goes
    laid:    the turn so far with this play, in notation
    card:    the hand card; None if it needs none
    target:  a card on the table that it takes; None if it takes none
    violation: why it may not be laid now; None if it may
    """

    play: str
    place: str
    laid: str
    card: int | None = None
    target: int | None = None
    violation: Violation | None = None

    def record(self) -> dict[str, object]:
        """The choice as a record."""
        named = {"play": self.play, "card": self.card, "place": self.place, "target": self.target, "laid": self.laid}
        return {**named, **violation_record(self.violation)}


@dataclass(frozen=True, slots=True)
class TurnInProgress:
    """A position in the middle of a turn.

    laid:    the plays so far, in notation; empty at the start of a turn
    places:  the table as it lies now
    choices: the plays to consider, legal or not
    violation: why the turn may not end here; None if it may
    over:    why there is no legal turn; None if there is one
    partners: pairs of numbers on the table that belong together
    """

    laid: str
    places: tuple[Place, ...]
    choices: tuple[Candidate, ...]
    violation: Violation | None
    over: Ending | None = None
    partners: tuple[tuple[int, int], ...] = ()

    @property
    def ends(self) -> bool:
        """True if the turn may end here."""
        return self.violation is None

    def record(self) -> dict[str, Any]:
        """All of it as a record."""
        return {
            "laid": self.laid,
            "places": [place.record() for place in self.places],
            "choices": [choice.record() for choice in self.choices],
            "ends": self.ends,
            **violation_record(self.violation),
            "over": self.over and self.over._asdict(),
            "partners": [list(pair) for pair in self.partners],
        }


def violation_record(violation: Violation | None) -> dict[str, object]:
    """Why something is not legal, as fields of a record: the sentence and the rule, null if it is legal."""
    problem, rule = violation or (None, None)
    return {"problem": problem, "rule": rule}


def partners_of(places: Iterable[Place], partner: Callable[[int], int]) -> tuple[tuple[int, int], ...]:
    """The pairs of numbers that lie on the table, each with its partner above it. partner: gives the partner of a number.

    >>> partners_of([Place("hand", MOVER, "hand", (17, 18)), Place("^", MOVER, "pile", (27,))], lambda card: card + 10)
    ((17, 27),)
    """
    numbers = {number for place in places for number in place.cards}
    return tuple((one, partner(one)) for one in sorted(numbers) if one < partner(one) and partner(one) in numbers)


UNFINISHED = "no card is laid yet", ""
"""Why a turn may not end before it has begun, in a game that says nothing better."""
