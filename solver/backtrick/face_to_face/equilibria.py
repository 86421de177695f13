"""Equilibria while both hands are hidden: plans of both players, as `hidden.py` and `hidden_long.py` find them, at every moment.

A plan says what to do after turns that leave the best tops. After another turn the other player *imitates* its plan for the turn
with better tops that lays the same cards: it makes the same plays, as if the mover had made that turn.

*Proof* that it loses nothing by this. Its own tops are then no worse, and the mover's no better, than where the plan was made. So
each of its plays is legal too, and so is each play of the mover in the game of the plan; where a pile is laid on, both tops become
the same. At the end it has lost no win, since more of its cards fit and fewer of the mover's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from backtrick.budget import UNLIMITED
from backtrick.errors import ArgumentError, IllegalTurnError
from backtrick.face_to_face._equilibrium import LastTurns
from backtrick.face_to_face.hidden import (
    Game,
    MoverPlan,
    OtherPlan,
    Outcome,
    after_turn,
    shares_after,
    sure_of,
    types_in,
    types_of,
)
from backtrick.face_to_face.hidden_long import MOST_PILE, LongGame, game_of, solve_any, sure_of_long
from backtrick.face_to_face.position import HAND_SIZE, Position, Side, cards_of, pack
from backtrick.face_to_face.public_state import Known, PublicState, is_short
from backtrick.face_to_face.rule_options import PUBLISHED, Rules
from backtrick.face_to_face.rules import Table, laid
from backtrick.face_to_face.solving import outcome_rows, outcomes_many
from backtrick.face_to_face.turn import Turn, as_turn, turns_of_kernel
from backtrick.play import sequences
from backtrick.play.plans import HandAnswer, Plans, Question, Strategy, TurnShare, Weights, shares_of

NEVER = bytearray(1)
"""A stop that nobody sets."""

SURE = Fraction(1)


def solve(public: PublicState, question: Question) -> HiddenPlans:
    """Plans of both players. Raises `ArgumentError` for a draw pile of more than five cards, and `UsageError` without scipy."""
    for name, side in (("the mover's", public.mover), ("the opponent's", public.opponent)):
        if side.pile_size > MOST_PILE:
            raise ArgumentError(
                f"{name} draw pile has {side.pile_size} cards; the equilibrium is found for piles of at most {MOST_PILE}, "
                "odds compares turns with any"
            )
    own, other = (_by_type(side, weights) for side, weights in zip((public.mover, public.opponent), question.ranges, strict=True))
    bits = [sum(1 << place for place, weight in enumerate(one) if weight) for one in (own, other)]
    game = game_of(public.mover, public.opponent, bits[0], bits[1], public.rules, question.stop)
    found = solve_any(game, own, other, question.gap)
    return HiddenPlans(public, (tuple(own), tuple(other)), found.lower, found.upper, 1, found.own, found.other)


def _by_type(side: Known, weights: Weights) -> list[Fraction]:
    """A range in the order of types, adding up to 1."""
    whole = sum(weights.values())
    return [Fraction(weights.get(cards_of(int(hand)), 0), whole) for hand in types_of(side.unlaid, side.hand_size)]


class Part(NamedTuple):
    """A plan that a player may be following.

    own, other: what is known of the player and of the other, as the plan sees them
    plan:       from here on
    reach:      how likely the player has each of its types and follows this plan, if the other does all to lead here
    """

    own: Known
    other: Known
    plan: Any
    reach: list[Fraction]


class Moment(NamedTuple):
    """The plans at one moment.

    mover, other: what is known of the player to move and of the other
    can, may:     the types that they can have, as bits
    plans:        `MoverPlan`s that the player to move may be following
    others:       `OtherPlan`s that the other may be following
    is_open:      True if no plan is needed: after some turn no card is hidden any more, or the game is over
    """

    mover: Known
    other: Known
    can: int
    may: int
    plans: list[Part]
    others: list[Part]
    is_open: bool = False

    @property
    def likely(self) -> Fraction:
        """How likely the other player leads here, if the mover does all to do so."""
        return sum((reach for part in self.others for reach in part.reach), Fraction())


@dataclass(frozen=True)
class HiddenPlans(Plans):
    """Plans of both players for a public state, down to where no card is hidden.

    ranges: of both players, in the order of types, each adding up to 1
    """

    public: PublicState
    ranges: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
    low: Fraction
    high: Fraction
    steps: int
    own: MoverPlan
    other: OtherPlan

    def __hash__(self) -> int:
        return hash((self.public, self.low, self.high))

    def seat(self, path: tuple[Turn, ...]) -> int:
        return -1 if _moment(self, path).is_open else len(path) % 2

    def turns(self, path: tuple[Turn, ...]) -> tuple[Turn, ...]:
        at = _moment(self, path)
        packed = () if at.is_open else _every_outcome(at, self._rules_of(at.mover)).values()
        return tuple(turns_of_kernel(packed))

    def read(self, path: tuple[Turn, ...], turn: Turn) -> Turn:
        at = _moment(self, path)
        cards = {play.card for play in turn.plays}
        held = None if at.is_open else next((one for one in map(cards_of, _types(at.mover, at.can)) if cards <= {*one}), None)
        if held is None:
            raise IllegalTurnError(turn, None, "no hand of the player to move has it", "the turns of a public state")
        return turn_of(at.mover, at.other, _outcome(at.mover, at.other, held, turn, self.public.rules))

    def hands(self, path: tuple[Turn, ...]) -> Mapping[tuple[int, ...], HandAnswer]:
        at = _moment(self, path)
        if at.is_open:
            return {}
        likely, values = at.likely, self._values(at)
        plans: dict[int, dict[Outcome, Fraction]] = {place: {} for place in types_in(at.can)}
        for part in at.plans:
            for place, outcome, share, _ in self._told(part, at):
                plans[place][outcome] = plans[place].get(outcome, Fraction()) + share
        found = {}
        for place, plan in plans.items():
            value, best = values[place]
            weight = sum((part.reach[place] for part in at.plans), Fraction())
            if not plan and best:
                plan = {best: SURE}
            shares = sorted((-share / (weight or 1), outcome) for outcome, share in plan.items())
            turns = tuple(TurnShare(turn_of(at.mover, at.other, outcome), -share, value) for share, outcome in shares)
            hand = cards_of(int(types_of(at.mover.unlaid, at.mover.hand_size)[place]))
            found[hand] = HandAnswer(hand, weight * likely, value, turns)
        return dict(sorted(found.items()))

    def sure_of(self, strategy: Strategy, seat: int, stop: bytearray) -> Fraction:
        public: Any = self.public
        if seat:
            from backtrick.face_to_face.game import GAME

            hands: list[Any] = [{hand: weight for hand, weight in zip(map(cards_of, _types(side)), one, strict=True) if weight}
                                for side, one in zip((public.mover, public.opponent), self.ranges, strict=True)]  # fmt: skip
            tree = sequences.Tree(public, GAME, (hands[0], hands[1])).grow(UNLIMITED, stop, False)
            return sequences.sure_of(tree, strategy, seat, stop)
        bits = [sum(1 << place for place, weight in enumerate(one) if weight) for one in self.ranges]
        game = game_of(public.mover, public.opponent, bits[0], bits[1], public.rules, stop)
        plan = self._plan_of(strategy)
        return sure_of(game, self.ranges[1], plan) if isinstance(game, Game) else sure_of_long(game, self.ranges[1], plan)

    def _plan_of(self, strategy: Strategy) -> Iterator[tuple[Outcome, int, Fraction]]:
        """What a strategy plays, as `hidden.sure_of` takes it."""
        public = self.public
        for place, weight in enumerate(self.ranges[0]):
            hand = cards_of(int(types_of(public.mover.unlaid, public.mover.hand_size)[place]))
            view = public.view(hand)
            if weight and view.table.can_be_completed(public.rules):  # F13
                for turn, share in shares_of(as_turn, strategy, view):
                    try:
                        outcome = _outcome(public.mover, public.opponent, hand, turn, public.rules)
                    except IllegalTurnError as error:
                        problem = f"the strategy does not have this turn with {view}"
                        raise IllegalTurnError(turn, error.play, problem, error.rule) from None
                    yield outcome, place, weight * share

    def _rules_of(self, mover: Known) -> Any:
        return self.public.rules if mover.pile_size == 0 else PUBLISHED  # a lone card is the last one (F13)

    # The way to a moment

    def after(self, at: Moment, outcome: Outcome) -> Moment:
        """The moment after a turn."""
        mover, other = after_turn(at.mover, at.other, outcome)
        if not mover.unlaid:
            return Moment(other, mover, at.may, 1, [], [], is_open=True)  # F12
        able = [place for place in types_in(at.can) if not outcome[0] & ~int(_types(at.mover)[place])]
        shares, _ = shares_after(at.mover, mover, outcome[0], able)
        can = sum(1 << place for place in np.flatnonzero(shares.any(axis=0)).tolist())
        others = [after for part in at.plans for after in self._own_turn(part, at, outcome)]
        plans = [after for part in at.others for after in self._seen_turn(part, at, outcome)]
        return Moment(other, mover, at.may, can, plans, others, is_open=not (mover.pile_size or other.pile_size))

    def _own_turn(self, part: Part, at: Moment, wanted: Outcome) -> Iterator[Part]:
        """The plans of the player who made a turn: a part for each turn of its plan that may have been this one."""
        reach: dict[int | None, dict[int, Fraction]] = {}
        for place, outcome, share, number in self._told(part, at):
            if outcome == wanted:
                reach.setdefault(number, {})[place] = share
        for number, of_types in reach.items():
            outcome = wanted if number is None else _rows(part.own, part.other, self.public.rules)[number]
            own, other = after_turn(*((at.mover, at.other) if number is None else (part.own, part.other)), outcome)
            shares, splits = shares_after(part.own, own, outcome[0], list(of_types))
            after = [Fraction()] * shares.shape[1]
            for row, weight in zip(shares, of_types.values(), strict=True):
                for place in np.flatnonzero(row).tolist():
                    after[place] += weight / splits
            yield Part(own, other, OtherPlan() if number is None else part.plan.later.get(number, OtherPlan()), after)

    def _seen_turn(self, part: Part, at: Moment, outcome: Outcome) -> Iterator[Part]:
        """The plans of the player who saw a turn: where they know only a turn with better tops, as if that had been made."""
        seen = _seen_as(outcome, (at.mover, at.other), (part.other, part.own))
        rows = _rows(part.other, part.own, self.public.rules)
        number = _number(part.other, part.own, seen, self.public.rules)
        other, own = after_turn(part.other, part.own, rows[number])
        if is_short(part.other, part.own):
            yield Part(own, other, MoverPlan(self._replies(part, at, number, own, other)), part.reach)
        else:
            for share, plan in part.plan.mixes.get(number, ((SURE, MoverPlan()),)):
                yield Part(own, other, plan, [share * reach for reach in part.reach])

    def _replies(self, part: Part, at: Moment, number: int, own: Known, other: Known) -> tuple[dict[int, Fraction], ...]:
        """A plan for the replies to a turn, where the other player knows all afterwards."""
        game = Game(part.other, part.own, at.can, at.may, self.public.rules, NEVER)
        turn = game.turn(number, game.able(number))
        left = game.replies["wins"] & np.uint64(turn.meant)
        mixes = part.plan.replies.get(number) or [{turn.sets[reply]: SURE}
                                                  for reply in turn.best_replies(np.ones(len(turn.able)))]  # fmt: skip
        planned: list[dict[int, Fraction]] = [{} for _ in part.reach]
        for family, mix in zip(turn.families, mixes, strict=True):
            for place in family.types:
                for wins, share in mix.items():
                    rows = game.replies[(left == wins) & (game.replies["types"] >> place & 1 == 1)]
                    if len(rows):  # else it is stuck (F13)
                        reply = min(_outcome_of_reply(row, other) for row in rows.tolist())
                        following = _number(own, other, reply, self.public.rules)
                        planned[place][following] = planned[place].get(following, Fraction()) + share
        return tuple(planned)

    def _told(self, part: Part, at: Moment) -> Iterator[tuple[int, Outcome, Fraction, int | None]]:
        """What a plan does: a type that may follow it, what a turn leads to, how likely both are, and the number of the turn as the
        plan sees it. Where it says nothing the type makes a turn that wins, or any, and the number is None."""
        rows = _rows(part.own, part.other, self.public.rules)
        seen = dict[int, Outcome]()
        game = None
        for place, reach in enumerate(part.reach):
            if not reach:
                continue
            plan = part.plan.turns[place] if part.plan.turns else {}
            for number, share in plan.items():
                if number not in seen:
                    seen[number] = _seen_as(rows[number], (part.own, part.other), (at.mover, at.other))
                yield place, seen[number], reach * share, number
            if not plan:
                game = game or game_of(at.mover, at.other, at.can, at.may, self.public.rules, NEVER)
                if outcome := _any_turn(game, place):
                    yield place, outcome, reach, None

    # What hands are worth

    def _values(self, at: Moment) -> dict[int, tuple[Fraction | None, Outcome | None]]:
        """For each type of the player to move what it is worth against the plans of the other, and a turn that is worth it."""
        game = game_of(at.mover, at.other, at.can, at.may, self.public.rules, NEVER)
        found: dict[int, Any] = {place: (Fraction(), _any_turn(game, place)) for place in types_in(at.can)}
        if not at.likely:
            return {place: (None, turn) for place, (_, turn) in found.items()}
        first = at.others[0]
        if len(at.others) == 1 and first.plan.worth and (first.own, first.other) == (at.other, at.mover):
            return {place: (first.plan.worth[place], turn) for place, (_, turn) in found.items()}
        for place, outcome, value in self._short_values(at, game) if isinstance(game, Game) else self._long_values(at, game):
            if value > found[place][0]:
                found[place] = value, outcome
        return found

    def _short_values(self, at: Moment, game: Game) -> Iterator[tuple[int, Outcome, Fraction]]:
        """By what the plans of the other reply."""
        rows, likely = _rows(at.mover, at.other, self.public.rules), at.likely
        for place in types_in(at.can):
            if game.sure[place] >= 0:
                yield place, rows[game.sure[place]], SURE
        for turn in (game.turn(number, able) for number in range(len(rows)) if len(able := game.able(number))):
            left = list(self._replied(at, game, turn))
            for i, place in enumerate(turn.able.tolist()):
                value = sum((weight * wins[i] for weight, wins in left), Fraction())
                yield place, rows[turn.number], value / turn.splits / likely

    def _replied(self, at: Moment, game: Game, turn: Any) -> Iterator[tuple[Fraction, list[int]]]:
        """What the other's plans do after a turn: how likely, and with how many splits each type then wins."""
        following = self.after(at, _rows(at.mover, at.other, self.public.rules)[turn.number])
        left = np.array(game.kernel.splits(turn.number), np.uint64)
        splits = (left & game.types[turn.able][:, None]) == 0
        for part in following.plans:
            stuck = sum(part.reach, Fraction())
            for _, outcome, share, _ in self._told(part, following):
                wins, stuck = game.kernel.wins(turn.number, outcome[:5]), stuck - share
                yield share, splits[:, [place for place in range(len(left)) if wins >> place & 1]].sum(axis=1).tolist()
            yield stuck, splits.sum(axis=1).tolist()  # F13

    def _long_values(self, at: Moment, long: LongGame) -> Iterator[tuple[int, Outcome, Fraction]]:
        """By what the plans of the other win against each type: at most so much, and no more than they leave it."""
        rows, likely = _rows(at.mover, at.other, self.public.rules), at.likely
        most = {place: sum((sum(part.reach) * (part.plan.worth[place] if part.plan.worth else 1) for part in at.others), Fraction())
                for place in types_in(at.can)}  # fmt: skip
        for place, number in long.won.items():
            yield place, rows[number], SURE
        for number in long.waiting:
            able = long.able(number)
            after, _ = after_turn(at.mover, at.other, rows[number])
            shares, splits = shares_after(at.mover, after, rows[number][0], able)
            left = [Fraction()] * shares.shape[1]
            for part in self.after(at, rows[number]).plans:
                weight, given = sum(part.reach) / likely, part.plan.given
                for place in range(len(left)):
                    left[place] += weight * (1 - given[place] if place < len(given) else 1)
            for row, place in zip(shares, able, strict=True):
                value = sum((left[split] for split in np.flatnonzero(row).tolist()), Fraction()) / splits
                yield place, rows[number], min(value, most[place] / likely)


@lru_cache(64)
def _moment(plans: HiddenPlans, path: tuple[Turn, ...]) -> Moment:
    """The moment after some turns, each one of `HiddenPlans.turns`."""
    if path:
        at = _moment(plans, path[:-1])
        return plans.after(at, outcome_of(at.mover, at.other, path[-1]))
    public = plans.public
    bits = [sum(1 << place for place, weight in enumerate(one) if weight) for one in plans.ranges]
    return Moment(public.mover, public.opponent, bits[0], bits[1],
                  [Part(public.mover, public.opponent, plans.own, list(plans.ranges[0]))],
                  [Part(public.opponent, public.mover, plans.other, list(plans.ranges[1]))])  # fmt: skip


# Turns and outcomes


@lru_cache(64)
def _rows(mover: Known, other: Known, rules: Any) -> list[Outcome]:
    """What turns of a player lead to, in the order of the kernel."""
    return [row[:6] for row in LastTurns(tuple(mover), tuple(other), rules.code).turns().tolist()]


def _number(mover: Known, other: Known, outcome: Outcome, rules: Any) -> int:
    """The turn of `_rows` that lays the same cards and leaves tops that are no worse."""
    kernel = LastTurns(tuple(mover), tuple(other), rules.code)
    return int(kernel.no_worse(kernel.add(*outcome)))


def _types(side: Known, among: int | None = None) -> list[int]:
    """The types of a player as sets of numbers. among: only these."""
    every: list[int] = types_of(side.unlaid, side.hand_size).tolist()
    return every if among is None else [every[place] for place in types_in(among)]


def _any_turn(game: Game | LongGame, place: int) -> Outcome | None:
    """What a turn of a type leads to, one that wins if there is any. None if it has no turn (F13)."""
    sure = game.sure[place] if isinstance(game, Game) else game.won.get(place, -1)
    makes = [sure] if sure >= 0 else np.flatnonzero((game.rows["laid"] & ~game.types[place]) == 0).tolist()
    return game.rows[makes[0]].tolist()[:6] if makes else None


def _every_outcome(at: Moment, rules: Any) -> dict[Outcome, int]:
    """What each turn of the types that the player to move can have leads to, with the first turn that does, packed."""
    other = Side(at.other.ascending, at.other.descending, at.other.unlaid[:HAND_SIZE])
    hands = _types(at.mover, at.can)
    sides = [Side(at.mover.ascending, at.mover.descending, cards_of(hand)) for hand in hands]
    rows, offsets = outcomes_many(pack([Position(side, other) for side in sides]), 1, rules, False)
    found: dict[Outcome, int] = {}
    for hand, first, last in zip(hands, offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        of_hand = rows[first:last]
        kept = (hand & ~of_hand["opponent_hand"], *(of_hand[name] for name in AFTER), of_hand["turn"])
        for cards, up, down, other_up, other_down, turn in zip(*(part.tolist() for part in kept), strict=True):
            helped = _helped((up, down, other_up, other_down), at.other)
            found.setdefault((cards, up, down, other_up, other_down, helped), turn)
    return found


AFTER = "opponent_ascending", "opponent_descending", "mover_ascending", "mover_descending"
"""The tops after a turn, when the other player is to move: those of its player first."""


def _helped(tops: tuple[int, int, int, int], other: Known) -> int:
    """The helpful card, 0 if there is none: it is now on top (F8)."""
    if tops[2] != other.ascending:
        return tops[2]
    return tops[3] if tops[3] != other.descending else 0


def _outcome_of_reply(row: tuple[int, ...], other: Known) -> Outcome:
    """What a reply leads to, as REPLY_DTYPE has it."""
    return row[1], row[3], row[4], row[5], row[6], _helped((row[3], row[4], row[5], row[6]), other)


def _table(mover: Known, other: Known, hand: tuple[int, ...]) -> Table:
    return Table(mover.side(hand), Side(other.ascending, other.descending, (), frozenset(other.unlaid)))


def _read(table: Table, cards: int) -> Outcome:
    own, other = table.mover, table.opponent
    helped = sum(play.card for play in table.plays if play.helpful)
    return cards, own.ascending, own.descending, other.ascending, other.descending, helped


def _outcome(mover: Known, other: Known, hand: tuple[int, ...], turn: Turn, rules: Any) -> Outcome:
    """What a turn of a hand leads to. Raises `IllegalTurnError`."""
    return _read(laid(_table(mover, other, hand), turn, rules), sum(1 << play.card for play in turn.plays))


def outcome_of(mover: Known, other: Known, turn: Turn) -> Outcome:
    """What a legal turn leads to."""
    table = _table(mover, other, tuple(play.card for play in turn.plays))
    for play in turn.plays:
        table = table.lay(play)
    return _read(table, sum(1 << play.card for play in turn.plays))


def turn_of(mover: Known, other: Known, outcome: Outcome) -> Turn:
    """The first turn, in the order of legal turns, that has this outcome."""
    sides = (Side(mover.ascending, mover.descending, cards_of(outcome[0])),
             Side(other.ascending, other.descending, other.unlaid[:HAND_SIZE]))  # fmt: skip
    rows = outcome_rows(Position(*sides), Rules(lone_card=outcome[0].bit_count() == 1))
    fits = [rows["opponent_hand"] == 0, *(rows[name] == top for name, top in zip(AFTER, outcome[1:5], strict=True))]
    return turns_of_kernel([int(rows["turn"][np.logical_and.reduce(fits)][0])])[0]


def _seen_as(outcome: Outcome, here: tuple[Known, Known], there: tuple[Known, Known]) -> Outcome:
    """What the plays of a turn lead to where the tops are others."""
    return outcome if here == there else outcome_of(*there, turn_of(*here, outcome))
