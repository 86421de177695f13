"""Deals at the command line, as a new user would try them: every command, both games, mixed lines, limits, mistakes."""

from __future__ import annotations

import io
import json
import re
import sys
import threading
from itertools import islice
from signal import SIGINT, getsignal, pthread_kill, signal

import pytest

import command
from backtrick.budget import _CLOCK
from backtrick.cli.main import main
from backtrick.display import LIMITS
from backtrick.games import game_of
from waiting import PATIENCE

DUEL = "27^40v:17,18,45+20,33,50 43^20v:5,12+4,9"
LINES = "12,43,94 21 34-41-49 22,33"
OPEN_DUEL = "22^7v:7,15,24,36,52,53+21,13,19,20 59^24v:3,9,31,32,35,48+29,2,21,27,58,42,26"
OPEN_LINES = "31,34,38,47,51,58,71,73,76 15,28,37,43,55,63,67,74,82 79-77-69-64 66,46"
ENDGAMES = {DUEL: "27^40v:17,18,45 13^50v:5,12", LINES: "15,43,44 21,53 51-62-35"}


def ask(*arguments, text="", code=0):
    done = command.ask(*map(str, arguments), text=text)
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


def test_a_deal_for_people():
    assert ask("solve", DUEL) == (
        f"{DUEL}\n  value  win\n  best   17^ 45v'\n  line   17^ 45v' | 5v 12^' | 18^ 20^ 33^ 50^\n"
    )
    assert ask("solve", LINES) == f"{LINES}\n  value  +10\n  best   43\n  line   43 | take,21 -4 | 22 | take -6\n"
    every = ask("solve", "--all", DUEL).splitlines()
    assert every[2] == "  best   17^ 45v'   (11 of 23 outcomes)" and sum(line.startswith("  win ") for line in every) == 11
    assert "  +10    43       0       21 12,22,94 34-41-49-43 33" in ask("solve", "--all", LINES).splitlines()


def test_a_deal_for_programs():
    told = json.loads(ask("solve", "--json", DUEL))
    assert told == {
        "game": "face_to_face", "position": DUEL, "outcome": "win", "best": "17^ 45v'",
        "line": ["17^ 45v'", "5v 12^'", "18^ 20^ 33^ 50^"], "optimal": None, "source": "search",
    }  # fmt: skip
    told = json.loads(ask("solve", "--json", "--all", LINES))
    assert (told["value"], told["optimal"], len(told["outcomes"])) == (10, 3, 6)
    assert json.loads(ask("best", "--json", LINES))["best"] == "43"


@pytest.mark.parametrize("deal", ENDGAMES)
def test_rows_of_deals_among_endgames(deal):
    endgame = ENDGAMES[deal]
    lines = [endgame, deal, "# a note", "", deal, endgame]
    solved = ask("solve", "-", text="\n".join(lines)).splitlines()
    assert [line.split("\t")[0] for line in solved] == [endgame, deal, deal, endgame]
    assert solved[1] == solved[2] and solved[0] == solved[3]
    assert ask("solve", "-", text=endgame) == solved[0] + "\n"
    best = ask("best", "-", text="\n".join(lines))
    assert [line.split("\t")[1] for line in best.splitlines()] == [line.split("\t")[-1] for line in solved]
    graded = ask("grade", "-", text=best).splitlines()
    assert [line.split("\t")[2] for line in graded] == ["optimal"] * 4
    records = ask("grade", "--json", "-", text=ask("solve", "--json", "-", text="\n".join(lines)))
    assert all(json.loads(line)["optimal"] for line in records.splitlines())


@pytest.mark.parametrize("deal", [OPEN_DUEL, OPEN_LINES])
def test_not_solved_is_an_answer(deal):
    assert "not solved within the limits" in ask("solve", "--nodes", "1", deal)
    assert ask("best", "--nodes", "1", "-", text=deal) == f"{deal}\t?\n"
    row = ask("solve", "--nodes", "1", "-", text=deal).split("\t")[1:]
    assert row == ["unsolved", "?", "?\n"] or (re.fullmatch(r"-\d+\.\.\d+", row[0]) and row[1:] == ["?\n"])
    told = json.loads(ask("solve", "--nodes", "1", "--json", deal))
    assert told["best"] is told["line"] is told["optimal"] is None
    lowest, highest = told.get("bounds", (-16, 15))
    assert told.get("outcome", "unsolved") == "unsolved" and lowest < highest
    turn = ask("turns", deal).splitlines()[0]
    assert json.loads(ask("grade", "--nodes", "1", "--json", deal, turn))["verdict"] in ("not solved", "optimal")
    assert ask("solve", "--nodes", "1", "--all", deal)
    assert ask("solve", "--nodes", "1", "--table-mib", "0", "--workers", "1", deal)


@pytest.mark.parametrize("game", ["face_to_face", "take_that"])
def test_a_time_limit_is_for_a_deal(game):
    deal = next(game_of(game).display.sources["selfplay"].make(1, seed=1, piles=45))
    assert "not solved within the limits" in ask("solve", "--seconds", "0.2", deal)  # there is no end without it


def test_limits_are_those_of_both_games():
    assert all(LIMITS.items() <= game_of(name).display.limits.items() for name in ("face_to_face", "take_that"))
    for deal in (DUEL, LINES):
        alone = ask("solve", "-", text=f"{ENDGAMES[deal]}\n{deal}")
        assert ask("solve", "-", "--seconds", "60", "--table-mib", "8", text=f"{ENDGAMES[deal]}\n{deal}") == alone


def test_a_table_knows_no_deal_and_the_endgames_among_them(tmp_path):
    ask("generate", "3v2", "--tables", tmp_path)
    endgame = ENDGAMES[DUEL]
    lines = ask("solve", "--tables", tmp_path, "-", text=f"{DUEL}\n{endgame}\n").splitlines()
    assert [line.split("\t")[-1] for line in lines] == ["search", "3v2"]
    graded = ask("grade", "--tables", tmp_path, "-", text=f"{DUEL}\t17^ 45v'\n{endgame}\t17^ 18^\n").splitlines()
    assert [line.split("\t")[2] for line in graded] == ["optimal", "throws the win away"]


def test_answers_come_one_by_one(monkeypatch):
    """What is found is there before the next deal is searched for."""
    game, seen = game_of("face_to_face"), []
    deals = list(islice(game.display.sources["selfplay"].make(6, seed=1, piles=4), 6))
    answers = type(game).answers

    def slowly(self, positions, terms):
        for answer in answers(self, positions, terms):
            seen.append(len(sys.stdout.getvalue().splitlines()))
            yield answer

    monkeypatch.setattr(type(game), "answers", slowly)
    monkeypatch.setattr("backtrick.cli.output.OFTEN", -1)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert main(["solve", *map(str, deals)]) == 0
    assert seen[0] == 0 and seen[-1] > 4


def test_ctrl_c_ends_a_search(monkeypatch):
    deal = str(next(game_of("face_to_face").display.sources["selfplay"].make(1, seed=1, piles=40)))
    monkeypatch.setattr(sys.modules["backtrick.cli.main"], "abandon_output", lambda: None)
    watched, begun, over = _CLOCK.watched, threading.Event(), threading.Event()

    def watch(stop, seconds):
        """The search begins, in a thread of its own."""
        begun.set()
        return watched(stop, seconds)

    def interrupt():
        """Soon, and again after a minute: just before Python begins to wait it may lose one."""
        begun.wait(PATIENCE)
        pause = 0.3
        while not over.wait(pause):
            pthread_kill(threading.main_thread().ident, SIGINT)
            pause = 60

    monkeypatch.setattr(_CLOCK, "watched", watch)
    sender, handler = threading.Thread(target=interrupt), getsignal(SIGINT)
    sender.start()
    code = main(["solve", "--seconds", "99999", deal])
    over.set()
    sender.join()
    signal(SIGINT, handler)  # the command leaves the default, by which the next Ctrl-C would end these tests
    assert code == 130
