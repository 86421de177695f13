"""Take That. The public names; nothing is defined here.

>>> from solver import take_that as game
>>> game.solve(game.Position.parse("15,43,44 21,53 51-62-35")).value
6
"""

from solver.take_that.action import TAKE, Action, mirror_action, pack_action, unpack_action
from solver.take_that.closures import Closure, build_closure, open_closure
from solver.take_that.options import PUBLISHED, Rules
from solver.take_that.position import POSITION_DTYPE, Position, canonical, mirror, pack, unpack
from solver.take_that.rules import after, legal_actions, play, successors
from solver.take_that.sets import build_set
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
from solver.take_that.tablebase import Tablebase, open_tablebase

__all__ = [
    "POSITION_DTYPE",
    "PUBLISHED",
    "TAKE",
    "Action",
    "Bounds",
    "Budget",
    "Closure",
    "Grade",
    "Position",
    "RankedAction",
    "Rules",
    "Solution",
    "Step",
    "Tablebase",
    "after",
    "best_action",
    "best_many",
    "bounds",
    "build_closure",
    "build_set",
    "canonical",
    "grade",
    "legal_actions",
    "mirror",
    "mirror_action",
    "open_closure",
    "open_tablebase",
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
