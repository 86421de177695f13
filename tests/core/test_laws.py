"""Every law of `laws.py`, for both games and for one that is in a single file."""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from dataclasses import replace

import pytest

import toy
from backtrick import face_to_face, take_that
from backtrick.bounds import Bounds
from backtrick.budget import Budget
from backtrick.cli.main import main
from backtrick.game import SolveOptions
from backtrick.games import GAMES, game_of
from laws import DEAL_LAWS, LAWS

DUELS = [
    "27^40v:17,18,45 13^50v:5,12",
    "52^6v:16,18,19 53^15v:4,7,29",
    "1^60v:5 2^59v:",
    "30^31v:30 20^41v:31,40",
    "28^26v:9,39 28^26v:19",
    "44^17v:27,34 50^10v:7,20,40",
    "59^2v:3,13,23 58^2v:49,59",
]
LINES = [
    "15,43,44 21,53 51-62-35",
    "12,44 98 -",
    "- 12 34",
    "45 46,47 41",
    "12,33 21,94 34-41-49",
    "16,22,61 17,71 -",
]
DEALS = {
    "face_to_face": [
        "44^17v:27,34+50,9 50^10v:7,20+40",
        "27^40v:17,18,45+20 43^20v:5,12+4,9",
        "52^6v:16,18+57,19 53^15v:4,7+29,44",
        "56^5v:3,58+2 30^31v:8,49+21,11",
        "58^3v:9,39+2 28^26v:9,39",
        "27^40v:28 13^50v:5,12+4",
        "56^22v:17+23 53^14v:16,17",
        "27^40v:28,30+2 13^50v:",
    ],
    "take_that": [
        "12,43,94 21 34-41-49 22,33",
        "12,43 21,76 - 55,63",
        "15,43 21,53 51-62-35 44",
        "16,22,61 17 71 98,27",
        "45 46,47 41 66",
    ],
}
"""Deals that the plain recursion solves in moments: won, lost, stuck, a lone card, an opponent who is through."""

HARDER = {
    "face_to_face": [
        "41^17v:9,13,15,43,55+7,30,32,14 30^52v:10,11,12,47,48,59+5,9,21,37,50,23,51",
        "22^7v:7,15,24,36,52,53+21,13,19,20 59^24v:3,9,31,32,35,48+29,2,21,27,58,42,26",
    ],
    "take_that": [
        "31,34,38,47,51,58,71,73,76 15,28,37,43,55,63,67,74,82 79-77-69-64 66,46",
        "31,34,38,47,51,58,71,73,76 15,28,37,43,55,63,67,74,82 79-77-69-64 66,46,49,72",
    ],
}
"""Deals that a few nodes do not solve."""

CASES = {
    "face_to_face": (list(map(face_to_face.Rules, (False, True))), DUELS),
    "take_that": ([take_that.Rules(), take_that.Rules(True), take_that.Rules(False, "ends")], LINES),
    "toy": ([toy.Rules(), toy.Rules(2)], [f"stones {count}" for count in range(12)]),
}


@pytest.fixture(autouse=True)
def _with_the_toy(monkeypatch):
    """The line by which a game joins."""
    monkeypatch.setitem(GAMES, "toy", "toy")


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("game", CASES)
def test_law(game, name):
    rules, texts = CASES[game]
    game = game_of(game)
    for one in rules:
        LAWS[name](game, one, [game.parse(text) for text in texts])


@pytest.mark.share(2)
@pytest.mark.parametrize("name", DEAL_LAWS)
@pytest.mark.parametrize("game", DEALS)
def test_law_of_deals(game, name):
    game = game_of(game)
    for one in CASES[game.name][0]:
        DEAL_LAWS[name](game, one, [game.parse(text) for text in DEALS[game.name]])


@pytest.mark.parametrize("game", DEALS)
def test_deals_that_take_some_search(game):
    game, check = game_of(game), DEAL_LAWS["what is not solved is said and never guessed"]
    positions = [game.parse(text) for text in HARDER[game.name]]
    check(game, game.published, positions)
    assert not any(answer.solved for answer in game.answers(positions, SolveOptions(game.published, Budget(nodes=1))))


def test_every_game_is_held_against_the_laws():
    assert set(CASES) == set(GAMES) and len(LAWS) >= 14


# A game that breaks one law, in the smallest way

BREAKS = {
    "bounds": lambda right, *asked: Bounds(right.lowest + 2, right.highest + 2),
    "outcomes": lambda right, *asked: right[1:] + right[:1],
    "answer": lambda right, *asked: replace(right, line=right.line and right.line[:-1]),
    "turns_of": lambda right, packed: right[::-1],
    "count_outcomes": lambda right, *asked: right + 1,
    "count_turns": lambda right, *asked: right + 1,
    "turn_texts": lambda right, *asked: [*right][::-1],
    "answers": lambda right, *asked: iter([*right][::-1]),
    "legal_turns": lambda right, *asked: [*right][1:],
    "claims": lambda right, *asked: True,
    "rules_with": lambda right, options: None,
    "parse": lambda right, *asked: str(right),
    "pack": lambda right, *asked: right[::-1],
    "unpack": lambda right, *asked: right[::-1],
    "pack_turn": lambda right, *asked: right + 1,
    "unpack_turn": lambda right, *asked: None,
    "position_column": lambda right, *asked: right[::-1],
    "turn_column": lambda right, *asked: right[::-1],
    "read_plain": lambda right, *asked: (right[0] - 1, right[1]),
    "first_malformed": lambda right, *asked: 0,
    "answer_array": lambda right, *asked: replace(right, lowest=right.lowest + 1, highest=right.highest + 1),
    "grade_array": lambda right, *asked: replace(right, after=right.after + 1),
    "grades": lambda right, *asked: [*right][::-1],
    "first_illegal": lambda right, *asked: right + 1,
    "look": lambda right, *asked: replace(right, choices=right.choices[1:]),
    "parts": lambda right, *asked: (*right, (1, "nowhere")),
    "value_record": lambda right, *asked: {**right, "new": 1},
}

SHOWN = {"claims", "parts", "value_record"}
"""Those of the object that says what is shown."""


@pytest.mark.share(3)
@pytest.mark.parametrize("game", ["face_to_face", "take_that"])
@pytest.mark.parametrize("what", BREAKS)
def test_what_is_broken_breaks_a_law(game, what, monkeypatch):
    rules, texts = CASES[game]
    game = game_of(game)
    where = game.display if what in SHOWN else game
    right, positions = getattr(where, what), [game.parse(text) for text in texts]
    monkeypatch.setattr(type(where), what, lambda self, *asked: BREAKS[what](right(*asked), *asked))
    assert any(is_broken(check, game, rules[0], positions) for check in LAWS.values())


def is_broken(check, *about) -> bool:
    try:
        check(*about)
    except (Exception, pytest.fail.Exception):  # whatever it stumbles over
        return True
    return False


# The toy at the command line, which has never heard of it


def run(monkeypatch, capsys, *arguments: str, text: str = "") -> str:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_the_toy_at_the_command_line(monkeypatch, capsys):
    def ask(*arguments, text=""):
        return run(monkeypatch, capsys, *arguments, text=text)

    assert ask("solve", "stones 5") == (
        "stones 5\n  value  3\n  best   1   (1 of 3 outcomes)\n  line   1 | 1 | 3\n"
    )
    sampled = ask("sample", "8", "--game", "toy")
    solved = ask("solve", "-", text=sampled)
    assert Counter(line.split("\t")[1] for line in solved.splitlines()) == Counter({"1": 3, "2": 1, "3": 3, "4": 1})
    assert ask("best", "-", text=solved) == "".join(f"stones {stones}\t{min(3, stones % 4 or 1)}\n" for stones in range(1, 9))
    assert ask("solve", "--most", "2", "stones 3").splitlines()[1] == "  value  2"
    record = json.loads(ask("grade", "--json", "stones 5", "2"))
    assert (record["game"], record["before"], record["after"], record["verdict"]) == ("toy", 3, 2, "worth 2 instead of 3")
    assert ask("turns", "--count", "stones 2") == "2\n"
    assert "Stones" in ask("solve", "--help")
