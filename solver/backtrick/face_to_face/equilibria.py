"""The value of a position while both hands are hidden, and what to play from each hand (docs/hidden.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from backtrick.arguments import checked
from backtrick.budget import Budget, deadline
from backtrick.errors import ArgumentError, ContradictionError, IllegalTurnError, PositionError
from backtrick.face_to_face.position import HAND_SIZE, Position, check_well_formed, pack, parse_set, parse_tops
from backtrick.face_to_face.position import Side as Cards
from backtrick.face_to_face.rule_options import PUBLISHED, Rules, as_rules
from backtrick.face_to_face.rules import Table
from backtrick.face_to_face.solving import outcomes_many
from backtrick.face_to_face.state import State, View
from backtrick.face_to_face.turn import Turn, as_turn, unpack_turn
from backtrick.given import shown
from backtrick.notation import Cursor
from backtrick.play.players import numbers_for
from backtrick.random import WORD

MOST_PILE = 5
"""Cards in a draw pile that the kernel takes. With five an answer can take long, so give a limit."""

Hand = tuple[int, ...]
Range = Mapping[Hand, "Fraction | int"]
"""How likely each hand is; only the ratios count, and a hand that is left out is impossible."""

Strategy = Callable[[View], Any]
"""A function from what a player sees to its turn (an object or in notation), or to a mapping from turns to probabilities."""


@dataclass(frozen=True, slots=True)
class Known:
    """What both players know of one of them.

    ascending, descending: the tops
    hand_size:             how many cards are held
    unlaid:                the cards that are not laid yet, hand and pile together, in ascending order
    """

    ascending: int
    descending: int
    hand_size: int
    unlaid: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.ascending}^{self.descending}v:?{self.hand_size}:{','.join(map(str, self.unlaid))}"

    @property
    def pile_size(self) -> int:
        """How many of the cards are still to be drawn."""
        return len(self.unlaid) - self.hand_size

    @property
    def hands(self) -> list[Hand]:
        """Every hand that the player can hold."""
        from backtrick.face_to_face.hidden import Side  # numpy and the kernels, only when they are needed

        return Side(self.ascending, self.descending, self.hand_size, self.unlaid).hands


@dataclass(frozen=True, slots=True)
class PublicState:
    """What both players know at the beginning of a turn: of each the tops, the cards not laid yet and how many of them are held.

    >>> print(PublicState.parse("56^10v:?2:14,22,45 47^38v:?2:7,8").mover.unlaid)
    (14, 22, 45)
    """

    mover: Known
    opponent: Known

    def __str__(self) -> str:
        return f"{self.mover} {self.opponent}"

    @classmethod
    def parse(cls, text: str, rules: Rules = PUBLISHED) -> PublicState:
        """The public state that a text names: two sides as a view writes the opponent's.

        Raises `NotationError`, or `PositionError`, which names the rule, if no game shows it.

        >>> print(PublicState.parse("56^10v:?2:14,22,45 47^38v:?2:7,8"))
        56^10v:?2:14,22,45 47^38v:?2:7,8
        >>> PublicState.parse("56^10v:?3:14,22 47^38v:?2:7,8")
        Traceback (most recent call last):
        backtrick.errors.PositionError: the mover's hand: 3 cards, and only 2 are not laid yet (F1)
        """
        cursor = Cursor("public state", text)
        sides = []
        for _ in range(2):
            up, down = parse_tops(cursor)
            cursor.expect("?")
            size = cursor.number()
            cursor.expect(":")
            sides.append(Known(up, down, size, tuple(parse_set(cursor))))
        cursor.end("',' or the end")
        return cls(*sides).checked(rules)

    @classmethod
    def of(cls, given: PublicState | View | State | str, rules: Rules = PUBLISHED) -> tuple[PublicState, Hand | None]:
        """The public state of what is given, and the mover's hand if it is known."""
        if isinstance(given, str):
            if given.partition(":")[2].lstrip().startswith("?"):
                return cls.parse(given, rules), None
            given = View.parse(given, rules)
        if isinstance(given, State):
            given = given.view(given.to_move)
        if isinstance(given, PublicState):
            return given, None
        if not isinstance(given, View):
            raise ArgumentError("state must be a public state, a view, a state of a game, or one of the first two in notation")
        if given.plays or not given.to_move:
            raise ArgumentError("state must be of the player to move, at the beginning of a turn")
        unlaid = tuple(sorted([*given.own.hand, *given.own.pile]))
        mover = Known(given.own.ascending, given.own.descending, len(given.own.hand), unlaid)
        opponent = Known(given.ascending, given.descending, given.hand_size, tuple(sorted(given.unlaid)))
        return cls(mover, opponent), tuple(sorted(given.own.hand))

    def checked(self, rules: Rules) -> PublicState:
        """This state. Raises `PositionError` unless some game shows it."""
        for name, side in (("the mover's", self.mover), ("the opponent's", self.opponent)):
            if side.hand_size > len(side.unlaid):
                problem = f"{side.hand_size} cards, and only {len(side.unlaid)} are not laid yet"
                raise PositionError(None, f"{name} hand", problem, "F1")
            if side.hand_size > HAND_SIZE:
                raise PositionError(None, f"{name} hand", f"{side.hand_size} cards, at most {HAND_SIZE} are held", "F2")
        mover, opponent = (Cards(side.ascending, side.descending, side.unlaid[: side.hand_size], side.unlaid[side.hand_size :])
                           for side in (self.mover, self.opponent))  # fmt: skip
        check_well_formed(mover, opponent)
        return self


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn of a hand in a plan, and how likely it is."""

    turn: Turn
    probability: Fraction


@dataclass(frozen=True, slots=True)
class HandAnswer:
    """What a hand is worth, and what to play from it.

    weight:  how likely it is
    value:   the chance to win with it, if both players keep to their plans; None where only bounds are known
    choices: the turns with their probabilities; none if the hand has no turn (F13), or never wins
    """

    hand: Hand
    weight: Fraction
    value: Fraction | None
    choices: tuple[Choice, ...]

    @property
    def mixes(self) -> bool:
        """True if the plan leaves the turn to chance."""
        return len(self.choices) > 1


@dataclass(frozen=True)
class Equilibrium:
    """What a public state is worth: the chance of the mover to win if both players play their best.

    bounds:  a plan of the mover wins at least the first, and a plan of the opponent leaves the mover at most the second
    hands:   what to play from each hand, in the order of their cards
    own:     the mover's hand, if it was given

    >>> equilibrium("45^17v:?3:9,18,33,44,47,50 43^20v:?2:4,5,9,12")
    <Equilibrium 45^17v:?3:9,18,33,44,47,50 43^20v:?2:4,5,9,12: 19/40>
    """

    state: PublicState
    bounds: tuple[Fraction, Fraction]
    hands: Mapping[Hand, HandAnswer]
    own: Hand | None
    _judge: Callable[[Strategy], Fraction]

    @property
    def exact(self) -> bool:
        """True if the value is known."""
        return self.bounds[0] == self.bounds[1]

    @property
    def value(self) -> Fraction | None:
        """The value; None if only bounds are known."""
        return self.bounds[0] if self.exact else None

    def sure_of(self, strategy: Strategy | str) -> Fraction:
        """What a player is sure of with its next turn, and the best play after it, against an opponent who knows how it plays.

        The opponent does not see the player's hand, and heeds the cards laid and the tops, not the order of the plays. strategy: a
        player by name, or a function from a view to a turn or to a mapping from turns to probabilities. The value minus this
        number is what the turn gives away. Raises `ArgumentError`, and `IllegalTurnError`.

        >>> found = equilibrium("45^17v:?3:9,18,33,44,47,50 43^20v:?2:4,5,9,12")
        >>> found.value - found.sure_of("frugal")
        Fraction(5, 36)
        """
        if isinstance(strategy, str):
            from backtrick.face_to_face.players import PLAYERS

            strategy = PLAYERS.player(strategy)
        return self._judge(strategy)

    def __repr__(self) -> str:
        low, high = self.bounds
        return f"<Equilibrium {self.state}: {low if self.exact else f'{float(low):.6f} to {float(high):.6f}'}>"

    def record(self) -> dict[str, object]:
        """The answer as plain values: fractions are text."""
        low, high = self.bounds
        return {
            "state": str(self.state),
            "value": str(low) if self.exact else None,
            "low": str(low),
            "high": str(high),
            "hands": [
                {
                    "hand": list(one.hand),
                    "weight": str(one.weight),
                    "value": None if one.value is None else str(one.value),
                    "turns": [{"turn": str(each.turn), "probability": str(each.probability)} for each in one.choices],
                }
                for one in self.hands.values()
            ],
        }

    def text(self, hands: bool = False) -> str:
        """The answer for people: the value, and the plan of the own hand; hands: of every hand."""
        low, high = self.bounds
        said = [str(self.state), f"  value   {_share(low)}" if self.exact else f"  value   from {_share(low)} to {_share(high)}"]
        won, lost = (_percent(sum(one.weight for one in self.hands.values() if one.value == value)) for value in (1, 0))
        mixed = sum(one.mixes for one in self.hands.values())
        said.append(f"  hands   {len(self.hands)}: won {won}, lost {lost}; {mixed} leave the turn to chance")
        for one in self.hands.values():
            if not hands and one.hand != self.own:
                continue
            cards = ",".join(map(str, one.hand))
            worth = "?" if one.value is None else _share(one.value)
            turns = " or ".join(
                str(each.turn) if each.probability == 1 else f"{each.turn} ({each.probability})" for each in one.choices
            )
            said.append(f"  {cards}   {worth}   {turns or '-'}")
        return "\n".join(said)

    def _grid(self) -> tuple[str, list[str], list[tuple[str, str, list[Fraction]]]]:
        """A title, turns, and rows: a hand, what it is worth, and how likely each turn is. The own hand comes first."""
        hands = sorted(self.hands.values(), key=lambda one: (one.hand != self.own, -one.weight))[:SHOWN]
        turns = list(dict.fromkeys(choice.turn for one in hands for choice in one.choices))
        rows = []
        for one in hands:
            plan = {choice.turn: choice.probability for choice in one.choices}
            worth = "?" if one.value is None else _share(one.value)
            rows.append((",".join(map(str, one.hand)), worth, [plan.get(turn, Fraction()) for turn in turns]))
        low, high = self.bounds
        value = _share(low) if self.exact else f"from {_share(low)} to {_share(high)}"
        return f"{self.state}: {value}", list(map(str, turns)), rows

    def svg(self) -> str:
        """A picture of the plan: hands by turns, as poker's range tables. A darker cell is a likelier turn.

        >>> equilibrium("45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12").svg()[:4]
        '<svg'
        """
        from backtrick.writing.drawing import LIGHT, grid

        title, turns, rows = self._grid()
        more = f", {SHOWN} of {len(self.hands)} hands" if len(self.hands) > SHOWN else ""
        return grid(f"{title}{more}", turns, rows, LIGHT)

    def _repr_html_(self) -> str:
        """For notebooks: the grid of `svg` as a table."""
        from html import escape

        title, turns, hands = self._grid()
        rows = ["".join(f"<th>{escape(name)}</th>" for name in ("hand", "value", *turns))]
        for hand, worth, shares in hands:
            cells = [f"<td>{hand}</td><td>{worth}</td>"]
            cells += [f'<td style="background:rgba(60,120,200,{float(part):.2f})">{part or ""}</td>' for part in shares]
            rows.append("".join(cells))
        more = f"<p>and {len(self.hands) - SHOWN} more hands</p>" if len(self.hands) > SHOWN else ""
        grid = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><caption>{escape(title)}</caption>{grid}</table>{more}"


SHOWN = 24
"""Hands in a grid."""


def _share(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} = {float(value):.4f}"


def _percent(value: Fraction | int) -> str:
    return f"{100 * float(value):.1f} %"


@checked
def equilibrium(
    state: PublicState | View | State | str,
    ranges: tuple[Range | None, Range | None] | None = None,
    gap: Fraction | float = 0,
    budget: Budget | None = None,
    rules: Rules | None = None,
) -> Equilibrium:
    """What a public state is worth to the mover, with plans of both players that prove it.

    state:  or a view or a state of a game, whose public state is meant, at the beginning of a turn
    ranges: how likely each hand of the mover and of the opponent is; None: all are equally likely
    gap:    the work ends once the bounds are as close as this; 0 asks for the exact value
    budget: its seconds limit the work where both players still have hidden cards after the mover's turn; the answer then has bounds

    Needs scipy. Raises `NotationError`, `PositionError`; `ArgumentError` for a range that is none, or a draw pile of more than five
    cards: then `odds` compares turns.

    >>> found = equilibrium("45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12")
    >>> found.value, str(found.hands[18, 33, 50].choices[0].turn)
    (Fraction(19, 40), "33^' 50^")
    """
    rules = as_rules(rules)
    public, own = PublicState.of(state, rules)
    for name, side in (("the mover's", public.mover), ("the opponent's", public.opponent)):
        if side.pile_size > MOST_PILE:
            raise ArgumentError(
                f"{name} draw pile has {side.pile_size} cards; the equilibrium is found for piles of at most {MOST_PILE}, "
                "odds compares turns with any"
            )
    try:
        wanted = Fraction(gap)
    except (OverflowError, TypeError, ValueError, ZeroDivisionError):
        wanted = Fraction(-1)
    if wanted < 0:
        raise ArgumentError(f"gap must be a number of 0 or more, not {shown(gap)}")
    from backtrick.face_to_face import hidden, hidden_long

    mover, opponent = (hidden.Side(side.ascending, side.descending, side.hand_size, side.unlaid)
                       for side in (public.mover, public.opponent))  # fmt: skip
    if ranges is not None and not (isinstance(ranges, tuple) and len(ranges) == 2):
        raise ArgumentError(f"ranges must be a pair, the mover's and the opponent's, or None, not {shown(ranges)}")
    own_range, other_range = (None, None) if ranges is None else ranges
    weights = [_weights("the mover's", mover.hands, own_range), _weights("the opponent's", opponent.hands, other_range)]
    own_weights = dict(zip(mover.hands, weights[0], strict=True))
    moving, replying = (sum(1 << place for place, weight in enumerate(one) if weight) for one in weights)
    game = hidden_long.game_of(mover, opponent, moving, replying, rules)
    with deadline(budget or Budget()) as stop:
        found = hidden_long.solve_any(game, weights[0], weights[1], wanted, stop)

    def judge(strategy: Strategy) -> Fraction:
        plan = _plan_of(strategy, public, own_weights, rules)
        if isinstance(game, hidden.Game):
            return hidden.sure_of(game, weights[1], plan)
        return hidden_long.sure_of_long(game, weights[1], plan)

    if found.lower > found.upper:
        raise ContradictionError(public, rules, f"it is worth at least {found.lower} and at most {found.upper}")
    exact = found.lower == found.upper
    hands: dict[Hand, HandAnswer] = {}
    turns: dict[int, Turn] = {}
    for place, hand in enumerate(mover.hands):
        if weights[0][place]:
            plan = sorted(found.plan[place].items())
            turns |= {number: _in_order(public, game.rows[number], rules) for number, _ in plan if number not in turns}
            choices = tuple(Choice(turns[number], part) for number, part in plan)
            hands[hand] = HandAnswer(hand, weights[0][place], found.worth[place] if exact else None, choices)
    return Equilibrium(public, (found.lower, found.upper), dict(sorted(hands.items())), own, judge)


def planned_turn(view: View) -> Turn | None:
    """What the plan of the equilibrium plays from a view, at random where the plan is; the same view always gives the same turn.

    None if the mover's pile has more than four cards or the opponent's more than two, because a plan would take too long, or if the
    hand cannot win. Raises `UsageError` without scipy.

    >>> print(planned_turn(View.parse("45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12")))
    33^' 50^
    """
    from backtrick.face_to_face.hidden import MOST_KNOWN

    if len(view.own.pile) > 2 * MOST_KNOWN or view.pile_size > MOST_KNOWN:
        return None
    found = equilibrium(view, rules=view.rules)
    left = Fraction(numbers_for(0, view).below(WORD), WORD)
    for choice in found.hands[tuple(sorted(view.own.hand))].choices:
        left -= choice.probability
        if left < 0:
            return choice.turn
    return None


def _plan_of(
    strategy: Strategy, public: PublicState, weights: Mapping[Hand, Fraction], rules: Rules
) -> Iterator[tuple[tuple[int, int, int, int, int, int], int, Fraction]]:
    """What a strategy plays, as `hidden.sure_of` takes it."""
    other = public.opponent
    for place, (hand, weight) in enumerate(weights.items()):
        if not weight:
            continue
        mover = Cards(public.mover.ascending, public.mover.descending, hand, frozenset(public.mover.unlaid) - set(hand) or ())
        seen = other.ascending, other.descending, other.hand_size, other.pile_size, frozenset(other.unlaid)
        view = View(mover, *seen, rules=rules)
        start = Table(mover, Cards(other.ascending, other.descending, other.unlaid))
        if not _can_move(start, rules):
            continue  # F13
        answer = strategy(view)
        for given, probability in answer.items() if isinstance(answer, Mapping) else [(answer, 1)]:
            turn, table = as_turn(given), start
            for play in turn.plays:
                if play not in table.fitting(rules):
                    raise IllegalTurnError(turn, None, f"the strategy does not have this turn with {view}", "F4")
                table = table.lay(play)
            if table.turn_violation(rules):
                raise IllegalTurnError(turn, None, f"the strategy does not have this turn with {view}", "F3")
            helped = sum(play.card for play in turn.plays if play.helpful)
            laid = sum(1 << play.card for play in turn.plays)
            tops = table.mover.ascending, table.mover.descending, table.opponent.ascending, table.opponent.descending
            yield (laid, *tops, helped), place, weight * Fraction(probability)


def _can_move(table: Table, rules: Rules) -> bool:
    return any(table.lay(play).can_be_completed(rules) for play in table.fitting(rules))


def _weights(whose: str, hands: list[Hand], given: Range | None) -> list[Fraction]:
    """A range as fractions that add up to 1, in the order of the hands."""
    if given is None:
        return [Fraction(1, len(hands))] * len(hands)
    try:
        known = {tuple(sorted(hand)): Fraction(weight) for hand, weight in given.items()}
    except (AttributeError, OverflowError, TypeError, ValueError):
        raise ArgumentError(f"{whose} range must be a weight for each hand, as {{(2, 3): 1}}, not {shown(given)}") from None
    if wrong := set(known) - set(hands):
        raise ArgumentError(f"{whose} range: {','.join(map(str, min(wrong)))} is no hand of the public state")
    whole = sum(known.values())
    if min(known.values(), default=Fraction()) < 0 or not whole:
        raise ArgumentError(f"{whose} range: weights are 0 or more, and not all of them are 0")
    return [known.get(hand, Fraction()) / whole for hand in hands]


def _in_order(public: PublicState, row: np.void, rules: Rules) -> Turn:
    """The first turn that lays these cards and leaves these tops."""
    laid = tuple(card for card in public.mover.unlaid if int(row["laid"]) >> card & 1)
    mover = Cards(public.mover.ascending, public.mover.descending, laid)
    opponent = Cards(public.opponent.ascending, public.opponent.descending, public.opponent.unlaid[:HAND_SIZE])
    found, _ = outcomes_many(pack([Position(mover, opponent)]), 1, rules, False)
    # The other player is to move in an outcome.
    wanted = {"opponent_hand": 0, "opponent_ascending": row["up"], "opponent_descending": row["down"],
              "mover_ascending": row["other_up"], "mover_descending": row["other_down"]}  # fmt: skip
    fits = np.logical_and.reduce([found[name] == value for name, value in wanted.items()])
    turn = unpack_turn(int(found["turn"][fits][0]))
    assert turn is not None
    return turn
