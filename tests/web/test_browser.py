"""The page in a real browser: Chromium, driven by playwright. `make browser-test` installs both and runs these tests.

BACKTRICK_BROWSER=firefox takes the Firefox on the path, which playwright drives by WebDriver BiDi: release 1.57 drives Firefox 153.
Without playwright, the browser or the extra `web` they are skipped. The screenshots in docs/images are made again by
`BACKTRICK_SCREENSHOTS=1 python -m pytest tests/web/test_browser.py -k screenshot`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from urllib.parse import parse_qs, quote, urlsplit

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: scripts/page/install_browser.py installs it")
pytest.importorskip("uvicorn", reason="needs the extra web: pip install 'backtrick[web]'")

import make_page  # noqa: E402
import static_page  # noqa: E402
from backtrick.bounds import Bounds  # noqa: E402
from backtrick.games import game_of, whole_game_of  # noqa: E402
from backtrick.notation import spelled  # noqa: E402
from backtrick.web.page import Shared  # noqa: E402
from backtrick.web.parameters import plain  # noqa: E402
from backtrick.web.puzzles import puzzle_of_day  # noqa: E402
from command import ROOT  # noqa: E402

FIREFOX = os.environ.get("BACKTRICK_BROWSER") == "firefox"
NAMES = ("firefox", "firefox-esr") if FIREFOX else ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
if BROWSER is None:
    pytest.skip("needs Chromium: scripts/page/install_browser.py installs it", allow_module_level=True)

pytestmark = pytest.mark.timeout(300, func_only=True)
"""A busy machine takes its time, and the first test that needs the page without a server has it made."""

AXE = ROOT / "build" / "browser" / "axe.min.js"
IMAGES = ROOT / "docs" / "images"
WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 360, "height": 740}
SIZES = {
    name: {"width": width, "height": height}
    for name, width, height in (
        ("reflow", 320, 640), ("phone", 360, 640), ("landscape", 740, 360), ("zoomed", 640, 400),
        ("laptop", 1366, 657), ("desk", 1280, 800), ("large", 2560, 1440),
    )
}  # fmt: skip

FACE, TAKE = "face_to_face", "take_that"
START = {FACE: "52^6v:16,18,19,57 53^15v:4,7,29,44", TAKE: "15,43,44 21,53 51-62-35"}
DEALS = {FACE: "27^40v:17,18,45+9,33,50 13^50v:5,12+4,7", TAKE: "12,43,94 21,76 34-41-49 55,63"}
FULL = {
    FACE: "41^10v:11,21,26,36,46,56 49^8v:10,19,20,29,43,53",
    TAKE: "24,39,49,51,63,66,67,75,79 15,26,27,41,42,44,46,64,97 36",
}
MODES = ("look", "play", "puzzles", "enter", "share")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of a server of its own."""
    command = [sys.executable, "-m", "backtrick", "serve", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
    said = server.stdout.readline()
    found = re.search(r"http://[\d.]+:\d+", said)
    assert found, said
    yield found[0]
    server.terminate()
    assert server.wait(20) == 143


@contextmanager
def static_server() -> Iterator[str]:
    """Serves the files of the page without a server."""
    command = [sys.executable, "-u", "-m", "http.server", "-d", str(static_page.made()), "--bind", "127.0.0.1", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    yield re.search(r"http://[\d.]+:\d+", server.stdout.readline())[0]
    server.kill()
    server.wait(20)


@pytest.fixture(scope="module")
def static_address() -> Iterator[str]:
    """Of the page without a server."""
    with static_server() as address:
        yield address


BOTH = pytest.mark.parametrize("desk", ["address", "static_address"], indirect=True)
"""With a server, and without."""
CHROMIUM = pytest.mark.skipif(FIREFOX, reason="playwright has paper, downloads, the pace of time and less motion in Chromium alone")
IN_EVERY_SIZE = pytest.mark.parametrize("desk", SIZES, indirect=True)
BY_TOUCH = pytest.mark.parametrize("desk", ["touch"], indirect=True)


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with sync_api.sync_playwright() as playwright:
        if FIREFOX:
            likewise = {"ui.useOverlayScrollbars": 1, "ui.primaryPointerCapabilities": 6}  # as in Chromium: no bars, and a mouse
            started = playwright.firefox.launch(channel="moz-firefox", executable_path=BROWSER, firefox_user_prefs=likewise)
        else:
            started = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield started
        started.close()


class Desk:
    """One window with the page, and the words of the tests."""

    def __init__(self, browser, address, viewport=WIDE, **more):
        self.context = browser.new_context(viewport=viewport, accept_downloads=True, **more)
        self.context.set_default_timeout(60_000)
        self.page = self.context.new_page()
        self.address, self.faults, self.requests = address, [], []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._noted)
        self.page.on("request", lambda request: self.requests.append(request.url))

    def may_copy(self):
        """Allows copying; in Firefox, which asks a person, what is copied stays in the page."""
        if not FIREFOX:
            self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        else:
            self.context.add_init_script("""let kept = "";
                const own = { writeText: async (text) => { kept = text; }, readText: async () => kept };
                Object.defineProperty(navigator, "clipboard", { value: own });""")

    def _noted(self, message):
        if message.type == "error" and "400 (Bad Request)" not in message.text:  # the browser says so of every refusal
            self.faults.append(message.text)

    def open(self, game=FACE, start=None, **more):
        state = {"game": game, "start": spelled(start or START[game]), "list": "all", **more}
        self.go(f"{self.address}/#" + "&".join(f"{name}={value}" for name, value in state.items()))
        self.page.wait_for_selector("#symbols symbol", state="attached")
        self.page.wait_for_selector("#table .board, #table .problem")
        return self

    def go(self, address):
        """Where only what follows # changes nothing is loaded, and in Firefox playwright would wait for that for ever."""
        if address.partition("#")[0] == self.page.url.partition("#")[0]:
            self.page.evaluate("(address) => location.assign(address)", address)
        else:
            self.page.goto(address)

    def slow_down(self):
        """Every answer of the server comes after half a second."""
        wait = "new Promise((go) => setTimeout(go, 500))"
        self.page.add_init_script(f"const soon = fetch; fetch = (...asked) => {wait}.then(() => soon(...asked));")

    def key(self, name):
        return self.page.locator(f'[data-key="{name}"]')

    def click(self, *names):
        for name in names:
            self.key(name).first.click()

    def see(self, text, where="body"):
        found = "([where, text]) => [...document.querySelectorAll(where)].some((one) => one.innerText.includes(text))"
        self.page.wait_for_function(found, arg=[where, text])

    def shows(self, position):
        found = "(position) => document.querySelector('#table').dataset.position === position"
        self.page.wait_for_function(found, arg=spelled(position))

    def plays(self, game):
        self.page.wait_for_function("(game) => document.documentElement.dataset.game === game", arg=game)

    def hash(self, part):
        self.page.wait_for_function("(part) => location.hash.includes(part)", arg=part)

    def holds(self, seat, cards):
        """The hand shows these cards, a moment later at most: the board is drawn after the address has changed."""
        found = "([where, cards]) => [...document.querySelectorAll(where)].map((one) => one.dataset.card).join() === cards"
        self.page.wait_for_function(found, arg=[f'[data-zone="hand-{seat}"].card', ",".join(map(str, cards))])

    def shows_draft(self, text):
        self.page.wait_for_function("(text) => document.querySelector('#notation').value === text", arg=text)

    def hand(self, seat):
        return [int(one.get_attribute("data-card")) for one in self.page.locator(f'[data-zone="hand-{seat}"].card').all()]

    def close(self):
        self.context.close()
        assert self.faults == []
        outside = [url for url in self.requests if not url.startswith((self.address, "blob:", "data:"))]
        assert outside == [], "no request goes elsewhere"


@pytest.fixture
def desk(request, browser) -> Iterator[Desk]:
    """The parameter is the name of a size, of the page without a server, or `touch`."""
    asked = getattr(request, "param", "address")
    if asked == "touch" and FIREFOX:
        pytest.skip("playwright makes a screen that is touched of Chromium alone")
    more = {"viewport": PHONE, "has_touch": True, "is_mobile": True} if asked == "touch" else {"viewport": SIZES.get(asked, WIDE)}
    desk = Desk(browser, request.getfixturevalue("static_address" if asked == "static_address" else "address"), **more)
    yield desk
    desk.close()


# Enter


def test_enter_by_clicks_face_to_face(desk):
    desk.open(mode="enter")
    desk.click("clear")
    desk.see("it is empty, so the game was over before this turn", ".refusal")
    desk.page.locator('[data-key="slot-hand-0"]').check()
    desk.click("deck-17", "deck-18", "deck-45")
    desk.page.locator('[data-key="slot-pile-0^"]').check()
    desk.click("deck-27")
    desk.page.locator('[data-key="slot-pile-0v"]').check()
    desk.click("deck-40")
    desk.page.locator('[data-key="slot-hand-1"]').check()
    desk.click("deck-5", "deck-12", "deck-33", "deck-33")  # the last one goes back
    desk.see("\u2713 well-formed")
    assert desk.key("notation").input_value() == "27^40v:17,18,45 1^60v:5,12"
    desk.click("use-draft")
    desk.see("win in 1", ".headline")
    desk.page.mouse.move(5, 5)  # otherwise the turn under the pointer is on the table
    desk.page.wait_for_selector("[data-key='hand-0:17']")
    desk.holds(0, [17, 18, 45])
    desk.holds(1, [5, 12])


def test_an_answer_that_comes_while_a_button_is_held_does_not_swallow_the_click(desk):
    desk.open(mode="enter", draft="27a40vh17_13a50vh5.12")
    desk.see("\u2713 well-formed")
    desk.key("deck-18").hover()
    desk.page.mouse.down()
    desk.page.evaluate("window.dispatchEvent(new PopStateEvent('popstate'))")  # all is drawn again, as after an answer
    desk.page.wait_for_timeout(150)
    desk.page.mouse.up()
    desk.hash("draft=27a40vh17.18_")


@BOTH
def test_enter_by_clicks_take_that(desk):
    desk.open(TAKE, mode="enter")
    desk.click("clear", "deck-43", "deck-15", "deck-44")
    desk.page.locator('[data-key="slot-hand-1"]').check()
    desk.click("deck-21", "deck-53")
    desk.page.locator('[data-key="slot-line"]').check()
    desk.click("deck-51", "deck-62", "deck-35")
    desk.see("\u2713 well-formed")
    desk.click("use-draft")
    desk.see("+6 points", ".headline")
    desk.plays(TAKE)


def test_enter_by_notation_tells_the_game(desk):
    desk.open(mode="enter")
    desk.key("notation").fill(START[TAKE])
    desk.plays(TAKE)
    desk.see("\u2713 well-formed")
    desk.key("notation").fill("27^40v:17,18,45 13^50v:5,12")
    desk.hash("draft=27a40vh17.18.45_13a50vh5.12")
    desk.see("\u2713 well-formed")
    desk.click("use-draft")
    desk.see("win in 1", ".headline")


@pytest.mark.parametrize(
    ("game", "text", "card", "said", "rule"),
    [
        (FACE, "52^6v:16,18,19,57 53^15v:4,7,29,44+4", "draw-1:4", "a colour has each number once", "F1"),
        (FACE, "52^6v:16,18,19,57 16^16v:4,7,29", "hand-0:16", "places for a number that exists twice", "F1"),
        (FACE, "52^6v:16,60 53^15v:4", "hand-0:60", "the number cards are 2..59", "F1"),
        (TAKE, "15,43,44 21,53 51-43", "hand-0:43", "there is one card of each number", "T1"),
        (TAKE, "15,40 21 51", "hand-0:40", "the cards are 12..98 without", "T1"),
    ],
)
def test_what_is_not_well_formed_is_said_beside_the_card(desk, game, text, card, said, rule):
    desk.open(game, mode="enter", draft=spelled(text))
    desk.see(said, ".refusal")
    assert rule in desk.page.locator("#wrong .rule").inner_text()
    assert "wrong" in desk.key(card).get_attribute("class")
    zone, number = card.split(":")
    below = desk.key(card).evaluate("(one) => getComputedStyle(one, '::before').content + one.dataset.card")
    assert below in (f'"{number}"{number}', f"attr(data-card){number}"), "also of a card that has no picture"
    assert desk.page.locator(f'[data-zone="{zone}"] #wrong').count() == 1
    assert desk.key("use-draft").get_attribute("aria-disabled") == "true"


def test_no_sentence_of_the_server_is_read(desk):
    """They may come in another language."""

    def translated(route):
        reply = route.fetch()
        text = re.sub(r'("(detail|problem)": ?)"[^"]*"', '\\1"\u2026"', reply.text())
        route.fulfill(status=reply.status, content_type="application/json", body=text)  # whose own headers speak of gzip

    desk.page.route(re.compile(r"/(look|check)\?"), translated)
    desk.open(mode="enter", draft=spelled("52^6v:16,18,19,57 53^15v:4,7,29,44+4"))
    desk.see("\u2026", '[data-zone="draw-1"] #wrong')
    assert "wrong" in desk.key("draw-1:4").get_attribute("class")
    desk.open(why="16v_18ao_57a")
    desk.see("\u2026 rule F", ".stuck-cards")


def test_malformed_notation_and_addresses_say_what_is_wrong(desk):
    desk.open(mode="enter", draft="52a6vh16.x")
    desk.see("Column 10: Expected a number, found 'x'", "#notation-state")
    assert desk.key("notation").get_attribute("aria-invalid") == "true"
    desk.go(f"{desk.address}/#game=face_to_face&start=hello&turns=nonsense~%zz&n=99&mode=nowhere")
    desk.page.reload()
    desk.see("Column 1: Expected a number, found 'h'", ".problem")
    desk.go(f"{desk.address}/#game=chess")
    desk.see("There is no such game here, only Face to Face and Take That.", "#note")


@pytest.mark.parametrize(("game", "view", "told"), [
    (FACE, "27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,7,12", "33 %"), (TAKE, "12,43,94 ?2 34-41-49 ?2", "+2.2"),
])  # fmt: skip
def test_hidden_cards_lead_to_odds(desk, game, view, told):
    """Somebody at a table does not see the opponent's hand."""
    desk.open(game, mode="enter", draft=spelled(DEALS[game]))
    desk.click("as-seen")
    if game == FACE:
        assert desk.key("notation").input_value() == view
    else:
        assert desk.key("notation").input_value().startswith(f"{view} !13,14,")
    desk.see(told, ".odds")
    hands, piles = [desk.page.locator(f".board {where} span.card").count() for where in (".seat-1 .hand", ".stack")]
    assert (hands, piles) == (2, 2 if game == FACE else 1), "what the mover does not see lies face down"
    assert desk.hand(0) == ([17, 18, 45] if game == FACE else [12, 43, 94])
    assert desk.key("use-draft").get_attribute("aria-disabled") == "true"
    desk.page.go_back()
    desk.page.wait_for_selector('[data-key="as-seen"]')


def test_hidden_cards_lead_to_what_to_play(desk):
    """In the last turns of the draw piles the page says what a hand is worth, and what it plays."""
    pytest.importorskip("scipy")
    refused = []
    desk.page.on("response", lambda one: one.status >= 400 and refused.append(one.url))
    desk.open(FACE, mode="enter", draft="")
    desk.key("notation").fill("45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12")
    desk.see("you win 50 % of the games", ".plan")
    desk.see("100 %", '.plan [data-turn="33^\' 50^"]')
    desk.key("notation").fill("27^40v:17,18,45+?9,33,50,55,58 13^50v:?2:4,5,7,12")
    desk.page.wait_for_selector(".plan", state="detached")
    desk.see("%", ".odds")
    assert refused == [], "with five cards in a pile nobody asks for a plan"


def test_a_draft_is_asked_about_and_its_table_stays_while_one_types(desk):
    refused = []
    desk.page.on("response", lambda one: one.status >= 400 and refused.append(one.url))
    desk.open(mode="enter", draft=spelled(START[FACE]))
    cards = desk.page.locator("#table .card").count()
    desk.key("notation").fill(START[FACE][:-11])
    desk.page.wait_for_selector(".board.stale")
    assert desk.page.locator("#table .card").count() == cards
    desk.see("Column 24: ", "#notation-state")
    desk.click("clear")
    desk.see("It is empty", "#notation-state")
    assert refused == [], "a draft is no fault"


@BY_TOUCH
def test_on_a_phone_the_table_stays_in_sight_while_cards_are_chosen(desk):
    desk.open(mode="enter", draft="1a60vh_1a60vh")
    taps = [f"deck-{card}" for card in (16, 18, 19, 30, 31, 57, 52, 6)]
    for tap in taps:  # the hand is full, so the ascending pile comes next, and then the descending one
        desk.key(tap).tap()
    desk.shows_draft("52^6v:16,18,19,30,31,57 1^60v:")
    box = desk.page.locator("#table .board").bounding_box()
    assert -1 <= box["y"] < PHONE["height"] / 2, "it has not been scrolled away"


@pytest.mark.parametrize("mode", MODES)
@BY_TOUCH
def test_what_is_tapped_is_large_enough(desk, mode):
    desk.open(mode=mode, draft=spelled(START[FACE]))
    desk.page.wait_for_selector("#panel > *")
    where = "nav a, .random, .bar button, .chip, .buttons button, select, .row, .step, .fold, #foot button, .cell"
    small = f"""[...document.querySelectorAll('{where}')].map((one) => [one.dataset.key, one.getBoundingClientRect().height])
        .filter(([, height]) => height > 0 && height < 43.9)"""
    assert desk.page.evaluate(small) == []


def test_a_file_is_leafed_through(desk, tmp_path):
    listed = tmp_path / "positions.txt"
    listed.write_text(f"# some\n{START[FACE]}\twin\t3\n" + json.dumps({"position": START[TAKE]}) + "\n")
    desk.open(mode="enter")
    desk.key("file").set_input_files(listed)
    desk.see("Position 1 of 2")
    assert desk.key("notation").input_value() == START[FACE]
    desk.click("file-next")
    desk.see("Position 2 of 2")
    desk.plays(TAKE)


# Look


@BOTH
@pytest.mark.parametrize("game", [FACE, TAKE])
def test_outcomes_are_grouped_by_value_and_filtered(desk, game):
    outcomes = game_of(game).outcomes(game_of(game).parse(START[game]))
    desk.open(game)
    desk.page.wait_for_selector(".rows li")
    shown = [one.get_attribute("data-turn") for one in desk.page.locator(".rows > li").all()]
    assert shown == [str(one.turn) for one in outcomes]
    assert desk.page.locator(".group").count() == len({one.value for one in outcomes})
    card = START[game].split(":")[-2 if game == FACE else 0].split(" ")[0].split(",")[1]
    desk.click(f"only-{card}")
    desk.hash(f"only={card}")
    kept = [one.get_attribute("data-turn") for one in desk.page.locator(".rows > li").all()]
    assert kept == [turn for turn in shown if card in re.split(r"\D+", turn)] and len(kept) < len(shown)


@pytest.mark.parametrize(("game", "marks", "lay"), [
    (FACE, {"16v": "W3", "18v'": "W3", "57^": "L2", "16^": "\u2715"}, "16v"),
    (TAKE, {"44": "+6", "43": "+4", "15x51": "\u22121", "take": "\u22123", "15": "\u2715"}, "44"),
])  # fmt: skip
def test_a_grid_says_what_may_be_laid_where_and_what_it_is_worth(desk, game, marks, lay):
    desk.open(game, list="")
    desk.page.wait_for_selector(".cell.win")
    assert {play: desk.key(f"cell-{play}").inner_text() for play in marks} == marks
    assert not desk.page.locator(".rows li").count(), "the list is behind a click"
    blocked = next(play for play, mark in marks.items() if mark == "\u2715")
    desk.click(f"cell-{blocked}")
    desk.page.wait_for_selector(".refusal .rule")
    desk.click("list")
    desk.page.wait_for_selector(".rows li")
    desk.click(f"cell-{lay}")
    desk.hash(f"laid={spelled(lay)}" if game == FACE else f"turns={lay}")


def test_triangles_are_piles_and_nothing_else(desk):
    desk.open(laid="")
    desk.page.wait_for_selector(".cell.win")
    marks = desk.page.locator(".worth, .grade, .value, .fold").all_inner_texts()
    assert marks and not [mark for mark in marks if set(mark) & set("\u25b2\u25bc\u25b8\u25be")]
    worth = desk.page.locator(".headline .worth")
    assert worth.inner_text() == "W", "a word, a colour and a shape"
    shape = "(one) => getComputedStyle(one).borderRadius"
    shapes = {desk.page.locator(f".cell .worth.{kind}").first.evaluate(shape) for kind in ("win", "loss")}
    assert len(shapes) == 2, "a circle and a square"


def test_the_turn_under_the_pointer_is_shown_on_the_table(desk):
    desk.open()
    desk.page.locator('[data-key="row-16v 18v\'"]').hover()
    desk.page.wait_for_selector('.preview [data-key="pile-0v:16"].fresh')
    desk.see("preview", ".board .previewed")
    desk.holds(0, [19, 57])
    desk.page.mouse.move(5, 5)
    desk.page.wait_for_selector('[data-key="pile-0v:6"]')


@BOTH
def test_why_names_the_reply_and_the_card_that_cannot_be_laid(desk):
    desk.open()
    desk.click("row-16v 18^' 57^")
    desk.see("throws the win away", ".why")
    desk.see("The reply that refutes it is", ".why")
    desk.see("In the end you are stuck", ".why")
    assert "rule F6" in desk.page.locator(".stuck-cards").inner_text()
    desk.hash("why=16v_18ao_57a")


@pytest.mark.parametrize(("game", "card", "partner"), [(FACE, "hand-0:19", "hand-1:29"), (TAKE, "hand-0:15", "line:51")])
def test_partners_are_marked_when_a_card_is_touched(desk, game, card, partner):
    desk.open(game)
    desk.key(card).hover()
    desk.page.wait_for_selector(f'[data-key="{partner}"].partner')
    assert partner.split(":")[1] in desk.page.locator("#note").inner_text()


@pytest.mark.parametrize("game", [FACE, TAKE])
def test_a_deal_shows_its_draw_piles_in_order(desk, game):
    desk.open(game, DEALS[game])
    found = [int(one.get_attribute("data-card")) for one in desk.page.locator(".stack .card").all()]
    assert found == ([9, 33, 50, 4, 7] if game == FACE else [55, 63])  # the seat to move first, as Tab goes
    desk.page.wait_for_selector(".headline .value, .headline .note")


@BOTH
def test_values_follow_the_cards_that_are_laid(desk):
    desk.open()
    desk.page.wait_for_selector('[data-key="hand-0:16"] .worth.win')
    assert desk.page.locator('[data-key="hand-0:57"] .worth.loss').count() == 1
    desk.click("hand-0:18")
    desk.page.wait_for_selector('[data-key="pile-1v:15"] .worth.win')
    assert desk.page.locator('[data-key="pile-1^:53"] .worth.loss').count() == 1
    assert "at best: You win in 3" in desk.key("pile-1v:15").get_attribute("aria-label")
    desk.click("pile-1v:15")
    desk.see("Still winning: 1 of 3 completions", ".headline")
    desk.see("3 outcomes", ".outcomes h3")
    desk.open(laid="57a")
    desk.see("Losing: 0 of", ".headline")
    desk.open(TAKE)
    desk.page.wait_for_selector('[data-key="hand-0:44"] .worth.win')
    desk.click("hand-0:44")
    assert desk.key("line:end").locator(".worth").inner_text() == "+6"


# Play


@BOTH
def test_cards_are_laid_one_by_one_and_refusals_say_why(desk):
    desk.open(mode="play")
    desk.click("hand-0:18")
    assert "target" in desk.key("pile-1v:15").get_attribute("class")
    assert "blocked" in desk.key("pile-0^:52").get_attribute("class")
    desk.click("pile-0^:52")
    desk.see("18 is neither higher than 52 nor exactly 10 lower", ".refusal")
    desk.see("rule F5", ".refusal")
    desk.click("pile-1v:15")
    desk.hash("laid=18vo")
    assert desk.key("end-turn").get_attribute("aria-disabled") == "true"
    desk.click("hand-0:16", "pile-0v:6")
    desk.hash("laid=18vo_16v")
    desk.click("take-back")
    desk.page.wait_for_function("() => !location.hash.includes('16v')")
    desk.click("hand-0:16", "pile-0v:6", "end-turn")
    desk.hash("turns=18vo_16v")
    desk.see("best", ".history .grade")


def test_a_card_is_dragged(desk):
    def drag(card):
        begin, end = desk.key(card).bounding_box(), desk.key("line:end").bounding_box()
        desk.page.mouse.move(begin["x"] + 20, begin["y"] + 20)
        desk.page.mouse.down()
        desk.page.mouse.move(end["x"] + 20, end["y"] + 30, steps=6)
        assert desk.page.locator(".dragged").count() == 1
        desk.page.mouse.up()

    desk.open(TAKE, mode="play")
    drag("hand-0:44")
    desk.hash("turns=44")
    desk.page.wait_for_selector(".seat-1.mover .live")
    drag("hand-1:21")
    desk.see("21 differs from the right-most card 44 by more than 10", ".refusal")


@BOTH
@pytest.mark.parametrize("game", [FACE, TAKE])
def test_a_game_to_its_end_against_the_perfect_player(desk, game):
    solver = game_of(game)
    desk.open(game, mode="play", seats="human~perfect", values="off")
    position, n = solver.parse(START[game]), 0
    value = solver.solve(position).value
    while True:
        turn = solver.best_turn(position)
        for play in str(turn).split():
            lay(desk, game, play)
        if game == FACE and len(turn) < len(position.mover.hand):
            desk.click("end-turn")
        n += 1
        desk.page.wait_for_function("(n) => document.querySelectorAll('.step').length > n", arg=n)
        _, position = solver.play(position, turn, solver.published)
        if position is None or solver.best_turn(position) is None:
            break
        reply = solver.best_turn(position)
        _, position = solver.play(position, reply, solver.published)
        n += 1
        desk.page.wait_for_function("(n) => document.querySelectorAll('.step').length > n", arg=n)
        if position is None or solver.best_turn(position) is None:
            break
    desk.see("The game is over. You have won." if value > 0 else "The game is over.", ".headline")
    desk.page.wait_for_function("(n) => document.querySelectorAll('.history .grade.good').length === n", arg=n)
    if game == TAKE:
        tags = [desk.page.locator(f".seat-{seat} .tag.points").inner_text().replace("\u2212", "-") for seat in (0, 1)]
        points = [int(re.search(r"[+-]?\d+", one)[0]) for one in tags]
        assert points[0] - points[1] == value


def lay(desk, game, play):
    if game == FACE:
        card, spot = re.fullmatch(r"(\d+)([\^v]'?)", play).groups()
        desk.click(f"hand-0:{card}")
        desk.page.locator(f'[data-zone="pile-{1 if spot.endswith(chr(39)) else 0}{spot[0]}"].card').click()
        desk.page.wait_for_function("(card) => !document.querySelector(`[data-key='hand-0:${card}']`)", arg=card)
    elif play == "take":
        desk.click("end-turn")
    else:
        card, _, twin = play.partition("x")
        desk.click(f"hand-0:{card}", f"line:{twin or 'end'}")


def test_undo_redo_and_another_turn(desk):
    desk.open(turns="16v_18vo~4v_7ao", mode="play", values="off")
    desk.click("undo")
    desk.hash("n=1")
    desk.click("undo")
    desk.hash("n=0")
    desk.holds(0, [16, 18, 19, 57])
    desk.click("redo")
    desk.hash("n=1")
    desk.holds(0, [19, 57])
    desk.page.go_back()
    desk.hash("n=0")
    lay(desk, FACE, "57^")
    lay(desk, FACE, "16v")
    desk.click("end-turn")
    desk.hash("turns=57a_16v")
    desk.see("throws the win away", ".history")
    assert "7ao" not in desk.page.url


def test_undo_against_the_perfect_player_goes_back_to_the_own_turn(desk):
    desk.open(turns="16v_18vo~4v_7ao", mode="play", seats="human~perfect")
    desk.click("undo")
    desk.hash("n=0")
    desk.page.wait_for_timeout(900)
    assert "n=0" in desk.page.url, "the perfect player does not answer what was taken back"


def test_stepping_through_the_best_line(desk):
    desk.open()
    desk.click("follow")
    desk.hash("turns=16v_18vo~4v_7ao~19a_57a")
    desk.hash("laid=16v")
    desk.hash("n=1")
    desk.see("The game is over. You have won.", ".headline")  # by itself, card by card
    desk.click("first")
    desk.hash("n=0")
    desk.click("redo")
    desk.hash("n=1")
    desk.click("redo")
    desk.hash("n=2")


def test_what_if_from_anywhere(desk):
    desk.open(turns="16v_18vo")
    desk.click("mode-enter")
    desk.hash("draft=53a18vh4.7.29.44_52a16vh19.57")
    desk.holds(0, [4, 7, 29, 44])


@BOTH
@pytest.mark.parametrize("game", [FACE, TAKE])
def test_a_whole_game_against_a_player_with_own_cards_only(desk, game):
    desk.open(game, mode="play")
    desk.click("whole-game")
    desk.hash("cards=own")
    desk.page.wait_for_selector(".draw")
    assert desk.hand(1) == [] and desk.page.locator(".seat-1 .hand .card").count() == len(desk.hand(0))
    assert desk.page.locator("[data-zone^=draw][data-card]").count() == 0
    for _ in range(2):
        turns = desk.page.locator(".step").count()
        for _ in range(2 if game == FACE else 1):
            laid, layable = desk.page.url, desk.page.locator(".live .card:not(.stuck)")
            if game == TAKE and not layable.count():
                desk.click("end-turn")  # nothing fits: the line is taken, and a card opens the next one
            layable.first.click()
            desk.page.locator(".target").first.click()
            desk.page.wait_for_function("(laid) => location.href !== laid", arg=laid)
            desk.page.wait_for_timeout(200)
        if game == FACE:
            desk.click("end-turn")
        desk.page.wait_for_function("(turns) => document.querySelectorAll('.step').length > turns + 1", arg=turns or 1)
        desk.page.wait_for_selector(".seat-0.mover .live .card")
    assert desk.page.locator(".history .grade").count() == 0, "a grade would tell of hidden cards"
    desk.click("cards")
    desk.page.wait_for_selector('[data-zone="hand-1"].card')
    assert len(desk.hand(1)) > 0


# Puzzles


def wrong_turn_of(game, number):
    position = game_of(game).parse(puzzles_of(game)[number]["position"])
    return game_of(game).outcomes(position)[-1].turn


def puzzles_of(game):
    return [json.loads(line) for line in (ROOT / f"solver/backtrick/web/puzzles/{game}.jsonl").read_text().splitlines()]


@BOTH
@pytest.mark.parametrize("game", [FACE, TAKE])
def test_a_puzzle_is_solved_and_played_on(desk, game):
    listed = puzzles_of(game)
    number = 3
    desk.open(game, listed[number]["position"], mode="puzzles", puzzle=number, seats="human~perfect", values="off")
    desk.see(f"Puzzle {number}", "#panel")
    assert desk.page.locator(".rows").count() == 0
    wrong = wrong_turn_of(game, number)
    for turn in (str(wrong), listed[number]["turn"]):
        for play in turn.split():
            lay(desk, game, play)
        if game == FACE and "turns=" not in desk.page.url:
            desk.click("end-turn")
        desk.hash("turns=")
        if turn == str(wrong):
            desk.see("Not this one. 2 tries left.", ".ending")
            desk.see("Not this one", ".headline")
            desk.click("try-again")
            desk.page.wait_for_function("() => !location.hash.includes('turns=')")
    desk.see("Solved by try 2", ".ending")
    desk.see("This is the only one.", ".headline")
    desk.click("play-on")
    desk.page.wait_for_function("() => document.querySelectorAll('.step').length > 2")


def test_puzzles_by_difficulty(desk):
    desk.open(mode="puzzles")
    desk.key("level").select_option("5")
    desk.click("next-puzzle")
    desk.see("very hard", "#panel p")
    desk.page.wait_for_function("() => /p.f2f.[89][0-9][0-9]$/.test(location.pathname)")


@BOTH
def test_the_first_screen_asks(desk):
    desk.page.clock.install(time="2026-11-23T12:00:00Z")
    desk.page.goto(f"{desk.address}/")
    desk.see("Puzzle of the day, November 23", ".headline")
    desk.see("You hold 6 cards. One turn wins.", ".headline")
    assert desk.page.locator(".value, .worth").count() == 0, "the answer is not told"
    desk.see("every endgame of two card games", ".about")
    desk.click("about-rules")
    desk.page.wait_for_selector("dialog[open]")
    desk.click("close-rules")
    desk.click("game-take_that")
    desk.see("One turn is best. Find it.", ".headline")
    desk.click("about-look")
    desk.page.wait_for_selector(".cell.win")


@pytest.mark.parametrize(("game", "told"), [(FACE, "Get rid of all your cards"), (TAKE, "lay a card, twist one, or take the line")])
def test_who_has_tried_no_puzzle_yet_is_told_the_game(desk, game, told):
    desk.go(f"{desk.address}/#game={game}&mode=puzzles&puzzle=3")
    desk.see(told, "#panel")
    desk.click("new-rules")
    desk.page.wait_for_selector("dialog[open]")
    desk.click("close-rules")
    one = puzzles_of(game)[3]
    desk.open(game, one["position"], mode="puzzles", puzzle=3, turns=spelled(one["turn"]), seats="human~perfect", values="off")
    desk.see("Solved at once", ".ending")
    desk.click("step-0")
    desk.see("Only one", "#panel")
    assert told not in desk.page.locator("#panel").inner_text() and not desk.key("new-rules").count()


@BOTH
def test_a_wrong_try_is_answered(desk):
    """What is wrong with it is told, and not what is right."""
    one = puzzles_of(FACE)[3]
    turn = spelled(str(wrong_turn_of(FACE, 3)))
    desk.open(FACE, one["position"], mode="puzzles", puzzle=3, turns=turn, seats="human~perfect", values="off")
    desk.see("Not this one. 2 tries left.", ".ending")
    desk.see("The opponent answers", ".ending")
    desk.see("You lose.", ".ending")
    desk.click("reply")
    desk.page.wait_for_selector(".board.preview .fresh")
    assert one["turn"] not in desk.page.locator("body").inner_text()


def test_what_a_turn_lacks_is_said_while_it_is_laid(desk):
    desk.open(mode="play")
    lay(desk, FACE, "16v")
    desk.see("a turn lays at least two cards", ".laid")
    lay(desk, FACE, "18v'")
    desk.page.wait_for_function("() => !document.querySelector('.laid small')")


def test_no_card_moves_to_the_rules_and_back(desk):
    desk.open(mode="play")
    desk.page.evaluate("""() => {
        window.moved = [];
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...how) { window.moved.push(this.dataset.key); return animate.call(this, ...how); };
    }""")
    desk.click("rules")
    desk.page.wait_for_selector("dialog[open]")
    desk.click("close-rules")
    desk.page.wait_for_selector("dialog", state="detached")
    assert desk.page.evaluate("window.moved") == []


@pytest.mark.parametrize("desk", ["static_address", "address"], indirect=True)
def test_a_puzzle_has_three_tries_and_a_result_without_the_answer(desk):
    desk.may_copy()
    one = puzzles_of(FACE)[3]
    wrong = [str(each.turn) for each in game_of(FACE).outcomes(game_of(FACE).parse(one["position"]))[-3:]]
    for said, turn in zip(("2 tries left", "One try left", "Not found"), wrong, strict=True):
        desk.open(FACE, one["position"], mode="puzzles", puzzle=3, turns=spelled(turn), seats="human~perfect", values="off")
        desk.see(said, ".ending")
    desk.open(FACE, one["position"], mode="puzzles", puzzle=3, turns=spelled(one["turn"]), seats="human~perfect", values="off")
    desk.see("Not found", ".ending")  # what is found later does not count
    desk.see("This is the only one.", ".headline")
    assert "Solved" not in desk.page.locator("body").inner_text()
    desk.click("copy-result")
    desk.see("Copied", "#status")
    told = desk.page.evaluate("navigator.clipboard.readText()")
    assert "\U0001f7e7" * 3 + " X/3" in told and "\U0001f7e7" * 4 not in told
    assert told.endswith(("/p/f2f/3", "puzzle=3"))
    assert one["turn"] not in told and spelled(one["turn"]) not in told
    assert "solved" not in desk.page.evaluate("localStorage.backtrick").replace('"solved":false', "")


@pytest.mark.parametrize("turn", ["wrong", "missed", "right"])
@pytest.mark.parametrize("game", [FACE, TAKE])
def test_on_a_phone_the_end_of_a_puzzle_is_seen_at_once_and_nothing_in_it_is_dead(browser, address, game, turn):
    desk = Desk(browser, address, {"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    one = puzzles_of(game)[3]
    laid = one["turn"] if turn == "right" else str(wrong_turn_of(game, 3))
    if turn == "missed":
        kept = json.dumps({"puzzles": {f"{game}:3": {"tries": ["one", "two"]}}})
        desk.page.add_init_script(f"localStorage.backtrick ??= {json.dumps(kept)}")
    desk.page.goto(f"{address}/p/{'f2f' if game == FACE else 'tt'}/3#turns={spelled(laid)}")
    desk.page.wait_for_selector(".ending button")
    look = "(one) => [one.dataset.key, one.getBoundingClientRect().bottom <= innerHeight, one.ariaDisabled !== 'true']"
    buttons = desk.page.locator("#table .bar button").evaluate_all(f"(all) => all.map({look})")
    done = ["copy-result", "next-puzzle"]
    expected = {"right": done, "wrong": ["reply", "try-again"], "missed": ["reply", *done, "solution", "try-again"]}[turn]
    assert [name for name, seen, alive in buttons if seen and alive] == [name for name, _, _ in buttons] == expected
    if turn != "wrong":
        assert desk.page.locator(".standing").evaluate("(one) => one.getBoundingClientRect().bottom <= innerHeight")
    if turn == "right":
        desk.click("next-puzzle")
        desk.page.wait_for_function("() => /^.p.(f2f|tt).[0-9]+$/.test(location.pathname) && !location.hash")
    desk.close()


def test_after_a_game_the_next_one_and_the_review_are_at_hand(browser, address):
    desk = Desk(browser, address, {"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    start, turns = end_of_game(TAKE, 4)
    desk.open(TAKE, start, mode="play", seats="human~tuned", values="off", turns=turns)
    desk.see("The game is over.", ".headline")
    assert desk.page.inner_text("#table").count("The game is over.") == 1
    bottom = desk.key("new-game").evaluate("(one) => one.getBoundingClientRect().bottom")
    assert bottom <= 844, bottom
    desk.click("to-review")
    desk.page.wait_for_function("() => document.querySelector('.review').getBoundingClientRect().top < innerHeight / 2")
    desk.click("new-game")
    desk.page.wait_for_selector(".draw")
    desk.hash("cards=own")
    desk.close()


MOST_BYTES = 65_000
"""Of the first load, as they travel: a phone on a slow line plays after two seconds."""


def test_the_first_load_is_light(desk):
    loaded = []
    desk.page.on("requestfinished", lambda one: loaded.append(one))
    desk.page.goto(desk.address)
    desk.page.wait_for_load_state("networkidle")
    sizes = {urlsplit(one.url).path: one.sizes()["responseBodySize"] for one in loaded}
    assert len(sizes) <= 6 and sum(sizes.values()) <= MOST_BYTES, sizes


def test_a_file_is_chosen_by_a_button_of_the_page(desk):
    """Not by the browser's, which has a language and a look of its own."""
    files = {"bring": ("puzzles", "Bring them back from a file"), "file": ("enter", "A file of positions, one per line")}
    for key, (mode, name) in files.items():
        desk.open(mode=mode)
        assert desk.key(key).bounding_box()["width"] <= 1 and desk.page.get_by_label(name).count() == 1
        with desk.page.expect_file_chooser():
            desk.page.get_by_text(name).click()


def test_a_win_is_a_moment(desk):
    desk.open(mode="play", seats="human~perfect", values="off", turns="16v_18vo~4v_7ao")
    assert not desk.page.locator(".glad").count()
    for play in ("19^", "57^"):
        lay(desk, FACE, play)
    desk.page.wait_for_selector(".board.glad")
    desk.open(mode="play", seats="human~perfect", values="off", turns="57a_16v~7v_4v")
    assert not desk.page.locator(".glad").count(), "to lose is none"


@CHROMIUM
def test_the_words_of_a_win_grow_no_wider_than_the_screen(desk):
    desk.page.set_viewport_size({"width": 390, "height": 844})
    slowly = desk.context.new_cdp_session(desk.page)
    slowly.send("Animation.enable")
    slowly.send("Animation.setPlaybackRate", {"playbackRate": 0.1})
    start, turns = end_of_game(TAKE, 4)
    desk.open(TAKE, start, mode="play", seats="human~tuned", values="off", turns=turns)
    desk.page.wait_for_selector(".headline.glad")
    desk.page.evaluate("document.getAnimations().forEach((one) => { one.pause(); one.currentTime = 360; })")  # the largest
    assert desk.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# Languages


def test_the_language_is_that_of_the_browser_until_another_is_chosen(browser, address):
    desk = Desk(browser, address, locale="de-AT")
    desk.open(TAKE)
    desk.see("Du bist am Zug", ".headline")
    desk.see("Was wohin gelegt werden darf", ".grid")
    assert desk.page.evaluate("document.documentElement.lang") == "de"
    desk.click("cell-15")
    desk.see("15 unterscheidet sich von der rechten Karte 35 um mehr als 10", ".refusal")
    desk.click("language-it")
    desk.see("Tocca a te", ".headline")
    desk.page.reload()
    desk.see("Tocca a te", ".headline")
    desk.close()


def test_the_files_of_the_page_are_kept_for_ever_below_their_version(desk, address):
    kept = []
    desk.page.on("response", lambda one: kept.append((urlsplit(one.url).path, one.headers.get("cache-control", ""))))
    desk.open()
    desk.page.wait_for_selector(".cell.win")
    files = {path: cache for path, cache in kept if path.startswith("/v/")}
    assert {path.split("/")[3] for path in files} >= {"page.js", "style.css", "cards.svg"} and len(files) <= 5
    assert all("immutable" in cache for cache in files.values())
    old = urllib.request.urlopen(f"{address}/v/000000/style.css")
    assert old.headers["Cache-Control"] == "no-cache", "what another version named is not kept"


@pytest.mark.parametrize("path", ["/", "/f2f/52a6vh16.18.19.57_53a15vh4.7.29.44", "/tt/15.43.44_21.53_51-62-35"])
def test_the_first_table_needs_no_request_of_its_own(desk, path):
    desk.page.route("**/api/**", lambda route: route.abort())
    desk.page.goto(desk.address + path)
    desk.page.wait_for_selector("html[data-drawn] #table .live .card")
    desk.faults.clear()


def test_a_picture_of_the_table_is_seen_until_the_script_has_come(desk):
    held = []
    desk.page.route("**/page.js", lambda route: held.append(route))
    desk.page.goto(f"{desk.address}/f2f/52a6vh16.18.19.57_53a15vh4.7.29.44", wait_until="commit")
    desk.page.locator("#table .first svg").wait_for(state="visible")
    held[0].continue_()
    desk.page.wait_for_selector("#table .live .card")
    assert desk.page.locator(".first").count() == 0


@pytest.mark.parametrize(("language", "script", "title"), [
    ("en", "late.js", "Set up a position"), ("de", "words/late/de.js", "Eine Stellung aufbauen"),
])  # fmt: skip
def test_what_comes_after_the_table_is_asked_for_until_it_comes(browser, address, language, script, title):
    desk, lost = Desk(browser, address, locale=language), []
    desk.page.route(f"**/{script}*", lambda route: route.continue_() if lost else (lost.append(route.request.url), route.abort()))
    desk.open(mode="enter")
    desk.see(title, "#panel")
    desk.page.wait_for_selector(".board.draft")
    assert lost
    desk.faults.clear()
    desk.close()


# Share


def test_a_shared_address_shows_the_same(desk, browser, address):
    desk.open(turns="16v_18vo~4v_7ao", n=1, only="7", why="4v_7ao")
    desk.see("That ends the game", ".why")
    before = desk.page.locator("#table").inner_text(), desk.page.locator("#panel").inner_text()
    desk.click("mode-share")
    link = desk.key("share-link").input_value()
    assert desk.key("share-notation").input_value() == "53^18v:4,7,29,44 52^16v:19,57"
    fresh = Desk(browser, address)
    fresh.page.goto(link)
    fresh.page.wait_for_selector(".why .play")
    fresh.see("That ends the game", ".why")
    assert (fresh.page.locator("#table").inner_text(), fresh.page.locator("#panel").inner_text()) == before
    fresh.close()


@CHROMIUM
@pytest.mark.parametrize("game", [FACE, TAKE])
def test_downloads(desk, game, tmp_path):
    desk.open(game, mode="share")
    for kind, head in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with desk.page.expect_download() as download:
            desk.click(kind)
        target = tmp_path / f"drawn.{kind}"
        download.value.save_as(target)
        assert target.read_bytes().startswith(head)
    position = game_of(game).parse(START[game])
    assert (tmp_path / "drawn.svg").read_text() == Shared(game_of(game), spelled(str(position))).image()


@CHROMIUM
@pytest.mark.parametrize("desk", ["static_address"], indirect=True)
@pytest.mark.parametrize(
    ("game", "position", "told"),
    [
        (FACE, START[FACE], ["You win in 3", "16\u25bc 18\u25bc\u2032"]),
        (TAKE, START[TAKE], ["44"]),
        (FACE, DEALS[FACE], []),
        (TAKE, DEALS[TAKE], []),
    ],
)
def test_without_a_server_the_picture_is_drawn_here(desk, game, position, told, tmp_path):
    desk.open(game, position, mode="share")
    shown = "(one) => one.src && one.decode().then(() => one.naturalWidth)"
    desk.page.wait_for_selector("img.shared[src]", state="attached")
    assert desk.page.locator("img.shared").evaluate(shown) == 1200
    for kind, head in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with desk.page.expect_download() as download:
            desk.click(kind)
        download.value.save_as(tmp_path / kind)
        assert (tmp_path / kind).read_bytes().startswith(head)
    drawn = (tmp_path / "svg").read_text("utf-8")
    texts = re.findall(r"<text[^>]*>([^<]*)<", drawn)
    cards = {number for cards in re.findall(r"[\d.,-]+", position) for number in re.findall(r"\d+", cards)}
    assert cards <= set(texts) and set(told) <= set(texts) and "var(" not in drawn


@CHROMIUM
@pytest.mark.parametrize("desk", ["static_address"], indirect=True)
def test_without_a_server_the_picture_of_a_puzzle_keeps_its_answer(desk, tmp_path):
    desk.open(mode="puzzles", puzzle="7")
    desk.click("mode-share")
    with desk.page.expect_download() as download:
        desk.click("svg")
    download.value.save_as(tmp_path / "svg")
    drawn = (tmp_path / "svg").read_text("utf-8")
    assert "Find it." in drawn and "win in" not in drawn
    assert puzzles_of(FACE)[7]["turn"] not in drawn.replace("&#39;", "'")


def test_copying(desk):
    desk.may_copy()
    desk.open(mode="share")
    desk.click("copy-notation")
    desk.see("\u2713 Copied", '[data-key="copy-notation"]')
    desk.see("Copied", "#status")
    assert desk.page.evaluate("navigator.clipboard.readText()") == START[FACE]
    desk.page.evaluate("navigator.clipboard.writeText('')")
    desk.click("copy-record")
    for _ in range(50):
        if copied := desk.page.evaluate("navigator.clipboard.readText()"):
            break
        desk.page.wait_for_timeout(100)
    game = game_of(FACE)
    assert json.loads(copied) == game.solve(game.parse(START[FACE]), want={"outcomes"}).record(True)


@pytest.mark.parametrize("game", [FACE, TAKE])
@IN_EVERY_SIZE
def test_the_value_is_above_the_fold_in_every_size(desk, game):
    width, height = desk.page.viewport_size.values()
    desk.open(game, FULL[game])
    desk.page.wait_for_selector(".headline .value.win")
    box = desk.page.locator(".headline .value").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= height and box["x"] + box["width"] <= width
    assert desk.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    card = desk.page.locator('[data-zone="hand-0"].card').first.bounding_box()
    assert card["width"] > (80 if width > 2000 else 33)
    if width > 400:
        for key in (f"hand-0:{desk.hand(0)[-1]}", "end-turn"):
            box = desk.key(key).bounding_box()
            assert box["y"] + box["height"] <= height, f"{key} is seen at once"
    if width >= 1000:
        board = desk.page.locator(".board").bounding_box()
        assert board["y"] + board["height"] <= height, "the whole table is seen at once"


@pytest.mark.parametrize("game", [FACE, TAKE])
@IN_EVERY_SIZE
def test_the_buttons_are_seen_at_once_in_every_size(desk, game):
    width, height = desk.page.viewport_size.values()
    playing = {"mode": "play", "seats": "human~tuned", "values": "off"}
    before_last, turns = end_of_game(game, 4)
    deal = whole_game(game)[0]
    views = [
        (START[game], {}), (FULL[game], playing), (FULL[game], {"mode": "puzzles"}), (FULL[game], {"mode": "enter"}),
        (deal, {**playing, "cards": "own"}), (deal, playing), (before_last, {**playing, "turns": turns}),
    ]  # fmt: skip
    for start, state in views:
        desk.page.goto("about:blank")
        desk.open(game, start, **state)
        desk.page.wait_for_selector("body:not([data-waiting])")
        for button in desk.page.locator(".bar button").all():
            box = button.bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= height, f"{button.inner_text()}: {state}"
        assert desk.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), state
        cut = """() => {
            const { left, right } = document.querySelector('.board').getBoundingClientRect();
            const found = document.querySelectorAll('.board .card:not(.stack .card), .board .stack');
            const cards = [...found].map((one) => one.getBoundingClientRect());
            return cards.filter((one) => one.left < left || one.right > right).length;
        }"""
        assert desk.page.evaluate(cut) == 0, f"no card is cut off: {state}"


@pytest.mark.parametrize("language", ["en", "de", "el", "it", "pt"])
def test_on_a_laptop_nothing_scrolls_for_the_languages_alone(browser, address, language):
    desk = Desk(browser, address, {"width": 1366, "height": 768}, locale=language)
    for game, mode in product((FACE, TAKE), ("look", "play", "puzzles")):
        desk.open(game, mode=mode, list="")
        desk.page.wait_for_selector("#panel h2, #panel h3")
        desk.page.wait_for_selector("body:not([data-waiting])")
        desk.page.wait_for_function("() => document.documentElement.scrollHeight <= innerHeight", timeout=5000)
    desk.close()


@pytest.mark.parametrize("desk", ["reflow", "zoomed"], indirect=True)
def test_a_long_word_that_is_quoted_is_broken(desk):
    desk.open(mode="enter", draft="5" * 60)
    desk.see("555", "#notation-state")
    assert desk.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("desk", [size for size in SIZES if size != "reflow"], indirect=True)
def test_the_own_hand_is_seen_at_once_beside_long_piles_and_a_long_line(desk):
    playing = {"mode": "play", "seats": "human~tuned", "values": "off"}
    longest = max(puzzles_of(TAKE), key=lambda one: one["position"].count("-"))["position"]
    for game, start in ((FACE, whole_game(FACE)[0]), (TAKE, whole_game(TAKE)[0]), (TAKE, longest)):
        desk.page.goto("about:blank")
        desk.open(game, start, **playing)
        desk.page.wait_for_selector("body:not([data-waiting])")
        hand = [one.bounding_box() for one in desk.page.locator('[data-zone="hand-0"].card').all()]
        assert max(box["y"] + box["height"] for box in hand) <= desk.page.locator(".bar").bounding_box()["y"], start


def test_both_labels_of_a_deal_are_seen_on_a_small_phone_on_its_side(desk):
    desk.page.set_viewport_size({"width": 640, "height": 360})
    desk.open(FACE, DEALS[FACE])
    desk.page.wait_for_selector("body:not([data-waiting])")
    labels = [one.bounding_box() for one in desk.page.locator(".seat > header").all()]
    assert len(labels) == 2
    assert max(box["y"] + box["height"] for box in labels) <= desk.page.locator(".bar").bounding_box()["y"]


@IN_EVERY_SIZE
def test_the_name_of_no_player_is_cut(desk):
    desk.open(mode="play", seats="human~perfect", values="off")
    desk.page.wait_for_selector('[data-key="seat-1"] [value="tuned"]', state="attached")
    room = desk.key("seat-1").evaluate("""(one) => {
        const style = getComputedStyle(one);
        const pen = document.createElement('canvas').getContext('2d');
        pen.font = style.font;
        const arrow = 20;
        const widest = Math.max(...[...one.options].map((player) => pen.measureText(player.text).width));
        return one.clientWidth - parseFloat(style.paddingLeft) - arrow - widest;
    }""")
    assert room >= 0


def test_the_rules_are_told_step_by_step_and_by_their_number(desk):
    desk.open(mode="play")
    desk.click("hand-0:18", "pile-0^:52")
    desk.page.locator(".refusal .rule").click()
    desk.see("higher than the top, by any amount, or exactly 10 lower", "dialog .asked")
    desk.click("close-rules")
    desk.page.wait_for_selector("dialog", state="detached")
    desk.click("rules")
    for words in ("28 goes on 27", "33 goes on 40", "17 goes on 27", "45 goes on their 35"):
        desk.click("step-on")
        desk.see(words, "dialog .caption")
    desk.page.keyboard.press("Escape")
    desk.page.wait_for_selector("dialog", state="detached")
    assert desk.page.evaluate("document.activeElement.dataset.key") == "rules"


@BOTH
def test_the_puzzle_of_the_day_is_solved_and_remembered(desk):
    desk.may_copy()
    desk.page.clock.install(time="2026-11-23T12:00:00Z")
    desk.open(turns="16v_18vo")
    desk.click("mode-puzzles")
    desk.see("One turn wins. Find it.", ".headline")
    desk.see("Puzzle of the day, November 23", ".headline")
    listed = puzzles_of(FACE)
    number = puzzle_of_day(20780, len(listed))
    for play in listed[number]["turn"].split():
        lay(desk, FACE, play)
    if not desk.page.locator(".ending").count():
        desk.click("end-turn")
    desk.see("Solved at once", ".ending")
    desk.see("The puzzle of the day on 1 day. The next one comes in ", ".ending")
    desk.click("copy-result")
    desk.see("Copied", "#status")
    told = desk.page.evaluate("navigator.clipboard.readText()")
    assert told.startswith("Backtrick \u00b7 Face to Face \u00b7 Puzzle of the day, November 23\n\U0001f7e9 1/3 ")
    desk.see("1 solved in this browser.", "#panel")
    desk.see("The puzzle of the day on 1 day.", "#panel")
    desk.page.reload()
    desk.see("1 solved in this browser.", "#panel")
    desk.click("why-others")
    desk.page.wait_for_selector(".group .value.loss")
    assert desk.page.locator(".group .value.win").count() == 0, "the solution is not among the others"
    desk.page.locator(".group:has(.value.loss) .rows .row").first.click()
    desk.see("The reply that refutes it is", ".why")
    assert desk.page.locator('[data-key="mode-puzzles"][aria-current]').count() == 1
    assert desk.page.locator('[data-key="play-this"]').count() == 0


@BOTH
def test_on_sundays_there_is_a_puzzle_of_each_game(desk):
    desk.page.clock.install(time="2026-11-29T12:00:00Z")
    desk.go(desk.address)
    desk.click("solution")
    desk.click("other-game")
    desk.see("Puzzle of the day, November 29", ".headline")
    desk.page.wait_for_selector('[data-key^="line:"]')
    desk.click("solution")
    desk.see("Not found", ".ending")
    assert desk.key("other-game").count() == 0


@BOTH
def test_a_mistake_in_a_game_comes_back_three_days_later(desk):
    desk.page.clock.install(time="2026-11-23T12:00:00Z")
    desk.open(turns="57a_16v~7v_4v", mode="play", seats="human~tuned", values="off")
    desk.page.wait_for_selector(".mistake")
    desk.page.clock.set_system_time("2026-11-26T12:00:00Z")
    desk.click("mode-puzzles")
    desk.click("missed")
    desk.page.wait_for_selector('[data-key="missed"]', state="detached")
    for play in ("16v", "18v'"):
        lay(desk, FACE, play)
    desk.click("end-turn")
    desk.page.wait_for_function(f"() => JSON.parse(localStorage.backtrick).mistakes['face_to_face:{START[FACE]}'] === 0")


@pytest.mark.parametrize(("game", "told"), [(FACE, "33 %"), (TAKE, "+2.2")])
def test_the_odds_of_the_own_turns_are_told_on_request(desk, game, told):
    desk.open(game, DEALS[game], mode="play", cards="own", values="off", seats="human~tuned")
    desk.page.wait_for_selector(".draw")
    assert desk.page.locator(".odds").count() == 0
    desk.click("odds")
    desk.see(told, ".odds .rows li:first-child")
    desk.see("Over all ", ".odds")


@pytest.mark.parametrize(("game", "last"), [(FACE, 4), (TAKE, 22)])
def test_the_turns_before_the_endgame_are_judged_by_their_odds_on_request(desk, game, last):
    start, turns = end_of_game(game, last)
    asked, running = [], []
    desk.page.on("request", lambda request: "/odds?" in request.url and (asked.append(request.url), running.append(request.url)))
    desk.page.on("requestfinished", lambda request: request.url in running and running.remove(request.url))
    desk.open(game, start, mode="play", values="off", seats="human~tuned", turns=turns)
    desk.page.wait_for_selector('[data-key="odds-before"]')
    desk.page.wait_for_timeout(500)
    assert not asked, "only on request"
    desk.click("odds-before")
    desk.page.wait_for_selector('[data-key="longer"]')
    judged = [one.get_attribute("aria-label") for one in desk.page.locator(".strip .grade").all()]
    by_odds = [label for label in judged if "over" in label]
    assert 1 <= len(asked) == len(by_odds) and not running
    told = r"(best|unclear|already won|already lost): (not solved|.*\d.*), over \d+ deals?$"
    assert all(re.search(told, label) for label in by_odds)


@pytest.mark.parametrize("game", [FACE, TAKE])
def test_a_link_has_the_position_in_its_path(desk, game):
    position = DEALS[game]
    desk.page.goto(f"{desk.address}/{'f2f' if game == FACE else 'tt'}/{spelled(position)}#mode=play")
    desk.shows(position)
    desk.page.wait_for_selector("#symbols symbol", state="attached")
    desk.click("mode-share")
    assert desk.page.url == f"{desk.address}/{'f2f' if game == FACE else 'tt'}/{spelled(position)}#mode=share"
    assert desk.key("share-link").input_value() == f"{desk.address}/{'f2f' if game == FACE else 'tt'}/{spelled(position)}#mode=play"
    assert desk.page.locator("img.shared").evaluate("(one) => one.decode().then(() => one.naturalWidth)") == 1200


@BOTH
def test_the_best_line_is_shown_and_played_card_by_card(desk):
    desk.open()
    desk.key("line-1").hover()
    desk.page.wait_for_selector('.preview [data-key="pile-0^:7"]')
    desk.click("line-1")
    desk.hash("n=2")
    desk.page.wait_for_selector('[data-key="pile-0^:7"].last')
    desk.page.locator("body").press("ArrowLeft")
    desk.hash("n=1")
    desk.page.locator("body").press("Home")
    desk.hash("n=0")
    desk.page.locator("body").press("End")
    desk.page.wait_for_selector(".headline.over")


@BOTH
def test_the_icon_is_asked_for_at_one_address(desk):
    """The path of the page changes with the position."""
    desk.go(f"{desk.address}/#mode=look")
    desk.click("hand-0:16", "pile-0v:6")
    desk.hash("laid=16v")
    icon = desk.page.evaluate("document.querySelector('link[rel=icon]').href")
    assert re.fullmatch(r"(/v/\w+)?/icon.svg", icon.removeprefix(desk.address))


def test_a_card_is_on_the_table_before_the_server_has_answered(desk):
    desk.open(mode="play", values="off")
    desk.page.route("**/look?*laid=*", lambda route: None)  # never answered
    desk.click("hand-0:16", "pile-0v:6")
    desk.page.wait_for_selector('[data-key="pile-0v:16"].fresh')


def test_clicks_that_come_before_an_answer_count(desk):
    desk.slow_down()
    desk.open(mode="play", values="off")
    desk.click("hand-0:18", "pile-1v:15", "hand-0:16", "pile-0v:6")
    desk.hash("laid=18vo_16v")


# What was once wrong


def whole_game(game, seed=3):
    """The address of a whole game that was played to its end: the first position, and its turns."""
    whole_game, rules = whole_game_of(game_of(game)), game_of(game).published
    player, state = whole_game.players.player("tuned"), whole_game.state.begin(whole_game.deal(seed, 0, rules).position(), rules)
    start, turns = str(state.position()), []
    while state.to_move >= 0:
        turn = whole_game.ask(player, state)
        turns.append(str(turn))
        state = state.play(turn)
    return start, turns


def end_of_game(game, last):
    """The position before the last turns of a whole game, and these turns as an address has them."""
    solver, (start, turns) = game_of(game), whole_game(game)
    position = solver.parse(start)
    for turn in turns[:-last]:
        _, position = solver.play(position, solver.parse_turn(turn), solver.published)
    return str(position), "~".join(map(spelled, turns[-last:]))


def test_after_a_whole_game_only_its_endgame_is_graded_and_the_next_deal_comes_at_once(desk):
    start, turns = whole_game(FACE)
    asked, running, most = [], set(), 0

    def began(request):
        nonlocal most
        if "/grade" in request.url:
            asked.append(parse_qs(urlsplit(request.url).query)["position"][0])
            running.add(request.url)
            most = max(most, len(running))

    desk.page.on("request", began)
    desk.page.on("requestfinished", lambda request: running.discard(request.url))
    desk.open(FACE, start, mode="play", cards="own", values="off", seats="human~tuned", turns="~".join(map(spelled, turns)))
    desk.see("The game is over.", ".headline")
    desk.page.wait_for_timeout(1500)
    assert all(position.count("p") <= 2 for position in asked) and most <= 1 and len(asked) < len(turns)
    assert all(sum(len(part.split(".")) for part in re.findall(r"p([\d.]+)", position)) <= 12 for position in asked)
    before = desk.page.url
    desk.click("whole-game")
    desk.page.wait_for_function("(before) => location.href !== before", arg=before)
    desk.page.wait_for_selector(".seat-0.mover .live .card")


def test_the_last_turn_of_a_game_is_graded_first(desk):
    asked = []
    note = lambda request: asked.append(parse_qs(urlsplit(request.url).query)["turn"][0])  # noqa: E731
    desk.page.on("request", lambda request: "/grade" in request.url and note(request))
    desk.open(turns="16v_18vo~4v_7ao~19a_57a")
    desk.page.wait_for_function("() => document.querySelectorAll('.history .grade').length === 3")
    assert asked == ["19a_57a", "4v_7ao", "16v_18vo"]


@pytest.mark.parametrize("game", [FACE, TAKE])
@pytest.mark.parametrize("desk", ["laptop"], indirect=True)
def test_on_a_laptop_the_turn_can_be_ended_wherever_one_has_scrolled_to(desk, game):
    desk.open(game, FULL[game])
    desk.page.wait_for_selector(".rows li")
    for scroll in (0, 100, 400, 1000):
        desk.page.evaluate("(to) => scrollTo(0, to)", scroll)
        for key in ("end-turn", "undo", "best"):
            box = desk.key(key).bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= SIZES["laptop"]["height"], (key, scroll, box)


@BOTH
def test_the_perfect_player_plays_a_whole_game(desk):
    start, turns = whole_game(FACE)
    desk.open(FACE, start, mode="play", values="off", seats="human~perfect", turns=spelled(turns[0]))
    desk.page.wait_for_function("() => document.querySelectorAll('.step').length === 3")


def test_the_skip_link_leaves_the_position(desk):
    desk.open(turns="16v_18vo")
    desk.page.wait_for_selector(".headline .value")
    before = desk.page.url
    desk.page.keyboard.press("Tab")
    assert desk.page.evaluate("document.activeElement.id") == "skip"
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_function("() => document.activeElement.id === 'table'")
    desk.holds(0, [19, 57])
    assert desk.page.url == before


@BOTH
def test_the_step_back_takes_back_a_card(desk):
    desk.open(mode="play", values="off")
    desk.click("hand-0:16", "pile-0v:6")
    desk.hash("laid=16v")
    desk.page.go_back()
    desk.page.wait_for_function("() => !location.hash.includes('laid=')")
    desk.page.wait_for_selector('[data-key="hand-0:16"]')
    assert desk.page.url.startswith(desk.address)


def test_what_failed_can_be_asked_again(desk):
    desk.open()
    desk.page.wait_for_selector(".rows li")
    desk.page.route("**/why?*", lambda route: route.abort())
    desk.click("row-16v 18v'")
    desk.see("No answer.", ".why")
    desk.page.unroute("**/why?*")
    desk.page.locator(".why .failed button").click()
    desk.see("The best reply is", ".why")
    desk.page.route("**/solve?*", lambda route: route.abort())
    desk.click("step-0") if desk.key("step-0").count() else desk.page.evaluate("location.hash += '&turns=16v_18vo'")
    desk.see("No answer.", ".headline")
    desk.page.unroute("**/solve?*")
    desk.page.locator(".headline .failed button").click()
    desk.see("You win in 2", ".headline")
    desk.faults = [fault for fault in desk.faults if "ERR_FAILED" not in fault]


def test_a_lost_request_takes_nothing_away_and_is_asked_again(desk):
    desk.open()
    desk.page.wait_for_selector(".rows li")
    cards = desk.page.locator("#table .card").count()
    desk.page.route("**/look?*laid=*", lambda route: route.abort())
    desk.click("hand-0:16", "pile-0v:6")
    desk.see("No answer.", "#table .failed")
    assert desk.page.locator("#table .card").count() == cards - 1
    assert desk.page.locator(".rows li").count() >= 10, "all, or those that can still follow"
    desk.page.unroute("**/look?*laid=*")
    desk.page.wait_for_selector("#table .live")  # without a click
    assert "laid=16v" in desk.page.url and not desk.page.locator("#table .failed").count()
    desk.faults = [fault for fault in desk.faults if "ERR_FAILED" not in fault]


@pytest.mark.parametrize(("game", "keys"), [(FACE, ("hand-0:16",)), (TAKE, ("hand-0:15",))])
def test_after_a_card_is_laid_the_focus_is_with_the_hand_again(desk, game, keys):
    desk.slow_down()
    desk.open(game)
    desk.page.wait_for_selector("#table .live")
    for key in keys:
        desk.key(key).focus()
        desk.page.keyboard.press("Enter")
        desk.page.keyboard.press("Enter")
    desk.page.wait_for_function("() => document.activeElement.dataset.zone?.startsWith('hand-')")


def test_a_puzzle_that_is_not_solved_is_shared_without_its_answer(desk):
    desk.open(mode="puzzles", puzzle="7")
    desk.click("mode-share")
    picture = desk.page.locator("img.shared").get_attribute("src")
    drawn = urllib.request.urlopen(desk.address + picture).read().decode()
    assert "win in" not in drawn and "best" not in drawn and "you are to move" in drawn
    assert not desk.key("copy-record").count() and not desk.key("share-json").count()
    desk.open(mode="share")
    assert "plain" not in desk.page.locator("img.shared").get_attribute("src") and desk.key("copy-record").count()


@pytest.mark.parametrize("path", ["f2f/xyz", "tt/", "tt/12.13_12_34"])
def test_a_broken_link_shows_the_page(desk, path):
    desk.page.goto(f"{desk.address}/{path}")
    desk.page.wait_for_selector("#table .board, #table .problem")
    assert desk.page.locator("#head h1").count() == 1
    assert desk.page.locator("#table .problem").count() == (path != "tt/")
    desk.faults = [fault for fault in desk.faults if "404" not in fault]


@pytest.mark.parametrize("desk", ["static_address"], indirect=True)
def test_without_a_server_a_link_has_the_position_in_its_path_as_well(desk):
    """As a host of files does: what is not there is answered by 404.html."""
    lost = urllib.request.urlopen(f"{desk.address}/404.html").read().decode()
    desk.page.route("**/f2f/*", lambda route: route.fulfill(status=404, body=lost, content_type="text/html"))
    desk.page.goto(f"{desk.address}/f2f/{spelled(FULL[FACE])}#mode=play")
    desk.shows(FULL[FACE])
    desk.hash("mode=play")
    desk.faults = [fault for fault in desk.faults if "404" not in fault]


@pytest.mark.parametrize("desk", ["static_address"], indirect=True)
def test_without_a_server_the_page_of_a_puzzle_leads_to_it(desk):
    files = make_page.previews(desk.address, [3])
    page = files["p/tt/3/index.html"]
    desk.page.route("**/p/tt/3/", lambda route: route.fulfill(body=page, content_type="text/html"))
    desk.page.goto(f"{desk.address}/p/tt/3/")
    desk.plays(TAKE)
    desk.hash("puzzle=3")
    desk.shows(puzzles_of(TAKE)[3]["position"])


@pytest.mark.parametrize("desk", ["static_address"], indirect=True)
def test_without_a_server_a_result_links_to_the_page_of_the_puzzle(desk):
    desk.may_copy()
    with_pages = (static_page.SITE / "page.js").read_text("utf-8").replace("PREVIEWED = []", "PREVIEWED = [3]")
    desk.page.route("**/page.js", lambda route: route.fulfill(body=with_pages, content_type="text/javascript"))
    one = puzzles_of(FACE)[3]
    desk.open(FACE, one["position"], mode="puzzles", puzzle=3, turns=spelled(one["turn"]), seats="human~perfect", values="off")
    desk.click("copy-result")
    desk.see("Copied", "#status")
    assert f"{desk.address}/p/f2f/3/" in desk.page.evaluate("navigator.clipboard.readText()")


def test_before_a_turn_that_is_refused_the_position_is_shown(desk):
    desk.page.goto(f"{desk.address}/f2f/{spelled(START[FACE])}#turns=16v_18vo~99v")
    desk.page.wait_for_selector("#table .problem")
    assert desk.page.locator('#table [data-position="53^15v"], #table .board .card').count() > 6
    assert desk.page.locator(".rows li").count() >= 0 and "n=" not in desk.page.url


def test_the_hint_says_what_comes_next(desk):
    desk.open()
    desk.see("Choose a card, then where to lay it.", "#table .laid")
    desk.click("hand-0:16")
    desk.see("Now choose where to lay it.", "#table .laid")


def test_the_puzzle_of_the_day_says_so_and_leaves_the_address_with_it(desk):
    desk.page.clock.install(time="2026-11-28T12:00:00Z")
    desk.open(mode="puzzles")
    desk.see("Puzzle of the day, November 28", ".headline")
    desk.click("mode-look")
    desk.page.wait_for_function("() => !location.href.includes('/p/')")
    desk.click("mode-puzzles")
    desk.see("Puzzle of the day, November 28", ".headline")


def test_what_a_proxy_says_in_a_page_of_its_own_is_said_in_words(desk):
    desk.page.route("**/why?*", lambda route: route.fulfill(status=502, content_type="text/html", body="<h1>Bad gateway</h1>"))
    desk.open()
    desk.click("row-16v 18v'")
    desk.see("The server does not answer this (502).", ".why")
    desk.faults = [fault for fault in desk.faults if "502" not in fault]


def test_what_is_left_behind_is_given_up(desk):
    desk.open()
    desk.page.wait_for_selector(".rows li")
    desk.page.route("**/why?*", lambda route: None)  # never answered
    desk.page.evaluate("""() => { const asked = fetch; window.gone = "";
        fetch = (path, how) => { how.signal.onabort = () => { window.gone += path; }; return asked(path, how); }; }""")
    desk.click("row-16v 18v'")
    desk.page.wait_for_selector(".why")
    desk.click("row-16v 18v'")
    desk.page.wait_for_function("window.gone.includes('/why')", timeout=5000)


def test_chained_cards_are_named_on_the_pile(desk):
    desk.open(FACE, "27^40v:17,18,45 13^50v:5,12", laid="17a_18a")
    box = desk.page.locator(".mark.chain").bounding_box()
    assert box["height"] > 12 and desk.page.locator(".mark.chain").inner_text() == "17 18"


@BY_TOUCH
def test_a_tapped_row_is_no_preview(desk):
    desk.open()
    desk.page.locator(".rows .row").nth(2).tap()
    desk.page.wait_for_selector(".why")
    assert desk.page.locator(".preview").count() == 0
    desk.holds(0, [16, 18, 19, 57])
    desk.key("hand-0:16").tap()
    desk.page.wait_for_selector(".card.selected")


def test_rows_that_come_below_a_still_pointer_are_no_preview(desk):
    desk.open()
    desk.click("row-16v 18v'")
    desk.key("play-this").click()
    desk.hash("turns=16v_18vo")
    desk.page.wait_for_selector(".seat-1.mover")
    desk.page.wait_for_timeout(400)
    assert desk.page.locator(".preview").count() == 0


@pytest.mark.parametrize("game", [FACE, TAKE])
def test_a_link_to_a_puzzle_shows_it(desk, game):
    listed = puzzles_of(game)
    desk.go(f"{desk.address}/#game={game}&mode=puzzles&puzzle=2")
    desk.shows(listed[2]["position"])
    box = desk.key("solution").evaluate("(one) => getComputedStyle(one).borderRadius")
    assert box == "9px", "styled as the other buttons"


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_refusal_moves_no_card_and_is_read_whole(desk, viewport):
    desk.page.set_viewport_size(viewport)
    desk.open(mode="play")
    desk.click("hand-0:18")
    desk.page.wait_for_timeout(250)
    before = desk.key("pile-0v:6").bounding_box()
    desk.click("pile-0^:52")
    desk.see("18 is neither higher than 52", ".refusal")
    assert desk.key("pile-0v:6").bounding_box() == before
    assert desk.page.locator(".refusal").evaluate("(one) => one.scrollHeight <= one.clientHeight")


def test_without_the_pictures_one_can_still_play(desk):
    desk.page.route("**/cards.svg", lambda route: route.abort())
    desk.go(f"{desk.address}/#mode=play")
    desk.page.wait_for_selector(".board")
    assert "18" in desk.key("hand-0:18").inner_text()
    desk.click("hand-0:16", "pile-0v:6")
    desk.hash("laid=16v")
    desk.page.unroute("**/cards.svg")
    desk.page.locator("#table .failed button").click()
    desk.page.wait_for_selector("#symbols symbol", state="attached")
    desk.faults = [fault for fault in desk.faults if "ERR_FAILED" not in fault]


MANY = "3^58v:14,20,24,30,34,55 59^2v:21,36,42"


def test_thousands_of_outcomes_are_listed_in_parts(desk):
    desk.open(FACE, MANY)
    desk.page.wait_for_selector(".rows li")
    assert "3515 outcomes" in desk.page.locator(".outcomes > h3").inner_text()
    assert desk.page.locator(".rows li").count() <= 500
    elsewhere = desk.page.evaluate("""() => new Promise((done) => {
        const [row, seen] = [document.querySelector('.rows > li'), []];
        const isElsewhere = ({ target }) => target.closest('li')?.dataset.turn !== row.dataset.turn;
        const list = new MutationObserver((found) => seen.push(...found.filter(isElsewhere)));
        list.observe(document.querySelector('#panel'), { subtree: true, childList: true });
        row.firstChild.click();
        const look = () => (document.querySelector('li.open .why .grade') ? done(seen.length) : requestAnimationFrame(look));
        look();
    })""")
    assert elsewhere == 0, "only this row is drawn"
    shown = desk.page.locator(".rows li").count()
    desk.page.locator(".more-rows").first.click()
    desk.page.wait_for_function("(shown) => document.querySelectorAll('.rows li').length > shown", arg=shown)


def test_a_card_that_is_laid_does_not_wait_for_the_list(desk):
    desk.open(why="16v_18ao_57a")
    desk.see("The reply that refutes it is", ".why")
    desk.click("hand-0:16")
    drawn = desk.page.evaluate("""() => {
        const list = new MutationObserver(() => {});
        list.observe(document.querySelector('#panel'), { subtree: true, childList: true, attributes: true });
        document.querySelector('[data-key="pile-0v:6"]').click();
        return [Boolean(document.querySelector('[data-key="pile-0v:16"]')), list.takeRecords().length];
    }""")
    assert drawn == [True, 0]
    desk.see("What this turn can still become", ".outcomes h3")


def test_a_deal_that_is_too_large_says_so_soon(desk):
    start, _ = whole_game(FACE)
    desk.open(FACE, start)
    desk.see("too large to be solved here", "#panel")
    desk.see("not solved", ".headline .value")
    assert desk.page.locator(".rows li").count() == 0


def test_those_who_hear_the_page_hear_the_turn_and_the_end_in_words(desk):
    desk.slow_down()
    desk.open(turns="16v_18vo", mode="play", seats="human~perfect", values="off")
    desk.see("Opponent: 4 on", "#status")
    assert desk.key("pile-1v:4").count() == 1, "what is heard is on the table"
    desk.click("hand-0:19")
    desk.page.locator('[data-zone="pile-0^"].card').click()
    desk.page.wait_for_selector('[data-key="pile-0^:19"], [data-key="pile-0^:52"]')
    desk.go(f"{desk.address}/#turns=16v_18vo~4v_7ao&mode=play&laid=19a&values=off")
    desk.click("hand-0:57")
    desk.page.locator('[data-zone="pile-0^"].card').click()
    desk.see("The game is over. You have won.", "#status")


def test_escape_puts_the_card_back_and_the_focus_on_it(desk):
    desk.open(mode="play")
    reach(desk, "hand-0:18")
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_function("() => document.activeElement.dataset.key.startsWith('pile')")
    desk.page.keyboard.press("Escape")
    desk.page.wait_for_function("() => document.activeElement.dataset.key === 'hand-0:18'")
    assert desk.page.locator(".selected").count() == 0


def test_a_refusal_quotes_what_was_typed(desk):
    desk.open(mode="enter")
    desk.key("notation").fill("45^17v:18,33 43^20v:4,5x")
    desk.see("43^20v:4,5x", "#notation-state")


def test_what_share_gives_set_up_takes(desk):
    desk.open(turns="16v_18vo", mode="share")
    link = desk.key("share-link").input_value()
    record = json.dumps(game_of(FACE).solve(game_of(FACE).parse(START[FACE])).record())
    desk.click("mode-enter")
    for given, position in [
        (link, "53^18v:4,7,29,44 52^16v:19,57"),
        (record, START[FACE]),
        ("27^40v:45,18,17 13^50v:12,5", "27^40v:17,18,45 13^50v:5,12"),
    ]:
        desk.key("notation").fill(given)
        desk.see("\u2713 well-formed")
        desk.page.wait_for_timeout(600)
        desk.see("\u2713 well-formed")
        desk.click("use-draft")
        desk.shows(position)
        desk.click("mode-enter")


@BOTH
def test_a_random_position_is_one_in_which_there_is_something_to_find(desk):
    desk.open()
    for _ in range(3):
        before = desk.page.locator("#table").get_attribute("data-position")
        desk.click("random")
        desk.page.wait_for_function("(before) => document.querySelector('#table').dataset.position !== before", arg=before)
        desk.page.wait_for_selector(".headline .value")
        shown = desk.page.locator("#table").get_attribute("data-position")
        position = game_of(FACE).parse(plain(shown))
        outcomes, line = game_of(FACE).outcomes(position), game_of(FACE).solve(position).line
        wins = sum(one.value % 2 for one in outcomes)
        assert len(line) >= 3 and 1 <= wins <= max(1, len(outcomes) / 5)


def test_a_random_position_is_a_puzzle_if_all_that_were_drawn_are_dull(desk):
    dull = "27^40v:17,18,45 13^50v:5,12"
    desk.page.route("**/random?*", lambda route: route.fulfill(json={"game": FACE, "position": dull, "source": "tight", "seed": 1}))
    desk.open()
    desk.click("random")
    desk.page.wait_for_function("(start) => document.querySelector('#table').dataset.position !== start", arg=spelled(START[FACE]))
    shown = plain(desk.page.locator("#table").get_attribute("data-position"))
    assert shown in {one["position"] for one in puzzles_of(FACE)}


@BOTH
def test_the_end_says_why_with_its_rule(desk):
    desk.open(turns="16v_18vo~4v_7ao~19a_57a")
    desk.see("You have laid your last card.", ".headline")
    assert "rule F12" in desk.page.locator(".headline .rule").inner_text()
    desk.open(FACE, "30^31v:20,21 59^2v:29,44", turns="20a_21a", mode="play")
    desk.see("You have won.", ".headline")
    desk.open(FACE, "44^17v:30,31 50^10v:7")
    desk.see("The opponent has won.", ".headline")
    desk.see("You hold 30 and 31, and no two cards can be laid.", ".headline")
    assert "rule F13" in desk.page.locator(".headline .rule").inner_text()
    desk.open(TAKE, turns="44~53x35~43~take")
    desk.see("The line was taken, and the draw pile is empty.", ".headline")
    assert "rule T7" in desk.page.locator(".headline .rule").inner_text()


def test_the_last_turn_of_each_side_stays_marked(desk):
    desk.open(turns="16v_18vo~4v_7ao", mode="play")
    desk.page.wait_for_selector('[data-key="pile-0v:16"].last.by-0')
    assert {one.get_attribute("data-key") for one in desk.page.locator(".last.by-1").all()} == {"pile-1v:4", "pile-0^:7"}
    desk.open(FACE, DEALS[FACE], turns="17a_18a", mode="play")
    desk.page.wait_for_selector('[data-key="hand-0:9"].drawn')


WATCH_MOVES = """window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, how) {
    window.moved.push([this.dataset.key, how.duration]);
    return animate.call(this, frames, how);
};"""


@pytest.mark.parametrize(("wish", "moved"), [("no-preference", [["pile-0v:16", 200]]), pytest.param("reduce", [], marks=CHROMIUM)])
def test_a_card_moves_to_its_pile_unless_one_wishes_no_motion(desk, wish, moved):
    desk.page.emulate_media(reduced_motion=wish)
    desk.page.add_init_script(WATCH_MOVES)
    desk.open(mode="play", values="off")
    desk.click("hand-0:16", "pile-0v:6")
    desk.page.wait_for_selector('[data-key="pile-0v:16"]')
    assert desk.page.evaluate("window.moved") == moved


# Everybody


@BOTH
def test_by_keyboard_alone(desk):
    desk.open(mode="play", values="off")
    press = desk.page.keyboard.press
    reach(desk, "hand-0:16")
    press("Enter")
    desk.page.wait_for_function("() => document.activeElement.dataset.key === 'pile-0v:6'")
    press("Enter")
    desk.hash("laid=16v")
    reach(desk, "hand-0:18")
    press("Enter")
    focused = "document.activeElement.dataset.key"
    desk.page.wait_for_function(f"() => {focused} === 'pile-1^:53'")
    press("ArrowRight")
    desk.page.wait_for_function(f"() => {focused} === 'pile-1v:15'")
    press("Enter")
    desk.hash("laid=16v_18vo")
    reach(desk, "end-turn")
    desk.page.wait_for_selector('[data-key="end-turn"]:not([aria-disabled])')  # the server has said that the turn may end
    press("Enter")
    desk.hash("turns=16v_18vo")
    reach(desk, "undo")
    press("Enter")
    desk.hash("n=0")
    reach(desk, "mode-look", back=True)
    press("Enter")
    reach(desk, "row-16v 18v'")
    desk.page.wait_for_selector(".preview")
    press("Enter")
    desk.see("The best reply is", ".why")


@BOTH
def test_a_game_from_the_first_page_to_its_review_by_keyboard_alone(desk):
    press, focused = desk.page.keyboard.press, "document.activeElement.dataset.key"
    desk.go(f"{desk.address}/#mode=look")
    desk.page.wait_for_selector(".headline .value")
    reach(desk, "mode-play")
    press("Enter")
    desk.hash("mode=play")
    for card, pile in ((57, "pile-0^:52"), (16, "pile-0v:6")):
        reach(desk, f"hand-0:{card}")
        press("Enter")
        desk.page.wait_for_function(f"() => {focused} === '{pile}'")
        press("Enter")
        desk.page.wait_for_selector(f'[data-key="{pile.split(":")[0]}:{card}"]')
    reach(desk, "end-turn")
    desk.page.wait_for_selector('[data-key="end-turn"]:not([aria-disabled])')  # the server has said that the turn may end
    press("Enter")
    desk.see("throws the win away", ".review")
    reach(desk, "review-1")
    press("Enter")
    desk.hash("n=1")
    reach(desk, "again-from-here")
    press("Enter")
    desk.page.wait_for_selector(".seat-0.mover")
    desk.holds(0, [16, 18, 19, 57])


def reach(desk, key, back=False):
    """Tabs until an element has the focus; within a zone or a row of links the arrows go on. Returns how often it tabbed."""
    beside = """(key) => {
        const [now, wanted] = [document.activeElement, document.querySelector(`[data-key="${CSS.escape(key)}"]`)];
        const group = now?.closest(".zone, nav");
        return group && wanted && now !== wanted && group.contains(wanted);
    }"""
    for tabs in range(150):
        for _ in range(12):
            if desk.page.evaluate("document.activeElement.dataset.key || ''") == key:
                return tabs
            if not desk.page.evaluate(beside, key):
                break
            desk.page.keyboard.press("ArrowRight")
        desk.page.keyboard.press("Shift+Tab" if back else "Tab")
    raise AssertionError(f"the keyboard does not reach {key}")


@pytest.mark.parametrize("game", [FACE, TAKE])
def test_the_hand_is_six_tabs_away_and_a_zone_one(desk, game):
    desk.open(game, mode="play", values="off", seats="human~human")
    desk.page.wait_for_selector(".live .card:not(.stuck)")
    hand = desk.hand(0)
    assert reach(desk, f"hand-0:{hand[-1]}") <= 6
    zones = desk.page.locator("#table .zone").evaluate_all(
        "(all) => all.map((zone) => zone.querySelectorAll('[tabindex=\"0\"]').length).filter((count) => count !== 1)"
    )
    assert [count for count in zones if count > 1] == []


def test_after_the_opponent_has_laid_the_focus_is_in_the_hand(desk):
    desk.open(FACE, FULL[FACE], mode="play", values="off", seats="human~perfect")
    desk.page.wait_for_selector(".live .card:not(.stuck)")
    for play in game_of(FACE).solve(game_of(FACE).parse(FULL[FACE])).best.plays:
        lay(desk, FACE, str(play))
    reach(desk, "end-turn")
    desk.page.wait_for_selector('[data-key="end-turn"]:not([aria-disabled])')
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_function("() => document.querySelectorAll('.step').length > 2")
    desk.page.wait_for_function("() => document.activeElement.matches('.live .card')")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", [FACE, TAKE])
@BY_TOUCH
def test_a_phone_shows_all_without_scrolling_sideways(desk, game, mode):
    desk.open(game, FULL[game], mode=mode, draft=spelled(FULL[game]))
    desk.page.wait_for_timeout(250)
    assert desk.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if mode == "play":
        desk.key("hand-0:" + ("56" if game == FACE else "39")).tap()
        desk.page.locator(".target").first.tap()
        desk.hash("laid=" if game == FACE else "turns=39")
    if mode == "share":
        field = desk.key("share-notation").bounding_box()
        assert field["y"] + field["height"] <= PHONE["height"], "what is shared is seen at once"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("where", ["address", "static_address"])
@pytest.mark.timeout(600, func_only=True)  # some thirty views
@pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: scripts/page/install_browser.py fetches it")
def test_axe_reports_nothing(request, browser, where, scheme, viewport):
    desk = Desk(browser, request.getfixturevalue(where), viewport, color_scheme=scheme, bypass_csp=True)
    views = [(game, {"mode": mode}) for game in (FACE, TAKE) for mode in MODES]
    views += [(FACE, {"why": "16v_18ao_57a", "only": "57"}), (FACE, {"mode": "play", "laid": "16v", "turns": ""})]
    views += [(game, {"mode": "puzzles", "puzzle": "2"}) for game in (FACE, TAKE)]
    views += [(FACE, {"mode": "play", "turns": "57a_16v~7v_4v", "seats": "human~perfect"})]
    views += [(FACE, {"start": "27^40v:17,18,45 13^50v:5,12", "laid": "17a_18a"})]
    views += [(game, {"start": DEALS[game], "mode": "play", "cards": "own", "values": "odds"}) for game in (FACE, TAKE)]
    views += [(TAKE, {"turns": "44~53x35~43~take", "mode": "play"}), (FACE, {"mode": "enter", "draft": "52a6vh16.60_53a15vh4"})]
    views += [(game, {"rules": "open"}) for game in (FACE, TAKE)]
    if where == "address":
        views += [(FACE, {"mode": "enter", "draft": quote("=45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12")})]
        views += [(TAKE, {"mode": "enter", "draft": quote("=12,43,94 ?2 34-41-49 ?2")})]
    wrong = {"start": puzzles_of(FACE)[3]["position"], "turns": spelled(str(wrong_turn_of(FACE, 3)))}
    views += [(FACE, {"mode": "puzzles", "puzzle": "3", **wrong})]
    found = {}
    for game, state in views:
        if state.get("mode") == "enter":
            state = {"draft": spelled(START[game]), **state}
        desk.open(game, **state)
        desk.page.reload()
        desk.page.wait_for_timeout(250)
        if "rules" in state:
            desk.click("rules")
            desk.page.wait_for_selector("dialog[open]")
        desk.page.add_script_tag(path=str(AXE))
        report = desk.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        for one in report["violations"]:
            found[game, json.dumps(state), one["id"]] = [node["html"][:160] for node in one["nodes"][:3]]
    for sheet in ("f2f/3", "tt/3-4"):
        desk.go(f"{desk.address}/print.html#{sheet}")
        desk.page.wait_for_selector("figure .card")
        desk.page.add_script_tag(path=str(AXE))
        report = desk.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        found |= {(sheet, one["id"]): [node["html"][:160] for node in one["nodes"][:3]] for one in report["violations"]}
    desk.close()
    assert found == {}


AUDITS = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const meta = (name) => document.querySelector(`meta[name=${name}]`)?.content || '';
    const hidden = (one) => !one.offsetParent || one.matches('.unseen, .skip') || one.closest('label');
    const small = (one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) < 24;
    return {
        document: [document.doctype?.name, document.characterSet, document.documentElement.lang, document.title !== ''],
        described: meta('description').length > 50 && meta('viewport').includes('width=device-width') && !meta('robots'),
        headings: all('h1').length,
        links: all('a').filter((one) => !/^([#/]|[\\w-]+\\.html)/.test(one.getAttribute('href')) || !one.textContent.trim()).length,
        images: all('img').filter((one) => !one.alt || getComputedStyle(one).aspectRatio === 'auto').length,
        small: all('button, select, input').filter((one) => !hidden(one) && small(one)).map((one) => one.dataset.key),
        illegible: all('body *').filter((one) => !one.children.length && one.offsetParent && one.textContent.trim()
            && parseFloat(getComputedStyle(one).fontSize) < 11).length,
        shifted: window.shifted < 0.1,
    };
}"""
WATCH_SHIFTS = """window.shifted = 0;
new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: 'layout-shift', buffered: true });"""


@BOTH
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_what_an_audit_of_the_page_finds(desk, viewport):
    """Lighthouse's checks that need no network, but those of axe: document, description, links, images, sizes of targets and text,
    layout shift. `Desk` reports errors in the console and requests elsewhere."""
    desk.page.set_viewport_size(viewport)
    desk.page.add_init_script(WATCH_SHIFTS)
    good = {
        "document": ["html", "UTF-8", "en", True], "described": True, "headings": 1, "links": 0, "images": 0, "small": [],
        "illegible": 0, "shifted": True,
    }  # fmt: skip
    for game, state in [(game, {"mode": mode, "draft": spelled(START[game])}) for game in (FACE, TAKE) for mode in MODES]:
        desk.open(game, **state)
        desk.page.reload()
        desk.page.wait_for_selector("#panel > *")
        desk.page.wait_for_load_state("networkidle")
        assert desk.page.evaluate(AUDITS) == good, (game, state["mode"])
    with urllib.request.urlopen(desk.address) as reply:
        head = reply.read(1024).lower()
        assert b"<!doctype html>" in head and b'<meta charset="utf-8">' in head
        assert b"content-security-policy" in head or "default-src 'none'" in reply.headers["Content-Security-Policy"]


TOOK = """([act, until]) => new Promise((done) => {
    const begun = performance.now();
    const look = () => (eval(until) ? done(performance.now() - begun) : requestAnimationFrame(look));
    eval(act);
    look();
})"""
CLICK = "document.querySelector('{}').click()"
TIMES = {
    "a laid card is on the table": (16, {}, "hand-0:16", CLICK.format('[data-key="pile-0v:6"]'), '[data-key="pile-0v:16"]'),
    "its value": (150, {}, "hand-0:16", CLICK.format('[data-key="pile-0v:6"]'), ".headline .todo:not(:empty)"),
    "3,515 outcomes": (300, {}, None, "location.hash = 'start=3a58vh14.20.24.30.34.55_59a2vh21.36.42'", ".more-rows"),
    "a row of them": (50, {"start": "3a58vh14.20.24.30.34.55_59a2vh21.36.42"}, None, CLICK.format(".row"), "li.open .why"),
}


@pytest.mark.timeout(600, func_only=True)
@pytest.mark.skipif(not os.environ.get("BACKTRICK_TIMES"), reason="BACKTRICK_TIMES=1, on an idle machine")
@pytest.mark.parametrize("what", TIMES)
def test_times(browser, address, what):
    """The median of ten, each in a browser that has cached nothing."""
    limit, state, first, act, until = TIMES[what]
    if what == "its value":
        until = "[...document.querySelectorAll('.headline .todo')].some((one) => one.innerText.includes('completion'))"
    else:
        until = f"document.querySelector('{until}')"
    took = []
    for _ in range(10):
        desk = Desk(browser, address, bypass_csp=True)
        desk.open(**{"start": START[FACE], **state})
        desk.page.wait_for_selector(".rows li")
        desk.page.wait_for_timeout(300)
        if first:
            desk.click(first)
        took.append(desk.page.evaluate(TOOK, [act, until]))
        desk.close()
    print(f"{what}: {sorted(took)[5]:.0f} ms, {min(took):.0f} to {max(took):.0f}")
    assert sorted(took)[5] <= limit


SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
"""A slow 3G network: 400 ms to and fro, 400 kbit/s."""
SEEN = {
    "first": (1500, ".first svg"), "board": (2000, "#table .live .card"), "panel": (3000, "#panel > *"),
    "laid": (10_000, "#table .fresh"),
}  # fmt: skip
"""Milliseconds until parts of the page are there, and the first card is laid by one who taps as soon as that is possible."""
WATCH_PARTS = f"""const parts = {json.dumps({name: where for name, (_, where) in SEEN.items()})};
window.seen = {{}};
const look = () => {{
    for (const [name, where] of Object.entries(parts)) {{
        const found = document.querySelector(where);
        if (found && getComputedStyle(found).visibility === 'visible') window.seen[name] ??= performance.now();
    }}
    requestAnimationFrame(look);
}};
look();"""


# Paper, sets, keys


@CHROMIUM
@BOTH
@pytest.mark.parametrize("sheet", ["f2f/10-19", "tt/10-19"])
def test_a_sheet_of_ten_is_a_page_with_the_answers_on_its_back(desk, sheet):
    desk.go(f"{desk.address}/print.html#{sheet}")
    desk.page.wait_for_selector("figure:nth-child(10) .card")
    pages = re.findall(rb"/Type\s*/Page[^s]", desk.page.pdf(prefer_css_page_size=True))
    assert len(pages) == 2
    desk.page.emulate_media(media="print")
    assert desk.page.locator("figure:nth-child(10) .card").first.bounding_box()["width"] > 15
    assert not desk.page.get_by_role("button", name="Print").is_visible()
    assert desk.page.locator(".answers li").count() == 10
    desk.go(f"{desk.address}/print.html#f2f/5000")
    desk.see("This is not there", ".problem")


@CHROMIUM
@BOTH
@pytest.mark.parametrize("sheet", ["f2f/10-15", "tt/10-15", "~".join([f"tt/{spelled(START[TAKE])}", *[spelled(START[TAKE])] * 5])])
def test_six_tables_have_their_answers_upside_down_at_the_foot(desk, sheet):
    desk.go(f"{desk.address}/print.html#{sheet}")
    desk.page.wait_for_selector("figure:nth-child(6) .card")
    assert len(re.findall(rb"/Type\s*/Page[^s]", desk.page.pdf(prefer_css_page_size=True))) == 1
    assert desk.page.locator(".answers").evaluate("(one) => getComputedStyle(one).transform") == "matrix(-1, 0, 0, -1, 0, 0)"
    assert desk.page.locator(".answers li .turn").count() == 6


@BOTH
def test_a_set_of_ten_has_a_bar_and_goes_on_by_itself(desk):
    desk.go(f"{desk.address}/#mode=puzzles&game={TAKE}&puzzle=5")
    desk.key("theme").select_option("shut")
    desk.click("set")
    desk.see("0 of 10 solved", "#panel .set")
    first = desk.page.locator("#table").get_attribute("data-position")
    desk.click("solution")
    desk.see("0 of 10 solved", ".ending")
    assert desk.page.locator(".ending .set b").inner_text() == "\U0001f7e7" + "\u2b1c" * 9
    assert re.search(r"Rating \d+ \(\u2212\d+\)", desk.page.locator(".ending").inner_text())
    desk.page.locator('.ending [data-key="next-puzzle"]').click()
    desk.page.wait_for_function("(first) => document.querySelector('#table').dataset.position !== first", arg=first)
    desk.see("0 of 10 solved", "#panel .set")


def test_after_a_puzzle_that_was_missed_one_of_its_theme_comes(desk):
    desk.page.set_viewport_size(PHONE)
    desk.page.goto(f"{desk.address}/p/tt/5")
    desk.click("solution")
    desk.see("One like it", ".ending")
    desk.page.wait_for_function("() => document.querySelector('.ending').getBoundingClientRect().top > 0", timeout=5000)
    desk.page.locator('.ending [data-key="next-puzzle"]').click()
    desk.page.wait_for_function("() => !location.pathname.endsWith('/5')")
    number = int(desk.page.url.rpartition("/")[2])
    listed = puzzles_of(TAKE)
    assert listed[5]["themes"][0] in listed[number]["themes"]


@pytest.mark.parametrize("game", [FACE, TAKE])
def test_a_whole_game_is_replayed_by_one_key(desk, game):
    turns = whole_game(game)
    desk.open(game, turns[0], mode="play", seats="human~tuned", turns="~".join(map(spelled, turns[1])))
    desk.page.wait_for_selector(".review .strip button")
    desk.page.keyboard.press("Home")
    for place in range(1, len(turns[1]) + 1):
        desk.page.keyboard.press("ArrowRight")
        desk.page.wait_for_selector(f'[data-key="review-{place}"][aria-current="step"]:focus')
    desk.see("The game is over", "#table")


def test_a_question_mark_shows_the_keys(desk):
    desk.open()
    desk.page.keyboard.press("?")
    desk.see("your hand first", "dialog")
    desk.page.keyboard.press("Escape")
    desk.page.wait_for_selector("dialog", state="detached")


@BOTH
def test_each_outcome_is_a_link_to_its_position(desk):
    desk.open(FACE)
    link = desk.page.locator(".after").first
    assert link.get_attribute("href").endswith("turns=16v_18vo")
    link.click()
    desk.hash("turns=16v_18vo")
    desk.see("The opponent is to move", ".headline")


ENGLISH = re.compile(r"\b(the|with|your|you|cards?|turns?|what|where|opponent|puzzle|this|from|of)\b", re.IGNORECASE)
OWN = re.compile(r"The Game: Face to Face|Take That|Face to Face|backtrick serve|English|JSON[^\n]*|API")
"""Names, which are the same in every language."""


@BOTH
@pytest.mark.parametrize("language", ["en", "de", "el", "it", "pt"])
def test_no_language_is_wider_than_a_screen_or_leaves_english(desk, language):
    # Firefox runs it in documents too that may keep nothing, as the one before the first.
    desk.page.add_init_script(f"try {{ localStorage.setItem('backtrick-language', '{language}') }} catch {{}}")
    for game in (FACE, TAKE):
        for mode in MODES:
            desk.open(game, mode=mode)
            desk.page.reload()
            desk.page.wait_for_selector("#panel:not(:empty)")
            for width, height in ((390, 844), (768, 1024), (1366, 768), (2560, 1440)):
                desk.page.set_viewport_size({"width": width, "height": height})
                wide = desk.page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, (game, mode, width, wide)
                head = desk.page.locator("#head").bounding_box()["height"]
                assert head <= (110 if width < 1000 else 70), (game, mode, width, head)  # two rows, or one
            left = ENGLISH.findall(OWN.sub("", desk.page.inner_text("main")))
            assert language == "en" or not left, (game, mode, left)
        desk.page.keyboard.press("?")
        desk.page.wait_for_selector("dialog")
        assert language == "en" or not ENGLISH.findall(OWN.sub("", desk.page.inner_text("dialog")))
        desk.go(f"{desk.address}/print.html#{'f2f' if game == FACE else 'tt'}/3,40-42")
        desk.page.wait_for_selector("figure:nth-child(4) .card")
        for width in (390, 1366):
            desk.page.set_viewport_size({"width": width, "height": 844})
            assert desk.page.evaluate("document.documentElement.scrollWidth") <= width
        assert language == "en" or not ENGLISH.findall(OWN.sub("", desk.page.inner_text("main")))


@pytest.mark.skipif(not os.environ.get("BACKTRICK_TIMES"), reason="BACKTRICK_TIMES=1, on an idle machine")
def test_the_page_over_a_slow_network(browser, address):
    """The median of five, each in a browser that has kept nothing."""
    took = []
    for _ in range(5):
        desk = Desk(browser, address, PHONE)
        desk.context.new_cdp_session(desk.page).send("Network.emulateNetworkConditions", SLOW)
        desk.page.add_init_script(WATCH_PARTS)
        desk.page.goto(address, wait_until="commit")
        desk.page.click("#table .live .card:not(.stuck)")
        desk.page.click("#table .target")
        desk.page.wait_for_function("() => window.seen.panel && window.seen.laid")
        took.append(desk.page.evaluate("window.seen"))
        desk.close()
    median = {name: sorted(one[name] for one in took)[2] for name in SEEN}
    print({name: f"{found:.0f} ms" for name, found in median.items()}, len(set(desk.requests)), "requests")
    assert {name for name, (limit, _) in SEEN.items() if median[name] > limit} == set()


def test_dark_and_light_differ(desk):
    desk.open()
    colours = set()
    for scheme in ("light", "dark"):
        desk.page.emulate_media(color_scheme=scheme)
        colours.add(desk.page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(colours) == 2


@CHROMIUM
def test_the_page_without_a_server_works_without_a_network(browser):
    with static_server() as address:
        desk = Desk(browser, address)
        desk.open()
        desk.page.evaluate("navigator.serviceWorker.ready.then(() => null)")  # now all files are kept
    desk.context.new_cdp_session(desk.page).send("Network.clearBrowserCache")
    desk.context.set_offline(True)
    desk.page.reload()
    desk.see("You win in 3", ".headline")
    desk.click("row-16v 18^' 57^")
    desk.see("The reply that refutes it is", ".why")
    desk.click("mode-play")
    for play in ("18v'", "16v"):
        lay(desk, FACE, play)
    desk.click("end-turn")
    desk.hash("turns=18vo_16v~4v_7ao")
    desk.click("game-take_that")
    desk.see("+6 points", ".headline")
    desk.click("mode-puzzles")
    desk.see("One turn is best. Find it.", ".headline")
    desk.close()


# The same answers everywhere


@pytest.mark.timeout(600, func_only=True)
@pytest.mark.parametrize("game", [FACE, TAKE])
def test_the_page_the_api_and_the_library_say_the_same(desk, game):
    solver = game_of(game)
    name = next(iter(solver.display.sources))
    positions = list(solver.display.sources[name].make(250, seed=12, threads=1))
    desk.open(game)
    desk.page.wait_for_selector(".rows li")
    for position in positions:
        answer = solver.solve(position, want={"outcomes"})
        record = answer.record(True)
        query = f"{desk.address}/api/v1/{game.replace('_', '-')}/solve?position={spelled(str(position))}&all=1"
        with urllib.request.urlopen(query) as reply:
            assert json.loads(reply.read()) == json.loads(json.dumps(record))
        desk.page.evaluate("(hash) => { location.hash = hash; }", f"game={game}&list=all&start={spelled(str(position))}")
        expected = [[str(one.turn), words(solver, one.value)] for one in answer.outcomes]
        told = [spelled(str(position)), words(solver, answer.value), len(expected)]
        desk.shows(str(position))
        desk.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")  # the list is drawn later
        shown = desk.page.wait_for_function(SHOWN, arg=told).json_value()
        assert shown == expected, position


SHOWN = """([position, value, count]) => {
    document.querySelectorAll('.more-rows').forEach((more) => more.click());
    const head = document.querySelector('.headline .value');
    const rows = [...document.querySelectorAll('.rows > li')];
    if (document.querySelector('#table').dataset.position !== position || rows.length !== count) return null;
    if (!count) return document.querySelector('.headline.over') && [];
    if (!head) return null;
    if (head.innerText.replace(/^\\S+\\s/, '') !== value) return null;
    return rows.map((row) => [row.dataset.turn, row.closest('.group').querySelector('.value').innerText.replace(/^\\S+\\s/, '')]);
}"""


def words(solver, value):
    """A value as the page words it."""
    if solver.name == FACE:
        return solver.display.value_text(Bounds(value, value)).replace("win", "You win").replace("loss", "You lose")
    sign = "+" if value > 0 else "\u2212" if value < 0 else ""
    return f"{sign}{abs(value)} {'point' if abs(value) == 1 else 'points'}"


# Screenshots


PLAYED = {"mode": "play", "turns": "16v_18vo~4v_7ao", "seats": "human~perfect", "values": "off"}
SHOTS = {
    "face_to_face": (FACE, WIDE, "light", {"why": "16v_18ao_57a"}),
    "take_that": (TAKE, WIDE, "dark", {"turns": "44"}),
    "phone": (FACE, {"width": 390, "height": 800}, "light", PLAYED),
    "enter": (TAKE, WIDE, "light", {"mode": "enter", "draft": "15.43.44_21.53_51-62-43"}),
}


def shrink(path):
    """A picture with 256 colours takes a third of the room."""
    image = pytest.importorskip("PIL.Image").open(path)
    image.convert("RGB").quantize(256).save(path, optimize=True)


@pytest.mark.parametrize("name", SHOTS)
def test_screenshots(browser, address, name, tmp_path):
    game, viewport, scheme, state = SHOTS[name]
    desk = Desk(browser, address, viewport, color_scheme=scheme)
    desk.open(game, {FACE: START[FACE], TAKE: "15,43,44,61,72 21,34,53,88 51-62-35"}[game], **state)
    desk.page.wait_for_timeout(600)
    target = (IMAGES if os.environ.get("BACKTRICK_SCREENSHOTS") else tmp_path) / f"{name}.png"
    target.parent.mkdir(exist_ok=True)
    desk.page.screenshot(path=str(target))
    if "docs" in target.parts:
        shrink(target)
    assert 10_000 < target.stat().st_size < 300_000
    desk.close()
