"""The small decks against a count made by hand, and the samples."""


import numpy as np
import pytest

from backtrick.face_to_face.position import pack, unpack
from oracles.face_to_face_brute import read_state, state_of
from oracles.second_solver import remoteness
from samples import KINDS, sample
from small_decks import count_by_hand, every_position


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


@pytest.mark.parametrize("kind", KINDS)
def test_samples_repeat_and_have_their_text_read_alike(kind):
    positions = sample(kind, 20, seed=8)
    assert positions == sample(kind, 20, seed=8) != sample(kind, 20, seed=9)
    for position in positions:
        assert read_state(str(position)) == state_of(position), position


def test_the_hard_sample_is_hard():
    """Every value but 0 and 1 occurs, so a solver that answers only the easy questions is found out."""
    assert set(remoteness(pack(sample("hard", 120, seed=1))).tolist()) == {2, 3, 4, 5}
