"""The fast enumeration of turns: against the readable twin, against the oracle, by laws, and by golden counts."""

import pickle
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrick import face_to_face
from backtrick.answer import Answer
from backtrick.bounds import Made
from backtrick.face_to_face import Position, Rules, Side, Turn, after, count_turns, legal_turns, mirror, mirror_turn, outcomes
from backtrick.face_to_face import rules as twin
from backtrick.face_to_face.position import unpack
from backtrick.face_to_face.solving import outcome_rows, outcomes_of
from oracles.face_to_face_brute import Brute, state_of
from oracles.published_deck import SmallDeck
from samples import KINDS, golden, sample
from small_decks import every_position
from strategies import deals, positions


def assert_as_the_twin(position, rules):
    turns = list(legal_turns(position, rules))
    assert turns == list(twin.legal_turns(position, rules)), position
    # the same outcomes in the same order, by the same first turns: the fast one has a list of what the twin has in a dict
    found = [(outcome.position, (outcome.turn, outcome.ways)) for outcome in outcomes_of(outcome_rows(position, rules))]
    assert found == list(twin.outcomes(position, rules).items()), position
    assert count_turns(position, rules) == len(turns), position


@pytest.mark.parametrize("lone_card", [False, True])
@pytest.mark.parametrize(
    ("highest", "step", "every"),
    [(5, 1, 12), (5, 2, 12), *(pytest.param(6, step, 1, marks=pytest.mark.slow) for step in (1, 2, 3))],
)
def test_as_the_twin_on_small_decks(highest, step, every, lone_card):
    array = every_position(highest)[(2 * step - 2 + lone_card) % every :: every]
    for position in unpack(SmallDeck(highest, step).positions(array)):
        assert_as_the_twin(position, Rules(lone_card))


@pytest.mark.parametrize("lone_card", [False, True])
@pytest.mark.parametrize(("count", "most"), [(10, 4), pytest.param(600, 6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_as_the_twin_on_the_real_deck(kind, count, most, lone_card):
    for position in sample(kind, count // 2 if kind == "self_play" else count, seed=11, most=most):
        if count_turns(position, Rules(lone_card)) < 20_000:
            assert_as_the_twin(position, Rules(lone_card))


@pytest.mark.parametrize("kind", ["tight", "hard", "clustered"])
def test_as_the_twin_with_full_hands(kind, times):
    for position in sample(kind, 4 * times, seed=12):
        if count_turns(position) < 3000:
            assert_as_the_twin(position, Rules())


@given(positions(most=4), st.booleans())
def test_as_the_twin_on_awkward_positions(position, lone_card):
    assert_as_the_twin(position, Rules(lone_card))


def check_by_the_literal_game(positions, lone_card):
    """The twin and the fast one might be wrong together; the oracle shares nothing with them."""
    brute, rules = Brute(lone_card), Rules(lone_card)
    for position in positions:
        found = {state_of(outcome.position): outcome.ways for outcome in outcomes(position, rules)}
        assert found == dict(brute.outcomes(state_of(position))), position
        assert count_turns(position, rules) == sum(found.values()), position


@pytest.mark.parametrize("lone_card", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_as_the_literal_game(kind, lone_card, times):
    check_by_the_literal_game(sample(kind, 5 * times, seed=14, most=4), lone_card)


@pytest.mark.parametrize("lone_card", [False, True])
@pytest.mark.parametrize(
    ("highest", "step", "every"),
    [(5, 1, 50), (5, 3, 50), (6, 2, 2000),
     *(pytest.param(*deck, marks=pytest.mark.slow) for deck in ((5, 2, 1), (6, 3, 30), (7, 2, 500)))],
)  # fmt: skip
def test_as_the_literal_game_on_small_decks(highest, step, every, lone_card):
    check_by_the_literal_game(unpack(SmallDeck(highest, step).positions(every_position(highest)[::every])), lone_card)


# goldens


GOLDEN = golden("turn_counts.txt")


def test_there_are_goldens():
    assert len(GOLDEN) >= 60 and sum(row[4] == "hand" for row in GOLDEN) >= 8
    assert len({row[0] for row in GOLDEN}) == len(GOLDEN)


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row[0])
def test_golden_counts(row):
    _, text, turns, distinct, _ = row
    position = Position.parse(text)
    assert str(position) == text
    assert (count_turns(position), len(outcomes(position))) == (int(turns), int(distinct)), text
    assert sum(1 for _ in legal_turns(position)) == int(turns), text


@pytest.mark.parametrize("held", range(2, 7))
def test_new_piles_by_formula(held):
    """k of n cards in C(n,k) * C(2k,k) ordered turns, with k + 1 + C(k,2) outcomes each choice; see the golden file."""
    position = Position(Side(1, 60, (3, 17, 24, 31, 42, 58)[:held]), Side(1, 60, (30,)))
    assert count_turns(position) == sum(comb(held, k) * comb(2 * k, k) for k in range(2, held + 1))
    assert len(outcomes(position)) == sum(comb(held, k) * (k + 1 + comb(k, 2)) for k in range(2, held + 1))


# laws


@given(positions(), st.booleans())
def test_the_mirror_keeps_counts(position, lone_card):
    """v becomes 61 - v, ascending and descending piles change places."""
    rules, image = Rules(lone_card), mirror(position)
    assert mirror(image) == position
    assert count_turns(image, rules) == count_turns(position, rules), position
    found = outcomes(position, rules)
    if len(found) < 500:
        there = {outcome.position: outcome.ways for outcome in outcomes(image, rules)}
        assert {mirror(outcome.position): outcome.ways for outcome in found} == there, position


@given(deals(most=5))  # six cards may have 55,120 turns
def test_the_mirror_of_a_turn_leads_to_the_mirror_image(deal):
    turns, image = legal_turns(deal), mirror(deal)
    for turn in turns[:: 1 + len(turns) // 20]:
        assert after(image, mirror_turn(turn)) == mirror(after(deal, turn)), (deal, turn)
        assert mirror_turn(mirror_turn(turn)) == turn


def test_legal_turns_is_a_list_of_turns():
    """Six free cards and every pile open."""
    turns = legal_turns(Position.parse("1^60v:3,17,24,31,42,58 59^2v:30"))
    assert turns[:2] == [Turn.parse("3^ 17^"), Turn.parse("3^ 17^ 24^")] and len(turns) == 55_120


def test_every_kind_of_count_is_seen():
    """A floor, so that samples which happen to be trivial cannot pass: counts from none to thousands."""
    counts = np.array([count_turns(position) for kind in KINDS for position in sample(kind, 100, seed=15)])
    assert (counts == 0).any() and (counts == 1).any() and (counts > 1000).any() and len(np.unique(counts)) > 50


def test_turns_and_outcomes_are_made_when_they_are_asked_for():
    """As a tuple, however they are asked for; and nothing is made that nobody looks at."""
    position = Position.parse("22^41v:10,17,24,36,45,52 15^30v:7,16,25,33,44,55")
    for items in (face_to_face.legal_turns(position), face_to_face.outcomes(position)):
        every = tuple(items)
        assert len(items) == len(every) > 100 and items == every == tuple(items) and items == list(every)
        assert items[0] == every[0] and items[-1] == every[-1] and items[2:9:3] == every[2:9:3] and every[5] in items
        assert hash(items) == hash(every) and pickle.loads(pickle.dumps(items)) == every
        assert [*reversed(items)] == [*reversed(every)]
        with pytest.raises(IndexError):
            items[len(items)]
        assert items != 3 and items[:0] == ()
    made = []
    items = Made(list(range(1000)), lambda rows: made.extend(rows) or rows)
    assert len(items) == 1000 and items[3] == 3 and made == [3]
    rows, looked = face_to_face.outcomes(position), []
    told = Made(rows, lambda some: looked.extend(some) or some)
    Answer(face_to_face.GAME, position, face_to_face.PUBLISHED, rows[0].bounds, best=rows[0].turn, outcomes=told)
    assert looked == [rows[0]]  # an answer looks at the first alone if that is its best turn
