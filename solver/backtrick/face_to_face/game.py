"""The Game: Face to Face as a value: `GAME`, which answers all that the rest of Backtrick asks of this game.

>>> from backtrick import face_to_face as game
>>> array = game.parse_many("27^40v:17,18,45 13^50v:5,12\\n52^6v:16,18,19,57 53^15v:4,7,29,44")
>>> game.turns_text(game.best_many(array))
['17^ 18^ 45^', "16v 18v'"]
>>> game.format_many(array[:1])
b'27^40v:17,18,45 13^50v:5,12\\n'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

import backtrick.face_to_face._solve as _solve
import backtrick.face_to_face._text as _text
from backtrick.answer import Answers, Grade, Grades
from backtrick.bounds import Bounds, Made, Outcome, Value, exactly
from backtrick.budget import UNLIMITED, Budget
from backtrick.errors import PackedError
from backtrick.face_to_face import rules as referee
from backtrick.face_to_face.deal import answer_deal, outcomes_of_deal
from backtrick.face_to_face.display import DISPLAY, LOSS, WIN, outcome_word
from backtrick.face_to_face.position import POSITION_DTYPE, POSITION_WRITER, Deal, Position, pack, unpack
from backtrick.face_to_face.rule_options import PUBLISHED, Rules
from backtrick.face_to_face.solving import (
    answer,
    answer_array,
    best_first,
    count_turns,
    first_illegal,
    grade_many,
    kernel_arguments,
    legal_turns,
    legal_turns_array,
    outcome_rows,
    outcomes_many,
    outcomes_of,
    turn_text,
    value,
)
from backtrick.face_to_face.turn import TURN_DTYPE, TURN_WRITER, Turn, pack_turn, turns_of_kernel, unpack_turn
from backtrick.game import Game, SolveOptions
from backtrick.names.lazy_imports import imported
from backtrick.threads import search_one

if TYPE_CHECKING:
    from backtrick.face_to_face.state import View


class FaceToFace(Game[Position, Turn, Rules]):
    """The Game: Face to Face (rules F1-F14). The value is the remoteness, the turns left: odd, the mover wins; even, it loses.

    Of a deal, with cards still to be drawn, only the outcome is known: it is won, lost, or not solved within the limits.

    >>> position = Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44")
    >>> answer = GAME.solve(position)
    >>> answer.value, DISPLAY.value_text(answer.bounds), answer.optimal, len(GAME.outcomes(position))
    (3, 'win in 3', 1, 16)
    >>> print(*answer.line, sep=" | ")
    16v 18v' | 4v 7^' | 19^ 57^
    >>> GAME.grade(position, Turn.parse("16v 18^'")).verdict
    'throws the win away'
    >>> deal = Position.parse("27^40v:17,18,45+20,33,50 43^20v:5,12+4,9")
    >>> GAME.solve(deal), str(GAME.best_turn(deal))
    (<Answer 27^40v:17,18,45+20,33,50 43^20v:5,12+4,9: win>, "17^ 45v'")
    >>> GAME.solve(deal).outcome, GAME.solve(deal).value
    ('win', None)
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
    play = staticmethod(referee.play)
    pack = staticmethod(pack)
    unpack = staticmethod(unpack)
    pack_turn = staticmethod(pack_turn)
    unpack_turn = staticmethod(unpack_turn)
    position_writer = POSITION_WRITER
    turn_writer = TURN_WRITER
    read_plain = staticmethod(_text.read_range)
    first_malformed = staticmethod(_text.check_range)
    first_illegal = staticmethod(first_illegal)
    outcomes_many = staticmethod(outcomes_many)
    answer = answer
    answer_array = answer_array
    answer_deal = answer_deal
    proof = staticmethod(imported("backtrick.face_to_face.proving", "proof_of"))
    look = staticmethod(imported("backtrick.face_to_face.turn_in_progress", "look"))
    hidden_plans = staticmethod(imported("backtrick.face_to_face.equilibria", "solve"))
    completions = staticmethod(imported("backtrick.face_to_face.turn_in_progress", "completions"))

    @property
    def public_state(self) -> Any:
        return import_module("backtrick.face_to_face.public_state").PublicState

    def strategy(self, player: Any) -> Any:
        return import_module("backtrick.face_to_face.players").WHOLE_GAME.strategy(player)

    def parse(self, text: str, rules: Rules | None = None) -> Position | View:
        if not isinstance(text, str) or "?" not in text:
            return Position.parse(text)
        from backtrick.face_to_face.state import View  # seldom needed

        return View.parse(text, rules=rules or self.published)

    def reported_value(self, position: Position, value: Value) -> Value:
        """Of a deal only who wins, whatever the number of turns."""
        return outcome_word(value) if isinstance(position, Deal) else value

    def worth(self, points: int, following: Value) -> Value:
        """One turn more than the game lasts afterwards; of a deal, what the opponent loses is won."""
        if isinstance(following, str):
            return WIN if following == LOSS else LOSS
        return following + 1

    def preference(self, value: Value) -> int:
        """Win fast, lose slowly."""
        if isinstance(value, str):
            return 1000 if value == WIN else 0
        return 1000 - value if value % 2 else value

    def payoffs(self, values: np.ndarray) -> np.ndarray:
        """1 for a win, -1 for a loss."""
        return np.where(values % 2 == 1, 1.0, -1.0)

    def turns_of(self, packed: Sequence[int]) -> list[Turn | None]:
        turns = iter(turns_of_kernel(filter(None, packed)))
        return [next(turns) if number else None for number in packed]

    def bounds(self, position: Position | str, rules: Rules | None = None, budget: Budget = UNLIMITED) -> Bounds:
        """The bounds of the value that can be proved within the budget. For an endgame both are the
        remoteness; the budget is ignored. For a deal they say who wins, if the budget suffices.

        >>> deal = Position.parse("31^9v:15,16,23,26,53,58+51,14,49,59,54 30^2v:22,26,43,50,55,56+41,57,39,46,35,11,54")
        >>> GAME.bounds(deal, budget=Budget(nodes=1))
        Bounds(lowest='loss', highest='win', nodes=1)
        """
        position, rules = self.read_position(position), self.read_rules(rules)
        if not isinstance(position, Deal):
            return exactly(value(position, rules))
        return search_one(lambda stop: self.answer_deal(position, rules, budget, (), stop), budget).bounds

    def outcomes(
        self, position: Position | str, rules: Rules | None = None, budget: Budget = UNLIMITED
    ) -> Sequence[Outcome[Position, Turn]]:
        """Every distinct outcome, best first; equal ones in the order of the turns. Of a deal some outcomes have only bounds if the
        budget does not suffice. An outcome of an endgame is made when it is asked for.

        >>> position = Position.parse("27^40v:17,18 13^50v:5,12")
        >>> for outcome in GAME.outcomes(position):
        ...     print(outcome.turn, outcome.value, outcome.ways, outcome.position, sep=" | ")
        17^ 18^ | 1 | 1 | 13^50v:5,12 18^40v:
        17^ 18v | 1 | 2 | 13^50v:5,12 17^18v:
        18v 17v | 1 | 1 | 13^50v:5,12 27^17v:
        """
        position, rules = self.read_position(position), self.read_rules(rules)
        if not isinstance(position, Deal):
            return Made(best_first(outcome_rows(position, rules)), outcomes_of)
        return search_one(lambda stop: outcomes_of_deal(position, rules, budget, stop), budget)

    def count_outcomes(self, position: Position, rules: Rules) -> int:
        if isinstance(position, Deal):
            return super().count_outcomes(position, rules)
        return _solve.count_outcomes(*kernel_arguments(position, rules))

    def turn_texts(self, position: Position, rules: Rules) -> Iterator[str]:
        return map(turn_text, legal_turns_array(position, rules).tolist())

    def solves_arrays(self, options: SolveOptions[Position, Rules]) -> bool:
        return True

    def grades(
        self,
        questions: Sequence[tuple[Position, Turn]],
        options: SolveOptions[Position, Rules],
        played: Sequence[tuple[int, Position | None]] | None = None,
    ) -> Iterator[Grade[Position, Turn, Rules]]:
        """As `Game.grades`. One turn is graded without arrays, in a fifth of the time."""
        if len(questions) == 1 and options.tablebase is None and not isinstance(questions[0][0], Deal):
            return iter([self._grade(*questions[0], options.rules)])
        return super().grades(questions, options, played)

    def _grade(self, position: Position, turn: Turn, rules: Rules) -> Grade[Position, Turn, Rules]:
        packed, code = kernel_arguments(position, rules)
        try:
            values = _solve.grade(packed, pack_turn(turn), code)
        except PackedError:
            values = None
        if values is None:
            referee.after(position, turn, rules)
            raise AssertionError(f"the kernel refused {turn} in {position}, which is legal")
        return Grade(self.answer(position, rules), turn, values[1])

    def grade_array(
        self, positions: np.ndarray, turns: np.ndarray, options: SolveOptions[Position, Rules]
    ) -> Grades[Position, Turn, Rules]:
        before, after = grade_many(positions, turns, options.threads, options.rules, progress=False)
        rules = options.rules
        answers = self.answer_array(positions, options) if options.want else Answers.searched(self, rules, positions, before)
        return Grades.searched(answers, turns, after, np.zeros(len(turns), bool))


GAME: FaceToFace = FaceToFace()
"""The Game: Face to Face as one object, for code that serves every game (`backtrick.game.Game`)."""

solve, best_turn, grade, outcomes, bounds = GAME.solve, GAME.best_turn, GAME.grade, GAME.outcomes, GAME.bounds
equilibrium = GAME.equilibrium
parse_many, format_many, turns_text = GAME.parse_many, GAME.format_many, GAME.turns_text
outcomes_in_batches = GAME.outcomes_in_batches
