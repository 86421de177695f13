"""The answers of many positions as arrays: each agrees with what the list of all outcomes of each position says."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import Batch
from audit.face_to_face.comparing import compare_arrays, compare_turns, is_legal
from backtrick.errors import IllegalTurnError, PackedError
from backtrick.face_to_face import (
    GAME,
    OUTCOME_DTYPE,
    Position,
    Rules,
    Turn,
    best_many,
    count_turns,
    grade_many,
    lines_many,
    optimal_many,
    outcome_rows,
    outcomes_many,
    pack,
    pack_turn,
    solve_many,
    unpack,
    unpack_turn,
)
from backtrick.face_to_face import rules as twin
from backtrick.face_to_face.samples import clustered, selfplay_array, tight, uniform
from backtrick.face_to_face.solving import (
    LONGEST_LINE,
    first_illegal,
    legal_turns_array,
    play_many,
)
from backtrick.game import SolveOptions
from oracles.published_deck import SmallDeck
from samples import KINDS, golden, sample
from small_decks import every_position
from strategies import positions

BOTH = pytest.mark.parametrize("lone_card", [False, True])
DECKS = [(6, 1), (6, 2), (7, 2), (7, 3)]

BY_HAND = [text for kind, _, text in golden("law_positions.txt") if kind == "by hand"]


@cache
def random_array(count: int) -> np.ndarray:
    """Endgames of self-play, and random ones of three kinds."""
    chosen = [*tight(count // 4, seed=11), *uniform(count // 4, seed=12), *clustered(count // 4, seed=13)]
    chosen += [position for kind in KINDS for position in sample(kind, 20, seed=14)]
    return np.concatenate([selfplay_array(count, seed=15, progress=False), pack(chosen), pack(map(Position.parse, BY_HAND))])


def check(array: np.ndarray, rules: Rules) -> None:
    """What is said of many follows from all outcomes of each, by the comparisons of the audit; their rows are those of each."""
    for compare in (compare_arrays, compare_turns):
        assert compare(Batch("many", rules, array)).mismatches == []
    rows, offsets = outcomes_many(array, threads=2, rules=rules, progress=False)
    best, optimal, lines = (many(array, rules=rules, progress=False) for many in (best_many, optimal_many, lines_many))
    assert (rows.dtype, offsets.dtype, best.dtype, optimal.dtype) == (OUTCOME_DTYPE, np.int64, np.uint64, np.uint32)
    assert (lines.dtype, lines.shape) == (np.uint64, (len(array), LONGEST_LINE))
    for place, position in enumerate(unpack(array)):
        alone = rows[offsets[place] : offsets[place + 1]]
        assert (alone["key"][1:] > alone["key"][:-1]).all() and np.array_equal(alone, outcome_rows(position, rules)), position
        assert alone["count"].sum() == count_turns(position, rules), position


@BOTH
@pytest.mark.parametrize("count", [300, pytest.param(30_000, marks=pytest.mark.slow)])
def test_best_turns_counts_and_lines(count, lone_card):
    check(random_array(count), Rules(lone_card))


@BOTH
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("highest", "step"), DECKS)
def test_small_decks(highest, step, lone_card, whole):
    array = SmallDeck(highest, step).positions(every_position(highest))
    check(array if whole else array[:: len(array) // 400], Rules(lone_card))


@given(st.lists(positions(), min_size=1, max_size=5), st.booleans())
def test_any_positions(chosen, lone_card):
    check(pack(chosen), Rules(lone_card))


def test_kinds_of_positions_are_there():
    """Every remoteness, and wins at once that leave the opponent stuck, with and without one that lays the whole hand."""
    array = random_array(1500)
    values, best = solve_many(array), best_many(array)
    assert set(values.tolist()) == set(range(6))
    won = play_many(array[values == 1], best[values == 1])
    assert np.count_nonzero(won["opponent_hand"]) > 20 and np.count_nonzero(won["opponent_hand"] == 0) > 500


def turns_near(array: np.ndarray, rules: Rules, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Places of positions, and a packed turn for each: legal turns, and such turns with one byte changed, left out or added."""
    random = np.random.default_rng(seed)
    places, turns = [], []
    for place, position in enumerate(unpack(array)):
        legal = legal_turns_array(position, rules).tolist() or [pack_turn(Turn.parse("17^ 18^"))]
        for turn in random.choice(np.array(legal, np.uint64), count).tolist():
            shift, play = 8 * int(random.integers(0, 6)), int(random.integers(0, 256))
            held = random.choice(position.mover.hand) | int(random.integers(0, 4)) << 6
            near = turn & ~(255 << shift)
            places += [place] * 4
            turns += [turn, near | play << shift, near | int(held) << shift, turn & (1 << shift) - 1]
    return array[places], np.array(turns, np.uint64)


def referee_takes(position: Position, packed: int, rules: Rules) -> bool:
    try:
        turn = unpack_turn(packed)
        if turn is not None:
            twin.after(position, turn, rules)
    except (IllegalTurnError, PackedError):
        return False
    return turn is not None


@BOTH
def test_grades_of_many(lone_card, times):
    """Turns are legal where the referee takes them, and the values are those of the position before and after."""
    rules = Rules(lone_card)
    array, turns = turns_near(random_array(75 * times), rules, 3, seed=18)
    legal = np.array([referee_takes(position, turn, rules) for position, turn in zip(unpack(array), turns.tolist(), strict=True)])
    assert np.array_equal(legal, is_legal(array, turns, rules)) and 0.2 < legal.mean() < 0.8
    for place in range(len(array)):
        assert first_illegal(array[place : place + 1], turns[place : place + 1], rules) == (-1 if legal[place] else 0), place
    array, turns = array[legal], turns[legal]
    before, after = grade_many(array, turns, threads=2, rules=rules)
    assert before.dtype == after.dtype == np.int8 and first_illegal(array, turns, rules) == -1
    assert np.array_equal(before, solve_many(array, rules=rules))
    assert np.array_equal(after, 1 + solve_many(play_many(array, turns), rules=rules))
    for position, turn, *values in list(zip(unpack(array), turns.tolist(), before.tolist(), after.tolist(), strict=True))[::20]:
        grade = GAME.grade(position, unpack_turn(turn), rules)
        assert [grade.before, grade.after] == values and grade.source == "search"


@pytest.mark.parametrize(
    "text, turn",
    [("13^60v:13,20 50^40v:5,9", "13^ 20^"), ("1^13v:5,13 50^40v:5,9", "13v 5v"), ("1^60v:20,30 30^40v:5,9", "20^ 30^'"),
     ("1^60v:20,30 50^30v:5,9", "20^ 30v'")],
)  # fmt: skip
def test_a_card_does_not_fit_on_the_same_number(text, turn):
    """A number exists twice, and the other card with it may be the top of a pile (F1, F5, F6, F8)."""
    array, packed = pack([text]), np.array([pack_turn(Turn.parse(turn))], np.uint64)
    assert not referee_takes(Position.parse(text), int(packed[0]), Rules())
    assert not is_legal(array, packed, Rules()) and first_illegal(array, packed, Rules()) == 0


def test_a_single_turn_that_is_refused_names_no_place():
    position = Position.parse("52^6v:16,18,19,57 53^15v:4,7,29,44")
    questions = [(position, Turn.parse("16v 18v'")), (position, Turn.parse("60^ 61^"))]
    for ask in (lambda: GAME.grade(*questions[1]), lambda: list(GAME.grades(questions, SolveOptions(Rules())))):
        with pytest.raises(IllegalTurnError, match=r"^illegal turn '60\^ 61\^', play 60\^: 60 is not in the mover's hand "):
            ask()
