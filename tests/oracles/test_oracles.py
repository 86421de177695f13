"""The oracles against each other, and the small decks against a count made by hand: who watches the watchmen."""

from random import Random

import numpy as np
import pytest

from backtrick.face_to_face.position import unpack
from oracles.face_to_face_brute import Brute, read_state, state_of
from oracles.face_to_face_questions import Questions
from oracles.published_deck import SmallDeck
from samples import KINDS, sample
from small_decks import count_by_hand, deck_table, every_position


@pytest.mark.parametrize("highest", [4, 5, 6, pytest.param(7, marks=pytest.mark.slow)])
def test_every_position_is_there_once(highest):
    """184, 3,008, 34,232 and 310,912 positions, derived in `count_by_hand`."""
    positions = every_position(highest)
    assert len(positions) == count_by_hand(highest) == {4: 184, 5: 3008, 6: 34_232, 7: 310_912}[highest]
    assert len(np.unique(positions)) == len(positions)


def test_the_smallest_count_without_a_formula():
    """Highest 4, numbers 2 and 3. The mover holds 2, 3 or both.

    Hands {2} and {}, say: 2 may show on one top at most, 3 on two. Each ascending top is 1, 2, 3, each descending one 4, 2, 3,
    so choose which of the four tops show 2 and which show 3.
      {2} and {}     2 on one top: 4 * (1 + 3 + 3) = 28, on none: 1 + 4 + 6 = 11                39
      {2} and {2}    2 on none, 3 on two at most                                                11
      {2} and {3}    each on one at most: 1 + 4 + 4 + 4 * 3                                     21
      {2} and {2,3}  2 on none, 3 on one at most                                                 5
    The same for {3} by symmetry: 2 * (39 + 11 + 21 + 5) = 152.
    {2,3} and {}: 21, and {2}: 5, and {3}: 5, and {2,3}: 1. Together 32, and 152 + 32 = 184.
    """
    assert count_by_hand(4) == 2 * (39 + 11 + 21 + 5) + 21 + 5 + 5 + 1 == 184


def test_every_position_is_well_formed():
    assert len(unpack(every_position(5))) == 3008  # unpack refuses any other


@pytest.mark.parametrize("lone_card", [False, True])
@pytest.mark.parametrize(
    ("highest", "step", "count"),
    [(4, 1, 184), (5, 1, 40), (5, 2, 40), (6, 2, 6),
     *(pytest.param(*one, marks=pytest.mark.slow) for one in ((6, 3, 6), (7, 2, 500)))],  # fmt: skip
)
def test_small_decks_are_solved_as_by_brute_force(highest, step, count, lone_card, times):
    positions = every_position(highest)
    positions = positions[Random(6).sample(range(len(positions)), min(count * times, len(positions)))]
    table, brute, questions = deck_table(highest, step, lone_card), Brute(lone_card), Questions(lone_card)
    turns, outcomes = table.counts(positions)
    for i, position in enumerate(unpack(SmallDeck(highest, step).positions(positions))):
        state = state_of(position)
        found = brute.outcomes(state)
        assert table.remoteness(positions)[i] == brute.remoteness(state) == questions.remoteness(state), position
        assert (turns[i], outcomes[i]) == (sum(found.values()), len(found)), position


@pytest.mark.share(2)
@pytest.mark.parametrize("lone_card", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_questions_answer_as_brute_force(kind, lone_card):
    brute, questions = Brute(lone_card), Questions(lone_card)
    for position in sample(kind, 8 if kind == "self_play" else 30, seed=5, most=3):
        state = state_of(position)
        assert questions.remoteness(state) == brute.remoteness(state), position


@pytest.mark.slow
@pytest.mark.parametrize("lone_card", [False, True])
@pytest.mark.parametrize("kind", ["uniform", "tight", "clustered", "hard"])
def test_questions_answer_as_brute_force_with_four_and_five_cards(kind, lone_card):
    brute, questions = Brute(lone_card), Questions(lone_card)
    for position in sample(kind, 150, seed=5, most=4) + sample(kind, 10, seed=5, most=5):
        state = state_of(position)
        assert questions.remoteness(state) == brute.remoteness(state), position
        brute.known.clear()


@pytest.mark.parametrize("kind", KINDS)
def test_samples_repeat_and_have_their_text_read_alike(kind):
    positions = sample(kind, 20, seed=8)
    assert positions == sample(kind, 20, seed=8) != sample(kind, 20, seed=9)
    for position in positions:
        assert read_state(str(position)) == state_of(position), position


def test_the_hard_sample_is_hard():
    """Every value but 0 and 1 occurs, so a solver that answers only the easy questions is found out."""
    values = {Questions().remoteness(state_of(position)) for position in sample("hard", 120, seed=1)}
    assert values == {2, 3, 4, 5}
