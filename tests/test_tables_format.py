"""The HDF5 file: round trips, digests, any bit flipped, any length cut off, and files made to do harm."""

import contextlib
import hashlib
import json
import os
import pickle
import subprocess
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from random import Random

import h5py
import numpy as np
import pytest

from solver.errors import CorruptTableError, ForeignFileError, StorageError
from solver.tables import format as layout
from solver.tables.format import SEAL_BYTES, Header, Reader, digest_of, merge_files, write_file

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
    reader.check_checksums()
    assert [path.name for path in tmp_path.iterdir()] == ["x.h5"]


def test_a_reader_pickles(tmp_path):
    _, items = written(tmp_path / "x.h5")
    reader = Reader(tmp_path / "x.h5")
    for kept in (reader, (reader.chunk(1), reader)[1]):  # before and after it looked where its chunks are
        assert np.array_equal(np.concatenate(list(pickle.loads(pickle.dumps(kept)))), items)


def test_any_hdf5_tool_reads_it(tmp_path):
    header, items = written(tmp_path / "x.h5", header_for(dependencies={"1v1": "ab" * 32}))
    with h5py.File(tmp_path / "x.h5", "r") as file:
        assert np.array_equal(file["data"][...], items)
        digests = file["digests"][...]
        attributes = dict(file.attrs)
    for number, row in enumerate(digests):
        assert row.tobytes() == hashlib.sha256(items[number * 256 : number * 256 + 256].tobytes()).digest()
    words = {name: attributes[name] for name in ("kind", "game", "name")}
    objects = {name: json.loads(attributes[name]) for name in ("rules", "scheme", "counts", "dependencies")}
    shape = {"format": "backtrick", "version": 1, "length": 1000, "chunk": 256, "dtype": [["", "|u1"]]}
    content = json.dumps(words | objects | shape, sort_keys=True).encode() + digests.tobytes()
    assert attributes["digest"] == header.digest == hashlib.sha256(content).hexdigest()
    assert attributes["format"] == "backtrick" and attributes["version"] == "1"


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
    reader.check_checksums()
    assert np.array_equal(np.concatenate(list(reader)), items)


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


def test_every_flipped_bit_of_the_seal_and_thousands_elsewhere(tmp_path):
    path = tmp_path / "x.h5"
    written(path)
    sound = path.read_bytes()
    bits = [*range(SEAL_BYTES * 8), *Random(3).sample(range(SEAL_BYTES * 8, len(sound) * 8), 3000)]
    for bit in bits:
        assert isinstance(flip(path, sound, bit), BAD), bit
    assert isinstance(outcome(path), np.ndarray)


@pytest.mark.slow
def test_every_flipped_bit(tmp_path):
    path = tmp_path / "x.h5"
    written(path)
    sound = path.read_bytes()
    for bit in range(len(sound) * 8):
        assert isinstance(flip(path, sound, bit), BAD), bit


def test_flipped_bits_of_the_items_where_the_file_is_too_long_for_its_seal_to_be_tried(tmp_path, monkeypatch):
    path = tmp_path / "x.h5"
    monkeypatch.setattr(layout, "MOST_SEALED", 0)
    _, items = written(path)
    sound = path.read_bytes()
    offsets, sizes = Reader(path)._places()
    random = Random(4)
    for offset, size in zip(offsets, sizes, strict=True):
        for _ in range(25):
            bit = int(offset) * 8 + random.randrange((int(size) - layout.CHECKSUM_BYTES) * 8)
            found = flip(path, sound, bit)  # deflate has a few bits that say nothing
            assert isinstance(found, CorruptTableError) or np.array_equal(found, items), bit
    bits = [8 * int(offset) + 8 * (size // 2) for offset, size in zip(offsets, sizes, strict=True)]
    assert all(isinstance(flip(path, sound, int(bit)), CorruptTableError) for bit in bits)
    with path.open("r+b") as file:
        file.seek(int(offsets[-1]) + int(sizes[-1]) - 1)
        file.write(bytes([sound[offsets[-1] + sizes[-1] - 1] ^ 1]))
    with pytest.raises(CorruptTableError, match="SHA-256"):
        Reader(path).check_checksums()


@pytest.mark.parametrize("most_sealed", [layout.MOST_SEALED, 0])
def test_cut_short_or_grown(tmp_path, monkeypatch, most_sealed):
    monkeypatch.setattr(layout, "MOST_SEALED", most_sealed)
    path = tmp_path / "x.h5"
    written(path)
    sound = path.read_bytes()
    for length in [*range(0, SEAL_BYTES + 200, 7), *range(SEAL_BYTES, len(sound), 397), len(sound) - 1]:
        path.write_bytes(sound[:length])
        assert isinstance(outcome(path), BAD), length
    for more in (1, 512, 10_000):
        path.write_bytes(sound + bytes(more))
        assert isinstance(outcome(path), CorruptTableError), more


def test_chunks_that_changed_places(tmp_path, monkeypatch):
    monkeypatch.setattr(layout, "MOST_SEALED", 0)
    path = tmp_path / "x.h5"
    written(path, header_for(2048, 1024))
    reader = Reader(path)
    reader._places()
    reader._offsets, reader._sizes = reader._offsets[::-1], reader._sizes[::-1]
    with pytest.raises(CorruptTableError, match="chunk 0 of 2 is damaged"):
        reader.chunk(0)


def test_damaged_after_it_was_opened(tmp_path):
    path = tmp_path / "x.h5"
    written(path)
    readers = [Reader(path), Reader(path)]
    readers[0]._places()
    path.write_bytes(b"")
    for reader in readers:
        with pytest.raises(CorruptTableError):
            reader.chunk(0)
    path.unlink()
    with pytest.raises(StorageError):
        readers[0].chunk(0)


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
        with pytest.raises(ForeignFileError, match=f"{name}: not a file"):
            Reader(tmp_path / name)
    with pytest.raises(StorageError, match="there is no such file"):
        Reader(tmp_path / "nothing.h5")


FULL = """
import resource, sys
from pathlib import Path
from test_tables_format import written
from solver.errors import StorageError
for most in range(0, 5000, 200):
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
    assert (tmp_path / "enough.h5").stat().st_size > 5000
    places = os.pathsep.join([str(Path(layout.__file__).parents[2]), str(Path(__file__).parent)])
    command = [sys.executable, "-c", FULL, str(tmp_path / "x.h5")]
    result = subprocess.run(command, env=os.environ | {"PYTHONPATH": places}, capture_output=True, text=True, timeout=120)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)
    assert [path.name for path in tmp_path.iterdir()] == ["enough.h5"]


# made to do harm: HDF5 files under a good seal


def seal_again(path):
    seal = layout._seal_of(path)
    with path.open("r+b") as file:
        file.write(seal)


def digest_again(file):
    """Makes the digest right, where what is left of the file has one."""
    with contextlib.suppress(Exception):
        data, digests = file["data"], file["digests"]
        if digests.nbytes < 1 << 20 and "digest" in file.attrs:
            texts = {name: file.attrs[name] for name in (*layout._WORDS, "program")}
            objects = {name: json.loads(file.attrs[name]) for name in layout._OBJECTS}
            header = Header(**texts, **objects, dtype=data.dtype, length=data.shape[0], chunk=data.chunks[0])
            file.attrs["digest"] = header.sealed(digests[...]).digest


def remake(file, name, *args, **options):
    del file[name]
    return file.create_dataset(name, *args, **options)


def packed(file, shape=(1000,), chunks=(256,), dtype="u1", **options):
    options = {"compression": "gzip", "fletcher32": True} | options
    return remake(file, "data", shape, chunks=chunks, dtype=dtype, maxshape=(None,) * len(shape), **options)


def attribute(name, value, **options):
    def change(file):
        del file.attrs[name]
        file.attrs.create(name, value, **options)

    return change


def linked(name, link):
    def change(file):
        del file[name]
        file[name] = link

    return change


def external(file):
    del file["data"]
    file.create_dataset("data", (1000,), "u1", external=[(__file__, 0, 1000)])


def external_digests(file):
    del file["digests"]
    file.create_dataset("digests", (4, 32), "u1", external=[(__file__, 0, 128)])


def virtual(file):
    whole = h5py.VirtualLayout((1000,), "u1")
    whole[:] = h5py.VirtualSource(__file__, "data", (1000,))
    del file["data"]
    file.create_virtual_dataset("data", whole)


def huge(file):
    packed(file, (2**60,), (16,))
    remake(file, "digests", (2**56, 32), "u1")


def huge_chunked_digests(file):
    packed(file, (2**60,), (16,))
    remake(file, "digests", (2**56, 32), "u1", chunks=(1024, 32), compression="gzip")


def huge_with_few_digests(file):
    packed(file, (2**60,), (2**32 - 1,))


def group(file):
    del file["data"]
    file.create_group("data")


def doubly_packed(file):
    values = file["data"][...]
    space, plist = h5py.h5s.create_simple((1000,), (h5py.h5s.UNLIMITED,)), h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((256,))
    plist.set_deflate(6)
    plist.set_deflate(6)
    plist.set_fletcher32()
    del file["data"]
    h5py.h5d.create(file.id, b"data", h5py.h5t.NATIVE_UINT8, space, plist)
    file["data"][...] = values


def other_order(file):
    values = file["data"][...]
    space, plist = h5py.h5s.create_simple((1000,), (h5py.h5s.UNLIMITED,)), h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((256,))
    plist.set_fletcher32()
    plist.set_deflate(6)
    del file["data"]
    h5py.h5d.create(file.id, b"data", h5py.h5t.NATIVE_UINT8, space, plist)
    file["data"][...] = values


def deflated_digests(file):
    """Random bytes do not shrink, so that what is stored can be made as long as what is meant."""
    digests = file["digests"][...]
    remake(file, "digests", data=digests, chunks=(4, 32), fletcher32=True)


def compound(name):
    return attribute(name, np.zeros(3, ROW))


HARMS = {
    **{f"no {name}": lambda file, name=name: file.attrs.__delitem__(name) for name in layout._WORDS + layout._OBJECTS},
    **{f"no {name}": lambda file, name=name: file.attrs.__delitem__(name) for name in ("format", "version", "program", "digest")},
    "a number": attribute("name", 7),
    "two texts": attribute("name", ["2v2", "2v2"], dtype=h5py.string_dtype()),
    "many texts": attribute("name", ["x"] * 1000, dtype=h5py.string_dtype()),
    "a row of numbers": attribute("scheme", np.zeros(8000)),
    "nothing at all": attribute("rules", h5py.Empty("S1")),
    "a record": compound("counts"),
    "an opaque text": attribute("game", np.void(b"some_game")),
    "not UTF-8": attribute("name", b"\xff\xfe\xfd", dtype="S3"),
    "a long text": attribute("name", "x" * 64_000, dtype=h5py.string_dtype()),
    "a long fixed text": attribute("name", np.bytes_(b"x" * 64_000)),
    "another digest": attribute("digest", "0" * 64),
    "a surrogate": attribute("name", json.loads('"\\ud800"').encode("utf-8", "surrogatepass"), dtype="S3"),
    **{
        f"JSON {text[:12]!r}": attribute("scheme", text)
        for text in ["", "{", "[]", "3", "null", '"x"', "NaN", "[" * 30_000, '{"a":' * 10_000, "9" * 50_000, "{'a': 1}"]
    },
    "a group": group,
    "no data": lambda file: file.__delitem__("data"),
    "no digests": lambda file: file.__delitem__("digests"),
    "soft link": linked("data", h5py.SoftLink("/digests")),
    "soft link to itself": linked("data", h5py.SoftLink("/data")),
    "soft link to nothing": linked("digests", h5py.SoftLink("/nothing")),
    "external link": linked("data", h5py.ExternalLink(__file__, "/data")),
    "external link to itself": linked("data", h5py.ExternalLink("harm.h5", "/data")),
    "external digests link": linked("digests", h5py.ExternalLink(__file__, "/digests")),
    "external storage": external,
    "external digests": external_digests,
    "virtual": virtual,
    "huge": huge,
    "huge, digests in chunks": huge_chunked_digests,
    "huge chunks": huge_with_few_digests,
    "huge and contiguous": lambda file: remake(file, "data", (2**60,), "u1"),
    "contiguous": lambda file: remake(file, "data", data=np.zeros(1000, np.uint8)),
    "scalar": lambda file: remake(file, "data", data=np.uint8(1)),
    "empty": lambda file: remake(file, "data", data=h5py.Empty("u1")),
    "no items": lambda file: (packed(file, (0,)), remake(file, "digests", (0, 32), "u1")),
    "no chunks written": packed,
    "too few chunks": lambda file: packed(file).__setitem__(slice(256), 0),
    "two dimensions": lambda file: packed(file, (1000, 1), (256, 1)),
    "shuffled": lambda file: packed(file, shuffle=True).write_direct(np.zeros(1000, np.uint8)),
    "scaled": lambda file: packed(file, dtype="i4", fletcher32=False, scaleoffset=0).write_direct(np.zeros(1000, "i4")),
    "lzf": lambda file: packed(file, compression="lzf").write_direct(np.zeros(1000, np.uint8)),
    "not packed": lambda file: packed(file, compression=None).write_direct(np.zeros(1000, np.uint8)),
    "not checksummed": lambda file: packed(file, fletcher32=False).write_direct(np.zeros(1000, np.uint8)),
    "packed twice": doubly_packed,
    "packed after the checksum": other_order,
    "texts": lambda file: packed(file, dtype=h5py.string_dtype(), fletcher32=False),
    "wide items": lambda file: packed(file, (4,), (1,), f"S{1 << 26}"),
    "references": lambda file: packed(file, dtype=h5py.ref_dtype),
    "short digests": lambda file: remake(file, "digests", data=np.zeros((4, 31), np.uint8)),
    "too many digests": lambda file: remake(file, "digests", data=np.zeros((5, 32), np.uint8)),
    "flat digests": lambda file: remake(file, "digests", data=np.zeros(128, np.uint8)),
    "wide digests": lambda file: remake(file, "digests", data=np.zeros((4, 32), np.int64)),
    "signed digests": lambda file: remake(file, "digests", data=np.zeros((4, 32), np.int8)),
    "texts for digests": lambda file: remake(file, "digests", (4, 32), h5py.string_dtype()),
    "digests never written": lambda file: remake(file, "digests", (4, 32), "u1"),
    "digests in chunks": deflated_digests,
}


@pytest.fixture(scope="module")
def harmful(tmp_path_factory):
    """Each file made to do harm, by what is wrong with it."""
    paths = {}
    for number, (what, harm) in enumerate(HARMS.items()):
        place = tmp_path_factory.mktemp(f"harm{number}")
        path = paths[what] = place / "harm.h5"
        written(path)
        with h5py.File(path, "r+") as file:
            harm(file)
            if what != "another digest":
                digest_again(file)
        seal_again(path)
    return paths


SAID = {
    "is not a short text": "a number; two texts; many texts; a row of numbers; nothing at all; a record; an opaque text; "
    "a long text; a long fixed text",
    "codec can't decode": "not UTF-8; a surrogate",
    "its digest is not that of its content": "another digest",
    "should be a JSON object": "JSON '[]'; JSON '3'; JSON 'null'; JSON '\"x\"'; JSON 'NaN'",
    "no data set 'data' of its own": "a group; no data; soft link; soft link to itself; external link; external link to itself",
    "no data set 'digests' of its own": "no digests; soft link to nothing; external digests link",
    "lies in another file": "external storage; virtual; external digests",
    "chunks are missing": "huge; no chunks written; too few chunks; digests never written",
    "not one row of deflated and checksummed chunks": "huge and contiguous; contiguous; scalar; empty; two dimensions; shuffled; "
    "scaled; lzf; not packed; not checksummed; packed twice; packed after the checksum; texts",
    "are not of this format": "huge chunks; no items; wide items; references",
    "its digests are not one for each of its": "huge, digests in chunks; short digests; too many digests; flat digests; "
    "wide digests; signed digests; texts for digests; digests in chunks",
}


def test_each_harm_is_in_one_place():
    said = [what for together in SAID.values() for what in together.split("; ")]
    assert len(said) == len(set(said)) and set(said) < set(HARMS)
    assert all(what.startswith(("no ", "JSON ")) for what in set(HARMS) - set(said))


@pytest.mark.parametrize("what", HARMS)
def test_harm_is_refused(harmful, what):
    """By the check that is there for it: all the rest of the file is in order, digest and seal too."""
    error = outcome(harmful[what])
    assert isinstance(error, ForeignFileError if what == "no format" else CorruptTableError)
    expected = [sentence for sentence, together in SAID.items() if what in together.split("; ")]
    default = "not a sound HDF5 file" if what.startswith("JSON") else f"it has no attribute '{what[3:]}'"
    assert (expected[0] if expected else default) in str(error)
    assert len(str(error)) < 500
    str(error).encode()  # it can be printed


def test_the_seal_is_not_what_refuses_them(tmp_path):
    path = tmp_path / "harm.h5"
    _, items = written(path)
    with h5py.File(path, "r+") as file:
        file.attrs["more"] = "an attribute that nobody asks for"
    seal_again(path)
    assert np.array_equal(outcome(path), items)


BOUNDED = """
import resource, sys
from pathlib import Path
from solver.errors import CorruptTableError, ForeignFileError
from solver.tables.format import Reader
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (48 << 20),) * 2)
for path in map(Path, sys.argv[1:]):
    for read in (list, Reader.check_checksums):
        try:
            read(Reader(path))
            print(path, "is read")
        except (CorruptTableError, ForeignFileError):
            pass
print("all refused", flush=True)
"""


def in_little_memory(paths):
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(Path(layout.__file__).parents[2])}
    command = [sys.executable, "-c", BOUNDED, *map(str, paths)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)


linux = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")


@linux
def test_harm_is_refused_before_memory_is_taken(harmful):
    result = in_little_memory(harmful.values())
    assert (result.stdout, result.returncode) == ("all refused\n", 0), result.stderr


def with_raw_chunks(path, raw, filter_mask=0):
    """A file whose only chunk is `raw`, under the digest of what it begins with."""
    header = header_for(1 << 20, 1 << 20)
    items = np.zeros(1 << 20, np.uint8)
    with layout._sealed_file(path) as file:
        data = layout._create(file, header)
        data.id.write_direct_chunk((0,), raw, filter_mask)
        layout._seal(file, header, digest_of(items)[None])
    return path


def fletcher(data):
    """Any four bytes: only the HDF5 library looks at them."""
    return data + bytes(4)


@linux
def test_deflate_bombs(tmp_path):
    bomb = zlib.compress(bytes(1 << 27), 6)
    assert len(bomb) < 1 << 20
    many = zlib.compress(bytes(1 << 20), 9)
    raws = [fletcher(bomb), fletcher(many + bomb), fletcher(many[:-1]), fletcher(zlib.compress(bytes(1 << 19)))]
    paths = [with_raw_chunks(tmp_path / f"{number}.h5", raw) for number, raw in enumerate(raws)]
    paths.append(with_raw_chunks(tmp_path / "long.h5", fletcher(many + os.urandom(1 << 22))))
    paths.append(with_raw_chunks(tmp_path / "unpacked.h5", bytes(1 << 20), filter_mask=3))
    paths.append(with_raw_chunks(tmp_path / "no-checksum.h5", many, filter_mask=2))
    for path in paths:
        assert isinstance(outcome(path), CorruptTableError), path
    result = in_little_memory(paths)
    assert (result.stdout, result.returncode) == ("all refused\n", 0), result.stderr


def test_other_formats_and_versions_are_foreign(tmp_path, monkeypatch):
    path = tmp_path / "x.h5"
    for name, value in (("FORMAT", "other"), ("VERSION", 2)):
        with monkeypatch.context() as patch:
            patch.setattr(layout, name, value)
            written(path)
        with pytest.raises(ForeignFileError, match=f"of {'the format' if name == 'FORMAT' else 'version'} '{value}'"):
            Reader(path)
