"""What is refused by the command, over HTTP and from Python: tests/data/refusals.txt, a question a line, and its sentence."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import backtrick
import web
from backtrick import face_to_face, learn, matches, take_that
from backtrick.budget import Budget
from backtrick.errors import BacktrickError, NotationError
from backtrick.face_to_face.classes import TableName, tables_up_to
from backtrick.face_to_face.state import END
from backtrick.games import steps_of
from backtrick.learn import judge
from backtrick.matches.record import Played, Record
from backtrick.random import shuffled_decks
from backtrick.storage.workers import executor_of, local_processes
from backtrick.take_that.players import PLAYERS
from backtrick.take_that.samples import decks_of, play_rounds
from backtrick.take_that.state import State
from command import DATA, ask
from hostile import sealed

RECORD = Record("take_that", 1, 1, ("eager", "careful"), played=Played(("15",), None, (0, 0), "stuck"))
NAMES = {
    "RECORD": RECORD, "END": END, "replace": replace, "Path": Path,
    "face_to_face": face_to_face, "take_that": take_that, "np": np, "Budget": Budget, "tables_up_to": tables_up_to,
    "steps_of": steps_of, "shuffled_decks": shuffled_decks, "executor_of": executor_of, "local_processes": local_processes,
    "judge": judge, "PLAYERS": PLAYERS, "decks_of": decks_of, "play_rounds": play_rounds, "State": State,
    "backtrick": backtrick, "learn": learn, "matches": matches, "TableName": TableName,
    "DUEL": face_to_face.Position.parse("27^40v:17,18,45 13^50v:5,12"),
    "ROUND": take_that.Position.parse("15,43,44 21,53 51-62-35"),
    "VIEW": face_to_face.View.parse("45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12"),
    "MOMENT": steps_of("face_to_face")(position="27^40v:17,18,45 13^50v:5,12").start,
    "BLUFF": face_to_face.PublicState.parse("56^10v:?6:3,6,7,14,22,44,45,49,58,59 47^38v:?6:2,7,8,20,35,39,44"),
    "HIDDEN": take_that.PublicState((34, 41), (12, 21, 39, 43, 44, 55), 2, 2),
}  # fmt: skip
NEEDS = {"VectorEnv(": "gymnasium", "Environment(": "gymnasium", "env(": "pettingzoo", "backtrick export": "pyarrow",
         ".parquet": "pyarrow"}  # fmt: skip
HOMES = {"VectorEnv": "vector", "Environment": "gymnasium", "env": "pettingzoo"}
"""Names that need a library, and where in `learn` each is."""
ROWS = [line.split("\t") for line in (DATA / "refusals.txt").read_text().splitlines() if line and line[0] != "#"]
LINES = [row for row in ROWS if not row[0].startswith("file ")]
FILES = {name[5:]: content.replace("\\n", "\n").encode() for name, content in ROWS if name.startswith("file ")} | {
    "damaged.parquet": b"PAR1", "two.jsonl": 2 * (RECORD.line() + "\n").encode(),
}
"""What a row names, and is there while it is asked."""


def changed(**facts: Any) -> Record:
    """The record with other facts, under a checksum that fits them."""
    return Record.parse(sealed({**json.loads(RECORD.line()), **facts}))


def refusal(asked: str) -> str:
    """What is said: on standard error and nothing else, with exit code 2; or the class of the error and its sentence."""
    if asked.startswith("backtrick "):
        done = ask(*shlex.split(asked)[1:], place=Path.cwd())
        assert (done.returncode, done.stdout) == (2, "")
        said = done.stderr.removesuffix("\n")
        return re.sub(r"choose from .*?\)", lambda choices: choices[0].replace("'", ""), said)  # quoted up to Python 3.12
    if asked.startswith("GET "):
        answered = web.Client().ask("GET", *asked.removeprefix("GET ").replace(" ", "%20").partition("?")[::2])
        headers, told = answered.headers, answered.record
        assert (headers["content-type"], headers["cache-control"]) == ("application/problem+json", "no-store")
        assert told.pop("type").startswith("urn:backtrick:") and told.pop("status") == answered.status
        assert told.pop("title") == HTTPStatus(answered.status).phrase
        return f"{answered.status} {told.pop('detail')} {json.dumps(told) if told else ''}".rstrip()
    library = {name: getattr(import_module(f"backtrick.learn.{home}"), name) for name, home in HOMES.items() if f"{name}(" in asked}
    with pytest.raises(BacktrickError) as refused:
        eval(asked, NAMES | library | {"changed": changed})
    if isinstance(refused.value, NotationError):
        assert repr(refused.value.text) in asked
    return f"{type(refused.value).__name__}: {refused.value}"


@pytest.mark.parametrize(("asked", "sentence"), LINES, ids=[asked[:60] for asked, _ in LINES])
def test_it_is_refused_with_this_sentence(asked, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for library in (one for word, one in NEEDS.items() if word in asked):
        pytest.importorskip(library)
    there = {name: content for name, content in FILES.items() if name in asked}
    for name, content in there.items():
        Path(name).write_bytes(content)
    assert refusal(asked) == sentence
    left = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.name != ".lock"}
    assert left == there, "nothing is written"
