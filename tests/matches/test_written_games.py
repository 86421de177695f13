"""Games that people have typed: a position, then a turn per line."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

import backtrick
from backtrick import face_to_face, matches, take_that
from backtrick.errors import FileError
from backtrick.matches.review import HEADING
from backtrick.matches.written import WRITTEN_PLAYERS

RACE = ["52^6v:16,18,19,57 53^15v:4,7,29,44", "16v 18^'", "4v 7^'"]
LINE = ["15,43,44 21,53 51-62-35", "44", "53x35", "43", "take"]


@pytest.mark.parametrize(("game", "lines"), [(face_to_face, RACE), (take_that, LINE)], ids=["face_to_face", "take_that"])
def test_each_turn_is_graded_as_alone(game, lines, said, tmp_path):
    (tmp_path / "own.txt").write_text("# an evening\n\n" + "   # mine\n".join(lines))
    code, shown, _ = said("grade", "--game", "own.txt", "--json")
    position, grades = game.Position.parse(lines[0]), []
    for turn in lines[1:]:
        grades.append(game.grade(position, turn))
        position = game.after(position, turn)
    *turns, together = map(json.loads, shown.splitlines())
    assert code == 0 and len(turns) == len(lines) - 1
    for turn, grade in zip(turns, grades, strict=True):
        assert (turn["verdict"], turn["before"], turn["after"]) == (grade.verdict, grade.before, grade.after)
        assert game.grade(turn["position"], turn["best"]).optimal
    assert [turn["player"] for turn in turns][:2] == ["the first to move", "the other"]
    assert together["first_mistake"] == next((place for place, one in enumerate(grades, 1) if not one.optimal), None)
    text = said("grade", "--game", "own.txt")[1]
    assert all(grade.verdict in text for grade in grades) and together["page"] in text


@pytest.mark.parametrize(
    "typed",
    [
        "\ufeff{0}\r\n1. {1}\r\n2. {2}\r\n",
        "{0}\nme: {1}\nAnn: {2}\n",
        "{0}\n1. me {1}\nAnn  {2}\n",
        "{0}\n1) {1} | {2}",
        "{0}\n1. me: {1}  # why?\n\n  2 . Ann : {2}",
        "# Sunday\n{0}\n1: {1}\n2: {2}",
    ],
)
@pytest.mark.parametrize(("lines", "more"), [(RACE, ("^v '", "\u2191\u2193,\u2019")), (LINE, ("x", "\u00d7"))])
def test_a_game_is_read_as_people_write_it(typed, lines, more):
    turns = [line.translate(str.maketrans(*more)).replace(",", ", ") for line in lines[1:3]]
    review = matches.grade_game(typed.format(lines[0], *turns))
    assert [str(turn.turn) for turn in review.turns] == lines[1:3]
    assert review.record.players in (WRITTEN_PLAYERS, ("me", "Ann"))


def test_points_behind_a_turn_are_read_over():
    review = matches.grade_game(f"{LINE[0]}\n44 | 53x35 +2 | 43 | take -8")
    assert [str(turn.turn) for turn in review.turns] == LINE[1:]


@pytest.mark.parametrize(
    ("names", "sentence"),
    [(("me", "me"), "this turn is not that of 'me', who played"), (("me", "Ann", "Bob"), "this turn is that of 'me'")],
)
def test_names_take_turns(names, sentence):
    text = "\n".join([LINE[0], *(f"{name}: {turn}" for name, turn in zip(names, LINE[1:], strict=False))])
    with pytest.raises(FileError, match=f"line {len(names) + 1}: .*{sentence}"):
        matches.grade_game(text)


def test_a_heading_is_told_to_begin_with_a_hash():
    with pytest.raises(FileError, match="line 1: 'Sunday evening' is not a position; .*begins with #$"):
        matches.grade_game("\n".join(["Sunday evening", *LINE]))


def test_the_function_is_the_command(said, tmp_path):
    (tmp_path / "own.txt").write_text("\n".join(RACE))
    review = backtrick.grade_game("own.txt")
    assert said("grade", "--game", "own.txt")[1] == f"{review}\n"
    assert said("grade", "--game", "own.txt", "--svg", "own.svg")[0] == 0 and (tmp_path / "own.svg").read_text() == review.svg()
    said("grade", "--game", "own.txt", "--output", "own.tsv")
    heading, *rows = [line.split("\t") for line in (tmp_path / "own.tsv").read_text().splitlines() if line[0] != "#"]
    assert rows == review.rows() and tuple(heading) == HEADING


def test_nobody_could_win_what_is_even():
    start, turns = "24,37,41,42,49,54,56,64,88 33,45,46,47,57,58,75,81,82 28", "24 | 82x28 | 42x24"
    assert backtrick.take_that.value(start) == 0 and set(backtrick.grade_game(f"{start}\n{turns}").could_win.values()) == {None}


def test_a_link_is_the_address_of_the_page():
    link = backtrick.grade_game("\n".join(RACE)).link("https://cards.example.org/")
    assert link == (
        "https://cards.example.org/#game=face_to_face&start=52a6vh16.18.19.57_53a15vh4.7.29.44&turns=16v_18ao~4v_7ao&mode=play"
    )
    lone = backtrick.grade_game("50^10v:30 40^60v:20\n60^'" .replace("60^'", "30^'"), rules=face_to_face.Rules(lone_card=True))
    assert lone.link() is None
    assert replace(lone, record=replace(lone.record, rules=None), turns=()).link() is None, "there is nothing to show"


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
