"""What is made for HDF5: read by HDF5 libraries, and held against what they compute."""

import json
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from random import Random

import h5py
import numpy as np
import pytest

import backtrick
from backtrick.face_to_face.codec import CODEC as DUELS
from backtrick.storage.file import Header, Reader, write_file
from backtrick.storage.hdf5 import FRONT, Layout, fletcher32, front_of, index_of_chunks
from backtrick.take_that.codec import CODEC as LINES

PLAIN = np.dtype("u1")
DTYPES = [PLAIN, np.dtype("<i2"), np.dtype("S5"), DUELS.dtype, LINES.dtype]


def written(path, length, chunk, dtype):
    items = np.zeros(length, dtype)
    items.view("u1")[...] = np.random.default_rng(length).integers(0, 5, items.nbytes, np.uint8)
    header = Header("table", "some_game", "2v2", dtype, length, chunk)
    write_file(path, header, ((items[start : start + chunk], {}) for start in range(0, length, chunk)))
    return items


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("length", "chunk"), [(1, 1), (1, 256), (255, 256), (256, 256), (1000, 256)])
def test_hdf5_reads_what_we_read(tmp_path, length, chunk, dtype):
    items = written(tmp_path / "x.h5", length, chunk, dtype)
    reader = Reader(tmp_path / "x.h5")
    with h5py.File(tmp_path / "x.h5", "r") as file:
        data = file["data"]
        assert data.dtype == dtype and np.array_equal(data[...], items)
        assert (data.chunks, data.compression, data.compression_opts, data.fletcher32) == ((chunk,), "gzip", 6, True)
        assert data.maxshape == (None,)
        assert np.array_equal(file["digests"][...], reader.digests) and np.array_equal(file["sizes"][...], reader.sizes)
        assert Header.parse(file["header"][()]) == reader.header
        assert not list(file.attrs) and not list(data.attrs)
        places = [data.id.get_chunk_info(number) for number in range(reader.header.chunks)]
        assert [place.size for place in places] == reader.sizes.tolist()
        assert all(place.filter_mask == 0 for place in places)
    assert sum(map(len, reader.checked())) == reader.header.length


@pytest.mark.parametrize("chunks", [63, 64, 65, 128, 129, 64 * 64, 64 * 64 + 1, 9999])
def test_b_trees_of_any_height(tmp_path, chunks):
    items = written(tmp_path / "x.h5", 2 * chunks - 1, 2, PLAIN)
    with h5py.File(tmp_path / "x.h5", "r") as file:
        assert file["data"].id.get_num_chunks() == chunks
        assert np.array_equal(file["data"][...], items)
        for place in (0, 1, chunks, 2 * chunks - 2):
            assert file["data"][place] == items[place]


@pytest.mark.slow
def test_a_b_tree_of_four_levels(tmp_path):
    items = written(tmp_path / "x.h5", 64**3 + 1, 1, PLAIN)
    with h5py.File(tmp_path / "x.h5", "r") as file:
        assert np.array_equal(file["data"][...], items)


def test_a_b_tree_keeps_its_own_rules():
    """A node after another, each named by one key of the level above; read here as the specification says."""
    random = np.random.default_rng(1)
    for chunks in (1, 2, 64, 65, 700, 64 * 65):
        sizes = random.integers(5, 300, chunks).astype("<u4")
        layout = Layout(PLAIN, 3 * chunks - 1, 3, int(sizes.sum()), 10)
        tree = index_of_chunks(layout, sizes)
        seen = []

        def walk(address, level=None, tree=tree, layout=layout, seen=seen):
            node = tree[address - layout.index : address - layout.index + 2096]
            assert node[:5] == b"TREE\x01" and level in (None, node[5])
            entries = int.from_bytes(node[6:8], "little")
            for number in range(entries):
                key = node[24 + 32 * number : 56 + 32 * number]
                size, mask, item, byte, child = np.frombuffer(key, "<u4,<u4,<u8,<u8,<u8")[0].tolist()
                after = int.from_bytes(node[24 + 32 * number + 40 :][:8], "little")
                assert (mask, byte) == (0, 0) and item < after
                if node[5]:
                    assert walk(child, node[5] - 1) == item
                else:
                    seen.append((item, size, child))
            return int.from_bytes(node[32:40], "little")

        walk(layout.digests - 2096)
        places = np.cumsum(sizes) - sizes + FRONT
        assert seen == list(zip(range(0, 3 * chunks, 3), sizes.tolist(), places.tolist(), strict=True))


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


def test_checksums_are_those_of_hdf5(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        for number, content in enumerate([b"", b"\xff" * 4, bytes(range(256)) * 3, b"\xff\xff\0\0" * 500, b"a"]):
            items = np.frombuffer(content + b"x", "u1")
            data = file.create_dataset(str(number), data=items, chunks=items.shape, fletcher32=True)
            raw = data.id.read_direct_chunk((0,))[1]
            assert raw == content + b"x" + fletcher32(content + b"x")


def test_the_front_of_a_file():
    """Golden: readers in other languages may rely on it, and files written once are compared with it for ever."""
    layout = Layout(PLAIN, 1000, 256, 600, 400)
    front = front_of(layout)
    assert len(front) == FRONT and front[:8] == b"\x89HDF\r\n\x1a\n"
    used = front.rstrip(b"\0")
    assert len(used) < 1000
    assert sha256(front).hexdigest() == "148602f7702dda5d2f9e3ef1f24418edf39dd43833b798a1050df33e0afe377b"
    with pytest.raises(ValueError, match="no room"):
        front_of(Layout(np.dtype([(f"a_long_name_{number}", "u1") for number in range(40)]), 10, 10, 10, 10))


def test_reading_needs_no_hdf5_library(tmp_path):
    """What is not loaded cannot loop."""
    written(tmp_path / "2v1.h5", 1000, 256, PLAIN)
    code = (
        "import sys; from pathlib import Path; from backtrick.storage.file import Reader; import backtrick.cli.files\n"
        "from backtrick.face_to_face import build_tables, open_tablebase; from backtrick.take_that import build_closure\n"
        "list(Reader(Path(sys.argv[1]))); build_tables(sys.argv[2], ['2v1'], processes=0, progress=False)\n"
        "print([name for name in sys.modules if 'h5py' in name])"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "2v1.h5"), str(tmp_path / "t")]
    environment = {"PYTHONPATH": str(Path(backtrick.__file__).parents[1]), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.skipif(not shutil.which("h5dump"), reason="needs h5dump")
def test_h5dump_reads_it_too(tmp_path):
    """A library of its own, often older than that of h5py."""
    items = written(tmp_path / "x.h5", 1000, 256, DUELS.dtype)
    done = subprocess.run(["h5dump", "-d", "data", "-y", tmp_path / "x.h5"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr
    numbers = [int(word) for word in done.stdout.split("DATA {")[1].replace(",", " ").split() if word.isdigit()]
    assert numbers == [value for item in items.tolist() for value in item]
    text = subprocess.run(["h5dump", "-d", "header", tmp_path / "x.h5"], capture_output=True, text=True, timeout=60).stdout
    assert '"game": "some_game"' in text.replace('\\"', '"')
    assert json.loads(Reader(tmp_path / "x.h5").header.text())["game"] == "some_game"
