"""Equilibria of Take That with both hands hidden: the twin's value lies in the bounds, and laws that need no twin."""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import comb
from random import Random

import numpy as np
import pytest

from backtrick.budget import Budget, Cancel
from backtrick.errors import (
    ArgumentError,
    BudgetError,
    ContradictionError,
    IllegalTurnError,
    NotSolvedError,
    PositionError,
    RulesError,
    UsageError,
)
from backtrick.take_that import (
    Equilibrium,
    Position,
    PublicState,
    Rules,
    State,
    Turn,
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
from backtrick.take_that.hidden_pile import turns_with_hidden_pile
from backtrick.take_that.policies import tuned
from backtrick.take_that.position import POSITION_DTYPE
from backtrick.take_that.public_state import as_public_state, public_turns, tree_of
from backtrick.take_that.rule_options import DECK, mirror_card
from backtrick.take_that.rules import play
from backtrick.take_that.rules import value as endgame_value
from command import ask
from take_that_samples import ALL_RULES

pytest.importorskip("scipy", reason="needs the extra equilibrium: pip install 'backtrick[equilibrium]'")
from audit.take_that.hidden import random_state, twin_of  # noqa: E402, the twin needs scipy

LINEAR = 1e-7  # what the linear program may be off by
LARGE = PublicState((34, 41), (12, 21, 31, 36, 38, 39, 43, 44, 45, 55), 4, 4)
"""More cards than the kernel takes in one part of a mask, which is eight."""
EXAMPLE = PublicState((34, 41), (12, 21, 39, 43, 44, 55), 2, 2)


def random_range(random: Random, cards: tuple[int, ...], held: int) -> dict[tuple[int, ...], int]:
    """Some hands have no weight, but at least one has."""
    hands = list(hands_of(cards, held))
    weights = {hand: random.choice([0, 0, 1, 2, 5]) for hand in hands}
    weights[random.choice(hands)] = 3
    return weights


def gone(cards: Iterable[int]) -> str:
    """The other cards of the deck, as a text writes them."""
    return ",".join(str(card) for card in DECK if card not in cards)


def holds(found: Equilibrium, value: float) -> bool:
    return float(found.lowest) - LINEAR <= value <= float(found.highest) + LINEAR


# The twin


def test_five_ninths():
    """Its value was found by another program before this one was written."""
    found = equilibrium(EXAMPLE, gap=Fraction(1, 10_000))
    assert found.lowest <= Fraction(5, 9) <= found.highest and found.gap <= Fraction(1, 10_000)
    assert twin_of(EXAMPLE).value() == pytest.approx(5 / 9)
    assert any(hand.mixes for hand in found.hands())


def check_states(numbers: range) -> None:
    """The twin's value is within narrow bounds."""
    for number in numbers:
        state = random_state(number)
        found = equilibrium(state, gap=Fraction(1, 1000), iterations=400)
        assert found.gap <= Fraction(1, 1000), (number, state)
        assert holds(found, twin_of(state).value()), (number, state)


@pytest.mark.parametrize("part", range(2))
def test_the_value_of_the_twin_is_within_the_bounds(part):
    check_states(range(8 * part, 8 * part + 8))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_the_value_of_the_twin_is_within_the_bounds_of_many_states(part):
    check_states(range(1000 + 100 * part, 1100 + 100 * part))


@pytest.mark.parametrize("number", [*range(8), *(pytest.param(number, marks=pytest.mark.slow) for number in range(8, 200))])
def test_ranges(number):
    """Deals weigh the product of both weights."""
    random, state = Random(number), random_state(number, (1, 2, 2, 3))
    mover = random_range(random, state.unseen, state.hand_size)
    other = random_range(random, state.unseen, state.other_size)
    if not any(a and b and not set(one) & set(two) for one, a in mover.items() for two, b in other.items()):
        with pytest.raises(ArgumentError, match="no two hands of them can be held at the same time"):
            equilibrium(state, (mover, other))
        return
    found = equilibrium(state, (mover, lambda hand: other[hand] / 8), gap=Fraction(1, 1000), iterations=400)
    assert holds(found, twin_of(state, weights=lambda one, two: mover[one] * other[two]).value())


# Laws


@pytest.mark.parametrize("number", [*range(6), None])
def test_with_one_card_in_the_pile_the_odds_of_every_hand_are_its_value(number):
    state = LARGE.after(Turn(43)) if number is None else random_state(number, (1,))
    found, total = equilibrium(state), Fraction(0)
    for hand in found.hands():
        exact = odds(state.view(hand.hand), threads=1)
        assert exact.exact and hand.value == exact.turns[0].value
        assert {one.turn: one.value for one in hand.turns} == {one.turn: one.value for one in exact.turns}
        total += hand.weight * hand.value
    assert found.value == total and found.exact


@pytest.mark.parametrize("number", range(6))
def test_with_nothing_hidden_it_is_the_value_of_the_endgame(number):
    state = random_state(number, (0,))
    hands = list(hands_of(state.unseen, state.hand_size))
    endgames = [Position(hand, set(state.unseen) - set(hand), state.line) for hand in hands]
    values = solve_many(pack(endgames), 1, state.rules).tolist()
    assert equilibrium(state).value == Fraction(sum(values), len(values))
    for hand, value in zip(hands, values, strict=True):
        assert equilibrium(state, ({hand: 1}, None)).value == value


@pytest.mark.parametrize("number", range(5))
def test_a_hand_that_is_shown_helps_the_one_who_sees_it(number):
    """The mover gets at least the mean over its hands of what each is worth when it is shown, and at most the mean over the other's
    hands."""
    state = random_state(number, (2,))
    found = equilibrium(state, gap=Fraction(1, 1000), iterations=300)
    shown = [equilibrium(state, ({hand: 1}, None), gap=Fraction(1, 1000), iterations=300).lowest
             for hand in hands_of(state.unseen, state.hand_size)]  # fmt: skip
    seen = [equilibrium(state, (None, {hand: 1}), gap=Fraction(1, 1000), iterations=300).highest
            for hand in hands_of(state.unseen, state.other_size)]  # fmt: skip
    assert sum(shown) / len(shown) <= found.highest and found.lowest <= sum(seen) / len(seen)


@pytest.mark.parametrize("number", range(4))
def test_the_mirror_keeps_the_value(number):
    state = random_state(number, (2, 3))
    image = PublicState(tuple(map(mirror_card, state.line)), tuple(map(mirror_card, state.unseen)), state.hand_size,
                        state.other_size, state.rules)  # fmt: skip
    one, two = (equilibrium(which, gap=Fraction(1, 1000), iterations=300) for which in (state, image))
    assert one.lowest <= two.highest and two.lowest <= one.highest
    assert mirror(Position((12,), (13,))) == Position((98,), (97,))


@pytest.mark.parametrize("number", range(12))
def test_hands_and_turns_add_up(number):
    state = random_state(number, (1, 2, 3))
    random = Random(number)
    mover = random_range(random, state.unseen, state.hand_size)
    found = equilibrium(state, (mover, None), iterations=20)
    hands = list(found.hands())
    assert {one.hand for one in hands} == {hand for hand, weight in mover.items() if weight}
    assert sum(one.weight for one in hands) == 1
    assert sum(one.weight * one.value for one in hands) == found.highest
    for one in hands:
        assert one == found.hand(one.hand) and one.value == max(turn.value for turn in one.turns)
        assert sum(turn.probability for turn in one.turns) == 1 and min(turn.probability for turn in one.turns) >= 0
        rest = [card for card in state.unseen if card not in one.hand]
        deal = Position(one.hand, rest[: state.other_size], state.line, rest[state.other_size :])
        assert [turn.turn for turn in one.turns] == legal_turns(deal, state.rules)


def test_what_the_other_player_does_is_a_strategy_too():
    found = equilibrium(EXAMPLE)
    for turn in (Turn(43), Turn(43, 34), Turn(opening=55)):
        after = EXAMPLE.after(turn)
        for hand in hands_of(after.unseen, 2):
            shares = found.reply(turn, hand)
            assert sum(one.probability for one in shares) == 1
            assert [one.turn for one in shares] == [
                one for one, _ in public_turns(after.line, after.unseen, after.rules) if (one.card or one.opening) in hand
            ]


# Best responses


def first_turn(view) -> Turn:
    return view.legal()[0]


def last_turn(view) -> Turn:
    return view.legal()[-1]


@pytest.mark.parametrize("strategy", [first_turn, last_turn, tuned])
@pytest.mark.parametrize("number", range(5))
def test_what_a_strategy_is_sure_of(number, strategy):
    """The twin, in which one player plays nothing else, has the same value."""
    state = random_state(number, (1, 2, 3))
    found = equilibrium(state, iterations=10)
    assert float(found.sure_of(strategy)) == pytest.approx(twin_of(state, follows=(strategy, None)).value())
    assert found.sure_of(strategy) <= found.highest
    if state.pile_size > 1:
        assert float(found.sure_of_other(strategy)) == pytest.approx(twin_of(state, follows=(None, strategy)).value())
        assert found.sure_of_other(strategy) >= found.lowest


def test_the_strategy_itself_is_sure_of_the_lower_bound():
    found = equilibrium(EXAMPLE, iterations=30)
    before = [found.hand(hand) for hand in hands_of(EXAMPLE.unseen, 2)]
    plan = {one.hand: {turn.turn: turn.probability for turn in one.turns} for one in before}
    assert found.sure_of(lambda view: plan[view.hand]) == found.lowest
    assert before == [found.hand(hand) for hand in hands_of(EXAMPLE.unseen, 2)]  # it was put back


def test_a_strategy_without_the_turn_is_refused():
    with pytest.raises(IllegalTurnError, match="the strategy does not have this turn with"):
        equilibrium(EXAMPLE, iterations=1).sure_of(lambda view: Turn(12))


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
    nodes, steps, leaves = tree_of(state)
    for node in nodes:
        held = (state.hand_size, state.other_size)[node.depth % 2]
        for hand in hands_of(node.cards, held):
            rest = [card for card in node.cards if card not in hand]
            size = state.hand_size + state.other_size - held
            turns = legal_turns(Position(hand, rest[:size], node.line, rest[size:]), state.rules)
            edges = [step for step in steps[node.first : node.last] if node.cards[step.place] in hand]
            assert turns == [step.turn for step in edges if not step.forbidden.intersection(hand)]
    assert all(len(leaf.cards) == state.hand_size + state.other_size for leaf in leaves)


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
        assert PublicState.parse(str(state), state.rules) == state
        view = state.view(state.unseen[: state.hand_size])
        assert as_public_state(view) == (state, view.hand)
    game = State.begin(Position.parse("12,33 21,94 34-41 55,63"))
    assert as_public_state(game) == (PublicState.of(game.view(0)), (12, 33)) == as_public_state(str(game.view(0)))
    assert as_public_state(str(EXAMPLE)) == (EXAMPLE, None)
    with pytest.raises(PositionError, match="hands of 2 and 2 and 2 in it, but 77 cards are not seen"):
        PublicState.parse("?2 ?2 34-41 ?2")
    with pytest.raises(PositionError, match="there is one card of each number"):
        PublicState((34,), (34, 12, 13), 1, 1)
    with pytest.raises(PositionError, match="0 cards, 1..9 are held"):
        PublicState((34,), (12, 13), 0, 1)


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ({"gap": -1}, ArgumentError, "gap must be a number of 0 or more, not -1"),
        ({"iterations": 0}, ArgumentError, "iterations must be a whole number above 0, or None, not 0"),
        ({"ranges": 5}, ArgumentError, "ranges must be a pair, the mover's and the other's, or None, not 5"),
        ({"ranges": (5, None)}, ArgumentError, "the mover's range must be None, a mapping or a function"),
        ({"ranges": ({(12,): 1}, None)}, ArgumentError, r"the mover's range: \(12,\) is not a hand of 2 of the unseen cards"),
        ({"ranges": (None, lambda hand: -1)}, ArgumentError, "the other's range: a weight must be a number of 0 or more, not -1"),
        ({"ranges": (None, lambda hand: 0)}, ArgumentError, "the other's range: not all weights may be 0"),
        ({"budget": 5}, ArgumentError, "budget must be a Budget, not 5"),
        ({"budget": Budget(nodes=5)}, BudgetError, "nodes do not limit an equilibrium; give iterations"),
        ({"budget": Budget(table_mib=0)}, BudgetError, "more than 0 sequences of turns"),
    ],
)
def test_what_is_refused(given, error, sentence):
    with pytest.raises(error, match=sentence):
        equilibrium(EXAMPLE, **given)


def test_bounds_that_cross_are_a_contradiction(monkeypatch):
    right = equilibria._improve
    monkeypatch.setattr(equilibria, "_improve", lambda *asked: replace(found := right(*asked), lowest=found.highest + 1))
    with pytest.raises(ContradictionError, match="at least .* and at most"):
        equilibrium(EXAMPLE, gap=1)


def test_limits_leave_true_bounds():
    few, many = equilibrium(EXAMPLE, iterations=1), equilibrium(EXAMPLE, iterations=100)
    assert few.iterations == 1 and few.lowest <= many.lowest <= Fraction(5, 9) <= many.highest <= few.highest
    assert [step for step, _, _ in many.proofs] == sorted({step for step, _, _ in many.proofs})
    cancel = Cancel()
    cancel()
    with pytest.raises(NotSolvedError, match="the time was over before its endgames were solved"):
        equilibrium(EXAMPLE, budget=Budget(cancel=cancel))
    found = equilibrium(EXAMPLE, gap=0, budget=Budget(seconds=0.3))
    assert found.lowest <= Fraction(5, 9) <= found.highest and found.iterations > 50


def test_records():
    found = equilibrium(EXAMPLE.view((12, 43)), iterations=5)
    record = found.record()
    assert record["value"] is None and Fraction(record["low"]) < Fraction(5, 9) < Fraction(record["high"])
    [mine] = record["hands"]
    assert mine["hand"] == [12, 43] and sum(Fraction(turn["probability"]) for turn in mine["turns"]) == 1
    assert equilibrium(EXAMPLE, iterations=5).record()["hands"] == []
    assert len(found.text().splitlines()) == 4 and len(found.text(hands=True).splitlines()) == 3 + 15


def test_the_command():
    shown = ask("equilibrium", str(EXAMPLE.view((12, 43))), "--gap", "0.001").stdout
    assert "value   from +0.555" in shown and "12,43   at most " in shown
    record = json.loads(ask("equilibrium", "--json", "?2 ?2 34-41 ?1 !" + gone((34, 41, 12, 21, 33, 43, 55))).stdout)
    assert (record["game"], record["value"]) == ("take_that", "13/15")


# Hands that are known, and a pile of unknown order


def plain_value_after(position: Position, first: Turn, rules: Rules) -> Fraction:
    """With up to three cards in the pile: the definition, over every order of the pile, by the readable rules."""
    orders = [replace(position, pile=order) for order in permutations(position.pile)]
    memo: dict = {}

    def ends(points: int, place: Position, sign: int) -> int:
        return points + sign * endgame_value(place, rules, memo)

    begun = {order.pile: play(order, first, rules) for order in orders}
    if len(position.pile) == 1:
        return Fraction(sum(ends(points, place, -1) for points, place in begun.values()))
    worth = []
    for reply in legal_turns(next(iter(begun.values()))[1], rules):
        after = {}
        for pile, (points, place) in begun.items():
            lost, following = play(place, reply, rules)
            after[pile] = points - lost, following
        if len(position.pile) == 2:
            worth.append(Fraction(sum(ends(points, place, 1) for points, place in after.values()), len(orders)))
            continue
        total = 0
        for drawn in position.pile:
            mine = [one for pile, one in after.items() if pile[0] == drawn]
            choices = []
            for turn in legal_turns(mine[0][1], rules):
                played = [(points, *play(place, turn, rules)) for points, place in mine]
                choices.append(sum(ends(points + gained, place, -1) for points, gained, place in played))
            total += max(choices)
        worth.append(Fraction(total, len(orders)))
    return min(worth)


def random_deal(number: int, pile: int) -> Position:
    state = random_state(number, (pile,))
    size, both = state.hand_size, state.hand_size + state.other_size
    return Position(state.unseen[:size], state.unseen[size:both], state.line, state.unseen[both:])


@pytest.mark.parametrize("pile", [1, 2, 3])
def test_a_pile_of_unknown_order(pile, times):
    for number in range(8 * times):
        deal, rules = random_deal(number, pile), ALL_RULES[number % len(ALL_RULES)]
        found = turns_with_hidden_pile(deal, rules)
        assert sorted(str(one.turn) for one in found) == sorted(str(turn) for turn in legal_turns(deal, rules))
        for one in found:
            assert one.lowest == one.highest == plain_value_after(deal, one.turn, rules)
        assert [one.lowest for one in found] == sorted((one.lowest for one in found), reverse=True)


def test_a_pile_of_two_is_an_equilibrium_with_one_hand_each():
    """Ranges of one hand each: the same game."""
    for state in (*(random_state(number, (2,)) for number in range(6)), LARGE):
        size, both = state.hand_size, state.hand_size + state.other_size
        hand, other = state.unseen[:size], state.unseen[size:both]
        deal = Position(hand, other, state.line, state.unseen[both:])
        found = equilibrium(state, ({hand: 1}, {other: 1}), gap=Fraction(1, 1000), iterations=300)
        assert found.lowest <= turns_with_hidden_pile(deal, state.rules)[0].lowest <= found.highest


def test_a_pile_of_four():
    """The position of docs/odds.md, whose values tests/play/test_odds.py finds by another linear program in fractions."""
    known = {"take,47": Fraction(-163, 84), "take,44": Fraction(-3, 4)}
    for one in turns_with_hidden_pile("44,47 33,51 23-48-58 22,26,32,56"):
        assert one.lowest <= known[str(one.turn)] <= one.highest and one.highest - one.lowest < Fraction(1, 10**6)


def test_without_scipy_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(UsageError, match=r"needs scipy, which is not installed; pip install 'backtrick\[equilibrium\]'"):
        turns_with_hidden_pile("44,47 33,51 23-48-58 22,26,32,56")


def test_the_professional_rule_is_refused():
    rules = Rules(professional=True)
    with pytest.raises(RulesError, match="equilibria are not for the professional rule"):
        equilibrium(str(EXAMPLE), rules=rules)
    with pytest.raises(RulesError, match="piles of unknown order are not for the professional rule"):
        turns_with_hidden_pile("44 33 23-48 22,26", rules)


@pytest.mark.parametrize(("deal", "sentence"), [("12 13 14", "the pile is empty"), ("12 13 14 15,16,17,18,19", "at most 4 cards")])
def test_piles_that_are_refused(deal, sentence):
    with pytest.raises(ArgumentError, match=sentence):
        turns_with_hidden_pile(deal)


def test_a_picture_has_a_cell_for_every_hand_and_turn():
    state = PublicState((34, 41), (12, 21, 33, 43, 55), 2, 2)
    found = equilibrium(state)
    cells = re.findall(r'fill-opacity="([0-9.]+)"', found.svg())
    hands = list(found.hands())
    assert sum(map(float, cells)) == pytest.approx(0.75 * len(hands), abs=0.1)
    assert all(f">{','.join(map(str, one.hand))}</text>" in found.svg() for one in hands)
    assert len(re.findall(r">\d\d,\d\d</text>", replace(found, own=(12, 43)).svg())) == 1
