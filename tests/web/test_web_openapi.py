"""The description of the API is sound, and what is answered is what it describes."""

from __future__ import annotations

import json
import re

import pytest

import web
from command import ROOT

jsonschema = pytest.importorskip("jsonschema")

from backtrick.games import GAMES, game_of  # noqa: E402
from backtrick.web.endpoints import ENDPOINTS  # noqa: E402
from backtrick.web.limits import Limits  # noqa: E402
from waiting import PATIENCE  # noqa: E402

POSITIONS = {
    "face_to_face": [web.DUEL, "52^6v:16,18,19,57 53^15v:4,7,29,44", "44^17v:30,31 50^10v:7", web.DEALS["face_to_face"]],
    "take_that": [web.LINE, "- 12 34", "12,44 98 -", "16,22,61 17,71 -"],
}


@pytest.fixture(scope="module")
def client():
    return web.Client(limits=Limits(seconds=PATIENCE))


@pytest.fixture(scope="module")
def described(client):
    return client.get("/api/v1/openapi.json").record


def check(described, answered, path: str, method: str = "get") -> None:
    """Holds an answer against the description of its path."""
    responses = described["paths"][path][method]["responses"]
    assert str(answered.status) in responses, (answered.status, answered.text)
    kind = answered.headers["content-type"].partition(";")[0]
    schema = responses[str(answered.status)]["content"][kind]["schema"]
    record = answered.record if kind.endswith("json") and "ndjson" not in kind else answered.text
    whole = {**schema, "components": described["components"]}
    jsonschema.Draft202012Validator(whole).validate(record)


def test_the_description_is_sound(described):
    validator = pytest.importorskip("openapi_spec_validator")
    validator.validate(described)
    assert described["openapi"] == "3.1.0"
    for schema in described["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_every_path_and_parameter_is_described(described):
    for name in GAMES:
        for path in ENDPOINTS:
            operation = described["paths"][f"/api/v1/{name.replace('_', '-')}/{path}"]["get"]
            listed = {one["name"] for one in operation["parameters"]}
            assert {*ENDPOINTS[path].parameters, *game_of(name).display.rule_options} <= listed
            assert ("nodes" in listed) == (ENDPOINTS[path].values and "nodes" in game_of(name).display.limits)


GONE = [card for card in range(12, 99) if card % 10 and card not in (15, 43, 44, 51, 62, 35, 21, 53)]
STATES = {
    "face_to_face": "45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12",
    "take_that": f"15,43,44 ?2 51-62-35 ?0 !{','.join(map(str, GONE))}",
}
"""What a player sees."""


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("path", ENDPOINTS)
def test_answers_are_as_described(client, described, monkeypatch, name, path):
    where, game = f"/api/v1/{name.replace('_', '-')}/{path}", game_of(name)
    listed = ({"position": web.DUEL, "turn": "17^ 18^", "value": 1, "difficulty": 1, "themes": ["help"]},)
    monkeypatch.setattr("backtrick.web.endpoints.puzzles_of", lambda name: listed)
    if path == "equilibrium":
        pytest.importorskip("scipy")
    checked = 0
    for text in POSITIONS[name]:
        turns = list(map(str, game.legal_turns(game.parse(text), game.published)))[:3] or ["none"]
        for turn in turns:
            own = {"position": text, "text": text, "turn": turn, "player": "random", "state": STATES[name]}
            given = {key: value for key, value in own.items() if key in ENDPOINTS[path].parameters}
            limits = [{}, *([{"nodes": 3}] if ENDPOINTS[path].values and "nodes" in game.display.limits else [])]
            later = [{"after": "33ao_50a"}] if (path, name) == ("equilibrium", "face_to_face") else []
            for more in [*limits, *later, *([{"all": 1}, {"all": 1, "limit": 2}] if path == "solve" else []), {"nonsense": 1}]:
                answered = client.get(where, **given, **more)
                assert answered.status == (400 if "nonsense" in more or ("turn" in given and turn == "none") else 200)
                check(described, answered, where)
                checked += 1
    assert checked >= 10


def test_posts_and_problems_are_as_described(client, described):
    where = "/api/v1/face-to-face/solve"
    for form in ("records", "rows", "values"):
        answered = client.post(f"{where}?form={form}", f"{web.DUEL}\n".encode())
        assert answered.status == 200
        check(described, answered, where, "post")
    for body, kind in ((b"hello\n", "text/plain"), (b"{", "application/json"), (b"\n" * 30_000, "text/plain")):
        check(described, client.post(where, body, kind), where, "post")
    check(described, client.get(where, {"host": "evil.example"}, position=web.DUEL), where)
    schema = described["components"]["schemas"]["face_to_face.Answer"]
    record = client.get(where, position=web.DUEL).record
    for wrong in ({**record, "new": 1}, {**record, "best": 3}, {key: record[key] for key in record if key != "line"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_the_page_of_the_api_names_every_path():
    page = (ROOT / "docs" / "api.md").read_text()
    for path in ENDPOINTS:
        assert re.search(rf"\| `{path}` \|", page), path
    assert json.dumps("urn:backtrick:illegal-turn") in page
