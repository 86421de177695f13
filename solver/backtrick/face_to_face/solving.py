"""The exact values of positions and their best turns, for one position or for many."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np

from backtrick.arrays import U8s, U32s, U64s, as_positions
from backtrick.face_to_face import _answers, _search
from backtrick.face_to_face.options import PUBLISHED, Rules
from backtrick.face_to_face.position import POSITION_DTYPE, Position, error_at, kernel_arguments
from backtrick.game import BEST, LINE, OPTIMAL
from backtrick.work import fill_ranges

LONGEST_LINE = 5
"""Turns: the remoteness is at most 5."""


def remoteness(position: Position, rules: Rules = PUBLISHED) -> int:
    """The number of turns until the game ends, 0..5; the winner hurries and the loser delays (Winning Ways, ch. 9).

    Odd: the mover wins; even: the mover loses; 0: no legal turn (F13), or the opponent has laid every card (F12).

    >>> remoteness(Position.parse("27^40v:17,18,45 13^50v:5,12"))
    1
    """
    packed, step, lone_card = kernel_arguments(position, rules)
    return _search.remoteness(*packed, step, lone_card)


def answer_parts(position: Position, rules: Rules = PUBLISHED) -> tuple[int, int, list[int]]:
    """The remoteness, how many distinct outcomes keep it, and the packed turns of the principal line.

    >>> answer_parts(Position.parse("27^40v:17,18,45 13^50v:5,12"))
    (1, 3, [2953745])
    """
    return _answers.answer(*kernel_arguments(position, rules))


def best_packed(position: Position, rules: Rules = PUBLISHED) -> int:
    """The best turn as `best_many` finds it, packed; 0 if there is none.

    >>> hex(best_packed(Position.parse("27^40v:17,18,45 13^50v:5,12")))
    '0x2d1211'
    """
    line = answer_parts(position, rules)[2]
    return line[0] if line else 0


def solve_many(
    positions: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> U8s:
    """The remoteness of each position: an array of `POSITION_DTYPE`, shape (n,), gives uint8, shape (n,).

    threads: None for one a core. progress: None for a bar on a terminal and lines in a log.
    Raises `PositionError`, which names the place in the array, if a position is not well-formed, and `ArrayError` for another
    dtype.

    >>> from backtrick.face_to_face import pack
    >>> solve_many(pack([Position.parse("27^40v:17,18,45 13^50v:5,12")]))
    array([1], dtype=uint8)
    """
    return answer_arrays(positions, (), rules, threads, progress, "solve")[0]


def best_many(
    positions: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> U64s:
    """The best turn of each position, the same as `best_turn`: uint64, shape (n,), for `unpack_turn`; 0 if there is no turn.

    >>> from backtrick.face_to_face import pack, unpack_turn
    >>> turns = best_many(pack([Position.parse("27^40v:17,18,45 13^50v:5,12")]))
    >>> str(unpack_turn(turns[0]))
    '17^ 18^ 45^'
    """
    best = answer_arrays(positions, {BEST}, rules, threads, progress, "best")[1]
    assert best is not None
    return best


def count_outcomes_many(
    positions: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> U32s:
    """The number of distinct outcomes of each position: uint32, shape (n,)."""
    return _counted(_answers.count_outcomes_range, positions, rules, threads, progress, "outcomes")


def optimal_many(
    positions: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> U32s:
    """The number of best outcomes of each position, as `Answer.optimal`: uint32, shape (n,); 0 if there is no turn.

    >>> from backtrick.face_to_face import pack
    >>> optimal_many(pack([Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44")]))
    array([1], dtype=uint32)
    """
    optimal = answer_arrays(positions, {OPTIMAL}, rules, threads, progress, "optimal")[2]
    assert optimal is not None
    return optimal


def count_optimal_many(
    positions: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> U32s:
    """The numbers of `optimal_many`, found the long way: from the value of every outcome."""
    return _counted(_answers.count_optimal_range, positions, rules, threads, progress, "optimal")


def lines_many(
    positions: np.ndarray, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> U64s:
    """The principal line of each position, the same as `Answer.line`: packed turns for `unpack_turn`, uint64, shape (n, 5).

    A line has as many turns as the remoteness says; zeros follow. The first column is what `best_many` gives.

    >>> from backtrick.face_to_face import Position, pack, unpack_turn
    >>> [line] = lines_many(pack([Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44")]))
    >>> [str(unpack_turn(turn)) for turn in line if turn]
    ["16v 18v'", "4v 7^'", '19^ 57^']
    """
    lines = answer_arrays(positions, {LINE}, rules, threads, progress, "lines")[3]
    assert lines is not None
    return lines


def answer_arrays(
    positions: np.ndarray,
    want: Collection[str],
    rules: Rules,
    threads: int | None = None,
    progress: bool | None = False,
    what: str = "solve",
) -> tuple[U8s, U64s | None, U32s | None, U64s | None]:
    """The values; the best turns, numbers of best outcomes, and principal lines, each None if it is not in `want`. Raises as
    `solve_many` does.

    >>> from backtrick.face_to_face import pack
    >>> answer_arrays(pack([Position.parse("27^40v:17,18,45 13^50v:5,12")]), {BEST}, PUBLISHED)
    (array([1], dtype=uint8), array([2953745], dtype=uint64), None, None)
    """
    positions = as_positions(positions, POSITION_DTYPE)
    count = len(positions)
    values = np.empty(count, np.uint8)
    best = np.empty(count, np.uint64) if BEST in want else None
    optimal = np.empty(count, np.uint32) if OPTIMAL in want else None
    lines = np.empty((count, LONGEST_LINE), np.uint64) if LINE in want else None

    def work(start: int, stop: int) -> int:
        arrays = (values, best, optimal, lines)
        options = rules.highest, rules.step, rules.lone_card
        if not want:  # the loop beside the search takes a tenth less time
            return _search.solve_range(positions, values, start, stop, *options)
        return _answers.answer_range(positions, *arrays, start, stop, *options)

    _over(work, positions, rules, threads, progress, what)
    return values, best, optimal, lines


def _counted(
    kernel: Callable[..., int], positions: np.ndarray, rules: Rules, threads: int | None, progress: bool | None, what: str
) -> U32s:
    """A number for each position, uint32, from a kernel. Raises as `solve_many` does."""
    positions = as_positions(positions, POSITION_DTYPE)
    counts = np.empty(len(positions), np.uint32)

    def work(start: int, stop: int) -> int:
        return kernel(positions, counts, start, stop, rules.highest, rules.step, rules.lone_card)

    _over(work, positions, rules, threads, progress, what)
    return counts


def _over(
    work: Callable[[int, int], int], positions: np.ndarray, rules: Rules, threads: int | None, progress: bool | None, what: str
) -> None:
    place = fill_ranges(work, len(positions), threads=threads, progress=progress, what=what)
    if place >= 0:
        raise error_at(positions, place, rules)
