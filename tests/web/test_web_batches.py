"""Many positions in one request: what they cost once time is over, or once nobody waits for the answer. Only the processor's time
is compared, which a busy machine hardly changes."""

from __future__ import annotations

import json
import threading
import time
from contextlib import suppress
from dataclasses import replace
from functools import cache

import pytest

import web
from backtrick.budget import Budget
from backtrick.games import game_of, whole_game_of
from backtrick.web import endpoints
from backtrick.web.batches import WRITING, solve_many
from backtrick.web.limits import Limits
from backtrick.web.parameters import FORMS, read
from backtrick.web.workers import Gone, Hurry
from backtrick.writing.columns import SolveColumns
from backtrick.writing.formats import RECORDS

GAMES = "face_to_face", "take_that"
MOST = 10_000


@cache
def endgames(name, number, **more):
    return "".join(f"{one}\n" for one in game_of(name).display.sources["selfplay"].make(number, seed=1, **more)).encode()


def deals(name, number):
    return endgames(name, 100, piles=8) * (number // 100)


def asked(name, **given):
    return read(game_of(name), given, {}, True, Limits())


def over():
    hurry = Hurry()
    hurry()
    return hurry


def cost(work, *given):
    """The result, and the least time of three runs."""
    times = []
    for _ in range(3):
        began = time.thread_time()
        made = work(*given)
        times.append(time.thread_time() - began)
    return made, min(times)


def answered(query, text, form, make_hurry):
    return solve_many(query, text, form, MOST, make_hurry())


@pytest.mark.parametrize(
    ("name", "given"),
    [
        *(("face_to_face", given) for given in ({}, {"nodes": "100000"}, {"seconds": "9"})),
        ("take_that", {}),
        *(pytest.param("take_that", given, marks=pytest.mark.slow) for given in ({"nodes": "100000"}, {"seconds": "9"})),
    ],
    ids=str,
)
def test_positions_cost_no_more_once_time_is_over(name, given):
    text, query = endgames(name, 500), asked(name, **given)
    for form in FORMS:
        (whole, usual), (late, least) = (cost(answered, query, text, form, make) for make in (Hurry, over))
        assert least < 1.5 * usual + 0.01, (form, usual, least)
        assert late.count(b"\n") == whole.count(b"\n") == 500


@pytest.mark.parametrize("name", GAMES)
def test_deals_cost_little_once_time_is_over(name):
    """Not much more than reading them: nothing is searched."""
    text, query = deals(name, 1000), asked(name)
    _, reading = cost(lambda: [query.game.parse(line) for line in text.decode().splitlines()])
    late, least = cost(answered, query, text, "records", over)
    assert least < 8 * reading, (reading, least)
    records = list(map(json.loads, late.splitlines()))
    assert [one["position"] for one in records] == text.decode().splitlines()
    assert all(one["best"] is one["line"] is None for one in records)


def test_positions_that_time_has_left_over_have_bounds():
    """In the order in which they were asked; what was solved before is exact."""
    query, hurry = asked("take_that", table_mib="0"), Hurry()
    text = endgames("take_that", 100) + f"{web.HARD}\n".encode() * 3 + endgames("take_that", 100)
    threading.Timer(0.3, hurry).start()
    found = list(map(json.loads, solve_many(query, text, "records", MOST, hurry).splitlines()))
    right = list(map(json.loads, solve_many(asked("take_that"), text, "records", MOST, Hurry()).splitlines()))
    assert [one["position"] for one in found] == [one["position"] for one in right]
    assert "value" not in found[100]
    for one, whole in zip(found, right, strict=True):
        if "bounds" in one:
            low, high = one["bounds"]
            assert low <= whole["value"] <= high and one["best"] is one["line"] is one["optimal"] is None
        else:
            assert one["value"] == whole["value"] and one["best"] in (None, whole["best"])


def test_answers_are_written_by_one_thread_at_a_time(monkeypatch):
    """The event loop would have few turns of Python's lock beside many that write. Who has left meanwhile has nothing written."""
    written, hurry = [], Hurry()
    monkeypatch.setattr(SolveColumns, "lines", lambda self, form: written.append(form) or b"")
    given = asked("face_to_face"), endgames("face_to_face", 1), RECORDS, lambda: hurry
    answered(*given)

    def answer():
        with suppress(Gone):
            answered(*given)

    other = threading.Thread(target=answer)
    with WRITING:
        other.start()
        other.join(0.1)
        assert other.is_alive()
        hurry.leave()
    other.join()
    assert len(written) == 1


@pytest.mark.parametrize("what", ["endgames", "hard endgames", "deals", "many deals", "limited endgames"])
@pytest.mark.parametrize("name", GAMES)
def test_a_client_that_leaves_frees_its_thread(name, what):
    """Within a tenth of a second of the processor."""
    hard = {"take_that": web.HARD, "face_to_face": web.DUEL}[name]
    text, given = {
        "endgames": (endgames(name, 1000) * 10, {}),
        "hard endgames": (f"{hard}\n".encode() * 10_000, {"table_mib": "0"} if name == "take_that" else {}),
        "deals": (f"{web.LONG}\n".encode() * 100, {}) if name == "face_to_face" else (endgames(name, 100, piles=16), {}),
        "many deals": (deals(name, 10_000), {}),
        "limited endgames": (endgames(name, 1000) * 10, {"seconds": "9"}),
    }[what]
    query = asked(name, **given)

    def work(hurry):
        with suppress(Gone):
            while not hurry.gone:
                solve_many(query, text, "records", MOST, hurry)

    for after in (0.0, 0.05):
        hurry = Hurry()
        thread = threading.Thread(target=work, args=(hurry,), daemon=True)
        thread.start()
        time.sleep(after)
        left = time.process_time()
        hurry.leave()
        while thread.is_alive() and time.process_time() - left < 0.1:  # in a failure nobody waits for its end
            thread.join(0.01)
        assert time.process_time() - left < 0.1, (after, time.process_time() - left)


@pytest.mark.parametrize("name", GAMES)
def test_a_player_that_thinks_ends_when_its_client_leaves(name, monkeypatch):
    monkeypatch.setattr(endpoints, "MOST_SECONDS", 60)
    hurry, whole_game = Hurry(), whole_game_of(game_of(name))
    position = whole_game.deal(1, 0, whole_game.game.published).position()
    query = replace(asked(name), given={"player": "sampler:seconds=15"}, position=position)
    threading.Timer(0.1, hurry.leave).start()
    began = time.thread_time()
    assert endpoints.move(query, Budget(cancel=hurry)).body
    assert time.thread_time() - began < 0.5
