"""Endgames out of whole games are the first ones with both piles empty; random endgames have the properties they promise."""

from __future__ import annotations

from hashlib import sha256
from runpy import run_path

import numpy as np
import pytest

from backtrick.face_to_face import Deal, outcomes, rules, unpack
from backtrick.face_to_face.policies import POLICIES, turn_of
from backtrick.face_to_face.rule_options import Rules
from backtrick.face_to_face.samples import (
    clustered,
    clustered_array,
    decks_of,
    play_games,
    selfplay,
    tight,
    tight_array,
    uniform,
    uniform_array,
)
from backtrick.face_to_face.state import State
from backtrick.play.state import GAME_OVER
from backtrick.random import Stream
from command import ROOT
from face_to_face_samples import draw_clustered, draw_tight, draw_uniform

PAIRINGS = [("frugal", "frugal"), ("frugal", "hasty"), ("hasty", "hasty")]


@pytest.mark.parametrize("policies", PAIRINGS, ids="-".join)
def test_an_endgame_is_the_first_position_with_both_draw_piles_empty(policies, times):
    """All of it by the readable twins: the cards, the players, the rules."""
    expected = []
    for number in range(6 * times):
        seats = policies[::-1] if number % 2 else policies  # in odd games the second one begins
        stream = Stream(6, number)
        state = State.deal([stream.shuffled(range(2, 60)) for _ in range(2)])
        while state.to_move != GAME_OVER and isinstance(state.position(), Deal):
            state = state.play(turn_of(POLICIES[seats[state.to_move]], state.view(state.to_move)))
        if not isinstance(state.position(), Deal) and state.position().opponent.hand:
            expected.append(state.position())
    assert len(expected) > times
    assert list(selfplay(len(expected), 6, policies)) == expected
    for position in expected:
        assert position.mover.hand and position.opponent.hand  # F12: nobody has won


def test_tight_endgames_are_tight():
    for position in tight(60, seed=3):
        for this in (position.mover, position.opponent):
            assert 35 <= this.ascending <= 59 and 2 <= this.descending <= 25 and len(this.hand) == 6
            assert all({card - 10, card + 10} & set(this.hand) for card in this.hand)


def test_tight_endgames_are_not_decided_at_once():
    for position in tight(12, seed=4):
        lengths = {len(turn) for turn in rules.legal_turns(position)}
        assert lengths and 6 not in lengths  # F13, F12
        for outcome in outcomes(position):
            table = rules.Table(outcome.position.mover, outcome.position.opponent)
            assert table.can_be_completed(Rules())  # nor is the opponent stuck


@pytest.mark.parametrize("hands", [(6, 6), (1, 6), (3, 0), (2, 5)])
def test_random_hands_have_the_sizes_asked_for(hands):
    for source in (uniform, clustered):
        for position in source(20, seed=1, hands=hands):
            assert (len(position.mover.hand), len(position.opponent.hand)) == hands


def test_clustered_numbers_are_near_each_other_or_each_others_back_tricks():
    for position in clustered(60, seed=2):
        tops = {position.mover.ascending, position.mover.descending, position.opponent.ascending, position.opponent.descending}
        numbers = tops | set(position.mover.hand) | set(position.opponent.hand)
        windows = [{*range(low, low + 6), *range(low + 10, low + 16)} for low in range(2, 45)]
        assert any(numbers <= window for window in windows)


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
@pytest.mark.parametrize("hands", [(6, 6), (1, 0), (2, 6), (5, 3)])
@pytest.mark.parametrize(("array", "draw"), [(uniform_array, draw_uniform), (clustered_array, draw_clustered)])
def test_the_kernel_draws_what_its_twin_draws(array, draw, hands, seed, times):
    count = 60 * times
    assert unpack(array(count, seed, hands)) == [draw(Stream(seed, number), hands) for number in range(count)]


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
def test_the_kernel_draws_the_tight_endgames_that_its_twin_draws(seed, times):
    assert unpack(tight_array(40 * times, seed)) == [draw_tight(Stream(seed, number)) for number in range(40 * times)]


@pytest.mark.parametrize(("source", "array"), [(tight, tight_array), (uniform, uniform_array), (clustered, clustered_array)])
def test_an_array_of_random_endgames_has_those_that_come_one_by_one(source, array):
    """As many as make several spans for the threads, and several that are drawn ahead."""
    some = array(10_000, 5, progress=False)
    assert unpack(some[:600]) == list(source(600, 5)) and (some == array(10_000, 5, threads=1, progress=False)).all()


def test_all_cards_and_tops_are_drawn_equally_often():
    drawn = uniform_array(200_000, seed=3, progress=False)
    for name, least, most in (("mover_ascending", 1, 59), ("opponent_descending", 2, 60)):
        counts = np.bincount(drawn[name], minlength=61)
        assert counts.sum() == counts[least : most + 1].sum()
        assert abs(counts[least : most + 1] / len(drawn) * 59 - 1).max() < 0.12  # six standard errors are 0.10
    for name in ("mover_hand", "opponent_hand"):
        held = np.array([np.count_nonzero(drawn[name] >> np.uint64(card) & np.uint64(1)) for card in range(2, 60)])
        assert abs(held / len(drawn) * 58 / 6 - 1).max() < 0.05


@pytest.mark.parametrize("name", [pytest.param("selfplay", marks=pytest.mark.slow), "tight"])
def test_the_committed_positions_are_made_again(name):
    """All of those of whole games: the kernel plays given cards as it has always played them."""
    path = ROOT / "benchmarks" / "make" / "make_positions.py"
    assert (path.parents[1] / "positions" / f"{name}.txt").read_text() == run_path(str(path))["text_of"](name)


def test_the_first_committed_positions_are_made_again():
    path = ROOT / "benchmarks" / "make" / "make_positions.py"
    _, _, *lines = (path.parents[1] / "positions" / "selfplay.txt").read_text().splitlines()
    assert [str(one) for one in run_path(str(path))["played"](1000, seed=1)] == lines[:1000]


def test_a_seed_gives_the_games_that_it_has_always_given():
    """Made by the readable twins alone: endgames, winners, numbers of turns."""
    played = play_games(decks_of(1, 0, 300), POLICIES.seats(("frugal", "hasty"), 0, 300), progress=False)
    assert sha256(b"".join(part.tobytes() for part in played)).hexdigest()[:16] == "541c77176c0c38d8"
