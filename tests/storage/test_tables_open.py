"""An open file stays the one that was opened, whatever takes its name, whoever reads; and no more are open than must be."""

import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from h5py import h5p

from backtrick import face_to_face, take_that
from backtrick.errors import StorageError
from backtrick.face_to_face.samples import uniform
from backtrick.face_to_face.tables import table as tables_module
from backtrick.storage import file as file_format
from backtrick.storage.file import OpenFile, Reader, write_file
from test_tables_format import header_for, written
from waiting import PATIENCE

SOURCE = Path(file_format.__file__).parents[2]
linux = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")


def descriptors(path, process="self"):
    """How many descriptors a process has on files whose whole path begins so, other than those that other tests left open."""
    found = 0
    for link in Path(f"/proc/{process}/fd").iterdir():
        try:
            found += link.is_symlink() and str(link.readlink()).startswith(str(path)) and ".h5" in link.readlink().name
        except FileNotFoundError:  # the one of the listing itself
            continue
    return found


def read(reader):
    return np.concatenate(list(reader))


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """2v2 in 53 chunks."""
    monkeypatch.setattr(tables_module, "CHUNK_BYTES", 1 << 10)
    face_to_face.build_tables(tmp_path, ["2v2"], processes=0, progress=False)
    return tmp_path


ARRAY = face_to_face.pack(list(uniform(400, 4, (2, 2))))


# replaced while it is open


def test_a_replaced_file_goes_on_being_served(tmp_path):
    path = tmp_path / "x.h5"
    _, items = written(path)
    readers = [Reader(path), Reader(path)]
    readers[0].chunk(2)
    _, others = written(path, header_for(2000, 512), seed=1)
    for reader in readers:
        assert np.array_equal(read(reader), items)
    assert np.array_equal(read(Reader(path)), others)
    path.unlink()
    assert np.array_equal(read(readers[0]), items)


def test_a_table_that_is_rebuilt_while_it_is_probed(directory):
    """No error and no mixture: the one that was opened, until the tablebase is closed."""
    expected = face_to_face.solve_many(ARRAY)
    with face_to_face.open_tablebase(directory) as tables:
        assert tables.probe_many(ARRAY[:1])[0] == expected[0]
        reader = Reader(directory / "2v2.h5")
        counts = {f"{what[:-1]}{1 - int(what[-1])}": count for what, count in reader.header.counts.items()}
        header = replace(reader.header, counts=counts)
        write_file(directory / "2v2.h5", header, ((chunk ^ 0x55, {}) for chunk in reader))  # 0 and 1 exchanged
        for start in range(len(ARRAY) - 1, -1, -50):
            assert np.array_equal(tables.probe_many(ARRAY[start:]), expected[start:])
        tables.close()
        assert np.array_equal(tables.probe_many(ARRAY), 1 - expected)


def test_a_pickled_reader_opens_what_is_there(tmp_path):
    path = tmp_path / "x.h5"
    _, items = written(path)
    pickled = pickle.dumps(Reader(path))
    assert np.array_equal(read(pickle.loads(pickled)), items)
    _, others = written(path, seed=1)
    assert np.array_equal(read(pickle.loads(pickled)), others)


# threads and processes


@pytest.mark.parametrize("at_a_place", [True, False], ids=["pread", "seek"])
def test_threads_share_a_reader(tmp_path, monkeypatch, at_a_place):
    if not at_a_place:  # as on systems that cannot read at a place
        monkeypatch.delattr(os, "pread", raising=False)
    _, items = written(tmp_path / "x.h5", header_for(1 << 14, 1 << 9))
    reader = Reader(tmp_path / "x.h5")

    def ask(seed):
        numbers = np.random.default_rng(seed).integers(0, 32, 200).tolist()
        return all(np.array_equal(reader.chunk(number), items[number << 9 : (number + 1) << 9]) for number in numbers)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(8)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_moves_nothing_in_its_parent(tmp_path):
    """Both read from one open file, each at its own places."""
    _, items = written(tmp_path / "x.h5", header_for(1 << 14, 1 << 9))
    reader = Reader(tmp_path / "x.h5")
    code = (
        "import os, sys, numpy; from pathlib import Path; from backtrick.storage.file import Reader\n"
        "reader = Reader(Path(sys.argv[1])); items = numpy.concatenate(list(reader)); child = os.fork()\n"
        "same = all(numpy.array_equal(numpy.concatenate(list(reader)), items) for _ in range(30))\n"
        "if not child: os._exit(not same)\n"
        "sys.exit(not same or os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    environment = os.environ | {"PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", code, reader.path]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")


@linux
def test_no_other_program_inherits_it(tmp_path):
    path = tmp_path / "x.h5"
    written(path)
    reader = Reader(path)
    child = subprocess.Popen(["sleep", "9999"], close_fds=False)
    try:
        assert descriptors(path) == 1 and descriptors(path, child.pid) == 0
    finally:
        child.kill()
        child.wait()
    reader.close()


# no more than must be


@linux
def test_one_descriptor_a_reader_until_it_is_closed(tmp_path):
    path = tmp_path / "x.h5"
    _, items = written(path)
    with Reader(path) as reader:
        read(reader)
        assert descriptors(path) == 1
    assert descriptors(path) == 0
    with pytest.raises(ValueError, match=r"the reader of .*x\.h5 is closed"):
        reader.chunk(0)
    reader.close()  # once more does no harm
    assert reader.header.length == len(items)
    Reader(path)  # nobody keeps it
    assert descriptors(path) == 0
    for damage in (b"", b"x"):
        path.write_bytes(path.read_bytes()[:-1] + damage)
        with pytest.raises(file_format.CorruptTableError) as kept:
            Reader(path)
        assert kept and descriptors(path) == 0


@linux
def test_a_tablebase_lets_go(directory):
    with face_to_face.open_tablebase(directory) as tables:
        tables.probe_many(ARRAY)
        assert descriptors(directory) == 1
    assert descriptors(directory) == 0


@linux
def test_a_set_is_not_kept_open_once_it_is_in_memory(tmp_path):
    position = take_that.Position.parse("15,43,44 21,53 51-62-35")
    for number in range(5):
        take_that.build_set(tmp_path, f"asked{number}", take_that.pack([position]), processes=0, progress=False)
    with take_that.open_tablebase(tmp_path) as tables:
        assert tables.get(take_that.Position.parse("15,43 21,53 51-62-35")) is None  # all were asked
        assert descriptors(tmp_path) == 0


@linux
def test_a_reader_that_is_closed_by_one_thread_while_another_reads(tmp_path):
    """A descriptor's number is not given away under a read: it would read from whatever file gets it next."""
    path = tmp_path / "x.h5"
    written(path)
    other = tmp_path / "y"
    other.write_bytes(b"y" * 100_000)
    for _ in range(50):
        reader, wrong = Reader(path), []

        def ask(reader=reader, wrong=wrong):
            try:
                for _ in range(100):
                    read(reader)
            except ValueError as error:
                wrong.extend([] if "is closed" in str(error) else [error])
            except Exception as error:
                wrong.append(error)

        asking = threading.Thread(target=ask)
        asking.start()
        reader.close()
        opened = [other.open("rb") for _ in range(3)]
        asking.join()
        for file in opened:
            file.close()
        assert not wrong


@linux
def test_a_table_of_many_shards_needs_few_descriptors(tmp_path):
    code = (
        "import resource, sys; from backtrick.face_to_face import build_tables\n"
        "from backtrick.face_to_face.tables import table as tables\n"
        "tables.CHUNK_BYTES, tables.SHARD_CHUNKS = 1024, 1\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))\n"
        "print(*build_tables(sys.argv[1], ['2v2'], processes=0, progress=False)[0].counts.values())"
    )
    environment = os.environ | {"PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", code, tmp_path], env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    assert "321187" in done.stdout


@pytest.mark.parametrize("game", [face_to_face, take_that])
def test_a_directory_that_cannot_be_is_a_sentence(game):
    too_long = "/".join(["x" * 100] * 45)
    with pytest.raises(StorageError, match="File name too long"):
        game.open_tablebase(too_long)
    with pytest.raises(StorageError, match="File name too long"):
        face_to_face.build_tables(too_long, ["1v1"], processes=0)


def test_a_file_that_cannot_be_opened_leaves_nothing_to_hdf5(tmp_path, monkeypatch):
    """What HDF5 still has when Python has ended it closes then, and the process crashes."""
    made, create = [], h5p.create
    monkeypatch.setattr(h5p, "create", lambda kind: made.append(create(kind)) or made[-1])
    (tmp_path / "x.h5").write_bytes(bytes(5000))
    with pytest.raises(OSError), file_format._hdf5(file_format._Stream(OpenFile(tmp_path / "x.h5"))):
        pass
    assert len(made) == 1 and not made[0].valid
