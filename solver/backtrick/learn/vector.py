"""Gymnasium: thousands of games at once, in a kernel (docs/learners.md). Needs the extra `gymnasium`.

>>> env = VectorEnv("face_to_face", num_envs=3, opponent="frugal", seed=1)
>>> observations, info = env.reset()
>>> observations.shape, info["action_mask"].sum(axis=1)
((3, 607), array([12, 12, 12]))
>>> for _ in range(100):
...     observations, rewards, terminations, truncations, info = env.step(env.sample_actions())
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import asdict
from typing import Any

import numpy as np

from backtrick.arguments import checked
from backtrick.errors import ArgumentError
from backtrick.games import game_of, steps_of
from backtrick.given import shown, whole
from backtrick.learn.ids import register
from backtrick.learn.values import read_positions
from backtrick.notation import Bools, F32s, F64s, I64s
from backtrick.play.steps import Arrays, VectorGames
from backtrick.random import seed_of
from backtrick.threads import Crew, worker_count

try:
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector import VectorEnv as BaseVectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise ImportError("the vector environment needs Gymnasium 1.1 or later: pip install 'backtrick[gymnasium]'") from None

__all__ = ["VectorEnv"]

LEAST = 256
"""Games of a thread: with fewer, to hand them out takes longer than to play them."""


class VectorEnv(BaseVectorEnv[F32s, I64s, np.ndarray]):
    """Many games at once, an action each at a time. Observations, numbers of actions and rewards are those of `Environment`.

    game:       "face_to_face" or "take_that"
    num_envs:   how many games
    opponent:   a policy of the game: "frugal", "hasty", "tuned"; "careful", "eager", "tuned"; or "random", for which every legal
                action is equally likely. None for self-play: both seats are played by the learner, and the view of the player to
                move is observed
    seed:       of the first `reset` without one. Game i plays the games of seed + i, the same as `Environment` with that seed and
                that policy
    seat:       of the learner against an opponent: 0 begins, and from an endgame is the mover; None draws it for each game
    rules:      of the game, None for the published ones
    positions:  endgames to begin with, all equally likely: an array or a sequence, as in `learn.turn_values`
    threads:    None for one per core
    parameters: of the game's `Steps`: rule options, a small deck, `result`

    observations: float32, shape (n, k), the parts of `Steps.observation_layout`
    info:         `action_mask`, int8, shape (n, actions): 1 for each legal action; `seat`, int8, shape (n,): whose view and whose
                  reward it is; `illegal`, bool, shape (n,): an action that was not legal has ended the game

    The arrays of observations and masks are written again by each step: copy what you keep, and do not write into them. The
    others are new. The reward comes at the end of a game: 1 or -1, or the difference of the points. In self-play it is that of
    the player who moved last. An action that is not legal ends the game with minus the most that a game can be worth.

    A game that is over begins again with the next step, whose action does nothing (`AutoresetMode.NEXT_STEP`); none is truncated.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(
        self,
        game: str = "face_to_face",
        num_envs: int = 4096,
        opponent: str | None = "tuned",
        seed: int = 0,
        *,
        seat: int | None = 0,
        rules: Any = None,
        positions: Any = None,
        threads: int | None = None,
        **parameters: Any,
    ):
        self._given = {**parameters, "game": game, "num_envs": num_envs, "opponent": opponent, "seed": seed, "seat": seat}
        self._given |= {"rules": rules, "positions": positions, "threads": threads}
        played = game_of(game)
        count, begun = whole(num_envs), seed_of(seed)
        if count is None or count < 1:
            raise ArgumentError(f"num_envs must be a whole number above 0, not {shown(num_envs)}")
        if seat is not None and whole(seat) not in (0, 1):
            raise ArgumentError(f"seat must be 0, 1 or None, not {shown(seat)}")
        if not (opponent is None or isinstance(opponent, str)):
            raise ArgumentError(f"opponent must be the name of a policy, or None for self-play, not {shown(opponent)}")
        if "position" in parameters:
            raise ArgumentError("give the starts as positions=, even a single one")
        if rules is not None:
            parameters = {**asdict(played.read_rules(rules)), **parameters}
        starts = None
        if positions is not None:
            told, starts = read_positions(positions)
            if told is not played:
                raise ArgumentError(f"positions are of {told.title}, and the game is {played.title}")
        kind = steps_of(game)
        steps = kind(**parameters) if starts is None else kind(**parameters, position=str(played.unpack(starts[:1])[0]))
        self.num_envs, self._seed, self._on = count, begun, False
        try:
            self._arrays = Arrays.of(steps, count)
        except (MemoryError, ValueError):  # the latter for more bytes than a pointer can count
            raise ArgumentError(f"num_envs is too large: there is no room for {count:,} games") from None
        shape = self._arrays.observations.shape
        self.single_observation_space, self.single_action_space = Box(-1, 1, shape[1:]), Discrete(steps.actions)
        self.observation_space = Box(-1, 1, shape)  # as `batch_space` makes it, in a tenth of the time
        self.action_space = batch_space(self.single_action_space, count)
        self._batch: VectorGames = steps.vector_games(self._arrays, starts, opponent, seat)
        parts = max(1, min(worker_count("threads", threads), count // LEAST))
        bounds = [count * part // parts for part in range(parts + 1)]
        self._ranges = list(zip(bounds, bounds[1:], strict=False))
        self._crew = Crew(parts - 1)

    @checked
    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[F32s, dict[str, np.ndarray]]:
        """New games, up to the first action of the learner: with a seed its games 0, without one the next.

        seed: game i plays the games of seed + i; or a seed for each game.

        Raises `ArgumentError` if every start is over before, and for options, of which there are none.
        """
        if options is not None and not (isinstance(options, dict) and not options):
            raise ArgumentError(f"reset of a VectorEnv has no options, not {shown(options)}")
        one = whole(seed)  # one of numpy too
        super().reset(seed=one)
        self._crew.wait()
        if seed is not None or not self._on:
            self._batch.seed(self._seeds(self._seed if seed is None else seed))
        self._each(self._batch.begin_range)
        self._on = True
        return self._arrays.observations, self._info()

    def step(self, actions: Any) -> tuple[F32s, F64s, Bools, Bools, dict[str, np.ndarray]]:
        """Plays an action of each game, and then its opponent, up to the next action of the learner or the end.

        actions: whole numbers, shape (n,). Raises `ArgumentError` for anything but numbers of actions.
        """
        if not self._on:
            raise ArgumentError("no game is running: call reset")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ArgumentError(f"actions must be {self.num_envs} whole numbers, not {given.dtype} of shape {given.shape}")
        if given.min() < 0 or given.max() >= self._arrays.masks.shape[1]:
            wrong = given[(given < 0) | (given >= self._arrays.masks.shape[1])][0]
            raise ArgumentError(f"the number of an action must be 0..{self._arrays.masks.shape[1] - 1}, not {wrong}")
        numbers = np.ascontiguousarray(given, np.int64)
        self._each(lambda start, stop: self._batch.step_range(numbers, start, stop))
        over = self._arrays.over.astype(bool)
        return self._arrays.observations, self._arrays.rewards.copy(), over, np.zeros_like(over), self._info()

    def sample_actions(self) -> I64s:
        """A legal action of each game, all equally likely: int64, shape (n,); 0 where the game is over.

        They are drawn by the seed of the games, and change nothing in them. Raises `ArgumentError` before the first `reset`.
        """
        if not self._on:
            raise ArgumentError("no game is running: call reset")
        actions = np.empty(self.num_envs, np.int64)
        self._each(lambda start, stop: self._batch.sample_range(actions, start, stop))
        return actions

    def action_masks(self) -> np.ndarray:
        """The legal actions of each game, as `sb3-contrib` asks for them: bool, shape (n, actions)."""
        return self._arrays.masks.astype(bool)

    def _seeds(self, given: Any) -> np.ndarray:
        """The seed of each game. Raises `ArgumentError`."""
        if whole(given) is not None or isinstance(given, str) or not hasattr(given, "__len__"):
            return np.arange(self.num_envs, dtype=np.uint64) + np.uint64(seed_of(given))  # after 2^64-1 comes 0
        if len(given) != self.num_envs:
            raise ArgumentError(f"seed must be a whole number, or one for each of {self.num_envs} games, not {len(given)}")
        return np.array([seed_of(one) for one in given], np.uint64)

    def __deepcopy__(self, memo: dict[int, Any]) -> VectorEnv:
        """A copy that plays on from here."""
        self._crew.wait()
        copied = type(self)(**self._given)
        for array, filled in zip(copied._arrays, self._arrays, strict=True):
            array[:] = filled
        copied._batch.go_on_as(self._batch)
        memo |= {id(one): one for one in (self._arrays, self._batch, self._crew)}
        others = {name: one for name, one in self.__dict__.items() if name not in copied.__dict__}
        copied.__dict__.update(deepcopy(others, memo), _on=self._on)
        return copied

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads, if any were begun: Gymnasium calls it also for what could not be made."""
        if crew := getattr(self, "_crew", None):
            crew.wait()
            crew.end()

    def _info(self) -> dict[str, np.ndarray]:
        arrays = self._arrays
        info = {"action_mask": arrays.masks, "seat": arrays.seats.copy(), "illegal": arrays.illegal.astype(bool)}
        there = np.ones(self.num_envs, bool)
        return info | {f"_{name}": there for name in info}  # as Gymnasium has it: for which games there is such an entry

    def _each(self, work: Any) -> None:
        """Does the work of all ranges, the first in this thread. Raises `ArgumentError` if a place has no game."""
        if any(place is not None and place >= 0 for place in self._crew.map(work, self._ranges)):
            self._on = False
            raise ArgumentError("the game is over at its start, before the learner has a turn")


register()
