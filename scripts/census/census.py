"""The census: how often the mover wins, what winning turns have in common, what greed costs.

It writes docs/data/census.json and the plots, and `python scripts/docs/figures.py` then puts the tables into docs/findings.md.

    python scripts/census/census.py --tables DIR            from the tables in DIR, ten minutes of two cores
    python scripts/census/census.py --tables DIR --quick    the same with few positions, in seconds: to try it

`backtrick generate --cards 9 --tables DIR` makes the tables; fewer will do, and the page then says less. What was counted is
kept in a directory; a run that is stopped goes on from there. The plots need matplotlib (`pip install '.[plots]'`); without it
the rest is written all the same.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import census_counts as counts
from backtrick.errors import BacktrickError
from backtrick.face_to_face.classes import TableName
from backtrick.face_to_face.tables.table import file_name, open_table
from backtrick.given import read_whole
from backtrick.progress import bar
from backtrick.storage.atomic import whole_file
from census_tables import tables as tables_of
from shares import MOST_PAIRS, count_hand_pairs

DOCS = Path(__file__).parents[2] / "docs"
sys.path.append(str(DOCS.parent / "benchmarks"))
import record  # noqa: E402

VERSION = 1  # of what is kept: another one is counted again
POLICIES = {"face_to_face": ("frugal", "tuned"), "take_that": ("careful", "tuned")}
SIZES = [TableName(k, m) for k in range(1, 7) for m in range(1, 7)]


class Amounts(NamedTuple):
    """How much is counted.

    classes    all classes of tables of at most this many cards are looked at
    pairs      positions are counted for tables of at most this many pairs of hands, which take 6 us each; and of so few cards
    values     positions of each other table that are drawn and solved
    facts      of these, whose turns are looked at
    drawn      classes drawn of each table of more cards
    endgames   of self-play, for each pair of players of each game
    """

    classes: int = 5
    pairs: int = MOST_PAIRS
    values: int = 4_000_000
    facts: int = 200_000
    drawn: int = 100_000
    endgames: int = 200_000

    @property
    def positions(self) -> int:
        """Positions are counted for all tables of at most this many cards."""
        return max(name.cards for name in SIZES if name.cards <= self.classes and self.counts(name))

    def counts(self, name: TableName) -> bool:
        """True if the positions of a table are counted."""
        return name.cards <= self.classes and count_hand_pairs(name) <= self.pairs


QUICK = Amounts(3, MOST_PAIRS, 5_000, 200, 200, 500)


class Kept:
    """Records in a directory, each with what was asked. One is used again if the same is asked."""

    def __init__(self, directory: Path):
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)

    def get(self, name: str, asked: dict[str, object], make: Callable[[], counts.Record]) -> counts.Record:
        path, asked = self.directory / f"{name}.json", {"version": VERSION, **asked}
        if path.exists():
            kept: dict[str, counts.Record] = json.loads(path.read_text())
            if kept["asked"] == asked:
                return kept["found"]
        found = json.loads(json.dumps(make()))
        with whole_file(path) as temporary:
            temporary.write_text(json.dumps({"asked": asked, "found": found}))
        return found


def gather(tables: Path, kept: Kept, amounts: Amounts, seed: int, threads: int | None) -> counts.Record:
    """All records of the census by their names, from what is kept or counted now."""
    jobs: list[tuple[str, dict[str, object], Callable[[], counts.Record]]] = []

    def add(name: str, make: Callable[..., counts.Record], *arguments: object) -> None:
        jobs.append((name, {"arguments": list(map(str, arguments))}, lambda: make(*arguments, threads)))

    found: counts.Record = {}
    for name in SIZES:
        path = tables / file_name(name, False)
        if path.exists() or name.cards <= amounts.classes:
            found[f"header {name}"] = counts.from_header(open_table(path, name=name))
        if name.mover == 1:
            continue  # it has lost (F13)
        if name.cards <= amounts.classes:
            add(f"exact {name}", partial(counts.exactly, path), name, amounts.pairs)
        elif path.exists():
            add(f"classes {name}", counts.sampled_classes, name, amounts.drawn, seed)
        if not amounts.counts(name):
            add(f"positions {name}", counts.sampled_positions, name, amounts.values, amounts.facts, seed)
    for policy in POLICIES["face_to_face"]:
        add(f"self-play {policy}", counts.from_selfplay, policy, amounts.endgames, seed)
    for policy in POLICIES["take_that"]:
        add(f"line {policy}", counts.line_endgames, policy, amounts.endgames, seed)
    with bar(len(jobs), "census", "parts") as shown:
        for job, asked, make in jobs:
            shown.set_postfix_str(job)
            found[job] = kept.get(job, asked, make)
            shown.update()
    return found


def main() -> None:
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--tables", type=Path, default=Path("tablebases"), help="where the tables are (default: %(default)s)")
    parse.add_argument("--output", type=Path, help="the folder for `data` and `images` (default: docs)")
    parse.add_argument("--kept", type=Path, help="what was counted before (default: census)")
    parse.add_argument("--quick", action="store_true", help="few positions, to try it; by default all goes to census/quick")
    parse.add_argument("--seed", type=read_whole(0), default=0)
    parse.add_argument("--threads", type=read_whole(1), help="default: one per core")
    options = parse.parse_args()
    amounts = QUICK if options.quick else Amounts()
    kept = options.kept or Path("census", *["quick"] * options.quick)
    output = options.output or (kept if options.quick else DOCS)
    try:
        found = gather(options.tables, Kept(kept), amounts, options.seed, options.threads)
    except BacktrickError as error:
        made = f"backtrick generate --cards {amounts.classes} --tables {options.tables}"
        parse.exit(2, f"{error}\nall tables of at most {amounts.classes} cards are needed: {made}\n")
    (output / "data").mkdir(parents=True, exist_ok=True)
    record.write(output / "data" / "census.json", tables_of(found), f"seed {options.seed}", amounts=amounts._asdict())
    if find_spec("matplotlib") is None:
        print("no plots: matplotlib is not installed", flush=True)
    else:
        from census_plots import draw_all

        draw_all(found, output / "images")


if __name__ == "__main__":
    main()
