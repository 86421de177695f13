"""Workers: processes on this machine, or Dask. Both are executors in the sense of `concurrent.futures`."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, InvalidStateError, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import spawn
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from backtrick.errors import ArgumentError, UsageError, WorkerError, shortened
from backtrick.given import shown, whole
from backtrick.signals import kept_from_children, leave_late, tidy_on_sigterm
from backtrick.threads import worker_count

GRACE = 2.0  # seconds
AGAIN = "the same command goes on from the shards that are finished"


class Worker(SpawnProcess):
    """A process that starts afresh (a fork would copy the locks that threads hold) and does not run the caller's script, of which
    it needs nothing: so a script needs no `if __name__ == "__main__"`."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802
        usual, thread = spawn.get_preparation_data, threading.get_ident()

        def prepared(name: str) -> dict[str, Any]:
            data = usual(name)
            if threading.get_ident() == thread:
                data.pop("init_main_from_name", None)
                data.pop("init_main_from_path", None)
            return data

        with _STARTING:
            spawn.get_preparation_data = prepared
            try:
                return SpawnProcess._Popen(process_obj)
            finally:
                spawn.get_preparation_data = usual


_STARTING = threading.Lock()


class WorkerContext(SpawnContext):
    """Starts workers, and lists those that it started."""

    def __init__(self) -> None:
        self.started: list[Worker] = []

    def Process(self, *given: Any, **named: Any) -> Worker:  # type: ignore[override]  # noqa: N802
        """A worker that is not started yet."""
        worker = Worker(*given, **named)
        self.started.append(worker)
        return worker


@contextlib.contextmanager
def local_processes(count: int | None = None, advice: str = AGAIN) -> Iterator[tuple[Executor, int]]:
    """Yields a pool of processes and their number. count: None for one per core.

    The processes leave Ctrl-C and SIGTERM to their parent, and end with it. An exception in the block drops their work; SIGTERM
    raises one, as in `tidy_on_sigterm`. Raises `WorkerError`, with advice, if a process was killed.
    """
    count = worker_count("processes", count)
    context = WorkerContext()
    told, tell = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(count, context, _settle, (told,))
    with tidy_on_sigterm(), _without_late_results():
        try:
            with kept_from_children():
                for _ in range(count):
                    pool.submit(int)  # starts a process, as long as none is idle
            yield pool, count
            with _ended_soon(context.started, tell):
                pool.shutdown()
        except BrokenProcessPool:
            raise WorkerError(f"a worker process was killed; {advice}") from None
        finally:
            tell.close()  # workers that are still busy end now
            with _ended_soon(context.started, tell):
                pool.shutdown(cancel_futures=True)
            told.close()


@contextlib.contextmanager
def _without_late_results() -> Iterator[None]:
    """A block in which the thread of a pool may end in silence. Where a worker ends at the moment when its work is dropped, that
    thread gives the dropped work a result, and its own error would be printed."""
    before = threading.excepthook

    def said(told: threading.ExceptHookArgs) -> None:
        if told.exc_type is not InvalidStateError:
            before(told)

    threading.excepthook = said
    try:
        yield
    finally:
        threading.excepthook = before


@contextlib.contextmanager
def _ended_soon(workers: list[Worker], tell: Connection) -> Iterator[None]:
    """A block that waits for workers to end. Those that do not, because they are stopped or wait for a lock of a worker that was
    killed, are told to, and then killed."""
    done = threading.Event()

    def end() -> None:
        if not done.wait(GRACE):
            tell.close()
        while not done.wait(GRACE):  # again, for those that began meanwhile
            for worker in workers:
                with contextlib.suppress(AttributeError, ValueError, OSError):  # it has not begun, or has ended
                    worker.kill()

    threading.Thread(target=end, daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _settle(told: Connection) -> None:
    """Turns a process that has just begun into a worker. told: closes when the parent drops the work, or is gone."""

    def end_when_told() -> None:
        with contextlib.suppress(EOFError, OSError):
            told.recv()
        os._exit(1)

    leave_late(GRACE)
    if hasattr(os, "nice"):
        os.nice(5)
    threading.Thread(target=end_when_told, daemon=True).start()


@contextlib.contextmanager
def dask_cluster(scheduler: str | None = None, local: int | None = None) -> Iterator[tuple[Executor, int]]:
    """Yields an executor and its number of workers: a running Dask cluster (its scheduler's address), or a new one on this
    machine (how many workers)."""
    try:
        from distributed import Client, KilledWorker, LocalCluster
    except ImportError:
        raise UsageError("Dask is not installed; try: pip install 'backtrick[cluster]'") from None
    with contextlib.ExitStack() as stack:
        if local:
            try:
                place = stack.enter_context(LocalCluster(n_workers=local, threads_per_worker=1, dashboard_address=None))
            except RuntimeError as error:  # a worker ended while it started
                raise WorkerError(f"the Dask cluster did not start: {error}") from error
        else:
            place = scheduler
        try:
            client = stack.enter_context(Client(place, timeout="20s"))
        except Exception as error:  # each kind of address has errors of its own
            if local:
                raise
            raise UsageError(f"no Dask scheduler answers at {scheduler}: {shortened(str(error), 200)}") from None
        workers = max(1, sum(client.nthreads().values()))
        try:
            yield client.get_executor(pure=False, retries=3), workers
        except (KilledWorker, CancelledError) as error:
            raise WorkerError(f"the Dask cluster gave up ({type(error).__name__}); {AGAIN}") from error


def check_processes(processes: object) -> None:
    """Raises `ArgumentError` for what is no number of processes: before anything is written for them."""
    if processes is not None and ((count := whole(processes)) is None or count < 0):
        words = "a whole number, None for one per core, 0 for this one alone"
        raise ArgumentError(f"processes must be {words}, not {shown(processes)}")


@contextlib.contextmanager
def executor_of(processes: int | None, advice: str = AGAIN) -> Iterator[tuple[Executor, int]]:
    """Yields an executor on this machine and its number of workers. processes: None for one per core, 0 for this process alone.

    Raises `ArgumentError`, and what `local_processes` raises, with its advice.
    """
    check_processes(processes)
    if processes == 0:
        pool = ThreadPoolExecutor(1)
        try:
            yield pool, 1
        finally:
            pool.shutdown(cancel_futures=True)
    else:
        with local_processes(processes, advice) as found:
            yield found
