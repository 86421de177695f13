"""The Game: Face to Face. The public names; nothing is defined here.

>>> from solver import face_to_face as game
>>> game.solve(game.Position.parse("27^40v:17,18,45 13^50v:5,12"))
<Solution 27^40v:17,18,45 13^50v:5,12: win, remoteness 1>
"""

from solver.face_to_face.options import PUBLISHED, Rules
from solver.face_to_face.position import POSITION_DTYPE, Position, Side, pack, unpack
from solver.face_to_face.rules import after
from solver.face_to_face.sets import build_set
from solver.face_to_face.solving import (
    Grade,
    RankedTurn,
    Solution,
    best_many,
    best_turn,
    count_optimal_many,
    count_outcomes_many,
    grade,
    remoteness,
    solve,
    solve_many,
)
from solver.face_to_face.tablebase import Tablebase, open_tablebase
from solver.face_to_face.tables.building import build_tables
from solver.face_to_face.turn import Play, Turn, pack_turn, unpack_turn
from solver.face_to_face.turns import Outcome, count_turns, legal_turns, outcomes

__all__ = [
    "POSITION_DTYPE",
    "PUBLISHED",
    "Grade",
    "Outcome",
    "Play",
    "Position",
    "RankedTurn",
    "Rules",
    "Side",
    "Solution",
    "Tablebase",
    "Turn",
    "after",
    "best_many",
    "best_turn",
    "build_set",
    "build_tables",
    "count_optimal_many",
    "count_outcomes_many",
    "count_turns",
    "grade",
    "legal_turns",
    "open_tablebase",
    "outcomes",
    "pack",
    "pack_turn",
    "remoteness",
    "solve",
    "solve_many",
    "unpack",
    "unpack_turn",
]
