"""Values, best turns and every legal turn, as ordered turns or as distinct outcomes, of one position or of many.

The lists of turns are the fast twin of `rules`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

import numpy as np

import backtrick.face_to_face._objects as _objects
import backtrick.face_to_face._solve as _solve
from backtrick.answer import Answer, Answers, searched
from backtrick.arguments import read_view
from backtrick.bounds import Made, Outcome, exactly
from backtrick.budget import UNLIMITED, Budget
from backtrick.errors import BacktrickError, ContradictionError, IllegalTurnError, PackedError, PositionError
from backtrick.face_to_face import rules as referee
from backtrick.face_to_face.position import (
    FIELDS,
    Deal,
    Position,
    Side,
    as_array,
    as_position,
    cards_of,
    check_well_formed,
    error_at,
    packed_sides,
    unpack,
)
from backtrick.face_to_face.rule_options import PUBLISHED, Rules, as_rules
from backtrick.face_to_face.turn import (
    PLAY_OF_BYTE,
    PLAY_PILES,
    TURN_DTYPE,
    Play,
    Turn,
    pack_turns,
    turns_of_array,
    turns_of_kernel,
    unpack_turn,
)
from backtrick.game import BEST, LINE, OPTIMAL, Game, SolveOptions
from backtrick.notation import I8s, I64s, Many, ManyTurns, Positions, Rows, U32s, U64s, as_turns, check_pairs
from backtrick.threads import fill_ranges

LONGEST_LINE = 5
"""Turns: the remoteness is at most 5."""


def kernel_arguments(position: Position, rules: Rules) -> tuple[tuple[int, int, int, int, int, int], int]:
    """The arguments of a kernel function: the packed position, and the number of the rules."""
    return position.packed, rules.code


def value(position: Position | str, rules: Rules = PUBLISHED) -> int:
    """The number of turns until the game ends, 0..5; the winner hurries and the loser delays.

    Odd: the mover wins; even: the mover loses; 0: no legal turn (F13), or the opponent has laid every card (F12).

    >>> value(Position.parse("27^40v:17,18,45 13^50v:5,12"))
    1
    """
    packed, code = kernel_arguments(as_position(position), as_rules(rules))
    return _solve.remoteness(*packed, code)


def answer(
    game: Game[Position, Turn, Rules],
    position: Position,
    rules: Rules,
    budget: Budget = UNLIMITED,
    want: Collection[str] = (),
) -> Answer[Position, Turn, Rules]:
    """As `Game.answer`: always exact, and with all parts, since an endgame takes microseconds."""
    value, optimal, line = _solve.answer(*kernel_arguments(position, rules))
    if len(line) != value:
        raise _contradiction(position, rules, value, line)
    turns = turns_of_kernel(line)
    return searched(game, position, rules, exactly(value), turns[0] if turns else None, optimal, tuple(turns))


def _contradiction(position: Position, rules: Rules, value: int, line: list[int]) -> ContradictionError:
    """A line must be as long as the value says. line: packed turns, 0 where none was found."""
    found = " | ".join(map(turn_text, line)) if any(line) else "no turn"
    return ContradictionError(position, rules, f"it lasts {value} turns, but the principal line is: {found}")


def best_packed(position: Position, rules: Rules = PUBLISHED) -> int:
    """The best turn as `best_many` finds it, packed; 0 if there is none."""
    _, _, line = _solve.answer(*kernel_arguments(position, rules))
    return line[0] if line else 0


def solve_many(
    positions: Many, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> I8s:
    """The remoteness of each position: an array of `POSITION_DTYPE`, shape (n,), gives int8, shape (n,).

    threads: None for one per core. progress: None for a bar on a terminal and lines in a log.
    Raises `PositionError`, which names the place in the array, if a position is not well-formed, and `ArrayError` for another
    dtype.

    >>> from backtrick.face_to_face import pack
    >>> solve_many(pack([Position.parse("27^40v:17,18,45 13^50v:5,12")]))
    array([1], dtype=int8)
    """
    return answer_arrays(positions, (), rules, threads, progress, "solve")[0]


def best_many(
    positions: Many, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
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
    positions: Many, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> U32s:
    """The number of distinct outcomes of each position: uint32, shape (n,). Raises as `solve_many`.

    >>> from backtrick.face_to_face import parse_many
    >>> count_outcomes_many(parse_many("27^40v:17,18 13^50v:5,12"))
    array([3], dtype=uint32)
    """
    positions, rules = as_array(positions), as_rules(rules)
    counts = np.empty(len(positions), np.uint32)

    def work(start: int, stop: int) -> int:
        return _solve.count_outcomes_range(positions, counts, start, stop, rules.code)

    fill_ranges(work, len(positions), threads=threads, progress=progress, what="outcomes", error=partial(error_at, positions))
    return counts


def optimal_many(
    positions: Many, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> U32s:
    """The number of best outcomes of each position, as `Answer.optimal`: uint32, shape (n,); 0 if there is no turn.

    >>> from backtrick.face_to_face import pack
    >>> optimal_many(pack([Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44")]))
    array([1], dtype=uint32)
    """
    optimal = answer_arrays(positions, {OPTIMAL}, rules, threads, progress, "optimal")[2]
    assert optimal is not None
    return optimal


def lines_many(
    positions: Many, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
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


def answer_array(
    game: Game[Position, Turn, Rules], positions: Positions, options: SolveOptions[Position, Rules]
) -> Answers[Position, Turn, Rules]:
    """As `Game.answer_array`."""
    arrays = answer_arrays(positions, options.want, options.rules, options.threads)
    return Answers.searched(game, options.rules, positions, *arrays)


def answer_arrays(
    positions: Positions,
    want: Collection[str],
    rules: Rules,
    threads: int | None = None,
    progress: bool | None = False,
    what: str = "solve",
) -> tuple[I8s, U64s | None, U32s | None, U64s | None]:
    """The values; the best turns, numbers of best outcomes, and principal lines, each None if it is not in `want`. Raises as
    `solve_many` does."""
    positions, rules = as_array(positions), as_rules(rules)
    count = len(positions)
    values = np.empty(count, np.uint8)
    best = np.empty(count, np.uint64) if BEST in want else None
    optimal = np.empty(count, np.uint32) if OPTIMAL in want else None
    lines = np.empty((count, LONGEST_LINE), np.uint64) if LINE in want else None

    def work(start: int, stop: int) -> int:
        arrays = (values, best, optimal, lines)
        if not want:  # the loop beside the search takes a tenth less time
            return _solve.solve_range(positions, values, start, stop, rules.code)
        return _solve.answer_range(positions, *arrays, start, stop, rules.code)

    fill_ranges(work, count, threads=threads, progress=progress, what=what, error=partial(error_at, positions))
    if lines is not None:
        wrong = np.count_nonzero(lines, axis=1) != values
    elif best is not None:
        wrong = (best != 0) != (values != 0)
    else:
        return values.view(np.int8), best, optimal, lines
    if wrong.any():
        place = int(np.argmax(wrong))
        found = lines[place].tolist() if lines is not None else []
        raise _contradiction(unpack(positions[place : place + 1])[0], rules, int(values[place]), found)
    return values.view(np.int8), best, optimal, lines


# Turns, outcomes and grades

OUTCOME_DTYPE = _solve.OUTCOME_DTYPE
"""A row of `outcome_rows`, in 41 bytes without padding: a key that sorts the rows by their turns, the packed turn, the position
after it, how many ordered turns lead there, and the value of the position before if this turn is played."""


def legal_turns(position: Any, rules: Rules = PUBLISHED) -> Sequence[Turn]:
    """Every legal ordered turn of an endgame, a deal or a view: a turn before the turns that continue it, cards ascending, piles
    in the order ^ v ^' v'. A view has rules of its own. A turn is made when it is asked for.

    >>> [str(turn) for turn in legal_turns(Position.parse("27^40v:17,18 13^50v:5,12"))]
    ['17^ 18^', '17^ 18v', '18v 17^', '18v 17v']
    >>> [str(turn) for turn in legal_turns("27^40v:17,18+?9,33 13^50v:?2:5,12")]
    ['17^ 18^', '17^ 18v', '18v 17^', '18v 17v']
    """
    if type(position) is not Position and (view := read_view("backtrick.face_to_face.state", position, as_rules(rules))):
        return _turns_of_view(view)
    return Made(legal_turns_array(as_position(position), as_rules(rules)), turns_of_array)


def _turns_of_view(view: Any) -> Sequence[Turn]:
    if not view.to_move:
        return []
    if view.plays:
        return [Turn(table.plays[len(view.plays) :]) for table in referee.turns_of(view.table, view.rules)]
    hand, pile, ascending, descending, unlaid, size, *other = view.packed
    packed = (hand, unlaid & -unlaid if size else 0, ascending, descending, *other)  # any card: the opponent has some
    return Made(_solve.legal_turns(packed, view.rules.code_with(pile)), turns_of_array)


def legal_turns_array(position: Position, rules: Rules = PUBLISHED) -> U64s:
    """The turns of `legal_turns`, packed (see `unpack_turn`): an array of uint64, shape (count_turns(position),)."""
    return _solve.legal_turns(*_listing(position, rules))


def count_turns(position: Position | str, rules: Rules = PUBLISHED) -> int:
    """The number of legal ordered turns of an endgame or a deal. No turn is built.

    >>> count_turns(Position.parse("27^40v:17,18,45 13^50v:5,12"))
    16
    """
    return _solve.count_turns(*_listing(as_position(position), as_rules(rules)))


def outcome_rows(position: Position | str, rules: Rules = PUBLISHED) -> Rows:
    """Every distinct outcome as a row of `OUTCOME_DTYPE`, in the order of the first turn that leads there: shape (n,).

    The fields are those of `POSITION_DTYPE` for the position after the turn, with the next mover first; `turn`, packed as by
    `pack_turn`; `count`, how many ordered turns lead there; `value`, of the position before, if this turn is played.

    >>> from backtrick.face_to_face import unpack_turn
    >>> for row in outcome_rows(Position.parse("27^40v:17,18 13^50v:5,12")):
    ...     print(unpack_turn(row["turn"]), row["count"], row["value"], sep=" | ")
    17^ 18^ | 1 | 1
    17^ 18v | 2 | 1
    18v 17v | 1 | 1
    """
    return _solve.outcomes(*kernel_arguments(as_position(position), as_rules(rules)))


def outcomes_of(rows: Rows) -> tuple[Outcome[Position, Turn], ...]:
    """The outcomes of rows of `outcome_rows`, of one position."""
    found: tuple[Outcome[Position, Turn], ...] = _objects.outcomes_of(_TYPES, PLAY_OF_BYTE, _BOUNDS, rows)
    return found


_TYPES = (Outcome, Turn, Position, Side)
_BOUNDS = list(map(exactly, range(LONGEST_LINE + 1)))


def play_many(positions: Positions, turns: U64s) -> Positions:
    """The positions after one packed legal turn each, with the next mover first.

    >>> from backtrick.face_to_face import Position, Turn, pack, pack_turn, unpack
    >>> array = pack([Position.parse("27^40v:17,18,45 13^50v:5,12")])
    >>> print(*unpack(play_many(array, np.array([pack_turn(Turn.parse("17^ 18^"))], np.uint64))))
    13^50v:5,12 18^40v:45
    """
    after = as_array(positions).copy()
    for shift in range(0, 64, 8):
        play = turns >> np.uint64(shift) & np.uint64(255)
        card, pile, laid = play & np.uint64(63), play >> np.uint64(6), play != 0
        after["mover_hand"] ^= np.where(laid, np.uint64(1) << card, np.uint64(0))
        for number, name in enumerate(_PILES):
            after[name] = np.where(laid & (pile == number), card, after[name])
    swapped = np.empty_like(after)
    for name in FIELDS:
        owner, what = name.split("_")
        swapped[name] = after[f"{_SWAPPED[owner]}_{what}"]
    return swapped


_PILES = ("mover_ascending", "mover_descending", "opponent_ascending", "opponent_descending")  # as `turn.PLAY_PILES`
_SWAPPED = {"mover": "opponent", "opponent": "mover"}


def turn_text(packed: int) -> str:
    """A packed turn in notation, without making a `Turn`; an empty text for 0, "no turn".

    >>> turn_text(0x8c12), turn_text(0)
    ("18^ 12^'", '')
    """
    return " ".join([_PLAYS[byte] for byte in packed.to_bytes(8, "little") if byte])


_PLAYS = [str(Play(byte & 63, *PLAY_PILES[byte >> 6])) for byte in range(256)]


def _listing(position: Position, rules: Rules) -> tuple[tuple[int, int, int, int, int, int], int]:
    """The arguments of a kernel function that lists turns. What is still to be drawn matters in one case only:
    a last card, with nothing to be drawn, is a lone card (F13)."""
    if not isinstance(position, Deal):
        return kernel_arguments(position, rules)
    return packed_sides(position.mover, position.opponent), rules.code_with(position.mover.pile)


def best_first(rows: Rows) -> Rows:
    """The rows of `outcome_rows`, best first: fast wins, slow wins, slow losses, fast losses; equal rows keep their order."""
    order = np.argsort(_BEST_FIRST[rows["value"]], kind="stable")
    whole: Rows = rows.view(_WHOLE)[order].view(OUTCOME_DTYPE)
    return whole


_BEST_FIRST = np.array([value if value % 2 else 255 - value for value in range(256)], np.uint8)
_WHOLE = np.dtype((np.void, OUTCOME_DTYPE.itemsize))  # a row is moved as a whole, not field by field


def outcomes_many(
    positions: Many, threads: int | None = None, rules: Rules = PUBLISHED, progress: bool | None = None
) -> tuple[Rows, I64s]:
    """The outcomes of each position with their values: rows of `OUTCOME_DTYPE`, and offsets, int64, shape (n + 1,).

    rows[offsets[i]:offsets[i + 1]] are the `outcome_rows` of position i, in the order of the first turns. A row takes 41 bytes,
    and an endgame of self-play has 200 on average. Raises as `solve_many` does.

    >>> from backtrick.face_to_face import pack, unpack_turn
    >>> rows, offsets = outcomes_many(pack([Position.parse("27^40v:17,18 13^50v:5,12")] * 2))
    >>> offsets
    array([0, 3, 6])
    >>> [(str(unpack_turn(row["turn"])), int(row["value"])) for row in rows[offsets[1]:offsets[2]]]
    [('17^ 18^', 1), ('17^ 18v', 1), ('18v 17v', 1)]
    """
    positions, rules = as_array(positions), as_rules(rules)
    counts = count_outcomes_many(positions, threads, rules, progress=False)
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    rows = np.empty(offsets[-1], OUTCOME_DTYPE)

    def work(start: int, stop: int) -> int:
        return _solve.outcomes_range(positions, offsets, rows, start, stop, rules.code)

    fill_ranges(work, len(positions), threads=threads, progress=progress, what="outcomes", size=SPAN)
    return rows, offsets


SPAN = 1 << 9  # positions in a range of `outcomes_many`, each with hundreds of outcomes


def grade_many(
    positions: Many,
    turns: ManyTurns,
    threads: int | None = None,
    rules: Rules = PUBLISHED,
    progress: bool | None = None,
) -> tuple[I8s, I8s]:
    """The remoteness of each position before and after a turn: int8, shape (n,), both. Equal if no turn is better.

    positions: an array of `POSITION_DTYPE`; turns: packed as by `pack_turn`, uint64; shape (n,), both. Or columns or lists of
    texts, as `pack` and `pack_turns` take them. Raises `IllegalTurnError`, which names the place in the arrays and the rule, for a
    turn that is not legal, `PackedError` for a number that is not a turn, `PositionError` if a position is not well-formed,
    `LineError` for a text that is not one, and `ArrayError` for another dtype or shape.

    >>> positions = ["52^6v:16,18,19,57 53^15v:4,7,29,44"] * 2
    >>> grade_many(positions, ["16v 18v'", "16v 18^'"])
    (array([3, 3], dtype=int8), array([3, 2], dtype=int8))
    >>> grade_many(positions, ["16v 18v'", "20v"])
    Traceback (most recent call last):
    backtrick.errors.IllegalTurnError: illegal turn '20v' at place 1 of the array, play 20v: 20 is not in the mover's hand (F3)
    """
    positions, turns = as_array(positions), as_turns(turns, TURN_DTYPE, pack_turns)
    rules = as_rules(rules)
    check_pairs(positions, turns)
    before, after = np.empty(len(positions), np.int8), np.empty(len(positions), np.int8)

    def work(start: int, stop: int) -> int:
        return _solve.grade_range(
            positions, turns, before, after, start, stop, rules.code
        )

    error = partial(error_of_pair, positions, turns, rules)
    fill_ranges(work, len(positions), threads=threads, progress=progress, what="grade", error=error)
    return before, after


def first_illegal(positions: Positions, turns: U64s, rules: Rules = PUBLISHED) -> int:
    """The first place whose position is not well-formed, or whose packed turn is not legal there; -1 if there is none."""
    return _solve.first_illegal(positions, turns, 0, len(positions), rules.code)


def error_of_pair(positions: Positions, turns: U64s, rules: Rules, place: int) -> BacktrickError:
    """The error for a place of the arrays that was refused."""
    hand, other, ascending, descending, other_ascending, other_descending = positions[place].item()
    mover, opponent = Side(ascending, descending, cards_of(hand)), Side(other_ascending, other_descending, cards_of(other))
    try:
        check_well_formed(mover, opponent)
        turn = unpack_turn(turns[place])
        if turn is None:
            return PackedError("packed turn", 0, "it stands for no turn", place)
        referee.after(Position(mover, opponent), turn, rules)
    except (PositionError, IllegalTurnError, PackedError) as error:
        return error.in_array(place)
    raise AssertionError(f"the kernel refused turn {place}, which is legal")
