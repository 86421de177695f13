"""The Game: Face to Face as a value: `GAME`, which answers all that the rest of Backtrick asks of this game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from backtrick.answer import SEARCH, Answer, Bounds, Grade, Outcome, Outcomes, Step, exactly
from backtrick.answered import AnswerColumns, GradeColumns
from backtrick.errors import IllegalTurnError, PackedError
from backtrick.face_to_face import _grades, _text
from backtrick.face_to_face import rules as referee
from backtrick.face_to_face.deal_answers import DEALS
from backtrick.face_to_face.deal_solving import UNSOLVED
from backtrick.face_to_face.description import FaceToFaceDescription
from backtrick.face_to_face.grading import first_illegal, grade_many
from backtrick.face_to_face.lines import lines_many
from backtrick.face_to_face.options import PUBLISHED, Rules
from backtrick.face_to_face.position import POSITION_DTYPE, Position, pack, unpack
from backtrick.face_to_face.solving import (
    LOST,
    WON,
    best_first,
    best_many,
    best_packed,
    optimal_many,
    outcome_word,
    outcomes_many,
    remoteness,
    solve_many,
)
from backtrick.face_to_face.text import TURN_DTYPE, position_column, turn_column
from backtrick.face_to_face.turn import Turn, pack_turn, unpack_turn
from backtrick.face_to_face.turns import (
    count_turns,
    legal_turns,
    legal_turns_array,
    outcome_rows,
    outcomes_of,
    question,
    turn_text,
)
from backtrick.game import BEST, LINE, OPTIMAL, OUTCOMES, Game, Terms
from backtrick.work import UNLIMITED, Budget

if TYPE_CHECKING:
    from backtrick.face_to_face.state import State
    from backtrick.look import Look


class FaceToFace(FaceToFaceDescription, Game[Position, Turn, Rules]):
    """The Game: Face to Face (rules F1-F14). The value is the remoteness, the turns left: odd, the mover wins; even, it loses.

    A deal, with cards still to be drawn, is worth `WON` or `LOST`; the bounds of one that is not solved are both.

    >>> position = Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44")
    >>> answer = GAME.solve(position)
    >>> answer.value, GAME.value_text(answer.bounds), len(answer.outcomes), answer.optimal
    (3, 'win in 3', 16, 1)
    >>> print(*answer.line, sep=" | ")
    16v 18v' | 4v 7^' | 19^ 57^
    >>> GAME.grade(position, Turn.parse("16v 18^'")).verdict
    'throws the win away'
    >>> deal = Position.parse("27^40v:17,18,45+20,33,50 43^20v:5,12+4,9")
    >>> GAME.solve(deal), str(GAME.best_turn(deal))
    (<Answer 27^40v:17,18,45+20,33,50 43^20v:5,12+4,9: win>, "17^ 45v'")
    """

    published = PUBLISHED
    value_types = {"outcome": str, "remoteness": int}
    position_dtype = POSITION_DTYPE
    turn_type = Turn
    turn_dtype = TURN_DTYPE

    def parse(self, text: str) -> Position:
        """The position that `text` names. Raises `NotationError`, `PositionError`."""
        return Position.parse(text)

    def parse_turn(self, text: str) -> Turn:
        """The turn that `text` names. Raises `NotationError`."""
        return Turn.parse(text)

    def legal_turns(self, position: Position, rules: Rules) -> list[Turn]:
        """Every legal ordered turn. A turn comes before its continuations; cards ascend, piles come in the order ^ v ^' v'."""
        return legal_turns(position, rules)

    def play(self, position: Position, turn: Turn, rules: Rules) -> tuple[int, Position | None]:
        """No points, and the position after `turn`. Raises `IllegalTurnError` that names play and rule."""
        return 0, referee.after(position, turn, rules)

    def is_deal(self, position: Position) -> bool:
        """True if a player has still cards to draw (F11)."""
        return not position.is_endgame

    def measure(self, position: Position, value: int) -> int:
        """Of a deal only who wins, whatever the number of turns."""
        if position.is_endgame:
            return value
        return WON if value % 2 else LOST

    def check_endgame(self, position: Position) -> None:
        """Raises `PositionError` for a deal (F11)."""
        _ = position.packed

    def start(self, rules: Rules) -> State:
        """A whole game before the deal."""
        from backtrick.face_to_face.state import State

        return State.start(rules)

    def drawing(self, position: Position) -> str:
        """A position as an SVG file."""
        from backtrick.face_to_face.drawing import drawing

        return drawing(position)

    def symbols(self) -> Iterator[tuple[str, str]]:
        """Every card, in the colours of the page."""
        from backtrick.drawing.palette import THEMED
        from backtrick.face_to_face.drawing import symbols

        return symbols(THEMED)

    def worth(self, points: int, following: int) -> int:
        """One turn more than the game lasts afterwards."""
        return following + 1

    def rank(self, value: int) -> int:
        """Win fast, lose slowly."""
        return 1000 - value if value % 2 else value

    def payoffs(self, values: np.ndarray) -> np.ndarray:
        """1 for a win, -1 for a loss.

        >>> GAME.payoffs(np.array([0, 1, 4, WON, LOST]))
        array([-1.,  1., -1.,  1., -1.])
        """
        return np.where(values % 2 == 1, 1.0, -1.0)

    def value_text(self, bounds: Bounds) -> str:
        """A value for people.

        >>> GAME.value_text(Bounds(3, 3)), GAME.value_text(Bounds(WON, WON)), GAME.value_text(Bounds(LOST, WON, 1000))
        ('win in 3', 'win', 'not solved within the limits: 1,000 nodes searched')
        """
        if not bounds.solved:
            return f"not solved within the limits: {bounds.nodes:,} nodes searched"
        word = outcome_word(bounds.lowest)
        return word if bounds.lowest >= LOST else f"{word} in {bounds.lowest}"

    def value_row(self, bounds: Bounds) -> tuple[str, ...]:
        """Outcome and remoteness, ? if it is not known."""
        if not bounds.solved:
            return UNSOLVED, "?"
        return outcome_word(bounds.lowest), "?" if bounds.lowest >= LOST else str(bounds.lowest)

    def value_record(self, bounds: Bounds) -> dict[str, object]:
        """Outcome and remoteness; of a deal the outcome alone."""
        if not bounds.solved:
            return {"outcome": UNSOLVED}
        told: dict[str, object] = {"outcome": outcome_word(bounds.lowest)}
        return told if bounds.lowest >= LOST else {**told, "remoteness": bounds.lowest}

    def plain_value(self, value: int) -> int | str:
        """The remoteness; of a deal the outcome."""
        return outcome_word(value) if value >= LOST else value

    def mistake(self, before: int, after: int) -> str:
        """'throws the win away', 'wins more slowly' or 'loses faster'."""
        if before % 2 == 0:
            return "loses faster"
        return "wins more slowly" if after % 2 else "throws the win away"

    def over_text(self, position: Position) -> str:
        """Why there is no turn: F12, or F13."""
        return "no legal turn" if position.opponent.hand else "none, the opponent has laid every card"

    def look(self, position: Position, laid: str, rules: Rules) -> Look:
        """Hands and piles after the plays of `laid`, and every card on every pile."""
        from backtrick.face_to_face.look import look

        return look(position, laid, rules, self.over_text(position))

    def parts(self, turn: Turn) -> tuple[tuple[int, str], ...]:
        """The cards of a turn, each with its pile."""
        from backtrick.face_to_face.look import parts

        return parts(turn)

    def pack(self, positions: Sequence[Position]) -> np.ndarray:
        """The positions as an array of `POSITION_DTYPE`, shape (n,)."""
        return pack(positions)

    def unpack(self, array: np.ndarray) -> list[Position]:
        """The positions of an array of `POSITION_DTYPE`, shape (n,). Raises `PositionError`, `ArrayError`."""
        return unpack(array)

    def pack_turn(self, turn: Turn) -> int:
        """A turn in 64 bits."""
        return pack_turn(turn)

    def unpack_turn(self, packed: int) -> Turn | None:
        """The turn that a packed turn stands for; None for 0. Raises `PackedError`."""
        return unpack_turn(packed)

    def read_plain(
        self, text: bytes, start: int, positions: np.ndarray, turns: np.ndarray | None, first: int, rest: bool
    ) -> tuple[int, int]:
        """Reads the lines from byte `start` on that are spelled as `str` spells them."""
        return _text.read_range(text, start, positions, turns, first, rest)

    def first_malformed(self, array: np.ndarray) -> int:
        """The place of the first position that is not well-formed; -1 if all are."""
        return _text.check_range(array)

    def position_column(self, array: np.ndarray) -> np.ndarray:
        """The notation of each position: dtype S, shape (n,). Raises `PositionError`, `ArrayError`."""
        return position_column(array)

    def turn_column(self, turns: np.ndarray) -> np.ndarray:
        """The notation of each packed turn: dtype S, shape (n,). Raises `PackedError`, `ArrayError`."""
        return turn_column(turns)

    def bounds(self, position: Position, rules: Rules, budget: Budget = UNLIMITED) -> Bounds:
        """Of an endgame the remoteness, always exact: it takes microseconds, so the budget is ignored. Of a deal who wins, if the
        budget suffices."""
        if position.is_endgame:
            return exactly(remoteness(position, rules))
        return DEALS.bounds(position, rules, budget)

    def outcomes(self, position: Position, rules: Rules, budget: Budget = UNLIMITED) -> tuple[Outcome[Position, Turn], ...]:
        """Every distinct outcome, best first: win fast, lose slowly, then in the order of the first turn. Of a deal some outcomes
        have only bounds if the budget does not suffice."""
        if not position.is_endgame:
            return tuple(Answer(self, position, rules, UNKNOWN, budget=budget).outcomes)
        return outcomes_of(best_first(outcome_rows(position, rules)))

    def count_turns(self, position: Position, rules: Rules) -> int:
        """The number of legal ordered turns, without building them."""
        return count_turns(position, rules)

    def turn_texts(self, position: Position, rules: Rules) -> Iterator[str]:
        """The legal ordered turns in notation, without building them."""
        return map(turn_text, legal_turns_array(position, rules).tolist())

    def find_outcomes(self, answer: Answer[Position, Turn, Rules]) -> Sequence[Outcome[Position, Turn]]:
        """`Answer.outcomes`, made from the noted rows when they are touched."""
        if not answer.position.is_endgame:
            found: tuple[Outcome[Position, Turn], ...] = DEALS.part(answer, OUTCOMES)
            return found
        return Outcomes(_noted(answer).rows(answer), outcomes_of)

    def find_rows(self, answer: Answer[Position, Turn, Rules]) -> np.ndarray:
        """`Answer.rows`: rows of `OUTCOME_DTYPE`, best first. Raises `PositionError` for a deal."""
        self.check_endgame(answer.position)
        return _noted(answer).rows(answer)

    def outcomes_of(self, rows: np.ndarray) -> tuple[Outcome[Position, Turn], ...]:
        """The outcomes of rows of `OUTCOME_DTYPE`."""
        return outcomes_of(rows)

    def find_best(self, answer: Answer[Position, Turn, Rules]) -> Turn | None:
        """`Answer.best`, without making objects of other turns."""
        if not answer.position.is_endgame:
            found: Turn | None = DEALS.part(answer, BEST)
            return found
        return unpack_turn(_noted(answer).best(answer))

    def count_optimal(self, answer: Answer[Position, Turn, Rules]) -> int:
        """`Answer.optimal`, without making objects."""
        if not answer.position.is_endgame:
            return super().count_optimal(answer)
        return _noted(answer).optimal(answer)

    def find_line(self, answer: Answer[Position, Turn, Rules]) -> tuple[Step[Turn], ...]:
        """`Answer.line`, without making objects of other turns."""
        if not answer.position.is_endgame:
            line: tuple[Step[Turn], ...] = DEALS.part(answer, LINE)
            return line
        turns = map(unpack_turn, _noted(answer).line(answer))
        return tuple(Step(turn) for turn in turns if turn is not None)

    def answers(
        self, positions: Sequence[Position], terms: Terms[Position, Rules]
    ) -> Iterator[Answer[Position, Turn, Rules]]:
        """As `Game.answers`, for all endgames as one array. Only the wanted parts are worked out."""
        endgames = [position for position in positions if position.is_endgame]
        found = self._answers_of_endgames(endgames, terms)
        return found if len(endgames) == len(positions) else DEALS.answers(self, positions, terms, found)

    def _answers_of_endgames(
        self, positions: Sequence[Position], terms: Terms[Position, Rules]
    ) -> Iterator[Answer[Position, Turn, Rules]]:
        array, rules, want = pack(positions), terms.rules, terms.want
        known = self.known_values(positions, terms)
        left = np.array([value is None for value in known], bool)
        searched = iter(solve_many(array[left], terms.threads, rules, progress=False).tolist())
        lines = lines_many(array, terms.threads, rules, progress=False).tolist() if LINE in want else None
        best = best_many(array, terms.threads, rules, progress=False).tolist() if BEST in want and lines is None else None
        optimal = optimal_many(array, terms.threads, rules, progress=False).tolist() if OPTIMAL in want else None
        for place, position in enumerate(positions):
            value, source = known[place] or (next(searched), SEARCH)
            noted = Noted(
                best[place] if best else lines[place][0] if lines else None,
                None if lines is None else lines[place],
                None if optimal is None else optimal[place],
            )
            yield Answer(self, position, rules, exactly(value), source, noted=noted)

    def answer_columns(self, positions: np.ndarray, terms: Terms[Position, Rules]) -> AnswerColumns:
        """As `Game.answer_columns`, without making objects."""
        threads, rules, want = terms.threads, terms.rules, terms.want
        values = solve_many(positions, threads, rules, progress=False)
        lines = lines_many(positions, threads, rules, progress=False) if LINE in want else None
        optimal = optimal_many(positions, threads, rules, progress=False) if OPTIMAL in want else None
        best = None if lines is None else lines[:, 0]
        if BEST in want and best is None:
            best = best_many(positions, threads, rules, progress=False)
        return AnswerColumns(positions, values, best if BEST in want else None, lines, optimal)

    def grades(
        self,
        questions: Sequence[tuple[Position, Turn]],
        terms: Terms[Position, Rules],
        played: Sequence[tuple[int, Position | None]] | None = None,
    ) -> Iterator[Grade[Position, Turn, Rules]]:
        """As `Game.grades`. Many turns are judged as one array, unless values are known, or there is a deal."""
        if terms.known is not None or not all(position.is_endgame for position, _ in questions):
            yield from super().grades(questions, terms, played)
            return
        if len(questions) == 1:
            yield self._grade(*questions[0], terms.rules)
            return
        positions = [position for position, _ in questions]
        try:
            turns = np.array([pack_turn(turn) for _, turn in questions], np.uint64)
            _, after = grade_many(pack(positions), turns, terms.threads, terms.rules, progress=False)
        except (IllegalTurnError, PackedError):
            for position, turn in questions:  # these errors name a place in an array, and there is none
                referee.after(position, turn, terms.rules)
            raise
        for (_, turn), answer, value in zip(questions, self.answers(positions, terms), after.tolist(), strict=True):
            yield Grade(answer, turn, value)

    def _grade(self, position: Position, turn: Turn, rules: Rules) -> Grade[Position, Turn, Rules]:
        """The grade of one turn, without arrays."""
        packed, step, lone_card = question(position, rules)
        try:
            values = _grades.grade(packed, pack_turn(turn), step, lone_card)
        except PackedError:
            values = None
        if values is None:
            referee.after(position, turn, rules)
            raise AssertionError(f"the kernel refused {turn} in {position}, which is legal")
        return Grade(Answer(self, position, rules, exactly(values[0]), SEARCH), turn, values[1])

    def grade_many(
        self, positions: np.ndarray, turns: np.ndarray, threads: int | None, rules: Rules
    ) -> tuple[np.ndarray, np.ndarray]:
        """The remoteness before and after each turn: int8, shape (n,), both. Raises `IllegalTurnError` and others."""
        return grade_many(positions, turns, threads, rules, progress=False)

    def turn_values(
        self, positions: np.ndarray, threads: int | None, rules: Rules
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The outcomes of all positions in the order of the first turns. Raises `PositionError`, `ArrayError`."""
        rows, offsets = outcomes_many(positions, threads, rules, progress=False)
        return rows["turn"].copy(), rows["remoteness"].copy(), offsets

    def first_illegal(self, positions: np.ndarray, turns: np.ndarray, rules: Rules) -> int:
        """The first place whose packed turn is not legal in its position; -1 if all are."""
        return first_illegal(positions, turns, rules)

    def grade_columns(self, positions: np.ndarray, turns: np.ndarray, terms: Terms[Position, Rules]) -> GradeColumns:
        """What `grades` says, in columns. A position is left after every turn."""
        _, after = grade_many(positions, turns, terms.threads, terms.rules, progress=False)
        return GradeColumns(self.answer_columns(positions, terms), turns, after, np.zeros(len(turns), bool))


class Noted:
    """What an answer knows besides its value: best turn, principal line, number of best outcomes, outcomes. All are packed.

    A part that is None is worked out when it is first read. rows: of the outcomes, best first (`solving.best_first`).
    """

    def __init__(
        self,
        best: int | None = None,
        line: list[int] | None = None,
        optimal: int | None = None,
        rows: np.ndarray | None = None,
    ):
        self._best, self._line, self._optimal, self._rows = best, line, optimal, rows

    def rows(self, answer: Answer[Position, Turn, Rules]) -> np.ndarray:
        """The outcomes as rows, best first."""
        if self._rows is None:
            self._rows = best_first(outcome_rows(answer.position, answer.rules))
        return self._rows

    def best(self, answer: Answer[Position, Turn, Rules]) -> int:
        """The best turn, 0 if there is none."""
        if self._best is None and self._rows is None:
            self._best = best_packed(answer.position, answer.rules)
        if self._best is None:
            rows = self.rows(answer)
            self._best = int(rows["turn"][0]) if len(rows) else 0
        return self._best

    def line(self, answer: Answer[Position, Turn, Rules]) -> list[int]:
        """The turns of the principal line, and zeros."""
        if self._line is None:
            self._line = lines_many(pack([answer.position]), 1, answer.rules, progress=False)[0].tolist()
        return self._line

    def optimal(self, answer: Answer[Position, Turn, Rules]) -> int:
        """How many outcomes keep the value."""
        if self._optimal is None:
            if self._rows is None:
                self._optimal = int(optimal_many(pack([answer.position]), 1, answer.rules, progress=False)[0])
            else:
                self._optimal = int(np.count_nonzero(self._rows["remoteness"] == answer.value))
        return self._optimal


def _noted(answer: Answer[Position, Turn, Rules]) -> Noted:
    if answer.noted is None:
        answer.note(Noted())
    noted = answer.noted
    assert isinstance(noted, Noted)
    return noted


UNKNOWN = Bounds(LOST, WON)
"""The bounds of a deal of which nothing is known."""


GAME: FaceToFace = FaceToFace()
"""The Game: Face to Face as a value, for all that is blind to the game (`backtrick.game.Game`)."""

solve, best_turn, grade = GAME.solve, GAME.best_turn, GAME.grade
parse_many, format_many, turns_text = GAME.parse_many, GAME.format_many, GAME.turns_text
