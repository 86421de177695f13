"""The application as a server meets it: bodies that arrive in parts, clients that go away, the end; and inside another one."""

from __future__ import annotations

import asyncio
import time

import pytest

import web
from backtrick.notation import spelled
from backtrick.web import app
from backtrick.web.api import Api
from backtrick.web.asgi import Request, client_of
from backtrick.web.limits import Limits
from waiting import PATIENCE

SOLVE = "/api/v1/face-to-face/solve"
LINE = f"{web.DUEL}\n".encode()


def test_a_body_may_arrive_in_parts():
    client = web.Client()
    expected = client.post(SOLVE, LINE * 3)
    assert expected.status == 200 and expected.text.count("\n") == 3
    for parts in ([LINE, LINE * 2], [b"", LINE * 3, b""], [bytes([one]) for one in LINE * 3]):
        assert client.post(SOLVE, parts) == expected
    assert client.api._held == 0


@pytest.mark.parametrize("headers", [{}, {"content-length": "3000"}], ids=["counted", "announced"])
def test_a_body_that_is_too_long_is_refused(headers):
    client = web.Client(limits=Limits(body=1000))
    parts = [b"", None] if headers else [b"#" * 1001]  # what is announced as too long is not waited for
    told = client.post(SOLVE, parts, headers=headers)
    assert (told.status, told.record["detail"]) == (413, "a body has at most 1,000 bytes")
    whole = {name: "1000" for name in headers}
    assert client.post(SOLVE, b"#" * 1000, headers=whole).status == 200 and client.api._held == 0, "the most there may be"


def test_a_body_that_does_not_arrive_is_refused():
    client = web.Client(limits=Limits(body_seconds=0.1))

    async def silent():
        await asyncio.Event().wait()

    told = asyncio.run(client.asked("POST", SOLVE, body=[LINE], receive=silent))
    assert (told.status, told.record["detail"]) == (408, "the body did not arrive within 0.1 seconds")


def test_bodies_in_memory_are_bounded():
    client, first = web.Client(limits=Limits(held=1000, seconds=PATIENCE)), asyncio.Event()

    async def waits():
        if not first.is_set():
            first.set()
            return {"type": "http.request", "body": b"#" * 900, "more_body": True}
        return await asyncio.Event().wait()

    async def run():
        held = asyncio.ensure_future(client.asked("POST", SOLVE, receive=waits))
        await first.wait()
        refused = await client.asked("POST", SOLVE, body=LINE * 10)
        assert (refused.status, refused.headers["retry-after"]) == (503, "1") and "too many bodies arrive at once" in refused.text
        held.cancel()
        assert (await held).status == 503  # the server ends
        assert (await client.asked("POST", SOLVE, body=b"#" * 1000)).status == 200 and client.api._held == 0

    asyncio.run(run())


@pytest.mark.parametrize("asked", [("GET", f"position={spelled(web.LONG)}", [b"", None]), ("POST", "", [b"a", None])])
def test_a_client_that_goes_away_frees_its_thread_and_gets_nothing(asked):
    client, (method, query, parts) = web.Client(limits=Limits(threads=1, seconds=9999)), asked

    async def run():
        assert (await client.asked(method, SOLVE, query, body=parts)).status == 0
        while client.api.workers.under_way or client.api._held:
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_a_repeated_header_is_read_in_one_go():
    """Joined one by one, 20,000 of them took seconds."""
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "http_version": "1.1"}
    began = time.thread_time()
    asked = Request.of({**scope, "headers": [(b"a", b"x" * 50)] * 20_000}, None)
    assert time.thread_time() - began < 0.2 and asked.headers["a"].count(", ") == 19_999


def test_the_end_of_the_server_ends_what_runs():
    client = web.Client(limits=Limits(threads=1, seconds=9999))

    async def run():
        running = asyncio.ensure_future(client.asked("GET", SOLVE, f"position={spelled(web.LONG)}"))
        while not client.api.workers.under_way:
            await asyncio.sleep(0.01)
        messages, said = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}], []

        async def receive():
            return messages.pop(0)

        async def send(message):
            said.append(message["type"])

        await client.app({"type": "lifespan"}, receive, send)
        assert said == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
        await client.app({"type": "websocket"}, receive, send)
        assert said[2:] == ["websocket.close"]
        return await running

    assert asyncio.run(asyncio.wait_for(run(), PATIENCE)).record["outcome"] == "unsolved"


def test_within_another_application():
    """The path below which it stands is no part of what is asked; links that are shared name it."""
    client = web.Client()
    expected = client.get(SOLVE, position=web.DUEL)
    for path in (f"/cards{SOLVE}", SOLVE):  # servers differ: the root may be a part of the path
        assert client.ask("GET", path, f"position={spelled(web.DUEL)}", root_path="/cards") == expected
    shared = client.ask("GET", "/cards/tt/12_-_-", root_path="/cards", scheme="https")
    assert 'content="https://127.0.0.1:8000/cards/tt/12_-_-"' in shared.text
    for path in ("/cards", "/cards/"):
        assert client.ask("GET", path, root_path="/cards").headers["content-type"].startswith("text/html")


def test_the_application_has_a_name():
    import backtrick.web

    assert isinstance(app, Api) and backtrick.web.app is app
    with pytest.raises(AttributeError, match="nothing"):
        _ = backtrick.web.nothing


def test_a_simple_health_check_names_no_host():
    client = web.Client()
    for version, host, status in (("1.0", None, 200), ("1.0", "evil.example", 421), ("1.1", None, 421)):
        assert client.ask("GET", "/api/v1", headers={"host": host}, http_version=version).status == status
    assert client.ask("GET", "/tt/12_-_-", headers={"host": None}, http_version="1.0").status == 200


def test_limits_are_for_a_network_of_ipv6_and_for_whatever_a_proxy_names():
    found = [client_of(address) for address in ("::1", "::ffff:127.0.0.1", "2001:db8::1", "2001:db8::2:1", "a:b:no address", "")]
    assert found == ["::/64", "127.0.0.1", "2001:db8::/64", "2001:db8::/64", "a:b:no address", ""]


def test_a_server_without_addresses():
    """Over a local socket there is none."""
    assert web.Client().ask("GET", "/api/v1", client=None).status == 200
