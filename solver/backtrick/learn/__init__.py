"""For those who train agents (docs/learners.md): what turns are worth, the regret of a policy, environments, and data sets.

    values      what every turn and every action of many endgames is worth, as arrays
    judging     the regret of a policy
    episodes    how the games of an environment begin, and what a player sees
    gymnasium   environments of one player who learns; needs the extra of this name, as the next two do
    pettingzoo  environments of two agents
    openspiel   the games in OpenSpiel
    dataset     a data set in a directory (docs/export.md)
    writers     its columns as Parquet, numpy arrays or JSON lines
    card        what it says about itself

>>> from backtrick import learn
>>> from backtrick.face_to_face import deals
>>> print(learn.regret("frugal", deals.selfplay_array(1000, seed=1)))
931 turns: regret 0.129 (0.097..0.160), best 90.4 % (88.4 %..92.2 %), as good 93.6 % (91.8 %..95.0 %)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backtrick.learn.judging import Mistake, Regret, judge, regret
    from backtrick.learn.values import ActionValues, TurnValues, action_values, turn_values

__all__ = ["ActionValues", "Mistake", "Regret", "TurnValues", "action_values", "judge", "regret", "turn_values"]


def __getattr__(name: str) -> Any:
    """A public name, imported when it is asked for: a data set needs no players, and an environment no regret."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "values" if name.lower().endswith("values") else "judging"
    return getattr(import_module(f"{__name__}.{home}"), name)
