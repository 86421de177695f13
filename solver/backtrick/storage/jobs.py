"""Files made in shards, by any executor: what a job is, how a shard is made, and how all of them become one file.

A shard is a file of its own beside the finished one, so finished work is kept: a job that is started again makes only the shards
that are missing. Making a shard twice, even at the same time, does no harm: the same bytes take the same name.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from glob import escape
from hashlib import sha256
from json import dumps
from pathlib import Path

import numpy as np

from backtrick.errors import CorruptTableError, ForeignFileError, StorageError
from backtrick.progress import Shown, bar
from backtrick.storage.atomic import reported
from backtrick.storage.file import SUFFIX, VERSION, Header, Reader, merge_files, write_file
from backtrick.threads import map_ordered

WORK = ".work"
SHARD = "shard"
SEARCH = "search"
IDENTITY = 16  # digits in the name of a work place
Done = Callable[[int], object]
AHEAD = 3  # shards handed out for each worker: it need not wait, and few are dropped at a stop


def work_place(path: Path, told: object) -> Path:
    """The directory of the shards of the file or directory made at `path`. told: JSON, everything that its content depends on."""
    digest = sha256(dumps(told, sort_keys=True).encode()).hexdigest()
    return path.parent / WORK / f"{path.name.removesuffix(SUFFIX)}-{digest[:IDENTITY]}"


class FileJob:
    """A file that is made in shards. It pickles, so it can be sent to a worker. A subclass sets, and gives the items:

    path:        of the finished file
    header:      of the finished file, without counts
    shard_items: how many items a shard holds; a multiple of `header.chunk`
    units, units_each: of its progress: how many in all, 0 for a unit an item, and how many in an item
    """

    path: Path
    header: Header
    shard_items: int
    units = 0
    units_each = 1

    def items(self, start: int, stop: int) -> Iterator[tuple[np.ndarray, dict[str, int]]]:
        """The items start..stop-1 in chunks of `header.chunk`, each with the counts of its values."""
        raise NotImplementedError

    @cached_property
    def shards(self) -> int:
        return -(-self.header.length // self.shard_items)

    @cached_property
    def _common(self) -> Header:
        """What all shards say. A search reads no other file, so shards by search depend on none."""
        return replace(self.header, dependencies={}) if self.header.by == SEARCH else self.header

    @cached_property
    def work_place(self) -> Path:
        """The directory of the shards. Its name changes with everything the values depend on, and with how they are found."""
        header = self._common
        return work_place(self.path, [header.identity(), self.shard_items, header.by, header.program, VERSION])

    def shard_path(self, number: int) -> Path:
        return self.work_place / f"{number:06}{SUFFIX}"

    def shard_header(self, number: int) -> Header:
        """The header of a shard, without counts."""
        length = min(self.shard_items, self.header.length - number * self.shard_items)
        return replace(self._common, kind=SHARD, name=f"{self.header.name} {number}", length=length)

    def open_shards(self) -> Iterator[Reader]:
        """The shards. Each is closed once it is no longer read."""
        for number in range(self.shards):
            expected, reader = self.shard_header(number), Reader(self.shard_path(number))
            found = replace(reader.header, counts={})
            if (found.identity(), found.by) != (expected.identity(), expected.by):
                raise ForeignFileError(str(reader.path), "it is not the shard that its name says")
            yield reader


def build_shard(job: FileJob, number: int) -> dict[str, int]:
    """Makes one shard unless it exists: the unit of work of every executor. Returns its number and how many items it has."""
    path, header = job.shard_path(number), job.shard_header(number)
    start = number * job.shard_items
    if not path.exists():
        with reported(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, header, job.items(start, start + header.length))
    return {"shard": number, "items": header.length}


def build_whole(job: FileJob) -> Header:
    """Makes the finished file of a job that is one shard; returns its header."""
    return write_file(job.path, job.header, job.items(0, job.header.length))


def run(
    job: FileJob,
    executor: Executor,
    workers: int,
    done: Iterable[Done] = (),
    progress: bool | None = False,
) -> Header:
    """Makes the missing shards, merges all shards into the finished file, and returns its header. A single shard is made as the
    finished file.

    done: each is called with the number of units for which the work is done; merging has a share of each. progress: of merging,
    None for a bar on a terminal and lines in a log.
    """
    told = _Told(job, done)
    if job.shards == 1 and not job.shard_path(0).exists():
        [header] = map_ordered(executor, build_whole, [job], 1)
        clear_work(job.path)
        told.tell(header.length)
        return header
    mended: set[str] = set()
    while True:
        _make_shards(job, executor, workers, told.made, range(job.shards))
        try:
            with bar(job.header.chunks, f"merge {job.header.name}", "chunks", progress, leave=False) as shown:

                def merged(items: int, shown: Shown = shown) -> None:
                    told.merged(items)
                    shown.update()

                header = merge_files(job.path, job.header, job.open_shards(), merged)
        except (CorruptTableError, ForeignFileError) as error:
            if error.path in mended:
                raise StorageError(error.path, f"rebuilt, and still damaged: {error.problem}") from None
            mended.add(error.path)
            with reported(Path(error.path)):
                Path(error.path).unlink(missing_ok=True)  # a damaged shard is made again
        else:
            clear_work(job.path)
            told.merged(MERGING * job.header.length)  # what rounding left
            return header


MERGING = 50
"""Merging counts as 1 / MERGING of the work: one core does it, after all the shards."""


class _Told:
    """Reports the number of finished units, never more than there are, even if a shard is made again."""

    def __init__(self, job: FileJob, done: Iterable[Done]):
        self._done, self._each = tuple(done), job.units_each
        self._left = job.units or job.header.length

    def made(self, items: int) -> None:
        self.tell(items - items // MERGING)

    def merged(self, items: int) -> None:
        self.tell(items // MERGING)

    def tell(self, items: int) -> None:
        units = min(items * self._each, self._left)
        self._left -= units
        for done in self._done:
            done(units)


def build_some(
    job: FileJob, numbers: Iterable[int], executor: Executor, workers: int, done: Iterable[Done] = ()
) -> list[tuple[Path, Header]]:
    """Makes those shards of some numbers that are missing; returns the files and headers of all of them. done: as for `run`."""
    numbers = list(numbers)
    _make_shards(job, executor, workers, _Told(job, done).tell, numbers)
    made = []
    for number in numbers:
        with Reader(job.shard_path(number)) as reader:
            made.append((reader.path, reader.header))
    return made


def clear_work(path: Path) -> None:
    """Removes the shards of what is made at `path`, also those that earlier jobs left for it."""
    for place in (path.parent / WORK).glob(_every_place(path)):
        shutil.rmtree(place, ignore_errors=True)
    with suppress(OSError):  # others work there, or it never existed
        (path.parent / WORK).rmdir()


def _make_shards(job: FileJob, executor: Executor, workers: int, done: Done, numbers: Iterable[int]) -> None:
    def missing() -> Iterator[int]:
        for number in numbers:
            if job.shard_path(number).exists():
                done(job.shard_header(number).length)
            else:
                yield number

    for made in map_ordered(executor, partial(build_shard, job), missing(), AHEAD * workers):
        done(made["items"])


def shards_of(path: Path, number: int) -> list[Path]:
    """The files with a shard of the file `path`, which is being made: one for each way in which it is made."""
    return sorted((path.parent / WORK).glob(f"{_every_place(path)}/{number:06}{SUFFIX}"))


def _every_place(path: Path) -> str:
    return f"{escape(path.name.removesuffix(SUFFIX))}-{'[0-9a-f]' * IDENTITY}"


def leftovers(directory: Path) -> list[Path]:
    """The work places of jobs that did not finish."""
    try:
        return sorted(path for path in (directory / WORK).iterdir() if path.is_dir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StorageError(str(directory), f"cannot be read: {error.strerror}") from None
