"""A whole game or an endgame one step at a time, with numbers for actions: what adapters to other libraries ask of a game.

`Steps` says which game is played: rules, deck, start. `Moment` is one moment of it: who is to move, what is legal, what a player
sees. Both are blind to the game. A game joins by `STEPS`, a subclass of `Steps`, in its module `steps`. The rules are those of
its `State`, so a step is one card laid, the end of a turn, or a card that chance draws.

Three kinds of start:

    none        a whole game: chance deals the decks
    a position  an endgame, or a deal whose order is known. All cards are open and there is no chance, as for `Game.solve`.
    a view      chance places the cards that the player to move cannot see. What it does see at the start, its hand too, is the
                same in every game from there, so both players know it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, zip_longest
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, SupportsIndex, TypeVar

import numpy as np

from backtrick.errors import ArgumentError, BacktrickError, shortened
from backtrick.given import shown, truth, whole
from backtrick.play.state import CHANCE, GAME_OVER, State
from backtrick.play.whole_game import WholeGame
from backtrick.random import Stream

S = TypeVar("S", bound=State[Any, Any, Any])
Given = bool | int | str
Floats = np.ndarray[Any, np.dtype[np.float32]]
Layout = tuple[tuple[str, int], ...]
"""The parts of a tensor in order: name and size."""

TRIES, MOST_TRIES = 200, 20_000
"""How often `Moment.resample` draws before it builds a past that fits, and before it gives up."""


EVERYBODY = -1
"""In an event, in place of a seat: chance showed the card to both players, and nobody holds it."""


class Event(NamedTuple):
    """One step of the past. seat: whose it was, or `EVERYBODY`. number: of the action, or the card if it was drawn by chance."""

    seat: int
    number: int
    drawn: bool = False


class Arrays(NamedTuple):
    """What a `VectorGames` of n games writes: the columns of `learn.VectorEnv`.

    observations: float32, shape (n, size of an observation). masks: int8, shape (n, actions). rewards: float64, shape (n,).
    over, illegal: uint8, shape (n,). seats: int8, shape (n,): whose view is observed
    """

    observations: np.ndarray
    masks: np.ndarray
    rewards: np.ndarray
    over: np.ndarray
    illegal: np.ndarray
    seats: np.ndarray

    @classmethod
    def of(cls, steps: Steps[Any], count: int) -> Arrays:
        """Zeros, for `count` games."""
        size = sum(length for _, length in steps.observation_layout)
        observations, masks = np.zeros((count, size), np.float32), np.zeros((count, steps.actions), np.int8)
        over, illegal = np.zeros((2, count), np.uint8)
        return cls(observations, masks, np.zeros(count), over, illegal, np.zeros(count, np.int8))


class VectorGames(Protocol):
    """Many games at once, in a kernel. Places start..stop-1 are done by one call; -1, or the first place without a game."""

    def seed(self, seeds: np.ndarray) -> None:
        """Game i plays the games of seeds[i], from number 0 on."""

    def go_on_as(self, other: Any) -> None:
        """Goes on where other games of the same kind are, whose arrays were copied."""

    def begin_range(self, start: int, stop: int, in_order: bool = False) -> int:
        """Begins new games at these places."""

    def step_range(self, actions: np.ndarray, start: int, stop: int) -> int:
        """Plays an action in each of these games; where the game was over, a new one begins."""

    def sample_range(self, actions: np.ndarray, start: int, stop: int) -> None:
        """Writes a legal action of each of these games, all equally likely."""


class Steps(ABC, Generic[S]):
    """A game with its options and its start. All parts are REQUIRED unless they say something else.

    whole_game:    what reads and begins positions and views
    parameters: every option with its default; docs/learners.md lists them
    every_action: the actions of the game's `State` in the order of their numbers; a deck may have fewer
    foreign:    the words about an action that is not among them. OPTIONAL
    rules:      of the game
    actions:    how many numbers of actions there are; the numbers are 0..actions-1, and a number always means the same
    cards:      the numbers of all cards, ascending; chance draws these
    layout:     the parts of `seen`
    longest:    no game has more actions of players than this
    most:       no player's return is above this, or below its negative

    A subclass sets the first four; `set_up` sets the others by the options. Raises `ArgumentError` or another `BacktrickError`
    for wrong options.
    """

    whole_game: ClassVar[WholeGame[Any, Any, Any]]
    parameters: ClassVar[Mapping[str, Given]]
    every_action: ClassVar[Sequence[Any]]
    foreign: ClassVar[str] = "is not an action of this game"
    rules: Any
    actions: int
    cards: tuple[int, ...]
    layout: Layout
    longest: int
    most: float

    def __init__(self, **given: Given):
        self.given = {name: _read(name, given.get(name, default), default) for name, default in self.parameters.items()}
        if unknown := sorted(set(given) - set(self.parameters)):
            raise ArgumentError(f"{unknown[0]!r} is not a parameter; there are {', '.join(self.parameters)}")
        self.set_up()
        state, self.begun = self._first(str(self.given["position"]))
        self.start: Moment[S] = Moment(self, state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Steps) and (type(self), self.given) == (type(other), other.given)

    def __hash__(self) -> int:
        return hash((type(self), *self.given.values()))

    @abstractmethod
    def set_up(self) -> None:
        """Sets the parts above by the options in `given`."""

    def first_state(self) -> S:
        """The state of a whole game before the deal. OPTIONAL: without, by the rules alone."""
        state: S = self.whole_game.state.start(self.rules)
        return state

    def number(self, action: Any) -> int:
        """The number of an action of the game's `State`. Raises `ArgumentError` for one that no deck has."""
        try:
            return self._numbers[action]
        except KeyError:
            raise ArgumentError(f"{action} {self.foreign}") from None

    def action(self, number: int) -> Any:
        """The action of a number 0..actions-1."""
        return self.every_action[number]

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        return {action: number for number, action in enumerate(self.every_action)}

    # OPTIONAL: whole turns. Without: a turn is one action.

    def numbers_of(self, turn: Any) -> tuple[int, ...]:
        """The numbers of the actions of a whole turn. Raises `ArgumentError` as `number` does."""
        return (self.number(turn),)

    def turn_of(self, numbers: Sequence[int]) -> Any:
        """The whole turn that is made of the actions of these numbers. It undoes `numbers_of`."""
        return self.action(numbers[0])

    def turns(self, position: Any) -> tuple[np.ndarray, np.ndarray]:
        """Every legal turn of an endgame: packed, shape (n,), and the numbers of its actions, -1 after the last, shape (n, m)."""
        game = self.whole_game.game
        turns = list(game.legal_turns(position, self.rules))
        numbers = list(zip_longest(*map(self.numbers_of, turns), fillvalue=-1))
        packed = np.array(list(map(game.pack_turn, turns)), game.turn_dtype)
        return packed, np.array(numbers, np.int16).T.reshape(len(turns), max(len(numbers), 1))

    def legal(self, state: S) -> list[int]:
        """The numbers of the legal actions of the player to move, ascending. OPTIONAL: a faster way than asking the state."""
        return sorted(map(self.number, state.legal()))

    def card(self, number: int) -> int | None:
        """The card that an action takes out of the hand; None if it takes none. OPTIONAL: without, the action's `card`."""
        return getattr(self.action(number), "card", None)

    @abstractmethod
    def hand(self, state: S, seat: int) -> tuple[int, ...]:
        """The cards in the hand of a seat."""

    @abstractmethod
    def cards_of(self, view: Any) -> tuple[Iterable[int], Iterable[int]]:
        """The cards in the hand of a view's player, and those that the opponent may hold."""

    def placed(self, view: Any, hand: tuple[int, ...]) -> S:
        """The state that shows a view to seat 0, if the opponent holds `hand` and the order of the piles is not known."""
        world = view.world(Stream(0, 0))
        return self.with_hand(self.with_hand(world, 0, self.hand(world, 0)), 1, hand)

    @abstractmethod
    def world_hand(self, state: S, seat: int, known: frozenset[int], numbers: Stream) -> tuple[int, ...]:
        """A hand that the other player may hold as far as a seat sees, all equally likely; it has the cards `known`."""

    @abstractmethod
    def with_hand(self, state: S, seat: int, hand: tuple[int, ...]) -> S:
        """The state with another hand of a seat, whose cards were in its hand or a draw pile of unknown order."""

    def any_past_fits(self) -> bool:
        """True if what was played reveals nothing about the hidden cards. OPTIONAL: without, each past is played again."""
        return False

    def vector_games(self, arrays: Arrays, starts: np.ndarray | None, opponent: str | None, seat: int | None) -> VectorGames:
        """Games for `learn.VectorEnv`. starts: packed endgames, None for whole games. opponent: a policy of the game, None if both
        seats learn. seat: of the learner, None for either. OPTIONAL: without, there is no such environment.

        Raises `BacktrickError` for starts that are not well-formed and for a policy that does not exist.
        """
        raise ArgumentError(f"{self.whole_game.game.title} has no batched environment")

    def play_out(self, state: S, seed: int, count: int) -> float | None:
        """What `count` games of random actions from a moment of a player are worth to seat 0, on average.

        None where no kernel plays them: if the order of a pile is known. OPTIONAL: without, always None.
        """
        return None

    def returns(self, state: S) -> tuple[float, float]:
        """What a game that is over is worth to seat 0 and seat 1; they add up to 0. OPTIONAL: without, 1 for the winner."""
        won = 0.0 if state.winner is None else 1.0 - 2 * state.winner
        return won, -won

    @abstractmethod
    def seen_text(self, state: S, seat: int, known: frozenset[int]) -> str:
        """What a seat sees now, as text; with `is_open` all cards. known: cards of the opponent's hand that it knows."""

    @abstractmethod
    def seen(self, state: S, seat: int, known: frozenset[int]) -> Iterator[Floats]:
        """The same as numbers: the parts of `layout` in order."""

    # What follows is the same for every game.

    @cached_property
    def kernel(self) -> Any:
        """The kernel of `vector_games` without games of its own: it plays out those of others."""
        return self.vector_games(Arrays.of(self, 0), None, None, None)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy begins with: its kernel is made anew."""
        return {name: held for name, held in self.__dict__.items() if name != "kernel"}

    def _first(self, text: str) -> tuple[S, Start]:
        """The first state, and what kind of start it is. text: of a position or a view, '' for a whole game."""
        if not text:
            return self.first_state(), Start()
        view: Any = self.whole_game.game.parse(text, self.rules)
        position = view.position if isinstance(view, self.whole_game.view) else view
        if position is not None:
            return self.whole_game.state.begin(position, self.rules), Start(str(position), True)
        hand, unplaced = map(frozenset, self.cards_of(view))
        return self.placed(view, ()), Start(str(view), False, view, hand, unplaced, view.hand_size)

    @property
    def chance_numbers(self) -> int:
        """The numbers that chance draws are below this: they are the cards themselves."""
        return self.cards[-1] + 1

    @property
    def is_open(self) -> bool:
        """True if all cards are open and there is no chance: the start is a position."""
        return self.begun.is_open

    @property
    def observation_layout(self) -> Layout:
        """The parts of `Moment.observation`."""
        return (("player", 2), ("to_move", 2), *self.layout)

    @property
    def information_layout(self) -> Layout:
        """The parts of `Moment.information`."""
        past = (("played_by_0", self.actions), ("played_by_1", self.actions), ("drawn", len(self.cards)))
        return (*self.observation_layout, *past)

    def read_number(self, number: object) -> int:
        """The number of an action. Raises `ArgumentError` for anything else."""
        read = whole(number)
        if read is None or not 0 <= read < self.actions:
            raise ArgumentError(f"the number of an action must be 0..{self.actions - 1}, not {shown(number)}")
        return read

    def text(self, number: SupportsIndex) -> str:
        """An action in notation."""
        return str(self.action(self.read_number(number)))

    def one_hot(self, place: int, size: int) -> Floats:
        """Zeros, and a one at a place."""
        found = np.zeros(size, np.float32)
        found[place] = 1
        return found

    def of_cards(self, cards: Iterable[int]) -> Floats:
        """A one for each of the cards, in the order of `cards`."""
        found = np.zeros(len(self.cards), np.float32)
        found[[self.places[card] for card in cards]] = 1
        return found

    def in_order(self, cards: Sequence[int]) -> Floats:
        """For each card its place in a row of cards, from 1 on, as a share of the deck; 0 if it is not in it."""
        found = np.zeros(len(self.cards), np.float32)
        found[[self.places[card] for card in cards]] = np.arange(1, len(cards) + 1) / len(self.cards)
        return found

    @cached_property
    def places(self) -> dict[int, int]:
        """The place of each card in `cards`."""
        return {card: place for place, card in enumerate(self.cards)}


@dataclass(frozen=True, slots=True)
class Start:
    """Where a game begins.

    text:     of the position or the view; '' for a whole game
    is_open:  True for a position
    view, hand, unplaced, to_place: if it begins with a view, the view, the hand of its player, the cards that the opponent may
              hold, and how many it holds
    """

    text: str = ""
    is_open: bool = False
    view: Any = None
    hand: frozenset[int] = frozenset()
    unplaced: frozenset[int] = frozenset()
    to_place: int = 0


@dataclass(frozen=True, slots=True)
class Moment(Generic[S]):
    """One moment of a game. It never changes: `apply` and `draw` give the next one, so that a copy costs nothing.

    state: of the game. events: the steps so far, by both players and by chance.
    """

    steps: Steps[S]
    state: S
    events: tuple[Event, ...] = ()

    def __copy__(self) -> Moment[S]:
        return self

    def __deepcopy__(self, memo: object) -> Moment[S]:
        return self

    @property
    def begun(self) -> Start:
        """Where the game began."""
        return self.steps.begun

    @property
    def to_move(self) -> int:
        """The seat to move, 0 or 1; `CHANCE`; `GAME_OVER`."""
        return CHANCE if len(self.events) < self.begun.to_place else self.state.to_move

    def legal(self) -> list[int]:
        """The numbers of the legal actions, ascending; none if no player is to move. Each can be completed to a legal turn."""
        return [] if self.to_move < 0 else self.steps.legal(self.state)

    def apply(self, number: int) -> Moment[S]:
        """The moment after an action of the player to move. Raises `BacktrickError`, which names the rule."""
        seat = self.to_move
        if seat < 0:
            raise ArgumentError("no player is to move: " + ("the game is over" if seat == GAME_OVER else "a card is to be drawn"))
        action = self.steps.read_number(number)
        return replace(self, state=self.state.apply(self.steps.action(action)), events=(*self.events, Event(seat, action)))

    def chance(self) -> list[tuple[int, float]]:
        """The cards that chance may draw, ascending, each with its probability; none unless `to_move` is `CHANCE`."""
        if len(self.events) >= self.begun.to_place:
            return sorted(self.state.chance().items())
        cards = sorted(self._unplaced())
        return [(card, 1 / len(cards)) for card in cards]

    def draw(self, card: int) -> Moment[S]:
        """The moment after chance drew a card. Raises `BacktrickError` if it cannot be drawn."""
        number = whole(card)
        if number is None:
            raise ArgumentError(f"a card must be a whole number, not {shown(card)}")
        if len(self.events) >= self.begun.to_place:
            state = self.state.draw(number)
            hands = ((seat, self.steps.hand(state, seat), self.steps.hand(self.state, seat)) for seat in (0, 1))
            seat = next((seat for seat, after, before in hands if after != before), EVERYBODY)
            return replace(self, state=state, events=(*self.events, Event(seat, number, True)))
        if number not in self._unplaced():
            raise ArgumentError(f"{number} cannot be placed: the player to move sees it, or it is placed already")
        events = (*self.events, Event(1, number, True))
        hand = tuple(event.number for event in events)
        return replace(self, state=self.steps.placed(self.begun.view, hand), events=events)

    def returns(self) -> tuple[float, float]:
        """What the game is worth to seat 0 and seat 1; 0 as long as it goes on."""
        return self.steps.returns(self.state) if self.to_move == GAME_OVER else (0.0, 0.0)

    def known(self, seat: int) -> frozenset[int]:
        """The cards of the other player's hand that a seat knows: all if the cards are open; those of a view at the start."""
        hand = self.steps.hand(self.state, 1 - seat)
        if self.steps.is_open:
            return frozenset(hand)
        return self.begun.hand.intersection(hand) if seat else frozenset()  # a card that was laid does not come back

    def observation_text(self, seat: int) -> str:
        """What a seat sees now, as text."""
        _check_seat(seat)
        who = {CHANCE: "chance", GAME_OVER: "nobody"}.get(self.to_move, str(self.to_move))
        return f"seat {seat}, {who} to move: {self.steps.seen_text(self.state, seat, self.known(seat))}"

    def information_text(self, seat: int) -> str:
        """All that a seat has seen, as text: the start, own cards drawn, how many the opponent drew, every action.

        Cards that are drawn together are ascending: no player moves between them.
        """
        _check_seat(seat)
        return f"seat {seat} {self._told(seat)}".rstrip()

    def __str__(self) -> str:
        """The start and every step, drawn cards of both players too."""
        return self._told(None) or "start"

    def _told(self, seat: int | None) -> str:
        words = [self.begun.text] if self.begun.text else []
        for (who, drawn), events in groupby(self.events, key=lambda event: (event.seat, event.drawn)):
            if not drawn:
                words += (f"{who}:{self.steps.text(event.number)}" for event in events)
            elif who == EVERYBODY:
                words += (f"+{event.number}" for event in events)
            elif seat in (who, None):
                words.append(f"{who}+" + ",".join(str(event.number) for event in sorted(events)))
            else:
                words.append(f"{who}+?{len(list(events))}")
        return " ".join(words)

    def observation(self, seat: int) -> Floats:
        """What a seat sees now: float32, the parts of `Steps.observation_layout` in a row."""
        return np.concatenate(list(self.observation_parts(seat)))

    def information(self, seat: int) -> Floats:
        """All that a seat has seen: float32, the parts of `Steps.information_layout` in a row.

        The past is when each action was last played and each own card drawn, as a share of the longest game; 0 for never.
        """
        return np.concatenate(list(self.information_parts(seat)))

    def observation_parts(self, seat: int) -> Iterator[Floats]:
        """The parts of `observation`."""
        _check_seat(seat)
        yield self.steps.one_hot(seat, 2)
        yield self.steps.one_hot(self.to_move, 2) if self.to_move >= 0 else np.zeros(2, np.float32)
        yield from self.steps.seen(self.state, seat, self.known(seat))

    def information_parts(self, seat: int) -> Iterator[Floats]:
        """The parts of `information`."""
        yield from self.observation_parts(seat)
        steps = self.steps
        played = np.zeros((2, steps.actions), np.float32)
        drawn = np.zeros(len(steps.cards), np.float32)
        when, last = 0, (-1, False)
        for place, (who, number, by_chance) in enumerate(self.events, 1):
            if not by_chance:
                played[who, number] = place / self._horizon
            elif who in (seat, EVERYBODY):
                when = when if last == (who, True) else place  # cards that are drawn together have one time
                drawn[steps.places[number]] = when / self._horizon
            last = (who, by_chance)
        yield played[0]
        yield played[1]
        yield drawn

    def resample(self, seat: int, numbers: Stream) -> Moment[S]:
        """A moment that looks the same to a seat, its past too: all cards that the seat cannot see are drawn again.

        Every past in which both players could play what they played is equally likely. The real hidden cards have no part in it.
        Where a play reveals much about a hand (`forced_only`), `TRIES` may not suffice; then a past that fits is built, and
        not all are equally likely. Raises `ArgumentError` if none is found.
        """
        _check_seat(seat)
        if self.steps.is_open:
            return self
        held: set[tuple[int, int]] = set()  # a card, and the place of an event at which the opponent cannot have held it
        for tried in range(MOST_TRIES):
            hand = self.steps.world_hand(self.state, seat, self.known(seat), numbers)
            past = self._past(1 - seat, hand, held, numbers, uniform=tried < TRIES)
            if past is not None and (moment := self._fitted(past, 1 - seat, hand, held)):
                return moment
        raise ArgumentError(f"no hidden cards that fit the past of seat {seat} were found in {MOST_TRIES:,} tries")

    def _past(
        self, other: int, hand: tuple[int, ...], held: set[tuple[int, int]], numbers: Stream, uniform: bool
    ) -> list[Event] | None:
        """The events with new cards for those that `other` drew, so that it now holds `hand`; None if that does not fit `held`.

        The past is walked backwards. What `other` draws is one of the cards that it holds afterwards, all equally likely. The
        same number of pasts continues from each of them, so all pasts are equally likely.
        """
        cards, events = list(hand), list(self.events)
        for place in range(len(events) - 1, -1, -1):
            seat, number, drawn = events[place]
            if seat != other:
                continue
            if drawn:
                able = cards if seat == 1 else [card for card in cards if card not in self.begun.hand]
                if not able:
                    return None
                if uniform:
                    card = able[numbers.below(len(able))]
                else:
                    card = max(numbers.shuffled(able), key=lambda card: _latest(held, card, place))
                events[place] = Event(seat, card, True)
                cards.remove(card)
            else:
                if any((card, place) in held for card in cards):
                    return None
                if (played := self.steps.card(number)) is not None:
                    cards.append(played)
        return events

    def _fitted(
        self, events: list[Event], other: int, hand: tuple[int, ...], held: set[tuple[int, int]]
    ) -> Moment[S] | None:
        """The moment after these events, which leave `other` with a hand; None if they are not possible."""
        if len(events) < self.begun.to_place or not self.steps.any_past_fits():
            return self._replayed(events, other, held)
        state = self.steps.with_hand(self.state, other, hand)
        if state.to_move == other and not state.legal():
            return None  # it would be stuck here, and is not
        return replace(self, state=state, events=tuple(events))

    def _replayed(self, events: list[Event], other: int, held: set[tuple[int, int]]) -> Moment[S] | None:
        """The moment after these events; None if one is not possible. Then `held` may learn why."""
        steps, placed = self.steps, self.begun.to_place
        hand = tuple(event.number for event in events[:placed])
        state = steps.placed(self.begun.view, hand) if hand else steps.start.state
        for place, (seat, number, drawn) in enumerate(events[placed:], placed):
            try:
                state = state.draw(number) if drawn else state.apply(steps.action(number))
            except BacktrickError:
                if seat == other and steps.card(number) is None:
                    held |= {(card, place) for card in map(steps.card, steps.legal(state)) if card is not None}
                return None
        moment = replace(self, state=state, events=tuple(events))
        return moment if moment.to_move == self.to_move else None

    @property
    def _horizon(self) -> int:
        return self.steps.longest + 2 * len(self.steps.cards)

    def _unplaced(self) -> set[int]:
        return set(self.begun.unplaced).difference(event.number for event in self.events)


def _check_seat(seat: int) -> None:
    if whole(seat) not in (0, 1):
        raise ArgumentError(f"seat must be 0 or 1, not {shown(seat)}")


def deck_of(text: str) -> tuple[int, ...]:
    """The cards of a small deck, ascending, from a parameter such as "12,13,21,31". Raises `ArgumentError`."""
    words = text.split(",")
    if not all(re.fullmatch(r"\s*[0-9]{1,3}\s*", word) for word in words):
        raise ArgumentError(f"cards must be numbers with commas between, not {shortened(text)!r}")
    return tuple(sorted(int(word) for word in words))


def _latest(held: set[tuple[int, int]], card: int, before: int) -> int:
    """Where a card was last seen to be held; -1 if nowhere.

    >>> _latest({(5, 1), (5, 3), (5, 8), (6, 4)}, 5, 8), _latest(set(), 5, 8)
    (3, -1)
    """
    return max((place for one, place in held if one == card and place < before), default=-1)


def _read(name: str, value: object, default: Given) -> Given:
    read = truth(value) if isinstance(default, bool) else whole(value) if isinstance(default, int) else value
    if not isinstance(read, type(default)):
        kind = {bool: "True or False", int: "a whole number", str: "a text"}[type(default)]
        raise ArgumentError(f"{name} must be {kind}, not {shown(value)}")
    return read
