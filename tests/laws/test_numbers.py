"""A number is a number: numpy's whole numbers are those of Python, and what is none, or too large, is refused; also over HTTP and
on the command line, in one spelling."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest

from backtrick.cli.arguments import COMMANDS, parser
from backtrick.web.endpoints import ENDPOINTS
from backtrick.web.parameters import limits_of, path_of
from command import no_processes
from doors import CALLS, GAMES, POSITION, VIEW, examples, fault, functions_of, needed, said
from web import Client

KINDS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
NO_WHOLE = {"nan": float("nan"), "inf": float("inf"), "half": 0.5, "two": 2.0, "True": True, "numpy's True": np.True_, "text": "2",
            "fraction": Fraction(5, 2), "complex": 2j}  # fmt: skip


def whole_numbers(game: str, name: str) -> list[str]:
    """The parameters of a function that are whole numbers, by their type."""
    parameters = inspect.signature(functions_of(game)[name]).parameters.values()
    return [one.name for one in parameters if str(one.annotation).replace(" | None", "") == "int"]


COUNTING = [one for one in CALLS if whole_numbers(*one)]


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["a share", "every"])
@pytest.mark.parametrize(("game", "name"), COUNTING)
def test_whole_numbers_of_functions(game, name, every, tmp_path):
    """A quick run gives a function one value in four, and the next function others: what reads a number is the same in many."""
    function, good = functions_of(game)[name], examples(GAMES[game], tmp_path)
    share = slice(None) if every else slice(COUNTING.index((game, name)) % 4, None, 4)

    def asked(parameter: str, value: Any) -> str:
        given = {**needed(function, good, {parameter}), parameter: value}

        @cache
        def call() -> Any:  # once: `fault` and `said` look at the same answer
            found = function(**given)
            return list(islice(found, 100)) if isinstance(found, Iterator) else found

        with no_processes():
            assert fault(call) is None, (parameter, value)
            return said(call)

    for parameter in whole_numbers(game, name):
        number = good.get(parameter, 2)
        asked(parameter, number)  # what is built is there the next time
        usual, one = asked(parameter, number), asked(parameter, 1)
        for kind in KINDS[share]:
            if number <= np.iinfo(kind).max:
                assert asked(parameter, kind(number)) == usual, (parameter, kind)
        for what, value in list(NO_WHOLE.items())[share]:  # True is 1 or refused; what is not needed may not be looked at
            answer = asked(parameter, value)
            assert "Error: " in answer or answer in ([one] if "True" in what else [usual]), (parameter, what, answer)
        if parameter in ("count", "num_envs"):
            assert "Error: " in asked(parameter, -1)
        elif one != usual:
            for value in (2**32 + number, 2**64 + number, -(2**64) + number, 10**30, -number - 1)[share]:
                assert asked(parameter, value) != usual, (parameter, value)


WORDS = ["1_0", "+", "٣", "²", "nan", "0x1", "1e", "", " ", "1 2", "-", "--1"]
"""What is no number in any option."""


@pytest.mark.parametrize("command", COMMANDS)
def test_numbers_of_the_command(command):
    """Each option that is read as a number refuses what is none; five thousand digits are refused, or a very large number."""
    for action in parser([command]).chosen._actions:
        if action.type is None or action.choices is not None or not is_number(action.type):
            continue
        for word in WORDS:
            with pytest.raises((argparse.ArgumentTypeError, ValueError)):
                pytest.fail(f"{command} {action.option_strings or action.dest} takes {word!r} as {action.type(word)!r}")
        with suppress(argparse.ArgumentTypeError):
            assert action.type("9" * 5000) > 10**300


def is_number(read: Any) -> bool:
    """True if a reader reads 2, and not a word."""
    try:
        read("word")
    except (argparse.ArgumentTypeError, ValueError):
        try:
            return isinstance(read("2"), (int, float))
        except (argparse.ArgumentTypeError, ValueError):
            return False
    return False


@pytest.mark.parametrize("game", GAMES)
def test_numbers_over_http(game):
    client, given = Client(), {"position": POSITION[game], "turn": "take", "player": "random", "state": VIEW[game], "text": "a"}
    for path, endpoint in ENDPOINTS.items():
        known = {**endpoint.parameters, **limits_of(GAMES[game].GAME.display, endpoint.values)}
        needs = {name: given[name] for name, one in known.items() if one.required}
        for name, parameter in known.items():
            if parameter.schema["type"] in ("integer", "number"):
                for word in WORDS:
                    found = client.get(f"/api/v1/{path_of(game)}/{path}", **{**needs, name: word})
                    assert found.status == 400 and name in found.record["detail"], (path, name, word, found.text)
    for path in (f"/icon-{'1' * 5000}.png", f"/api/v1/{'9' * 5000}/solve"):
        assert client.get(path).status in (400, 404, 414), path[:20]
    for length, status in (("0" * 5000 + str(len(POSITION[game])), 200), ("9" * 5000, 413)):
        many = client.post(f"/api/v1/{path_of(game)}/solve", POSITION[game].encode(), headers={"content-length": length})
        assert many.status == status
