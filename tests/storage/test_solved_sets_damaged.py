"""Sets that cannot be read are said to be skipped, once each, and the others answer."""

import shutil
import warnings

import numpy as np
import pytest

from backtrick import face_to_face
from backtrick.cli import main
from backtrick.errors import MissingTableError, SkippedFileWarning
from backtrick.storage.file import SUFFIX
from test_solved_sets import BOTH, DUEL, LINE

BAD = {
    "damaged": lambda sound: sound[:-10] + b"x" + sound[-9:],
    "cut short": lambda sound: sound[:-1],
    "a text": lambda sound: b"a text of somebody else's",
    "empty": lambda sound: b"",
    "version 1": lambda sound: b"backtrick, HDF5 after 512 bytes: 5 bytes, sha256 " + b"0" * 64 + b"\n",
    "chunk": lambda sound: sound[: first_chunk(sound)] + bytes([sound[first_chunk(sound)] ^ 1]) + sound[first_chunk(sound) + 1 :],
}


def first_chunk(sound):
    """Where the chunks begin, as the seal says."""
    return int(sound.partition(b"chunks ")[2].partition(b"-")[0])


def build(wing, directory, name, positions, **how):
    wing.game.build_set(directory, name, wing.game.pack(positions), **{"processes": 0, "progress": False} | how)
    return directory / f"{name}.set{SUFFIX}"


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """Three sets of each game: `lost`, `kept` and `other`, and of each game two lists of positions."""
    asked, place = {}, tmp_path_factory.mktemp("sound")
    for wing in (DUEL, LINE):
        positions = list(dict.fromkeys(wing.sample(30, seed=50)))
        asked[wing.codec.game.name] = positions[:5], positions[5:10]
        build(wing, place, f"b{wing.codec.game.name}-lost", positions[:5])
        build(wing, place, f"c{wing.codec.game.name}-kept", positions[5:10])
        build(wing, place, f"d{wing.codec.game.name}-other", positions[10:12], rules=wing.rules[1])
    return place, asked


@pytest.fixture
def place(sound, tmp_path):
    """A copy of them."""
    there, asked = sound
    shutil.copytree(there, tmp_path, dirs_exist_ok=True)
    return tmp_path, asked


def spoil(wing, directory, how):
    path = directory / f"b{wing.codec.game.name}-lost.set.h5"
    path.write_bytes(BAD[how](path.read_bytes()))
    return path


@pytest.mark.share(3)
@pytest.mark.parametrize("how", BAD)
@BOTH
def test_the_sound_ones_answer(wing, place, how):
    directory, asked = place
    lost, kept = asked[wing.codec.game.name]
    path = spoil(wing, directory, how)
    with wing.game.open_tablebase(directory) as tables:
        with pytest.warns(SkippedFileWarning, match="it is skipped") as seen:
            assert [tables.probe(position) for position in kept] == [wing.value(position) for position in kept]
        assert len(seen) == 1 and str(seen[0].message).startswith(f"{path}: ")
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # once is enough
            for position in lost:
                with pytest.raises(MissingTableError, match=rf"skipped {path.name}: ") as error:
                    tables.probe(position)
                assert f"in {directory} (skipped" in str(error.value)
                assert "); build it with: backtrick generate" in str(error.value)
                assert tables.get(position, 77) == 77
                assert tables.solve(position).source == "search"
            array = wing.game.pack(lost + kept)
            values = tables.probe_many(array, missing=99)
            assert values.tolist() == [99] * len(lost) + [wing.value(position) for position in kept]
            with pytest.raises(MissingTableError, match=rf"skipped {path.name}: "):
                tables.probe_many(array)
        tables.close()
        with pytest.warns(SkippedFileWarning):  # read again, and still bad
            tables.get(lost[0])


def test_the_other_games_sets_are_no_matter(place):
    directory, asked = place
    spoil(DUEL, directory, "chunk")  # its header says of which game it is
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tables = LINE.game.open_tablebase(directory)
        assert tables.probe(asked["take_that"][0][0]) == LINE.value(asked["take_that"][0][0])
        with pytest.raises(MissingTableError) as error:
            tables.probe(LINE.sample(3, seed=60)[0])
    assert "skipped" not in str(error.value)


@BOTH
def test_sound_sets_warn_of_nothing(wing, place):
    """Of another game and of other rules they are skipped without a word."""
    directory, asked = place
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tables = wing.game.open_tablebase(directory)
        for position in [*asked[wing.codec.game.name][0], *asked[wing.codec.game.name][1]]:
            assert tables.probe(position) == wing.value(position)
        with pytest.raises(MissingTableError) as error:
            tables.probe(wing.sample(3, seed=60)[0])
    assert "skipped" not in str(error.value)


def test_every_bad_one_is_named(place):
    directory, asked = place
    names = [spoil(wing, directory, "damaged").name for wing in (DUEL, LINE)]
    (directory / "a.set.h5").mkdir()
    tables = DUEL.game.open_tablebase(directory)
    with pytest.warns(SkippedFileWarning) as seen, pytest.raises(MissingTableError) as error:
        tables.probe(asked["face_to_face"][0][0])
    assert len(seen) == 3
    assert all(f"{name}: " in str(error.value) for name in [*names, "a.set.h5"])


def test_a_bad_set_is_no_matter_where_a_table_answers(place):
    directory, asked = place
    spoil(DUEL, directory, "damaged")
    face_to_face.build_tables(directory, ["2v2"], processes=0, progress=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tables = face_to_face.open_tablebase(directory)
        assert tables.probe(face_to_face.Position.parse("27^40v:17,18 13^50v:5,12")) == 1


def test_from_the_command_line(place, capsys):
    """A sentence on standard error, and the answer by search."""
    directory, asked = place
    path = spoil(LINE, directory, "damaged")
    position = asked["take_that"][0][0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the command says it itself
        assert main(["solve", "--tables", str(directory), str(position), str(asked["take_that"][1][0])]) == 0
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert said.err.startswith(f"backtrick: {path}: ") and said.err.endswith("; it is skipped\n")
    assert "source  search" in said.out


def test_numbers_of_positions():
    """What the fixtures rely on: no position of one list is in another."""
    for wing in (DUEL, LINE):
        positions = list(dict.fromkeys(wing.sample(30, seed=50)))[:12]
        keys = wing.codec.keys(wing.game.pack(positions + wing.sample(3, seed=60)[:1]), wing.rules[0])[0]
        assert len(np.unique(keys)) == len(keys) == 13
