"""The answers of many positions of Take That as arrays: each agrees with what the readable twin lists."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import Batch
from audit.take_that.checks import compare_arrays, compare_lines, compare_turns
from backtrick import threads
from backtrick.budget import Cancel
from backtrick.errors import IllegalTurnError, NotSolvedError, PackedError, PositionError
from backtrick.game import SolveOptions
from backtrick.take_that import (
    GAME,
    OUTCOME_DTYPE,
    POSITION_DTYPE,
    Budget,
    Position,
    Rules,
    count_outcomes_many,
    count_turns,
    grade_many,
    legal_turns,
    lines_many,
    optimal_many,
    outcome_rows,
    outcomes_many,
    pack,
    pack_turn,
    rules,
    solve_many,
)
from backtrick.take_that.rule_options import DECK
from backtrick.take_that.rules import successors
from backtrick.take_that.samples import hard, selfplay
from backtrick.take_that.solving import LONGEST_PLAY, first_illegal
from take_that_samples import ALL_RULES, SMALL_DECKS, every_position, positions, random_position

rule_options = pytest.mark.parametrize("options", ALL_RULES, ids=str)


@cache
def chosen(count: int) -> tuple[Position, ...]:
    """Endgames of self-play, hard ones, random ones with short hands, and whole rounds that are over."""
    random = Random(21)
    found = [*selfplay(count, seed=22), *hard(count // 20, seed=23)]
    found += [random_position(random, random.randint(0, 6), 9) for _ in range(count)]
    return (*found, *map(Position.parse, ("- - -", "- 12 34", "12 - -", "45 46,47 41", "16,22,61 17,71 -", "13 - 31")))


def check(places: tuple[Position, ...] | list[Position], options: Rules) -> None:
    """What is said of many follows from their turns, by the comparisons of the audit; their rows are those of each."""
    array = pack(places)
    for compare in (compare_turns, compare_arrays, compare_lines):
        assert compare(Batch("many", options, array)).mismatches == []
    many = {"threads": 2, "rules": options, "progress": False}
    (rows, offsets), optimal, lines = (of(array, **many) for of in (outcomes_many, optimal_many, lines_many))
    assert (optimal.dtype, lines.dtype, rows.dtype, offsets.dtype) == (np.uint32, np.uint8, OUTCOME_DTYPE, np.int64)
    assert lines.shape == (len(array), LONGEST_PLAY) and offsets.shape == (len(array) + 1,)
    assert count_outcomes_many(array, **many).tolist() == [count_turns(one, options) for one in places]
    for place in range(0, len(places), 7):
        assert np.array_equal(outcome_rows(places[place], options), rows[offsets[place] : offsets[place + 1]])


@rule_options
@pytest.mark.parametrize("count", [100, pytest.param(5000, marks=pytest.mark.slow)])
def test_many_positions(count, options):
    check(chosen(count), options)


@pytest.mark.share(2)
@rule_options
@pytest.mark.parametrize("deck", [*SMALL_DECKS.values()][:2], ids=[*SMALL_DECKS][:2])
def test_small_decks(deck, options):
    """Whole decks, and the values by the twin."""
    places = list(every_position(deck))
    check(places[::3], options)
    memo: dict[Position, int] = {}
    rows, _ = outcomes_many(pack(places), rules=options)
    expected = [points - (0 if after is None else rules.value(after, options, memo))
                for position in places for _, points, after in successors(position, options)]  # fmt: skip
    assert rows["value"].tolist() == expected


@given(st.lists(positions(hand=5), min_size=1, max_size=4), st.sampled_from(ALL_RULES))
def test_any_positions(places, options):
    check(places, options)


def test_few_positions_begin_no_thread(monkeypatch):
    monkeypatch.setattr(threads, "map_threads", None)
    assert solve_many(pack(selfplay(16, seed=24)), 2).shape == (16,)
    with pytest.raises(TypeError):
        solve_many(pack(selfplay(17, seed=24)), 2)


def test_no_positions_at_all():
    array = np.empty(0, POSITION_DTYPE)
    rows, offsets = outcomes_many(array)
    assert len(rows) == 0 and offsets.tolist() == [0]
    assert [len(many(array)) for many in (optimal_many, lines_many)] == [0, 0]
    assert [len(part) for part in grade_many(array, np.empty(0, np.uint8))] == [0, 0]


@rule_options
def test_every_code_is_legal_or_refused_with_its_place(options):
    """All 256 codes in some positions: the twin says which are legal, and the error is the one it raises."""
    for position in chosen(100)[::40]:
        legal = {pack_turn(turn) for turn in legal_turns(position, options)}
        array = pack([position] * 256)
        for code in range(256):
            turns = np.full(3, code, np.uint8)
            if code in legal:
                assert first_illegal(array[:3], turns, options) == -1
                grade_many(array[:3], turns, rules=options)
                continue
            assert first_illegal(array[:3], turns, options) == 0
            with pytest.raises((IllegalTurnError, PackedError), match=r" at place 0 of the array: .*") as refused:
                grade_many(array[:3], turns, rules=options)
            assert refused.value.at == 0 and (isinstance(refused.value, PackedError) or str(refused.value).endswith(")"))


@pytest.mark.parametrize("first", DECK)
def test_a_card_twice_in_a_line_is_seen_whatever_lies_between(first):
    """T1. Each set of numbers is two words; with one of them written over, only cards next to each other were seen."""
    for between in (DECK[0], DECK[-1], DECK[len(DECK) // 2]):
        if between != first:
            array = pack([Position((), (), (between,))] * 2)
            array["line"][1, 1:3] = between, first
            array["line"][1, 0] = first
            with pytest.raises(PositionError, match="position 1 of the array"):
                solve_many(array, progress=False)


def test_arrays_whose_work_is_ended_have_bounds_and_nothing_else():
    cancel = Cancel()
    cancel()
    array = pack([*hard(2, seed=1), Position.parse("12 - -")])
    want = {"best", "line", "optimal"}
    found = GAME.answer_array(array, SolveOptions(Rules(), Budget(cancel=cancel), want=frozenset(want)))
    assert (found.lowest <= found.highest).all() and (found.lowest < found.highest)[:2].all()
    assert found.nodes.tolist() == [0] * 3 and found.optimal.tolist() == found.lengths.tolist() == [-1] * 3
    assert not found.lines.any()
    without = GAME.answer_array(array, SolveOptions(Rules(), Budget(cancel=cancel), want=frozenset()))
    assert without.lengths is without.optimal is None and (without.highest == found.highest).all()


def test_a_budget_that_does_not_suffice_for_rows():
    options = SolveOptions(Rules(), Budget(nodes=3), want=frozenset({"outcomes", "best", "line", "optimal"}))
    [position] = hard(1, seed=1)
    [answer] = GAME.answers([position], options)
    assert answer.best is answer.line is answer.optimal is answer.outcomes is None and answer.best_text("-", "?") == "?"
    for ask in (outcome_rows, GAME.outcomes):
        with pytest.raises(NotSolvedError):
            ask(position, Rules(), Budget(nodes=3))
