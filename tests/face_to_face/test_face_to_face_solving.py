"""The exact solver: against the oracles and the readable twin, by laws, and by endgames solved by hand."""

import os
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrick.errors import IllegalTurnError, PositionError
from backtrick.face_to_face import (
    GAME,
    POSITION_DTYPE,
    Position,
    Rules,
    Side,
    Turn,
    best_many,
    best_turn,
    grade,
    pack,
    solve,
    solve_many,
    unpack,
    unpack_turn,
)
from backtrick.face_to_face import rules as twin
from backtrick.face_to_face import (
    value as value_of,
)
from laws import LAWS
from oracles.face_to_face_brute import Brute, state_of
from oracles.published_deck import SmallDeck
from oracles.second_solver import remoteness
from samples import KINDS, golden, sample
from small_decks import every_position
from strategies import positions, turns_on

BOTH = pytest.mark.parametrize("lone_card", [False, True])


# whole small decks, by the second solver, which is held against the literal game in test_second_solvers


LATER = [pytest.param(*deck, marks=pytest.mark.slow) for deck in ((5, 3), (6, 1), (6, 3), (6, 6))]


def compare(array, rules):
    """Values of positions by the kernel, one call, against the second solver."""
    found, expected = solve_many(array, rules=rules), remoteness(array, rules.lone_card)
    wrong = np.flatnonzero(found != expected)
    assert len(wrong) == 0, [(str(unpack(array[i : i + 1])[0]), int(found[i]), int(expected[i])) for i in wrong[:5]]


def check_deck(highest, step, lone_card):
    array = SmallDeck(highest, step).positions(every_position(highest))
    compare(array, Rules(lone_card))


@pytest.mark.share(2)
@BOTH
@pytest.mark.parametrize(("highest", "step"), [(4, 1), (4, 2), (5, 1), (5, 2), (6, 2), *LATER])
def test_every_position_of_a_small_deck(highest, step, lone_card):
    check_deck(highest, step, lone_card)


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("step", [1, 2, 3, 4, 5])
def test_every_position_of_highest_7_with_every_step(step, lone_card):
    check_deck(7, step, lone_card)


# the real deck, and decks between


@BOTH
@pytest.mark.parametrize("count", [50, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_the_real_deck(kind, count, lone_card):
    compare(pack(sample(kind, count // {"hard": 4, "self_play": 2}.get(kind, 1), seed=21)), Rules(lone_card))


@BOTH
@pytest.mark.parametrize("kind", KINDS)
def test_the_real_deck_against_the_literal_game(kind, lone_card, times):
    brute, rules = Brute(lone_card), Rules(lone_card)
    for position in sample(kind, (3 if kind == "self_play" else 12) * times, seed=23, most=3):
        assert value_of(position, rules) == brute.remoteness(state_of(position)), position


@BOTH
def test_the_real_deck_against_the_twin(lone_card, times):
    rules, memo = Rules(lone_card), {}
    for position in sample("clustered", 20 * times, seed=24, most=3) + sample("tight", 2 * times, seed=24, most=4):
        assert value_of(position, rules) == twin.value(position, rules, memo), position


@given(positions(), st.booleans())
def test_awkward_positions(position, lone_card):
    assert value_of(position, Rules(lone_card)) == remoteness(pack([position]), lone_card)[0], position


def any_deck(random):
    """A tight or a free position of a small deck of any size, and its back trick: full hands, and the deeper values that whole
    small decks never reach."""
    while True:
        step = random.choice((1, 2, 3, 4, 5, 6, 7, 8, 10))
        highest = random.randint(8, min(60, 2 + 6 * step))
        near_end = random.random() < 0.9

        def side(highest=highest, step=step, near_end=near_end):
            hand = {random.randint(2, highest - 1)}
            size = random.choice((2, 4, 6, 6, 6, 6))
            for _ in range(30):
                if len(hand) < size:
                    start = random.choice(sorted(hand)) if random.random() < 0.6 else random.randint(2, highest - 1)
                    hand.add(max(2, min(highest - 1, start + random.choice((-step, step, 0)))))
            up, down = random.randint(1, highest - 1), random.randint(2, highest)
            if near_end:
                up, down = random.randint(highest // 2, highest - 1), random.randint(2, max(2, highest // 2))
            return Side(up, down, hand)

        try:
            return SmallDeck(highest, step).position(Position(side(), side()))
        except PositionError:
            continue


@pytest.mark.parametrize("count", [250, pytest.param(20_000, marks=pytest.mark.slow)])
def test_decks_of_every_size(count):
    random, seen = Random(29), set()
    for _ in range(count):
        position, lone_card = any_deck(random), random.random() < 0.5
        value = value_of(position, Rules(lone_card))
        seen.add(value)
        assert value == remoteness(pack([position]), lone_card)[0], (str(position), lone_card)
    assert seen >= {0, 1, 2, 3, 4}, seen


# goldens and endgames by hand


def test_golden_values():
    rows = golden("remoteness.txt")
    array = pack(Position.parse(row[1]) for row in rows)
    strict, lone = solve_many(array), solve_many(array, rules=Rules(lone_card=True))
    for row, one, other in zip(rows, strict.tolist(), lone.tolist(), strict=True):
        assert (one, other) == (int(row[2]), int(row[3])), row
    assert set(strict.tolist()) == {0, 1, 2, 3, 4, 5} and len(rows) >= 100


def test_by_hand_lost_in_two():
    """Mover 24^5v: 3, 17, 23; opponent 14^17v: 7, 14, 24, 26.

    On 24 lies nothing (14 is the opponent's); on 5 only 3, and then nothing (13 is not held). Helpful: 23 on the descending 17
    (17 is equal); on the ascending 14 only 3, and then no own play is left. So one outcome, 3v and 23v' in two orders.
    The opponent, 14^23v, then lays all: 24^ 26^ 14v 7v. (Any turn that leaves the mover with 17 alone wins as well.) Lost in 2.
    """
    solution = solve(Position.parse("24^5v:3,17,23 14^17v:7,14,24,26"), want={"outcomes"})
    assert (solution.value, solution.text.split()[0], solution.optimal) == (2, "loss", 1)
    (only,) = solution.outcomes
    assert (str(only.turn), only.ways, only.value) == ("3v 23v'", 2, 2)
    assert str(only.position) == "14^23v:7,14,24,26 24^3v:17"
    assert len(solution.line) == 2


def test_by_hand_won_in_three():
    """Mover 27^2v: 18, 22, 27, 30; opponent 59^26v: 26, 50, 51.

    On 27 lies 30, and on that nothing (20 is not held); on 2 nothing (12). So 30^ and one helpful card:
      18^'  22^'  27^'  he lays all: 26^ 50^ 51^ on 18 or 22; 50^ 51^ on 27 and his 26 on the mover's 30. Lost in 2.
      27v'  his 26 now lies on 27, and nothing else does (37, 49), nor anything on 26 (36); he must add 50 or 51, on the mover's
            descending 2 (neither is below 30). The mover, 30^50v or 30^51v with 18 and 22, lays 22v 18v. Won in 3.
    """
    solution = solve(Position.parse("27^2v:18,22,27,30 59^26v:26,50,51"), want={"outcomes"})
    assert (solution.value, solution.text.split()[0], solution.optimal) == (3, "win", 1)
    assert [(entry.value, entry.ways) for entry in solution.outcomes] == [(3, 2), (2, 2), (2, 2), (2, 2)]
    assert set(str(solution.best).split()) == {"30^", "27v'"}
    assert len(solution.line) == 3 and len(solution.line[2]) == 2


def test_by_hand_a_helpful_card_is_the_only_win():
    """Derived in test_rules_face_to_face: 39 on the opponent's ascending 42 breaks his back trick 32."""
    position = Position.parse("53^22v:29,39,43 42^2v:9,18,32")
    solution = solve(position, want={"outcomes"})
    assert (solution.value, solution.optimal, len(solution.outcomes)) == (1, 1, 4)
    assert set(str(best_turn(position)).split()) == {"39^'", "43^"}
    assert [entry.value % 2 for entry in solution.outcomes] == [1, 0, 0, 0]


@pytest.mark.parametrize("text", ["59^2v:20,30 40^10v:5,6", "13^50v:14,15 18^40v:", "27^40v:28 13^50v:5"])
def test_by_hand_lost_at_once(text):
    """Nothing fits an own pile (F4); the opponent has laid all (F12); one card left (F13)."""
    position = Position.parse(text)
    solution = solve(position, want={"outcomes"})
    assert (solution.value, solution.text.split()[0], solution.optimal) == (0, "loss", 0)
    assert tuple(solution.outcomes) == () and tuple(solution.line) == () and solution.best is None
    assert best_turn(position) is None and value_of(position) == 0
    assert unpack_turn(best_many(pack([position]))[0]) is None


# laws of solutions and grades


OF_SOLUTIONS = ("a value is that of the best outcome", "an outcome is what its turn leads to",
                "the line plays best turns to the end", "grades say what a turn gave away")  # fmt: skip


@BOTH
@pytest.mark.parametrize("count", [3, pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("law", OF_SOLUTIONS)
def test_solutions_are_lawful(law, kind, count, lone_card):
    LAWS[law](GAME, Rules(lone_card), sample(kind, count, seed=31))


@given(positions(), st.booleans())
def test_solutions_of_awkward_positions_are_lawful(position, lone_card):
    for law in OF_SOLUTIONS:
        LAWS[law](GAME, Rules(lone_card), [position])


@given(positions(least_opponent=1).flatmap(lambda position: st.tuples(st.just(position), turns_on(position))), st.booleans())
def test_an_illegal_turn_is_not_graded(case, lone_card):
    position, turn = case
    rules = Rules(lone_card)
    try:
        twin.after(position, turn, rules)
    except IllegalTurnError as expected:
        with pytest.raises(IllegalTurnError) as caught:
            grade(position, turn, rules)
        assert str(caught.value) == str(expected), (str(position), str(turn))
        return
    assert grade(position, turn, rules).after == 1 + value_of(twin.after(position, turn, rules), rules)


@pytest.mark.parametrize(("text", "turn", "verdict"), [
    ("53^22v:29,39,43 42^2v:9,18,32", "43^ 39^'", (1, 1, "optimal")),  # these by hand, above: the one winning turn
    ("53^22v:29,39,43 42^2v:9,18,32", "39^' 43^", (1, 1, "optimal")),
    ("53^22v:29,39,43 42^2v:9,18,32", "43^ 29v'", (1, 2, "throws the win away")),
    ("24^5v:3,17,23 14^17v:7,14,24,26", "23v' 3v", (2, 2, "optimal")),  # the only turn of a lost position
    ("7^17v:3,7,12,13 6^5v:4,6,13", "13^ 3^", (1, 3, "wins more slowly")),
    ("12^11v:10,11,12,14,23 24^21v:9,19,21,23", "10v 11^'", (4, 2, "loses faster")),
])  # fmt: skip
def test_every_verdict(text, turn, verdict):
    graded = grade(Position.parse(text), Turn.parse(turn))
    assert (graded.before, graded.after, graded.verdict) == verdict and graded.optimal == (verdict[2] == "optimal")


# batches


def mixed(count, seed):
    """An array of positions of all kinds, shuffled, with easy and hard ones next to each other."""
    chosen = [position for kind in KINDS for position in sample(kind, count // len(KINDS), seed=seed)]
    Random(seed).shuffle(chosen)
    return pack(chosen)


@BOTH
@pytest.mark.parametrize("threads", [None, 1, 5])
def test_a_batch_is_the_same_as_one_at_a_time(threads, lone_card, times):
    rules, array = Rules(lone_card), mixed(120 * times, seed=51)
    values = solve_many(array, threads=threads, rules=rules)
    assert values.dtype == np.int8 and values.shape == array.shape
    assert values.tolist() == [value_of(position, rules) for position in unpack(array)]


@pytest.mark.parametrize("threads", [None, 1, 2, 5])
def test_short_batches(threads):
    """Fewer positions than threads, and none at all."""
    for length in range(8):
        array = mixed(50, seed=52)[:length]
        assert solve_many(array, threads=threads).tolist() == [value_of(position) for position in unpack(array)]
        assert len(best_many(array, threads=threads)) == length


def test_batches_of_any_memory_layout():
    """Every second one, backwards, out of a wider record, read-only, not aligned: the same values."""
    array = mixed(200, seed=53)
    values = solve_many(array)
    assert solve_many(array[::2]).tolist() == values[::2].tolist()
    assert solve_many(array[::-1]).tolist() == values[::-1].tolist()
    wider = np.zeros(len(array), dtype=[("before", "u1"), ("position", POSITION_DTYPE), ("after", "<u4")])
    wider["position"] = array
    assert solve_many(wider["position"]).tolist() == values.tolist()
    fixed = array.copy()
    fixed.flags.writeable = False
    assert solve_many(fixed).tolist() == values.tolist()
    shifted = np.frombuffer(b"\0" + array.tobytes(), dtype=POSITION_DTYPE, offset=1)
    assert solve_many(shifted).tolist() == values.tolist()
    assert solve_many(array).tolist() == values.tolist() and (array == mixed(200, seed=53)).all()  # the input is left alone


def test_a_third_card_of_a_number_in_a_batch_is_refused():
    array = pack([Position.parse("27^40v:17,18 13^50v:5,12")] * 3)
    array["mover_ascending"][2], array["opponent_ascending"][2] = 17, 17
    with pytest.raises(PositionError, match=r"\b2\b"):
        solve_many(array)


# memory and threads


def test_a_batch_holds_no_more_than_its_input_and_output():
    """Ten times the positions must not take ten times the memory beyond the arrays: a generous bound, 64 MiB."""
    resource = pytest.importorskip("resource")
    array = np.tile(mixed(100, seed=51), 2000)  # 200,000 positions, 4 MB
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    solve_many(array, threads=min(2, os.cpu_count() or 1))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown < 64, f"{grown:.0f} MiB"
