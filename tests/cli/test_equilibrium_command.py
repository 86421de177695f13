"""`backtrick equilibrium --input FILE --output FILE`: many states, and what is there already is kept."""

import json
from datetime import date
from pathlib import Path

import pytest

from backtrick.face_to_face import GAME, Rules
from backtrick.storage.atomic import growing_file
from backtrick.take_that import PublicState
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
    found.write_text(whole[:5])
    assert solve(tmp_path).returncode == 0 and without_times(found.read_text()) == without_times(whole)
    found.write_text(whole + first)
    assert "line 4 is not of the next state of --input" in solve(tmp_path).stderr


LINE = PublicState((34, 41), (12, 21, 39, 43, 44, 55), 2, 2)


@pytest.mark.parametrize(("state", "more"), [(DUEL, ()), ("45^17v:50 43^20v:?1:4,5", ("--lone-card",)), (LINE, ("--gap", "5"))])
def test_a_record_says_what_is_said_of_the_state_alone(tmp_path, state, more):
    (tmp_path / "one.txt").write_text(str(state))
    ask("equilibrium", "--input", "one.txt", "--output", "one.jsonl", "--workers", "0", *more, place=tmp_path)
    found, *alone = (json.loads(ask("equilibrium", str(state), "--json", *options).stdout) for options in (more, ()))
    record = json.loads((tmp_path / "one.jsonl").read_text())
    assert [record[name] for name in ("value", "low", "high")] == [found[name] for name in ("value", "low", "high")]
    assert not more or found != alone[0], "the option tells"


def test_with_hands_a_record_has_the_plan(tmp_path):
    solve(tmp_path, "--hands")
    assert len(without_times((tmp_path / "found.jsonl").read_text())[0]["hands"]) == 20


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
    ("content", "says"), [(b"1,2\r3\n", "line 1"), (200_000 * b"7" + b",8\n", "line 1"), (None, "has more than")], ids=range(3))
def test_a_text_that_cannot_be_states_is_one_sentence(tmp_path, content, says):
    source = tmp_path / "wrong.txt" if content else Path("/dev/zero")
    if content:
        source.write_bytes(content)
    done = ask("equilibrium", "--input", str(source), "--output", str(tmp_path / "found.jsonl"), "--workers", "0")
    assert done.returncode == 2 and says in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr


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


def test_columns_of_the_user_are_kept_as_text(tmp_path):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"position": [STATES.split("\n")[2]], "day": [date(2024, 2, 29)]}), tmp_path / "one.parquet")
    ask("equilibrium", "--input", "one.parquet", "--output", "one.jsonl", "--workers", "0", place=tmp_path)
    assert json.loads((tmp_path / "one.jsonl").read_text())["day"] == "2024-02-29"


def test_a_wrong_state_is_named_and_the_states_before_it_are_there(tmp_path):
    (tmp_path / "states.txt").write_text(STATES.splitlines()[0] + "\nnothing\n")
    names = ("--input", str(tmp_path / "states.txt"), "--output", str(tmp_path / "found.jsonl"))
    done = ask("equilibrium", *names, "--workers", "0", "--game", "face_to_face")
    assert done.returncode == 2 and "line 2: " in done.stderr and len((tmp_path / "found.jsonl").read_text().splitlines()) == 1
    chess = {"position": DUEL, "game": "chess"}
    for record, says in [({"position": "hello"}, "'hello' is not a position"), (chess, "no game is called 'chess'")]:
        (tmp_path / "one.jsonl").write_text(json.dumps(record))
        done = ask("equilibrium", "--input", "one.jsonl", "--output", "none.jsonl", "--workers", "0", place=tmp_path)
        assert done.returncode == 2 and f"backtrick: line 1: {says}" in done.stderr


def test_the_tree_is_written_for_other_solvers(tmp_path):
    state, file = "10^15v:?2:2,6,8,9 3^16v:?2:13,14,15", tmp_path / "tree.efg"
    assert ask("equilibrium", state, "--efg", str(file)).returncode == 0
    assert file.read_text() == GAME.extensive_form(state)
    ask("equilibrium", "45^17v:50 43^20v:?1:4,5", "--lone-card", "--efg", str(file))
    assert file.read_text() == GAME.extensive_form("45^17v:50 43^20v:?1:4,5", rules=Rules(lone_card=True))
    file.write_text("another file")
    assert "it needs more time" in ask("equilibrium", DUEL, "--seconds", "0.01", "--efg", str(file)).stderr
    for option in ("--efg", "--svg"):
        assert "it is a directory" in ask("equilibrium", DUEL, "--seconds", "0.01", option, str(tmp_path)).stderr
    assert file.read_text() == "another file" and [*tmp_path.iterdir()] == [file]
