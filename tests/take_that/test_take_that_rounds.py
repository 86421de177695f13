"""Whole rounds of Take That, move by move and turn by turn, against a table of plain lists; what a player may see; chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrick.play.state import CHANCE, GAME_OVER
from backtrick.take_that import TAKE, Position, Rules, Turn, legal_turns, mirror, mirror_turn, play
from backtrick.take_that.rule_options import DECK, TWIST_POINTS, cost
from backtrick.take_that.rules import move_violation, value
from backtrick.take_that.state import MINUS, State, View
from oracles.take_that_rounds import Round
from take_that_samples import ROUND_RULES, SMALL_DECKS, deals, every_deal, positions, random_deal

LONGEST = 18 + 61 * 3 + 19  # cards dealt; two moves and a draw a turn; a move for each of the last 18 cards, and taking


def oracle_of(position: Position, rules: Rules) -> Round:
    hands = (position.mover, position.opponent)
    return Round(hands, position.line, position.pile, **asdict(rules))


def same(state: State, table: Round) -> None:
    """The state is at the same moment as the table."""
    assert state.hands == tuple(tuple(sorted(hand)) for hand in table.hands)
    assert (list(state.line), list(state.pile), list(state.points)) == (table.line, table.pile, table.points)
    assert [str(action) for action in state.legal()] == table.choices()
    assert state.to_move == (GAME_OVER if table.is_over else table.turn)
    if table.is_over:
        first, second = table.points
        assert state.winner == (None if first == second else int(second > first)) and state.position() is None
    else:
        assert state.winner is None


def every_round(state: State, table: Round) -> Iterator[tuple[State, Round]]:
    """All moments that legal moves lead to."""
    yield state, table
    for action in state.legal():
        following = Round(table.hands, table.line, table.pile, table.forced_only, table.empty_line, table.professional)
        following.points, following.turn, following.turns_done = list(table.points), table.turn, table.turns_done
        following.choose(str(action))
        yield from every_round(state.apply(action), following)


def small_deals(count: int | None = None) -> list[Position]:
    found = [deal for deck in SMALL_DECKS.values() for deal in every_deal(deck[:4])]
    found += Random(3).sample([deal for deck in SMALL_DECKS.values() if len(deck) > 4 for deal in every_deal(deck)], 300)
    return Random(4).sample(found, count or len(found))


@pytest.mark.share(2)
@pytest.mark.parametrize("rules", ROUND_RULES, ids=str)
def test_every_small_round_is_played_as_at_the_table(rules):
    for deal in small_deals(150):
        for state, table in every_round(State.begin(deal, rules), oracle_of(deal, rules)):
            same(state, table)


@pytest.mark.share(2)
@pytest.mark.parametrize("rules", ROUND_RULES, ids=str)
def test_small_deals_are_worth_what_trying_everything_says(rules):
    memo: dict[Position, int] = {}
    for deal in small_deals(150):
        assert value(deal, rules, memo) == value(mirror(deal), rules) == oracle_of(deal, rules).value(), deal


@pytest.mark.slow
@pytest.mark.parametrize("rules", ROUND_RULES, ids=str)
def test_all_small_deals_and_random_ones(rules):
    random = Random(5)
    for deal in small_deals() + [random_deal(random, 2, 2, 3) for _ in range(300)]:
        assert value(deal, rules) == oracle_of(deal, rules).value(), deal
        for state, table in every_round(State.begin(deal, rules), oracle_of(deal, rules)):
            same(state, table)


@pytest.mark.share(2)
@pytest.mark.parametrize("rules", ROUND_RULES, ids=str)
@given(deals() | positions(), st.randoms(use_true_random=False))
def test_turns_are_moves_put_together(rules, position, random):
    """Turn by turn as `play` says it, move by move as the state does."""
    state, balance = State.begin(position, rules), [0, 0]
    for number in range(40):
        turns = legal_turns(position, rules)
        assert state.position() == (position if turns else None)
        if not turns:
            break
        assert {str(turn).split(",")[0] for turn in turns} == {str(move) for move in state.legal()}
        turn = random.choice(turns)
        points, following = play(position, turn, rules)
        balance[number % 2] += points
        assert state.to_move == number % 2
        if turn.opening is None:
            state = state.apply(turn)
        else:
            state = state.apply(TAKE)
            assert state.to_move == number % 2 and state.position() is None and state.view(number % 2).opens
            assert [move.card for move in state.legal()] == list(position.mover)
            state = state.apply(Turn(turn.opening))
        assert list(state.points) == balance
        if following is None:
            assert state.to_move == GAME_OVER
            break
        position = following


def played(seed: int, rules: Rules, start: State) -> list[tuple[State, Turn | int | None]]:
    """A round of random moves and draws: each state with what was done there."""
    random, state, found = Random(seed), start, []
    while state.to_move != GAME_OVER:
        done = random.choice(list(state.chance()) if state.to_move == CHANCE else state.legal())
        found.append((state, done))
        state = state.draw(done) if state.to_move == CHANCE else state.apply(done)
    return [*found, (state, None)]


@pytest.mark.parametrize("rules", ROUND_RULES, ids=str)
def test_whole_rounds_with_the_deck_in_the_hands_of_chance(rules, times):
    for seed in range(2 * times):
        moments = played(seed, rules, State.start(rules))
        assert len(moments) <= LONGEST + 1
        deck = [done for state, done in moments if state.to_move == CHANCE]
        assert sorted(deck) == list(DECK)
        table = Round.dealt(deck, **asdict(rules))
        known = State.deal(deck, rules)
        for state, done in moments:
            if state.to_move == CHANCE:
                assert state.legal() == () and state.position() is None
                continue
            same(known, table)
            unknown = replace(known, pile=frozenset(known.pile)) if known.pile else known
            assert unknown == state and state.position() == (None if state.pile else known.position())
            assert not state.chance()
            if done is not None:
                known = known.apply(done)
                table.choose(str(done))
        assert len(state.hands[0]) + len(state.hands[1]) <= 18 and not state.pile


@pytest.mark.parametrize("rules", ROUND_RULES, ids=str)
def test_points_always_add_up(rules):
    for seed in range(10):
        total = 0
        for state, done in played(seed, rules, State.start(rules)):
            assert sum(state.points) == total
            if isinstance(done, Turn):
                total += TWIST_POINTS if done.is_twist else -cost(state.line) if done.is_take else 0
            elif state.phase == MINUS:
                total -= cost((done,))


def test_the_chances_of_all_rounds_of_a_small_deck_sum_to_one():
    """Five cards, one in each hand: 120 decks, each as likely as any other, the moves at random."""
    decks: dict[tuple[int, ...], float] = {}

    def walk(state: State, chance: float, drawn: tuple[int, ...]) -> None:
        if state.to_move == GAME_OVER:
            decks[drawn] = decks.get(drawn, 0) + chance
        elif state.to_move == CHANCE:
            assert sum(state.chance().values()) == pytest.approx(1) and set(state.chance()) == set(state.pile)
            for card, share in state.chance().items():
                walk(state.draw(card), chance * share, (*drawn, card))
        else:
            for action in state.legal():
                walk(state.apply(action), chance / len(state.legal()), drawn)

    cards = SMALL_DECKS["two pairs and a toad"]
    walk(State.start(Rules(), cards, hand_size=1), 1.0, ())
    assert decks == {deck: pytest.approx(1 / 120) for deck in permutations(cards)}


@pytest.mark.parametrize("known", [True, False], ids=["order known", "order unknown"])
def test_a_view_does_not_change_when_hidden_cards_are_exchanged(known, times):
    random = Random(6)
    for seed in range(4 * times):
        start = State.deal(Random(seed).sample(DECK, 79)) if known else State.start()
        for state, _ in played(seed, Rules(), start):
            for seat in (0, 1):
                size = len(state.hands[1 - seat])
                hidden = [*state.hands[1 - seat], *state.pile]
                random.shuffle(hidden)
                hands = [state.hands[seat], tuple(sorted(hidden[:size]))]
                pile = tuple(hidden[size:]) if isinstance(state.pile, tuple) else frozenset(hidden[size:])
                other = replace(state, hands=tuple(hands if seat == 0 else hands[::-1]), pile=pile)
                view = state.view(seat)
                assert other.view(seat) == view and hash(other.view(seat)) == hash(view)
                assert view.unseen == tuple(sorted(hidden)) and (view.hand_size, view.pile_size) == (size, len(state.pile))
                assert not set(view.unseen) & set(view.hand + view.line)
                if state.to_move == seat:
                    assert view.legal() == list(state.legal()) and view.opens == (not state.line)


def test_a_view_has_the_points_of_its_own_player_first():
    state = State.begin(Position.parse("12,94 21,43 49 55,63")).apply(Turn(94, 49)).apply(Turn(43))
    assert state.points == (2, 0) and state.view(0).points == (2, 0) and state.view(1).points == (0, 2)


@given(deals() | positions(), st.integers(0, 1), st.randoms(use_true_random=False))
def test_seats_and_mirror_images_change_nothing_else(position, seat, random):
    state, turned, image = State.begin(position), State.begin(position, seat=1), State.begin(mirror(position))
    while state.to_move != GAME_OVER:
        assert turned.to_move == 1 - state.to_move and turned.hands == state.hands[::-1] and turned.points == state.points[::-1]
        assert sorted(map(str, map(mirror_turn, state.legal()))) == sorted(map(str, image.legal()))
        action = random.choice(state.legal())
        state, turned, image = state.apply(action), turned.apply(action), image.apply(mirror_turn(action))
        assert image.points == state.points
    assert turned.winner == (None if state.winner is None else 1 - state.winner)


def test_a_move_by_itself_names_taking_alone():
    position = Position.parse("12,33 21,94 34-41-49 55")
    assert move_violation(position, TAKE) is None
    assert View(position.mover, position.line, 2, 1, (21, 55, 94)).legal()[-1] == TAKE
