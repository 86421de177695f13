"""The file: round trips, digests, any bit flipped, any length cut off, and files made to do harm."""

import json
import os
import shutil
import subprocess
import sys
import zlib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import h5py
import numpy as np
import pytest

from backtrick.errors import CorruptTableError, ForeignFileError, StorageError
from backtrick.face_to_face import build_tables
from backtrick.storage import file as file_format
from backtrick.storage.file import SEAL, Chunk, Header, Reader, digest_of, fletcher32, merge_files, write_chunks, write_file
from command import DATA, HERE
from hostile import chunks_in, seal_again, tell
from waiting import PATIENCE

BAD = (CorruptTableError, ForeignFileError)
PLAIN = np.dtype("u1")
ROW = np.dtype([("hand", "<u8"), ("value", "u1")])


def header_for(length=1000, chunk=256, dtype=PLAIN, **fields):
    fields = {"kind": "table", "game": "some_game", "name": "2v2", "rules": {"lone_card": False}, "scheme": {"bits": 2}} | fields
    return Header(dtype=dtype, length=length, chunk=chunk, **fields)


def items_for(header, seed=0):
    random = np.random.default_rng(seed)
    items = np.zeros(header.length, header.dtype)
    items.view("u1")[...] = random.integers(0, 5, items.nbytes, np.uint8)
    return items


def chunks_of(header, items):
    for start in range(0, header.length, header.chunk):
        part = items[start : start + header.chunk]
        yield part, {"all": len(part)}


def written(path, header=None, seed=0):
    """A sound file, its header and its items."""
    header = header or header_for()
    items = items_for(header, seed)
    return write_file(path, header, chunks_of(header, items)), items


# what is written is read


@pytest.mark.parametrize("dtype", [PLAIN, ROW], ids=["plain", "row"])
@pytest.mark.parametrize(("length", "chunk"), [(1, 1), (1, 256), (255, 256), (256, 256), (257, 256), (1000, 256), (1024, 256)])
def test_round_trip(tmp_path, length, chunk, dtype):
    given = header_for(length, chunk, dtype, dependencies={"1v1": "ab" * 32})
    header, items = written(tmp_path / "x.h5", given)
    reader = Reader(tmp_path / "x.h5")
    assert reader.header == header == replace(given, counts={"all": length}, digest=header.digest)
    assert len(header.digest) == 64
    assert [len(part) for part in reader] == [header.items_in(number) for number in range(header.chunks)]
    assert np.array_equal(np.concatenate(list(reader)), items)
    assert not reader.chunk(0).flags.writeable
    assert [path.name for path in tmp_path.iterdir()] == ["x.h5"]


@pytest.mark.parametrize("chunks", [1, 2, 65, 1024, 1025, pytest.param(3000, marks=pytest.mark.slow)])
def test_the_same_bytes_twice_and_the_chunks_one_behind_another(tmp_path, chunks):
    """HDF5 keeps an index of the chunks in pages of 1,024."""
    _, items = written(tmp_path / "x.h5", header_for(2 * chunks, 2))
    _, again = written(tmp_path / "y.h5", header_for(2 * chunks, 2))
    assert (tmp_path / "x.h5").read_bytes() == (tmp_path / "y.h5").read_bytes()
    reader = Reader(tmp_path / "x.h5")
    assert np.array_equal(np.concatenate(list(reader)), items)
    with h5py.File(tmp_path / "x.h5", "r") as file:
        assert np.array_equal(file["data"][...], items)
        places = [file["data"].id.get_chunk_info(number) for number in range(0, chunks, 99)]
        assert [place.byte_offset for place in places] == reader.bounds[:-1:99].tolist()
        assert [place.size for place in places] == np.diff(reader.bounds)[::99].tolist()


def test_a_file_without_attributes_of_its_own_is_read(tmp_path, monkeypatch):
    """As all files were written before; the digest is the same."""
    header, items = written(tmp_path / "new.h5", header_for())
    monkeypatch.setattr(Header, "about", lambda self: {})
    assert written(tmp_path / "old.h5", header_for())[0].digest == header.digest
    assert np.array_equal(np.concatenate(list(Reader(tmp_path / "old.h5"))), items)


def test_where_h5py_cannot_be_loaded_no_file_is_called_damaged(tmp_path, monkeypatch):
    written(tmp_path / "x.h5", header_for())
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(StorageError, match="h5py, which reads it, cannot be loaded: ") as caught:
        Reader(tmp_path / "x.h5")
    assert not isinstance(caught.value, CorruptTableError) and caught.value.exit_code == 2


def test_what_h5py_shows(tmp_path):
    """The facts are attributes, and the items what h5py reads."""
    header, items = written(tmp_path / "x.h5", header_for(dependencies={"1v1": "ab" * 32}))
    with h5py.File(tmp_path / "x.h5", "r") as file:
        data = file["data"]
        assert sorted(file) == ["data", "digests"]
        about = {name: text.decode() for name, text in file.attrs.items()}
        assert about["title"] == f"{header.kind} {header.name} of some_game" and about["program"] == header.program
        assert "docs/format.md" in about["format"] and len(about) == 3
        assert np.array_equal(data[...], items)
        assert (data.chunks, data.compression, data.compression_opts, data.fletcher32) == ((256,), "gzip", 6, True)
        assert {name: text.decode() for name, text in data.attrs.items()} == header.texts()
        assert json.loads(data.attrs["rules"]) == {"lone_card": False} and data.attrs["game"] == b"some_game"
        assert np.array_equal(file["digests"][...], Reader(tmp_path / "x.h5").digests)


@pytest.mark.skipif(not shutil.which("h5dump"), reason="needs h5dump")
def test_h5dump_reads_it_too(tmp_path):
    """A library of its own, often older than that of h5py."""
    header, items = written(tmp_path / "x.h5", header_for(dtype=ROW))
    done = subprocess.run(["h5dump", "-d", "data", "-y", tmp_path / "x.h5"], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and not done.stderr
    told = done.stdout.split("ATTRIBUTE")[0].split("DATA {")[1].replace(",", " ").split()
    assert [int(word) for word in told if word.isdigit()] == [value for item in items.tolist() for value in item]
    shown = subprocess.run(["h5dump", "-A", tmp_path / "x.h5"], capture_output=True, text=True, timeout=PATIENCE).stdout
    assert "some_game" in shown and header.digest in shown


def slow_fletcher32(content):
    """Word by word, folded after each."""
    low = high = 0
    for place in range(0, len(content), 2):
        low += int.from_bytes(content[place : place + 2].ljust(2, b"\0"), "big")
        low = (low & 65535) + (low >> 16)
        high += low
        high = (high & 65535) + (high >> 16)
    return (high << 16 | low).to_bytes(4, "little")


def test_checksums():
    random = Random(2)
    for length in [*range(20), 719, 720, 721, 722, 100_003]:
        for content in (random.randbytes(length), bytes(length), b"\xff" * length, b"\xff" * (length - 2) + b"\0\1"):
            assert fletcher32(content) == slow_fletcher32(content), (length, content[:20])
    count, word = (1 << 22) + 5, 0xFFFB  # sums that a float has no room for
    low, high = ((total - 1) % 65535 + 1 for total in (word * count, word * count * (count + 1) // 2))
    assert fletcher32(word.to_bytes(2, "big") * count) == low.to_bytes(2, "little") + high.to_bytes(2, "little")


def test_checksums_are_those_of_hdf5(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        for number, content in enumerate([b"", b"\xff" * 4, bytes(range(256)) * 3, b"\xff\xff\0\0" * 500, b"a"]):
            items = np.frombuffer(content + b"x", "u1")
            data = file.create_dataset(str(number), data=items, chunks=items.shape, fletcher32=True)
            raw = data.id.read_direct_chunk((0,))[1]
            assert raw == content + b"x" + fletcher32(content + b"x")


@pytest.mark.parametrize("shard_chunks", [1, 2, 3, 4])
def test_parts_become_the_same_file(tmp_path, shard_chunks):
    header, items = written(tmp_path / "whole.h5")
    parts = []
    for number, start in enumerate(range(0, 1000, 256 * shard_chunks)):
        part = items[start : start + 256 * shard_chunks]
        shard = header_for(len(part), kind="shard", name=f"2v2 {number}")
        write_file(tmp_path / f"{number}.h5", shard, chunks_of(shard, part))
        parts.append(Reader(tmp_path / f"{number}.h5"))
    assert merge_files(tmp_path / "merged.h5", header_for(), parts) == header
    reader = Reader(tmp_path / "merged.h5")
    assert np.array_equal(np.concatenate(list(reader)), items)


def scheme_of(size):
    """A scheme whose text has so many characters."""
    told = {f"{number:03}": "x" * 490 for number in range(119)} | {"last": ""}
    return told | {"last": "x" * (size - len(json.dumps(told)))}


FIELDS = [(f"a{number}", "u1") for number in range(17)]
LIMITS = {
    "kind": (["x", "~" * 500], ["", "x" * 501, "\n", "\xe9"]),
    "rules": ([{}, {"a": "x", "b": True, "c": 2**62 - 1, "d": 0}], [[], {"": 1}, {"a": None}, {"a": 1, "b": 1.5}, {"a": 2**62}]),
    "scheme": ([scheme_of(60_000)], [scheme_of(60_001)]),
    "counts": ([{"0": 0}], [{"0": -1}, {"0": True}, {"0": "1"}, {"0": 1, "x" * 501: 1}]),
    "dependencies": ([{"1v1": "ab" * 32}], [{"1v1": "ab" * 31}, {"1v1": "AB" * 32}, {"1v1": "ab" * 32, "2v1": 1}]),
    "dtype": ([np.dtype("<u8"), np.dtype(FIELDS[:16]), np.dtype([("a" * 32, "S999")])],
              [np.dtype("f8"), np.dtype(FIELDS), np.dtype([("a" * 33, "u1")]), np.dtype([("a", "u1"), ("B", "u1")]),
               np.dtype([("a", "u1"), ("b", "<u8")], align=True)]),
    "chunk": ([1 << 24], [(1 << 24) + 1]),
    "length": ([256 << 24], [(256 << 24) + 1]),
}  # fmt: skip
"""What parts of a header can be, at their limits, and what is just behind them."""


@pytest.mark.parametrize("part", LIMITS)
def test_a_header_says_what_can_be_read_and_nothing_else(part):
    sound = header_for(dtype=np.dtype("u1"), digest="0" * 64)
    for one in LIMITS[part][0]:
        assert replace(sound, **{part: one}).texts()
    for one in LIMITS[part][1]:
        with pytest.raises(ValueError, match="its |too large"):
            replace(sound, **{part: one}).texts()


@pytest.mark.parametrize("change", [{"dtype": np.dtype("f8")}, {"chunk": 1 << 25}], ids=str)
def test_a_header_that_nobody_could_read_is_refused_before_the_work_is_done(tmp_path, change):
    def chunks():
        raise AssertionError("no item was to be made")
        yield

    with pytest.raises(ValueError, match="its |too large"):
        write_file(tmp_path / "x.h5", replace(header_for(), **change), chunks())
    assert list(tmp_path.iterdir()) == []


def test_too_few_items_leave_nothing_behind(tmp_path):
    header = header_for()
    with pytest.raises(ValueError, match="768 items for a file of 1000"):
        write_file(tmp_path / "x.h5", header, list(chunks_of(header, items_for(header)))[:3])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "set"},
        {"game": "other"},
        {"name": "2v3"},
        {"rules": {"lone_card": True}},
        {"scheme": {"bits": 4}},
        {"counts": {"0": 1}},
        {"dependencies": {"1v1": "00"}},
        {"length": 999},
        {"chunk": 255},
        {"dtype": np.dtype("i1")},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_digest_covers_what_the_items_mean(change):
    digests = np.zeros((4, 32), np.uint8)
    assert replace(header_for(), **change).sealed(digests).digest != header_for().sealed(digests).digest


def test_the_digest_covers_the_items_and_not_the_program(tmp_path):
    header, _ = written(tmp_path / "x.h5")
    assert written(tmp_path / "y.h5", replace(header_for(), program="backtrick 99"))[0].digest == header.digest
    assert written(tmp_path / "z.h5", seed=1)[0].digest != header.digest


# damage


def outcome(path):
    """The items, or the error; anything but the two errors of a bad file goes through."""
    try:
        return np.concatenate(list(Reader(path)))
    except BAD as error:
        assert str(error).startswith(f"{path}: ") and "\n" not in str(error)
        return error


def flip(path, sound, bit):
    with path.open("r+b") as file:
        file.seek(bit // 8)
        file.write(bytes([sound[bit // 8] ^ 1 << bit % 8]))
    found = outcome(path)
    with path.open("r+b") as file:
        file.seek(bit // 8)
        file.write(sound[bit // 8 : bit // 8 + 1])
    return found


def test_thousands_of_flipped_bits(tmp_path):
    path = tmp_path / "x.h5"
    written(path)
    sound = path.read_bytes()
    ends = [0, SEAL, *Reader(path).bounds.tolist(), len(sound)]
    random = Random(3)
    for start, stop in pairwise(ends):
        for bit in random.sample(range(start * 8, stop * 8), min(50, 8 * (stop - start))):
            assert isinstance(flip(path, sound, bit), BAD), bit
    assert isinstance(outcome(path), np.ndarray)


@pytest.mark.slow
def test_every_flipped_bit(tmp_path):
    path = tmp_path / "x.h5"
    written(path)
    sound = path.read_bytes()
    for bit in range(len(sound) * 8):
        assert isinstance(flip(path, sound, bit), BAD), bit


def test_opening_finds_any_flipped_bit_outside_of_the_chunks_and_reads_none_of_them(tmp_path):
    path = tmp_path / "x.h5"
    written(path)
    sound = path.read_bytes()
    reader = Reader(path)
    first, last = int(reader.bounds[0]), int(reader.bounds[-1])
    for byte in Random(5).sample([*range(first), *range(last, len(sound))], 300):
        damaged = bytearray(sound)
        damaged[byte] ^= 1 << byte % 8
        path.write_bytes(damaged)
        with pytest.raises(BAD):
            Reader(path)
    path.write_bytes(sound[:first] + bytes(last - first) + sound[last:])
    damaged = Reader(path)
    for number in range(4):
        with pytest.raises(CorruptTableError, match=f"chunk {number} of 4 is damaged"):
            damaged.chunk(number)
    with pytest.raises(CorruptTableError, match="chunk 0 of 4 is damaged"):
        damaged.check_bytes()


def test_cut_short_or_grown(tmp_path):
    path = tmp_path / "x.h5"
    written(path)
    sound = path.read_bytes()
    for length in [*range(0, SEAL + 200, 7), *range(SEAL, len(sound), 397), len(sound) - 1]:
        path.write_bytes(sound[:length])
        with pytest.raises(BAD):
            Reader(path)
    for more in (1, 512, 10_000):
        path.write_bytes(sound + bytes(more))
        with pytest.raises(CorruptTableError, match="cut short or damaged"):
            Reader(path)


def test_chunks_that_changed_places(tmp_path):
    path = tmp_path / "x.h5"
    written(path, header_for(2048, 1024))
    reader = Reader(path)
    reader.bounds = np.concatenate([reader.bounds[1:], reader.bounds[:1]])
    with pytest.raises(CorruptTableError, match="chunk 0 of 2 is damaged"):
        reader.chunk(0)


def test_what_is_no_file_of_ours(tmp_path):
    (tmp_path / "directory.h5").mkdir()
    (tmp_path / "text.h5").write_text("not a table\n" * 1000)
    with h5py.File(tmp_path / "plain.h5", "w") as file:
        file["data"] = np.arange(10)
    names = ["directory.h5", "text.h5", "plain.h5"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "fifo.h5")  # reading it would wait for ever
        names.append("fifo.h5")
    for name in names:
        with pytest.raises(ForeignFileError, match=f"{name}: not a Backtrick file"):
            Reader(tmp_path / name)
    with pytest.raises(StorageError, match="there is no such file"):
        Reader(tmp_path / "nothing.h5")


FULL = """
import resource, sys
from pathlib import Path
from test_tables_format import written
from backtrick.errors import StorageError
for most in range(0, 2200, 100):
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    try:
        written(Path(sys.argv[1]))
    except StorageError as error:
        assert str(error) == f"{sys.argv[1]}: cannot be written: File too large", error
    else:
        sys.exit(f"{most} bytes were enough")
"""


@pytest.mark.skipif(os.name == "nt", reason="needs limits on the size of a file")
def test_a_disk_that_is_full_after_any_number_of_bytes(tmp_path):
    written(tmp_path / "enough.h5")
    assert (tmp_path / "enough.h5").stat().st_size > 2200
    places = os.pathsep.join([str(Path(file_format.__file__).parents[2]), str(Path(__file__).parent), str(HERE)])
    command = [sys.executable, "-c", FULL, str(tmp_path / "x.h5")]
    result = subprocess.run(command, env=os.environ | {"PYTHONPATH": places}, capture_output=True, text=True, timeout=PATIENCE)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)
    assert [path.name for path in tmp_path.iterdir()] == ["enough.h5"]


def test_an_interrupt_within_hdf5_is_not_lost(tmp_path, monkeypatch):
    """Ctrl-C while HDF5 calls us to read or write."""
    written(tmp_path / "x.h5")

    def interrupt(*_):
        raise KeyboardInterrupt

    def unreadable(*_):
        raise OSError(5, os.strerror(5))

    seal = file_format.seal_of
    for refuse, kind in ((interrupt, KeyboardInterrupt), (unreadable, StorageError)):
        with monkeypatch.context() as patch, pytest.raises(kind):

            def seal_first(*arguments, patch=patch, refuse=refuse):
                made = seal(*arguments)
                patch.setattr(file_format.OpenFile, "read", refuse)
                return made

            patch.setattr(file_format, "seal_of", seal_first)
            Reader(tmp_path / "x.h5")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(file_format, "memoryview", Unwritable, raising=False)
        written(tmp_path / "y.h5")
    assert [path.name for path in tmp_path.iterdir()] == ["x.h5"]


class Unwritable:
    """Bytes whose writing is interrupted."""

    def __init__(self, content):
        self.nbytes = len(content)

    def cast(self, code):
        raise KeyboardInterrupt


# made to do harm: under a good seal, and but for one thing in order

HUGE = 1 << 61
OBJECTS = ["", "x", "{", "[1]", "3", "null", '"x"', "NaN", "{'a': 1}", '{"a": 1, "a": 2}', '{"b": 1, "a": 2}', '{"a":1}',
           '{"a": 1} ', "[" * 30_000, '{"a":' * 10_000, "9" * 50_000, '{"": 1}', '{"\\n": 1}']  # fmt: skip
PLAIN_OBJECTS = ['{"a": null}', '{"a": 1.5}', '{"a": [1]}', '{"a": {}}', '{"a": -1}', f'{{"a": {HUGE * 2}}}', '{"a": NaN}',
                 '{"a": Infinity}', '{"a": "x\\u007f"}']  # fmt: skip
WRONG = {  # for each text of a header, some that make no sense there; None: it is left out
    "format": ["other", "", None, "backtrick", "backtrick 2", "backtrick 4"],
    "kind": ["", None, "two\nlines", "x" * 501, "\x7f"],
    "game": ["", None],
    "name": ["", None, "tab\t"],
    "program": ["", None, "x" * 50_000],
    "by": ["", None, "x" * 501],
    "digest": ["", None, "0" * 63, "G" * 64],
    "rules": [*OBJECTS, *PLAIN_OBJECTS, None],
    "scheme": [*OBJECTS, *PLAIN_OBJECTS, None],
    "counts": [*OBJECTS, None, '{"0": "1"}', '{"0": -1}', '{"0": 1.0}', '{"0": true}', f'{{"0": {2**70}}}', '{"0": null}'],
    "dependencies": [*OBJECTS, None, '{"1v1": 1}', '{"1v1": "0"}', '{"1v1": null}', f'{{"1v1": "{"0" * 65}"}}'],
    "more": ["a part that nobody asks for"],
}


@pytest.mark.share(3)
@pytest.mark.parametrize("name", WRONG)
def test_a_header_that_tells_what_cannot_be(tmp_path, name):
    """One sentence each, by the check of that part: digest and seal are right."""
    path = tmp_path / "x.h5"
    written(path)
    sound = path.read_bytes()
    for value in WRONG[name]:
        path.write_bytes(sound)
        tell(path, {name: value})
        error = outcome(path)
        assert isinstance(error, CorruptTableError), (name, value)
        said = "it has 'more'" if name == "more" else f"its {name} is "
        assert said in str(error) or value == "", (name, value, str(error))
        assert len(str(error)) < 400 + len(str(path))
        str(error).encode()  # it can be printed


def test_what_is_told_again_without_a_change_is_fine(tmp_path):
    written(tmp_path / "x.h5")
    tell(tmp_path / "x.h5", {})
    assert isinstance(outcome(tmp_path / "x.h5"), np.ndarray)
    tell(tmp_path / "x.h5", {"digest": "0" * 64})
    assert "its digest is not that of its content" in str(outcome(tmp_path / "x.h5"))
    tell_again = {"counts": '{"all": 999}'}
    written(tmp_path / "x.h5")
    tell(tmp_path / "x.h5", tell_again, digest=False)
    assert "its digest is not that of its content" in str(outcome(tmp_path / "x.h5"))


def crafted(
    path, shape=(1000,), dtype=PLAIN, chunks=(256,), digests=(4, 32), kind="u1", fill=4, mask=0, without=(), told=(), **how
):
    """A file of another shape than its header needs, under a seal. fill: how many chunks are written. mask: of the filters that
    they did not go through. told: what else its header says."""
    how = {"compression": "gzip", "compression_opts": 6, "fletcher32": True} | how
    header = header_for()
    with h5py.File(path, "w", userblock_size=SEAL, libver=("v110", "v110")) as file:
        data = file.create_dataset("data", shape=shape, dtype=dtype, chunks=chunks, **how if chunks else {})
        for name, text in {**header.sealed(np.zeros((4, 32), np.uint8)).texts(), **dict(told)}.items():
            data.attrs[name] = np.bytes_(text)
        raw = file_format.packed_chunk(np.zeros(256, np.uint8), header)
        for number in range(fill if chunks and len(shape) == 1 else 0):
            data.id.write_direct_chunk((number * chunks[0],), raw, mask)
        if digests:
            file.create_dataset("digests", data=np.zeros(digests, kind))
        for name in without:
            del file[name]
    seal_again(path, (SEAL + 100, SEAL + 200))
    return path


@pytest.mark.parametrize("value", [5, "table", np.array([b"table", b"table"])], ids=["number", "of any length", "two"])
def test_an_attribute_is_a_text_of_fixed_length(tmp_path, value):
    written(path := tmp_path / "x.h5", header_for(scheme=scheme_of(60_000)))
    chunks = chunks_in(path)
    with h5py.File(path, "r+") as file:
        file["data"].attrs["kind"] = value
    seal_again(path, chunks)
    with pytest.raises(CorruptTableError, match="its header cannot be read: its kind is not what it must be"):
        Reader(path)


@pytest.mark.parametrize(("length", "said"), [(4, True), (5, False), (256 + 64, False), (256 + 65, True)])
def test_chunks_of_lengths_that_deflate_cannot_have_are_refused(tmp_path, length, said):
    """A chunk is more than its checksum, and hardly longer than its items."""
    path, header = tmp_path / "x.h5", header_for(length=256)
    write_chunks(path, header, [Chunk(256, bytes(length), digest_of(items_for(header)), {"all": 256})])
    with pytest.raises(CorruptTableError) as refused:
        Reader(path).chunk(0)
    assert str(refused.value).endswith("its chunks have impossible lengths") == said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"shape": (10, 10), "chunks": (5, 5)}, ""),
        ({"chunks": None}, ""),
        ({"shape": (1000,), "maxshape": (None,), "fill": 3}, "it has other chunks than its length says"),
        ({"fill": 3}, "it has other chunks than its length says"),
        ({"fill": 0}, "it has other chunks than its length says"),
        ({"shape": (HUGE,), "fill": 0}, "are too large or too many"),
        ({"shape": (1 << 25,), "chunks": (1,), "fill": 0}, "are too large or too many"),
        ({"shape": (1 << 25,), "chunks": ((1 << 24) + 1,), "fill": 0}, "are too large or too many"),
        ({"dtype": np.dtype("f8")}, "its dtype is not what it must be"),
        ({"dtype": np.dtype(">u8")}, "its dtype is not what it must be"),
        ({"dtype": np.dtype((np.uint8, 3))}, "its dtype is not what it must be"),
        ({"dtype": np.dtype([("A", "u1")])}, "its dtype is not what it must be"),
        ({"dtype": np.dtype([("a", "<f4")])}, "its dtype is not what it must be"),
        ({"dtype": np.dtype([(f"a{number}", "u1") for number in range(17)])}, "its dtype is not what it must be"),
        ({"dtype": np.dtype({"names": ["a"], "formats": ["u1"], "itemsize": 5})}, "its dtype is not what it must be"),
        ({"fletcher32": False}, "its filters are not deflate and fletcher32"),
        ({"shuffle": True}, "its filters are not deflate and fletcher32"),
        ({"compression": "lzf", "compression_opts": None}, "its filters are not deflate and fletcher32"),
        ({"digests": (3, 32)}, "its digests are not what they must be"),
        ({"digests": (4, 31)}, "its digests are not what they must be"),
        ({"kind": "i2"}, "its digests are not what they must be"),
        ({"digests": None}, ""),
        ({"without": ["data"]}, ""),
        ({"told": {"format": "x"}}, "its header cannot be read: its format is not 'backtrick "),
        ({"told": {"more": "1"}}, "its header cannot be read: it has 'more', which this program does not know"),
        ({}, "its chunks do not lie where its seal says"),
        ({"mask": 1}, "its chunks do not lie one behind another, each through all filters"),
    ],
    ids=str,
)
def test_hdf5_files_that_are_not_of_this_form(tmp_path, change, said):
    error = outcome(crafted(tmp_path / "x.h5", **change))
    assert isinstance(error, CorruptTableError) and said in str(error), error
    assert len(str(error)) < 400 + len(str(tmp_path))


SEALS = [
    ("bytes, chunks", "bytes; chunks", "it is cut short or damaged: its seal cannot be read"),
    ("chunks ", "chunks 10", "its seal tells of chunks from 10"),
    ("chunks ", "chunks 00", "it is damaged: its SHA-256 is not that of its seal"),
    ("-", "-9", "its seal tells of chunks from "),
    ("512 bytes: ", "512 bytes: 1", "it is cut short or damaged: .* bytes, and its seal says "),
    ("after 512", "after 513", "not a Backtrick file: it does not begin with the seal"),
    ("\n", "\n ", "it is cut short or damaged: its seal cannot be read"),
    ("rest ", "rest 0", "it is cut short or damaged: its seal cannot be read"),
]


@pytest.mark.parametrize(("old", "new", "said"), SEALS)
def test_a_seal_that_tells_what_cannot_be(tmp_path, old, new, said):
    path = tmp_path / "x.h5"
    written(path)
    content = path.read_bytes()
    line = content[:SEAL].rstrip(b"\0").replace(old.encode(), new.encode(), 1)
    path.write_bytes(line.ljust(SEAL, b"\0") + content[SEAL:])
    with pytest.raises(BAD, match=said):
        Reader(path)


def test_a_seal_of_other_chunks(tmp_path):
    path = tmp_path / "x.h5"
    written(path)
    start, stop = chunks_in(path)
    for place in ((start + 1, stop), (start, stop - 1), (SEAL, stop + 1)):
        seal_again(path, place)
        assert "its chunks do not lie where its seal says" in str(outcome(path))


BOUNDED = """
import resource, sys
from pathlib import Path
from backtrick.errors import CorruptTableError, ForeignFileError
from backtrick.storage.file import Reader
import h5py
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (48 << 20),) * 2)
for path in map(Path, sys.argv[1:]):
    try:
        list(Reader(path))
        print(path, "is read")
    except (CorruptTableError, ForeignFileError):
        pass
print("all refused", flush=True)
"""


def in_little_memory(paths):
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(Path(file_format.__file__).parents[2])}
    environment.pop("LD_PRELOAD", None)  # an address sanitizer keeps what is freed for a while
    command = [sys.executable, "-c", BOUNDED, *map(str, paths)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)


linux = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")


@linux
def test_harm_is_refused_before_memory_is_taken(tmp_path):
    harms = [{"shape": (HUGE,)}, {"shape": (1 << 24,), "chunks": (1,)}, {"shape": (HUGE,), "chunks": (1 << 24,)}]
    harms += [{"dtype": np.dtype("S999")}, {"digests": (1 << 20, 100)}]
    paths = [crafted(tmp_path / f"{number}.h5", fill=0, **harm) for number, harm in enumerate(harms)]
    result = in_little_memory(paths)
    assert (result.stdout, result.returncode) == ("all refused\n", 0), result.stderr


def with_raw_chunk(path, deflated):
    """A file whose only chunk is `deflated`, under the digest of what it begins with."""
    header = header_for(1 << 20, 1 << 20)
    raw = deflated + fletcher32(deflated)
    write_chunks(path, header, [Chunk(1 << 20, raw, digest_of(np.zeros(1 << 20, np.uint8)), {})])
    return path


@linux
def test_deflate_bombs(tmp_path):
    bomb = zlib.compress(bytes(1 << 27), 6)
    assert len(bomb) < 1 << 20
    many = zlib.compress(bytes(1 << 20), 9)
    assert isinstance(outcome(with_raw_chunk(tmp_path / "fine.h5", many)), np.ndarray)
    deflated = [bomb, many + bomb, many[:-1], zlib.compress(bytes(1 << 19)), many + os.urandom(1 << 22), bytes(1 << 20)]
    deflated += [many + b"\0", zlib.compress(bytes((1 << 20) + 1)), many[2:-4]]
    paths = [with_raw_chunk(tmp_path / f"{number}.h5", one) for number, one in enumerate(deflated)]
    for path in paths:
        assert isinstance(outcome(path), CorruptTableError), path
    result = in_little_memory(paths)
    assert (result.stdout, result.returncode) == ("all refused\n", 0), result.stderr


def test_other_versions_are_foreign(tmp_path, monkeypatch):
    path = tmp_path / "x.h5"
    with monkeypatch.context() as patch:
        patch.setattr(file_format, "VERSION", 4)
        written(path)
    with pytest.raises(ForeignFileError, match=r"of version 4 of the format, this program reads version 3; rebuild it$"):
        Reader(path)
    line = b"backtrick, HDF5 after 512 bytes: 21545 bytes, sha256 " + b"0" * 64
    path.write_bytes(line.ljust(512, b"\0") + bytes(21545))  # as version 1 began
    with pytest.raises(ForeignFileError, match="of version 1 of the format, this program reads version 3; rebuild it"):
        Reader(path)


def test_a_file_of_version_2(tmp_path):
    """The table 1v1, written by the last program that wrote this version."""
    with pytest.raises(ForeignFileError, match=r"of version 2 of the format, this program reads version 3; rebuild it$"):
        Reader(DATA / "version2.h5")
    shutil.copy(DATA / "version2.h5", tmp_path / "1v1.h5")
    built = build_tables(tmp_path, ["1v1"], force=True, processes=0, progress=False)
    assert [header.name for header in built] == ["1v1"]
