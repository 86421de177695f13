"""What is said of bad values: one sentence that names the value and what it may be, from the command line and from Python."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

import command
from backtrick import face_to_face, take_that
from backtrick.errors import ArgumentError, BudgetError
from backtrick.face_to_face.classes import tables_up_to
from backtrick.face_to_face.samples import selfplay_array
from backtrick.face_to_face.tablebase import MOST_CARDS
from backtrick.games import game_of
from backtrick.storage.workers import executor_of, local_processes
from command import run as run_process

DUEL, ROUND = "27^40v:17,18,45 13^50v:5,12", "15,43,44 21,53 51-62-35"
LONG = "99999999999999999999"


def refused(result, *words, code=2):
    """Nothing is printed but one sentence."""
    assert result[1] == ""
    command.refused(result, *words, code=code)


# The command line


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["generate", "--cards", "13", "--estimate"], ["--cards must be 2..12, not 13"]),
        (["generate", "--cards", LONG], ["--cards must be 2..12, not 9999"]),
        (["generate", "2v2", "--processes", "0"], ["argument --processes: must be 1..1024, not 0"]),
        (["generate", "2v2", "--local-cluster", "0"], ["argument --local-cluster: must be 1..1024, not 0"]),
        (["sample", LONG], [f"argument COUNT: must be 0..{10**18 - 1}, not {LONG}"]),
        (["sample", "--", "-3"], ["argument COUNT: must be 0..", "not -3"]),
        (["sample", "3", "--seed", "-1"], ["argument --seed: must be 0..", "not -1"]),
        (["sample", "3", "--seed", "1.5"], ["argument --seed: '1.5' is not a whole number"]),
        (["sample", "3", "--seed", "1" * 5000], ["argument --seed: must be 0..", "1111..."]),
        (["sample", "x" * 5000], ["argument COUNT: 'xxx", "xxx...' is not a whole number"]),
        (["sample", "3", "--source", "uniform", "--hands", "x", "3"], ["argument --hands: 'x' is not a whole number"]),
        (["sample", "3", "--source", "uniform", "--hands", "-1", "3"], ["a hand must be 1..6 cards, not -1"]),
        (["sample", "3", "--source", ""], ["no source ''"]),
        (["solve", "--threads", "0", DUEL], ["argument --threads: must be 1..1024, not 0"]),
        (["solve", "--threads", "2.5", DUEL], ["argument --threads: '2.5' is not a whole number"]),
        (["solve", "--threads", "٣", DUEL], ["argument --threads: '٣' is not a whole number"]),
        (["verify", "--threads", LONG], [f"argument --threads: must be 1..1024, not {LONG}"]),
        (["solve", "--nodes", "-5", ROUND], ["argument --nodes: must be at least 1, not -5"]),
        (["solve", "--nodes", "5.5", ROUND], ["argument --nodes: '5.5' is not a whole number"]),
        (["solve", "--seconds", "x", ROUND], ["argument --seconds: 'x' is not a number"]),
        (["solve", "--seconds", "0", ROUND], ["argument --seconds: must be above 0, not 0"]),
        (["solve", "--seconds", "-2.5", ROUND], ["argument --seconds: must be above 0, not -2.5"]),
        (["solve", "--seconds", "nan", ROUND], ["argument --seconds: must be above 0, not nan"]),
        (["solve", "--table-mib", "-1", ROUND], [f"argument --table-mib: must be 0..{1 << 24}, not -1"]),
        (["solve", "--table-mib", "", ROUND], ["argument --table-mib: '' is not a whole number"]),
        (["generate", "2v2", "--memory", "9" * 20 + "T"], ["argument --memory: ", "too large"]),
        (["generate", "2v2", "--memory", "1X"], ["argument --memory: '1X' is not a size such as 800M or 4G"]),
        (["generate", "2v2", "--list", "--estimate"], ["argument --estimate: not allowed with argument --list"]),
        (["generate", "2v2", "--scheduler", "a", "--local-cluster", "1"], ["argument --local-cluster: not allowed with"]),
        (["generate", "2v2", "--scheduler", "a", "--processes", "1"], ["argument --processes: not allowed with"]),
        (["generate", "2v2", "--local-cluster", "1", "--memory", "1G"], ["--memory is for local processes"]),
        (["generate", "2v2", "--name", "some"], ["--name goes with --positions"]),
        # an empty text is not a default: nothing may be written or read where nobody asked for it
        (["generate", "2v2", "--tables", ""], ["argument --tables: must not be empty"]),
        (["generate", "--positions", ""], ["argument --positions: must not be empty"]),
        (["generate", "2v2", "--scheduler", ""], ["argument --scheduler: must not be empty"]),
        (["solve", "--tables", "", DUEL], ["argument --tables: must not be empty"]),
        (["best", "--tables", "", ROUND], ["argument --tables: must not be empty"]),
        (["check", "--digests", ""], ["argument --digests: must not be empty"]),
        (["check", ""], ["argument FILE: must not be empty"]),
        (["verify", ".", ""], ["argument FILE: must not be empty"]),
        (["info", ""], ["argument FILE: must not be empty"]),
    ],
    ids=lambda part: " ".join(part)[:60] if isinstance(part, list) else None,
)  # fmt: skip
def test_a_bad_value_of_an_option_is_named_with_what_it_may_be(said, tmp_path, arguments, words):
    refused(said(*arguments), *words)
    assert not list(tmp_path.iterdir())


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
    refused(said("grade", "--game", tmp_path / "games", "--search-threads", 2), "--search-threads is for one deal")


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


@pytest.mark.parametrize(("threads", "shown"), [("2", "'2'"), (1.5, "1.5"), (0, "0"), (-1, "-1"), ("", "''"), (2.0, "2.0")])
def test_threads_are_a_whole_number_above_0(threads, shown):
    duel = face_to_face.pack([face_to_face.Position.parse(DUEL)] * 3)
    asked = [
        lambda: face_to_face.solve_many(duel, threads=threads),
        lambda: face_to_face.best_many(duel[:0], threads=threads),
        lambda: take_that.solve_many(take_that.pack([take_that.Position.parse(ROUND)]), threads=threads),
    ]
    for ask in asked:
        with pytest.raises(ArgumentError) as error:
            ask()
        assert str(error.value) == f"threads must be a whole number of at least 1, or None for one per core, not {shown}"
    assert isinstance(error.value, ValueError)


@pytest.mark.parametrize("processes", ["2", 1.5, -1])
def test_processes_are_a_whole_number(tmp_path, processes):
    sentence = f"processes must be a whole number, None for one per core, 0 for this one alone, not {processes!r}"
    with pytest.raises(ArgumentError) as error, executor_of(processes):
        pass
    assert str(error.value) == sentence
    with pytest.raises(ArgumentError) as error:
        face_to_face.build_tables(tmp_path, ["1v1"], processes=processes)
    assert str(error.value) == sentence


@pytest.mark.parametrize("processes", ["2", 1.5, -1, 0])
def test_processes_of_a_pool_are_at_least_one(processes):
    with pytest.raises(ArgumentError, match="^processes must be a whole number of at least 1, or None for one per core, not "):
        local_processes(processes).__enter__()
    with pytest.raises(ArgumentError, match="^threads must be a whole number of at least 1, or None for one per core, not "):
        selfplay_array(1, threads=processes)


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ({"nodes": "3"}, "nodes must be a whole number above 0, or None for no limit, not '3'"),
        ({"nodes": 2.5}, "nodes must be a whole number above 0, or None for no limit, not 2.5"),
        ({"nodes": 0}, "nodes must be a whole number above 0, or None for no limit, not 0"),
        ({"seconds": "3"}, "seconds must be a number above 0, or None for no limit, not '3'"),
        ({"seconds": float("nan")}, "seconds must be a number above 0, or None for no limit, not nan"),
        ({"seconds": -1}, "seconds must be a number above 0, or None for no limit, not -1"),
        ({"seconds": 1j}, "seconds must be a number above 0, or None for no limit, not 1j"),
        ({"table_mib": "64"}, f"table_mib must be a whole number 0..{1 << 24} or None, not '64'"),
        ({"table_mib": 1.5}, f"table_mib must be a whole number 0..{1 << 24} or None, not 1.5"),
        ({"table_mib": -1}, f"table_mib must be a whole number 0..{1 << 24} or None, not -1"),
    ],
    ids=str,
)
def test_a_budget_that_makes_no_sense_is_refused_with_a_sentence(limits, sentence):
    with pytest.raises(BudgetError) as error:
        take_that.Budget(**limits)
    assert str(error.value) == sentence


def test_a_budget_of_numpy_is_kept_as_plain_values():
    budget = take_that.Budget(np.int64(5), np.float32(0.5), np.uint8(1))
    assert repr(budget) == "Budget(nodes=5, seconds=0.5, table_mib=1)"
    assert take_that.Budget(seconds=2).seconds == 2


@pytest.mark.parametrize("cards", [1, 13, -1, 2.5, "4"])
def test_so_many_cards_are_in_no_two_hands(cards):
    with pytest.raises(ArgumentError) as error:
        tables_up_to(cards)
    assert str(error.value) == f"two hands hold 2..12 cards together, not {cards!r}"


def test_what_is_no_directory_is_told_from_one_that_is_not_there(said):
    Path("file").write_text("")
    refused(said("solve", "--tables", "file", DUEL), "file: cannot be read: Not a directory")
