"""Public states: what a game says to have equilibria while cards are hidden (docs/hidden.md).

From the states of the worlds of a public state alone the value is found, slowly (`sequences.py`). A game overrides `solve` because
it has a faster way, and a law compares the two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar

from backtrick.budget import deadline
from backtrick.errors import ArgumentError, ContradictionError, RulesError
from backtrick.given import refused, shown
from backtrick.play import sequences
from backtrick.play.plans import Equilibrium, Plans, Question, Weights, amount_of, read_budget
from backtrick.play.state import State, View

if TYPE_CHECKING:
    from backtrick.game import AnyGame


class PublicState(ABC):
    """What both players know at the start of a turn, the player to move first. `str` writes it in notation.

    REQUIRED are a field `rules`, `state_type` and `view_type`, `parse`, `of` and `worlds`. It is frozen and has values for fields.
    """

    rules: Any
    state_type: ClassVar[type[State[Any, Any, Any]]]
    view_type: ClassVar[type[View]]

    by_points: ClassVar[bool] = True
    """False if a value is the mover's chance to win, else it is the mover's points minus the other's from here on. OPTIONAL."""
    gap: ClassVar[Fraction] = Fraction(0)
    """How close bounds must be unless `gap` is given. OPTIONAL: without, the exact value is found."""

    __slots__ = ()

    @classmethod
    @abstractmethod
    def parse(cls, text: str, *, rules: Any = None) -> PublicState:
        """The public state that a text names. Raises `NotationError`, or `PositionError` if no game shows it."""

    @classmethod
    @abstractmethod
    def of(cls, view: Any) -> PublicState:
        """The public state of what the player to move sees, at the beginning of a turn. Raises `ArgumentError` for another view."""

    @abstractmethod
    def worlds(self) -> Iterable[State[Any, Any, Any]]:
        """Every state that shows this, all as likely: one for each pair of hands. Seat 0 is to move, and cards of piles are drawn
        by chance."""

    # OPTIONAL

    @classmethod
    def is_public(cls, text: str) -> bool:
        """True if a text is a public state, and not a view. Without: every text is."""
        return True

    def hand(self, view: Any) -> Any:
        """What the player of a view knows besides the turns since this state: its hand, and what else chance has shown it. Views
        with the same hand after the same turns are told as one. Without: the view."""
        return view

    def hands(self, seat: int) -> Iterable[Any]:
        """Every hand that a player can have, in a fixed order. seat: 0 for the mover. Without: those of the worlds."""
        return dict.fromkeys(self.hand(world.view(seat)) for world in self.worlds())

    def alike(self, seat: int) -> Weights:
        """The range in which all hands are equally likely. Without: written out."""
        return dict.fromkeys(self.hands(seat), 1)

    def view(self, hand: Any) -> Any:
        """What the mover sees with a hand. Without: that of a world."""
        return next(world.view(0) for world in self.worlds() if self.hand(world.view(0)) == hand)

    @property
    def is_quick(self) -> bool:
        """True if plans are found in a second or two, so that a player of whole games may follow them. Without: they are not."""
        return False

    def solve(self, game: AnyGame, question: Question) -> Plans:
        """Plans of both players. Without: by the program of all sequences (`sequences.py`). Raises `NotSolvedError`."""
        return sequences.solve(self, game, question)

    @classmethod
    def equilibrium(
        cls, game: AnyGame, state: object, ranges: object, rules: Any, gap: object, budget: object, progress: bool | None
    ) -> Equilibrium:
        """What `Game.equilibrium` returns. The arguments are read here, for all games alike."""
        wanted = cls.gap if gap is None else amount_of(gap)
        if wanted is None:
            raise refused("gap", "a number of 0 or more, or None", gap)
        limits = read_budget(budget)
        public, own = read_state(cls, game, state, rules)
        with deadline(limits) as stop:
            weights = read_ranges(public, ranges)
            plans = public.solve(game, Question(weights, wanted, limits, stop, progress))
        if plans.low > plans.high:
            raise ContradictionError(public, public.rules, f"it is worth at least {plans.low} and at most {plans.high}")
        return Equilibrium(game, public, plans, (), weights, own)

    @classmethod
    def extensive_form(cls, game: AnyGame, state: object, ranges: object, rules: Any, budget: object) -> str:
        """What `Game.extensive_form` returns."""
        from backtrick.play.extensive_form import extensive_form  # seldom needed

        limits = read_budget(budget)
        public, _ = read_state(cls, game, state, rules)
        with deadline(limits) as stop:
            return extensive_form(public, game, read_ranges(public, ranges), limits, stop)


# What a user gives


def read_state(kind: type[PublicState], game: AnyGame, given: object, rules: Any) -> tuple[PublicState, Any]:
    """The public state of what is given, and the mover's hand if it is known. rules: None for those of what is given.

    Raises `ArgumentError`, `RulesError` if the rules contradict each other, and what reading texts raises.
    """
    asked = None if rules is None else game.read_rules(rules)
    found: Any = given
    if isinstance(found, str):
        found = (kind if kind.is_public(found) else kind.view_type).parse(found, rules=asked)
    if isinstance(found, kind.state_type):
        if found.to_move not in (0, 1):
            raise ArgumentError("state must have a player to move; its cards are being dealt or drawn, or it is over")
        found = found.view(found.to_move)
    if isinstance(found, kind.view_type):
        public, own = kind.of(found), None
        own = public.hand(found)
    elif isinstance(found, kind):
        public, own = found, None
    else:
        words = "a public state, a view of the player to move, a state of a whole game, or one of the first two in notation"
        raise refused("state", words, given)
    if asked is not None and public.rules != asked:
        raise RulesError(f"state has the rules {public.rules}, and rules are {asked}")
    return public, own


def read_ranges(public: PublicState, given: object) -> tuple[Weights, Weights]:
    """The mover's range and the other player's. Raises `ArgumentError`."""
    ranges = (None, None) if given is None else given
    if not isinstance(ranges, tuple) or len(ranges) != 2:
        raise refused("ranges", "a pair, the mover's and the other player's, or None", given)
    return read_range(public, 0, ranges[0]), read_range(public, 1, ranges[1])


def read_range(public: PublicState, seat: int, given: object) -> Weights:
    """A range as whole numbers without a common divisor, in the order of the hands. Raises `ArgumentError`."""
    if given is None:
        return public.alike(seat)
    hands = list(public.hands(seat))
    name = ("the mover's", "the other player's")[seat]
    if not isinstance(given, Mapping):
        raise ArgumentError(f"{name} range must be a weight for each hand, as {{(2, 3): 1}}, not {shown(given)}")
    known, weights = set(hands), dict[Any, Fraction]()
    for hand, weight in given.items():
        found = _as_hand(hand)
        if found not in known:
            raise ArgumentError(f"{name} range: {shown(hand)} is not a hand of the public state")
        if found in weights:
            raise ArgumentError(f"{name} range: {shown(hand)} is named twice")
        amount = amount_of(weight)
        if amount is None:
            raise ArgumentError(f"{name} range: a weight must be a number of 0 or more, not {shown(weight)}")
        weights[found] = amount
    scale = lcm(*(weight.denominator for weight in weights.values()))
    whole = {hand: int(weights[hand] * scale) for hand in hands if weights.get(hand)}
    if not whole:
        raise ArgumentError(f"{name} range: not all weights may be 0")
    common = gcd(*whole.values())
    return {hand: weight // common for hand, weight in whole.items()}


def _as_hand(given: Any) -> Any:
    """A hand of cards in ascending order; anything else as it is."""
    try:
        return tuple(sorted(map(index, given)))
    except TypeError:
        return given
