"""The same jobs on Dask: a real cluster on this machine, a worker killed under its work, a task run twice."""

import os
import signal
import threading
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from backtrick.errors import StorageError, UsageError, WorkerError  # noqa: E402
from backtrick.face_to_face import build_tables  # noqa: E402
from backtrick.face_to_face.classes import TableName  # noqa: E402
from backtrick.face_to_face.tables import table as tables  # noqa: E402
from backtrick.face_to_face.tables.building import TableJob  # noqa: E402
from backtrick.storage import jobs  # noqa: E402
from backtrick.storage.workers import dask_cluster  # noqa: E402
from test_tables_building import digests  # noqa: E402
from waiting import PATIENCE, wait_for  # noqa: E402

CHUNK, SHARD = 1 << 14, 1


def settle():
    """Many small shards; in the workers too, which know nothing of what a test changes here."""
    tables.CHUNK_BYTES, tables.SHARD_CHUNKS = CHUNK, SHARD


@pytest.fixture(scope="module")
def small_chunks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "CHUNK_BYTES", CHUNK)
        patch.setattr(tables, "SHARD_CHUNKS", SHARD)
        yield


@pytest.fixture(scope="module")
def expected(tmp_path_factory, small_chunks):
    directory = tmp_path_factory.mktemp("expected")
    build_tables(directory, ["3v2"], processes=0, progress=False)
    return digests(directory)


@pytest.fixture(scope="module")
def cluster(small_chunks):
    """Two worker processes of our own making."""
    with dask_cluster(local=2) as (executor, count):
        executor._client.register_worker_callbacks(settle)  # of workers that are started again as well
        yield executor, count


def test_a_worker_killed_in_mid_run(tmp_path, cluster, expected, monkeypatch):
    executor, count = cluster
    assert count == 2
    victims = list(executor._client.run(os.getpid).values())
    assert len(victims) == 2
    failed = []

    def build():
        try:
            build_tables(tmp_path, ["3v2"], executor=cluster, progress=False)
        except BaseException as error:
            failed.append(error)

    killed, replace = threading.Event(), Path.replace

    def replace_late(path, target):
        """The last step waits, so that the worker is killed before, however busy the machine is."""
        assert target.name != "3v2.h5" or killed.wait(PATIENCE)
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", replace_late)
    thread = threading.Thread(target=build)
    thread.start()
    wait_for(lambda: list(tmp_path.glob(".work/3v2-*/*")))
    os.kill(victims[0], signal.SIGKILL)
    killed.set()
    thread.join(PATIENCE)
    assert not thread.is_alive() and failed == []
    assert digests(tmp_path) == expected
    wait_for(lambda: len(executor._client.scheduler_info()["workers"]) == 2)  # a new one takes its place


def test_a_task_run_twice_at_once(tmp_path, cluster, expected):
    job = TableJob(tmp_path, TableName(3, 2), dependencies={"2v1": expected["2v1.h5"]})
    executor, count = cluster
    futures = [executor.submit(jobs.build_shard, job, number) for number in range(4) for _ in range(4)]
    assert [future.result(PATIENCE)["shard"] for future in futures] == [number for number in range(4) for _ in range(4)]
    assert len(list(job.work_place.iterdir())) == 4
    assert jobs.run(job, executor, count).digest == expected["3v2.h5"]


def test_what_the_system_refuses_a_worker_is_said_here(tmp_path, cluster):
    (tmp_path / ".work").write_text("in the way")
    with pytest.raises(StorageError, match="cannot be written: "):
        build_tables(tmp_path, ["3v2"], executor=cluster, progress=False)


@pytest.mark.slow
def test_a_task_that_kills_every_worker_is_one_sentence(small_chunks):
    sentence = r"the Dask cluster gave up \(KilledWorker\); the same command goes on"
    with pytest.raises(WorkerError, match=sentence), dask_cluster(local=2) as (executor, _):
        executor.submit(os._exit, 9).result(PATIENCE)


@pytest.mark.parametrize("address", ["nonsense://here", "tls://127.0.0.1:1", "ucx://here:1", "tcp://here:x"])
def test_no_scheduler(address):
    with pytest.raises(UsageError, match=f"no Dask scheduler answers at {address}"), dask_cluster(address):
        pass
