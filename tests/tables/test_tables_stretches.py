"""Tables of 10 cards and more: numbered in stretches, read by parts, built and verified shard by shard by several hosts."""

import threading
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from backtrick.cli import main
from backtrick.cli.files import kind_of
from backtrick.errors import CorruptTableError, ForeignFileError, MismatchError, MissingTableError, StorageError, UsageError
from backtrick.face_to_face import Position, Rules, Tablebase, classes, pack, solve_many, tablebase, unpack
from backtrick.face_to_face._classes import TableIndex, count_patterns
from backtrick.face_to_face._tables import generate_range
from backtrick.face_to_face.classes import (
    STRETCH,
    TableName,
    count_slots,
    dependencies,
    index_at,
    index_of,
    indices_over,
    rank,
    rank_many,
    representative,
    size_of,
    tables_up_to,
)
from backtrick.face_to_face.codec import mirrored
from backtrick.face_to_face.tables import building
from backtrick.face_to_face.tables.building import Rows, Search, TableJob, build_shards, build_tables, estimate
from backtrick.face_to_face.tables.table import read_values
from backtrick.face_to_face.tables.verifying import check_shard, open_shard, verify_shard, verify_table
from backtrick.storage import jobs
from backtrick.storage.file import Reader, write_file
from command import ask
from shares import draw
from test_tables_building import build, digests, many_shards  # noqa: F401

LARGE = [TableName(*name) for name in ((5, 5), (6, 4), (4, 6), (6, 5), (5, 6), (6, 6))]


# stretches


def stretches_of(name, length):
    """All stretches of a table, each of `length` patterns."""
    found, start, patterns = [], 0, count_patterns(*name)
    for first in range(0, patterns, length):
        found.append(TableIndex(*name, first, min(length, patterns - first), start))
        start = found[-1].stop
    return found


@pytest.mark.parametrize("name", tables_up_to(7), ids=str)
def test_stretches_are_the_whole_index(name):
    """Every entry that leads to slots of the same stretch, every pattern with slots, and their sizes."""
    whole = index_of(name)
    there = whole.look_ups()
    length = max(2, whole.patterns // 7 + 3)
    stretches = stretches_of(name, length)
    assert sum(one.size for one in stretches) == whole.size == stretches[-1].stop
    assert sum(one.unfolded for one in stretches) == whole.unfolded
    for one in stretches:
        found, expected = one.look_ups(), there["entries"][one.first : one.first + one.patterns]
        elsewhere = found["entries"]["turned"] == 2
        assert np.array_equal(found["entries"][~elsewhere], expected[~elsewhere])
        assert (expected["turned"][elsewhere] == 1).all()
        assert (expected["offset"][elsewhere] < one.start).all()
        in_it = (there["kept"] >= one.first) & (there["kept"] < one.first + length)
        assert np.array_equal(found["kept"] + one.first, there["kept"][in_it])
    slots = np.linspace(0, whole.size - 1, 50).astype(np.uint64).tolist()
    for slot in slots:
        (one,) = (one for one in stretches if one.start <= slot < one.stop)
        assert one.describe(slot) == whole.describe(slot)
    with pytest.raises(IndexError, match="slots"):
        stretches[-1].describe(stretches[-1].start - 1)


@pytest.fixture
def small_stretches(monkeypatch):
    """Every table is numbered in stretches, of 40 patterns."""
    monkeypatch.setattr(classes, "STRETCH", 40)
    monkeypatch.setattr(classes, "MOST_WHOLE", 1)
    monkeypatch.setattr(tablebase, "MOST_WHOLE", 3)  # larger tables are looked up by stretches
    caches = (classes.size_of, classes._stretches, classes._stretch)

    @cache
    def sizes(name):
        ones = stretches_of(name, 40)
        return np.array([0, *(one.stop for one in ones)], np.uint64), sum(one.unfolded for one in ones)

    for one in caches:
        one.cache_clear()
    monkeypatch.setattr(classes, "_stretches", sizes)
    yield
    for one in caches:
        one.cache_clear()


def test_values_over_stretches(small_stretches, tmp_path):  # noqa: ARG001
    name = TableName(3, 2)
    build(tmp_path, ["3v2"])
    assert digests(tmp_path)["3v2.h5"] == "8a4ad2b37bb0990f0ddb99b2b836458d6ad2952f557dced1b676bf45f002858b"
    (verified,) = verify_table(tmp_path / "3v2.h5", 2, False)
    assert verified.verified == size_of(name).slots == index_of(name).size
    expected = np.empty(size_of(name).slots, np.uint8)
    generate_range(index_of(name), expected, 0, False)
    assert len(list(indices_over(name, 0, len(expected)))) > 5
    for way in (Search(name, Rules()), Rows(tmp_path / "3v2.h5", name, Rules(), Reader(tmp_path / "3v2.h5").header.dependencies)):
        for start, stop in ((0, len(expected)), (1000, 1001), (100_000, 900_000), (5, 5)):
            found = np.empty(stop - start, np.uint8)
            way.fill(found, start)
            assert np.array_equal(found, expected[start:stop])
    random = Random(1)
    for slot in (random.randrange(len(expected)) for _ in range(200)):
        assert index_at(name, slot).describe(slot) == index_of(name).describe(slot)
        position = representative(name, slot)
        assert position is None or rank(position) == (name, slot)


@pytest.mark.parametrize("name", [(5, 5), (6, 5), (6, 6)])
def test_samples_of_large_tables(name):
    """A slot's position has this slot. It is among the slots of its stretch, whose size is the listed one."""
    name, random, found = TableName(*name), Random(str(name)), 0
    for _ in range(4):
        index = index_at(name, random.randrange(size_of(name).slots))
        assert index.first % STRETCH == 0
        for slot in [index.start, index.stop - 1, *(random.randrange(index.start, index.stop) for _ in range(10))]:
            assert index_at(name, slot) is index
            position = representative(name, slot)
            if position is not None:
                found += 1
                assert rank(position) == (name, slot)
    assert found > 20


def test_sizes_of_large_tables():
    slots = [421141334643, *2 * [338683229016], *2 * [4084865445544], 43045381601178]
    assert [size_of(name).slots for name in LARGE] == slots
    assert all(size_of(name).patterns == count_patterns(*name) for name in LARGE)
    with pytest.raises(IndexError, match="6v6, which has 4"):
        index_at(TableName(6, 6), size_of(TableName(6, 6)).slots)


@pytest.mark.slow
def test_sizes_of_tables_of_ten_cards_are_counted():
    for name in (TableName(6, 4), TableName(4, 6)):
        assert count_slots(name) == (size_of(name).unfolded, size_of(name).slots)


# looking up


@pytest.mark.parametrize("name", [(3, 2), (4, 2), (2, 4), (5, 5), (6, 6)])
def test_slots_of_many_positions(name):
    name = TableName(*name)
    positions = unpack(draw(name, 100 if name.cards < 10 else 3))
    assert rank_many(name, pack(positions)).tolist() == [rank(position)[1] for position in positions]


def stretch_and_shards(directory, name, stretch):
    """The slots of a stretch, and the numbers of the shards that hold them."""
    index = classes._stretch(name, stretch)
    each = TableJob(directory, name).shard_items * 4
    return range(index.start, index.stop), range(index.start // each, (index.stop - 1) // each + 1)


@pytest.mark.parametrize(
    ("text", "stretch", "by"),
    [("3v2", 2, "rows"), ("2v2", 2, "search"), *(pytest.param("3v3", 7, by, marks=pytest.mark.slow) for by in ("rows", "search"))],
)
def test_one_stretch_is_built_and_looked_up(tmp_path, small_stretches, many_shards, text, stretch, by):  # noqa: ARG001, F811
    """From the tables below, if it is by rows: every slot is that of the whole table, and probing reads it there."""
    name = TableName.parse(text)
    slots, shards = stretch_and_shards(tmp_path, name, stretch)
    assert 0 < shards.start < shards.stop and len(slots) > 1000
    if by == "rows":
        build(tmp_path, list(map(str, dependencies(name))))
    build_shards(tmp_path, text, shards, by=by, processes=0, progress=False)
    build(tmp_path / "whole", [text])
    with Tablebase(tmp_path / "whole") as whole, Tablebase(tmp_path) as tables:
        assert tables.holds_any() and name not in tables.names()
        positions, there = [], []
        for slot in slots[:: max(1, len(slots) // 1500)]:
            if (position := representative(name, slot)) is not None:
                positions.append(position)
                there.append(slot)
        assert len(positions) > 500
        values = tables.probe_many(pack(positions), 2).tolist()
        right = read_values(Reader(tmp_path / "whole" / f"{text}.h5"))[there].tolist()
        assert values == right == solve_many(pack(positions)).tolist() and len(set(values)) > 1
        assert values == whole.probe_many(pack(positions)).tolist()
        for position, value in list(zip(positions, values, strict=True))[::100]:
            assert (tables.probe(position), tables.solve(position).source) == (value, text)
            image = unpack(mirrored(pack([position])))[0]
            assert tables.probe(image) == value
        elsewhere = representative(name, 0)
        assert tables.get(elsewhere) is None
        mixed = [elsewhere, *positions[:3], Position.parse("2^60v:6 3^59v:7")]
        small = 0 if TableName(1, 1) in tables.names() else 99
        assert tables.probe_many(pack(mixed), missing=99).tolist() == [99, *values[:3], small]
        with pytest.raises(MissingTableError, match=f"{text}.h5"):
            tables.probe(elsewhere)


def test_a_shard_under_the_name_of_another_is_refused(tmp_path, small_stretches, many_shards):  # noqa: ARG001, F811
    name = TableName(3, 2)
    ((path, _),) = build_shards(tmp_path, "3v2", range(3, 4), by="search", processes=0, progress=False)
    path.rename(path.with_name("000004.h5"))
    start = TableJob(tmp_path, name).shard_items * 4 * 4
    position = next(found for slot in range(start, start + 1000) if (found := representative(name, slot)))
    with Tablebase(tmp_path) as tables, pytest.raises(ForeignFileError, match="it is not the shard that its name says"):
        tables.probe(position)


# chunks of the tables below


def test_chunks_are_dropped_and_read_again(tmp_path, monkeypatch, many_shards):  # noqa: ARG001, F811
    """With room for two chunks of the tables below, by one thread and by several: each is given what it needs all the same."""
    build(tmp_path, ["2v2", "3v2", "4v2"])
    path, name = tmp_path / "4v2.h5", TableName(4, 2)
    monkeypatch.setattr(building, "CHILD_BYTES", 2 << 14)
    values = read_values(Reader(path))[: 3 << 17]
    way = Rows(path, name, Rules(), Reader(path).header.dependencies)
    reads = []
    chunk = Reader.chunk
    monkeypatch.setattr(Reader, "chunk", lambda self, number: (reads.append((self.path.name, number)), chunk(self, number))[1])
    found = np.empty_like(values)
    assert not way._cache._bytes
    way.fill(found, 0)
    assert np.array_equal(found, values)
    distinct = set(reads)
    assert len(distinct) > 2
    way.fill(found, 0)
    assert len(reads) > len(distinct)  # the chunks that had no room were read again
    found[:] = 0
    parts = [(found[start : start + (1 << 17)], start) for start in range(0, len(found), 1 << 17)]
    threads = [threading.Thread(target=way.fill, args=part) for part in parts]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert np.array_equal(found, values)
    assert way._cache._bytes <= 20 << 14
    way.close()
    monkeypatch.setattr(building, "CHILD_BYTES", 1)  # what one pattern needs is there together all the same
    way, found = Rows(path, name, Rules(), Reader(path).header.dependencies), np.empty(1 << 14, np.uint8)
    way.fill(found, 0)
    assert np.array_equal(found, values[: len(found)])
    way.close()


# shards


@pytest.mark.parametrize("by", ["rows", "search"])
def test_hosts_build_shards_and_a_last_call_merges(tmp_path, monkeypatch, many_shards, by):  # noqa: ARG001, F811
    with monkeypatch.context() as patch:
        build(tmp_path / "whole", ["3v2"])
        there = tmp_path / "shards"
        if by == "rows":
            with pytest.raises(MissingTableError, match="2v1"):
                build_shards(there, "3v2", range(2), by=by, processes=0)
            build(there, ["2v1"])
        made = build_shards(there, "3v2", range(3, 5), by=by, processes=0, progress=False)
        assert [header.name for _, header in made] == ["3v2 3", "3v2 4"]
        build_shards(there, "3v2", range(3), by=by, processes=0, progress=False)
        assert estimate(TableName(3, 2)).shards == 12
        written = []
        patch.setattr(jobs, "write_file", lambda path, *what: (written.append(path.name), write_file(path, *what))[1])
        build(there, ["3v2"], by=by)
        assert "000005.h5" in written and not {f"00000{number}.h5" for number in range(5)} & set(written) - {"000000.h5"}
        assert digests(there)["3v2.h5"] == digests(tmp_path / "whole")["3v2.h5"]
        assert jobs.leftovers(there) == []


def test_tables_whose_children_do_not_fit_into_memory_are_estimated_as_slow_as_a_search():
    rates = [round(one.slots / one.seconds) for one in map(estimate, LARGE)]
    assert rates == [building.SLOTS_A_SECOND["rows"]] * 3 + [building.SLOTS_A_SECOND["search"]] * 3


def test_the_command_says_which_shards_there_are(tmp_path):
    asked = ["generate", "2v1", "--by", "search", "--shards", "0", "--workers", "1", "--tables", str(tmp_path)]
    for _ in range(2):  # the second time it is there
        name, digest, path = ask(*asked).stdout.strip().split("\t")
        assert name == "2v1 0" and Reader(path).header.digest == digest
    shown = ask("generate", "2v1", "--tables", str(tmp_path)).stdout
    assert digests(tmp_path)["2v1.h5"] == shown.strip().split("\t")[1] and not list(tmp_path.glob(".work/2v1*"))


def test_shards_that_a_table_has_not(tmp_path, capsys):
    for numbers in (range(1, 2), range(0, 2)):
        with pytest.raises(UsageError, match="2v1 has the shards 0-0, and not"):
            build_shards(tmp_path, "2v1", numbers, by="search", processes=0)
    for asked in (["2v1", "--shards", "3-1"], ["--shards", "x", "2v1"], ["--shards", "1", "2v1", "2v2"],
                  ["--shards", "1", "--cards", "3"], ["--shards", "1", "--positions", "-"]):  # fmt: skip
        assert main(["generate", "--tables", str(tmp_path), *asked]) == 2
        assert "--shards" in capsys.readouterr().err


@pytest.fixture(params=["rows", "search"])
def shard(request, tmp_path, many_shards):  # noqa: ARG001, F811
    """The path of 3v2's shard 2 of 12."""
    build(tmp_path, ["2v1"])
    ((path, _),) = build_shards(tmp_path, "3v2", range(2, 3), by=request.param, processes=0, progress=False)
    return path


def test_a_shard_is_checked_verified_and_described(shard, capsys):
    built = Reader(shard).header.by
    other = "rows" if built == "search" else "search"
    first = 2 * (3 << 16)
    assert main(["check", str(shard)]) == 0 and main(["info", str(shard)]) == 0
    assert f"[{first}, {first + (3 << 16)}]" in capsys.readouterr().out
    for by in (None, "rows", "search"):
        assert verify_shard(shard, 2, False, by=by) == [(by or other, 3 << 16, 3 << 16)]
    assert main(["verify", "--share", "20%", str(shard)]) == 0
    assert f" of {3 << 16} slots by {other}" in capsys.readouterr().out
    with pytest.raises(StorageError, match="a shard is a part of a file, whose positions cannot be listed"):
        list(kind_of(Reader(shard)).positions(Reader(shard)))


@pytest.mark.share(2)
@pytest.mark.parametrize("place", [0, 70_001, (3 << 16) - 1])
def test_a_false_value_in_a_shard_is_named(shard, place):
    reader = Reader(shard)
    chunks = [items.copy() for items in reader]
    chunks[place // (1 << 16)][place % (1 << 16) // 4] ^= 1 << 2 * (place % 4)
    write_file(shard, reader.header, [(items, {}) for items in chunks])
    told = open_shard(Reader(shard))
    slot = told.start + place
    for by in ("rows", "search"):
        with pytest.raises(MismatchError) as raised:
            verify_shard(shard, 1, False, by=by)
        assert raised.value.position == (representative(TableName(3, 2), slot) or f"slot {slot}, of no real position,")
    assert main(["verify", str(shard)]) == 3
    with pytest.raises(CorruptTableError, match="its counts of slots by remoteness are not those of its values"):
        check_shard(shard)


def test_shards_by_search_are_made_before_the_tables_below_and_are_found(tmp_path, monkeypatch):
    build_shards(tmp_path, "3v1", range(1), by="search", processes=0, progress=False)
    usual, filled = Search.fill, []
    monkeypatch.setattr(Search, "fill", lambda way, values, start: [filled.append(str(way.name)), usual(way, values, start)])
    build_tables(tmp_path, ["3v1"], by="search", processes=0, progress=False)
    assert filled == ["1v1"]


def test_a_false_value_of_no_real_position_is_named(tmp_path):
    build(tmp_path, ["1v2"])
    reader, slot = Reader(tmp_path / "1v2.h5"), 14
    chunks = [items.copy() for items in reader]
    chunks[0][slot // 4] ^= 1 << 2 * (slot % 4)
    write_file(reader.path, reader.header, [(items, {}) for items in chunks])
    assert representative(TableName(1, 2), slot) is None
    for by in ("rows", "search"):
        with pytest.raises(MismatchError, match="slot 14, of no real position, is stored as"):
            verify_table(reader.path, 1, False, by=by)


def test_a_shard_under_another_name(shard, tmp_path):
    reader = Reader(shard)
    for name in ("3v2 12", "3v2 11", "3v1 2", "3v2", "3v2 x", "9v9 0", "3v2 -1", "3v2 0000000002", "3v2 2"):
        path = tmp_path / "forged.h5"
        kind = "set" if name == "3v2 2" else "shard"  # the rest of it is in order
        write_file(path, replace(reader.header, kind=kind, name=name, counts={}), [(items, {}) for items in reader])
        with pytest.raises(ForeignFileError):
            open_shard(Reader(path))
    assert TableJob(tmp_path, TableName(3, 2)).header.by == "search"
