"""How far exact search of deals goes: `python benchmarks/deals.py`, from the root of the repository.

For each committed set of deals: the share that is solved within the seconds, mean and median time and nodes. Then what each idea
is worth: the nodes and the time without it. Then a plain recursion in C++ on the deals that it can do. One core; times are the
processor's, so other work on the machine does not count, but takes caches and clock rate. The exit code is 1 if any two outcomes
differ.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import mean, median

import machine
from peers import compile_peer, read_positions

from solver.face_to_face import Position
from solver.face_to_face._deal_search import DealSolver
from solver.face_to_face.deal_solving import DEAL_MIB

HERE = Path(__file__).parent
SETS = (8, 10, 12, 14, 16, 20)
IDEAS = ("race bounds", "solitaire bounds", "table", "dominance in the table", "dominance between turns", "replies first",
         "order of turns", "look ahead", "simple tops")  # fmt: skip
EVERY_IDEA = (1 << len(IDEAS)) - 1


class Watch:
    """Sets a stop byte when this thread of the benchmark has worked for some seconds of the processor."""

    def __init__(self):
        self.clock = time.pthread_getcpuclockid(threading.get_ident())
        self.end, self.stop = 0.0, bytearray(1)
        threading.Thread(target=self._run, daemon=True).start()

    def within(self, seconds: float) -> bytearray:
        self.end, self.stop = time.clock_gettime(self.clock) + seconds, bytearray(1)
        return self.stop

    def _run(self):
        while True:
            time.sleep(0.005)
            if time.clock_gettime(self.clock) > self.end:
                self.stop[0] = 1


def deals(most: int, count: int) -> list[Position]:
    return [Position.parse(line) for line in read_positions(HERE / "positions" / f"deals_{most}.txt")[:count]]


def solved(position: Position, ideas: int, watch: Watch, seconds: float) -> tuple[int, int, float]:
    """The outcome, the nodes and the milliseconds."""
    mover, opponent = ((side.ascending, side.descending, side.hand, side.pile) for side in (position.mover, position.opponent))
    solver = DealSolver(10, False, DEAL_MIB << 20, ideas, watch.within(seconds))
    start = time.thread_time()
    outcome, nodes, _ = solver.solve(mover, opponent)
    return outcome, nodes, 1000 * (time.thread_time() - start)


def row(name: str, found: list[tuple[int, int, float]]) -> str:
    outcomes, nodes, times = zip(*found, strict=True)
    share = sum(map(bool, outcomes)) / len(outcomes)
    return (
        f"{name:<26} {len(found):>5} {share:>8.1%} {mean(times):>9.2f} {median(times):>9.3f} {max(times):>8.0f}"
        f" {mean(nodes):>10.0f} {median(nodes):>7.0f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200, help="deals of each set")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each deal")
    parser.add_argument("--sets", type=int, nargs="*", default=SETS)
    parser.add_argument("--ideas", type=int, nargs="*", default=(12, 14), help="the sets on which each idea is switched off")
    parser.add_argument("--ideas-count", type=int, default=40)
    parser.add_argument("--peer", type=int, nargs="*", default=(8,), help="the sets that the plain recursion tries")
    parser.add_argument("--peer-count", type=int, default=20)
    options = parser.parse_args()
    print(machine.describe(), "", sep="\n")
    watch = Watch()
    different = 0
    head = f"{'':<26} {'deals':>5} {'solved':>8} {'mean ms':>9} {'median':>9} {'worst':>8} {'mean nodes':>10} {'median':>7}"
    print(head)
    for most in options.sets:
        found = [solved(deal, EVERY_IDEA, watch, options.seconds) for deal in deals(most, options.count)]
        print(row(f"R {most}", found), flush=True)
    for most in options.ideas:
        positions = deals(most, options.ideas_count)
        full = [solved(deal, EVERY_IDEA, watch, options.seconds) for deal in positions]
        print("", head, row(f"R {most}, all ideas", full), sep="\n", flush=True)
        for place, name in enumerate(IDEAS):
            without = [solved(deal, EVERY_IDEA ^ (1 << place), watch, options.seconds) for deal in positions]
            different += sum(bool(a[0] and b[0] and a[0] != b[0]) for a, b in zip(full, without, strict=True))
            print(row(f"  without {name}", without), flush=True)
    for most in options.peer:
        different += beside_the_peer(most, options.peer_count, watch, options.seconds)
    return 1 if different else 0


def beside_the_peer(most: int, count: int, watch: Watch, seconds: float) -> int:
    """Prints what the plain recursion does within ten times the seconds; returns the number of different outcomes."""
    positions = deals(most, count)
    with tempfile.TemporaryDirectory() as folder:
        program = compile_peer(HERE / "plain_face_to_face_deals.cpp", Path(folder))
        text = "".join(f"{position}\n" for position in positions)
        done = subprocess.run([program, str(10 * seconds)], input=text, capture_output=True, text=True, check=True)
    answers = [(int(value), int(spent) / 1e6) for value, spent in map(str.split, done.stdout.splitlines())]
    ours = [solved(position, EVERY_IDEA, watch, seconds) for position in positions]
    both = [(a, b) for a, b in zip(answers, ours, strict=True) if a[0] >= 0 and b[0]]
    different = sum(a[0] != b[0] - 1 for a, b in both)
    print(f"\nplain C++ recursion, R {most}: {len(both)} of {count} deals within {10 * seconds:g} s each")
    if both:
        print(f"on these: plain {mean(a[1] for a, _ in both):.1f} ms a deal, ours {mean(b[2] for _, b in both):.2f} ms")
        print(f"{different} outcomes differ")
    return different


if __name__ == "__main__":
    sys.exit(main())
