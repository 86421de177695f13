"""Equilibria of Take That with both hands hidden: the exact value lies in the bounds, and laws that need no other program."""

import copy
import json
import pickle
import re
import time
import tracemalloc
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import comb
from random import Random

import numpy as np
import pytest

from backtrick.budget import Budget, Cancel
from backtrick.errors import (
    ArgumentError,
    BudgetError,
    ContradictionError,
    NotSolvedError,
)
from backtrick.play import public_state as core
from backtrick.play.plans import Equilibrium
from backtrick.take_that import (
    GAME,
    Position,
    PublicState,
    Rules,
    State,
    Turn,
    View,
    equilibria,
    equilibrium,
    legal_turns,
    mirror,
    odds,
    pack,
    solve_many,
    unpack,
)
from backtrick.take_that._equilibrium import fill_endgames
from backtrick.take_that.hands import hands_of, masks_of, number_of
from backtrick.take_that.hidden_turns import card_of, line_after, tree_of
from backtrick.take_that.players import PLAYERS, whole_turns
from backtrick.take_that.policies import tuned
from backtrick.take_that.position import POSITION_DTYPE
from backtrick.take_that.rule_options import DECK, mirror_card
from backtrick.take_that.rules import value as endgame_value
from command import ask
from laws import all_sequences, by_sequences
from take_that_samples import ALL_RULES

pytest.importorskip("scipy", reason="needs the extra equilibrium: pip install 'backtrick[equilibrium]'")
from audit.take_that.hidden import random_state  # noqa: E402, what it compares with needs scipy

LARGE = PublicState((34, 41, 43), (12, 21, 31, 36, 38, 39, 44, 45, 55), 4, 4)
"""More cards than the kernel takes in one part of a mask, which is eight."""
EXAMPLE = PublicState((34, 41), (12, 21, 39, 43, 44, 55), 2, 2)
THREE = PublicState((34, 41), (12, 39, 43, 44, 55), 1, 1)
NEAR = Fraction(1, 1000)


def random_range(random: Random, cards: tuple[int, ...], held: int) -> dict[tuple[int, ...], int]:
    """Some hands have no weight, but at least one has."""
    hands = list(hands_of(cards, held))
    weights = {hand: random.choice([0, 0, 1, 2, 5]) for hand in hands}
    weights[random.choice(hands)] = 3
    return weights


def gone(cards: Iterable[int]) -> str:
    """The other cards of the deck, as a text writes them."""
    return ",".join(str(card) for card in DECK if card not in cards)


def holds(found: Equilibrium, value: Fraction) -> bool:
    return found.low <= value <= found.high


slow_way = partial(by_sequences, GAME)

# The value


def test_five_ninths():
    """Its value was found by another program before this one was written."""
    assert equilibrium(EXAMPLE, gap=0).value == Fraction(5, 9) == slow_way(EXAMPLE).low
    found = equilibrium(EXAMPLE)
    assert 0 < found.gap <= Fraction(1, 100) and found.low <= Fraction(5, 9) <= found.high
    assert any(hand.mixes for hand in found.hands.values())

SLOW = [pytest.param(number, marks=pytest.mark.slow) for number in range(200)]


def check_states(numbers: range) -> None:
    """The exact value is within narrow bounds."""
    for number in numbers:
        state = random_state(number)
        found = equilibrium(state, gap=NEAR)
        assert found.gap <= NEAR, (number, state)
        assert holds(found, slow_way(state).low), (number, state)


@pytest.mark.parametrize("part", range(2))
def test_the_value_of_all_sequences_is_within_the_bounds(part):
    check_states(range(3 * part, 3 * part + 3))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_the_value_of_all_sequences_is_within_the_bounds_of_many_states(part):
    check_states(range(1000 + 100 * part, 1100 + 100 * part))


@pytest.mark.parametrize("number", [*range(4), *SLOW[4:]])
def test_ranges(number):
    """Deals weigh the product of both weights."""
    random, state = Random(number), random_state(number, (0,) if number % 4 == 3 else (1, 2, 2, 3))
    mover = random_range(random, state.unseen, state.hand_size)
    other = random_range(random, state.unseen, state.other_size)
    if not any(a and b and not set(one) & set(two) for one, a in mover.items() for two, b in other.items()):
        with pytest.raises(ArgumentError, match="no two hands of them can be held at the same time"):
            equilibrium(state, (mover, other))
        return
    found = equilibrium(state, (mover, {hand: np.float32(weight) / 8 for hand, weight in other.items()}), gap=NEAR)
    assert holds(found, slow_way(state, (mover, other)).low)
    if state.pile_size:  # else nothing is hidden, and there are no plans
        check_hands(found)


def test_weights_are_whole_numbers():
    weights = {(12, 21): 65536, (12, 39): 1, (39, 43): 3}
    assert equilibrium(EXAMPLE, (weights, None)).ranges[0] == weights


def last_whole_turn(view) -> Turn:
    return legal_turns(view, view.rules)[-1]


@pytest.mark.share(3)
@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("number", [1, 6])
def test_the_default_of_every_game_finds_the_same(monkeypatch, number, rules):
    """The program of all sequences, from states alone, as a fraction; and what a player is sure of, also one that says only that it
    takes, and is asked again for what it lays."""
    state = replace(random_state(number, (2,)), rules=rules)
    found = equilibrium(state, gap=NEAR)
    asked = [(player, seat) for player in (last_whole_turn, last_turn, "eager") for seat in (0, 1)]
    sure = [found.sure_of(*one) for one in asked]
    monkeypatch.setattr(PublicState, "solve", core.PublicState.solve)
    slow = equilibrium(state, gap=0)
    assert slow.exact and found.low <= slow.value <= found.high and set(slow.hands) == set(found.hands)
    assert set(slow.turns) == set(found.turns)
    assert [slow.sure_of(*one) for one in asked] == sure


# The plans


def check_hands(found: Equilibrium) -> None:
    """What the hands say adds up, at the root and after each turn."""
    assert sum(one.weight for one in found.hands.values()) == 1
    assert sum(one.weight * one.value for one in found.hands.values()) == found.high
    replies = Fraction()
    for turn in found.turns:
        after, gained = found.after(turn), line_after(found.state.line, turn)[0]
        replies += sum(one.weight * (one.value - gained) for one in after.hands.values() if one.weight)
        played = [one.weight * share.probability for one in found.hands.values() for share in one.turns if share.turn == turn]
        assert sum(one.weight for one in after.hands.values()) == sum(played)
        assert all(one.turns for one in after.hands.values())
    assert replies == -found.low
    for one in found.hands.values():
        assert one.value is None or one.value >= max(turn.value for turn in one.turns)
        assert sum(turn.probability for turn in one.turns) == 1 and min(turn.probability for turn in one.turns) > 0


def guaranteed(found: Equilibrium, follower: int) -> Fraction:
    """What the mover gets if one player follows the told plans to the end and the other one finds the best reply to them, in the
    tree of `State`, card by card."""
    mover, other = found.ranges
    begun = [(mover.get(state.hands[0], 0) * other.get(state.hands[1], 0), state) for state in found.state.worlds()]
    worlds = [(Fraction(weight), state, (state.hands[1 - follower],)) for weight, state in begun if weight]
    return best_reply({(): found}, (), worlds, follower) / sum(weight for weight, _, _ in worlds)


def best_reply(plans: dict, path: tuple, worlds: list, follower: int) -> Fraction:
    """worlds: the weight, the state, and what the player that replies has seen: its hand and its draws."""
    first = worlds[0][1]
    if not first.pile:
        return sum(weight * ending(state) for weight, state, _ in worlds)
    mover, groups = first.to_move, dict[object, list]()
    for world in worlds:
        groups.setdefault(None if mover == follower else world[2], []).append(world)
    total = Fraction()
    for group in groups.values():
        after = dict[Turn, list]()
        for weight, state, seen in group:
            plan = {one.turn: one.probability for one in plans[path].hands[state.hands[mover]].turns}
            for turn in legal_turns(state.view(mover), state.rules):
                if not (share := plan.get(turn, 0) if mover == follower else 1):
                    continue
                following = state.play(turn)
                for card in sorted(following.pile):
                    known = seen if mover == follower else (*seen, card)
                    after.setdefault(turn, []).append((weight * share / len(following.pile), following.draw(card), known))
        for turn, reached in after.items():
            if reached[0][1].pile and (*path, turn) not in plans:
                plans[(*path, turn)] = plans[path].after(turn)
        gains = [best_reply(plans, (*path, turn), reached, follower) for turn, reached in after.items()]
        total += sum(gains) if mover == follower else (max, min)[mover](gains)
    return total


def ending(state: State) -> int:
    """The points of seat 0 less those of seat 1, to the end."""
    position, points = state.position(), state.points[0] - state.points[1]
    return points + (0 if position is None else endgame_value(position, state.rules) * (1 - 2 * state.to_move))


@pytest.mark.parametrize("number", [*range(2), *SLOW[2:8], "three", "ranges"])
def test_who_follows_the_plans_gets_what_they_promise(number):
    state = THREE if number == "three" else EXAMPLE if number == "ranges" else random_state(number, (1, 2))
    ranges = ({(12, 21): 2, (39, 43): 1, (43, 44): 5}, {(12, 44): 1, (21, 55): 3, (12, 39): 1}) if number == "ranges" else None
    found = equilibrium(state, ranges, gap=Fraction(1, 10))
    assert (guaranteed(found, 0), guaranteed(found, 1)) == found.bounds
    check_hands(found)


# Laws


@pytest.mark.share(2)
@pytest.mark.parametrize("number", [*range(6), None])
def test_with_one_card_in_the_pile_the_odds_of_every_hand_are_its_value(number):
    state = LARGE if number is None else random_state(number, (1,))
    found = equilibrium(state)
    for one in found.hands.values():
        exact = odds(state.view(one.hand), threads=1)
        assert exact.exact and one.value == exact.turns[0].value
        assert (one.turns[0].value, one.turns[0].probability, len(one.turns)) == (one.value, 1, 1)
    assert found.exact and found.value == sum(one.weight * one.value for one in found.hands.values())


@pytest.mark.parametrize("number", range(6))
def test_with_nothing_hidden_it_is_the_value_of_the_endgame(number):
    state = random_state(number, (0,))
    hands = list(hands_of(state.unseen, state.hand_size))
    endgames = [Position(hand, set(state.unseen) - set(hand), state.line) for hand in hands]
    values = solve_many(pack(endgames), 1, state.rules).tolist()
    found = equilibrium(state)
    assert found.sure_of(last_turn) == found.value == Fraction(sum(values), len(values)) and found.turns == ()
    for hand, value, endgame in zip(hands, values, endgames, strict=True):
        assert equilibrium(state, ({hand: 1}, None)).value == value == found.hands[hand].value
        assert [one.turn for one in found.hands[hand].turns] == [one for one in [GAME.best_turn(endgame, state.rules)] if one]


@pytest.mark.parametrize("number", range(5))
def test_a_hand_that_is_shown_helps_the_one_who_sees_it(number):
    """The mover gets at least the mean over its hands of what each is worth when it is shown, and at most the mean over the other's
    hands."""
    state = random_state(number, (2,))
    found = equilibrium(state, gap=NEAR)
    shown = [equilibrium(state, ({hand: 1}, None), gap=NEAR).low for hand in state.hands(0)]
    seen = [equilibrium(state, (None, {hand: 1}), gap=NEAR).high for hand in state.hands(1)]
    assert sum(shown) / len(shown) <= found.high and found.low <= sum(seen) / len(seen)


@pytest.mark.parametrize("number", range(4))
def test_the_mirror_keeps_the_value(number):
    state = random_state(number, (2, 3))
    image = PublicState(tuple(map(mirror_card, state.line)), tuple(map(mirror_card, state.unseen)), *state.held, state.rules)
    one, two = (equilibrium(which, gap=NEAR) for which in (state, image))
    assert one.low <= two.high and two.low <= one.high
    assert mirror(Position((12,), (13,))) == Position((98,), (97,))


@pytest.mark.share(3)
@pytest.mark.parametrize("number", range(12))
def test_hands_and_turns_add_up(number):
    state = random_state(number, (1, 2, 3))
    mover = random_range(Random(number), state.unseen, state.hand_size)
    found = equilibrium(state, (mover, None), gap=Fraction(1, 10))
    assert list(found.hands) == [hand for hand in state.hands(0) if mover[hand]] and len(found.hands) == len(list(found.hands))
    check_hands(found)
    turns = {turn for hand in found.hands for turn in legal_turns(state.view(hand), state.rules)}
    assert set(found.turns) == turns and len(found.turns) == len(turns)


def test_hands_that_the_other_range_excludes_are_left_out():
    found = equilibrium(EXAMPLE, (None, {(12, 21): 1}))
    assert list(found.hands) == [hand for hand in EXAMPLE.hands(0) if not {12, 21} & {*hand}]
    assert len(found.record()["hands"]) == len(found.hands) == 6 and found.words(hands=True).count("\n") == 9
    assert (12, 39) not in found.hands and (44, 39) not in found.hands and 7 not in found.hands
    check_hands(found)


def test_an_answer_is_a_value():
    found = equilibrium(EXAMPLE)
    assert found != equilibrium(EXAMPLE, gap=NEAR) and found != equilibrium(EXAMPLE, ({(12, 21): 1}, None))
    for one in (found, copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        with pytest.raises(ValueError, match="read-only"):
            one.plans.shares[0] = 1


def test_threads_hear_what_one_hears():
    """Asking changes nothing."""
    found = equilibrium(THREE, gap=Fraction(1, 10))
    questions = [lambda name=name: found.sure_of(name) for name in ("careful", "eager", "tuned")]
    questions += [lambda turn=turn: dict(found.reply(turn)) for turn in found.turns[:3]]
    expected = [question() for question in questions]
    with ThreadPoolExecutor(4) as pool:
        heard = [pool.submit(question) for _ in range(4) for question in questions]
        assert [one.result() for one in heard] == expected * 4


def test_a_turn_is_drawn_by_the_plan():
    found = equilibrium(EXAMPLE)
    drawn = [str(found.turn(EXAMPLE.view((39, 43)), seed)) for seed in range(200)]
    assert {"39", "43x34"} == set(drawn) and 70 < drawn.count("39") < 130
    assert str(found.turn(EXAMPLE.view((12, 55)))) == "take,55"
    with pytest.raises(ArgumentError, match="view must be of the player to move at this moment, not <View 12 "):
        found.turn(View((12,), (34,), 1, 1, (13, 14)))


def test_with_known_hands_only_the_order_of_the_pile_is_hidden():
    """The value of the position of docs/odds.md, which tests/play/test_odds.py finds by another linear program in fractions."""
    state = PublicState((23, 48, 58), (22, 26, 32, 33, 44, 47, 51, 56), 2, 2)
    found = equilibrium(state, ({(44, 47): 1}, {(33, 51): 1}), gap=0)
    assert found.value == Fraction(-3, 4) and str(found.hands[44, 47].turns[0].turn) == "take,44"


# Best responses


def first_turn(view) -> Turn:
    return view.legal()[0]


def last_turn(view) -> Turn:
    return view.legal()[-1]


@pytest.mark.share(2)
@pytest.mark.parametrize("strategy", [first_turn, last_turn, tuned])
@pytest.mark.parametrize("number", range(5))
def test_what_a_strategy_is_sure_of(number, strategy):
    """By the program of all sequences, in which one player plays nothing else with its only turn, it is the same."""
    state = random_state(number, (1, 2))
    found = equilibrium(state, gap=Fraction(1, 10))
    slow = slow_way(state)
    assert found.sure_of(strategy) == slow.sure_of(GAME.strategy(strategy), 0, bytearray(1))
    assert found.sure_of(strategy) <= found.high
    assert found.sure_of(strategy, 1) == slow.sure_of(GAME.strategy(strategy), 1, bytearray(1))
    assert -found.sure_of(strategy, 1) >= found.low


def both_turns(view) -> dict:
    first, last = first_turn(view), last_turn(view)
    return {last: 1} if first == last else {first: Fraction(1, 3), last: Fraction(2, 3)}


@pytest.mark.parametrize("strategy", [last_turn, both_turns])
@pytest.mark.parametrize("number", [74, 2, 62], ids=["won", "one turn", "lost"])
def test_what_is_played_after_the_next_turn_is_improved(number, strategy):
    """With three cards in the pile the mover has two turns, and the strategy plays the first one alone."""
    state = random_state(number, (3,))
    found, slow = equilibrium(state, gap=NEAR), all_sequences(GAME, state)
    expected = slow.sure_of(GAME.strategy(strategy), 0, bytearray(1))
    assert expected - NEAR <= found.sure_of(strategy) <= expected
    assert found.sure_of(strategy, 1) == slow.sure_of(GAME.strategy(strategy), 1, bytearray(1))


def test_the_plans_themselves_are_sure_of_the_bounds():
    found = equilibrium(EXAMPLE)
    before = dict(found.hands)
    assert found.sure_of(lambda view: {one.turn: one.probability for one in found.hands[view.hand].turns}) == found.low
    replies = {line_after(EXAMPLE.line, turn)[1] + (card_of(turn),): found.reply(turn) for turn in found.turns}

    def reply(view) -> dict:
        here = {*view.hand, *view.unseen}
        [plan] = [plan for (*line, card), plan in replies.items() if (*line,) == view.line and card not in here]
        return {one.turn: one.probability for one in plan[view.hand].turns}

    assert -found.sure_of(reply, 1) == found.high
    assert before == dict(found.hands)


def test_chances_are_taken_exactly_or_refused():
    found = equilibrium(EXAMPLE)

    def with_chance(share: Fraction):
        return lambda view: {"take,12": share, "take,21": 1 - share} if view.hand == (12, 21) else last_turn(view)

    shares = 0, 1, "1/3", "1/7", "1/720721"
    assert len({found.sure_of(with_chance(Fraction(share))) for share in shares}) == 1  # the cards are alike
    with pytest.raises(ArgumentError, match="the strategy's probabilities have too large a common denominator, 1000000000000007"):
        found.sure_of(with_chance(Fraction(7, 10**15 + 7)))
    assert found.sure_of("exact:tuned") == found.sure_of("tuned") == found.sure_of(PLAYERS.player("tuned"))


def test_a_player_that_takes_is_asked_again_for_what_it_sees_then():
    state, asked = State.begin(Position.parse("12,33 21,94 34-41 55,63")), []

    def player(view) -> str:
        asked.append(view)
        return "take" if view.line else "33"

    assert whole_turns(player)(state.view(0)) == {Turn(opening=33): 1}
    assert asked == [state.view(0), state.apply("take").view(0)]


# Sets of cards, trees, endgames


def test_sets_are_numbered_by_their_masks():
    for cards in range(1, 12):
        for held in range(cards + 1):
            masks = masks_of(cards, held)
            assert len(masks) == comb(cards, held) and (np.diff(masks.astype(int)) > 0).all()
            assert all(bin(mask).count("1") == held for mask in masks.tolist())
    cards = (12, 21, 39, 43, 44)
    assert [number_of(cards, hand) for hand in hands_of(cards, 3)] == list(range(10))


@pytest.mark.parametrize("number", range(6))
def test_the_tree_has_every_turn_of_some_hand(number):
    state = random_state(number, (2, 3))
    nodes, steps, rows = tree_of(state, bytearray(1))
    for node in nodes:
        held = state.held[node.depth % 2]
        for hand in hands_of(node.cards, held):
            rest = [card for card in node.cards if card not in hand]
            size = sum(state.held) - held
            turns = legal_turns(Position(hand, rest[:size], node.line, rest[size:]), state.rules)
            edges = [step for step in steps[node.first : node.last] if node.cards[step.place] in hand]
            assert turns == [step.turn for step in edges if not step.forbidden.intersection(hand)]
    assert all(len(cards) == sum(state.held) for cards, _ in rows) and len(set(rows)) == len(rows)


@pytest.mark.parametrize("swapped", [False, True])
def test_endgames_are_filled_in(swapped):
    cards, line = (12, 21, 39, 43, 44), (34, 41)
    packed = np.zeros((10, POSITION_DTYPE.itemsize), np.uint8)
    fill_endgames(np.array(cards, np.uint8), np.array(line, np.uint8), 2, swapped, packed)
    expected = []
    for hand in hands_of(cards, 2):
        rest = tuple(card for card in cards if card not in hand)
        expected.append(Position(rest, hand, line) if swapped else Position(hand, rest, line))
    assert unpack(packed.view(POSITION_DTYPE)[:, 0]) == expected


# Texts, limits, and what is refused


def states() -> Iterator[PublicState]:
    yield EXAMPLE
    yield PublicState((), (12, 21, 39, 43, 44, 55), 1, 3, Rules(forced_only=True))
    yield from map(random_state, range(20))


def test_texts():
    for state in states():
        assert PublicState.parse(str(state), rules=state.rules) == state
        view = state.view(state.unseen[: state.hand_size])
        assert (PublicState.of(view), state.hand(view)) == (state, view.hand)
        assert len(list(state.worlds())) == comb(len(state.unseen), state.hand_size) * comb(len(view.unseen), state.other_size)
        assert all(PublicState.of(world.view(0)) == state for world in state.worlds())
        assert {world.pile == () for world in state.worlds()} == {not state.pile_size}
    game = State.begin(Position.parse("12,33 21,94 34-41 55"))
    asked = [game, game.view(0), str(game.view(0)), PublicState.of(game.view(0)), str(PublicState.of(game.view(0)))]
    found = [equilibrium(one) for one in asked]
    assert [one.own for one in found] == [(12, 33)] * 3 + [None] * 2 and len({(one.state, one.low) for one in found}) == 1


def test_bounds_that_cross_are_a_contradiction(monkeypatch):
    right = equilibria._improved
    monkeypatch.setattr(equilibria, "_improved", lambda *asked: replace(found := right(*asked), low=found.high + 1))
    with pytest.raises(ContradictionError, match="at least .* and at most"):
        equilibrium(EXAMPLE, gap=1)


def test_limits_leave_true_bounds():
    found = equilibrium(random_state(12, (2,)), gap=0, budget=Budget(seconds=0.3))
    assert found.plans.steps > 1 and holds(found, slow_way(found.state).low)
    cancel = Cancel()
    cancel()
    with pytest.raises(NotSolvedError, match="the time was over before there were bounds"):
        equilibrium(EXAMPLE, budget=Budget(cancel=cancel))


@pytest.mark.parametrize(("held", "pile"), [(7, 2), (6, 4), (5, 6), (9, 3)])
def test_the_time_is_kept(held, pile):
    """Also in preparing: with 16 hidden cards there are millions of endgames, with 21 hundreds of thousands of hands."""
    state = PublicState((23, 24, 25), tuple(DECK[20 : 20 + 2 * held + pile]), held, held)
    begun = time.process_time()
    with pytest.raises(NotSolvedError):
        equilibrium(state, budget=Budget(seconds=0.05, search_threads=1, table_mib=1 << 16))
    assert time.process_time() - begun < 0.3


def test_the_memory_is_what_was_asked_for():
    """Four numbers for each turn of each hand: regrets, sums, and the shares of two plans; endgames and room to work are less."""
    state = PublicState((34, 41), (12, 13, 15, 21, 31, 36, 38, 39, 44, 45, 52, 55, 58, 59), 6, 6)
    tracemalloc.start()
    found = equilibrium(state, gap=Fraction(1, 10))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.plans.steps > 1 and most < 5 * found.plans.shares.nbytes
    # 273 lines of comb(12, 6) endgames, a byte each, and the four numbers of 305,316 turns of hands, 16 bytes: 4.9 MiB
    with pytest.raises(BudgetError, match="table_mib must be at least 5 for this public state, not 4"):
        equilibrium(state, budget=Budget(table_mib=4))
    assert equilibrium(state, gap=1, budget=Budget(table_mib=5)).plans.steps


def test_records():
    found = equilibrium(EXAMPLE.view((12, 43)))
    record = found.record(hands=False)
    assert record["value"] is None and Fraction(record["low"]) < Fraction(5, 9) <= Fraction(record["high"])
    [mine] = record["hands"]
    assert mine["hand"] == [12, 43] and sum(Fraction(turn["probability"]) for turn in mine["turns"]) == 1
    assert equilibrium(EXAMPLE).record(hands=False)["hands"] == []
    assert len(found.text.splitlines()) == 5 and len(found.words(hands=True).splitlines()) == 4 + 15


def test_the_command():
    shown = ask("equilibrium", str(EXAMPLE.view((12, 43))), "--gap", "0.01").stdout
    assert "value   from +11/20 = +0.5500" in shown and "12,43   at most -1/2" in shown
    record = json.loads(ask("equilibrium", "--json", "?2 ?2 34-41 ?1 !" + gone((34, 41, 12, 21, 33, 43, 55))).stdout)
    assert (record["game"], record["value"]) == ("take_that", "13/15")


def test_no_points_are_the_most_too_where_a_plan_was_cut():
    """There are less than none, other than of chances."""
    found = equilibrium(PublicState((21,), (12, 33, 45), 1, 1))
    cut = replace(found, plans=replace(found.plans, low=found.low - 1))
    assert "\n  45   0   " in found.words(hands=True) and "\n  45   at most 0   " in cut.words(hands=True)


def test_a_picture_has_a_cell_for_every_hand_and_turn():
    state = PublicState((34, 41), (12, 21, 33, 43, 55), 2, 2)
    found = equilibrium(state)
    cells = re.findall(r'fill-opacity="([0-9.]+)"', found.svg())
    assert sum(map(float, cells)) == pytest.approx(0.75 * len(found.hands), abs=0.1)
    assert all(f">{','.join(map(str, hand))}</text>" in found.svg() for hand in found.hands)


def test_plans_with_other_shares_are_others():
    plans = equilibrium(PublicState((34, 41), (12, 21, 39), 1, 1)).plans
    assert plans == plans.sealed() and plans != plans.sealed(shares=plans.shares[::-1].copy() + 1)


@pytest.mark.parametrize("rules", [Rules(), Rules(forced_only=True)], ids=str)
@pytest.mark.parametrize("most", [0, 1])
def test_sums_are_rounded_to_plans_of_every_hand(rules, most):
    """Also of a hand that nothing was summed for: all its turns are alike then."""
    state = PublicState((34, 41), (12, 21, 33, 39, 43, 44, 55), 2, 2, rules)
    plans = equilibrium(state, gap=1).plans
    shares, sums = plans.shares.copy(), np.random.default_rng(1).random(len(plans.shares), np.float32)
    sums[(np.arange(len(sums)) % 3 > 0) | (shares < 0)] = 0
    assert plans.kernel(bytearray(1)).round(most * sums, np.array((60, 7, 60), np.int32), shares)
    rounded, paths = plans.sealed(shares=shares, parts=(60, 7, 60)), [()]
    for path in paths:  # it grows
        for one in rounded.hands(path).values():
            chances = [turn.probability for turn in one.turns]
            assert sum(chances) == 1 and (most or max(chances) - min(chances) <= Fraction(1, rounded.parts[len(path)]))
        paths += [(*path, turn) for turn in rounded.turns(path) if len(path) < 2]
    assert len(paths) > 50
