"""backtrick odds: what it prints is what the library says, and what makes no sense is refused in one sentence."""

from __future__ import annotations

import json

import pytest

from backtrick import face_to_face, take_that
from command import ask, refused

DUEL = "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12"
GONE = ",".join(str(card) for card in range(12, 75) if card % 10)
LINE = f"75,78,79,83,85,88,89,93,97 ?9 76-77-86 ?1 !{GONE}"
HARD = "10^46v:35,49,53,55,57,59+?5,11,15 9^30v:?6:6,8,11,14,17,23,37"


@pytest.mark.parametrize(("view", "game"), [(DUEL, face_to_face), (LINE, take_that)], ids=["face_to_face", "take_that"])
def test_records_are_those_of_the_library(view, game):
    found = json.loads(ask("odds", "--json", view).stdout)
    assert found.pop("game") == game.GAME.name
    assert found == game.odds(game.View.parse(view)).record()


@pytest.mark.parametrize(
    ("options", "limits"),
    [
        (["--samples", "5", "--seed", "9"], {"samples": 5, "seed": 9}),
        (["--precision", "0.3", "--seed", "2"], {"precision": 0.3, "seed": 2}),
        (["--precision", "0.3", "--samples", "3"], {"precision": 0.3, "samples": 3}),
        (["--seconds", "3600", "--samples", "4", "--workers", "1"], {"seconds": 3600, "samples": 4, "threads": 1}),
    ],
)
def test_limits_are_those_of_the_library(options, limits):
    record = json.loads(ask("odds", "--json", DUEL, *options).stdout)
    del record["game"]
    assert record == face_to_face.odds(face_to_face.View.parse(DUEL), **limits).record() and not record["exact"]


def test_seconds_end_the_work():
    record = json.loads(ask("odds", "--json", "--seconds", "0.000001", HARD).stdout)
    assert record["ended"] == "seconds" and record["worlds"] >= 1


def test_rows_hold_every_turn():
    rows = [row.split("\t") for row in ask("odds", "-", text=f"{DUEL}\n# none\n{LINE}\n".encode()).stdout.splitlines()]
    expected = [
        (view, str(one.turn), str(one.value), "exact", "0")
        for view, game in ((DUEL, face_to_face), (LINE, take_that))
        for one in game.odds(game.View.parse(view)).turns
    ]
    assert list(map(tuple, rows)) == expected  # fmt: skip


def test_worlds_that_are_not_solved_are_said():
    text = ask("odds", "--nodes", "1", "--all", HARD).stdout
    assert ".." in text and "not solved" in text
    record = json.loads(ask("odds", "--nodes", "1", "--json", HARD).stdout)
    unsolved = [turn for turn in record["turns"] if turn["unsolved"]]
    assert unsolved and all("value" not in turn and turn["bounds"][0] < turn["bounds"][1] for turn in unsolved)


def test_the_first_ten_turns_are_shown_unless_all_are_wanted():
    some, every = ask("odds", LINE).stdout, ask("odds", "--all", LINE).stdout
    *lines, last = some.splitlines()
    assert last == "  and 6 more turns (--all)" and len(every.splitlines()) == len(lines) + 6
    assert [line.split() for line in lines] == [line.split() for line in every.splitlines()[: len(lines)]]


def test_a_wrong_view_is_named_by_its_place():
    refused(ask("odds", DUEL, DUEL + "x"), "argument 2: view ")
