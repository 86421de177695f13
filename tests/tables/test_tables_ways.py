"""Tables by rows and by search: equal byte by byte, each verified by the other way, and whoever is killed goes on."""

import signal
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from backtrick.cli import main
from backtrick.errors import ArgumentError, CorruptTableError, ForeignFileError, MismatchError, MissingTableError
from backtrick.face_to_face import Rules, tablebase
from backtrick.face_to_face.classes import TableName, all_dependencies, dependencies, index_of, tables_up_to
from backtrick.face_to_face.tables import building, verifying
from backtrick.face_to_face.tables.building import PATTERN_BYTES, Rows, Search, TableJob, estimate
from backtrick.face_to_face.tables.table import file_name, open_table, read_values
from backtrick.face_to_face.tables.verifying import Verified, drawn_chunks, verify_table
from backtrick.storage import jobs
from backtrick.storage.file import Reader, write_file
from command import ask
from test_tables_building import (  # noqa: F401
    BOTH,
    StoppedError,
    begin,
    build,
    count_writes,
    digests,
    files,
    generator,
    many_shards,
    stop_after,
)
from waiting import PATIENCE

WAYS = pytest.mark.parametrize("by", ["rows", "search"])


def other(by):
    return "rows" if by == "search" else "search"


def build_all(directory, rules, by):
    build(directory, [*tables_up_to(4), TableName(3, 2)], rules=rules, by=by)
    return directory


@pytest.fixture(scope="module", params=[Rules(), pytest.param(Rules(lone_card=True), marks=pytest.mark.slow)],
                ids=["strict", "lone-card"])  # fmt: skip
def both(request, tmp_path_factory):
    """The rules, and the same tables by each way, in many chunks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("backtrick.face_to_face.tables.table.CHUNK_BYTES", 1 << 14)
        yield request.param, {by: build_all(tmp_path_factory.mktemp(by), request.param, by) for by in ("rows", "search")}


# equal


def test_both_ways_are_equal_slot_by_slot_and_byte_by_byte(both):
    rules, places = both
    assert files(places["rows"]) == files(places["search"]) and len(files(places["rows"])) == 7
    for name in [*tables_up_to(4), TableName(3, 2)]:
        rows, search = (open_table(places[by] / file_name(name, rules.lone_card), rules, name) for by in ("rows", "search"))
        assert np.array_equal(read_values(rows), read_values(search))
        assert [rows.raw_chunk(number) for number in range(rows.header.chunks)] == [
            search.raw_chunk(number) for number in range(search.header.chunks)
        ]
        assert (rows.header.by, search.header.by) == ("rows", "search")
        assert rows.header == replace(search.header, by="rows")  # the digest, the counts, all else


def test_one_way_upon_the_tables_of_the_other(both, tmp_path):
    """What a table names are digests, so it matters to no table by which way another was built."""
    rules, places = both
    for by in ("rows", "search"):
        directory = tmp_path / by
        directory.mkdir()
        for name in all_dependencies(TableName(3, 2))[:-1]:
            path = places[other(by)] / file_name(name, rules.lone_card)
            (directory / path.name).write_bytes(path.read_bytes())
        (header,) = build(directory, ["3v2"], rules=rules, by=by)
        assert header.by == by and header.digest == digests(places[by])[file_name(TableName(3, 2), rules.lone_card)]


@pytest.mark.slow
@BOTH
def test_both_ways_are_equal_up_to_six_cards(tmp_path, rules, monkeypatch):
    monkeypatch.setattr("backtrick.face_to_face.tables.table.CHUNK_BYTES", 1 << 20)  # worker processes know nothing of `both`'s
    for by in ("rows", "search"):
        build(tmp_path / by, tables_up_to(6), rules=rules, by=by, processes=2)
    assert digests(tmp_path / "rows") == digests(tmp_path / "search")


def test_rows_are_the_default(tmp_path):
    (header,) = build(tmp_path, ["2v1"])
    assert header.by == "rows"
    for options, by in ((["--by", "search", "--force"], "search"), ([], "search"), (["--force"], "rows")):  # []: it is there
        assert ask("generate", "2v1", *options, "--tables", str(tmp_path)).returncode == 0
        assert Reader(tmp_path / "2v1.h5").header.by == by
    refused = ask("generate", "--positions", "-", "--by", "rows", "--tables", str(tmp_path))
    assert refused.returncode == 2 and "--by are for complete tables" in refused.stderr


def test_an_estimate_counts_what_an_index_allocates_for_a_pattern():
    look_ups = index_of(TableName(2, 1)).look_ups()
    assert sum(array.itemsize for array in look_ups.values()) == PATTERN_BYTES


def test_an_estimate_is_of_one_way():
    rows, search = (estimate(TableName(4, 3), by=by) for by in ("rows", "search"))
    assert rows.seconds < search.seconds / 2 and rows.worker_bytes > search.worker_bytes
    assert (rows.slots, rows.bytes) == (search.slots, search.bytes)


# the tables below


def test_only_what_is_needed_is_read(both, monkeypatch):
    rules, places = both
    read = Counter()
    chunk = Reader.chunk
    monkeypatch.setattr(Reader, "chunk", lambda self, number: (read.update([self.path.name]), chunk(self, number))[1])
    name = TableName(3, 2)
    path = places["rows"] / file_name(name, rules.lone_card)
    child = file_name(TableName(2, 1), rules.lone_card)
    header, below = Reader(path).header, Reader(path.with_name(child)).header
    assert below.chunks == 1
    way = Rows(path, name, rules, header.dependencies)
    assert not read
    expected, found = read_values(Reader(path)), np.empty(index_of(name).size, np.uint8)
    read.clear()
    for start in range(0, len(found), 100_000):
        way.fill(found[start : start + 100_000], start)
    assert np.array_equal(found, expected)
    assert read == {child: 1}
    way.close()


def test_another_table_below_than_the_digest_says(both, tmp_path):
    rules, places = both
    name = TableName(3, 2)
    with pytest.raises(MissingTableError, match=file_name(TableName(2, 1), rules.lone_card)):
        Rows(tmp_path / "3v2.h5", name, rules, {})
    path = places["rows"] / file_name(name, rules.lone_card)
    with pytest.raises(ForeignFileError, match="it is built upon another 2v1 than the one beside it"):
        Rows(path, name, rules, {"2v1": "0" * 64})


def test_a_damaged_table_below_is_no_value(both, tmp_path):
    rules, places = both
    for name in all_dependencies(TableName(3, 2)):
        path = places["rows"] / file_name(name, rules.lone_card)
        (tmp_path / path.name).write_bytes(path.read_bytes())
    child = tmp_path / file_name(TableName(2, 1), rules.lone_card)
    reader = Reader(child)
    content = bytearray(child.read_bytes())
    content[int(reader.bounds[0]) + 20] ^= 4
    child.write_bytes(content)
    with pytest.raises(CorruptTableError, match="chunk 0 of 1 is damaged"):
        verify_table(tmp_path / file_name(TableName(3, 2), rules.lone_card), by="rows", progress=False)


# verifying


@WAYS
def test_a_table_is_verified_by_the_way_it_was_not_built_by(both, by, monkeypatch):
    rules, places = both
    used = set()
    for way in (Rows, Search):
        fill = way.fill
        monkeypatch.setattr(way, "fill", lambda self, *how, fill=fill: (used.add(type(self)), fill(self, *how))[1])
    for name in (TableName(2, 2), TableName(1, 2)):
        path = places[by] / file_name(name, rules.lone_card)
        slots = index_of(name).size
        for threads in (1, 3):
            used.clear()
            assert verify_table(path, threads, False) == [Verified(other(by), slots, slots)]
            assert used == {Rows if by == "search" else Search}
        for asked, ways in (("rows", {Rows}), ("search", {Search}), ("both", {Rows, Search})):
            used.clear()
            verified = verify_table(path, progress=False, by=asked)
            assert [one.by for one in verified] == (["rows", "search"] if asked == "both" else [asked])
            assert used == ways


def forged(both, by, tmp_path, name, slot, value):
    """The table with another value in a slot, all digests in order, beside those that it is built upon."""
    rules, places = both
    for child in (name, *dependencies(name)):
        path = places[by] / file_name(child, rules.lone_card)
        (tmp_path / path.name).write_bytes(path.read_bytes())
    path = tmp_path / file_name(name, rules.lone_card)
    reader = Reader(path)
    chunks = [items.copy() for items in reader]
    place, shift = slot // 4, 2 * (slot % 4)
    items = chunks[place // reader.header.chunk]
    items[place % reader.header.chunk] &= 255 ^ (3 << shift)
    items[place % reader.header.chunk] |= value << shift
    rewrite(path, reader.header, chunks)
    return path


def rewrite(path, header, chunks):
    parts = [(items, {} if i else header.counts) for i, items in enumerate(chunks)]
    write_file(path, replace(header, counts={}), parts)


@pytest.mark.share(3)
@WAYS
@pytest.mark.parametrize(("name", "slot"), [pytest.param("3v2", 0, marks=pytest.mark.slow), ("3v2", 1_234_567), ("2v1", 12_893)])
def test_a_false_value_is_named_by_both_ways(both, by, tmp_path, capsys, name, slot):
    name, (rules, places) = TableName.parse(name), both
    truth = int(read_values(Reader(places[by] / file_name(name, rules.lone_card)))[slot])
    path = forged(both, by, tmp_path, name, slot, truth ^ 1)
    for way, sentence in (("rows", "but its turns lead to"), ("search", "but the search finds")):
        with pytest.raises(MismatchError) as raised:
            verify_table(path, progress=False, by=way)
        assert (raised.value.stored, raised.value.derived) == (truth ^ 1, truth)
        assert str(raised.value).endswith(f"is stored as {truth ^ 1}, {sentence} {truth}")
        assert main(["verify", "--by", way, str(path)]) == 3
        assert capsys.readouterr().err == f"backtrick: {raised.value}\n"
    assert main(["verify", str(path)]) == 3


def test_of_several_lies_the_first_is_named(both, tmp_path):
    rules, places = both
    name = TableName(3, 2)
    truth = read_values(Reader(places["rows"] / file_name(name, rules.lone_card)))
    path = forged(both, "rows", tmp_path, name, 2_000_000, int(truth[2_000_000]) ^ 1)
    again = Reader(path)
    chunks = [items.copy() for items in again]
    chunks[1][3] ^= 1 << 2
    chunks[1][5] ^= 1 << 2
    rewrite(path, again.header, chunks)
    slot = 4 * (again.header.chunk + 3) + 1
    for by in ("rows", "search"):
        for threads in (1, 4):
            with pytest.raises(MismatchError) as raised:
                verify_table(path, threads, False, by=by)
            assert raised.value.position == verifying.representative(name, slot)


def test_something_behind_the_last_slot(both, tmp_path):
    rules, places = both
    name = TableName(2, 1)  # 12,894 slots in 3,224 bytes
    path = forged(both, "rows", tmp_path, name, 12_894, 1)
    for by in ("rows", "search"):
        with pytest.raises(CorruptTableError, match="chunk 0 of 1 holds something behind its last slot"):
            verify_table(path, progress=False, by=by)


# a share


def test_a_share_is_drawn_by_seed_and_said(both, monkeypatch, capsys):
    rules, places = both
    path = places["rows"] / file_name(TableName(3, 2), rules.lone_card)
    header = Reader(path).header
    assert header.chunks == 36
    seen = []
    fill_chunk = building.fill_chunk
    monkeypatch.setattr(verifying, "fill_chunk", lambda *how: (seen.append(how[2]), fill_chunk(*how))[1])
    for share, count in ((1e-9, 1), (0.1, 4), (0.5, 18), (0.999, 36), (1, 36)):
        seen.clear()
        (verified,) = verify_table(path, 1, False, share=share)
        assert seen == drawn_chunks(header, share, 0) == sorted(set(seen)) and len(seen) == count
        last = 35 in seen
        assert verified == ("search", (count - last) * (1 << 16) + last * (2344190 - 35 * (1 << 16)), 2344190)
    assert drawn_chunks(header, 0.1, 0) == [11, 18, 30, 32]  # by SHA-256, and so the same everywhere
    assert drawn_chunks(header, 0.1, 1) != drawn_chunks(header, 0.1, 0)
    drawn = Counter(number for seed in range(1000) for number in drawn_chunks(header, 0.1, seed))
    assert set(drawn) == set(range(36)) and max(drawn.values()) < 160  # each 111 times, give or take 10
    seen.clear()
    assert main(["verify", "--share", "10%", "--seed", "3", "--by", "both", "--workers", "1", str(path)]) == 0
    slots = sum(min(1 << 16, 2344190 - number * (1 << 16)) for number in drawn_chunks(header, 0.1, 3))
    told = capsys.readouterr().out
    assert told == "".join(f"{path}\tverified\t{slots} of 2344190 slots by {way}\n" for way in ("rows", "search"))
    assert seen == drawn_chunks(header, 0.1, 3) * 2


def test_a_share_finds_what_is_in_it_and_nothing_else(both, tmp_path):
    rules, places = both
    name = TableName(3, 2)
    chunk = drawn_chunks(Reader(places["rows"] / file_name(name, rules.lone_card)).header, 0.1, 0)[2]
    slot = chunk * (1 << 16) + 77
    truth = int(read_values(Reader(places["rows"] / file_name(name, rules.lone_card)))[slot])
    path = forged(both, "rows", tmp_path, name, slot, truth ^ 1)
    with pytest.raises(MismatchError):
        verify_table(path, progress=False, share=0.1)
    missed = next(seed for seed in range(100) if chunk not in drawn_chunks(Reader(path).header, 0.1, seed))
    assert len(verify_table(path, progress=False, share=0.1, seed=missed)) == 1


def test_what_verify_table_refuses(both, tmp_path):
    rules, places = both
    path = places["rows"] / file_name(TableName(2, 1), rules.lone_card)
    for share in (0, -0.5, 1.5, float("nan")):
        with pytest.raises(ArgumentError, match="a share must be above 0 and at most 1, not"):
            verify_table(path, share=share)
    with pytest.raises(ArgumentError, match="a table is verified by rows, search or both, not by 'guess'"):
        verify_table(path, by="guess")
    reader = Reader(path)
    counts = reader.header.counts
    moved = {"classes 0": counts["classes 0"] + 1, "classes 1": counts["classes 1"] - 1}
    write_file(tmp_path / path.name, replace(reader.header, counts={**counts, **moved}), ((chunk, {}) for chunk in reader))
    with pytest.raises(CorruptTableError, match="its counts say .* classes by remoteness, but there are"):
        verify_table(tmp_path / path.name, progress=False, by="search")


# killed, and going on


@pytest.mark.usefixtures("many_shards")
def test_shards_of_the_two_ways_are_not_mixed(tmp_path, monkeypatch):
    """For the header says one way. Whoever comes with the other begins again, and both lots are removed in the end."""
    with monkeypatch.context() as patch:
        stop_after(patch, 8, StoppedError())
        with pytest.raises(StoppedError):
            build(tmp_path, ["3v2"], by="search")
    assert len(list(jobs.leftovers(tmp_path)[0].iterdir())) == 7
    job = TableJob(tmp_path, TableName(3, 2), Rules(), {"2v1": digests(tmp_path)["2v1.h5"]}, "rows")
    jobs.build_shard(job, 0)
    (place,) = (place for place in jobs.leftovers(tmp_path) if place != job.work_place)
    (job.work_place / "000001.h5").write_bytes((place / "000001.h5").read_bytes())  # of the other way: made again
    written = count_writes(monkeypatch)
    (header,) = build(tmp_path, ["3v2"], by="rows")
    assert header.by == "rows" and len(written) == 11 and written.count("000001.h5") == 1
    assert jobs.leftovers(tmp_path) == []


@WAYS
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.usefixtures("many_shards")
def test_killed_by_each_way_and_built_by_the_other(tmp_path, generator, by):  # noqa: F811
    """The workers hold tables below open and in memory; nothing of that outlives them."""
    directory = tmp_path / "t"
    process = begin(generator, directory, 2)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=PATIENCE)
    build(directory, ["3v2"], by=by)
    build(tmp_path / "whole", ["3v2"], by=other(by))
    assert digests(directory) == digests(tmp_path / "whole")
    assert files(directory) == ["2v1.h5", "3v2.h5"]


def test_sizes_and_times_are_shown_in_their_units(tmp_path, monkeypatch):
    """Of each table as of 6v6: to make the indices of all tables takes seconds."""
    large = {"slots": 43_045_381_601_178, "shards": 16_239, "bytes": 21_522_690_800_589, "seconds": 1_434_846.0}
    monkeypatch.setattr(tablebase, "estimate", lambda *asked: replace(estimate(*asked), **large))
    last = ask("generate", "2v1", "--estimate").stdout.splitlines()[-3]
    assert last.split()[0] == "all" and "19.6 TiB" in last and "days" in last
    ask("generate", "1v1", "--tables", str(tmp_path))
    assert " bytes\n" in ask("info", "--tables", str(tmp_path)).stdout  # a header, and hardly a class: no bits a class
