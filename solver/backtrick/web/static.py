"""The files of the page. They are read from the package once, so that nothing else can be asked for."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from backtrick.drawing.palette import THEMED
from backtrick.drawing.svg import FONT, HEIGHT, WIDTH, back
from backtrick.games import all_games

if TYPE_CHECKING:
    from importlib.abc import Traversable

FOLDER, INDEX, CARDS = "static", "index.html", "cards.svg"
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


def static_files() -> dict[str, tuple[bytes, str]]:
    """The content and the media type of every file of the page, by path: 'index.html', 'cards/back.svg'."""
    found: dict[str, tuple[bytes, str]] = {}
    root = files("backtrick.web").joinpath(FOLDER)
    if root.is_dir():
        _collect(root, "", found)
    found[CARDS] = _cards(), media_type_of(CARDS)
    return found


def _cards() -> bytes:
    """The cards of all games as symbols, which the page uses by their names."""
    drawn = [("back", back(THEMED)), *(named for game in all_games() for named in game.symbols())]
    symbols = (f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{markup}</symbol>' for name, markup in drawn)
    return f'<svg xmlns="http://www.w3.org/2000/svg" font-family="{FONT}">{"".join(symbols)}</svg>'.encode()


def _collect(folder: Traversable, before: str, found: dict[str, tuple[bytes, str]]) -> None:
    for one in folder.iterdir():
        if one.name.startswith((".", "_")):
            continue
        if one.is_dir():
            _collect(one, f"{before}{one.name}/", found)
        else:
            found[before + one.name] = one.read_bytes(), media_type_of(one.name)


def media_type_of(name: str) -> str:
    """The media type of a file, by the end of its name.

    >>> media_type_of("page.js"), media_type_of("unknown")
    ('text/javascript; charset=utf-8', 'application/octet-stream')
    """
    known = TYPES.get(name[max(name.rfind("."), 0) :].lower()) or "application/octet-stream"
    return f"{known}; charset=utf-8" if known.startswith(_TEXTS) else known
