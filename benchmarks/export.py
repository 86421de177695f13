"""What `backtrick export` costs, for endgames of self-play of both games: `python benchmarks/export.py`.

Time, size and the greatest memory of a whole process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import machine
import record
from backtrick.games import GAMES, game_of


def measure(game: str, positions: int) -> list[str]:
    """The time, the processor time, the size and the greatest memory of one export. Raises `CalledProcessError`."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "set"
        words = ["export", "--positions", str(positions), "--game", game, "--output", str(output), "--quiet"]
        command = [sys.executable, "-m", "backtrick", *words]
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        size = sum(path.stat().st_size for path in (output / "data").iterdir())
    spent = [f"{record.rounded(one)} s" for one in (seconds, used.ru_utime + used.ru_stime)]
    return [*spent, f"{record.rounded(size / 1e6)} MB", f"{used.ru_maxrss >> 10} MiB"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=100_000, metavar="N", help="default: %(default)s")
    record.add_json(parser)
    options = parser.parse_args()
    print(machine.describe(), end="\n\n")
    table: list[tuple[object, ...]] = [("game", "time", "processor time", "size", "greatest memory")]
    for game in GAMES:
        table.append((game_of(game).title, *measure(game, options.positions)))
    print(record.markdown(table))
    record.write(options.json, {"export": table}, f"{options.positions:,} positions each")


if __name__ == "__main__":
    main()
