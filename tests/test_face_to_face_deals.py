"""Whole games obey F1-F14 as the readable twin understands them; random endgames have the properties they promise."""

from __future__ import annotations

from copy import deepcopy
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from solver.core.errors import PositionError
from solver.face_to_face import deals, rules
from solver.face_to_face.deals import POLICIES, clustered, play_game, selfplay, selfplay_array, tight, uniform
from solver.face_to_face.position import POSITION_DTYPE, Position, Side, cards_of, pack, unpack
from solver.face_to_face.turn import PLAY_PILES, Play, Turn
from solver.face_to_face.turns import outcomes

PAIRINGS = [("frugal", "frugal"), ("frugal", "hasty"), ("hasty", "hasty")]
SETS = Path(__file__).parent.parent / "benchmarks" / "positions"


def side(seat) -> Side:
    return Side(seat.ascending, seat.descending, cards_of(seat.hand))


@pytest.mark.parametrize("policies", PAIRINGS, ids="-".join)
def test_every_turn_of_a_game_is_one_of_the_rules(policies):
    for number in range(60):
        game = play_game(3, number, policies)
        laid = ([], [])
        for seat in game.seats:
            assert (seat.ascending, seat.descending) == (1, 60)  # F1
            assert seat.hand.bit_count() == 6 and len(seat.draw) == 52  # F2
        while game.winner is None:
            mover = game.to_move
            own, other = deepcopy(game.seats[mover]), deepcopy(game.seats[1 - mover])
            position = Position(side(own), side(other))
            plays = game.play_turn()
            if not plays:
                assert next(rules.legal_turns(position), None) is None and game.winner == 1 - mover  # F13
                break
            turn = Turn(tuple(Play(card, *PLAY_PILES[pile]) for card, pile in plays))
            following = rules.after(position, turn)  # F3-F9: it objects to anything else
            now, other_now = game.seats[mover], game.seats[1 - mover]
            assert following.mover == side(other_now)
            assert (following.opponent.ascending, following.opponent.descending) == (now.ascending, now.descending)

            kept = following.opponent.hand
            to_draw = 6 - len(kept) if any(play.helpful for play in turn) else 2  # F11
            drawn = own.draw[len(own.draw) - min(to_draw, len(own.draw)) :]
            assert side(now).hand == tuple(sorted([*kept, *drawn])) and len(side(now).hand) <= 6  # F2, F11
            assert now.draw == own.draw[: len(own.draw) - len(drawn)] and other_now.draw == other.draw

            laid[mover].extend(card for card, _ in plays)
            for seat, cards in zip(game.seats, laid, strict=True):
                assert sorted([*cards, *cards_of(seat.hand), *seat.draw]) == list(range(2, 60))  # F1: 58 cards, each once
                assert cards_of(seat.unlaid) == tuple(sorted([*cards_of(seat.hand), *seat.draw]))
            assert (game.winner == mover) == (len(laid[mover]) == 58)  # F12
            assert game.to_move == 1 - mover


def test_policies_do_not_look_at_hidden_cards():
    """What they answer depends on nothing but the own hand, the tops and what is known to be laid."""
    for number, policy in product(range(20), POLICIES.values()):
        game = play_game(4, number)
        while game.winner is None:
            own, other = deepcopy(game.seats[game.to_move]), deepcopy(game.seats[1 - game.to_move])
            plays = policy(own, other)
            own.draw.sort()
            other.draw, other.hand = [], 0
            assert policy(own, other) == plays
            game.play_turn()


def test_frugal_is_the_stronger():
    games = 400
    wins = 0
    for number in range(games):
        game = play_game(5, number, ("frugal", "hasty"))
        while game.winner is None:
            game.play_turn()
        wins += game.winner == number % 2  # frugal begins in even games
    assert wins > games / 2 + 5 * (games / 4) ** 0.5  # five standard deviations of a fair coin


@pytest.mark.parametrize("policies", PAIRINGS, ids="-".join)
def test_an_endgame_is_the_first_position_with_both_draw_piles_empty(policies):
    expected = []
    number = 0
    while len(expected) < 25:
        game = play_game(6, number, policies)
        while game.winner is None and any(seat.draw for seat in game.seats):
            game.play_turn()
        if game.winner is None:
            expected.append(Position(side(game.seats[game.to_move]), side(game.seats[1 - game.to_move])))
        number += 1
    assert list(selfplay(25, 6, policies)) == expected
    for position in expected:
        assert position.mover.hand and position.opponent.hand  # F12: nobody has won


@pytest.mark.parametrize("source", [selfplay, tight, uniform, clustered])
def test_item_i_does_not_depend_on_how_many_are_asked_for(source):
    assert list(source(12, 8))[:5] == list(source(5, 8)) == list(source(5, 8))
    assert list(source(5, 8)) != list(source(5, 9))
    assert list(source(0, 8)) == []


def test_the_array_holds_the_same_endgames():
    array = selfplay_array(20, seed=2)
    assert array.dtype == POSITION_DTYPE and unpack(array) == list(selfplay(20, seed=2))
    assert np.array_equal(array, pack(selfplay(20, seed=2)))


def test_progress_is_shown_only_when_asked_for(capsys):
    selfplay_array(7, seed=2)
    assert capsys.readouterr().err == ""  # not a terminal
    selfplay_array(7, seed=2, progress=True)
    assert "7.00/7.00" in capsys.readouterr().err


def test_an_unknown_policy_is_refused():
    with pytest.raises(ValueError, match="no policy is called 'lucky'"):
        selfplay_array(1, policies=("frugal", "lucky"))


def test_run_of_finds_what_only_the_right_order_gives():
    # 35 then 25 on an ascending 30; 25 first does not fit, and nothing may be laid elsewhere.
    own, other = deals.Seat(30, 2, 1 << 25 | 1 << 35, []), deals.Seat(1, 60, 1 << 7, [])
    assert deals.run_of(own, other, 2) == [(35, 0), (25, 0)]
    assert deals.run_of(own, other, 3) is None


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
            assert next(rules.legal_turns(outcome.position), None) is not None  # nor is the opponent stuck


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


def test_redrawing_agrees_with_positions_about_what_is_well_formed():
    rng = np.random.default_rng(1)
    seen = set()
    for _ in range(3000):
        record = deals._random(rng, range(2, 14), [1, *range(2, 14), 60], (6, 6))
        own, other, *tops = record
        try:
            Position(Side(tops[0], tops[1], cards_of(own)), Side(tops[2], tops[3], cards_of(other)))
            well_formed = True
        except PositionError:
            well_formed = False
        assert deals._well_formed(record) == well_formed
        seen.add(well_formed)
    assert seen == {True, False}


@pytest.mark.parametrize(("name", "source", "count"), [("selfplay", selfplay, 20_000), ("tight", tight, 2_000)])
def test_the_position_sets_are_what_their_headers_say(name, source, count):
    lines = (SETS / f"{name}.txt").read_text().splitlines()
    header, positions = lines[:2], lines[2:]
    assert f"deals.{name}({count:_}, seed=1" in header[0] and all(line.startswith("#") for line in header)
    assert len(positions) == count
    assert positions[:20] == [str(position) for position in source(20, seed=1)]
    assert all(str(Position.parse(line)) == line for line in positions[::50])


def test_more_processes_play_the_same_games():
    played = selfplay_array(450, seed=6, policies=("hasty", "frugal"), processes=2)
    assert (played == selfplay_array(450, seed=6, policies=("hasty", "frugal"))).all()
    assert len(played) == 450 > 2 * deals.BLOCK  # several blocks
