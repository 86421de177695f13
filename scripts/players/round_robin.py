"""All players of both games against each other: docs/data/players.json, and the plot of docs/players.md.

    python scripts/players/round_robin.py                 plays what is missing, and writes file and plot
    python scripts/players/round_robin.py --games 2000    1,000 paired deals a pair

`python scripts/docs/figures.py` then puts the tables into the page.

The games are recorded in a directory; a run that is stopped goes on from there. The plot needs matplotlib
(`pip install '.[plots]'`); without it the tables are written all the same.
"""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from backtrick.games import GAMES, game_of
from backtrick.given import read_whole
from backtrick.matches.playing import Match, play_match
from backtrick.matches.report import Report, reports

PLAYERS = {
    "face_to_face": (
        "random", "hasty", "frugal", "exact:frugal", "tuned", "net", "sampler:playouts=3000",
    ),
    "take_that": (
        "random", "eager", "careful", "exact:careful", "tuned", "exact:tuned", "sampler:worlds=600",
    ),
}  # fmt: skip
"""Those that search take a few milliseconds a turn."""
ROOT = Path(__file__).parents[2]
DATA, PLOT = ROOT / "docs" / "data" / "players.json", ROOT / "docs" / "images" / "players.svg"
sys.path.append(str(ROOT / "benchmarks"))
import record  # noqa: E402


def table(report: Report) -> record.Table:
    """The scores and ratings of a report."""
    names = [rating.player for rating in report.ratings]
    found = {(one.first, one.second): one.score.mean for one in report.pairings}
    lines = [("player", "Elo", *(f"against {name}" for name in names))]
    for rating in report.ratings:
        cells = []
        for other in names:
            mean = found.get((rating.player, other))
            if mean is None and (back := found.get((other, rating.player))):
                mean = back._replace(value=1 - back.value, low=1 - back.high, high=1 - back.low)
            cells.append("" if mean is None else f"{mean.value:.1%} ({mean.low:.1%}..{mean.high:.1%})".replace("%", ""))
        elo = f"{rating.elo.value:+.0f} ({rating.elo.low:+.0f}..{rating.elo.high:+.0f})"
        lines.append((rating.player, elo, *cells))
    return lines


def first_movers(found: dict[str, Report]) -> record.Table:
    """The share of the points of the player who begins."""
    rows: list[tuple[object, ...]] = [("game", "games", "deals", "first mover")]
    for name, report in found.items():
        one = report.first_mover
        share = f"{one.value:.1%} ({one.low:.1%}..{one.high:.1%})".replace("%", " %")
        rows.append((game_of(name).title, report.games, report.deals, share))
    return rows


def plot(found: dict[str, Report], path: Path) -> None:
    """Draws the ratings of all games with their intervals, by matplotlib."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "players"  # the same picture each time
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(found), figsize=(9, 3.6), layout="constrained")
    for axis, (name, report) in zip(axes, found.items(), strict=True):
        elos = [(rating.player, rating.elo) for rating in reversed(report.ratings)]
        places, values = range(len(elos)), [elo.value for _, elo in elos]
        spread = [[elo.value - elo.low for _, elo in elos], [elo.high - elo.value for _, elo in elos]]
        axis.errorbar(values, places, xerr=spread, fmt="o", color="#1f5fa8", ecolor="#7aa6d6", capsize=3)
        axis.set_yticks(places, [player for player, _ in elos])
        axis.set_title(game_of(name).title)
        axis.set_xlabel("Elo, 95 %")
        axis.grid(axis="x", alpha=0.3)
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--games", type=read_whole(2), default=400, help="a pair of players (default: %(default)s)")
    parse.add_argument("--seed", type=read_whole(0), default=0)
    parse.add_argument("--processes", type=read_whole(1), help="default: one per core")
    parse.add_argument("--records", type=Path, default=Path("round_robin"), help="default: %(default)s")
    parse.add_argument("--json", type=Path, default=DATA)
    parse.add_argument("--plot", type=Path, default=PLOT)
    parse.add_argument("--players", nargs="+", metavar="NAME", help="only these; default: all")
    options = parse.parse_args()
    options.records.mkdir(parents=True, exist_ok=True)
    drawn = find_spec("matplotlib") is not None
    if not drawn:
        print("no plot: matplotlib is not installed", flush=True)
    found: dict[str, Report] = {}
    for name in GAMES:
        players = tuple(player for player in PLAYERS[name] if not options.players or player in options.players)
        match = Match(game_of(name), players, options.games, options.seed)
        [report] = reports(play_match(match, options.records / f"{name}.jsonl", options.processes))
        found[name] = report
        print(report.text(), end="\n\n", flush=True)
    record.write(options.json, {**{name: table(report) for name, report in found.items()}, "first_mover": first_movers(found)})
    if drawn:
        plot(found, options.plot)


if __name__ == "__main__":
    main()
