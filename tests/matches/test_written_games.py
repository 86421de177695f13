"""Games that people have typed: a position, then a turn per line."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from backtrick import face_to_face, take_that

RACE = ["52^6v:16,18,19,57 53^15v:4,7,29,44", "16v 18^'", "4v 7^'"]
LINE = ["15,43,44 21,53 51-62-35", "44", "53x35", "43", "take"]


@pytest.mark.parametrize(("game", "lines"), [(face_to_face, RACE), (take_that, LINE)], ids=["face_to_face", "take_that"])
def test_each_turn_is_graded_as_alone(game, lines, said, tmp_path):
    (tmp_path / "own.txt").write_text("# an evening\n\n" + "   # mine\n".join(lines))
    code, shown, _ = said("grade", "--game", "own.txt")
    position, verdicts = game.Position.parse(lines[0]), []
    for turn in lines[1:]:
        verdicts.append(game.grade(position, turn).verdict)
        position = game.after(position, turn)
    rows = [line.split("\t") for line in shown.splitlines()]
    assert code == 0 and [row[-1] for row in rows] == verdicts and len(rows) == len(lines) - 1
    assert [row[2] for row in rows][:2] == ["the first to move", "the other"]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["nonsense"], "own.txt: line 1: "),
        ([RACE[0], "16v 18"], "own.txt: line 2: "),
        ([RACE[0], "57v 18^"], "own.txt: turn 1: illegal turn '57v 18^'"),
        ([RACE[0], *RACE[1:], "99v"], "own.txt: turn 3: "),
        ([RACE[0], *RACE[1:], "9x"], "own.txt: line 4: "),
    ],
)
def test_what_is_wrong_is_said_with_its_place(lines, sentence, said, tmp_path):
    (tmp_path / "own.txt").write_text("\n".join(lines))
    code, _, told = said("grade", "--game", "own.txt")
    assert code == 2 and sentence in told and "Traceback" not in told


def test_rules_are_those_of_the_command(said, tmp_path):
    (tmp_path / "own.txt").write_text("50^10v:30 40^60v:20\n30v")
    assert said("grade", "--game", "own.txt")[0] == 2  # a lone last card may not be laid (F13)


def test_records_are_graded_from_a_pipe(said, tmp_path):
    """A pipe can be read only once, whatever it holds."""
    said("match", "frugal", "random", "--games", "2", "--workers", "0", "--quiet", "--output", "games.jsonl")
    whole = said("grade", "--game", "games.jsonl")
    reader, writer = os.pipe()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: (os.write(writer, (tmp_path / "games.jsonl").read_bytes()), os.close(writer)))
        assert said("grade", "--game", f"/dev/fd/{reader}") == whole and whole[1]
    os.close(reader)
