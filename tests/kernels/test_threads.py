"""Several threads in the kernels at once. `make test-threads` runs these and others that are marked under the thread sanitizer.

Right answers say little here: on most machines they are right without any order between threads. What counts is that the
sanitizer, which follows every load and store of the kernels, finds nothing to report.
"""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random

import numpy as np
import pytest

from backtrick import face_to_face, take_that
from backtrick.face_to_face import _classes, pack, solve_many
from backtrick.face_to_face._classes import TableIndex
from backtrick.face_to_face._counts import Realised
from backtrick.face_to_face._tables import MISSING, UNREAD, ValueTables, generate_range, pack_values
from backtrick.face_to_face.classes import TableName
from backtrick.face_to_face.rule_options import PUBLISHED
from backtrick.take_that._solve import Solver
from samples import sample
from shares import draw
from take_that_samples import random_position

pytestmark = pytest.mark.threads

CHUNK = 64  # slots


@cache
def table():
    """The index and the packed bytes of 2v1, some of its positions, and their values."""
    index = TableIndex(2, 1)
    values = np.empty(index.size, np.uint8)
    generate_range(index, values, 0, False)
    packed = np.empty(-(-index.size // 4), np.uint8)
    pack_values(values, packed, 2)
    positions = draw(TableName(2, 1), 20_000, seed=5)
    return index, packed, positions, solve_many(positions)


def test_chunks_published_while_others_look_up():
    index, packed, positions, expected = table()
    shelf, room = ValueTables(), np.zeros_like(packed)
    shelf.put(index, room, 2, CHUNK.bit_length() - 1)

    def read():
        values = np.empty(len(positions), np.uint8)
        while True:
            shelf.look_up_range(positions, values, 0, len(positions))
            assert ((values == expected) | (values == UNREAD)).all()
            if not (values == UNREAD).any():
                return

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read), pool.submit(read)]
        while not all(reader.done() for reader in readers):
            for chunk in shelf.take_wanted(2, 1):
                part = slice(chunk * CHUNK // 4, (chunk + 1) * CHUNK // 4)
                room[part] = packed[part]
                shelf.publish(2, 1, chunk)
                time.sleep(0.0005)  # so that the readers, who miss many at once, are at work
        assert [reader.result() for reader in readers] == [None, None]
    assert shelf.take_wanted(2, 1) == []


def test_a_table_put_while_others_look_up():
    index, packed, positions, expected = table()
    for _ in range(20):
        shelf, started = ValueTables(), threading.Barrier(2)

        def read(shelf=shelf, started=started):
            values = np.zeros(len(positions), np.uint8)
            started.wait()
            shelf.look_up_range(positions, values, 0, len(positions))
            return values

        with ThreadPoolExecutor(1) as pool:
            reader = pool.submit(read)
            started.wait()
            shelf.put(index, packed, 2, 63)
            shelf.publish(2, 1, 0)
            values = reader.result()
        assert ((values == expected) | (values == MISSING) | (values == UNREAD)).all()


def test_one_index_for_many():
    """What several threads may ask of the same index at once."""
    index, _, positions, expected = table()
    every = np.empty(index.size, np.uint8)
    generate_range(index, every, 0, False)

    def ask(start):
        values, slots = np.empty(1000, np.uint8), np.empty(len(positions), np.uint64)
        generate_range(index, values, start, False)
        assert np.array_equal(values, every[start : start + 1000])
        assert index.rank_range(positions, slots, 0, len(positions)) == -1
        assert np.array_equal(every[slots], expected)
        row = positions[start].item()
        assert _classes.of_slot(index, int(slots[start])) == _classes.of_class(row)
        assert Realised(2, 1).count_range(0, 19, False)[0] == 19_981
        derived = np.empty(len(positions), np.uint8)
        _classes.derive_range(positions, derived, 0, len(positions), PUBLISHED.code)
        assert np.array_equal(derived, expected)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(ask, range(0, 8000, 1000)))


def test_batches():
    array = pack(sample("tight", 300, seed=9)).repeat(120)
    assert np.array_equal(solve_many(array, threads=3), solve_many(array, threads=1))
    assert np.array_equal(face_to_face.best_many(array[:40_000], threads=3), face_to_face.best_many(array[:40_000], threads=1))
    random = Random("threads")
    line = take_that.pack([random_position(random, 6, 8) for _ in range(400)])
    assert np.array_equal(take_that.solve_many(line, 3, table_mib=1), take_that.solve_many(line, 1, table_mib=1))


def test_a_search_that_is_stopped():
    """Stopped at some moment, a search still says true bounds. If it is stopped before it begins, it ends with its first search of
    20,000 nodes; the whole one takes 117,126."""
    line = "85-67-15-92-49-98-13-87-71-68-54-97-32-84-83-96-24-46-69-93-63-12-57-31-66"
    position = take_that.Position.parse(f"29,39,45,48,56,65,74,86,94 36,55,64,73,75,76,78,79,89 {line}")
    packed, stop = np.frombuffer(position.packed, np.uint8), bytearray(1)
    timer = threading.Timer(0.002, stop.__setitem__, (0, 1))
    timer.start()
    low, high, _ = Solver(2, 1 << 20, stop).value(packed)
    timer.join()
    assert low <= -19 <= high
    low, high, nodes = Solver(2, 1 << 20, stop).value(packed)
    assert low < -19 < high and nodes <= 20_000
