"""Whole games, card by card: states, views, players by name, the worlds that a view leaves, and how a game ends.

A *state* is a whole game at one moment. It knows everything: hands, piles, who is to move, what was laid in this turn. It never
changes: `apply` gives a new one. A pile of known order is a tuple of cards, the next one first. A pile of unknown order is a
frozenset, and drawing from it is chance. With empty piles nothing is drawn, and a state between two turns is an endgame position.

A *view* is what one player may see of a state. A *player* is a function from a view to a turn, and knows nothing else:

    frugal              a player of the game
    random:seed=3       one with settings

A game lists its players in its `players.py`, a line each: `PLAYERS = PlayerSpecs({"frugal": PlayerSpec("...", make), ...})`.

A *world* is a whole game that shows a view to its player, who is seat 0 and to move: the hidden cards have places. Worlds that
differ only in what can never matter are one, if a game says so. All worlds are equally likely unless a belief says otherwise.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from operator import index
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar, Union

import numpy as np

from backtrick.arguments import checked
from backtrick.errors import ArgumentError
from backtrick.execution import Budget
from backtrick.random import SEEDS, Stream
from backtrick.values import refused, shortened, shown

if TYPE_CHECKING:
    from backtrick.game import Game

A = TypeVar("A")
V = TypeVar("V", bound="View")
P = TypeVar("P")
T = TypeVar("T")
S = TypeVar("S", bound="State[Any, Any, Any]")  # typing.Self comes with Python 3.11
Setting = Union[int, float, str]  # noqa: UP007, it is made when the module is read

CHANCE, GAME_OVER = -1, -2
"""What `to_move` is if no player is to move: a card is to be drawn, or the game is over."""

Player = Callable[[V], A]
"""A function from what a player may see to a legal turn. It gets nothing else."""


class Result(NamedTuple):
    """How a game ended: the seat that won, None for a draw; the points of both seats; and why."""

    winner: int | None
    points: tuple[int, int]
    reason: str


class View:
    """What one player may see of a state, and nothing else. `str` writes it in notation. All parts are OPTIONAL."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    @classmethod
    def parse(cls: type[V], text: str, *, rules: Any = None) -> V:
        """The view that `text` names, of the player to move. Raises `BacktrickError`. Without: there are no odds."""
        raise ArgumentError("this game has no views in notation")

    def record(self) -> dict[str, object]:
        """All that the player may know as plain values for JSON, by name. Without: the text says it."""
        return {}

    def world(self, numbers: Stream) -> State[Any, Any, Any]:
        """A state that shows this view to seat 0, which is to move: the hidden cards in random order, all orders equally likely.

        So `view.world(numbers).view(0) == view`. A view does not say which seat it is of, so its player gets seat 0. Without: no
        player can look ahead.
        """
        raise NotImplementedError("this game has no worlds")


class State(ABC, Generic[A, V, P]):
    """A whole game of two players at one moment. A, V, P: its actions, views and endgame positions.

    REQUIRED are `to_move`, `legal`, `apply` and `view`; all else has a default, for a game without chance and points.

    An action is the smallest thing that a player decides: one card laid, or the end of a turn. Seat 0 begins the game.
    """

    __slots__ = ()

    def __copy__(self: S) -> S:
        return self  # it never changes

    def __deepcopy__(self: S, memo: object) -> S:
        return self

    def __repr__(self) -> str:
        moves = {CHANCE: "chance draws", GAME_OVER: "over"}.get(self.to_move, f"seat {self.to_move} to move")
        return f"<{type(self).__name__}, {moves}: {self._seen()!r}>"

    def _repr_html_(self) -> str | None:
        return getattr(self._seen(), "_repr_html_", lambda: None)()

    def _seen(self) -> P | V:
        """The position if all cards are known, else what the player to move sees."""
        return self.position() or self.view(max(self.to_move, 0))

    @property
    @abstractmethod
    def to_move(self) -> int:
        """The seat that is to move, 0 or 1; `CHANCE` if a card is to be drawn; `GAME_OVER`."""

    @abstractmethod
    def legal(self) -> tuple[A, ...]:
        """The actions of the player to move, in a fixed order: at least one, or none if no player is to move."""

    @abstractmethod
    def apply(self: S, action: A) -> S:
        """The state after an action. Raises `BacktrickError` that names the rule if it is not legal."""

    @abstractmethod
    def view(self, seat: int) -> V:
        """What the player in a seat may see."""

    # OPTIONAL: chance. Without: there is none.

    def chance(self) -> Mapping[int, float]:
        """The cards that may be drawn now, each with its probability; empty unless `to_move` is `CHANCE`."""
        return {}

    def draw(self: S, card: int) -> S:
        """The state after chance drew a card. Raises `BacktrickError` if it cannot be drawn."""
        raise ArgumentError(f"{card} cannot be drawn: this game has no chance")

    def cards_to_come(self) -> int:
        """How many cards the larger draw pile has."""
        return 0

    # OPTIONAL: where a game begins. Without: no matches.

    @classmethod
    def start(cls: type[S], rules: Any) -> S:
        """A whole game before the deal: chance has still to draw every card."""
        raise NotImplementedError("this game has no whole games")

    @classmethod
    def deal(cls: type[S], deck: Any, rules: Any) -> S:
        """The state after the deal of a deck, as `WholeGame.decks_of` makes it. Seat 0 begins."""
        raise NotImplementedError("this game has no whole games")

    @classmethod
    def begin(cls: type[S], position: Any, rules: Any) -> S:
        """The state of a deal or an endgame, its mover in seat 0."""
        raise NotImplementedError("this game has no whole games")

    def position(self) -> P | None:
        """The position of the player to move, between two turns and if the order of every pile is known; else None."""
        return None

    # OPTIONAL: whole turns. Without: a turn is one action.

    def play(self: S, turn: Any) -> S:
        """The state after a whole turn of the player to move. Raises `BacktrickError` that names the rule."""
        return self.apply(turn)

    @checked
    def ask(self, player: Player[Any, Any], read: Callable[[Any], Any]) -> Any:
        """The whole turn of a player, which sees its view and nothing else. read: a turn of what it answers.

        Raises `BacktrickError` for an answer that is not a turn. A turn need not be legal: `play` checks that.
        """
        return read(player(self.view(self.to_move)))

    # OPTIONAL: how it ends. Without: values are points to come.

    @property
    def points(self) -> tuple[int, int]:
        """The points of seat 0 and seat 1 so far; 0 in a game without points."""
        return 0, 0

    @property
    def winner(self) -> int | None:
        """The seat that has won, by points; None if the game is still going on or ended without a winner."""
        first, second = self.points
        return None if self.to_move != GAME_OVER or first == second else int(second > first)

    def reason(self) -> str:
        """Why a game that is over has ended, in a few words."""
        return "points"

    @checked
    def result_worth(self, value: Any, reason: str) -> Result:
        """The result if the rest of the game is worth `value`, as the game measures it, to the player to move."""
        first, second = self.points
        value = index(value)
        points = (first + value, second) if self.to_move == 0 else (first, second + value)
        return Result(None if points[0] == points[1] else int(points[1] > points[0]), points, reason)


@dataclass(frozen=True, slots=True)
class PlayerSpec(Generic[V, T]):
    """A kind of player.

    about:    a line for people
    make:     the function that makes a player of settings, given by name
    settings: their defaults by name; a setting has the type of its default
    """

    about: str
    make: Callable[..., Player[V, T]]
    settings: Mapping[str, Setting] = field(default_factory=dict)


class PlayerSpecs(dict[str, PlayerSpec[V, T]], Generic[V, T]):
    """The kinds of players of a game, by name.

    >>> kinds = PlayerSpecs({"add": PlayerSpec("adds to the view", lambda step: lambda view: view + step, {"step": 1})})
    >>> kinds.player("add")(7), kinds.player("add:step=3")(7)
    (8, 10)
    >>> kinds.player("add:steps=3")
    Traceback (most recent call last):
    backtrick.errors.ArgumentError: player 'add:steps=3': add has no setting 'steps', only step
    """

    def player(self, text: str) -> Player[V, T]:
        """The player that `text` names, NAME or NAME:SETTING=VALUE,... Raises `ArgumentError`."""
        kind, given = self.settings(text)
        try:
            return kind.make(**given)
        except ArgumentError as error:
            raise ArgumentError(f"player {shortened(text)!r}: {error}") from None

    def settings(self, text: str) -> tuple[PlayerSpec[V, T], dict[str, Setting]]:
        """The kind of the player that `text` names, and all its settings. Raises `ArgumentError`."""
        name, colon, rest = text.partition(":")
        if name not in self:
            raise ArgumentError(f"unknown player {shortened(name)!r}; there are {', '.join(self)}")
        kind = self[name]
        given, read = dict(kind.settings), set[str]()
        for part in rest.split(",") if colon else ():
            setting, equals, value = part.partition("=")
            if setting in read:
                raise ArgumentError(f"player {shortened(text)!r}: {setting} is given twice")
            if setting not in given or not equals:
                offered = f"only {', '.join(given)}" if given else "and takes none"
                raise ArgumentError(f"player {shortened(text)!r}: {name} has no setting {shortened(setting)!r}, {offered}")
            given[setting] = _read(text, setting, value, type(kind.settings[setting]))
            read.add(setting)
        return kind, given


def _read(text: str, setting: str, value: str, wanted: type) -> Setting:
    try:
        return wanted(value)  # type: ignore[no-any-return]
    except ValueError:
        kind = "a whole number" if wanted is int else "a number"
        raise ArgumentError(f"player {shortened(text)!r}: {setting} must be {kind}, not {shortened(value)!r}") from None


MOST_SECONDS = 86_400


def check_within(name: str, value: float, least: float, most: float) -> None:
    """Raises `ArgumentError`, which names the setting, unless its value is least..most.

    >>> check_within("worlds", 0, 1, 1000)
    Traceback (most recent call last):
    backtrick.errors.ArgumentError: worlds must be 1..1000, not 0
    """
    if not least <= value <= most:
        raise ArgumentError(f"{name} must be {least}..{most}, not {value}")


def numbers_for(seed: int, view: object) -> Stream:
    """Random numbers that depend on a seed and a view alone, so that a player that uses them repeats itself exactly.

    >>> numbers_for(1, "a view").below(100), numbers_for(1, "a view").below(100), numbers_for(2, "a view").below(100)
    (19, 19, 16)
    """
    return Stream(seed % SEEDS, number_for(view))


def key_for(seed: int, view: object) -> int:
    """The seed of many streams of random numbers, 0..2^64-1, that depends on a seed and a view alone: for a stream a world.

    >>> key_for(1, "a view") == key_for(1, "a view"), key_for(1, "a view") == key_for(2, "a view")
    (True, False)
    """
    return number_for(f"{seed} {view}")


def number_for(view: object) -> int:
    """A number 0..2^64-1 that depends on a view alone, as good as random."""
    return int.from_bytes(sha256(str(view).encode()).digest()[:8], "little")


MOST_ITERATIONS = 1 << 20
"""The most iterations of a tree search for one turn: the tree of one with a limit of seconds has room for them."""


class Tree(Protocol):
    """The tree of a search in a kernel. The same iterations of a key give the same tree."""

    def search(self, key: int, first: int, last: int) -> None:
        """Iterations first..last-1 of a key."""


TreeOf = TypeVar("TreeOf", bound=Tree)


def grown_tree(make: Callable[[int], TreeOf], key: int, iterations: int, seconds: float, batch: int) -> TreeOf:
    """A tree after this many iterations of a key, or after as many as the seconds allow, at most `MOST_ITERATIONS`.

    make: the empty tree with room for a number of iterations. batch: iterations between two looks at the clock.
    """
    if not seconds:
        tree = make(iterations)
        tree.search(key, 0, iterations)
        return tree
    tree, ends, done = make(MOST_ITERATIONS), time.perf_counter() + seconds, 0
    while done < MOST_ITERATIONS and time.perf_counter() < ends:
        done, before = min(done + batch, MOST_ITERATIONS), done
        tree.search(key, before, done)
    return tree


class Policies(dict[str, Callable[[V], T]], Generic[V, T]):
    """The policies of a game by name. A policy maps what a player may see to a turn. Kernels know a policy by its place.

    >>> policies = Policies({"low": min, "high": max})
    >>> policies.named("high")([1, 2])
    2
    """

    def named(self, name: str) -> Callable[[V], T]:
        """The policy of a name. Raises `ArgumentError`."""
        if name not in self:
            raise ArgumentError(f"no policy is called {name!r}; there are {', '.join(self)}")
        return self[name]

    def place(self, name: str) -> int:
        """The place of a policy. Raises `ArgumentError`."""
        self.named(name)
        return list(self).index(name)

    def seats(self, names: tuple[str, str], start: int, stop: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Who sits where in games start..stop-1: the places of the policies, uint8, shape (stop - start, 2).

        The policies change seats: in odd games the second one begins. Raises `ArgumentError` if there is no such policy.

        >>> Policies({"low": min, "high": max}).seats(("low", "high"), 0, 3).tolist()
        [[0, 1], [1, 0], [0, 1]]
        """
        first, second = map(self.place, names)
        seats = np.empty((stop - start, 2), np.uint8)
        odd = np.arange(start, stop) % 2
        seats[:, 0], seats[:, 1] = np.where(odd, second, first), np.where(odd, first, second)
        return seats


def read_view(kind: type[V], given: object) -> V:
    """A view of a game, given as one or in notation. Raises `ArgumentError` for anything else, or `NotationError`."""
    if isinstance(given, str):
        return kind.parse(given)
    if not isinstance(given, kind):
        raise ArgumentError(f"view must be a View of this game, or its notation, not {shown(given)}")
    return given


def check_seat(seat: int) -> None:
    """Raises `WrongTypeError` unless a player sits there."""
    if seat not in (0, 1):
        raise refused("seat", "0 or 1", seat)


class Worlds(ABC, Generic[S, T]):
    """The worlds of one view of the player to move, at the beginning of a turn.

    view: what the player sees. count: how many worlds there are. turns: the turns of the player, one for each distinct
    outcome. A turn is legal in one world if it is legal in all, because a player knows which turns it has. budget: for all turns
    of a world together.
    """

    view: Any
    budget: Budget
    count: int
    turns: tuple[T, ...]

    @abstractmethod
    def every(self) -> Iterator[S]:
        """Every world once, `count` in all."""

    def draw(self, numbers: Stream) -> S:
        """A world, all equally likely. OPTIONAL: without, the view's."""
        world: S = self.view.world(numbers)
        return world

    def place(self, turn: T) -> int:
        """The place in `turns` of the one with the same outcome as a legal turn. Raises `BacktrickError` that names the rule.
        OPTIONAL: without, each turn has an outcome of its own."""
        if turn not in self.turns:
            raise ArgumentError(f"the player does not have the turn {turn}")
        return self.turns.index(turn)

    @abstractmethod
    def values(self, world: S) -> np.ndarray:
        """What each turn is worth to its player in a world, with open cards from then on: int64, shape (turns, 2).

        The two numbers are bounds, and equal if the value is known: 1 for a win and 0 for a loss, or the difference of the points
        from here on. Threads call this at the same time.
        """

    def stop(self) -> None:
        """Ends the calls of `values` soon, now and later; their bounds hold, but say less. OPTIONAL: without, they end by
        themselves."""


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Where a game ends by what exact play leads to: where no card is hidden from the player to move, and, with `piles`, at deals
    whose larger draw pile has at most this many cards, if they are solved within `nodes`. A node limit decides alike everywhere.

    >>> print(Adjudication(), Adjudication(8, 20_000), sep="; ")
    where no card is hidden; where no card is hidden, and at deals of R 8 that are solved within 20,000 nodes
    """

    piles: int = 0
    nodes: int = 0

    def __post_init__(self) -> None:
        if self.piles < 0 or self.nodes < 0 or bool(self.piles) != bool(self.nodes):
            raise ArgumentError(f"piles and nodes must be whole numbers above 0, or both 0, not {self.piles} and {self.nodes}")

    def __str__(self) -> str:
        deals = f", and at deals of R {self.piles} that are solved within {self.nodes:,} nodes" if self.piles else ""
        return f"where no card is hidden{deals}"


@dataclass(frozen=True)
class WholeGame(Generic[S, V, T]):
    """Whole games of two players, a turn at a time: what matches and odds ask. A game joins by `WHOLE_GAME` in its module
    `players`.

    game:      whose notation and values it uses
    state, view: its classes
    players:   the kinds of players, by name
    decks_of:  the decks of games start..stop-1 of a seed
    worlds:    the worlds that a view of the player to move leaves; takes a budget for all turns of a world together, None for the
               default of the game. Raises `ArgumentError` for another view
    by_points: True if the players play for points, and a game may be a draw
    deal_budget: for a deal of a recorded game, a second or so
    """

    game: Game[Any, Any, Any]
    state: type[S]
    view: type[V]
    players: PlayerSpecs[V, T]
    decks_of: Callable[[int, int, int], np.ndarray]
    worlds: Callable[[V, Budget | None], Worlds[S, T]]
    by_points: bool = False
    deal_budget: Budget = Budget()

    def deal(self, seed: int, number: int, rules: Any) -> S:
        """The state after the deal of game `number` of a seed, which depends on nothing else. Seat 0 begins."""
        return self.state.deal(self.decks_of(seed, number, number + 1)[0].tolist(), rules)

    def ask(self, player: Player[V, T], state: S) -> T:
        """The whole turn of a player, as `State.ask`."""
        turn: T = state.ask(player, self.game.read_turn)
        return turn

    def adjudicated(self, state: S, where: Adjudication, rules: Any) -> Result | None:
        """What exact play leads to, if `where` says that the game ends here; else None. The reason is `ADJUDICATED`, or
        `SOLVED` where cards were still to come."""
        if (open_cards := state.view(state.to_move).position) is not None:
            return state.result_worth(self.game.bounds(open_cards, rules).lowest, ADJUDICATED)
        if where.piles and state.cards_to_come() <= where.piles and (deal := state.position()) is not None:
            bounds = self.game.bounds(deal, rules, Budget(nodes=where.nodes, table_mib=ADJUDICATION_MIB))
            return state.result_worth(bounds.lowest, SOLVED) if bounds.solved else None
        return None

    def result(self, state: S) -> Result | None:
        """How a game ended; None if it goes on."""
        if state.to_move != GAME_OVER:
            return None
        return Result(state.winner, state.points, state.reason())


AnyWholeGame = WholeGame[Any, Any, Any]
"""Of any game: only the contract is known."""

ADJUDICATED, SOLVED = "adjudicated", "solved deal"
"""The reasons of games that were ended by their exact value: no card was hidden; cards were still to come, and all were known."""

ADJUDICATION_MIB = 64
"""The memory for a deal. With the node limit it decides whether the deal is solved, so it is always the same."""
