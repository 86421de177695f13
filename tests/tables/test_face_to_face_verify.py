"""Tables derived from their child tables: equal to what solving each class gives, and to the oracle; lies are found."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random

import numpy as np
import pytest

from backtrick.face_to_face import Rules, mirror, outcomes, pack, solve_many
from backtrick.face_to_face._by_rows import derive_range
from backtrick.face_to_face._classes import TableIndex
from backtrick.face_to_face._tables import generate_range
from oracles.published_deck import SmallDeck
from samples import sample
from shelves import shelf_of
from small_decks import every_position

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
    below = shelf_of(*(derived(m, r, lone_card) for r in range(1, k - 1)))
    assert derive_range(index, values, 0, below, lone_card) == index.size
    values.flags.writeable = False
    return index, values


@cache
def below(k, m, lone_card):
    """The tables that a turn leads to."""
    return shelf_of(*(generated(m, r, lone_card) for r in range(1, k - 1)))


def first_lie(index, values, start, shelf, lone_card):
    """The first slot of which the turns lead to something else, and that; None if there is none."""
    expected = np.empty_like(values)
    assert derive_range(index, expected, start, shelf, lone_card) == len(values)
    wrong = np.flatnonzero(expected != values)
    return (start + int(wrong[0]), int(expected[wrong[0]])) if len(wrong) else None


@BOTH
@pytest.mark.parametrize("cards", [2, 3, 4, *(pytest.param(cards, marks=pytest.mark.slow) for cards in (5, 6))])
def test_derived_and_solved_agree_on_every_slot(cards, lone_card):
    for k, m in names(cards):
        index, values = generated(k, m, lone_card)
        wrong = np.flatnonzero(derived(k, m, lone_card)[1] != values)
        assert len(wrong) == 0, (k, m, len(wrong), index.describe(int(wrong[0])))
        assert first_lie(index, values, 0, below(k, m, lone_card), lone_card) is None


# the search


def by_table(array, most):
    """Positions of an array with both hands and at most this many cards, as ((k, m), where they stand)."""
    sizes = [np.array([int(hand).bit_count() for hand in array[name]]) for name in ("mover_hand", "opponent_hand")]
    for cards in range(2, most + 1):
        for k, m in names(cards):
            chosen = np.flatnonzero((sizes[0] == k) & (sizes[1] == m))
            if len(chosen):
                yield (k, m), chosen


def look_up(array, name, lone_card):
    index, values = derived(*name, lone_card)
    slots = np.empty(len(array), np.uint64)
    assert index.rank_range(array, slots, 0, len(array)) == -1
    return values[slots]


@pytest.mark.share(2)
@BOTH
@pytest.mark.parametrize(("highest", "step"), [(5, 1), (6, 2), *(pytest.param(6, step, marks=pytest.mark.slow) for step in (1, 3))])
def test_every_position_of_a_small_deck(highest, step, lone_card):
    array = SmallDeck(highest, step).positions(every_position(highest))
    expected = solve_many(array, rules=Rules(lone_card))  # held against the oracles in test_face_to_face_solving
    seen = 0
    for name, chosen in by_table(array, 5):
        found = look_up(array[chosen], name, lone_card)
        assert np.array_equal(found, expected[chosen]), name
        seen += len(chosen)
    assert seen > 500  # of the deck with highest 5, which is the smallest


@BOTH
@pytest.mark.parametrize("kind", ["uniform", "tight", "clustered"])
def test_positions_of_the_real_deck(kind, lone_card):
    array = pack(sample(kind, 1000, seed=41, most=3))
    expected = solve_many(array, rules=Rules(lone_card))
    for name, chosen in by_table(array, 5):
        assert np.array_equal(look_up(array[chosen], name, lone_card), expected[chosen]), name


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
    for one in outcomes(position, rules):
        after = one.position
        if not helpful and any(play.helpful for play in one.turn):
            continue
        if not after.opponent.hand:
            values.append(0)  # F12
            continue
        index, table = made_up(len(after.mover.hand), len(after.opponent.hand))
        slots = np.empty(1, np.uint64)
        assert index.rank_range(pack([after]), slots, 0, 1) == -1
        values.append(int(table[slots[0]]))
    losing = [value for value in values if value % 2 == 0]
    return 1 + min(losing) if losing else 1 + max(values) if values else 0


def check_turns(name, chosen, lone_card):
    k, m = name
    index = TableIndex(k, m)
    shelf = shelf_of(*(made_up(m, r) for r in range(1, k - 1)))
    slots, found = np.empty(len(chosen), np.uint64), np.empty(1, np.uint8)
    assert index.rank_range(pack(chosen), slots, 0, len(chosen)) == -1
    answers = set()
    for position, slot in zip(chosen, slots.tolist(), strict=True):
        for helpful in (False, True):
            assert derive_range(index, found, slot, shelf, lone_card, helpful=helpful) == 1
            # Where a pattern is its own mirror image both have slots, with made-up values of their own.
            sides = position, mirror(position)
            assert any(found[0] == look_ahead(side, Rules(lone_card), helpful) for side in sides), (position, helpful)
        answers.add(int(found[0]))
    return answers


@pytest.mark.parametrize(
    ("count", "most_turns", "lone_card"),
    [(70, 4, False), *(pytest.param(400, 6, lone_card, marks=pytest.mark.slow) for lone_card in (False, True))],
)
def test_every_turn_leads_to_its_own_slot(count, most_turns, lone_card):
    answers = set()
    for most, seed in ((3, 43), (6, 44)):
        by_name = {}
        for position in sample("clustered", 10 * count, seed=seed, most=most):
            by_name.setdefault((len(position.mover.hand), len(position.opponent.hand)), []).append(position)
        for name, chosen in by_name.items():
            if sum(name) <= 7 and name[0] <= most_turns:
                answers |= check_turns(name, chosen[:count], lone_card)
    assert answers >= {0, 1, 2, 3, 4, 5}


# lies


@pytest.mark.share(3)
@BOTH
@pytest.mark.parametrize(("k", "m"), [(1, 1), (2, 1), (1, 3), (2, 2), (3, 1), (3, 2)])
def test_a_single_lie_is_named(k, m, lone_card, times):
    random = Random(f"{k}v{m}")
    index, values = generated(k, m, lone_card)
    shelf = below(k, m, lone_card)
    values = values.copy()
    for slot in [0, index.size - 1, *random.sample(range(index.size), 25 * times)]:
        truth = int(values[slot])
        values[slot] = random.choice([value for value in (*range(7), 255) if value != truth])
        assert first_lie(index, values, 0, shelf, lone_card) == (slot, truth)
        values[slot] = truth
    assert first_lie(index, values, 0, shelf, lone_card) is None


def test_of_several_lies_the_first_is_named():
    index, values = generated(2, 2, False)
    values = values.copy()
    truth = values[[50_000, 150_000]].tolist()
    values[[50_000, 150_000]] ^= 1
    assert first_lie(index, values, 0, below(2, 2, False), False) == (50_000, truth[0])
    assert first_lie(index, values[50_001:], 50_001, below(2, 2, False), False) == (150_000, truth[1])


def with_child(k, m, r, child_values, lone_card):
    """Are the slots that a changed child changes those that are reported? Returns how many."""
    index, values = generated(k, m, lone_card)
    tables = {q: generated(m, q, lone_card) for q in range(1, k - 1)}
    shelf = shelf_of(*(tables | {r: (tables[r][0], child_values)}).values())
    expected = np.empty_like(values)
    derive_range(index, expected, 0, shelf, lone_card)
    differ = np.flatnonzero(expected != values)
    lie = first_lie(index, values, 0, shelf, lone_card)
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
    shelf = below(k, m, lone_card)
    for _ in range(100):
        start = random.randrange(index.size)
        length = min(random.choice([0, 1, 2, 7, 100, 5_000]), index.size - start)
        part = np.full(length + 2, 99, np.uint8)
        derive_range(index, part[1:-1], start, shelf, lone_card)
        assert np.array_equal(part[1:-1], values[start : start + length])
        assert part[0] == part[-1] == 99
        assert first_lie(index, values[start : start + length], start, shelf, lone_card) is None
        if length:
            place = random.randrange(length)
            lying = values[start : start + length].copy()
            lying[place] += 1
            assert first_lie(index, lying, start, shelf, lone_card) == (start + place, lying[place] - 1)


@pytest.mark.threads
def test_two_threads():
    index, values = generated(3, 2, False)
    shelf = below(3, 2, False)
    found = np.empty_like(values)

    def derive(start):
        derive_range(index, found[start : start + 99_991], start, shelf, False)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(derive, range(0, index.size, 99_991)))
    assert np.array_equal(found, values)


# what is refused


def test_ranges_and_tables_that_do_not_fit():
    index, values = generated(3, 2, False)
    fine = shelf_of(generated(2, 1, False), generated(1, 2, False), generated(2, 2, False))  # what is needed, and more
    found = np.empty_like(values)
    assert derive_range(index, found, 0, fine, False) == index.size
    assert derive_range(index, found[:0], index.size, fine, False) == 0
    for start in (1, index.size, index.size + 1, 2**64 - 1):
        with pytest.raises(IndexError, match=f"slots {start}"):
            derive_range(index, found, start, fine, False)
    for shelf in (shelf_of(), shelf_of(generated(1, 2, False))):
        with pytest.raises(ValueError, match="table 2v1 is needed"):
            derive_range(index, found, 0, shelf, False)


# chunks that are not in memory


@BOTH
@pytest.mark.parametrize(("k", "m", "bits"), [(3, 1, 2), (3, 2, 4), (4, 1, 2), (4, 1, 4)])
def test_chunks_are_asked_for_and_no_others(k, m, bits, lone_card):
    """In small chunks, from several starts: what is derived is right, and each chunk is missed once."""
    index, values = generated(k, m, lone_card)
    shelf = shelf_of(*(generated(m, r, lone_card) for r in range(1, k - 1)), bits=bits, shift=8, publish=False)
    read = {r: [] for r in range(1, k - 1)}
    found = np.full(index.size, 99, np.uint8)
    rounds = 0
    for start, stop in ((index.size // 2, index.size // 2 + 1000), (0, index.size)):
        filled = start
        while filled < stop:
            filled += derive_range(index, found[filled:stop], filled, shelf, lone_card)
            assert np.array_equal(found[start:filled], values[start:filled])
            rounds += 1
            missed = [(r, chunk) for r in read for chunk in shelf.take_wanted(m, r)]
            assert (filled == stop) == (not missed)
            for r, chunk in missed:
                read[r].append(chunk)
                shelf.publish(m, r, chunk)
        if start:
            assert all(len(chunks) <= max(3, generated(m, r, lone_card)[0].size >> 9) for r, chunks in read.items())
    assert rounds >= 3
    for r, chunks in read.items():
        assert sorted(chunks) == list(range(((generated(m, r, lone_card)[0].size - 1) >> 8) + 1))
