"""`backtrick equilibrium --input FILE --output FILE`: many states, and what is there already is kept."""

import gzip
import json
import os

import pytest

from backtrick.face_to_face import GAME
from backtrick.storage.atomic import growing_file
from command import ask

pytest.importorskip("scipy", reason="needs the extra equilibrium: pip install 'backtrick[equilibrium]'")

DUEL = "45^17v:?3:9,18,33,44,47,50 43^20v:?2:4,5,9,12"
STATES = "45^17v:?3:9,18,33,44,47,50 43^20v:?2:4,5,9,12\n\n56^10v:?2:14,22,45 47^38v:?2:7,8\n45^17v:?2:9,18 43^20v:?2:4,5\n"


def solve(tmp_path, *more):
    (tmp_path / "states.txt").write_text(STATES)
    names = ("--input", str(tmp_path / "states.txt"), "--output", str(tmp_path / "found.jsonl"))
    return ask("equilibrium", *names, "--workers", "0", *more)


def without_times(text):
    return [{name: cell for name, cell in json.loads(line).items() if name != "seconds"} for line in text.splitlines()]


def test_what_is_there_is_kept_and_the_rest_is_the_same(tmp_path):
    found = tmp_path / "found.jsonl"
    assert "3 of 3 states" in solve(tmp_path).stderr
    whole = found.read_text()
    assert [one["value"] for one in without_times(whole)][0] == "19/40" and len(whole.splitlines()) == 3
    first = whole.splitlines()[0].replace('"value"', '"kept": 1, "value"') + "\n"
    for cut in (first, first + whole.splitlines()[1][:40]):
        found.write_text(cut)
        assert solve(tmp_path, "--quiet").stderr == ""
        assert found.read_text().startswith(first) and without_times(found.read_text())[1:] == without_times(whole)[1:]
    assert solve(tmp_path, "--quiet").returncode == 0 and found.read_text().startswith(first)


def test_with_hands_a_record_has_the_plan(tmp_path):
    solve(tmp_path, "--hands")
    assert len(without_times((tmp_path / "found.jsonl").read_text())[0]["hands"]) == 20


@pytest.mark.parametrize(
    ("there", "says"),
    [(b'{"asked": "another"}\n', "found.jsonl: line 1 is no record of equilibrium --output"),
     (b"7\n", "found.jsonl: line 1 is no record of equilibrium --output"),
     (b"a text of one line", "it is not a file of equilibria; --output names a new file, or one that the command wrote"),
     (b"\x89PNG\r\n\x1a\n\x00\x01", "found.jsonl: it is not a file of equilibria"),
     (b"[" * 100_000 + b"\n", "found.jsonl: line 1 is no record of equilibrium --output"),
     ('{"asked": '.encode("utf-16"), "found.jsonl: it is not a file of equilibria")],
)  # fmt: skip
def test_another_file_is_refused_and_stays_as_it_is(tmp_path, there, says):
    (tmp_path / "found.jsonl").write_bytes(there)
    assert says in solve(tmp_path).stderr and (tmp_path / "found.jsonl").read_bytes() == there


@pytest.mark.parametrize(
    ("more", "says"),
    [(["--lone-card"], 'with rules null, and this command has {"lone_card": true}; other settings need another file'),
     (["--gap", "0.5"], 'line 1 was found with gap null, and this command has "0.5"'),
     (["--hands"], "line 1 was found without --hands; that needs another file")],
)  # fmt: skip
def test_other_settings_need_another_file(tmp_path, more, says):
    solve(tmp_path)
    before = (tmp_path / "found.jsonl").read_text()
    assert says in solve(tmp_path, *more).stderr and (tmp_path / "found.jsonl").read_text() == before
    (tmp_path / "found.jsonl").write_text(before.splitlines()[0].replace("45^17v:?3", "46^17v:?3") + "\n")
    assert "line 1 is not of the next state of --input" in solve(tmp_path).stderr


@pytest.mark.parametrize(
    ("source", "target", "says"),
    [("states.txt", "states.txt", "--input and --output are the same file"),
     ("none.txt", "found.jsonl", "none.txt: cannot be read"),
     ("states.txt", "/dev/null", "it is not a regular file, so nothing could be added to it later"),
     ("states.txt", "pipe", "it is not a regular file, so nothing could be added to it later"),
     ("states.txt", "found.csv", "found.csv: equilibrium writes records (.jsonl, .json), nothing else"),
     ("/dev/zero", "found.jsonl", "has more than"), ("utf16.txt", "found.jsonl", "UTF-16"),
     ("latin.txt", "found.jsonl", "line 1"), ("states.txt.gz", "found.jsonl", "the suffix sets the format"),
     ("packed", "found.jsonl", "line 1"), ("deep.jsonl", "found.jsonl", "line 1"),
     ("return.txt", "found.jsonl", "line 1"), ("long.txt", "found.jsonl", "line 1")],
)  # fmt: skip
def test_files_that_cannot_be_meant_are_one_sentence(tmp_path, source, target, says):
    (tmp_path / "states.txt").write_text(STATES)
    (tmp_path / "utf16.txt").write_text(STATES, "utf-16")
    (tmp_path / "latin.txt").write_bytes("45^17v:?3:9 \u00e9".encode("latin-1"))
    (tmp_path / "return.txt").write_bytes(b"1,2\r3\n")
    (tmp_path / "long.txt").write_text(200_000 * "7" + ",8\n")
    (tmp_path / "deep.jsonl").write_text("[" * 100_000 + "\n")
    for name in ("states.txt.gz", "packed"):
        (tmp_path / name).write_bytes(gzip.compress(STATES.encode()))
    os.mkfifo(tmp_path / "pipe")
    done = ask("equilibrium", "--input", str(tmp_path / source), "--output", str(tmp_path / target), "--workers", "0")
    assert done.returncode == 2 and says in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
    assert (tmp_path / "states.txt").read_text() == STATES


def test_one_command_writes_at_a_time(tmp_path):
    with growing_file(tmp_path / "found.jsonl", lambda text: True, "equilibria", list):
        assert "another process is writing it" in solve(tmp_path).stderr


def test_lines_are_those_of_the_house(tmp_path):
    """Comments, a byte order mark, blank lines."""
    solve(tmp_path)
    plain = without_times((tmp_path / "found.jsonl").read_text())
    (tmp_path / "other.txt").write_bytes(b"\xef\xbb\xbf# states\r\n" + STATES.replace("\n", "\r\n").encode())
    ask("equilibrium", "--input", str(tmp_path / "other.txt"), "--output", str(tmp_path / "other.jsonl"), "--workers", "0")
    assert without_times((tmp_path / "other.jsonl").read_text()) == plain


def test_a_wrong_state_is_named_and_the_states_before_it_are_there(tmp_path):
    (tmp_path / "states.txt").write_text(STATES.splitlines()[0] + "\nnothing\n")
    names = ("--input", str(tmp_path / "states.txt"), "--output", str(tmp_path / "found.jsonl"))
    done = ask("equilibrium", *names, "--workers", "0", "--game", "face_to_face")
    assert done.returncode == 2 and "line 2: " in done.stderr and len((tmp_path / "found.jsonl").read_text().splitlines()) == 1


def test_the_tree_is_written_for_other_solvers(tmp_path):
    state, file = "10^15v:?2:2,6,8,9 3^16v:?2:13,14,15", tmp_path / "tree.efg"
    assert ask("equilibrium", state, "--efg", str(file)).returncode == 0
    assert file.read_text() == GAME.extensive_form(state)
    file.write_text("another file")
    assert "it needs more time" in ask("equilibrium", DUEL, "--seconds", "0.01", "--efg", str(file)).stderr
    for option in ("--efg", "--svg"):
        assert "it is a directory" in ask("equilibrium", DUEL, "--seconds", "0.01", option, str(tmp_path)).stderr
    assert file.read_text() == "another file" and [*tmp_path.iterdir()] == [file]
