"""Building tables: the same whoever does the work, and whatever is killed, damaged, refused or in the way."""

import contextlib
import errno
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from backtrick.errors import ForeignFileError, StorageError, WorkerError
from backtrick.face_to_face import PUBLISHED, Rules, build_tables
from backtrick.face_to_face.classes import TableName, tables_up_to
from backtrick.face_to_face.tables import building
from backtrick.face_to_face.tables import table as tables
from backtrick.face_to_face.tables.building import TableJob, build_shards
from backtrick.storage import atomic as storage
from backtrick.storage import file as layout
from backtrick.storage import jobs, workers
from backtrick.storage.file import Reader
from backtrick.storage.workers import executor_of
from waiting import PATIENCE, children_of, end_by, wait_for

BOTH = pytest.mark.parametrize("rules", [Rules(), Rules(lone_card=True)], ids=["strict", "lone-card"])
LONE = pytest.param(Rules(lone_card=True), marks=pytest.mark.slow)
SOURCE = Path(layout.__file__).parents[2]

GENERATOR = """
import os, sys, time
from pathlib import Path
from backtrick.errors import BacktrickError
from backtrick.face_to_face import build_tables
from backtrick.face_to_face.tables import table as tables
tables.CHUNK_BYTES, tables.SHARD_CHUNKS = 1 << 14, 1  # many shards, in the workers too: they read this file
if __name__ == "__main__":
    if os.environ.get("NEVER_DONE"):
        replace = Path.replace
        Path.replace = lambda path, target: time.sleep(9999) if Path(target).name == "3v2.h5" else replace(path, target)
    if os.environ.get("MOST_BYTES"):
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(os.environ["MOST_BYTES"]),) * 2)
    print("started", flush=True)
    try:
        build_tables(sys.argv[1], sys.argv[3:], processes=int(sys.argv[2]), progress=False)
    except BacktrickError as error:
        sys.exit(f"{type(error).__name__}: {error}")
    print("done", flush=True)
"""


@pytest.fixture
def many_shards(monkeypatch):
    """3v2 in 12 shards, 2v1 in one."""
    monkeypatch.setattr(tables, "CHUNK_BYTES", 1 << 14)
    monkeypatch.setattr(tables, "SHARD_CHUNKS", 3)


@pytest.fixture
def generator(tmp_path):
    """Starts a process that builds tables with the chunks of `many_shards`, each a shard."""
    script = tmp_path / "generator.py"
    script.write_text(GENERATOR)
    started = []

    def start(directory, processes, *names, **variables):
        environment = os.environ | {"PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1"} | variables
        command = [sys.executable, str(script), str(directory), str(processes), *names]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        started.append(subprocess.Popen(command, env=environment, text=True, start_new_session=True, **streams))
        return started[-1]

    yield start
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def build(directory, names, **options):
    return build_tables(directory, names, progress=False, **{"processes": 0} | options)


def digests(directory):
    return {path.name: Reader(path).header.digest for path in sorted(directory.glob("*.h5"))}


def files(directory):
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file() and path.name != ".lock")


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """3v2 and 2v1 in many shards, built in one go."""
    directory = tmp_path_factory.mktemp("expected")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "CHUNK_BYTES", 1 << 14)
        patch.setattr(tables, "SHARD_CHUNKS", 3)
        build(directory, ["3v2"])
    return digests(directory)


# the same whoever builds it


@pytest.mark.parametrize("rules", [Rules(), pytest.param(LONE, marks=pytest.mark.slow)], ids=["strict", "lone-card"])
def test_one_process_or_two(tmp_path, rules):
    alone = build(tmp_path / "alone", tables_up_to(4), rules=rules)
    together = build(tmp_path / "together", tables_up_to(4), rules=rules, processes=2)
    assert alone == together
    assert [header.name for header in alone] == ["1v1", "1v2", "2v1", "1v3", "2v2", "3v1"]
    assert digests(tmp_path / "alone") == digests(tmp_path / "together")
    assert build(tmp_path / "alone", tables_up_to(4), rules=rules) == []


@pytest.mark.slow
@BOTH
def test_one_process_or_two_up_to_five_cards(tmp_path, rules):
    alone = build(tmp_path / "alone", tables_up_to(5), rules=rules)
    assert alone == build(tmp_path / "two", tables_up_to(5), rules=rules, processes=2)


def test_shards_of_any_size(tmp_path, monkeypatch, many_shards, expected):
    for shard_chunks in (1, 1000):
        monkeypatch.setattr(tables, "SHARD_CHUNKS", shard_chunks)
        build(tmp_path / str(shard_chunks), ["3v2"])
        assert digests(tmp_path / str(shard_chunks)) == expected
        assert files(tmp_path / str(shard_chunks)) == ["2v1.h5", "3v2.h5"]


def test_many_shards_in_two_processes(tmp_path, generator, expected):
    process = generator(tmp_path / "t", 2, "3v2")
    assert process.communicate(timeout=PATIENCE) == ("started\ndone\n", "")
    assert digests(tmp_path / "t") == expected


def test_force_builds_again(tmp_path):
    first = build(tmp_path, ["2v1"])
    assert build(tmp_path, ["2v1"], force=True) == first
    assert build(tmp_path, ["2v1"]) == []


# going on


class StoppedError(Exception):
    pass


def stop_after(monkeypatch, shards, error):
    """The job's work fails when this many shards are written."""
    write = jobs.write_file
    left = [shards]

    def failing(path, header, chunks):
        left[0] -= 1
        if left[0] < 0:
            raise error
        return write(path, header, chunks)

    monkeypatch.setattr(jobs, "write_file", failing)


def count_writes(monkeypatch):
    written = []
    write = jobs.write_file
    monkeypatch.setattr(jobs, "write_file", lambda path, *rest: (written.append(path.name), write(path, *rest))[1])
    return written


def test_goes_on_after_a_fault_in_a_shard(tmp_path, monkeypatch, many_shards, expected):
    with monkeypatch.context() as patch:
        stop_after(patch, 8, StoppedError())
        with pytest.raises(StoppedError):
            build(tmp_path, ["3v2"])
    left = files(tmp_path)
    assert left[-1] == "2v1.h5" and len(left) == 8  # 2v1 took one shard, so 7 of 12
    written = count_writes(monkeypatch)
    build(tmp_path, ["3v2"])
    assert len(written) == 12 - 7
    assert digests(tmp_path) == expected
    assert files(tmp_path) == ["2v1.h5", "3v2.h5"]


@pytest.fixture
def unfinished(tmp_path, monkeypatch, many_shards):
    """A directory in which 3v2 is left with 7 shards; the directory of these."""
    with monkeypatch.context() as patch:
        stop_after(patch, 8, StoppedError())
        with pytest.raises(StoppedError):
            build(tmp_path / "t", ["3v2"])
    (place,) = jobs.leftovers(tmp_path / "t")
    assert len(list(place.iterdir())) == 7
    return place


def damage(path, how):
    content = bytearray(path.read_bytes())
    if how == "flipped":
        content[len(content) // 2] ^= 4
    path.write_bytes({"flipped": content, "empty": b"", "cut": content[:-100], "text": b"something else"}[how])


@pytest.mark.share(2)
@pytest.mark.parametrize("how", ["flipped", "empty", "cut", "text"])
def test_a_damaged_shard_is_made_anew(unfinished, monkeypatch, expected, how):
    for number in (0, 3, 6):
        damage(unfinished / f"{number:06}.h5", how)
    written = count_writes(monkeypatch)
    build(unfinished.parents[1], ["3v2"])
    assert digests(unfinished.parents[1]) == expected
    assert len(written) == 5 + 3


def test_a_shard_under_the_name_of_another_is_made_anew(unfinished, expected):
    (unfinished / "000004.h5").write_bytes((unfinished / "000005.h5").read_bytes())
    build(unfinished.parents[1], ["3v2"])
    assert digests(unfinished.parents[1]) == expected


def test_a_shard_of_another_rule_is_made_anew(unfinished, expected):
    job = TableJob(unfinished.parent, TableName(3, 2), Rules(lone_card=True), {"2v1": "0" * 64})
    jobs.build_shard(job, 4)
    (unfinished / "000004.h5").write_bytes(job.shard_path(4).read_bytes())
    build(unfinished.parents[1], ["3v2"])
    assert digests(unfinished.parents[1]) == expected


def test_a_shard_that_stays_damaged_is_not_made_for_ever(tmp_path, monkeypatch, many_shards):
    write = jobs.write_file

    def damaging(path, header, chunks):
        made = write(path, header, chunks)
        if header.kind == "shard":
            damage(path, "flipped")
        return made

    monkeypatch.setattr(jobs, "write_file", damaging)
    with pytest.raises(StorageError, match="000000.h5: rebuilt, and still damaged: "):
        build(tmp_path, ["3v2"])


def test_a_table_of_one_shard_is_made_from_the_shard_that_is_there(tmp_path, monkeypatch):
    """Another host may have built it."""
    build_shards(tmp_path, "2v1", range(1), processes=0, progress=False)
    with monkeypatch.context() as patch:
        patch.setattr(jobs, "build_whole", None)
        build(tmp_path, ["2v1"])
    assert files(tmp_path) == ["2v1.h5"]


def test_a_shard_made_twice_is_the_same(tmp_path, many_shards):
    job = TableJob(tmp_path, TableName(2, 2))
    first = jobs.build_shard(job, 1)
    content, made = job.shard_path(1).read_bytes(), job.shard_path(1).stat()
    assert jobs.build_shard(job, 1) == first == {"shard": 1, "items": 53783 - (3 << 14)}
    assert job.shard_path(1).stat().st_ino == made.st_ino  # it was there, and stays
    job.shard_path(1).unlink()
    jobs.build_shard(job, 1)
    assert job.shard_path(1).read_bytes() == content


def test_merging_has_a_share_of_the_work(tmp_path, many_shards, monkeypatch):
    """All is done when the file is there, and not before; a shard that is made anew is not counted twice."""
    job, told, before = TableJob(tmp_path, TableName(2, 2), PUBLISHED, {}, "search"), [], []
    merge = jobs.merge_files

    def merged(*given):
        before.append(sum(told))
        return merge(*given)

    monkeypatch.setattr(jobs, "merge_files", merged)
    with executor_of(0) as executor:
        jobs.run(job, *executor, done=[told.append])
    assert job.shards > 1 and sum(told) == job.units == job.header.scheme["slots"] > job.header.length
    merging = sum(job.shard_header(number).length // jobs.MERGING for number in range(job.shards))
    assert job.units_each == 4 and before == [4 * (job.header.length - merging)]


def test_a_header_is_derived_once_for_a_table(tmp_path, monkeypatch):
    derived, header_of = [], building.header_of
    monkeypatch.setattr(building, "header_of", lambda *given, **named: (derived.append(given), header_of(*given, **named))[1])
    build(tmp_path, ["1v1", "1v2", "2v1"])
    assert len(derived) == 3


def test_shards_of_finished_tables_are_removed(unfinished, expected):
    """Of a job killed before it removed them, and of one with other shards; not those of the other rule."""
    directory = unfinished.parents[1]
    other = TableJob(directory, TableName(3, 2), Rules(lone_card=True))
    jobs.build_shard(other, 0)
    (unfinished.parent / "3v2-0123456789abcdef").mkdir()
    unfinished.rename(unfinished.with_name("2v1-" + "0" * 16))  # 2v1 is there
    build(directory, ["3v2"])
    assert jobs.leftovers(directory) == [other.work_place]


def test_what_killed_writers_left_is_swept_and_nothing_else(unfinished):
    directory = unfinished.parents[1]
    left = [directory / "2v2.h5.123-0123abcd.tmp", unfinished / "000010.h5.99999-ffffffff.tmp"]
    others = [directory / "letter.tmp", directory / "mine" / "deep" / "2v2.h5.tmp", directory / "mine" / "2v2.h5.1-0123abcd.tmp"]
    others[1].parent.mkdir(parents=True)
    for path in (*left, *others):
        path.write_text("x")
    build(directory, ["3v2"])
    assert not any(path.exists() for path in left)
    assert all(path.exists() for path in others)


# what stands there already


def test_a_damaged_table_is_built_anew_and_said_so(tmp_path):
    build(tmp_path, ["2v1"])
    sound = digests(tmp_path)
    damage(tmp_path / "2v1.h5", "flipped")
    said = []
    assert [header.name for header in build(tmp_path, ["2v1"], say=said.append)] == ["2v1"]
    assert digests(tmp_path) == sound
    assert len(said) == 1 and "2v1.h5: chunk 0 of 1 is damaged" in said[0] and said[0].endswith("it is rebuilt")


def forge(path, **changes):
    """Writes the file again with another header, all digests and the seal in order."""
    reader = Reader(path)
    parts = [(part, {}) for part in reader]
    layout.write_file(path, replace(reader.header, **changes), parts)


def test_a_table_upon_another_dependency_is_built_anew_and_said_so(tmp_path):
    build(tmp_path, ["3v2"])
    sound = digests(tmp_path)
    forge(tmp_path / "3v2.h5", dependencies={"2v1": "0" * 64})
    said = []
    assert [header.name for header in build(tmp_path, ["3v2"], say=said.append)] == ["3v2"]
    assert digests(tmp_path) == sound
    assert len(said) == 1 and "3v2.h5: the tables that it was built upon have changed; it is rebuilt" in said[0]


def test_a_dependency_that_was_rebuilt_differently(tmp_path):
    build(tmp_path, ["3v2"])
    values = Reader(tmp_path / "2v1.h5").chunk(0).copy()
    values[100] ^= 1
    forged = layout.write_file(tmp_path / "2v1.h5", Reader(tmp_path / "2v1.h5").header, [(values, {})])
    said = []
    (rebuilt,) = build(tmp_path, ["3v2"], say=said.append)
    assert (rebuilt.name, rebuilt.dependencies) == ("3v2", {"2v1": forged.digest})
    assert len(said) == 1 and "3v2.h5" in said[0]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"kind": "set"}, "a set of face_to_face"),
        ({"rules": {"lone_card": True}}, "of the rules"),
        ({"scheme": {"index": "other"}}, "its scheme is"),
        ({"dtype": np.dtype("i1")}, "its dtype is int8"),
        ({"rules": {f"more{number}": "x" * 100 for number in range(100)}}, "of the rules"),
        ({"scheme": {f"more{number}": "x" * 100 for number in range(100)}}, "its scheme is"),
    ],
)
def test_a_foreign_file_is_left_alone(tmp_path, change, problem):
    build(tmp_path, ["2v1"])
    content = [item.view(change.get("dtype", "u1")) for item in Reader(tmp_path / "2v1.h5")]
    header = replace(Reader(tmp_path / "2v1.h5").header, **change)
    whole = np.concatenate(content)
    parts = [(whole[start : start + header.chunk], {}) for start in range(0, len(whole), header.chunk)]
    layout.write_file(tmp_path / "2v1.h5", header, parts)
    before = (tmp_path / "2v1.h5").read_bytes()
    with pytest.raises(ForeignFileError, match=problem) as raised:
        build(tmp_path, ["2v1"])
    assert len(str(raised.value)) < 600 and "\n" not in str(raised.value)
    assert (tmp_path / "2v1.h5").read_bytes() == before


@pytest.mark.parametrize("content", ["a text of somebody else's", ""])
def test_a_file_of_somebody_else(tmp_path, content):
    (tmp_path / "2v1.h5").write_text(content)
    with pytest.raises(ForeignFileError, match="2v1.h5: not a Backtrick file"):
        build(tmp_path, ["2v1"])
    assert (tmp_path / "2v1.h5").read_text() == content
    assert files(tmp_path) == ["2v1.h5"]


def test_a_directory_of_that_name(tmp_path):
    (tmp_path / "2v1.h5").mkdir()
    with pytest.raises(ForeignFileError, match="2v1.h5: not a Backtrick file"):
        build(tmp_path, ["2v1"])


# what the system refuses


def test_a_file_in_place_of_the_directory(tmp_path, many_shards):
    (tmp_path / "t").write_text("x")
    with pytest.raises(StorageError, match="/t: is not a directory$"):
        build(tmp_path / "t", ["1v1"])
    (tmp_path / "u").mkdir()
    (tmp_path / "u" / ".work").write_text("x")
    with pytest.raises(StorageError, match=r"/u/.work/3v2-\w+: cannot be written: "):
        build(tmp_path / "u", ["3v2"])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_directory(tmp_path):
    build(tmp_path, ["1v1"])
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StorageError, match="cannot be written: "):
            build(tmp_path, ["2v1"])
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize(
    ("where", "code"), [("mkdir", errno.EROFS), ("replace", errno.EROFS), ("write", errno.ENOSPC), ("fsync", errno.ENOSPC)]
)
def test_any_refusal_is_one_sentence_and_the_work_goes_on_later(tmp_path, monkeypatch, many_shards, expected, where, code):
    def refuse(*_, **__):
        raise OSError(code, os.strerror(code))

    def refuse_bytes(sink, content):
        sink.problem = sink.problem or OSError(code, os.strerror(code))
        return len(content)

    with monkeypatch.context() as patch:
        if where == "write":
            patch.setattr(layout._Sink, "write", refuse_bytes)
        else:
            patch.setattr(*{"mkdir": (Path, "mkdir"), "replace": (Path, "replace"), "fsync": (os, "fsync")}[where], refuse)
        with pytest.raises(StorageError) as raised:
            build(tmp_path, ["3v2"])
    assert str(raised.value).endswith(f"cannot be written: {os.strerror(code)}")
    assert files(tmp_path) == []
    build(tmp_path, ["3v2"])
    assert digests(tmp_path) == expected
    assert jobs.leftovers(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="needs limits on the size of a file")
@pytest.mark.parametrize(("processes", "most"), [(0, 5000), pytest.param(2, 12_000, marks=pytest.mark.slow)])
def test_a_full_disk(tmp_path, generator, many_shards, expected, processes, most):
    directory = tmp_path / "t"
    out, said = generator(directory, processes, "3v2", MOST_BYTES=str(most)).communicate(timeout=PATIENCE)
    assert (out, said.count("\n")) == ("started\n", 1), said
    assert said.startswith("StorageError: ") and said.endswith("cannot be written: File too large\n")
    assert not [name for name in files(directory) if name.endswith(".tmp")]
    assert "3v2.h5" not in files(directory)
    build(directory, ["3v2"])
    assert digests(directory) == expected


# others at work, and death


def test_two_generators_on_one_directory(tmp_path, generator, many_shards, expected):
    directory = tmp_path / "t"
    directory.mkdir()
    with storage.only_writer(directory):
        out, said = generator(directory, 0, "3v2").communicate(timeout=PATIENCE)
        assert said == f"StorageError: {directory}: another process is writing there; wait for it or stop it\n"
        with pytest.raises(StorageError, match="another process"):
            build(directory, ["3v2"])
    build(directory, ["3v2"])
    assert digests(directory) == expected


def begin(generator, directory, processes):
    """A process that works, and then waits at the last step until it is ended."""
    process = generator(directory, processes, "3v2", NEVER_DONE="1")
    assert process.stdout.readline() == "started\n"
    wait_for((directory / ".work").exists)
    return process


def kill_once(generator, directory, processes, wait):
    process = begin(generator, directory, processes)
    time.sleep(wait)
    process.kill()
    process.communicate(timeout=PATIENCE)
    if Path("/proc/self/stat").exists():
        wait_for(lambda: not children_of(process))  # nobody is left behind who waits for work, or writes
    assert process.returncode == -signal.SIGKILL


def check_kills(tmp_path, generator, expected, times, processes, each):
    random = Random(times)
    for number in range(times):
        directory = tmp_path / f"t{number}"
        for _ in range(each):
            kill_once(generator, directory, processes, random.random() * 0.5)
        build(directory, ["3v2"])
        assert digests(directory) == expected
        assert files(directory) == ["2v1.h5", "3v2.h5"]


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
@pytest.mark.parametrize("processes", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_killed_at_a_random_moment(tmp_path, generator, many_shards, expected, processes):
    check_kills(tmp_path, generator, expected, 1, processes, each=1)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
@pytest.mark.parametrize("processes", [0, 2])
def test_killed_a_hundred_times(tmp_path, generator, many_shards, expected, processes):
    check_kills(tmp_path, generator, expected, 25, processes, each=2)


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
@pytest.mark.parametrize("processes", [pytest.param(0, marks=pytest.mark.slow), 2])
def test_interrupted(tmp_path, generator, many_shards, expected, processes):
    directory = tmp_path / "t"
    process = begin(generator, directory, processes)
    _, said = end_by(signal.SIGINT, process, group=True)  # as a terminal does, to the workers as well
    assert process.returncode == -signal.SIGINT
    assert said.count("\nKeyboardInterrupt") == 1  # the workers say nothing
    build(directory, ["3v2"])
    assert digests(directory) == expected


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_killed_worker_is_one_sentence(tmp_path, expected, many_shards):
    with pytest.raises(WorkerError, match="a worker process was killed; "), workers.local_processes(1) as (pool, count):
        assert count == 1
        pool.submit(os._exit, 9).result()


def test_nothing_is_written_where_all_is_built(tmp_path, monkeypatch):
    """As in a directory that is mounted to be read. Root may write everywhere, so the system's answer is replaced."""
    build_tables(tmp_path, ["1v2"], processes=0)
    (tmp_path / ".lock").unlink()
    monkeypatch.setattr(os, "access", lambda _, how: how != os.W_OK)
    assert build_tables(tmp_path, ["1v2"], processes=0) == [] and not (tmp_path / ".lock").exists()
    assert [one.name for one in build_tables(tmp_path, ["2v1"], processes=0)] == ["2v1"] and (tmp_path / ".lock").exists()
    assert [one.name for one in build_tables(tmp_path, ["1v2"], processes=0, force=True)] == ["1v2"]
