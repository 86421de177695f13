"""Is a version as fast as the one before? Both are asked in turns, so that a slow minute of the machine hits both.

    python benchmarks/side_by_side.py SOLVER BEFORE [--rounds N]

SOLVER and BEFORE are the folders `solver` of two source trees, each with its kernels built. Prints the time of each task, the least
of all rounds, and how many times as long it takes as before.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TASK = """
import json, sys
from pathlib import Path
from backtrick import face_to_face as duel, take_that as line
from backtrick.budget import Budget
sys.path.insert(0, sys.argv[1])
from timing import processor
def lines(name, most):
    text = (Path(sys.argv[1]) / "positions" / name).read_text()
    return [one for one in text.splitlines() if one and not one.startswith("#")][:most]
texts, deals = lines("selfplay.txt", 2000), [duel.Position.parse(one) for one in lines("deals_10.txt", 40)]
positions = [duel.Position.parse(one) for one in texts]
array = duel.pack(positions * 20)
decks, seats = duel.samples.decks_of(1, 0, 1000), duel.samples.POLICIES.seats(("frugal", "frugal"), 0, 1000)
rounds = [line.Position.parse(one) for one in lines("take_that_selfplay.txt", 2000)]
tasks = {
    "value, one call": lambda: [duel.value(one) for one in positions],
    "solve, one call": lambda: [duel.solve(one) for one in positions],
    "solve, a text": lambda: [duel.solve(one) for one in texts],
    "outcomes, one call": lambda: [len(duel.outcome_rows(one)) for one in positions[:500]],
    "legal turns, one call": lambda: [len(duel.legal_turns(one)) for one in positions[:500]],
    "solve_many": lambda: duel.solve_many(array, threads=1, progress=False),
    "best_many": lambda: duel.best_many(array, threads=1, progress=False),
    "optimal_many": lambda: duel.optimal_many(array[:4000], threads=1, progress=False),
    "deals": lambda: [duel.bounds(one, budget=Budget(nodes=20000)) for one in deals],
    "games": lambda: duel.samples.play_games(decks, seats, threads=1, progress=False),
    "Take That, one call": lambda: [line.value(one) for one in rounds],
}
for task in tasks.values():
    task()
print(json.dumps({name: min(processor(task) for _ in range(10)) for name, task in tasks.items()}))
"""


def main() -> int:
    parser = argparse.ArgumentParser(description="Two versions, asked in turns.")
    parser.add_argument("solver", type=Path)
    parser.add_argument("before", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    least: list[dict[str, float]] = [{}, {}]
    for turn in range(options.rounds):
        for place in (0, 1) if turn % 2 else (1, 0):
            variables = {**os.environ, "PYTHONPATH": str((options.solver, options.before)[place].resolve())}
            command = [sys.executable, "-c", TASK, str(HERE)]
            told = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True).stdout
            for name, seconds in json.loads(told).items():
                least[place][name] = min(seconds, least[place].get(name, seconds))
    print("| task | before, ms | now, ms | now / before |\n| --- | --: | --: | --: |")
    for name, seconds in least[0].items():
        before = least[1][name]
        print(f"| {name} | {1000 * before:.2f} | {1000 * seconds:.2f} | {seconds / before:.3f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
