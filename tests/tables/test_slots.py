"""Slots of 2 and of 4 bits, packed, unpacked and looked up, held against numpy and against the search.

Only tables of nine cards and more, 5v4 first, and with a lone card 5v3, have 4 bits a slot. So small tables are made to have
them, and of the large ones the tests build spans.
"""

import numpy as np
import pytest

from backtrick.errors import CorruptTableError
from backtrick.face_to_face import Rules, build_tables, open_tablebase, pack, solve_many, unpack
from backtrick.face_to_face._tables import MISSING, UNREAD, ValueTables, count_values, generate_range, pack_values, unpack_values
from backtrick.face_to_face.classes import TableName, all_dependencies, index_of, representative
from backtrick.face_to_face.tables import table as tables
from backtrick.face_to_face.tables.building import TableJob
from backtrick.face_to_face.tables.table import open_table, read_values
from backtrick.face_to_face.tables.verifying import verify_table
from backtrick.storage.file import Reader
from shares import draw

BITS = pytest.mark.parametrize("bits", [2, 4])


def packed_by_numpy(values, bits):
    """docs/format.md: a byte holds 4 or 2 slots, the first in the lowest bits."""
    each = 8 // bits
    rows = np.concatenate([values, np.zeros(-len(values) % each, np.uint8)]).reshape(-1, each)
    return sum(rows[:, i].astype(np.int64) << (bits * i) for i in range(each)).astype(np.uint8)


@BITS
@pytest.mark.parametrize("count", [*range(18), 255, 256, 10_001])
def test_packing_and_unpacking(bits, count):
    values = np.random.default_rng(count).integers(0, 4 if bits == 2 else 6, count, np.uint8)
    packed = np.full(-(-count * bits // 8), 255, np.uint8)
    counts = pack_values(values, packed, bits)
    assert np.array_equal(packed, packed_by_numpy(values, bits))
    assert counts == np.bincount(values, minlength=6).tolist()
    again = np.full(count, 255, np.uint8)
    unpack_values(packed, again, bits)
    assert np.array_equal(again, values)


@BITS
def test_each_value_in_each_place_of_a_byte(bits):
    each, most = 8 // bits, 4 if bits == 2 else 6
    for place in range(each):
        for value in range(most):
            values = np.zeros(each, np.uint8)
            values[place] = value
            packed = np.zeros(1, np.uint8)
            pack_values(values, packed, bits)
            assert packed[0] == value << (bits * place)


@BITS
def test_a_value_that_is_no_remoteness_is_not_packed(bits):
    packed = np.full(2, 99, np.uint8)
    for value in (4 if bits == 2 else 6, 15, 16, 255):
        with pytest.raises(ValueError, match=f"not {value}"):
            pack_values(np.array([0, value, 1, 2], np.uint8)[: 16 // bits], packed[: bits // 2], bits)
        assert packed.tolist() == [99, 99]


def test_a_value_that_is_no_remoteness_is_not_counted():
    with pytest.raises(ValueError, match=r"0\.\.5 here, not 13"):
        count_values(np.array([8, 9, 13], np.uint8), np.ones(3, np.uint8))
    assert count_values(np.array([5, 0, 5, 3], np.uint8), np.array([1, 2, 255, 4], np.uint8)) == [2, 0, 0, 4, 0, 256]


# the shelf


@BITS
@pytest.mark.parametrize("shift", [4, 10, 63])
def test_looking_up_what_is_published(bits, shift):
    """Made-up values, so that neighbours differ, and every other chunk only."""
    name = TableName(2, 2)
    index = index_of(name)
    values = np.random.default_rng(bits).integers(0, 4 if bits == 2 else 6, index.size, np.uint8)
    shelf = ValueTables()
    room = packed_by_numpy(values, bits)
    shelf.put(index, room, bits, shift)
    chunks = ((index.size - 1) >> shift) + 1
    published = np.arange(chunks) % 2 == 0
    for chunk in np.flatnonzero(published):
        shelf.publish(2, 2, chunk)
    positions = draw(name, 5000, seed=bits)
    slots = np.empty(len(positions), np.uint64)
    assert index.rank_range(positions, slots, 0, len(positions)) == -1
    there = published[slots >> np.uint64(shift)]
    expected = np.where(there, values[slots], UNREAD)
    found = np.empty(len(positions), np.uint8)
    assert shelf.look_up_range(positions, found, 0, len(positions)) == -1
    assert np.array_equal(found, expected)
    assert [shelf.look_up(*row) for row in positions[:500].tolist()] == expected[:500].tolist()
    assert shelf.take_wanted(2, 2) == np.unique(slots[~there] >> np.uint64(shift)).tolist()
    assert shelf.take_wanted(2, 2) == []


def test_a_shelf_says_what_is_not_on_it():
    shelf, row = ValueTables(), pack(unpack(draw(TableName(2, 1), 1))).tolist()[0]
    assert shelf.look_up(*row) == MISSING
    index = index_of(TableName(2, 1))
    packed = np.zeros(index.size, np.uint8)
    shelf.put(index, packed, 4, 63)
    assert shelf.look_up(*row) == UNREAD
    with pytest.raises(ValueError, match="there already"):
        shelf.put(index, packed, 4, 63)


# tables that are small, made to have 4 bits a slot


@pytest.fixture
def four_bits(monkeypatch):
    """Every table has 4 bits a slot, and many chunks."""
    monkeypatch.setattr(tables, "bits_of", lambda mover, opponent, lone_card: 4)
    monkeypatch.setattr(tables, "CHUNK_BYTES", 1 << 10)


@pytest.mark.parametrize("lone_card", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_table_of_four_bits_from_building_to_verifying(four_bits, tmp_path, lone_card):
    rules, names = Rules(lone_card), all_dependencies(TableName(2, 2), TableName(3, 1))
    build_tables(tmp_path, names, rules, processes=0, progress=False)
    chunks = 0
    for one in names:
        path = tmp_path / tables.file_name(one, lone_card)
        reader, index = open_table(path, rules, one), index_of(one)
        assert reader.header.scheme["bits"] == 4 and reader.header.length == -(-index.size // 2)
        values = np.empty(index.size, np.uint8)
        generate_range(index, values, 0, lone_card)
        stored = np.concatenate([reader.chunk(number) for number in range(reader.header.chunks)])
        assert np.array_equal(stored, packed_by_numpy(values, 4))
        assert np.array_equal(read_values(reader), values)
        verified = verify_table(path, progress=False, by="both")
        assert [(one.by, one.verified) for one in verified] == [("rows", index.size), ("search", index.size)]
        positions = draw(one, 3000, seed=4)
        expected = solve_many(positions, rules=rules)
        with open_tablebase(tmp_path, rules) as opened:
            assert np.array_equal(opened.probe_many(positions), expected)
        with open_tablebase(tmp_path, rules) as opened:
            assert [opened.probe(position) for position in unpack(positions[:100])] == expected[:100].tolist()
        chunks += reader.header.chunks
    assert chunks > 100


def test_a_slot_that_holds_no_remoteness_is_damage(four_bits, tmp_path, monkeypatch):
    """A file that is sealed and whole, and yet says 9."""
    build_tables(tmp_path, ["2v2"], processes=0, progress=False)
    chunk = Reader.chunk

    def lying(reader, number):
        packed = np.array(chunk(reader, number))
        packed[7] = packed[7] & 15 | 0x90
        return packed

    monkeypatch.setattr(Reader, "chunk", lying)
    positions = draw(TableName(2, 2), 2000)
    for ask in (
        lambda: open_tablebase(tmp_path).probe_many(positions),
        lambda: open_tablebase(tmp_path).probe(unpack(positions[:1])[0]),
        lambda: verify_table(tmp_path / "2v2.h5", progress=False),
        lambda: read_values(open_table(tmp_path / "2v2.h5", Rules(), TableName(2, 2))),
    ):
        with pytest.raises(CorruptTableError, match=r"2v2\.h5: chunk [0-9]+ of [0-9]+ holds 9, which is not a remoteness"):
            ask()


# spans of tables that are large


@pytest.mark.parametrize(
    ("name", "lone_card", "chunk"),
    [(TableName(5, 3), True, 21_661), pytest.param(TableName(5, 4), False, 776_360, marks=pytest.mark.slow)],
)
def test_a_piece_of_a_large_table(tmp_path, monkeypatch, name, lone_card, chunk):
    """One chunk, its bytes as the job of a builder gives them, read where it would lie in the whole table."""
    monkeypatch.setattr(tables, "CHUNK_BYTES", 1 << 14)
    monkeypatch.setattr("backtrick.face_to_face.tables.building.MOST_NUMBERS", 0)  # no counts of classes, which take long
    rules = Rules(lone_card)
    job, index = TableJob(tmp_path, name, rules), index_of(name)
    header = job.header
    assert header.scheme["bits"] == 4
    (packed, counts), = job.items(chunk * header.chunk, (chunk + 1) * header.chunk)
    values = np.empty(2 * header.chunk, np.uint8)
    generate_range(index, values, chunk * len(values), lone_card)
    assert np.array_equal(packed, packed_by_numpy(values, 4))
    assert counts == {f"slots {value}": count for value, count in enumerate(np.bincount(values).tolist()) if count}
    assert values.max() > 3

    room = np.memmap(tmp_path / "packed", np.uint8, "w+", shape=header.length)  # a hole in a file: gigabytes, and none used
    room[chunk * header.chunk : (chunk + 1) * header.chunk] = packed
    shelf = ValueTables()
    shelf.put(index, room, 4, 15)
    shelf.publish(*name, chunk)
    first = chunk * len(values)
    slots = first + np.concatenate([np.flatnonzero(values > 3)[:200], np.arange(0, len(values), 97)])
    found = {int(slot): representative(name, int(slot)) for slot in slots}
    positions = pack(position for position in found.values() if position is not None)
    known = np.array([values[slot - first] for slot, position in found.items() if position is not None])
    assert (known > 3).sum() > 10 and len(known) > 100
    looked_up = np.empty(len(positions), np.uint8)
    assert shelf.look_up_range(positions, looked_up, 0, len(positions)) == -1
    assert np.array_equal(looked_up, known)
    assert np.array_equal(looked_up, solve_many(positions, rules=rules))
