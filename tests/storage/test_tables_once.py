"""A command opens each file once, and hashes what is in it once."""

import hashlib
import os
from collections import Counter
from pathlib import Path

import pytest

from backtrick import face_to_face, take_that
from backtrick.cli import main
from backtrick.face_to_face.samples import uniform
from backtrick.face_to_face.tables import table as tables_module
from backtrick.storage import sets
from backtrick.storage.file import Reader

HASH = hashlib.sha256


class Counting:
    """A SHA-256 that counts its bytes."""

    total = 0

    def __init__(self, content=b""):
        self.real = HASH()
        self.update(content)

    def update(self, content):
        Counting.total += len(content)
        self.real.update(content)

    def __getattr__(self, name):
        return getattr(self.real, name)


@pytest.fixture
def spent(monkeypatch):
    """Runs a command; returns how many bytes it hashed, and how often it opened each file."""

    def run(*arguments):
        opened, real, Counting.total = Counter(), os.open, 0
        with monkeypatch.context() as patch:
            patch.setattr(hashlib, "sha256", Counting)
            patch.setattr(sets, "sha256", Counting)
            patch.setattr(os, "open", lambda path, *how, **more: (opened.update([Path(path).name]), real(path, *how, **more))[1])
            assert main([str(argument) for argument in arguments]) == 0
        return Counting.total, {name: count for name, count in opened.items() if name.endswith(".h5")}

    return run


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """3v2 in 36 chunks, what it needs, and a set of each game."""
    place = tmp_path_factory.mktemp("tables")
    how = {"processes": 0, "progress": False}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables_module, "CHUNK_BYTES", 1 << 14)
        face_to_face.build_tables(place, ["3v2"], **how)
        face_to_face.build_set(place, "duels", face_to_face.pack(list(uniform(3000, 1))), **how)
        take_that.build_set(place, "line", take_that.parse_many("15,43,44 21,53 51-62-35"), **how)
        yield place


def content_of(path):
    """The bytes of all chunks unpacked, and of what stands around them in the file."""
    with Reader(path) as reader:
        return reader.header.length * reader.header.dtype.itemsize, path.stat().st_size - int(reader.bounds[-1] - reader.bounds[0])


@pytest.mark.parametrize(
    ("command", "times", "children"),
    [("check", 1, {"2v1.h5": 1}), ("verify", 1, {"2v1.h5": 1}), ("info", 1, {})],
)
def test_a_table(directory, spent, command, times, children):
    content, around = content_of(directory / "3v2.h5")
    child, child_around = content_of(directory / "2v1.h5")
    hashed, opened = spent(*command.split(), directory / "3v2.h5")
    assert opened == {"3v2.h5": 1} | children
    room = 3 * around + (child + 3 * child_around if children else 0)  # seal and digest cover what is around the chunks
    assert hashed <= times * content + room
    assert command == "info" or hashed >= content


@pytest.mark.parametrize(("name", "command", "times"), [
    (name, command, times)
    for name in ("duels.set.h5", "line.set.h5")
    for command, times in (("check", 2), ("verify", 2), ("info", 0))  # as chunks, and as questions
])  # fmt: skip
def test_a_set(directory, spent, name, command, times):
    content, around = content_of(directory / name)
    hashed, opened = spent(command, directory / name)
    assert opened == {name: 1}
    assert times * content <= hashed <= times * content + 3 * around


def test_a_table_that_is_probed_is_hashed_chunk_by_chunk(directory, spent):
    hashed, opened = spent("solve", "--tables", directory, "27^40v:17,18,45 13^50v:5,12")
    assert opened == {"3v2.h5": 1}
    assert hashed <= (1 << 14) + 3 * content_of(directory / "3v2.h5")[1]
