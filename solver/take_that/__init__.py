"""Take That. The public names; nothing is defined here.

>>> from solver import take_that as game
>>> game.solve(game.Position.parse("15,43,44 21,53 51-62-35")).value
6
"""

from solver.take_that.action import TAKE, Action, mirror_action, pack_action, unpack_action
from solver.take_that.options import PUBLISHED, Rules
from solver.take_that.position import POSITION_DTYPE, Position, canonical, mirror, pack, unpack
from solver.take_that.rules import after, legal_actions, play, successors
from solver.take_that.solving import (
    Bounds,
    Budget,
    Grade,
    RankedAction,
    Solution,
    Step,
    best_action,
    best_many,
    bounds,
    grade,
    solve,
    solve_many,
    value,
)

__all__ = [
    "POSITION_DTYPE",
    "PUBLISHED",
    "TAKE",
    "Action",
    "Bounds",
    "Budget",
    "Grade",
    "Position",
    "RankedAction",
    "Rules",
    "Solution",
    "Step",
    "after",
    "best_action",
    "best_many",
    "bounds",
    "canonical",
    "grade",
    "legal_actions",
    "mirror",
    "mirror_action",
    "pack",
    "pack_action",
    "play",
    "solve",
    "solve_many",
    "successors",
    "unpack",
    "unpack_action",
    "value",
]
