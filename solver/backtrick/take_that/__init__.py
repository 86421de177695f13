"""Take That. The public names; nothing is defined here.

>>> from backtrick import take_that as game
>>> game.solve(game.Position.parse("15,43,44 21,53 51-62-35"))
<Answer 15,43,44 21,53 51-62-35: +6>
"""

from backtrick.answer import Answer, Bounds, Grade, Outcome, Step
from backtrick.storage.closures import Closure
from backtrick.take_that.action import TAKE, Action, mirror_action, pack_action, unpack_action
from backtrick.take_that.game import GAME
from backtrick.take_that.options import PUBLISHED, Rules
from backtrick.take_that.outcomes import (
    OUTCOME_DTYPE,
    grade_many,
    outcome_rows,
    outcomes_many,
)
from backtrick.take_that.position import POSITION_DTYPE, Position, canonical, mirror, pack, unpack
from backtrick.take_that.rules import after, legal_actions, play, successors
from backtrick.take_that.solving import best_many, bounds, lines_many, optimal_many, solve_many, value
from backtrick.take_that.state import State, View
from backtrick.take_that.stored import STORED
from backtrick.take_that.tablebase import Tablebase, open_tablebase
from backtrick.take_that.worlds import odds
from backtrick.work import Budget

solve, best_turn, grade = GAME.solve, GAME.best_turn, GAME.grade
parse_many, format_many, turns_text = GAME.parse_many, GAME.format_many, GAME.turns_text
build_set, build_closure, open_closure = STORED.build_set, STORED.build_closure, STORED.open_closure

__all__ = [
    "GAME",
    "OUTCOME_DTYPE",
    "POSITION_DTYPE",
    "PUBLISHED",
    "TAKE",
    "Action",
    "Answer",
    "Bounds",
    "Budget",
    "Closure",
    "Grade",
    "Outcome",
    "Position",
    "Rules",
    "State",
    "Step",
    "Tablebase",
    "View",
    "after",
    "best_many",
    "best_turn",
    "bounds",
    "build_closure",
    "build_set",
    "canonical",
    "format_many",
    "grade",
    "grade_many",
    "legal_actions",
    "lines_many",
    "mirror",
    "mirror_action",
    "odds",
    "open_closure",
    "open_tablebase",
    "optimal_many",
    "outcome_rows",
    "outcomes_many",
    "pack",
    "pack_action",
    "parse_many",
    "play",
    "solve",
    "solve_many",
    "successors",
    "turns_text",
    "unpack",
    "unpack_action",
    "value",
]
