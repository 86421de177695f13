"""What every turn and every action of many endgames is worth, as arrays. Actions have the numbers of `backtrick.play.steps`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from backtrick.any_game import with_game
from backtrick.errors import ArgumentError
from backtrick.game import AnyGame, SolveOptions
from backtrick.games import steps_of
from backtrick.given import shown, whole
from backtrick.notation import F64s, I64s, Integers, Positions, Turns, as_positions
from backtrick.play.steps import Moment, Steps
from backtrick.progress import bar

POSITIONS = 1 << 12
"""Positions whose outcomes are held at once, each of up to a thousand."""


@dataclass(frozen=True, repr=False, eq=False)
class TurnValues:
    """What the turns of n positions are worth: m turns in all, one for each distinct outcome of a position.

    positions: as they were asked, shape (n,)
    offsets:   the turns of position i are at offsets[i]:offsets[i + 1], int64, shape (n + 1,)
    turns:     packed, shape (m,)
    values:    the mover's value if the turn is played, in the measure of the game, shape (m,)
    """

    game: AnyGame
    rules: Any
    positions: Positions
    offsets: I64s
    turns: Turns
    values: Integers

    def __repr__(self) -> str:
        return f"<TurnValues of {len(self.positions):,} positions of {self.game.title}: {len(self.turns):,} turns>"

    @property
    def counts(self) -> np.ndarray:
        """How many turns each position has; 0 if the game is over: int64, shape (n,)."""
        return np.diff(self.offsets)

    @property
    def places(self) -> np.ndarray:
        """The place of the position of each turn: int64, shape (m,)."""
        return np.repeat(np.arange(len(self.positions)), self.counts)

    @cached_property
    def payoffs(self) -> np.ndarray:
        """What the mover gets in the end if the turn is played and all play is exact from then on: float64, shape (m,)."""
        return self.game.payoffs(self.values)

    @cached_property
    def regrets(self) -> np.ndarray:
        """The payoff of a best turn minus that of the turn, at least 0: float64, shape (m,)."""
        lost: np.ndarray = self._best(self.payoffs) - self.payoffs
        return lost

    @cached_property
    def optimal(self) -> np.ndarray:
        """True where no turn of the position has a better value: bool, shape (m,)."""
        known, place = np.unique(self.values, return_inverse=True)
        ranks = np.array([self.game.preference(value) for value in known.tolist()], np.int64)[place.reshape(-1)]
        best: np.ndarray = ranks == self._best(ranks)
        return best

    def of(self, place: int) -> list[tuple[Any, int]]:
        """The turns of the position at a place, each with its value, best first. Raises `ArgumentError` for a wrong place."""
        if whole(place) is None or not 0 <= place < len(self.positions):
            raise ArgumentError(f"the places of the positions must be 0..{len(self.positions) - 1}, not {shown(place)}")
        part = slice(*self.offsets[place : place + 2].tolist())
        turns = map(self.game.unpack_turn, self.turns[part].tolist())
        found = list(zip(turns, self.values[part].tolist(), strict=True))
        return sorted(found, key=lambda one: -self.game.preference(one[1]))

    def _best(self, numbers: np.ndarray) -> np.ndarray:
        """The greatest of the numbers of a position, for each of its turns."""
        there = self.counts > 0
        greatest = np.maximum.reduceat(numbers, self.offsets[:-1][there]) if there.any() else numbers[:0]
        return np.repeat(greatest, self.counts[there])


def turn_values(positions: Any, rules: Any = None, threads: int | None = None, progress: bool | None = None) -> TurnValues:
    """What every turn of every endgame is worth.

    positions: of one game: an array of its POSITION_DTYPE, or what its `pack` takes. rules: None for the published game.
    threads: None for one per core. progress: None for a bar on a terminal and lines in a log.
    Raises `ArgumentError` if there is no position, and `BacktrickError` for one that is not a well-formed endgame.

    A turn takes 9 bytes, or 2 in Take That; an endgame of self-play has 200 in Face to Face and 6 in Take That.

    >>> from backtrick.face_to_face import Position
    >>> found = turn_values([Position.parse("27^40v:17,18 13^50v:5,12"), Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44")])
    >>> found.counts, found.values[:3], found.payoffs[:3]
    (array([ 3, 16]), array([1, 1, 1], dtype=uint8), array([1., 1., 1.]))
    >>> for turn, value in found.of(1)[:2]:
    ...     print(turn, value)
    16v 18v' 3
    16v 18^' 2
    """
    game, array = read_positions(positions)
    rules = game.read_rules(rules)
    parts = []
    with bar(len(array), "turns", "positions", progress) as shown:
        for start in range(0, len(array), POSITIONS):
            rows, offsets = game.outcomes_many(array[start : start + POSITIONS], threads, rules, False)
            parts.append((rows["turn"].copy(), rows["value"].copy(), np.diff(offsets)))
            shown.update(len(array[start : start + POSITIONS]))
    turns, values, counts = zip(*parts, strict=True)
    every = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    return TurnValues(game, rules, array, every, np.concatenate(turns), np.concatenate(values))


def read_positions(given: Any) -> tuple[AnyGame, np.ndarray]:
    """The game of endgames, and the endgames packed. Raises `ArgumentError` if there is none, or `BacktrickError`."""
    game, given = with_game(given)
    array = as_positions(given, game.position_dtype, game.pack)
    if not len(array):
        raise ArgumentError("positions must be one or more, and there is none")
    return game, np.ascontiguousarray(array)


MOMENTS = 1 << 8
"""Moments whose turns are judged at once, each of up to tens of thousands."""


@dataclass(frozen=True, repr=False, eq=False)
class ActionValues:
    """What the actions of n moments are worth to the player to move, by their numbers.

    values: in the measure of the game, NaN where the action is not legal: float64, shape (n, number of actions)

    A turn that is half played is worth the best of its completions.
    """

    game: AnyGame
    values: F64s

    def __repr__(self) -> str:
        return f"<ActionValues of {len(self.values):,} moments of {self.game.title}>"

    @property
    def legal(self) -> np.ndarray:
        """True where the action is legal: bool, the same shape."""
        legal: np.ndarray = ~np.isnan(self.values)
        return legal

    @cached_property
    def payoffs(self) -> np.ndarray:
        """What the player gets from here on if all play is exact after the action; NaN where it is not legal."""
        paid = self.game.payoffs(np.nan_to_num(self.values).astype(np.int64))
        return np.where(self.legal, paid, np.nan)

    @cached_property
    def regrets(self) -> np.ndarray:
        """The payoff of a best action minus that of the action, at least 0; NaN where it is not legal."""
        best = np.max(self.payoffs, axis=1, keepdims=True, initial=-np.inf, where=self.legal)
        lost: np.ndarray = np.where(self.legal, best, np.nan) - self.payoffs
        return lost

    @cached_property
    def optimal(self) -> np.ndarray:
        """True where the action is legal and no other one has a better value: bool, the same shape."""
        ranks = np.full(self.values.shape, -np.inf)
        for value in np.unique(self.values[self.legal]).tolist():
            ranks[self.values == value] = self.game.preference(int(value))
        best: np.ndarray = self.legal & (ranks == ranks.max(axis=1, keepdims=True))
        return best


class _Asked(NamedTuple):
    """A turn that was begun: the endgame before it, None if no player is to move, and the actions of the turn so far."""

    position: Any
    played: tuple[int, ...] = ()


def action_values(given: Any, rules: Any = None, threads: int | None = None, progress: bool | None = None) -> ActionValues:
    """What every action is worth in endgames, at the beginning of a turn or in the middle of one.

    given: a sequence of moments of one game; or positions, as in `turn_values`, each at the beginning of a turn.
    rules: of the positions, None for the published game; moments know theirs. threads, progress: as in `turn_values`.

    A moment takes 8 bytes for each number of an action, 1.8 KiB in Face to Face. One at which no player is to move has no legal
    action. Raises `ArgumentError` if nothing is given or moments of several games are mixed, and `BacktrickError` if cards are
    still to be drawn.

    >>> from backtrick.games import steps_of
    >>> start = steps_of("face_to_face")(position="52^6v:16,18,19,57 53^15v:4,7,29,44").start
    >>> first = next(number for number in start.legal() if start.steps.text(number) == "16v")
    >>> import numpy as np
    >>> found = action_values([start, start.apply(first)])
    >>> for row in found.values:
    ...     print(*(f"{start.steps.text(number)} {row[number]:.0f}" for number in np.flatnonzero(~np.isnan(row))), sep=", ")
    16v 3, 16^' 2, 16v' 2, 18^' 2, 18v' 3, 19^' 2, 19v' 2, 57^ 2, 57v' 2
    18^' 2, 18v' 3, 19^' 2, 19v' 2, 57^ 2, 57v' 2
    """
    steps, asked = _read(given, rules)
    if all(one.position is None for one in asked):
        raise ArgumentError("no player is to move at any of the moments")
    game = steps.whole_game.game
    values = np.full((len(asked), steps.actions), np.nan)
    with bar(len(asked), "actions", "positions", progress) as shown:
        for start in range(0, len(asked), MOMENTS):
            part = asked[start : start + MOMENTS]
            _fill(game, steps, part, values[start : start + MOMENTS], threads)
            shown.update(len(part))
    return ActionValues(game, values)


def _fill(game: AnyGame, steps: Steps[Any], asked: Sequence[_Asked], values: np.ndarray, threads: int | None) -> None:
    """Writes the values of the actions into the rows of `values`."""
    begun = [(place, one) for place, one in enumerate(asked) if one.position is not None]
    if not begun:
        return
    turns, actions = zip(*(_completions(steps, one) for _, one in begun), strict=True)
    counts = [len(one) for one in turns]
    positions = np.repeat(game.pack([one.position for _, one in begun]), counts)
    after = game.grade_array(positions, np.concatenate(turns), SolveOptions(steps.rules, threads=threads)).after
    known = np.unique(after).astype(np.int64)
    ranks = np.zeros(len(known) and known[-1] - known[0] + 1)
    ranks[known - known[:1]] = [game.preference(value) for value in known.tolist()]
    best = np.full(values.shape, -np.inf)
    np.maximum.at(best, (np.repeat([place for place, _ in begun], counts), np.concatenate(actions)), ranks[after - known[:1]])
    for value in known.tolist():
        values[best == game.preference(value)] = value


def _completions(steps: Steps[Any], asked: _Asked) -> tuple[np.ndarray, np.ndarray]:
    """Every turn that goes on from what is played, packed, and the number of its next action."""
    turns, numbers = steps.turns(asked.position)
    if asked.played:
        fits = (numbers[:, : len(asked.played)] == asked.played).all(axis=1)
        turns, numbers = turns[fits], numbers[fits]
    return turns, numbers[:, len(asked.played)]


def _read(given: Any, rules: Any) -> tuple[Steps[Any], list[_Asked]]:
    """How actions are numbered, and what is asked."""
    if not isinstance(given, Sequence) or not any(isinstance(one, Moment) for one in given):
        game, array = read_positions(given)
        steps = steps_of(game.name)(**asdict(game.read_rules(rules)))
        return steps, list(map(_Asked, game.unpack(array)))
    if rules is not None:
        raise ArgumentError("moments know their rules: rules are for positions")
    steps = next(one.steps for one in given if isinstance(one, Moment))
    if any(not isinstance(one, Moment) or type(one.steps) is not type(steps) or one.steps.rules != steps.rules for one in given):
        raise ArgumentError("moments must all be of one game, with the same rules")
    return steps, list(map(_begun, given))


def _begun(moment: Moment[Any]) -> _Asked:
    """The endgame at the beginning of the turn, and what was played of it. Raises `BacktrickError` if there are cards to come."""
    if moment.to_move < 0:
        return _Asked(None)
    played: list[int] = []
    for event in reversed(moment.events):
        if event.seat != moment.to_move or event.drawn:
            break
        played.insert(0, event.number)
    first = moment.steps.start if played else moment
    for event in moment.events[: -len(played)] if played else ():
        first = first.draw(event.number) if event.drawn else first.apply(event.number)
    position = first.state.position()
    if position is None:
        raise ArgumentError("it must be an endgame, but cards of unknown order are still to be drawn")
    moment.steps.whole_game.game.pack([position])  # raises for a deal
    return _Asked(position, tuple(played))
