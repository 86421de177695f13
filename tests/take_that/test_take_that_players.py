"""The kernel of the player `sampler` of Take That against its readable twin, and its choices near the end."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from backtrick.play.state import GAME_OVER
from backtrick.random import Stream
from backtrick.take_that import players
from backtrick.take_that.game import GAME
from backtrick.take_that.players import LATE, PLAYERS, _kernel, best_move
from backtrick.take_that.policies import POLICIES, WEIGHTS, Weights
from backtrick.take_that.rule_options import DECK
from backtrick.take_that.samples import decks_of, play_rounds
from backtrick.take_that.state import MOVE, State, View
from backtrick.take_that.turn import Turn, pack_turn
from sampler_twin import counted, share, value_of
from take_that_samples import ROUND_RULES


def views(rules, seed: int, least: int = 0):
    """Of the players to move in a round of random moves, some of them before a new line is opened."""
    random, state = Random(seed), State.deal(Random(seed).sample(DECK, 79), rules)
    while state.to_move != GAME_OVER:
        if len(state.pile) >= least:
            yield state.view(state.to_move)
        state = state.apply(random.choice(state.legal()))


def values_of(view: View, other: str, key: int, number: int) -> list[float]:
    """What the kernel says of every move in one world."""
    codes, values = np.array([pack_turn(move) for move in view.legal()], np.uint8), np.zeros(len(view.legal()))
    cards = bytes(view.hand), bytes(view.line), bytes(view.unseen)
    kernel = _kernel(view.rules, list(POLICIES).index(other))
    kernel.value_moves(*cards, view.hand_size, *view.points, codes, values, key, number, number + 1)
    return values.tolist()


@pytest.mark.share(2)
@pytest.mark.parametrize("rules", ROUND_RULES, ids=str)
def test_moves_are_worth_what_the_twin_says(rules, times):
    compared = 0
    for seed, other in ((1, "tuned"), (2, "eager"), (3, "careful")):
        for number, view in enumerate(views(rules, seed, least=2)):
            if number % (20 // times) and (number % 2 or view.pile_size > 4):
                continue
            world = view.world(Stream(7, number))
            assert values_of(view, other, 7, number) == [value_of(world, move, other) for move in view.legal()]
            compared += view.pile_size > LATE
    assert compared > 2 * times


@pytest.mark.share(2)
@pytest.mark.parametrize("rules", ROUND_RULES, ids=str)
def test_with_one_card_in_the_pile_every_world_is_taken(rules):
    """World number i has the i-th unseen card in the pile; all are then endgames, solved."""
    for seed in range(6):
        for view in views(rules, seed, least=1):
            if view.pile_size > 1:
                continue
            totals = [0.0] * len(view.legal())
            for number, last in enumerate(view.unseen):
                hand = tuple(card for card in view.unseen if card != last)
                world = State((view.hand, hand), view.line, (last,), view.points, 0, MOVE, rules)
                found = [value_of(world, move) for move in view.legal()]
                assert values_of(view, "tuned", 5, number) == values_of(view, "tuned", 6, number + len(view.unseen)) == found
                totals = [total + value for total, value in zip(totals, found, strict=True)]
            moves = view.legal()
            assert best_move(view, moves, 2, 3, 0, 0.0) in [
                move for move, total in zip(moves, totals, strict=True) if total > max(totals) - 1e-9]  # fmt: skip


def test_turns_are_exact_when_no_card_is_hidden():
    player, seen = PLAYERS.player("sampler:worlds=1"), 0
    for seed in range(5):
        for view in views(ROUND_RULES[0], seed):
            if view.position is not None:
                assert player(view) == GAME.best_turn(view.position, view.rules)
                seen += 1
    assert seen > 10


def test_a_lead_is_worth_more_when_fewer_cards_are_left():
    assert 0 < share(5, 40) < share(5, 4) < share(5, 0) < share(50, 0) < 1
    assert share(-5, 9) == -share(5, 9) and share(4, 0) == -share(-16, 16) == 0.5


def test_counts_of_a_hand_are_those_counted_by_eye():
    assert counted((12, 21, 33, 94), (34, 49)) == (1, 1, 1, 1)


@pytest.mark.parametrize("name", ["sampler:worlds=3", "sampler:seconds=0.0001"])
def test_turns_are_legal_in_hundreds_of_views(name, times):
    player, count = PLAYERS.player(name), 0
    for number in range(2 * times):
        for view in views(ROUND_RULES[number % len(ROUND_RULES)], number):
            assert player(view) in view.legal()
            count += 1
    assert count > 50 * times


def test_seeds_are_different_players():
    one, other = ([PLAYERS.player(f"sampler:worlds=1,seed={seed}")(view) for view in views(ROUND_RULES[0], 2)] for seed in (1, 2))
    assert one != other


def test_weights_are_those_of_their_seat():
    """Not what was left in memory by an earlier call."""
    decks, players = decks_of(3, 0, 60), POLICIES.seats(("tuned", "tuned"), 0, 60)
    usual, other = WEIGHTS, Weights(*(0.0 for _ in WEIGHTS))
    points = play_rounds(decks, players, weights=(usual, usual)).points
    for weights in ((other, usual), (usual, other)):
        assert (play_rounds(decks, players, weights=weights).points != points).any()


def test_the_worse_half_of_the_moves_is_dropped_after_a_quarter_and_after_half_of_the_worlds(monkeypatch):
    """Of equal ones those that come first are kept."""
    view, left, asked = View.parse("12,13,14,15,16,17,18,19,21 ?9 34-43 ?59"), list(DECK[:20]), []

    def value_moves(*given):
        asked.append((given[6].tolist(), *given[9:]))
        given[7][:] = given[6] % 3

    monkeypatch.setattr(players, "_kernel", lambda *given: SimpleNamespace(value_moves=value_moves))
    best = players.best_move(view, [Turn(card) for card in left], 0, 80, 0, 0.0)
    for look, one in enumerate(asked):
        if look in (2, 4):
            left = sorted(sorted(left, key=lambda card: -(card % 3))[: (len(left) + 1) // 2])
        assert one == (left, 10 * look, 10 * look + 10)
    assert best == Turn(max(left, key=lambda card: card % 3)) and len(asked) == 8
