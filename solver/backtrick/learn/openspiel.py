"""The games in OpenSpiel: importing this module registers `backtrick_face_to_face` and `backtrick_take_that` (docs/learners.md).

It needs the extra `openspiel`, so CPython 3.11 or later. A state of OpenSpiel is a thin skin over a `Moment`, which never
changes: its clone is another skin over the same moment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, cast

import numpy as np

from backtrick.errors import ArgumentError
from backtrick.games import game_of, games_with_steps, steps_of
from backtrick.play.state import CHANCE, GAME_OVER
from backtrick.play.steps import Moment, Steps
from backtrick.random import Stream

try:
    import pyspiel
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
except ImportError:
    raise ImportError("the games in OpenSpiel need it, and CPython 3.11 or later: pip install 'backtrick[openspiel]'") from None

__all__ = ["Evaluator", "Game", "Observer", "State", "register"]

PREFIX = "backtrick_"

_Type = pyspiel.GameType
_PLAYERS = {CHANCE: pyspiel.PlayerId.CHANCE, GAME_OVER: pyspiel.PlayerId.TERMINAL, 0: 0, 1: 1}
_COMMA, _WRITTEN = ",", ";"
"""In the text of a game OpenSpiel separates parameters with commas, so lists of cards are written with semicolons."""


def _type(name: str, is_open: bool) -> Any:
    """The description of a game for OpenSpiel. is_open: it starts at a position, so no card is hidden and there is no chance."""
    return _Type(
        short_name=PREFIX + name,
        long_name=f"Backtrick: {game_of(name).title}",
        dynamics=_Type.Dynamics.SEQUENTIAL,
        chance_mode=_Type.ChanceMode.DETERMINISTIC if is_open else _Type.ChanceMode.EXPLICIT_STOCHASTIC,
        information=_Type.Information.PERFECT_INFORMATION if is_open else _Type.Information.IMPERFECT_INFORMATION,
        utility=_Type.Utility.ZERO_SUM,
        reward_model=_Type.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(steps_of(name).parameters),
    )


class Game(pyspiel.Game):
    """A game of OpenSpiel. params: as in `Steps`; in texts `;` may stand for `,`. Raises `BacktrickError` for wrong ones."""

    name: ClassVar[str]
    """Of the game in Backtrick."""

    def __init__(self, params: Mapping[str, Any] | None = None):
        given = dict(params or {})
        steps = self._steps_of(given)
        info = pyspiel.GameInfo(
            num_distinct_actions=steps.actions,
            max_chance_outcomes=0 if steps.is_open else steps.chance_numbers,
            num_players=2,
            min_utility=-steps.most,
            max_utility=steps.most,
            utility_sum=0.0,
            max_game_length=steps.longest,
        )
        super().__init__(_type(self.name, steps.is_open), info, _exchanged(given, _COMMA, _WRITTEN))
        self.steps = steps

    @cached_property
    def steps(self) -> Steps[Any]:
        """The game in Backtrick. One that comes out of a pickle was never initialised and makes it again."""
        return self._steps_of(self.get_parameters())

    def _steps_of(self, given: Mapping[str, Any]) -> Steps[Any]:
        return steps_of(self.name)(**_exchanged(given, _WRITTEN, _COMMA))

    def new_initial_state(self) -> State:
        """The state at the start."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> Observer | None:
        """What a player sees now, or with perfect recall all that it has seen.

        None if only public or only private information is asked for, as OpenSpiel expects of a game that does not separate them.
        Raises `ArgumentError` for parameters.
        """
        if params:
            raise ArgumentError(f"an observer of {self} takes no parameters, not {', '.join(params)}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return Observer(self.steps, kind.perfect_recall)


def _exchanged(given: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    return {name: one.replace(old, new) if isinstance(one, str) else one for name, one in given.items()}


class State(pyspiel.State):
    """A state of OpenSpiel: `moment` is the moment of the game that it stands for."""

    def __init__(self, game: Game):
        super().__init__(game)
        self.moment: Moment[Any] = game.steps.start

    def current_player(self) -> Any:
        return _PLAYERS[self.moment.to_move]

    def _legal_actions(self, player: int) -> list[int]:
        return self.moment.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.moment.chance()

    def _apply_action(self, action: int) -> None:
        self.moment = self.moment.draw(action) if self.moment.to_move == CHANCE else self.moment.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"draw {action}" if player == pyspiel.PlayerId.CHANCE else self.moment.steps.text(action)

    def is_terminal(self) -> bool:
        return self.moment.to_move == GAME_OVER

    def returns(self) -> list[float]:
        return list(self.moment.returns())

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> State:
        """A state that looks the same to a player: what is hidden from it is drawn again, also in the history of the state.

        The real hidden cards have no part in it. probability_sampler: called twice, gives numbers 0..1.
        """
        seed, number = (int(probability_sampler() * (1 << 53)) for _ in range(2))
        moment = self.moment.resample(player_id, Stream(seed, number))
        state: State = self.get_game().new_initial_state()
        if moment.events:
            state.moment = cast("Moment[Any]", _Past(moment))
        for event in moment.events:
            state.apply_action(event.number)  # OpenSpiel writes its history
        return state

    def __str__(self) -> str:
        """The start and every step, hidden cards too."""
        return str(self.moment)


@dataclass(frozen=True, slots=True)
class _Past:
    """In place of a moment on the way to another one: its steps go through the events of that one, and no rule is asked."""

    end: Moment[Any]
    place: int = 0

    @property
    def to_move(self) -> int:
        event = self.end.events[self.place]
        return CHANCE if event.drawn else event.seat

    def apply(self, number: int) -> Moment[Any] | _Past:
        return self.end if self.place + 1 == len(self.end.events) else _Past(self.end, self.place + 1)

    draw = apply


class Observer:
    """What a player sees, as OpenSpiel asks for it: `tensor`, its parts by name in `dict`, and a text."""

    def __init__(self, steps: Steps[Any], recall: bool):
        self._recall = recall
        layout = steps.information_layout if recall else steps.observation_layout
        self.tensor = np.zeros(sum(size for _, size in layout), np.float32)
        self.dict: dict[str, np.ndarray] = {}
        place = 0
        for name, size in layout:
            self.dict[name] = self.tensor[place : place + size]
            place += size

    def set_from(self, state: State, player: int) -> None:
        """Sets `tensor` and `dict` to what a player sees of a state."""
        self.tensor[:] = state.moment.information(player) if self._recall else state.moment.observation(player)

    def string_from(self, state: State, player: int) -> str:
        """What a player sees of a state, as text."""
        return state.moment.information_text(player) if self._recall else state.moment.observation_text(player)


class Evaluator(RandomRolloutEvaluator):
    """An evaluator for OpenSpiel's bots `mcts.MCTSBot` and `ismcts.ISMCTSBot`: random play-outs in a kernel.

    n_rollouts: play-outs of a state. random_state: of numpy, to repeat them.
    """

    def __init__(self, n_rollouts: int = 1, random_state: np.random.RandomState | None = None):
        super().__init__(n_rollouts, random_state)

    def evaluate(self, state: State) -> np.ndarray:
        """What the play-outs of a state are worth to seat 0 and seat 1 on average."""
        moment, worth = state.moment, None
        if moment.to_move >= 0:
            seed = int(self._random_state.randint(1 << 62, dtype=np.int64))
            worth = moment.steps.play_out(moment.state, seed, self.n_rollouts)
        return super().evaluate(state) if worth is None else np.array((worth, -worth))


def register() -> list[str]:
    """Registers every game with steps that is not registered yet, and returns their names in OpenSpiel. Importing this module calls
    it."""
    names = games_with_steps()
    for name in names:
        if PREFIX + name not in pyspiel.registered_names():
            # A class, because OpenSpiel drops what it is given when Python is gone already; pickle finds it by its name.
            kind = globals()[PREFIX + name] = type(PREFIX + name, (Game,), {"name": name, "__module__": __name__})
            pyspiel.register_game(_type(name, is_open=False), kind)
    return [PREFIX + name for name in names]


register()
