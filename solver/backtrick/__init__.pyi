from backtrick import face_to_face as face_to_face
from backtrick import learn as learn
from backtrick import matches as matches
from backtrick import take_that as take_that
from backtrick import testing as testing
from backtrick.any_game import best_many as best_many
from backtrick.any_game import best_turn as best_turn
from backtrick.any_game import equilibrium as equilibrium
from backtrick.any_game import grade as grade
from backtrick.any_game import grade_many as grade_many
from backtrick.any_game import legal_turns as legal_turns
from backtrick.any_game import odds as odds
from backtrick.any_game import outcomes as outcomes
from backtrick.any_game import pack as pack
from backtrick.any_game import parse as parse
from backtrick.any_game import solve as solve
from backtrick.any_game import solve_many as solve_many
from backtrick.budget import Budget as Budget
from backtrick.errors import BacktrickError as BacktrickError
from backtrick.learn.judging import regret as regret
from backtrick.matches.playing import match as match
from backtrick.matches.review import grade_game as grade_game

__version__: str
"""The version that is installed; `0+source` in a source tree that is not."""
