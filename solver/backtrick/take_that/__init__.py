"""Take That: exact answers for positions and deals, whole rounds, solved sets.

>>> from backtrick import take_that as game
>>> game.solve(game.Position.parse("15,43,44 21,53 51-62-35"))
<Answer 15,43,44 21,53 51-62-35: +6>
"""

from backtrick.names.lazy_imports import public_names

__all__, __getattr__, __dir__ = public_names(__name__, {
    "backtrick.answer": ["Answer", "Answers", "Grade"],
    "backtrick.bounds": ["Bounds", "Outcome"],
    "backtrick.budget": ["Budget"],
    "backtrick.play.plans": ["Equilibrium"],
    "backtrick.take_that.turn": ["TAKE", "Turn", "mirror_turn", "pack_turn", "pack_turns", "unpack_turn"],
    "backtrick.take_that.game": ["GAME", "solve", "best_turn", "bounds", "grade", "outcomes", "equilibrium", "parse_many",
                                    "format_many", "turns_text", "outcomes_in_batches"],
    "backtrick.take_that.public_state": ["PublicState"],
    "backtrick.take_that.rule_options": ["PUBLISHED", "Rules"],
    "backtrick.take_that.position": ["POSITION_DTYPE", "Deal", "Position", "canonical", "mirror", "pack", "unpack"],
    "backtrick.take_that.rules": ["after", "count_turns", "play"],
    "backtrick.take_that.solving": [
        "OUTCOME_DTYPE", "best_many", "count_outcomes_many", "grade_many", "legal_turns", "lines_many", "optimal_many",
        "outcome_rows", "outcomes_many", "solve_many", "value",
    ],
    "backtrick.take_that.policies": None,
    "backtrick.take_that.samples": None,
    "backtrick.take_that.state": ["State", "View"],
    "backtrick.take_that.tablebase": ["Tablebase", "build_set", "open_tablebase"],
    "backtrick.take_that.worlds": ["odds"],
})  # fmt: skip
