"""The exact value of a position by four nested questions, without a table of results (docs/face_to_face.md); and answers: turns and
their outcomes, the best turn and the principal line, rows of outcomes, grades of given turns.

Remoteness is at most 5, because three turns of two cards lay all six. So the questions are: can the mover win now? If not, is
there a *safe* turn, one after which the opponent cannot win at once (else lost in 2)? Is there one after which the opponent has
no safe turn (won in 3)? Is there one after which the opponent cannot do even that (won in 5, else lost in 4)?

Everywhere x is to move and y is the other (`Holding` in `_layout.pxd`). `keep` is the fewest cards with which a player can still
have a turn: 2, or 1 with a lone last card (F13).
"""

include "_solve_questions.pxi"
include "_solve_turns.pxi"
include "_solve_answers.pxi"
include "_solve_grades.pxi"
