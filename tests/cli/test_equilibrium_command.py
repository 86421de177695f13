"""`backtrick equilibrium --input FILE --output FILE`: many states, and what is there already is kept."""

import json

import pytest

from command import ask

pytest.importorskip("scipy", reason="needs the extra equilibrium: pip install 'backtrick[equilibrium]'")

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
    first = json.dumps({"asked": STATES.splitlines()[0], "kept": True}) + "\n"
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
    [('{"asked": "another"}\n', "found.jsonl: line 1 is not of state 1 of --input"),
     ("7\n", "found.jsonl: line 1 is no record of equilibrium --output")],
)  # fmt: skip
def test_another_file_is_refused(tmp_path, there, says):
    (tmp_path / "found.jsonl").write_text(there)
    assert says in solve(tmp_path).stderr and (tmp_path / "found.jsonl").read_text() == there


def test_a_wrong_state_is_named_and_the_states_before_it_are_there(tmp_path):
    (tmp_path / "states.txt").write_text(STATES.splitlines()[0] + "\nnothing\n")
    names = ("--input", str(tmp_path / "states.txt"), "--output", str(tmp_path / "found.jsonl"))
    done = ask("equilibrium", *names, "--workers", "0", "--game", "face_to_face")
    assert done.returncode == 2 and "line 2: " in done.stderr and len((tmp_path / "found.jsonl").read_text().splitlines()) == 1
    assert "go together" in ask("equilibrium", "--input", names[1]).stderr
    assert "takes STATE" in ask("equilibrium").stderr
