"""Equilibria while cards are hidden: what a public state is worth, and the plans of both players that prove it (docs/hidden.md).

A *public state* is what both players know at the start of a turn. A player knows its *hand* besides, and a *range* says how likely
each hand is. A *plan* of a player says how likely each turn is, for each hand, at each moment at which it is to move. The mover's
plan is sure of `low` whatever the other does, and the other's plan leaves the mover at most `high`.

`public_state.py` is what a game must say to have equilibria, `sequences.py` the slow and exact way to find them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from html import escape
from math import isfinite
from numbers import Rational, Real
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from backtrick.budget import UNLIMITED, Budget, deadline
from backtrick.errors import ArgumentError, BudgetError, IllegalTurnError, NotSolvedError
from backtrick.given import refused, shown
from backtrick.play.players import numbers_for
from backtrick.play.state import State, View
from backtrick.random import WORD

if TYPE_CHECKING:
    from backtrick.game import AnyGame

Hand = Hashable
"""What a player knows besides the public state: cards in ascending order, or what a game says instead."""

Range = Mapping[Any, Any]
"""How likely each hand is, as weights: only their ratios count, and a hand that is left out is impossible."""

Weights = Mapping[Any, int]
"""A range as it was read: whole numbers above 0 without a common divisor, in the order of the hands."""

Strategy = Callable[[Any], Any]
"""A function from what a player sees to its turn (an object or in notation), or to a mapping from turns to probabilities."""

SHOWN, TURNS = 24, 5
"""Hands in a picture, and turns in the words of a plan."""


class TurnShare(NamedTuple):
    """A turn of a hand in a plan: how likely it is, and what it is worth to its player against the other's plan.

    value: None if the other's plan never leads here
    """

    turn: Any
    probability: Fraction
    value: Fraction | None


class HandAnswer(NamedTuple):
    """A hand at one moment: how likely it is, what it is worth, and what to play.

    weight: how likely it is that the player has this hand at this moment, if both keep to their plans
    value:  the most that its player can get from here on against the other's plan; None if that never leads here
    turns:  the turns of the plan, the likeliest first; none if the hand has no turn
    """

    hand: Any
    weight: Fraction
    value: Fraction | None
    turns: tuple[TurnShare, ...]

    @property
    def mixes(self) -> bool:
        """True if the plan leaves the turn to chance."""
        return len(self.turns) > 1


class Question(NamedTuple):
    """What is asked of `PublicState.solve`.

    ranges:   of the mover and of the other player, checked
    gap:      the work may end once the bounds are this close
    budget:   seconds, threads and memory; the seconds are over once stop[0] is set
    progress: whether to show it; None: on a terminal
    """

    ranges: tuple[Weights, Weights]
    gap: Fraction
    budget: Budget
    stop: bytearray
    progress: bool | None


class Public(Protocol):
    """What is asked here of a public state (`public_state.py`)."""

    rules: Any
    by_points: ClassVar[bool]
    view_type: ClassVar[type[View]]

    def worlds(self) -> Iterable[State[Any, Any, Any]]: ...

    def hand(self, view: Any) -> Any: ...


class Plans(ABC):
    """The plans of both players as `PublicState.solve` finds them. A value: it pickles, and asking it changes nothing.

    low, high: what the mover's plan is sure of, and the most that the mover gets against the other's plan
    steps:     how many programs were solved, or how often the plans were improved

    A path is the turns that led to a moment, as `read` returns them.
    """

    low: Fraction
    high: Fraction
    steps: int

    @property
    def exact(self) -> bool:
        """True if the bounds meet."""
        return self.low == self.high

    def seat(self, path: tuple[Any, ...]) -> int:
        """Who is to move: 0 for the mover. Without: both take turns."""
        return len(path) % 2

    @abstractmethod
    def turns(self, path: tuple[Any, ...]) -> tuple[Any, ...]:
        """Every turn that some hand of the player to move has, as the other player sees it, each once. Empty after turns if no card
        is hidden any more, so that no plan is needed."""

    @abstractmethod
    def hands(self, path: tuple[Any, ...]) -> Mapping[Any, HandAnswer]:
        """What the plan of the player to move says, for each hand that it can have, in a fixed order."""

    @abstractmethod
    def sure_of(self, strategy: Strategy, seat: int, stop: bytearray) -> Fraction:
        """What a player is sure of with its next turn, and the best play after it; any number once the stop is set. seat: 0 for the
        mover."""

    def read(self, path: tuple[Any, ...], turn: Any) -> Any:
        """The one of `turns` that has the same outcome as a legal turn. Without: the turn itself. Raises `IllegalTurnError`."""
        if turn in (turns := self.turns(path)):
            return turns[turns.index(turn)]
        raise IllegalTurnError(turn, None, "no hand of the player to move has it", "the turns of a public state")


@dataclass(frozen=True, repr=False)
class Plan:
    """What the player to move does at one moment, for each of its hands.

    game, state: whose plans these are
    plans:       of both players
    path:        the turns since `state`
    """

    game: AnyGame
    state: Public
    plans: Plans
    path: tuple[Any, ...]

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}  # what can be made again stays behind

    def __copy__(self) -> Plan:
        return self  # it never changes

    def __deepcopy__(self, memo: object) -> Plan:
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.state} after {', '.join(map(str, self.path))}>"

    @property
    def seat(self) -> int:
        """Whose plan it is: 0 for the player who is to move in `state`, 1 for the other; -1 if no plan is needed any more."""
        return self.plans.seat(self.path)

    @cached_property
    def hands(self) -> Mapping[Any, HandAnswer]:
        """The answer for each hand, in the order of the hands."""
        return self.plans.hands(self.path)

    @cached_property
    def turns(self) -> tuple[Any, ...]:
        """Every turn that some hand has, as the other player sees it; none if no card is hidden any more."""
        return self.plans.turns(self.path)

    def after(self, turn: Any) -> Plan:
        """What the other player does after a turn, an object or in notation. Raises `IllegalTurnError`."""
        path = (*self.path, self.plans.read(self.path, self.game.read_turn(turn)))
        return Plan(self.game, self.state, self.plans, path)

    def reply(self, turn: Any) -> Mapping[Any, HandAnswer]:
        """The answers of the other player's hands after a turn."""
        return self.after(turn).hands

    def turn(self, view: Any, seed: int = 0) -> Any:
        """The turn that the plan has for what the player to move sees, drawn where the plan leaves it to chance; the same seed and
        view always give the same turn. None if the hand has no turn.

        view: of this moment, an object or in notation; only its hand is read. A hand itself will do, too

        Raises `ArgumentError` for a hand that cannot be held here, and what reading a text raises.
        """
        if isinstance(view, str):
            view = self.state.view_type.parse(view, rules=self.state.rules)
        hand = self.state.hand(view) if isinstance(view, self.state.view_type) else view
        if hand not in self.hands:
            raise ArgumentError(f"view must be of the player to move at this moment, not {shown(view)}")
        left = Fraction(numbers_for(seed, view).below(WORD), WORD)
        for turn, probability, _ in self.hands[hand].turns:
            left -= probability
            if left < 0:
                return turn
        return None

    def record(self, hands: bool = True) -> dict[str, Any]:
        """The plan as plain values: fractions are text. hands: of every hand, and not only of the own one."""
        found = {"state": str(self.state), "after": list(map(str, self.path)), "seat": self.seat}
        return found | {"hands": [_record(one) for one in self._told(hands)]}

    @property
    def text(self) -> str:
        """The answer for people: what it is worth, what is played, and the plan of the own hand if there is one."""
        return self.words()

    def __str__(self) -> str:
        return self.text

    def words(self, hands: bool = False) -> str:
        """As `text`. hands: with the plan of every hand."""
        answers = list(self.hands.values())  # each is worked out when it is read
        said = [str(self.state), *self._heading(), f"  hands   {self._summary(answers)}", f"  turns   {self._likeliest(answers)}"]
        return "\n".join((*said, *(f"  {self._line(one)}" for one in self._told(hands))))

    def _told(self, all_hands: bool) -> Iterator[HandAnswer]:
        """The answers of all hands, or that of the own hand if there is one."""
        own = getattr(self, "own", None)
        yield from self.hands.values() if all_hands else [self.hands[own]] if own in self.hands else []

    def _heading(self) -> list[str]:
        who = ("the mover's", "the other player's", "nobody's")[self.seat]
        weight = self._amount(_weight(self.hands.values()), "")
        return [f"  after   {', '.join(map(str, self.path))}: {who} plan", f"  comes   {weight}"]

    def _likeliest(self, answers: Sequence[HandAnswer]) -> str:
        """How likely each turn is, whoever holds what."""
        shares: dict[Any, float] = {}
        whole = float(_weight(answers))
        for one in answers:
            for turn, share, _ in one.turns:
                shares[turn] = shares.get(turn, 0.0) + float(one.weight) * float(share)
        likeliest = sorted(((share, turn) for turn, share in shares.items() if share), key=lambda one: -one[0])
        told = [f"{turn} {100 * share / whole:.1f} %" for share, turn in likeliest[:TURNS]]
        more = f", and {len(likeliest) - TURNS} more" if len(likeliest) > TURNS else ""
        return ", ".join(told) + more if told else "the plans never lead here" if shares else "-"

    def _amount(self, value: Fraction, sign: str = "+") -> str:
        sign = sign if self.state.by_points and value > 0 else ""
        return f"{sign}{value}" if value.denominator == 1 else f"{sign}{value} = {sign}{float(value):.4f}"

    def _summary(self, answers: Sequence[HandAnswer]) -> str:
        mixed = f"{sum(one.mixes for one in answers):,} leave the turn to chance"
        if self.state.by_points:
            return f"{len(answers):,}: {mixed}"
        whole = float(_weight(answers)) or 1.0
        won, lost = (100 * float(sum(one.weight for one in answers if one.value == value)) / whole for value in (1, 0))
        most, least = ("", "") if self.plans.exact else ("at most ", "at least ")
        return f"{len(answers):,}: won {most}{won:.1f} %, lost {least}{lost:.1f} %; {mixed}"

    def _worth(self, one: HandAnswer) -> str:
        """What a hand is worth; of plans that are not exact only the most that it can be is known."""
        if one.value is None:
            return "?"
        is_known = self.plans.exact or (one.value == 0 and not self.state.by_points)  # who wins in no case can have no less
        return f"{'' if is_known else 'at most '}{self._amount(one.value)}"

    def _line(self, one: HandAnswer) -> str:
        turns = " or ".join(str(turn) if share == 1 else f"{turn} ({_short(share)})" for turn, share, _ in one.turns)
        return f"{_hand(one.hand)}   {self._worth(one)}   {turns or '-'}"

    def _grid(self) -> tuple[str, list[str], list[tuple[str, str, list[Fraction]]]]:
        """A title, turns, and rows: a hand, what it is worth, and how likely each turn is. The own hand comes first."""
        own = getattr(self, "own", None)
        hands = sorted(self.hands.values(), key=lambda one: (one.hand != own, -one.weight))
        more = f", {SHOWN} of {len(hands):,} hands" if len(hands) > SHOWN else ""
        turns = list(dict.fromkeys(turn for one in hands[:SHOWN] for turn, _, _ in one.turns))
        rows = []
        for one in hands[:SHOWN]:
            plan = {turn: share for turn, share, _ in one.turns}
            rows.append((_hand(one.hand), self._worth(one), [plan.get(turn, Fraction()) for turn in turns]))
        return f"{self.state}: {self._title()}{more}", list(map(str, turns)), rows

    def _title(self) -> str:
        return f"after {', '.join(map(str, self.path))}"

    def svg(self) -> str:
        """A picture of the plan: hands by turns, as poker's range tables. A darker cell is a likelier turn."""
        from backtrick.writing.drawing import LIGHT, grid

        return grid(*self._grid(), LIGHT)

    def _repr_html_(self) -> str:
        title, turns, rows = self._grid()
        lines = ["".join(f"<th>{escape(name)}</th>" for name in ("hand", "value", *turns))]
        for hand, worth, shares in rows:
            shades = [(f"rgba(60,120,200,{float(share):.2f})", _short(share) if share else "") for share in shares]
            cells = [f'<td style="background:{shade}">{words}</td>' for shade, words in shades]
            lines.append("".join([f"<td>{escape(hand)}</td><td>{worth}</td>", *cells]))
        return f"<table><caption>{escape(title)}</caption>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


@dataclass(frozen=True, repr=False)
class Equilibrium(Plan):
    """What a public state is worth to the player to move, with plans of both players that prove it.

    ranges: the ranges that were used, the mover's and the other player's
    own:    the mover's hand, if it was given

    `hands` is the mover's plan for its first turn; `reply(turn)` is what the other player does after a turn, and `after(turn)` the
    same with all that follows, down to where no card is hidden.

    >>> from backtrick.take_that import PublicState, equilibrium
    >>> found = equilibrium(PublicState((34, 41), (12, 21, 33, 43, 55), 2, 2))
    >>> found.value, found.hands[12, 43].turns[0].turn
    (Fraction(13, 15), <Turn 43x34>)
    """

    ranges: tuple[Weights, Weights]
    own: Any = None

    def __hash__(self) -> int:
        return hash((self.state, self.bounds, self.own))

    def __repr__(self) -> str:
        known = str(self.low) if self.exact else f"{float(self.low):.6f} to {float(self.high):.6f}"
        return f"<Equilibrium {self.state}: {known}>"

    @property
    def rules(self) -> Any:
        """Of the game."""
        return self.state.rules

    @property
    def low(self) -> Fraction:
        """What the mover's plan is sure of, whatever the other player does."""
        return self.plans.low

    @property
    def high(self) -> Fraction:
        """The most that the mover gets against the other player's plan."""
        return self.plans.high

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """`low` and `high`: the value lies between them."""
        return self.low, self.high

    @property
    def gap(self) -> Fraction:
        """How far the bounds are apart."""
        return self.high - self.low

    @property
    def exact(self) -> bool:
        """True if the value is known."""
        return self.plans.exact

    @property
    def value(self) -> Fraction | None:
        """The value; None if only bounds are known."""
        return self.low if self.exact else None

    def sure_of(self, player: Strategy | str, seat: int = 0, *, budget: Budget | None = None) -> Fraction:
        """What a player is sure of with its next turn, and the best play after it, against an opponent who knows how it plays but
        does not see its hand.

        player: a player by name (docs/players.md), or a function from a view to a turn or to a mapping from turns to probabilities;
                it may not draw lots by itself
        seat:   0 for the mover; 1 for the other player, who is asked after each turn of the mover, and whose own chances or points
                are meant
        budget: seconds and cancel

        The value minus this number is what the turn gives away. Raises `ArgumentError`, `IllegalTurnError`, and `NotSolvedError` if
        the time was over before.
        """
        if seat not in (0, 1) or isinstance(seat, bool):
            raise refused("seat", "0 or 1", seat)
        strategy = self.game.strategy(player)
        with deadline(read_budget(budget)) as stop:

            def in_time(given: Any) -> Any:
                if stop[0]:
                    raise NotSolvedError(self.state, "-", "-", 0, "what the player is sure of is not known yet; it needs more time")
                return given

            return Fraction(in_time(self.plans.sure_of(lambda view: strategy(in_time(view)), index(seat), stop)))

    def record(self, hands: bool = True) -> dict[str, Any]:
        """The answer as plain values: fractions are text. hands: with the mover's plan, and not only that of its own hand."""
        found: dict[str, Any] = {"state": str(self.state), "value": str(self.low) if self.exact else None}
        found |= {"low": str(self.low), "high": str(self.high)}
        return found | {"hands": [_record(one) for one in self._told(hands)]}

    def _heading(self) -> list[str]:
        return [f"  value   {self._title()}"]

    def _title(self) -> str:
        words = self._amount(self.low)
        return words if self.exact else f"from {words} to {self._amount(self.high)}"

    def certificate(self, *, budget: Budget | None = None) -> str:
        """Both plans and the bounds as text, which scripts/check_equilibrium.py checks by the rules alone (docs/proofs.md).

        A plan is written down for every moment to which its own turns can lead, so the text of a state with long piles is long.
        budget: seconds and cancel. Raises `NotSolvedError` if the time was over before.
        """
        rules, published = asdict(self.rules), asdict(self.game.published)
        options = {name: value for name, value in rules.items() if value != published[name]}
        words = [name.replace("_", "-") + ("" if value is True else f"={value}") for name, value in options.items()]
        ranges = [" ".join(f"{_hand(hand)}:{weight}" for hand, weight in weights.items()) for weights in self.ranges]
        lines = [" ".join(["game", self.game.name.replace("_", "-"), *words]), f"state {self.state}"]
        lines += [f"range {ranges[0]}", f"range {ranges[1]}", f"at least {self.low}", f"at most {self.high}"]
        with deadline(read_budget(budget)) as stop:
            lines += self._lines_of_plans(stop)
        return "\n".join(lines) + "\n"

    def _lines_of_plans(self, stop: bytearray) -> Iterator[str]:
        waiting: list[tuple[Plan, tuple[bool, bool]]] = [(self, (True, True))]
        while waiting:
            if stop[0]:
                raise NotSolvedError(self.state, "-", "-", 0, "its certificate is not written yet; it needs more time")
            plan, comes = waiting.pop()
            if not plan.turns:
                continue
            seat, path = plan.seat, " / ".join(map(str, plan.path))
            played: set[Any] = set()
            for one in plan.hands.values() if comes[seat] else ():
                if shares := "; ".join(f"{turn} {share}" for turn, share, _ in one.turns):
                    yield f"{seat} | {path} | {_hand(one.hand)} | {shares}"
                played.update(turn for turn, _, _ in one.turns)
            for turn in reversed(plan.turns):
                after = comes[0] and (seat == 1 or turn in played), comes[1] and (seat == 0 or turn in played)
                waiting += [(plan.after(turn), after)] if any(after) else []


def _hand(hand: Any) -> str:
    return ",".join(map(str, hand)) if isinstance(hand, tuple) else str(hand)


def _weight(answers: Iterable[HandAnswer]) -> Fraction:
    return sum((one.weight for one in answers), Fraction())


def _short(share: Fraction) -> str:
    """A share in a few letters.

    >>> _short(Fraction(1, 999)), _short(Fraction(1, 1000))
    ('1/999', '0.001')
    """
    return str(share) if share.denominator < 1000 else f"{float(share):.3f}"


def _record(one: HandAnswer) -> dict[str, Any]:
    turns = [{"turn": str(turn), "probability": str(share)} for turn, share, _ in one.turns]
    hand = list(one.hand) if isinstance(one.hand, tuple) else str(one.hand)
    return {"hand": hand, "weight": str(one.weight), "value": None if one.value is None else str(one.value), "turns": turns}


# What a user gives


def read_budget(given: object) -> Budget:
    """The limits of an equilibrium. Raises `WrongTypeError`, `BudgetError`."""
    budget = UNLIMITED if given is None else given
    if not isinstance(budget, Budget):
        raise refused("budget", "a Budget, as in Budget(seconds=1), or None", given)
    if budget.nodes is not None:
        raise BudgetError("nodes do not limit an equilibrium; give seconds or a gap")
    return budget


def amount_of(given: object) -> Fraction | None:
    """A number of 0 or more, one of Python's or of numpy's, exactly; None for anything else.

    >>> import numpy as np
    >>> amount_of(np.int8(5)), amount_of(0.5), amount_of(Fraction(1, 3)), amount_of(-1), amount_of(True), amount_of("1")
    (Fraction(5, 1), Fraction(1, 2), Fraction(1, 3), None, None, None)
    """
    if isinstance(given, bool) or not isinstance(given, Real):
        return None
    if isinstance(given, Rational):
        found = Fraction(index(given.numerator), index(given.denominator))  # numpy's numbers overflow
    elif isfinite(given):
        found = Fraction(float(given))
    else:
        return None
    return found if found >= 0 else None


def shares_of(read_turn: Callable[[Any], Any], strategy: Strategy, view: Any) -> Iterator[tuple[Any, Fraction]]:
    """The turns that a strategy plays from a view, with their probabilities, each above 0; they add up to 1.

    read_turn: of the game. Raises `ArgumentError`, and what reading a turn raises.
    """
    given = strategy(view)
    if not isinstance(given, Mapping):
        yield read_turn(given), Fraction(1)
        return
    shares = [(turn, amount_of(share)) for turn, share in given.items()]
    if any(share is None for _, share in shares) or abs(sum((share for _, share in shares if share), Fraction()) - 1) > ROUNDING:
        raise ArgumentError(f"the strategy's probabilities must be 0 or more and add up to 1, not {shown(given)}, with {view}")
    whole = sum((share for _, share in shares if share), Fraction())
    yield from ((read_turn(turn), share / whole) for turn, share in shares if share)


ROUNDING = Fraction(1, 10**6)
"""Probabilities in floating point add up to 1 but for this."""
