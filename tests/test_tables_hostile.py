"""Files made to do harm, under a good seal: no reading of one hangs or crashes."""

import pytest

from backtrick import face_to_face, take_that
from hostile import in_another_process

FILES = ["3v2.h5", "duel.set.h5", "line.set.h5", "line.closure.h5"]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """One file of each kind of either game."""
    place = tmp_path_factory.mktemp("sound")
    how = {"processes": 0, "progress": False}
    face_to_face.build_tables(place, ["3v2"], **how)
    duels = [face_to_face.Position.parse(text) for text in ("27^40v:17,18,45 13^50v:5,12", "52^6v:16,18,19,57 53^15v:4,7,29,44")]
    face_to_face.build_set(place, "duel", face_to_face.pack(duels), **how)
    line = take_that.Position.parse("15,43,44 21,53 51-62-35")
    take_that.build_set(place, "line", take_that.pack([line]), **how)
    take_that.build_closure(place, "line", line, **how)
    return place


def alone(sound, name, directory):
    (directory / name).write_bytes((sound / name).read_bytes())
    return directory / name


def hold(path, seed, count):
    code, last, said = in_another_process(path, seed, count)
    assert (code, said) == (0, ""), f"{path.name}, seed {seed}: {last}"
    refused, _, whole = last.split()[:3]
    assert int(refused) > 0.9 * int(whole), last


@pytest.mark.parametrize("name", FILES)
def test_no_change_hangs_or_crashes(sound, tmp_path, name):
    hold(alone(sound, name, tmp_path), 1, 50)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("name", FILES)
def test_no_change_of_ten_thousand_hangs_or_crashes(sound, tmp_path, name, seed):
    hold(alone(sound, name, tmp_path), 100 + seed, 100)
