"""This solver of The Game: Face to Face and its peers, side by side: `python benchmarks/face_to_face.py`.

Every peer gets the same positions in the same run, and every value is compared. The exit code is 1 if any two differ. Fast
programs take turns, and the median of the rounds is given. Slow ones have a time limit, in all and for each position; if one was
stopped, its time is a lower bound. All times are for one core unless the line says otherwise.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import machine
import record
from backtrick import face_to_face as game
from backtrick.face_to_face import rules as readable_twin
from backtrick.threads import SPAN
from peers.programs import compile_peer, read_positions, run_peer
from timing import clock, medians, solve_within

HERE = Path(__file__).parent
SETS = {"self-play": "selfplay.txt", "tight 6 v 6": "tight.txt"}
BATCH, QUICK_BATCH = 128 * SPAN, 32 * SPAN  # enough ranges for two threads
FEW_CARDS = 8  # in both hands together: the readable twin finishes such endgames
MEMORY_PROBE = """
import sys, numpy as np, tqdm
def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
before = peak()
from backtrick import face_to_face as game
positions = [game.Position.parse(line.strip()) for line in sys.stdin]
array = game.pack(positions)
game.solve_many(array, threads=1), game.optimal_many(array, threads=1)
for position in positions[:500]:
    game.solve(position).outcomes
print(before, peak())
"""


def twin_remoteness(position: game.Position) -> int:
    return readable_twin.value(position, memo={})


def openspiel_remoteness() -> Callable[[game.Position], int] | None:
    """OpenSpiel's solver; None if OpenSpiel is not installed."""
    try:
        from peers import openspiel_peer
    except ImportError:
        return None
    return lambda position: openspiel_peer.remoteness(str(position))


class Disagreements:
    """Counts the values that were compared, and keeps the mismatches."""

    def __init__(self):
        self.compared, self.found = 0, []

    def check(self, peer: str, positions: list[game.Position], values: list[int | None], ours: np.ndarray) -> None:
        for position, value, our_value in zip(positions, values, ours.tolist(), strict=False):
            if value is not None:
                self.compared += 1
                if value != our_value:
                    self.found.append(f"{peer} says {value}, ours {our_value}: {position}")


def measure(name: str, count: int, plain: Path, options: argparse.Namespace, disagreements: Disagreements) -> dict:
    """All figures of one set of positions. Times are in seconds a position."""
    positions = [game.Position.parse(line) for line in read_positions(HERE / "positions" / SETS[name])[:count]]
    array = game.pack(positions)
    ours = game.solve_many(array, threads=1)

    def win_many(positions: np.ndarray, **options) -> np.ndarray:
        """Win or loss alone has no search of its own: the search must distinguish 1, 3 and 5 from 2 and 4 anyway."""
        return game.solve_many(positions, **options) & 1

    def plain_time() -> float:
        values, seconds = run_peer(plain, positions)
        disagreements.check("plain C++", positions, values, ours)
        return seconds / len(positions)

    def batch(function: Callable, length: int, threads: int = 1) -> Callable[[], float]:
        many = repeated(array, length)
        return lambda: clock(lambda: function(many, threads=threads, progress=False)) / len(many)

    tasks = {
        "plain C++": plain_time,
        "remoteness": batch(game.solve_many, options.batch),
        "remoteness, two threads": batch(game.solve_many, options.batch, threads=2),
        "all turns' values": batch(game.outcomes_many, options.batch // 40),
        "outcomes": batch(game.count_outcomes_many, options.batch // 10),
        "win or loss alone": batch(win_many, options.batch),
        "value() from Python": lambda: clock(lambda: [game.value(p) for p in positions]) / len(positions),
        "solve() from Python": lambda: clock(lambda: [game.solve(p).value for p in positions]) / len(positions),
        "an empty loop": lambda: clock(lambda: [p for p in positions]) / len(positions),
    }
    figures = medians(tasks, options.rounds)
    for value in range(6):
        if np.count_nonzero(ours == value) >= 250:  # the branch predictor learns a smaller set by heart
            some = repeated(array[ours == value], options.batch // 10)
            figures[f"remoteness {value}"] = clock(lambda some=some: game.solve_many(some, threads=1, progress=False)) / len(some)

    few = [place for place, position in enumerate(positions) if cards(position) <= FEW_CARDS]
    limited = {}
    for peer, solver, places in (
        ("readable twin", twin_remoteness, range(len(positions))),
        (f"readable twin, {FEW_CARDS} cards or fewer", twin_remoteness, few),
        ("OpenSpiel", openspiel_remoteness(), range(len(positions))),
    ):
        if not places:
            continue
        if solver is None:
            limited[peer] = None
            continue
        done = solve_within(solver, [positions[place] for place in places], options.seconds, options.seconds / 8)
        disagreements.check(peer, [positions[place] for place in places], done.values, ours[places])
        same = repeated(array[places], options.batch // 10)
        limited[peer] = {
            "tried": len(done.values),
            "stopped": done.stopped,
            "seconds": done.each,
            "ours": clock(lambda same=same: game.solve_many(same, threads=1, progress=False)) / len(same),
        }
    return {
        "positions": len(positions),
        "values": {str(value): int(np.count_nonzero(ours == value)) for value in range(6)},
        "outcomes each": float(game.count_outcomes_many(array, threads=1).mean()),
        "seconds": figures,
        "limited": limited,
    }


def measure_drawing(options: argparse.Namespace) -> dict[str, dict[str, float]]:
    """What random endgames cost, drawn and solved: seconds a position."""
    figures = {}
    for source in ("uniform", "clustered", "tight"):
        draw = getattr(game.samples, f"{source}_array")
        drawn = draw(options.batch // 4, seed=1, progress=False)
        tasks = {
            "draw": lambda draw=draw, drawn=drawn: clock(lambda: draw(len(drawn), seed=2, threads=1, progress=False)) / len(drawn),
            "solve": lambda drawn=drawn: clock(lambda: game.solve_many(drawn, threads=1, progress=False)) / len(drawn),
        }
        figures[source] = medians(tasks, options.rounds)
    return figures


def cards(position: game.Position) -> int:
    return len(position.mover.hand) + len(position.opponent.hand)


def repeated(array: np.ndarray, length: int) -> np.ndarray:
    """The positions repeated to at least `length`, each equally often, in random order."""
    return np.random.default_rng(1).permutation(np.tile(array, -(-length // len(array))))


def memory_kib() -> dict[str, int] | None:
    """Peak memory of a process before it solves the tight set (Python, numpy, tqdm) and after. Linux only."""
    if not Path("/proc/self/status").exists():
        return None
    lines = read_positions(HERE / "positions" / SETS["tight 6 v 6"])
    probe = [sys.executable, "-c", MEMORY_PROBE]
    done = subprocess.run(probe, input="\n".join(lines), capture_output=True, text=True, check=True, cwd=HERE.parent)
    before, after = map(int, done.stdout.split())
    return {"before": before, "after": after}


def time_text(seconds: float) -> str:
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds * 1e9:,.0f} ns"


def report(name: str, result: dict) -> list[str]:
    """The table of one set."""
    seconds, ours = result["seconds"], result["seconds"]["remoteness"]
    values = ", ".join(f"{value}: {count:,}" for value, count in result["values"].items() if count)
    lines = ["", f"{name}: {result['positions']:,} endgames, {result['outcomes each']:.0f} outcomes each; remoteness {values}"]

    def line(text: str, time: str, note: str = "") -> None:
        lines.append(f"  {text:<36}{time:>14}   {note}".rstrip())

    for peer, done in result["limited"].items():
        if done is None:
            line(peer, "-", "not installed")
            continue
        least = ">= " if done["stopped"] else ""
        stopped = f", stopped in {done['stopped']}" if done["stopped"] else ""
        ratio = f"{done['seconds'] / done['ours']:,.0f} times ours"
        line(peer, least + time_text(done["seconds"]), f"{least}{ratio} (the first {done['tried']}{stopped})")
    line("plain C++", time_text(seconds["plain C++"]), f"{seconds['plain C++'] / ours:,.0f} times ours")
    line("ours, remoteness", time_text(ours), f"{1 / ours:,.0f} positions a second")
    two = seconds["remoteness, two threads"]
    line("ours, two threads", time_text(two), f"{ours / two:.2f} times one thread")
    line("ours, win or loss alone", time_text(seconds["win or loss alone"]))
    turns = result["outcomes each"] / seconds["all turns' values"]
    line("ours, the values of all turns", time_text(seconds["all turns' values"]), f"{turns / 1e6:,.1f} M turns' values a second")
    outcomes = result["outcomes each"] / seconds["outcomes"]
    line("ours, counting distinct outcomes", time_text(seconds["outcomes"]), f"{outcomes / 1e6:,.0f} M outcomes a second")
    for call in ("value() from Python", "solve() from Python"):
        above = seconds[call] - seconds["an empty loop"] - ours
        line(f"ours, {call}", time_text(seconds[call]), f"{above * 1e6:.2f} us above the kernel")
    for value in result["values"]:
        if f"remoteness {value}" in seconds:
            line(f"ours, those of remoteness {value}", time_text(seconds[f"remoteness {value}"]))
    return lines


def tables(results: dict[str, dict]) -> dict[str, record.Table]:
    """The tables of docs/benchmarks.md."""

    def times(name: str) -> list[str]:
        return [time_text(one["seconds"][name]) for one in results.values()]

    def ratio(one: dict) -> str:
        return f"{one['seconds']['plain C++'] / one['seconds']['remoteness']:,.0f}x"

    twins = [one["limited"]["readable twin"] for one in results.values()]
    endgames = [
        ("a position", *(f"{one['positions']:,} {name}" for name, one in results.items())),
        ("plain C++ memo search", *times("plain C++")),
        ("Backtrick, remoteness, one core", *times("remoteness")),
        ("how many times as fast as C++", *map(ratio, results.values())),
        ("Backtrick, two threads", *times("remoteness, two threads")),
        ("readable rules with a memo: at least", *(f"{one['seconds'] / one['ours']:,.0f}x" for one in twins)),
        ("the values of all turns", *times("all turns' values")),
    ]
    [first, *_] = results.values()
    known = [value for value in range(6) if f"remoteness {value}" in first["seconds"]]
    spent = [f"{1e9 * first['seconds'][f'remoteness {value}']:.0f}" for value in known]
    by_value = [("remoteness", *map(str, known)), ("ns a position", *spent)]
    return {"endgames": endgames, "by_remoteness": by_value}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer positions, three rounds, 5 seconds for each slow peer")
    parser.add_argument("--rounds", type=int, help="rounds whose median is given (default 7)")
    parser.add_argument("--seconds", type=float, help="for each slow peer on each set (default 60)")
    record.add_json(parser)
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.quick else 7)
    options.batch = QUICK_BATCH if options.quick else BATCH
    options.seconds = options.seconds or (5 if options.quick else 60)
    counts = dict(zip(SETS, (2_000, 200) if options.quick else (20_000, 2_000), strict=True))

    disagreements = Disagreements()
    with tempfile.TemporaryDirectory() as folder:
        plain = compile_peer(HERE / "peers" / "plain_face_to_face.cpp", Path(folder))
        results = {name: measure(name, count, plain, options, disagreements) for name, count in counts.items()}
    drawing, memory = measure_drawing(options), memory_kib()

    print(machine.describe())
    for name, result in results.items():
        print("\n".join(report(name, result)))
    print("\nrandom endgames, drawn and solved")
    for source, cost in drawing.items():
        times = f"{time_text(cost['draw']):>12}{time_text(cost['solve']):>12}"
        print(f"  {source:<10}{times}   {cost['draw'] / cost['solve']:.1f} times the price")
    if memory:
        above, whole = (memory["after"] - memory["before"]) / 1024, memory["after"] / 1024
        print(f"\nmemory: peak {above:.1f} MiB above Python, numpy and tqdm alone, {whole:.1f} MiB the whole process")
    print(f"values: {disagreements.compared:,} compared with the peers, {len(disagreements.found)} differ")
    for sentence in disagreements.found[:20]:
        print("  " + sentence)
    compared = f"{disagreements.compared:,} values compared with the peers, {len(disagreements.found)} differ"
    record.write(options.json, tables(results), compared, sets=results, drawing=drawing, memory_kib=memory)
    return 1 if disagreements.found else 0


if __name__ == "__main__":
    sys.exit(main())
