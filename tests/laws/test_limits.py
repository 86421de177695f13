"""A limit holds of everything: what has `seconds` or can be cancelled ends then, whatever it is doing, and over HTTP alike; what is
promised holds of all turns. Only the processor's time is measured, which a busy machine hardly changes.
"""

from __future__ import annotations

import json
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

import web
from backtrick import face_to_face
from backtrick.budget import Cancel
from backtrick.cli import output
from backtrick.cli.arguments import COMMANDS, parser
from backtrick.errors import BacktrickError
from backtrick.games import whole_game_of
from backtrick.web.endpoints import ENDPOINTS
from backtrick.web.limits import Limits
from backtrick.web.parameters import Query, path_of, read
from backtrick.web.workers import Gone, Hurry
from doors import CALLS, DEAL, GAMES, examples, functions_of, gone_but, names_of, needed, worded
from web import Client

SECONDS, MORE = 0.05, 0.25
"""A limit, and by how much of the processor's time it may be passed: a thread may wait for the interpreter, or write its answer."""

HARD_STATE = {
    "face_to_face": "45^17v:?5:3,9,18,26,33,44,47,50,52 43^20v:?5:2,4,5,9,12,15,22,28",
    "take_that": f"?7 ?7 34-41 ?2 !{gone_but(34, 41, 12, 21, 23, 24, 26, 32, 33, 36, 43, 45, 46, 54, 55, 62, 76, 78)}",
}
"""Public states whose equilibria take a second or so: much longer than the limits here."""


@cache
def hard_deal(name: str) -> Any:
    """A deal that takes minutes to solve."""
    if name == "face_to_face":
        return whole_game_of(GAMES[name].GAME).deal(1, 0, GAMES[name].PUBLISHED).position()
    [deal] = GAMES[name].GAME.display.sources["selfplay"].make(1, seed=1, piles=16)
    return deal


PRECISION = {"face_to_face": 0.05, "take_that": 0.5}


def first_view(name: str) -> Any:
    state = whole_game_of(GAMES[name].GAME).state.begin(hard_deal(name), GAMES[name].PUBLISHED)
    return state.view(state.to_move)


def hard(name: str, place: Path) -> dict[str, Any]:
    """Examples by type on which each function works for seconds, but for those of `EASY`."""
    deal, game = hard_deal(name), GAMES[name]
    turn = next(iter(game.legal_turns(deal)))
    record = "\n".join([str(deal), str(turn)])
    return examples(game, place) | {
        "Position | str": deal, "position": deal, "P": deal, "P | str": deal, "Turn | str | int": turn, "turn": turn,
        "view": first_view(name), "View | str": first_view(name), "state": HARD_STATE[name], "object": HARD_STATE[name],
        "PublicState | View | State | str": HARD_STATE[name], "str | Path | Record": record, "Iterable[Position | str]": [deal] * 9,
        "want": {"best", "line", "outcomes", "optimal"}, "Collection[str]": {"best", "line", "outcomes", "optimal"},
    }  # fmt: skip


EASY = {"take_that value": "endgames only", "take_that outcome_rows": "endgames only", "face_to_face outcome_rows": "endgames only"}
"""Functions that are given `web.HARD` without a memory, each with the reason."""

LIMITED = [(game, name) for game, name in CALLS if "budget" in names_of(functions_of(game)[name])]


def limited(game: str, name: str, place: Path) -> Callable[..., Any]:
    """A function with hard examples; it takes a budget."""
    function, good = functions_of(game)[name], hard(game, place)
    if f"{game} {name.rpartition('.')[2]}" in EASY:
        good |= dict.fromkeys(["Position | str", "position"], GAMES[game].Position.parse(web.HARD))
    more = {"piles": 99} if "piles" in names_of(function) else {}
    return partial(function, **needed(function, good, {"budget"}) | more)


def used(call: Callable[[], Any]) -> float:
    """The seconds of the processor that a call takes, with all that it says."""
    began = time.process_time()
    with suppress(BacktrickError, Gone):
        worded(result_of(call))
    return time.process_time() - began


def result_of(call: Callable[[], Any]) -> Any:
    found = call()
    return list(found) if isinstance(found, Iterator) else found


def cancelled(after: float | None) -> Cancel:
    """What cancels the work at once, for None, or after some seconds."""
    cancel = Cancel()
    if after is None:
        cancel()
    else:
        threading.Timer(after, cancel).start()
    return cancel


def kept(call: Callable[[float | None], float]) -> str | None:
    """What is wrong with the times of a call in two tries, the second only if it is needed; None if nothing is.

    call: with a number of seconds, or with None if it is cancelled before it begins; gives the time that it took
    """
    call(None)  # what is imported or made on the first call
    tries = []
    for _ in range(2):
        began = time.monotonic()
        took = call(SECONDS)
        if time.monotonic() - began < SECONDS:
            return f"the example is not hard: {took:.2f} s"
        tries.append((took, call(None)))
        longest, at_once = map(min, zip(*tries, strict=True))
        if longest < SECONDS + MORE and at_once < 0.1:
            return None
    return f"{longest:.2f} s for {SECONDS:g} s, {at_once:.2f} s where it is cancelled at once"


@pytest.mark.share(2)
@pytest.mark.parametrize(("game", "name"), LIMITED)
def test_functions_end_in_time(game, name, tmp_path):
    """Also if they are cancelled before they begin, and meanwhile."""
    call, budget = limited(game, name, tmp_path), GAMES[game].Budget
    mib = 0 if f"{game} {name.rpartition('.')[2]}" in EASY else None
    worlds = name.endswith(".odds")  # a budget is for one world

    def timed(seconds: float | None) -> float:
        given = {"budget": budget(cancel=cancelled(None), table_mib=mib)} if seconds is None else {"seconds": seconds}
        if seconds is not None and not worlds:
            given = {"budget": budget(seconds=seconds, table_mib=mib)}
        return used(partial(call, **given))

    assert kept(timed) is None
    assert any(used(partial(call, budget=budget(cancel=cancelled(SECONDS), table_mib=mib))) < SECONDS + MORE for _ in range(2))


# The command

LINES = {
    "solve": "solve {deal}", "best": "best {deal}", "grade": "grade {deal} {turn}", "odds": "odds {view} --workers 1",
    "equilibrium": "equilibrium {state}", "prove": "prove {deal}", "serve": "",
    "equilibrium of a file": "equilibrium --input {file} --output to --workers 0",
}  # fmt: skip
"""The hard question of each command with `--seconds`; a server is asked below."""


def test_each_command_with_seconds_has_a_line():
    limited = {one for one in COMMANDS if "--seconds" in parser([one]).chosen._option_string_actions}
    assert limited == {one.split()[0] for one in LINES}


@pytest.mark.share(2)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("command", [one for one in LINES if LINES[one]])
def test_commands_end_in_time(command, game, said, tmp_path):
    deal = hard_deal(game)
    given = {"deal": deal, "turn": next(iter(GAMES[game].legal_turns(deal))), "view": first_view(game), "state": HARD_STATE[game]}
    (tmp_path / "states").write_text(f"{HARD_STATE[game]}\n")
    words = [word.format(**given, file="states") for word in LINES[command].split(" ")]
    assert any(used(partial(said, *words, "--seconds", str(SECONDS))) < SECONDS + MORE for _ in range(2))


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_with_another_limit_has_its_usual_seconds(game, said, monkeypatch):
    monkeypatch.setattr(output, "DEAL_SECONDS", SECONDS)
    took = min(used(partial(said, "solve", str(hard_deal(game)), "--table-mib", "64")) for _ in range(2))
    assert took < SECONDS + MORE


# HTTP

THINKS = {"move"}
"""Endpoints without values that may take long."""


def query_of(name: str, path: str, **more: str) -> Query:
    """The hard question of an endpoint."""
    deal = hard_deal(name)
    given = {"position": str(deal), "turn": str(next(iter(GAMES[name].legal_turns(deal)))), "laid": "", "state": HARD_STATE[name],
             "text": "", "player": "sampler:seconds=1"}  # fmt: skip
    own = ENDPOINTS[path].parameters
    taken = {one: given[one] for one in own if own[one].required}
    return read(GAMES[name].GAME, {**taken, **more}, own, ENDPOINTS[path].values, Limits())


@pytest.mark.share(2)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("path", [one for one in ENDPOINTS if ENDPOINTS[one].values or one in THINKS])
def test_endpoints_end_in_time(path, name):
    """When the time that is asked for is over, and when the client has gone, before the work begins or meanwhile."""
    endpoint = ENDPOINTS[path]
    given = {"position": str(hard_deal(name))} if path == "odds" else {}

    def timed(seconds: float | None) -> float:
        if seconds is None or path in THINKS:
            hurry = Hurry()
            if seconds is None:
                hurry.leave()
            else:
                threading.Timer(seconds, hurry.leave).start()
            query = query_of(name, path, **given)
        else:
            hurry, query = Hurry(), query_of(name, path, **given, seconds=str(seconds))
        return used(lambda: endpoint.answer(query, query.within(hurry)).body)

    assert kept(timed) is None
    query, hurry = query_of(name, path, **given), Hurry()
    threading.Timer(SECONDS, hurry.leave).start()
    assert used(lambda: endpoint.answer(query, query.within(hurry)).body) < SECONDS + MORE


NO_NODES = {"equilibrium": "nodes do not limit it"}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("path", [one for one in ENDPOINTS if ENDPOINTS[one].values])
def test_nodes_that_are_given_are_those_used(path, name):
    """With one node another answer than without a limit; and that of the package with one node, where it has the same name."""
    if path in NO_NODES:
        pytest.skip(NO_NODES[path])
    client, given = Client(), {"position": DEAL[name]}
    if "turn" in ENDPOINTS[path].parameters and path != "odds":
        given["turn"] = str(next(iter(GAMES[name].legal_turns(GAMES[name].GAME.parse(DEAL[name])))))
    limited, free = (client.get(f"/api/v1/{path_of(name)}/{path}", **given, **more).text for more in ({"nodes": 1}, {}))
    assert limited != free


# What is promised of all turns


@pytest.mark.parametrize("name", GAMES)
def test_the_precision_is_that_of_every_turn(name):
    """They differ: what is met by one is not met by all."""
    whole = whole_game_of(GAMES[name].GAME)
    [deal] = GAMES[name].GAME.display.sources["selfplay"].make(1, seed=2, piles=5)
    state = whole.state.begin(deal, GAMES[name].PUBLISHED)
    found = GAMES[name].odds(state.view(state.to_move), precision=PRECISION[name])
    errors = [turn.error for turn in found.turns]
    assert found.ended == "precision" and 0 < min(errors) < 0.9 * max(errors) <= max(errors) <= PRECISION[name]


def test_the_gap_is_kept():
    for gap in (0.4, 0.1):
        found = face_to_face.equilibrium("45^17v:?4:9,18,33,44,47,50,52 43^20v:?4:2,4,5,9,12,15,22,28", gap=gap)
        assert 0 <= found.high - found.low <= gap


# Players


PLAYERS = [(name, player) for name, game in GAMES.items() for player, kind in whole_game_of(game.GAME).players.items()
           if "seconds" in kind.settings]  # fmt: skip


@pytest.mark.parametrize(("name", "player"), PLAYERS)
def test_players_think_as_long_as_they_may(name, player):
    whole = whole_game_of(GAMES[name].GAME)
    asked = whole.players.player(f"{player}:seconds={SECONDS}")
    assert min(used(partial(asked, first_view(name))) for _ in range(2)) < SECONDS + MORE


def test_the_time_of_a_turn_reaches_a_worker(said, tmp_path):
    """A program is told it with each question."""
    (tmp_path / "asked.py").write_text(f"import sys\nopen({str(tmp_path / 'asked')!r}, 'a').write(sys.stdin.readline())\n")
    program = f"cmd:{shlex.join([sys.executable, str(tmp_path / 'asked.py')])}"
    said("match", program, "random", "--games", "2", "--game", "take_that", "--workers", "1", "--turn-seconds", "7", "--quiet")
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked and all(json.loads(line)["seconds"] == 7 for line in asked)
