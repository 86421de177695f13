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
from samples import golden


def texts_of(kind: str, game: str) -> list[str]:
    """Positions of tests/data/law_positions.txt."""
    return [text for one, name, text in golden("law_positions.txt") if (one, name) == (kind, game)]


BOTH = pytest.mark.parametrize("game", ["face_to_face", "take_that"])
CASES = {
    "face_to_face": (list(map(face_to_face.Rules, (False, True))), texts_of("endgame", "face_to_face")),
    "take_that": (
        [take_that.Rules(), take_that.Rules(True), take_that.Rules(False, "ends")], texts_of("endgame", "take_that")
    ),
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
@BOTH
def test_law_of_deals(game, name):
    game = game_of(game)
    for one in CASES[game.name][0]:
        DEAL_LAWS[name](game, one, [game.parse(text) for text in texts_of("deal", game.name)])


@BOTH
def test_deals_that_take_some_search(game):
    game, check = game_of(game), DEAL_LAWS["what is not solved is said and never guessed"]
    positions = [game.parse(text) for text in texts_of("hard", game.name)]
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
@BOTH
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
