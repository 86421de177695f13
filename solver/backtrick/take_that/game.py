"""Take That as a value: `GAME`, which answers all that the rest of Backtrick asks of this game.

>>> from backtrick import take_that as game
>>> array = game.parse_many("15,43,44 21,53 51-62-35\\n- 12 34")
>>> game.turns_text(game.best_many(array))
['44', 'take']
>>> game.format_many(array[1:])
b'- 12 34\\n'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

import backtrick.take_that._text as _text
from backtrick.answer import Grades
from backtrick.bounds import Bounds, Made, Outcome
from backtrick.budget import UNLIMITED, Budget
from backtrick.game import Game, SolveOptions
from backtrick.names.lazy_imports import imported
from backtrick.take_that.deal import answer_deal, outcomes_of_deal
from backtrick.take_that.display import DISPLAY
from backtrick.take_that.position import POSITION_DTYPE, POSITION_WRITER, Deal, Position, bytes_of, pack, unpack
from backtrick.take_that.rule_options import PUBLISHED, Rules
from backtrick.take_that.rules import count_turns, play
from backtrick.take_that.solving import (
    answer,
    answer_array,
    best_first,
    endgame_bounds,
    first_illegal,
    legal_turns,
    outcome_rows,
    outcomes_many,
    outcomes_of,
    play_many,
    values_after,
)
from backtrick.take_that.turn import TURN_DTYPE, TURN_WRITER, Turn, pack_turn, turns_of_kernel, unpack_turn
from backtrick.threads import search_one

if TYPE_CHECKING:
    from backtrick.take_that.public_state import PublicState
    from backtrick.take_that.state import View


class TakeThat(Game[Position, Turn, Rules]):
    """Take That (rules T1-T12). The value is the mover's points minus the opponent's from here on (T12).

    >>> position = Position.parse("15,43,44 21,53 51-62-35")
    >>> answer = GAME.solve(position)
    >>> answer.value, str(answer.best), answer.optimal
    (6, '44', 1)
    >>> [(str(turn), points) for turn, points, _ in GAME.steps(answer)]
    [('44', 0), ('53x35', 2), ('43', 0), ('take', -8)]
    >>> GAME.grade(position, Turn.parse("15x51")).verdict
    'gives 7 points away'
    """

    __slots__ = ()

    display = DISPLAY
    published = PUBLISHED
    position_type = Position
    deal_type = Deal
    position_dtype = POSITION_DTYPE
    turn_type = Turn
    turn_dtype = TURN_DTYPE

    # functions of the other modules, as they are
    parse_turn = staticmethod(Turn.parse)
    legal_turns = staticmethod(legal_turns)
    count_turns = staticmethod(count_turns)
    count_outcomes = staticmethod(count_turns)  # no two lead to the same position
    play = staticmethod(play)
    pack = staticmethod(pack)
    unpack = staticmethod(unpack)
    pack_turn = staticmethod(pack_turn)
    unpack_turn = staticmethod(unpack_turn)
    turns_of = staticmethod(turns_of_kernel)
    position_writer = POSITION_WRITER
    turn_writer = TURN_WRITER
    first_illegal = staticmethod(first_illegal)
    outcomes_many = staticmethod(outcomes_many)
    answer = answer
    answer_array = answer_array
    answer_deal = answer_deal
    proof = staticmethod(imported("backtrick.take_that.proving", "proof_of"))
    look = staticmethod(imported("backtrick.take_that.turn_in_progress", "look"))

    def parse(self, text: str, rules: Rules | None = None) -> Position | View:
        if not isinstance(text, str) or "?" not in text:
            return Position.parse(text)
        from backtrick.take_that.state import View  # few need it

        return View.parse(text, rules=rules or self.published)

    @property
    def public_state(self) -> type[PublicState]:
        from backtrick.take_that.public_state import PublicState  # few need it

        return PublicState

    def strategy(self, player: Any) -> Callable[[Any], Any]:
        found: Callable[[Any], Any] = import_module("backtrick.take_that.players").whole_turns(player)  # few need it
        return found

    def read_plain(
        self, text: bytes, start: int, positions: np.ndarray, turns: np.ndarray | None, first: int, rest: bool
    ) -> tuple[int, int]:
        return _text.read_range(text, start, bytes_of(positions), turns, first, rest)

    def first_malformed(self, array: np.ndarray) -> int:
        return _text.check_range(bytes_of(array))

    def bounds(self, position: Position | str, rules: Rules | None = None, budget: Budget = UNLIMITED) -> Bounds:
        """The bounds of the value that can be proved within the budget.

        >>> GAME.bounds(Position.parse("15,43,44 21,53 51-62-35")).lowest
        6
        """
        position, rules = self.read_position(position), self.read_rules(rules)
        if not position.pile:
            return endgame_bounds(position, rules, budget)
        return search_one(lambda stop: self.answer_deal(position, rules, budget, (), stop), budget).bounds

    def outcomes(
        self, position: Position | str, rules: Rules | None = None, budget: Budget = UNLIMITED
    ) -> Sequence[Outcome[Position, Turn]]:
        """Every distinct outcome, best first; equal ones in the order of the turns. Raises `NotSolvedError`; of a deal some
        outcomes have only bounds if the budget does not suffice. An outcome of an endgame is made when it is asked for.

        >>> for outcome in GAME.outcomes(Position.parse("15,43,44 21,53 51-62-35")):
        ...     print(outcome.turn, outcome.value, outcome.points, outcome.position, sep=" | ")
        44 | 6 | 0 | 21,53 15,43 51-62-35-44
        43 | 4 | 0 | 21,53 15,44 51-62-35-43
        15x51 | -1 | 2 | 21,53 43,44 62-35
        take | -3 | -3 | None
        """
        position, rules = self.read_position(position), self.read_rules(rules)
        if not position.pile:
            return Made(best_first(outcome_rows(position, rules, budget)), outcomes_of)
        return search_one(lambda stop: outcomes_of_deal(position, rules, budget, stop), budget)

    def solves_arrays(self, options: SolveOptions[Position, Rules]) -> bool:
        return options.budget.nodes is None and options.budget.seconds is None

    def grade_array(
        self, positions: np.ndarray, turns: np.ndarray, options: SolveOptions[Position, Rules]
    ) -> Grades[Position, Turn, Rules]:
        points, following = play_many(positions, turns, options.threads, options.rules)
        after, on = values_after(points, following, options.threads, options.rules, progress=False)
        return Grades.searched(self.answer_array(positions, options), turns, after, ~on)


GAME: TakeThat = TakeThat()
"""Take That as one object, for code that serves every game (`backtrick.game.Game`)."""

solve, best_turn, grade, outcomes, bounds = GAME.solve, GAME.best_turn, GAME.grade, GAME.outcomes, GAME.bounds
equilibrium = GAME.equilibrium
parse_many, format_many, turns_text = GAME.parse_many, GAME.format_many, GAME.turns_text
outcomes_in_batches = GAME.outcomes_in_batches
