"""PettingZoo: both games as AEC environments (docs/learners.md). Needs the extra `pettingzoo`.

>>> game = env("take_that", position="15,43,44 21,53 51-62-35")
>>> game.reset()
>>> for agent in game.agent_iter():
...     observation, reward, over, _, _ = game.last()
...     game.step(None if over else int(observation["action_mask"].argmax()))
...     print(agent, reward)
player_0 0.0
player_1 0.0
player_0 0.0
player_1 0.0
player_0 10.0
player_1 -10.0
"""

from __future__ import annotations

from secrets import randbits
from typing import Any
from warnings import warn

import numpy as np

from backtrick.arguments import checked
from backtrick.errors import ArgumentError
from backtrick.given import shown
from backtrick.learn.episodes import TRIES, AnyMoment, Chance, Episodes, after_chance, is_over, position_in

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise ImportError("the environments need PettingZoo: pip install 'backtrick[pettingzoo]'") from None

__all__ = ["AGENTS", "Environment", "env", "raw_env"]

AGENTS = ["player_0", "player_1"]
"""Of every game; the first one begins."""


def env(game: str = "face_to_face", **options: Any) -> Any:
    """The environment of a game, with PettingZoo's usual wrappers. options: as in `Environment`.

    An action that is not legal ends the game: its player gets minus the most that a game can be worth, the other one nothing.
    """
    made = Environment(game, **options)
    wrapped: Any = wrappers.TerminateIllegalWrapper(made, illegal_reward=-made.episodes.steps.most)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class Environment(AECEnv):
    """A game of two agents, an action at a time: one card laid, or the end of a turn. Chance draws by the seed of `reset`.

    player_0 begins; from a position it is the mover. An observation is a dict: `observation`, float32, the parts of
    `Steps.observation_layout` (with `history` of `Steps.information_layout`); `action_mask`, int8, all 0 for the agent not to move.
    Rewards come at the end: 1 and -1, or the difference of the points.

    game, positions, history, parameters, render_mode: as in `Episodes`.

    `reset` takes options={"position": ...}: the start of this game alone. Without the wrappers of `env`, an action that is not
    legal raises `BacktrickError`, which names the rule, and changes nothing.
    """

    metadata = {"render_modes": Episodes.possible_modes(), "render_fps": 1, "name": "backtrick_v0", "is_parallelizable": False}

    def __init__(
        self,
        game: str = "face_to_face",
        positions: Any = None,
        history: bool = False,
        render_mode: str | None = None,
        **parameters: Any,
    ):
        super().__init__()
        self.episodes = Episodes(game, positions, history, parameters, render_mode)
        self.metadata = {**self.metadata, "name": f"backtrick_{game}_v0"}
        self.render_mode = render_mode
        self.possible_agents, self.agents = AGENTS[:], list[str]()
        actions = self.episodes.steps.actions
        self.observation_spaces = {
            agent: Dict({"observation": Box(-1, 1, (self.episodes.size,)), "action_mask": Box(0, 1, (actions,), np.int8)})
            for agent in AGENTS
        }
        self.action_spaces = {agent: Discrete(actions) for agent in AGENTS}
        self._chance = Chance(randbits(63))
        self.moment: AnyMoment = self.episodes.steps.start
        self.agent_selection = AGENTS[0]

    def observation_space(self, agent: str) -> Any:
        """What an agent may see: the same for both."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of actions: the same for both."""
        return self.action_spaces[agent]

    @checked
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. Raises `ArgumentError` if it is over before it begins; warns of an option that does not exist."""
        position = position_in(options, warn)  # a warning, as PettingZoo's own `api_test` gives an option that no game has
        if seed is not None:
            self._chance = Chance(seed)
        for _ in range(1 if position is not None else TRIES):
            self._numbers = self._chance.next_game()
            self.moment = after_chance(self.episodes.start(self._numbers, position), self._numbers)
            if not is_over(self.moment):
                break
        else:
            raise ArgumentError("the game is over at its start: the player to move has no turn")
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = AGENTS[self.moment.to_move]

    def step(self, action: Any) -> None:
        """Plays an action of the agent who is to move; None for one whose game is over."""
        if not self.agents:
            raise ArgumentError("no game is running: call reset")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.moment = after_chance(self.moment.apply(action), self._numbers)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if is_over(self.moment):
            self.rewards = dict(zip(AGENTS, self.moment.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        else:
            self.agent_selection = AGENTS[self.moment.to_move]
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees. Raises `ArgumentError` if there is no such agent."""
        if agent not in AGENTS:
            raise ArgumentError(f"an agent must be {' or '.join(AGENTS)}, not {shown(agent)}")
        seat = AGENTS.index(agent)
        return {"observation": self.episodes.seen(self.moment, seat), "action_mask": self.episodes.mask(self.moment, seat)}

    def render(self) -> Any:
        """What the agent to move sees, as `render_mode` says."""
        return self.episodes.rendered(self.moment, AGENTS.index(self.agent_selection))

    def close(self) -> None:
        """Nothing is open."""


raw_env = Environment
"""The name that PettingZoo gives an environment without wrappers."""
