"""Headers that are well-formed but tell what no file of their kind can: every command says so in one sentence."""

from dataclasses import replace

import numpy as np
import pytest

from backtrick import face_to_face, take_that
from backtrick.cli import main
from backtrick.errors import ForeignFileError, SkippedFileWarning
from backtrick.face_to_face.classes import TableName
from backtrick.face_to_face.tables.table import open_table
from backtrick.storage.file import Reader, write_file
from command import DATA

DUEL = face_to_face.Position.parse("27^40v:17,18,45 13^50v:5,12")
LINE = take_that.Position.parse("15,43,44 21,53 51-62-35")
_, DUELS, LINES = FILES = "3v2.h5", "duels.set.h5", "lines.set.h5"


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    place = tmp_path_factory.mktemp("sound")
    how = {"processes": 0, "progress": False}
    face_to_face.build_tables(place, ["3v2"], **how)
    face_to_face.build_set(place, "duels", face_to_face.pack([DUEL]), **how)
    take_that.build_set(place, "lines", take_that.pack([LINE]), **how)
    return place


def forge(sound, file, directory, /, **changes):
    """The file with parts of its header changed, digest and seal in order; a part of None is as it was."""
    reader = Reader(sound / file)
    header = replace(reader.header, **changes)
    items = np.concatenate(list(reader)).view(header.dtype)
    chunks = (items[start : start + header.chunk] for start in range(0, len(items), header.chunk))
    write_file(directory / file, replace(header, length=len(items)), ((chunk, {}) for chunk in chunks))
    return directory / file


def more(sound, name, part, **changes):
    """A part of the header that is a mapping, with some of it changed, and what is None left out."""
    told = getattr(Reader(sound / name).header, part) | changes
    return {part: {key: value for key, value in told.items() if value is not None}}


def test_what_is_written_again_without_a_change_is_fine(sound, tmp_path, capsys):
    (tmp_path / "2v1.h5").write_bytes((sound / "2v1.h5").read_bytes())
    for name in FILES:
        path = forge(sound, name, tmp_path)
        assert path.read_bytes() == (sound / name).read_bytes()
        for command in ("info", "check", "verify"):
            assert main([command, str(path)]) == 0
    capsys.readouterr()


LINES_OF_DATA = [line.split("\t") for line in (DATA / "headers.txt").read_text().splitlines() if line and line[0] != "#"]


@pytest.mark.parametrize(("name", "part", "change", "sentence"), LINES_OF_DATA, ids=[" ".join(line[:3]) for line in LINES_OF_DATA])
def test_each_command_refuses_a_header_with_this_sentence(sound, tmp_path, capsys, name, part, change, sentence):
    value = eval(change, {"np": np})
    path = forge(sound, name, tmp_path, **(more(sound, name, part[:-2], **value) if part.endswith(" +") else {part: value}))
    for command in ("info", "check", "verify"):
        assert (main([command, str(path)]), *capsys.readouterr()) == (3, "", f"backtrick: {path}: {sentence}\n"), command


@pytest.mark.parametrize(
    ("changes", "name", "sentence"),
    [
        ({}, TableName(2, 1), "the table 3v2 under the name of 2v1"),
        ({"kind": "shard"}, None, "a shard of face_to_face, not a complete table of face_to_face"),
        ({"by": "guess"}, None, "it is built by guess, not by rows or search"),
    ],
)
def test_a_table_is_what_is_asked_for(sound, tmp_path, changes, name, sentence):
    with pytest.raises(ForeignFileError) as error:
        open_table(forge(sound, "3v2.h5", tmp_path, **changes), name=name)
    assert error.value.problem == sentence


@pytest.mark.parametrize("name", [DUELS, LINES])
def test_a_digest_of_other_questions_is_found_where_all_is_read(sound, tmp_path, capsys, name):
    path = forge(sound, name, tmp_path, **more(sound, name, "scheme", questions="0" * 64))
    for command in ("check", "verify"):
        assert main([command, str(path)]) == 3 or command == "check"
        assert "Traceback" not in capsys.readouterr().err


def test_a_closure_in_a_directory_is_skipped_and_says_what_to_do(sound, tmp_path):
    forge(sound, LINES, tmp_path, kind="closure").rename(tmp_path / "lines.closure.h5")
    with take_that.open_tablebase(tmp_path) as tables, pytest.warns(SkippedFileWarning, match="generate --positions FILE"):
        assert not tables.holds_any() and tables.sets() == []
