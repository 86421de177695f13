"""How the HTTP API treats requests: what is wrong is said in one sentence with its rule, and nobody stalls or misuses it."""

from __future__ import annotations

import asyncio
import gzip
import threading
import time
from dataclasses import replace
from functools import partial

import pytest

import toy
import web
from backtrick.errors import UsageError
from backtrick.games import GAMES
from backtrick.notation import URL_SIGNS as SIGNS
from backtrick.notation import spelled
from backtrick.web import api
from backtrick.web.endpoints import ENDPOINTS, Endpoint
from backtrick.web.limits import Limits
from backtrick.web.parameters import POSITION, fields_of, plain
from backtrick.web.responses import LEAST_TO_COMPRESS, NEVER, Busy, Reply, packed
from backtrick.web.workers import Hurry, Workers
from waiting import PATIENCE

SOLVE = "/api/v1/face-to-face/solve"


@pytest.fixture(scope="module")
def client():
    return web.Client()


# spelling


@pytest.mark.parametrize(
    "text",
    [
        "27^40v:17,18,45+2,33,50 13^50v:5,12+4,9",
        "1^60v: 2^59v:3",
        "18^ 17^ 45v 12^'",
        "12,33,49 21,94 34-41-49 55,63,71",
        "12 - -",
        "94x49",
        "take",
        "take,41",
        "stones 5",
    ],
)
def test_the_spelling_for_urls_needs_no_escapes_and_loses_nothing(text):
    assert plain(spelled(text)) == text == plain(text)
    assert set(spelled(text)) <= set("0123456789abcdefghijklmnopqrstuvwxyz-._~") and spelled(spelled(text)) == spelled(text)
    assert len(spelled(text)) == len(text) and len(set(SIGNS.values())) == len(SIGNS)


def test_both_spellings_and_every_escape_are_read(client):
    expected = client.get(SOLVE, position=web.DUEL).text
    raw, signs = web.DUEL.replace(" ", "%20"), "".join(f"%{ord(sign):02X}" for sign in web.DUEL)
    for query in (raw, raw.replace("%20", "+"), signs, spelled(web.DUEL), web.DUEL.replace(" ", "_"), raw.replace(":", "%3a")):
        assert client.ask("GET", SOLVE, f"position={query}").text == expected, query
    assert client.ask("GET", SOLVE.replace("-", "_"), f"position={raw}").text == expected


# what is wrong

FAULTS = {
    "face-to-face": ["27^40v:17,60 13^50v:5", "60^40v:17 13^50v:5", "27^40v:17 13^61v:5", "27^40v:17+5,5 13^50v:5+4",
                     "17^17v:17 17^17v:17", "27^40v:17 13^50v:+4"],
    "take-that": ["12,20 21 34", "12,34 21 34", "12 21 34-34", "12 21 34 12", "12,13,14,15,16,17,18,19,21,22 - 34", "- 21 34 55"],
}  # fmt: skip


@pytest.mark.parametrize("game", FAULTS)
def test_the_places_of_a_fault_are_places_of_the_table(client, game):
    deal = client.get(f"/api/v1/{game}/look", position=web.DEALS[game.replace("-", "_")])
    table = [{"owner": one["owner"], "kind": one["kind"]} for one in deal.record["places"]]
    found = []
    for text in FAULTS[game]:
        told = client.get(f"/api/v1/{game}/solve", position=text).record
        assert told["places"] and all(place in table for place in told["places"]), told
        found += told["places"]
    assert {place["kind"] for place in found} == {place["kind"] for place in table}


@pytest.mark.parametrize(
    ("method", "path", "status", "says"),
    [
        ("GET", "/api/v1/chess/solve", 404, "no game is called 'chess'; there are face-to-face, take-that"),
        ("GET", "/api/v1/face-to-face/nothing", 404, f"there is no endpoint 'nothing'; there are {', '.join(ENDPOINTS)}"),
        ("GET", "/api/v1/face-to-face", 404, "there is nothing at /api/v1/face-to-face; the API is at /api/v1"),
        ("GET", "/api/v2", 404, "there is nothing at /api/v2; the API is at /api/v1"),
        ("GET", "/api/v1/", 404, "there is nothing at /api/v1/; the API is at /api/v1"),
        ("POST", "/api/v1/face-to-face/best", 405, "only solve takes many positions"),
        ("DELETE", SOLVE, 405, f"{SOLVE} is asked by GET, HEAD, POST, not DELETE"),
        ("PUT", "/", 405, "/ is asked by GET, HEAD, not PUT"),
    ],
)
def test_paths_and_methods_that_are_not_there(client, method, path, status, says):
    answered = client.ask(method, path)
    assert answered.status == status == answered.record["status"] and says in answered.record["detail"]
    assert status != 405 or "GET" in answered.headers["allow"]


BODIES = {
    (b"27^40v:17 13^50v:5\nhello\n", "text/plain"): (400, "line 2: position 'hello', column 1"),
    (b"27^40v:17,60 13^50v:5\n", "text/plain"): (400, "line 1: 60 in the mover's hand"),
    (b'["27^40v:17 13^50v:5"]', "application/x-www-form-urlencoded"): (
        415, "the body looks like JSON: the header Content-Type: application/json says so"
    ),
    (b"\x1f\x8b\x08", "text/plain"): (415, "the body is compressed; it is read as it is"),
    (b"27^40v:17 13^50v:5\n".decode().encode("utf-16"), "text/plain"): (400, "the text is UTF-16"),
    (b"[", "application/json"): (400, "the body is not JSON"),
    (b"[" * 100_000, "application/json"): (400, "the body is not JSON"),
    (b"3", "application/json"): (400, 'the body is a list of positions, or an object {"positions": [...]}'),
    (b'["27^40v:17 13^50v:5", 3]', "application/json"): (400, "position 2 of the list is not a text of one line"),
    (b'["27^40v:17 13^50v:5", "  "]', "application/json"): (400, "position 2 of the list is not a text of one line"),
    (b'["a\\nb"]', "application/json"): (400, "position 1 of the list"),
    (b'["# a"]', "application/json"): (400, "position 1 of the list"),
    (b'["\\ud800"]', "application/json"): (400, "position 1 of the list"),
    (b"\n" * 25, "text/plain"): (413, "at most 10 positions"),
    (b"27^40v:17 13^50v:5\n" * 11, "text/plain"): (413, "at most 10 positions"),
}


@pytest.mark.parametrize(("body", "media_type"), BODIES, ids=range(len(BODIES)))
def test_bodies_that_are_wrong(body, media_type):
    small = web.Client(limits=Limits(positions=10))
    status, begins = BODIES[body, media_type]
    answered = small.post(SOLVE, body, media_type)
    assert (answered.status, answered.record["detail"][: len(begins)]) == (status, begins)
    assert small.post(SOLVE, b"27^40v:17 13^50v:5\n\n" * 10).text.count("\n") == 10, "the most there may be"
    assert small.post(SOLVE, b"").body == b"" and small.post(SOLVE, b"# nothing\n\n").status == 200


def test_a_fault_of_ours_is_logged_and_not_shown(client, monkeypatch, caplog):
    def broken(asked, budget):
        raise ZeroDivisionError("secret")

    for short in (True, False):  # in the thread of the event loop, and in one of its own
        monkeypatch.setitem(ENDPOINTS, "best", Endpoint("", broken, "Best", {"position": POSITION}, short=short))
        answered = client.get("/api/v1/face-to-face/best", position=web.DUEL)
        assert (answered.status, answered.record["status"], answered.record["title"]) == (500, 500, "Internal Server Error")
        assert "secret" not in answered.text and "Traceback" not in answered.text
    assert [record.exc_info[0] for record in caplog.records] == [ZeroDivisionError] * 2


def test_names_of_parameters():
    assert fields_of(b"lone-card=1&x=%20+%2B&&y") == {"lone_card": "1", "x": "  +", "y": ""}
    many = [b"a%d=1" % number for number in range(33)]
    assert len(fields_of(b"&".join(many[:32]))) == 32
    with pytest.raises(UsageError, match="a query may have at most 32 parameters, not 33"):
        fields_of(b"&".join(many))


def test_a_seed_is_a_number_that_browsers_keep(client):
    for path in ("deal", "random"):
        told = client.get(f"/api/v1/face-to-face/{path}", seed=2**53 - 1)
        assert told.record["seed"] == 2**53 - 1


# who may ask, and what a browser may do


OTHERS = ["evil.example", "localhost.evil.example", "evil.example:8000", "", None, "127.0.0.1.evil.example", "[::1",
          "1.2.3.4:99999999", "local host", "127.1"]  # fmt: skip


@pytest.mark.parametrize("host", OTHERS)
def test_a_name_that_is_not_ours_is_refused(client, host):
    answered = client.ask("GET", "/api/v1", headers={"host": host})
    assert answered.status == 421 and "; backtrick serve --host-name names it" in answered.record["detail"]


def test_hosts_that_are_ours(client):
    for host in ("localhost", "LOCALHOST:80", "127.0.0.1", "192.168.1.7:8000", "[::1]:8000", "[fe80::1]"):
        assert client.ask("GET", "/api/v1", headers={"host": host}).status == 200, host
    named = web.Client(hosts=("Box.local",))
    assert named.ask("GET", "/api/v1", headers={"host": "box.local:8000"}).status == 200
    assert named.ask("GET", "/api/v1", headers={"host": "other.local"}).status == 421


def test_every_answer_tells_a_browser_what_it_may_do(client):
    for path in ("/api/v1", "/api/v1/openapi.json", "/api/v1/x", "/nothing", "/"):
        told = client.ask("GET", path).headers
        policy = told["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert told["x-content-type-options"] == "nosniff" and "access-control-allow-origin" not in told


def test_other_origins_may_read_only_if_they_are_named():
    origin = {"origin": "https://example.org"}
    for named, allowed in ((None, None), ("https://example.org", "https://example.org"), ("*", "*"), ("https://a.b", None)):
        client = web.Client(cors=(named,) if named else ())
        told = client.ask("GET", "/api/v1", headers=origin)
        assert told.headers.get("access-control-allow-origin") == allowed
        for path in ("/api/v1", "/", "/nothing", SOLVE):  # what is kept without an origin may be given to a page that has one
            asked = [client.ask("GET", path, headers=more) for more in ({}, origin, {"if-none-match": "*"}, {"host": "evil"})]
            assert {("Origin" in one.headers.get("vary", "")) for one in asked} == {named not in (None, "*")}
            alone = asked[0].headers.get("access-control-allow-origin")
            assert alone == ("*" if named == "*" else None)
            if path == "/api/v1":
                assert asked[0].headers["vary"].startswith("Accept-Encoding")
        if allowed:
            assert told.headers["access-control-expose-headers"] == "ETag, Retry-After"
    asks = {**origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    preflight = web.Client(cors=("*",)).ask("OPTIONS", SOLVE, headers=asks)
    assert preflight.status == 200 and "If-None-Match" in preflight.headers["access-control-allow-headers"]
    assert web.Client().ask("OPTIONS", SOLVE, headers=asks).status == 405
    alone = {"host": None, **origin, "access-control-request-method": "GET"}
    for method, headers, status in (("OPTIONS", {}, 405), ("OPTIONS", origin, 405), ("GET", asks, 400), ("OPTIONS", alone, 200)):
        assert web.Client(cors=("*",)).ask(method, SOLVE, headers=headers, http_version="1.0").status == status


# what is kept, and how it is sent


def test_an_answer_that_is_known_is_not_sent_again(client):
    first = client.get(SOLVE, position=web.DUEL)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "public, max-age=86400"
    for known in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = client.get(SOLVE, {"if-none-match": known}, position=web.DUEL)
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert client.get(SOLVE, {"if-none-match": '"other"'}, position=web.DUEL).status == 200
    assert client.get(SOLVE, position=web.DUEL.replace("45", "46")).headers["etag"] != tag


def test_what_just_reaches_a_limit_of_the_server_is_within_it(client):
    for name, most in (("seconds", web.PATIENT.seconds), ("table_mib", web.PATIENT.table_mib)):
        asked = {name: f"{most:g}", "position": "12 - -"}
        assert client.get("/api/v1/take-that/solve", **asked).status == 200, name


def test_long_answers_are_compressed_for_those_who_can(client):
    asked = {"position": "1^60v:3,14,25,36,47,58 1^60v:3,14,25,36,47,58"}
    path = "/api/v1/face-to-face/turns"
    whole = client.get(path, **asked)
    zipped = client.get(path, {"accept-encoding": "br, gzip"}, **asked)
    assert "content-encoding" not in whole.headers and zipped.headers["content-encoding"] == "gzip"
    assert zipped.body[4:8] == bytes(4), "it says nothing of the time"
    assert gzip.decompress(zipped.body) == whole.body and len(zipped.body) < len(whole.body) / 2
    assert whole.headers["vary"] == zipped.headers["vary"] == "Accept-Encoding"
    assert whole.headers["etag"] == zipped.headers["etag"]
    assert "content-encoding" not in client.get(path, {"accept-encoding": "gzip;q=0"}, **asked).headers
    assert "content-encoding" not in client.get(SOLVE, {"accept-encoding": "gzip"}, position=web.DUEL).headers
    sizes = LEAST_TO_COMPRESS - 1, LEAST_TO_COMPRESS
    assert ["content-encoding" in packed(b"a" * size, "text/plain", NEVER, "gzip").headers for size in sizes] == [False, True]


@pytest.fixture
def page(monkeypatch):
    """A page of three files."""
    content = {"index.html": b"<!doctype html>", "deep/page.js": b"let a = 1;\n" * 500, "card.svg": b"<svg/>",
               "page.webmanifest": b'{"icons": []}'}  # fmt: skip
    files = {name: (body, api.media_type_of(name)) for name, body in content.items()}
    monkeypatch.setattr(api, "static_files", lambda: files)
    return web.Client()


def test_files_of_the_page(page):
    index = page.ask("GET", "/")
    assert (index.body, index.headers["content-type"]) == (b"<!doctype html>", "text/html; charset=utf-8")
    script = page.ask("GET", "/deep/page.js", headers={"accept-encoding": "gzip"})
    assert script.text == "let a = 1;\n" * 500 and script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert page.ask("GET", "/deep/page.js").body == b"let a = 1;\n" * 500
    assert script.headers["cache-control"] == "no-cache"
    assert page.ask("GET", "/card.svg", headers={"if-none-match": page.ask("GET", "/card.svg").headers["etag"]}).status == 304


ELSEWHERE = ["/../app.py", "/..%2fapp.py", "/deep/../../app.py", "//etc/passwd", "/deep", "/.keep", "/app.py", "/\\..\\app.py",
             "/deep/page.js/", "/INDEX.HTML", "/index.html%00"]  # fmt: skip


@pytest.mark.parametrize("path", ELSEWHERE)
def test_nothing_but_the_files_of_the_page_is_served(page, path):
    assert page.ask("GET", path).status == 404


def test_the_files_are_those_of_the_package():
    found = api.static_files()
    assert all(not name.startswith(".") and body is not None and kind for name, (body, kind) in found.items())


def test_browsers_and_crawlers_find_what_they_ask_for_unasked():
    client = web.Client()
    icon, robots = client.ask("GET", "/favicon.ico"), client.ask("GET", "/robots.txt")
    assert icon.body == client.ask("GET", "/icon.svg").body and icon.headers["content-type"].startswith("image/svg")
    assert "Disallow: /api/" in robots.text and robots.headers["content-type"].startswith("text/plain")


# limits


def test_processes_share_what_requests_may_take():
    most = Limits(threads=6, memory=192, held=900)
    assert (most.shared(3), most.shared(100)) == (Limits(threads=2, memory=64, held=300), Limits(threads=1, memory=32, held=9))


def test_a_search_has_the_memory_of_its_turn(monkeypatch):
    """Half of what is left: of one question, and of many at once."""
    client, told = web.Client(limits=Limits(memory=64)), []
    answer = ENDPOINTS["odds"].answer
    seen = replace(ENDPOINTS["odds"], answer=lambda query, budget: told.append(budget.table_mib) or answer(query, budget))
    monkeypatch.setitem(ENDPOINTS, "odds", seen)
    monkeypatch.setattr(api, "solve_many", lambda query, *given: told.append(query.within(None).table_mib) or b"")
    client.get("/api/v1/face-to-face/odds", position=web.DUEL)
    client.post(SOLVE, b"")
    assert told == [32, 32]


def test_too_much_work_is_turned_away_and_comes_back_later():
    busy = web.Client(limits=Limits(threads=1, spare=0, waiting=1, a_client=3, seconds=0.5))
    query = f"position={spelled(web.LONG)}"

    async def run(clients):
        return await asyncio.gather(*(busy.asked("GET", SOLVE, query, client=one) for one in clients))

    first, _, last = asyncio.run(run(["1.1.1.1"] * 3))
    assert (first.status, last.status, last.headers["retry-after"]) == (200, 503, "1")
    assert "requests are under way already, the most there may be" in last.text
    assert first.record["outcome"] == "unsolved"
    answered = asyncio.run(run(["1.1.1.1", "1.1.1.1", "2.2.2.2"]))
    assert "are under way" not in answered[2].text, "an address that has nothing waiting may wait"
    assert busy.api.workers.under_way == 0
    alone = web.Client(limits=Limits(threads=1, a_client=1, seconds=0.5))

    async def twice():
        asked = [alone.asked("GET", SOLVE, query) for _ in range(2)]
        return await asyncio.gather(*asked)

    assert [one.status for one in asyncio.run(twice())] == [200, 429]


def test_addresses_take_turns():
    """One thread: 'a' has asked four times before 'b' and 'c' ask; each then has its turn."""
    begun, free = [], threading.Event()

    def work(name, mib):
        begun.append(name)
        return free.wait(PATIENCE)

    async def run():
        workers = Workers(Limits(threads=1, spare=0))
        asked = [asyncio.ensure_future(workers.run(name[0], Hurry(), partial(work, name)))
                 for name in ("a1", "a2", "a3", "a4", "b1", "b2", "c1")]  # fmt: skip
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(*asked)

    asyncio.run(run())
    assert begun == ["a1", "a2", "b1", "c1", "a3", "b2", "a4"] or begun == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]


def test_an_address_without_work_gets_a_spare_thread():
    free = threading.Event()

    async def run():
        workers, mibs = Workers(Limits(threads=2, spare=1, memory=64)), []

        def heavy(mib):
            mibs.append(mib)
            return free.wait(PATIENCE)

        many = [asyncio.ensure_future(workers.run("a", Hurry(), heavy)) for _ in range(24)]
        await asyncio.sleep(0)
        assert len(workers._running) == 2 and workers.memory == 32 + 16
        assert await workers.run("b", Hurry(), lambda mib: mib) == 8
        assert len(mibs) <= 2
        free.set()
        await asyncio.gather(*many)
        assert workers.memory == workers.under_way == 0 and len(mibs) == 24

    asyncio.run(run())


def test_work_that_waited_too_long_is_not_begun():
    begun, free = [], threading.Event()

    def work(name, mib):
        begun.append(name)
        return free.wait(PATIENCE)

    async def run():
        workers = Workers(Limits(threads=1, seconds=0.1))
        asked = [asyncio.ensure_future(workers.run("", Hurry(), partial(work, name))) for name in "abc"]
        await asyncio.wait(asked[1:])
        free.set()
        return await asyncio.gather(*asked, return_exceptions=True)

    first, *others = asyncio.run(run())
    assert first is True and begun == ["a"]
    assert [(type(other), other.status, other.detail[:18]) for other in others] == [(Busy, 503, "no thread was free")] * 2


def test_a_client_that_goes_away_frees_its_thread():
    patient = web.Client(limits=Limits(threads=1, seconds=9999))

    async def run():
        query = f"position={spelled(web.LONG)}"
        asked = [asyncio.ensure_future(patient.asked("GET", SOLVE, query)) for _ in range(2)]
        await until(lambda: patient.api.workers.under_way == 2)
        for one in asked:  # as a connection does that is lost
            one.cancel()
        await until(lambda: not patient.api.workers.under_way)

    asyncio.run(run())


async def until(happened):
    """Waits for something that a busy machine may do later."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


def test_a_busy_server_says_when_to_ask_again():
    assert Busy(503, "").headers == {"retry-after": "1"}


# a game that the API has never heard of


def test_the_toy_is_served(monkeypatch):
    monkeypatch.setitem(GAMES, "toy", "toy")
    client = web.Client()
    assert client.get("/api/v1/toy/solve", position="stones 5").record["value"] == 3
    assert client.get("/api/v1/toy/solve", position="stones 3", most=2).record["value"] == 2
    assert client.get("/api/v1/toy/look", position="stones 2").record["choices"][1]["laid"] == "2"
    shown = client.ask("GET", "/toy/stones_5").text
    assert 'content="http://127.0.0.1:8000/toy/stones_5"' in shown and ">3</text>" in client.ask("GET", "/toy/stones_5.svg").text
    over = client.get("/api/v1/toy/play", position="stones 2", turn="2").record["over"]
    assert over == {"problem": "no legal turn", "rule": "", "winner": None}
    assert client.get("/api/v1/toy/random", seed=1).record["position"] == "stones 1"
    solved = client.post("/api/v1/toy/solve?form=values", b"stones 5\nstones 4\n")
    assert solved.text == "3\n2\n"
    monkeypatch.setattr(toy.StonesDisplay, "sources", {})
    nowhere = client.get("/api/v1/toy/random")
    assert (nowhere.status, nowhere.record["detail"]) == (400, "Stones has no positions to draw from")
    assert [game["name"] for game in client.get("/api/v1").record["games"]] == [*GAMES]
    assert Reply.of({}).body == b"{}\n"
