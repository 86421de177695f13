"""Classes: counted by brute force, one slot each, the same value, the same play; every table's arithmetic in 64 bits."""

from collections import Counter, defaultdict
from functools import cache
from itertools import combinations, product
from math import factorial
from random import Random

import numpy as np
import pytest
from backtrick_development.face_to_face._positions import pattern_round_trip, unfold_range
from hypothesis import given

from backtrick.face_to_face import Rules, after, mirror, outcomes, pack, solve_many, unpack
from backtrick.face_to_face import rules as twin
from backtrick.face_to_face._classes import (
    TableIndex,
    count_patterns,
    pattern_at_rank,
    slots_of_range,
)
from backtrick.face_to_face._counts import Realised
from backtrick.face_to_face.classes import (
    TableName,
    canonical,
    count_classes,
    count_slots,
    index_of,
    rank,
    representative,
    shapes_of,
    tables_up_to,
    unrank,
)
from backtrick.face_to_face.rule_options import DECK
from oracles.face_to_face_relations import ascending_relations, descending_relations, hand_relations, orbit, relations
from oracles.published_deck import SmallDeck
from samples import KINDS, sample
from shares import mark_range, realised_range
from small_decks import every_position
from strategies import positions

SMALL = [TableName(*sizes) for sizes in ((1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3))]
LARGE = [TableName(*sizes) for sizes in ((3, 3), (1, 6), (6, 1), (4, 3), (4, 4), (2, 6), (5, 4))]


def all_marks(name, *, well_formed):
    return realised_range(name, 0, index_of(name).size, well_formed=well_formed)


# how many classes there are


def count_by_brute_force(name):
    """All concrete hands, and for each of them all tops; the boxes of one pattern united one class at a time."""

    @cache
    def top_relations(own, other):
        # a top may not equal a number that both players hold
        shared = set(own) & set(other)
        ups = {ascending_relations(top, own, other) for top in range(1, 60) if top not in shared}
        downs = {descending_relations(top, own, other) for top in range(2, 61) if top not in shared}
        return frozenset(ups), frozenset(downs)

    boxes = defaultdict(set)
    for hand in combinations(DECK, name.mover):
        for other in combinations(DECK, name.opponent):
            boxes[hand_relations(hand, other)].add(top_relations(hand, other) + top_relations(other, hand))
    return sum(len(set().union(*(set(product(*box)) for box in found))) for found in boxes.values())


@pytest.mark.parametrize(
    ("name", "classes"),
    [("1v1", 1_329), ("2v1", 19_981), ("1v2", 19_981), ("2v2", 341_144), ("3v2", 4_009_646), ("2v3", 4_009_646),
     ("6v2", 2_234_753_041)],
)
def test_published_counts(name, classes):
    assert count_classes(TableName.parse(name)).classes == classes


def test_every_concrete_pair_of_two_cards():
    assert count_by_brute_force(TableName(1, 1)) == count_classes(TableName(1, 1)).classes == 1_329


@pytest.mark.slow
@pytest.mark.parametrize("name", [TableName(2, 1), TableName(1, 2)], ids=str)
def test_every_concrete_pair_of_three_cards(name):
    assert count_by_brute_force(name) == count_classes(name).classes == 19_981


@pytest.mark.parametrize("name", tables_up_to(5), ids=str)
def test_slots_marked_are_the_classes_stored(name):
    for well_formed in (False, True):
        assert all_marks(name, well_formed=well_formed).sum() == count_classes(name, well_formed=well_formed).stored


@pytest.mark.parametrize("name", [SMALL[0], pytest.param(SMALL[1], marks=pytest.mark.slow)], ids=str)
def test_orbits_are_classes_up_to_the_mirror(name):
    keys = {orbit(unrank(name, slot)) for slot in np.flatnonzero(all_marks(name, well_formed=True)).tolist()}
    assert len(keys) == count_classes(name, well_formed=True).orbits


def test_a_range_is_a_part_of_the_whole():
    name, random = TableName(2, 2), Random(1)
    for well_formed in (False, True):
        whole = all_marks(name, well_formed=well_formed)
        for _ in range(200):
            start, stop = sorted(random.randrange(len(whole) + 1) for _ in range(2))
            stop = min(stop, start + random.choice((0, 1, 7, 3000, len(whole))))
            assert (realised_range(name, start, stop, well_formed=well_formed) == whole[start:stop]).all()


@pytest.mark.parametrize("name", [*SMALL[:3], TableName(3, 2), TableName(4, 3)], ids=str)
def test_classes_counted_by_value_are_the_marked_slots(name):
    """Each twice if its mirror image has no slot; rows of one value and rows of many, cut anywhere."""
    random, size, realised = Random(str(name)), index_of(name).size, Realised(*name, shapes_of)
    numbers = np.random.default_rng(7)
    for length in (0, 1, 2, 7, 3000, 100_000):
        for values in (numbers.integers(0, 6, length, np.uint8), np.repeat(numbers.integers(0, 6, length // 700 + 1), 700)):
            values = values[: min(length, size)].astype(np.uint8)
            start = random.randrange(size - len(values) + 1)
            marks = realised_range(name, start, start + len(values))
            unfold_range(index_of(name), marks, start)
            expected = np.bincount(values, weights=marks, minlength=6).tolist()
            assert realised.count_values(index_of(name), values, start) == expected
    with pytest.raises(IndexError, match="slots"):
        realised.count_values(index_of(name), np.zeros(1, np.uint8), size)


# well-formed: what F1 excludes besides


def shows_one_card_twice(description):
    """Are there two tops that show the same card of a hand, their back trick's partner?"""
    holders, higher, tops = description
    lower = {partner: i for i, partner in enumerate(higher) if partner >= 0}
    shown = []
    for pile, (_, trick) in enumerate(tops):
        if trick is not None:
            element = [i for i, holder in enumerate(holders) if holder & (1 if pile < 2 else 2)][trick]
            partner = higher[element] if pile % 2 == 0 else lower.get(element, -1)
            shown += [partner] if partner >= 0 else []
    return len(shown) != len(set(shown))


@pytest.mark.parametrize("name", SMALL[:4], ids=str)
def test_well_formedness_forbids_only_two_tops_on_one_card_of_a_hand(name):
    possible, well_formed = all_marks(name, well_formed=False), all_marks(name, well_formed=True)
    assert not (well_formed > possible).any()
    for slot in np.flatnonzero(possible)[:: 1 + len(possible) // 20_000].tolist():
        assert well_formed[slot] != shows_one_card_twice(index_of(name).describe(slot))


def compare_with_search(name, start, stop):
    found = np.zeros(stop - start, dtype=np.uint8)
    mark_range(index_of(name), found, start)
    assert (realised_range(name, start, stop, well_formed=True) == found).all()


@pytest.mark.share(2)
@pytest.mark.parametrize("name", SMALL, ids=str)
def test_every_marked_slot_has_a_position_and_no_other(name, times):
    size = index_of(name).size
    compare_with_search(name, 0, size if times > 1 else min(size, 30_000))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name.cards == 8 else ()) for name in LARGE if name.cards <= 8],
    ids=str,
)
def test_marks_and_search_agree_in_large_tables(name):
    random = Random(str(name))
    for _ in range(20):
        start = random.randrange(index_of(name).size - 500)
        compare_with_search(name, start, start + 500)


# one class, one slot


@pytest.mark.parametrize(("highest", "step", "stride"), [(4, 1, 1), (4, 2, 1), (5, 1, 92), (5, 2, 92), (6, 2, 2004)])
def test_slots_of_a_whole_small_deck(highest, step, stride):
    array = SmallDeck(highest, step).positions(every_position(highest))
    sizes = [[bin(hand).count("1") for hand in array[field].tolist()] for field in ("mover_hand", "opponent_hand")]
    by_table = np.array(sizes[0]) * 10 + sizes[1]
    for table in np.unique(by_table[by_table % 10 > 0]).tolist():
        name, mine = TableName(*divmod(table, 10)), array[by_table == table]
        slots = np.zeros(len(mine), dtype=np.uint64)
        assert index_of(name).rank_range(mine, slots, 0, len(mine)) == -1
        if name.cards <= 4:
            assert all_marks(name, well_formed=True)[slots].all()
        # a slot has one class up to the mirror, and a class has one slot
        orbits, places = {}, {}
        for position, slot in zip(unpack(mine[::stride]), slots[::stride].tolist(), strict=True):
            found = orbit(position)
            assert orbits.setdefault(slot, found) == found
            assert places.setdefault(relations(position.mover, position.opponent), slot) == slot


@pytest.mark.share(2)
@pytest.mark.parametrize("most", [4_000, pytest.param(400_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SMALL, ids=str)
def test_rank_of_unrank_small(name, most):
    slots = np.flatnonzero(all_marks(name, well_formed=True))
    step = 1 if len(slots) <= most else len(slots) // 2_000  # all of 1v1; of the others too where most is 400,000
    for slot in slots[::step].tolist():
        assert rank(unrank(name, slot)) == (name, slot)


@pytest.mark.parametrize("name", LARGE, ids=str)
def test_rank_of_unrank_large(name, times):
    index, random, found = index_of(name), Random(str(name)), 0
    for slot in [random.randrange(index.size) for _ in range(20 * times)] + [0, index.size - 1]:
        position = representative(name, slot)
        if position is not None:
            found += 1
            assert rank(position) == (name, slot)
    assert found > 15 * times  # about nine slots in ten belong to a position


@given(positions(least_opponent=1))
def test_canonical_is_of_the_class_and_the_same_for_all_of_it(position):
    found = canonical(position)
    assert orbit(found) == orbit(position)
    assert canonical(found) == found
    assert mirror(mirror(position)) == position
    if count_patterns(len(position.mover.hand), len(position.opponent.hand)) < 200_000:
        assert rank(found) == rank(position)
        assert unrank(*rank(position)) == found
        assert rank(mirror(mirror(position))) == rank(position)


@given(positions(most=4, least_opponent=1))
def test_mirror_images_share_a_slot_unless_their_pattern_is_its_own_image(position):
    name, slot = rank(position)
    holders, higher, _ = index_of(name).describe(slot)
    last = len(holders) - 1
    image = tuple(
        last - i if (i := dict(zip(higher, range(last + 1), strict=True)).get(last - j, -1)) >= 0 else -1 for j in range(last + 1)
    )
    if (holders[::-1], image) != (holders, higher):
        assert rank(mirror(position)) == (name, slot)
    assert orbit(mirror(position)) == orbit(position)


@pytest.mark.parametrize("kind", KINDS)
def test_canonical_positions_have_the_same_value(kind):
    for rules in (Rules(), Rules(lone_card=True)):
        given_positions = [position for position in sample(kind, 60, 5) if position.opponent.hand]
        found = [canonical(position) for position in given_positions]
        assert (solve_many(pack(found), rules=rules) == solve_many(pack(given_positions), rules=rules)).all()


@pytest.mark.parametrize("name", [TableName(2, 2), TableName(3, 2), TableName(3, 3)], ids=str)
def test_random_pairs_of_one_slot_have_one_value_and_one_orbit(name, times):
    array = random_positions(name, 5_000 * times, Random(3))
    slots = np.zeros(len(array), dtype=np.uint64)
    assert index_of(name).rank_range(array, slots, 0, len(array)) == -1
    values, order = solve_many(array), np.argsort(slots, kind="stable")
    pairs = [(a, b) for a, b in zip(order[:-1].tolist(), order[1:].tolist(), strict=True) if slots[a] == slots[b]]
    assert len(pairs) > 40 * times
    for a, b in pairs:
        assert values[a] == values[b]
    for a, b in pairs[: 20 * times]:
        first, second = unpack(array[[a, b]])
        assert orbit(first) == orbit(second)


def random_positions(name, count, random):
    """Positions from few numbers, so that many share a slot."""
    found = []
    while len(found) < count:
        low = random.randrange(2, 20)
        numbers = range(low, low + random.choice((6, 15, 25)))
        hand, other = random.sample(numbers, name.mover), random.sample(numbers, name.opponent)
        tops = [random.choice(numbers) for _ in range(4)]
        if max(Counter([*hand, *other, *tops]).values()) <= 2:
            masks = [sum(1 << card for card in cards) for cards in (hand, other)]
            found.append((*masks, *tops))
    return np.array(found, dtype=pack([]).dtype)


@pytest.mark.parametrize("kind", ["uniform", "clustered", "tight"])
def test_classes_commute_with_play(kind):
    for position in sample(kind, 12, 8, most=4):
        other = canonical(position)
        assert count_children(position) == count_children(other)


def count_children(position):
    """How many ordered turns lead to which class; the twin plays them."""
    children = Counter()
    for turn in twin.legal_turns(position):
        child = after(position, turn)
        children[orbit(child) if child.mover.hand and child.opponent.hand else None] += 1
    return children


@given(positions(least_opponent=1))
def test_outcomes_of_a_class_have_the_same_values(position):
    def children(of):
        return Counter(solve_many(pack([outcome.position for outcome in outcomes(of)])).tolist())

    assert children(position) == children(canonical(position))


# the largest tables


def digits_of(holders, higher, pile):
    """How many tops a pile can have: a trick without a partner goes where no other trick's order forbids it."""
    count, owner, up = len(holders), 1 if pile < 2 else 2, pile % 2 == 0
    lower = [-1] * count
    for i, partner in enumerate(higher):
        if partner >= 0:
            lower[partner] = i
    partners = higher if up else lower
    tops = count + 1
    for i in range(count):
        if not holders[i] & owner:
            continue
        if partners[i] >= 0:
            tops += holders[partners[i]] != 3
        elif up:
            below = [partners[j] for j in range(i) if partners[j] >= 0]
            above = [partners[j] for j in range(i + 1, count) if partners[j] >= 0]
            tops += min(above, default=count) - max([i, *below])
        else:
            below = [partners[j] for j in range(i) if partners[j] >= 0]
            above = [partners[j] for j in range(i + 1, count) if partners[j] >= 0]
            tops += min([i, *above]) - max(below, default=-1)
    return tops


def slots_by_hand(name, pattern):
    holders, higher = pattern_at_rank(*name, pattern)
    product_of = 1
    for pile in range(4):
        product_of *= digits_of(holders, higher, pile)
    return product_of


def patterns_by_hand(k, m):
    total = 0
    for shared in range(min(k, m) + 1):
        n = k + m - shared
        orders = factorial(n) // factorial(k - shared) // factorial(m - shared) // factorial(shared)
        total += orders * factorial(2 * n) // factorial(n) // factorial(n + 1)
    return total


def test_patterns_of_all_tables():
    for name in tables_up_to(12):
        assert count_patterns(*name) == patterns_by_hand(*name)
    assert count_patterns(6, 6) == 416_852_190


@pytest.mark.parametrize("name", [TableName(5, 5), TableName(6, 5), TableName(5, 6), TableName(6, 6)], ids=str)
def test_arithmetic_of_the_largest_tables(name):
    random, count = Random(str(name)), count_patterns(*name)
    ranks = [0, 1, count - 1, *(random.randrange(count) for _ in range(2000))]
    for pattern in ranks:
        assert pattern_round_trip(*name, pattern) == (pattern, pattern)
        assert len(pattern_at_rank(*name, pattern)[0]) <= 12
    for pattern in ranks[:300]:
        assert slots_of_range(*name, pattern, pattern + 1)[0] == slots_by_hand(name, pattern)
    start = ranks[7] % (count - 1000)
    parts = [slots_of_range(*name, start + i, start + i + 100) for i in range(0, 1000, 100)]
    assert tuple(map(sum, zip(*parts, strict=True))) == slots_of_range(*name, start, start + 1000)


@pytest.mark.parametrize("name", tables_up_to(6), ids=str)
def test_slots_without_an_index(name):
    index = TableIndex(*name)
    assert count_slots(name) == (index.unfolded, index.size)
    assert (
        sum(slots_by_hand(name, pattern) for pattern in range(min(300, index.patterns)))
        == slots_of_range(*name, 0, min(300, index.patterns))[0]
    )


def test_full_hands_have_a_canonical_position():
    for position in sample("hard", 10, 4, least=6) + sample("clustered", 30, 4, least=6):
        assert orbit(canonical(position)) == orbit(position)


# what is refused


def test_what_has_no_slot():
    for slot in (-1, 737, 2**64):
        with pytest.raises(IndexError, match="1v1, which has 737"):
            representative(TableName(1, 1), slot)
    with pytest.raises(IndexError, match="belongs to no well-formed position"):
        unrank(TableName(1, 1), int(np.argmin(all_marks(TableName(1, 1), well_formed=True))))
    for start, stop in ((-1, 3), (5, 4), (0, 738)):
        with pytest.raises(IndexError, match="which has 737"):
            realised_range(TableName(1, 1), start, stop)
