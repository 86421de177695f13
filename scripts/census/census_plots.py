"""The plots of docs/findings.md, by matplotlib. The same records give the same pictures, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

from census_counts import LINES
from census_tables import LINE_RULES, QUESTIONS, All, Shares, mean_of

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "census"  # the same picture each time
matplotlib.rcParams["svg.fonttype"] = "none"  # text as text, which is smaller
matplotlib.rcParams["font.sans-serif"] = ["DejaVu Sans"]  # each text names its fonts, so few of them
from matplotlib import pyplot  # noqa: E402

MOVERS, OPPONENTS = range(2, 7), range(1, 7)
COLOURS = ("#1f5fa8", "#c2571a", "#2d7f4f", "#7a4fa3")


def draw_all(found: dict[str, Any], folder: Path) -> None:
    """Draws all plots into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    shares = All(found)
    grids = [("of all classes", shares.classes_won), ("of all positions", shares.positions_won)]
    grids += [("of endgames of frugal players", shares.selfplay_won("frugal"))]
    _grids(grids, 1, "the mover wins, per cent", folder / "census_won.svg", low=40)
    asked = [(one.title, shares.positions(one)) for one in QUESTIONS]
    _grids(asked, 2, "of all positions that the mover wins, per cent", folder / "census_turns.svg")
    _lines(found, folder / "census_line.svg")


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def _grids(grids: list[tuple[str, Shares]], rows: int, title: str, path: Path, low: float | None = None) -> None:
    """Heat maps of shares in per cent by hand sizes. low: the share of the lightest colour, or None."""
    columns = -(-len(grids) // rows)
    figure, axes = pyplot.subplots(rows, columns, figsize=(3.2 * columns, 2.8 * rows + 0.3), layout="constrained", squeeze=False)
    figure.suptitle(title, fontsize=10)
    for axis, (what, shares) in zip(axes.flat, grids, strict=True):
        values = [[100 * shares[k, m].value if (k, m) in shares else float("nan") for m in OPPONENTS] for k in MOVERS]
        top = max((share.value for share in shares.values()), default=0) or 1
        lightest, darkest = (0, 140 * top) if low is None else (low, 120)  # so that black text is read on all of them
        axis.pcolormesh(OPPONENTS, MOVERS, values, cmap="Blues", vmin=lightest, vmax=darkest)
        for k, m in shares:
            axis.text(m, k, short(100 * shares[k, m].value), ha="center", va="center", fontsize=8)
        axis.set_title(what, fontsize=10)
        axis.set(xlabel="the opponent's cards", ylabel="the mover's cards", xticks=OPPONENTS, yticks=MOVERS)
    _save(figure, path)


def short(value: float) -> str:
    """A share in per cent, in at most four signs."""
    return f"{value:.0f}" if value in (0, 100) else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def _lines(found: dict[str, Any], path: Path) -> None:
    """The value of endgames of Take That, and what rules of thumb cost, by the length of the line."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    policies = [name.removeprefix("line ") for name in found if name.startswith("line ")]
    for policy, colour in zip(policies, COLOURS, strict=False):
        _curve(left, found[f"line {policy}"]["lines"], "value", colour, policy)
    for (rule, title), colour in zip(LINE_RULES.items(), COLOURS, strict=False):
        _curve(right, found[f"line {policies[0]}"]["lines"], rule, colour, title.replace("`", ""))
    left.axhline(0, color="grey", linewidth=0.8)
    left.set_title("value of the endgame for the mover")
    right.set_title(f"what a rule gives up ({policies[0]})")
    for axis in (left, right):
        axis.set(xlabel=f"cards in the line ({LINES}: or more)", ylabel="points, mean with 95 %")
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    _save(figure, path)


def _curve(axis: Any, lines: dict[str, Any], what: str, colour: str, label: str) -> None:
    points = [(int(length), mean_of(one[what])) for length, one in lines.items() if length != "all" and one[what]["count"] > 1]
    values = [one.value for _, one in points]
    spread = [[one.value - one.low for _, one in points], [one.high - one.value for _, one in points]]
    lengths = [length for length, _ in points]
    axis.errorbar(lengths, values, yerr=spread, fmt="o-", markersize=3, color=colour, capsize=2, label=label)
