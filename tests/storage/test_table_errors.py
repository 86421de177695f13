"""The class of an error about tables says what is the matter: not there, not ours, damaged, untrue, or the system's violation."""

import os
from dataclasses import replace

import pytest

from backtrick.cli import main
from backtrick.errors import (
    BacktrickError,
    CorruptTableError,
    ForeignFileError,
    MismatchError,
    MissingTableError,
    StorageError,
    TableError,
)
from backtrick.face_to_face import Position, build_tables, open_tablebase
from backtrick.storage.file import Reader, write_file

KINDS = [MissingTableError, ForeignFileError, CorruptTableError, MismatchError]


def exactly(kind, function, *arguments):
    """The error that is raised: of this class, not of one derived from it."""
    with pytest.raises(BacktrickError) as raised:
        function(*arguments)
    assert type(raised.value) is kind, raised.value
    return raised.value


def test_one_base_and_none_is_another():
    """`CorruptTableError` does not catch a foreign file; `TableError` catches both."""
    for kind in KINDS:
        assert issubclass(kind, TableError) and issubclass(TableError, BacktrickError)
        assert [other for other in (*KINDS, StorageError) if issubclass(kind, other)] == [kind]
    assert not issubclass(StorageError, TableError)


@pytest.mark.parametrize(
    ("kind", "code"),
    [(MissingTableError, 2), (StorageError, 2), (ForeignFileError, 3), (CorruptTableError, 3),
     (MismatchError, 3)],
)  # fmt: skip
def test_exit_codes(kind, code):
    """2: what was asked for is not there or cannot be read. 3: a file is not what it should be."""
    assert kind.exit_code == code


@pytest.fixture
def table(tmp_path):
    build_tables(tmp_path, ["2v1"], processes=0, progress=False)
    return tmp_path / "2v1.h5"


POSITION = Position.parse("27^40v:17,18 13^50v:5")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs permissions")
def test_a_device_is_not_read():
    error = exactly(ForeignFileError, Reader, os.devnull)
    assert str(error) == f"{os.devnull}: not a Backtrick file: it is not a regular file"


def test_a_file_that_may_not_be_read(table, monkeypatch):
    if os.geteuid() == 0:  # root may read everything

        def refuse(*_, **__):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "open", refuse)
    table.chmod(0)
    assert str(exactly(StorageError, Reader, table)) == f"{table}: cannot be read: Permission denied"


@pytest.mark.parametrize("content", [b"", b"a text of somebody else's\n" * 1000])
def test_a_file_that_is_not_ours(table, content):
    table.write_bytes(content)
    exactly(ForeignFileError, open_tablebase(table.parent).probe, POSITION)


def test_check_goes_on_past_every_kind_and_says_so(table, capsys):
    """The exit code is the highest of those of what was found."""
    sound = table.read_bytes()
    (table.parent / "1v2.h5").write_bytes(sound[:-1])
    (table.parent / "1v3.h5").write_text("a text")
    (table.parent / "1v4.h5").mkdir()
    assert main(["check", str(table.parent)]) == 3
    said = capsys.readouterr()
    assert [line.split("\t")[1] for line in said.out.splitlines()] == ["ok"]
    assert [line.split(": ")[1].rsplit("/")[-1] for line in said.err.splitlines()] == [f"1v{n}.h5" for n in (2, 3, 4)]


def test_a_file_of_an_unknown_game_is_foreign(table, capsys):
    header = replace(Reader(table).header, game="chess")
    write_file(table, header, ((chunk, {}) for chunk in Reader(table)))
    assert main(["check", str(table)]) == 3
    assert "of an unknown game, 'chess'" in capsys.readouterr().err
