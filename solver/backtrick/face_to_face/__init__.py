"""The Game: Face to Face. The public names; nothing is defined here.

>>> from backtrick import face_to_face as game
>>> game.solve(game.Position.parse("27^40v:17,18,45 13^50v:5,12"))
<Answer 27^40v:17,18,45 13^50v:5,12: win in 1>
"""

from backtrick.answer import Answer, Grade, Outcome, Step
from backtrick.face_to_face.game import GAME
from backtrick.face_to_face.grading import grade_many
from backtrick.face_to_face.lines import lines_many
from backtrick.face_to_face.options import PUBLISHED, Rules
from backtrick.face_to_face.position import POSITION_DTYPE, Position, Side, pack, unpack
from backtrick.face_to_face.rules import after
from backtrick.face_to_face.solving import (
    best_many,
    count_optimal_many,
    count_outcomes_many,
    optimal_many,
    outcomes_many,
    remoteness,
    solve_many,
)
from backtrick.face_to_face.state import State, View
from backtrick.face_to_face.stored import STORED
from backtrick.face_to_face.tablebase import Tablebase, open_tablebase
from backtrick.face_to_face.tables.building import build_tables
from backtrick.face_to_face.turn import Play, Turn, pack_turn, unpack_turn
from backtrick.face_to_face.turns import OUTCOME_DTYPE, count_turns, legal_turns, outcome_rows, outcomes
from backtrick.face_to_face.worlds import odds
from backtrick.work import Budget

solve, best_turn, grade = GAME.solve, GAME.best_turn, GAME.grade
parse_many, format_many, turns_text = GAME.parse_many, GAME.format_many, GAME.turns_text
build_set = STORED.build_set

__all__ = [
    "GAME",
    "OUTCOME_DTYPE",
    "POSITION_DTYPE",
    "PUBLISHED",
    "Answer",
    "Budget",
    "Grade",
    "Outcome",
    "Play",
    "Position",
    "Rules",
    "Side",
    "State",
    "Step",
    "Tablebase",
    "Turn",
    "View",
    "after",
    "best_many",
    "best_turn",
    "build_set",
    "build_tables",
    "count_optimal_many",
    "count_outcomes_many",
    "count_turns",
    "format_many",
    "grade",
    "grade_many",
    "legal_turns",
    "lines_many",
    "odds",
    "open_tablebase",
    "optimal_many",
    "outcome_rows",
    "outcomes",
    "outcomes_many",
    "pack",
    "pack_turn",
    "parse_many",
    "remoteness",
    "solve",
    "solve_many",
    "turns_text",
    "unpack",
    "unpack_turn",
]
