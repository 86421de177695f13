"""What the HTTP API answers: the bytes that the command line prints with --json; and what a page needs besides."""

from __future__ import annotations

import json
import shutil
from random import Random

import pytest

import web
from backtrick.game import Game
from backtrick.games import GAMES, game_of
from backtrick.notation import spelled
from backtrick.web import batches
from backtrick.web.parameters import plain
from backtrick.web.workers import Workers
from command import ROOT, ask

PLACES = {
    "face_to_face": [
        web.DUEL,
        "52^6v:16,18,19,57 53^15v:4,7,29,44",
        "1^60v:5 2^59v:",
        "44^17v:27,34 50^10v:7,20,40",
        "40^4v:15,33,54,56 3^41v:8,16,19,27",
    ],
    "take_that": [web.LINE, "12,44 98 -", "- 12 34", "45 46,47 41", "16,22,61 17,71 -", "12,43,94 21 34-41-49"],
}
for name, text in web.DEALS.items():
    PLACES[name].append(text)
EVERY = [(name, text) for name, texts in PLACES.items() for text in texts]
RULES = {"face_to_face": [{}, {"lone_card": "1"}], "take_that": [{}, {"forced-only": "true"}, {"empty_line": "ends"}]}


@pytest.fixture(scope="module")
def client():
    return web.Client()


def path(name: str) -> str:
    return f"/api/v1/{name.replace('_', '-')}"


def options(rules: dict[str, str]) -> list[str]:
    """Rule options as the command line takes them."""
    return [word for name, value in rules.items() for word in (f"--{name.replace('_', '-')}", value) if word not in ("1", "true")]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("command", ["solve", "solve --all", "best", "turns", "turns --count"])
def test_the_bytes_are_those_of_the_command_line(client, name, command):
    command, *more = command.split()
    for rules in RULES[name]:
        for text in PLACES[name]:
            printed = ask(command, "--json", "--game", name, *more, *options(rules), "--", text)
            given = {**rules, **{one.removeprefix("--"): 1 for one in more}}
            for spelling in (text, spelled(text)):
                answered = client.get(f"{path(name)}/{command}", position=spelling, **given)
                assert (answered.status, answered.text) == (200, printed.stdout), (text, rules)


@pytest.mark.parametrize("name", GAMES)
def test_grades_are_those_of_the_command_line(client, name):
    game = game_of(name)
    for text in PLACES[name]:
        for turn in list(game.legal_turns(game.parse(text), game.published))[:5]:
            printed = ask("grade", "--json", "--", text, str(turn))
            for spelling in (str(turn), spelled(str(turn))):
                answered = client.get(f"{path(name)}/grade", position=text, turn=spelling)
                assert (answered.status, answered.text) == (200, printed.stdout)


@pytest.mark.parametrize("name", GAMES)
def test_many_positions_are_answered_as_the_command_line_answers_lines(client, name, monkeypatch):
    lines = "".join(f"{text}\n" for text in PLACES[name] * 20)
    records, rows = (ask("solve", "--game", name, *more, "-", text=lines).stdout for more in (["--json"], []))
    listed = json.dumps(PLACES[name] * 20).encode()
    for _ in range(2):
        assert client.post(f"{path(name)}/solve", lines.encode()).text == records
        assert client.post(f"{path(name)}/solve?form=rows", lines.encode()).text == rows
        assert client.post(f"{path(name)}/solve", listed, "application/json").text == records
        named = b'{"positions": %s}' % listed
        assert client.post(f"{path(name)}/solve", named, "application/json; charset=utf-8").text == records
        values = client.post(f"{path(name)}/solve?form=values", lines.encode()).text
        assert values.splitlines() == ["\t".join(row.split("\t")[1:-1]) for row in rows.splitlines()]
        monkeypatch.setattr(Game, "parse_many", _no_arrays)  # the second time one by one
        monkeypatch.setattr(batches, "SOON", 0)  # and few at a time


def _no_arrays(self, text):
    from backtrick.errors import LineError, UsageError

    raise LineError("line 1", UsageError("not now"))


@pytest.mark.parametrize("name", GAMES)
def test_pages_are_parts_of_the_whole(client, name):
    whole = client.get(f"{path(name)}/solve", position=PLACES[name][0], all=1).record
    turns = client.get(f"{path(name)}/turns", position=PLACES[name][0]).record
    for limit, offset in ((2, 0), (3, 1), (0, 0), (100, 2), (5, 100)):
        part = slice(offset, offset + limit)
        page = client.get(f"{path(name)}/solve", position=PLACES[name][0], all=1, limit=limit, offset=offset).record
        assert page == {**whole, "outcomes": whole["outcomes"][part], "found": len(whole["outcomes"])}
        page = client.get(f"{path(name)}/turns", position=PLACES[name][0], limit=limit, offset=offset).record
        assert page == {**turns, "turns": turns["turns"][part]}


@pytest.mark.parametrize("name", GAMES)
def test_filters_keep_the_turns_that_use_a_card_on_a_pile(client, name):
    game, text = game_of(name), PLACES[name][0]
    used = {str(turn): game.display.parts(turn) for turn in game.legal_turns(game.parse(text), game.published)}
    every = {part for parts in used.values() for part in parts}
    assert len(every) > 2
    for card, pile in [*every, *((card, None) for card, _ in every), *((None, pile) for _, pile in every)]:
        asked = {name: value for name, value in (("card", card), ("pile", pile)) if value is not None}
        fitting = [turn for turn, parts in used.items() if any(card in (None, one) and pile in (None, at) for one, at in parts)]
        found = client.get(f"{path(name)}/turns", position=text, **asked).record
        assert (found["turns"], found["count"]) == (fitting, len(fitting)) and fitting
        outcomes = client.get(f"{path(name)}/solve", position=text, all=1, **asked).record
        assert {one["turn"] for one in outcomes["outcomes"]} <= set(fitting) and outcomes["found"] == len(outcomes["outcomes"])


@pytest.mark.parametrize(("name", "text"), EVERY)
def test_a_line_shows_every_position(client, name, text):
    game = game_of(name)
    answer = game.solve(game.parse(text), want={"best", "line"})
    told = client.get(f"{path(name)}/line", position=text).record
    position, balance, sign = answer.position, 0, 1
    assert len(told["line"]) == len(answer.line)
    for turn, shown in zip(answer.line, told["line"], strict=True):
        points, position = game.play(position, turn, game.published)
        balance, sign = balance + sign * points, -sign
        assert shown["turn"] == str(turn) and shown["position"] == (None if position is None else str(position))
        assert (shown.get("points", 0), shown.get("balance", 0)) == (points, balance)


@pytest.mark.parametrize(("name", "text"), EVERY)
def test_why_names_the_best_reply(client, name, text):
    game = game_of(name)
    position = game.parse(text)
    for turn in list(game.legal_turns(position, game.published))[:4]:
        told = client.get(f"{path(name)}/why", position=text, turn=turn).record
        grade = game.grade(position, turn)
        assert {field: told[field] for field in grade.record()} == grade.record()
        _, following = game.play(position, turn, game.published)
        reply = None if following is None else game.solve(following, want={"best", "line"})
        assert told["next"] == (None if following is None else str(following))
        assert told["reply"] == (str(reply.best) if reply and reply.best else None)
        assert [step["turn"] for step in told["line"]] == (list(map(str, reply.line)) if reply else [])


@pytest.mark.parametrize(("name", "text"), [*EVERY, ("take_that", web.DEALS["take_that"])])
def test_a_page_can_play_a_game_without_knowing_a_rule(client, name, text):
    """It lays what is offered, until nothing is; what it meets is what the library plays."""
    game, random, position, played = game_of(name), Random(text), text, 0
    while position is not None:
        laid, told = "", client.get(f"{path(name)}/look", position=position).record
        assert plain(told["spelled"]) == told["position"] == position
        if told["over"]:
            value = client.get(f"{path(name)}/solve", position=position).record
            winner = {"win": "mover", "loss": "opponent", None: None}[value.get("outcome")]  # points decide, if it has no outcome
            assert (told["over"]["winner"], told["over"]["rule"][0]) == (winner, {"face_to_face": "F", "take_that": "T"}[name])
            assert not list(game.legal_turns(game.parse(position), game.published))
            break
        while not told["ends"]:
            laid = random.choice([choice["laid"] for choice in told["choices"] if choice["rule"] is None])
            told = client.get(f"{path(name)}/look", position=position, laid=spelled(laid)).record
        after = client.get(f"{path(name)}/play", position=position, turn=laid).record
        points, following = game.play(game.parse(position), game.parse_turn(laid), game.published)
        expected = None if following is None else str(following)
        assert (told["next"], told["points"]) == (after["next"], after["points"]) == (expected, points)
        position, played = after["next"], played + 1
        if position is None:
            assert after["over"]
        else:
            assert after["over"] == client.get(f"{path(name)}/look", position=position).record["over"]
    assert played or not list(game.legal_turns(game.parse(text), game.published))


def test_a_look_says_why_not(client):
    told = client.get("/api/v1/face-to-face/look", position=web.DUEL, laid="17a").record
    refused = {choice["play"]: choice["rule"] for choice in told["choices"] if choice["rule"]}
    assert refused == {"18^'": "F8", "18v'": "F8", "45v": "F6", "45^'": "F8", "45v'": "F8"}
    assert (told["ends"], told["rule"]) == (False, "F3")
    stuck = client.get("/api/v1/face-to-face/look", position="44^17v:30,31 50^10v:7").record
    rules = {choice["play"]: choice["rule"] for choice in stuck["choices"]}
    by_pile = {"^": "F5", "v": "F6", "^'": "F3", "v'": "F3"}  # only one of the two cards may help
    assert rules == {f"{card}{pile}": rule for card in (30, 31) for pile, rule in by_pile.items()}
    assert stuck["over"] == {"problem": "no legal turn", "rule": "F13", "winner": "opponent"}
    told = client.get("/api/v1/take-that/look", position="12,22,43 21 34-41-49").record
    assert [(choice["play"], choice["rule"]) for choice in told["choices"]] == [
        ("12", "T4"), ("22", "T4"), ("43", None), ("12x21", "T5"), ("22x22", "T5"), ("43x34", None), ("take", None),
    ]  # fmt: skip
    deal = client.get("/api/v1/take-that/look", position="12,43 21 34 55,63", laid="take").record
    assert ([choice["laid"] for choice in deal["choices"]], deal["rule"]) == (["take,12", "take,43"], "T6")
    done = client.get("/api/v1/take-that/look", position="12,43 21 34 55,63", laid="take.43").record
    assert done["ends"] and done["next"] == "21 12,55 43 63" and done["points"] == -1


@pytest.mark.parametrize("name", GAMES)
def test_random_positions_are_those_of_sample(client, name):
    for source in game_of(name).display.sources:
        for seed in (0, 7):
            first = json.loads(ask("sample", "1", "--json", "--game", name, "--source", source, "--seed", str(seed)).stdout)
            told = client.get(f"{path(name)}/random", source=source, seed=seed)
            assert told.record == {**first, "source": source, "seed": seed} and "max-age" in told.headers["cache-control"]
    drawn = [client.get(f"{path(name)}/random") for _ in range(2)]
    assert drawn[0].record["seed"] != drawn[1].record["seed"] and drawn[0].headers["cache-control"] == "no-store"
    again = client.get(f"{path(name)}/random", seed=drawn[0].record["seed"]).record
    assert again == drawn[0].record
    deal = json.loads(ask("sample", "1", "--json", "--game", name, "--seed", "3", "--piles", "5").stdout)["position"]
    assert client.get(f"{path(name)}/random", seed=3, piles=5).record["position"] == deal


def test_puzzles(client, monkeypatch):
    row = {"position": web.DUEL, "turn": "17^ 18^", "value": 1}
    kinds = (1, "trick"), (2, "help"), (2, "trick")
    listed = tuple({**row, "difficulty": level, "themes": [theme]} for level, theme in kinds)
    monkeypatch.setattr("backtrick.web.endpoints.puzzles_of", lambda name: listed if name == "face_to_face" else ())
    told = client.get("/api/v1/face-to-face/puzzle", number=2).record
    assert told == {"game": "face_to_face", **listed[2], "number": 2, "of": 3}
    for seed in range(5):
        told = client.get("/api/v1/face-to-face/puzzle", seed=seed, difficulty=2)
        assert told.record["number"] in (1, 2) and "max-age" in told.headers["cache-control"]
    assert client.get("/api/v1/face-to-face/puzzle").headers["cache-control"] == "no-store"
    for wrong in ({"number": 3}, {"difficulty": 5}, {"difficulty": 6}, {"number": 0, "difficulty": 2}):
        assert client.get("/api/v1/face-to-face/puzzle", **wrong).status == 400
    assert "the list is empty" in client.get("/api/v1/take-that/puzzle").record["detail"]
    for theme, numbers in (({}, [0, 1, 2]), ({"theme": "trick"}, [0, 2])):
        assert client.get("/api/v1/face-to-face/puzzles", **theme).record == {"game": "face_to_face", "numbers": numbers}
    assert "only help, trick" in client.get("/api/v1/face-to-face/puzzles", theme="x").record["detail"]
    assert client.get("/api/v1/take-that/puzzles").record["numbers"] == []


def test_what_is_not_solved_within_the_limits_has_bounds(monkeypatch):
    quick, work = web.Client(), Workers._work

    def begin(workers, job, loop):
        """As if its time were over by now."""
        if workers is quick.api.workers:
            job.hurry()
        work(workers, job, loop)

    monkeypatch.setattr(Workers, "_work", begin)
    for asked in ({"table_mib": 0}, {"nodes": 10}, {"seconds": "0.001", "table_mib": 0}):
        told = quick.get("/api/v1/take-that/solve", position=web.HARD, **asked)
        assert told.status == 200 and told.record["bounds"] and told.record["best"] is None
        assert told.headers["cache-control"] == "no-store" and "etag" not in told.headers
    printed = ask("solve", "--json", "--nodes", "10", web.HARD).stdout
    assert web.Client().get("/api/v1/take-that/solve", position=web.HARD, nodes=10).text == printed
    told = quick.get("/api/v1/take-that/solve", position=web.HARD, table_mib=0, all=1, limit=1).record
    assert told["found"] is told["outcomes"] is None
    assert quick.get("/api/v1/take-that/grade", position=web.HARD, table_mib=0, turn="take").record["verdict"] == "not solved"
    line = quick.get("/api/v1/take-that/line", position=web.HARD, table_mib=0)
    assert line.record["line"] is None and line.headers["cache-control"] == "no-store"
    lines = f"{web.LINE}\n{web.HARD}\n{web.LINE}\n"
    first, second, third = web.Client().post("/api/v1/take-that/solve?nodes=10", lines.encode()).text.splitlines()
    assert json.loads(first)["value"] == json.loads(third)["value"] == 6 and json.loads(second)["bounds"]


@pytest.mark.parametrize(("name", "text"), [one for name in GAMES for one in ((name, PLACES[name][0]), (name, PLACES[name][-1]))])
def test_what_may_be_kept_is_the_same_within_any_limit(client, name, text):
    """Browsers keep what is exact for a day: nothing is missing in it, where the limit was met."""
    turn = next(iter(game_of(name).legal_turns(game_of(name).parse(text), game_of(name).published)))
    asked = [("solve", {"all": 1}), ("solve", {"all": 1, "limit": 1}), *((one, {"turn": turn}) for one in ("grade", "why"))]
    for what, given in [*asked, *((one, {}) for one in ("solve", "best", "line", "completions"))]:
        whole = client.get(f"{path(name)}/{what}", position=text, **given)
        within = [client.get(f"{path(name)}/{what}", position=text, nodes=nodes, **given) for nodes in (1, 2, 4, 12, 32, 500)]
        kept = ["max-age" in one.headers["cache-control"] for one in within]
        assert all(one.text == whole.text for one, is_kept in zip(within, kept, strict=True) if is_kept), what
        assert kept[-1] and (not kept[0] or text == PLACES[name][0]), f"{what}: a limit is met, and then one is not"


@pytest.fixture
def tables(tmp_path):
    done = ask("generate", "2v1", "--tables", str(tmp_path))
    assert done.returncode == 0
    return tmp_path


def test_values_from_tables_and_damaged_ones(tables):
    text = "27^40v:17,18 13^50v:5"
    with_tables = web.Client(tables=str(tables))
    printed = ask("solve", "--json", "--tables", str(tables), text).stdout
    told = with_tables.get("/api/v1/face-to-face/solve", position=text)
    assert told.text == printed and '"source": "2v1"' in told.text
    assert with_tables.post("/api/v1/face-to-face/solve", f"{text}\n".encode()).text == printed
    damaged = tables.parent / "damaged"
    shutil.copytree(tables, damaged)
    [file] = damaged.glob("*2v1*.h5")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 255
    file.write_bytes(content)
    told = web.Client(tables=str(damaged)).get("/api/v1/face-to-face/solve", position=text)
    assert told.status == 500 and told.record["type"] == "urn:backtrick:corrupt-table" and "\n" not in told.record["detail"]
    assert "damaged" in told.record["detail"] or str(file) in told.record["detail"]


def test_the_package_holds_what_it_serves():
    """A file that is not listed for the package would be missing once it is installed."""
    listed = (ROOT / "pyproject.toml").read_text()
    assert '"backtrick.web" = ["static/**/*", "puzzles/*.jsonl"]' in listed
