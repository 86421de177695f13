"""What labelling and playing cost those who train agents: processor time of one thread, medians.

    python benchmarks/learners.py [--rounds 5] [--json FILE]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

import machine
import record
from backtrick import learn
from backtrick.face_to_face import samples as duels
from backtrick.learn.gymnasium import Environment
from backtrick.take_that import samples as rounds

POSITIONS, ACTIONS = 1000, 500


def cost(work: Callable[[], int], times: int) -> float:
    """Seconds of processor time for each thing that `work` counts."""
    found = []
    for _ in range(times):
        start = time.process_time()
        count = work()
        found.append((time.process_time() - start) / count)
    return statistics.median(found)


def play(environment: Environment, numbers: np.random.Generator) -> int:
    """Plays actions at random."""
    environment.reset(seed=1)
    for _ in range(ACTIONS):
        if environment.step(int(numbers.choice(np.flatnonzero(environment.action_masks()))))[2]:
            environment.reset()
    return ACTIONS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    record.add_json(parser)
    options = parser.parse_args()
    times = options.rounds
    print(machine.describe())
    found: dict[str, list[str]] = {}
    for name, source, player in (("face_to_face", duels, "frugal"), ("take_that", rounds, "eager")):
        array = source.selfplay_array(POSITIONS, seed=1)
        judged = learn.regret(player, array, threads=1)
        for what, work in (
            ("all turns of an endgame", lambda array=array: len(learn.turn_values(array, threads=1, progress=False).positions)),
            ("all actions of an endgame", lambda array=array: len(learn.action_values(array, threads=1, progress=False).values)),
            ("judge a turn", lambda judged=judged: len(learn.judge(judged.positions, judged.turns, threads=1))),
        ):
            found.setdefault(what, []).append(f"{record.rounded(cost(work, times) * 1e6, 2)} us")
        for what, start in (("whole games", {}), ("endgames", {"positions": array})):
            environment = Environment(name, player, **start)
            numbers = np.random.default_rng(1)
            seconds = cost(lambda made=environment, numbers=numbers: play(made, numbers), times)
            found.setdefault(f"an environment, {what}", []).append(f"{1 / seconds:,.0f} actions a second")
    table = [("", "Face to Face", "Take That"), *((what, *cells) for what, cells in found.items())]
    print(record.markdown(table))
    record.write(options.json, {"learners": table})


if __name__ == "__main__":
    main()
