"""The exact value of positions, of all their turns, and the best turn, one at a time or in batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from solver.core.arrays import as_positions
from solver.core.batches import over_ranges
from solver.core.errors import PositionError
from solver.face_to_face import _search, _turns
from solver.face_to_face import rules as referee
from solver.face_to_face.options import PUBLISHED, Rules
from solver.face_to_face.position import POSITION_DTYPE, Position, Side, cards_of, check_well_formed
from solver.face_to_face.turn import Turn
from solver.face_to_face.turns import Outcome, outcome_of, outcome_rows, question

WIN, LOSS = "win", "loss"


def outcome_word(remoteness: int) -> str:
    """'win' for an odd remoteness, 'loss' for an even one."""
    return WIN if remoteness % 2 else LOSS


class RankedTurn(NamedTuple):
    """A distinct outcome with its value: the first turn that leads there, how many ordered turns do, the mover's
    remoteness if it is played (one more than that of the position it leads to), and that position, next mover first."""

    turn: Turn
    count: int
    remoteness: int
    position: Position

    @property
    def outcome(self) -> str:
        """'win' or 'loss', for the mover."""
        return outcome_word(self.remoteness)


@dataclass(frozen=True, init=False, repr=False)
class Solution:
    """A solved position: a value, equal to another of the same position, rules, remoteness and source.

    The rest is found when it is first asked for, and kept.
    source: where the remoteness is from, 'search' or a table's name.
    """

    position: Position
    rules: Rules
    remoteness: int
    source: str = "search"

    def __init__(
        self, position: Position, rules: Rules, remoteness: int, source: str = "search", rows: np.ndarray | None = None
    ):
        """rows: what `outcome_rows` and `best_first` give for the position, where that is known already."""
        fields = self.__dict__  # half as long as the __init__ of a frozen dataclass
        fields["position"], fields["rules"], fields["remoteness"], fields["source"] = position, rules, remoteness, source
        if rows is not None:
            fields["_rows"] = rows

    def __repr__(self) -> str:
        return f"<Solution {self.position}: {self.outcome}, remoteness {self.remoteness}>"

    @property
    def outcome(self) -> str:
        """'win' or 'loss', for the mover."""
        return outcome_word(self.remoteness)

    @cached_property
    def _rows(self) -> np.ndarray:
        return best_first(outcome_rows(self.position, self.rules))

    @cached_property
    def turns(self) -> tuple[RankedTurn, ...]:
        """Every distinct outcome, best first: win fast, lose slowly, then in the order of the first turn."""
        return tuple(map(self._ranked, self._rows.tolist()))

    @staticmethod
    def _ranked(row: tuple[int, ...]) -> RankedTurn:
        turn, count, position = outcome_of(row)
        return RankedTurn(turn, count, row[-1], position)

    @property
    def optimal(self) -> int:
        """The number of distinct outcomes that keep the value."""
        return int(np.count_nonzero(self._rows["remoteness"] == self.remoteness))

    @property
    def best(self) -> Turn | None:
        """The first of the best turns; None if there is no turn."""
        rows = self._rows
        return self._ranked(rows[0].item()).turn if len(rows) else None

    @property
    def line(self) -> tuple[Turn, ...]:
        """The principal line: best turns of both players to the end, as many as the remoteness."""
        line, solution = [], self
        while len(rows := solution._rows):
            step = self._ranked(rows[0].item())
            line.append(step.turn)
            solution = Solution(step.position, self.rules, step.remoteness - 1)
        return tuple(line)


def best_first(rows: np.ndarray) -> np.ndarray:
    """The rows of `outcome_rows` best first: win fast, lose slowly, then as they were."""
    value = rows["remoteness"].astype(int)
    return rows[np.argsort(np.where(value % 2, value, 100 - value), kind="stable")]


@dataclass(frozen=True, slots=True)
class Grade:
    """What a turn was worth: the mover's remoteness before it, and the mover's remoteness once it is played.

    source: where the two are from, 'search' or the names of tables.
    """

    before: int
    after: int
    source: str = "search"

    @property
    def optimal(self) -> bool:
        """True if no turn was better."""
        return self.before == self.after

    @property
    def kept_win(self) -> bool:
        """True if the position was won and still is."""
        return self.before % 2 == 1 and self.after % 2 == 1

    @property
    def threw_win(self) -> bool:
        """True if the position was won and is lost."""
        return self.before % 2 == 1 and self.after % 2 == 0

    @property
    def verdict(self) -> str:
        """One of 'optimal', 'wins more slowly', 'throws the win away', 'loses faster'."""
        if self.optimal:
            return "optimal"
        if self.threw_win:
            return "throws the win away"
        return "wins more slowly" if self.kept_win else "loses faster"


def remoteness(position: Position, rules: Rules = PUBLISHED) -> int:
    """The number of turns until the game ends, the winner hurrying and the loser delaying (Winning Ways, ch. 9), 0..5.

    Odd: the mover wins; even: the mover loses; 0: no legal turn (F13), or the opponent has laid every card (F12).

    >>> remoteness(Position.parse("27^40v:17,18,45 13^50v:5,12"))
    1
    """
    packed, step, lone_card = question(position, rules)
    return _search.remoteness(*packed, step, lone_card)


def solve(position: Position, rules: Rules = PUBLISHED) -> Solution:
    """The exact value of a position; on request every turn's value, the best turn, the principal line.

    >>> solution = solve(Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44"))
    >>> solution.outcome, solution.remoteness, len(solution.turns), solution.optimal
    ('win', 3, 16, 1)
    >>> [str(turn) for turn in solution.line]
    ["16v 18v'", "4v 7^'", '19^ 57^']
    """
    return Solution(position, rules, remoteness(position, rules))


def best_turn(position: Position, rules: Rules = PUBLISHED) -> Turn | None:
    """The first of the best turns, as in `Solution.turns`; None if there is no turn.

    >>> str(best_turn(Position.parse("27^40v:17,18,45 13^50v:5,12")))
    '17^ 18^ 45^'
    """
    return solve(position, rules).best


def grade(position: Position, turn: Turn, rules: Rules = PUBLISHED) -> Grade:
    """What a turn was worth. Raises `IllegalTurnError` that names the play and the rule it breaks.

    >>> grade(Position.parse("27^40v:17,18,45 13^50v:5,12"), Turn.parse("17^ 18^")).verdict
    'throws the win away'
    """
    before = remoteness(position, rules)
    following = referee.after(position, turn, rules)
    return Grade(before, 1 + remoteness(following, rules))


def solve_many(
    positions: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> np.ndarray:
    """The remoteness of each position: an array of `POSITION_DTYPE`, shape (n,), gives uint8, shape (n,).

    threads: None for as many as there are cores. progress: None for a bar on a terminal and lines in a log.
    Raises `PositionError` that names the place in the array if a position is not well-formed, and `ArrayError` for another dtype.

    >>> from solver.face_to_face import pack
    >>> solve_many(pack([Position.parse("27^40v:17,18,45 13^50v:5,12")]))
    array([1], dtype=uint8)
    """
    return _fill(_search.solve_range, np.uint8, positions, threads, rules, progress, "solve")


def best_many(
    positions: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> np.ndarray:
    """The best turn of each position, as `best_turn` finds it: uint64, shape (n,), to be read by `unpack_turn`; 0 is none.

    >>> from solver.face_to_face import pack, unpack_turn
    >>> turns = best_many(pack([Position.parse("27^40v:17,18,45 13^50v:5,12")]))
    >>> str(unpack_turn(turns[0]))
    '17^ 18^ 45^'
    """
    return _fill(_turns.best_range, np.uint64, positions, threads, rules, progress, "best")


def count_outcomes_many(
    positions: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> np.ndarray:
    """The number of distinct outcomes of each position: uint32, shape (n,)."""
    return _fill(_turns.count_outcomes_range, np.uint32, positions, threads, rules, progress, "outcomes")


def count_optimal_many(
    positions: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> np.ndarray:
    """The number of best outcomes of each position, every outcome of each being valued: uint32, shape (n,)."""
    return _fill(_turns.count_optimal_range, np.uint32, positions, threads, rules, progress, "optimal")


def _fill(
    kernel: Callable, dtype: type, positions: np.ndarray, threads: int | None, rules: Rules, progress: bool | None, what: str
) -> np.ndarray:
    positions = as_positions(positions, POSITION_DTYPE)
    filled = np.empty(len(positions), dtype)

    def work(start: int, stop: int) -> int:
        return kernel(positions, filled, start, stop, rules.highest, rules.step, rules.lone_card)

    place = over_ranges(work, len(positions), threads=threads, progress=progress, what=what)
    if place >= 0:
        raise objection(positions, place, rules)
    return filled


def objection(positions: np.ndarray, place: int, rules: Rules) -> PositionError:
    hand, other, ascending, descending, other_ascending, other_descending = positions[place].item()
    try:
        check_well_formed(
            Side(ascending, descending, cards_of(hand)), Side(other_ascending, other_descending, cards_of(other)), rules
        )
    except PositionError as error:
        return PositionError(error.number, f"position {place} of the array, {error.place}", error.problem, error.rule)
    raise AssertionError(f"the kernel refused position {place}, which is well-formed")


__all__ = [
    "Grade",
    "Outcome",
    "RankedTurn",
    "Solution",
    "best_many",
    "best_turn",
    "count_optimal_many",
    "count_outcomes_many",
    "grade",
    "outcome_word",
    "remoteness",
    "solve",
    "solve_many",
]
