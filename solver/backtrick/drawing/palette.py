"""The colours of a drawing, by name. Files and notebooks have fixed ones, and the page has those of its theme."""

from __future__ import annotations

from collections.abc import Mapping

Palette = Mapping[str, str]
"""A colour for each name in `LIGHT`."""

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
