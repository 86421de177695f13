"""The plots of docs/census.md, by matplotlib. The same records give the same pictures, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
from census_page import LINE_RULES, QUESTIONS, Shares, mean_of, shares_of

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "census"  # the same picture each time
matplotlib.rcParams["svg.fonttype"] = "none"  # text as text: a third of the size
from matplotlib import pyplot  # noqa: E402

CARDS = range(1, 7)
COLOURS = ("#1f5fa8", "#c2571a", "#2d7f4f", "#7a4fa3")


def draw_all(found: dict[str, Any], folder: Path) -> None:
    """Draws all plots into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    shares = shares_of(found)
    grids = [("won, of all classes", shares.classes_won), ("won, of all positions", shares.positions_won)]
    grids += [("won, in self-play of frugal", shares.selfplay_won("frugal"))]
    _grids(grids, 1, folder / "census_won.svg", low=60)
    _grids([(one.title, shares.positions(one)) for one in QUESTIONS], 2, folder / "census_turns.svg")
    _lines(found, folder / "census_line.svg")


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def _grids(grids: list[tuple[str, Shares]], rows: int, path: Path, low: float | None = None) -> None:
    """Heat maps of shares in per cent by hand sizes."""
    columns = -(-len(grids) // rows)
    figure, axes = pyplot.subplots(rows, columns, figsize=(3.3 * columns, 3.3 * rows), layout="constrained", squeeze=False)
    for axis, (title, shares) in zip(axes.flat, grids, strict=True):
        values = [[100 * shares[k, m].value if (k, m) in shares else float("nan") for m in CARDS] for k in CARDS]
        known = [value for row in values for value in row if value == value]
        top = max(known, default=1) or 1
        axis.pcolormesh(CARDS, CARDS, values, cmap="Blues", vmin=low or 0, vmax=100 if low else top * 1.4)
        for k in CARDS:
            for m in CARDS:
                value = values[k - 1][m - 1]
                if value == value:
                    text = "100" if value == 100 else f"{value:.1f}" if value >= 1 or value == 0 else f"{value:.2f}"
                    dark = value > 92 if low else False
                    axis.text(m, k, text, ha="center", va="center", fontsize=8, color="white" if dark else "black")
        axis.set(title=title, xlabel="the opponent's cards", ylabel="the mover's cards", xticks=CARDS, yticks=CARDS)
        axis.title.set_fontsize(10)
    _save(figure, path)


def _lines(found: dict[str, Any], path: Path) -> None:
    """The value of endgames of Take That, and what rules of thumb cost, by the length of the line."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    policies = [name.removeprefix("line ") for name in found if name.startswith("line ")]
    for policy, colour in zip(policies, COLOURS, strict=False):
        _curve(left, found[f"line {policy}"]["lines"], "value", colour, policy)
    for (rule, title), colour in zip(LINE_RULES.items(), COLOURS, strict=False):
        _curve(right, found[f"line {policies[0]}"]["lines"], rule, colour, title)
    left.axhline(0, color="grey", linewidth=0.8)
    left.set(title="value of the endgame for the mover", xlabel="cards in the line", ylabel="points, mean with 95 %")
    right.set(title=f"what a rule gives up ({policies[0]})", xlabel="cards in the line", ylabel="points, mean with 95 %")
    for axis in (left, right):
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    _save(figure, path)


def _curve(axis: Any, lines: dict[str, Any], what: str, colour: str, label: str) -> None:
    points = [(int(length), mean_of(one[what])) for length, one in lines.items() if length != "all" and one[what]["count"] > 1]
    values = [one.value for _, one in points]
    spread = [[one.value - one.low for _, one in points], [one.high - one.value for _, one in points]]
    axis.errorbar([length for length, _ in points], values, yerr=spread, fmt="o-", markersize=3, color=colour, capsize=2, label=label)
