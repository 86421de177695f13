"""docs/answer.md is the schema of records: what it lists is what there is, in that order."""

from __future__ import annotations

import re

import pytest

from backtrick.answer import SCHEMA
from backtrick.budget import Budget
from backtrick.game import SolveOptions
from backtrick.games import game_of
from command import ROOT

PAGE = (ROOT / "docs" / "answer.md").read_text()
HARD = "18,29,32,58,69,83,86,87,92 31,36,38,64,71,75,89,93,95 78-57-39-17-59-96-46-85-98-13-15-68-23-63-81"
VALUES = {"face_to_face": ["outcome", "remoteness"], "take_that": ["value"]}
OF_ONE_GAME = {"face_to_face": {"points"}, "take_that": {"ways"}}


def fields(heading: str, game: str, number: int = 0) -> list[str]:
    """The fields that a table under a heading lists."""
    tables = re.findall(r"(?:^\|.*\n)+", PAGE.split(f"## {heading}")[1].split("\n## ")[0], re.MULTILINE)
    listed: list[str] = []
    for row in tables[number].splitlines()[2:]:
        first = row.split("|")[1].strip()
        listed += VALUES[game] if first == "the value" else re.findall(r"`(\w+)`", first)
    return [name for name in listed if name not in OF_ONE_GAME[game]]


@pytest.mark.parametrize("name", VALUES)
def test_records_have_the_fields_of_the_page(name):
    game = game_of(name)
    answer = game.solve(game.parse(game.example), want={"outcomes"})
    assert list(answer.record(outcomes=True)) == fields("The record of an answer", name)
    assert list(answer.record()) == fields("The record of an answer", name)[:-1]
    for outcome in answer.record(outcomes=True)["outcomes"]:
        assert list(outcome) == fields("The record of an answer", name, 2)
    grade = game.grade(answer.position, answer.best)
    assert list(grade.record()) == [field for field in fields("The record of a grade", name) if field != "bounds"]


def test_records_of_what_is_not_known():
    game = game_of("take_that")
    terms = SolveOptions(game.published, Budget(nodes=10))
    position = game.parse(HARD)
    (answer,) = game.answers([position], terms)
    record = answer.record(outcomes=True)
    assert list(record) == ["bounds" if field == "value" else field for field in fields("The record of an answer", "take_that")]
    assert record["best"] is record["line"] is record["optimal"] is record["outcomes"] is None
    (grade,) = game.grades([(position, next(iter(game.legal_turns(position, game.published))))], terms)
    told = grade.record()
    assert list(told) == fields("The record of a grade", "take_that")
    assert told["before"] is told["optimal"] is None and told["verdict"] == "not solved" and len(told["bounds"]) == 2


def test_the_page_is_of_this_version():
    assert f"schema {SCHEMA} of" in PAGE
