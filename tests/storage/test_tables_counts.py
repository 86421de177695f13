"""What a header counts is counted again by verify: a number that could be, and is not, is found."""

import numpy as np
import pytest

from backtrick import face_to_face
from backtrick.cli import main
from backtrick.errors import TableNameError
from backtrick.face_to_face import classes, tablebase
from backtrick.face_to_face.samples import uniform
from backtrick.face_to_face.tables import building, table
from backtrick.face_to_face.tables.verifying import verify_table
from backtrick.storage.file import Reader
from test_tables_headers import forge, more

BOTH = pytest.mark.parametrize("lone_card", [False, True], ids=["strict", "lone-card"])


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    place = tmp_path_factory.mktemp("sound")
    how = {"processes": 0, "progress": False}
    face_to_face.build_tables(place, ["2v2"], **how)
    face_to_face.build_tables(place, ["2v2"], face_to_face.Rules(lone_card=True), **how)
    face_to_face.build_set(place, "duels", face_to_face.pack(list(uniform(50, 2))), **how)
    return place


def found_by(command, path, capsys):
    """True if it is refused in one sentence about the counts."""
    code = main([command, str(path)])
    said = capsys.readouterr().err
    assert (code, said.count("\n")) == (3, 1) and f"{path.name}: its counts" in said if code else not said
    return code == 3


@BOTH
@pytest.mark.parametrize("changes", [{"classes 0": 1}, {"classes 0": -1}, {"classes 1": 1, "classes 0": -1}], ids=str)
def test_classes_that_could_be_and_are_not(sound, tmp_path, capsys, changes, lone_card):
    """info cannot know; it reads the header. verify goes through all classes."""
    name = "2v2-lone-card.h5" if lone_card else "2v2.h5"
    counts = Reader(sound / name).header.counts
    assert not found_by("verify", forge(sound, name, tmp_path), capsys)
    path = forge(sound, name, tmp_path, **more(sound, name, "counts", **{key: counts[key] + by for key, by in changes.items()}))
    assert not found_by("info", path, capsys)
    assert found_by("verify", path, capsys)


def test_classes_that_cannot_be(sound, tmp_path, capsys):
    path = forge(sound, "2v2.h5", tmp_path, **more(sound, "2v2.h5", "counts", **{"classes 0": 2**61}))
    for command in ("info", "check", "verify"):
        assert found_by(command, path, capsys)


def test_a_header_can_tell_of_each_remoteness_and_of_so_many_classes_and_no_more(sound, tmp_path, capsys):
    """Two in a slot, and in all as many as there were slots if mirror images had some too."""
    header = Reader(sound / "2v2.h5").header
    counts, most = header.counts, header.scheme["slots_unfolded"]
    few = dict.fromkeys((f"{what} {value}" for what in ("slots", "classes") for value in range(4)), 1)
    few["slots 1"] = header.scheme["slots"] - 3
    for told, key, number in ((few, "classes 3", 2), (counts, "classes 0", 2 * counts["slots 0"]),
                              (few, "classes 1", most - 3)):  # fmt: skip
        for more_of_them in (0, 1):
            path = forge(sound, "2v2.h5", tmp_path, counts={**told, key: number + more_of_them})
            assert found_by("info", path, capsys) == bool(more_of_them), key


def test_classes_are_counted_up_to_so_many_cards(tmp_path, monkeypatch, capsys):
    for module in (building, classes, table, tablebase):
        monkeypatch.setattr(module, "MOST_NUMBERS", 3)
    face_to_face.build_tables(tmp_path, ["2v1", "2v2"], processes=0, progress=False)
    for name, what in (("2v1", "classes"), ("2v2", "slots")):
        path = tmp_path / f"{name}.h5"
        assert {key.split()[0] for key in Reader(path).header.counts} == {"slots", what}
        assert not found_by("info", path, capsys) and tablebase.TableType().describe(Reader(path)).text.count(f" {what} ") == 1
    assert classes.count_classes(classes.TableName(2, 1)).classes == 19981
    with pytest.raises(TableNameError, match="classes are counted up to 3 cards"):
        classes.count_classes(classes.TableName(2, 2))


def test_slots(sound, tmp_path, capsys):
    counts = Reader(sound / "2v2.h5").header.counts
    moved = {"slots 0": counts["slots 0"] + 1, "slots 1": counts["slots 1"] - 1}
    path = forge(sound, "2v2.h5", tmp_path, **more(sound, "2v2.h5", "counts", **moved))
    for command in ("check", "verify"):
        assert found_by(command, path, capsys)


def test_a_set(sound, tmp_path, capsys):
    name = "duels.set.h5"
    counts = Reader(sound / name).header.counts
    one, other = list(counts)[:2]
    path = forge(sound, name, tmp_path, **more(sound, name, "counts", **{one: counts[one] + 1, other: counts[other] - 1 or None}))
    for command in ("check", "verify"):
        assert found_by(command, path, capsys)


def test_counts_in_many_chunks(tmp_path, monkeypatch, capsys):
    """Counted by several threads, range by range."""
    monkeypatch.setattr("backtrick.face_to_face.tables.table.CHUNK_BYTES", 1 << 12)
    face_to_face.build_tables(tmp_path, ["2v3"], processes=0, progress=False)
    path = tmp_path / "2v3.h5"
    header = Reader(path).header
    assert header.chunks > 100
    for threads in (1, 3):
        verified = verify_table(path, threads, progress=False, by="both")
        assert [one.verified for one in verified] == [header.scheme["slots"]] * 2
    assert sum(np.array([header.counts[f"classes {value}"] for value in (0, 1)])) == 4_009_646
