"""This solver of Take That and its peers, side by side: `python benchmarks/take_that.py [--quick]`.

One run on one core measures Backtrick on the committed sets, a plain C++ memo search that is compiled here, and the readable
twin with a memo. Every value that a peer finds is compared. The exit code is 1 if any two differ.

Every memo starts empty for each position, and so does that of Backtrick. The peers get the first positions of a set. The
plain search gives up a position beyond MOST_STATES states, and the twin after a quarter of its seconds, because some positions
would fill the memory or take hours. The time until then counts, so if a peer did not finish all positions, its times and the
ratio are lower bounds. All times are of the processor and not by the clock, so that other work on the machine disturbs them less.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import machine
import record
from backtrick import take_that as game
from backtrick.take_that import PUBLISHED
from backtrick.take_that import rules as readable_twin
from backtrick.take_that._solve import Solver
from peers.programs import compile_peer, read_positions
from timing import solve_within

HERE = Path(__file__).parent
SETS = {
    "self-play": ("take_that_selfplay", "9 v 9, careful against careful", (400, 60)),
    "mixed": ("take_that_mixed", "9 v 9, careful against eager: richer in twists", (200, 20)),
    "hard": ("take_that_hard", "long lines, no toads, many twists in hand", (0, 0)),
    "hardest": ("take_that_hardest", "found by hill climbing", (0, 0)),
}
MOST_STATES = 1_000_000
TABLE_MIB = 64
ROUNDS = 9
MEMORY_PROBE = """
import sys, numpy as np, tqdm
def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
before = peak()
from backtrick import take_that as game
array = game.pack([game.Position.parse(line.strip()) for line in sys.stdin])
game.solve_many(array, threads=1)
print(before, peak())
"""


def read(name: str) -> list[game.Position]:
    """The positions of a committed set."""
    lines = read_positions(HERE / "positions" / f"{SETS[name][0]}.txt")
    return [game.Position.parse(line.partition("#")[0].strip()) for line in lines]


def ours(positions: list[game.Position]) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Four results for the positions.

    The values; the seconds of each position in a call of its own, the median of the rounds; the nodes; and the seconds a position
    in one call for all, the least of the rounds.
    """
    packed = game.pack(positions).view(np.uint8).reshape(len(positions), game.POSITION_DTYPE.itemsize)
    values, nodes = np.zeros(len(positions), np.int8), np.zeros(len(positions), np.uint64)
    spent, together = np.zeros((ROUNDS, len(positions))), []
    solver = Solver(PUBLISHED.code, TABLE_MIB << 20)
    for turn in range(ROUNDS):
        start = time.process_time()
        solver.solve_range(packed, values, None, None, None, nodes, 0, len(positions))
        together.append((time.process_time() - start) / len(positions))
        for i in range(len(positions)):
            start = time.process_time()
            solver.solve_range(packed, values, None, None, None, nodes, i, i + 1)
            spent[turn, i] = time.process_time() - start
    return values, np.median(spent, axis=0), nodes, min(together)


def plain(positions: list[game.Position], program: Path) -> tuple[list[int | None], np.ndarray]:
    """The values (None: given up) and seconds of each position, by the plain C++ memo search."""
    text = "".join(f"{position}\n" for position in positions)
    done = subprocess.run([str(program), str(MOST_STATES)], input=text, capture_output=True, text=True, check=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    return [None if row[0] == "-" else int(row[0]) for row in rows], np.array([float(row[1]) for row in rows]) / 1e9


def twin(positions: list[game.Position], seconds: float) -> tuple[list[int | None], np.ndarray]:
    """The values (None: stopped) and seconds of the positions that the readable twin reaches in its time."""
    values, spent, end = [], [], time.perf_counter() + seconds
    for position in positions:
        left = end - time.perf_counter()
        if left <= 0:
            break
        start = time.process_time()
        values += solve_within(lambda one: readable_twin.value(one, memo={}), [position], seconds, min(left, seconds / 4)).values
        spent.append(time.process_time() - start)
    return values, np.array(spent)


def measure(name: str, program: Path, options: argparse.Namespace, wrong: list[str]) -> dict:
    """All figures of one set. Times are in seconds."""
    positions = read(name)
    values, spent, nodes, together = ours(positions)
    if game.solve_many(game.pack(positions), threads=1, progress=False).tolist() != values.tolist():
        wrong.append(f"{name}: one call for all finds other values than one call each")
    peers = {}
    count = SETS[name][2][options.quick]
    if count:
        tried = {"plain C++": plain(positions[:count], program), "readable twin": twin(positions[:count], options.seconds)}
        for peer, (found, peer_spent) in tried.items():
            done = [i for i, value in enumerate(found) if value is not None]
            wrong += [f"{peer} says {found[i]}, ours {values[i]}: {positions[i]}" for i in done if found[i] != values[i]]
            peers[peer] = {
                "tried": len(found),
                "finished": len(done),
                "seconds": figures(peer_spent),
                "ours on the same": figures(spent[: len(found)]),
            }
    return {
        "positions": len(positions),
        "seconds": figures(spent),
        "together": together,
        "nodes": figures(nodes),
        "peers": peers,
    }


def figures(of: np.ndarray) -> dict[str, float]:
    """Mean, median, 99th percentile and worst."""
    if not len(of):
        return {}
    median, p99 = np.percentile(of, [50, 99])
    return {"mean": float(of.mean()), "median": float(median), "p99": float(p99), "worst": float(of.max())}


def report(name: str, result: dict) -> list[str]:
    """The lines that report one set. Times are in microseconds."""

    def line(text: str, row: dict[str, float], note: str = "", factor: float = 1e6) -> str:
        numbers = "".join(f"{value * factor:>13,.1f}" for value in row.values())
        return f"  {text:<28}{numbers}   {note}".rstrip()

    lines = ["", f"{name}: {result['positions']:,} endgames, {SETS[name][1]}"]
    lines.append(f"  {'us a position':<28}" + "".join(f"{word:>13}" for word in ("mean", "median", "99 %", "worst")))
    lines.append(line("ours, a call each", result["seconds"]))
    lines.append(line("ours, one call for all", {"mean": result["together"]}))
    lines.append(line("ours, nodes", result["nodes"], factor=1))
    for peer, done in result["peers"].items():
        ratio = done["seconds"]["mean"] / done["ours on the same"]["mean"]
        least = "" if done["finished"] == done["tried"] else "at least "
        lines.append(line(peer, done["seconds"], f"{least and 'at least; '}finished {done['finished']} of {done['tried']}"))
        lines.append(line("  ours on the same", done["ours on the same"], f"{least}{ratio:,.0f} times faster by the means"))
    return lines


def table(results: dict[str, dict]) -> record.Table:
    """The table of docs/benchmarks.md: a row for each set. Times in microseconds."""
    rows = [("endgames", "Backtrick, mean", "median", "99 %", "worst", "all in one call", "plain C++", "readable rules, at least")]
    for name, one in results.items():
        peers = (one["peers"][peer]["seconds"]["mean"] if one["peers"] else None for peer in ("plain C++", "readable twin"))
        spent = (*one["seconds"].values(), one["together"], *peers)
        rows.append((f"{one['positions']:,} {name}", *(record.rounded(1e6 * time) if time else "" for time in spent)))
    return rows


def memory_mib(name: str) -> tuple[float, float] | None:
    """Peak memory of a process that solves a set: above Python, numpy and tqdm alone, and in all. Linux only."""
    if not Path("/proc/self/status").exists():
        return None
    lines = "".join(f"{position}\n" for position in read(name))
    probe = [sys.executable, "-c", MEMORY_PROBE]
    done = subprocess.run(probe, input=lines, capture_output=True, text=True, check=True, cwd=HERE.parent)
    before, after = map(int, done.stdout.split())
    return (after - before) / 1024, after / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer positions for the peers, 5 seconds for the twin")
    parser.add_argument("--seconds", type=float, help="for the readable twin on each set (default 60)")
    record.add_json(parser)
    options = parser.parse_args()
    options.seconds = options.seconds or (5 if options.quick else 60)

    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        program = compile_peer(HERE / "peers" / "plain_take_that.cpp", Path(folder))
        results = {name: measure(name, program, options, wrong) for name in SETS}
    memory = memory_mib("hardest")

    print(machine.describe())
    for name, result in results.items():
        print("\n".join(report(name, result)))
    compared = sum(done["finished"] for result in results.values() for done in result["peers"].values())
    if memory:
        print(f"\nmemory, the hardest: peak {memory[0]:.1f} MiB above Python, numpy and tqdm alone, {memory[1]:.1f} MiB in all")
    print(f"values: {compared:,} compared with the peers, {len(wrong)} differ")
    for sentence in wrong[:20]:
        print("  " + sentence)
    note = f"processor time; {compared:,} values compared with the peers, {len(wrong)} differ"
    record.write(options.json, {"endgames": table(results)}, note, sets=results, memory_mib=memory)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
