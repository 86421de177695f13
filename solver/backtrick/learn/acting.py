"""Trained agents as players: a policy of actions plays in matches and on the page, as any function from a view to a turn does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from backtrick.errors import ArgumentError
from backtrick.games import game_of, steps_of
from backtrick.given import shown
from backtrick.play.players import numbers_for
from backtrick.play.steps import Moment, Steps

MOMENT, ARRAYS = "moment", "arrays"
"""What a policy of actions is a function of."""


def turn_by_actions(moment: Moment[Any], policy: Callable[[Moment[Any]], Any]) -> Any:
    """The turn of a policy that is asked for one action after another, until its turn ends. Raises `BacktrickError`."""
    seat, numbers = moment.to_move, []
    while moment.to_move == seat:
        numbers.append(moment.steps.read_number(policy(moment)))
        moment = moment.apply(numbers[-1])
    return moment.steps.turn_of(numbers)


@lru_cache(8)
def _steps(game: str, rules: Any) -> Steps[Any]:
    return steps_of(game)(**asdict(rules))


@dataclass(frozen=True)
class ActionPlayer:
    """A player made of a policy of actions. It is a function from a view to a turn, as `match` takes it.

    policy: as in `regret`: with sees='arrays' from the observations and masks of moments to the numbers of their actions, here of
            one moment at a time, so of shape (1, size) and (1, actions); with sees='moment' from a moment to one number
    game:   whose views it gets, by its name
    sees:   'arrays' or 'moment'

    The hidden cards of a moment are drawn at random, since a player does not see them. Raises `ArgumentError`.

    >>> from backtrick import match
    >>> def lowest(observations, masks):
    ...     return masks.argmax(axis=1)
    >>> match("random", ActionPlayer(lowest, "take_that"), game="take_that", games=2, progress=False).games
    2
    """

    policy: Callable[..., Any]
    game: str = "face_to_face"
    sees: str = ARRAYS
    __name__: str = field(init=False, default="")

    def __post_init__(self) -> None:
        if not callable(self.policy):
            raise ArgumentError(f"policy must be a function, not {shown(self.policy)}")
        if self.sees not in (MOMENT, ARRAYS):
            raise ArgumentError(f"sees must be {MOMENT!r} or {ARRAYS!r}, not {shown(self.sees)}")
        steps_of(self.game)  # says so if there are none
        object.__setattr__(self, "__name__", getattr(self.policy, "__name__", type(self.policy).__name__))

    def __call__(self, view: Any) -> Any:
        """The turn that the policy plays from a view."""
        rules = getattr(view, "rules", None)
        if rules is None:
            raise ArgumentError(f"view must be a view of {game_of(self.game).title}, not {shown(view)}")
        moment = Moment(_steps(self.game, rules), view.world(numbers_for(0, view)))
        return turn_by_actions(moment, self.policy if self.sees == MOMENT else self._asked)

    def _asked(self, moment: Moment[Any]) -> Any:
        masks = np.zeros((1, moment.steps.actions), np.int8)
        masks[0, moment.legal()] = 1
        chosen = np.asarray(self.policy(moment.observation(moment.to_move)[None], masks.copy()))
        if chosen.shape != (1,) or chosen.dtype.kind not in "iu":
            raise ArgumentError(f"the policy gives one whole number, of shape (1,), not {chosen.dtype} of shape {chosen.shape}")
        return int(chosen[0])
