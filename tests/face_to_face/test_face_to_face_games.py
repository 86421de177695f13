"""Whole games of Face to Face: the state and the referee against an oracle of lists, views, policies, and the kernel's twin."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import islice, permutations, product
from random import Random

import numpy as np
import pytest

from backtrick.errors import ArgumentError, IllegalTurnError, PositionError
from backtrick.face_to_face import Deal, _play
from backtrick.face_to_face import rules as referee
from backtrick.face_to_face.policies import POLICIES, PRICES, Prices, cheapest_plays, frugal, hasty, priced_helpful, tuned, turn_of
from backtrick.face_to_face.position import Position, Side, unpack
from backtrick.face_to_face.public_state import PublicState
from backtrick.face_to_face.rule_options import DECK, PUBLISHED, Rules
from backtrick.face_to_face.samples import clustered, decks_of, play_games, play_to_deals, tight
from backtrick.face_to_face.state import END, State, View, turn_begins
from backtrick.face_to_face.turn import Play, Turn, unpack_turn
from backtrick.face_to_face.worlds import Worlds
from backtrick.play.state import CHANCE, GAME_OVER
from face_to_face_samples import turns_of_game
from oracles import face_to_face_games as oracle
from oracles.published_deck import SmallDeck

PAIRINGS = [("frugal", "frugal"), ("frugal", "hasty"), ("hasty", "hasty"), ("tuned", "frugal"), ("tuned", "tuned")]
SMALL = [(True, SmallDeck(5, 2)), pytest.param(False, SmallDeck(5, 1), marks=pytest.mark.slow),
         pytest.param(False, SmallDeck(6, 2), marks=pytest.mark.slow)]  # fmt: skip
KINDS = pytest.mark.parametrize(("rules", "cards"), [
    (PUBLISHED, DECK), (Rules(lone_card=True), DECK),
    (PUBLISHED, SmallDeck(12, 3).cards), (Rules(lone_card=True), SmallDeck(9, 2).cards),
], ids=["published", "lone card", "small deck", "lone card, small deck"])  # fmt: skip
"""Rules, and the number cards of both decks."""


def random_decks(random, cards=DECK):
    return [random.sample(cards, len(cards)) for _ in range(2)]


def texts(things):
    return {str(thing) for thing in things}


# The state against the oracle


@cache
def small_sides(cards):
    """Every hand that is not empty with every order of every pile, of a deck of few cards."""
    found = []
    for places in product("hpl", repeat=len(cards)):
        hand = [card for card, place in zip(cards, places, strict=True) if place == "h"]
        pile = [card for card, place in zip(cards, places, strict=True) if place == "p"]
        found += [(tuple(hand), order) for order in permutations(pile) if hand]
    return found


def small_positions(deck, opponents):
    """Every well-formed position of a small deck whose opponent has one of some hands and piles."""
    tops = list(product((1, *deck.cards), (*deck.cards, 60)))
    for (hand, pile), own, theirs, opponent in product(small_sides(deck.cards), tops, tops, opponents):
        try:
            yield Position(Side(*own, hand, pile), Side(*theirs, *(tuple(map(deck.number, cards)) for cards in opponent)))
        except PositionError:
            continue


def oracle_of(position, rules):
    sides = [(side.ascending, side.descending, side.hand, side.pile) for side in (position.mover, position.opponent)]
    (up, down, hand, pile), (their_up, their_down, their_hand, their_pile) = sides
    return oracle.Game.of(up, down, hand, pile, their_up, their_down, their_hand, their_pile, lone_card=rules.lone_card)


def agree(state, game, turns):
    """Everything at the beginning of a turn, and what may be played within it."""
    assert str(state.position()) == game.text()
    assert state.to_move == GAME_OVER if game.winner is not None else state.to_move == state.seat == game.mover
    assert state.winner == game.winner
    assert texts(state.turns()) == {oracle.turn_text(turn) for turn in turns}


@pytest.mark.parametrize(("lone_card", "deck"), SMALL)
def test_state_referee_and_oracle_agree_on_every_deal_of_a_small_deck(lone_card, deck, times):
    rules, count, drew = Rules(lone_card), 0, 0
    for position in islice(small_positions(deck, [((2,), (4,)), ((3, 4), ())]), 0, None, 8 // times):
        state, game = State.begin(position, rules), oracle_of(position, rules)
        turns = game.turns()
        game.settle(turns)
        agree(state, game, turns)
        count += 1
        for turn in turns:
            after, then = state, game.after(turn)
            for number, (card, pile) in enumerate(turn):
                assert texts(after.legal()) == oracle.next_actions(turns, turn[:number])
                after = after.apply(Play(card, "^v"[pile % 2], pile > 1))
            assert texts(after.legal()) == oracle.next_actions(turns, turn)
            after = after.apply(END)
            whole = Turn.parse(oracle.turn_text(turn))
            assert after == state.play(whole)
            if then.winner is None or then.hands[then.mover]:
                assert str(referee.after(position, whole, rules)) == then.text()
            then.settle(then.turns())
            assert (str(after.position()), after.winner) == (then.text(), then.winner)
            drew += len(then.hands[0]) > len(game.hands[0]) - len(turn)
    assert count > 85 * times and drew > 12 * times


def random_game(seed, rules=PUBLISHED, cards=DECK):
    """A game from a known deal, a random action at a time, with the oracle's beside it; yields both when a turn begins."""
    random = Random(seed)
    decks = random_decks(random, cards)
    state, game = State.deal(decks, rules), oracle.Game(decks, rules.lone_card)
    while state.to_move != GAME_OVER:
        yield state, game
        turn = []
        while True:
            legal = state.legal()
            assert legal, f"nobody is stuck within a turn: {state}"
            # mostly cheap plays, so that games are long
            action = END if END in legal and random.random() < 0.7 else random.choice(legal)
            if action is not END and random.random() < 0.8:
                action = min((one for one in legal if one is not END), key=lambda play: moved(state, play))
            state = state.apply(action)
            if action is END:
                break
            turn.append((action.card, "^v".index(action.pile) + 2 * action.helpful))
        game.play(turn)
    yield state, game


def moved(state, play):
    if play.helpful:
        return 30
    side = state.table.mover
    return play.card - side.ascending if play.pile == "^" else side.descending - play.card


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 20))])
def test_state_and_oracle_agree_in_whole_games(seed):
    for number, (state, game) in enumerate(random_game(seed)):
        if number % 7 == seed % 7 or state.to_move == GAME_OVER:
            turns = game.turns()
            game.settle(turns)
            agree(state, game, turns)
            assert texts(state.legal()) == (oracle.next_actions(turns, ()) if state.winner is None else set())
        else:
            assert str(state.position()) == game.text()
        for seat in (0, 1):  # F1: 58 cards, each once
            assert sorted(game.laid[seat] + game.hands[seat] + game.draw_piles[seat]) == list(range(2, 60))
            assert state.view(seat).unlaid == {*game.hands[1 - seat], *game.draw_piles[1 - seat]}


@KINDS
def test_a_game_ends_with_one_winner_who_has_laid_all_or_left_the_other_stuck(rules, cards, times):
    ends = Counter()
    for seed in range(3 * times):
        *_, (state, game) = random_game(seed, rules, cards)
        assert state.winner in (0, 1) and state.legal() == () and state.turns() == () and not state.chance()
        assert game.winner in (None, state.winner)
        through = len(game.laid[state.winner]) == len(cards)
        assert through or (game.mover != state.winner and not game.turns())  # F12, F13
        ends[through] += 1
    assert ends[False] or len(cards) < 8


@pytest.mark.parametrize("source", [tight, clustered])
def test_nobody_is_stuck_within_a_turn(source, times):
    random = Random(1)
    for position, lone_card in product(source(20 * times, seed=3), (False, True)):
        state = State.begin(position, Rules(lone_card=lone_card))
        while state.to_move != GAME_OVER:
            state = state.apply(random.choice(state.legal()))
        assert state.winner in (0, 1)


def test_turn_by_turn_is_play_by_play():
    random = Random(4)
    for state, _ in random_game(4):
        if len(state.table.mover.hand) > 4 or state.to_move == GAME_OVER:
            continue
        turns = state.turns()
        assert turns == tuple(referee.legal_turns(state.position()))
        for turn in random.sample(turns, min(10, len(turns))):
            by_play = state
            for play in turn:
                rest = by_play.turns()
                assert Turn(turn.plays[len(by_play.table.plays) :]) in rest
                by_play = by_play.apply(play)
            assert by_play.apply(END) == state.play(turn)
            assert by_play.apply(END).position() == referee.after(state.position(), turn)


# Chance


def test_the_deal_is_six_cards_each_by_chance():
    state = State.start()
    for number in range(12):
        assert state.to_move == CHANCE and state.legal() == () and state.position() is None
        assert len(state.chance()) == 58 - number % 6 and sum(state.chance().values()) == pytest.approx(1)
        state = state.draw(2 + number)
    assert state.to_move == 0 and not state.chance()
    assert state.table.mover.hand == tuple(range(2, 8)) and state.table.opponent.hand == tuple(range(8, 14))
    assert state.position() is None  # the order of the piles is not known


@pytest.mark.parametrize("cards", [DECK, SmallDeck(12, 3).cards], ids=["published", "small deck"])
def test_chance_that_draws_in_the_order_of_the_decks_is_the_known_deal(cards):
    random = Random(6)
    for _ in range(3):
        decks = random_decks(random, cards)
        known, by_chance, still = State.deal(decks), State.start(cards=cards), [list(deck) for deck in decks]
        while True:
            while by_chance.to_move == CHANCE:
                probabilities = by_chance.chance()
                assert sum(probabilities.values()) == pytest.approx(1) and set(probabilities) == set(still[by_chance.seat])
                by_chance = by_chance.draw(still[by_chance.seat].pop(0))
            assert known.view(0) == by_chance.view(0) and known.view(1) == by_chance.view(1)
            assert (known.to_move, known.winner, known.legal()) == (by_chance.to_move, by_chance.winner, by_chance.legal())
            if known.to_move == GAME_OVER:
                break
            action = random.choice(known.legal())
            known, by_chance = known.apply(action), by_chance.apply(action)


def outcomes_of(state, chance=Fraction(1)):
    """The mover's hands that chance may draw after a turn, each with its probability."""
    if state.to_move != CHANCE:
        yield state.table.opponent, chance
        return
    for card, share in state.chance().items():
        yield from outcomes_of(state.draw(card), chance * Fraction(share).limit_denominator(60))


def test_chance_draws_as_often_as_the_orders_of_the_pile_say():
    cards = (2, 9, 33, 50)
    for turn in ("17^ 18^", "17^ 5^'", "17^ 18^ 5^'", "17^ 18^ 45^ 5^'"):
        drawn, ordered = Counter(), Counter()
        unknown = State.begin(Position.parse("27^40v:5,17,18,45 13^50v:5,12")).table
        state = State(PUBLISHED, replace(unknown, mover=replace(unknown.mover, pile=frozenset(cards))), 0)
        for side, share in outcomes_of(state.play(Turn.parse(turn))):
            drawn[side.hand, frozenset(side.pile)] += share
        for order in permutations(cards):
            position = Position.parse(f"27^40v:5,17,18,45+{','.join(map(str, order))} 13^50v:5,12")
            side = referee.after(position, Turn.parse(turn)).opponent
            ordered[side.hand, frozenset(side.pile)] += Fraction(1, 24)
        assert drawn == ordered and sum(drawn.values()) == 1


# What a player sees


def test_a_view_does_not_change_when_hidden_cards_are_exchanged():
    random = Random(7)
    hidden = 0
    for within, state in [(game % 2, state) for game in range(4) for state, _ in random_game(game)]:
        if state.to_move == GAME_OVER:
            continue
        if within:
            state = state.apply(random.choice(state.legal()))  # in the middle of a turn
        for seat in (0, 1):
            sides = state.table.mover, state.table.opponent
            own, other = sides if seat == state.seat else sides[::-1]
            unseen = random.sample([*other.hand, *other.pile], len(other.hand) + len(other.pile))
            size = len(other.hand)
            own = replace(own, pile=tuple(random.sample(own.pile, len(own.pile))))
            other = replace(other, hand=tuple(unseen[:size]), pile=tuple(unseen[size:]))
            hidden += other not in sides
            mover, opponent = (own, other) if seat == state.seat else (other, own)
            exchanged = replace(state, table=replace(state.table, mover=mover, opponent=opponent))
            view = state.view(seat)
            assert exchanged.view(seat) == view and str(exchanged.view(seat)) == str(view)
            if view.to_move and not view.plays:
                assert [turn_of(policy, exchanged.view(seat)) for policy in POLICIES.values()] == [
                    turn_of(policy, view) for policy in POLICIES.values()]  # fmt: skip
    assert hidden > 50


def test_a_view_says_what_lies_open_and_what_is_in_the_own_hand():
    state = State.begin(Position.parse("27^40v:17,18,45+9,33,50 13^50v:5,12+4,9")).apply(Play(17, "^"))
    view = state.view(0)
    assert view.own == Side(17, 40, (18, 45), frozenset({9, 33, 50})) and view.plays == (Play(17, "^"),) and view.to_move
    assert (view.ascending, view.descending, view.hand_size, view.pile_size, view.unlaid) == (13, 50, 2, 2, {4, 5, 9, 12})
    assert str(state.view(1)) == "13^50v:5,12+?4,9 17^40v:?2:9,18,33,45,50" and not state.view(1).to_move


@pytest.mark.parametrize("piles", [("", ""), ("+9", ""), ("", "+4")])
def test_between_turns_a_view_without_piles_is_a_position_and_who_is_to_move_may_ask(piles):
    position = Position.parse(f"27^40v:17,18,45{piles[0]} 13^50v:5,12{piles[1]}")
    state = State.begin(position)
    begun = state.apply(Play(17, "^"))
    assert state.position() == position and begun.position() is begun.view(0).position is None
    assert state.view(0).position == (None if any(piles) else position)
    sides = (replace(side, pile=frozenset(side.pile)) for side in (position.mover, position.opponent))
    assert turn_begins(PUBLISHED, *sides, 0).position() == (None if any(piles) else position), "one order is not known"
    for view in (begun.view(0), state.view(1)):
        for ask in (Worlds, PublicState.of):
            with pytest.raises(ArgumentError, match="of the player to move, at the beginning of a turn"):
                ask(view)


# Rules of whole games by number


def after(position, turn):
    return str(referee.after(Position.parse(position), Turn.parse(turn)))


def test_f2_nobody_holds_more_than_six_cards():
    for state, _ in random_game(8):
        assert len(state.table.mover.hand) <= 6 and len(state.table.opponent.hand) <= 6


def test_f11_sara_lays_three_on_her_own_piles_and_draws_two():
    assert after("1^60v:3,11,12,20,30,40+50,6,7 1^60v:5", "3^ 11^ 12^") == "1^60v:5 12^60v:6,20,30,40,50+7"


def test_f11_tim_lays_five_one_of_them_on_saras_and_draws_up_to_six():
    turn, told = "3^ 11^ 12^ 20^ 13^'", "13^60v:5 20^60v:4,6,7,9,40,50+8"
    assert after("1^60v:3,11,12,13,20,40+50,6,7,4,9,8 29^60v:5", turn) == told


def test_f11_two_cards_are_drawn_though_the_hand_could_take_more():
    assert after("1^60v:3,11,12+50,6,7 1^60v:5", "3^ 11^ 12^") == "1^60v:5 12^60v:6,50+7"


def test_f11_an_empty_pile_gives_nothing():
    assert after("1^60v:3,11,12+50 1^60v:5", "3^ 11^") == "1^60v:5 11^60v:12,50"
    assert after("1^60v:3,11,13+50,6 29^60v:5", "3^ 13^'") == "13^60v:5 3^60v:6,11,50"
    assert after("1^60v:3,11,12 1^60v:5", "3^ 11^") == "1^60v:5 11^60v:12"


def test_f11_the_minimum_of_two_holds_with_an_empty_pile():
    with pytest.raises(IllegalTurnError, match="F3"):
        after("1^60v:3,11 1^60v:5", "3^")


def test_f11_the_opponent_draws_nothing():
    assert after("1^60v:3,11+50 1^60v:5+7,8", "3^ 11^") == "1^60v:5+7,8 11^60v:50"


@pytest.mark.parametrize(
    ("text", "turn", "winner"),
    [
        ("27^40v:17,18 13^50v:5,12+9", "17^ 18^", 0),  # hand and pile are empty
        ("27^40v:17,18+30,31 13^50v:5,12", "17^ 18^", None),  # two cards are to come
        ("27^40v:17,18 13^50v:5,12", "17^ 18^", 0),
    ],
)
def test_f12_all_cards_are_laid_from_hand_and_pile(text, turn, winner):
    state = State.begin(Position.parse(text)).play(Turn.parse(turn))
    assert state.winner == winner
    if winner is not None:
        assert referee.legal_turns(state.position()) is not None and not [*referee.legal_turns(state.position())]


def test_f12_an_opponent_with_cards_to_come_has_not_won():
    position = Position.parse("27^40v:17,18 13^50v:5,12+9")
    assert [*referee.legal_turns(position)] and referee.value(position) == 1


def test_f13_a_lone_card_is_the_last_one_only_with_an_empty_pile():
    lone = Rules(lone_card=True)
    for text, winner in (("27^40v:28 13^50v:5,12", None), ("27^40v:28+30 13^50v:5,12", 1)):
        assert State.begin(Position.parse(text), lone).winner == winner
        assert State.begin(Position.parse(text)).winner == 1
    state = State.begin(Position.parse("27^40v:28 13^50v:5,12"), lone)
    assert texts(state.legal()) == {"28^", "28v"} and texts(state.apply(Play(28, "^")).legal()) == {"end"}


def test_f13_who_cannot_lay_two_has_lost_when_the_turn_begins():
    state = State.begin(Position.parse("58^3v:20,59+30 1^60v:5,12"))
    assert (state.to_move, state.winner, state.legal()) == (GAME_OVER, 1, ())
    assert str(state.position()) == "58^3v:20,59+30 1^60v:5,12"


# What is refused


def test_a_play_after_which_no_second_one_fits_is_not_legal():
    state = State.begin(Position.parse("50^10v:11,49,59 13^50v:5,12"))
    assert texts(state.legal()) == {"11^'", "59^"}
    state = State.begin(Position.parse("50^10v:12,55 1^60v:5,12"))
    assert state.winner == 1  # 55 fits, and nothing after it
    state = State.begin(Position.parse("50^10v:12,55,56 1^60v:5,12"))
    assert texts(state.legal()) == {"55^"}
    with pytest.raises(IllegalTurnError, match=r"play 56\^: no second card could be laid after it \(F3\)"):
        state.apply(Play(56, "^"))


def test_nothing_is_played_before_a_draw_or_after_the_end():
    start = State.start()
    over = State.begin(Position.parse("27^40v:17,18 13^50v:5,12")).play(Turn.parse("17^ 18^"))
    stuck = State.begin(Position.parse("58^3v:20,59+30 1^60v:5,12"))
    for state, rule in ((start, "F11"), (over, "F12"), (stuck, "F13")):
        for act in (lambda s: s.apply(END), lambda s: s.apply(Play(17, "^")), lambda s: s.play(Turn.parse("17^ 18^"))):
            with pytest.raises(IllegalTurnError) as error:
                act(state)
            assert error.value.rule == rule
    for state, card in ((start, 60), (start.draw(5), 5), (over, 17), (State.begin(Position.parse("27^40v:17,18 13^50v:5")), 9)):
        with pytest.raises(PositionError, match="F11"):
            state.draw(card)


# Policies, and the kernel


RESCUED: Counter[bool] = Counter()
LEFT = 3


def played(decks, policies, rules):
    """A game of two policies by name, by the state: turns, the deal with at most LEFT cards in a pile and the endgame if there is
    one, the winner."""
    state, turns, deal, endgame = State.deal(decks, rules), [], None, None
    while True:
        position = state.position()
        if deal is None and max(len(position.mover.pile), len(position.opponent.pile)) <= LEFT and position.opponent.hand:
            deal = position
        if endgame is None and not isinstance(position, Deal) and position.opponent.hand:
            endgame = position
        if state.to_move == GAME_OVER:
            return turns, deal, endgame, state.winner
        view = state.view(state.to_move)
        turns.append(turn_of(POLICIES[policies[state.to_move]], view))
        RESCUED[turns[-1] != POLICIES[policies[state.to_move]](view)] += 1
        state = state.play(turns[-1])


def compare(decks, policies, rules):
    names = list(POLICIES)
    seats = np.array([[names.index(name) for name in pair] for pair in policies], np.uint8)
    found = play_games(decks, seats, 1, rules, progress=False)
    reached, deals = iter(unpack(found.reached)), iter(play_to_deals(decks, seats, LEFT, 1, rules))
    for number, pair in enumerate(policies):
        turns, deal, endgame, winner = played(decks[number].tolist(), pair, rules)
        assert turns_of_game(decks, seats, number, rules) == turns, number
        assert (found.winners[number], found.turns[number]) == (winner, len(turns)), number
        assert (next(reached) if found.endgames[number]["mover_hand"] else None) == endgame, number
        assert deal is None or next(deals) == deal, number
    assert next(reached, None) is next(deals, None) is None


@pytest.mark.share(2)
@pytest.mark.parametrize("count", [25, pytest.param(1500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("policies", PAIRINGS, ids="-".join)
def test_the_kernel_plays_as_the_policies_do(policies, count):
    RESCUED.clear()
    compare(decks_of(11, 0, count), [policies if number % 2 else policies[::-1] for number in range(count)], PUBLISHED)
    assert RESCUED[True]  # some turn was found by the house


@KINDS
def test_the_kernel_knows_the_options_and_small_decks(rules, cards, times):
    random = Random(12)
    count = (4 if len(cards) == 58 else 40) * times
    decks = np.array([random_decks(random, cards) for _ in range(count)], np.uint8)
    compare(decks, [random.choice([*PAIRINGS, ("hasty", "frugal")]) for _ in range(count)], rules)


@pytest.mark.parametrize("policies", PAIRINGS, ids="-".join)
def test_every_turn_of_the_kernel_is_one_of_the_literal_game(policies):
    decks, seats = decks_of(3, 0, 40), POLICIES.seats(policies, 0, 40)
    found = play_games(decks, seats, progress=False)
    for number, pair in enumerate(decks.tolist()):
        game = oracle.Game(pair)
        for turn in turns_of_game(decks, seats, number):
            assert game.winner is None
            laid, hand = [], list(game.hands[game.mover])
            tops, theirs = list(game.tops[game.mover]), list(game.tops[1 - game.mover])
            for play in turn:
                pile = "^v".index(play.pile) + 2 * play.helpful
                assert game.fits(tops, theirs, play.card, pile, laid)
                (theirs if play.helpful else tops)[pile % 2] = play.card
                hand.remove(play.card)
                laid.append((play.card, pile))
            assert game.may_end(laid, hand)
            game.play(laid)
        game.settle(game.turns())
        assert game.winner == found.winners[number]


def test_who_has_a_turn_lays_it_though_the_policy_found_none():
    # 55 helps more cheaply than it is laid, but then 30 fits nowhere: it could only help, and one card may (F4).
    view = State.begin(Position.parse("50^2v:30,55+7 40^50v:9,11")).view(0)
    for policy in (frugal, hasty):
        assert str(policy(view)) == "55v'" and str(turn_of(policy, view)) == "30^' 55^"


@KINDS
def test_the_kernel_weighs_every_price_as_tuned_does(rules, cards):
    random, sampled = Random(13), dict.fromkeys(Prices._fields, False)
    for number in range(14 if len(cards) == 58 else 30):
        decks = np.array([random_decks(random, cards)], np.uint8)
        unit = 600 if number >= 12 else 1  # so that prices are often the same
        prices = [Prices(*(random.randint(-600 // unit, 1200 // unit) * unit for _ in PRICES)) for _ in range(2)]
        packed = _play.turns_of(decks, np.array([[2, 3]], np.uint8), 0, np.array(prices, np.int32), rules.code)
        state = State.deal(decks[0].tolist(), rules)
        for turn in packed.tolist():
            view, own = state.view(state.to_move), prices[state.to_move]
            assert turn_of(partial(tuned, prices=own), view) == unpack_turn(turn), number
            for field in Prices._fields if len(cards) == 58 else ():
                low, high = (partial(tuned, prices=own._replace(**{field: price})) for price in (-2000, 4000))
                sampled[field] = sampled[field] or low(view) != high(view)
            state = state.play(unpack_turn(turn))
        assert state.to_move == GAME_OVER
    assert all(sampled.values()) or len(cards) < 58, sampled


def test_a_helpful_card_revives_what_fitted_nowhere():
    """23 on 28: the opponent's 27 and 28 fitted on no own pile; 25 did, and 30 does."""
    view = State.begin(Position.parse("43^25v:19,23 28^27v:25,27,28,30")).view(0)
    counted = Prices(*(field == "revived" for field in Prices._fields))
    assert [offer.cost for offer in priced_helpful(view.table, view, counted)] == [2]


def test_back_tricks_are_laid_first_and_prepared():
    view = State.begin(Position.parse("30^2v:20,33,43,58+5 1^60v:7,9")).view(0)
    assert str(frugal(view)) == "20^ 43^ 33^"  # 20 goes back; 43 and then 33 move the pile by 13 together
    assert str(cheapest_plays(view, 2, foresight=False)) == "20^ 33^"


def random_view(random, rules=PUBLISHED, deck=DECK):
    """A view of the player to move with hands and piles of any size, also none; whether there is a turn is open."""
    while True:
        cards = [random.sample(deck, random.randint(1, min(len(deck), random.choice([8, 12, 58])))) for _ in range(2)]
        sides = [Side(random.choice((1, *deck)), random.choice((*deck, 60)), tuple(one[:6]), tuple(one[6:])) for one in cards]
        if random.random() < 0.3:
            sides = [Side(one.ascending, one.descending, one.hand[:4]) for one in sides]
        try:
            state = State.begin(Position(*sides), rules)
        except PositionError:
            continue
        if state.to_move != GAME_OVER:
            return state.view(0)


@KINDS
def test_the_kernel_has_the_turns_of_the_policies_in_views_of_every_size(rules, cards, times):
    random, empty = Random(14), Counter()
    for _ in range(100 * times):
        view, prices = random_view(random, rules, cards), Prices(*(random.randint(-600, 1200) for _ in PRICES))
        empty[not view.own.pile] += 1
        for place, policy in enumerate((frugal, hasty, partial(tuned, prices=prices))):
            found = _play.turn_from(view.packed, place, np.array([prices], np.int32), rules.code)
            assert unpack_turn(found) == turn_of(policy, view), (str(view), place)
    assert min(empty.values()) > 15 * times or len(cards) < 58


def test_a_helpful_card_with_the_number_of_an_own_top_fits_on_no_own_pile():
    """That decides its price here."""
    view = View.parse("41^15v:3,15,16,34,44,55 13^11v:?6:9,11,13,34,38,46,52")
    prices = Prices(331, 1060, -398, -383, 24, -86, 146, -278, -153, 734, 385, 143, 672, 1018, 358, 867, 693, 787, 633)
    found = _play.turn_from(view.packed, list(POLICIES).index("tuned"), np.array([prices], np.int32), PUBLISHED.code)
    assert unpack_turn(found) == turn_of(partial(tuned, prices=prices), view)


@pytest.mark.parametrize("names", [("frugal", "hasty"), ("tuned", "frugal")], ids="-".join)
def test_the_first_is_the_stronger(names):
    games = 2000
    decks, seats = decks_of(5, 0, games), POLICIES.seats(names, 0, games)
    winners = play_games(decks, seats, progress=False).winners
    wins = int((winners == np.arange(games) % 2).sum())  # the first one begins in even games
    assert wins > games / 2 + 5 * (games / 4) ** 0.5  # five standard deviations of a fair coin


def test_games_that_cannot_be_played_are_refused():
    decks, seats = decks_of(1, 0, 3), POLICIES.seats(("frugal", "hasty"), 0, 3)
    decks[1, 1, 0] = decks[1, 1, 1]
    with pytest.raises(PositionError, match=r"^game 1 of the array, the deck of seat 1: .*\(F1\)$"):
        play_games(decks, seats)
    with pytest.raises(PositionError, match="^game 1 of the array, the deck of seat 1: "):
        play_to_deals(decks, seats, 3)
    seats[2, 0] = 3
    with pytest.raises(ArgumentError, match="game 2: a policy must be 0..2, a place in POLICIES, not .3, 1."):
        play_games(decks_of(1, 0, 3), seats)
