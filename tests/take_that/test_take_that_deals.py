"""Rounds played in the kernel are those of the readable players, move by move; the sources of endgames keep their promises."""

from __future__ import annotations

from dataclasses import asdict
from hashlib import sha256
from itertools import pairwise
from random import Random
from runpy import run_path

import numpy as np
import pytest

from backtrick.play.state import GAME_OVER
from backtrick.random import Stream
from backtrick.take_that import TAKE, Position, Rules, Turn, unpack, unpack_turn
from backtrick.take_that.policies import POLICIES, near, worth
from backtrick.take_that.rule_options import DECK, is_toad, twisted
from backtrick.take_that.samples import PlayedRounds, decks_of, hard, play_rounds, selfplay
from backtrick.take_that.state import OPEN, State
from command import ROOT
from oracles.take_that_rounds import Round
from take_that_samples import ROUND_RULES, SMALL_DECKS

PAIRS_OF_POLICIES = list(pairwise([*POLICIES, "careful", "careful"]))


def played_by(decks: np.ndarray, policies: tuple[str, str] = ("careful", "careful"), **how) -> PlayedRounds:
    """The policies keep their seats."""
    return play_rounds(decks, np.repeat(POLICIES.seats(policies, 0, 1), len(decks), axis=0), 2, progress=False, **how)


def read_turns(codes: np.ndarray) -> list[Turn]:
    """The moves of a round; nothing comes after the first zero."""
    found = [unpack_turn(code) for code in codes.tolist() if code]
    assert not codes[len(found) :].any()
    return found


RICH = sorted({card for cards in SMALL_DECKS.values() for card in cards} | {55, 66, 46, 64})


def small_decks(random: Random, cards: int, count: int) -> np.ndarray:
    """Decks of this many cards; every other one is rich in twisted cards and toads."""
    pools = [pool for pool in (DECK, RICH) if len(pool) >= cards]
    return np.array([random.sample(pools[number % len(pools)], cards) for number in range(count)], np.uint8)


SIZES = [(2, 1), (5, 1), (6, 2), (9, 2), (14, 3), (3, 1), (5, 2), (6, 1), (9, 4), (20, 9), (40, 5), (79, 1)]
"""Cards of small decks, and of each hand. The quick suite has the first five."""


def follow(decks: np.ndarray, policies: tuple[str, str], rules: Rules, hand_size: int = 9) -> None:
    """Each round of the kernel, played again by the readable players on a state, and choice by choice at the table."""
    played = played_by(decks, policies, rules=rules, to_end=True, moves=True, hand_size=hand_size)
    so_far = played_by(decks, policies, rules=rules, moves=True, hand_size=hand_size)
    assert (played.endgames == so_far.endgames).all()
    players = [POLICIES.named(name) for name in policies]
    for number, cards in enumerate(decks.tolist()):
        state = State.deal(cards, rules, hand_size)
        table = Round.dealt(cards, hand_size, **asdict(rules))
        moves, before = read_turns(played.moves[number]), read_turns(so_far.moves[number])
        (endgame,) = unpack(played.endgames[number : number + 1])
        reached = None
        for place, move in enumerate(moves):
            if not state.pile and state.phase != OPEN and reached is None:
                reached = place
                assert state.position() == endgame and state.points == tuple(so_far.points[number].tolist())
            assert move == players[state.to_move](state.view(state.to_move)), (cards, place)
            table.choose(str(move))
            state = state.apply(move)
        assert before == moves[:reached]
        assert state.to_move == GAME_OVER and table.is_over
        assert state.points == tuple(played.points[number].tolist()) == tuple(table.points)
        if reached is None:  # T9: the round was over as soon as the pile was empty
            assert not state.line and endgame == Position(*(state.hands if state.seat == 0 else state.hands[::-1]))


@pytest.mark.share(3)
@pytest.mark.parametrize(("rounds", "small"), [(1, 6), pytest.param(400, 100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("policies", PAIRS_OF_POLICIES, ids="-".join)
@pytest.mark.parametrize("rules", ROUND_RULES, ids=str)
def test_the_kernel_plays_as_the_readable_players(rules, policies, rounds, small):
    follow(decks_of(11, 0, rounds), policies, rules)
    for cards, hand_size in SIZES if rounds > 1 else SIZES[:5]:
        follow(small_decks(Random(cards), cards, small), policies, rules, hand_size)


def test_of_two_twists_equally_near_the_higher_card_is_used():
    """Seat 0 comes to hold 13 and 53, the line is 31-35-33: both are 20 from the 33, and both can twist."""
    decks = np.array([[53, 44, 31, 56, 35, 33, 13]], np.uint8)
    follow(decks, ("eager", "eager"), Rules(), hand_size=2)
    played = played_by(decks, ("eager", "eager"), to_end=True, moves=True, hand_size=2)
    assert [str(move) for move in read_turns(played.moves[0])] == ["44", "take", "31", "35", "33", "53x35", "take"]


def test_the_longest_list_of_moves_has_room():
    """Two moves a turn while the pile lasts, then one for each card in hand, and taking."""
    decks = decks_of(1, 0, 20)
    assert played_by(decks, moves=True).moves.shape == (20, 2 * 61 + 18 + 1)
    assert played_by(decks[:, :20].copy(), moves=True, hand_size=1).moves.shape == (20, 2 * 18 + 2 + 1)
    assert played_by(decks).moves is None and played_by(decks[:0]).points.shape == (0, 2)


def test_whole_decks_end_nine_to_nine_with_the_dealer_to_move():
    for position, cards in zip(selfplay(20, seed=3), decks_of(3, 0, 20), strict=True):
        assert len(position.mover) == len(position.opponent) == 9 and not position.pile
        assert sorted(cards.tolist()) == list(DECK)
        assert cards[78] in position.mover + position.opponent + position.line  # the last card drawn, by seat 0
        assert cards[78] not in position.mover


def test_worths_are_told_as_documented():
    view = State.begin(Position.parse("12,33,94 21,43 49-41 55,63")).view(0)
    assert worth(view, TAKE) == -2
    # the other holds 2 of the 4 unseen cards, 21, 43, 55, 63; what remains is 41, on which 43 fits, and none of 12 and 33 but 33
    assert worth(view, Turn(94, 49)) == 2 + 1 * (0.5**1 - 0.5 * 0.5 ** (1 + 1))
    # a line of 49-41-33 costs 7; 43 fits on it; of the own cards nothing does; the twisted card of a toad is nobody's
    assert worth(view, Turn(33)) == 7 * (0.5**1 - 0.5 * 0.5**1)


def test_the_policies_change_seats_from_game_to_game():
    decks = decks_of(4, 0, 6)
    one, other = (unpack(played_by(decks, pair).endgames) for pair in (("careful", "eager"), ("eager", "careful")))
    mixed = [one[number] if number % 2 == 0 else other[number] for number in range(6)]
    assert list(selfplay(6, seed=4, policies=("careful", "eager"))) == mixed


@pytest.mark.parametrize("name", ["take_that_selfplay", "take_that_mixed", "take_that_hard"])
def test_the_committed_positions_are_made_again(name):
    """All of them: the kernel plays given cards as it has always played them."""
    path = ROOT / "benchmarks" / "make" / "make_positions.py"
    assert (path.parents[1] / "positions" / f"{name}.txt").read_text() == run_path(str(path))["text_of"](name)


def test_a_seed_gives_the_rounds_that_it_has_always_given():
    """Made by the readable twins alone: endgames and points."""
    seats = POLICIES.seats(("careful", "eager"), 0, 300)
    played = play_rounds(decks_of(1, 0, 300), seats, progress=False, to_end=True)
    assert sha256(played.endgames.tobytes() + played.points.tobytes()).hexdigest()[:16] == "fafa3b3c3d5e33c7"


@pytest.mark.parametrize("policies", PAIRS_OF_POLICIES, ids="-".join)
def test_an_endgame_is_the_position_with_an_empty_draw_pile(policies):
    """All of it by the readable twins: the cards, the players, the rules."""
    expected = []
    for number in range(8):
        seats = policies[::-1] if number % 2 else policies  # in odd games the second one begins
        state = State.deal(Stream(7, number).shuffled(DECK))
        while state.pile:
            state = state.apply(POLICIES[seats[state.to_move]](state.view(state.to_move)))
        expected.append(state.position())
    assert list(selfplay(8, 7, policies)) == expected


def test_the_careful_policy_is_the_stronger_one():
    decks = decks_of(1, 0, 400)
    margins = [played_by(decks, pair, to_end=True).points @ (1, -1) for pair in (("careful", "eager"), ("eager", "careful"))]
    assert margins[0].mean() - margins[1].mean() > 2 * 5


def test_hard_endgames_are_as_documented():
    for position in hard(100, seed=1):
        assert isinstance(position, Position) and len(position.mover) == len(position.opponent) == 9
        assert 15 <= len(position.line) <= 25 and not any(map(is_toad, position.mover + position.opponent + position.line))
        assert all(twisted(card) in DECK for card in position.line)


def test_near_counts_cards_within_reach():
    for card in DECK:
        assert near(DECK, card) == len([other for other in DECK if abs(card - other) <= 10])


