"""Links to positions: the page of a link is read as by a program that makes previews, which runs no script."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from subprocess import CalledProcessError
from xml.etree import ElementTree

import pytest

import web
from backtrick.errors import UsageError
from backtrick.games import GAMES, game_of
from backtrick.notation import spelled
from backtrick.web import api
from backtrick.web import page as page_module
from backtrick.web.page import HEIGHT, MARGIN, WIDTH, Shared, png_of, read_public_url, with_signs
from backtrick.web.puzzles import puzzles_of
from backtrick.web.responses import Busy
from waiting import PATIENCE

LINKS = {
    "/f2f/52a6vh16.18.19.57_53a15vh4.7.29.44": ("The Game: Face to Face: win in 3", "Best turn: 16▼ 18▼′. "),
    "/tt/15.43.44_21.53_51-62-35": ("Take That: +6", "Best turn: 44. "),
    "/f2f/27a40vh17.18.45p2.33_13a50vh5.12p4.9": ("The Game: Face to Face", ""),
    "/take-that/-_12_34": (None, "Best turn: take. "),
    f"/tt/{spelled(web.HARD)}": ("Take That", ""),  # needs more nodes than a preview may search
}


class Crawler(HTMLParser):
    """Reads what a page says of itself, and what it loads."""

    def __init__(self, page: str):
        super().__init__()
        self.said, self.loads = {}, []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        told = dict(attrs)
        if tag == "meta" and ("property" in told or "name" in told):
            self.said[told.get("property") or told["name"]] = told["content"]
        self.loads += [told[name] for name in ("href", "src") if name in told and tag in ("link", "script", "img")]


@pytest.fixture(autouse=True)
def _pictures_are_waited_for(monkeypatch):
    monkeypatch.setattr(page_module, "PNG_SECONDS", PATIENCE)


@pytest.fixture(scope="module")
def client():
    return web.Client(public_url="https://cards.example.org")


@pytest.mark.parametrize("link", LINKS)
def test_a_link_says_what_it_shows(client, link):
    answered = client.ask("GET", link, headers={"host": "cards.example.org"})
    assert answered.status == 200 and answered.headers["content-type"].startswith("text/html")
    page = Crawler(answered.text)
    title, best = LINKS[link]
    said = page.said
    assert title in (None, said["og:title"]) and best in said["og:description"]
    assert ("Best turn" in said["og:description"]) == (best != "")
    assert said["og:url"] == f"https://cards.example.org{link.replace('take-that', 'tt')}"
    assert said["twitter:card"] == "summary_large_image" and said["og:image"].startswith(f"{said['og:url']}.")
    for path in page.loads:
        assert path.startswith("/") and client.ask("GET", path).status == 200, path
    image = client.ask("GET", said["og:image"].removeprefix("https://cards.example.org"))
    assert image.status == 200 and image.headers["content-type"].partition(";")[0] == said["og:image:type"]


def test_without_a_public_url_the_host_of_the_request_is_named():
    said = Crawler(web.Client().ask("GET", "/tt/12_-_-", headers={"host": "127.0.0.1:8123"}).text).said
    assert said["og:url"] == "http://127.0.0.1:8123/tt/12_-_-"


@pytest.mark.parametrize("name", GAMES)
def test_the_image_is_sound_and_holds_what_it_shows(name):
    game = game_of(name)
    for position in (game.parse(game.example), game.parse(web.DEALS[name])):
        drawn = ElementTree.fromstring(Shared(game, str(position)).image())
        assert drawn.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
        words = " ".join(drawn.itertext())
        assert game.title in words and "you are to move" in words
        answer, said = game.solve(position), [one for one in drawn.iterfind("{*}text")]
        left, size, letters = float(said[0].get("x")), float(said[0].get("font-size")), max(len(game.title), 14)
        assert size <= 54 and left + 0.62 * size * letters <= WIDTH - MARGIN + 1, "the words end before the margin"
        above = float(drawn.find("{*}g").get("transform").partition(f"({MARGIN} ")[2].partition(")")[0])
        assert above > MARGIN - 1 and left - 2 * MARGIN < 0.66 * WIDTH, "the table leaves room"
        assert [float(one.get("x")) for one in drawn.findall("{*}rect")[1:]] == [left] * (not game.is_deal(position))
        assert (answer.text in words) == (not game.is_deal(position)) == (f"best: {with_signs(str(answer.best))}" in words)


def test_a_png_is_made_where_that_is_installed(client, monkeypatch):
    path = "/f2f/52a6vh16.18.19.57_53a15vh4.7.29.44.png"
    if page_module.makes_png():
        body = client.ask("GET", path).body
        assert body.startswith(b"\x89PNG\r\n") and body[16:24] == WIDTH.to_bytes(4, "big") + HEIGHT.to_bytes(4, "big")
    monkeypatch.setattr(page_module, "find_spec", lambda name: None)
    assert client.ask("GET", path).record["detail"] == "there are no PNG images here; pip install 'backtrick[preview]'"
    told = Crawler(client.ask("GET", path.removesuffix(".png")).text).said
    assert told["og:image"].endswith(".svg") and told["og:image:type"] == "image/svg+xml"


def test_a_picture_is_made_by_a_process_that_is_not_waited_for_long(client, monkeypatch):
    monkeypatch.setattr(page_module, "_MAKE_PNG", "import sys; print(sys.stdin.read()[::-1])")
    assert png_of("abc") == b"cba\n"
    monkeypatch.setattr(page_module, "_MAKE_PNG", "raise SystemExit(1)")
    with pytest.raises(CalledProcessError):
        png_of("abc")
    monkeypatch.setattr(page_module, "PNG_SECONDS", 0)
    with pytest.raises(Busy) as late:
        png_of("abc")
    assert late.value.detail == "the picture was not made within 0 s"
    monkeypatch.setattr(page_module, "find_spec", lambda name: name)  # as if the library were there
    answered = client.ask("GET", "/tt/12_-_-.png")
    assert answered.status == 503 and answered.record["detail"] == late.value.detail


def test_a_link_that_is_wrong_says_why(client):
    broken = client.ask("GET", "/f2f/27a40vh17.60_13a50vh5", headers={"accept": "text/html,*/*"})
    assert broken.status == 404 and broken.headers["content-type"].startswith("text/html") and '/page.js"' in broken.text
    answered = client.ask("GET", "/f2f/27a40vh17.60_13a50vh5")
    assert answered.status == 400 and answered.record["rule"] == "F1"
    assert client.ask("GET", "/chess/27a40vh17.60_13a50vh5").status == 404
    assert client.ask("POST", "/tt/12_-_-").status == 405
    escaped = client.ask("GET", '/tt/12_-_-"><script>')
    assert escaped.status == 400 and escaped.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(("link", "game"), [("/p/f2f/415", "face_to_face"), ("/p/tt/0", "take_that")])
def test_a_link_to_a_puzzle_asks_and_does_not_tell(client, link, game):
    answered = client.ask("GET", link, headers={"host": "cards.example.org"})
    said = Crawler(answered.text).said
    number = int(link.rpartition("/")[2])
    position = puzzles_of(game)[number]["position"]
    assert said["og:title"] == f"{game_of(game).title}: puzzle {number}" and said["og:description"] == "What would you lay?"
    assert said["og:url"] == f"https://cards.example.org{link}" and position not in answered.text.partition("</head>")[0]
    image = client.ask("GET", f"{link}.svg").text
    assert "What would you lay?" in image and "best" not in image and f"({position})" not in image
    assert image.count("<g") == client.ask("GET", Shared(game_of(game), position).path + ".svg", "plain=1").text.count("<g")


def test_a_puzzle_that_is_not_there_says_so(client):
    for link in ("/p/f2f/1000", "/p/f2f/x", "/p/f2f/" + "9" * 5000, "/p/f2f/-1", "/p/f2f/"):
        answered = client.ask("GET", link)
        assert answered.status == 400 and "has no puzzle" in answered.record["detail"], link
        assert client.ask("GET", link, headers={"accept": "text/html"}).status == 404
    assert client.ask("GET", "/p/chess/1").status == 404


def test_a_short_link_to_a_sheet_for_paper_leads_there(client):
    for sheet in ("f2f/10-15,40", "tt/15.43.44_21.53_51-62-35~12_13_14"):
        answered = client.ask("GET", f"/print/{sheet}")
        assert (answered.status, answered.headers["location"]) == (308, f"../../print.html#{sheet}")
    assert [client.ask("GET", f"/print/{name}").status for name in ("chess/1", "f2f/x", "f2f")] == [404] * 3


def test_public_addresses():
    assert read_public_url("http://box.local:8000/") == "http://box.local:8000"
    for wrong in ("box.local", "ftp://a", "https://a/b", 'https://a"b', "https://", ""):
        with pytest.raises(UsageError, match="without a path"):
            read_public_url(wrong)


def test_a_picture_without_its_answer_tells_nothing():
    path = "/f2f/52a6vh16.18.19.57_53a15vh4.7.29.44.svg"
    told, plain = (web.Client().ask("GET", path, query).text for query in ("from=chat", "from=chat&plain=1"))
    assert "win in 3" in told and "best" in told
    assert "win in" not in plain and "best" not in plain and plain.count("<g") == told.count("<g")


def test_icons_for_systems_that_install_the_page_are_png_where_pictures_can_be_made(monkeypatch):
    monkeypatch.setattr(page_module, "find_spec", lambda name: name)
    monkeypatch.setattr(page_module, "png_of", str.encode)
    client = web.Client()
    icons = json.loads(client.ask("GET", "/page.webmanifest").body)["icons"]
    assert [one["sizes"] for one in icons] == ["any", "192x192", "512x512"]
    for one in icons[1:]:
        made = client.ask("GET", f"/v/0a1b/{one['src']}")
        assert made.headers["content-type"] == "image/png"
        assert "x".join(re.search(r'width="(\d+)" height="(\d+)"', made.text).groups()) == one["sizes"]
    assert client.ask("GET", "/icon-9999.png").status == 404
    monkeypatch.setattr(api, "makes_png", lambda: False)
    without = web.Client()
    assert [one["src"] for one in json.loads(without.ask("GET", "/page.webmanifest").body)["icons"]] == ["icon.svg"]
    assert without.ask("GET", "/icon-192.png").status == 404
