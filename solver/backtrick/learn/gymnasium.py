"""Gymnasium: one player learns, and the other one is a player of Backtrick (docs/learners.md). Needs the extra `gymnasium`.

>>> name = "backtrick.learn.gymnasium:backtrick/TakeThat-v0"
>>> env = gymnasium.make(name, opponent="eager", position="15,43,44 21,53 51-62-35")
>>> observation, info = env.reset(seed=1)
>>> over, reward = False, 0.0
>>> while not over:
...     action = int(info["action_mask"].argmax())
...     observation, reward, over, _, info = env.step(action)
>>> reward
6.0
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from copy import deepcopy
from typing import Any

import numpy as np

from backtrick.arguments import checked
from backtrick.errors import ArgumentError, BacktrickError
from backtrick.given import shown, whole
from backtrick.learn.episodes import TRIES, AnyMoment, Chance, Episodes, after_chance, is_over, position_in, refuse
from backtrick.learn.ids import register
from backtrick.matches.players import player_of

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete
except ImportError:
    raise ImportError("the environments need Gymnasium: pip install 'backtrick[gymnasium]'") from None

__all__ = ["LOSE", "RAISE", "Environment"]

LOSE, RAISE = "lose", "raise"
"""What an action that is not legal does."""


class Environment(gymnasium.Env[Any, Any]):
    """A game against an opponent, an action at a time: one card laid, or the end of a turn. Chance draws by the seed of `reset`.

    An observation is float32, the parts of `Steps.observation_layout`, with `history` of `Steps.information_layout`. `info` has
    `action_mask`, int8: 1 for each legal action; `action_masks()` gives the same as bools. The reward comes at the end: 1 or -1,
    or the difference of the points.

    game, positions, history, parameters, render_mode: as in `Episodes`
    opponent: a player by name, as in `backtrick match`; or a function from a view to a whole turn (the object, its notation, or
              packed), as the players of a game are
    seat:     of the learner: 0 begins, and from a position is the mover; None draws it again for each game
    illegal:  'lose': an action that is not legal ends the game, and the reward is minus the most that a game can be worth; `info`
              says in `illegal` which rule it breaks. 'raise': it raises `BacktrickError`, and changes nothing

    reset(seed=s) begins game 0 of the seed s, each reset without a seed the next one; `VectorEnv` has the same games. `reset`
    takes options={"position": ...}: the start of this game alone. `reset` and `step` raise `ArgumentError`, which names
    the opponent and what it saw, if it answers no legal turn; this game is then over.
    """

    metadata = {"render_modes": Episodes.possible_modes(), "render_fps": 1}

    def __init__(
        self,
        game: str = "face_to_face",
        opponent: str | Callable[[Any], Any] = "random",
        seat: int | None = 0,
        positions: Any = None,
        history: bool = False,
        illegal: str = LOSE,
        render_mode: str | None = None,
        **parameters: Any,
    ):
        if seat is not None and whole(seat) not in (0, 1):
            raise ArgumentError(f"seat must be 0, 1 or None, not {shown(seat)}")
        if illegal not in (LOSE, RAISE):
            raise ArgumentError(f"illegal must be {LOSE!r} or {RAISE!r}, not {shown(illegal)}")
        if not (isinstance(opponent, str) or callable(opponent)):
            raise ArgumentError(f"opponent must be the name of a player or a function from a view to a turn, not {shown(opponent)}")
        self.episodes = Episodes(game, positions, history, parameters, render_mode)
        self.render_mode, self._seat, self._illegal = render_mode, None if seat is None else int(seat), illegal
        self._given: Any = opponent
        self._open()
        self.observation_space = Box(-1, 1, (self.episodes.size,))
        self.action_space = Discrete(self.episodes.steps.actions)
        self._chance: Chance | None = None
        self.seat, self.moment, self._ended = self._seat or 0, self.episodes.steps.start, True

    @checked
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """A new game, up to the first action of the learner.

        Raises `ArgumentError` if it is over before, for an option that does not exist, and for a fault of the opponent.
        """
        position = position_in(options, refuse)
        seed = seed if whole(seed) is None else whole(seed)  # one of numpy too
        super().reset(seed=seed)
        if seed is not None or self._chance is None:
            self._chance = Chance(int(self.np_random.integers(1 << 63)) if seed is None else seed)
        self._ended = True
        for _ in range(1 if position is not None and self._seat is not None else TRIES):
            self._numbers = self._chance.next_game()
            self.seat = self._numbers.below(2) if self._seat is None else self._seat
            self.moment = self._go_on(self.episodes.start(self._numbers, position))
            if not is_over(self.moment):
                self._ended = False
                return self._seen(), self._info()
        raise ArgumentError("the game is over at its start, before the learner has a turn")

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Plays an action, and then the opponent, up to the next action of the learner or the end.

        Raises `ArgumentError` for anything but the number of an action, whatever `illegal` says, and for a fault of the opponent.
        """
        if self._ended:
            raise ArgumentError("no game is running: call reset")
        number = self.episodes.steps.read_number(action)
        try:
            moment = self.moment.apply(number)
        except BacktrickError as error:
            if self._illegal == RAISE:
                raise
            self._ended = True
            return self._seen(), -self.episodes.steps.most, True, False, {**self._info(), "illegal": str(error)}
        self._ended = True  # unless the opponent has answered
        self.moment = self._go_on(moment)
        self._ended = is_over(self.moment)
        reward = self.moment.returns()[self.seat] if self._ended else 0.0
        return self._seen(), reward, self._ended, False, self._info()

    def render(self) -> Any:
        """What the learner sees, as `render_mode` says."""
        return self.episodes.rendered(self.moment, self.seat)

    def action_masks(self) -> np.ndarray:
        """True for each legal action: bool. None is legal once the game is over."""
        mask: np.ndarray = self._mask().astype(bool)
        return mask

    def close(self) -> None:
        """Ends an opponent that is a program."""
        self._opened.close()

    def _open(self) -> None:
        """Makes an opponent that is given by name."""
        self._opened, self._opponent = ExitStack(), self._given
        if isinstance(self._given, str):
            self._opponent = self._opened.enter_context(player_of(self.episodes.steps.whole_game, self._given))

    def __getstate__(self) -> dict[str, Any]:
        """For pickle: an opponent that is given by name is made again where the environment arrives."""
        return {name: one for name, one in self.__dict__.items() if name not in ("_opponent", "_opened")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._open()

    def __deepcopy__(self, memo: dict[int, Any]) -> Environment:
        """A copy that plays on from here. It has the same opponent, as a program has no copy."""
        memo |= {id(one): one for one in (self._opponent, self._opened)}
        copied = type(self).__new__(type(self))
        copied.__dict__.update(deepcopy(self.__dict__, memo))
        return copied

    def _go_on(self, moment: AnyMoment) -> AnyMoment:
        """The moment at which the learner is to move, or the game is over."""
        moment = after_chance(moment, self._numbers)
        while moment.to_move == 1 - self.seat:
            moment = after_chance(self._answered(moment), self._numbers)
        return moment

    def _answered(self, moment: AnyMoment) -> AnyMoment:
        """The moment after the opponent's turn. Raises `ArgumentError`, which names the opponent and what it saw."""
        played = moment
        try:
            for number in moment.steps.numbers_of(self.episodes.steps.whole_game.ask(self._opponent, moment.state)):
                played = played.apply(number)
        except BacktrickError as error:
            name = repr(self._given) if isinstance(self._given, str) else getattr(self._given, "__name__", repr(self._given))
            view: Any = moment.state.view(moment.to_move)
            raise ArgumentError(f"opponent {name}: {error}; it saw {view.position or view}") from error
        return played

    def _seen(self) -> np.ndarray:
        return self.episodes.seen(self.moment, self.seat)

    def _mask(self) -> np.ndarray:
        return np.zeros(self.episodes.steps.actions, np.int8) if self._ended else self.episodes.mask(self.moment, self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}


register()
