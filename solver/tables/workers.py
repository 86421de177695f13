"""Who does the work: processes on this machine, or Dask. Both are executors in the sense of `concurrent.futures`."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from solver.batches import how_many
from solver.errors import ArgumentError, UsageError, WorkerError
from solver.values import whole

AGAIN = "the same command goes on from the shards that are finished"


@contextlib.contextmanager
def local_processes(count: int | None = None, advice: str = AGAIN) -> Iterator[tuple[Executor, int]]:
    """A pool of processes and their number; None for one a core. They leave Ctrl-C to their parent, and end with it.

    Raises `WorkerError` with some advice if one of them was killed.
    """
    count = how_many("processes", count)
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _settle)
    try:
        with _no_interrupts():
            for _ in range(count):
                pool.submit(int)  # starts a process, as long as none is idle
        yield pool, count
        pool.shutdown()
    except BrokenProcessPool:
        raise WorkerError(f"a worker process was killed; {advice}") from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes started here are deaf to Ctrl-C from the first, not only when they have imported all they need."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _settle() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that is killed tells its workers nothing: they would wait for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextlib.contextmanager
def dask_cluster(scheduler: str | None = None, local: int | None = None) -> Iterator[tuple[Executor, int]]:
    """The workers of a running Dask cluster (its scheduler's address), or of one on this machine (how many workers)."""
    try:
        from distributed import Client, KilledWorker, LocalCluster
    except ImportError:
        raise UsageError("Dask is not installed; try: pip install 'backtrick[cluster]'") from None
    with contextlib.ExitStack() as stack:
        if local:
            place = stack.enter_context(LocalCluster(n_workers=local, threads_per_worker=1, dashboard_address=None))
        else:
            place = scheduler
        try:
            client = stack.enter_context(Client(place, timeout="20s"))
        except (OSError, ValueError) as error:
            raise UsageError(f"no Dask scheduler answers at {scheduler}: {error}") from None
        workers = max(1, sum(client.nthreads().values()))
        try:
            yield client.get_executor(pure=False, retries=3), workers
        except (KilledWorker, CancelledError) as error:
            raise WorkerError(f"the Dask cluster gave up ({type(error).__name__}); {AGAIN}") from error


@contextlib.contextmanager
def workers(
    count: int | None = None, scheduler: str | None = None, local_cluster: int | None = None
) -> Iterator[tuple[Executor, int]]:
    """The executor that was asked for, and how many workers it has."""
    if scheduler or local_cluster:
        with dask_cluster(scheduler, local_cluster) as found:
            yield found
    else:
        with local_processes(count) as found:
            yield found


@contextlib.contextmanager
def executor_of(processes: int | None) -> Iterator[tuple[Executor, int]]:
    """Processes on this machine, None for one a core; with 0 no other than this one does the work."""
    if processes is not None and ((count := whole(processes)) is None or count < 0):
        raise ArgumentError(f"processes is a whole number, None for one a core, 0 for this one alone, not {processes!r}")
    if processes == 0:
        with ThreadPoolExecutor(1) as pool:
            yield pool, 1
    else:
        with local_processes(processes) as found:
            yield found
