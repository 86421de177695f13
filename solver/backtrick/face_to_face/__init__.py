"""The Game: Face to Face: exact answers for positions and deals, whole games, complete tables.

>>> from backtrick import face_to_face as game
>>> game.solve(game.Position.parse("27^40v:17,18,45 13^50v:5,12"))
<Answer 27^40v:17,18,45 13^50v:5,12: win in 1>
"""

from backtrick.names.lazy_imports import public_names

__all__, __getattr__, __dir__ = public_names(__name__, {
    "backtrick.answer": ["Answer", "Answers", "Grade"],
    "backtrick.bounds": ["Bounds", "Outcome"],
    "backtrick.budget": ["Budget"],
    "backtrick.face_to_face.classes": ["canonical"],
    "backtrick.face_to_face.game": ["GAME", "solve", "best_turn", "bounds", "equilibrium", "grade", "outcomes",
                                    "parse_many", "format_many", "turns_text", "outcomes_in_batches"],
    "backtrick.face_to_face.public_state": ["PublicState"],
    "backtrick.play.plans": ["Equilibrium"],
    "backtrick.face_to_face.rule_options": ["PUBLISHED", "Rules"],
    "backtrick.face_to_face.position": ["POSITION_DTYPE", "Deal", "Position", "Side", "mirror", "pack", "unpack"],
    "backtrick.face_to_face.rules": ["after", "play"],
    "backtrick.face_to_face.solving": [
        "OUTCOME_DTYPE", "best_many", "count_outcomes_many", "count_turns", "grade_many", "legal_turns",
        "lines_many", "optimal_many", "outcome_rows", "outcomes_many", "solve_many", "value",
    ],
    "backtrick.face_to_face.policies": None,
    "backtrick.face_to_face.samples": None,
    "backtrick.face_to_face.state": ["State", "View"],
    "backtrick.face_to_face.tablebase": ["Tablebase", "build_set", "open_tablebase"],
    "backtrick.face_to_face.tables.building": ["build_tables"],
    "backtrick.face_to_face.turn": ["Play", "Turn", "mirror_turn", "pack_turn", "pack_turns", "unpack_turn"],
    "backtrick.face_to_face.worlds": ["odds"],
})  # fmt: skip
