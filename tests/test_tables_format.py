"""The file: round trips, digests, any bit flipped, any length cut off, and files made to do harm."""

import hashlib
import json
import os
import pickle
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
from backtrick.storage import file as file_format
from backtrick.storage import header as header_module
from backtrick.storage.file import Header, Reader, digest_of, merge_files, seal_of, write_file
from backtrick.storage.hdf5 import FRONT, SEAL, Layout, fletcher32, front_of, index_of_chunks
from hostile import layout_of, seal_again

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
    assert sum(map(len, reader.checked())) == reader.header.length
    assert [path.name for path in tmp_path.iterdir()] == ["x.h5"]


def test_a_reader_pickles(tmp_path):
    _, items = written(tmp_path / "x.h5")
    reader = pickle.loads(pickle.dumps(Reader(tmp_path / "x.h5")))
    assert np.array_equal(np.concatenate(list(reader)), items)


def test_what_docs_format_says(tmp_path):
    """The file read without any code of ours, as docs/format.md says."""
    header, items = written(tmp_path / "x.h5", header_for(dependencies={"1v1": "ab" * 32}))
    content = (tmp_path / "x.h5").read_bytes()
    with h5py.File(tmp_path / "x.h5", "r") as file:
        assert sorted(file) == ["data", "digests", "header", "sizes"] and not file.attrs
        assert np.array_equal(file["data"][...], items)
        digests, sizes, text = file["digests"][...], file["sizes"][...], file["header"][()]
    told = json.loads(text)
    assert content.endswith(text) and json.dumps(told, sort_keys=True).encode() == text
    numbers = f"{len(content) - 512} bytes, chunks {sizes.sum()}, header {len(text)}"
    start, stop = 512 + 2048, 512 + 2048 + int(sizes.sum())
    rest = hashlib.sha256(content[512:start] + content[stop:]).hexdigest()
    line = f"backtrick 2, HDF5 after 512 bytes: {numbers}, sha256 of the rest {rest}\n"
    assert content[:512] == line.encode().ljust(512, b"\0")
    for number, size in enumerate(sizes.tolist()):
        part = items[number * 256 : number * 256 + 256].tobytes()
        assert zlib.decompress(content[start : start + size - 4]) == part.ljust(256, b"\0")
        assert digests[number].tobytes() == hashlib.sha256(part).digest()
        start += size
    assert told.pop("format") == "backtrick" and told.pop("version") == 2
    assert told.pop("digest") == header.digest and told.pop("program") == header.program and told.pop("by") == header.by
    told |= {"format": "backtrick", "version": 1}
    assert hashlib.sha256(json.dumps(told, sort_keys=True).encode() + digests.tobytes()).hexdigest() == header.digest


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
    assert sum(map(len, reader.checked())) == reader.header.length
    assert np.array_equal(np.concatenate(list(reader)), items)


@pytest.mark.parametrize(
    "change",
    [{"kind": "x" * 501}, {"counts": {"0": -1}}, {"dtype": np.dtype("f8")}, {"chunk": 1 << 25}, {"dependencies": {"1v1": "00"}}],
    ids=str,
)
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
    ends = [0, SEAL, SEAL + FRONT, *Reader(path).offsets[1:].tolist(), len(sound)]
    random = Random(3)
    for start, stop in pairwise(ends):
        for bit in random.sample(range(start * 8, stop * 8), min(400, 8 * (stop - start))):
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
    first, last = int(reader.offsets[0]), int(reader.offsets[-1] + reader.sizes[-1])
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
    reader.offsets, reader.sizes = reader.offsets[::-1], reader.sizes[::-1]
    with pytest.raises(CorruptTableError, match="chunk 0 of 2 is damaged"):
        reader.chunk(0)


def test_damaged_after_it_was_opened(tmp_path):
    path = tmp_path / "x.h5"
    written(path)
    reader = Reader(path)
    path.write_bytes(b"")
    with pytest.raises(CorruptTableError):
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
        with pytest.raises(ForeignFileError, match=f"{name}: not a file"):
            Reader(tmp_path / name)
    with pytest.raises(StorageError, match="there is no such file"):
        Reader(tmp_path / "nothing.h5")


FULL = """
import resource, sys
from pathlib import Path
from test_tables_format import written
from backtrick.errors import StorageError
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
    places = os.pathsep.join([str(Path(file_format.__file__).parents[2]), str(Path(__file__).parent)])
    command = [sys.executable, "-c", FULL, str(tmp_path / "x.h5")]
    result = subprocess.run(command, env=os.environ | {"PYTHONPATH": places}, capture_output=True, text=True, timeout=120)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)
    assert [path.name for path in tmp_path.iterdir()] == ["enough.h5"]


# made to do harm: under a good seal, and but for one thing in order


def crafted(path, told=None, text=None, raws=None, digest=True, **parts):
    """A file of four chunks with a header that tells something else, or other bytes for one of its parts, all else in order.

    told: changes of the header, None to leave a part out. text: the header's bytes. raws: the chunks' bytes.
    parts: functions of the bytes that `front`, `index`, `digests` or `sizes` should have.
    """
    header = header_for()
    items = items_for(header)
    if raws is None:
        raws = [file_format.packed_chunk(part, header) for part, _ in chunks_of(header, items)]
    digests = np.stack([digest_of(part) for part, _ in chunks_of(header, items)])
    if text is None:
        sealed = header.sealed(digests)
        new = {name: value for name, value in (json.loads(sealed.text()) | (told or {})).items() if value is not None}
        if digest and "digest" not in (told or {}):
            covered = {name: value for name, value in new.items() if name not in ("program", "digest", "by")} | {"version": 1}
            new["digest"] = hashlib.sha256(json.dumps(covered, sort_keys=True).encode() + digests.tobytes()).hexdigest()
        text = json.dumps(new, sort_keys=True).encode()
    sizes = np.array([len(raw) for raw in raws], "<u4")
    layout = Layout(header.dtype, header.length, header.chunk, int(sizes.sum()), len(text))
    made = {
        "front": front_of(layout),
        "index": index_of_chunks(layout, sizes),
        "digests": digests.tobytes(),
        "sizes": sizes.tobytes(),
    }
    made |= {name: change(bytearray(made[name])) for name, change in parts.items()}
    rest = b"".join([made["index"], made["digests"], made["sizes"], text])
    seal = seal_of(layout, hashlib.sha256(made["front"] + rest).hexdigest())
    path.write_bytes(seal + made["front"] + b"".join(raws) + rest)
    return path


def test_what_is_crafted_without_a_change_is_the_file(tmp_path):
    header = header_for()
    write_file(tmp_path / "y.h5", header, ((part, {}) for part, _ in chunks_of(header, items_for(header))))
    assert crafted(tmp_path / "x.h5").read_bytes() == (tmp_path / "y.h5").read_bytes()


HUGE = 1 << 61
WRONG = {  # for each part of a header, values that make no sense there; None: the part is left out
    "format": ["other", 1, None, ["backtrick"]],
    "version": [1, 3, "2", None, [2]],
    "kind": ["", 7, None, [], "two\nlines", "x" * 501, "\u00e9", "\ud800", {"a": 1}],
    "game": ["", 0, None, True],
    "name": ["", None, ["2v2"], "tab\t"],
    "program": ["", None, 1, "x" * 50_000],
    "by": ["", None, 1, ["rows"], "x" * 501],
    "digest": ["", None, "0" * 63, 5, "G" * 64],
    "length": [0, -1, 1e3, "1000", None, True, HUGE * 4, [1000]],
    "chunk": [0, -256, 256.0, "256", None, False, HUGE * 4],
    "dtype": [
        *(None, "u1", [], {}, [["", "|u1"], ["", "|u1"]], [["", "|u1", 1]], [["", 1]], [[]], [["", ">u8"]], [["", "<f8"]]),
        *([["", "|O"]], [["", "|S0"]], [["", "|S1000"]], [["", "|V4"]], [["", "|u1,|u1"]]),
        *([["a", "|u1"], ["a", "|u1"]], [["A", "|u1"]], [["a" * 40, "|u1"]]),
        *([[f"a{number}", "|u1"] for number in range(17)], [["", "<U3"]], [["", "<M8"]]),
    ],
    "rules": [None, [], 3, "x", {"": 1}, {"a": None}, {"a": 1.5}, {"a": [1]}, {"a": {}}, {"a": -1}, {"a": HUGE * 2}, {"\n": 1}],
    "scheme": [None, [], True, {"a": float("nan")}, {"a": float("inf")}, {"a": "x\x7f"}],
    "counts": [None, [1], {"0": "1"}, {"0": -1}, {"0": 1.0}, {"0": True}, {"0": 2**70}, {"0": None}, {"0": [1]}, {"\x00": 1}],
    "dependencies": [None, {"1v1": 1}, {"1v1": "0"}, {"1v1": None}, {"1v1": "0" * 65}],
    "more": ["a part that nobody asks for", 1, {}],
}


@pytest.mark.parametrize("name", WRONG)
def test_a_header_that_tells_what_cannot_be(tmp_path, name):
    """One sentence each, by the check of that part: digest and seal are right."""
    said = {"more": "it tells of 'more'", "format": "it is not of version 2", "version": "it is not of version 2"}
    for value in WRONG[name]:
        error = outcome(crafted(tmp_path / "x.h5", {name: value}))
        assert isinstance(error, CorruptTableError), (name, value)
        assert said.get(name, f"its {name} is") in str(error), (name, value, str(error))
        assert len(str(error)) < 300
        str(error).encode()  # it can be printed


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"length": 1025}, "its parts are"),
        ({"length": 999}, "what it tells HDF5"),
        ({"chunk": 255}, "what it tells HDF5"),
        ({"dtype": [["", "|i1"]]}, "what it tells HDF5"),
        ({"dtype": [["", "<u8"]]}, "what it tells HDF5"),
        ({"chunk": (1 << 24) + 1}, "too large or too many"),
        ({"length": HUGE}, "too large or too many"),
        ({"length": HUGE, "chunk": HUGE}, "too large or too many"),
        ({"length": 10**4000}, "its length is"),
        ({"digest": "0" * 64}, "its digest is not that of its content"),
    ],
    ids=str,
)
def test_a_header_that_is_fine_but_not_of_this_file(tmp_path, told, said):
    error = outcome(crafted(tmp_path / "x.h5", told))
    assert isinstance(error, CorruptTableError) and said in str(error)


@pytest.mark.parametrize(
    "text",
    [
        *(b"x", b"{", b"[]", b"3", b"null", b'"x"', b"NaN", b"{'a': 1}", b"{}", b'{"a": 1, "a": 2}', b'{"b": 1, "a": 2}'),
        *(b"[" * 30_000, b'{"a":' * 10_000, b"9" * 50_000, b"\xff\xfe\xfd", "{}".encode("utf-16"), b'{"a":1}', b'{"a": 1} '),
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_a_header_that_is_no_json_of_ours(tmp_path, text):
    error = outcome(crafted(tmp_path / "x.h5", text=text))
    assert isinstance(error, CorruptTableError) and "its header cannot be read: " in str(error) and len(str(error)) < 300


def test_a_header_that_is_too_long_is_not_read(tmp_path):
    path = crafted(tmp_path / "x.h5", {"program": "x" * 500})
    assert isinstance(outcome(path), np.ndarray)
    text = json.dumps({"program": "x" * header_module.MOST_TEXT}).encode()
    assert "its seal tells of a header of 60015 bytes" in str(outcome(crafted(path, text=text)))


def put(place, value):
    def change(content):
        content[place : place + len(value)] = value
        return content

    return change


def refuse_each(path, places, said):
    """One byte after another is changed, under a good seal, and refused by the check that compares what HDF5 would read."""
    sound, layout = crafted(path).read_bytes(), layout_of(path)
    for place in places:
        content = bytearray(sound)
        content[place] ^= 1
        seal_again(content, layout)
        path.write_bytes(content)
        assert said in str(outcome(path)), place


def for_hdf5(path):
    """The places of the superblock, the object headers and the B-tree."""
    layout = layout_of(crafted(path))
    return [*range(SEAL, SEAL + FRONT), *range(SEAL + layout.index, SEAL + layout.digests)]


def test_what_leads_hdf5_astray_is_refused_before_it_may_see_it(tmp_path):
    path = tmp_path / "x.h5"
    content = crafted(path).read_bytes()
    zeros = [place for place in for_hdf5(path) if not content[place]]
    others = [place for place in for_hdf5(path) if content[place]]
    assert len(others) > 200
    refuse_each(path, others + zeros[::20], "what it tells HDF5 is not what its header says")


@pytest.mark.slow
def test_every_byte_for_hdf5_is_compared(tmp_path):
    refuse_each(tmp_path / "x.h5", for_hdf5(tmp_path / "x.h5"), "what it tells HDF5 is not what its header says")


def sizes_of(change):
    return lambda content: np.array(change(np.frombuffer(content, "<u4").tolist()), "<u4").tobytes()


@pytest.mark.parametrize(
    "change",
    [
        lambda sizes: [2**32 - 1, *sizes[1:]],
        lambda sizes: [0, 0, *sizes[2:]],
        lambda sizes: [4, sizes[0] + sizes[1] - 4, *sizes[2:]],
        lambda sizes: [sizes[0] + 1, sizes[1] - 1, *sizes[2:]],
        lambda sizes: sizes[1:] + sizes[:1],
    ],
    ids=["too large", "none", "a checksum only", "one byte to the next", "in another order"],
)
def test_sizes_that_are_not_those_of_the_chunks(tmp_path, change):
    error = outcome(crafted(tmp_path / "x.h5", sizes=sizes_of(change)))
    assert isinstance(error, CorruptTableError)
    assert "impossible lengths" in str(error) or "what it tells HDF5" in str(error)


@pytest.mark.parametrize("digests", [put(0, bytes(32)), put(127, b"\0"), lambda content: content[32:] + content[:32]])
def test_digests_of_other_chunks(tmp_path, digests):
    error = outcome(crafted(tmp_path / "x.h5", digests=digests))
    assert "its digest is not that of its content" in str(error)


SEALS = [
    ("bytes, chunks", "bytes; chunks", "its seal cannot be read"),
    ("header ", "header 0", "it is damaged"),
    ("chunks ", "chunks 10", "its seal tells of"),
    (", header", "9, header", "its seal tells of"),
    ("header ", "header 9", "its seal tells of"),
    ("after 512", "after 513", "it does not begin with our seal"),
    ("\n", "\n ", "its seal cannot be read"),
    ("rest ", "rest 0", "its seal cannot be read"),
]


@pytest.mark.parametrize(("old", "new", "said"), SEALS)
def test_a_seal_that_tells_what_cannot_be(tmp_path, old, new, said):
    path = crafted(tmp_path / "x.h5")
    content = path.read_bytes()
    line = content[:SEAL].rstrip(b"\0").replace(old.encode(), new.encode(), 1)
    path.write_bytes(line.ljust(SEAL, b"\0") + content[SEAL:])
    with pytest.raises(BAD, match=said):
        Reader(path)


def test_a_header_for_more_chunks_than_there_are_takes_no_memory(tmp_path):
    """The parts of 2**24 chunks would be 1.2 GB; the file is too short for them."""
    error = outcome(crafted(tmp_path / "x.h5", {"length": 1 << 24, "chunk": 1}))
    assert "its parts are" in str(error)
    error = outcome(crafted(tmp_path / "x.h5", {"length": (1 << 24) + 1, "chunk": 1}))
    assert "too large or too many" in str(error)


BOUNDED = """
import resource, sys
from pathlib import Path
from backtrick.errors import CorruptTableError, ForeignFileError
from backtrick.storage.file import Reader
import h5py
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (48 << 20),) * 2)
for path in map(Path, sys.argv[1:]):
    for read in (list, lambda reader: list(reader.checked())):
        try:
            read(Reader(path))
            print(path, "is read")
        except (CorruptTableError, ForeignFileError):
            pass
print("all refused", flush=True)
"""


def in_little_memory(paths):
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(Path(file_format.__file__).parents[2])}
    environment.pop("LD_PRELOAD", None)  # an address sanitizer keeps what is freed for a while
    command = [sys.executable, "-c", BOUNDED, *map(str, paths)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)


linux = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")


@linux
def test_harm_is_refused_before_memory_is_taken(tmp_path):
    harms = [{"length": HUGE}, {"chunk": 1 << 24, "length": HUGE}, {"length": 1 << 24, "chunk": 1}, {"dtype": [["", "|S999"]]}]
    paths = [crafted(tmp_path / f"{number}.h5", harm) for number, harm in enumerate(harms)]
    paths.append(crafted(tmp_path / "long.h5", text=b" " * 60_001))
    result = in_little_memory(paths)
    assert (result.stdout, result.returncode) == ("all refused\n", 0), result.stderr


def with_raw_chunk(path, deflated):
    """A file whose only chunk is `deflated`, under the digest of what it begins with."""
    header = header_for(1 << 20, 1 << 20)
    raw = deflated + fletcher32(deflated)
    file_format.write_chunks(path, header, [(1 << 20, raw, digest_of(np.zeros(1 << 20, np.uint8)), {})])
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


def test_other_formats_and_versions_are_foreign(tmp_path, monkeypatch):
    path = tmp_path / "x.h5"
    with monkeypatch.context() as patch:
        for module in (file_format, header_module):
            patch.setattr(module, "VERSION", 3)
        written(path)
    with pytest.raises(ForeignFileError, match=r"of version 3 of the format, this program reads version 2; build it anew$"):
        Reader(path)
    line = b"backtrick, HDF5 after 512 bytes: 21545 bytes, sha256 " + b"0" * 64
    path.write_bytes(line.ljust(512, b"\0") + bytes(21545))  # as version 1 began
    with pytest.raises(ForeignFileError, match="of version 1 of the format, this program reads version 2; build it anew"):
        Reader(path)
