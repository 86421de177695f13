"""Headers that are well-formed but tell what no file of their kind can: every command says so in one sentence."""

from dataclasses import replace

import numpy as np
import pytest

from backtrick import face_to_face, take_that
from backtrick.cli import main
from backtrick.errors import CorruptTableError, ForeignFileError, SkippedFileWarning
from backtrick.storage.file import Reader, write_file

BAD = (CorruptTableError, ForeignFileError)
DUEL = face_to_face.Position.parse("27^40v:17,18,45 13^50v:5,12")
LINE = take_that.Position.parse("15,43,44 21,53 51-62-35")
TABLE, DUELS, LINES = FILES = "3v2.h5", "duels.set.h5", "lines.set.h5"


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


def refused(path, capsys, *words):
    """By each command, with one sentence and exit code 3."""
    for command in ("info", "check", "verify"):
        assert main([command, str(path)]) == 3, command
        said = capsys.readouterr()
        assert said.out == "" and said.err.startswith(f"backtrick: {path}: ") and said.err.count("\n") == 1
        assert len(said.err) < 600
        for word in words:
            assert word in said.err, (command, said.err)


def test_what_is_written_again_without_a_change_is_fine(sound, tmp_path, capsys):
    (tmp_path / "2v1.h5").write_bytes((sound / "2v1.h5").read_bytes())
    for name in FILES:
        path = forge(sound, name, tmp_path)
        assert path.read_bytes() == (sound / name).read_bytes()
        for command in ("info", "check", "verify"):
            assert main([command, str(path)]) == 0
    capsys.readouterr()


COUNTS = [
    {"abc": 1},
    {"slots 6": 1},
    {"slots 5": 1},  # 3v2 has two bits a slot
    {"slots 03": 1},
    {"slots -1": 1},
    {"slots": 1},
    {"slots 0": 0},
    {"slots 3": 0},
    {"slots 0": None},
    {"slots 1 ": 5},
    {"classes 6": 1},
    {"classes 3": 1},  # of no slots
    {"classes 0": 2 * 52_215 + 1},  # a slot is of two classes at most
    {"classes 1": 2**61},
    {"classes 1": 2 * 2_173_193},  # more in all than slots without the mirror
    {"classes 0": None, "classes 1": None, "classes 2": None},
]


@pytest.mark.parametrize("counts", COUNTS, ids=str)
def test_counts_of_a_table(sound, tmp_path, capsys, counts):
    refused(forge(sound, TABLE, tmp_path, **more(sound, TABLE, "counts", **counts)), capsys, "its counts")


@pytest.mark.parametrize("name", [DUELS, LINES])
@pytest.mark.parametrize("key", ["abc", "1.5", "01", "+1", " 1", "1_0", "-0", "slots 1", "1e1", "999", "-999"])
def test_counts_of_a_set(sound, tmp_path, capsys, name, key):
    length = Reader(sound / name).header.length
    refused(forge(sound, name, tmp_path, counts={key: length}), capsys, "its counts by value")


@pytest.mark.parametrize("name", [DUELS, LINES])
def test_counts_of_a_set_that_do_not_add_up(sound, tmp_path, capsys, name):
    length = Reader(sound / name).header.length
    for counts in ({}, {"1": length + 1}, {"1": length, "3": 0}, {"1": 2**61}):
        refused(forge(sound, name, tmp_path, counts=counts), capsys, "its counts by value")


@pytest.mark.parametrize(
    ("part", "change", "said"),
    [
        ("name", "9v9", "the name '9v9'"),
        ("name", "table", "the name 'table'"),
        ("name", "3V2", "the name '3V2'"),
        ("name", " 3v2", "the name ' 3v2'"),
        ("name", "2v3", "it is built upon 2v1, not nothing"),
        ("name", "6v6", "its scheme is"),
        ("kind", "set", "of the rules"),
        ("kind", "closure", "a closure, which this version does not read"),
        ("kind", "shard", "no shard of a table"),
        ("kind", "x", "a x of face_to_face"),
        ("game", "chess", "of an unknown game, 'chess'"),
        ("game", "take_that", "a table of take_that, not a set of take_that"),
        ("rules", {}, "of the rules {}"),
        ("rules", {"lone_card": 0}, "of the rules {'lone_card': 0}"),
        ("rules", {"lone_card": "no"}, "of the rules"),
        ("rules", {"lone_card": False, "step": 10}, "of the rules"),
        ("scheme", {}, "its scheme is"),
        ("dependencies", {}, "it is built upon"),
        ("dependencies", {"9v9": "0" * 64}, "it is built upon"),
        ("dependencies", {"abc": "0" * 64, "2v1": "0" * 64}, "it is built upon"),
        ("chunk", 1024, "its chunk is 1024"),
        ("dtype", np.dtype("i1"), "its dtype is int8"),
        ("dtype", np.dtype([("a", "i1")]), "its dtype is"),
    ],
    ids=str,
)
def test_headers_of_tables(sound, tmp_path, capsys, part, change, said):
    refused(forge(sound, TABLE, tmp_path, **{part: change}), capsys, said)


SCHEMES = [("slots", 5), ("bits", 4), ("bits", True), ("index", "x"), ("more", 1), ("value", None)]


@pytest.mark.parametrize(("key", "value"), SCHEMES)
def test_schemes_of_tables(sound, tmp_path, capsys, key, value):
    refused(forge(sound, TABLE, tmp_path, **more(sound, TABLE, "scheme", **{key: value})), capsys, "its scheme is")


SETS = [
    (DUELS, "kind", "table", "not a complete table|the name 'duels'"),
    (DUELS, "kind", "closure", "a closure, which"),
    (LINES, "kind", "closure", "generate --positions FILE"),
    (LINES, "kind", "table", "a table of take_that, not a set of take_that"),
    (DUELS, "name", "other", "under another name"),
    (DUELS, "rules", {}, "of the rules {}"),
    (DUELS, "rules", {"lone_card": False, "highest": 3, "step": 10}, "of rules that face_to_face does not have"),
    (DUELS, "rules", {"lone_card": False, "highest": "60", "step": 10}, "of rules that face_to_face does not have"),
    (DUELS, "rules", {"lone_card": False, "highest": 60, "step": 10, "more": 1}, "of rules that face_to_face does not have"),
    (LINES, "rules", {"forced_only": False, "empty_line": "stops"}, "of rules that take_that does not have"),
    (LINES, "rules", {"forced_only": 1, "empty_line": "opens"}, "rules"),
    (LINES, "rules", {"forced_only": False, "empty_line": 7}, "of rules that take_that does not have"),
    (LINES, "scheme", {}, "its entries are not of the form"),
    (DUELS, "dependencies", {"2v1": "0" * 64}, "it is built upon"),
    (LINES, "dtype", np.dtype("S100"), "its entries are not of the form"),
    (DUELS, "dtype", np.dtype([("key", "<u8"), ("value", "S29")]), "its entries are not of the form"),
]


@pytest.mark.parametrize(("name", "part", "change", "said"), SETS, ids=str)
def test_headers_of_sets(sound, tmp_path, capsys, name, part, change, said):
    path = forge(sound, name, tmp_path, **{part: change})
    refused(path, capsys)
    main(["info", str(path)])
    error = capsys.readouterr().err
    assert any(word in error for word in said.split("|")), error


def test_a_closure_in_a_directory_is_skipped_and_says_what_to_do(sound, tmp_path):
    forge(sound, LINES, tmp_path, kind="closure").rename(tmp_path / "lines.closure.h5")
    with take_that.open_tablebase(tmp_path) as tables, pytest.warns(SkippedFileWarning, match="generate --positions FILE"):
        assert not tables.holds_any() and tables.sets() == []


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        *((name, "questions", value) for name in (DUELS, LINES) for value in (None, 5, "x", "0" * 64)),
        *((name, "value", "other") for name in (DUELS, LINES)),
        *((name, "more", 1) for name in (DUELS, LINES)),
        (DUELS, "root", str(DUEL)),
    ],
    ids=str,
)
def test_schemes_of_sets(sound, tmp_path, capsys, name, key, value):
    path = forge(sound, name, tmp_path, **more(sound, name, "scheme", **{key: value}))
    if value == "0" * 64:  # what only reading all of it finds
        for command in ("check", "verify"):
            assert main([command, str(path)]) == 3 or command == "check"
            assert "Traceback" not in capsys.readouterr().err
    else:
        refused(path, capsys)
