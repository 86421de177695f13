"""Take That one step at a time, as adapters to other libraries play it: `STEPS`.

The numbers of actions, the same for every deck:

    0..78      lay the card of that place in 12, 13, ..., 98, the deck of 79
    79..150    twist with a hand card: the cards without toads, in the same order
    151        take the line
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from backtrick.errors import ArgumentError
from backtrick.given import shown
from backtrick.play.steps import Arrays, Floats, Steps, VectorGames, deck_of
from backtrick.random import Stream
from backtrick.take_that._vector import Games
from backtrick.take_that.players import WHOLE_GAME
from backtrick.take_that.policies import POLICIES, WEIGHTS
from backtrick.take_that.position import HAND_SIZE, POSITION_DTYPE, Position, check_array
from backtrick.take_that.rule_options import DECK, Rules, cost, is_toad, twisted
from backtrick.take_that.state import OPEN, State, View
from backtrick.take_that.turn import TAKE, Turn

_ACTIONS = (*map(Turn, DECK), *(Turn(card, twisted(card)) for card in DECK if not is_toad(card)), TAKE)
POINTS, WIN = "points", "win"


class TakeThatSteps(Steps[State]):
    """Whole rounds and endgames of Take That, a move at a time. While the draw pile lasts, a taker opens a line as the next step.

    forced_only, empty_line, professional: the rule options
    cards:     the deck, as in "12,13,21,31"; '' for all 79
    hand_size: how many cards each player is dealt, 1..9
    result:    "points": what a round is worth is the difference of the points. "win": 1, -1, or 0 for equal points
    position:  a position or a view in notation; then `cards` and `hand_size` stay as they are

    >>> moment = TakeThatSteps(position="12,43,94 21 34-41-49").start
    >>> [moment.steps.text(number) for number in moment.legal()]
    ['43', '43x34', '94x49', 'take']
    >>> moment.apply(moment.legal()[-1]).returns()
    (-3.0, 3.0)
    """

    whole_game = WHOLE_GAME
    every_action = _ACTIONS
    foreign = "is not an action with a card of the deck (T1)"
    parameters = {
        "forced_only": False, "empty_line": "opens", "professional": False, "cards": "", "hand_size": HAND_SIZE,
        "result": POINTS, "position": "",
    }  # fmt: skip
    actions = len(_ACTIONS)

    def set_up(self) -> None:
        forced_only, empty_line, professional, cards, hand_size, result = (self.given[name] for name in list(self.parameters)[:-1])
        self.rules = Rules(bool(forced_only), str(empty_line), bool(professional))
        if result not in (POINTS, WIN):
            raise ArgumentError(f"result must be {POINTS!r} or {WIN!r}, not {shown(result)}")
        if self.given["position"] and (cards or hand_size != HAND_SIZE):
            raise ArgumentError("a position says which cards there are: cards and hand_size do not go with it")
        self.cards = deck_of(str(cards)) if cards else DECK
        self.most = 1.0 if result == WIN else float(cost(self.cards))  # T5, T6: a card is twisted, for one point, or taken
        self.layout = (
            *((name, len(self.cards)) for name in ("hand", "unseen", "other_hand", "order", "line", "end")),
            ("other_size", HAND_SIZE + 1),
            ("pile_size", 1),
            ("opens", 1),
            ("points", 2),
        )
        self.longest = 2 * len(self.cards) + 1  # each card leaves a hand once; a line has a card, and is taken once

    def first_state(self) -> State:
        return State.start(self.rules, self.cards, int(self.given["hand_size"]))

    def numbers_of(self, turn: Turn) -> tuple[int, ...]:
        return (self.number(turn),) if turn.opening is None else (self.number(TAKE), self.number(Turn(turn.opening)))

    def turn_of(self, numbers: Sequence[int]) -> Turn:
        action, *rest = map(self.action, numbers)
        return Turn(opening=rest[0].card) if rest else action

    def hand(self, state: State, seat: int) -> tuple[int, ...]:
        return state.hands[seat]

    def cards_of(self, view: View) -> tuple[Iterable[int], Iterable[int]]:
        return view.hand, view.unseen

    def world_hand(self, state: State, seat: int, known: frozenset[int], numbers: Stream) -> tuple[int, ...]:
        view = state.view(seat)
        unseen = tuple(card for card in view.unseen if card not in known)
        hidden = replace(view, unseen=unseen, hand_size=view.hand_size - len(known))
        return (*sorted(known), *hidden.world(numbers).hands[1])

    def with_hand(self, state: State, seat: int, hand: tuple[int, ...]) -> State:
        hands = tuple(tuple(sorted(hand)) if one == seat else state.hands[one] for one in (0, 1))
        pile = frozenset((*state.hands[seat], *state.pile)).difference(hand) or ()
        return replace(state, hands=(hands[0], hands[1]), pile=pile)

    def any_past_fits(self) -> bool:
        return not self.rules.forced_only  # otherwise taking reveals that no card could be laid

    def vector_games(self, arrays: Arrays, starts: np.ndarray | None, opponent: str | None, seat: int | None) -> VectorGames:
        packed = np.zeros((0, POSITION_DTYPE.itemsize), np.uint8)
        if starts is not None:
            check_array(starts)
            packed = np.ascontiguousarray(starts).view(np.uint8).reshape(len(starts), -1)
        policy, learner = POLICIES.opponent(opponent), -1 if seat is None else seat
        deck, hand_size = np.array(self.cards, np.uint8), int(self.given["hand_size"])
        options = self.rules.code, self.given["result"] == WIN
        return Games(*arrays, packed, policy, np.array(WEIGHTS), learner, deck, hand_size, *options)

    def play_out(self, state: State, seed: int, count: int) -> float | None:
        if state.pile and isinstance(state.pile, tuple):
            return None
        other = state.hands[1 - state.seat]
        cards = bytes(state.mover), bytes(state.line), bytes((*other, *state.pile))
        points = state.scored if state.seat == 0 else state.scored[::-1]
        worth = self.kernel.play_out(*cards, len(other), *points, seed, count) / count
        return -worth if state.seat else worth

    def returns(self, state: State) -> tuple[float, float]:
        difference = state.points[0] - state.points[1]
        if self.given["result"] == WIN:
            difference = (difference > 0) - (difference < 0)
        return float(difference), float(-difference)

    def seen_text(self, state: State, seat: int, known: frozenset[int]) -> str:
        view = state.view(seat)
        text = str(Position(view.hand, state.hands[1 - seat], view.line, tuple(state.pile)) if self.is_open else view)
        if known and not self.is_open:
            text += f" ({','.join(map(str, sorted(known)))})"
        return f"{text} {view.points[0]}:{view.points[1]}" + (" opens" if state.phase == OPEN else "")

    def seen(self, state: State, seat: int, known: frozenset[int]) -> Iterator[Floats]:
        view = state.view(seat)
        yield from map(self.of_cards, (view.hand, view.unseen, known))
        yield self.in_order(tuple(state.pile) if self.is_open else ())
        yield self.in_order(view.line)
        yield self.of_cards(view.line[-1:])
        yield self.one_hot(view.hand_size, HAND_SIZE + 1)
        yield np.array([view.pile_size / len(self.cards)], np.float32)
        yield np.array([state.phase == OPEN], np.float32)
        yield np.array(view.points, np.float32) / np.float32(cost(self.cards))


STEPS = TakeThatSteps
"""What adapters ask of this game."""
