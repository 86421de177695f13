"""The examples of docs/api.md print what the page shows."""

from __future__ import annotations

import re
import shlex

import pytest

import web
from backtrick.games import all_games
from backtrick.notation import URL_SIGNS as SIGNS
from backtrick.notation import spelled
from backtrick.web.parameters import limits_of
from command import ROOT, ask, examples

PAGE = (ROOT / "docs" / "api.md").read_text()
EXAMPLES = examples(PAGE)


@pytest.mark.parametrize("command", [command for command, _ in EXAMPLES], ids=range(len(EXAMPLES)))
def test_an_example_prints_what_is_shown(command):
    first, _, last = command.rpartition(" | ")
    words = shlex.split(last)
    path, _, query = words[-1].removeprefix("http://127.0.0.1:8000").partition("?")
    assert words[0] == "curl" and path.startswith("/api/v1/")
    client = web.Client()
    if first:
        asked = ask(*shlex.split(first)[1:]).stdout.encode()
        answered = client.post(f"{path}?{query}", asked, "application/x-www-form-urlencoded")
    else:
        answered = client.ask("GET", path, query)
    assert answered.text.rstrip("\n") == dict(EXAMPLES)[command]


def test_the_requests_in_the_help_of_serve_are_answered():
    shown = re.findall(r"^  (.*\bcurl .*)$", ask("serve", "--help").stdout, re.MULTILINE)
    assert len(shown) == 3
    for command in shown:
        path, _, query = shlex.split(command)[-1].removeprefix("http://127.0.0.1:8000").partition("?")
        if "--data-binary" in command:
            answered = web.Client().post(path, ask("sample", "10").stdout.encode())
        else:
            answered = web.Client().ask("GET", path, query)
        assert answered.status == 200 and answered.text.startswith("{"), command


def test_there_are_examples():
    assert len(EXAMPLES) >= 5


def test_the_spelling_is_that_of_the_code():
    table = PAGE.split("## Positions in URLs")[1]
    header, _, row = re.findall(r"^\|.*\|$", table, re.MULTILINE)[:3]
    signs = [" " if sign == "blank" else sign.strip("`") for sign in map(str.strip, header.strip("|").split("|")[1:])]
    assert dict(zip(signs, (sign.strip(" `") for sign in row.strip("|").split("|")[1:]), strict=True)) == SIGNS
    pairs = re.findall(r"^\| `(.*)` \| `(.*)` \|$", table.split("## ")[0], re.MULTILINE)
    assert [spelled(text) for text, _ in pairs] == [other for _, other in pairs] and len(pairs) == 3


def test_names_are_those_of_the_code():
    for game in all_games():
        for name in limits_of(game.display, True):
            assert f"`{name}" in PAGE, name
