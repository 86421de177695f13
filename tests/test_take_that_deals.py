"""Whole games are held against the rules turn by turn; the sources of endgames keep their promises."""

from __future__ import annotations

import pytest

from solver.take_that import Position
from solver.take_that.cards import DECK, cost, is_toad, twisted
from solver.take_that.deals import POLICIES, hard, near, play_game, selfplay, selfplay_array

PAIRS_OF_POLICIES = [(one, other) for one in POLICIES for other in POLICIES]


@pytest.mark.parametrize("policies", PAIRS_OF_POLICIES, ids="-".join)
def test_every_turn_is_legal(policies):
    for number in range(12):
        game = play_game(3, number, policies)
        scores = [0, 0]
        assert sorted(game.hands[0] + game.hands[1] + game.draw) == list(DECK)  # T1
        assert [len(game.hands[0]), len(game.hands[1]), len(game.draw), game.line] == [9, 9, 61, []]  # T2
        while game.draw:
            mover, next_card = game.to_move, game.draw[-1]
            hand, line = set(game.hands[mover]), list(game.line)
            turn = game.play_turn()
            for place, action in enumerate(turn):
                if action.is_take:
                    assert place == 0 and line  # T6: an empty line cannot be taken
                    scores[mover] -= cost(tuple(line))
                    line = []
                    continue
                assert action.card in hand
                hand.remove(action.card)
                if action.is_twist:
                    assert place == 0 and not is_toad(action.card) and twisted(action.card) == action.line_card  # T5
                    line.remove(action.line_card)
                    scores[mover] += 2
                else:
                    assert not line or abs(line[-1] - action.card) <= 10  # T4
                    line.append(action.card)
            assert len(turn) == 1 + turn[0].is_take  # T6: the taker lays, while the draw pile lasts
            assert set(game.hands[mover]) == hand | {next_card} and game.line == line and game.to_move == 1 - mover  # T3
            for seat in (0, 1):  # what a player has not seen: the other's hand and the draw pile
                unseen = {card for card in DECK if game.unseen[seat] >> card & 1}
                assert unseen == set(game.hands[1 - seat]) | set(game.draw)
        assert game.score == scores and len(game.actions) == 61
        position = game.position()
        assert len(position.mover) == len(position.opponent) == 9 and game.to_move == 1  # T2: the dealer


def test_games_do_not_depend_on_how_many_are_asked_for():
    few, more = list(selfplay(3, seed=9)), list(selfplay(6, seed=9))
    assert more[:3] == few and list(selfplay(3, seed=9)) == few != list(selfplay(3, seed=8))
    assert selfplay_array(3, seed=9).tobytes() == b"".join(position.packed for position in few)
    assert list(hard(5, seed=2))[:2] == list(hard(2, seed=2))


def test_the_careful_policy_is_the_stronger_one():
    margin = 0
    for number in range(200):
        game = play_game(1, number, ("careful", "eager"))
        game.play_out()
        margin += game.score[number % 2] - game.score[1 - number % 2]
    assert margin > 200 * 5


def test_hard_endgames_are_as_documented():
    for position in hard(100, seed=1):
        assert isinstance(position, Position) and len(position.mover) == len(position.opponent) == 9
        assert 15 <= len(position.line) <= 25 and not any(map(is_toad, position.mover + position.opponent + position.line))


def test_near_counts_cards_within_reach():
    everything = sum(1 << card for card in DECK)
    for card in DECK:
        assert near(everything, card) == sum(abs(card - other) <= 10 for other in DECK)


def test_a_policy_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="no policy is called 'clever'; there are careful, eager"):
        play_game(1, 0, ("clever", "eager"))
