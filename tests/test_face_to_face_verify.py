"""Tables derived from their child tables: equal to what solving each class gives, and to the oracle; lies are found."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random

import numpy as np
import pytest
from samples import sample
from small_decks import deck_table, every_position
from solver.face_to_face._classes import TableIndex
from solver.face_to_face._generate import generate_range
from solver.face_to_face._verify import derive_range, verify_range
from test_face_to_face_turns import mirrored

from solver.face_to_face import Rules, outcomes, pack, solve_many

BOTH = pytest.mark.parametrize("lone_card", [False, True])


def names(cards):
    return [(k, cards - k) for k in range(max(1, cards - 6), min(6, cards - 1) + 1)]


@cache
def generated(k, m, lone_card):
    """A table with every class solved by search, as (index, values)."""
    index = TableIndex(k, m)
    values = np.empty(index.size, np.uint8)
    generate_range(index, values, 0, lone_card)
    values.flags.writeable = False
    return index, values


@cache
def derived(k, m, lone_card):
    """The same, each entry from its children, which come about in the same way: no search anywhere."""
    index = TableIndex(k, m)
    values = np.full(index.size, 99, np.uint8)
    derive_range(index, values, 0, [None, *(derived(m, r, lone_card) for r in range(1, k - 1))], lone_card)
    values.flags.writeable = False
    return index, values


def children_of(k, m, lone_card):
    return [None, *(generated(m, r, lone_card) for r in range(1, k - 1))]


def check_tables(cards, lone_card):
    for k, m in names(cards):
        index, values = generated(k, m, lone_card)
        wrong = np.flatnonzero(derived(k, m, lone_card)[1] != values)
        assert len(wrong) == 0, (k, m, len(wrong), index.describe(int(wrong[0])))
        assert verify_range(index, values, 0, children_of(k, m, lone_card), lone_card) is None


@BOTH
@pytest.mark.parametrize("cards", [2, 3, 4])
def test_derived_and_solved_agree_on_every_slot(cards, lone_card):
    check_tables(cards, lone_card)


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("cards", [5, 6])
def test_derived_and_solved_agree_on_every_slot_of_larger_tables(cards, lone_card):
    check_tables(cards, lone_card)


# the oracle: no code in common but the numbering


def by_table(array, most):
    """Positions of an array with both hands and at most so many cards, as ((k, m), where they stand)."""
    sizes = [np.array([int(hand).bit_count() for hand in array[name]]) for name in ("mover_hand", "opponent_hand")]
    for cards in range(2, most + 1):
        for k, m in names(cards):
            chosen = np.flatnonzero((sizes[0] == k) & (sizes[1] == m))
            if len(chosen):
                yield (k, m), chosen


def look_up(array, name, lone_card, rules):
    index, values = derived(*name, lone_card)
    slots = np.empty(len(array), np.uint64)
    assert index.rank_range(array, slots, 0, len(array), rules.highest, rules.step) == -1
    return values[slots]


@BOTH
@pytest.mark.parametrize(("highest", "step"), [(5, 1), (6, 1), (6, 2), (6, 3)])
def test_every_position_of_a_small_deck(highest, step, lone_card):
    array = every_position(highest)
    expected = deck_table(highest, step, lone_card).remoteness(array)
    seen = 0
    for name, chosen in by_table(array, 5):
        found = look_up(array[chosen], name, lone_card, Rules(lone_card, highest, step))
        assert np.array_equal(found, expected[chosen]), name
        seen += len(chosen)
    assert seen > 500  # of the deck with highest 5, which is the smallest


@BOTH
@pytest.mark.parametrize("kind", ["uniform", "tight", "clustered"])
def test_positions_of_the_real_deck(kind, lone_card):
    array = pack(sample(kind, 1000, seed=41, most=3))
    expected = solve_many(array, rules=Rules(lone_card))  # held against the oracles in test_face_to_face_solving
    for name, chosen in by_table(array, 5):
        assert np.array_equal(look_up(array[chosen], name, lone_card, Rules(lone_card)), expected[chosen]), name


# every turn by itself: children full of made-up values, so that no turn hides behind another


@cache
def made_up(k, m):
    """A table of values that no game has: mostly 1, so that the few others are each the best turn of some position."""
    index = TableIndex(k, m)
    values = np.random.default_rng(k * 10 + m).choice(6, index.size, p=[0.002, 0.94, 0.016, 0.02, 0.012, 0.01]).astype(np.uint8)
    return index, values


def look_ahead(position, rules, helpful=True):
    """The remoteness that made-up children give a position, by the turns that the search's side of the package lists."""
    values = []
    for turn, _, after in outcomes(position, rules):
        if not helpful and any(play.helpful for play in turn):
            continue
        if not after.opponent.hand:
            values.append(0)  # F12
            continue
        index, table = made_up(len(after.mover.hand), len(after.opponent.hand))
        slots = np.empty(1, np.uint64)
        assert index.rank_range(pack([after]), slots, 0, 1, rules.highest, rules.step) == -1
        values.append(int(table[slots[0]]))
    losing = [value for value in values if value % 2 == 0]
    return 1 + min(losing) if losing else 1 + max(values) if values else 0


def check_turns(name, chosen, lone_card):
    k, m = name
    index = TableIndex(k, m)
    children = [None, *(made_up(m, r) for r in range(1, k - 1))]
    slots, found = np.empty(len(chosen), np.uint64), np.empty(1, np.uint8)
    assert index.rank_range(pack(chosen), slots, 0, len(chosen), 60, 10) == -1
    answers = set()
    for position, slot in zip(chosen, slots.tolist(), strict=True):
        for helpful in (False, True):
            derive_range(index, found, slot, children, lone_card, helpful=helpful)
            # Where a pattern is its own mirror image both have slots, with made-up values of their own.
            sides = position, mirrored(position)
            assert any(found[0] == look_ahead(side, Rules(lone_card), helpful) for side in sides), (position, helpful)
        answers.add(int(found[0]))
    return answers


def check_samples(count, most_turns, lone_card):
    answers = set()
    for most, seed in ((3, 43), (6, 44)):
        by_name = {}
        for position in sample("clustered", 10 * count, seed=seed, most=most):
            by_name.setdefault((len(position.mover.hand), len(position.opponent.hand)), []).append(position)
        for name, chosen in by_name.items():
            if sum(name) <= 7 and name[0] <= most_turns:
                answers |= check_turns(name, chosen[:count], lone_card)
    assert answers >= {0, 1, 2, 3, 4, 5}


def test_every_turn_leads_to_its_own_slot():
    check_samples(100, 4, False)


@pytest.mark.slow
@BOTH
def test_every_turn_leads_to_its_own_slot_with_larger_hands(lone_card):
    check_samples(400, 6, lone_card)


# lies


@BOTH
@pytest.mark.parametrize(("k", "m"), [(1, 1), (2, 1), (1, 3), (2, 2), (3, 1), (3, 2)])
def test_a_single_lie_is_named(k, m, lone_card):
    random = Random(f"{k}v{m}")
    index, values = generated(k, m, lone_card)
    children = children_of(k, m, lone_card)
    values = values.copy()
    for slot in [0, index.size - 1, *random.sample(range(index.size), 200)]:
        truth = int(values[slot])
        values[slot] = random.choice([value for value in (*range(7), 255) if value != truth])
        assert verify_range(index, values, 0, children, lone_card) == (slot, truth)
        values[slot] = truth
    assert verify_range(index, values, 0, children, lone_card) is None


def test_of_several_lies_the_first_is_named():
    index, values = generated(2, 2, False)
    values = values.copy()
    truth = values[[50_000, 150_000]].tolist()
    values[[50_000, 150_000]] ^= 1
    assert verify_range(index, values, 0, children_of(2, 2, False), False) == (50_000, truth[0])
    assert verify_range(index, values[50_001:], 50_001, children_of(2, 2, False), False) == (150_000, truth[1])


def with_child(k, m, r, child_values, lone_card):
    """Are the slots that a changed child changes those that are reported? Returns how many."""
    index, values = generated(k, m, lone_card)
    children = children_of(k, m, lone_card)
    children[r] = children[r][0], child_values
    expected = np.empty_like(values)
    derive_range(index, expected, 0, children, lone_card)
    differ = np.flatnonzero(expected != values)
    lie = verify_range(index, values, 0, children, lone_card)
    assert lie == ((int(differ[0]), int(expected[differ[0]])) if len(differ) else None)
    return len(differ)


@BOTH
def test_a_lie_in_a_child_shows_in_the_parent(lone_card):
    """Where some turn leads to the false entry and no other is as good."""
    random = Random(32)
    child_values = generated(2, 1, lone_card)[1]
    shown = []
    for slot in random.sample(range(len(child_values)), 60):
        changed = child_values.copy()
        changed[slot] = 1 if changed[slot] % 2 == 0 else 0
        shown.append(with_child(3, 2, 1, changed, lone_card))
    assert sum(count > 0 for count in shown) >= 5
    assert max(shown) < 10_000  # of 2.3 million


@BOTH
@pytest.mark.parametrize(("k", "m", "r"), [(3, 1, 1), (3, 2, 1), (4, 1, 1), (4, 1, 2)])
def test_a_child_that_is_false_throughout_shows(k, m, r, lone_card):
    child_values = generated(m, r, lone_card)[1]
    count = with_child(k, m, r, np.where(child_values % 2 == 0, 1, 0).astype(np.uint8), lone_card)
    if (k, m, r, lone_card) == (4, 1, 1, False):
        assert count == 0  # who can lay three can lay two of them, and an opponent with a lone card has lost as well (F13)
    else:
        assert count > 1000


# parts


@BOTH
@pytest.mark.parametrize(("k", "m"), [(1, 2), (2, 2), (3, 1), (3, 2)])
def test_parts_are_equal_to_the_whole(k, m, lone_card):
    random = Random(f"{k}v{m}")
    index, values = generated(k, m, lone_card)
    children = children_of(k, m, lone_card)
    for _ in range(100):
        start = random.randrange(index.size)
        length = min(random.choice([0, 1, 2, 7, 100, 5_000]), index.size - start)
        part = np.full(length + 2, 99, np.uint8)
        derive_range(index, part[1:-1], start, children, lone_card)
        assert np.array_equal(part[1:-1], values[start : start + length])
        assert part[0] == part[-1] == 99
        assert verify_range(index, values[start : start + length], start, children, lone_card) is None
        if length:
            place = random.randrange(length)
            lying = values[start : start + length].copy()
            lying[place] += 1
            assert verify_range(index, lying, start, children, lone_card) == (start + place, lying[place] - 1)


@pytest.mark.threads
def test_two_threads():
    index, values = generated(3, 2, False)
    children = children_of(3, 2, False)
    found = np.empty_like(values)

    def derive(start):
        derive_range(index, found[start : start + 99_991], start, children, False)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(derive, range(0, index.size, 99_991)))
    assert np.array_equal(found, values)


# what is refused


def test_ranges_and_children_that_do_not_fit():
    index, values = generated(3, 2, False)
    child_index, child_values = generated(2, 1, False)
    fine = [None, (child_index, child_values)]
    assert verify_range(index, values, 0, [*fine, None], False) is None
    assert verify_range(index, values[:0], index.size, fine, False) is None
    for start in (1, index.size, index.size + 1, 2**64 - 1):
        with pytest.raises(IndexError, match=f"slots {start}"):
            verify_range(index, values, start, fine, False)
    for children in ([], [None], [None, None]):
        with pytest.raises(ValueError, match="table 2v1 is needed"):
            verify_range(index, values, 0, children, False)
    with pytest.raises(ValueError, match="table 2v1 is needed, not 1v2"):
        verify_range(index, values, 0, [None, generated(1, 2, False)], False)
    with pytest.raises(ValueError, match="table 2v1 has 12894 slots, not 12893"):
        verify_range(index, values, 0, [None, (child_index, child_values[1:])], False)
