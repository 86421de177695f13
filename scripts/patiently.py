"""Runs a command that may be silent for minutes, and says every few seconds that it still runs. It needs only Python.

    python scripts/patiently.py "building" make -s all
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time


def main() -> int:
    parser = argparse.ArgumentParser(description="runs a command and says every few seconds that it still runs")
    parser.add_argument("--every", type=float, default=5.0, metavar="SECONDS")
    parser.add_argument("what", help="what the command does, to be said")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    print(options.what, file=sys.stderr, flush=True)
    began = time.monotonic()
    process = subprocess.Popen(options.command)
    while True:
        try:
            return process.wait(options.every)
        except subprocess.TimeoutExpired:
            print(f"{options.what}: {time.monotonic() - began:.0f} s so far", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
