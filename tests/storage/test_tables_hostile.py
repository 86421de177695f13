"""Files made to do harm, under a good seal: no reading of one hangs or crashes."""

import errno
import os
import subprocess
import sys
import time
from unittest.mock import patch

import pytest

from backtrick import face_to_face, take_that
from backtrick.cli import main
from backtrick.errors import CorruptTableError
from backtrick.storage import kinds, workers
from backtrick.storage.kinds import Trial
from command import ENVIRONMENT
from hostile import in_another_process
from waiting import PATIENCE

OPEN = Trial.open  # in other tests it does nothing

FILES = ["3v2.h5", "duel.set.h5", "line.set.h5"]


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
    return place


@pytest.mark.parametrize(
    ("seed", "count"), [(1, 6), *(pytest.param(100 + seed, 100, marks=pytest.mark.slow) for seed in range(25))]
)
def test_no_change_hangs_or_crashes(sound, tmp_path, seed, count):
    """Each file lies alone in its directory."""
    paths = [tmp_path / name.replace(".", "_") / name for name in FILES]
    for path in paths:
        path.parent.mkdir()
        path.write_bytes((sound / path.name).read_bytes())
    code, lines, said = in_another_process(paths, seed, count)
    assert (code, said) == (0, ""), lines[-1:]
    found = [line.split()[:3] for line in lines if line.endswith(f" of {count} refused")]
    assert len(found) == len(paths)
    assert all(int(refused) > 0.8 * count for refused, *_ in found), found  # a change of `program` or `by` makes no file false


class Other:
    """Taken from the pipe, it becomes the result of a call: as if opening a file did this."""

    def __init__(self, call, *arguments):
        self.call, self.arguments = call, arguments

    def __reduce__(self):
        return self.call, self.arguments

    def __str__(self):
        return "x.h5"


def test_opening_that_comes_to_no_end(sound, tmp_path):
    """The process is ended, and the next file gets another one."""
    with Trial(seconds=PATIENCE) as trial:
        OPEN(trial, sound / "3v2.h5")
        trial.seconds = 0.5
        with pytest.raises(CorruptTableError, match="x.h5: HDF5 does not finish opening it within 0.5 s"):
            OPEN(trial, Other(time.sleep, 9999))
        trial.seconds = PATIENCE
        with pytest.raises(CorruptTableError, match="x.h5: HDF5 crashes when it opens it"):
            OPEN(trial, Other(os._exit, 11))
        for path in (sound / "3v2.h5", tmp_path, tmp_path / "nothing.h5"):  # what is wrong with it, others say
            OPEN(trial, path)


@pytest.mark.parametrize("command", ["check", "verify"])
def test_a_process_that_cannot_start_is_no_fault_of_the_file(sound, capsys, monkeypatch, command):
    monkeypatch.setattr(Trial, "open", OPEN)
    line = [command, str(sound / "2v1.h5")]
    with patch.object(kinds, "_open_all", subprocess.run):
        assert main(line) == 2
    assert capsys.readouterr() == ("", f"backtrick: {kinds.HELPER} could not start: it ended with exit code 1\n")
    with patch.object(workers.Worker, "start", side_effect=OSError(errno.EMFILE, "Too many open files")):
        assert main(line) == 2
    assert capsys.readouterr() == ("", f"backtrick: {kinds.HELPER} could not start: Too many open files\n")


def test_a_script_needs_no_guard(sound, tmp_path):
    """Its workers, and the process that opens files first, do not run it."""
    script = tmp_path / "script.py"
    script.write_text(
        "print('run')\nfrom backtrick.cli import main\nfrom backtrick.face_to_face import build_tables\n"
        f"print(main(['check', {str(sound / '2v1.h5')!r}]))\nprint(len(build_tables('t', ['2v1'], processes=2, progress=False)))\n"
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)
    first, checked, code, count = done.stdout.splitlines()
    assert (first, code, done.stderr) == ("run", "0", "") and "ok" in checked and int(count) > 0


@pytest.mark.parametrize("command", ["check", "verify"])
def test_the_commands_open_files_elsewhere_first(sound, capsys, monkeypatch, command):
    def refuse(trial, path):
        raise CorruptTableError(str(path), "HDF5 crashes when it opens it")

    monkeypatch.setattr(Trial, "open", refuse)
    assert main([command, str(sound / "3v2.h5")]) == 3
    assert capsys.readouterr() == ("", f"backtrick: {sound / '3v2.h5'}: HDF5 crashes when it opens it\n")
    monkeypatch.setattr(Trial, "open", OPEN)
    assert main([command, str(sound / "2v1.h5")]) == 0
