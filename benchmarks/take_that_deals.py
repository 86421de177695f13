"""How far exact search of deals of Take That goes: `python benchmarks/take_that_deals.py`, from the root of the repository.

For each committed set of deals: the share that is solved within the seconds, mean and median time and nodes. Then what each idea
is worth: the nodes and the time without it. Then a plain recursion in C++ on the deals that it can do. One core; times are the
processor's, so other work on the machine does not count, but takes caches and clock rate. The exit code is 1 if any two values
differ.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean, median

import machine
from deals import Watch
from peers import compile_peer, read_positions

from solver.take_that import Position
from solver.take_that._deal_search import DealSolver
from solver.take_that.deal_solving import DEAL_MIB

HERE = Path(__file__).parent
SETS = (4, 8, 10, 12, 14, 16)
IDEAS = ("bounds by taking", "bounds of endgames", "table", "other costs in the table", "order of turns", "twins", "experience",
         "opening first", "narrow questions")  # fmt: skip
EVERY_IDEA = (1 << len(IDEAS)) - 1

Found = tuple[int | None, int, float]
"""The value or None, the nodes, and the milliseconds."""


def deals(pile: int, count: int) -> list[Position]:
    return [Position.parse(line) for line in read_positions(HERE / "positions" / f"take_that_deals_{pile}.txt")[:count]]


def solved(position: Position, ideas: int, watch: Watch, seconds: float) -> Found:
    hands = Position(position.mover, position.opponent, position.line).packed
    solver = DealSolver(False, True, DEAL_MIB << 20, ideas, watch.within(seconds))
    start = time.thread_time()
    lowest, highest, nodes, _ = solver.value(hands, bytes(position.pile))
    return lowest if lowest == highest else None, nodes, 1000 * (time.thread_time() - start)


def row(name: str, found: list[Found]) -> str:
    values, nodes, times = zip(*found, strict=True)
    share = sum(value is not None for value in values) / len(values)
    return (
        f"{name:<34} {len(found):>5} {share:>8.1%} {mean(times):>9.2f} {median(times):>9.3f} {max(times):>8.0f}"
        f" {mean(nodes):>11.0f} {median(nodes):>10.0f}"
    )


def beside_the_peer(pile: int, count: int, watch: Watch, seconds: float) -> int:
    """Prints what the plain recursion does within ten times the seconds; returns the number of different values."""
    positions = deals(pile, count)
    with tempfile.TemporaryDirectory() as folder:
        program = compile_peer(HERE / "plain_take_that_deals.cpp", Path(folder))
        text = "".join(f"{position}\n" for position in positions)
        done = subprocess.run([program, str(10 * seconds)], input=text, capture_output=True, text=True, check=True)
    answers = [(None if value == "-" else int(value), int(spent) / 1e6) for value, spent in map(str.split, done.stdout.splitlines())]
    ours = [solved(position, EVERY_IDEA, watch, seconds) for position in positions]
    both = [(a, b) for a, b in zip(answers, ours, strict=True) if a[0] is not None and b[0] is not None]
    different = sum(a[0] != b[0] for a, b in both)
    print(f"\nplain C++ recursion, R {pile}: {len(both)} of {count} deals within {10 * seconds:g} s each")
    if both:
        print(f"on these: plain {mean(a[1] for a, _ in both):.1f} ms a deal, ours {mean(b[2] for _, b in both):.3f} ms")
        print(f"{different} values differ")
    return different


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200, help="deals of each set")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each deal")
    parser.add_argument("--sets", type=int, nargs="*", default=SETS)
    parser.add_argument("--ideas", type=int, nargs="*", default=(10,), help="the sets on which each idea is switched off")
    parser.add_argument("--ideas-count", type=int, default=40)
    parser.add_argument("--peer", type=int, nargs="*", default=(4,), help="the sets that the plain recursion tries")
    parser.add_argument("--peer-count", type=int, default=10)
    options = parser.parse_args()
    print(machine.describe(), "", sep="\n")
    watch = Watch()
    different = 0
    head = f"{'':<34} {'deals':>5} {'solved':>8} {'mean ms':>9} {'median':>9} {'worst':>8} {'mean nodes':>11} {'median':>10}"
    print(head)
    for pile in options.sets:
        found = [solved(deal, EVERY_IDEA, watch, options.seconds) for deal in deals(pile, options.count)]
        print(row(f"R {pile}", found), flush=True)
    for pile in options.ideas:
        positions = deals(pile, options.ideas_count)
        full = [solved(deal, EVERY_IDEA, watch, options.seconds) for deal in positions]
        print("", head, row(f"R {pile}, all ideas", full), sep="\n", flush=True)
        for place, name in enumerate(IDEAS):
            without = [solved(deal, EVERY_IDEA ^ (1 << place), watch, options.seconds) for deal in positions]
            different += sum(None not in (a[0], b[0]) and a[0] != b[0] for a, b in zip(full, without, strict=True))
            print(row(f"  without {name}", without), flush=True)
    for pile in options.peer:
        different += beside_the_peer(pile, options.peer_count, watch, options.seconds)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
