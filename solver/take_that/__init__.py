"""Take That: words, rules, solving and whole games. Nothing is defined here."""

from solver.take_that.action import TAKE as TAKE
from solver.take_that.action import Action as Action
from solver.take_that.action import pack_action as pack_action
from solver.take_that.action import unpack_action as unpack_action
from solver.take_that.options import Rules as Rules
from solver.take_that.position import POSITION_DTYPE as POSITION_DTYPE
from solver.take_that.position import Position as Position
from solver.take_that.position import mirror as mirror
from solver.take_that.position import pack as pack
from solver.take_that.position import unpack as unpack
from solver.take_that.rules import after as after
from solver.take_that.rules import legal_actions as legal_actions
from solver.take_that.rules import play as play
from solver.take_that.solving import Bounds as Bounds
from solver.take_that.solving import Budget as Budget
from solver.take_that.solving import Grade as Grade
from solver.take_that.solving import Ranked as Ranked
from solver.take_that.solving import Solution as Solution
from solver.take_that.solving import Step as Step
from solver.take_that.solving import best_action as best_action
from solver.take_that.solving import best_many as best_many
from solver.take_that.solving import bounds as bounds
from solver.take_that.solving import grade as grade
from solver.take_that.solving import solve as solve
from solver.take_that.solving import solve_many as solve_many
from solver.take_that.solving import value as value
