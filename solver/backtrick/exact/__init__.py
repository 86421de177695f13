"""Exact play for learners: what every turn of many endgames is worth, and the regret of a policy (docs/learners.md).

Blind to the game: an array of positions, or the positions themselves, say which game it is.

>>> from backtrick import exact
>>> from backtrick.face_to_face import deals
>>> print(exact.regret("frugal", deals.selfplay_array(1000, seed=1)))
931 turns: regret 0.129 (0.097..0.160), best 90.4 % (88.4 %..92.2 %), as good 93.6 % (91.8 %..95.0 %)
"""

from backtrick.exact.actions import ActionValues, action_values
from backtrick.exact.judging import Mistake, Regret, judge, regret
from backtrick.exact.values import TurnValues, turn_values

__all__ = ["ActionValues", "Mistake", "Regret", "TurnValues", "action_values", "judge", "regret", "turn_values"]
