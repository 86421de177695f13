"""What is said of bad values: one sentence that names the value and what it may be, from the command line and from Python."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

import command
from backtrick import face_to_face, take_that
from backtrick.face_to_face.classes import tables_up_to
from backtrick.face_to_face.tablebase import MOST_CARDS
from backtrick.games import game_of
from command import run as run_process

DUEL, ROUND = "27^40v:17,18,45 13^50v:5,12", "15,43,44 21,53 51-62-35"


def refused(result, *words, code=2):
    """Nothing is printed but one sentence."""
    assert result[1] == ""
    command.refused(result, *words, code=code)


# The command line (and see tests/data/refusals.txt)


def test_a_bad_value_is_shown_by_its_beginning(said):
    refused(said("sample", "3", "--seed", "1" * 5000), "argument --seed: must be 0..", "1111...")
    refused(said("sample", "x" * 5000), "argument COUNT: 'xxx", "xxx...' is not a whole number")


def test_the_most_cards_of_all_tables_are_those_that_help_and_refusal_name(said):
    assert f"in both hands, 2..{MOST_CARDS}" in " ".join(said("generate", "--help")[1].split())
    code, out, _ = said("generate", "--cards", MOST_CARDS, "--list")
    assert code == 0 and len(out.split()) == len(tables_up_to(MOST_CARDS))


def test_a_bad_limit_ends_a_command_that_keeps_going(said):
    """It is not a fault of the position, and the next one is not asked without any limit."""
    refused(said("solve", "--table-mib", 1 << 24, "--keep-going", ROUND, ROUND), "no room for a table")
    refused(said("solve", "--tables", "nowhere", "--keep-going", ROUND, ROUND), "nowhere: cannot be read")


def test_what_threads_on_one_deal_cannot_do(said, tmp_path, monkeypatch):
    monkeypatch.setattr("backtrick.face_to_face.deal.EASY", 1)
    deal = next(game_of("face_to_face").display.sources["selfplay"].make(1, seed=1, piles=45))
    refused(said("solve", "--search-threads", 2, "--table-mib", 1 << 24, "--seconds", 1, deal), "no room for a table")
    (tmp_path / "games").write_text("")
    many = said("grade", "--game", tmp_path / "games", "--search-threads", 2)
    refused(many, "--search-threads is for one deal; --game FILE grades many at once, in --workers")


# A directory without tables


@pytest.mark.parametrize("command", ["solve", "best", "grade"])
@pytest.mark.parametrize(("position", "turn", "title"), [(DUEL, "17^ 18^", "The Game: Face to Face"), (ROUND, "44", "Take That")])
def test_a_directory_that_can_answer_nothing_is_said_once(said, tmp_path, command, position, turn, title):
    asked = [position, turn] if command == "grade" else [position, position]
    code, out, err = said(command, "--tables", tmp_path, "--json", *asked)
    assert code == 0 and {json.loads(line)["source"] for line in out.splitlines()} == {"search"}
    assert err == f"backtrick: {tmp_path} holds no tables of {title} with these rules: every answer is searched for\n"


def test_a_stream_hears_it_once_too(tmp_path):
    done = run_process("best", "-", "--tables", str(tmp_path), text=f"{DUEL}\n" * 3)
    assert (done.returncode, done.stderr.count("holds no tables"), done.stdout.count("search")) == (0, 1, 3)


def test_a_directory_that_can_answer_something_is_not_complained_of(said, tmp_path):
    face_to_face.build_tables(tmp_path / "one", ["1v1"], processes=0, progress=False)
    (tmp_path / "two").mkdir()
    take_that.build_set(tmp_path / "two", "some", take_that.parse_many(ROUND), processes=0, progress=False)
    assert said("best", "--tables", tmp_path / "one", DUEL) == (0, "17^ 18^ 45^\n", "")
    assert said("best", "--tables", tmp_path / "two", ROUND) == (0, "44\n", "")
    lacking = [("one", ROUND), ("one", "--lone-card", DUEL), ("two", DUEL), ("two", "--forced-only", ROUND)]
    for directory, *asked in lacking:
        assert "with these rules" in said("best", "--tables", tmp_path / directory, *asked)[2]
    assert face_to_face.open_tablebase(tmp_path / "one").holds_any()
    assert not face_to_face.open_tablebase(tmp_path / "two").holds_any()
    assert take_that.open_tablebase(tmp_path / "two").holds_any()
    assert not take_that.open_tablebase(tmp_path / "one").holds_any()


# Paths that are not one word of a line


ODD = ["two\nlines", "a\ttab", "bell\a", os.fsdecode(b"not text \xff")]


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_a_record_is_one_line_whatever_the_path(said, tmp_path, odd):
    place = tmp_path / odd
    face_to_face.build_tables(place, ["1v1"], processes=0, progress=False)
    (place / "bad.h5").write_text("no table")
    code, out, err = said("check", place)
    assert code == 3 and out.count("\n") == err.count("\n") == 1
    path, ok, digest = out.rstrip("\n").split("\t")
    assert path.isprintable() and path.endswith("/1v1.h5") and ok == "ok" and len(digest) == 64
    assert err.rstrip("\n").isprintable() and "bad.h5: " in err
    good = str(place / "1v1.h5")
    assert said("verify", good)[1] == f"{path}\tverified\t737 slots by search\n"
    assert said("info", good)[1].splitlines()[0] == path
    assert json.loads(said("info", "--json", good)[1])["file"] == good


def test_a_path_that_the_stream_cannot_encode_is_escaped(tmp_path):
    face_to_face.build_tables(tmp_path / "Πύργος", ["1v1"], processes=0, progress=False)
    done = run_process("check", str(tmp_path / "Πύργος"), variables={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and f"{tmp_path}/\\u03a0\\u03cd" in done.stdout


def test_an_ordinary_path_is_shown_as_it_is(said, tmp_path):
    face_to_face.build_tables(tmp_path / "Πύργος 'a' \\b", ["1v1"], processes=0, progress=False)
    assert said("check", tmp_path)[2].count("\n") == 1
    assert said("check", tmp_path / "Πύργος 'a' \\b")[1].startswith(f"{tmp_path}/Πύργος 'a' \\b/1v1.h5\tok\t")


# Python


def test_a_budget_of_numpy_is_kept_as_plain_values():
    budget = take_that.Budget(np.int64(5), np.float32(0.5), np.uint8(1))
    assert repr(budget) == "Budget(nodes=5, seconds=0.5, table_mib=1)"
    assert take_that.Budget(seconds=2).seconds == 2
