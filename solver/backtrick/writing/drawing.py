"""Drawings of cards as SVG, blind to the game: colours, and the few shapes that cards of all games share.

A game draws its own cards and positions in its `drawing.py`. Notebooks, `backtrick draw` and the explorer page show the same cards.
There is no style sheet and no script, so any program shows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from html import escape

Palette = Mapping[str, str]
"""A colour for each name in `LIGHT`. Files and notebooks have fixed colours, and the page has those of its theme."""

LIGHT: Palette = {
    "card": "#fffdf8",
    "edge": "#b9b1a2",
    "ink": "#1d2330",
    "faint": "#5d6472",
    "felt": "#f1efe8",
    "first": "#c6dcf6",
    "first-edge": "#3f74b5",
    "second": "#f8d9ab",
    "second-edge": "#a9681a",
    "pad": "#d3e8c6",
    "pad-edge": "#5d9142",
    "toad": "#a9bf5e",
    "toad-edge": "#566b1b",
}

THEMED: Palette = {name: f"var(--{name})" for name in LIGHT}
"""Variables of a style sheet, so that one drawing follows the theme of the page."""

WIDTH, HEIGHT, RADIUS = 60, 84, 7
"""Of a card."""

FONT = "'Avenir Next', 'Segoe UI', 'DejaVu Sans', system-ui, sans-serif"


def text(x: float, y: float, words: object, size: float, colour: str, anchor: str = "middle", weight: int = 400) -> str:
    """Words at a point of their base line."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="{weight}" text-anchor="{anchor}" fill="{colour}">'
        f"{escape(str(words))}</text>"
    )


def path(d: str, fill: str = "none", stroke: str = "none", width: float = 0) -> str:
    """A path."""
    line = f' stroke="{stroke}" stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"' if width else ""
    return f'<path d="{d}" fill="{fill}"{line}/>'


def rectangle(fill: str, stroke: str, inset: float = 0.75) -> str:
    """The outline of a card, filled."""
    return (
        f'<rect x="{inset:g}" y="{inset:g}" width="{WIDTH - 2 * inset:g}" height="{HEIGHT - 2 * inset:g}" rx="{RADIUS}" '
        f'fill="{fill}" stroke="{stroke}" stroke-width="1.5"/>'
    )


def back(palette: Palette) -> str:
    """The back of a card."""
    arrows = path("M21 50 V32 M21 32 l-6 7 M21 32 l6 7 M39 34 v18 m0 0 l-6 -7 m6 7 l6 -7", stroke=palette["faint"], width=3)
    return rectangle(palette["edge"], palette["faint"]) + rectangle(palette["felt"], palette["faint"], 6) + arrows


def placed(markup: str, x: float, y: float, scale: float = 1) -> str:
    """A drawing moved to a place, and made smaller or larger."""
    size = "" if scale == 1 else f" scale({scale:g})"
    return f'<g transform="translate({x:g} {y:g}){size}">{markup}</g>'


def row(cards: Iterable[str], x: float, y: float, step: float, scale: float = 1) -> str:
    return "".join(placed(card, x + place * step, y, scale) for place, card in enumerate(cards))


def grid(title: str, columns: Sequence[str], rows: Sequence[tuple[str, str, Sequence[Fraction]]], palette: Palette) -> str:
    """Shares as a table, a whole SVG file: a darker cell is a larger share. rows: a name, what it is worth, and its share of each
    column."""
    left, cell, line = 250, 46, 22
    top = 60 + 7 * max(map(len, columns), default=0)
    parts = [text(16, 28, title, 14, palette["ink"], "start", 600)]
    for number, name in enumerate(columns):
        x = left + cell * (number + 0.5)
        parts.append(f'<g transform="translate({x:g} {top - 8}) rotate(-60)">{text(0, 0, name, 13, palette["ink"], "start")}</g>')
    for place, (name, worth, shares) in enumerate(rows):
        y = top + line * place
        parts.append(text(16, y + 15, name, 13, palette["ink"], "start"))
        parts.append(text(left - 10, y + 15, worth, 13, palette["faint"], "end"))
        for number, share in enumerate(shares):
            x = left + cell * number
            parts.append(
                f'<rect x="{x}" y="{y}" width="{cell - 2}" height="{line - 2}" fill="{palette["card"]}"/>'
                f'<rect x="{x}" y="{y}" width="{cell - 2}" height="{line - 2}" fill="{palette["first-edge"]}" '
                f'fill-opacity="{0.75 * float(share):.2f}"/>'
            )
            if share:
                words = share if share.denominator < 1000 else f"{float(share):.2f}"
                parts.append(text(x + cell / 2 - 1, y + 15, words, 12, palette["ink"]))
    slanted = 4 * max(map(len, columns), default=0)
    width = max(left + cell * len(columns) + slanted, 32 + 9 * len(title))
    return sheet("".join(parts), width, top + line * len(rows) + 16, title, palette)


def sheet(markup: str, width: float, height: float, words: str, palette: Palette) -> str:
    """A whole SVG file. words: what it shows, for those who cannot see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'role="img" aria-label="{escape(words)}" font-family="{FONT}">'
        f'<rect width="{width:g}" height="{height:g}" rx="12" fill="{palette["felt"]}"/>{markup}</svg>\n'
    )
