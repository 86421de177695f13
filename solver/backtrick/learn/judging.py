"""What the turns of a policy give away against exact play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from html import escape
from typing import Any, NamedTuple

import numpy as np

from backtrick.errors import ArgumentError, BacktrickError, IllegalTurnError, LineError, PackedError
from backtrick.game import BEST, AnyGame, SolveOptions
from backtrick.games import steps_of, whole_game_of
from backtrick.given import shown
from backtrick.learn.acting import ARRAYS, MOMENT, turn_by_actions
from backtrick.learn.values import read_positions
from backtrick.matches.players import player_of
from backtrick.matches.score import Interval, mean_of, resampled, wilson
from backtrick.notation import Integers, Positions, Turns
from backtrick.play.steps import Arrays, Steps
from backtrick.progress import bar

Policy = Callable[[Any], Any]
"""A function from a position to a legal turn: the object, its notation, or packed."""

Policies = Callable[[np.ndarray, np.ndarray], Any]
"""A function from the observations and the masks of many moments to the numbers of their actions."""


class Mistake(NamedTuple):
    """A turn that was not best: the position, the turn, a best one, the value after each of them, and the regret."""

    position: Any
    turn: Any
    best: Any
    before: int
    after: int
    regret: float


@dataclass(frozen=True, repr=False, eq=False)
class Regret:
    """What turns gave away, one turn in each of n positions.

    positions: that have a legal turn, shape (n,)
    turns:     that were played, packed, shape (n,)
    best:      a best turn of each, packed, shape (n,)
    before:    the mover's value, in the measure of the game, shape (n,)
    after:     the same once the turn is played, shape (n,)

    Intervals are of 95 % and take the positions as independent of each other.

    >>> from backtrick.face_to_face import Position
    >>> found = regret(lambda position: "16v 18^'", [Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44")])
    >>> found.regrets, found.optimal
    (array([2.]), array([False]))
    >>> for one in found.worst():
    ...     print(one.turn, one.best, one.before, one.after, sep=" | ")
    16v 18^' | 16v 18v' | 3 | 2
    """

    game: AnyGame
    rules: Any
    positions: Positions
    turns: Turns
    best: Turns
    before: Integers
    after: Integers

    def __len__(self) -> int:
        return len(self.positions)

    @cached_property
    def regrets(self) -> np.ndarray:
        """The payoff of a best turn minus that of the turn, at least 0: float64, shape (n,)."""
        lost: np.ndarray = self.game.payoffs(self.before) - self.game.payoffs(self.after)
        return lost

    @property
    def optimal(self) -> np.ndarray:
        """True where no turn has a better value: bool, shape (n,)."""
        kept: np.ndarray = self.before == self.after
        return kept

    @property
    def mean(self) -> Interval:
        """The mean regret, with an interval by the normal distribution, never below 0; without an upper end if all are equal."""
        found = mean_of(self.regrets.tolist())
        return Interval(found.value, max(found.low, 0.0), found.high)

    def bootstrap(self, seed: int = 0) -> Interval:
        """The mean regret, with an interval by bootstrap: the 2.5 % and the 97.5 % quantile of the means of 1,000 samples, each
        of n positions drawn with replacement (Efron 1979). The same seed gives the same interval.

        With few mistakes it fits better than the normal one, as regrets are far from normally distributed. If all are equal, it
        has no upper end, as `mean` has none.
        """
        means = resampled(self.regrets[:, None], seed)[:, 0] / len(self)
        low, high = np.quantile(means, (0.025, 0.975)).tolist()
        return Interval(float(self.regrets.mean()), low, high) if low < high else self.mean

    @property
    def optimal_share(self) -> Interval:
        """The share of the turns with no better one by the value of the game, with an interval by Wilson (1927)."""
        return wilson(float(self.optimal.mean()), len(self))

    @property
    def kept_share(self) -> Interval:
        """The share of the turns that give nothing of the payoff away: to win more slowly does not count against a turn."""
        return wilson(float((self.regrets == 0).mean()), len(self))

    def less(self, other: Regret) -> Interval:
        """How much smaller this mean regret is than another one on the same positions: the mean of the differences, with an
        interval by the normal distribution. Raises `ArgumentError` for other positions or rules."""
        if self.rules != other.rules or not np.array_equal(self.positions, other.positions):
            raise ArgumentError("regrets can be compared only on the same positions, with the same rules")
        return mean_of((other.regrets - self.regrets).tolist())

    def worst(self, count: int = 5) -> list[Mistake]:
        """The turns that were not best, the greatest regret first; equal ones in the order of the positions. At most `count`."""
        wrong = np.flatnonzero(~self.optimal)
        chosen = wrong[np.argsort(-self.regrets[wrong], kind="stable")][:count]
        unpack = self.game.unpack_turn
        return [
            Mistake(position, unpack(turn), unpack(best), before, after, regret)
            for position, turn, best, before, after, regret in zip(
                self.game.unpack(self.positions[chosen]),
                *(part[chosen].tolist() for part in (self.turns, self.best, self.before, self.after, self.regrets)),
                strict=True,
            )
        ]

    def __repr__(self) -> str:
        return f"<Regret {self}>"

    def _repr_html_(self) -> str:
        """In a notebook: the figures, and the worst turns."""
        rows = "".join(f"<tr><td>{'</td><td>'.join(escape(str(part)) for part in one)}</td></tr>" for one in self.worst())
        names = "".join(f"<th>{name}</th>" for name in Mistake._fields)
        return f"<p>{escape(str(self))}</p><table><tr>{names}</tr>{rows}</table>"

    def __str__(self) -> str:
        mean, best, kept = self.mean, self.optimal_share, self.kept_share
        figures = f"regret {mean.value:.3f} ({mean.low:.3f}..{mean.high:.3f}), best {_percent(best)}, as good {_percent(kept)}"
        return f"{len(self):,} turns: {figures}"


def regret(
    policy: str | Policy | Policies,
    positions: Any,
    rules: Any = None,
    *,
    sees: str = "position",
    threads: int | None = None,
    progress: bool | None = None,
) -> Regret:
    """What the turns of a policy give away in endgames. It plays one turn in each position that has one.

    policy: a function from a position to a legal turn (the object, its notation, or packed), or the name of a player, as of
    `backtrick match`. sees: 'view' for a function from a view, as the players of a game are; 'moment' for one from a moment
    (`backtrick.play.steps`) to the number of a legal action, which is asked until its turn ends; 'arrays' for one from the
    observations and the masks of many moments, as in `VectorEnv`, to the numbers of their actions, shape (n,). positions, rules,
    threads, progress: as in `turn_values`.

    Raises `ArgumentError`, and `LineError`, which names the position, for a turn that is not legal.

    >>> from backtrick.take_that import samples
    >>> print(regret("eager", samples.selfplay_array(1000, seed=1)))
    1,000 turns: regret 2.529 (2.244..2.814), best 48.4 % (45.3 %..51.5 %), as good 48.4 % (45.3 %..51.5 %)
    """
    if sees not in SEEN and sees != ARRAYS:
        raise ArgumentError(f"sees must be {', '.join(map(repr, (*SEEN, ARRAYS)))}, not {shown(sees)}")
    if not (isinstance(policy, str) or callable(policy)):
        raise ArgumentError(f"a policy must be a function or the name of a player, not {shown(policy)}")
    game, array = read_positions(positions)
    rules = game.read_rules(rules)
    array, best = _with_turns(game, array, rules, threads)
    if isinstance(policy, str):
        with player_of(whole_game_of(game), policy) as player:
            turns = _played(game, array, _by_view(game, player, rules), progress)
    elif sees == ARRAYS:
        turns = _played_together(game, array, _asking(policy, sees), rules, progress)
    else:
        turns = _played(game, array, SEEN[sees](game, _asking(policy, sees), rules), progress)
    return _judged(game, array, best, turns, rules, threads)


def judge(positions: Any, turns: Turns | Policies, rules: Any = None, *, threads: int | None = None) -> Regret:
    """What turns give away, one in each endgame.

    turns: packed, shape (n,), or a function that plays them: as in `regret` with sees='arrays'. positions, rules, threads: as in
    `turn_values`. Raises `ArgumentError` if a position has no legal turn, and `LineError`, which names the position, for a turn
    that is not legal.

    >>> from backtrick.take_that import Position
    >>> import numpy as np
    >>> judge([Position.parse("15,43,44 21,53 51-62-35")], np.array([43], np.uint8)).regrets
    array([2.])
    """
    game, array = read_positions(positions)
    rules = game.read_rules(rules)
    on, best = _with_turns(game, array, rules, threads)
    if len(on) < len(array):
        raise ArgumentError(f"{len(array) - len(on):,} of the positions have no legal turn")
    if callable(turns):
        turns = _played_together(game, array, turns, rules, progress=False)
    return _judged(game, array, best, turns, rules, threads)


def _with_turns(game: AnyGame, array: np.ndarray, rules: Any, threads: int | None) -> tuple[np.ndarray, np.ndarray]:
    """The positions in which the game is not over, and a best turn of each. Raises `ArgumentError` if there is none."""
    best = game.answer_array(array, SolveOptions(rules, threads=threads, want=frozenset({BEST}))).best
    assert best is not None
    on = best != 0
    if not on.any():
        raise ArgumentError("no position has a legal turn")
    return array[on], best[on]


def _asking(policy: Policy | Policies, sees: str) -> Callable[..., Any]:
    """The policy; where it takes what it is asked about for something else, the error says what that is."""

    def ask(*given: Any) -> Any:
        try:
            return policy(*given)
        except (TypeError, AttributeError) as error:
            asked = "with observations and masks" if sees == ARRAYS else f"with a {sees}"
            said = f"{type(error).__name__}: {error}"
            raise ArgumentError(f"the policy raised {said}; by sees={sees!r} it is called {asked}") from error

    return ask


def _by_view(game: AnyGame, player: Policy, rules: Any) -> Policy:
    """The policy of a player, which gets a view."""
    whole_game = whole_game_of(game)
    return lambda position: whole_game.ask(player, whole_game.state.begin(position, rules))


def _by_moment(game: AnyGame, policy: Policy, rules: Any) -> Policy:
    """A policy of positions, made from one that maps a moment to the number of an action."""
    kind, options = steps_of(game.name), asdict(rules)

    return lambda position: turn_by_actions(kind(**options, position=str(position)).start, policy)


SEEN: Mapping[str, Callable[[AnyGame, Policy, Any], Policy]] = {
    "position": lambda game, policy, rules: policy,
    "view": _by_view,
    MOMENT: _by_moment,
}
"""What a policy may be a function of, and what turns it into a policy of positions."""


def _played(game: AnyGame, array: np.ndarray, policy: Policy, progress: bool | None) -> np.ndarray:
    """The packed turns of a policy. Raises `LineError`."""
    turns = np.empty(len(array), game.turn_dtype)
    with bar(len(array), "regret", "positions", progress) as shown:
        for place, position in enumerate(game.unpack(array)):
            try:
                turns[place] = game.pack_turn(game.read_turn(policy(position)))
            except BacktrickError as error:
                raise LineError(str(position), error) from error.__cause__
            shown.update()
    return turns


TOGETHER = 1 << 12
"""Positions that such a policy is asked about at once."""


def _played_together(game: AnyGame, array: np.ndarray, policy: Policies, rules: Any, progress: bool | None) -> np.ndarray:
    """The packed turns of a policy that sees arrays. Raises `LineError`, and `ArgumentError` for anything but actions."""
    turns = np.empty(len(array), game.turn_dtype)
    steps = steps_of(game.name)(**asdict(rules))
    with bar(len(array), "regret", "positions", progress) as shown:
        for start in range(0, len(array), TOGETHER):
            part = array[start : start + TOGETHER]
            for place, numbers in enumerate(_actions(game, steps, part, policy), start):
                turns[place] = game.pack_turn(steps.turn_of(numbers))
            shown.update(len(part))
    return turns


def _actions(game: AnyGame, steps: Steps[Any], array: np.ndarray, policy: Policies) -> list[list[int]]:
    """The numbers of the actions of a turn in each position."""
    count, numbers = len(array), [list[int]() for _ in array]
    arrays = Arrays.of(steps, count)
    batch = steps.vector_games(arrays, np.ascontiguousarray(array), None, None)
    batch.begin_range(0, count, in_order=True)
    asked = np.arange(count)
    while len(asked):
        masks = arrays.masks[asked]
        chosen = np.asarray(policy(arrays.observations[asked], masks.copy()))
        if chosen.shape != asked.shape or chosen.dtype.kind not in "iu":
            wrong = f"{chosen.dtype} of shape {chosen.shape}"
            raise ArgumentError(f"the policy gives a whole number for each observation, {len(asked)} in all, not {wrong}")
        for place, number in zip(asked.tolist(), chosen.tolist(), strict=True):
            numbers[place].append(steps.read_number(number))
        if len(wrong_ones := np.flatnonzero(masks[np.arange(len(asked)), chosen] == 0)):
            place = int(asked[wrong_ones[0]])
            raise _refused_action(game, steps, array[place : place + 1], numbers[place])
        actions = np.zeros(count, np.int64)  # games whose turn is over go on as they like
        actions[asked] = chosen
        batch.step_range(actions, 0, count)
        asked = asked[(arrays.over[asked] == 0) & (arrays.seats[asked] == 0)]
    return numbers


def _refused_action(game: AnyGame, steps: Steps[Any], one: np.ndarray, numbers: list[int]) -> LineError:
    """The error for actions of which the last one is not legal."""
    [position] = game.unpack(one)
    moment = type(steps)(**{**steps.given, "position": str(position)}).start
    try:
        for number in numbers:
            moment = moment.apply(number)
    except BacktrickError as error:
        return LineError(str(position), error)
    raise AssertionError(f"the kernel refused {numbers} in {position}, which are legal")


def _judged(game: AnyGame, array: np.ndarray, best: np.ndarray, turns: np.ndarray, rules: Any, threads: int | None) -> Regret:
    try:
        grades = game.grade_array(array, turns, SolveOptions(rules, threads=threads))
    except (IllegalTurnError, PackedError):
        place = game.first_illegal(array, turns, rules)
        raise _refusal(game, array[place : place + 1], turns[place].item(), rules) from None
    return Regret(game, rules, array, turns, best, grades.answers.values, grades.after)


def _refusal(game: AnyGame, array: np.ndarray, packed: int, rules: Any) -> LineError:
    """The error for a turn that is not legal in the one position of the array."""
    [position] = game.unpack(array)
    try:
        turn = game.unpack_turn(packed)
        if turn is None:
            raise PackedError("packed turn", packed, "it stands for no turn")
        game.play(position, turn, rules)
    except BacktrickError as error:
        return LineError(str(position), error)
    raise AssertionError(f"the kernel refused {turn} in {position}, which is legal")


def _percent(share: Interval) -> str:
    return f"{share.value:.1%} ({share.low:.1%}..{share.high:.1%})".replace("%", " %")
