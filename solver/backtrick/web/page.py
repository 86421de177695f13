"""The files of the page; and links that can be shared, to positions, `/f2f/POSITION`, and to puzzles, `/p/f2f/NUMBER`, with what a
preview of the link shows.

Programs that make previews do not run scripts. So the head of such a page names its title, its description and an image,
as described at ogp.me. The image is drawn as SVG. If resvg-py is installed, it makes a PNG of it, which is what most programs show.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from html import escape
from http import HTTPStatus
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from backtrick.answer import Answer
from backtrick.budget import Budget
from backtrick.display import Display
from backtrick.errors import BacktrickError, UsageError
from backtrick.game import BEST, AnyGame
from backtrick.games import all_displays, all_games, game_of
from backtrick.notation import spelled
from backtrick.web.bundle import bundle
from backtrick.web.first import First
from backtrick.web.parameters import path_of, plain
from backtrick.web.puzzles import puzzles_of
from backtrick.web.responses import Busy
from backtrick.writing.drawing import FONT, LIGHT, THEMED, back, placed, sheet, text
from backtrick.writing.drawing import HEIGHT as CARD_HEIGHT
from backtrick.writing.drawing import WIDTH as CARD_WIDTH

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from importlib.resources.abc import Traversable
    else:
        from importlib.abc import Traversable

INDEX, CARDS, ICON, SCRIPT, MANIFEST = "index.html", "cards.svg", "icon.svg", "page.js", "page.webmanifest"
LATER, SHEET = ("late.js", "rare.js"), "print.js"
"""Scripts: those that come after the first, and that of sheets for paper."""

KNOWN, TABLE = b'<script type="application/json" id="known">', b'<section id="table" tabindex="-1">'
"""In the page: where answers stand that come with it, and a picture of the table."""

TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""What a system knows of types differs from machine to machine."""

_TEXTS = ("text/", "application/json", "image/svg")
_REMARK = re.compile(rb"\s*/\*.*?\*/|^\s+", re.DOTALL | re.MULTILINE)
"""In a style: what is there for its readers, comments and indents."""


def static_files(own: Mapping[str, bytes] | None = None) -> dict[str, tuple[bytes, str]]:
    """The content and the media type of every file of the page, by path: 'index.html', 'words/de.js'. own: files in place of those
    of the server."""
    root = files("backtrick.web").joinpath("static")
    found = {name: one.read_bytes() for name, one in _files_in(root, "")} | dict(own or {})
    modules = {name: content.decode() for name, content in found.items() if name.endswith(".js")}
    scripts = {SCRIPT: bundle(modules, "main.js"), SHEET: bundle(modules, SHEET)}
    scripts |= {name: bundle(modules, name, "main.js", SCRIPT) for name in LATER}
    scripts |= {name: bundle(modules, name) for name in modules if name.startswith("words/")}
    found |= {name: _REMARK.sub(b"", content) for name, content in found.items() if name.endswith(".css")}
    found |= {"favicon.ico": found[ICON], CARDS: _cards(), **{name: text.encode() for name, text in scripts.items()}}
    return {name: (content, media_type_of(ICON if name == "favicon.ico" else name)) for name, content in found.items()}


def version_of(files: Mapping[str, tuple[bytes, str]]) -> str:
    """What changes with any file of the page: a part of their paths, so that a browser may keep them for ever."""
    return blake2b(b"".join(files[name][0] for name in sorted(files))).hexdigest()[:12]


def versioned(page: bytes, version: str) -> bytes:
    """The page with the paths of its files below their version."""
    return _with_links_below(f"v/{version}/", page)


def _with_links_below(prefix: str, page: bytes) -> bytes:
    return re.sub(rb'\b(href|src)="(?=[a-z])(?!https?:)', rb'\1="' + prefix.encode(), page)


def with_first(page: bytes, first: First) -> bytes:
    """The page with a picture of its first table, and with the answers that it would ask for first."""
    known = (json.dumps(path).encode() + b":" + body.strip().replace(b"<", rb"\u003c") for path, body in first.known.items())
    page = page.replace(TABLE, TABLE + b'<div class="first">' + first.picture.strip().encode() + b"</div>", 1)
    return page.replace(KNOWN, KNOWN + b"{" + b",".join(known) + b"}", 1)


def _cards() -> bytes:
    """The cards of all games as symbols, which the page uses by their names."""
    drawn = [("back", back(THEMED)), *(named for game in all_games() for named in game.display.symbols(THEMED))]
    symbols = (f'<symbol id="{name}" viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}">{markup}</symbol>' for name, markup in drawn)
    return f'<svg xmlns="http://www.w3.org/2000/svg" font-family="{FONT}">{"".join(symbols)}</svg>'.encode()


def _files_in(folder: Traversable, before: str) -> Iterator[tuple[str, Traversable]]:
    for one in folder.iterdir() if folder.is_dir() else ():
        if one.name.startswith((".", "_")):
            continue
        if one.is_dir():
            yield from _files_in(one, f"{before}{one.name}/")
        else:
            yield before + one.name, one


def media_type_of(name: str) -> str:
    """The media type of a file, by the end of its name.

    >>> media_type_of("page.js"), media_type_of("unknown")
    ('text/javascript; charset=utf-8', 'application/octet-stream')
    """
    known = TYPES.get("." + name.rpartition(".")[2].lower(), "application/octet-stream")
    return f"{known}; charset=utf-8" if known.startswith(_TEXTS) else known


# Links

WIDTH, HEIGHT, MARGIN = 1200, 630, 40
"""Of the image: what programs that show previews ask for."""

MOST_NODES = 500
"""For the value that is shown: a fraction of a millisecond. What takes longer is shown without."""

PNG_SECONDS = 10
_MAKE_PNG = "import sys, resvg_py; sys.stdout.buffer.write(bytes(resvg_py.svg_to_bytes(svg_string=sys.stdin.read())))"


def read_public_url(text: str) -> str:
    """The address under which others reach the server, without a slash at its end. Raises `UsageError`.

    >>> read_public_url("https://cards.example.org/")
    'https://cards.example.org'
    """
    if re.fullmatch(r"https?://[A-Za-z0-9.\-]+(:\d{1,5})?/?", text) is None:
        raise UsageError(f"--public-url must be an address like https://cards.example.org, without a path, not {text[:80]!r}")
    return text.rstrip("/")


def read_origin(text: str) -> str:
    """The origin of pages as browsers write it; '*' for all. Raises `UsageError`.

    >>> read_origin("HTTPS://Example.org"), read_origin("*")
    ('https://example.org', '*')
    """
    if re.fullmatch(r"\*|[a-z][a-z0-9+.-]*://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?", text.lower(), re.ASCII) is None:
        raise UsageError(f"--cors must be an origin like https://example.org, without a path, or *, not {text[:80]!r}")
    return text.lower()


def short_name(game: Display) -> str:
    """The name of a game in links."""
    return game.short or path_of(game.name)


def game_of_link(name: str) -> AnyGame | None:
    return next((game_of(one.name) for one in all_displays() if name in (short_name(one), path_of(one.name))), None)


def head_of(title: str, description: str, url: str, image: str, width: int, height: int) -> str:
    """What the head of a page says for previews: see ogp.me."""
    facts = {
        "og:type": "website",
        "og:site_name": "Backtrick",
        "og:title": title,
        "og:description": description,
        "og:url": url,
        "og:image": image,
        "og:image:type": media_type_of(image).partition(";")[0],
        "og:image:width": str(width),
        "og:image:height": str(height),
        "og:image:alt": description,
    }
    tags = "".join(f'<meta property="{name}" content="{escape(value)}">\n' for name, value in facts.items())
    return f'{tags}<meta name="twitter:card" content="summary_large_image">\n'


class Shared:
    """A position that a link names. told: whether its value and best turn are. puzzle: its number, if it is one; then they are not.
    Raises `BacktrickError` if it is not well-formed."""

    def __init__(self, game: AnyGame, spelling: str, told: bool = True, puzzle: int | None = None):
        self.game, self.position = game, game.read_position(plain(spelling))
        name = short_name(game.display)
        self.path = f"/{name}/{spelled(str(self.position))}" if puzzle is None else f"/p/{name}/{puzzle}"
        self._answer: Answer[Any, Any, Any] | None = None
        self._puzzle, self._told = puzzle, told and puzzle is None
        told = self._told
        if told and not game.is_deal(self.position):
            with suppress(BacktrickError):
                self._answer = game.solve(self.position, None, Budget(nodes=MOST_NODES), {BEST})

    @property
    def title(self) -> str:
        """What is at stake: 'Face to Face: win in 3'."""
        if self._puzzle is not None:
            return f"{self.game.title}: puzzle {self._puzzle}"
        value = "" if self._answer is None else f": {self._answer.text}"
        return f"{self.game.title}{value}"

    @property
    def description(self) -> str:
        """Who moves, the best turn, and the position."""
        if self._puzzle is not None:
            return ASKED
        best = None if self._answer is None else self._answer.best_text()
        return f"You are to move. {f'Best turn: {with_signs(best)}. ' if best else ''}{self.position}"

    def head(self, address: str) -> str:
        """What the head of the page says about it. address: of the server."""
        url = f"{address}{quote(self.path)}"
        return head_of(self.title, self.description, url, f"{url}.{'png' if makes_png() else 'svg'}", WIDTH, HEIGHT)

    def image(self) -> str:
        """The position, its value and the best turn, as SVG."""
        drawn = (self.game.display.drawing(self.position) or "").replace(">mover</text>", ">you</text>")
        found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn)
        width, height = map(float, found.groups()) if found else (1.0, 1.0)
        scale = min((HEIGHT - 2 * MARGIN) / height, 0.65 * WIDTH / width)
        left = 2 * MARGIN + scale * width
        size = min(54.0, (WIDTH - MARGIN - left) / (0.62 * max(len(self.game.title), 14)))
        ink = LIGHT["ink"]
        lines = [(self.game.title, 1.0, 700, ink), ("you are to move", 0.7, 400, ink)]
        mark = ""
        if self._answer is not None:
            kind = _kind(self.game.display.value_record(self._answer.bounds))
            mark = _mark(kind, left, HEIGHT / 2 + 0.7 * 1.6 * size, size)
            lines += [
                (self._answer.text, 1.0, 700, MARKS[kind][0]),
                (f"best: {with_signs(str(self._answer.best_text('no legal turn')))}", 0.7, 400, ink),
            ]
        elif not self._told:
            lines += [(ASKED, 0.7, 700, ink)]
        words = [
            text(
                left + (size if mark and place == 2 else 0),
                HEIGHT / 2 + (place - len(lines) / 2 + 0.7) * 1.6 * size,
                line,
                share * size,
                colour,
                "start",
                weight,
            )
            for place, (line, share, weight, colour) in enumerate(lines)
        ]
        words.append(text(WIDTH - MARGIN, HEIGHT - MARGIN, "Backtrick", 0.6 * size, LIGHT["faint"], "end", 700))
        markup = placed(drawn, MARGIN, (HEIGHT - scale * height) / 2, scale) + mark + "".join(words)
        return sheet(markup, WIDTH, HEIGHT, self.description, LIGHT)


SIGNS = str.maketrans({"^": "\u25b2", "v": "\u25bc", "'": "\u2032", "x": "\u00d7"})


def with_signs(turn: str) -> str:
    """A turn as the page writes it.

    >>> with_signs("16v 18v'"), with_signs("94x49"), with_signs("take")
    ('16▼ 18▼′', '94×49', 'take')
    """
    return turn.translate(SIGNS) if any(map(str.isdigit, turn)) else turn


MARKS = {"win": ("#0b6357", "#d5eee8", 0.5), "loss": ("#9a3412", "#fbe3d6", 0.12), "even": ("#4b5563", "#e7e8ea", 0.3)}
"""The marks of values, as the page has them (style.css): the colour, that of the ground, and how round it is, of its height."""


def _kind(record: Mapping[str, Any]) -> str:
    """Whether a value is good for the mover: 'win', 'loss' or 'even'.

    >>> [_kind({"value": value}) for value in (1, 0, -1)]
    ['win', 'even', 'loss']
    """
    if "outcome" in record:
        return str(record["outcome"])
    value = record.get("value") or 0
    return "win" if value > 0 else "loss" if value < 0 else "even"


def _mark(kind: str, x: float, base: float, size: float) -> str:
    """The mark of a value, beside words that stand on a base line."""
    ink, ground, roundness = MARKS[kind]
    side = 0.75 * size
    return (
        f'<rect x="{x:g}" y="{base - side:g}" width="{side:g}" height="{side:g}" rx="{roundness * side:g}" '
        f'fill="{ground}" stroke="{ink}" stroke-width="{size / 14:g}"/>'
    )


ASKED = "What would you lay?"


def shared_puzzle(game: AnyGame, number: str) -> Shared:
    """The puzzle that a link names by its number. Raises `BacktrickError` if there is none."""
    puzzles = puzzles_of(game.name)
    if not re.fullmatch(r"[0-9]{1,9}", number) or int(number) >= len(puzzles):
        raise UsageError(f"{game.title} has no puzzle {number[:20]!r}; there are 0 to {len(puzzles) - 1}")
    return Shared(game, puzzles[int(number)]["position"], puzzle=int(number))


def with_head(page: bytes, head: str) -> bytes:
    """The page with more in its head, and with links that hold below a path."""
    return _with_links_below("/", page).replace(b"</head>", f"{head}</head>".encode(), 1)


ICON_SIZES = 192, 512
"""Pixels: of the icons that systems ask for which install the page, but cannot draw SVG."""


def with_icons(manifest: bytes) -> bytes:
    """The manifest of the page with icons as PNG."""
    told = json.loads(manifest)
    told["icons"] += [{"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in ICON_SIZES]
    return json.dumps(told).encode()


def icon_png(icon: bytes, size: int) -> bytes:
    """The icon as PNG. icon: the SVG file."""
    return png_of(icon.decode().replace("<svg ", f'<svg width="{size}" height="{size}" ', 1))


def makes_png() -> bool:
    return find_spec("resvg_py") is not None


def png_of(svg: str) -> bytes:
    """An SVG file as PNG, made by a process of its own: a thread of this one would stop all others meanwhile."""
    command = [sys.executable, "-c", _MAKE_PNG]
    try:
        return subprocess.run(command, input=svg.encode(), capture_output=True, timeout=PNG_SECONDS, check=True).stdout
    except subprocess.TimeoutExpired:
        raise Busy(HTTPStatus.SERVICE_UNAVAILABLE, f"the picture was not made within {PNG_SECONDS} s") from None
