"""What the example of PPO (docs/tutorials/ppo.py) learns, by steps and seconds of the processor. It needs PyTorch and Gymnasium.

    python benchmarks/learn/ppo.py [--json FILE]

Runs the small deck and whole games beside each other, each on one thread, for half an hour or more.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
import machine  # noqa: E402
import record  # noqa: E402

EXAMPLE = machine.ROOT / "docs" / "tutorials" / "ppo.py"
FIGURES = {"small": ("small deck", "regret"), "whole": ("whole games", "won against `frugal`")}


def table(what: str, lines: Iterable[str]) -> record.Table:
    """What the example prints, as a table."""
    learned, figure = FIGURES[what]
    rows: list[tuple[object, ...]] = [(f"{learned}, steps", "seconds", figure, "+-")]
    for line in lines:
        steps, seconds, value, off = line.split()
        print(line, end="", flush=True)
        rows.append((int(steps), round(float(seconds)), value, off))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    record.add_json(parser)
    options = parser.parse_args()
    print(machine.describe(), flush=True)
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}
    start = {what: [sys.executable, str(EXAMPLE), what] for what in FIGURES}
    runs = {what: subprocess.Popen(start[what], stdout=subprocess.PIPE, text=True, env=one_thread) for what in FIGURES}
    tables = {what: table(what, run.stdout or ()) for what, run in runs.items()}
    if any(run.wait() for run in runs.values()):
        raise SystemExit("the example failed")
    record.write(options.json, tables, "processor time, one thread each")


if __name__ == "__main__":
    main()
