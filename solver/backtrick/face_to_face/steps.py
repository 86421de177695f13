"""The Game: Face to Face one step at a time, as adapters to other libraries play it: `STEPS`.

The numbers of actions, the same for every deck:

    0                         the end of the turn
    1 + 4 * (card - 2) + k    the card on a pile; k = 0 own ascending ^, 1 own descending v, 2 the opponent's ascending ^', 3 v'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from backtrick.errors import ArgumentError
from backtrick.face_to_face._vector import Games
from backtrick.face_to_face.players import WHOLE_GAME
from backtrick.face_to_face.policies import POLICIES
from backtrick.face_to_face.position import HAND_SIZE, POSITION_DTYPE, Position, Side, packed_sides
from backtrick.face_to_face.rule_options import DECK, HIGHEST, Rules
from backtrick.face_to_face.samples import KERNEL_PRICES
from backtrick.face_to_face.solving import legal_turns_array, solve_many
from backtrick.face_to_face.state import END, Action, End, State, View
from backtrick.face_to_face.turn import PLAY_PILES, Play, Turn
from backtrick.play.steps import Arrays, Floats, Steps, VectorGames, deck_of
from backtrick.random import Stream

_ACTIONS: tuple[Action, ...] = (END, *(Play(card, *pile) for card in DECK for pile in PLAY_PILES))


class FaceToFaceSteps(Steps[State]):
    """Whole games and endgames of Face to Face, a card at a time. A win is worth 1, a loss -1.

    lone_card: the rule option
    cards:     the numbers of both decks, as in "2,3,4,12,13,14"; '' for all 58
    position:  a position or a view in notation; then `cards` stays as it is

    >>> moment = FaceToFaceSteps(position="27^40v:17,18 13^50v:5,12").start
    >>> [moment.steps.text(number) for number in moment.legal()]
    ['17^', '18v']
    >>> moment = moment.apply(moment.legal()[0])
    >>> [moment.steps.text(number) for number in moment.legal()], moment.information_text(1)
    (['18^', '18v'], 'seat 1 27^40v:17,18 13^50v:5,12 0:17^')
    """

    whole_game = WHOLE_GAME
    every_action = _ACTIONS
    foreign = "lays no number card: these are 2..59 (F1)"
    parameters = {"lone_card": False, "cards": "", "position": ""}
    actions = len(_ACTIONS)
    most = 1.0

    def set_up(self) -> None:
        self.rules, cards = Rules(bool(self.given["lone_card"])), str(self.given["cards"])
        if self.given["position"] and cards:
            raise ArgumentError("a position says which cards there are: cards does not go with it")
        self.cards = deck_of(cards) if cards else DECK
        self.tops = {number: place for place, number in enumerate((1, *self.cards, HIGHEST))}
        self.layout = (
            *((name, len(self.cards)) for name in ("hand", "pile", "other_unlaid", "other_hand", "order", "other_order")),
            *((name, len(self.tops)) for name in ("ascending", "descending", "other_ascending", "other_descending")),
            *((name, HAND_SIZE + 1) for name in ("other_size", "laid")),
            ("helped", 1),
        )
        self.longest = 3 * len(self.cards) + 1  # F3: a turn lays two cards of 2 * len(self.cards), and one end; F13: but one

    def first_state(self) -> State:
        return State.start(self.rules, self.cards)

    def numbers_of(self, turn: Turn) -> tuple[int, ...]:
        return (*map(self.number, turn), self.number(END))

    def turn_of(self, numbers: Sequence[int]) -> Turn:
        return Turn(tuple(action for action in map(self.action, numbers) if not isinstance(action, End)))

    def turns(self, position: Position) -> tuple[np.ndarray, np.ndarray]:
        packed = legal_turns_array(position, self.rules)
        plays = packed.astype("<u8").view(np.uint8).reshape(-1, 8)[:, : HAND_SIZE + 1].astype(np.int16)
        numbers = np.where(plays > 0, 1 + 4 * ((plays & 63) - 2) + (plays >> 6), -1)
        numbers[np.arange(len(plays)), (plays > 0).sum(axis=1)] = self.number(END)
        return packed, numbers

    def legal(self, state: State) -> list[int]:
        """The same as `state.legal()`, by the kernel."""
        own, plays = state.table.mover, state.table.plays
        if not own.hand:
            return [0]  # the turn has laid it all
        helped = any(play.helpful for play in plays)
        found: list[int] = self.kernel.legal(packed_sides(own, state.table.opponent), bool(own.pile), len(plays), helped)
        return found

    def hand(self, state: State, seat: int) -> tuple[int, ...]:
        return _side(state, seat).hand

    def cards_of(self, view: View) -> tuple[Iterable[int], Iterable[int]]:
        return view.own.hand, view.unlaid

    def world_hand(self, state: State, seat: int, known: frozenset[int], numbers: Stream) -> tuple[int, ...]:
        view = state.view(seat)
        if not view.hand_size:
            return ()  # nothing is dealt to the other yet, or all is laid
        hidden = replace(view, hand_size=view.hand_size - len(known), unlaid=view.unlaid - known, to_move=True)
        return (*sorted(known), *_side(hidden.world(numbers), 1).hand)

    def with_hand(self, state: State, seat: int, hand: tuple[int, ...]) -> State:
        side = _side(state, seat)
        changed = replace(side, hand=hand, pile=frozenset((*side.hand, *side.pile)).difference(hand))
        table = state.table
        table = replace(table, mover=changed) if state.seat == seat else replace(table, opponent=changed)
        return replace(state, table=table)

    def any_past_fits(self) -> bool:
        return True

    def vector_games(self, arrays: Arrays, starts: np.ndarray | None, opponent: str | None, seat: int | None) -> VectorGames:
        if starts is not None:
            solve_many(starts, rules=self.rules, progress=False)  # raises unless all are well-formed
        policy = POLICIES.opponent(opponent)
        given = np.zeros(0, POSITION_DTYPE) if starts is None else starts
        learner, deck = -1 if seat is None else seat, sum(1 << card for card in self.cards)
        return Games(*arrays, given, policy, KERNEL_PRICES, learner, deck, self.rules.code)

    def play_out(self, state: State, seed: int, count: int) -> float | None:
        own, other, plays = state.table.mover, state.table.opponent, state.table.plays
        if not own.hand or any(side.pile and isinstance(side.pile, tuple) for side in (own, other)):
            return None
        other_hand = sum(1 << card for card in other.hand)
        helped = any(play.helpful for play in plays)
        worth = self.kernel.play_out(state.view(state.seat).packed, other_hand, len(plays), helped, seed, count) / count
        return -worth if state.seat else worth

    def seen_text(self, state: State, seat: int, known: frozenset[int]) -> str:
        own, other = (str(_side(state, one)) for one in (seat, 1 - seat))
        text = f"{own} {other}" if self.is_open else str(state.view(seat))
        if known and not self.is_open:
            text += f" ({','.join(map(str, sorted(known)))})"
        plays = state.table.plays
        return f"{text}{f' {len(plays)} laid' * bool(plays)}{' helped' * any(play.helpful for play in plays)}"

    def seen(self, state: State, seat: int, known: frozenset[int]) -> Iterator[Floats]:
        own, other, plays = _side(state, seat), _side(state, 1 - seat), state.table.plays
        yield from map(self.of_cards, (own.hand, own.pile, (*other.hand, *other.pile), known))
        yield from (self.in_order(tuple(side.pile) if self.is_open else ()) for side in (own, other))
        for side in (own, other):
            yield self.one_hot(self.tops[side.ascending], len(self.tops))
            yield self.one_hot(self.tops[side.descending], len(self.tops))
        yield self.one_hot(len(other.hand), HAND_SIZE + 1)
        yield self.one_hot(len(plays), HAND_SIZE + 1)
        yield np.array([any(play.helpful for play in plays)], np.float32)


def _side(state: State, seat: int) -> Side:
    return state.table.mover if state.seat == seat else state.table.opponent


STEPS = FaceToFaceSteps
"""What adapters ask of this game."""
