"""Single patterns held against themselves: their slots are those of the complete tables, and of the oracles beyond these."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest

from audit.face_to_face.patterns import check_pattern, count_patterns, draw_pattern, slots_of_pattern
from backtrick.face_to_face import _by_rows
from backtrick.face_to_face._by_rows import derive_range
from backtrick.face_to_face._classes import TableIndex, pattern_at_rank
from backtrick.face_to_face._tables import generate_range
from backtrick.face_to_face.position import POSITION_DTYPE
from shelves import shelf_of

BOTH = pytest.mark.parametrize("lone_card", [False, True])


def values_of(fill, k, m, rank, lone_card):
    values = np.full(slots_of_pattern(k, m, rank)[0], 99, np.uint8)
    fill(k, m, rank, lone_card, values)
    return values


def kept(index, k, m):
    """The patterns that have slots of their own, each with its first slot in the table."""
    start = 0
    for rank in range(count_patterns(k, m)):
        if start < index.size and index.describe(start)[:2] == pattern_at_rank(k, m, rank):
            yield rank, start
            start += slots_of_pattern(k, m, rank)[0]
    assert start == index.size


@cache
def table(k, m, lone_card):
    index = TableIndex(k, m)
    values = np.empty(index.size, np.uint8)
    generate_range(index, values, 0, lone_card)
    return index, values


# held against complete tables, which are held against the oracles in test_face_to_face_verify


@pytest.mark.share(3)
@BOTH
@pytest.mark.parametrize(("k", "m"), [(1, 1), (2, 1), (1, 3), (2, 2), (3, 1), (2, 3), (4, 1), (3, 2)])
def test_a_pattern_has_the_values_of_the_table(k, m, lone_card):
    index, _ = table(k, m, lone_card)
    values = np.empty(index.size, np.uint8)
    derive_range(index, values, 0, shelf_of(*(table(m, r, lone_card) for r in range(1, k - 1))), lone_card)
    for rank, start in kept(index, k, m):
        for fill in (_by_rows.search_pattern, _by_rows.derive_pattern):
            found = values_of(fill, k, m, rank, lone_card)
            assert np.array_equal(found, values[start : start + len(found)]), (rank, fill)


@pytest.mark.share(3)
@BOTH
@pytest.mark.parametrize(("k", "m"), [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (1, 4), (4, 1), (3, 2)])
def test_every_pattern_of_a_small_table_agrees_mirror_images_too(k, m, lone_card):
    total = 0
    for rank in range(count_patterns(k, m)):
        slots, mismatches = check_pattern(k, m, rank, lone_card)
        assert mismatches == []
        total += slots
    assert total == TableIndex(k, m).unfolded


# beyond the tables


def random_patterns(k, m, count, seed):
    rng = np.random.default_rng([seed, k, m])
    return [draw_pattern(rng, k, m) for _ in range(count)]


@pytest.mark.share(3)
@pytest.mark.parametrize("k", range(1, 7))
@pytest.mark.parametrize("m", range(1, 7))
def test_a_random_pattern_of_every_size(k, m):
    (rank,) = random_patterns(k, m, 1, 61)
    for lone_card in (False, True):
        assert check_pattern(k, m, rank, lone_card) == (slots_of_pattern(k, m, rank)[0], [])


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("k", range(1, 7))
@pytest.mark.parametrize("m", range(3, 7))
def test_random_patterns_of_every_size(k, m, lone_card):
    for rank in random_patterns(k, m, 40, 62):
        assert check_pattern(k, m, rank, lone_card)[1] == []


@pytest.mark.parametrize(
    ("k", "m", "rank", "lone_card"),
    [(5, 4, 920_836, False), (6, 3, 660_851, True), (6, 3, 585_654, True)],
)
def test_patterns_that_the_search_was_wrong_about(k, m, rank, lone_card):
    """With `less_one` built by shifting before masking, helpful finishes of partial hands were overlooked here."""
    assert check_pattern(k, m, rank, lone_card)[1] == []


def test_the_position_of_a_slot_has_the_class_that_is_described():
    index, _ = table(3, 2, False)
    slots = np.empty(1, np.uint64)
    rng = np.random.default_rng(65)
    for rank, start in kept(index, 3, 2):
        slot = int(rng.integers(slots_of_pattern(3, 2, rank)[0]))
        row, description = _by_rows.describe(3, 2, rank, slot)
        assert description == index.describe(start + slot)
        if row is not None:
            index.rank_range(np.array([row], POSITION_DTYPE), slots, 0, 1)
            assert slots[0] == start + slot


# what is told


def test_a_mismatch_tells_where_and_what(monkeypatch):
    def off_by_one(k, m, rank, lone_card, values):
        _by_rows.search_pattern(k, m, rank, lone_card, values)
        values[::3] += 1

    honest = _by_rows.search_pattern
    values = values_of(honest, 3, 2, 77, False)
    monkeypatch.setattr("audit.face_to_face.patterns._by_rows.derive_pattern", off_by_one)
    slots, mismatches = check_pattern(3, 2, 77)
    assert slots == len(values)
    assert [mismatch.slot for mismatch in mismatches] == list(range(0, 300, 3))
    for mismatch in mismatches:
        row, description = _by_rows.describe(3, 2, 77, mismatch.slot)
        assert (mismatch.searched, mismatch.derived) == (values[mismatch.slot], values[mismatch.slot] + 1)
        assert mismatch.description == description
        assert (row is None) == (mismatch.position is None)
        if mismatch.position is None:
            assert str(mismatch).startswith(f"slot {mismatch.slot}, ((")
        else:
            assert mismatch.position.packed == row
            assert str(mismatch) == f"{mismatch.position}: {mismatch.searched} by search, {mismatch.derived} by its turns"


def test_several_threads():
    ranks = random_patterns(4, 4, 12, 66)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda rank: check_pattern(4, 4, rank), ranks))
    assert found == [check_pattern(4, 4, rank) for rank in ranks]


def test_what_is_refused():
    for k, m in ((0, 1), (1, 0), (7, 1), (1, 7), (-1, 3)):
        with pytest.raises(ValueError, match=f"hands must be of 1..6 cards, not {k} v {m}"):
            check_pattern(k, m, 0)
    for rank in (-1, 416_852_190, 2**64):
        with pytest.raises(IndexError, match=f"pattern {rank} of 6 v 6, which has 416,852,190"):
            check_pattern(6, 6, rank)
    for fill in (_by_rows.search_pattern, _by_rows.derive_pattern):
        with pytest.raises(ValueError, match="the pattern has 81 slots, not 80"):
            fill(1, 1, 0, False, np.empty(80, np.uint8))
    with pytest.raises(IndexError, match="slot 81 of 81"):
        _by_rows.describe(1, 1, 0, 81)
