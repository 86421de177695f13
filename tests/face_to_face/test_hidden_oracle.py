"""The oracle for hidden hands of Face to Face, `tests/oracles/face_to_face_hidden.py`: values worked out by hand, and its laws."""

import random
from contextlib import suppress
from dataclasses import replace
from functools import partial

import pytest

from backtrick.face_to_face import Position, Side
from backtrick.face_to_face import rules as referee
from backtrick.face_to_face.rule_options import HIGHEST, PUBLISHED
from oracles.face_to_face_hidden import Known, TooLargeError, by_kernel, random_rules, random_state, solve

pytest.importorskip("scipy", reason="needs the extra equilibrium: pip install 'backtrick[equilibrium]'")

NEAR = 1e-9


def small_states(seed, count, piles, most=2_000):
    """Random states with small trees, as (mover, other, rules, what they are worth)."""
    numbers = random.Random(seed)
    while count:
        rules, deck = random_rules(numbers)
        sizes = tuple(numbers.randint(*least_and_most) for least_and_most in piles)
        held = tuple(max(2, min(numbers.randint(2, 3), 5 - size)) for size in sizes)
        mover, other = random_state(numbers, deck, held, sizes)
        try:
            found = solve(mover, other, rules, leaf=by_kernel(rules), most=most)
        except TooLargeError:
            continue
        if NEAR < found.value < 1 - NEAR or numbers.random() < 0.2:
            count -= 1
            yield mover, other, rules, found.value


def mirrored(known):
    total = HIGHEST + 1
    return Known(total - known.down, total - known.up, tuple(sorted(total - card for card in known.unlaid)), known.held)


@pytest.mark.slow
def test_the_bluff_that_is_followed_by_hand():
    """Hand A has a turn that wins 3/4 whatever Y does. B has only the back trick 59^ 49^, after which Y has two good replies. A
    makes it too, two times in three, because else Y would know that X holds B."""
    mover, other = Known(56, 10, (3, 6, 7, 14, 22, 44, 45, 49, 58, 59), 6), Known(47, 38, (2, 7, 8, 20, 35, 39, 44), 6)
    first, second = (3, 14, 44, 45, 49, 59), (3, 6, 14, 22, 49, 59)
    ranges = {first: 1, second: 1}, {(2, 7, 8, 20, 39, 44): 1}
    found = solve(mover, other, PUBLISHED, ranges, by_kernel(PUBLISHED))
    assert found.value == pytest.approx(17 / 24, abs=NEAR)
    back_trick = (49, 59), 49, 10, 47, 38
    assert found.plays[first][back_trick] == pytest.approx(2 / 3, abs=NEAR)
    assert found.plays[second] == {back_trick: pytest.approx(1, abs=NEAR)}


@pytest.mark.slow
def test_who_begins_wins_with_the_cards_2_to_9():
    deck = Known(1, 60, tuple(range(2, 10)), 6)
    assert solve(deck, deck, PUBLISHED, leaf=by_kernel(PUBLISHED), most=1_000_000).value == pytest.approx(1, abs=NEAR)


def test_if_only_the_own_last_two_cards_are_to_come_the_value_is_the_mean_of_the_deals(times):
    """The mover draws them all after its turn, so it hides nothing that matters: each hand wins or loses by the rules."""
    numbers, seen = random.Random(4), set()
    for _ in range(8 * times):
        rules, deck = random_rules(numbers)
        mover, other = random_state(numbers, deck, (numbers.randint(1, 2), numbers.randint(1, 3)), (numbers.randint(1, 2), 0))
        sides = [replace(mover.side(hand), pile=tuple(sorted(set(mover.unlaid) - set(hand)))) for hand in mover.hands()]
        wins = [referee.value(Position(side, Side(other.up, other.down, other.unlaid)), rules) % 2 for side in sides]
        found = solve(mover, other, rules, known_early=False).value
        assert found == pytest.approx(sum(wins) / len(wins), abs=NEAR), (mover, other, rules)
        seen.update(wins)
    assert seen == {0, 1}


@pytest.mark.parametrize("piles", [((3, 3), (0, 2)), ((1, 2), (3, 3))], ids=["two turns", "three turns"])
def test_neither_the_order_of_plays_nor_the_mirror_matters_nor_when_the_cards_are_open(piles, times):
    for mover, other, rules, value in small_states(5, times, piles, 1_000):
        mirror = mirrored(mover), mirrored(other)
        ways = {
            "every order": partial(solve, mover, other, rules, leaf=by_kernel(rules), every_order=True),
            "to the end": partial(solve, mover, other, rules, leaf=by_kernel(rules), known_early=False),
            "leaves by the rules": partial(solve, mover, other, rules),
            "mirror": partial(solve, *mirror, rules, leaf=by_kernel(rules)),
        }
        for name, way in ways.items():
            with suppress(TooLargeError):
                assert way(most=3_000).value == pytest.approx(value, abs=NEAR), (name, mover, other, rules)


def test_a_tree_that_is_too_large_is_refused():
    deck = Known(1, 60, tuple(range(2, 10)), 6)
    with pytest.raises(TooLargeError, match="more than 500 nodes"):
        solve(deck, deck, PUBLISHED, leaf=by_kernel(PUBLISHED), most=500)
